//! Rewriting a document while it is read, in memory that does not grow with its length.
//!
//! # The problem
//!
//! The output must be that of [`Rewriter::rewrite`], byte for byte, but it is written before the end of the input is
//! known. So whatever is written must be correct for every continuation of the document. That takes three facts:
//!
//! * the encoding, which may depend on a late `meta` element or, if none is declared, on any byte up to the last;
//! * the base URL, because a BASE element affects the links before it, too;
//! * the structure, which the scanner can follow in most documents, but not in all.
//!
//! # The approach
//!
//! [`chunks`] reads chunks of the input and rewrites each on its own, as one segment. The scanner carries the state
//! from one chunk to the next; a tag or text that is cut off by the end of a chunk is scanned again in the next one.
//! As soon as one of the three facts is in doubt, streaming ends with a [`BufferedReason`]: the rest is read, and the
//! whole document is rewritten in memory.
//!
//! A chunk that was rewritten is *released* from the buffer. In case it is needed again, [`spool`] keeps a copy of it,
//! in a temporary file of the caller. After buffering, the output continues where the written bytes end. This requires
//! that they are a prefix of the output of the whole document, which is verified and not assumed: the document is
//! streamed once more, from memory, and every written byte is compared with the expected output
//! ([`StreamError::Diverged`]).
//!
//! The rewritten document must be detected in the same encoding as before, which depends on its first 1024 bytes
//! ([`DETECTION_PREFIX`](crate::html::encoding::DETECTION_PREFIX)). [`output`] holds these back until it has all of
//! them.
//!
//! # Invariants
//!
//! * The chunks that were released, the buffer, and the unread input are the document, in this order.
//! * The written bytes are a prefix of what [`Rewriter::rewrite`] yields, also if an error ends the rewrite, except
//!   with [`StreamError::Diverged`].
//!
//! # Cost
//!
//! Memory for one chunk and its tokens; a chunk grows to the length of HEAD, or of the longest tag, comment or raw
//! text. Every byte is written to the spool once. A document that must be buffered is held in memory as a whole,
//! rewritten from its beginning, and streamed a second time up to the written length.

mod chunks;
mod output;
mod spool;

use std::fmt;
use std::io::{self, Read, Seek, Write};

use super::report::{LinkReport, Outcome, Report, SkipReason};
use super::{Rewriter, Rewritten, in_memory};
use crate::document::Document;
use crate::html::BailOut;
use chunks::{StreamFallback, StreamRewriter};
use output::HeldOutput;
use spool::SpooledInput;

/// The default length of a chunk, in bytes. The tokens of a chunk may take several times as much memory.
const CHUNK_LEN: usize = 1 << 19;

/// The result of [`Rewriter::rewrite_stream`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StreamReport {
    /// The base URL and the number of links. The links themselves are not recorded.
    pub report: Report<'static>,
    /// The number of skipped links by reason, in the order in which the reasons first occur.
    pub skipped: Vec<SkippedCount>,
    /// The number of edits.
    pub edited: usize,
    /// Whether the output differs from the input.
    pub is_changed: bool,
    /// The number of bytes that were read.
    pub read: u64,
    /// The number of bytes that were written.
    pub written: u64,
    /// The reason why the whole document was buffered in memory; `None` if it was streamed.
    pub buffered: Option<BufferedReason>,
}

/// The number of links that were skipped for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkippedCount {
    /// The reason.
    pub reason: SkipReason,
    /// The number of links.
    pub count: usize,
}

/// The reason why a document was buffered in memory as a whole instead of being streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BufferedReason {
    /// The document is shorter than one chunk.
    Short,
    /// The document is a style sheet, or the settings require the whole document.
    ///
    /// These settings are [`BaseElementPolicy::Insert`](crate::BaseElementPolicy::Insert),
    /// [`BaseElementPolicy::Remove`](crate::BaseElementPolicy::Remove) and
    /// [`Reader::Reference`](crate::Reader::Reference).
    Settings,
    /// The encoding is unknown or cannot be streamed.
    ///
    /// Neither the first 1024 bytes nor the transport declare one, or it is UTF-16 or ISO-2022-JP, or the first 1024
    /// bytes of the output would be detected in another encoding.
    Encoding,
    /// The base URL depends on the whole document.
    ///
    /// HEAD contains a TEMPLATE or does not end. Or HEAD has no BASE, but one that follows would have an effect
    /// ([`BaseScope::Document`](crate::BaseScope::Document)).
    Base,
    /// The single pass cannot handle the text of the document.
    ///
    /// It contains bytes that are invalid in UTF-8, or non-ASCII text in a legacy encoding that affects a link or an
    /// edit, or its edits are not in document order.
    Characters,
    /// The scanner bailed out for this reason.
    Tree(BailOut),
    /// The spool could not be created.
    Spool,
}

impl fmt::Display for BufferedReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Short => "short document",
            Self::Settings => "settings that require the whole document",
            Self::Encoding => {
                "the first 1024 bytes declare no encoding, or one that cannot be streamed"
            }
            Self::Base => "the base URL is not known after HEAD",
            Self::Characters => "invalid bytes or non-ASCII text that require the whole document",
            Self::Tree(reason) => return reason.fmt(formatter),
            Self::Spool => "unusable temporary file",
        })
    }
}

