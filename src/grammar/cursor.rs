//! The "position variable" of the parsers in the HTML standard, and what Infra defines with one.

use crate::span::Span;

/// A position in a value; always between two characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'v> {
    value: &'v str,
    position: usize,
}

impl<'v> Cursor<'v> {
    pub(super) fn new(value: &'v str) -> Self {
        Self { value, position: 0 }
    }

    /// In bytes of the value.
    pub(super) fn position(self) -> usize {
        self.position
    }

    /// The span of what is still to come.
    pub(super) fn rest(self) -> Span {
        Span::new(self.position, self.value.len())
    }

    pub(super) fn peek(self) -> Option<char> {
        self.value[self.position..].chars().next()
    }

    /// Advances by one character.
    pub(super) fn advance(&mut self) {
        self.position += self.peek().map_or(0, char::len_utf8);
    }

    /// Advances by one character if there is one that satisfies the condition; says whether it did.
    pub(super) fn take(&mut self, condition: impl Fn(char) -> bool) -> bool {
        let is_taken = self.peek().is_some_and(condition);
        if is_taken {
            self.advance();
        }
        is_taken
    }

    /// Infra, "collect a sequence of code points": advances up to the first character that does not satisfy the
    /// condition, and returns what lies between.
    pub(super) fn collect(&mut self, condition: impl Fn(char) -> bool) -> Span {
        let rest = &self.value[self.position..];
        let length = rest.find(|next| !condition(next)).unwrap_or(rest.len());
        let span = Span::new(self.position, self.position + length);
        self.position = span.end;
        span
    }

    /// Infra, "skip ASCII whitespace".
    pub(super) fn skip_white_space(&mut self) {
        self.collect(|next| next.is_ascii_whitespace());
    }
}
