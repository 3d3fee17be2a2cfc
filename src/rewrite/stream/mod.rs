//! Rewriting a document while it is read, in memory that does not grow with it.
//!
//! What comes out is what rewriting the whole document gives, to the byte. So what is written must be known for certain
//! whatever follows: the encoding, the base URL, and how the text is read. As long as it is, a window of text is
//! rewritten after the other ([`windows`]); what was read is kept aside ([`source`]) for the case that something comes
//! that takes the whole document to tell. Then the whole is rewritten as ever, and written from where the output stands.

mod output;
mod spool;
mod windows;

use std::fmt;
use std::io::{self, Read, Seek, Write};

use super::report::{LinkReport, Outcome, Report, SkipReason};
use super::{Document, Rewriter, Rewritten, single_pass};
use crate::html::BailOut;
use output::HeldOutput;
use spool::Spool;
use windows::{StreamFallback, Windows};

/// How much is read at a time, unless the settings say otherwise, in bytes. What is found in a window may take many times
/// as much.
const WINDOW: usize = 1 << 19;

/// A document that was rewritten while it was read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StreamReport {
    /// What was found; of the links there is none here, but only their number.
    pub report: Report<'static>,
    /// How many links were skipped, by reason: the reason that came first goes first.
    pub skipped: Vec<SkippedCount>,
    /// How many edits there were.
    pub edited: usize,
    /// Whether what was written is not what was read.
    pub is_changed: bool,
    /// How many bytes were read.
    pub read: u64,
    /// How many bytes were written.
    pub written: u64,
    /// Why the document was held in memory as a whole after all, if it was.
    pub buffered: Option<BufferedReason>,
}

/// How many links were skipped for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkippedCount {
    /// The reason.
    pub reason: SkipReason,
    /// How many.
    pub count: usize,
}

/// Why a document has to be known as a whole to rewrite it as [`Rewriter::rewrite`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BufferedReason {
    /// It is not longer than a window.
    Short,
    /// It is a style sheet, or a BASE is to be put in or taken out.
    Settings,
    /// Neither its first bytes nor the transport say which encoding it has, or it is in one that cannot be read in pieces
    /// (UTF-16, ISO-2022-JP).
    Encoding,
    /// A BASE that counts may come anywhere: there is none in HEAD and it need not be there, or HEAD has a TEMPLATE in it.
    Base,
    /// It holds bytes that are not text in its encoding, or text beyond ASCII in a legacy encoding where it matters which.
    Characters,
    /// The fast reader gave up.
    Tree(BailOut),
    /// What is read could not be kept aside.
    Spool,
}

impl fmt::Display for BufferedReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Short => "short document",
            Self::Settings => "settings that ask for the whole document",
            Self::Encoding => "encoding not known from its beginning",
            Self::Base => "base URL not known from its beginning",
            Self::Characters => "characters that ask for the whole document",
            Self::Tree(reason) => return reason.fmt(formatter),
            Self::Spool => "no place to keep aside what is read",
        })
    }
}

/// Why a document was not rewritten to its end while it was read. What was written up to there stands.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamError {
    /// It could not be read.
    Read(io::Error),
    /// The output could not be written.
    Write(io::Error),
    /// The whole of it was needed, and what had been kept aside could not be written or read.
    Spool(io::Error),
    /// The whole of it was needed, and then it does not begin as what was written: it is longer than what is read
    /// ([`Unsupported::TooLong`](crate::Unsupported::TooLong)). Should any other document do that, it is a defect to report.
    Diverged,
}

impl fmt::Display for StreamError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(formatter, "unreadable input: {error}"),
            Self::Write(error) => write!(formatter, "unwritable output: {error}"),
            Self::Spool(error) => {
                write!(formatter, "input that was kept aside and is lost: {error}")
            }
            Self::Diverged => formatter.write_str(
                "document that stays as it is, found out after its beginning was rewritten",
            ),
        }
    }
}

impl std::error::Error for StreamError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) | Self::Write(error) | Self::Spool(error) => Some(error),
            Self::Diverged => None,
        }
    }
}

