//! WARC archives: rewritten record by record, as they are read.

use std::cell::Cell;
use std::fs;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use absolve::archive::{Entity, RecordForm, WarcItem, rewrite_warc};
use absolve::container::{ContainerError, ContainerErrorKind};

use super::RewriteRun;
use super::container::{RewrittenEntity, source_of};
use crate::cli::input::{Input, LoadedInput};
use crate::cli::job_result::JobResult;
use crate::cli::output::Destination;
use crate::cli::tally::Tally;
use crate::cli::write_output::{self, StreamedInput};
use crate::cli::{Abort, containers, terminal};

/// Where answers go, as they come.
pub(super) type ResultHandler<'t> = dyn FnMut(&JobResult) -> Result<(), Abort> + 't;

impl RewriteRun<'_> {
    /// Rewrites the documents in an archive. `false`: it was interrupted.
    ///
    /// # Errors
    /// What `tell` gives.
    pub(super) fn archive(
        &self,
        input: &Input,
        output: &Destination,
        is_interrupted: &AtomicBool,
        tell: &mut ResultHandler<'_>,
    ) -> Result<bool, Abort> {
        let mut job_result = JobResult::default();
        if self.is_barred(output, &mut job_result) || self.refuses_tree(input, &mut job_result) {
            tell(&job_result)?;
            return Ok(true);
        }
        // From before it is read.
        let metadata = source_of(input).and_then(|path| fs::metadata(path).ok());
        let archive = match input.open() {
            Ok(archive) => archive,
            Err(error) => {
                job_result.error(format!("{}: cannot be read: {error}", input.name()));
                tell(&job_result)?;
                return Ok(true);
            }
        };
        let url = self.settings.url_of_file(input);
        let mut rewriting = ArchiveRewrite {
            work: self,
            input,
            output,
            tell,
            stop: None,
            said: None,
            changed: 0,
        };
        let is_stopped = Cell::new(false);
        let mut reads = Some(archive);
        let streamed = StreamedInput {
            metadata: metadata.as_ref(),
            source: source_of(input),
            others: self.args.others,
        };
        let written = write_output::streamed(output, &streamed, |to| {
            let mut to = InterruptibleWriter {
                to,
                is_stopped: &is_stopped,
                is_interrupted,
            };
            let archive = reads.take().unwrap_or_else(|| Box::new(io::empty()));
            rewriting.run(archive, &mut to, url.as_deref(), &is_stopped)?;
            Ok(rewriting.changed > 0)
        });
        let (stop, changed) = (rewriting.stop, rewriting.changed);
        if let Some(stop) = stop {
            return Err(stop);
        }
        match written {
            Ok(()) => {}
            Err(_) if is_interrupted.load(Ordering::Relaxed) => return Ok(false),
            // Whoever reads it has seen enough.
            Err(error) if *output == Destination::Stdout => return Err(Abort::Output(error)),
            Err(error) => {
                job_result.error(format!("{}: cannot be written: {error}", output.name()));
            }
        }
        if let (Destination::CheckOnly(path), true) = (output, changed > 0) {
            writeln!(job_result.data, "{}", terminal::escape_control(path))?;
        }
        job_result.tally = Tally::of_container();
        tell(&job_result)?;
        Ok(true)
    }

    /// The same for an archive that was read as a whole before anybody knew that it is one.
    pub(super) fn held_archive(
        &self,
        input: &Input,
        output: &Destination,
        loaded: &LoadedInput,
        job_result: &mut JobResult,
    ) {
        if self.refuses_tree(input, job_result) {
            return;
        }
        let url = self.settings.url_of(input, loaded);
        let mut bytes = Vec::new();
        let mut told = JobResult::default();
        let mut rewriting = ArchiveRewrite {
            work: self,
            input,
            output,
            tell: &mut |job_result: &JobResult| {
                told.append(job_result);
                Ok(())
            },
            stop: None,
            said: None,
            changed: 0,
        };
        let never = Cell::new(false);
        let result = rewriting.run(&*loaded.bytes, &mut bytes, url.as_deref(), &never);
        let is_shown = matches!(output, Destination::Diff { .. });
        job_result.append(&told);
        let written = result.and_then(|()| {
            if is_shown {
                return Ok(());
            }
            let (others, source) = (self.args.others, source_of(input));
            write_output::document(output, &bytes, loaded, others, source, job_result)
        });
        if let Err(error) = written {
            job_result.error(format!("{}: cannot be written: {error}", output.name()));
        }
        job_result.tally.add(&Tally::of_container());
    }
}

