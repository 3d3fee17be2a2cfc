//! [`NodeList`]: a tree that another program holds, as a list of its nodes, and the changes of a rewrite to it.
//!
//! The list is copied to a [`Tree`], so the same code finds and rewrites its links. The other program applies the
//! [`NodeChange`]s to its own nodes.

use std::rc::Rc;

use encoding_rs::Encoding;
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace as NamespaceUrl, QualName, ns};
use markup5ever_rcdom::{Handle, Node, NodeData};

use super::Tree;
use super::element::TreeElement;
use super::replacements::parent_of;
use crate::html::scan::foreign;
use crate::html::tap::Scripting;
use crate::html::tap::qual_name::namespace_of;
use crate::markup::tokens::Namespace;

/// The nodes of a tree that another program holds, in document order.
///
/// [`rewrite_nodes`](crate::tree::rewrite_nodes) finds and rewrites its links as those of a [`Tree`].
/// Nodes are identified by their index in the list.
///
/// The tree is that of a parser with scripting disabled, as those of libxml2 and html5lib are: the text of a NOSCRIPT
/// is text, and its links are those of the elements in it.
///
/// # Examples
/// ```
/// use absolve::tree::{NodeChange, NodeList, rewrite_nodes};
/// use absolve::{BaseCandidates, BaseSource, Decision, Rewriter};
///
/// let mut nodes = NodeList::new();
/// nodes.push_element(0, None, "body", []);
/// nodes.push_element(1, None, "a", [("title", "b"), ("href", "g")]);
/// let candidates = BaseCandidates::new().with(BaseSource::Retrieval, "http://a/b/c");
/// let rewritten = rewrite_nodes(&Rewriter::new(), nodes, &candidates, |_| Decision::Resolve);
/// let value = Some("http://a/b/g".to_owned());
/// assert_eq!(rewritten.changes, [NodeChange::Attribute { node: 1, attribute: 1, value }]);
/// assert_eq!(rewritten.places[0].node, 1);
/// ```
pub struct NodeList {
    nodes: Vec<Listed>,
    document: Handle,
    encoding: &'static Encoding,
    /// The last node of the list and the nodes around it, outermost first.
    open: Vec<Open>,
}

/// A node of the list.
struct Listed {
    node: Handle,
    /// The attributes before the rewrite.
    attributes: Vec<Attribute>,
    /// The text before the rewrite.
    text: StrTendril,
}

/// A node whose children may follow in the list.
struct Open {
    depth: usize,
    /// The parent of its children: the node itself, or the contents of a `template`.
    parent: Handle,
    /// The namespace of its children, unless their names determine it.
    namespace: Namespace,
    /// Whether `svg` is an SVG element in it although it is itself in MathML.
    may_contain_svg: bool,
}

/// A change of a rewrite to the nodes of a [`NodeList`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeChange {
    /// An attribute of an element, by the order in which attributes were listed, has a new value, or is removed.
    Attribute {
        /// The element.
        node: usize,
        /// The index of the attribute.
        attribute: usize,
        /// The new value; `None` if the attribute is removed.
        value: Option<String>,
    },
    /// The text of an element or of a comment is replaced.
    Text {
        /// The element or comment.
        node: usize,
        /// The new text.
        text: String,
    },
    /// An element is removed.
    Remove {
        /// The element.
        node: usize,
    },
    /// A BASE that has no `href` gets one.
    BaseHref {
        /// The BASE element.
        node: usize,
        /// The value of the new attribute.
        href: String,
    },
    /// A BASE is inserted before the other children of a HEAD.
    InsertBase {
        /// The HEAD element.
        head: usize,
        /// The value of its attribute `href`.
        href: String,
    },
}

impl std::fmt::Debug for NodeList {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A derived implementation would recurse over the tree.
        formatter.debug_struct("NodeList").finish_non_exhaustive()
    }
}

impl Default for NodeList {
    fn default() -> Self {
        Self::new()
    }
}

