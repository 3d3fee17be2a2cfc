//! `absolve check`.

mod explain;
mod github;
mod json;
mod sarif;
mod select;
mod text;

use std::io::{self, BufWriter, Write};

use absolve::{Document, Excerpt, Finding, Span};

use super::args::{CheckArgs, CheckFormat};
use super::input::Input;
use super::settings::Settings;
use super::{Exit, Stop, diff, talk};
use select::Selection;

/// A finding, with what there is to show of its place.
struct Found<'f> {
    /// The path of the document as it was given; `-` for standard input.
    path: &'f str,
    finding: &'f Finding,
    /// `None` if it cannot be pointed at.
    excerpt: Option<Excerpt>,
}

pub(super) fn run(args: &CheckArgs) -> Result<Exit, Stop> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    if let Some(name) = &args.explain {
        explain::write(name.as_deref(), &mut stdout)?;
        stdout.flush()?;
        return Ok(Exit::Done);
    }
    let selection = Selection::new(&args.select, &args.ignore)?;
    let settings = Settings::new(&args.document)?;
    let inputs = Input::from_paths(&args.document.paths)?;
    let mut writer = Writer::new(args, &selection);
    let mut exit = Exit::Done;
    let (mut findings, mut documents, mut with_findings) = (0, 0, 0);
    writer.begin(&mut stdout)?;
    for input in inputs {
        let Some(bytes) = input.read() else {
            exit = Exit::Trouble;
            continue;
        };
        let document = settings.document(&input, &bytes);
        let checked = settings.rewriter.check(&document);
        if let Some(unread) = checked.unread {
            exit = exit.max(input.report(unread));
            continue;
        }
        documents += 1;
        let selected = checked.findings.iter();
        let selected: Vec<&Finding> = selected
            .filter(|finding| selection.has(finding.rule))
            .collect();
        findings += selected.len();
        with_findings += usize::from(!selected.is_empty());
        for found in located(&document, &input.path(), &selected) {
            writer.write(&found, &mut stdout)?;
        }
    }
    writer.end(&mut stdout)?;
    stdout.flush()?;
    if !args.quiet {
        let documents = several(documents, "document");
        talk::say(&match findings {
            0 => format!("no findings in {documents}"),
            _ => format!(
                "{} in {with_findings} of {documents}",
                several(findings, "finding")
            ),
        });
    }
    let found = if findings > 0 {
        Exit::Findings
    } else {
        Exit::Done
    };
    Ok(exit.max(found))
}

/// The findings with the lines they stand in.
fn located<'f>(document: &Document<'_>, path: &'f str, findings: &[&'f Finding]) -> Vec<Found<'f>> {
    let spans: Vec<Span> = findings.iter().filter_map(|finding| finding.span).collect();
    let mut excerpts = document.excerpts(&spans).into_iter();
    let findings = findings.iter();
    findings
        .map(|&finding| Found {
            path,
            finding,
            excerpt: finding.span.and_then(|_| excerpts.next()),
        })
        .collect()
}

fn several(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// Writes findings in one of the formats.
struct Writer<'w> {
    format: CheckFormat,
    is_coloured: bool,
    selection: &'w Selection,
    /// Whether a finding was written.
    has_any: bool,
}

impl<'w> Writer<'w> {
    fn new(args: &CheckArgs, selection: &'w Selection) -> Self {
        Self {
            format: args.format,
            is_coloured: args.format == CheckFormat::Text && diff::is_coloured(args.color),
            selection,
            has_any: false,
        }
    }

    fn begin(&self, to: &mut impl Write) -> io::Result<()> {
        match self.format {
            CheckFormat::Text | CheckFormat::Github => Ok(()),
            CheckFormat::Json => write!(to, "["),
            CheckFormat::Sarif => sarif::begin(self.selection, to),
        }
    }

    fn write(&mut self, found: &Found<'_>, to: &mut impl Write) -> io::Result<()> {
        let is_first = !std::mem::replace(&mut self.has_any, true);
        let separator = if is_first { "\n" } else { ",\n" };
        match self.format {
            CheckFormat::Text => text::write(found, self.is_coloured, to),
            CheckFormat::Json => {
                to.write_all(separator.as_bytes())?;
                json::write(found, to)
            }
            CheckFormat::Github => github::write(found, to),
            CheckFormat::Sarif => {
                to.write_all(separator.as_bytes())?;
                sarif::write(found, self.selection, to)
            }
        }
    }

    fn end(&self, to: &mut impl Write) -> io::Result<()> {
        let line_end = if self.has_any { "\n" } else { "" };
        match self.format {
            CheckFormat::Text | CheckFormat::Github => Ok(()),
            CheckFormat::Json => writeln!(to, "{line_end}]"),
            CheckFormat::Sarif => sarif::end(to),
        }
    }
}
