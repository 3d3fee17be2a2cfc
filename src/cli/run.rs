//! A run over documents that changes none of them: each is read, and something is told of it.

use std::io;
use std::sync::atomic::AtomicBool;

use absolve::archive::Entity;
use absolve::container::Format;
use absolve::{Document, Report};

use super::args::DocumentArgs;
use super::containers::{self, EntityResult};
use super::input::{self, Input, LoadedInput};
use super::input_kind::InputKind;
use super::job_result::JobResult;
use super::reporter::Reporter;
use super::settings::Settings;
use super::tally::Tally;
use super::walk::Inputs;
use super::{Abort, Exit, jobs};

/// A document that was read, and what was found in it.
pub(super) struct DocumentResult<'r> {
    pub(super) input: &'r Input,
    /// Which one it is of the container that was read.
    pub(super) entity: Option<&'r Entity<'r>>,
    pub(super) document: &'r Document<'r>,
    pub(super) report: &'r Report<'r>,
}

impl DocumentResult<'_> {
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
    tell: impl Fn(&DocumentResult<'_>, &mut Vec<u8>) -> io::Result<()> + Sync,
) -> Result<Exit, Abort> {
    let settings = Settings::new(args)?;
    let mut inputs = Inputs::new(args)?;
    let settings = settings.with_inputs(&inputs, args)?;
    let mut reporter = Reporter::new(&args.run, &inputs, inputs.documents.len(), true);
    reporter.emit_input_messages(&mut inputs)?;
    reporter.emit(&JobResult {
        data: head,
        ..JobResult::default()
    })?;
    let teller = DocumentVerb { settings, tell };
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
                teller.archive(input, threads, |job_result| reporter.emit(&job_result?))?;
                reporter.deliver(&JobResult {
                    tally: Tally::of_container(),
                    ..JobResult::default()
                })?;
                done += 1;
            }
            _ => {
                let work = |input: &Input, hand_over: &mut EmitResult<'_>| {
                    teller.run_job(input, hand_over)
                };
                let deliver = |job_result: io::Result<JobResult>, extent| {
                    reporter.deliver_part(&job_result?, extent)
                };
                done += jobs::in_order_by_parts(part, threads, &never, work, deliver)?;
            }
        }
    }
    reporter.finish(done, |tally| {
        format!("documents: {}, links: {}", tally.documents, tally.links())
    })
}

/// See [`jobs::EmitPart`].
type EmitResult<'h> = jobs::EmitPart<'h, io::Result<JobResult>>;

/// What is told of each document.
struct DocumentVerb<'a, T> {
    settings: Settings<'a>,
    tell: T,
}

impl<T> DocumentVerb<'_, T>
where
    T: Fn(&DocumentResult<'_>, &mut Vec<u8>) -> io::Result<()> + Sync,
{
    /// What there is to tell of an input that is read as a whole. What is in a container is handed over as it is read.
    fn run_job(&self, input: &Input, hand_over: &mut EmitResult<'_>) -> io::Result<JobResult> {
        let hand_over = &mut |part| hand_over(Ok(part));
        let mut job_result = JobResult::default();
        let settings = &self.settings;
        let Some(loaded) = input.read(&settings.fetcher, &mut job_result) else {
            return Ok(job_result);
        };
        let url = settings.url_of(input, &loaded);
        match settings.form(input, &loaded) {
            InputKind::Html | InputKind::StyleSheet => {
                let document = &settings.document(input, &loaded, url.as_deref());
                let report = &settings.rewriter.links(document);
                input.report_unsupported(report, &mut job_result);
                job_result.tally = Tally::of(report, loaded.bytes.len());
                job_result.info(format!("{}: {} links", input.name(), report.links.len()));
                let read = DocumentResult {
                    input,
                    entity: None,
                    document,
                    report,
                };
                (self.tell)(&read, &mut job_result.data)?;
            }
            InputKind::Container(Format::Warc) => {
                self.held_archive(input, &loaded, url.as_deref(), &mut job_result, hand_over)?;
            }
            InputKind::Container(format) => {
                match settings.container(format, &loaded.bytes, url.as_deref()) {
                    Ok(container) => {
                        job_result.tally = Tally::of_container();
                        containers::report_container_errors(input, &container, &mut job_result);
                        for entity in container.entities() {
                            self.entity(input, entity, &mut job_result)?;
                            if !job_result.hand_over_much(hand_over) {
                                break;
                            }
                        }
                    }
                    Err(error) => {
                        containers::report_not_a_container(input, format, error, &mut job_result)
                    }
                }
            }
        }
        Ok(job_result)
    }

    /// What there is to tell of an archive of which it was not known that it is one.
    fn held_archive(
        &self,
        input: &Input,
        loaded: &LoadedInput,
        url: Option<&str>,
        job_result: &mut JobResult,
        hand_over: &mut dyn FnMut(JobResult) -> bool,
    ) -> io::Result<()> {
        job_result.tally = Tally::of_container();
        let settings = self.settings.archive(url);
        for found in containers::in_archive(&*loaded.bytes, &settings) {
            match found {
                Ok(entity) => self.entity(input, &entity, job_result)?,
                Err(error) => containers::report_error(&input.name(), error, job_result),
            }
            if !job_result.hand_over_much(hand_over) {
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
        mut deliver: impl FnMut(io::Result<JobResult>) -> Result<(), Abort> + Send,
    ) -> Result<(), Abort> {
        let archive = match input.open() {
            Ok(archive) => archive,
            Err(error) => {
                let mut job_result = JobResult::default();
                job_result.error(format!("{}: cannot be read: {error}", input.name()));
                return deliver(Ok(job_result));
            }
        };
        let url = self.settings.url_of_file(input);
        let settings = self.settings.archive(url.as_deref());
        let threads = containers::threads(threads);
        let work = |found: EntityResult| {
            let mut job_result = JobResult::default();
            match found {
                Ok(entity) => self.entity(input, &entity, &mut job_result)?,
                Err(error) => containers::report_error(&input.name(), error, &mut job_result),
            }
            Ok(job_result)
        };
        let found = containers::in_archive(archive, &settings);
        let never = AtomicBool::new(false);
        jobs::in_order_of(found, containers::weight, threads, &never, work, deliver)?;
        Ok(())
    }

    /// Adds what there is to tell of a document in a container.
    fn entity(
        &self,
        input: &Input,
        entity: &Entity<'_>,
        job_result: &mut JobResult,
    ) -> io::Result<()> {
        let document = &self.settings.enclosed(entity);
        let report = &self.settings.rewriter.links(document);
        let name = containers::name(input, entity);
        containers::report_entity_error(input, entity, job_result);
        input::report_unsupported(&name, report, job_result);
        job_result.tally.add(&Tally::of(report, entity.bytes.len()));
        job_result.info(format!("{name}: {} links", report.links.len()));
        let read = DocumentResult {
            input,
            entity: Some(entity),
            document,
            report,
        };
        (self.tell)(&read, &mut job_result.data)
    }
}