impl NodeList {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self {
            nodes: Vec::new(),
            document: Node::new(NodeData::Document),
            encoding: encoding_rs::UTF_8,
            open: Vec::new(),
        }
    }

    /// Sets the encoding of the document, which determines how queries are written. The default is UTF-8.
    ///
    /// `label` is a label of the Encoding Standard; an unknown label changes nothing.
    #[must_use]
    pub fn encoding(self, label: &str) -> Self {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(self.encoding);
        Self { encoding, ..self }
    }

    /// Appends an element. It is a child of the last element that is less deep.
    ///
    /// `namespace` is the URL of its namespace. With `None`, the parser of the HTML standard determines namespace and
    /// name, as it does for a tag: names in SVG may be in lower case, and an `image` in HTML is an `img`. Names of
    /// attributes include a prefix, as in `xlink:href`.
    pub fn push_element<'a>(
        &mut self,
        depth: usize,
        namespace: Option<&str>,
        name: &str,
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) {
        let name = self.qualified_name(depth, namespace, name);
        let own = namespace_of(&name);
        let to_attribute = |(attribute, value)| {
            let spelled = own.and_then(|own| foreign::attribute_spelling(own, attribute));
            let local = LocalName::from(spelled.unwrap_or(attribute));
            Attribute {
                name: QualName::new(None, ns!(), local),
                value: StrTendril::from(value),
            }
        };
        let attributes: Vec<Attribute> = attributes.into_iter().map(to_attribute).collect();
        let is_html_integration_point = attributes.iter().any(|attribute| {
            let is = |value: &str| attribute.value.eq_ignore_ascii_case(value);
            &*attribute.name.local == "encoding" && (is("text/html") || is("application/xhtml+xml"))
        });
        let contents = (own == Some(Namespace::Html) && &*name.local == "template")
            .then(|| Node::new(NodeData::Document));
        let node = Node::new(NodeData::Element {
            name: name.clone(),
            attrs: attributes.clone().into(),
            template_contents: contents.clone().into(),
            mathml_annotation_xml_integration_point: false,
        });
        self.push(depth, &node, attributes, StrTendril::new());
        let is_annotation = own == Some(Namespace::MathMl) && &*name.local == "annotation-xml";
        let is_integration_point = (is_annotation && is_html_integration_point)
            || own.is_some_and(|own| foreign::is_integration_point(own, &name.local));
        self.open.push(Open {
            depth,
            parent: contents.unwrap_or(node),
            namespace: match own {
                Some(namespace) if !is_integration_point => namespace,
                _ => Namespace::Html,
            },
            may_contain_svg: is_annotation,
        });
    }

    /// Appends text to the last element of the list.
    ///
    /// Only the text of `style` and `script` may contain links. Text that is not whole has other nodes in it: its links
    /// are found, and skipped.
    pub fn push_text(&mut self, text: &str, is_whole: bool) {
        let (Some(open), Some(listed)) = (self.open.last(), self.nodes.last_mut()) else {
            return;
        };
        let contents = StrTendril::from(text);
        listed.text = contents.clone();
        append(&open.parent, &text_node(contents));
        if !is_whole {
            append(&open.parent, &text_node(StrTendril::new()));
        }
    }

    /// Appends a comment. It is a child of the last element that is less deep.
    pub fn push_comment(&mut self, depth: usize, text: &str) {
        let contents = StrTendril::from(text);
        // A rewrite replaces the comment, but not the node around it. The iteration over the tree passes over that.
        let node = Node::new(NodeData::Document);
        let comment = NodeData::Comment {
            contents: contents.clone(),
        };
        append(&node, &Node::new(comment));
        self.push(depth, &node, Vec::new(), contents);
    }

    /// Appends a node to the list and to its parent.
    fn push(&mut self, depth: usize, node: &Handle, attributes: Vec<Attribute>, text: StrTendril) {
        while self.open.last().is_some_and(|open| open.depth >= depth) {
            self.open.pop();
        }
        let parent = self.open.last().map_or(&self.document, |open| &open.parent);
        append(parent, node);
        self.nodes.push(Listed {
            node: node.clone(),
            attributes,
            text,
        });
    }

    /// Returns the name of an element with its namespace, which is that of the standard if it is not given.
    fn qualified_name(&self, depth: usize, namespace: Option<&str>, name: &str) -> QualName {
        if let Some(namespace) = namespace {
            return QualName::new(None, NamespaceUrl::from(namespace), LocalName::from(name));
        }
        let around = self.open.iter().rfind(|open| open.depth < depth);
        let around_namespace = around.map_or(Namespace::Html, |open| open.namespace);
        let may_be_svg =
            around_namespace == Namespace::Html || around.is_some_and(|open| open.may_contain_svg);
        let (url, spelled) = match (around_namespace, name) {
            (_, "svg") if may_be_svg => (ns!(svg), None),
            (Namespace::Html, "math") | (Namespace::MathMl, _) => (ns!(mathml), None),
            (Namespace::Svg, _) => (ns!(svg), foreign::SVG_ELEMENTS.spelling(name)),
            // HTML, "in body": a start tag "image" creates an `img`.
            _ => (ns!(html), (name == "image").then_some("img")),
        };
        QualName::new(None, url, LocalName::from(spelled.unwrap_or(name)))
    }

    /// Returns the tree of the nodes, which is not copied.
    pub(crate) fn tree(&self) -> Tree {
        Tree {
            encoding: self.encoding,
            scripting: Scripting::Off,
            ..Tree::from(self.document.clone())
        }
    }

    /// Returns the changes to the nodes, which are in document order except for an inserted BASE, which is last.
    ///
    /// Except for that BASE, only the nodes of `visited` may have changed. They must be in document order.
    pub(crate) fn changes(self, visited: impl Iterator<Item = usize>) -> Vec<NodeChange> {
        let mut changes = Vec::new();
        let mut previous = None;
        for index in visited {
            if previous.replace(index) != Some(index)
                && let Some(listed) = self.nodes.get(index)
            {
                listed.append_changes(index, &mut changes);
            }
        }
        let mut nodes = self.nodes.iter().enumerate();
        changes.extend(nodes.find_map(|(index, listed)| listed.inserted_base(index, &self.nodes)));
        changes
    }
}

