//! The run of a verb that only reads.
//!
//! [`read_documents`] opens inputs and containers, and the verb reports on one document at a time.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use absolve::Rewriter;
use absolve_archive::Entity;
use absolve_site::run::{EmitPart, for_each_ordered};

use crate::args::{BasePath, DocumentArgs};
use crate::exit::{Abort, Exit};
use crate::inputs::Inputs;
use crate::inputs::containers::{self, Access};
use crate::inputs::input::Input;
use crate::inputs::kind::InputKind;
use crate::inputs::located_document::LocatedDocument;
use crate::print::job_result::{JobResult, JobSink};
use crate::print::printer::{Printer, StdoutUse};
use crate::print::tally::{Counted, Tally};
use crate::run::{Verb, run_jobs};
use crate::settings::Settings;

/// A verb that only reads.
pub(crate) trait ReadVerb: Sync {
    /// Returns the path that the directory is published under, in place of `--url`. By default, there is none.
    fn base_path(&self) -> Option<&BasePath> {
        None
    }

    /// Returns whether the verb reads the links in header fields of containers. By default, it does not.
    fn reads_headers(&self) -> bool {
        false
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
        _printer: &mut Printer<'_>,
    ) -> Result<(), Abort> {
        Ok(())
    }

    /// Returns the text before the first row: see [`OutputFormat::begin`](crate::print::format::OutputFormat::begin).
    fn begin(&self) -> String;

    /// Appends the result for one document. `rewriter` has the options of the command line. Parts of a large result may
    /// be emitted early.
    ///
    /// # Errors
    /// The output cannot be encoded.
    fn document(
        &self,
        rewriter: &Rewriter,
        located: &LocatedDocument<'_>,
        sink: &mut JobSink<'_>,
    ) -> io::Result<()>;

    /// Returns the text after the last row: see [`OutputFormat::end`](crate::print::format::OutputFormat::end).
    ///
    /// # Errors
    /// The text cannot be encoded.
    fn end(&self, tally: &Tally) -> io::Result<Vec<u8>>;

    /// Ends the run. By default, documents and links are counted.
    ///
    /// # Errors
    /// Standard output cannot be written.
    fn finish(&self, printer: Printer<'_>) -> Result<Exit, Abort> {
        printer.finish(|tally| {
            let documents = tally.get(Counted::Documents);
            format!("documents: {documents}, links: {}", tally.links())
        })
    }
}

/// Runs `verb` for every document that the arguments name, on all cores.
///
/// # Errors
/// Invalid arguments, or standard output that cannot be written.
pub(crate) fn read_documents(args: &DocumentArgs, verb: &impl ReadVerb) -> Result<Exit, Abort> {
    let settings = Settings::of_documents(args)?.published_under(verb.base_path());
    let inputs = Inputs::new(args)?;
    let mut settings = settings.with_inputs(&inputs)?;
    settings.containers = settings.containers.header_links(verb.reads_headers());
    let (run_args, count) = (&args.common.run, inputs.documents.len());
    let mut printer = Printer::new(run_args, &inputs, count, StdoutUse::Data)?;
    let threads = absolve_site::run::threads(run_args.threads);
    verb.prepare(&settings, &inputs, threads, &mut printer)?;
    printer.begin(&verb.begin())?;
    let run = ReadRun {
        settings,
        threads,
        verb,
    };
    run_jobs(&run, &inputs.documents, threads, &mut printer)?;
    printer.end(&verb.end(&printer.tally)?)?;
    verb.finish(printer)
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
        self.settings.is_archive(input) || input.is_zip()
    }

    fn run_job(&self, input: &Input, sink: &mut JobSink<'_>) -> Result<(), Abort> {
        let settings = &self.settings;
        if self.is_streamed(input) {
            sink.tally.count(Counted::Containers, 1);
            let url = settings.url_from_args(input);
            let threads = containers::threads(self.threads);
            if !input.is_zip() {
                let Some((archive, _)) = input.open(sink) else {
                    return Ok(());
                };
                return self.archive(input, archive, url.as_deref(), threads, sink);
            }
            let parts = input.archive_parts(&settings.archive_settings(None));
            let parts = parts.map_err(|message| sink.error(message));
            for part in parts.unwrap_or_default() {
                match input.open_part(&part) {
                    Ok(archive) => self.archive(input, archive, url.as_deref(), threads, sink)?,
                    Err(message) => sink.error(message),
                }
            }
            return Ok(());
        }
        let Some(loaded) = input.read_supported(&settings.fetcher, sink) else {
            return Ok(());
        };
        let url = settings.retrieval_url(input, &loaded);
        let url = url.as_deref();
        match settings.input_kind(input, &loaded, sink) {
            InputKind::Document(kind) => {
                let document = settings.document(kind, &loaded, url);
                self.document(&LocatedDocument::new(input, &document), sink);
            }
            InputKind::Container(format) => {
                let Some(parsed) = settings.container(format, &loaded.bytes, url) else {
                    // One that was not recognized before it was read, such as a fetched one.
                    sink.tally.count(Counted::Containers, 1);
                    return self.archive(input, &*loaded.bytes, url, 1, sink);
                };
                let Some(container) = containers::checked(input, format, parsed, sink) else {
                    return Ok(());
                };
                sink.tally.count(Counted::Containers, 1);
                for entity in container.entities() {
                    self.entity(input, entity, sink);
                    if !sink.emit_if_large() {
                        break;
                    }
                }
            }
        }
        Ok(())
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
        sink: &mut JobSink<'_>,
    ) -> Result<(), Abort> {
        let work = |found: containers::EntityResult, emit: &mut EmitPart<'_, JobResult>| {
            let mut sink = JobSink::new(emit);
            match found {
                Ok(entity) => self.entity(input, &entity, &mut sink),
                Err(error) => {
                    containers::report_error(&input.name(), error, Access::Read, &mut sink);
                }
            }
            sink.result
        };
        let is_over = AtomicBool::new(false);
        let deliver = |result, _| {
            is_over.fetch_or(!sink.emit_before(result), Ordering::Relaxed);
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
    fn entity(&self, input: &Input, entity: &Entity<'_>, sink: &mut JobSink<'_>) {
        containers::report_entity_error(input, entity, Access::Read, sink);
        let document = self.settings.document_of(entity);
        self.document(
            &LocatedDocument::in_container(input, entity, &document),
            sink,
        );
    }

    /// Appends the result for one document.
    fn document(&self, located: &LocatedDocument<'_>, sink: &mut JobSink<'_>) {
        let rewriter = &self.settings.rewriter;
        if let Err(error) = self.verb.document(rewriter, located, sink) {
            sink.error(format!("cannot print {}: {error}", located.name()));
        }
    }
}
