//! Percent-encoding of the characters that a component of a URL may not contain.
//!
//! The sets are those of the URL Standard, through `url-escape`. RFC 1808 (section 2.2) does not allow other
//! characters in a URL, but does not specify how to treat them; with these sets a browser follows a link to the same
//! URL as before. A `%` is never encoded, so text that is encoded already is left unchanged.

use std::borrow::Cow;

use encoding_rs::{EncoderResult, Encoding};
use idna::AsciiDenyList;
use memchr::{memchr, memchr3};
use url_escape::percent_encoding::{AsciiSet, percent_encode};

use super::Authority;
use super::target::Component;
use crate::names::named_values;
use crate::scheme;

/// The treatment of characters that are not allowed in a URL, in targets that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Escape {
    /// Percent-encodes these characters, component by component, as the URL Standard does.
    ///
    /// Tabs and line breaks are removed, and so are control characters and spaces at the ends.
    #[default]
    Url,
    /// Leaves these characters as the author wrote them. A backslash that is read as a slash is still written as one.
    None,
}

named_values! { Escape, "escaping":
    Url => "url",
    None => "none",
}

/// Returns `reference` without C0 controls and spaces at its ends, tabs and line breaks.
///
/// Line breaks only break a long URL over several lines. Other spaces are kept (and percent-encoded), because in HTML
/// they usually are part of file names.
///
/// # Source
/// URL Standard, "basic URL parser", steps 1 and 3, in every profile. RFC 1738, appendix "Recommendations for URLs in
/// Context", also removes line breaks.
#[must_use]
pub fn stripped(reference: &str) -> Cow<'_, str> {
    let reference = reference.trim_matches(|character| character <= ' ');
    if memchr3(b'\t', b'\n', b'\r', reference.as_bytes()).is_some() {
        Cow::Owned(reference.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(reference)
    }
}

/// Returns `text` with a slash for each backslash before its query and fragment, if it is a special URL or relative to
/// one.
///
/// `base_scheme` is the scheme that `text` inherits if it has none.
///
/// DIFFERENCE: neither RFC has a backslash in a URL. Kept in a target, it would be read as a slash only once the path
/// is merged: `\g` would lead to `http://a/b/\g`, and not to `http://a/g` as the link did in a browser. Test:
/// `backslashes_before_the_query_are_slashes`.
///
/// # Source
/// URL Standard, "basic URL parser": every state before the query treats a backslash as a slash if the URL is special.
pub(super) fn without_backslashes<'t>(
    text: Cow<'t, str>,
    base_scheme: Option<&str>,
) -> Cow<'t, str> {
    if memchr(b'\\', text.as_bytes()).is_none() {
        return text;
    }
    let scheme = scheme::split(&text).map_or(base_scheme, |(scheme, _)| Some(scheme));
    if !scheme.is_some_and(scheme::is_special) {
        return text;
    }
    let (hierarchy, rest) = text.split_at(text.find(['?', '#']).unwrap_or(text.len()));
    Cow::Owned(hierarchy.replace('\\', "/") + rest)
}

/// Appends the components of a target to a string, each escaped with the set of its component.
///
/// Positions are bytes of the text that this writer has written; the string may already contain other text.
pub(super) struct EscapeWriter<'t> {
    target: &'t mut String,
    /// Length of `target` when the writer was created.
    start: usize,
    escape: Escape,
    query_encoding: &'static Encoding,
}

impl<'t> EscapeWriter<'t> {
    /// Creates a writer that appends to `target`.
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

    /// Returns the text written so far.
    pub(super) fn written(&self) -> &str {
        &self.target[self.start..]
    }

    /// Returns the length of the text written so far.
    pub(super) fn len(&self) -> usize {
        self.target.len() - self.start
    }

    /// Shortens the text written so far to `length` bytes.
    pub(super) fn truncate(&mut self, length: usize) {
        self.target.truncate(self.start + length);
    }

    /// Appends `text` unchanged: a scheme, a delimiter, or a whole reference that is not to be escaped.
    pub(super) fn delimiter(&mut self, text: &str) {
        self.target.push_str(text);
    }

    /// Inserts `text` unchanged at `position`.
    pub(super) fn insert_delimiter(&mut self, position: usize, text: &str) {
        self.target.insert_str(self.start + position, text);
    }

