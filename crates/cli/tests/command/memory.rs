//! Documents of any length are rewritten in bounded memory, and memory of those made to hurt is in proportion.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;
use support::process;

/// Length of the input in bytes: a gibibyte, or less for a slow debug build.
const LENGTH: usize = if cfg!(debug_assertions) {
    256 << 20
} else {
    1 << 30
};

const HEAD: &[u8] =
    b"<!DOCTYPE html><html><head><meta charset=utf-8><title>t</title></head><body>\n";
const PAGE: &[u8] = "<h2 id=a>Some text, \u{e9}\u{65e5}</h2><p>and a <a href=../link?a=b>link</a>, an image <img src='i.png' alt=\"\">\n\
    <script>if (a < b) { document.write('<a href=x>') }</script><table><tr><td>1<td>2</table><!-- a comment -->\n".as_bytes();
const PAGE_REWRITTEN: &[u8] = "<h2 id=a>Some text, \u{e9}\u{65e5}</h2><p>and a <a href=http://h/link?a=b>link</a>, an image <img src='http://h/d/i.png' alt=\"\">\n\
    <script>if (a < b) { document.write('<a href=x>') }</script><table><tr><td>1<td>2</table><!-- a comment -->\n".as_bytes();

/// Asserts that the output is the head and any number of rewritten pages, and returns its length.
fn read_pages(mut output: impl Read) -> io::Result<usize> {
    let mut head = vec![0; HEAD.len()];
    output.read_exact(&mut head)?;
    assert_eq!(head, HEAD);
    let expected = PAGE_REWRITTEN.repeat(64);
    let (mut buffer, mut pos, mut length) = (vec![0; 1 << 16], 0, head.len());
    loop {
        let read = output.read(&mut buffer)?;
        if read == 0 {
            assert_eq!(pos % PAGE_REWRITTEN.len(), 0, "cut off");
            return Ok(length);
        }
        length += read;
        let mut rest = &buffer[..read];
        while !rest.is_empty() {
            let count = rest.len().min(expected.len() - pos);
            let (part, tail) = rest.split_at(count);
            assert!(part == &expected[pos..pos + count], "within {length} bytes");
            pos = (pos + count) % expected.len();
            rest = tail;
        }
    }
}

