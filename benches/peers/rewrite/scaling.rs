//! Measures how time grows with the size of the document.
//!
//! The documents are a megabyte of pages repeated 1, 10 and 100 times, and documents designed to be slow. With linear
//! time, they all cost the same per byte.

use std::time::Duration;

use super::arguments::{Arguments, Documents};
use super::clock::Clock;
use super::contestant::Contestant;
use super::corpus::{Corpus, Document};
use super::{print, print_progress};

const URL: &str = "https://www.example.org/docs/page.html";

/// Contestants to measure unless `--only` selects others.
///
/// The baselines show the cost of memory access alone. It grows with size, too, because new allocations and accesses
/// outside the caches are expensive.
const CONTESTANTS: [&str; 6] = [
    "memcpy",
    "memcpy, new allocation",
    "absolve rewrite",
    "absolve rewrite_into",
    "html5ever tree walk",
    "lol_html selectors",
];

/// A contestant that has taken longer than this for some documents is not measured in further rounds over them.
const TIME_LIMIT: Duration = Duration::from_secs(10);

const MEGABYTE: usize = 1_000_000;

/// Number of bytes to process per measurement. Shorter documents are processed repeatedly, for precision.
const MEASURED_BYTES: usize = 20 * MEGABYTE;

pub(crate) fn run(arguments: &Arguments, contestants: &mut Vec<Contestant>) -> Result<(), String> {
    if !arguments.has_selection() {
        contestants.retain(|one| CONTESTANTS.contains(&one.name));
    }
    let corpora = match &arguments.documents {
        Documents::Corpora(root) => Corpus::read_all(root),
        Documents::Folder(folder) => Corpus::read("documents", folder).map(|one| vec![one]),
    };
    let corpora = corpora.map_err(|error| format!("cannot read the documents: {error}"))?;
    let pages = concatenated_pages(&corpora);
    if pages.is_empty() {
        return Err("no HTML documents; specify a folder of them with --documents".to_owned());
    }
    let names: Vec<&str> = contestants.iter().map(|one| one.name).collect();
    let (scale, rounds) = (arguments.percent, arguments.rounds);
    print(&format!(
        "Nanoseconds per byte of the document, and the ratio to 1 MB of pages in the same round; medians of {rounds} rounds (designed to be slow: of at most 3).\n\n| document | MB | {} |\n|---|--:|{}\n",
        names.join(" | "),
        "--:|".repeat(names.len())
    ))?;
    let repeated = [1, 10, 100].map(|times| document(pages.repeat(times)));
    let costs = measure(contestants, &repeated, rounds, arguments.clock);
    for ((times, document), costs_of_one) in [1, 10, 100].iter().zip(&repeated).zip(&costs) {
        print_row(
            &format!("pages, {times} times"),
            document,
            costs_of_one,
            &costs[0],
        )?;
    }
    for (name, make) in HOSTILE {
        print_progress(name);
        let pair = [document(pages.clone()), document(make(scale))];
        let costs = measure(contestants, &pair, rounds.min(3), arguments.clock);
        print_row(name, &pair[1], &costs[1], &costs[0])?;
    }
    Ok(())
}

/// Nanoseconds per byte of a document: for each contestant, one per round.
type Costs = Vec<Vec<f64>>;

