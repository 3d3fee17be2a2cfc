//! Comparison of split tags with html5ever's tokens and elements.
//!
//! A tag whose position was computed wrongly does not survive [`check`]: names and decoded values must be those of the
//! token.

use crate::html::charref;
use crate::html::tag::Tag;
use crate::markup::attribute::RawAttribute;
use crate::markup::tokens::DuplicateAttributes;
use crate::span::Span;
use html5ever::QualName;
use html5ever::tokenizer::{EndTag, Tag as TagToken};

/// Names of an element and its attributes.
pub(super) struct ElementNames {
    pub(super) element: QualName,
    pub(super) attributes: Vec<QualName>,
}

impl ElementNames {
    /// Returns whether these are the names of the element that a tag with the names of `token` created.
    ///
    /// In foreign content they have a namespace and the spelling of the standards. Otherwise the element is one that
    /// the tag implied, such as a TBODY for a TR.
    pub(super) fn are_of(&self, token: &Self) -> bool {
        // The tree builder changes "image" to `img`. Of other names, it changes at most the case.
        let (name, token_name) = (&self.element.local, &token.element.local);
        let is_same = name.eq_ignore_ascii_case(token_name) || &**token_name == "image";
        is_same && self.attributes.len() == token.attributes.len()
    }
}

/// A tag that agrees with its token.
pub(super) struct MatchedTag {
    pub(super) span: Span,
    /// One for each attribute of the token, in order.
    pub(super) attributes: Vec<MatchedAttribute>,
}

/// An attribute, and the spans of later attributes of the tag that repeat its name.
pub(super) struct MatchedAttribute {
    pub(super) attribute: RawAttribute,
    pub(super) duplicates: DuplicateAttributes,
}

/// Returns `tag` with its attributes as the tokenizer reports them, or `None` if it differs from `token`.
pub(super) fn check(text: &str, tag: &Tag, token: &TagToken) -> Option<MatchedTag> {
    let slice = |span: Span| &text[span.start..span.end];
    let is_end = text[tag.span.start..].starts_with("</");
    if is_end != (token.kind == EndTag) || !is_same_name(slice(tag.name), &token.name) {
        return None;
    }
    let mut attributes: Vec<MatchedAttribute> = Vec::with_capacity(token.attrs.len());
    for &attribute in &tag.attributes {
        let name = slice(attribute.name);
        let has_name = |expected: &html5ever::Attribute| is_same_name(name, &expected.name.local);
        match token
            .attrs
            .get(attributes.len())
            .filter(|expected| has_name(expected))
        {
            Some(expected)
                if charref::decode(slice(attribute.value), 0).text == *expected.value =>
            {
                attributes.push(MatchedAttribute {
                    attribute,
                    duplicates: DuplicateAttributes::default(),
                });
            }
            Some(_) => return None,
            // The tokenizer drops an attribute that repeats an earlier name, so this must be a duplicate.
            None => {
                let index = token.attrs.iter().position(has_name)?;
                attributes.get_mut(index)?.duplicates.push(attribute.span());
            }
        }
    }
    (attributes.len() == token.attrs.len()).then_some(MatchedTag {
        span: tag.span,
        attributes,
    })
}

/// Returns whether `written` becomes `name` in a token: in lower case, with U+0000 replaced by U+FFFD.
fn is_same_name(written: &str, name: &str) -> bool {
    // U+FFFD is longer than U+0000, so names of equal length contain no replacement.
    if written.len() == name.len() {
        return written.eq_ignore_ascii_case(name);
    }
    written.contains('\0') && written.replace('\0', "\u{fffd}").eq_ignore_ascii_case(name)
}
