//! Formats the results: as Markdown tables, and as figures to record.

use std::fmt::Write;

use absolve::{Outcome, Rewriter};
use figures::Figure;

use super::attributes;
use super::clock::Clock;
use super::corpus::Corpus;
use super::machine::Machine;
use super::measure::{Row, megabytes};

/// The results and their conditions.
pub(crate) struct Report<'r> {
    pub(crate) machine: Machine,
    pub(crate) clock: Clock,
    pub(crate) rounds: usize,
    pub(crate) corpora: &'r [Corpus],
    pub(crate) rows: &'r [Row],
}

impl Report<'_> {
    /// Formats a table of speeds and a table of the work that was done.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        self.write_markdown(&mut text)
            .expect("writing to a string does not fail");
        text
    }

    fn write_markdown(&self, text: &mut String) -> std::fmt::Result {
        writeln!(
            text,
            "{}. One thread, {} time, medians of {} rounds; MB/s: 10^6 bytes of input per second.\n",
            self.machine.line(),
            self.clock.name(),
            self.rounds
        )?;
        write!(text, "| |")?;
        for corpus in self.corpora {
            let (name, files, size) = (
                &corpus.name,
                corpus.documents.len(),
                megabytes(corpus.bytes()),
            );
            write!(
                text,
                " {name} ({files}, {size:.1} MB): MB/s | × lol_html | of memchr |"
            )?;
        }
        writeln!(text, "\n|---|{}", "--:|--:|--:|".repeat(self.corpora.len()))?;
        for row in self.rows {
            write!(text, "| {} |", row.name)?;
            for (number, result) in row.results.iter().enumerate() {
                let ratio = |name, times, unit| {
                    self.best_of(number, name).map_or_else(
                        || "-".to_owned(),
                        |best| format!("{:.2}{unit}", result.speed / best * times),
                    )
                };
                let to_peer = ratio("lol_html", 1.0, "");
                let to_memchr = ratio("memchr", 100.0, " %");
                write!(text, " {:.1} | {to_peer} | {to_memchr} |", result.speed)?;
            }
            writeln!(text)?;
        }
        writeln!(
            text,
            "\nWork: links rewritten or listed (memchr: `<` found), bytes written, and speeds of the slowest and the fastest round.\n"
        )?;
        write!(text, "| |")?;
        for corpus in self.corpora {
            write!(text, " {}: links | bytes | MB/s |", corpus.name)?;
        }
        writeln!(text, "\n|---|{}", "--:|--:|--:|".repeat(self.corpora.len()))?;
        for row in self.rows {
            write!(text, "| {} |", row.name)?;
            for result in &row.results {
                let work = result.work;
                write!(
                    text,
                    " {} | {} | {:.1}-{:.1}",
                    work.links, work.written, result.slowest, result.fastest
                )?;
                if work.failed > 0 {
                    write!(text, "; {} documents failed", work.failed)?;
                }
                write!(text, " |")?;
            }
            writeln!(text)?;
        }
        write!(
            text,
            "\nLinks rewritten by absolve in the attributes that the peers rewrite: "
        )?;
        let counts: Vec<String> = self
            .corpora
            .iter()
            .map(|corpus| format!("{} in {}", comparable_links(corpus), corpus.name))
            .collect();
        writeln!(text, "{}.", counts.join(", "))
    }

    /// Returns the figures to record.
    pub(crate) fn figures(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for row in self.rows {
            for (result, corpus) in row.results.iter().zip(self.corpora) {
                figures.push(Figure {
                    contestant: row.name.to_owned(),
                    version: self.machine.version(row.package).to_owned(),
                    corpus: corpus.name.clone(),
                    documents: corpus.documents.len(),
                    bytes: corpus.bytes(),
                    megabytes_per_second: rounded(result.speed),
                    slowest: Some(rounded(result.slowest)),
                    fastest: Some(rounded(result.fastest)),
                    links: Some(result.work.links),
                    failed_documents: Some(result.work.failed),
                    rounds: self.rounds,
                    clock: self.clock.name().to_owned(),
                    runtime: Some(self.machine.compiler.clone()),
                    machine: self.machine.name.clone(),
                    date: self.machine.date.clone(),
                });
            }
        }
        figures
    }

    /// Returns the speed of the fastest contestant whose name starts with `name`, over the corpus with that index.
    fn best_of(&self, corpus: usize, name: &str) -> Option<f64> {
        let rows = self.rows.iter().filter(|row| row.name.starts_with(name));
        rows.map(|row| row.results[corpus].speed)
            .max_by(f64::total_cmp)
    }
}

/// Returns the number of references that absolve resolves in the attributes that the peers rewrite.
fn comparable_links(corpus: &Corpus) -> usize {
    let mut count = 0;
    for document in &corpus.documents {
        let input = absolve::Document::new(&document.bytes).retrieved_from(&document.url);
        let report = Rewriter::new().links(&input);
        let is_written = |link_report: &&absolve::LinkReport<'_>| {
            matches!(link_report.outcome, Outcome::Resolved(_))
                && attributes::is_link(&link_report.link.element, &link_report.link.attribute)
        };
        count += report.links.iter().filter(is_written).count();
    }
    count
}

/// Rounds to one decimal place.
fn rounded(speed: f64) -> f64 {
    (speed * 10.0).round() / 10.0
}
