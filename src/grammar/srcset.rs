//! `srcset` and `imagesrcset`: image candidates, each a URL with descriptors.
//!
//! The syntax looks like a list separated by commas, but is not: a URL may contain commas (`data:` URLs do), and so may
//! parentheses in a descriptor. Only the state machine of the HTML standard determines where a URL ends. It is followed
//! here step by step, with two changes that do not affect the result: spans are reported instead of strings, and the
//! descriptors are parsed one at a time, as they are tokenized, instead of being collected first.
//!
//! All descriptors of a candidate must be valid for its URL to count, and an invalid candidate does not end the list.
//! Time is linear in the length of the value; nothing is allocated but the list of results.

use crate::grammar::cursor::Cursor;
use crate::grammar::notation::Notation;
use crate::grammar::token::ReferenceToken;
use crate::span::Span;

/// Returns the URLs of the image candidates in `value`, in order.
///
/// That of a candidate with a parse error in its descriptors has the notation [`Notation::InvalidCandidate`].
///
/// # Source
/// HTML, "parse a srcset attribute", as for a user agent that supports `sizes`: a width descriptor alone is not an
/// error.
pub(crate) fn srcset(value: &str) -> impl Iterator<Item = ReferenceToken<'_>> {
    Candidates(Cursor::new(value))
        .map(|found| ReferenceToken::literal(value, found.url, found.notation()))
}

/// Calls `visit` for the valid candidates as [`each_simple`](super::each_simple) does; returns `false` if one is
/// invalid.
pub(super) fn each_simple(value: &str, mut visit: impl FnMut(Span, Notation) -> bool) -> bool {
    Candidates(Cursor::new(value)).all(|found| {
        found.notation() == Notation::Candidate && visit(found.url, Notation::Candidate)
    })
}

/// Returns whether `text` can be the URL of a candidate.
///
/// It must not be empty, must not contain white space (which would begin the descriptors) and must not begin or end
/// with a comma (which would be taken for a separator).
pub(super) fn can_represent(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(|character: char| character.is_ascii_whitespace())
        && !text.starts_with(',')
        && !text.ends_with(',')
}

/// A candidate, valid or not.
#[derive(Debug)]
struct SrcsetCandidate<'v> {
    url: Span,
    /// `None` if a descriptor is a parse error.
    descriptors: Option<Descriptors<'v>>,
}

impl SrcsetCandidate<'_> {
    fn notation(&self) -> Notation {
        match self.descriptors {
            Some(_) => Notation::Candidate,
            None => Notation::InvalidCandidate,
        }
    }
}

/// An iterator over the candidates of a value, in order.
struct Candidates<'v>(Cursor<'v>);

impl<'v> Iterator for Candidates<'v> {
    type Item = SrcsetCandidate<'v>;

    fn next(&mut self) -> Option<SrcsetCandidate<'v>> {
        // Steps 1 to 3: the position variable, and an empty list of candidates.
        let Self(cursor) = self;
        // Step 4, the splitting loop: skip white space and commas before a URL.
        cursor.collect(|next| next.is_ascii_whitespace() || next == ',');
        // Step 5: stop at the end of the value.
        cursor.peek()?;
        // Step 6: the URL extends to the next white space and may contain commas.
        let collected = cursor.collect(|next| !next.is_ascii_whitespace());
        // Step 8: a URL that ends with commas loses them and has no descriptors.
        let text = cursor.text(collected);
        let length = text.trim_end_matches(',').len();
        // Steps 9 to 15, the descriptor parser. Once a descriptor is an error, later ones cannot repair it.
        let mut descriptors = Some(Descriptors::default());
        if length == text.len() {
            each_descriptor(cursor, |token| {
                descriptors = descriptors.and_then(|before| before.with(token));
            });
        }
        // Step 16: continue with the next candidate.
        Some(SrcsetCandidate {
            url: Span::new(collected.start, collected.start + length),
            descriptors: descriptors.and_then(Descriptors::checked),
        })
    }
}

/// The states of the descriptor tokenizer.
#[derive(Clone, Copy)]
enum SrcsetState {
    InDescriptor,
    InParens,
    AfterDescriptor,
}

