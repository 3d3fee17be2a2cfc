//! A document of any length goes through a pipe in bounded memory, and comes out as it does from memory.

mod support;

use std::fs;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

/// How much goes through the pipe, in bytes: a gibibyte, unless the command was built to be debugged and is slow.
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

/// The most memory a process that still runs ever had, in MiB.
fn peak(process: &Child) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: usize = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes / 1024)
}

/// Reads what is said to come, again and again, and gives how many bytes came.
fn read_pages(mut output: impl Read) -> io::Result<usize> {
    let mut head = vec![0; HEAD.len()];
    output.read_exact(&mut head)?;
    assert_eq!(head, HEAD);
    let expected = PAGE_REWRITTEN.repeat(64);
    let (mut buffer, mut at, mut length) = (vec![0; 1 << 16], 0, head.len());
    loop {
        let read = output.read(&mut buffer)?;
        if read == 0 {
            assert_eq!(at % PAGE_REWRITTEN.len(), 0, "cut off");
            return Ok(length);
        }
        length += read;
        let mut rest = &buffer[..read];
        while !rest.is_empty() {
            let count = rest.len().min(expected.len() - at);
            let (part, behind) = rest.split_at(count);
            assert!(part == &expected[at..at + count], "within {length} bytes");
            at = (at + count) % expected.len();
            rest = behind;
        }
    }
}

#[test]
fn a_gigabyte_through_a_pipe_takes_less_than_64_mebibytes() {
    let started = Instant::now();
    let mut process = Command::new(env!("CARGO_BIN_EXE_absolve"))
        .args(["rewrite", "--url", "http://h/d/e"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command");
    let mut input = process.stdin.take().expect("a pipe");
    let output = process.stdout.take().expect("a pipe");
    let reader = thread::spawn(move || read_pages(output));
    let pages = PAGE.repeat(1 << 12);
    let mut sent = HEAD.len();
    input.write_all(HEAD).expect("read");
    while sent < LENGTH {
        input.write_all(&pages).expect("read");
        sent += pages.len();
    }
    // It waits for more now.
    let peak = peak(&process);
    drop(input);
    let written = reader.join().expect("no panic").expect("written");
    assert!(process.wait().expect("an end").success());
    let pages = (sent - HEAD.len()) / PAGE.len();
    assert_eq!(written, HEAD.len() + pages * PAGE_REWRITTEN.len());
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let rate = sent as f64 / 1e6 / started.elapsed().as_secs_f64();
    support::say(&format!(
        "memory: {} MiB through a pipe at {rate:.0} MB/s, {peak:?} MiB at most",
        sent >> 20
    ));
    match peak {
        Some(peak) => assert!(peak < 64, "{peak} MiB"),
        None => support::say("not run: memory is read from /proc, which is not here"),
    }
}
