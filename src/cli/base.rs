//! `absolve base`.

use std::io::{self, Write};

use absolve::Explanation;
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
    match format {
        BaseFormat::Text => {
            let path = enclosed::path(&read.input.path(), read.label());
            write_text(&talk::visible(&path), explanation, to)?;
        }
        BaseFormat::Json => {
            let path = read.input.path();
            serde_json::to_writer(&mut *to, &BaseRow::new(&path, read.label(), explanation))?;
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

#[derive(Serialize)]
struct BaseRow<'e> {
    path: &'e str,
    base: Option<&'e str>,
    source: Option<&'e str>,
    candidates: Vec<CandidateRow<'e>>,
    entity: Option<&'e str>,
}

#[derive(Serialize)]
struct CandidateRow<'e> {
    source: &'e str,
    value: &'e str,
    used: bool,
    reason: String,
}

impl<'e> BaseRow<'e> {
    fn new(path: &'e str, entity: Option<&'e str>, explanation: &'e Explanation) -> Self {
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
            entity,
        }
    }
}
