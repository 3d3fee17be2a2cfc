//! The tree walker: a parsed document, its elements in order, and the document serialised again.
//!
//! All walking is iterative: a tree may be as deep as its document is long.

use encoding_rs::Encoding;
use html5ever::interface::TreeSink;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, ParseOpts, QualName, TokenizerResult, local_name, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::conditional_comment::Comment;
use super::element::TreeElement;
use super::encoding::decode;
use super::rcdom_sink::RcDomSink;
use super::tap_guard::MetaGuard;
use super::{BaseElement, TreeLocation, Unsupported, serialize};
use crate::encoding;

/// A parsed HTML document.
///
/// Made from text, or from the tree of people who hold one: `Tree::from(dom)`, where `dom` is an
/// [`RcDom`](markup5ever_rcdom::RcDom) or its document node. Nodes are shared, not copied: rewriting the `Tree`
/// rewrites the tree it was made from.
///
/// Scripting is off: the content of `noscript` is elements.
pub struct Tree {
    document: Handle,
    encoding: &'static Encoding,
    bom: Vec<u8>,
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A derived one would walk the tree recursively.
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
        }
    }
}

impl Tree {
    /// Parses `text` as the HTML standard does. Every text is a document.
    ///
    /// # Panics
    /// If `text` is longer than html5ever takes, which is something over one gigabyte;
    /// [`Rewriter::rewrite`](crate::Rewriter::rewrite) leaves such a document alone.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let tokenizer = parser();
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(text));
        // A script or an encoding declaration interrupts the tokenizer; it is for others to act on.
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        tokenizer.end();
        Self::from(tokenizer.sink.0.sink.finish())
    }

    /// Reads `document` in the encoding it has, and parses it.
    ///
    /// `transport` is the transport's word on the encoding: a label of the Encoding Standard. A byte order mark goes
    /// before it, the document's own `meta` after it; a label that is not known is passed over.
    ///
    /// # Errors
    /// The document cannot be read as text, or is too long: see [`Unsupported`].
    pub fn parse_bytes(document: &[u8], transport: Option<&str>) -> Result<Self, Unsupported> {
        let transport = transport.and_then(|label| Encoding::for_label(label.as_bytes()));
        let decoded = decode(document, transport)?;
        Ok(Self {
            encoding: decoded.encoding,
            bom: decoded.bom.to_vec(),
            ..Self::parse(&decoded.text)
        })
    }

    /// The document node.
    #[must_use]
    pub fn document(&self) -> &Handle {
        &self.document
    }

    /// The tree as HTML.
    ///
    /// # Source
    /// HTML, "serializing HTML fragments", with the identifiers of the DOCTYPE, which decide how the page is laid out.
    #[must_use]
    pub fn serialize(&self) -> String {
        let mut html = Vec::new();
        // Writing to memory does not fail; what is written is UTF-8, text between ASCII delimiters.
        let written = serialize::write_html(&self.document, &mut html);
        debug_assert!(written.is_ok());
        String::from_utf8_lossy(&html).into_owned()
    }

    /// The tree as HTML in the encoding of the bytes it was parsed from (UTF-8, where it was not), its byte order mark
    /// included. Characters which that encoding lacks become numeric character references, in scripts and comments too,
    /// where nothing decodes them.
    #[must_use]
    pub fn serialize_bytes(&self) -> Vec<u8> {
        let mut bytes = self.bom.clone();
        bytes.extend(encoding::encode(&self.serialize(), self.encoding));
        bytes
    }

    /// The encoding of the bytes the tree was parsed from.
    pub(crate) fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Every element in document order, the contents of a `template` before its children.
    pub(crate) fn elements(&self) -> impl Iterator<Item = TreeElement> + use<> {
        self.nodes().filter_map(|node| match node {
            Visited::Element(element) => Some(element),
            Visited::Comment(_) => None,
        })
    }

    /// Every element and comment in document order, the contents of a `template` before its children.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Visited> + use<> {
        let mut open = vec![Visit {
            node: self.document.clone(),
            place: TreeLocation::Outside,
        }];
        std::iter::from_fn(move || {
            loop {
                let Visit { node, place } = open.pop()?;
                let place = place.below(&node);
                for child in node.children.borrow().iter().rev() {
                    open.push(Visit {
                        node: child.clone(),
                        place,
                    });
                }
                if let Some(comment) = Comment::new(&node) {
                    return Some(Visited::Comment(comment));
                }
                if let NodeData::Element {
                    template_contents, ..
                } = &node.data
                {
                    if let Some(contents) = template_contents.borrow().as_ref() {
                        open.push(Visit {
                            node: contents.clone(),
                            place: TreeLocation::Template,
                        });
                    }
                    return Some(Visited::Element(TreeElement { node, place }));
                }
            }
        })
    }

    /// Every BASE element that has an `href`, in document order.
    ///
    /// # Source
    /// RFC 1808 section 10; which element is a BASE element, and whether it is in HEAD, is for the tree to say:
    /// `base` in SVG is none, and a BASE behind `</head>` is put into HEAD by the HTML standard ("after head").
    pub(crate) fn base_elements(&self) -> Vec<BaseElement> {
        self.elements()
            .filter(TreeElement::is_base)
            .filter_map(|element| {
                Some(BaseElement {
                    href: element.attribute("href")?,
                    attributes: element.attributes(),
                    place: element.place,
                })
            })
            .collect()
    }

    /// Sets the `href` of the document's BASE in HEAD that has none, or puts a BASE at the beginning of HEAD; nothing
    /// if there is no HEAD.
    pub(crate) fn insert_base(&self, url: &str) {
        let href = Attribute {
            name: QualName::new(None, ns!(), local_name!("href")),
            value: StrTendril::from(url),
        };
        // The first BASE with an `href` counts: one that has none is given one only if it goes before those that have.
        // What stands in NOSCRIPT, or seems to, is text where scripts are run.
        let bare = self
            .elements()
            .take_while(|element| !element.is_noscript())
            .filter(TreeElement::is_base)
            .take_while(|base| base.attribute("href").is_none())
            .find(TreeElement::is_child_of_head);
        if let Some(base) = bare {
            base.add(href);
            return;
        }
        let name = QualName::new(None, ns!(html), local_name!("base"));
        if let Some(head) = self.elements().find(TreeElement::is_head) {
            head.prepend(name, href);
        }
    }
}

