//! Measures the crate, as a contestant of `python/benches/run` that prints the same as those in `contestants.py`.
//!
//! The argument is a file with the URL and the path of a document on each line, separated by a tab.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use absolve::{Document, Rewriter};

/// Number of seconds after which no further pass begins.
const SECONDS: f64 = 0.5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo bench` adds `--bench`.
    let list = std::env::args().skip(1).find(|word| word != "--bench");
    let list = std::fs::read_to_string(list.ok_or("the argument is a list of documents")?)?;
    let mut pages = Vec::new();
    for line in list.lines() {
        let (url, path) = line.split_once('\t').ok_or("a line without a tab")?;
        pages.push((std::fs::read(path)?, url));
    }
    let rewriter = Rewriter::new();
    let work = || {
        for (html, url) in &pages {
            black_box(rewriter.rewrite(&Document::new(html).retrieved_from(url)));
        }
    };
    work();
    let (start, mut passes) = (Instant::now(), 0);
    while start.elapsed().as_secs_f64() < SECONDS {
        work();
        passes += 1;
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(passes);
    let version = env!("CARGO_PKG_VERSION");
    let mut stdout = std::io::stdout();
    writeln!(
        stdout,
        "{{\"seconds\": {seconds}, \"version\": \"{version}\", \"rejected\": 0}}"
    )?;
    Ok(())
}
