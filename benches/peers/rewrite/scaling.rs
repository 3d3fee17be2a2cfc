//! Whether the time grows with the document and with nothing else: the same pages 1, 10 and 100 times, and documents
//! made to be slow.

use std::time::Duration;

use super::arguments::{Arguments, Documents};
use super::clock::Clock;
use super::contestant::Contestant;
use super::corpus::{Corpus, Document};
use super::{print, talk};

const URL: &str = "https://www.example.org/docs/page.html";

/// One of each kind, and the floors: memory that was never used before is dear, and what caches do not hold is, too.
const CONTESTANTS: [&str; 6] = [
    "memcpy",
    "memcpy, new memory",
    "absolve",
    "absolve, memory used again",
    "html5ever and a walk",
    "lol_html, selectors",
];

/// Who took so long need not show it again.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is repeated is about so long.
const MEGABYTE: usize = 1_000_000;

/// Documents are read as often as makes about so many bytes, so that a moment does not decide.
const ENOUGH: usize = 20 * MEGABYTE;

pub(crate) fn run(arguments: &Arguments, contestants: &mut Vec<Contestant>) -> Result<(), String> {
    if !arguments.chooses() {
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
        "Nanoseconds for a byte of the document, median of {rounds} rounds, and the ratio to 1 MB of pages in the same round, median too.\n\n| document | MB | {} |\n|---|--:|{}\n",
        names.join(" | "),
        "--:|".repeat(names.len())
    ))?;
    let of_times = [1, 10, 100].map(|times| document(pages.repeat(times)));
    let costs = measure(contestants, &of_times, rounds, arguments.clock);
    for ((times, document), costs_of_one) in [1, 10, 100].iter().zip(&of_times).zip(&costs) {
        print_row(
            &format!("pages, {times} times"),
            document,
            costs_of_one,
            &costs[0],
        )?;
    }
    for (name, make) in HOSTILE {
        talk(name);
        let pair = [document(pages.clone()), document(make(scale))];
        let costs = measure(contestants, &pair, rounds.min(3), arguments.clock);
        print_row(name, &pair[1], &costs[1], &costs[0])?;
    }
    Ok(())
}

/// What a document costs: nanoseconds for each byte, in each round, for each contestant.
type Costs = Vec<Vec<f64>>;

/// Prints what `document` costs, and how much that is of what ordinary ones cost in the same round.
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

/// What each of the documents costs; in each round a contestant does one after the other.
fn measure(
    contestants: &mut [Contestant],
    documents: &[Document],
    rounds: usize,
    clock: Clock,
) -> Vec<Costs> {
    let mut costs = vec![vec![Vec::new(); contestants.len()]; documents.len()];
    let mut taken = vec![Duration::ZERO; contestants.len()];
    for round in 0..rounds {
        for step in 0..contestants.len() {
            let turn = (step + round) % contestants.len();
            if taken[turn] > PATIENCE {
                continue;
            }
            for (document, costs) in documents.iter().zip(&mut costs) {
                let times = (ENOUGH / document.bytes.len()).max(1);
                let (time, ()) = clock.time(|| {
                    for _ in 0..times {
                        (contestants[turn].run)(document);
                    }
                });
                taken[turn] += time;
                let bytes = super::measure::megabytes(document.bytes.len() * times) * 1e6;
                costs[turn].push(time.as_secs_f64() * 1e9 / bytes);
            }
        }
    }
    costs
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
