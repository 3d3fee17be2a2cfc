//! Rewriting of containers that fit in memory: HTTP dumps and MIME messages.
//!
//! Every document in the container is rewritten and spliced back; all other bytes are copied.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;

use absolve::archive::{ContainerWriter, Entity};
use absolve::container::{ContainerError, ContainerErrorKind, Format};
use absolve::{Document, Rewritten};

use super::warnings::count_failures;
use super::{RewriteOutcome, RewriteRun};
use crate::cli::args::Emit;
use crate::cli::input::{Input, LoadedInput};
use crate::cli::job_result::JobResult;
use crate::cli::jobs::EmitPart;
use crate::cli::output::Destination;
use crate::cli::report;
use crate::cli::tally::Tally;
use crate::cli::write_output::{self, StreamedInput};
use crate::cli::{Exit, containers, diff, terminal};

/// A rewritten document of a container.
pub(super) struct RewrittenEntity<'p> {
    pub(super) entity: &'p Entity<'p>,
    pub(super) document: &'p Document<'p>,
    pub(super) rewritten: &'p Rewritten<'p>,
    /// Whether the bytes of the document change in the container.
    pub(super) changed: bool,
}

/// Writer to standard output that emits its content in chunks, in the order of the jobs.
struct ChunkedOutput<'p, 'r, 'h> {
    /// Bytes not emitted yet.
    buffer: Vec<u8>,
    emit: &'p RefCell<&'r mut EmitPart<'h, JobResult>>,
}

/// Number of buffered bytes at which a chunk is emitted.
const MAX_BUFFERED: usize = 1 << 20;