impl Listed {
    /// Appends the changes to the node, which is the one at `index`, to `changes`.
    fn append_changes(&self, index: usize, changes: &mut Vec<NodeChange>) {
        let NodeData::Element { attrs, .. } = &self.node.data else {
            changes.extend(self.text_change(index));
            return;
        };
        if parent_of(&self.node).is_none() {
            changes.push(NodeChange::Remove { node: index });
            return;
        }
        let current = attrs.borrow();
        for (position, attribute) in self.attributes.iter().enumerate() {
            let mut found = current.iter().filter(|now| now.name == attribute.name);
            let value = found.next().map(|now| &now.value);
            if value != Some(&attribute.value) {
                changes.push(NodeChange::Attribute {
                    node: index,
                    attribute: position,
                    value: value.map(ToString::to_string),
                });
            }
        }
        changes.extend(self.text_change(index));
    }

    /// Returns the change of the text, which is the first child of the node.
    fn text_change(&self, node: usize) -> Option<NodeChange> {
        let children = self.node.children.borrow();
        let text = match &children.first()?.data {
            NodeData::Text { contents } => contents.borrow().clone(),
            NodeData::Comment { contents } => contents.clone(),
            _ => return None,
        };
        (text != self.text).then(|| NodeChange::Text {
            node,
            text: text.to_string(),
        })
    }

    /// Returns the BASE that was inserted, if the node is its HEAD, or the `href` it got if it is a BASE without one.
    fn inserted_base(&self, index: usize, nodes: &[Self]) -> Option<NodeChange> {
        let href_of = |node: &Handle| {
            let element = TreeElement::of(node);
            element.attribute("href").filter(|_| element.is_base())
        };
        if TreeElement::of(&self.node).is_head() {
            let children = self.node.children.borrow();
            let first = children.first()?;
            let is_listed = nodes.iter().any(|listed| Rc::ptr_eq(&listed.node, first));
            let href = href_of(first).filter(|_| !is_listed)?;
            return Some(NodeChange::InsertBase { head: index, href });
        }
        let had_href = self
            .attributes
            .iter()
            .any(|attribute| &*attribute.name.local == "href");
        let href = href_of(&self.node).filter(|_| !had_href)?;
        Some(NodeChange::BaseHref { node: index, href })
    }
}

/// Returns a new text node.
fn text_node(contents: StrTendril) -> Handle {
    Node::new(NodeData::Text {
        contents: contents.into(),
    })
}

/// Appends `child` to the children of `parent`.
fn append(parent: &Handle, child: &Handle) {
    child.parent.set(Some(Rc::downgrade(parent)));
    parent.children.borrow_mut().push(child.clone());
}
