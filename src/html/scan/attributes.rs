//! Attributes that the scanner keeps: those that are in the set of names, and their duplicates.

use std::borrow::Cow;
use std::iter;

use super::{Scanner, lower_case};
use crate::html::tag::{AttributeOrEnd, name_end, next};
use crate::markup::attribute::RawAttribute;
use crate::markup::name::NameKey;
use crate::markup::name_set::{AttributeRole, FoundName};
use crate::markup::tokens::{Attribute, DuplicateAttributes};
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

/// A start tag as it is written, after its attributes were collected.
pub(super) struct RawTag {
    /// The tag, from `<` to `>`, both included.
    pub(super) span: Span,
    /// The name, as written.
    pub(super) name: Span,
    /// The index in the list of attributes of the first one that was kept of this tag, if any was.
    pub(super) first_attribute: usize,
    /// Whether one of its attributes may be a link.
    pub(super) has_link: bool,
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
                    pos = attribute.span().end;
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
    ///
    /// Kept out of line: the tables would take registers of the caller, and few tags have two attributes to keep.
    #[inline(never)]
    fn kept_attribute(
        &mut self,
        first_attribute: usize,
        name: &str,
        key: Option<NameKey>,
    ) -> Option<&mut Attribute<'t>> {
        let kept = &mut self.tokens.attributes[first_attribute..];
        let count = kept.len();
        if count < MANY {
            self.many_names.clear();
            return kept
                .iter_mut()
                .find(|attribute| match (attribute.key, key) {
                    // Both names are short, so their keys decide. Keys are in lower case, like the names.
                    (Some(a), Some(b)) => a == b,
                    _ => attribute.name.eq_ignore_ascii_case(name),
                });
        }
        // Filled once for a tag, and extended below, so that the time is linear in the length of the tag.
        if self.many_names.is_empty() {
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
    #[inline]
    pub(super) fn keep_attribute(
        &mut self,
        first_attribute: usize,
        raw: &RawAttribute,
        known: FoundName,
    ) {
        let name = &self.text[raw.name.start..raw.name.end];
        if self.tokens.attributes.len() > first_attribute
            && let Some(earlier) = self.kept_attribute(first_attribute, name, known.key)
        {
            // Only the first attribute of a name counts.
            earlier.duplicates.push(raw.span());
            return;
        }
        let name = if known.is_lower_case {
            Cow::Borrowed(name)
        } else {
            self.has_null_in_name |= name.bytes().any(|byte| byte == 0);
            lower_case(name)
        };
        // Written in place: `push` would copy it from the stack.
        self.tokens.attributes.extend(iter::once_with(|| Attribute {
            name,
            key: known.key,
            may_be_link: known.role == AttributeRole::Link,
            span: raw.span(),
            value: raw.value,
            quoting: raw.quoting,
            duplicates: DuplicateAttributes::default(),
        }));
    }

    /// Keeps all attributes of the start tag that begins at `start`, whether they are in the set of names or not.
    pub(super) fn keep_all_attributes(&mut self, start: usize) {
        let first_attribute = self.tokens.attributes.len();
        let mut pos = name_end(self.bytes, start + 1);
        // With more, the tag is not recorded.
        while self.tokens.attributes.len() < self.max_kept
            && let Some(AttributeOrEnd::Attribute(attribute)) = next(self.bytes, pos)
        {
            pos = attribute.span().end;
            // The name is converted if it has to be.
            self.keep_attribute(first_attribute, &attribute, FoundName::ANY);
        }
    }
}
