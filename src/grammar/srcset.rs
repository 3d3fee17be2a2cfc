//! `srcset` and `imagesrcset`: image candidates, each a URL with descriptors.

use crate::grammar::cursor::Cursor;
use crate::grammar::{Notation, ReferenceToken};
use crate::span::Span;

/// The URLs of the image candidates in `value`, in order.
///
/// A candidate whose descriptors the standard calls an error is not one, and its URL is not returned.
///
/// # Source
/// HTML, "parse a srcset attribute". As we support `sizes`, a width is no error by itself.
pub(crate) fn srcset(value: &str) -> Vec<ReferenceToken<'_>> {
    let mut urls = Vec::new();
    each_url(value, |url| {
        urls.push(ReferenceToken::plain(value, url, Notation::Candidate));
        Some(())
    });
    urls
}

/// Says where the URLs are that [`srcset`] gives, as long as `found` gives something; whether it did for all.
pub(super) fn each_url(value: &str, mut found: impl FnMut(Span) -> Option<()>) -> Option<()> {
    each_candidate(value, |candidate| match candidate.descriptors {
        Some(_) => found(candidate.url),
        None => Some(()),
    })
}

/// Whether `text` can be the URL of a candidate: it is not empty, holds no white space (behind which the descriptors
/// begin), and neither begins nor ends with a comma (which would part it from its neighbours).
pub(super) fn may_contain(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(|character: char| character.is_ascii_whitespace())
        && !text.starts_with(',')
        && !text.ends_with(',')
}

/// What stands in the place of a candidate.
#[derive(Debug)]
struct SrcsetCandidate<'v> {
    url: Span,
    /// `None` if they are an error.
    descriptors: Option<Descriptors<'v>>,
}

/// Gives the candidates to `found`, as long as it gives something; whether it did for all.
fn each_candidate<'v>(
    value: &'v str,
    mut found: impl FnMut(SrcsetCandidate<'v>) -> Option<()>,
) -> Option<()> {
    // Steps 1 to 3: the position, and nothing found.
    let mut cursor = Cursor::new(value);
    loop {
        // Step 4, the splitting loop: white space and commas before a URL.
        cursor.collect(|next| next.is_ascii_whitespace() || next == ',');
        // Step 5: the end.
        if cursor.peek().is_none() {
            return Some(());
        }
        // Step 6: a URL is all up to white space, commas too.
        let collected = cursor.collect(|next| !next.is_ascii_whitespace());
        // Step 8: with commas at the end it is a candidate without descriptors, and they are not part of it.
        let text = &value[collected.start..collected.end];
        let length = text.trim_end_matches(',').len();
        // Steps 9 to 15, the descriptor parser; an error is final.
        let mut descriptors = Some(Descriptors::default());
        if length == text.len() {
            each_descriptor(&mut cursor, |token| {
                let token = &value[token.start..token.end];
                descriptors = descriptors.and_then(|before| before.with(token));
            });
        }
        // Step 16, the next.
        found(SrcsetCandidate {
            url: Span::new(collected.start, collected.start + length),
            descriptors: descriptors.and_then(Descriptors::checked),
        })?;
    }
}

/// The states of the descriptor tokenizer.
#[derive(Clone, Copy)]
enum SrcsetState {
    InDescriptor,
    InParens,
    AfterDescriptor,
}