/// Prints the costs of a document, and their ratios to the costs of ordinary pages in the same round.
fn print_row(name: &str, document: &Document, costs: &Costs, normal: &Costs) -> Result<(), String> {
    let cell = |(costs, normal): (&Vec<f64>, &Vec<f64>)| {
        let ratios = costs.iter().zip(normal).map(|(cost, normal)| cost / normal);
        let ratio = median(ratios.collect());
        format!("{:.2} ({ratio:.2})", median(costs.clone()))
    };
    let cells: Vec<String> = costs.iter().zip(normal).map(cell).collect();
    let size = super::measure::megabytes(document.bytes.len());
    print(&format!("| {name} | {size:.1} | {} |\n", cells.join(" | ")))
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Measures the costs of each document. In a round, each contestant processes all documents in turn.
fn measure(
    contestants: &mut [Contestant],
    documents: &[Document],
    rounds: usize,
    clock: Clock,
) -> Vec<Costs> {
    let mut costs = vec![vec![Vec::new(); contestants.len()]; documents.len()];
    let mut total_times = vec![Duration::ZERO; contestants.len()];
    for round in 0..rounds {
        for step in 0..contestants.len() {
            let number = (step + round) % contestants.len();
            if total_times[number] > TIME_LIMIT {
                continue;
            }
            for (document, costs) in documents.iter().zip(&mut costs) {
                let times = (MEASURED_BYTES / document.bytes.len()).max(1);
                let (time, ()) = clock.time(|| {
                    for _ in 0..times {
                        (contestants[number].run)(document);
                    }
                });
                total_times[number] += time;
                let bytes = super::measure::megabytes(document.bytes.len() * times) * 1e6;
                costs[number].push(time.as_secs_f64() * 1e9 / bytes);
            }
        }
    }
    costs
}

/// Concatenates documents from all over the corpora, until the result is about a megabyte long.
///
/// All of them are UTF-8, because the result has a single encoding.
fn concatenated_pages(corpora: &[Corpus]) -> Vec<u8> {
    let documents: Vec<&Document> = corpora
        .iter()
        .flat_map(|corpus| &corpus.documents)
        .filter(|document| document.bytes.len() < MEGABYTE / 4)
        .filter(|document| str::from_utf8(&document.bytes).is_ok())
        .collect();
    let mut pages = Vec::new();
    let step = (documents.len() / 64).max(1);
    for document in documents.iter().step_by(step) {
        if pages.len() < MEGABYTE && has_no_base(&document.bytes) {
            pages.extend_from_slice(&document.bytes);
        }
    }
    pages
}

/// Returns whether a document has no BASE.
///
/// After another document, BASE would not be in HEAD. Its effect there depends on the tree, so absolve would take the
/// slow path for the whole concatenation.
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

/// Returns a document of this percentage of its full size.
type Make = fn(usize) -> Vec<u8>;

/// Documents designed to be slow.
const HOSTILE: [(&str, Make); 12] = [
    ("a million <", |percent| b"<".repeat(10_000 * percent)),
    ("an attribute of 100 MB", |percent| {
        enclosed(
            b"<a title=\"",
            &b"x".repeat(1_000_000 * percent),
            b"\" href=x>",
        )
    }),
    ("a link of 100 MB", |percent| {
        enclosed(b"<a href=\"", &b"x".repeat(1_000_000 * percent), b"\">")
    }),
    ("100,000 attributes", |percent| {
        let mut attributes = String::new();
        for number in 0..1_000 * percent {
            attributes.push_str(" a");
            attributes.push_str(&number.to_string());
        }
        enclosed(b"<a href=x", attributes.as_bytes(), b">")
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
        enclosed(
            b"<img srcset=\"",
            &b"a.png 1x, ".repeat(10_000 * percent),
            b"b.png 2x\">",
        )
    }),
    ("a million <a href=x>", |percent| {
        b"<a href=x>".repeat(10_000 * percent)
    }),
    ("a million &amp; in a link", |percent| {
        enclosed(b"<a href=\"?", &b"&amp;".repeat(10_000 * percent), b"\">")
    }),
    ("a million url() in a style sheet", |percent| {
        enclosed(
            b"<style>",
            &b"a{b:url(x)}".repeat(10_000 * percent),
            b"</style>",
        )
    }),
    ("a million quotes after a tag", |percent| {
        enclosed(b"<a ", &b"\"'=<".repeat(10_000 * percent), b">")
    }),
];

fn enclosed(before: &[u8], middle: &[u8], after: &[u8]) -> Vec<u8> {
    [before, middle, after].concat()
}
