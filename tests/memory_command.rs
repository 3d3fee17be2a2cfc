//! A document of any length is rewritten from a pipe in bounded memory, with the output of one in memory.

#[path = "support/process.rs"]
mod process;
mod support;

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

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
    let mut command = Command::new(env!("CARGO_BIN_EXE_absolve"))
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
            let mut command = Command::new(env!("CARGO_BIN_EXE_absolve"));
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