    /// Appends `scheme:` and `//authority`, each if present.
    ///
    /// The authority is escaped with the set of fragments, whose characters no component may contain. The standard's
    /// set for user information would also encode the delimiters between user, host and port.
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
            match authority {
                Component::Own(text) if self.escape == Escape::Url && !text.is_ascii() => {
                    self.internationalized_authority(text);
                }
                authority => self.component(authority, url_escape::FRAGMENT),
            }
        }
    }

    /// Appends an authority with characters other than ASCII. They may be in the host, or in the user and password.
    ///
    /// DIFFERENCE: RFC 3986 section 3.2.2 percent-encodes a registered name, but permits to convert it for DNS instead.
    /// Most programs look the text up as it is, so only the A-label leads to the host. Without a valid A-label, its
    /// letters are left as written. Test: `internationalized_hosts_become_a_labels`.
    fn internationalized_authority(&mut self, authority: &str) {
        let Authority {
            user, host, port, ..
        } = Authority::split(authority);
        encode(user, url_escape::FRAGMENT, self.target);
        match a_label(host.as_bytes()).filter(|_| !host.is_ascii()) {
            Some(a_label) => self.target.push_str(&a_label),
            None => {
                for character in host.chars() {
                    let mut bytes = [0; 4];
                    match character.encode_utf8(&mut bytes) {
                        ascii if ascii.is_ascii() => {
                            encode(ascii, url_escape::FRAGMENT, self.target);
                        }
                        letter => self.target.push_str(letter),
                    }
                }
            }
        }
        encode(port, url_escape::FRAGMENT, self.target);
    }

    /// Appends a path, or a piece of one.
    pub(super) fn path(&mut self, path: Component<'_>) {
        self.component(path, url_escape::PATH);
    }

    /// Appends `;params`, `?query` and `#fragment`, each if present.
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
                // An ASCII query needs no encoder: its bytes are the same in every encoding.
                Component::Own(query) if self.escape == Escape::Url && !query.is_ascii() => {
                    self.query(query);
                }
                query => self.component(query, url_escape::QUERY),
            }
        }
        if let Some(fragment) = fragment {
            self.delimiter("#");
            self.component(fragment, url_escape::FRAGMENT);
        }
    }

    /// Appends a query that contains characters other than ASCII, in the document's encoding.
    fn query(&mut self, query: &str) {
        let bytes = encode_query(query, self.query_encoding);
        self.target
            .extend(percent_encode(&bytes, url_escape::QUERY));
    }

    /// Appends a component. If it comes from the reference, the characters in `set` are escaped.
    fn component(&mut self, component: Component<'_>, set: &'static AsciiSet) {
        match (component, self.escape) {
            (Component::Own(text), Escape::Url) => encode(text, set, self.target),
            (Component::Own(text), Escape::None) | (Component::Inherited(text), _) => {
                self.target.push_str(text);
            }
        }
    }
}

/// Appends `text` to `target`, with the characters of `set` and all that are not ASCII percent-encoded in UTF-8.
pub(super) fn encode(text: &str, set: &'static AsciiSet, target: &mut String) {
    target.extend(percent_encode(text.as_bytes(), set));
}

/// Returns the A-labels of an internationalized domain, or `None` if it is not valid.
///
/// # Source
/// URL Standard, "domain to ASCII", for a domain that is not ASCII. Text that is not UTF-8 is not valid.
pub(super) fn a_label(domain: &[u8]) -> Option<String> {
    // The list contains the forbidden domain code points.
    let ascii = idna::domain_to_ascii_cow(domain, AsciiDenyList::URL).ok()?;
    (!ascii.is_empty()).then(|| ascii.into_owned())
}

/// Returns the bytes of `query` in `encoding`, before percent-encoding.
///
/// A character that the encoding lacks becomes a numeric character reference, which is already percent-encoded.
///
/// # Source
/// URL Standard, "percent-encode after encoding".
pub(super) fn encode_query(query: &str, encoding: &'static Encoding) -> Vec<u8> {
    let mut encoder = encoding.new_encoder();
    let mut bytes = Vec::with_capacity(query.len() + 16);
    let mut rest = query;
    loop {
        // The encoder only uses spare capacity, so there must be some for it to make progress.
        bytes.reserve(rest.len() * 2 + 16);
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return bytes,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(character) => {
                // `&#N;`, for each of those that follow at once: malformed text has many.
                let reference = format!("%26%23{}%3B", u32::from(character));
                bytes.extend_from_slice(reference.as_bytes());
                while let Some(after) = rest.strip_prefix(character) {
                    bytes.extend_from_slice(reference.as_bytes());
                    rest = after;
                }
            }
        }
    }
}
