//! The figures as a table for people and as JSON for machines.

use std::fmt::Write;

use absolve::{Outcome, Rewriter};
use serde_json::{Value, json};

use super::attributes;
use super::clock::Clock;
use super::corpus::Corpus;
use super::machine::Machine;
use super::measure::{Row, megabytes};

pub(crate) struct Report<'r> {
    pub(crate) machine: Machine,
    pub(crate) clock: Clock,
    pub(crate) rounds: usize,
    pub(crate) corpora: &'r [Corpus],
    pub(crate) rows: &'r [Row],
}

impl Report<'_> {
    /// A table of what was reached, and one of what was done for it.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        self.write_markdown(&mut text)
            .expect("a string takes all text");
        text
    }

    fn write_markdown(&self, text: &mut String) -> std::fmt::Result {
        writeln!(
            text,
            "{}. One thread, {} time, medians of {} rounds; MB/s: 10^6 bytes of input in a second.\n",
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
            for (number, figure) in row.figures.iter().enumerate() {
                let ratio = |name, times, unit| {
                    self.best_of(number, name).map_or_else(
                        || "-".to_owned(),
                        |best| format!("{:.2}{unit}", figure.speed / best * times),
                    )
                };
                let to_peer = ratio("lol_html", 1.0, "");
                let to_floor = ratio("memchr", 100.0, " %");
                write!(text, " {:.1} | {to_peer} | {to_floor} |", figure.speed)?;
            }
            writeln!(text)?;
        }
        writeln!(
            text,
            "\nWhat was done for it: links written (for the floor: `<` found), bytes written, and the slowest and quickest round.\n"
        )?;
        write!(text, "| |")?;
        for corpus in self.corpora {
            write!(text, " {}: links | bytes | MB/s |", corpus.name)?;
        }
        writeln!(text, "\n|---|{}", "--:|--:|--:|".repeat(self.corpora.len()))?;
        for row in self.rows {
            write!(text, "| {} |", row.name)?;
            for figure in &row.figures {
                let work = figure.work;
                write!(
                    text,
                    " {} | {} | {:.1}-{:.1}",
                    work.links, work.written, figure.slowest, figure.quickest
                )?;
                if work.undone > 0 {
                    write!(text, "; {} documents given up", work.undone)?;
                }
                write!(text, " |")?;
            }
            writeln!(text)?;
        }
        write!(
            text,
            "\nOf absolve's links, in the attributes that the peers look at: "
        )?;
        let counts: Vec<String> = self
            .corpora
            .iter()
            .map(|corpus| format!("{} in {}", comparable(corpus), corpus.name))
            .collect();
        writeln!(text, "{}.", counts.join(", "))
    }

    /// The same for machines.
    pub(crate) fn json(&self) -> String {
        let machine = &self.machine;
        let versions: serde_json::Map<String, Value> = machine
            .versions
            .iter()
            .map(|one| (one.name.to_owned(), one.version.into()))
            .collect();
        let corpora: Vec<Value> = self
            .corpora
            .iter()
            .map(|corpus| {
                json!({
                    "name": corpus.name,
                    "documents": corpus.documents.len(),
                    "bytes": corpus.bytes(),
                    "links_in_the_attributes_of_the_peers": comparable(corpus),
                })
            })
            .collect();
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let figures = row
                    .figures
                    .iter()
                    .zip(self.corpora)
                    .map(|(figure, corpus)| {
                        json!({
                            "corpus": corpus.name,
                            "megabytes_per_second": figure.speed,
                            "slowest": figure.slowest,
                            "quickest": figure.quickest,
                            "links": figure.work.links,
                            "bytes_written": figure.work.written,
                            "documents_given_up": figure.work.undone,
                        })
                    });
                json!({ "name": row.name, "figures": figures.collect::<Vec<_>>() })
            })
            .collect();
        let report = json!({
            "processor": machine.processor,
            "system": machine.system,
            "compiler": machine.compiler,
            "date": machine.date,
            "versions": versions,
            "clock": self.clock.name(),
            "rounds": self.rounds,
            "corpora": corpora,
            "contestants": rows,
        });
        format!("{report:#}\n")
    }

    /// The speed of the quickest contestant whose name begins so, over the corpus of that number.
    fn best_of(&self, corpus: usize, name: &str) -> Option<f64> {
        let rows = self.rows.iter().filter(|row| row.name.starts_with(name));
        rows.map(|row| row.figures[corpus].speed)
            .max_by(f64::total_cmp)
    }
}

/// How many references absolve writes in the attributes that the peers look at.
fn comparable(corpus: &Corpus) -> usize {
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
