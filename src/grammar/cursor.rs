//! The "position variable" of the parsers in the HTML standard, with the operations that Infra defines on it.

use crate::span::Span;

/// A position in a value. Invariant: it is on a character boundary.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'v> {
    value: &'v str,
    position: usize,
}

impl<'v> Cursor<'v> {
    /// Creates a cursor at the start of `value`.
    pub(super) fn new(value: &'v str) -> Self {
        Self { value, position: 0 }
    }

    /// Returns the position in bytes of the value.
    pub(super) fn position(self) -> usize {
        self.position
    }

    /// Returns the text at `span` of the value.
    pub(super) fn text(self, span: Span) -> &'v str {
        &self.value[span.start..span.end]
    }

    /// Returns the span from the position to the end of the value.
    pub(super) fn rest(self) -> Span {
        Span::new(self.position, self.value.len())
    }

    /// Returns the next character, or `None` at the end of the value.
    pub(super) fn peek(self) -> Option<char> {
        self.value[self.position..].chars().next()
    }

    /// Advances by one character; does nothing at the end of the value.
    pub(super) fn advance(&mut self) {
        self.position += self.peek().map_or(0, char::len_utf8);
    }

    /// Advances by one character if the next one satisfies `condition`. Returns whether it did.
    pub(super) fn take(&mut self, condition: impl Fn(char) -> bool) -> bool {
        let is_taken = self.peek().is_some_and(condition);
        if is_taken {
            self.advance();
        }
        is_taken
    }

    /// Advances to the first character that does not satisfy `condition`, and returns the span passed.
    ///
    /// # Source
    /// Infra, "collect a sequence of code points".
    pub(super) fn collect(&mut self, condition: impl Fn(char) -> bool) -> Span {
        let rest = &self.value[self.position..];
        let length = rest.find(|next| !condition(next)).unwrap_or(rest.len());
        let span = Span::new(self.position, self.position + length);
        self.position = span.end;
        span
    }

    /// Advances to the first character that is not ASCII white space: Infra, "skip ASCII whitespace".
    pub(super) fn skip_white_space(&mut self) {
        self.collect(|next| next.is_ascii_whitespace());
    }
}
