//! Whether the time grows with the document and with nothing else: the same pages 1, 10 and 100 times, and documents
//! made to be slow.

use std::time::Duration;

use super::arguments::{Arguments, Documents};
use super::clock::Clock;
use super::contestant::Contestant;
use super::corpus::{Corpus, Document};
use super::{print, talk};

const URL: &str = "https://www.example.org/docs/page.html";

/// With the one floor that grows more than the document: memory that was never used before is dear.
const CONTESTANTS: [&str; 4] = [
    "memcpy, new memory",
    "absolve",
    "html5ever and a walk",
    "lol_html, selectors",
];

/// Who took so long for a document need not show it again.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is repeated is about so long.
const MEGABYTE: usize = 1_000_000;

pub(crate) fn run(arguments: &Arguments, contestants: &mut Vec<Contestant>) -> Result<(), String> {
    if !arguments.chooses() {
        // One of each kind.
        contestants.retain(|one| CONTESTANTS.contains(&one.name));
    }
    let corpora = match &arguments.documents {
        Documents::Corpora(root) => Corpus::read_all(root),
        Documents::Folder(folder) => Corpus::read("documents", folder).map(|one| vec![one]),
    };
    let corpora = corpora.map_err(|error| format!("documents cannot be read: {error}"))?;
    let pages = some_pages(&corpora);
    if pages.is_empty() {
        return Err(
            "no HTML documents to put together; name a folder of them with --documents".to_owned(),
        );
    }
    let names: Vec<&str> = contestants.iter().map(|one| one.name).collect();
    let (scale, rounds) = (arguments.percent, arguments.rounds);
    print(&format!(
        "Nanoseconds for a byte of the document, median of {rounds} rounds, and the ratio to 1 MB of pages.\n\n| document | MB | {} |\n|---|--:|{}\n",
        names.join(" | "),
        "--:|".repeat(names.len())
    ))?;
    let mut normal: Vec<f64> = Vec::new();
    for times in [1, 10, 100] {
        let document = document(pages.repeat(times));
        let costs = measure(contestants, &document, rounds, arguments.clock);
        if normal.is_empty() {
            normal.clone_from(&costs);
        }
        print_row(&format!("pages, {times} times"), &document, &costs, &normal)?;
    }
    for (name, make) in HOSTILE {
        talk(name);
        let document = document(make(scale));
        let costs = measure(contestants, &document, rounds.min(3), arguments.clock);
        print_row(name, &document, &costs, &normal)?;
    }
    Ok(())
}

fn print_row(name: &str, document: &Document, costs: &[f64], normal: &[f64]) -> Result<(), String> {
    let cells: Vec<String> = costs
        .iter()
        .zip(normal)
        .map(|(cost, normal)| format!("{cost:.2} ({:.2})", cost / normal))
        .collect();
    let size = super::measure::megabytes(document.bytes.len());
    print(&format!("| {name} | {size:.1} | {} |\n", cells.join(" | ")))
}

/// Nanoseconds for each byte, for each contestant.
fn measure(
    contestants: &mut [Contestant],
    document: &Document,
    rounds: usize,
    clock: Clock,
) -> Vec<f64> {
    let mut times = vec![Vec::new(); contestants.len()];
    for round in 0..rounds {
        for step in 0..contestants.len() {
            let turn = (step + round) % contestants.len();
            if times[turn].iter().sum::<Duration>() > PATIENCE {
                continue;
            }
            let (time, _) = clock.time(|| (contestants[turn].run)(document));
            times[turn].push(time);
        }
    }
    let bytes = super::measure::megabytes(document.bytes.len()) * 1e6;
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1e9 / bytes
    };
    times.iter_mut().map(median).collect()
}

/// Documents one after the other, as many as make about a megabyte: every so many of the corpora, so that all kinds of
/// them are in it. They are in UTF-8: several encodings put together are none.
fn some_pages(corpora: &[Corpus]) -> Vec<u8> {
    let documents: Vec<&Document> = corpora
        .iter()
        .flat_map(|corpus| &corpus.documents)
        .filter(|document| document.bytes.len() < MEGABYTE / 4)
        .filter(|document| str::from_utf8(&document.bytes).is_ok())
        .collect();
    let mut pages = Vec::new();
    let step = (documents.len() / 64).max(1);
    for document in documents.iter().step_by(step) {
        if pages.len() < MEGABYTE {
            if has_no_base(&document.bytes) {
                pages.extend_from_slice(&document.bytes);
            }
        }
    }
    pages
}

/// Whether a document has no BASE: behind another document it would not be in HEAD, and only a tree tells what becomes of
/// it there, which is another way to read all of them.
fn has_no_base(document: &[u8]) -> bool {
    let name = b"<base";
    let is_base = |window: &[u8]| window.eq_ignore_ascii_case(name);
    !document.windows(name.len()).any(is_base)
}

fn document(bytes: Vec<u8>) -> Document {
    Document {
        bytes,
        url: URL.to_owned(),
    }
}

/// Makes a document of that many per cent of its full size.
type Make = fn(usize) -> Vec<u8>;

const HOSTILE: [(&str, Make); 12] = [
    ("a million <", |percent| b"<".repeat(10_000 * percent)),
    ("an attribute of 100 MB", |percent| {
        around(
            b"<a title=\"",
            &b"x".repeat(1_000_000 * percent),
            b"\" href=x>",
        )
    }),
    ("a link of 100 MB", |percent| {
        around(b"<a href=\"", &b"x".repeat(1_000_000 * percent), b"\">")
    }),
    ("100,000 attributes", |percent| {
        let mut attributes = String::new();
        for number in 0..1_000 * percent {
            attributes.push_str(" a");
            attributes.push_str(&number.to_string());
        }
        around(b"<a href=x", attributes.as_bytes(), b">")
    }),
    ("a million unclosed <!--", |percent| {
        b"<!--".repeat(10_000 * percent)
    }),
    ("svg and math, 100,000 deep", |percent| {
        b"<svg><math>".repeat(500 * percent)
    }),
    ("elements, 100,000 deep", |percent| {
        b"<div>".repeat(1_000 * percent)
    }),
    ("a million candidates in srcset", |percent| {
        around(
            b"<img srcset=\"",
            &b"a.png 1x, ".repeat(10_000 * percent),
            b"b.png 2x\">",
        )
    }),
    ("a million <a href=x>", |percent| {
        b"<a href=x>".repeat(10_000 * percent)
    }),
    ("a million &amp; in a link", |percent| {
        around(b"<a href=\"?", &b"&amp;".repeat(10_000 * percent), b"\">")
    }),
    ("a million url() in a style sheet", |percent| {
        around(
            b"<style>",
            &b"a{b:url(x)}".repeat(10_000 * percent),
            b"</style>",
        )
    }),
    ("a million quotes after a tag", |percent| {
        around(b"<a ", &b"\"'=<".repeat(10_000 * percent), b">")
    }),
];

fn around(before: &[u8], middle: &[u8], after: &[u8]) -> Vec<u8> {
    [before, middle, after].concat()
}
