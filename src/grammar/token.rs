//! References in a value, as the grammars return them.

use std::borrow::Cow;

use super::notation::Notation;
use super::single::single;
use crate::offset_map::OffsetMap;
use crate::span::Span;

/// The member of an import map with integrity metadata, and the attribute.
pub(crate) const INTEGRITY: &str = "integrity";

/// A reference in a value, with its position and notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReferenceToken<'v> {
    /// Span of the written reference in bytes of the value, without delimiters and white space around it.
    pub(crate) span: Span,
    /// The reference, with the escapes of its notation decoded.
    pub(crate) reference: Cow<'v, str>,
    /// Map from offsets in the reference to offsets in the value.
    pub(crate) map: OffsetMap,
    /// The notation in which the reference is written.
    pub(crate) notation: Notation,
    /// The CSS construct around the reference: `url()`, `src()`, `image-set()`, `image()` or `@import`. In an import
    /// map, [`INTEGRITY`] if this is the metadata of the reference before it, and none itself.
    pub(crate) construct: Option<&'static str>,
}

impl<'v> ReferenceToken<'v> {
    /// Creates a token for a reference without escapes at `span` of `value`.
    pub(crate) fn literal(value: &'v str, span: Span, notation: Notation) -> Self {
        TokenBuilder::new(&value[span.start..], span.start).finish(span.len(), notation)
    }

    /// Sets the construct.
    pub(super) fn in_construct(self, construct: &'static str) -> Self {
        Self {
            construct: Some(construct),
            ..self
        }
    }

    /// Returns the token without white space at the ends of the reference.
    ///
    /// Returns it unchanged if the map has no counterpart in the value for the trimmed reference.
    pub(super) fn trimmed(self) -> Self {
        let inner = single(&self.reference);
        if inner.len() == self.reference.len() {
            return self;
        }
        let (Some(span), Some(map)) = (self.map.inner_span(inner), self.map.part(inner)) else {
            return self;
        };
        // Source that decodes to no text, such as an escaped newline in a CSS string, is kept at an end that is not
        // trimmed: `inner_span` excludes it at both ends. An escape of white space at the start is part of the span,
        // because the digits of one in CSS might continue in another reference: `\a` before `f`.
        let has_escape = span.start - self.span.start != inner.start;
        let start = if has_escape {
            self.span.start
        } else {
            span.start
        };
        let end = if inner.end == self.reference.len() {
            self.span.end
        } else {
            span.end
        };
        let span = Span::new(start, end);
        let reference = match self.reference {
            Cow::Borrowed(text) => Cow::Borrowed(&text[inner.start..inner.end]),
            Cow::Owned(text) => Cow::Owned(text[inner.start..inner.end].to_owned()),
        };
        Self {
            span,
            reference,
            map,
            ..self
        }
    }
}

/// Builds a token from literal text and escapes. Offsets are relative to the start of the reference.
pub(super) struct TokenBuilder<'v> {
    /// The text that begins with the reference.
    text: &'v str,
    /// Offset of the reference in the value.
    start: usize,
    /// Start of the literal text since the last escape.
    run_start: usize,
    /// The reference up to there, decoded.
    decoded: String,
    map: OffsetMap,
}

impl<'v> TokenBuilder<'v> {
    /// Creates a builder for the reference at the start of `text`, which begins at `start` of the value.
    pub(super) fn new(text: &'v str, start: usize) -> Self {
        Self {
            text,
            start,
            run_start: 0,
            decoded: String::new(),
            map: OffsetMap::new(start, 1),
        }
    }

    /// Appends the literal text up to `offset`, and the escape there, which may decode to no character.
    pub(super) fn escape(&mut self, offset: usize, length: usize, character: Option<char>) {
        self.decoded.push_str(&self.text[self.run_start..offset]);
        self.decoded.extend(character);
        self.map.run(offset - self.run_start);
        self.map.piece(character.map_or(0, char::len_utf8), length);
        self.run_start = offset + length;
    }

    /// Appends the literal text up to `end`, and returns the token.
    pub(super) fn finish(mut self, end: usize, notation: Notation) -> ReferenceToken<'v> {
        let run = &self.text[self.run_start..end];
        self.map.run(run.len());
        // Without an escape, the run still begins at 0, and nothing was copied.
        let reference = if self.run_start == 0 {
            Cow::Borrowed(run)
        } else {
            Cow::Owned(self.decoded + run)
        };
        ReferenceToken {
            span: Span::new(self.start, self.start + end),
            reference,
            map: self.map,
            notation,
            construct: None,
        }
    }
}
