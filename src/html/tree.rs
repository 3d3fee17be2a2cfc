//! The tree walker: a parsed document, its elements in order, and the document serialised again.
//!
//! All walking is iterative: a tree may be as deep as its document is long.

use std::io::{self, Write};

use encoding_rs::Encoding;
use html5ever::serialize::{HtmlSerializer, SerializeOpts, Serializer};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::{BufferQueue, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, ParseOpts, QualName, TokenizerResult, local_name, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::encoding::decode;
use super::names::{namespace_of, qualified};
use super::sink::Sink;
use super::{BaseElement, Namespace, Place, Unread};
use crate::encoding;

/// A parsed HTML document.
///
/// Made from text, or from the tree of people who hold one: `Tree::from(dom)`, where `dom` is an
/// [`RcDom`](markup5ever_rcdom::RcDom) or its document node. Nodes are shared, not copied: rewriting the `Tree` rewrites
/// the tree it was made from.
///
/// Scripting is off: the content of `noscript` is elements.
pub struct Tree {
    document: Handle,
    encoding: &'static Encoding,
    mark: Vec<u8>,
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
            mark: Vec::new(),
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
        Self::from(html5ever::parse_document(Sink::default(), parse_options()).one(text))
    }

    /// Reads `document` in the encoding it has, and parses it.
    ///
    /// `transport` is the transport's word on the encoding: a label of the Encoding Standard. A byte order mark goes
    /// before it, the document's own `meta` after it; a label that is not known is passed over.
    ///
    /// # Errors
    /// The document cannot be read as text, or is too long: see [`Unread`].
    pub fn parse_bytes(document: &[u8], transport: Option<&str>) -> Result<Self, Unread> {
        let transport = transport.and_then(|label| Encoding::for_label(label.as_bytes()));
        let decoded = decode(document, transport)?;
        Ok(Self {
            encoding: decoded.encoding,
            mark: decoded.mark.to_vec(),
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
        let written = write_html(&self.document, &mut html);
        debug_assert!(written.is_ok());
        String::from_utf8_lossy(&html).into_owned()
    }

    /// The tree as HTML in the encoding of the bytes it was parsed from (UTF-8, where it was not), its byte order mark
    /// included. Characters which that encoding lacks become numeric character references, in scripts and comments too,
    /// where nothing decodes them.
    #[must_use]
    pub fn serialize_bytes(&self) -> Vec<u8> {
        let mut bytes = self.mark.clone();
        bytes.extend(encoding::encode(&self.serialize(), self.encoding));
        bytes
    }

    /// The encoding of the bytes the tree was parsed from.
    pub(crate) fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Every element in document order, the contents of a `template` before its children.
    pub(crate) fn elements(&self) -> impl Iterator<Item = Element> + use<> {
        let mut open = vec![Visit {
            node: self.document.clone(),
            place: Place::Outside,
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
                if let NodeData::Element {
                    template_contents, ..
                } = &node.data
                {
                    if let Some(contents) = template_contents.borrow().as_ref() {
                        open.push(Visit {
                            node: contents.clone(),
                            place: Place::Template,
                        });
                    }
                    return Some(Element { node, place });
                }
            }
        })
    }
}

/// The encoding that the first `meta` element of `text` to name one names.
pub(super) fn declared_encoding(text: &str) -> Option<&'static Encoding> {
    let options = parse_options();
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    let tokenizer = Tokenizer::new(
        TreeBuilder::new(Sink::default(), options.tree_builder),
        options.tokenizer,
    );
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

impl Place {
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

struct Visit {
    node: Handle,
    /// The place of the node's parent's children, that is, of the node.
    place: Place,
}

fn is_html(name: &QualName) -> bool {
    name.ns == ns!(html)
}

/// What becomes of an attribute.
pub(crate) enum Change {
    /// It stays.
    Keep,
    /// It gets this value.
    Set(String),
    /// It goes.
    Remove,
}

/// An element of a [`Tree`].
pub(crate) struct Element {
    node: Handle,
    /// Where it stands.
    pub(crate) place: Place,
}

impl Element {
    fn qualified_name(&self) -> Option<&QualName> {
        match &self.node.data {
            NodeData::Element { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The namespace, or `None` if it is none of the three HTML knows.
    pub(crate) fn namespace(&self) -> Option<Namespace> {
        namespace_of(self.qualified_name()?)
    }

    /// The local name: lower case in HTML, as the standards spell it in SVG and MathML.
    pub(crate) fn name(&self) -> &str {
        self.qualified_name().map_or("", |name| &name.local)
    }

    /// Calls `visit` with the name and value of each attribute, in order; `xlink:href` and the like with their prefix.
    /// The changes are made once all were visited.
    pub(crate) fn for_each_attribute(&self, mut visit: impl FnMut(&str, &str) -> Change) {
        let NodeData::Element { attrs, .. } = &self.node.data else {
            return;
        };
        // Collected first: `visit` may look at other attributes of the element.
        let visit = |attribute: &Attribute| visit(&qualified(&attribute.name), &attribute.value);
        let changes: Vec<Change> = attrs.borrow().iter().map(visit).collect();
        let mut changes = changes.into_iter();
        attrs
            .borrow_mut()
            .retain_mut(|attribute| match changes.next() {
                Some(Change::Set(value)) => {
                    attribute.value = StrTendril::from(value);
                    true
                }
                Some(Change::Remove) => false,
                Some(Change::Keep) | None => true,
            });
    }

    /// The value of the attribute of that name.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let NodeData::Element { attrs, .. } = &self.node.data else {
            return None;
        };
        let attributes = attrs.borrow();
        let found = attributes
            .iter()
            .find(|attribute| qualified(&attribute.name) == name)?;
        Some(found.value.to_string())
    }
}

enum Step {
    Open(Handle),
    Close(QualName),
}

/// Serialises the children of `document`.
///
/// `RcDom` can serialise itself, but leaves out the contents of templates and the identifiers of the DOCTYPE.
fn write_html(document: &Handle, html: &mut Vec<u8>) -> io::Result<()> {
    let options = SerializeOpts {
        scripting_enabled: false,
        create_missing_parent: true,
        ..SerializeOpts::default()
    };
    let mut serializer = HtmlSerializer::new(html, options);
    let mut steps: Vec<Step> = Vec::new();
    let push_children = |node: &Handle, steps: &mut Vec<Step>| {
        steps.extend(
            node.children
                .borrow()
                .iter()
                .rev()
                .map(|child| Step::Open(child.clone())),
        );
    };
    push_children(document, &mut steps);
    while let Some(step) = steps.pop() {
        let node = match step {
            Step::Open(node) => node,
            Step::Close(name) => {
                serializer.end_elem(name)?;
                continue;
            }
        };
        match &node.data {
            NodeData::Document => push_children(&node, &mut steps),
            NodeData::Doctype {
                name,
                public_id,
                system_id,
            } => {
                write_doctype(name, public_id, system_id, &mut serializer.writer)?;
            }
            NodeData::Text { contents } => serializer.write_text(&contents.borrow())?,
            NodeData::Comment { contents } => serializer.write_comment(contents)?,
            NodeData::ProcessingInstruction { target, contents } => {
                serializer.write_processing_instruction(target, contents)?;
            }
            NodeData::Element {
                name,
                attrs,
                template_contents,
                ..
            } => {
                let attributes = attrs.borrow();
                serializer.start_elem(
                    name.clone(),
                    attributes.iter().map(|one| (&one.name, &one.value[..])),
                )?;
                steps.push(Step::Close(name.clone()));
                push_children(&node, &mut steps);
                if let Some(contents) = template_contents.borrow().as_ref() {
                    steps.push(Step::Open(contents.clone()));
                }
            }
        }
    }
    Ok(())
}

fn write_doctype(
    name: &str,
    public_id: &str,
    system_id: &str,
    html: &mut impl Write,
) -> io::Result<()> {
    write!(html, "<!DOCTYPE {name}")?;
    // An identifier holds one kind of quote at most: the tokenizer ended it at the other.
    let quoted = |id: &str| {
        if id.contains('"') {
            format!("'{id}'")
        } else {
            format!("\"{id}\"")
        }
    };
    match (public_id.is_empty(), system_id.is_empty()) {
        (true, true) => {}
        (false, true) => write!(html, " PUBLIC {}", quoted(public_id))?,
        (true, false) => write!(html, " SYSTEM {}", quoted(system_id))?,
        (false, false) => write!(html, " PUBLIC {} {}", quoted(public_id), quoted(system_id))?,
    }
    html.write_all(b">")
}

impl Tree {
    /// Every BASE element that has an `href`, in document order.
    ///
    /// # Source
    /// RFC 1808 section 10; which element is a BASE element, and whether it is in HEAD, is for the tree to say:
    /// `base` in SVG is none, and a BASE behind `</head>` is put into HEAD by the HTML standard ("after head").
    pub(crate) fn base_elements(&self) -> Vec<BaseElement> {
        self.elements()
            .filter(|element| {
                element
                    .qualified_name()
                    .is_some_and(|name| is_html(name) && name.local == local_name!("base"))
            })
            .filter_map(|element| {
                Some(BaseElement {
                    href: element.attribute("href")?,
                    place: element.place,
                })
            })
            .collect()
    }
}
