//! Rewriting a document while it is read, in memory that does not grow with its length.
//!
//! # The problem
//!
//! The output must be that of [`Rewriter::rewrite`](crate::Rewriter::rewrite), byte for byte, but it is written before
//! the end of the input is known. So whatever is written must be correct for every continuation of the document. That
//! takes three facts:
//!
//! * the encoding, which may depend on a late `meta` element or, if none is declared, on any byte up to the last;
//! * the base URL, because a BASE element affects the links before it, too;
//! * the structure, which the scanner can follow in most documents, but not in all.
//!
//! # The approach
//!
//! `chunks` reads chunks of the input and rewrites each on its own, as one segment. The scanner carries the state
//! from one chunk to the next; a tag or text that is cut off by the end of a chunk is scanned again in the next one.
//! As soon as one of the three facts is in doubt, streaming ends with a [`BufferedReason`]: the rest is read, and the
//! whole document is rewritten in memory.
//!
//! A chunk that was rewritten is *released* from the buffer. In case it is needed again, `spool` keeps a copy of it,
//! in a temporary file of the caller. After buffering, the output continues where the written bytes end. This requires
//! that they are a prefix of the output of the whole document, which is verified and not assumed: the document is
//! streamed once more, from memory, and every written byte is compared with the expected output
//! ([`StreamError::Diverged`]).
//!
//! The rewritten document must be detected in the same encoding as before, which depends on its first 1024 bytes
//! (`DETECTION_PREFIX`). `output` holds these back until it has all of
//! them.
//!
//! XML documents are streamed in another way, because an error at the end leaves all of the document unchanged: `xml`
//! reads the document to its end before it writes the first byte, and then reads it again from the spool.
//!
//! # Invariants
//!
//! * The chunks that were released, the buffer, and the unread input are the document, in this order.
//! * The written bytes are a prefix of what [`Rewriter::rewrite`](crate::Rewriter::rewrite) yields, also if an error
//!   ends the rewrite, except with [`StreamError::Diverged`].
//!
//! # Cost
//!
//! Memory for one chunk and its tokens; a chunk grows to the length of HEAD, or of the longest tag, comment or raw
//! text. Every byte is written to the spool once. A document that must be buffered is held in memory as a whole,
//! rewritten from its beginning, and streamed a second time up to the written length.

mod chunks;
mod detection;
mod output;
mod report;
mod spool;
mod xml;

use std::io::{self, Read, Seek, Write};

use crate::document::{Document, DocumentKind};
use crate::rewrite::in_memory;
use crate::settings::RewriteSettings;
use chunks::StreamRewriter;
pub use detection::is_undeclared_utf8;
use output::HeldOutput;
use report::StreamFallback;
pub use report::{BufferedReason, SkippedCount, StreamError, StreamReport};
use spool::SpooledInput;

/// Rewrites a document while it is read; see [`Rewriter::rewrite_stream`](crate::Rewriter::rewrite_stream).
pub(crate) fn rewrite<S: Read + Write + Seek>(
    settings: &RewriteSettings,
    document: &Document<'_>,
    rest: impl Read,
    spool: impl FnOnce() -> io::Result<S>,
    output: impl Write,
) -> Result<StreamReport, StreamError> {
    let streaming = StreamRewriter::new(settings, document);
    // The given bytes are read like the others, so that they are part of the first chunk and of the spool.
    let mut source = SpooledInput::new(document.bytes.chain(rest), spool);
    let mut output = HeldOutput::new(output);
    let streamed = match document.kind {
        DocumentKind::Xml => streaming.rewrite_xml(&mut source, &mut output),
        _ => streaming.rewrite(&mut source, &mut output),
    };
    let buffered = match streamed {
        Ok(report) => {
            output.flush()?;
            return Ok(report);
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
    // The report of a stream has no links but the skipped ones.
    let rewritten = in_memory::rewrite(settings, &whole);
    if !streaming.replay_matches(&bytes, output.written(), &rewritten.bytes) {
        let reason = rewritten.report.unsupported;
        return Err(reason.map_or(StreamError::Diverged, StreamError::Unsupported));
    }
    // Bytes that the output still holds back were not written, so they are part of the rest.
    output.write_rest_of(&rewritten.bytes)?;
    output.flush()?;
    Ok(StreamReport::from_buffered(rewritten, buffered, &bytes))
}
