//! Rewriting an XML document in chunks.
//!
//! # The problem
//!
//! An error at the end of an XML document leaves all of it unchanged, and the link of a feed may follow its items. So
//! nothing can be written before the end of the input is known.
//!
//! # The approach
//!
//! [`StreamRewriter::rewrite_xml`] reads the document twice, both times in chunks:
//!
//! 1. The *survey* reads the input to its end, checks it, and collects what holds for the whole document: `BASE`
//!    elements, the `xml:base` of the root element, the link of the feed. Every chunk is released to the spool.
//! 2. The second pass reads the spool, rewrites each chunk, and writes it.
//!
//! Both passes make the same chunks, because these depend on lengths and on the text only. So whatever prevents
//! streaming is found by the survey, when nothing is written yet.
//!
//! # Cost
//!
//! Memory for a chunk and its tokens; a chunk grows to the longest item of a feed, text of a link, or tag. The document
//! is written to the spool and read back once.

use std::io::{Read, Seek, Write};

use encoding_rs::UTF_8;

use super::chunks::{RawChunk, StreamRewriter};
use super::output::HeldOutput;
use super::report::{BufferedReason, StreamError, StreamFallback, StreamReport};
use super::spool::SpooledInput;
use crate::markup::BaseElement;
use crate::rewrite::chunk::ChunkRewriter;
use crate::xml::encoding::{DETECTION_PREFIX, detect};
use crate::xml::{XmlChunk, XmlState};

/// The maximum number of BASE elements of a document that is streamed, all of which are kept in memory.
const MAX_BASE_ELEMENTS: usize = 1 << 10;

/// Facts about a document that are known at its end.
struct Survey {
    base_elements: Vec<BaseElement>,
    feed_link: Option<String>,
}

impl StreamRewriter<'_> {
    /// Rewrites the XML document `source` to `output`, or gives up before anything is written.
    ///
    /// # Errors
    /// Returns the reason to buffer the document, or the error of reading or writing.
    pub(super) fn rewrite_xml(
        &self,
        source: &mut SpooledInput<'_, impl Read, impl Read + Write + Seek>,
        output: &mut HeldOutput<impl Write>,
    ) -> Result<StreamReport, StreamFallback> {
        let (settings, document) = (self.settings, self.document);
        source.fill(self.usual_len(None).max(DETECTION_PREFIX))?;
        // Nothing is released before the survey, so buffering for one of these reasons needs no spool.
        if source.is_over() {
            return Err(BufferedReason::Short.into());
        }
        if settings.needs_whole_document(document) {
            return Err(BufferedReason::Settings.into());
        }
        let detected = detect(source.bytes(), document.encoding);
        if detected.encoding != UTF_8 {
            return Err(BufferedReason::Encoding.into());
        }
        if !source.create_spool() {
            return Err(BufferedReason::Spool.into());
        }
        let bom_len = detected.bom_len;
        let mut survey = Survey {
            base_elements: Vec::new(),
            feed_link: None,
        };
        self.each_chunk(source, bom_len, None, |_, _, chunk| {
            survey
                .base_elements
                .extend_from_slice(&chunk.tokens.base_elements);
            survey.feed_link = chunk.state.feed_link().map(str::to_owned);
            if survey.base_elements.len() > MAX_BASE_ELEMENTS {
                return Err(BufferedReason::Base.into());
            }
            Ok(())
        })?;
        let mut rewriter = ChunkRewriter::new(settings, document, &survey.base_elements, UTF_8);
        let mut totals = StreamReport::begin(&rewriter);
        let (spool, length) = source.rewound()?;
        rewriter.lengthen(usize::try_from(length).unwrap_or(usize::MAX));
        let mut second = SpooledInput::new(spool, || Ok(std::io::empty()));
        second.fill(self.usual_len(None).max(DETECTION_PREFIX))?;
        let mut prefix = bom_len;
        let feed_link = survey.feed_link;
        let read = self.each_chunk(&mut second, bom_len, feed_link, |bytes, text, chunk| {
            if prefix > 0 {
                // The first chunk begins after the BOM, which is always that of UTF-8.
                output.write("\u{feff}".as_bytes())?;
                prefix = 0;
            }
            let rewritten = rewriter.rewrite(bytes, text, (&chunk.tokens, chunk.end))?;
            totals.add(&rewritten, &bytes[..chunk.end]);
            Ok(output.write(&rewritten.bytes)?)
        });
        match read {
            Ok(read) if read == length => {}
            Err(StreamFallback::Failed(error)) => return Err(error.into()),
            Err(limit @ StreamFallback::Buffered(BufferedReason::Limit(_))) => return Err(limit),
            // The spool is the caller's and may not return what was written to it.
            _ => return Err(StreamError::Spool(std::io::ErrorKind::UnexpectedEof.into()).into()),
        }
        totals.read = length;
        totals.written = output.written();
        Ok(totals)
    }

    /// Calls `visit` with the bytes, the text and the tokens of each chunk of `source`, whose first bytes are a BOM of
    /// length `bom_len`. Returns the number of bytes that were read.
    ///
    /// The first chunk must have been read. Every chunk is released after it was visited.
    ///
    /// # Errors
    /// Those of `visit` and of reading, or the reason to buffer the document.
    fn each_chunk(
        &self,
        source: &mut SpooledInput<'_, impl Read, impl Read + Write + Seek>,
        bom_len: usize,
        feed_link: Option<String>,
        mut visit: impl FnMut(&[u8], &str, &XmlChunk<'_>) -> Result<(), StreamFallback>,
    ) -> Result<u64, StreamFallback> {
        let usual_len = self.usual_len(None);
        let mut state = XmlState::new(feed_link);
        let (mut start, mut max_len) = (bom_len, usual_len);
        loop {
            let bytes = &source.bytes()[start..];
            let is_last = source.is_over() && bytes.len() <= max_len;
            let bytes = &bytes[..bytes.len().min(max_len)];
            let text = RawChunk { bytes, is_last }.text(UTF_8)?;
            let read = self.settings.read_xml_chunk(&text, is_last, state);
            let chunk = read.ok_or(BufferedReason::Xml)?;
            visit(bytes, &text, &chunk)?;
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
}
