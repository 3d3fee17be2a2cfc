//! Rewriting of containers: HTTP dumps and MIME messages in memory, and WARC archives while they are read.
//!
//! Every document in the container is rewritten and put back; all other bytes are copied.

use std::fs::Metadata;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use absolve_archive::container::{ContainerError, ContainerErrorKind, Format};
use absolve_archive::{RecordForm, RewriteEvent, RewrittenEntity};

use super::rewrite_run::{RewriteRun, reject_tree};
use crate::args::Emit;
use crate::exit::Abort;
use crate::inputs::containers::{self, Access};
use crate::inputs::input::{Input, LoadedInput};
use crate::inputs::located_document::LocatedDocument;
use crate::plan::{Destination, DocumentJob};
use crate::print::job_result::{JobResult, JobSink};
use crate::print::rewritten_document::{
    RewrittenDocument, count_moved_by_base_removal, count_skipped,
};
use crate::print::tally::Counted;
use crate::print::terminal;
use crate::run::interrupt;

impl RewriteRun<'_> {
    /// Rewrites an archive while it is read.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn streamed_archive(
        &self,
        job: &DocumentJob,
        sink: &mut JobSink<'_>,
    ) -> Result<(), Abort> {
        let Some((archive, metadata)) = job.input.open(sink) else {
            return Ok(());
        };
        let url = self.write_run.settings.url_from_args(&job.input);
        let threads = containers::threads(absolve_site::run::threads(
            self.args.document.common.run.threads,
        ));
        self.archive(
            job,
            archive,
            (url.as_deref(), metadata.as_ref()),
            threads,
            sink,
        )
    }

    /// Rewrites a container of the given format that was loaded into memory.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn loaded_container(
        &self,
        job: &DocumentJob,
        format: Format,
        (loaded, url): (&LoadedInput, Option<&str>),
        sink: &mut JobSink<'_>,
    ) -> Result<(), Abort> {
        let input = &job.input;
        let (bytes, metadata) = loaded.original();
        let Some(parsed) = self.write_run.settings.container(format, bytes, url) else {
            // Other jobs run at the same time.
            return self.archive(job, bytes, (url, metadata), 1, sink);
        };
        let Some(parsed) = containers::checked(input, format, parsed, sink) else {
            // A file of a site is copied, as its other files are.
            return match input.site_path() {
                Some(_) => self.write_container(job, metadata, sink, |to, _| {
                    to.write_all(bytes).map(|()| false)
                }),
                None => Ok(()),
            };
        };
        self.write_container(job, metadata, sink, |to, sink| {
            let rewritten = self
                .write_run
                .settings
                .document_rewriter()
                .rewrite_container(&parsed, to, |event| {
                    self.report_event(input, event, sink);
                    flow(sink.emit_if_large())
                });
            rewritten.map_err(io_error)
        })
    }

    /// Rewrites an archive with this retrieval URL and metadata on `threads` threads, and emits a result for each
    /// document.
    fn archive(
        &self,
        job: &DocumentJob,
        archive: impl Read + Send,
        (url, metadata): (Option<&str>, Option<&Metadata>),
        threads: usize,
        sink: &mut JobSink<'_>,
    ) -> Result<(), Abort> {
        let DocumentJob { input, output } = job;
        if let Destination::File(path) = output {
            warn_of_compression(input, path, sink);
        }
        let record_form = if self.args.in_records {
            RecordForm::Replaced
        } else {
            RecordForm::Conversion
        };
        let settings = self
            .write_run
            .settings
            .archive_settings(url)
            .threads(threads);
        self.write_container(job, metadata, sink, |to, sink| {
            let to = InterruptibleWriter(to);
            let event = |event: RewriteEvent<'_>| {
                let mut part = sink.part();
                self.report_event(input, event, &mut part);
                let part = part.result;
                flow(sink.emit_before(part))
            };
            let run = self.write_run.settings.document_rewriter();
            let rewritten = run.rewrite_archive(archive, to, &settings, record_form, event);
            Ok(rewritten.map_err(io_error)?.is_changed)
        })
    }

    /// Writes the container that `write` produces from an input with this metadata; `write` returns whether it differs
    /// from the input.
    ///
    /// # Errors
    /// Standard output cannot be written. Other errors are reported.
    fn write_container(
        &self,
        job: &DocumentJob,
        metadata: Option<&Metadata>,
        sink: &mut JobSink<'_>,
        write: impl FnOnce(&mut (dyn Write + Send), &mut JobSink<'_>) -> io::Result<bool>,
    ) -> Result<(), Abort> {
        if let Emit::Tree = self.args.emit {
            reject_tree(&job.input, "containers", sink);
            return Ok(());
        }
        let mut is_changed = false;
        let written = self.write_run.streamed(job, metadata, |to| {
            is_changed = write(to, sink)?;
            Ok(is_changed)
        });
        sink.tally.count(Counted::Containers, 1);
        match written {
            Err(_) if interrupt::is_set() => sink.is_interrupted = true,
            // The error ends the run. `run` treats a closed pipe as success.
            Err(error) if job.output == Destination::Stdout => return Err(Abort::Output(error)),
            written => {
                if self.write_run.report_written(job, written, sink) && is_changed {
                    self.write_run.list_changed(&job.input, sink);
                }
            }
        }
        Ok(())
    }

    /// Adds the messages and results for an event.
    fn report_event(&self, input: &Input, event: RewriteEvent<'_>, sink: &mut JobSink<'_>) {
        match event {
            RewriteEvent::Document(result) => {
                if let Some(error) = result.error {
                    let name = containers::name(input, result.entity);
                    containers::report_error(&name, error, Access::Rewrite, sink);
                }
                self.report_entity(input, &result, sink);
            }
            RewriteEvent::NotReplaced(entity, error) => {
                let name = containers::name(input, entity);
                sink.error(format!("{name}: left unchanged: {error}"));
            }
            RewriteEvent::Error(error) => {
                containers::report_error(&input.name(), error, Access::Rewrite, sink);
            }
        }
    }

    /// Adds the results for a document of a container, and its diff.
    fn report_entity(&self, input: &Input, result: &RewrittenEntity<'_>, sink: &mut JobSink<'_>) {
        let &RewrittenEntity {
            entity,
            document,
            rewritten,
            is_changed: changed,
            ..
        } = result;
        if changed {
            let path = containers::path_bytes(input.path_bytes(), &entity.label);
            let texts = (&*entity.bytes, &*rewritten.bytes);
            self.write_run.show_diff(&path, texts, sink);
        }
        let report = &rewritten.report;
        let rewritten = RewrittenDocument {
            located: LocatedDocument::in_container(input, entity, document),
            report,
            skipped: count_skipped(report),
            url: entity.url.as_deref(),
            edited: rewritten.edited,
            changed,
            moved: count_moved_by_base_removal(self.args.base_element_policy(), report),
        };
        self.write_run.report(&rewritten, sink);
    }
}