#[test]
fn memory_of_a_gigabyte_pipe_is_below_64_mebibytes() {
    let started = Instant::now();
    let mut command = Command::new(support::world::binary())
        .args(["rewrite", "--url", "http://h/d/e"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command");
    let mut input = command.stdin.take().expect("a pipe");
    let output = command.stdout.take().expect("a pipe");
    let reader = thread::spawn(move || read_pages(output));
    let pages = PAGE.repeat(1 << 12);
    let mut sent = HEAD.len();
    input.write_all(HEAD).expect("read");
    while sent < LENGTH {
        input.write_all(&pages).expect("read");
        sent += pages.len();
    }
    // The command is still running here: it waits for more input.
    let peak = process::peak_memory(command.id());
    drop(input);
    let written = reader.join().expect("no panic").expect("written");
    assert!(command.wait().expect("an end").success());
    let pages = (sent - HEAD.len()) / PAGE.len();
    assert_eq!(written, HEAD.len() + pages * PAGE_REWRITTEN.len());
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let rate = sent as f64 / 1e6 / started.elapsed().as_secs_f64();
    support::print_line(&format!(
        "memory: {} MiB through a pipe at {rate:.0} MB/s, {peak:?} MiB at most",
        sent >> 20
    ));
    match peak {
        Some(peak) => assert!(peak < 64, "{peak} MiB"),
        None => support::missing("memory is read from /proc, which is not here"),
    }
}

/// Files are streamed like standard input, and read twice if they do not declare their encoding.
#[test]
fn memory_of_a_large_file_is_below_64_mebibytes() {
    const UNDECLARED: &[u8] = b"<!DOCTYPE html><html><head><title>t</title></head><body>\n";
    let directory = tempfile::tempdir().expect("a directory");
    let [source, target] = ["a.html", "b.html"].map(|name| directory.path().join(name));
    let pages = PAGE.repeat(1 << 10);
    for head in [HEAD, UNDECLARED] {
        let mut file = BufWriter::new(File::create(&source).expect("a file"));
        file.write_all(head).expect("written");
        let mut len = head.len();
        while len < LENGTH / 3 {
            file.write_all(&pages).expect("written");
            len += pages.len();
        }
        drop(file);
        for in_place in [false, true] {
            let mut command = Command::new(support::world::binary());
            command
                .args(["rewrite", "--url", "http://h/d/e"])
                .arg(&source);
            if in_place {
                command.arg("-i");
            } else {
                command.arg("-o").arg(&target);
            }
            let mut command = command.spawn().expect("the command");
            let mut peak = None;
            let status = loop {
                peak = peak.max(process::peak_memory(command.id()));
                if let Some(status) = command.try_wait().expect("a child") {
                    break status;
                }
                thread::sleep(std::time::Duration::from_millis(5));
            };
            assert!(status.success());
            match peak {
                Some(peak) => assert!(peak < 64, "{peak} MiB"),
                None => support::missing("memory is read from /proc, which is not here"),
            }
            let head_len = head.len();
            let written = File::open(if in_place { &source } else { &target });
            let head = io::Cursor::new(HEAD).chain(skip(written.expect("a file"), head_len));
            let written = read_pages(head).expect("read");
            let pages = (len - head_len) / PAGE.len();
            assert_eq!(written, HEAD.len() + pages * PAGE_REWRITTEN.len());
        }
    }
    fs::remove_file(target).expect("a file");
}

/// Returns a reader without its first `len` bytes.
fn skip(mut file: File, len: usize) -> File {
    file.read_exact(&mut vec![0; len]).expect("a head");
    file
}

/// Returns a message with 6,000 parts and a base URL of 8 KiB. All targets together are far longer than the message.
fn message_with_a_long_base(head: impl Fn(usize) -> String) -> String {
    let part = |number| {
        let head = head(number);
        format!("--x\r\nContent-Type: text/html\r\n{head}\r\n<a href=a>\r\n")
    };
    let long = "x".repeat(8000);
    let parts: String = (0..6_000).map(part).collect();
    format!(
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\nContent-Base: http://h/{long}/\r\n\r\n{parts}--x--\r\n"
    )
}

/// Runs the command without its output, and returns its peak memory in KiB, its messages and its exit code.
///
/// Returns `None` if there is no Python, which measures the memory.
fn measure(arguments: &[&str], path: &Path) -> io::Result<Option<(usize, String, Option<i32>)>> {
    /// Runs its arguments without their output, prints their peak memory in KiB, and ends with their exit code.
    const MEASURE: &str = "
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)";

    if Command::new("python3").arg("--version").output().is_err() {
        support::missing("there is no python3 to measure memory with");
        return Ok(None);
    }
    let output = Command::new("python3")
        .args(["-c", MEASURE])
        .arg(support::world::binary())
        .args(arguments)
        .args(["--threads", "1"])
        .arg(path)
        .output()?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let peak = String::from_utf8_lossy(&output.stdout);
    let peak = peak.trim().parse().expect("a number of KiB");
    Ok(Some((peak, messages, output.status.code())))
}

#[test]
fn memory_of_parts_with_a_long_base_url_is_below_128_mebibytes() -> io::Result<()> {
    const MAX_PEAK: usize = 128;

    let directory = tempfile::tempdir()?;
    let long = "x".repeat(8000);
    let response = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Location: a\r\nContent-Length: 10\r\n\r\n<a href=a>";
    let redirect =
        format!("HTTP/1.1 302 Found\r\nLocation: http://h/{long}/\r\nContent-Length: 0\r\n\r\n");
    let containers = vec![
        (
            "shared.eml",
            message_with_a_long_base(|_| String::new()),
            false,
        ),
        (
            "relative.eml",
            message_with_a_long_base(|number| format!("Content-Location: {number}\r\n")),
            true,
        ),
        ("a.http", [redirect, response.repeat(6_000)].concat(), true),
    ];
    for (name, container, is_cut) in support::sample(containers) {
        let path = directory.path().join(name);
        fs::write(&path, container)?;
        let format = if name == "a.http" { "http" } else { "eml" };
        for verb in ["links", "base", "check", "rewrite"] {
            let arguments = [verb, "--legacy-headers", "--input-format", format];
            let Some((peak, messages, code)) = measure(&arguments, &path)? else {
                return Ok(());
            };
            assert!(
                matches!(code, Some(0..=2)),
                "{verb} {name}: {code:?}: {messages}"
            );
            assert!(peak >> 10 < MAX_PEAK, "{verb} {name}: {peak} KiB");
            assert_eq!(
                messages.matches("ignored header field").count(),
                usize::from(is_cut),
                "{verb} {name}: {messages}"
            );
        }
    }
    Ok(())
}

/// A document of one construction takes up to ten times its length, and what the command takes for any document.
#[test]
fn memory_of_documents_of_one_construction_is_in_proportion() -> io::Result<()> {
    const LENGTH: usize = 4_000_000;
    /// Documents that only html5ever can read.
    const LATE_BASE: &str = "<template></template><body><base href=x>";

    let repeat = |piece: &str| piece.repeat(LENGTH / piece.len());
    let directory = tempfile::tempdir()?;
    let constructions = vec![
        ("srcset", "<img srcset=\"", "b 1x,", "\">"),
        ("ping", "<a ping=\"", "b ", "\">"),
        ("style", "<style>", "a{b:url(c)}", "</style>"),
        (
            "rules",
            "<script type=speculationrules>{\"prefetch\":[{\"urls\":[\"a\"",
            ",\"b\"",
            "]}]}</script>",
        ),
        ("links", "", "<a href=b>", ""),
        ("srcdoc", "<iframe srcdoc=\"", "<a href=b>", "\">"),
        ("math", "", "<math><mi href=b>", ""),
        ("bases", "", "<base href=b>", ""),
        ("head", "", "<link rel=next href=b>", ""),
        ("duplicates", "<a href=b ", "href=c ", ">"),
        ("entities", "<a ping='", "&gt", "'>"),
        (
            "russian",
            "<meta charset=windows-1251><p>",
            "\u{444}",
            "<a href=b>",
        ),
        ("image-set", "<p style='a:image-set(", "(", "'>"),
        ("nul", "<style>a{b:url(", "\0", ")}</style>"),
        ("nul-reference", "<a href=x?", "\0", ">"),
        (
            "json-ld",
            "<script type=application/ld+json>",
            "[",
            "</script>",
        ),
        (
            "feed.json",
            "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{\"content_html\":\"",
            "\\/",
            "\"}]}",
        ),
        ("svg-styles", "<svg>", "<style>", ""),
        ("svg-style-texts", "<svg>", "<style>a<!---->b", ""),
        ("late-links", LATE_BASE, "<a href=b>", ""),
        ("late-bases", LATE_BASE, "<base href=b>", ""),
        (
            "link.warc",
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n\
             WARC-Target-URI: http://h/\r\nContent-Type: application/http\r\n\
             Content-Length: 4000026\r\n\r\nHTTP/1.1 200 OK\r\nLink:",
            "<a>,",
            "\r\n\r\n\r\n\r\n",
        ),
    ];
    for (name, start, piece, end) in support::sample(constructions) {
        let mut path = directory.path().join(name);
        if path.extension().is_none() {
            path.set_extension("html");
        }
        fs::write(&path, format!("{start}{}{end}", repeat(piece)))?;
        for verb in ["rewrite", "links", "check"] {
            let Some((peak, messages, code)) =
                measure(&[verb, "--url", "http://h/", "--preset", "json-ld"], &path)?
            else {
                return Ok(());
            };
            assert!(matches!(code, Some(0..=2)), "{verb} {name}: {messages}");
            let most = (10 * LENGTH + (32 << 20)) >> 10;
            assert!(peak < most, "{verb} {name}: {peak} of {most} KiB");
        }
    }
    Ok(())
}

/// Rows are written while the document is read: the links are never in memory together.
#[test]
fn links_of_a_long_document_take_no_memory() -> io::Result<()> {
    const LINKS: usize = 500_000;
    let document = "<p>text <a href=b/c>d</a> text</p>\n".repeat(LINKS);
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("a.html");
    fs::write(&path, &document)?;
    for arguments in [&["base"][..], &["links"], &["links", "--format=jsonl"]] {
        let arguments = [arguments, &["--url", "http://h/"]].concat();
        let Some((peak, messages, code)) = measure(&arguments, &path)? else {
            return Ok(());
        };
        assert_eq!(code, Some(0), "{arguments:?}: {messages}");
        let most = (document.len() + (48 << 20)) >> 10;
        assert!(peak < most, "{arguments:?}: {peak} of {most} KiB");
    }
    Ok(())
}

/// A character reference to each malformed byte would be eight bytes, in several copies of the reference.
#[test]
fn malformed_bytes_that_cannot_be_written_again_take_memory_in_proportion() -> io::Result<()> {
    let host = format!("<a href=//{}>", "\u{e9}".repeat(15_000));
    let document = format!("<meta charset=iso-2022-jp>{}", host.repeat(33));
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("a.html");
    fs::write(&path, &document)?;
    let arguments = ["rewrite", "--url", "http://h/"];
    let Some((peak, messages, code)) = measure(&arguments, &path)? else {
        return Ok(());
    };
    assert_eq!(code, Some(0), "{messages}");
    assert!(
        messages.contains("33 references left unchanged"),
        "{messages}"
    );
    let most = (10 * document.len() + (32 << 20)) >> 10;
    assert!(peak < most, "{peak} of {most} KiB");
    Ok(())
}

/// Each row repeats the base URL. For 4 MB, that was a gigabyte of rows and of memory.
#[test]
fn rows_of_links_with_a_long_base_url_are_in_proportion() -> io::Result<()> {
    const LINKS: usize = 120_000;

    let directory = tempfile::tempdir()?;
    let [path, report] = ["a.html", "report"].map(|name| directory.path().join(name));
    let base = format!("http://h/{}", "a/".repeat(4_080));
    let link = format!("<a href=/>{}", " ".repeat(22));
    let document = format!("<base href={base}>{}", link.repeat(LINKS));
    fs::write(&path, &document)?;
    let report_argument = format!("--report={}", report.display());
    for arguments in [
        vec!["links", "--format=csv"],
        vec!["links", "--format=json"],
        vec!["links", "--format=jsonl"],
        vec!["rewrite", &report_argument],
    ] {
        let Some((peak, messages, code)) = measure(&arguments, &path)? else {
            return Ok(());
        };
        assert_eq!(code, Some(0), "{arguments:?}: {messages}");
        let most = (10 * document.len() + (32 << 20)) >> 10;
        assert!(peak < most, "{arguments:?}: {peak} of {most} KiB");
    }
    let rows = fs::read_to_string(report)?;
    let rows: Vec<serde_json::Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), LINKS + 2);
    let with_base = rows.iter().filter(|row| row["base"] == *base).count();
    // That of the document is one of them.
    assert_eq!(with_base, ((1 << 20) + 3 * document.len()) / base.len() + 1);
    assert!(rows[LINKS]["base"].is_null());
    assert_eq!(rows[LINKS]["base_source"], "embedded");
    Ok(())
}
