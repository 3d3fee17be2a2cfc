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

use super::chunks::StreamRewriter;
use super::output::HeldOutput;
use super::report::{BufferedReason, StreamError, StreamFallback, StreamReport};
use super::spool::SpooledInput;
use crate::markup::tokens::{Chunk, ChunkTokens};
use crate::rewrite::chunk::ChunkRewriter;
use crate::settings::RewriteSettings;
use crate::xml::XmlState;
use crate::xml::encoding::{DETECTION_PREFIX, detect};

/// The maximum number of BASE elements of a document that is streamed, all of which are kept in memory.
const MAX_BASE_ELEMENTS: usize = 1 << 10;

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
        let (mut base_elements, mut feed_link) = (Vec::new(), None);
        let (start, state) = ((bom_len, self.usual_len(None)), XmlState::new(None));
        self.each_chunk((source, UTF_8), start, state, read, |_, _, _, chunk| {
            base_elements.extend_from_slice(&chunk.tokens.base_elements);
            feed_link = chunk.state.feed_link().map(str::to_owned);
            if base_elements.len() > MAX_BASE_ELEMENTS {
                return Err(BufferedReason::Base.into());
            }
            Ok(())
        })?;
        let mut rewriter = ChunkRewriter::new(settings, document, &base_elements, UTF_8);
        let mut totals = StreamReport::begin(&rewriter);
        let (spool, length) = source.rewound()?;
        rewriter.lengthen(usize::try_from(length).unwrap_or(usize::MAX));
        let mut second = SpooledInput::new(spool, || Ok(std::io::empty()));
        second.fill(self.usual_len(None).max(DETECTION_PREFIX))?;
        let (source, state) = ((&mut second, UTF_8), XmlState::new(feed_link));
        let read = self.each_chunk(source, start, state, read, |bom, bytes, text, chunk| {
            output.write(bom)?;
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
}

/// Returns the tokens of a chunk that begins in `state`, or the reason to buffer the document.
fn read<'t>(
    settings: &RewriteSettings,
    chunk: &Chunk<'t>,
    state: XmlState,
) -> Result<ChunkTokens<'t, XmlState>, BufferedReason> {
    let read = settings.read_xml_chunk(chunk, state);
    read.ok_or(BufferedReason::Xml)
}
