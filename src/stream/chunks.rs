//! Rewriting a document in chunks.
//!
//! # Before the first byte is written
//!
//! [`StreamRewriter::rewrite`] first reads until everything that holds for the whole document is known:
//!
//! 1. The encoding, from a BOM, the transport, or a `meta` element in the first [`DETECTION_PREFIX`] bytes. A document
//!    without a declaration is detected by testing all of its bytes, so it must be buffered.
//! 2. The BASE elements, which means reading to the end of HEAD.
//! 3. The spool, because from now on bytes are released that may be needed again.
//!
//! # Chunks
//!
//! A chunk is scanned in the [`ScanState`] that the previous chunk ended in, and visited as one
//! segment by [`ChunkRewriter`]. A chunk must not end within a piece of
//! markup. The scanner therefore stops after the last piece that is complete, and the rest is the beginning of the next
//! chunk. That chunk is at least twice as long as the rest, unless the document ends in it. So a long tag or SCRIPT is
//! scanned a logarithmic number of times, and the total cost remains linear. In UTF-8, a character that is cut off by
//! the end of a chunk is left to the next chunk in the same way.
//!
//! # Giving up
//!
//! Each of these ends streaming with [`StreamFallback::Buffered`]:
//!
//! | reason | detected |
//! |---|---|
//! | short document, settings, undeclared encoding, base URL not settled by HEAD, no spool | before any output |
//! | the scanner bails out (also at a BASE after HEAD) | in any chunk |
//! | invalid UTF-8; masked text that matters; edits out of order | in any chunk |
//! | output that would be detected in another encoding | when its first 1024 bytes are complete |
//!
//! # Continuing in memory
//!
//! The bytes written so far must be the beginning of the output of the whole document. [`replay_matches`] verifies that
//! by streaming the document again, from memory and into a comparison. This works because chunk boundaries depend only
//! on lengths: [`SpooledInput::fill`] reads as many bytes as were requested, however the input delivers them, so the
//! replay makes the same chunks and gives up at the same place.
//!
//! [`replay_matches`]: StreamRewriter::replay_matches

use std::borrow::Cow;
use std::io::{self, Read, Seek, Write};

use encoding_rs::{Encoding, UTF_8};

use super::output::{ComparingWriter, HeldOutput};
use super::report::{BufferedReason, SkippedCount, StreamFallback, StreamReport};
use super::spool::SpooledInput;
use crate::document::Document;
use crate::encoding::{self, Detected};
use crate::html::encoding::{DETECTION_PREFIX, detect_from_prefix};
use crate::html::scan::ScanState;
use crate::markup::BaseElement;
use crate::markup::tokens::{Chunk, ChunkTokens};
use crate::record::Report;
use crate::rewrite::chunk::{ChunkRewriter, RewrittenChunk};
use crate::settings::RewriteSettings;

/// The default length of a chunk, in bytes. The tokens of a chunk may take several times as much memory.
const CHUNK_LEN: usize = 1 << 19;

/// Rewrites a document in chunks.
pub(super) struct StreamRewriter<'s> {
    pub(super) settings: &'s RewriteSettings,
    /// The facts known from outside. Its bytes are not used: they are part of the input.
    pub(super) document: &'s Document<'s>,
    /// The configured chunk length.
    chunk_len: usize,
}

/// The bytes of a chunk, before it is known how much of it can be scanned.
struct RawChunk<'b> {
    bytes: &'b [u8],
    /// Whether the document ends with this chunk.
    is_last: bool,
}

impl StreamReport {
    /// Returns the report of a document of which nothing was rewritten yet.
    pub(super) fn begin(rewriter: &ChunkRewriter<'_>) -> Self {
        Self {
            report: Report {
                base: rewriter.base_report().clone(),
                encoding: Some(rewriter.encoding().name()),
                ..Report::default()
            },
            skipped: Vec::new(),
            edited: 0,
            is_changed: false,
            read: 0,
            written: 0,
            longest_part: 0,
            buffered: None,
        }
    }

    /// Adds the counts of a chunk, of which `old` was rewritten.
    pub(super) fn add(&mut self, rewritten: &RewrittenChunk<'_>, old: &[u8]) {
        self.report.tags += rewritten.tags;
        self.report.mismatched_tags += rewritten.mismatched_tags;
        self.report.counts += rewritten.counts;
        SkippedCount::add(&mut self.skipped, &rewritten.skipped);
        self.edited += rewritten.edit_count;
        self.longest_part = self.longest_part.max(old.len() as u64);
        self.is_changed |= rewritten.edit_count > 0 && *rewritten.bytes != *old;
    }
}

