//! Memory of archives of any length, and of messages and dumps whose parts share a long base URL, is bounded.
//!
//! A test binary of its own, because the peak memory is counted for the whole process.

#[path = "support/process.rs"]
mod process;
mod support;

use std::fs;
use std::io::{self, Read, Write};
#[cfg(all(target_os = "linux", feature = "cli"))]
use std::path::Path;
#[cfg(all(target_os = "linux", feature = "cli"))]
use std::process::Command;
use std::time::Instant;

use absolve::Rewriter;
use absolve::archive::{ArchiveSettings, RecordForm, WarcItem, rewrite_warc};
use absolve::container::ContainerErrorKind;
use absolve::container::transfer::{Coding, encode_coding};

/// A reader that repeats the same pieces without allocating.
struct Repeated<'p> {
    pieces: &'p [Vec<u8>],
    /// Number of repetitions of each piece.
    times: usize,
    /// Number of pieces read to the end.
    done: usize,
    /// Offset in the current piece.
    position: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.done == self.times * self.pieces.len() {
            return Ok(0);
        }
        let piece = &self.pieces[self.done % self.pieces.len()];
        let read = (&piece[self.position..]).read(buffer)?;
        self.position += read;
        if self.position == piece.len() {
            (self.done, self.position) = (self.done + 1, 0);
        }
        Ok(read)
    }
}

/// A writer that counts its bytes.
#[derive(Default)]
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0 += buffer.len() as u64;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn record(content_type: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

#[test]
fn memory_of_a_gigabyte_archive_is_below_64_mebibytes() {
    let html = b"<p>some text and a <a href=link>link</a>\n".repeat(500);
    let records = [
        record("text/html", &html),
        record("image/png", &vec![0x55; 7 << 20]),
        record("text/html", &vec![b' '; 9 << 20]),
    ];
    let members: Vec<Vec<u8>> = records
        .iter()
        .map(|record| encode_coding(record, Coding::Gzip))
        .collect();
    // 1 GiB uncompressed; 256 MiB (when decompressed) in compressed records.
    for (pieces, times) in [(&records[..], 64), (&members, 16)] {
        let archive = Repeated {
            pieces,
            times,
            done: 0,
            position: 0,
        };
        let (mut documents, mut too_long) = (0, 0);
        let mut output = Counted::default();
        let started = Instant::now();
        rewrite_warc(
            archive,
            &mut output,
            &ArchiveSettings::new(),
            RecordForm::Replaced,
            |found| match found {
                WarcItem::Document(entity) => {
                    documents += 1;
                    Some(entity.rewrite(&Rewriter::new()).bytes.into_owned())
                }
                WarcItem::Error(error) => {
                    assert_eq!(error.kind, ContainerErrorKind::RecordTooLong);
                    too_long += 1;
                    None
                }
                _ => None,
            },
        )
        .expect("rewritten");
        assert_eq!((documents, too_long), (times, times));
        support::print_line(&format!(
            "memory: {} MiB written in {:.1?}, {:?} MiB at most",
            output.0 >> 20,
            started.elapsed(),
            process::peak_memory(std::process::id())
        ));
    }
    match process::peak_memory(std::process::id()) {
        Some(peak) => assert!(peak < 64, "{peak} MiB"),
        None => support::missing("memory is read from /proc, which is not here"),
    }
}

#[cfg(all(target_os = "linux", feature = "cli"))]
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
#[cfg(all(target_os = "linux", feature = "cli"))]
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
        .arg(env!("CARGO_BIN_EXE_absolve"))
        .args(arguments)
        .args(["--threads", "1"])
        .arg(path)
        .output()?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let peak = String::from_utf8_lossy(&output.stdout);
    let peak = peak.trim().parse().expect("a number of KiB");
    Ok(Some((peak, messages, output.status.code())))
}

#[cfg(all(target_os = "linux", feature = "cli"))]
#[test]
fn memory_of_parts_with_a_long_base_url_is_below_128_mebibytes() -> io::Result<()> {
    const MAX_PEAK: usize = 128;

    let directory = tempfile::tempdir()?;
    let long = "x".repeat(8000);
    let response = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Location: a\r\nContent-Length: 10\r\n\r\n<a href=a>";
    let redirect =
        format!("HTTP/1.1 302 Found\r\nLocation: http://h/{long}/\r\nContent-Length: 0\r\n\r\n");
    for (name, container, is_cut) in [
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
    ] {
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
#[cfg(all(target_os = "linux", feature = "cli"))]
#[test]
fn memory_of_documents_of_one_construction_is_in_proportion() -> io::Result<()> {
    const LENGTH: usize = 4_000_000;
    /// What only html5ever can read.
    const LATE_BASE: &str = "<template></template><body><base href=x>";

    let repeat = |piece: &str| piece.repeat(LENGTH / piece.len());
    let directory = tempfile::tempdir()?;
    for (name, start, piece, end) in [
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
        ("late-links", LATE_BASE, "<a href=b>", ""),
        ("late-bases", LATE_BASE, "<base href=b>", ""),
    ] {
        let path = directory.path().join(name).with_extension("html");
        fs::write(&path, format!("{start}{}{end}", repeat(piece)))?;
        for verb in ["rewrite", "links", "check"] {
            let Some((peak, messages, code)) = measure(&[verb, "--url", "http://h/"], &path)?
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
