//! [`Outline`]: the parts of the tree of a document that links depend on.
//!
//! html5ever needs the names of elements and the order in which they are nested; the [tap](super) needs the BASE
//! elements in tree order and the text of a few others. So a node is its name and its place in the tree. There is no
//! text outside of those elements, and no attribute but those of BASE.
//!
//! Nodes are numbers, and each refers to its siblings, so inserting and removing one takes constant time. No node is
//! freed before all of them are: html5ever may put one that it has removed somewhere else.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::iter;
use std::mem;
use std::num::NonZeroU32;
use std::rc::Rc;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, expanded_name, local_name, ns};

use super::dom::Dom;
use super::qual_name::qualified;
use crate::markup::tokens::{BaseElement, NameAndValue, TreeLocation};

/// The number of a node: its index in the list of nodes, plus one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(NonZeroU32);

impl NodeId {
    /// The document node, which is created first.
    const DOCUMENT: Self = Self(NonZeroU32::MIN);

    /// Returns the number of the next node of `nodes`.
    fn next(nodes: &[OutlineNode]) -> Self {
        let number = u32::try_from(nodes.len() + 1)
            .ok()
            .and_then(NonZeroU32::new);
        // A text is shorter than 2^31 bytes, and the limit of steps allows less than one additional element for each.
        Self(number.expect("fewer nodes than 2^32"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

#[derive(Clone, Copy)]
struct OutlineNode {
    /// The index of a [`NodeKind`].
    kind: u32,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
}

enum NodeKind {
    Document,
    /// Only in elements whose text is kept.
    Comment,
    Text(String),
    Element(Rc<QualName>),
}

/// The indices of the kinds that exist once.
const DOCUMENT_KIND: u32 = 0;
const COMMENT_KIND: u32 = 1;

/// The tree of a document; see the [module](self).
pub(super) struct Outline {
    nodes: Vec<OutlineNode>,
    /// One for each text, and one for all elements of a name.
    kinds: Vec<NodeKind>,
    /// The indices of the kinds of elements.
    element_kinds: HashMap<Rc<QualName>, u32>,
    /// Kinds of elements that were created before, by the lowest bits of the hash of the local name. Most are found
    /// here, without a search.
    recent_kinds: [u32; 64],
    /// The `annotation-xml` elements whose content is HTML, in the order of their numbers.
    integration_points: Vec<NodeId>,
    /// The BASE elements and their attributes, in the order of their numbers.
    bases: Vec<(NodeId, Vec<NameAndValue>)>,
}

impl Default for Outline {
    fn default() -> Self {
        let mut outline = Self {
            nodes: Vec::new(),
            kinds: vec![NodeKind::Document, NodeKind::Comment],
            element_kinds: HashMap::new(),
            recent_kinds: [DOCUMENT_KIND; 64],
            integration_points: Vec::new(),
            bases: Vec::new(),
        };
        outline.create(DOCUMENT_KIND);
        outline
    }
}

impl Outline {
    fn create(&mut self, kind: u32) -> NodeId {
        let id = NodeId::next(&self.nodes);
        self.nodes.push(OutlineNode {
            kind,
            parent: None,
            first_child: None,
            last_child: None,
            previous: None,
            next: None,
        });
        id
    }

    fn node(&self, id: NodeId) -> &OutlineNode {
        &self.nodes[id.index()]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut OutlineNode {
        &mut self.nodes[id.index()]
    }

    fn kind(&self, id: NodeId) -> &NodeKind {
        &self.kinds[self.node(id).kind as usize]
    }

    /// Returns the name of `id`, or `None` if it is not an element.
    fn name(&self, id: NodeId) -> Option<&Rc<QualName>> {
        match self.kind(id) {
            NodeKind::Element(name) => Some(name),
            _ => None,
        }
    }

    /// Returns whether `id` is the HTML element with that local name.
    fn is_html(&self, id: NodeId, local_name: &LocalName) -> bool {
        let name = self.name(id);
        name.is_some_and(|name| name.ns == ns!(html) && name.local == *local_name)
    }

    fn create_element(&mut self, name: QualName, flags: &ElementFlags) -> NodeId {
        let kind = self.element_kind(name);
        let id = self.create(kind);
        if flags.mathml_annotation_xml_integration_point {
            self.integration_points.push(id);
        }
        id
    }

    /// Returns the index of the kind of elements with `name`, which is added if it is new.
    fn element_kind(&mut self, name: QualName) -> u32 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "any bits of a hash will do"
        )]
        let slot = name.local.get_hash() as usize % self.recent_kinds.len();
        let recent = self.recent_kinds[slot];
        if let NodeKind::Element(recent_name) = &self.kinds[recent as usize]
            && **recent_name == name
        {
            return recent;
        }
        let kind = if let Some(kind) = self.element_kinds.get(&name) {
            *kind
        } else {
            let name = Rc::new(name);
            let kind = self.add_kind(NodeKind::Element(Rc::clone(&name)));
            self.element_kinds.insert(name, kind);
            kind
        };
        self.recent_kinds[slot] = kind;
        kind
    }

    fn add_kind(&mut self, kind: NodeKind) -> u32 {
        let index = u32::try_from(self.kinds.len()).expect("fewer kinds than 2^32");
        self.kinds.push(kind);
        index
    }

    /// Returns whether the text and comments of `id` are kept: it is a STYLE in SVG, or has raw text, which the end of
    /// the document may cut off.
    fn keeps_text(&self, id: NodeId) -> bool {
        self.name(id).is_some_and(|name| match name.expanded() {
            expanded_name!(svg "style") => true,
            html5ever::ExpandedName {
                ns: &ns!(html),
                local,
            } => matches!(
                *local,
                local_name!("iframe")
                    | local_name!("noembed")
                    | local_name!("noframes")
                    | local_name!("noscript")
                    | local_name!("script")
                    | local_name!("style")
                    | local_name!("textarea")
                    | local_name!("title")
                    | local_name!("xmp")
            ),
            _ => false,
        })
    }

    /// Inserts `child` into `parent`, before `next` or, if that is `None`, after all children.
    fn insert(&mut self, parent: NodeId, child: NodeOrText<NodeId>, next: Option<NodeId>) {
        let previous = match next {
            Some(next) => self.node(next).previous,
            None => self.node(parent).last_child,
        };
        let child = match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(_) if !self.keeps_text(parent) => return,
            NodeOrText::AppendText(text) => {
                if let Some(previous) = previous {
                    let kind = self.node(previous).kind;
                    if let NodeKind::Text(before) = &mut self.kinds[kind as usize] {
                        before.push_str(&text);
                        return;
                    }
                }
                let kind = self.add_kind(NodeKind::Text(text.to_string()));
                self.create(kind)
            }
        };
        if self.node(child).kind == COMMENT_KIND && !self.keeps_text(parent) {
            return;
        }
        self.unlink(child);
        // The child may have been there already.
        let previous = match next {
            Some(next) => self.node(next).previous,
            None => self.node(parent).last_child,
        };
        let node = self.node_mut(child);
        (node.parent, node.previous, node.next) = (Some(parent), previous, next);
        match previous {
            Some(previous) => self.node_mut(previous).next = Some(child),
            None => self.node_mut(parent).first_child = Some(child),
        }
        match next {
            Some(next) => self.node_mut(next).previous = Some(child),
            None => self.node_mut(parent).last_child = Some(child),
        }
    }

    /// Removes `id` from its parent, if it has one.
    fn unlink(&mut self, id: NodeId) {
        let OutlineNode {
            parent,
            previous,
            next,
            ..
        } = *self.node(id);
        let Some(parent) = parent else {
            return;
        };
        match previous {
            Some(previous) => self.node_mut(previous).next = next,
            None => self.node_mut(parent).first_child = next,
        }
        match next {
            Some(next) => self.node_mut(next).previous = previous,
            None => self.node_mut(parent).last_child = previous,
        }
        let node = self.node_mut(id);
        (node.parent, node.previous, node.next) = (None, None, None);
    }

    fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        iter::successors(self.node(id).first_child, |child| self.node(*child).next)
    }