impl Write for ChunkedOutput<'_, '_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() > MAX_BUFFERED {
            let part = JobResult {
                data: std::mem::take(&mut self.buffer),
                ..JobResult::default()
            };
            // The run is over: the error stops the caller from producing more.
            if !(self.emit.borrow_mut())(part) {
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
    /// Rewrites the documents in a container of the given format and writes it to `output`.
    ///
    /// Parts of a large result are passed to `emit`, the rest is appended to `job_result`.
    pub(super) fn container(
        &self,
        input: &Input,
        output: &Destination,
        format: Format,
        loaded: &LoadedInput,
        emit: &mut EmitPart<'_, JobResult>,
        job_result: &mut JobResult,
    ) {
        if self.reject_tree(input, job_result) {
            return;
        }
        let url = self.settings.retrieval_url(input, loaded);
        let container = self
            .settings
            .container(format, &loaded.bytes, url.as_deref());
        let container = match container {
            Ok(container) => container,
            Err(error) => {
                containers::report_not_a_container(input, format, error, job_result);
                return;
            }
        };
        containers::report_container_errors(input, &container, job_result);
        let mut entity_results = JobResult {
            tally: Tally::of_container(),
            ..JobResult::default()
        };
        // Shared by the closure below and, for standard output, by the writer passed to it.
        let emit = RefCell::new(emit);
        let mut write = |to: &mut dyn Write| {
            let mut writer = container.writer(to);
            let mut is_changed = false;
            for (index, entity) in container.entities().iter().enumerate() {
                is_changed |= self.rewrite_entity(
                    input,
                    output,
                    (index, entity),
                    &mut writer,
                    &mut entity_results,
                )?;
                if !entity_results.emit_if_large(*emit.borrow_mut()) {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
            writer.finish().map_err(io::Error::other)?;
            Ok(is_changed)
        };
        let written = if *output == Destination::Stdout {
            let mut parts = ChunkedOutput {
                buffer: Vec::new(),
                emit: &emit,
            };
            let written = write(&mut parts);
            // Entities add no data of their own for this destination.
            entity_results.data = parts.buffer;
            written
        } else {
            let mut is_changed = false;
            let streamed = StreamedInput {
                metadata: loaded.metadata.as_ref(),
                source: source_path(input),
                others: self.args.others,
            };
            write_output::streamed(output, &streamed, |to| {
                is_changed = write(to)?;
                Ok(is_changed)
            })
            .map(|()| is_changed)
        };
        match written {
            Ok(is_changed) => {
                if let (Destination::CheckOnly(path), true) = (output, is_changed) {
                    entity_results
                        .data
                        .extend(terminal::escape_control(path).bytes());
                    entity_results.data.push(b'\n');
                }
                job_result.append(&entity_results);
            }
            Err(error) => {
                job_result.error(format!("cannot write {}: {error}", output.name()));
            }
        }
    }

    /// Rewrites the document at `index` of a container, writes it and reports on it. Returns whether it changed.
    ///
    /// # Errors
    /// `writer` cannot write. A document that cannot be put into the container is reported, and left unchanged.
    fn rewrite_entity(
        &self,
        input: &Input,
        output: &Destination,
        (index, entity): (usize, &Entity<'_>),
        writer: &mut ContainerWriter<'_, '_, &mut dyn Write>,
        job_result: &mut JobResult,
    ) -> io::Result<bool> {
        let document = self.settings.entity_document(entity);
        let rewritten = entity.rewrite_as(&document, &self.rewriter);
        let replaced = match &rewritten.bytes {
            Cow::Borrowed(_) => Ok(()),
            Cow::Owned(bytes) => writer.put(index, bytes).map(drop),
        };
        let rewritten_entity = RewrittenEntity {
            entity,
            document: &document,
            rewritten: &rewritten,
            changed: replaced.is_ok() && *rewritten.bytes != *entity.bytes,
        };
        containers::report_entity_error(input, entity, job_result);
        self.report_entity(input, output, &rewritten_entity, job_result);
        match replaced {
            Err(ContainerError {
                kind: ContainerErrorKind::Unwritable(kind),
                ..
            }) => return Err(kind.into()),
            // If the entity has an error, that error is the cause, and was reported above.
            Err(error) if entity.error.is_none() => {
                let name = containers::name(input, entity);
                job_result.error(format!("{name}: left unchanged: {error}"));
            }
            _ => {}
        }
        Ok(rewritten_entity.changed)
    }

    /// Returns whether `--emit tree` was given, which containers do not support, and reports an error if so.
    pub(super) fn reject_tree(&self, input: &Input, job_result: &mut JobResult) -> bool {
        let is_tree = matches!(self.args.emit, Emit::Tree);
        if is_tree {
            job_result.error(format!(
                "{}: --emit tree does not support containers; use --emit source",
                input.name()
            ));
        }
        is_tree
    }

    /// Adds the results for a document of a container: exit status, diff, counts, report and messages.
    pub(super) fn report_entity(
        &self,
        input: &Input,
        output: &Destination,
        rewritten_entity: &RewrittenEntity<'_>,
        job_result: &mut JobResult,
    ) {
        let &RewrittenEntity {
            entity,
            document,
            rewritten,
            changed,
        } = rewritten_entity;
        let name = containers::name(input, entity);
        if output.is_dry_run() && changed {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        if let (Destination::Diff { path, style }, true) = (output, changed) {
            let path = containers::path(path, Some(&entity.label));
            let (before, after) = (&entity.bytes, &rewritten.bytes);
            // Writing to a vector cannot fail.
            let _ = diff::write(&path, before, after, *style, &mut job_result.data);
        }
        let mut tally = Tally::of(&rewritten.report, entity.bytes.len());
        tally.changed = usize::from(changed);
        job_result.tally.add(&tally);
        if self.args.report.is_some() {
            let meta = report::DocumentMeta {
                path: &input.path(),
                entity: Some(&entity.label),
                url: entity.url.as_deref(),
                edited: rewritten.edited,
                changed,
            };
            let written = report::write(&meta, document, &rewritten.report, &mut job_result.report);
            if let Err(error) = written {
                job_result.error(format!("cannot write {name} to the report: {error}"));
            }
        }
        let failures = count_failures(&rewritten.report);
        let outcome = RewriteOutcome {
            name: &name,
            report: &rewritten.report,
            failures: &failures,
            changed,
        };
        self.report_outcome(&outcome, job_result);
    }
}

/// Returns the path of the input, if it is a file.
pub(super) fn source_path(input: &Input) -> Option<&Path> {
    match input {
        Input::Stdin | Input::Url(_) => None,
        Input::File { path, .. } => Some(path),
    }
}