/// The encoding that the first `meta` element of `text` to name one names.
pub(super) fn declared_encoding(text: &str) -> Option<&'static Encoding> {
    let tokenizer = parser();
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    loop {
        match tokenizer.feed(&input) {
            TokenizerResult::EncodingIndicator(label) => {
                // A label that names no encoding is as good as none.
                if let Some(encoding) = Encoding::for_label(label.as_bytes()) {
                    return Some(encoding);
                }
            }
            TokenizerResult::Script(_) => {}
            TokenizerResult::Done => return None,
        }
    }
}

/// A parser that makes a tree.
fn parser() -> Tokenizer<MetaGuard<TreeBuilder<Handle, RcDomSink>>> {
    let options = parse_options();
    let builder = TreeBuilder::new(RcDomSink::default(), options.tree_builder);
    Tokenizer::new(MetaGuard(builder), options.tokenizer)
}

/// How every document is parsed.
pub(super) fn parse_options() -> ParseOpts {
    ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        tokenizer: TokenizerOpts {
            // The byte order mark is taken off before, and only one of them.
            discard_bom: false,
            ..TokenizerOpts::default()
        },
    }
}

impl TreeLocation {
    /// The place of the children of `node`, where `self` is that of `node`.
    fn below(self, node: &Handle) -> Self {
        match &node.data {
            NodeData::Element { name, .. }
                if self == Self::Outside && is_html(name) && name.local == local_name!("head") =>
            {
                Self::Head
            }
            _ => self,
        }
    }
}

/// A node of a tree that may hold links.
pub(crate) enum Visited {
    Element(TreeElement),
    Comment(Comment),
}

struct Visit {
    node: Handle,
    /// The place of the node's parent's children, that is, of the node.
    place: TreeLocation,
}

fn is_html(name: &QualName) -> bool {
    name.ns == ns!(html)
}
