//! Runs a verb that only reads: every document is read, and the verb writes lines about it to standard output.

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
use super::reporter::{Reporter, StdoutUse};
use super::settings::Settings;
use super::tally::Tally;
use super::walk::Inputs;
use super::{Abort, Exit, jobs};

/// A document and the report on its links.
pub(super) struct DocumentResult<'r> {
    pub(super) input: &'r Input,
    /// The entity of the container that the document comes from, if it comes from one.
    pub(super) entity: Option<&'r Entity<'r>>,
    pub(super) document: &'r Document<'r>,
    pub(super) report: &'r Report<'r>,
}

impl DocumentResult<'_> {
    /// Returns the label of the document within its container.
    pub(super) fn label(&self) -> Option<&str> {
        self.entity.map(|entity| &*entity.label)
    }
}

/// Reads every document that the arguments name, on all cores.
///
/// Writes `header` to standard output, then what `write` appends for each document, in the order of the inputs.
pub(super) fn over_documents(
    args: &DocumentArgs,
    header: Vec<u8>,
    write: impl Fn(&DocumentResult<'_>, &mut Vec<u8>) -> io::Result<()> + Sync,
) -> Result<Exit, Abort> {
    let settings = Settings::new(args)?;
    let mut inputs = Inputs::new(args)?;
    let settings = settings.with_inputs(&inputs, args)?;
    let mut reporter = Reporter::new(&args.run, &inputs, inputs.documents.len(), StdoutUse::Data);
    reporter.emit_input_messages(&mut inputs)?;
    reporter.emit(&JobResult {
        data: header,
        ..JobResult::default()
    })?;
    let verb = DocumentVerb { settings, write };
    let threads = jobs::threads(args.run.threads);
    let never = AtomicBool::new(false);
    let mut done = 0;
    let is_archive = |input: &Input| verb.settings.is_archive(input);
    // Files run in parallel with each other. An archive runs alone, with its documents in parallel: it is streamed,
    // because as a job of its own it would be loaded into memory.
    for part in inputs
        .documents
        .chunk_by(|a, b| !is_archive(a) && !is_archive(b))
    {
        match part {
            [input] if is_archive(input) => {
                verb.archive(input, threads, |job_result| reporter.emit(&job_result?))?;
                reporter.deliver(&JobResult {
                    tally: Tally::of_container(),
                    ..JobResult::default()
                })?;
                done += 1;
            }
            _ => {
                let work = |input: &Input, emit: &mut EmitResult<'_>| verb.run_job(input, emit);
                let deliver = |job_result: io::Result<JobResult>, extent| {
                    reporter.deliver_part(&job_result?, extent)
                };
                done += jobs::for_each_ordered_in_parts(part, threads, &never, work, deliver)?;
            }
        }
    }
    reporter.finish(done, |tally| {
        format!("documents: {}, links: {}", tally.documents, tally.links())
    })
}

/// Callback of [`jobs::EmitPart`] for the results of this module.
type EmitResult<'h> = jobs::EmitPart<'h, io::Result<JobResult>>;

/// A verb that only reads, with its settings.
struct DocumentVerb<'a, T> {
    settings: Settings<'a>,
    /// Callback that appends the output for one document.
    write: T,
}

impl<T> DocumentVerb<'_, T>
where
    T: Fn(&DocumentResult<'_>, &mut Vec<u8>) -> io::Result<()> + Sync,
{
    /// Processes an input that fits in memory. A large result for a container is emitted in parts.
    fn run_job(&self, input: &Input, emit: &mut EmitResult<'_>) -> io::Result<JobResult> {
        let emit = &mut |part| emit(Ok(part));
        let mut job_result = JobResult::default();
        let settings = &self.settings;
        let Some(loaded) = input.read(&settings.fetcher, &mut job_result) else {
            return Ok(job_result);
        };
        let url = settings.retrieval_url(input, &loaded);
        match settings.input_kind(input, &loaded) {
            InputKind::Document(kind) => {
                let document = &settings.document(kind, &loaded, url.as_deref());
                let report = &settings.rewriter.links(document);
                input.report_unsupported(report, &mut job_result);
                job_result.tally = Tally::of(report, loaded.bytes.len());
                job_result.info(format!("{}: {} links", input.name(), report.links.len()));
                let result = DocumentResult {
                    input,
                    entity: None,
                    document,
                    report,
                };
                (self.write)(&result, &mut job_result.data)?;
            }
            InputKind::Container(Format::Warc) => {
                self.loaded_archive(input, &loaded, url.as_deref(), &mut job_result, emit)?;
            }
            InputKind::Container(format) => {
                match settings.container(format, &loaded.bytes, url.as_deref()) {
                    Ok(container) => {
                        job_result.tally = Tally::of_container();
                        containers::report_container_errors(input, &container, &mut job_result);
                        for entity in container.entities() {
                            self.entity(input, entity, &mut job_result)?;
                            if !job_result.emit_if_large(emit) {
                                break;
                            }
                        }
                    }
                    Err(error) => {
                        containers::report_not_a_container(input, format, error, &mut job_result);
                    }
                }
            }
        }
        Ok(job_result)
    }

    /// Processes an archive that was loaded into memory because it was not recognized before it was read, such as a
    /// fetched one.
    fn loaded_archive(
        &self,
        input: &Input,
        loaded: &LoadedInput,
        url: Option<&str>,
        job_result: &mut JobResult,
        emit: &mut dyn FnMut(JobResult) -> bool,
    ) -> io::Result<()> {
        job_result.tally = Tally::of_container();
        let settings = self.settings.archive_settings(url);
        for entity in containers::in_archive(&*loaded.bytes, &settings) {
            match entity {
                Ok(entity) => self.entity(input, &entity, job_result)?,
                Err(error) => containers::report_error(&input.name(), error, job_result),
            }
            if !job_result.emit_if_large(emit) {
                break;
            }
        }
        Ok(())
    }

    /// Streams an archive and delivers the result for each of its documents.
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
                job_result.error(format!("cannot read {}: {error}", input.name()));
                return deliver(Ok(job_result));
            }
        };
        let url = self.settings.url_from_args(input);
        let settings = self.settings.archive_settings(url.as_deref());
        let threads = containers::threads(threads);
        let work = |entity: EntityResult| {
            let mut job_result = JobResult::default();
            match entity {
                Ok(entity) => self.entity(input, &entity, &mut job_result)?,
                Err(error) => containers::report_error(&input.name(), error, &mut job_result),
            }
            Ok(job_result)
        };
        let entities = containers::in_archive(archive, &settings);
        let never = AtomicBool::new(false);
        jobs::for_each_ordered_weighted(
            entities,
            containers::weight,
            threads,
            &never,
            work,
            deliver,
        )?;
        Ok(())
    }

    /// Appends the result for one document of a container to `job_result`.
    fn entity(
        &self,
        input: &Input,
        entity: &Entity<'_>,
        job_result: &mut JobResult,
    ) -> io::Result<()> {
        let document = &self.settings.entity_document(entity);
        let report = &self.settings.rewriter.links(document);
        let name = containers::name(input, entity);
        containers::report_entity_error(input, entity, job_result);
        input::report_unsupported(&name, report, job_result);
        job_result.tally.add(&Tally::of(report, entity.bytes.len()));
        job_result.info(format!("{name}: {} links", report.links.len()));
        let result = DocumentResult {
            input,
            entity: Some(entity),
            document,
            report,
        };
        (self.write)(&result, &mut job_result.data)
    }
}
