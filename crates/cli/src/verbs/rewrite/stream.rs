//! Rewriting of standard input and of large files while they are read.
//!
//! Memory does not grow with the document, and on standard input the output begins before the input ends. The library
//! falls back to buffering documents that cannot be rewritten in one pass: see [`BufferedReason`].

use std::fs::{self, Metadata};
use std::io;

use absolve::stream::{BufferedReason, StreamError, StreamReport, is_undeclared_utf8};
use absolve::{BaseElementPolicy, DocumentKind, Report, Unsupported};

use super::rewrite_run::RewriteRun;
use crate::args::Emit;
use crate::exit::{Abort, Exit};
use crate::inputs::input::{Input, LoadedInput, report_unsupported};
use crate::inputs::kind::InputKind;
use crate::plan::Destination;
use crate::print::job_result::JobResult;
use crate::print::tally::Tally;
use crate::print::warnings::RewriteOutcome;
use crate::run::write_run::WriteRun;

/// Length in bytes from which a file is streamed. Shorter ones are faster in memory, and all cores share the work.
const STREAMED_LEN: u64 = 4 << 20;

impl RewriteRun<'_> {
    /// Returns whether a document is rewritten while it is read.
    ///
    /// That is HTML or XML on standard input or in a large file, unless an option requires the whole document. A page
    /// of a directory with `integrity` is read as a whole.
    pub(super) fn is_stream(&self, input: &Input) -> bool {
        let args = self.args;
        let is_input = match input {
            Input::Stdin => !args.output.check,
            Input::File { path, .. } => fs::metadata(path)
                .is_ok_and(|metadata| metadata.is_file() && metadata.len() >= STREAMED_LEN),
            Input::Url(_) => false,
        };
        is_input
            && !args.output.diff
            && args.output.report.is_none()
            && matches!(args.emit, Emit::Source)
            && matches!(
                args.base_element_policy(),
                BaseElementPolicy::Absolutize | BaseElementPolicy::Keep
            )
            && matches!(
                self.write_run.settings.kind_before_reading(input),
                Some(InputKind::HTML | InputKind::XML)
            )
            && (input.site_path().is_none()
                || !input
                    .open_file()
                    .is_ok_and(|file| self.concerned(file).is_some()))
    }

    /// Rewrites an input for which [`is_stream`](Self::is_stream) is true.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn stream(
        &self,
        input: &Input,
        output: &Destination,
        job_result: &mut JobResult,
    ) -> Result<(), Abort> {
        let settings = &self.write_run.settings;
        let Some(source) = input.open(job_result) else {
            return Ok(());
        };
        let url = settings.url_from_args(input);
        let kind = match settings.kind_before_reading(input) {
            Some(InputKind::Document(kind)) => kind,
            _ => DocumentKind::Html,
        };
        let empty = LoadedInput::default();
        let document = settings.document(kind, &empty, url.as_deref());
        // A file can be read twice, first to find its encoding.
        let is_utf8 = kind == DocumentKind::Html
            && settings.encoding(&empty).is_none()
            && input
                .open_file()
                .and_then(is_undeclared_utf8)
                .unwrap_or(false);
        let document = if is_utf8 {
            document.encoding("utf-8")
        } else {
            document
        };
        let (job, metadata) = ((input, output), source.metadata.as_ref());
        let mut result = None;
        let written = self.write_run.streamed(job, metadata, job_result, |to, _| {
            let rewriter = &settings.rewriter;
            match rewriter.rewrite_stream(&document, source.reader, tempfile::tempfile, to) {
                Ok(streamed) => {
                    let is_changed = streamed.is_changed;
                    result = Some(Ok(streamed));
                    Ok(is_changed)
                }
                Err(StreamError::Write(error)) => Err(error),
                Err(error) => {
                    result = Some(Err(error));
                    // Makes `streamed` discard a file that is not complete.
                    Err(io::ErrorKind::Other.into())
                }
            }
        });
        match (result, written) {
            (Some(Err(StreamError::Unsupported(reason))), _) if *output != Destination::Stdout => {
                copy_unread(&self.write_run, job, metadata, reason, job_result);
            }
            (Some(Err(error)), _) => {
                job_result.error(stream_error_text(&input.name(), output, &error));
            }
            // The error ends the run. `run` treats a closed pipe as success.
            (_, Err(error)) if *output == Destination::Stdout => return Err(Abort::Output(error)),
            (_, Err(error)) => {
                let action = format!("write {}", self.write_run.output_name(input, output));
                self.write_run
                    .report_write_error(&action, error, job_result);
            }
            (Some(Ok(streamed)), Ok(())) => {
                if streamed.is_changed {
                    self.write_run.list_changed(input, job_result);
                }
                self.report_stream(&input.name(), &streamed, job_result);
            }
            // Cannot happen: the closure sets `result` before it returns `Ok`.
            (None, Ok(())) => {}
        }
        Ok(())
    }

    /// Adds the counts and messages about a document that was streamed.
    fn report_stream(&self, name: &str, streamed: &StreamReport, job_result: &mut JobResult) {
        // The length is used as a count only; a stream may be longer than the address space.
        let read = usize::try_from(streamed.read).unwrap_or(usize::MAX);
        job_result.tally = Tally::of(&streamed.report, read);
        if self.write_run.args.is_dry_run() && streamed.is_changed {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        job_result.tally.changed = usize::from(streamed.is_changed);
        for skipped in &streamed.skipped {
            let count = job_result.tally.skipped.entry(skipped.reason.name());
            *count.or_default() += skipped.count;
        }
        match streamed.buffered {
            None if streamed.longest_part >= STREAMED_LEN => job_result.info(format!(
                "{name}: buffered in memory: {} MiB of it, with a long tag, comment, or text of an element",
                streamed.longest_part >> 20
            )),
            // Short documents are always buffered.
            None | Some(BufferedReason::Short) => {}
            Some(buffered @ BufferedReason::Spool) => job_result.warn(format!(
                "{name}: buffered in memory: {buffered}; set TMPDIR to a writable directory"
            )),
            Some(buffered) => job_result.info(format!("{name}: buffered in memory: {buffered}")),
        }
        let outcome = RewriteOutcome {
            name,
            report: &streamed.report,
            skipped: &streamed.skipped,
            changed: streamed.is_changed,
            // BASE is never removed from a stream.
            moved: 0,
        };
        self.write_run.report_outcome(&outcome, job_result);
    }
}