impl<'s> StreamRewriter<'s> {
    pub(super) fn new(settings: &'s RewriteSettings, document: &'s Document<'s>) -> Self {
        Self {
            settings,
            document,
            // A chunk of no bytes would make no progress.
            chunk_len: settings.chunk_len.unwrap_or(CHUNK_LEN).max(1),
        }
    }

    /// Rewrites `source` to `output`, chunk by chunk, to its end or until the whole document is needed.
    ///
    /// # Errors
    /// Returns the reason to buffer the document, or the error of reading or writing. The bytes written before are the
    /// beginning of the output.
    pub(super) fn rewrite(
        &self,
        source: &mut SpooledInput<'_, impl Read, impl Read + Write + Seek>,
        output: &mut HeldOutput<impl Write>,
    ) -> Result<StreamReport, StreamFallback> {
        let (settings, document) = (self.settings, self.document);
        source.fill(self.chunk_len.max(DETECTION_PREFIX))?;
        // Nothing is released up to the loop, so buffering for one of these reasons needs no spool.
        if source.is_over() {
            return Err(BufferedReason::Short.into());
        }
        if settings.needs_whole_document(document) {
            return Err(BufferedReason::Settings.into());
        }
        let detected = detect_from_prefix(source.bytes(), document.encoding)
            .filter(|detected| detected.encoding.is_ascii_compatible());
        let Detected {
            encoding, bom_len, ..
        } = detected.ok_or(BufferedReason::Encoding)?;
        let elements = self.base_elements(source, encoding, bom_len)?;
        if !source.create_spool() {
            return Err(BufferedReason::Spool.into());
        }
        let mut rewriter = ChunkRewriter::new(settings, document, &elements, encoding);
        let mut totals = StreamReport::begin(&rewriter);
        let base = rewriter.base_report().base.as_ref();
        let usual_len = self.usual_len(base.map(|base| &*base.url));
        let transport = document.encoding;
        totals.read = self.each_chunk(
            (source, encoding),
            (bom_len, usual_len),
            ScanState::default(),
            RewriteSettings::scan_chunk,
            |bom, bytes, text, chunk| {
                rewriter.lengthen(bom.len() + chunk.end);
                let rewritten = rewriter.rewrite(bytes, text, (&chunk.tokens, chunk.end))?;
                totals.add(&rewritten, &bytes[..chunk.end]);
                output.add(bom, encoding, transport)?;
                output.add(&rewritten.bytes, encoding, transport)
            },
        )?;
        output.end(encoding, document.encoding)?;
        totals.written = output.written();
        Ok(totals)
    }

    /// Calls `visit` with the BOM before each chunk of `source`, its bytes, its text and its tokens, which `read`
    /// returns. Returns the length of the document.
    ///
    /// Only the first chunk is after a BOM, of `bom_len` bytes; it must have been read. Every chunk is released after
    /// it was visited.
    ///
    /// # Errors
    /// Those of `read` and `visit`, or of reading `source`.
    pub(super) fn each_chunk<S, E: Into<StreamFallback>>(
        &self,
        (source, encoding): (
            &mut SpooledInput<'_, impl Read, impl Read + Write + Seek>,
            &'static Encoding,
        ),
        (bom_len, usual_len): (usize, usize),
        mut state: S,
        read: impl for<'t> Fn(&RewriteSettings, &Chunk<'t>, S) -> Result<ChunkTokens<'t, S>, E>,
        mut visit: impl FnMut(&[u8], &[u8], &str, &ChunkTokens<'_, S>) -> Result<(), StreamFallback>,
    ) -> Result<u64, StreamFallback> {
        let (mut start, mut max_len) = (bom_len, usual_len);
        loop {
            // A spool may have lost even the BOM.
            start = start.min(source.bytes().len());
            let (bom, bytes) = source.bytes().split_at(start);
            // More than one chunk may have been read.
            let is_last = source.is_over() && bytes.len() <= max_len;
            let bytes = &bytes[..bytes.len().min(max_len)];
            let text = &*RawChunk { bytes, is_last }.text(encoding)?;
            let chunk = Chunk { text, is_last };
            let chunk = read(self.settings, &chunk, state).map_err(Into::into)?;
            visit(bom, bytes, text, &chunk)?;
            let end = start + chunk.end;
            let rest_len = bytes.len() - chunk.end;
            state = chunk.state;
            source.release(end);
            if is_last {
                return Ok(source.released());
            }
            start = 0;
            // Doubling the part that did not fit keeps the total cost linear.
            max_len = usual_len.max(rest_len.saturating_mul(2));
            source.fill(max_len)?;
        }
    }

