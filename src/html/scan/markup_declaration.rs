//! Markup declarations: comments, DOCTYPE and CDATA sections.

use memchr::{memchr, memmem};

use super::Scanner;
use crate::html::charref::decode_raw;
use crate::html::conditional_comment::markup_in_comment;
use crate::span::Span;

impl Scanner<'_, '_> {
    /// Reads the markup that begins with `<!` at `start`.
    ///
    /// Returns the offset after it, or `None` if the text ends first.
    ///
    /// # Source
    /// HTML, "markup declaration open state" and those that follow it.
    pub(super) fn markup_declaration(&mut self, start: usize) -> Option<usize> {
        const CDATA: &[u8] = b"<![CDATA[";
        let rest = &self.bytes[start..];
        if rest.starts_with(b"<!--") {
            return self.comment(start);
        }
        // Only an open SVG or MathML element makes this a CDATA section; in HTML it is a bogus comment.
        if rest.starts_with(CDATA) && !self.state.foreign.is_empty() {
            let length = memmem::find(&rest[CDATA.len()..], b"]]>")?;
            return Some(start + CDATA.len() + length + b"]]>".len());
        }
        // A DOCTYPE, in which even a quoted ">" is the end, or a bogus comment.
        self.find_after(start, b'>')
    }

    /// Reads the comment that begins at `start`, and records the markup in it if it is a conditional comment.
    ///
    /// Returns the offset after it, or `None` if the text ends first.
    fn comment(&mut self, start: usize) -> Option<usize> {
        let inner = start + b"<!--".len();
        let rest = &self.bytes[inner..];
        // "<!-->" and "<!--->" are empty comments: abrupt-closing-of-empty-comment in the standard.
        if rest.starts_with(b">") {
            return Some(inner + 1);
        }
        if rest.starts_with(b"->") {
            return Some(inner + 2);
        }
        let mut pos = inner;
        let end = loop {
            pos += memchr(b'>', self.bytes.get(pos..)?)? + 1;
            // From `inner` on, so that the dashes of "<!--" do not count.
            let data = &self.bytes[inner..pos];
            if data.ends_with(b"-->") || data.ends_with(b"--!>") {
                break pos;
            }
        };
        // A prefilter: most comments are not conditional, and need not be decoded.
        let data = self.text[inner..end].trim_start();
        if data.starts_with("[if") {
            let inner = &self.text[inner..end];
            let inner = inner.strip_suffix("-->").or(inner.strip_suffix("--!>"));
            let data = decode_raw(inner.unwrap_or_default(), 0).text;
            let markup = markup_in_comment(self.text, Span::new(start, end), &data);
            self.tokens.conditional_comments.extend(markup);
        }
        Some(end)
    }
}
