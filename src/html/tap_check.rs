//! Whether a tag that was taken apart says what the tokenizer and the tree builder made of it.

use html5ever::QualName;
use html5ever::tokenizer::{EndTag, Tag as TagToken};
use markup5ever_rcdom::{Node, NodeData};

use super::charref;
use super::tag::{self, Tag};
use crate::span::Span;

/// The names of an element and its attributes.
pub(super) struct ElementNames {
    pub(super) element: QualName,
    pub(super) attributes: Vec<QualName>,
}

/// The names that the tree builder gave to the element it made of a tag: in foreign content they have a namespace, and
/// the standards' spelling. `None` if `node` is not that element but one that the tag implied.
pub(super) fn names_in_tree(
    node: &Node,
    token_name: &QualName,
    attributes: usize,
) -> Option<ElementNames> {
    let NodeData::Element { name, attrs, .. } = &node.data else {
        return None;
    };
    let attrs = attrs.borrow();
    // "image" is made an `img`.
    let is_same =
        name.local.eq_ignore_ascii_case(&token_name.local) || &*token_name.local == "image";
    (is_same && attrs.len() == attributes).then(|| ElementNames {
        element: name.clone(),
        attributes: attrs
            .iter()
            .map(|attribute| attribute.name.clone())
            .collect(),
    })
}

/// A tag that says what its token says.
pub(super) struct MatchedTag {
    pub(super) span: Span,
    /// One for each attribute of the token.
    pub(super) attributes: Vec<MatchedAttribute>,
}

/// An attribute, and those behind it that repeat its name.
pub(super) struct MatchedAttribute {
    pub(super) attribute: tag::SplitAttribute,
    pub(super) repeats: Vec<Span>,
}

/// The tag with its attributes as the tokenizer has them, if it says what the token says.
pub(super) fn check(text: &str, tag: &Tag, token: &TagToken) -> Option<MatchedTag> {
    let cut = |span: Span| &text[span.start..span.end];
    let is_end = text[tag.span.start..].starts_with("</");
    if is_end != (token.kind == EndTag) || !is_same_name(cut(tag.name), &token.name) {
        return None;
    }
    let mut attributes: Vec<MatchedAttribute> = Vec::with_capacity(token.attrs.len());
    for &attribute in &tag.attributes {
        let name = cut(attribute.name);
        let is_it = |expected: &html5ever::Attribute| is_same_name(name, &expected.name.local);
        match token
            .attrs
            .get(attributes.len())
            .filter(|expected| is_it(expected))
        {
            Some(expected) if charref::decode(cut(attribute.value), 0).text == *expected.value => {
                attributes.push(MatchedAttribute {
                    attribute,
                    repeats: Vec::new(),
                });
            }
            Some(_) => return None,
            // The tokenizer drops an attribute whose name was there before.
            None => {
                let index = token.attrs.iter().position(is_it)?;
                attributes.get_mut(index)?.repeats.push(attribute.span());
            }
        }
    }
    (attributes.len() == token.attrs.len()).then_some(MatchedTag {
        span: tag.span,
        attributes,
    })
}

/// Whether a name as written is the name in a token: in lower case, U+0000 replaced.
fn is_same_name(written: &str, name: &str) -> bool {
    if written.len() == name.len() {
        return written.eq_ignore_ascii_case(name);
    }
    written.contains('\0') && written.replace('\0', "\u{fffd}").eq_ignore_ascii_case(name)
}
