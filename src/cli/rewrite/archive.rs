//! Rewriting of WARC archives, record by record while they are read.

use std::cell::Cell;
use std::fs;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use absolve::archive::{Entity, RecordForm, WarcItem, rewrite_warc};
use absolve::container::{ContainerError, ContainerErrorKind};

use super::RewriteRun;
use super::container::{RewrittenEntity, source_path};
use crate::cli::input::{Input, LoadedInput};
use crate::cli::job_result::JobResult;
use crate::cli::output::Destination;
use crate::cli::tally::Tally;
use crate::cli::write_output::{self, StreamedInput};
use crate::cli::{Abort, containers, terminal};

/// Callback for the results of a job while it runs. An error ends the run.
pub(super) type ResultHandler<'t> = dyn FnMut(&JobResult) -> Result<(), Abort> + 't;

impl RewriteRun<'_> {
    /// Streams an archive and rewrites its documents. Returns `false` if it was interrupted.
    ///
    /// # Errors
    /// The error of `emit`, or standard output cannot be written.
    pub(super) fn archive(
        &self,
        input: &Input,
        output: &Destination,
        is_interrupted: &AtomicBool,
        emit: &mut ResultHandler<'_>,
    ) -> Result<bool, Abort> {
        let mut job_result = JobResult::default();
        if self.reject_unwritable(output, &mut job_result)
            || self.reject_tree(input, &mut job_result)
        {
            emit(&job_result)?;
            return Ok(true);
        }
        // Taken before the archive is read, to detect that it changes during the run.
        let metadata = source_path(input).and_then(|path| fs::metadata(path).ok());
        let archive = match input.open() {
            Ok(archive) => archive,
            Err(error) => {
                job_result.error(format!("cannot read {}: {error}", input.name()));
                emit(&job_result)?;
                return Ok(true);
            }
        };
        let url = self.settings.url_from_args(input);
        let mut rewrite = ArchiveRewrite {
            run: self,
            input,
            output,
            emit,
            abort: None,
            last_error: None,
            changed: 0,
        };
        let is_aborted = Cell::new(false);
        // `streamed` calls the closure once, but the bound `FnMut` allows more calls.
        let mut unread = Some(archive);
        let streamed = StreamedInput {
            metadata: metadata.as_ref(),
            source: source_path(input),
            others: self.args.others,
        };
        let written = write_output::streamed(output, &streamed, |to| {
            let mut to = InterruptibleWriter {
                to,
                is_aborted: &is_aborted,
                is_interrupted,
            };
            let archive = unread.take().unwrap_or_else(|| Box::new(io::empty()));
            rewrite.rewrite_to(archive, &mut to, url.as_deref(), &is_aborted)?;
            Ok(rewrite.changed > 0)
        });
        let (abort, changed) = (rewrite.abort, rewrite.changed);
        if let Some(abort) = abort {
            return Err(abort);
        }
        match written {
            Ok(()) => {}
            Err(_) if is_interrupted.load(Ordering::Relaxed) => return Ok(false),
            // The error ends the run. `cli::run` treats a closed pipe as success.
            Err(error) if *output == Destination::Stdout => return Err(Abort::Output(error)),
            Err(error) => {
                job_result.error(format!("cannot write {}: {error}", output.name()));
            }
        }
        if let (Destination::CheckOnly(path), true) = (output, changed > 0) {
            writeln!(job_result.data, "{}", terminal::escape_control(path))?;
        }
        job_result.tally = Tally::of_container();
        emit(&job_result)?;
        Ok(true)
    }

    /// Rewrites the documents in an archive that was loaded into memory before it was recognized as one.
    pub(super) fn loaded_archive(
        &self,
        input: &Input,
        output: &Destination,
        loaded: &LoadedInput,
        job_result: &mut JobResult,
    ) {
        if self.reject_tree(input, job_result) {
            return;
        }
        let url = self.settings.retrieval_url(input, loaded);
        let mut bytes = Vec::new();
        let mut entity_results = JobResult::default();
        let mut rewrite = ArchiveRewrite {
            run: self,
            input,
            output,
            emit: &mut |job_result: &JobResult| {
                entity_results.append(job_result);
                Ok(())
            },
            abort: None,
            last_error: None,
            changed: 0,
        };
        let never = Cell::new(false);
        let result = rewrite.rewrite_to(&*loaded.bytes, &mut bytes, url.as_deref(), &never);
        let is_diff = matches!(output, Destination::Diff { .. });
        job_result.append(&entity_results);
        let written = result.and_then(|()| {
            // The diffs of the documents are in the results already; a diff of the whole archive would be
            // meaningless.
            if is_diff {
                return Ok(());
            }
            let (others, source) = (self.args.others, source_path(input));
            write_output::document(output, &bytes, loaded, others, source, job_result)
        });
        if let Err(error) = written {
            job_result.error(format!("cannot write {}: {error}", output.name()));
        }
        job_result.tally.add(&Tally::of_container());
    }
}

