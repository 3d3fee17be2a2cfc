//! Standard input, rewritten while it is read.

use std::io;

use absolve::{BufferedReason, Document, StreamError, StreamReport};

use super::{Failure, RewriteRun};
use crate::cli::Abort;
use crate::cli::args::{BaseElementArg, Emit};
use crate::cli::input::Input;
use crate::cli::job_result::JobResult;
use crate::cli::output::Destination;
use crate::cli::tally::Tally;
use crate::cli::write_output;

impl RewriteRun<'_> {
    /// Whether a document is rewritten while it is read: one that comes from a pipe, and of which nothing else is asked for
    /// that takes all of it.
    pub(super) fn is_streamed(&self, input: &Input, output: &Destination) -> bool {
        let args = self.args;
        *input == Input::Stdin
            && matches!(output, Destination::Stdout | Destination::File(_))
            && args.report.is_none()
            && matches!(args.emit, Emit::Source)
            && matches!(
                args.base_element,
                BaseElementArg::Absolutize | BaseElementArg::Keep
            )
            && self.settings.is_html_on_stdin()
    }

    /// Rewrites a document that [is streamed](Self::is_streamed).
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn stream(&self, input: &Input, output: &Destination) -> Result<JobResult, Abort> {
        let mut job_result = JobResult::default();
        if self.is_barred(output, &mut job_result) {
            return Ok(job_result);
        }
        let url = self.settings.url_of_file(input);
        let document = Document::new(b"").candidates(self.settings.candidates(url.as_deref()));
        let document = match self.settings.encoding_asked() {
            Some(label) => document.encoding(label),
            None => document,
        };
        let about = write_output::StreamedInput {
            metadata: None,
            source: None,
            others: self.args.others,
        };
        let mut result = None;
        let put = write_output::streamed(output, &about, |to| {
            let rest = input.open()?;
            let streamed = self
                .rewriter
                .rewrite_stream(&document, rest, tempfile::tempfile, to);
            match streamed {
                Ok(streamed) => {
                    let is_changed = streamed.is_changed;
                    result = Some(Ok(streamed));
                    Ok(is_changed)
                }
                Err(StreamError::Write(error)) => Err(error),
                Err(error) => {
                    result = Some(Err(error));
                    // A file in the making is not put in its place.
                    Err(io::ErrorKind::Other.into())
                }
            }
        });
        match (result, put) {
            (Some(Err(error)), _) => {
                job_result.error(stream_error_text(&input.name(), output, &error))
            }
            // Whoever reads it has seen enough.
            (_, Err(error)) if *output == Destination::Stdout => return Err(Abort::Output(error)),
            (_, Err(error)) => {
                job_result.error(format!("{}: cannot be written: {error}", output.name()));
            }
            (Some(Ok(streamed)), Ok(())) => {
                self.tell_streamed(&input.name(), &streamed, &mut job_result);
            }
            (None, Ok(())) => {}
        }
        Ok(job_result)
    }

    fn tell_streamed(&self, name: &str, streamed: &StreamReport, job_result: &mut JobResult) {
        let read = usize::try_from(streamed.read).unwrap_or(usize::MAX);
        job_result.tally = Tally::of(&streamed.report, read);
        job_result.tally.changed = usize::from(streamed.is_changed);
        for skipped in &streamed.skipped {
            let count = job_result.tally.skipped.entry(skipped.reason.name());
            *count.or_default() += skipped.count;
        }
        let failures = streamed
            .skipped
            .iter()
            .filter(|skipped| skipped.reason.is_failure());
        let failures: Vec<Failure> = failures
            .map(|skipped| Failure {
                reason: skipped.reason,
                count: skipped.count,
            })
            .collect();
        match streamed.buffered {
            None | Some(BufferedReason::Short) => {}
            Some(buffered @ BufferedReason::Spool) => job_result.warn(format!(
                "{name}: held in memory as a whole: {buffered}; name a directory for temporary files with TMPDIR"
            )),
            Some(buffered) => job_result.info(format!("{name}: held in memory as a whole: {buffered}")),
        }
        self.talk(
            name,
            &streamed.report,
            &failures,
            streamed.is_changed,
            job_result,
        );
    }
}

/// What there is to say about a document that was not rewritten to its end.
fn stream_error_text(name: &str, output: &Destination, error: &StreamError) -> String {
    let left = match output {
        Destination::Stdout => "what was written before stands, the rest is missing",
        _ => "nothing is written",
    };
    match error {
        StreamError::Read(error) => format!("{name}: cannot be read: {error}; {left}"),
        StreamError::Spool(error) => format!(
            "{name}: what was read cannot be kept aside: {error}; {left}; name a directory with room for it with TMPDIR, or put the document in a file"
        ),
        error => format!("{name}: {error}; {left}; put the document in a file"),
    }
}