/// Step 8, otherwise: the descriptor tokenizer. Leaves the cursor behind the comma that ends the candidate.
fn each_descriptor(cursor: &mut Cursor<'_>, mut found: impl FnMut(Span)) {
    // Step 8.1: white space behind the URL.
    cursor.skip_white_space();
    // Steps 8.2 and 8.3. The current descriptor is what lies between its start and the position.
    let mut start = cursor.position();
    let mut state = SrcsetState::InDescriptor;
    let mut append = |start: usize, end: usize| {
        if start < end {
            found(Span::new(start, end));
        }
    };
    // Step 8.4.
    loop {
        let position = cursor.position();
        match (state, cursor.peek()) {
            // In descriptor, white space: it ends the descriptor.
            (SrcsetState::InDescriptor, Some(next)) if next.is_ascii_whitespace() => {
                append(start, position);
                state = SrcsetState::AfterDescriptor;
            }
            // In descriptor, a comma: it ends the candidate.
            (SrcsetState::InDescriptor, Some(',')) => {
                cursor.advance();
                append(start, position);
                return;
            }
            // In descriptor, a parenthesis: white space and commas mean nothing behind it.
            (SrcsetState::InDescriptor, Some('(')) => state = SrcsetState::InParens,
            // In descriptor or in parens, the end.
            (SrcsetState::InDescriptor | SrcsetState::InParens, None) => {
                append(start, position);
                return;
            }
            // In parens, the closing parenthesis: still the same descriptor.
            (SrcsetState::InParens, Some(')')) => state = SrcsetState::InDescriptor,
            // In descriptor or in parens, anything else: part of the descriptor.
            (SrcsetState::InDescriptor | SrcsetState::InParens, Some(_)) => {}
            // After descriptor, white space: stay.
            (SrcsetState::AfterDescriptor, Some(next)) if next.is_ascii_whitespace() => {}
            // After descriptor, the end.
            (SrcsetState::AfterDescriptor, None) => return,
            // After descriptor, anything else: look at it again as the start of a descriptor.
            (SrcsetState::AfterDescriptor, Some(_)) => {
                start = position;
                state = SrcsetState::InDescriptor;
                continue;
            }
        }
        cursor.advance();
    }
}

/// The numbers in the descriptors of a candidate; `None` for one that is absent.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Descriptors<'v> {
    width: Option<&'v str>,
    density: Option<&'v str>,
    /// The standard's "future-compat-h".
    height: Option<&'v str>,
}

impl<'v> Descriptors<'v> {
    /// Step 13 of the descriptor parser, for one descriptor: `None` is the standard's error.
    fn with(self, token: &'v str) -> Option<Self> {
        let mut found = self;
        if let Some(width) = token.strip_suffix('w').filter(|text| is_positive(text)) {
            // w: neither a second width nor one beside a density, and not zero.
            if found.width.is_some() || found.density.is_some() {
                return None;
            }
            found.width = Some(width);
        } else if let Some(density) = token.strip_suffix('x').filter(|text| is_not_negative(text)) {
            // x: nothing beside it, and not below zero; minus zero is not.
            if found != Self::default() {
                return None;
            }
            found.density = Some(density);
        } else if let Some(height) = token.strip_suffix('h').filter(|text| is_positive(text)) {
            // h: neither a second height nor one beside a density, and not zero.
            if found.height.is_some() || found.density.is_some() {
                return None;
            }
            found.height = Some(height);
        } else {
            // Anything else.
            return None;
        }
        Some(found)
    }

    /// Step 14: a height only beside a width.
    fn checked(self) -> Option<Self> {
        (self.height.is_none() || self.width.is_some()).then_some(self)
    }
}

/// Whether it is a number that is not zero, of any size.
///
/// # Source
/// HTML, "valid non-negative integer" and "rules for parsing non-negative integers".
fn is_positive(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.bytes().any(|digit| digit != b'0')
}

/// Whether it is a number that is not below zero. Where the rules for parsing fail (a number too large for a double) the
/// standard does not say that the candidate is an error: the number is infinite here.
///
/// # Source
/// HTML, "valid floating-point number" and "rules for parsing floating-point number values".
fn is_not_negative(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    let is_digit = |next: char| next.is_ascii_digit();
    // 1. Optionally a minus sign.
    let is_negative = cursor.take(|next| next == '-');
    // 2. Digits, or a full stop and digits, or both.
    let has_integer = !cursor.collect(is_digit).is_empty();
    let has_fraction = cursor.take(|next| next == '.');
    if has_fraction && cursor.collect(is_digit).is_empty() || !has_fraction && !has_integer {
        return false;
    }
    // 3. Optionally an exponent.
    if cursor.take(|next| matches!(next, 'e' | 'E')) {
        cursor.take(|next| matches!(next, '-' | '+'));
        if cursor.collect(is_digit).is_empty() {
            return false;
        }
    }
    // Minus zero is not below zero, nor is what is too small for a double.
    let is_zero = || text.parse().is_ok_and(|number: f64| number >= 0.0);
    cursor.peek().is_none() && (!is_negative || is_zero())
}

#[cfg(test)]
#[path = "srcset_tests.rs"]
mod tests;
