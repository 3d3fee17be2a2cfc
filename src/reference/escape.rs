//! What may stand in which component of a URL, and percent-encoding for what may not.
//!
//! The sets are the URL Standard's, through `url-escape`: RFC 1808 (2.2) leaves everything else out of a URL without
//! saying what to do with it, and these sets are the ones under which a link leads where it led before. A `%` is never
//! encoded, so that what is encoded already stays as it is.

use std::borrow::Cow;

use encoding_rs::{EncoderResult, Encoding};
use url_escape::percent_encoding::{AsciiSet, percent_encode};

/// What becomes of characters that cannot stand in a URL, in references that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Escape {
    /// They are percent-encoded, component by component; tabs and line breaks are left out.
    #[default]
    Url,
    /// They stay as the author wrote them.
    None,
}

/// `reference` without tabs and line breaks: white space that only serves to break a long URL over lines is ignored.
///
/// # Source
/// RFC 1738, appendix "Recommendations for URLs in Context"; spaces stay (and are percent-encoded), because in HTML
/// they are part of file names far more often than not. The URL Standard, "basic URL parser", does the same.
pub(crate) fn without_line_breaks(reference: &str) -> Cow<'_, str> {
    let is_break = |character| matches!(character, '\t' | '\n' | '\r');
    if reference.contains(is_break) {
        Cow::Owned(reference.replace(is_break, ""))
    } else {
        Cow::Borrowed(reference)
    }
}

/// Appends the components of a target to a text, escaped as their kind demands.
pub(super) struct Writer<'t> {
    target: &'t mut String,
    start: usize,
    escape: Escape,
    query_encoding: &'static Encoding,
}

impl<'t> Writer<'t> {
    pub(super) fn new(
        target: &'t mut String,
        escape: Escape,
        query_encoding: &'static Encoding,
    ) -> Self {
        let start = target.len();
        Self {
            target,
            start,
            escape,
            query_encoding,
        }
    }

    /// What this writer has written so far; positions are bytes of this text.
    pub(super) fn written(&self) -> &str {
        &self.target[self.start..]
    }

    pub(super) fn len(&self) -> usize {
        self.target.len() - self.start
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.target.truncate(self.start + length);
    }

    /// A scheme or a delimiter: ASCII that needs no escaping.
    pub(super) fn delimiter(&mut self, text: &str) {
        self.target.push_str(text);
    }

    pub(super) fn insert_delimiter(&mut self, position: usize, text: &str) {
        self.target.insert_str(self.start + position, text);
    }

    /// The network location. Only what can stand in no component is encoded: `url-escape`'s set for user information
    /// would encode the delimiters between user, host and port.
    pub(super) fn authority(&mut self, text: &str) {
        self.component(text, url_escape::FRAGMENT);
    }

    /// A path, a piece of one, or params.
    pub(super) fn path(&mut self, text: &str) {
        self.component(text, url_escape::PATH);
    }

    /// The query, in the document's encoding; a character that encoding lacks becomes a numeric character reference,
    /// itself percent-encoded.
    ///
    /// # Source
    /// URL Standard, "percent-encode after encoding".
    pub(super) fn query(&mut self, text: &str) {
        if self.escape == Escape::None
            || text.is_ascii()
            || self.query_encoding == encoding_rs::UTF_8
        {
            self.component(text, url_escape::QUERY);
            return;
        }
        let mut encoder = self.query_encoding.new_encoder();
        let mut rest = text;
        let mut bytes = Vec::new();
        loop {
            bytes.reserve(rest.len() * 2 + 16);
            let (result, read) =
                encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
            rest = &rest[read..];
            self.bytes(&bytes, url_escape::QUERY);
            bytes.clear();
            match result {
                EncoderResult::InputEmpty => return,
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(character) => {
                    self.target.push_str("%26%23");
                    self.target.push_str(&u32::from(character).to_string());
                    self.target.push_str("%3B");
                }
            }
        }
    }

    pub(super) fn fragment(&mut self, text: &str) {
        self.component(text, url_escape::FRAGMENT);
    }

    fn component(&mut self, text: &str, set: &'static AsciiSet) {
        match self.escape {
            Escape::Url => {
                url_escape::encode_to_string(text, set, self.target);
            }
            Escape::None => self.target.push_str(text),
        }
    }

    fn bytes(&mut self, bytes: &[u8], set: &'static AsciiSet) {
        self.target.extend(percent_encode(bytes, set));
    }
}
