//! `absolve base`.

use std::io::{self, Write};

use absolve::Explanation;
use absolve::archive::{Entity, Origin};
use serde::Serialize;

use super::args::{BaseArgs, BaseFormat};
use super::run::{self, Read};
use super::{Exit, Stop, enclosed, talk};

pub(super) fn run(args: &BaseArgs) -> Result<Exit, Stop> {
    run::over_documents(&args.document, Vec::new(), |read, to| {
        tell(read, args.format, to)
    })
}

fn tell(read: &Read<'_>, format: BaseFormat, to: &mut Vec<u8>) -> io::Result<()> {
    let explanation = &read.findings.base;
    let origins = read.entity.map_or_else(Vec::new, Entity::origins);
    match format {
        BaseFormat::Text => {
            let path = enclosed::path(&read.input.path(), read.label());
            write_text(&talk::visible(&path), explanation, to)?;
            write_chain(&origins, to)?;
        }
        BaseFormat::Json => {
            let path = read.input.path();
            serde_json::to_writer(&mut *to, &BaseRow::new(&path, read, &origins))?;
            to.push(b'\n');
        }
    }
    Ok(())
}

fn write_text(name: &str, explanation: &Explanation, stdout: &mut impl Write) -> io::Result<()> {
    match &explanation.base {
        Some(base) => {
            let (url, source, section) = (
                talk::visible(&base.url),
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
        let mark = if candidate.fate.is_used() { '*' } else { '-' };
        let value = &candidate.value;
        writeln!(
            stdout,
            "  {mark} {} {value:?}: {}",
            candidate.source.name(),
            candidate.fate
        )?;
    }
    Ok(())
}

/// Writes which header fields of the container are behind the candidates.
fn write_chain(origins: &[Origin], stdout: &mut impl Write) -> io::Result<()> {
    if origins.is_empty() {
        return Ok(());
    }
    writeln!(stdout, "  header fields, the nearest first:")?;
    for origin in origins {
        let Origin { field, value, .. } = origin;
        let entity = match &*origin.entity {
            "" => "the message".to_owned(),
            label => talk::visible(label),
        };
        writeln!(stdout, "    {entity}: {field}: {value:?}")?;
    }
    Ok(())
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
    origins: Vec<OriginRow<'e>>,
}

#[derive(Serialize)]
struct OriginRow<'e> {
    entity: &'e str,
    field: &'e str,
    value: &'e str,
}

#[derive(Serialize)]
struct CandidateRow<'e> {
    source: &'e str,
    value: &'e str,
    used: bool,
    reason: String,
}

impl<'e> OriginRow<'e> {
    fn new(origin: &'e Origin) -> Self {
        Self {
            entity: &origin.entity,
            field: origin.field,
            value: &origin.value,
        }
    }
}

impl<'e> BaseRow<'e> {
    fn new(path: &'e str, read: &'e Read<'_>, origins: &'e [Origin]) -> Self {
        let explanation = &read.findings.base;
        let base = explanation.base.as_ref();
        let row = |candidate: &'e absolve::Candidate| CandidateRow {
            source: candidate.source.name(),
            value: &candidate.value,
            used: candidate.fate.is_used(),
            reason: candidate.fate.to_string(),
        };
        Self {
            path,
            base: base.map(|base| &*base.url),
            source: base.map(|base| base.source.name()),
            candidates: explanation.candidates.iter().map(row).collect(),
            entity: read.label(),
            origins: origins.iter().map(OriginRow::new).collect(),
        }
    }
}
