//! `absolve base --format text`: an explanation for people.

use std::io::{self, Write};

use absolve::BaseReport;
use absolve_archive::{ChainStep, ChainStepKind};

use super::row::BaseRow;
use crate::inputs::containers;
use crate::print::format::OutputFormat;
use crate::print::terminal;

/// The base URL, the candidates, and the steps from the container to the document.
pub(super) struct BaseText;

impl OutputFormat<BaseRow<'_>> for BaseText {
    fn write(&self, row: &BaseRow<'_>, to: &mut Vec<u8>) -> io::Result<()> {
        let path = containers::path(row.path, row.entity);
        write_base(&terminal::escape_control(&path), row.report, to)?;
        write_chain(row.steps, to)
    }
}

fn write_base(name: &str, report: &BaseReport, stdout: &mut impl Write) -> io::Result<()> {
    match &report.base {
        Some(base) => {
            writeln!(stdout, "{name}: {}", terminal::escape_control(&base.url))?;
            let (source, section) = (base.source.name(), base.source.section());
            writeln!(stdout, "  source: {source} (RFC 1808 section {section})")?;
            if report.is_foreign() {
                writeln!(stdout, "  note: another origin than the retrieval URL")?;
            }
        }
        None => writeln!(
            stdout,
            "{name}: no base URL\n  relative references are left unchanged (RFC 1808 section 3.4)"
        )?,
    }
    if report.candidates.is_empty() {
        return writeln!(
            stdout,
            "  candidates: none; the document declares no base URL, and --url was not given"
        );
    }
    writeln!(stdout, "  candidates, in order of precedence:")?;
    for candidate in &report.candidates {
        let mark = if candidate.status.is_used() { '*' } else { '-' };
        let (source, value) = (candidate.source.name(), &candidate.value);
        writeln!(stdout, "  {mark} {source} {value:?}: {}", candidate.status)?;
    }
    Ok(())
}

/// Writes the steps from the container to the document.
fn write_chain(chain: &[ChainStep], stdout: &mut impl Write) -> io::Result<()> {
    if chain.is_empty() {
        return Ok(());
    }
    writeln!(stdout, "  chain, from the container to the document:")?;
    for step in chain {
        write!(stdout, "    {}", describe(step))?;
        if let Some(field) = &step.field {
            write!(stdout, ": {} {:?}", field.name, field.value)?;
        }
        match &step.url {
            Some(url) => writeln!(stdout, " -> {}", terminal::escape_control(url))?,
            None if step.kind == ChainStepKind::Redirect => {
                writeln!(stdout, " (relative to an unknown URL; use --url)")?;
            }
            None if step.field.is_some() => writeln!(stdout, " (not a base URL)")?,
            None => writeln!(stdout)?,
        }
    }
    Ok(())
}

/// Returns the description of a step, such as `part 1.2 (text/html)`.
fn describe(step: &ChainStep) -> String {
    let kind = match step.kind {
        ChainStepKind::Given => "retrieval URL",
        ChainStepKind::Omitted => "... (outer steps omitted)",
        kind => kind.name(),
    };
    let enclosed = |before, text: &str, after| match text {
        "" => String::new(),
        text => format!("{before}{}{after}", terminal::escape_control(text)),
    };
    let label = enclosed(" ", &step.entity, "");
    let detail = enclosed(" (", &step.detail, ")");
    [kind, &label, &detail].concat()
}
