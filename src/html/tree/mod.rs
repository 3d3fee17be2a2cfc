//! The tree walker: a parsed document, its elements in document order, and its serialization.
//!
//! A caller that holds a tree has no source text, so its links are found and replaced in the tree itself. Everything
//! after finding them is shared with the rewriting of text. Parsing a rewritten document must result in the same tree
//! as rewriting the tree of the document, so each way of rewriting is a test of the other.
//!
//! # Invariants
//!
//! * Invariant: no function recurses over the tree. A tree may be as deep as its document is long, and a recursive walk
//!   would overflow the stack. This includes `Debug` and serialization.
//! * Invariant: elements are visited in document order, with the contents of a `template` after the element itself and
//!   before its children. The [`TreeLocation`] is passed down on the way, because a node refers to its parent only.
//! * Nodes are shared, not copied. Removed and replaced nodes are collected in
//!   [`Replacements`](replacements::Replacements) and applied after the walk, so that the children of each
//!   parent are scanned only once.

mod bytes;
mod dom;
pub(crate) mod element;
pub(crate) mod node_list;
pub(crate) mod replacements;
mod serialize;

use encoding_rs::Encoding;
use html5ever::interface::TreeSink;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tokenizer};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{Attribute, QualName, TokenizerResult, local_name, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::tap::guard::MetaGuard;
use super::tap::metered_sink::MeteredSink;
use super::tap::{Scripting, parse_options};
use crate::markup::tokens::{BaseElement, TreeLocation};
use element::TreeElement;

/// A parsed HTML document.
///
/// A tree is parsed from text or bytes, or made from an existing tree: `Tree::from(dom)`, where `dom` is an [`RcDom`]
/// or its document node. Nodes are shared, not copied: rewriting the `Tree` rewrites the tree from which it was made.
///
/// Documents are parsed with scripting enabled, so the content of `noscript` is text. That text is read as markup, and
/// its links are rewritten in it.
pub struct Tree {
    document: Handle,
    encoding: &'static Encoding,
    bom: Vec<u8>,
    /// The scripting flag of the parser that built the tree.
    scripting: Scripting,
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A derived implementation would recurse over the tree.
        formatter.debug_struct("Tree").finish_non_exhaustive()
    }
}

impl From<RcDom> for Tree {
    fn from(dom: RcDom) -> Self {
        Self::from(dom.document)
    }
}

impl From<Handle> for Tree {
    fn from(document: Handle) -> Self {
        Self {
            document,
            encoding: encoding_rs::UTF_8,
            bom: Vec::new(),
            scripting: Scripting::On,
        }
    }
}

impl Tree {
    /// Parses `text` as the HTML standard requires. Every text is a document, so this cannot fail.
    ///
    /// # Complexity
    /// Quadratic for some texts that are made to be slow. [`parse_bytes`](Self::parse_bytes) refuses them.
    ///
    /// # Panics
    /// Panics if `text` is longer than html5ever supports, which is over one gigabyte.
    /// [`Rewriter::rewrite`](crate::Rewriter::rewrite) returns such a document unchanged instead.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let options = parse_options(Scripting::On);
        let builder = TreeBuilder::new(MeteredSink::new(RcDom::default()), options.tree_builder);
        let tokenizer = Tokenizer::new(MetaGuard(builder), options.tokenizer);
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(text));
        // The tokenizer also returns after a script or an encoding declaration; neither matters here.
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        tokenizer.end();
        Self::from(tokenizer.sink.0.sink.finish())
    }

    /// Returns whether the text of a NOSCRIPT is markup that was not parsed.
    pub(crate) fn has_raw_noscripts(&self) -> bool {
        self.scripting == Scripting::On
    }

    /// Returns the document node.
    #[must_use]
    pub fn document(&self) -> &Handle {
        &self.document
    }

    /// Serializes the tree as HTML.
    ///
    /// # Source
    /// HTML, "serializing HTML fragments". Unlike there, the DOCTYPE keeps its identifiers, because they determine
    /// whether the page is laid out in quirks mode.
    #[must_use]
    pub fn serialize(&self) -> String {
        serialize::to_html(&self.document)
    }

    /// Returns the encoding of the bytes from which the tree was parsed; UTF-8 if it was not parsed from bytes.
    pub(crate) fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Iterates over all elements in document order, the contents of a `template` before its children.
    pub(crate) fn elements(&self) -> impl Iterator<Item = TreeElement> + use<> {
        self.nodes().filter(|node| node.comment().is_none())
    }

    /// Iterates over all elements and comments in document order, the contents of a `template` before its children.
    ///
    /// The children of a node are read before the iterator returns the node, so later changes to them have no effect.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = TreeElement> + use<> {
        let at = |node: &Handle, location| {
            let node = node.clone();
            TreeElement { node, location }
        };
        // The nodes that have not been visited. The location of each is that of its parent's children.
        let mut stack = vec![at(&self.document, TreeLocation::Outside)];
        std::iter::from_fn(move || {
            loop {
                let mut element = stack.pop()?;
                if element.location == TreeLocation::Outside && element.is_head() {
                    element.location = TreeLocation::Head;
                }
                // Reversed, since the stack returns the last one first.
                for child in element.node.children.borrow().iter().rev() {
                    stack.push(at(child, element.location));
                }
                match &element.node.data {
                    NodeData::Element {
                        template_contents, ..
                    } => {
                        if let Some(contents) = template_contents.borrow().as_ref() {
                            stack.push(at(contents, TreeLocation::Template));
                        }
                    }
                    NodeData::Comment { .. } => {}
                    _ => continue,
                }
                return Some(element);
            }
        })
    }

    /// Returns all BASE elements that have an `href`, in document order.
    ///
    /// # Source
    /// RFC 1808 section 10. The tree determines which elements are BASE elements and which are in HEAD: a `base` in
    /// SVG is not a BASE, and a BASE after `</head>` is moved into HEAD by the HTML standard ("after head").
    pub(crate) fn base_elements(&self) -> Vec<BaseElement> {
        self.elements()
            .filter(TreeElement::is_base)
            .filter_map(|element| {
                Some(BaseElement {
                    href: element.attribute("href")?,
                    attributes: element.attributes(),
                    location: element.location,
                })
            })
            .collect()
    }

    /// Gives the document a BASE with that `href`. Does nothing if there is no HEAD.
    ///
    /// Sets the `href` of a BASE in HEAD that has none, if that BASE would then be the first one with an `href`;
    /// otherwise inserts a BASE at the beginning of HEAD.
    pub(crate) fn insert_base(&self, url: &str) {
        let href = Attribute {
            name: QualName::new(None, ns!(), local_name!("href")),
            value: StrTendril::from(url),
        };
        // The first BASE with an `href` counts, so the search ends there. It also ends at a NOSCRIPT: with scripting
        // disabled, its content may be a BASE, or may end HEAD.
        let bare = self
            .elements()
            .take_while(|element| !element.is_noscript())
            .filter(TreeElement::is_base)
            .take_while(|base| base.attribute("href").is_none())
            .find(TreeElement::is_child_of_head);
        if let Some(base) = bare {
            base.prepend_attribute(href);
            return;
        }
        let name = QualName::new(None, ns!(html), local_name!("base"));
        if let Some(head) = self.elements().find(TreeElement::is_head) {
            head.prepend_child(name, href);
        }
    }
}
