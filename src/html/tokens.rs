//! What a reader finds in a document: start tags, attributes, and the text of some elements, with their spans.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::name_set::NameKey;
use super::tag::Quoting;
use super::{BaseElement, Namespace};
use crate::span::Span;

/// What a document holds, in document order; spans are bytes of the text that was read.
#[derive(Debug, Default)]
pub(crate) struct Tokens<'t> {
    /// Every start tag that may hold a link, but for those that `mismatches` counts.
    pub(crate) start_tags: Vec<StartTag<'t>>,
    /// The attributes of all start tags, one tag behind the other: a document has one list of them, not thousands.
    pub(super) attributes: Vec<Attribute<'t>>,
    /// Every BASE element that has an `href`, in the order of the tree.
    pub(crate) base_elements: Vec<BaseElement>,
    /// The markup in every conditional comment.
    pub(crate) conditional_comments: Vec<Span>,
    /// The encoding that the first `meta` element to do so declares.
    pub(crate) declared_encoding: MetaDeclaration,
    /// Where HEAD begins: behind its start tag, or where that would be; `None` if there is no HEAD.
    pub(crate) head_start: Option<usize>,
    /// How many tags were left out because taking them apart did not give what the tokenizer saw.
    pub(crate) mismatches: usize,
    /// How many tags were read, end tags included.
    pub(crate) tags: usize,
}

/// What `meta` elements say of the encoding of their document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum MetaDeclaration {
    /// Nothing.
    #[default]
    Nothing,
    /// This, once what cannot be is taken for what is meant.
    Encoding(&'static Encoding),
    /// Perhaps something: nobody looked.
    Unknown,
}

impl MetaDeclaration {
    /// The encoding that is declared instead of `encoding`.
    pub(crate) fn other_than(self, encoding: &'static Encoding) -> Option<&'static Encoding> {
        match self {
            Self::Encoding(own) if own != encoding => Some(own),
            Self::Nothing | Self::Encoding(_) | Self::Unknown => None,
        }
    }
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct StartTag<'t> {
    /// The namespace of the element; that of HTML where the tree builder made none of the tag.
    pub(crate) namespace: Namespace,
    /// The local name of the element: lower case in HTML, as the standards spell it in SVG and MathML.
    pub(crate) name: Cow<'t, str>,
    /// The key of that name, if it is known, which it is where the name is short and written without capitals.
    pub(crate) key: Option<NameKey>,
    /// From `<` to behind `>`.
    pub(crate) span: Span,
    /// Where its attributes stand in the list of them all.
    pub(super) attributes: Span,
    /// The text of the element, where it can hold links.
    pub(crate) text: Option<TextContent>,
    /// Whether it made a child of HEAD; known of BASE only.
    pub(crate) is_child_of_head: bool,
}

/// The text of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextContent {
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
    Fragmented(String),
}

/// An attribute of a [`StartTag`].
#[derive(Debug)]
pub(crate) struct Attribute<'t> {
    /// The name; `xlink:href` and the like with their prefix.
    pub(crate) name: Cow<'t, str>,
    /// The key of that name, without prefix, if it is known, which it is where the name is short.
    pub(crate) key: Option<NameKey>,
    /// Whether it may be a link; if not, it says something about one.
    pub(crate) may_be_link: bool,
    /// From the name to behind the value and its quotes.
    pub(crate) span: Span,
    /// The value as written, without quotes.
    pub(crate) value: Span,
    /// How the value is delimited.
    pub(crate) quoting: Quoting,
    /// Attributes behind it that repeat its name, and so do not count; each as `span` has it.
    pub(crate) repeats: DuplicateAttributes,
}

/// Where attributes stand; but hardly ever are there any, and what there is of an attribute should be little.
#[derive(Debug, Clone, Default)]
#[expect(
    clippy::box_collection,
    reason = "an empty list would take three words of each attribute, not one"
)]
pub(crate) struct DuplicateAttributes(Option<Box<Vec<Span>>>);

impl DuplicateAttributes {
    pub(super) fn push(&mut self, span: Span) {
        self.0.get_or_insert_default().push(span);
    }

    pub(crate) fn spans(&self) -> &[Span] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl FromIterator<Span> for DuplicateAttributes {
    fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> Self {
        let mut repeats = Self::default();
        for span in spans {
            repeats.push(span);
        }
        repeats
    }
}

impl<'t> Tokens<'t> {
    /// Forgets what stands in a part of the document, to go on with the next; what is known of the document as a whole
    /// stays.
    pub(super) fn clear(&mut self) {
        self.start_tags.clear();
        self.attributes.clear();
        self.base_elements.clear();
        self.conditional_comments.clear();
        self.mismatches = 0;
        self.tags = 0;
    }

    /// The attributes of a start tag, but for those that repeat the name of one before them. All of a BASE; of others
    /// those that may be links or say something about one.
    pub(crate) fn attributes(&self, tag: &StartTag<'t>) -> &[Attribute<'t>] {
        &self.attributes[tag.attributes.start..tag.attributes.end]
    }

    /// The attribute of a start tag that has that name; `xlink:href` and the like with their prefix.
    pub(crate) fn attribute(&self, tag: &StartTag<'t>, name: &str) -> Option<&Attribute<'t>> {
        self.attributes(tag).iter().find(|one| one.name == name)
    }
}

impl Attribute<'_> {
    /// Whether its value is in quotes, and no other attribute repeats its name.
    pub(crate) fn stands_alone_in_quotes(&self) -> bool {
        matches!(self.quoting, Quoting::Single | Quoting::Double) && self.repeats.is_empty()
    }
}