    /// Returns the text of an element whose text is kept.
    pub(super) fn text_of(&self, id: NodeId) -> NodeText {
        let mut text = String::new();
        let mut is_whole = true;
        for (index, child) in self.children(id).enumerate() {
            let kind = self.kind(child);
            is_whole &= index == 0 && matches!(kind, NodeKind::Text(_));
            if let NodeKind::Text(part) = kind {
                text.push_str(part);
            }
        }
        NodeText { text, is_whole }
    }

    /// Returns whether `id` is an SVG STYLE element.
    pub(super) fn is_svg_style(&self, id: NodeId) -> bool {
        let name = self.name(id);
        name.is_some_and(|name| name.expanded() == expanded_name!(svg "style"))
    }

    /// Returns whether `id` is a BASE that is a child of HEAD.
    pub(super) fn is_base_in_head(&self, id: NodeId) -> bool {
        let parent = self.node(id).parent;
        self.is_html(id, &local_name!("base"))
            && parent.is_some_and(|parent| self.is_html(parent, &local_name!("head")))
    }

    /// Returns all BASE elements that have an `href`, in tree order.
    ///
    /// The order and the locations are those of `Tree::base_elements`.
    pub(super) fn into_base_elements(mut self) -> Vec<BaseElement> {
        let mut elements = Vec::new();
        if self.bases.is_empty() {
            return elements;
        }
        // Nodes that have not been visited, each with the location of its siblings. Those that follow it are pushed
        // when it is visited.
        let mut pending = vec![(NodeId::DOCUMENT, TreeLocation::Outside)];
        while let Some((id, outer)) = pending.pop() {
            if let Some(next) = self.node(id).next {
                pending.push((next, outer));
            }
            let is_head = outer == TreeLocation::Outside && self.is_html(id, &local_name!("head"));
            let location = if is_head { TreeLocation::Head } else { outer };
            if let Ok(index) = self.bases.binary_search_by_key(&id, |(base, _)| *base)
                && let attributes = mem::take(&mut self.bases[index].1)
                && let Some(href) = attributes.iter().find(|one| one.name == "href")
            {
                elements.push(BaseElement {
                    href: href.value.clone(),
                    attributes,
                    location,
                });
            }
            let is_template = self.is_html(id, &local_name!("template"));
            let location = if is_template {
                TreeLocation::Template
            } else {
                location
            };
            if let Some(child) = self.node(id).first_child {
                pending.push((child, location));
            }
        }
        elements
    }
}

