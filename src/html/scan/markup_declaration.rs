//! Markup declarations: comments, DOCTYPE, CDATA.

use memchr::{memchr, memmem};

use super::Scanner;
use crate::html::charref::decode_raw;
use crate::html::tap_text::conditional_comment;
use crate::span::Span;

impl Scanner<'_, '_> {
    /// Markup that begins with `<!`.
    ///
    /// # Source
    /// HTML, "markup declaration open state" and those that follow it.
    pub(super) fn declaration(&mut self, start: usize) -> Option<usize> {
        const CDATA: &[u8] = b"<![CDATA[";
        let rest = &self.bytes[start..];
        if rest.starts_with(b"<!--") {
            return self.comment(start);
        }
        if rest.starts_with(CDATA) && !self.state.foreign.is_empty() {
            let length = memmem::find(&rest[CDATA.len()..], b"]]>")?;
            return Some(start + CDATA.len() + length + b"]]>".len());
        }
        // A DOCTYPE, whose quotes hide nothing, or a bogus comment.
        self.behind(start, b'>')
    }

    /// A comment, which begins at `start`.
    fn comment(&mut self, start: usize) -> Option<usize> {
        let inner = start + b"<!--".len();
        let rest = &self.bytes[inner..];
        if rest.starts_with(b">") {
            return Some(inner + 1);
        }
        if rest.starts_with(b"->") {
            return Some(inner + 2);
        }
        let mut at = inner;
        let end = loop {
            at += memchr(b'>', self.bytes.get(at..)?)? + 1;
            let data = &self.bytes[inner..at];
            if data.ends_with(b"-->") || data.ends_with(b"--!>") {
                break at;
            }
        };
        let data = self.text[inner..end].trim_start();
        if data.starts_with("[if") {
            let inner = &self.text[inner..end];
            let inner = inner.strip_suffix("-->").or(inner.strip_suffix("--!>"));
            let data = decode_raw(inner.unwrap_or_default(), 0).text;
            let markup = conditional_comment(self.text, Span::new(start, end), &data);
            self.tokens.conditional_comments.extend(markup);
        }
        Some(end)
    }
}
