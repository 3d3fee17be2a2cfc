//! A run over documents that changes none of them: each is read, and something is told of it.

use std::io;
use std::sync::atomic::AtomicBool;

use absolve::archive::Entity;
use absolve::container::Format;
use absolve::{Document, Findings};

use super::args::DocumentArgs;
use super::containers::{self, Found};
use super::input::{self, Input, Reading};
use super::input_kind::Form;
use super::job_result::Answer;
use super::reporter::Delivery;
use super::settings::Settings;
use super::tally::Tally;
use super::walk::Inputs;
use super::{Exit, Stop, jobs};

/// A document that was read, and what was found in it.
pub(super) struct Read<'r> {
    pub(super) input: &'r Input,
    /// Which one it is of the container that was read.
    pub(super) entity: Option<&'r Entity<'r>>,
    pub(super) document: &'r Document<'r>,
    pub(super) findings: &'r Findings<'r>,
}

impl Read<'_> {
    /// What the document is called in its container.
    pub(super) fn label(&self) -> Option<&str> {
        self.entity.map(|entity| &*entity.label)
    }
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
    let teller = Teller { settings, tell };
    let threads = jobs::threads(args.run.threads);
    let never = AtomicBool::new(false);
    let mut done = 0;
    let is_archive = |input: &Input| teller.settings.is_archive(input);
    // What is read as a whole goes to all cores at once; of an archive, its documents do.
    for part in inputs
        .documents
        .chunk_by(|one, next| !is_archive(one) && !is_archive(next))
    {
        match part {
            [input] if is_archive(input) => {
                teller.archive(input, threads, |answer| delivery.tell(&answer?))?;
                delivery.take(&Answer {
                    tally: Tally::of_container(),
                    ..Answer::default()
                })?;
                done += 1;
            }
            _ => {
                let work =
                    |input: &Input, hand_over: &mut HandOver<'_>| teller.answer(input, hand_over);
                let deliver =
                    |answer: io::Result<Answer>, extent| delivery.take_part(&answer?, extent);
                done += jobs::in_order_by_parts(part, threads, &never, work, deliver)?;
            }
        }
    }
    delivery.finish(done, |tally| {
        format!("documents: {}, links: {}", tally.documents, tally.links())
    })
}

/// See [`jobs::HandOver`].
type HandOver<'h> = jobs::HandOver<'h, io::Result<Answer>>;

/// What is told of each document.
struct Teller<'a, T> {
    settings: Settings<'a>,
    tell: T,
}

impl<T> Teller<'_, T>
where
    T: Fn(&Read<'_>, &mut Vec<u8>) -> io::Result<()> + Sync,
{
    /// What there is to tell of an input that is read as a whole. What is in a container is handed over as it is read.
    fn answer(&self, input: &Input, hand_over: &mut HandOver<'_>) -> io::Result<Answer> {
        let hand_over = &mut |part| hand_over(Ok(part));
        let mut answer = Answer::default();
        let settings = &self.settings;
        let Some(reading) = input.read(&settings.fetcher, &mut answer) else {
            return Ok(answer);
        };
        let url = settings.url_of(input, &reading);
        match settings.form(input, &reading) {
            Form::Html | Form::StyleSheet => {
                let document = &settings.document(input, &reading, url.as_deref());
                let findings = &settings.rewriter.links(document);
                input.report_unread(findings, &mut answer);
                answer.tally = Tally::of(findings, reading.bytes.len());
                answer.detail(format!("{}: {} links", input.name(), findings.links.len()));
                let read = Read {
                    input,
                    entity: None,
                    document,
                    findings,
                };
                (self.tell)(&read, &mut answer.data)?;
            }
            Form::Container(Format::Warc) => {
                self.held_archive(input, &reading, url.as_deref(), &mut answer, hand_over)?;
            }
            Form::Container(format) => {
                match settings.container(format, &reading.bytes, url.as_deref()) {
                    Ok(container) => {
                        answer.tally = Tally::of_container();
                        containers::say_what_is_wrong(input, &container, &mut answer);
                        for entity in container.entities() {
                            self.entity(input, entity, &mut answer)?;
                            if !answer.hand_over_much(hand_over) {
                                break;
                            }
                        }
                    }
                    Err(error) => containers::say_no_container(input, format, error, &mut answer),
                }
            }
        }
        Ok(answer)
    }

    /// What there is to tell of an archive of which it was not known that it is one.
    fn held_archive(
        &self,
        input: &Input,
        reading: &Reading,
        url: Option<&str>,
        answer: &mut Answer,
        hand_over: &mut dyn FnMut(Answer) -> bool,
    ) -> io::Result<()> {
        answer.tally = Tally::of_container();
        let settings = self.settings.archive(url);
        for found in containers::in_archive(&*reading.bytes, &settings) {
            match found {
                Ok(entity) => self.entity(input, &entity, answer)?,
                Err(error) => containers::say(&input.name(), error, answer),
            }
            if !answer.hand_over_much(hand_over) {
                break;
            }
        }
        Ok(())
    }

    /// Delivers what there is to tell of each document of an archive, as it is read.
    fn archive(
        &self,
        input: &Input,
        threads: usize,
        mut deliver: impl FnMut(io::Result<Answer>) -> Result<(), Stop> + Send,
    ) -> Result<(), Stop> {
        let archive = match input.open() {
            Ok(archive) => archive,
            Err(error) => {
                let mut answer = Answer::default();
                answer.trouble(format!("{}: cannot be read: {error}", input.name()));
                return deliver(Ok(answer));
            }
        };
        let url = self.settings.url_of_file(input);
        let settings = self.settings.archive(url.as_deref());
        let threads = containers::threads(threads);
        let work = |found: Found| {
            let mut answer = Answer::default();
            match found {
                Ok(entity) => self.entity(input, &entity, &mut answer)?,
                Err(error) => containers::say(&input.name(), error, &mut answer),
            }
            Ok(answer)
        };
        let found = containers::in_archive(archive, &settings);
        let never = AtomicBool::new(false);
        jobs::in_order_of(found, containers::weight, threads, &never, work, deliver)?;
        Ok(())
    }

    /// Adds what there is to tell of a document in a container.
    fn entity(&self, input: &Input, entity: &Entity<'_>, answer: &mut Answer) -> io::Result<()> {
        let document = &self.settings.enclosed(entity);
        let findings = &self.settings.rewriter.links(document);
        let name = containers::name(input, entity);
        containers::say_of(input, entity, answer);
        input::report_unread(&name, findings, answer);
        answer.tally.add(&Tally::of(findings, entity.bytes.len()));
        answer.detail(format!("{name}: {} links", findings.links.len()));
        let read = Read {
            input,
            entity: Some(entity),
            document,
            findings,
        };
        (self.tell)(&read, &mut answer.data)
    }
}
