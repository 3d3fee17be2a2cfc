//! Draws `docs/speed.svg` from the recorded figures in `figures.jsonl`. Measures nothing.

mod svg;

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use figures::Figure;

use svg::{Chart, Row};

/// The corpus of the chart, whose text remains legible on phones. `docs/benchmarks.md` has the figures of all.
const CORPUS: &str = "pages";

/// Label, language, and names in `figures.jsonl` of each row. Of several contestants, the fastest counts.
///
/// Rows without figures are left out of the chart.
const ROWS: [(&str, &str, &[&str]); 10] = [
    ("absolve, rewrite, no report", "Rust", &["absolve rewrite"]),
    ("absolve, list links", "Rust", &["absolve links"]),
    (
        "absolve, rewrite and list",
        "Rust",
        &["absolve rewrite, every link reported"],
    ),
    ("absolve, Python, no report", "Python", &["absolve, Python"]),
    ("absolve, npm, no report", "JavaScript", &["absolve, npm"]),
    (
        "lol_html and url",
        "Rust",
        &["lol_html selectors", "lol_html *"],
    ),
    ("html5ever and url", "Rust", &["html5ever tree walk"]),
    ("posthtml-urls", "JavaScript", &["posthtml-urls"]),
    ("lxml make_links_absolute", "Python and C", &["lxml"]),
    (
        "parse5-html-rewriting-stream",
        "JavaScript",
        &["parse5-html-rewriting-stream"],
    ),
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "plot: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let svg = chart(&figures::read(&folder.join("figures.jsonl"))?)?.svg()?;
    let output = folder.join("../../docs/speed.svg");
    fs::write(&output, svg)
        .map_err(|error| format!("cannot write {}: {error}", output.display()).into())
}

/// Selects the figures that the chart shows.
fn chart(figures: &[Figure]) -> Result<Chart, &'static str> {
    let mut rows = Vec::new();
    let mut shown: Vec<&Figure> = Vec::new();
    for (label, language, names) in ROWS {
        let is_of_row =
            |figure: &&Figure| figure.corpus == CORPUS && names.contains(&&*figure.contestant);
        let speed = |figure: &&Figure| figure.megabytes_per_second;
        let of_row = figures.iter().filter(is_of_row);
        let fastest = of_row.max_by(|one, other| speed(one).total_cmp(&speed(other)));
        let Some(figure) = fastest else {
            continue;
        };
        shown.push(figure);
        rows.push(Row {
            label,
            is_emphasised: label.starts_with("absolve"),
            version: format!("{language}, {}", figure.version),
            speed: speed(&figure),
        });
    }
    let Some(first) = shown.first() else {
        return Err("no figures to draw");
    };

    let machines = distinct(shown.iter().map(|figure| &*figure.machine));
    let dates = distinct(shown.iter().map(|figure| &*figure.date));
    let clocks = distinct(shown.iter().map(|figure| &*figure.clock));
    let runtimes = distinct(shown.iter().filter_map(|figure| figure.runtime.as_deref()));
    let rounds = shown.iter().map(|figure| figure.rounds).min();
    Ok(Chart {
        title: "Making the links of pages absolute: MB/s".to_owned(),
        subtitle: format!(
            "{} pages, {} MB. Longer bars are faster.",
            first.documents,
            (first.bytes + 500_000) / 1_000_000
        ),
        footnotes: vec![
            format!("Millions of bytes of input per second of {clocks} time, in one thread."),
            "\"No report\" lists skipped links only. The other tools look for fewer kinds of links.".to_owned(),
            format!("{machines}; {dates}"),
            format!("{runtimes}; medians of at least {} rounds", rounds.unwrap_or_default()),
        ],
        rows,
    })
}

/// Joins the different values, in order of first appearance.
fn distinct<'v>(values: impl Iterator<Item = &'v str>) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct.join(", ")
}
