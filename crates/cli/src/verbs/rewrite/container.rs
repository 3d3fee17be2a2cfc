//! Rewriting of containers: HTTP dumps and MIME messages in memory, and WARC archives while they are read.
//!
//! Every document in the container is rewritten and put back; all other bytes are copied.

use std::fs::Metadata;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use absolve_archive::container::{ContainerError, ContainerErrorKind, Format};
use absolve_archive::{Container, DocumentRewriter, RecordForm, RewriteEvent, RewrittenEntity};

use super::rewrite_run::{RewriteRun, reject_tree};
use crate::args::Emit;
use crate::exit::Abort;
use crate::inputs::containers::{self, Access};
use crate::inputs::input::Input;
use crate::inputs::located_document::LocatedDocument;
use crate::plan::Destination;
use crate::print::job_result::{EmitResult, JobResult};
use crate::print::jsonl_report::RewrittenDocument;
use crate::print::tally::Tally;
use crate::print::terminal;
use crate::print::warnings::count_moved_by_base_removal;
use crate::run::interrupt::Interrupt;

/// A container to rewrite.
pub(super) struct ContainerInput<'c> {
    pub(super) input: &'c Input,
    pub(super) output: &'c Destination,
    /// The retrieval URL.
    pub(super) url: Option<&'c str>,
    /// Metadata of a file, from before it was read.
    pub(super) metadata: Option<&'c Metadata>,
}

