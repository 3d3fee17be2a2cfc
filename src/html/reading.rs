//! What a reader finds in a document: start tags, attributes, and the text of some elements, with their spans.

use std::borrow::Cow;

use html5ever::QualName;

use super::names::qualified;
use super::tag::Quoting;
use super::{BaseElement, Namespace};
use crate::span::Span;

/// What a document holds, in document order; spans are bytes of the text that was read.
pub(crate) struct Reading {
    /// Every start tag, but for those that `mismatches` counts.
    pub(crate) start_tags: Vec<StartTag>,
    /// Every BASE element that has an `href`, in the order of the tree.
    pub(crate) base_elements: Vec<BaseElement>,
    /// The markup in every conditional comment.
    pub(crate) conditional_comments: Vec<Span>,
    /// Where HEAD begins: behind its start tag, or where that would be; `None` if there is no HEAD.
    pub(crate) head_start: Option<usize>,
    /// How many tags were left out because taking them apart did not give what the tokenizer saw.
    pub(crate) mismatches: usize,
    /// How many tags were read, end tags included.
    pub(crate) tags: usize,
}

/// A start tag.
pub(crate) struct StartTag {
    /// The namespace of the element; that of HTML where the tree builder made none of the tag.
    pub(crate) namespace: Namespace,
    /// From `<` to behind `>`.
    pub(crate) span: Span,
    /// Every attribute, but for those that repeat the name of one before them.
    pub(crate) attributes: Vec<Attribute>,
    /// The text of the element, where it can hold links.
    pub(crate) text: Option<Text>,
    /// Whether it made a child of HEAD; known of BASE only.
    pub(crate) is_child_of_head: bool,
    pub(super) name: QualName,
}

/// The text of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    /// What stands between start tag and end tag.
    pub(crate) span: Span,
    /// How it is read.
    pub(crate) kind: TextKind,
}

/// How the text of an element is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// As it is: SCRIPT, STYLE, and others that hold no markup.
    Raw,
    /// As the text of an element of SVG or MathML; there is no markup in it.
    Foreign,
    /// As this, which is what the tree builder made of it: there is markup between its parts.
    Scattered(String),
}

/// An attribute of a [`StartTag`].
pub(crate) struct Attribute {
    /// From the name to behind the value and its quotes.
    pub(crate) span: Span,
    /// The value as written, without quotes.
    pub(crate) value: Span,
    /// How the value is delimited.
    pub(crate) quoting: Quoting,
    /// Attributes behind it that repeat its name, and so do not count; each as `span` has it.
    pub(crate) repeats: Vec<Span>,
    pub(super) name: QualName,
}

impl StartTag {
    /// The local name of the element: lower case in HTML, as the standards spell it in SVG and MathML.
    pub(crate) fn name(&self) -> &str {
        &self.name.local
    }

    /// The attribute of that name; `xlink:href` and the like with their prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|one| one.name() == name)
    }
}

impl Attribute {
    /// The name; `xlink:href` and the like with their prefix.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        qualified(&self.name)
    }
}
