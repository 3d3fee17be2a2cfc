//! `absolve links`.

use std::io::{self, BufWriter, Write};

use absolve::{Findings, Judged, Outcome, Position};
use serde::Serialize;

use super::args::{LinksArgs, LinksFormat};
use super::input::Input;
use super::settings::Settings;
use super::{Exit, Stop, talk};

pub(super) fn run(args: &LinksArgs) -> Result<Exit, Stop> {
    let settings = Settings::new(&args.document)?;
    let inputs = Input::from_paths(&args.document.paths)?;
    let mut exit = Exit::Done;
    let mut stdout = BufWriter::new(io::stdout().lock());
    if let LinksFormat::Csv = args.format {
        writeln!(stdout, "{}", Row::HEADER.join(","))?;
    }
    for input in inputs {
        let Some(reading) = input.read(&settings.fetcher) else {
            exit = Exit::Trouble;
            continue;
        };
        let document = settings.document(&input, &reading);
        let findings = settings.rewriter.links(&document);
        exit = exit.max(input.report_unread(&findings));
        let starts: Vec<usize> = findings.links.iter().filter_map(start).collect();
        let positions = document.positions(&starts);
        list(&input, &findings, &positions, args.format, &mut stdout)?;
    }
    stdout.flush()?;
    Ok(exit)
}

/// Where the reference begins, if that can be told: its bytes may be no text.
fn start(judged: &Judged<'_>) -> Option<usize> {
    judged.link.span.map(|span| span.start)
}

fn list(
    input: &Input,
    findings: &Findings<'_>,
    positions: &[Position],
    format: LinksFormat,
    stdout: &mut impl Write,
) -> io::Result<()> {
    let path = input.path();
    let mut csv = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    let mut positions = positions.iter().copied();
    for judged in &findings.links {
        let position = start(judged).and_then(|_| positions.next());
        match format {
            LinksFormat::Text => {
                let Position { line, column } = position.unwrap_or(Position { line: 0, column: 0 });
                writeln!(
                    stdout,
                    "{}:{line}:{column}: {}",
                    talk::visible(&path),
                    text(judged)
                )?;
            }
            LinksFormat::Jsonl => {
                serde_json::to_writer(&mut *stdout, &Row::new(&path, judged, position))?;
                writeln!(stdout)?;
            }
            LinksFormat::Csv => csv
                .serialize(Row::new(&path, judged, position))
                .map_err(io::Error::other)?,
        }
    }
    stdout.write_all(
        &csv.into_inner()
            .map_err(|error| io::Error::other(error.to_string()))?,
    )
}

fn text(judged: &Judged<'_>) -> String {
    let link = &judged.link;
    let outcome = match &judged.outcome {
        Outcome::Resolved(target) => format!("-> {target}"),
        Outcome::Absolute => "(absolute)".to_owned(),
        Outcome::Skipped(reason) => format!("(skipped: {reason})"),
    };
    talk::visible(&format!(
        "{}[{}] {} {outcome}",
        link.element, link.attribute, link.reference
    ))
}

/// A link in the formats for machines, fields in the order of the contract.
#[derive(Serialize)]
struct Row<'l> {
    path: &'l str,
    line: Option<usize>,
    column: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
    element: &'l str,
    attribute: &'l str,
    grammar: &'l str,
    role: &'l str,
    reference: &'l str,
    target: Option<&'l str>,
    base: Option<&'l str>,
    base_source: Option<&'l str>,
    status: &'l str,
    reason: Option<&'l str>,
}

impl<'l> Row<'l> {
    const HEADER: [&'static str; 15] = [
        "path",
        "line",
        "column",
        "start",
        "end",
        "element",
        "attribute",
        "grammar",
        "role",
        "reference",
        "target",
        "base",
        "base_source",
        "status",
        "reason",
    ];

    fn new(path: &'l str, judged: &'l Judged<'_>, position: Option<Position>) -> Self {
        let link = &judged.link;
        let base = judged.base.as_deref();
        let (target, reason) = match &judged.outcome {
            Outcome::Resolved(target) => (Some(&**target), None),
            Outcome::Absolute => (Some(&*link.reference), None),
            Outcome::Skipped(reason) => (None, Some(reason.name())),
        };
        Self {
            path,
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            start: link.span.map(|span| span.start),
            end: link.span.map(|span| span.end),
            element: &link.element,
            attribute: &link.attribute,
            grammar: link.grammar.name(),
            role: link.role.name(),
            reference: &link.reference,
            target,
            base: base.map(|base| &*base.url),
            base_source: base.map(|base| base.source.name()),
            status: judged.outcome.name(),
            reason,
        }
    }
}
