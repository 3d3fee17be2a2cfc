//! `absolve links`.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use absolve::{ElementTexts, LinkReport, Outcome, Report, Rewriter};

use crate::args::{ElementColumn, LinksArgs, LinksFormat};
use crate::exit::{Abort, Exit};
use crate::inputs::located_document::LocatedDocument;
use crate::inputs::{containers, input};
use crate::print::job_result::{EmitResult, JobResult};
use crate::print::link_entry::{self, LinkEntry};
use crate::print::printer::Printer;
use crate::print::tally::Tally;
use crate::print::terminal;
use crate::run::read_run::{self, ReadVerb};
use crate::verbs::link_targets::LinkTargets;

/// Number of rows after which those so far may be emitted.
const ROWS: usize = 64;

pub(crate) fn run(args: &LinksArgs) -> Result<Exit, Abort> {
    let verb = LinksRun {
        args,
        html: Mutex::default(),
    };
    read_run::read_documents(&args.document, &verb)
}

/// The settings that all documents of a run share.
struct LinksRun<'c> {
    args: &'c LinksArgs,
    /// The links of a run with `--format html`, which is written at its end.
    html: Mutex<LinkTargets>,
}

impl ReadVerb for LinksRun<'_> {
    fn begin(&self, printer: &mut Printer<'_>) -> Result<(), Abort> {
        match self.args.format {
            LinksFormat::Csv => {
                let mut header = LinkEntry::HEADER.to_owned();
                for (column, name) in ElementColumn::NAMES {
                    if self.args.with.contains(&column) {
                        header.extend([",", name]);
                    }
                }
                printer.print_data((header + "\n").as_bytes())?;
            }
            LinksFormat::Json => {
                printer.print_data(b"[")?;
                printer.begin_list();
            }
            LinksFormat::Text | LinksFormat::Jsonl | LinksFormat::Html => {}
        }
        Ok(())
    }

    fn document(
        &self,
        rewriter: &Rewriter,
        located: &LocatedDocument<'_>,
        job_result: &mut JobResult,
        emit: &mut EmitResult<'_>,
    ) -> io::Result<()> {
        let report = list(rewriter, located, job_result);
        if let LinksFormat::Html = self.args.format {
            let name = located.name();
            let positions = link_entry::positions(located.document, &report);
            let entries = report.links.iter().zip(positions).enumerate();
            // A panic of another thread ends the run.
            let mut html = self.html.lock().unwrap_or_else(PoisonError::into_inner);
            for (place, (link_report, position)) in entries {
                html.add(&name, place, link_report, position);
            }
            return Ok(());
        }
        write((rewriter, located), &report, self.args, job_result, emit)
    }

    fn end(&self, mut printer: Printer<'_>) -> Result<Exit, Abort> {
        if let LinksFormat::Html = self.args.format {
            let html = self.html.lock().unwrap_or_else(PoisonError::into_inner);
            let mut file = Vec::new();
            html.write(&printer.tally, &mut file)?;
            printer.print_data(&file)?;
        }
        if let LinksFormat::Json = self.args.format {
            printer.end_list()?;
        }
        read_run::finish_reading(printer)
    }
}

/// Returns the report on the links of a document, and adds its counts and messages to `job_result`.
pub(crate) fn list<'r>(
    rewriter: &Rewriter,
    located: &LocatedDocument<'r>,
    job_result: &mut JobResult,
) -> Report<'r> {
    let report = rewriter.links(located.document);
    let name = located.name();
    input::report_unread(&name, report.unsupported, job_result);
    job_result.tally.add(&Tally::of(&report, located.len));
    job_result.info(format!("{name}: {} links", report.links.len()));
    report
}

/// Appends the rows of a document, and emits them in parts.
fn write(
    (rewriter, located): (&Rewriter, &LocatedDocument<'_>),
    report: &Report<'_>,
    args: &LinksArgs,
    job_result: &mut JobResult,
    emit: &mut EmitResult<'_>,
) -> io::Result<()> {
    let path = located.input.path();
    let name = terminal::escape_control(&containers::path(&path, located.label()));
    let is_wanted = !args.with.is_empty();
    let texts = is_wanted.then(|| ElementTexts::of(rewriter, located.document));
    let entries = link_entry::entries(&path, located, report, rewriter).enumerate();
    let mut entries = entries.map(|(index, entry)| {
        let texts = texts.as_ref().and_then(|texts| texts.of_link(index));
        entry.with(&args.with, texts)
    });
    for links in report.links.chunks(ROWS) {
        let to = &mut job_result.data;
        let rows = links.iter().zip(&mut entries);
        match args.format {
            // Written at the end of the run.
            LinksFormat::Html => {}
            LinksFormat::Text => {
                for (link_report, entry) in rows {
                    write!(to, "{name}:")?;
                    if let (Some(line), Some(column)) = (entry.line, entry.column) {
                        write!(to, "{line}:{column}:")?;
                    }
                    writeln!(to, " {}", describe(link_report))?;
                }
            }
            LinksFormat::Json => {
                for (_, entry) in rows {
                    to.extend(b",\n");
                    serde_json::to_writer(&mut *to, &entry)?;
                }
            }
            LinksFormat::Jsonl => {
                for (_, entry) in rows {
                    link_entry::write_json(&entry, to)?;
                }
            }
            LinksFormat::Csv => {
                let mut csv = csv::WriterBuilder::new().has_headers(false).from_writer(to);
                for (_, entry) in rows {
                    csv.serialize(entry.into_csv())?;
                }
                csv.flush()?;
            }
        }
        if !job_result.emit_if_large(emit) {
            break;
        }
    }
    Ok(())
}

/// Returns the text form of a link: `element[attribute] reference -> target`.
fn describe(link_report: &LinkReport<'_>) -> String {
    let link = &link_report.link;
    let outcome = match &link_report.outcome {
        Outcome::Resolved(target) => format!("-> {target}"),
        Outcome::Absolute => "(absolute)".to_owned(),
        Outcome::Skipped(reason) => format!("(skipped: {reason})"),
    };
    terminal::escape_control(&format!(
        "{}[{}] {} {outcome}",
        link.element, link.attribute, link.reference
    ))
}
