//! Containers that are read as a whole: every document in them rewritten, and put back.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;

use absolve::archive::{ContainerWriter, Entity};
use absolve::container::{ContainerError, ContainerErrorKind, Format};
use absolve::{Document, Rewritten};

use super::RewriteRun;
use crate::cli::args::Emit;
use crate::cli::input::{Input, LoadedInput};
use crate::cli::job_result::JobResult;
use crate::cli::jobs::EmitPart;
use crate::cli::output::Destination;
use crate::cli::report;
use crate::cli::tally::Tally;
use crate::cli::write_output::{self, StreamedInput};
use crate::cli::{Exit, containers, diff, terminal};

/// A document of a container that was rewritten.
pub(super) struct RewrittenEntity<'p> {
    pub(super) entity: &'p Entity<'p>,
    pub(super) document: &'p Document<'p>,
    pub(super) rewritten: &'p Rewritten<'p>,
    pub(super) changed: bool,
}

/// What goes to standard output, handed over piece by piece.
struct ChunkedOutput<'p, 'r, 'h> {
    held: Vec<u8>,
    hand_over: &'p RefCell<&'r mut EmitPart<'h, JobResult>>,
}

/// How much of it is held.
const MOST_HELD: usize = 1 << 20;

impl Write for ChunkedOutput<'_, '_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if self.held.len() > MOST_HELD {
            let part = JobResult {
                data: std::mem::take(&mut self.held),
                ..JobResult::default()
            };
            if !(self.hand_over.borrow_mut())(part) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl RewriteRun<'_> {
    /// Rewrites the documents in a container of that format.
    pub(super) fn container(
        &self,
        input: &Input,
        output: &Destination,
        format: Format,
        loaded: &LoadedInput,
        hand_over: &mut EmitPart<'_, JobResult>,
        job_result: &mut JobResult,
    ) {
        if self.refuses_tree(input, job_result) {
            return;
        }
        let url = self.settings.url_of(input, loaded);
        let read = self
            .settings
            .container(format, &loaded.bytes, url.as_deref());
        let container = match read {
            Ok(container) => container,
            Err(error) => {
                containers::report_not_a_container(input, format, error, job_result);
                return;
            }
        };
        containers::report_container_errors(input, &container, job_result);
        let mut told = JobResult {
            tally: Tally::of_container(),
            ..JobResult::default()
        };
        let hand_over = RefCell::new(hand_over);
        let mut write = |to: &mut dyn Write| {
            let mut writer = container.writer(to);
            let mut is_new = false;
            for (index, entity) in container.entities().iter().enumerate() {
                is_new |= self.put_piece(input, output, (index, entity), &mut writer, &mut told)?;
                if !told.hand_over_much(*hand_over.borrow_mut()) {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
            writer.finish().map_err(io::Error::other)?;
            Ok(is_new)
        };
        let written = if *output == Destination::Stdout {
            let mut parts = ChunkedOutput {
                held: Vec::new(),
                hand_over: &hand_over,
            };
            let written = write(&mut parts);
            told.data = parts.held;
            written
        } else {
            let mut is_new = false;
            let streamed = StreamedInput {
                metadata: loaded.metadata.as_ref(),
                source: source_of(input),
                others: self.args.others,
            };
            write_output::streamed(output, &streamed, |to| {
                is_new = write(to)?;
                Ok(is_new)
            })
            .map(|()| is_new)
        };
        match written {
            Ok(is_new) => {
                if let (Destination::CheckOnly(path), true) = (output, is_new) {
                    told.data.extend(terminal::escape_control(path).bytes());
                    told.data.push(b'\n');
                }
                job_result.append(&told);
            }
            Err(error) => {
                job_result.error(format!("{}: cannot be written: {error}", output.name()));
            }
        }
    }

    /// Rewrites a document of a container, puts it there, and adds what there is to tell of it. Whether it is a new one.
    ///
    /// # Errors
    /// It cannot be written.
    fn put_piece(
        &self,
        input: &Input,
        output: &Destination,
        (index, entity): (usize, &Entity<'_>),
        writer: &mut ContainerWriter<'_, '_, &mut dyn Write>,
        job_result: &mut JobResult,
    ) -> io::Result<bool> {
        let document = self.settings.enclosed(entity);
        let rewritten = entity.rewrite_as(&document, &self.rewriter);
        let put = match &rewritten.bytes {
            Cow::Borrowed(_) => Ok(()),
            Cow::Owned(bytes) => writer.put(index, bytes).map(drop),
        };
        let piece = RewrittenEntity {
            entity,
            document: &document,
            rewritten: &rewritten,
            changed: put.is_ok() && *rewritten.bytes != *entity.bytes,
        };
        containers::report_entity_error(input, entity, job_result);
        self.tell_piece(input, output, &piece, job_result);
        match put {
            Err(ContainerError {
                kind: ContainerErrorKind::Unwritable(kind),
                ..
            }) => return Err(kind.into()),
            // Otherwise it was said already what is wrong with it.
            Err(error) if entity.remark.is_none() => {
                let name = containers::name(input, entity);
                job_result.error(format!("{name}: left as it is: {error}"));
            }
            _ => {}
        }
        Ok(piece.changed)
    }

    /// Says that there are no trees of documents in containers, if one is asked for.
    pub(super) fn refuses_tree(&self, input: &Input, job_result: &mut JobResult) -> bool {
        let is_tree = matches!(self.args.emit, Emit::Tree);
        if is_tree {
            job_result.error(format!(
                "{}: a container, of which no tree is written; leave out --emit tree",
                input.name()
            ));
        }
        is_tree
    }

    /// Adds what there is to tell of a document in a container.
    pub(super) fn tell_piece(
        &self,
        input: &Input,
        output: &Destination,
        piece: &RewrittenEntity<'_>,
        job_result: &mut JobResult,
    ) {
        let &RewrittenEntity {
            entity,
            document,
            rewritten,
            changed,
        } = piece;
        let name = containers::name(input, entity);
        if output.is_dry() && changed {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        if let (Destination::Diff { path, is_coloured }, true) = (output, changed) {
            let path = containers::path(path, Some(&entity.label));
            let (before, after) = (&entity.bytes, &rewritten.bytes);
            // What is written to there takes everything.
            let _ = diff::write(&path, before, after, *is_coloured, &mut job_result.data);
        }
        let mut tally = Tally::of(&rewritten.report, entity.bytes.len());
        tally.changed = usize::from(changed);
        job_result.tally.add(&tally);
        if self.args.report.is_some() {
            let told = report::DocumentMeta {
                path: &input.path(),
                entity: Some(&entity.label),
                url: entity.url.as_deref(),
                edited: rewritten.edited,
                changed,
            };
            let written = report::write(&told, document, &rewritten.report, &mut job_result.report);
            if let Err(error) = written {
                job_result.error(format!("{name}: not in the report: {error}"));
            }
        }
        let failures = super::failures(&rewritten.report);
        self.talk(&name, &rewritten.report, &failures, changed, job_result);
    }
}

/// The file an input is.
pub(super) fn source_of(input: &Input) -> Option<&Path> {
    match input {
        Input::Stdin | Input::Url(_) => None,
        Input::File { path, .. } => Some(path),
    }
}
