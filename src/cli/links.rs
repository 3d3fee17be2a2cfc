//! `absolve links`.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use absolve::{Document, Findings, Judged, Outcome, Position};

use super::answer::Answer;
use super::args::{LinksArgs, LinksFormat};
use super::delivery::Delivery;
use super::input::Input;
use super::row::{self, Row};
use super::settings::Settings;
use super::tally::Tally;
use super::walk::Inputs;
use super::{Exit, Stop, jobs, talk};

pub(super) fn run(args: &LinksArgs) -> Result<Exit, Stop> {
    let settings = Settings::new(&args.document)?;
    let mut inputs = Inputs::new(&args.document)?;
    let settings = settings.with_inputs(&inputs, &args.document)?;
    let run = &args.document.run;
    let mut delivery = Delivery::new(run, &inputs, inputs.documents.len(), true);
    delivery.tell_troubles(&mut inputs)?;
    if let LinksFormat::Csv = args.format {
        let mut header = Answer::default();
        writeln!(header.data, "{}", Row::HEADER.join(","))?;
        delivery.tell(header)?;
    }
    let done = jobs::in_order(
        &inputs.documents,
        jobs::threads(run.threads),
        &AtomicBool::new(false),
        |input| answer(input, &settings, args.format),
        |answer| delivery.take(answer?),
    )?;
    delivery.finish(done, |tally| {
        format!("documents: {}, links: {}", tally.documents, tally.links())
    })
}

fn answer(input: &Input, settings: &Settings<'_>, format: LinksFormat) -> io::Result<Answer> {
    let mut answer = Answer::default();
    let Some(reading) = input.read(&mut answer) else {
        return Ok(answer);
    };
    let url = settings.url_of(input);
    let document = settings.document(input, &reading.bytes, url.as_deref());
    let findings = settings.rewriter.links(&document);
    input.report_unread(&findings, &mut answer);
    answer.tally = Tally::of(&findings, reading.bytes.len());
    answer.detail(format!("{}: {} links", input.name(), findings.links.len()));
    list(input, &document, &findings, format, &mut answer.data)?;
    Ok(answer)
}

fn list(
    input: &Input,
    document: &Document<'_>,
    findings: &Findings<'_>,
    format: LinksFormat,
    to: &mut Vec<u8>,
) -> io::Result<()> {
    let path = input.path();
    let positions = row::positions(document, findings);
    let mut csv = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    for (judged, position) in findings.links.iter().zip(positions) {
        match format {
            LinksFormat::Text => {
                let Position { line, column } = position.unwrap_or(Position { line: 0, column: 0 });
                let (path, text) = (talk::visible(&path), text(judged));
                writeln!(to, "{path}:{line}:{column}: {text}")?;
            }
            LinksFormat::Jsonl => {
                serde_json::to_writer(&mut *to, &Row::new(&path, judged, position))?;
                to.push(b'\n');
            }
            LinksFormat::Csv => csv
                .serialize(Row::new(&path, judged, position))
                .map_err(io::Error::other)?,
        }
    }
    let rows = csv.into_inner();
    to.extend(rows.map_err(|error| io::Error::other(error.to_string()))?);
    Ok(())
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
