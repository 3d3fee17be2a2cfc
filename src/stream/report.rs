//! The report of a stream, and the reasons why one ends early.

use std::fmt;
use std::io;

use crate::html::BailOut;
use crate::limits::Limit;
use crate::record::{LinkReport, Report, Rewritten, SkipReason};
use crate::rewrite::Fallback;
use crate::unsupported::Unsupported;

/// The result of [`Rewriter::rewrite_stream`](crate::Rewriter::rewrite_stream).
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
    /// The length in bytes of the longest part that was in memory at once.
    ///
    /// It is that of a chunk, usually 512 KiB, or of a longer tag, comment, or text of an element.
    pub longest_part: u64,
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

impl SkippedCount {
    /// Adds the skipped links among `links` to `skipped`, by reason, in order of first occurrence.
    pub fn add(skipped: &mut Vec<Self>, links: &[LinkReport<'_>]) {
        for reason in links.iter().filter_map(LinkReport::skip_reason) {
            // There are about ten reasons, so a search is cheaper than a map, and it keeps their order.
            match skipped.iter_mut().find(|known| known.reason == reason) {
                Some(known) => known.count += 1,
                None => skipped.push(Self { reason, count: 1 }),
            }
        }
    }
}

/// The reason why a document was buffered in memory as a whole instead of being streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BufferedReason {
    /// The document is shorter than one chunk.
    Short,
    /// The document is a style sheet or a JSON Feed, or the settings require the whole document.
    ///
    /// These settings are [`Rewriter::ill_formed_xml`](crate::Rewriter::ill_formed_xml) for XML,
    /// [`BaseElementPolicy::Insert`](crate::BaseElementPolicy::Insert), and
    /// [`BaseElementPolicy::Remove`](crate::BaseElementPolicy::Remove).
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
    /// The XML document is not well-formed, or an element whose text is a link does not end where it seems to.
    Xml,
    /// The scanner bailed out for this reason.
    Tree(BailOut),
    /// The part of the document that was read exceeds this limit. All of it may be within the limit.
    Limit(Limit),
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
            Self::Xml => "XML that must be read as a whole",
            Self::Tree(reason) => return reason.fmt(formatter),
            Self::Limit(limit) => return Unsupported::LimitExceeded(*limit).fmt(formatter),
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
    /// This is a bug in this crate.
    Diverged,
    /// The whole document is not read, for this reason, after part of it was written.
    Unsupported(Unsupported),
}

impl fmt::Display for StreamError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(formatter, "cannot read input: {error}"),
            Self::Write(error) => write!(formatter, "cannot write output: {error}"),
            Self::Spool(error) => write!(formatter, "cannot use spool: {error}"),
            Self::Diverged => formatter
                .write_str("the whole document would begin with other output than was written"),
            Self::Unsupported(reason) => {
                write!(formatter, "{reason}, after part of it was written")
            }
        }
    }
}

impl std::error::Error for StreamError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) | Self::Write(error) | Self::Spool(error) => Some(error),
            Self::Diverged | Self::Unsupported(_) => None,
        }
    }
}

/// The reason why a document was not rewritten in chunks to its end.
pub(super) enum StreamFallback {
    /// It must be rewritten as a whole.
    Buffered(BufferedReason),
    /// Reading or writing failed.
    Failed(StreamError),
}

impl From<BufferedReason> for StreamFallback {
    fn from(reason: BufferedReason) -> Self {
        Self::Buffered(reason)
    }
}

impl From<Fallback> for StreamFallback {
    fn from(fallback: Fallback) -> Self {
        Self::Buffered(match fallback {
            Fallback::BailedOut(reason) => BufferedReason::Tree(reason),
            Fallback::Unsupported(Unsupported::LimitExceeded(limit)) => {
                BufferedReason::Limit(limit)
            }
            // A chunk has no encoding of its own and is not verified, so the text or the order of edits is the reason.
            _ => BufferedReason::Characters,
        })
    }
}

impl From<StreamError> for StreamFallback {
    fn from(error: StreamError) -> Self {
        Self::Failed(error)
    }
}

impl StreamReport {
    /// Builds the report of the document `bytes`, which was rewritten in memory.
    pub(super) fn from_buffered(
        rewritten: Rewritten<'_>,
        buffered: BufferedReason,
        bytes: &[u8],
    ) -> Self {
        let (new, mut report) = (rewritten.bytes, rewritten.report);
        let mut skipped = Vec::new();
        SkippedCount::add(&mut skipped, &report.links);
        // Dropped before `into_owned`, which would copy them.
        report.links = Vec::new();
        Self {
            report: report.into_owned(),
            skipped,
            edited: rewritten.edited,
            is_changed: *new != *bytes,
            read: bytes.len() as u64,
            written: new.len() as u64,
            longest_part: bytes.len() as u64,
            buffered: Some(buffered),
        }
    }
}
