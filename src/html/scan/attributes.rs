//! The attribute tokenizer: finds the end of a tag, and keeps the attributes that are in the set of names.

use std::borrow::Cow;

use super::{Scanner, lower_case};
use crate::find::memchr_near;
use crate::html::name_set::{AttributeRole, FoundName, NameKey};
use crate::html::tag::{self, Quoting};
use crate::html::tokens::{Attribute, DuplicateAttributes};
use crate::span::Span;

/// The number of kept attributes of one tag from which duplicates are found by a hash table and not by a linear search.
const MANY: usize = 64;

/// The result of reading the attributes of a start tag.
pub(super) struct Attributes {
    /// The offset after `>`.
    pub(super) end: usize,
    /// Whether one of the attributes may be a link.
    pub(super) has_link: bool,
}

/// The class of white space.
const SPACE: u8 = 1;
/// The class of `/`.
const SLASH: u8 = 2;
/// The class of `>`.
const GREATER: u8 = 4;
/// The class of `=`.
const EQUALS: u8 = 8;

/// The class of each byte in a tag, outside of quoted values; 0 for bytes of names and unquoted values.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    classes[b'\t' as usize] = SPACE;
    classes[b'\n' as usize] = SPACE;
    classes[b'\x0c' as usize] = SPACE;
    classes[b'\r' as usize] = SPACE;
    classes[b' ' as usize] = SPACE;
    classes[b'/' as usize] = SLASH;
    classes[b'>' as usize] = GREATER;
    classes[b'=' as usize] = EQUALS;
    classes
};

/// Returns the end of the tag name that begins at `start`.
#[inline]
pub(super) fn name_end(bytes: &[u8], start: usize) -> usize {
    find_class(bytes, start, SPACE | SLASH | GREATER)
}

/// Returns the end of the attribute name that begins at `start`. An equals sign at `start` is part of the name.
#[inline]
pub(super) fn attribute_name_end(bytes: &[u8], start: usize) -> usize {
    find_class(bytes, start + 1, SPACE | SLASH | GREATER | EQUALS)
}

/// Returns the offset of the first byte at or after `start` that is in one of `classes`, or the end of `bytes`.
#[inline]
fn find_class(bytes: &[u8], start: usize, classes: u8) -> usize {
    let mut pos = start;
    // Byte by byte on purpose: names are short and repeat, so the branch predictor hides the loop; a SIMD compare would
    // put its latency on the critical path.
    while let Some(&byte) = bytes.get(pos)
        && CLASSES[usize::from(byte)] & classes == 0
    {
        pos += 1;
    }
    pos
}

/// Returns the offset of the first byte at or after `start` that is in none of `classes`, or the end of `bytes`.
#[inline]
fn skip_class(bytes: &[u8], start: usize, classes: u8) -> usize {
    let mut pos = start;
    while let Some(&byte) = bytes.get(pos)
        && CLASSES[usize::from(byte)] & classes != 0
    {
        pos += 1;
    }
    pos
}

/// Returns the offset of the first byte at or after `start` that is not white space, or the end of `bytes`.
#[inline]
pub(super) fn skip_space(bytes: &[u8], start: usize) -> usize {
    skip_class(bytes, start, SPACE)
}

/// An attribute as it is written.
pub(super) struct RawAttribute {
    pub(super) name: Span,
    /// The value, without quotes.
    pub(super) value: Span,
    pub(super) quoting: Quoting,
    /// The offset at which the rest of the tag is read: after the closing quote, if there is one.
    pub(super) end: usize,
}

/// The next item of a tag.
enum AttributeOrEnd {
    Attribute(RawAttribute),
    /// The `>` of the tag, with the offset after it.
    End(usize),
}

/// Reads the attribute at or after `start`, or the end of the tag. Returns `None` if the text ends first.
///
/// # Source
/// HTML, the tokenizer's states from "before attribute name state" to "self-closing start tag state".
#[inline]
fn next(bytes: &[u8], start: usize) -> Option<AttributeOrEnd> {
    // Before attribute name state, self-closing start tag state: a slash that does not precede ">" is skipped. The one
    // that does is skipped as well; see `is_self_closing`.
    let name_start = skip_class(bytes, start, SPACE | SLASH);
    if *bytes.get(name_start)? == b'>' {
        return Some(AttributeOrEnd::End(name_start + 1));
    }
    // Attribute name state.
    let name_end = attribute_name_end(bytes, name_start);
    let name = Span::new(name_start, name_end);
    // After attribute name state.
    let mut pos = name_end;
    if bytes.get(pos) != Some(&b'=') {
        pos = skip_class(bytes, pos, SPACE);
        if bytes.get(pos) != Some(&b'=') {
            return Some(AttributeOrEnd::Attribute(RawAttribute {
                name,
                value: Span::new(name_end, name_end),
                quoting: Quoting::Absent,
                end: pos,
            }));
        }
    }
    // Before attribute value state.
    pos = skip_class(bytes, pos + 1, SPACE);
    let first = *bytes.get(pos)?;
    Some(AttributeOrEnd::Attribute(
        if matches!(first, b'"' | b'\'') {
            // Attribute value (double-quoted) state, attribute value (single-quoted) state.
            let start = pos + 1;
            // Most values are too short to make a call of `memchr` worthwhile.
            let end = memchr_near(first, bytes, start)?;
            RawAttribute {
                name,
                value: Span::new(start, end),
                quoting: if first == b'"' {
                    Quoting::Double
                } else {
                    Quoting::Single
                },
                end: end + 1,
            }
        } else {
            // Attribute value (unquoted) state, in which a slash is literal. ">" right here is a missing value: empty.
            let end = find_class(bytes, pos, SPACE | GREATER);
            RawAttribute {
                name,
                value: Span::new(pos, end),
                quoting: Quoting::Unquoted,
                end,
            }
        },
    ))
}

