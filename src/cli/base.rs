//! `absolve base`.

use std::io::{self, Write};

use absolve::BaseReport;
use absolve::archive::{ChainStep, ChainStepKind, Entity};
use serde::Serialize;

use super::args::{BaseArgs, BaseFormat};
use super::run::{self, DocumentResult};
use super::{Abort, Exit, containers, terminal};

pub(super) fn run(args: &BaseArgs) -> Result<Exit, Abort> {
    run::over_documents(&args.document, Vec::new(), |read, to| {
        tell(read, args.format, to)
    })
}

fn tell(read: &DocumentResult<'_>, format: BaseFormat, to: &mut Vec<u8>) -> io::Result<()> {
    let explanation = &read.report.base;
    let chain = read.entity.map_or_else(Vec::new, Entity::chain);
    match format {
        BaseFormat::Text => {
            let path = containers::path(&read.input.path(), read.label());
            write_text(&terminal::escape_control(&path), explanation, to)?;
            write_chain(&chain, to)?;
        }
        BaseFormat::Json => {
            let path = read.input.path();
            serde_json::to_writer(&mut *to, &BaseRow::new(&path, read, &chain))?;
            to.push(b'\n');
        }
    }
    Ok(())
}

fn write_text(name: &str, explanation: &BaseReport, stdout: &mut impl Write) -> io::Result<()> {
    match &explanation.base {
        Some(base) => {
            let (url, source, section) = (
                terminal::escape_control(&base.url),
                base.source.name(),
                base.source.section(),
            );
            writeln!(
                stdout,
                "{name}: {url}\n  source: {source} (RFC 1808 section {section})"
            )?;
        }
        None => writeln!(
            stdout,
            "{name}: no base URL\n  relative references stay as they are (RFC 1808 section 3.4)"
        )?,
    }
    if explanation.candidates.is_empty() {
        return writeln!(
            stdout,
            "  candidates: none; nothing in the document says one, and no --url was given"
        );
    }
    writeln!(stdout, "  candidates, in order of precedence:")?;
    for candidate in &explanation.candidates {
        let mark = if candidate.status.is_used() { '*' } else { '-' };
        let value = &candidate.value;
        writeln!(
            stdout,
            "  {mark} {} {value:?}: {}",
            candidate.source.name(),
            candidate.status
        )?;
    }
    Ok(())
}

/// Writes how the container led to the document.
fn write_chain(chain: &[ChainStep], stdout: &mut impl Write) -> io::Result<()> {
    if chain.is_empty() {
        return Ok(());
    }
    writeln!(stdout, "  chain, from the container to the document:")?;
    for step in chain {
        write!(stdout, "    {}", name_of(step))?;
        if let Some(field) = &step.field {
            write!(stdout, ": {} {:?}", field.name, field.value)?;
        }
        match &step.url {
            Some(url) => writeln!(stdout, " -> {}", terminal::escape_control(url))?,
            None if step.kind == ChainStepKind::Redirect => {
                writeln!(stdout, ", and nobody knows from where; give --url")?;
            }
            None if step.field.is_some() => writeln!(stdout, ", which is no base URL")?,
            None => writeln!(stdout)?,
        }
    }
    Ok(())
}

/// What a step is, for people: `part 1.2 (text/html)`.
fn name_of(step: &ChainStep) -> String {
    let kind = match step.kind {
        ChainStepKind::Given => "given as retrieval URL",
        ChainStepKind::Omitted => "... (steps farther away are left out)",
        kind => kind.name(),
    };
    let around = |before, text: &str, behind| match text {
        "" => String::new(),
        text => format!("{before}{}{behind}", terminal::escape_control(text)),
    };
    let label = around(" ", &step.entity, "");
    let detail = around(" (", &step.detail, ")");
    [kind, &label, &detail].concat()
}

#[derive(Serialize)]
struct BaseRow<'e> {
    path: &'e str,
    base: Option<&'e str>,
    source: Option<&'e str>,
    candidates: Vec<CandidateRow<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<&'e str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chain: Vec<StepRow<'e>>,
}

#[derive(Serialize)]
struct StepRow<'e> {
    kind: &'e str,
    entity: &'e str,
    detail: &'e str,
    field: Option<&'e str>,
    value: Option<&'e str>,
    url: Option<&'e str>,
}

#[derive(Serialize)]
struct CandidateRow<'e> {
    source: &'e str,
    value: &'e str,
    used: bool,
    reason: String,
}

impl<'e> StepRow<'e> {
    fn new(step: &'e ChainStep) -> Self {
        let field = step.field.as_ref();
        Self {
            kind: step.kind.name(),
            entity: &step.entity,
            detail: &step.detail,
            field: field.map(|field| field.name),
            value: field.map(|field| &*field.value),
            url: step.url.as_deref(),
        }
    }
}

impl<'e> BaseRow<'e> {
    fn new(path: &'e str, read: &'e DocumentResult<'_>, chain: &'e [ChainStep]) -> Self {
        let explanation = &read.report.base;
        let base = explanation.base.as_ref();
        let row = |candidate: &'e absolve::Candidate| CandidateRow {
            source: candidate.source.name(),
            value: &candidate.value,
            used: candidate.status.is_used(),
            reason: candidate.status.to_string(),
        };
        Self {
            path,
            base: base.map(|base| &*base.url),
            source: base.map(|base| base.source.name()),
            candidates: explanation.candidates.iter().map(row).collect(),
            entity: read.label(),
            chain: chain.iter().map(StepRow::new).collect(),
        }
    }
}