/// Progress of the rewriting of one archive.
struct ArchiveRewrite<'r, 't> {
    run: &'r RewriteRun<'r>,
    input: &'r Input,
    output: &'r Destination,
    emit: &'r mut ResultHandler<'t>,
    /// The error of `emit`, if it failed.
    abort: Option<Abort>,
    /// The last error reported; consecutive equal errors are reported once.
    last_error: Option<ContainerError>,
    /// Number of documents that changed.
    changed: usize,
}

impl ArchiveRewrite<'_, '_> {
    /// Rewrites `archive`, which has the retrieval URL `url`, to `to`. Sets `is_aborted` if `emit` fails.
    fn rewrite_to(
        &mut self,
        archive: impl Read,
        to: &mut impl Write,
        url: Option<&str>,
        is_aborted: &Cell<bool>,
    ) -> io::Result<()> {
        let settings = self.run.settings.archive_settings(url);
        let record_form = if self.run.args.in_records {
            RecordForm::Replaced
        } else {
            RecordForm::Conversion
        };
        let result = rewrite_warc(archive, to, &settings, record_form, |item| {
            let mut job_result = JobResult::default();
            let new = match item {
                WarcItem::Document(entity) => self.document(entity, &mut job_result),
                WarcItem::Error(error) => {
                    self.report_error(error, &mut job_result);
                    None
                }
                _ => None,
            };
            if self.abort.is_none()
                && let Err(abort) = (self.emit)(&job_result)
            {
                self.abort = Some(abort);
                is_aborted.set(true);
            }
            new
        });
        result.map_err(|error| match error.kind {
            ContainerErrorKind::Unwritable(kind) => io::Error::from(kind),
            _ => io::Error::other(error),
        })
    }

    /// Rewrites the document of a record and reports on it. Returns `None` if its bytes do not change.
    fn document(&mut self, entity: &Entity<'_>, job_result: &mut JobResult) -> Option<Vec<u8>> {
        let document = self.run.settings.entity_document(entity);
        let rewritten = entity.rewrite_as(&document, &self.run.rewriter);
        let is_changed = *rewritten.bytes != *entity.bytes;
        // A record with an error is only copied, and a conversion that exists is not added again.
        let result = RewrittenEntity {
            entity,
            document: &document,
            rewritten: &rewritten,
            changed: is_changed
                && entity.error.is_none()
                && !entity.has_conversion(&rewritten.bytes),
        };
        self.changed += usize::from(result.changed);
        let (input, output) = (self.input, self.output);
        self.run.report_entity(input, output, &result, job_result);
        is_changed.then(|| rewritten.bytes.into_owned())
    }

    /// Reports an error in the archive, unless it is the same as the last one.
    fn report_error(&mut self, error: ContainerError, job_result: &mut JobResult) {
        if self.last_error.replace(error) == Some(error) {
            return;
        }
        let name = self.input.name();
        match error.kind {
            ContainerErrorKind::RecordTooLong => {
                job_result.warn(format!("{name}: {error}; left unchanged"));
            }
            ContainerErrorKind::NotCompressedByRecord => {
                let hint = containers::BY_RECORD;
                job_result.error(format!("{name}: {error}; left unchanged; {hint}"));
            }
            _ => job_result.error(format!("{name}: {error}; left unchanged")),
        }
    }
}

/// Writer that fails when the run is interrupted or aborted, which ends the rewriting of a long archive early.
struct InterruptibleWriter<'w> {
    to: &'w mut dyn Write,
    is_aborted: &'w Cell<bool>,
    is_interrupted: &'w AtomicBool,
}

impl Write for InterruptibleWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_aborted.get() || self.is_interrupted.load(Ordering::Relaxed) {
            // Not `Interrupted`: `write_all` would try again.
            return Err(io::ErrorKind::Other.into());
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
