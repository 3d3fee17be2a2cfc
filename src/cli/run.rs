//! A run over documents that changes none of them: each is read, and something is told of it.

use std::io;
use std::sync::atomic::AtomicBool;

use absolve::{Document, Findings};

use super::answer::Answer;
use super::args::DocumentArgs;
use super::delivery::Delivery;
use super::input::Input;
use super::settings::Settings;
use super::tally::Tally;
use super::walk::Inputs;
use super::{Exit, Stop, jobs};

/// A document that was read, and what was found in it.
pub(super) struct Read<'r> {
    pub(super) input: &'r Input,
    pub(super) document: &'r Document<'r>,
    pub(super) findings: &'r Findings<'r>,
}

/// Reads every document that the arguments name, on all cores, and writes to standard output, in their order, `head` and
/// what `tell` makes of each.
pub(super) fn over_documents(
    args: &DocumentArgs,
    head: Vec<u8>,
    tell: impl Fn(&Read<'_>, &mut Vec<u8>) -> io::Result<()> + Sync,
) -> Result<Exit, Stop> {
    let settings = Settings::new(args)?;
    let mut inputs = Inputs::new(args)?;
    let settings = settings.with_inputs(&inputs, args)?;
    let mut delivery = Delivery::new(&args.run, &inputs, inputs.documents.len(), true);
    delivery.tell_troubles(&mut inputs)?;
    delivery.tell(&Answer {
        data: head,
        ..Answer::default()
    })?;
    let done = jobs::in_order(
        &inputs.documents,
        jobs::threads(args.run.threads),
        &AtomicBool::new(false),
        |input| answer(input, &settings, &tell),
        |answer| delivery.take(&answer?),
    )?;
    delivery.finish(done, |tally| {
        format!("documents: {}, links: {}", tally.documents, tally.links())
    })
}

fn answer(
    input: &Input,
    settings: &Settings<'_>,
    tell: impl Fn(&Read<'_>, &mut Vec<u8>) -> io::Result<()>,
) -> io::Result<Answer> {
    let mut answer = Answer::default();
    let Some(reading) = input.read(&settings.fetcher, &mut answer) else {
        return Ok(answer);
    };
    let url = settings.url_of(input, &reading);
    let document = &settings.document(input, &reading, url.as_deref());
    let findings = &settings.rewriter.links(document);
    input.report_unread(findings, &mut answer);
    answer.tally = Tally::of(findings, reading.bytes.len());
    answer.detail(format!("{}: {} links", input.name(), findings.links.len()));
    let read = Read {
        input,
        document,
        findings,
    };
    tell(&read, &mut answer.data)?;
    Ok(answer)
}