/// The name of an element, which html5ever may keep while it creates others.
#[derive(Debug)]
pub(super) struct ElementName(Rc<QualName>);

impl ElemName for ElementName {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

/// An [`Outline`] under construction.
#[derive(Default)]
pub(super) struct OutlineDom(RefCell<Outline>);

/// Text of an element: that of its child text nodes only, not of its other descendants.
pub(crate) struct NodeText {
    /// The text.
    pub(crate) text: String,
    /// Whether the element has no children, or one text node as its only child.
    pub(crate) is_whole: bool,
}

impl TreeSink for OutlineDom {
    type Handle = NodeId;
    type Output = Outline;
    type ElemName<'a> = ElementName;

    fn finish(self) -> Outline {
        self.0.into_inner()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        NodeId::DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> ElementName {
        let outline = self.0.borrow();
        let name = outline.name(*target);
        ElementName(Rc::clone(
            name.expect("html5ever asks for names of elements only"),
        ))
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> NodeId {
        let outline = &mut *self.0.borrow_mut();
        let is_base = name.expanded() == expanded_name!(html "base");
        let id = outline.create_element(name, &flags);
        if is_base {
            let to_own = |attribute: Attribute| NameAndValue {
                name: qualified(&attribute.name).into_owned(),
                value: attribute.value.to_string(),
            };
            let attributes = attributes.into_iter().map(to_own).collect();
            outline.bases.push((id, attributes));
        }
        id
    }

    fn create_comment(&self, _text: StrTendril) -> NodeId {
        self.0.borrow_mut().create(COMMENT_KIND)
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> NodeId {
        self.0.borrow_mut().create(COMMENT_KIND)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.0.borrow_mut().insert(*parent, child, None);
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        previous_element: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        let parent = self.0.borrow().node(*element).parent;
        match parent {
            Some(_) => self.append_before_sibling(element, child),
            None => self.append(previous_element, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        // The standard's tree builder inserts nothing into a TEMPLATE itself, so its children are its contents.
        *target
    }

    fn same_node(&self, a: &NodeId, b: &NodeId) -> bool {
        a == b
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, new_node: NodeOrText<NodeId>) {
        let outline = &mut *self.0.borrow_mut();
        if let Some(parent) = outline.node(*sibling).parent {
            outline.insert(parent, new_node, Some(*sibling));
        }
    }

    fn add_attrs_if_missing(&self, _target: &NodeId, _attributes: Vec<Attribute>) {
        // Only HTML and BODY get attributes later.
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.0.borrow_mut().unlink(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        let outline = &mut *self.0.borrow_mut();
        while let Some(child) = outline.node(*node).first_child {
            outline.unlink(child);
            outline.insert(*new_parent, NodeOrText::AppendNode(child), None);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &NodeId) -> bool {
        let outline = self.0.borrow();
        outline.integration_points.binary_search(target).is_ok()
    }
}

impl Dom for OutlineDom {
    fn local_name(&self, node: &NodeId) -> Option<LocalName> {
        let outline = self.0.borrow();
        outline.name(*node).map(|name| name.local.clone())
    }

    fn id(node: &NodeId) -> usize {
        node.index()
    }

    fn cost_of_finding(&self, _node: &NodeId) -> usize {
        // Siblings refer to each other.
        0
    }

    fn cost_of_moving_children(&self, node: &NodeId) -> usize {
        self.0.borrow().children(*node).count()
    }

    fn cost_of_adding_attributes(&self, _node: &NodeId) -> usize {
        0
    }
}
