//! The loop over the jobs of a run, and the verbs that only read.
//!
//! [`run_jobs`] is the only loop: it calls a [`Verb`] for each job, on all cores. `rewrite` and `mirror` implement it
//! for the jobs of a plan. `links`, `base` and `check` implement [`ReadVerb`] instead, and [`read_documents`] opens
//! inputs and containers for them.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use absolve::Rewriter;
use absolve_archive::{DocumentSource, Entity};
use absolve_site::run::{EmitPart, for_each_ordered};

use super::args::{BasePath, DocumentArgs};
use super::containers::{self, Access};
use super::exit::{Abort, Exit};
use super::input::Input;
use super::input_kind::InputKind;
use super::interrupt;
use super::job_result::{EmitResult, JobResult};
use super::located_document::LocatedDocument;
use super::reporter::Reporter;
use super::settings::Settings;
use super::stdout_use::StdoutUse;
use super::tally::Tally;
use super::walk::Inputs;

/// A verb that processes jobs.
pub(super) trait Verb: Sync {
    /// An input, with its output if the verb writes.
    type Job: Sync;

    /// Returns whether `job` is read as a stream.
    ///
    /// Such a job runs alone, because it may occupy all cores, and because results that wait for it would pile up.
    fn is_streamed(&self, job: &Self::Job) -> bool;

    /// Processes a job. Parts of a large result are emitted early.
    ///
    /// # Errors
    /// The run cannot continue, because standard output cannot be written.
    fn run_job(&self, job: &Self::Job, emit: &mut EmitResult<'_>) -> Result<JobResult, Abort>;
}

/// Runs `verb` for every job and delivers the results to `reporter`, in the order of the jobs.
///
/// After `is_interrupted` becomes true no job starts.
///
/// # Errors
/// Standard output or a report cannot be written.
pub(super) fn run_jobs<V: Verb>(
    verb: &V,
    jobs: &[V::Job],
    threads: usize,
    is_interrupted: &AtomicBool,
    reporter: &mut Reporter<'_>,
) -> Result<(), Abort> {
    for part in jobs.chunk_by(|a, b| !verb.is_streamed(a) && !verb.is_streamed(b)) {
        let work = |job, emit: &mut EmitPart<'_, Result<JobResult, Abort>>| {
            verb.run_job(job, &mut |part| emit(Ok(part)))
        };
        let deliver =
            |job_result: Result<JobResult, Abort>, extent| reporter.deliver(&job_result?, extent);
        for_each_ordered(part.iter(), |_| 0, threads, is_interrupted, work, deliver)?;
    }
    Ok(())
}

/// A verb that only reads.
pub(super) trait ReadVerb: Sync {
    /// Returns the path that the directory is published under, in place of `--url`. By default, there is none.
    fn base_path(&self) -> Option<&BasePath> {
        None
    }

    /// Prepares the run over `inputs` on `threads` threads. By default, there is nothing to prepare.
    ///
    /// # Errors
    /// A message cannot be printed.
    fn prepare(
        &self,
        _settings: &Settings<'_>,
        _inputs: &Inputs,
        _threads: usize,
        _reporter: &mut Reporter<'_>,
    ) -> Result<(), Abort> {
        Ok(())
    }

    /// Prints the text before the output for the first document. By default, there is none.
    ///
    /// # Errors
    /// Standard output cannot be written.
    fn begin(&self, _reporter: &mut Reporter<'_>) -> Result<(), Abort> {
        Ok(())
    }

    /// Appends the result for one document. `rewriter` has the options of the command line. Parts of a large result may
    /// be emitted early.
    ///
    /// # Errors
    /// The output cannot be encoded.
    fn document(
        &self,
        rewriter: &Rewriter,
        located: &LocatedDocument<'_>,
        job_result: &mut JobResult,
        emit: &mut EmitResult<'_>,
    ) -> io::Result<()>;

    /// Prints the text after the output for the last document, and ends the run.
    ///
    /// # Errors
    /// Standard output cannot be written.
    fn end(&self, reporter: Reporter<'_>) -> Result<Exit, Abort> {
        finish_reading(reporter)
    }
}

/// Ends a run that counts documents and links.
///
/// # Errors
/// Standard output cannot be written.
pub(super) fn finish_reading(reporter: Reporter<'_>) -> Result<Exit, Abort> {
    reporter.finish(|tally| format!("documents: {}, links: {}", tally.documents, tally.links()))
}