/// Copies a document that is not read, for this `reason`, after part of it was rewritten. That part was discarded.
fn copy_unread(
    write_run: &WriteRun<'_>,
    (input, output): (&Input, &Destination),
    metadata: Option<&Metadata>,
    reason: Unsupported,
    job_result: &mut JobResult,
) {
    if input.file_path().is_none() {
        let error = StreamError::Unsupported(reason);
        job_result.error(stream_error_text(&input.name(), output, &error));
        return;
    }
    let mut length = 0;
    let written = write_run.streamed((input, output), metadata, job_result, |to, _| {
        length = io::copy(&mut input.open_file()?, to)?;
        Ok(false)
    });
    if let Err(error) = written {
        let action = format!("write {}", write_run.output_name(input, output));
        write_run.report_write_error(&action, error, job_result);
        return;
    }
    let mut report = Report::default();
    report.unsupported = Some(reason);
    job_result.tally = Tally::of(&report, usize::try_from(length).unwrap_or(usize::MAX));
    report_unsupported(&input.name(), Some(reason), job_result);
}

/// Returns the message for a stream that was not rewritten completely.
fn stream_error_text(name: &str, output: &Destination, error: &StreamError) -> String {
    let consequence = match output {
        Destination::Stdout => "the output is incomplete",
        _ => "nothing was written",
    };
    match error {
        StreamError::Read(error) => format!("cannot read {name}: {error}; {consequence}"),
        StreamError::Spool(error) => format!(
            "{name}: cannot use temporary file: {error}; {consequence}; set TMPDIR to a directory with enough space, or rewrite the document from a file"
        ),
        StreamError::Unsupported(Unsupported::LimitExceeded(limit)) => format!(
            "{name}: {error}; {consequence}; raise the limit with --limit {}=NUMBER",
            limit.name()
        ),
        error => format!("{name}: {error}; {consequence}; rewrite the document from a file"),
    }
}