/// One archive that is being rewritten.
struct ArchiveRewrite<'r, 't> {
    work: &'r RewriteRun<'r>,
    input: &'r Input,
    output: &'r Destination,
    tell: &'r mut ResultHandler<'t>,
    /// What `tell` gave.
    stop: Option<Abort>,
    /// What was said last of what is wrong.
    said: Option<ContainerError>,
    /// How many documents change.
    changed: usize,
}

impl ArchiveRewrite<'_, '_> {
    fn run(
        &mut self,
        archive: impl Read,
        to: &mut impl Write,
        url: Option<&str>,
        is_stopped: &Cell<bool>,
    ) -> io::Result<()> {
        let settings = self.work.settings.archive(url);
        let form = if self.work.args.in_records {
            RecordForm::Replaced
        } else {
            RecordForm::Conversion
        };
        let result = rewrite_warc(archive, to, &settings, form, |found| {
            let mut job_result = JobResult::default();
            let new = match found {
                WarcItem::Document(entity) => self.document(entity, &mut job_result),
                WarcItem::Remark(error) => {
                    self.say(error, &mut job_result);
                    None
                }
                _ => None,
            };
            if self.stop.is_none()
                && let Err(stop) = (self.tell)(&job_result)
            {
                self.stop = Some(stop);
                is_stopped.set(true);
            }
            new
        });
        result.map_err(|error| match error.kind {
            ContainerErrorKind::Unwritable(kind) => io::Error::from(kind),
            _ => io::Error::other(error),
        })
    }

    fn document(&mut self, entity: &Entity<'_>, job_result: &mut JobResult) -> Option<Vec<u8>> {
        let document = self.work.settings.enclosed(entity);
        let rewritten = entity.rewrite_as(&document, &self.work.rewriter);
        let is_new = *rewritten.bytes != *entity.bytes;
        let piece = RewrittenEntity {
            entity,
            document: &document,
            rewritten: &rewritten,
            changed: is_new && entity.remark.is_none() && !entity.has_conversion(&rewritten.bytes),
        };
        self.changed += usize::from(piece.changed);
        let (input, output) = (self.input, self.output);
        self.work.tell_piece(input, output, &piece, job_result);
        is_new.then(|| rewritten.bytes.into_owned())
    }

    fn say(&mut self, error: ContainerError, job_result: &mut JobResult) {
        if self.said.replace(error) == Some(error) {
            return;
        }
        let name = self.input.name();
        match error.kind {
            ContainerErrorKind::RecordTooLong => {
                job_result.warn(format!("{name}: {error}; it stays as it is"));
            }
            ContainerErrorKind::NotCompressedByRecord => {
                let what_next = containers::BY_RECORD;
                job_result.error(format!("{name}: {error}; it stays as it is; {what_next}"));
            }
            _ => job_result.error(format!("{name}: {error}; it stays as it is")),
        }
    }
}

/// Stops an archive from being written further.
struct InterruptibleWriter<'w> {
    to: &'w mut dyn Write,
    is_stopped: &'w Cell<bool>,
    is_interrupted: &'w AtomicBool,
}

impl Write for InterruptibleWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_stopped.get() || self.is_interrupted.load(Ordering::Relaxed) {
            // Not what is tried again.
            return Err(io::ErrorKind::Other.into());
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
