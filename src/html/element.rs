//! An element of a tree.

use std::cell::RefCell;
use std::rc::Rc;

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, local_name, ns};
use markup5ever_rcdom::{Handle, Node, NodeData};

use super::qual_name::{namespace_of, qualified};
use super::replacements::{Replacements, parent_of};
use super::{NameAndValue, Namespace, TreeLocation};

/// What becomes of an attribute.
pub(crate) enum ElementChange {
    /// It stays.
    Keep,
    /// It gets this value.
    Set(String),
    /// It goes.
    Remove,
}

/// An element of a tree.
pub(crate) struct TreeElement {
    pub(super) node: Handle,
    /// Where it stands.
    pub(crate) place: TreeLocation,
}

impl TreeElement {
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
    pub(crate) fn for_each_attribute(&self, mut visit: impl FnMut(&str, &str) -> ElementChange) {
        let NodeData::Element { attrs, .. } = &self.node.data else {
            return;
        };
        // Collected first: `visit` may look at other attributes of the element.
        let visit = |attribute: &Attribute| visit(&qualified(&attribute.name), &attribute.value);
        let changes: Vec<ElementChange> = attrs.borrow().iter().map(visit).collect();
        let mut changes = changes.into_iter();
        attrs
            .borrow_mut()
            .retain_mut(|attribute| match changes.next() {
                Some(ElementChange::Set(value)) => {
                    attribute.value = StrTendril::from(value);
                    true
                }
                Some(ElementChange::Remove) => false,
                Some(ElementChange::Keep) | None => true,
            });
    }

    /// Which element it is, among those of its tree.
    pub(super) fn id(&self) -> *const Node {
        Rc::as_ptr(&self.node)
    }

    fn is(&self, name: &LocalName) -> bool {
        self.qualified_name()
            .is_some_and(|own| own.ns == ns!(html) && own.local == *name)
    }

    /// Whether it is a BASE element.
    pub(super) fn is_base(&self) -> bool {
        self.is(&local_name!("base"))
    }

    /// Whether it is a NOSCRIPT element.
    pub(super) fn is_noscript(&self) -> bool {
        self.is(&local_name!("noscript"))
    }

    /// Whether it is a HEAD element.
    pub(super) fn is_head(&self) -> bool {
        self.is(&local_name!("head"))
    }

    /// Its attributes, in order.
    pub(super) fn attributes(&self) -> Vec<NameAndValue> {
        let NodeData::Element { attrs, .. } = &self.node.data else {
            return Vec::new();
        };
        let to_own = |one: &Attribute| NameAndValue {
            name: qualified(&one.name).into_owned(),
            value: one.value.to_string(),
        };
        attrs.borrow().iter().map(to_own).collect()
    }

    /// Whether it is a child of HEAD itself.
    pub(super) fn is_child_of_head(&self) -> bool {
        let parent = parent_of(&self.node);
        parent.is_some_and(|node| {
            let place = self.place;
            Self { node, place }.is_head()
        })
    }

    /// How many attributes it has.
    pub(crate) fn attribute_count(&self) -> usize {
        match &self.node.data {
            NodeData::Element { attrs, .. } => attrs.borrow().len(),
            _ => 0,
        }
    }

    /// The text of the element.
    pub(crate) fn text(&self) -> ElementText {
        text_of(&self.node)
    }

    /// Sets the text of an element that has one, and nothing else in it.
    pub(crate) fn set_text(&self, text: &str) {
        if let Some(child) = self.node.children.borrow().first()
            && let NodeData::Text { contents } = &child.data
        {
            *contents.borrow_mut() = StrTendril::from(text);
        }
    }

    /// The element goes, once `replacements` are made.
    pub(crate) fn remove(&self, replacements: &mut Replacements) {
        replacements.add(self.node.clone(), None);
    }

    /// Adds an attribute before those there are.
    pub(super) fn add(&self, attribute: Attribute) {
        if let NodeData::Element { attrs, .. } = &self.node.data {
            attrs.borrow_mut().insert(0, attribute);
        }
    }

    /// Puts a new element before the children there are.
    pub(super) fn prepend(&self, name: QualName, attribute: Attribute) {
        let child = Node::new(NodeData::Element {
            name,
            attrs: RefCell::new(vec![attribute]),
            template_contents: RefCell::new(None),
            mathml_annotation_xml_integration_point: false,
        });
        child.parent.set(Some(Rc::downgrade(&self.node)));
        self.node.children.borrow_mut().insert(0, child);
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

/// The text of an element: that of its children, but not of their children.
pub(crate) struct ElementText {
    /// The text.
    pub(crate) text: String,
    /// Whether there is nothing between its parts, nor anything else in the element.
    pub(crate) is_whole: bool,
}

/// The text of the element `node`.
pub(super) fn text_of(node: &Handle) -> ElementText {
    let children = node.children.borrow();
    let mut text = String::new();
    for child in children.iter() {
        if let NodeData::Text { contents } = &child.data {
            text.push_str(&contents.borrow());
        }
    }
    let is_text = |child: &Handle| matches!(child.data, NodeData::Text { .. });
    ElementText {
        text,
        is_whole: children.len() <= 1 && children.iter().all(is_text),
    }
}

/// Whether `node` is a STYLE element of SVG.
pub(super) fn is_svg_style(node: &Handle) -> bool {
    match &node.data {
        NodeData::Element { name, .. } => name.ns == ns!(svg) && &*name.local == "style",
        _ => false,
    }
}
