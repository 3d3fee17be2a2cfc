//! `absolve base`.

use std::io::{self, BufWriter, Write};

use absolve::Explanation;
use serde::Serialize;

use super::args::{BaseArgs, BaseFormat};
use super::input::Input;
use super::settings::Settings;
use super::{Exit, Stop, talk};

pub(super) fn run(args: &BaseArgs) -> Result<Exit, Stop> {
    let settings = Settings::new(&args.document)?;
    let inputs = Input::from_paths(&args.document.paths)?;
    let mut exit = Exit::Done;
    let mut stdout = BufWriter::new(io::stdout().lock());
    for input in inputs {
        let Some(reading) = input.read(&settings.fetcher) else {
            exit = Exit::Trouble;
            continue;
        };
        let findings = settings
            .rewriter
            .links(&settings.document(&input, &reading));
        exit = exit.max(input.report_unread(&findings));
        let explanation = findings.base;
        match args.format {
            BaseFormat::Text => write_text(&input, &explanation, &mut stdout)?,
            BaseFormat::Json => {
                serde_json::to_writer(&mut stdout, &Answer::new(&input.path(), &explanation))
                    .map_err(io::Error::from)?;
                writeln!(stdout)?;
            }
        }
    }
    stdout.flush()?;
    Ok(exit)
}

fn write_text(input: &Input, explanation: &Explanation, stdout: &mut impl Write) -> io::Result<()> {
    let name = talk::visible(&input.path());
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
struct Answer<'e> {
    path: &'e str,
    base: Option<&'e str>,
    source: Option<&'e str>,
    candidates: Vec<CandidateRow<'e>>,
}

#[derive(Serialize)]
struct CandidateRow<'e> {
    source: &'e str,
    value: &'e str,
    used: bool,
    reason: String,
}

impl<'e> Answer<'e> {
    fn new(path: &'e str, explanation: &'e Explanation) -> Self {
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
        }
    }
}
