//! The states of the basic URL parser from the path on.
//!
//! <https://url.spec.whatwg.org/#path-start-state>

use encoding_rs::{Encoding, UTF_8};
use url_escape::percent_encoding::percent_encode;

use super::base::SchemeKind;
use crate::reference::escape::{encode, encode_query};
use crate::scheme;

/// A URL that is written up to the component that is parsed next.
pub(super) struct UrlWriter<'t> {
    pub(super) target: &'t mut String,
    /// Length of `target` before the URL.
    pub(super) start: usize,
    pub(super) kind: SchemeKind,
    /// Offset of the path in `target`, once it is known.
    pub(super) path_start: usize,
    /// The encoding of the query; UTF-8 instead of UTF-16.
    pub(super) encoding: &'static Encoding,
}

impl UrlWriter<'_> {
    /// Returns the scheme.
    pub(super) fn scheme(&self) -> &str {
        scheme::split(&self.target[self.start..]).map_or("", |(scheme, _)| scheme)
    }

    /// Appends `authority`, the text between scheme and path.
    pub(super) fn authority(&mut self, authority: &str) {
        self.target.push_str(authority);
        self.path_start = self.target.len();
    }

    /// Returns `input` after the slash that begins it, or `None` if none does.
    pub(super) fn after_slash<'i>(&self, input: &'i str) -> Option<&'i str> {
        let first = *input.as_bytes().first()?;
        self.kind.is_slash(first).then(|| &input[1..])
    }

    /// Parses `input`, the text after a host.
    pub(super) fn path_start_state(&mut self, input: &str) {
        match self.after_slash(input) {
            Some(rest) => self.path_state(rest),
            None if self.kind == SchemeKind::Other => self.query_and_fragment(input),
            None => self.path_state(input),
        }
    }

    /// Appends the segments of `input`, which begins after a slash.
    pub(super) fn path_state(&mut self, input: &str) {
        let mut rest = input;
        loop {
            let is_end = |byte: u8| matches!(byte, b'?' | b'#') || self.kind.is_slash(byte);
            let end = rest.bytes().position(is_end).unwrap_or(rest.len());
            let (segment, tail) = rest.split_at(end);
            let next = self.after_slash(tail);
            match dot_segment(segment) {
                Some(dot_segment) => {
                    if dot_segment == DotSegment::Double {
                        self.shorten_path();
                    }
                    // A dot segment at the end leaves an empty segment.
                    if next.is_none() {
                        self.target.push('/');
                    }
                }
                None => self.segment(segment),
            }
            match next {
                Some(next) => rest = next,
                None => return self.query_and_fragment(tail),
            }
        }
    }

    /// Appends a segment that is not a dot segment.
    fn segment(&mut self, segment: &str) {
        let is_first = self.target.len() == self.path_start;
        self.target.push('/');
        if is_first && self.kind == SchemeKind::File && is_drive_letter(segment) {
            self.target.push_str(&segment[..1]);
            self.target.push(':');
        } else {
            encode(segment, url_escape::PATH, self.target);
        }
    }

    /// Removes the last segment of the path: the standard's "shorten a url's path".
    pub(super) fn shorten_path(&mut self) {
        let path = &self.target[self.path_start..];
        let is_drive = path.len() == 3 && has_drive_letter(path);
        if self.kind == SchemeKind::File && is_drive {
            return;
        }
        if let Some(slash) = path.rfind('/') {
            self.target.truncate(self.path_start + slash);
        }
    }

    pub(super) fn opaque_path_state(&mut self, input: &str) {
        let end = input.find(['?', '#']).unwrap_or(input.len());
        let (path, rest) = input.split_at(end);
        match path.strip_suffix(' ') {
            // A space before a query or fragment would be removed if that were removed.
            Some(path) if !rest.is_empty() => {
                encode(path, url_escape::CONTROLS, self.target);
                self.target.push_str("%20");
            }
            _ => encode(path, url_escape::CONTROLS, self.target),
        }
        self.query_and_fragment(rest);
    }

    /// Ends the path, and appends the query and the fragment, each if `input` has it.
    pub(super) fn query_and_fragment(&mut self, input: &str) {
        self.end_path();
        let (query, fragment) = match input.find('#') {
            Some(hash) => (&input[..hash], Some(&input[hash + 1..])),
            None => (input, None),
        };
        if let Some(query) = query.strip_prefix('?') {
            self.query_state(query);
        }
        if let Some(fragment) = fragment {
            self.fragment_state(fragment);
        }
    }

    fn query_state(&mut self, query: &str) {
        self.target.push('?');
        let set = match self.kind {
            SchemeKind::Other => url_escape::QUERY,
            SchemeKind::File | SchemeKind::Special => url_escape::SPECIAL_QUERY,
        };
        let is_utf_8 = self.encoding == UTF_8
            || self.kind == SchemeKind::Other
            || matches!(self.scheme(), "ws" | "wss");
        if is_utf_8 {
            encode(query, set, self.target);
        } else {
            let bytes = encode_query(query, self.encoding);
            self.target.extend(percent_encode(&bytes, set));
        }
    }

    pub(super) fn fragment_state(&mut self, fragment: &str) {
        self.target.push('#');
        encode(fragment, url_escape::FRAGMENT, self.target);
    }

    /// Inserts the `/.` of the "URL serializer" if the host is null and the path would be read as one.
    pub(super) fn end_path(&mut self) {
        // Only a scheme ends with a colon: an empty port is not written.
        let has_host = !self.target[..self.path_start].ends_with(':');
        if !has_host && self.target[self.path_start..].starts_with("//") {
            self.target.insert_str(self.path_start, "/.");
        }
    }
}

/// The segments that are not copied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DotSegment {
    /// A "single-dot URL path segment".
    Single,
    /// A "double-dot URL path segment".
    Double,
}

/// Returns the kind of dot segment that `segment` is, in which a dot may be percent-encoded.
fn dot_segment(segment: &str) -> Option<DotSegment> {
    let after_dot = |text: &str| -> Option<usize> {
        match text.as_bytes() {
            [b'.', ..] => Some(1),
            [b'%', b'2', b'e' | b'E', ..] => Some(3),
            _ => None,
        }
    };
    let rest = &segment[after_dot(segment)?..];
    if rest.is_empty() {
        return Some(DotSegment::Single);
    }
    (after_dot(rest)? == rest.len()).then_some(DotSegment::Double)
}

/// Returns whether `text` is a "Windows drive letter": `C:` or `C|`.
pub(super) fn is_drive_letter(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Returns whether `input` "starts with a Windows drive letter".
pub(super) fn starts_with_drive_letter(input: &str) -> bool {
    let end = input.find(['/', '\\', '?', '#']).unwrap_or(input.len());
    is_drive_letter(&input[..end])
}

/// Returns whether the first segment of a serialized path is a "normalized Windows drive letter", which has a colon.
pub(super) fn has_drive_letter(path: &str) -> bool {
    matches!(path.as_bytes(), [b'/', letter, b':'] | [b'/', letter, b':', b'/', ..] if letter.is_ascii_alphabetic())
}