/// Returns the offset after the `>` of the tag whose name ends at `name_end`, or `None` if the text ends first.
#[inline]
pub(super) fn skip(bytes: &[u8], name_end: usize) -> Option<usize> {
    // End tags hardly ever have attributes.
    if bytes.get(name_end) == Some(&b'>') {
        return Some(name_end + 1);
    }
    let mut pos = name_end;
    loop {
        match next(bytes, pos)? {
            AttributeOrEnd::Attribute(attribute) => pos = attribute.end,
            AttributeOrEnd::End(end) => return Some(end),
        }
    }
}

/// Returns whether the start tag at `span`, whose name ends at `name_end`, is self-closing.
///
/// It is if the byte before `>` is a slash that is not part of an unquoted value.
pub(super) fn is_self_closing(bytes: &[u8], span: Span, name_end: usize) -> bool {
    let slash = span.end - 2;
    if bytes[slash] != b'/' {
        return false;
    }
    let mut pos = name_end;
    while let Some(AttributeOrEnd::Attribute(attribute)) = next(bytes, pos) {
        pos = attribute.end;
    }
    // The end of the last attribute, or of the name of the tag.
    pos <= slash
}

impl<'t> Scanner<'t, '_> {
    /// Keeps the attributes of a start tag from `pos` on that are in the set of names.
    ///
    /// `first_attribute` is the length of the list of attributes before this tag. Returns `None` if the text ends
    /// before the tag does; some attributes may have been kept by then.
    ///
    /// Kept out of line: the body path rarely needs it.
    #[inline(never)]
    pub(super) fn collect_attributes(
        &mut self,
        first_attribute: usize,
        mut pos: usize,
    ) -> Option<Attributes> {
        let mut has_link = false;
        loop {
            match next(self.bytes, pos)? {
                AttributeOrEnd::End(end) => return Some(Attributes { end, has_link }),
                AttributeOrEnd::Attribute(attribute) => {
                    pos = attribute.end;
                    let name = attribute.name;
                    if let Some(known) = self.names.find(self.bytes, name.start, name.end) {
                        has_link |= known.role == AttributeRole::Link;
                        self.keep_attribute(first_attribute, &attribute, known);
                    }
                }
            }
        }
    }

    /// Returns the attribute of the current tag that was kept under this name, if any.
    ///
    /// The attributes of the tag begin at the index `first_attribute`. If none of them has this name, the caller must
    /// append one that has it: the hash table may already contain its index.
    fn kept_attribute(
        &mut self,
        first_attribute: usize,
        name: &str,
        key: Option<NameKey>,
    ) -> Option<&mut Attribute<'t>> {
        let kept = &mut self.tokens.attributes[first_attribute..];
        let count = kept.len();
        if count < MANY {
            return kept
                .iter_mut()
                .find(|attribute| match (attribute.key, key) {
                    // Both names are short, so their keys decide. Keys are in lower case, like the names.
                    (Some(a), Some(b)) => a == b,
                    _ => attribute.name.eq_ignore_ascii_case(name),
                });
        }
        // The count of a tag is `MANY` before it is larger, so from here on the table is that of this tag. While the
        // count is exactly `MANY`, the table is rebuilt for each attribute, at the cost of `MANY` names; afterwards it
        // is extended. So the number of operations is linear in the number of attributes, and with names of limited
        // length so is the time.
        if count == MANY {
            let names = kept
                .iter()
                .map(|attribute| attribute.name.to_ascii_lowercase());
            self.many_names = names.zip(0..).collect();
        }
        // A new name gets the index of the attribute that the caller appends, for which there is no element yet.
        let entry = self.many_names.entry(name.to_ascii_lowercase());
        let index = *entry.or_insert(count);
        kept.get_mut(index)
    }

    /// Keeps an attribute, or records it as a duplicate of one that was kept of the same tag.
    ///
    /// `first_attribute` is the length of the list of attributes before this tag.
    pub(super) fn keep_attribute(
        &mut self,
        first_attribute: usize,
        raw: &RawAttribute,
        known: FoundName,
    ) {
        let name = &self.text[raw.name.start..raw.name.end];
        let attribute = tag::SplitAttribute {
            name: raw.name,
            value: raw.value,
            quoting: raw.quoting,
        };
        // Only the first attribute of a name counts.
        if let Some(earlier) = self.kept_attribute(first_attribute, name, known.key) {
            earlier.duplicates.push(attribute.span());
            return;
        }
        let name = if known.is_lower_case {
            Cow::Borrowed(name)
        } else {
            self.has_null_in_name |= name.bytes().any(|byte| byte == 0);
            lower_case(name)
        };
        self.tokens.attributes.push(Attribute {
            name,
            key: known.key,
            may_be_link: known.role == AttributeRole::Link,
            span: attribute.span(),
            value: attribute.value,
            quoting: attribute.quoting,
            duplicates: DuplicateAttributes::default(),
        });
    }

    /// Keeps all attributes of the start tag that begins at `start`, whether they are in the set of names or not.
    pub(super) fn keep_all_attributes(&mut self, start: usize) {
        let first_attribute = self.tokens.attributes.len();
        let mut pos = name_end(self.bytes, start + 1);
        while let Some(AttributeOrEnd::Attribute(attribute)) = next(self.bytes, pos) {
            pos = attribute.end;
            self.keep_attribute(
                first_attribute,
                &attribute,
                FoundName {
                    role: AttributeRole::Link,
                    // Not known; the name is converted if it has to be.
                    is_lower_case: false,
                    key: None,
                },
            );
        }
    }
}
