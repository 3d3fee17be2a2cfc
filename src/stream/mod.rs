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
//! * The written bytes are a prefix of what [`Rewriter::rewrite`] yields, also if an error ends the rewrite, except
//!   with [`StreamError::Diverged`].
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
use crate::outcome::Rewriter;
use chunks::StreamRewriter;
pub use detection::is_undeclared_utf8;
use output::HeldOutput;
use report::StreamFallback;
pub use report::{BufferedReason, SkippedCount, StreamError, StreamReport};
use spool::SpooledInput;

impl Rewriter {
    /// Rewrites a document while it is read, with the same output as [`rewrite`](Self::rewrite).
    ///
    /// The bytes of `document` are the beginning of the document and may be empty; `rest` is the remainder. The
    /// document is streamed in bounded memory under certain conditions. The most important ones are:
    ///
    /// * its byte order mark, the transport or its first 1024 bytes declare its encoding, other than UTF-16 and
    ///   ISO-2022-JP;
    /// * its base URL is known at the end of HEAD: BASE is in HEAD, or has no effect elsewhere;
    /// * the scanner does not [bail out](crate::BailOut).
    ///
    /// For a document that declares no encoding and can be read twice, [`is_undeclared_utf8`] may find it.
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
    /// # Ok::<(), absolve::stream::StreamError>(())
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
        let rewritten = self.rewrite_recording_skipped(&whole);
        if !streaming.replay_matches(&bytes, output.written(), &rewritten.bytes) {
            let reason = rewritten.report.unsupported;
            return Err(reason.map_or(StreamError::Diverged, StreamError::Unsupported));
        }
        // Bytes that the output still holds back were not written, so they are part of the rest.
        output.write_rest_of(&rewritten.bytes)?;
        output.flush()?;
        Ok(StreamReport::from_buffered(rewritten, buffered, &bytes))
    }
}