impl Rewriter {
    /// Writes to `output` what [`rewrite`](Self::rewrite) makes of a document, while it is read: `document` is how it begins,
    /// and may be empty, and `rest` gives what follows.
    ///
    /// What was read is written to what `spool` makes, a temporary file, and read back if the document has to be known as
    /// a whole after all; a document that fits a [window](Self::window) has none made. [`StreamReport::held`] tells when and
    /// why that was so. A document is not held if its byte order mark, the transport or its first 1024 bytes name its
    /// encoding, and that is any but UTF-16 and ISO-2022-JP; if its BASE is in HEAD or need not be looked for elsewhere; and if
    /// the fast reader reads it to its end.
    ///
    /// A document of more than a gigabyte, which [`rewrite`](Self::rewrite) leaves [unread](crate::Unsupported::TooLong), is
    /// rewritten if it need not be held.
    ///
    /// # Errors
    /// The input cannot be read, the output cannot be written, or [`StreamError`] says what else.
    ///
    /// # Complexity
    /// As [`rewrite`](Self::rewrite). Memory for what is found in a window, for the longest tag, comment or text of a SCRIPT
    /// or the like, and for HEAD; where the document is held, for all of it.
    ///
    /// # Examples
    /// ```
    /// use std::io::Cursor;
    ///
    /// use absolve::{Document, Rewriter};
    ///
    /// let document = Document::new(b"").retrieved_from("http://a/b/c").encoding("utf-8");
    /// let input = &b"<a href=g>g</a>"[..];
    /// let spool = || Ok(Cursor::new(Vec::new()));
    /// let mut output = Vec::new();
    /// Rewriter::new().rewrite_stream(&document, input, spool, &mut output)?;
    /// assert_eq!(output, b"<a href=http://a/b/g>g</a>");
    /// # Ok::<(), absolve::StreamError>(())
    /// ```
    pub fn rewrite_stream<S: Read + Write + Seek>(
        &self,
        document: &Document<'_>,
        rest: impl Read,
        spool: impl FnOnce() -> io::Result<S>,
        output: impl Write,
    ) -> Result<StreamReport, StreamError> {
        let windows = Windows::new(self, document);
        let mut source = Spool::new(document.bytes.chain(rest), spool);
        let mut output = HeldOutput::new(output);
        let buffered = match windows.rewrite(&mut source, &mut output) {
            Ok(totals) => {
                output.flush()?;
                return Ok(StreamReport {
                    report: totals.report,
                    skipped: totals.skipped,
                    edited: totals.edited,
                    is_changed: totals.is_changed,
                    read: source.released(),
                    written: output.written(),
                    buffered: None,
                });
            }
            Err(StreamFallback::Buffered(buffered)) => buffered,
            Err(StreamFallback::Failed(error)) => return Err(error),
        };
        let bytes = source.all()?;
        let whole = Document {
            bytes: &bytes,
            ..document.clone()
        };
        let rewritten = single_pass::rewrite(self, &whole);
        if !windows.wrote(&bytes, output.written(), &rewritten.bytes) {
            return Err(StreamError::Diverged);
        }
        output.go_on_with(&rewritten.bytes)?;
        output.flush()?;
        Ok(StreamReport::of_whole(rewritten, buffered, &bytes))
    }
}

impl StreamReport {
    /// What rewriting the document `bytes` as a whole gave.
    fn of_whole(rewritten: Rewritten<'_>, buffered: BufferedReason, bytes: &[u8]) -> Self {
        let Rewritten {
            bytes: new,
            edited,
            mut report,
            ..
        } = rewritten;
        let mut skipped = Vec::new();
        count(&report.links, &mut skipped);
        report.links = Vec::new();
        Self {
            report: report.into_owned(),
            skipped,
            edited,
            is_changed: *new != *bytes,
            read: bytes.len() as u64,
            written: new.len() as u64,
            buffered: Some(buffered),
        }
    }
}

/// Counts the skipped ones of `links` by reason.
fn count(links: &[LinkReport<'_>], skipped: &mut Vec<SkippedCount>) {
    for link_report in links {
        let Outcome::Skipped(reason) = link_report.outcome else {
            continue;
        };
        match skipped.iter_mut().find(|other| other.reason == reason) {
            Some(other) => other.count += 1,
            None => skipped.push(SkippedCount { reason, count: 1 }),
        }
    }
}
