//! Draws `docs/speed.svg` from the recorded figures in `figures.jsonl`. Measures nothing.

mod svg;

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use figures::Figure;

use svg::{Chart, Corpus, Row};

/// Label, language, and names in `figures.jsonl` of each row. Of several contestants, the fastest counts.
///
/// Rows without figures are left out of the chart.
const ROWS: [(&str, &str, &[&str]); 8] = [
    ("absolve, rewrite, no report", "Rust", &["absolve rewrite"]),
    ("absolve, list links", "Rust", &["absolve links"]),
    (
        "absolve, rewrite and list",
        "Rust",
        &["absolve rewrite, every link reported"],
    ),
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
    let is_shown = |figure: &&Figure| {
        let mut names = ROWS.iter().flat_map(|(_, _, names)| *names);
        names.any(|name| *name == figure.contestant)
    };
    let shown: Vec<&Figure> = figures.iter().filter(is_shown).collect();
    if shown.is_empty() {
        return Err("no figures to draw");
    }

    let mut corpora: Vec<Corpus> = Vec::new();
    for figure in &shown {
        if corpora.iter().all(|corpus| corpus.name != figure.corpus) {
            corpora.push(Corpus {
                name: figure.corpus.clone(),
                documents: figure.documents,
                bytes: figure.bytes,
            });
        }
    }

    let mut rows = Vec::new();
    for (label, language, names) in ROWS {
        let of_row = || {
            let figures = shown.iter();
            figures.filter(|figure| names.contains(&&*figure.contestant))
        };
        let Some(newest) = of_row().next_back() else {
            continue;
        };
        let speed = |corpus: &Corpus| {
            of_row()
                .filter(|figure| figure.corpus == corpus.name)
                .map(|figure| figure.megabytes_per_second)
                .max_by(f64::total_cmp)
        };
        rows.push(Row {
            label,
            is_emphasised: label.starts_with("absolve"),
            version: format!("{language}, {}", newest.version),
            speeds: corpora.iter().map(speed).collect(),
        });
    }

    let machines = distinct(shown.iter().map(|figure| &*figure.machine));
    let dates = distinct(shown.iter().map(|figure| &*figure.date));
    let clocks = distinct(shown.iter().map(|figure| &*figure.clock));
    let runtimes = distinct(shown.iter().filter_map(|figure| figure.runtime.as_deref()));
    let rounds = shown.iter().map(|figure| figure.rounds).min();
    let rounds = rounds.map_or_else(String::new, |rounds| rounds.to_string());
    Ok(Chart {
        title: "Making the links of HTML documents absolute: speed in MB/s".to_owned(),
        description: description(&corpora, &rows),
        subtitle: format!(
            "Millions of bytes of input per second of {clocks} time, in one thread. Longer bars are faster."
        ),
        corpora,
        rows,
        footnotes: vec![
            "The other tools look for fewer kinds of links than absolve does. \"No report\" lists skipped links only."
                .to_owned(),
            format!("{machines}; {dates}; {runtimes}; medians of at least {rounds} rounds"),
        ],
    })
}

/// Returns the figures in words, for those who do not see the chart.
fn description(corpora: &[Corpus], rows: &[Row]) -> String {
    let of_row = |row: &Row| {
        let speeds = corpora.iter().zip(&row.speeds);
        let speeds =
            speeds.filter_map(|(corpus, speed)| Some(format!("{} {:.0}", corpus.name, (*speed)?)));
        format!("{}: {}", row.label, speeds.collect::<Vec<_>>().join(", "))
    };
    rows.iter().map(of_row).collect::<Vec<_>>().join("; ")
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
