//! The contestants of `benches/xml` that are Rust: `cargo bench --bench xml -- ROUNDS FOLDER...`
//!
//! Prints a line for each contestant and folder: the name of the contestant, the folder and its speed in 10^6 bytes of
//! input per second, separated by tabs. Documents are in memory, contestants take turns, and figures are medians.

#[path = "../rewrite/clock.rs"]
mod clock;

use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use absolve::{Document, Rewriter};
use clock::Clock;
use quick_xml::events::Event;
use quick_xml::reader::NsReader;

const URL: &str = "https://www.example.org/blog/feed.xml";

/// A program to measure, which processes one document per call.
type Contestant = (&'static str, Box<dyn FnMut(&[u8])>);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    // Cargo appends an option.
    let mut arguments = env::args().skip(1).filter(|one| !one.starts_with("--"));
    let rounds = arguments.next().and_then(|rounds| rounds.parse().ok());
    let rounds: usize = rounds.ok_or("usage: xml ROUNDS FOLDER...")?;
    let clock = Clock::best();
    let _ = writeln!(io::stderr(), "clock: {}", clock.name());
    for folder in arguments.map(PathBuf::from) {
        let documents =
            read(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        let bytes: usize = documents.iter().map(Vec::len).sum();
        let mut contestants = contestants();
        let mut seconds = vec![Vec::new(); contestants.len()];
        for round in 0..=rounds {
            for (index, (_, work)) in contestants.iter_mut().enumerate() {
                let (time, ()) = clock.time(|| documents.iter().for_each(|one| work(one)));
                // The first round warms up caches.
                if round > 0 {
                    seconds[index].push(time.as_secs_f64());
                }
            }
        }
        for ((name, _), mut seconds) in contestants.into_iter().zip(seconds) {
            seconds.sort_by(f64::total_cmp);
            #[expect(clippy::cast_precision_loss, reason = "sizes are below 2^52")]
            let speed = bytes as f64 / 1e6 / seconds[seconds.len() / 2];
            writeln!(io::stdout(), "{name}\t{}\t{speed:.1}", folder.display())
                .map_err(|error| format!("cannot write to standard output: {error}"))?;
        }
    }
    Ok(())
}

/// Reads the files of `folder`.
fn read(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    fs::read_dir(folder)?
        .map(|entry| fs::read(entry?.path()))
        .collect()
}

fn contestants() -> Vec<Contestant> {
    let rewriter = Rewriter::new();
    let mut output = Vec::new();
    vec![
        ("quick-xml", Box::new(parse)),
        (
            "absolve rewrite_into",
            Box::new(move |bytes| {
                output.clear();
                let document = Document::xml(bytes).retrieved_from(URL);
                black_box(rewriter.rewrite_into(&document, &mut output, None));
            }),
        ),
        (
            "absolve links",
            Box::new(|bytes| {
                let document = Document::xml(bytes).retrieved_from(URL);
                black_box(Rewriter::new().links(&document));
            }),
        ),
    ]
}

/// Reads every event, and every attribute of every tag, with namespaces.
fn parse(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let mut reader = NsReader::from_str(text.trim_start_matches('\u{feff}'));
    while let Ok((namespace, event)) = reader.read_resolved_event() {
        black_box(namespace);
        match event {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => tag.attributes().for_each(|attribute| {
                let _ = black_box(attribute);
            }),
            other => {
                black_box(other);
            }
        }
    }
}
