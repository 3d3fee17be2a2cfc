//! Memory of archives of any length is bounded.

use std::env;
use std::io::{self, Read, Write};
use std::process::Command;
use std::time::Instant;

use absolve::Rewriter;
use absolve_archive::container::ContainerErrorKind;
use absolve_archive::container::transfer::{Coding, encode_coding};
use absolve_archive::{ArchiveSettings, ContainerLimit, RecordForm, WarcItem, rewrite_warc};
use support::process;

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

/// The system counts the peak memory of a whole process, so the test runs itself in a process without other tests.
#[test]
fn memory_of_a_gigabyte_archive_is_below_64_mebibytes() {
    const IS_ALONE: &str = "ABSOLVE_TEST_IS_ALONE";
    const NAME: &str = "memory::memory_of_a_gigabyte_archive_is_below_64_mebibytes";

    if env::var_os(IS_ALONE).is_none() {
        let output = Command::new(env::current_exe().expect("the path of the tests"))
            .args(["--exact", NAME, "--nocapture"])
            .env(IS_ALONE, "1")
            .output()
            .expect("the tests run");
        let [printed, messages] =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(
            output.status.success() && printed.contains("1 passed"),
            "{printed}{messages}"
        );
        support::print_line(messages.trim_end());
        return;
    }
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
            // The content of the records is more uniform than any real one.
            &ArchiveSettings::new().limit(ContainerLimit::DecodedRatio, usize::MAX),
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