impl RewriteRun<'_> {
    /// Rewrites an archive while it is read.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn streamed_archive(
        &self,
        input: &Input,
        output: &Destination,
        emit: &mut EmitResult<'_>,
        job_result: &mut JobResult,
    ) -> Result<(), Abort> {
        let Some(archive) = input.open(job_result) else {
            return Ok(());
        };
        let url = self.write_run.settings.url_from_args(input);
        let container = ContainerInput {
            input,
            output,
            url: url.as_deref(),
            metadata: archive.metadata.as_ref(),
        };
        self.archive(&container, archive.reader, emit, job_result)
    }

    /// Rewrites a container of the given format that was loaded into memory.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn loaded_container(
        &self,
        container: &ContainerInput<'_>,
        format: Format,
        bytes: &[u8],
        emit: &mut EmitResult<'_>,
        job_result: &mut JobResult,
    ) -> Result<(), Abort> {
        let settings = &self.write_run.settings;
        let Some(parsed) = settings.container(format, bytes, container.url) else {
            return self.archive(container, bytes, emit, job_result);
        };
        let Some(parsed) = containers::checked(container.input, format, parsed, job_result) else {
            // A file of a site is copied, as its other files are.
            return match container.input.site_path() {
                Some(_) => self.write_container(container, job_result, |to, _| {
                    to.write_all(bytes).map(|()| false)
                }),
                None => Ok(()),
            };
        };
        self.write_container(container, job_result, |to, job_result| {
            self.rewrite_entities(container, &parsed, to, emit, job_result)
        })
    }

    /// Rewrites an archive.
    fn archive(
        &self,
        container: &ContainerInput<'_>,
        archive: impl Read,
        emit: &mut EmitResult<'_>,
        job_result: &mut JobResult,
    ) -> Result<(), Abort> {
        if let Destination::File(path) = container.output {
            warn_of_compression(container.input, path, job_result);
        }
        self.write_container(container, job_result, |to, _| {
            self.rewrite_records(container, archive, to, emit)
        })
    }

    /// Writes the container that `write` produces; `write` returns whether it differs from the input.
    ///
    /// # Errors
    /// Standard output cannot be written. Other errors are reported.
    fn write_container(
        &self,
        container: &ContainerInput<'_>,
        job_result: &mut JobResult,
        write: impl FnOnce(&mut dyn Write, &mut JobResult) -> io::Result<bool>,
    ) -> Result<(), Abort> {
        let &ContainerInput { input, output, .. } = container;
        if let Emit::Tree = self.args.emit {
            reject_tree(input, "containers", job_result);
            return Ok(());
        }
        let mut is_changed = false;
        let write_run = &self.write_run;
        let job = (input, output);
        let written = write_run.streamed(job, container.metadata, job_result, |to, job_result| {
            is_changed = write(to, job_result)?;
            Ok(is_changed)
        });
        job_result.tally.add(&Tally::of_container());
        match (written, output) {
            (Ok(()), _) if is_changed => write_run.list_changed(input, job_result),
            (Ok(()), _) => {}
            (Err(_), _) if self.write_run.interrupt.is_set() => {
                job_result.is_interrupted = true;
            }
            // The error ends the run. `run` treats a closed pipe as success.
            (Err(error), Destination::Stdout) => return Err(Abort::Output(error)),
            (Err(error), _) => {
                let action = format!("write {}", self.write_run.output_name(input, output));
                self.write_run
                    .report_write_error(&action, error, job_result);
            }
        }
        Ok(())
    }

    /// Writes a container with its documents rewritten. Returns whether one of them changed.
    fn rewrite_entities(
        &self,
        container: &ContainerInput<'_>,
        parsed: &Container<'_>,
        to: &mut dyn Write,
        emit: &mut EmitResult<'_>,
        job_result: &mut JobResult,
    ) -> io::Result<bool> {
        let settings = &self.write_run.settings;
        let run = DocumentRewriter {
            rewriter: &settings.rewriter,
            source: settings,
        };
        let rewritten = run.rewrite_container(parsed, to, |event| {
            self.report_event(container, event, (&mut *emit, job_result));
            if job_result.emit_if_large(emit) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        rewritten.map_err(io_error)
    }

    /// Writes an archive with its documents rewritten, and emits a result for each. Returns whether one of them
    /// changed.
    fn rewrite_records(
        &self,
        container: &ContainerInput<'_>,
        archive: impl Read,
        to: &mut dyn Write,
        emit: &mut EmitResult<'_>,
    ) -> io::Result<bool> {
        let settings = &self.write_run.settings;
        let record_form = if self.args.in_records {
            RecordForm::Replaced
        } else {
            RecordForm::Conversion
        };
        let to = InterruptibleWriter {
            to,
            interrupt: &self.write_run.interrupt,
        };
        let run = DocumentRewriter {
            rewriter: &settings.rewriter,
            source: settings,
        };
        let archive_settings = settings.archive_settings(container.url);
        let event = |event: RewriteEvent<'_>| {
            let mut job_result = JobResult::default();
            self.report_event(container, event, (&mut *emit, &mut job_result));
            if emit(job_result) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let rewritten = run.rewrite_archive(archive, to, &archive_settings, record_form, event);
        let rewritten = rewritten.map_err(io_error)?;
        Ok(rewritten.is_changed)
    }

    /// Adds the messages and results for an event.
    fn report_event(
        &self,
        container: &ContainerInput<'_>,
        event: RewriteEvent<'_>,
        (emit, job_result): (&mut EmitResult<'_>, &mut JobResult),
    ) {
        match event {
            RewriteEvent::Document(result) => {
                if let Some(error) = result.error {
                    let name = containers::name(container.input, result.entity);
                    containers::report_error(&name, error, Access::Rewrite, job_result);
                }
                self.report_entity(container, &result, (emit, job_result));
            }
            RewriteEvent::NotReplaced(entity, error) => {
                let name = containers::name(container.input, entity);
                job_result.error(format!("{name}: left unchanged: {error}"));
            }
            RewriteEvent::Error(error) => {
                let name = container.input.name();
                containers::report_error(&name, error, Access::Rewrite, job_result);
            }
        }
    }

    /// Adds the results for a document of a container, and its diff.
    fn report_entity(
        &self,
        container: &ContainerInput<'_>,
        result: &RewrittenEntity<'_>,
        (emit, job_result): (&mut EmitResult<'_>, &mut JobResult),
    ) {
        let &RewrittenEntity {
            entity,
            document,
            rewritten,
            is_changed: changed,
            ..
        } = result;
        if changed {
            let path = containers::path_bytes(container.input.path_bytes(), &entity.label);
            let texts = (&*entity.bytes, &*rewritten.bytes);
            // Writing to a vector cannot fail.
            let _ = self.write_run.show_diff(&path, texts, job_result);
        }
        let rewritten = RewrittenDocument {
            located: LocatedDocument::in_container(container.input, entity, document),
            report: &rewritten.report,
            url: entity.url.as_deref(),
            edited: rewritten.edited,
            changed,
            moved: count_moved_by_base_removal(self.args.base_element_policy(), &rewritten.report),
        };
        self.write_run.report(&rewritten, emit, job_result);
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
struct InterruptibleWriter<'w> {
    to: &'w mut dyn Write,
    interrupt: &'w Interrupt,
}

impl Write for InterruptibleWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.interrupt.is_set() {
            // Not `Interrupted`: `write_all` would try again. It is not reported.
            return Err(io::ErrorKind::Other.into());
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
