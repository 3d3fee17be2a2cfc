//! Markup declarations: comments, DOCTYPE and CDATA sections.

use memchr::{memchr, memmem};

use super::Scanner;
use crate::html::charref::decode_raw;
use crate::html::conditional_comment::{markup_in_comment, without_end};
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
        let end = comment_end(self.bytes, inner);
        // The end of the document ends a comment, too ("eof-in-comment"). The end of another chunk does not.
        let span = match end {
            None if !self.is_last => return None,
            _ => Span::new(start, end.unwrap_or(self.bytes.len())),
        };
        if self.names.has_comments() {
            self.tokens.add_comment(span);
        }
        // A prefilter: most comments are not conditional, and need not be decoded.
        let inner = &self.text[inner..span.end];
        if inner.trim_start().starts_with("[if") {
            let data = decode_raw(without_end(inner), 0).text;
            let markup = markup_in_comment(self.text, span, &data);
            self.tokens.conditional_comments.extend(markup);
        }
        end
    }
}

/// Returns the offset after the comment whose `<!--` ends at `inner`, or `None` if the text ends first.
pub(crate) fn comment_end(bytes: &[u8], inner: usize) -> Option<usize> {
    // "<!-->" and "<!--->" are empty comments: abrupt-closing-of-empty-comment in the standard.
    let rest = &bytes[inner..];
    if rest.starts_with(b">") || rest.starts_with(b"->") {
        return Some(inner + 1 + usize::from(rest[0] == b'-'));
    }
    let mut pos = inner;
    loop {
        pos += memchr(b'>', &bytes[pos..])? + 1;
        // From `inner` on, so that the dashes of "<!--" do not count.
        let data = &bytes[inner..pos];
        if data.ends_with(b"-->") || data.ends_with(b"--!>") {
            return Some(pos);
        }
    }
}