    /// Returns the usual chunk length for a document with the base URL `base`.
    ///
    /// A link of a few bytes may be replaced by one that contains the whole base URL. A long base URL shortens the
    /// chunks in proportion, so that the output of a chunk remains bounded.
    pub(super) fn usual_len(&self, base: Option<&str>) -> usize {
        // A base URL up to this length in bytes does not matter.
        const SHORT: usize = 256;
        let divisor = 1 + base.map_or(0, str::len) / SHORT;
        (self.chunk_len / divisor).max(1)
    }

    /// Reads `source` until no further BASE element can have an effect, and returns those that may.
    ///
    /// Nothing is released: all bytes that were read remain in the buffer of `source`. The text begins after the BOM.
    ///
    /// # Source
    /// HTML, "the rules for parsing tokens in HTML content": once the insertion mode is "in body", HEAD is not open
    /// anymore and nothing is inserted into it. But a TEMPLATE in HEAD has insertion modes of its own, after which HEAD
    /// continues.
    fn base_elements(
        &self,
        source: &mut SpooledInput<'_, impl Read, impl Read + Write + Seek>,
        encoding: &'static Encoding,
        bom_len: usize,
    ) -> Result<Vec<BaseElement>, StreamFallback> {
        let elements = loop {
            let is_last = source.is_over();
            let bytes = &source.bytes()[bom_len..];
            let text = RawChunk { bytes, is_last }.text(encoding)?;
            let chunk = Chunk {
                text: &text,
                is_last,
            };
            // Each attempt scans from the beginning. The length doubles below, so the total cost is linear.
            let ChunkTokens { tokens, state, .. } =
                self.settings.scan_chunk(&chunk, ScanState::default())?;
            if state.has_template_in_head() {
                return Err(BufferedReason::Base.into());
            }
            if state.is_after_head() {
                break tokens.base_elements;
            }
            if is_last {
                return Err(BufferedReason::Base.into());
            }
            let length = source.bytes().len();
            source.fill(length.saturating_mul(2))?;
        };
        if self.settings.is_base_settled(&elements) {
            Ok(elements)
        } else {
            Err(BufferedReason::Base.into())
        }
    }

    /// Returns whether streaming the document `bytes` wrote the first `written` bytes of `expected` before it ended.
    pub(super) fn replay_matches(&self, bytes: &[u8], written: u64, expected: &[u8]) -> bool {
        if written == 0 {
            return true;
        }
        // The spool is never read back here, so it may discard what it is given.
        let mut source = SpooledInput::new(bytes, || Ok(io::empty()));
        let mut comparing = ComparingWriter::new(expected);
        let mut output = HeldOutput::new(&mut comparing);
        // Replays the chunks; the result is compared below, so an error is expected here.
        let _ = self.rewrite(&mut source, &mut output);
        output.written() == written && comparing.is_equal()
    }
}

impl<'b> RawChunk<'b> {
    /// Returns the text of the chunk: a skeleton if `encoding` is not UTF-8.
    ///
    /// A UTF-8 character whose end is missing is left out, unless the chunk is the last one: there it is an error.
    fn text(&self, encoding: &'static Encoding) -> Result<Cow<'b, str>, BufferedReason> {
        let bytes = self.bytes;
        if encoding != UTF_8 {
            return Ok(Cow::Owned(encoding::skeleton(bytes)));
        }
        let complete = if self.is_last {
            bytes
        } else {
            &bytes[..complete_characters_len(bytes)]
        };
        let text = simdutf8::basic::from_utf8(complete);
        text.map(Cow::Borrowed)
            .map_err(|_| BufferedReason::Characters)
    }
}

/// Returns the length of `bytes` without a UTF-8 character at their end that is incomplete.
pub(super) fn complete_characters_len(bytes: &[u8]) -> usize {
    const LONGEST: usize = 4;
    let length = bytes.len();
    // Counts from the end: `bytes[length - back]` is the last byte that is not a trail byte (`10xxxxxx`).
    let is_first = |&back: &usize| bytes[length - back] & 0b1100_0000 != 0b1000_0000;
    let Some(back) = (1..=length.min(LONGEST)).find(is_first) else {
        // No character has so many trail bytes: the bytes are invalid, which decoding them reports.
        return length;
    };
    // The length that the lead byte announces. Bytes that cannot be lead bytes (`0xc0`, `0xf8`...) are included in the
    // ranges, because the decoder rejects them in this chunk or in the next one.
    let needed = match bytes[length - back] {
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
        _ => 1,
    };
    if needed > back { length - back } else { length }
}
