//! [`XmlSegments`]: a document that is read one segment after the other, so that the tokens of all of it need not be
//! kept.
//!
//! Whether the document is well-formed is known at its end only. The caller visits the segments meanwhile, and discards
//! what it did if there is an error.

use super::error::ReadError;
use super::reader::{ReadOptions, XmlReader, first_error};
use crate::markup::tokens::Tokens;
use crate::unsupported::IllFormed;

/// Number of recorded start tags after which a segment ends, where it may end.
const SEGMENT_TAGS: usize = 128;

/// The segments of a document.
pub(crate) struct XmlSegments<'t, 'n> {
    reader: XmlReader<'t, 'n>,
    /// The end of the current segment.
    end: usize,
    is_over: bool,
    /// The link of the feed at the end of the first segment.
    feed_link: Option<String>,
}

/// The reason why the segments that were read so far must be discarded.
#[derive(Debug)]
pub(crate) enum XmlSegmentsError {
    /// The document is not well-formed.
    IllFormed(IllFormed),
    /// A base URL of the whole document follows the first segment: a BASE element, or the link of a feed.
    LateBase,
}

impl<'t, 'n> XmlSegments<'t, 'n> {
    /// Returns the segments of `text`, which end after that many recorded start tags, by default 128.
    pub(crate) fn new(text: &'t str, tags: Option<usize>, options: ReadOptions<'n>) -> Self {
        let mut reader = XmlReader::new(text, options);
        reader.segment_tags = tags.unwrap_or(SEGMENT_TAGS);
        Self {
            reader,
            end: 0,
            is_over: false,
            feed_link: None,
        }
    }

    /// Returns the tokens of the next segment, or `None` after the last one. Spans are bytes of the whole text.
    ///
    /// The first segment has the base URLs of the whole document: all BASE elements, and the link of a feed.
    ///
    /// # Errors
    /// See [`XmlSegmentsError`]. The caller must then discard all earlier segments.
    ///
    /// # Complexity
    /// Linear in the length of the text, over all segments together.
    pub(crate) fn next_segment(&mut self) -> Result<Option<&Tokens<'t>>, XmlSegmentsError> {
        if self.is_over {
            return Ok(None);
        }
        let is_first = self.end == 0;
        let reader = &mut self.reader;
        reader.tokens.clear();
        // A segment ends outside of all other scopes.
        reader.tokens.scopes.truncate(1);
        self.end = reader.run(self.end).map_err(|error: ReadError| {
            XmlSegmentsError::IllFormed(first_error(reader.text, reader.options, error))
        })?;
        self.is_over = self.end == reader.text.len();
        let tokens = &self.reader.tokens;
        let feed_link = tokens.scopes.first().and_then(|scope| scope.link.as_ref());
        if is_first {
            self.feed_link = feed_link.cloned();
        } else if !tokens.base_elements.is_empty() || feed_link != self.feed_link.as_ref() {
            return Err(XmlSegmentsError::LateBase);
        }
        Ok(Some(tokens))
    }
}
