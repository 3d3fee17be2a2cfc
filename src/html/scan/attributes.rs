//! The attributes of a tag: those that are wanted are noted, the others passed over.

use std::borrow::Cow;

use super::{Scanner, lower_case};
use crate::find::memchr_near;
use crate::html::name_set::{AttributeRole, FoundName, NameKey};
use crate::html::tag::{self, Quoting};
use crate::html::tokens::{Attribute, DuplicateAttributes};
use crate::span::Span;

/// From how many attributes of a tag on that are kept a table is made of their names.
const MANY: usize = 64;

/// The attributes of a start tag.
pub(super) struct Attributes {
    /// The offset behind `>`.
    pub(super) end: usize,
    /// Whether one of them may be a link.
    pub(super) has_link: bool,
}

/// White space.
const SPACE: u8 = 1;
/// `/`.
const SLASH: u8 = 2;
/// `>`.
const GREATER: u8 = 4;
/// `=`.
const EQUALS: u8 = 8;

/// What a byte is in a tag, but for values in quotes.
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

/// Where the name of a tag ends that begins at `start`.
#[inline]
pub(super) fn name_end(bytes: &[u8], start: usize) -> usize {
    up_to(bytes, start, SPACE | SLASH | GREATER)
}

/// Where the name of an attribute ends that begins at `start`; an equals sign there is part of it.
#[inline]
pub(super) fn attribute_name_end(bytes: &[u8], start: usize) -> usize {
    up_to(bytes, start + 1, SPACE | SLASH | GREATER | EQUALS)
}

/// The offset, from `start` on, of the first byte that is in one of `classes`.
///
/// Names are short, and many in a document are the same: a processor foresees where this ends, and goes on without waiting
/// for it, which it cannot where bytes are compared all at once to find what is read next.
#[inline]
fn up_to(bytes: &[u8], start: usize, classes: u8) -> usize {
    let mut at = start;
    while let Some(&byte) = bytes.get(at)
        && CLASSES[usize::from(byte)] & classes == 0
    {
        at += 1;
    }
    at
}

/// The offset, from `start` on, of the first byte that is in none of `classes`.
#[inline]
fn behind(bytes: &[u8], start: usize, classes: u8) -> usize {
    let mut at = start;
    while let Some(&byte) = bytes.get(at)
        && CLASSES[usize::from(byte)] & classes != 0
    {
        at += 1;
    }
    at
}

/// The offset, from `start` on, of the first byte that is no white space.
#[inline]
pub(super) fn behind_space(bytes: &[u8], start: usize) -> usize {
    behind(bytes, start, SPACE)
}

/// An attribute as it is written.
pub(super) struct RawAttribute {
    pub(super) name: Span,
    pub(super) value: Span,
    pub(super) quoting: Quoting,
    /// The offset behind it.
    pub(super) end: usize,
}

/// What comes next in a tag.
enum AttributeOrEnd {
    Attribute(RawAttribute),
    /// `>`, with the offset behind it.
    End(usize),
}

/// The attribute at `at`, or the end of the tag; `None` if the document ends before.
///
/// # Source
/// HTML, the tokenizer's states from "before attribute name state" to "self-closing start tag state".
#[inline]
fn next(bytes: &[u8], at: usize) -> Option<AttributeOrEnd> {
    // Before attribute name state, self-closing start tag state: a slash that closes nothing is passed over.
    let at = behind(bytes, at, SPACE | SLASH);
    if *bytes.get(at)? == b'>' {
        return Some(AttributeOrEnd::End(at + 1));
    }
    // Attribute name state.
    let name_end = attribute_name_end(bytes, at);
    let name = Span::new(at, name_end);
    // After attribute name state.
    let mut at = name_end;
    if bytes.get(at) != Some(&b'=') {
        at = behind(bytes, at, SPACE);
        if bytes.get(at) != Some(&b'=') {
            return Some(AttributeOrEnd::Attribute(RawAttribute {
                name,
                value: Span::new(name_end, name_end),
                quoting: Quoting::Absent,
                end: at,
            }));
        }
    }
    // Before attribute value state.
    at = behind(bytes, at + 1, SPACE);
    let first = *bytes.get(at)?;
    Some(AttributeOrEnd::Attribute(
        if matches!(first, b'"' | b'\'') {
            // Attribute value (double-quoted) state, attribute value (single-quoted) state.
            let start = at + 1;
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
            // Attribute value (unquoted) state; ">" right here is a missing value, which is an empty one.
            let end = up_to(bytes, at, SPACE | GREATER);
            RawAttribute {
                name,
                value: Span::new(at, end),
                quoting: Quoting::Unquoted,
                end,
            }
        },
    ))
}

