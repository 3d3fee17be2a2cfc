//! `absolve links`.

use std::io::{self, Write};

use absolve::{LinkReport, Outcome, Position};

use super::args::{LinksArgs, LinksFormat};
use super::row::{self, LinkEntry};
use super::run::{self, DocumentResult};
use super::{Abort, Exit, containers, terminal};

pub(super) fn run(args: &LinksArgs) -> Result<Exit, Abort> {
    let header = match args.format {
        LinksFormat::Csv => format!("{}\n", LinkEntry::HEADER.join(",")),
        LinksFormat::Text | LinksFormat::Jsonl => String::new(),
    };
    run::over_documents(&args.document, header.into_bytes(), |result, to| {
        write(result, args.format, to)
    })
}

fn write(result: &DocumentResult<'_>, format: LinksFormat, to: &mut Vec<u8>) -> io::Result<()> {
    let path = result.input.path();
    let entity = result.label();
    let name = terminal::escape_control(&containers::path(&path, entity));
    let positions = row::positions(result.document, result.report);
    let mut csv = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    for (link_report, position) in result.report.links.iter().zip(positions) {
        match format {
            LinksFormat::Text => {
                let Position { line, column } = position.unwrap_or(Position { line: 0, column: 0 });
                writeln!(to, "{name}:{line}:{column}: {}", describe(link_report))?;
            }
            LinksFormat::Jsonl => {
                serde_json::to_writer(
                    &mut *to,
                    &LinkEntry::new(&path, entity, link_report, position),
                )?;
                to.push(b'\n');
            }
            LinksFormat::Csv => csv
                // `entity` is omitted from the record if it is `None`, but CSV needs the column in every row.
                .serialize((LinkEntry::new(&path, None, link_report, position), entity))
                .map_err(io::Error::other)?,
        }
    }
    let rows = csv.into_inner();
    to.extend(rows.map_err(|error| io::Error::other(error.to_string()))?);
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