/// Calls `visit` with each descriptor: step 8, "otherwise", the descriptor tokenizer.
///
/// Leaves the cursor after the comma that ends the candidate.
fn each_descriptor<'v>(cursor: &mut Cursor<'v>, mut visit: impl FnMut(&'v str)) {
    // Step 8.1: skip the white space after the URL.
    cursor.skip_white_space();
    // Steps 8.2 and 8.3. The standard's "current descriptor" is the text from `start` to the position.
    let mut start = cursor.position();
    let mut state = SrcsetState::InDescriptor;
    // The standard ignores empty descriptors.
    let value = *cursor;
    let mut append = |start: usize, end: usize| {
        if start < end {
            visit(value.text(Span::new(start, end)));
        }
    };
    // Step 8.4.
    loop {
        let position = cursor.position();
        match (state, cursor.peek()) {
            // In descriptor, white space: ends the descriptor.
            (SrcsetState::InDescriptor, Some(next)) if next.is_ascii_whitespace() => {
                append(start, position);
                state = SrcsetState::AfterDescriptor;
            }
            // In descriptor, a comma: ends the candidate.
            (SrcsetState::InDescriptor, Some(',')) => {
                cursor.advance();
                append(start, position);
                return;
            }
            // In descriptor, an opening parenthesis: white space and commas up to the closing one are literal.
            (SrcsetState::InDescriptor, Some('(')) => state = SrcsetState::InParens,
            // In descriptor or in parens, the end of the value: ends the descriptor and the candidate.
            (SrcsetState::InDescriptor | SrcsetState::InParens, None) => {
                append(start, position);
                return;
            }
            // In parens, a closing parenthesis: the same descriptor continues.
            (SrcsetState::InParens, Some(')')) => state = SrcsetState::InDescriptor,
            // In descriptor or in parens, anything else: part of the descriptor.
            (SrcsetState::InDescriptor | SrcsetState::InParens, Some(_)) => {}
            // After descriptor, white space: remain in this state.
            (SrcsetState::AfterDescriptor, Some(next)) if next.is_ascii_whitespace() => {}
            // After descriptor, the end of the value.
            (SrcsetState::AfterDescriptor, None) => return,
            // After descriptor, anything else: reconsume it as the start of a descriptor.
            (SrcsetState::AfterDescriptor, Some(_)) => {
                start = position;
                state = SrcsetState::InDescriptor;
                continue;
            }
        }
        cursor.advance();
    }
}

/// The numbers of a candidate's descriptors, as written; `None` for a descriptor that is absent.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Descriptors<'v> {
    width: Option<&'v str>,
    density: Option<&'v str>,
    /// The standard's "future-compat-h".
    height: Option<&'v str>,
}

impl<'v> Descriptors<'v> {
    /// Adds one descriptor: step 13 of the descriptor parser. Returns `None` if it is a parse error.
    fn with(self, token: &'v str) -> Option<Self> {
        let mut descriptors = self;
        let is_valid = if let Some(width) = token.strip_suffix('w') {
            // w: an error after another width or a density, or if it is zero.
            descriptors.width = Some(width);
            is_positive(width) && self.width.is_none() && self.density.is_none()
        } else if let Some(density) = token.strip_suffix('x') {
            // x: an error after any other descriptor, or if it is less than zero. Minus zero is not.
            descriptors.density = Some(density);
            is_not_negative(density) && self == Self::default()
        } else if let Some(height) = token.strip_suffix('h') {
            // h: an error after another height or a density, or if it is zero.
            descriptors.height = Some(height);
            is_positive(height) && self.height.is_none() && self.density.is_none()
        } else {
            // Anything else is an error.
            false
        };
        is_valid.then_some(descriptors)
    }

    /// Returns `None` if there is a height without a width: step 14 of the descriptor parser.
    fn checked(self) -> Option<Self> {
        (self.height.is_none() || self.width.is_some()).then_some(self)
    }
}

/// Returns whether `text` is an integer greater than zero, of any size.
///
/// # Source
/// HTML, "valid non-negative integer" and "rules for parsing non-negative integers".
fn is_positive(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.bytes().any(|digit| digit != b'0')
}

/// Returns whether `text` is a floating-point number that is not less than zero.
///
/// A number too large for a double counts as infinite: the rules for parsing fail, but the standard does not make the
/// candidate an error.
///
/// # Source
/// HTML, "valid floating-point number" and "rules for parsing floating-point number values".
fn is_not_negative(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    let is_digit = |next: char| next.is_ascii_digit();
    // 1. An optional minus sign.
    let is_negative = cursor.take(|next| next == '-');
    // 2. Digits, or a full stop followed by digits, or both.
    let has_integer = !cursor.collect(is_digit).is_empty();
    let has_fraction = cursor.take(|next| next == '.');
    if has_fraction && cursor.collect(is_digit).is_empty() || !has_fraction && !has_integer {
        return false;
    }
    // 3. An optional exponent.
    if cursor.take(|next| matches!(next, 'e' | 'E')) {
        cursor.take(|next| matches!(next, '-' | '+'));
        if cursor.collect(is_digit).is_empty() {
            return false;
        }
    }
    cursor.peek().is_none() && (!is_negative || rounds_to_zero(text))
}

/// Returns whether `number`, a valid floating-point number, is zero or rounded to zero, which is not less than zero.
///
/// This is not `f64::from_str`, whose tables of powers are 2 % of a WebAssembly module.
///
/// DIFFERENCE: a double also rounds 1e-324 to 2.4e-324 to zero.
fn rounds_to_zero(number: &str) -> bool {
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let digits = digits.trim_start_matches('-');
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let signed = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    // The power of ten of the first digit that is not zero.
    let is_not_zero = |digit: char| digit != '0';
    let power = match (integer.find(is_not_zero), fraction.find(is_not_zero)) {
        (Some(zeros), _) => signed(integer.len() - zeros) - 1,
        (None, Some(zeros)) => -signed(zeros) - 1,
        (None, None) => return true,
    };
    let too_long = if exponent.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    let exponent = exponent.parse().unwrap_or(too_long);
    power.saturating_add(exponent) < -324
}

#[cfg(test)]
#[path = "srcset_tests.rs"]
mod tests;