/// The end of a tag, behind `>`, whose attributes begin at `at`; `None` if it has none.
#[inline]
pub(super) fn skip(bytes: &[u8], mut at: usize) -> Option<usize> {
    if bytes.get(at) == Some(&b'>') {
        return Some(at + 1);
    }
    loop {
        match next(bytes, at)? {
            AttributeOrEnd::Attribute(attribute) => at = attribute.end,
            AttributeOrEnd::End(end) => return Some(end),
        }
    }
}

/// Whether the start tag at `span`, whose name ends at `name_end`, closes its element itself: whether the slash before
/// `>` is no part of a value.
pub(super) fn is_self_closing(bytes: &[u8], span: Span, name_end: usize) -> bool {
    let slash = span.end - 2;
    if bytes[slash] != b'/' {
        return false;
    }
    let mut at = name_end;
    while let Some(AttributeOrEnd::Attribute(attribute)) = next(bytes, at) {
        at = attribute.end;
    }
    at <= slash
}

impl<'t> Scanner<'t, '_> {
    /// Keeps the attributes of a start tag that are wanted, as far as they stand behind `at`; `None` if the tag has no
    /// end. The first one that is kept of it is the one numbered `first`.
    ///
    /// Most tags in BODY do without: it is out of their way.
    #[inline(never)]
    pub(super) fn attributes(&mut self, first: usize, mut at: usize) -> Option<Attributes> {
        let mut has_link = false;
        loop {
            match next(self.bytes, at)? {
                AttributeOrEnd::End(end) => return Some(Attributes { end, has_link }),
                AttributeOrEnd::Attribute(written) => {
                    at = written.end;
                    let name = written.name;
                    if let Some(found) = self.names.find(self.bytes, name.start, name.end) {
                        has_link |= found.worth == AttributeRole::Link;
                        self.keep(first, &written, found);
                    }
                }
            }
        }
    }

    /// The attribute of that name among those kept of the tag whose first attribute is the one numbered `first`. If it has
    /// many and this is none of them, it is taken for the next one.
    fn kept(
        &mut self,
        first: usize,
        name: &str,
        key: Option<NameKey>,
    ) -> Option<&mut Attribute<'t>> {
        let own = &mut self.tokens.attributes[first..];
        let count = own.len();
        if count < MANY {
            return own.iter_mut().find(|before| match (before.key, key) {
                (Some(before), Some(key)) => before == key,
                _ => before.name.eq_ignore_ascii_case(name),
            });
        }
        if count == MANY {
            let names = own.iter().map(|one| one.name.to_ascii_lowercase());
            self.many_names = names.zip(0..).collect();
        }
        let place = self.many_names.entry(name.to_ascii_lowercase());
        let index = *place.or_insert(count);
        own.get_mut(index)
    }

    /// Keeps an attribute of the tag whose first attribute is the one numbered `first`.
    pub(super) fn keep(&mut self, first: usize, written: &RawAttribute, found: FoundName) {
        let name = &self.text[written.name.start..written.name.end];
        let attribute = tag::SplitAttribute {
            name: written.name,
            value: written.value,
            quoting: written.quoting,
        };
        if let Some(before) = self.kept(first, name, found.key) {
            before.repeats.push(attribute.span());
            return;
        }
        let name = if found.is_in_lower_case {
            Cow::Borrowed(name)
        } else {
            self.has_null_in_name |= name.bytes().any(|byte| byte == 0);
            lower_case(name)
        };
        self.tokens.attributes.push(Attribute {
            name,
            key: found.key,
            may_be_link: found.worth == AttributeRole::Link,
            span: attribute.span(),
            value: attribute.value,
            quoting: attribute.quoting,
            repeats: DuplicateAttributes::default(),
        });
    }

    /// Keeps all attributes of the start tag that begins at `start`.
    pub(super) fn all_attributes(&mut self, start: usize) {
        let first = self.tokens.attributes.len();
        let mut at = name_end(self.bytes, start + 1);
        while let Some(AttributeOrEnd::Attribute(written)) = next(self.bytes, at) {
            at = written.end;
            self.keep(
                first,
                &written,
                FoundName {
                    worth: AttributeRole::Link,
                    is_in_lower_case: false,
                    key: None,
                },
            );
        }
    }
}