/// Runs `verb` for every document that the arguments name, on all cores.
///
/// # Errors
/// Invalid arguments, or standard output that cannot be written.
pub(super) fn read_documents(args: &DocumentArgs, verb: &impl ReadVerb) -> Result<Exit, Abort> {
    let settings = Settings::of_documents(args)?.published_under(verb.base_path());
    let inputs = Inputs::new(args)?;
    let settings = settings.with_inputs(&inputs)?;
    let count = inputs.documents.len();
    let interrupt = interrupt::watched(count);
    let mut reporter = Reporter::new(
        &args.common.run,
        &inputs,
        count,
        StdoutUse::Data,
        Arc::clone(&interrupt),
    );
    reporter.emit(&inputs.messages)?;
    let threads = absolve_site::run::threads(args.common.run.threads);
    verb.prepare(&settings, &inputs, threads, &mut reporter)?;
    verb.begin(&mut reporter)?;
    let run = ReadRun {
        settings,
        threads,
        verb,
    };
    run_jobs(
        &run,
        &inputs.documents,
        threads,
        interrupt.flag(),
        &mut reporter,
    )?;
    verb.end(reporter)
}

/// A run of a verb that only reads.
struct ReadRun<'a, V> {
    settings: Settings<'a>,
    threads: usize,
    verb: &'a V,
}

impl<V: ReadVerb> Verb for ReadRun<'_, V> {
    type Job = Input;

    fn is_streamed(&self, input: &Input) -> bool {
        self.settings.is_archive(input)
    }

    fn run_job(&self, input: &Input, emit: &mut EmitResult<'_>) -> Result<JobResult, Abort> {
        let mut job_result = JobResult::default();
        let settings = &self.settings;
        if self.is_streamed(input) {
            job_result.tally = Tally::of_container();
            if let Some(archive) = input.open(&mut job_result) {
                let url = settings.url_from_args(input);
                let threads = containers::threads(self.threads);
                self.archive(input, archive.reader, url.as_deref(), threads, emit)?;
            }
            return Ok(job_result);
        }
        let Some(loaded) = input.read_supported(&settings.fetcher, &mut job_result) else {
            return Ok(job_result);
        };
        let url = settings.retrieval_url(input, &loaded);
        let url = url.as_deref();
        match settings.input_kind(input, &loaded, &mut job_result) {
            InputKind::Document(kind) => {
                let document = settings.document(kind, &loaded, url);
                let located = LocatedDocument::new(input, &document, &loaded);
                self.document(&located, &mut job_result, emit);
            }
            InputKind::Container(format) => {
                let Some(parsed) = settings.container(format, &loaded.bytes, url) else {
                    // One that was not recognized before it was read, such as a fetched one.
                    job_result.tally = Tally::of_container();
                    self.archive(input, &*loaded.bytes, url, 1, emit)?;
                    return Ok(job_result);
                };
                let Some(container) = containers::checked(input, format, parsed, &mut job_result)
                else {
                    return Ok(job_result);
                };
                job_result.tally = Tally::of_container();
                for entity in container.entities() {
                    self.entity(input, entity, &mut job_result, emit);
                    if !job_result.emit_if_large(emit) {
                        break;
                    }
                }
            }
        }
        Ok(job_result)
    }
}

impl<V: ReadVerb> ReadRun<'_, V> {
    /// Emits a result for each document of an archive, which are processed on `threads` threads.
    fn archive(
        &self,
        input: &Input,
        archive: impl Read + Send,
        url: Option<&str>,
        threads: usize,
        emit: &mut EmitResult<'_>,
    ) -> Result<(), Abort> {
        let work = |found: containers::EntityResult, emit: &mut EmitResult<'_>| {
            let mut job_result = JobResult::default();
            match found {
                Ok(entity) => self.entity(input, &entity, &mut job_result, emit),
                Err(error) => {
                    containers::report_error(&input.name(), error, Access::Read, &mut job_result);
                }
            }
            job_result
        };
        let is_over = AtomicBool::new(false);
        let deliver = |part, _| {
            is_over.fetch_or(!emit(part), Ordering::Relaxed);
            Ok(())
        };
        let settings = self.settings.archive_settings(url);
        let entities = containers::in_archive(archive, &settings);
        for_each_ordered(
            entities,
            containers::weight,
            threads,
            &is_over,
            work,
            deliver,
        )
    }

    /// Appends the result for one document of a container.
    fn entity(
        &self,
        input: &Input,
        entity: &Entity<'_>,
        job_result: &mut JobResult,
        emit: &mut EmitResult<'_>,
    ) {
        containers::report_entity_error(input, entity, Access::Read, job_result);
        let document = self.settings.document_of(entity);
        let located = LocatedDocument::in_container(input, entity, &document);
        self.document(&located, job_result, emit);
    }

    /// Appends the result for one document.
    fn document(
        &self,
        located: &LocatedDocument<'_>,
        job_result: &mut JobResult,
        emit: &mut EmitResult<'_>,
    ) {
        let rewriter = &self.settings.rewriter;
        if let Err(error) = self.verb.document(rewriter, located, job_result, emit) {
            job_result.error(format!("cannot print {}: {error}", located.name()));
        }
    }
}
