//! Rewriting of standard input and of large files while they are read.
//!
//! Memory does not grow with the document, and on standard input the output begins before the input ends. The library
//! falls back to buffering documents that cannot be rewritten in one pass: see [`BufferedReason`].

use std::borrow::Cow;
use std::fs::{self, Metadata};
use std::io::{self, BufReader};

use absolve::stream::{BufferedReason, StreamError, StreamReport, is_undeclared_utf8};
use absolve::{BaseElementPolicy, Document, DocumentKind, Report, Unsupported, saved_from};

use super::rewrite_run::RewriteRun;
use crate::args::Emit;
use crate::exit::Abort;
use crate::inputs::input::{Input, LoadedInput, report_unsupported};
use crate::inputs::kind::InputKind;
use crate::inputs::located_document::LocatedDocument;
use crate::inputs::stdin;
use crate::plan::{Destination, DocumentJob};
use crate::print::job_result::{JobResult, JobSink};
use crate::print::rewritten_document::RewrittenDocument;
use crate::print::tally::Tally;
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
                || !input.open_file().is_ok_and(|file| {
                    self.concerned(BufReader::with_capacity(1 << 16, file))
                        .is_some()
                }))
    }

    /// Rewrites an input for which [`is_stream`](Self::is_stream) is true.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn stream(&self, job: &DocumentJob, sink: &mut JobSink<'_>) -> Result<(), Abort> {
        let DocumentJob { input, output } = job;
        let settings = &self.write_run.settings;
        let Some((source, metadata)) = input.open(sink) else {
            return Ok(());
        };
        let prefix = || match input {
            Input::Stdin => Some(stdin::prefix().to_vec()),
            _ => input.file_prefix(),
        };
        let url = settings.url_from_args(input);
        let url = url.or_else(|| Some(Cow::Owned(saved_from(&prefix()?)?.to_owned())));
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
        let metadata = metadata.as_ref();
        let mut result = None;
        let written = self.write_run.streamed(job, metadata, |to| {
            let rewriter = &settings.rewriter;
            match rewriter.rewrite_stream(&document, source, tempfile::tempfile, to) {
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
                copy_unread(&self.write_run, job, metadata, reason, sink);
            }
            (Some(Err(error)), _) => {
                sink.error(stream_error_text(&input.name(), output, &error));
            }
            // The error ends the run. `run` treats a closed pipe as success.
            (_, Err(error)) if *output == Destination::Stdout => return Err(Abort::Output(error)),
            (result, written) => {
                if self.write_run.report_written(job, written, sink)
                    && let Some(Ok(streamed)) = result
                {
                    self.report_stream(input, &document, streamed, sink);
                }
            }
        }
        Ok(())
    }

    /// Adds the counts and messages about a document that was streamed.
    fn report_stream(
        &self,
        input: &Input,
        document: &Document<'_>,
        streamed: StreamReport,
        sink: &mut JobSink<'_>,
    ) {
        if streamed.is_changed {
            self.write_run.list_changed(input, sink);
        }
        let name = input.name();
        match streamed.buffered {
            None if streamed.longest_part >= STREAMED_LEN => sink.info(format!(
                "{name}: buffered in memory: {} MiB of it, with a long tag, comment, or text of an element",
                streamed.longest_part >> 20
            )),
            // Short documents are always buffered.
            None | Some(BufferedReason::Short) => {}
            Some(buffered @ BufferedReason::Spool) => sink.warn(format!(
                "{name}: buffered in memory: {buffered}; set TMPDIR to a writable directory"
            )),
            Some(buffered) => sink.info(format!("{name}: buffered in memory: {buffered}")),
        }
        let rewritten = RewrittenDocument {
            located: LocatedDocument {
                // The length is used as a count only; a stream may be longer than the address space.
                len: usize::try_from(streamed.read).unwrap_or(usize::MAX),
                ..LocatedDocument::new(input, document)
            },
            report: &streamed.report,
            skipped: streamed.skipped,
            // Only reports have it.
            url: None,
            edited: streamed.edited,
            changed: streamed.is_changed,
            // BASE is never removed from a stream.
            moved: 0,
        };
        self.write_run.report(&rewritten, sink);
    }
}

/// Copies a document that is not read, for this `reason`, after part of it was rewritten. That part was discarded.
fn copy_unread(
    write_run: &WriteRun<'_>,
    job: &DocumentJob,
    metadata: Option<&Metadata>,
    reason: Unsupported,
    job_result: &mut JobResult,
) {
    let DocumentJob { input, output } = job;
    if input.file_path().is_none() {
        let error = StreamError::Unsupported(reason);
        job_result.error(stream_error_text(&input.name(), output, &error));
        return;
    }
    let mut length = 0;
    let written = write_run.streamed(job, metadata, |to| {
        length = io::copy(&mut input.open_file()?, to)?;
        Ok(false)
    });
    if write_run.report_written(job, written, job_result) {
        let mut report = Report::default();
        report.unsupported = Some(reason);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        job_result.tally.add(&Tally::of(&report, &[], length));
        report_unsupported(&input.name(), Some(reason), job_result);
    }
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
