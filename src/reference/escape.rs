//! What may stand in which component of a URL, and percent-encoding for what may not.
//!
//! The sets are the URL Standard's, through `url-escape`: RFC 1808 (2.2) leaves everything else out of a URL without
//! saying what to do with it, and these sets are the ones under which a link leads where it led before. A `%` is never
//! encoded, so that what is encoded already stays as it is.

use std::borrow::Cow;

use encoding_rs::{EncoderResult, Encoding};
use memchr::memchr3;
use url_escape::percent_encoding::{AsciiSet, percent_encode};

use super::generic::Component;

/// What becomes of characters that cannot stand in a URL, in references that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Escape {
    /// They are percent-encoded, component by component, as far as the URL Standard does: a backslash, for one, stays,
    /// because browsers read it as a slash. Tabs and line breaks are left out.
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
    if memchr3(b'\t', b'\n', b'\r', reference.as_bytes()).is_some() {
        Cow::Owned(reference.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(reference)
    }
}

/// Letters, digits, and some other characters of ASCII.
pub(super) struct Characters([bool; 256]);

impl Characters {
    /// Those besides letters and digits are `others`.
    pub(super) const fn with(others: &[u8]) -> Self {
        let mut has = [false; 256];
        let mut byte: u8 = 0;
        while byte < 128 {
            has[byte as usize] = byte.is_ascii_alphanumeric();
            byte += 1;
        }
        let mut index = 0;
        while index < others.len() {
            has[others[index] as usize] = true;
            index += 1;
        }
        Self(has)
    }

    /// Whether there are no other characters in `text`.
    pub(super) fn are_all_of(&self, text: &str) -> bool {
        text.bytes().all(|byte| self.0[usize::from(byte)])
    }
}

/// Appends the components of a target to a text, escaped as their kind demands.
pub(super) struct EscapeWriter<'t> {
    target: &'t mut String,
    start: usize,
    escape: Escape,
    query_encoding: &'static Encoding,
}

impl<'t> EscapeWriter<'t> {
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

    /// A scheme or a delimiter: ASCII that needs no escaping; or a text to be taken as it is.
    pub(super) fn delimiter(&mut self, text: &str) {
        self.target.push_str(text);
    }

    pub(super) fn insert_delimiter(&mut self, position: usize, text: &str) {
        self.target.insert_str(self.start + position, text);
    }

    /// `scheme:` and `//authority`, as far as they are there.
    ///
    /// In the authority only what can stand in no component is encoded: `url-escape`'s set for user information would
    /// encode the delimiters between user, host and port.
    pub(super) fn scheme_and_authority(
        &mut self,
        scheme: Option<&str>,
        authority: Option<Component<'_>>,
    ) {
        if let Some(scheme) = scheme {
            self.delimiter(scheme);
            self.delimiter(":");
        }
        if let Some(authority) = authority {
            self.delimiter("//");
            self.part(authority, url_escape::FRAGMENT);
        }
    }

    /// A path, or a piece of one.
    pub(super) fn path(&mut self, path: Component<'_>) {
        self.part(path, url_escape::PATH);
    }

    /// `;params`, `?query` and `#fragment`, as far as they are there.
    pub(super) fn params_query_and_fragment(
        &mut self,
        params: Option<Component<'_>>,
        query: Option<Component<'_>>,
        fragment: Option<Component<'_>>,
    ) {
        if let Some(params) = params {
            self.delimiter(";");
            self.path(params);
        }
        if let Some(query) = query {
            self.delimiter("?");
            match query {
                Component::Own(query) if self.escape == Escape::Url && !query.is_ascii() => {
                    self.query(query);
                }
                query => self.part(query, url_escape::QUERY),
            }
        }
        if let Some(fragment) = fragment {
            self.delimiter("#");
            self.part(fragment, url_escape::FRAGMENT);
        }
    }

    /// A query beyond ASCII, in the document's encoding.
    fn query(&mut self, query: &str) {
        let bytes = encode_query(query, self.query_encoding);
        self.target
            .extend(percent_encode(&bytes, url_escape::QUERY));
    }

    fn part(&mut self, part: Component<'_>, set: &'static AsciiSet) {
        match part {
            Component::Inherited(text) => self.target.push_str(text),
            Component::Own(text) => self.component(text, set),
        }
    }

    fn component(&mut self, text: &str, set: &'static AsciiSet) {
        match self.escape {
            Escape::Url => {
                url_escape::encode_to_string(text, set, self.target);
            }
            Escape::None => self.target.push_str(text),
        }
    }
}

/// The bytes of a query in `encoding`, not yet percent-encoded; a character that the encoding lacks is a numeric
/// character reference, which is.
///
/// # Source
/// URL Standard, "percent-encode after encoding".
pub(super) fn encode_query(query: &str, encoding: &'static Encoding) -> Vec<u8> {
    let mut encoder = encoding.new_encoder();
    let mut bytes = Vec::with_capacity(query.len() + 16);
    let mut rest = query;
    loop {
        bytes.reserve(rest.len() * 2 + 16);
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return bytes,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(character) => {
                bytes.extend_from_slice(b"%26%23");
                bytes.extend_from_slice(u32::from(character).to_string().as_bytes());
                bytes.extend_from_slice(b"%3B");
            }
        }
    }
}
