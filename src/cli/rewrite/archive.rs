//! WARC archives: rewritten record by record, as they are read.

use std::cell::Cell;
use std::fs;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use absolve::archive::{Entity, Found, RecordForm, rewrite_warc};
use absolve::container::{ContainerError, ContainerErrorKind};

use super::Work;
use super::container::{Piece, source_of};
use crate::cli::input::{Input, Reading};
use crate::cli::job_result::Answer;
use crate::cli::output::Output;
use crate::cli::tally::Tally;
use crate::cli::write_output::{self, Streamed};
use crate::cli::{Stop, containers, terminal};

/// Where answers go, as they come.
pub(super) type Tell<'t> = dyn FnMut(&Answer) -> Result<(), Stop> + 't;

impl Work<'_> {
    /// Rewrites the documents in an archive. `false`: it was interrupted.
    ///
    /// # Errors
    /// What `tell` gives.
    pub(super) fn archive(
        &self,
        input: &Input,
        output: &Output,
        is_interrupted: &AtomicBool,
        tell: &mut Tell<'_>,
    ) -> Result<bool, Stop> {
        let mut answer = Answer::default();
        if self.is_barred(output, &mut answer) || self.refuses_tree(input, &mut answer) {
            tell(&answer)?;
            return Ok(true);
        }
        // From before it is read.
        let metadata = source_of(input).and_then(|path| fs::metadata(path).ok());
        let archive = match input.open() {
            Ok(archive) => archive,
            Err(error) => {
                answer.trouble(format!("{}: cannot be read: {error}", input.name()));
                tell(&answer)?;
                return Ok(true);
            }
        };
        let url = self.settings.url_of_file(input);
        let mut rewriting = Rewriting {
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
        let streamed = Streamed {
            metadata: metadata.as_ref(),
            source: source_of(input),
            others: self.args.others,
        };
        let written = write_output::streamed(output, &streamed, |to| {
            let mut to = Guarded {
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
            Err(error) if *output == Output::Stdout => return Err(Stop::Output(error)),
            Err(error) => {
                answer.trouble(format!("{}: cannot be written: {error}", output.name()));
            }
        }
        if let (Output::Told(path), true) = (output, changed > 0) {
            writeln!(answer.data, "{}", terminal::visible(path))?;
        }
        answer.tally = Tally::of_container();
        tell(&answer)?;
        Ok(true)
    }

    /// The same for an archive that was read as a whole before anybody knew that it is one.
    pub(super) fn held_archive(
        &self,
        input: &Input,
        output: &Output,
        reading: &Reading,
        answer: &mut Answer,
    ) {
        if self.refuses_tree(input, answer) {
            return;
        }
        let url = self.settings.url_of(input, reading);
        let mut bytes = Vec::new();
        let mut told = Answer::default();
        let mut rewriting = Rewriting {
            work: self,
            input,
            output,
            tell: &mut |answer: &Answer| {
                told.append(answer);
                Ok(())
            },
            stop: None,
            said: None,
            changed: 0,
        };
        let never = Cell::new(false);
        let result = rewriting.run(&*reading.bytes, &mut bytes, url.as_deref(), &never);
        let is_shown = matches!(output, Output::Shown { .. });
        answer.append(&told);
        let written = result.and_then(|()| {
            if is_shown {
                return Ok(());
            }
            let (others, source) = (self.args.others, source_of(input));
            write_output::document(output, &bytes, reading, others, source, answer)
        });
        if let Err(error) = written {
            answer.trouble(format!("{}: cannot be written: {error}", output.name()));
        }
        answer.tally.add(&Tally::of_container());
    }
}

/// One archive that is being rewritten.
struct Rewriting<'r, 't> {
    work: &'r Work<'r>,
    input: &'r Input,
    output: &'r Output,
    tell: &'r mut Tell<'t>,
    /// What `tell` gave.
    stop: Option<Stop>,
    /// What was said last of what is wrong.
    said: Option<ContainerError>,
    /// How many documents change.
    changed: usize,
}

impl Rewriting<'_, '_> {
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
            let mut answer = Answer::default();
            let new = match found {
                Found::Document(entity) => self.document(entity, &mut answer),
                Found::Remark(error) => {
                    self.say(error, &mut answer);
                    None
                }
                _ => None,
            };
            if self.stop.is_none()
                && let Err(stop) = (self.tell)(&answer)
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

    fn document(&mut self, entity: &Entity<'_>, answer: &mut Answer) -> Option<Vec<u8>> {
        let document = self.work.settings.enclosed(entity);
        let rewritten = entity.rewrite_as(&document, &self.work.rewriter);
        let is_new = *rewritten.bytes != *entity.bytes;
        let piece = Piece {
            entity,
            document: &document,
            rewritten: &rewritten,
            changed: is_new && entity.remark.is_none() && !entity.has_conversion(&rewritten.bytes),
        };
        self.changed += usize::from(piece.changed);
        let (input, output) = (self.input, self.output);
        self.work.tell_piece(input, output, &piece, answer);
        is_new.then(|| rewritten.bytes.into_owned())
    }

    fn say(&mut self, error: ContainerError, answer: &mut Answer) {
        if self.said.replace(error) == Some(error) {
            return;
        }
        let name = self.input.name();
        match error.kind {
            ContainerErrorKind::RecordTooLong => {
                answer.remark(format!("{name}: {error}; it stays as it is"));
            }
            ContainerErrorKind::NotCompressedByRecord => {
                let what_next = containers::BY_RECORD;
                answer.trouble(format!("{name}: {error}; it stays as it is; {what_next}"));
            }
            _ => answer.trouble(format!("{name}: {error}; it stays as it is")),
        }
    }
}

/// Stops an archive from being written further.
struct Guarded<'w> {
    to: &'w mut dyn Write,
    is_stopped: &'w Cell<bool>,
    is_interrupted: &'w AtomicBool,
}

impl Write for Guarded<'_> {
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
