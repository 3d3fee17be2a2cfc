//! `absolve base`.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use absolve::Explanation;
use serde::Serialize;

use super::answer::Answer;
use super::args::{BaseArgs, BaseFormat};
use super::delivery::Delivery;
use super::input::Input;
use super::settings::Settings;
use super::tally::Tally;
use super::walk::Inputs;
use super::{Exit, Stop, jobs, talk};

pub(super) fn run(args: &BaseArgs) -> Result<Exit, Stop> {
    let settings = Settings::new(&args.document)?;
    let mut inputs = Inputs::new(&args.document)?;
    let settings = settings.with_inputs(&inputs, &args.document)?;
    let run = &args.document.run;
    let mut delivery = Delivery::new(run, &inputs, inputs.documents.len(), true);
    delivery.tell_troubles(&mut inputs)?;
    let done = jobs::in_order(
        &inputs.documents,
        jobs::threads(run.threads),
        &AtomicBool::new(false),
        |input| answer(input, &settings, args.format),
        |answer| delivery.take(answer?),
    )?;
    delivery.finish(done, |tally| format!("documents: {}", tally.documents))
}

fn answer(input: &Input, settings: &Settings<'_>, format: BaseFormat) -> io::Result<Answer> {
    let mut answer = Answer::default();
    let Some(reading) = input.read(&mut answer) else {
        return Ok(answer);
    };
    let url = settings.url_of(input);
    let document = settings.document(input, &reading.bytes, url.as_deref());
    let findings = settings.rewriter.links(&document);
    input.report_unread(&findings, &mut answer);
    answer.tally = Tally::of(&findings, reading.bytes.len());
    answer.detail(format!("{}: read", input.name()));
    match format {
        BaseFormat::Text => write_text(input, &findings.base, &mut answer.data)?,
        BaseFormat::Json => {
            let path = input.path();
            serde_json::to_writer(&mut answer.data, &BaseRow::new(&path, &findings.base))?;
            answer.data.push(b'\n');
        }
    }
    Ok(answer)
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
struct BaseRow<'e> {
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

impl<'e> BaseRow<'e> {
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
