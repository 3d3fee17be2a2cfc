//! Rewriting of containers: HTTP dumps and MIME messages in memory, and WARC archives while they are read.
//!
//! Every document in the container is rewritten and put back; all other bytes are copied.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs::Metadata;
use std::io::{self, Read, Write};
use std::path::Path;

use absolve::{Document, Rewritten};
use absolve_archive::container::{ContainerError, ContainerErrorKind, Format};
use absolve_archive::{Container, Entity, NewErrors, RecordForm, WarcItem, rewrite_warc};

use super::rewrite_run::{RewriteRun, reject_tree};
use crate::args::Emit;
use crate::containers::{self, Access};
use crate::exit::Abort;
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::job_result::{EmitResult, JobResult};
use crate::located_document::LocatedDocument;
use crate::output::Destination;
use crate::report::RewrittenDocument;

use crate::tally::Tally;
use crate::warnings::count_moved_by_base_removal;
use crate::{diff, terminal, write_output};

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
        if format == Format::Warc {
            return self.archive(container, bytes, emit, job_result);
        }
        let settings = &self.write_run.settings;
        let parsed = settings.container(format, bytes, container.url);
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
        let streamed = self.write_run.streamed_input(input, container.metadata);
        let mut is_changed = false;
        let written = write_output::streamed(output, &streamed, job_result, |to, job_result| {
            is_changed = write(to, job_result)?;
            Ok(is_changed)
        });
        job_result.tally.add(&Tally::of_container());
        match (written, output) {
            (Ok(()), _) if is_changed => write_output::list_changed(output, job_result),
            (Ok(()), _) => {}
            (Err(_), _) if self.write_run.interrupt.is_set() => {
                job_result.is_interrupted = true;
            }
            // The error ends the run. `run` treats a closed pipe as success.
            (Err(error), Destination::Stdout) => return Err(Abort::Output(error)),
            (Err(error), _) => {
                let action = format!("write {}", output.name());
                self.write_run
                    .report_write_error(&action, &error, job_result);
            }
        }
        Ok(())
    }

    /// Writes a container with its documents rewritten. Returns whether one of them changed.
    ///
    /// A document that cannot be put into the container is reported, and left unchanged.
    fn rewrite_entities(
        &self,
        container: &ContainerInput<'_>,
        parsed: &Container<'_>,
        to: &mut dyn Write,
        emit: &mut EmitResult<'_>,
        job_result: &mut JobResult,
    ) -> io::Result<bool> {
        let mut writer = parsed.writer(to);
        let mut is_changed = false;
        for (index, entity) in parsed.entities().iter().enumerate() {
            let document = self.write_run.settings.entity_document(entity);
            let rewritten = entity.rewrite_as(&document, &self.write_run.settings.rewriter);
            let replaced = match &rewritten.bytes {
                Cow::Borrowed(_) => Ok(()),
                Cow::Owned(bytes) => writer.put(index, bytes).map(drop),
            };
            let changed = replaced.is_ok() && *rewritten.bytes != *entity.bytes;
            is_changed |= changed;
            containers::report_entity_error(container.input, entity, Access::Rewrite, job_result);
            self.report_entity(
                container,
                entity,
                (&document, &rewritten),
                changed,
                (&mut *emit, job_result),
            );
            match replaced {
                Err(ContainerError {
                    kind: ContainerErrorKind::Unwritable(kind),
                    ..
                }) => return Err(kind.into()),
                // If the entity has an error, that error is the cause, and was reported above.
                Err(error) if entity.error.is_none() => {
                    let name = containers::name(container.input, entity);
                    job_result.error(format!("{name}: left unchanged: {error}"));
                }
                _ => {}
            }
            if !job_result.emit_if_large(emit) {
                return Err(run_is_over());
            }
        }
        writer.finish().map_err(io::Error::other)?;
        Ok(is_changed)
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
        let settings = self.write_run.settings.archive_settings(container.url);
        let record_form = if self.args.in_records {
            RecordForm::Replaced
        } else {
            RecordForm::Conversion
        };
        let is_over = Cell::new(false);
        let mut to = InterruptibleWriter {
            to,
            is_over: &is_over,
            interrupt: &self.write_run.interrupt,
        };
        let mut is_changed = false;
        let mut errors = NewErrors::default();
        let rewritten = rewrite_warc(archive, &mut to, &settings, record_form, |item| {
            let mut job_result = JobResult::default();
            let new = match item {
                WarcItem::Document(entity) => {
                    if let Some(error) = errors.of_document(entity.error) {
                        let name = containers::name(container.input, entity);
                        containers::report_error(&name, error, Access::Rewrite, &mut job_result);
                    }
                    let to = (&mut *emit, &mut job_result);
                    let (new, changed) = self.rewrite_record(container, entity, to);
                    is_changed |= changed;
                    new
                }
                WarcItem::Error(error) => {
                    if let Some(error) = errors.of_archive(error) {
                        let name = container.input.name();
                        containers::report_error(&name, error, Access::Rewrite, &mut job_result);
                    }
                    None
                }
                _ => None,
            };
            if !is_over.get() {
                is_over.set(!emit(job_result));
            }
            new
        });
        rewritten.map_err(|error| match error.kind {
            ContainerErrorKind::Unwritable(kind) => io::Error::from(kind),
            _ => io::Error::other(error),
        })?;
        Ok(is_changed)
    }

    /// Rewrites the document of a record and reports on it.
    ///
    /// Returns its new bytes, if they differ, and whether that changes the archive.
    fn rewrite_record(
        &self,
        container: &ContainerInput<'_>,
        entity: &Entity<'_>,
        to: (&mut EmitResult<'_>, &mut JobResult),
    ) -> (Option<Vec<u8>>, bool) {
        let document = self.write_run.settings.entity_document(entity);
        let rewritten = entity.rewrite_as(&document, &self.write_run.settings.rewriter);
        let is_new = *rewritten.bytes != *entity.bytes;
        // A record with an error is only copied, and a conversion that exists is not added again.
        let changed = is_new && entity.error.is_none() && !entity.has_conversion(&rewritten.bytes);
        self.report_entity(container, entity, (&document, &rewritten), changed, to);
        (is_new.then(|| rewritten.bytes.into_owned()), changed)
    }

    /// Adds the results for a document of a container, and its diff.
    fn report_entity(
        &self,
        container: &ContainerInput<'_>,
        entity: &Entity<'_>,
        (document, rewritten): (&Document<'_>, &Rewritten<'_>),
        changed: bool,
        (emit, job_result): (&mut EmitResult<'_>, &mut JobResult),
    ) {
        if let (Destination::Diff { path, style }, true) = (container.output, changed) {
            let path = containers::path_bytes(path, &entity.label);
            let (before, after) = (&entity.bytes, &rewritten.bytes);
            // Writing to a vector cannot fail.
            let _ = diff::write(&path, before, after, *style, &mut job_result.data);
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

/// Returns the error that stops a container from being written when the run is over. It is not reported.
fn run_is_over() -> io::Error {
    // Not `Interrupted`: `write_all` would try again.
    io::ErrorKind::Other.into()
}

/// Writer that fails when the run is interrupted or over, which ends the rewriting of a long archive early.
struct InterruptibleWriter<'w> {
    to: &'w mut dyn Write,
    is_over: &'w Cell<bool>,
    interrupt: &'w Interrupt,
}

impl Write for InterruptibleWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_over.get() || self.interrupt.is_set() {
            return Err(run_is_over());
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