/// Returns whether a rewrite continues: not if the run is over.
fn flow(continues: bool) -> ControlFlow<()> {
    if continues {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}

/// Warns if an archive is compressed and the name of its copy does not say so: records are copied as they are stored.
fn warn_of_compression(input: &Input, output: &Path, job_result: &mut JobResult) {
    let extension = input.file_path().and_then(Path::extension);
    let extension = extension.filter(|extension| *extension == "gz" || *extension == "zst");
    if let Some(extension) = extension.filter(|_| output.extension() != extension) {
        job_result.warn(format!(
            "{}: compressed like {}; a name that ends in .{} says so",
            terminal::path(output),
            input.name(),
            extension.to_string_lossy()
        ));
    }
}

/// Returns the error that ends a rewrite.
fn io_error(error: ContainerError) -> io::Error {
    match error.kind {
        ContainerErrorKind::Unwritable(kind) => kind.into(),
        _ => io::Error::other(error),
    }
}

/// Writer that fails when the run is interrupted, which ends the rewriting of a long archive early.
struct InterruptibleWriter<'w>(&'w mut (dyn Write + Send));

impl Write for InterruptibleWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if interrupt::is_set() {
            // Not `Interrupted`: `write_all` would try again. It is not reported.
            return Err(io::ErrorKind::Other.into());
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
