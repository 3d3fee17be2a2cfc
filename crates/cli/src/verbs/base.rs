//! `absolve base`.

use std::io::{self, Write};

use absolve::{BaseReport, Candidate, Rewriter};
use absolve_archive::{ChainStep, ChainStepKind, Entity};
use serde::Serialize;

use crate::args::{BaseArgs, BaseFormat};
use crate::exit::{Abort, Exit};
use crate::inputs::containers;
use crate::inputs::located_document::LocatedDocument;
use crate::print::job_result::{EmitResult, JobResult};
use crate::print::jsonl_report::is_false;
use crate::print::{link_entry, terminal};
use crate::run::read_run::{self, ReadVerb};
use crate::verbs::links;

pub(crate) fn run(args: &BaseArgs) -> Result<Exit, Abort> {
    read_run::read_documents(&args.document, args)
}

impl ReadVerb for BaseArgs {
    fn document(
        &self,
        rewriter: &Rewriter,
        located: &LocatedDocument<'_>,
        job_result: &mut JobResult,
        _: &mut EmitResult<'_>,
    ) -> io::Result<()> {
        let report = &links::list(rewriter, located, job_result).base;
        let to = &mut job_result.data;
        let chain = located.entity.map_or_else(Vec::new, Entity::chain);
        let path = located.input.path();
        match self.format {
            BaseFormat::Text => {
                let path = containers::path(&path, located.label());
                write_text(&terminal::escape_control(&path), report, to)?;
                write_chain(&chain, to)
            }
            BaseFormat::Json => {
                let base = report.base.as_ref();
                let row = BaseRow {
                    path: &path,
                    base: base.map(|base| &*base.url),
                    foreign: report.is_foreign(),
                    source: base.map(|base| base.source.name()),
                    candidates: &report.candidates,
                    entity: located.label(),
                    chain: chain.iter().map(StepRow::new).collect(),
                };
                link_entry::write_json(&row, to)
            }
        }
    }
}

fn write_text(name: &str, report: &BaseReport, stdout: &mut impl Write) -> io::Result<()> {
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

/// Line of `--format json` for one document.
#[derive(Serialize)]
struct BaseRow<'e> {
    path: &'e str,
    base: Option<&'e str>,
    /// Whether the base URL is embedded, and has another origin than the retrieval URL.
    #[serde(skip_serializing_if = "is_false")]
    foreign: bool,
    source: Option<&'e str>,
    candidates: &'e [Candidate],
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<&'e str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chain: Vec<StepRow<'e>>,
}

/// Step of the chain in a [`BaseRow`].
#[derive(Serialize)]
struct StepRow<'e> {
    kind: &'e str,
    entity: &'e str,
    detail: &'e str,
    field: Option<&'e str>,
    value: Option<&'e str>,
    url: Option<&'e str>,
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