/// The reason why a document was not rewritten to its end.
///
/// The bytes that were written before the error are correct, except for [`Diverged`](Self::Diverged).
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamError {
    /// The input cannot be read.
    Read(io::Error),
    /// The output cannot be written.
    Write(io::Error),
    /// The document had to be buffered, and the spool could not be written or read back.
    Spool(io::Error),
    /// The document had to be buffered, and the output of the whole document does not begin with the written bytes.
    ///
    /// This happens if the document is too long to be buffered
    /// ([`Unsupported::TooLong`](crate::Unsupported::TooLong)). For any other document it is a bug in this crate.
    Diverged,
}

impl fmt::Display for StreamError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(formatter, "cannot read input: {error}"),
            Self::Write(error) => write!(formatter, "cannot write output: {error}"),
            Self::Spool(error) => {
                write!(formatter, "cannot use spool: {error}")
            }
            Self::Diverged => {
                formatter.write_str("document too long to buffer, after part of it was written")
            }
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
    /// Rewrites a document while it is read, with the same output as [`rewrite`](Self::rewrite).
    ///
    /// The bytes of `document` are the beginning of the document and may be empty; `rest` is the remainder. The
    /// document is streamed in bounded memory under certain conditions. The most important ones are:
    ///
    /// * its byte order mark, the transport or its first 1024 bytes declare its encoding, other than UTF-16 and
    ///   ISO-2022-JP;
    /// * its base URL is known at the end of HEAD: BASE is in HEAD, or has no effect elsewhere;
    /// * the scanner does not [bail out](BailOut).
    ///
    /// Otherwise it is buffered in memory as a whole, and [`StreamReport::buffered`] is the reason; [`BufferedReason`]
    /// lists every case. Because this may happen late, everything that was read is copied to a spool, such as a
    /// temporary file, that `spool` creates. A document that is shorter than one chunk of 512 KiB is always buffered
    /// and needs no spool.
    ///
    /// A document of more than a gigabyte, which [`rewrite`](Self::rewrite) [cannot
    /// parse](crate::Unsupported::TooLong), can be streamed.
    ///
    /// # Errors
    /// Returns a [`StreamError`] if the input cannot be read, the output cannot be written, or the document must be
    /// buffered and the spool fails or the document is too long for that.
    ///
    /// # Complexity
    /// That of [`rewrite`](Self::rewrite). Takes memory for a chunk, for HEAD, and for the longest tag, comment or text
    /// of an element such as SCRIPT. A document that is buffered takes memory for all of it.
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
        let streaming = StreamRewriter::new(self, document);
        // The given bytes are read like the others, so that they are part of the first chunk and of the spool.
        let mut source = SpooledInput::new(document.bytes.chain(rest), spool);
        let mut output = HeldOutput::new(output);
        let buffered = match streaming.rewrite(&mut source, &mut output) {
            Ok(totals) => {
                output.flush()?;
                return Ok(StreamReport {
                    report: totals.report,
                    skipped: totals.skipped,
                    edited: totals.edit_count,
                    is_changed: totals.is_changed,
                    // The last chunk was released, too, so this is the length of the document.
                    read: source.released(),
                    written: output.written(),
                    buffered: None,
                });
            }
            Err(StreamFallback::Buffered(buffered)) => buffered,
            Err(StreamFallback::Failed(error)) => return Err(error),
        };
        // From here on the document is rewritten in memory, whatever was streamed before.
        let bytes = source.into_bytes()?;
        let whole = Document {
            bytes: &bytes,
            ..document.clone()
        };
        // In place: the report of a stream has no links but the skipped ones.
        let rewritten = in_memory::rewrite(self, &whole);
        if !streaming.replay_matches(&bytes, output.written(), &rewritten.bytes) {
            return Err(StreamError::Diverged);
        }
        // Bytes that the output still holds back were not written, so they are part of the rest.
        output.write_rest_of(&rewritten.bytes)?;
        output.flush()?;
        Ok(StreamReport::from_buffered(rewritten, buffered, &bytes))
    }
}

impl StreamReport {
    /// Builds the report of the document `bytes`, which was rewritten in memory.
    fn from_buffered(rewritten: Rewritten<'_>, buffered: BufferedReason, bytes: &[u8]) -> Self {
        let Rewritten {
            bytes: new,
            edited,
            mut report,
            ..
        } = rewritten;
        let mut skipped = Vec::new();
        count_skipped(&report.links, &mut skipped);
        // Dropped before `into_owned`, which would copy them.
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

/// Adds the skipped links among `links` to `skipped`, by reason.
fn count_skipped(links: &[LinkReport<'_>], skipped: &mut Vec<SkippedCount>) {
    for link_report in links {
        let Outcome::Skipped(reason) = link_report.outcome else {
            continue;
        };
        // There are about ten reasons, so a search is cheaper than a map, and it keeps their order.
        match skipped.iter_mut().find(|known| known.reason == reason) {
            Some(known) => known.count += 1,
            None => skipped.push(SkippedCount { reason, count: 1 }),
        }
    }
}
