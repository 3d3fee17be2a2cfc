//! Elements of a tree: reading and changing their attributes and text.

use std::cell::RefCell;
use std::rc::Rc;

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, local_name, ns};
use markup5ever_rcdom::{Handle, Node, NodeData};

use super::replacements::{Replacements, parent_of};
use crate::html::tap::outline::NodeText;
use crate::html::tap::qual_name::{namespace_of, qualified};
use crate::markup::tokens::{NameAndValue, Namespace, TreeLocation};

/// Change of an attribute.
pub(crate) enum ElementChange {
    /// No change.
    Keep,
    /// A new value.
    Set(String),
    /// Removal of the attribute.
    Remove,
}

/// An element of a tree, or a comment, which has no name and no attributes. While the tree is iterated, also another
/// node.
pub(crate) struct TreeElement {
    pub(super) node: Handle,
    /// Location of the element; for HEAD itself, that of its children.
    pub(crate) location: TreeLocation,
}

impl TreeElement {
    /// Creates the element for a node, outside of any iteration.
    pub(super) fn of(node: &Handle) -> Self {
        Self {
            node: node.clone(),
            location: TreeLocation::Outside,
        }
    }

    /// Returns the name; `None` if the node is not an element.
    fn qualified_name(&self) -> Option<&QualName> {
        match &self.node.data {
            NodeData::Element { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Returns the namespace, or `None` if it is not HTML, SVG or MathML.
    pub(crate) fn namespace(&self) -> Option<Namespace> {
        namespace_of(self.qualified_name()?)
    }

    /// Returns the local name: lower case in HTML, in the spelling of the standards in SVG and MathML.
    pub(crate) fn name(&self) -> &str {
        self.qualified_name().map_or("", |name| &name.local)
    }

    /// Calls `visit` with the name and value of each attribute, in order, and applies the changes it returns.
    ///
    /// Names such as `xlink:href` include their prefix. Changes are applied after all attributes have been visited.
    pub(crate) fn for_each_attribute(&self, mut visit: impl FnMut(&str, &str) -> ElementChange) {
        let NodeData::Element { attrs, .. } = &self.node.data else {
            return;
        };
        // Collected first: `visit` may read other attributes of the element, which are borrowed mutably below.
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

    /// Returns whether it is an HTML element with that local name.
    fn is(&self, local_name: &LocalName) -> bool {
        self.qualified_name()
            .is_some_and(|name| name.ns == ns!(html) && name.local == *local_name)
    }

    /// Returns whether it is a BASE element.
    pub(in crate::html) fn is_base(&self) -> bool {
        self.is(&local_name!("base"))
    }

    /// Returns whether it is a NOFRAMES element, whose text is markup for user agents without frames.
    pub(crate) fn is_noframes(&self) -> bool {
        self.is(&local_name!("noframes"))
    }

    /// Returns whether it is a NOSCRIPT element.
    pub(crate) fn is_noscript(&self) -> bool {
        self.is(&local_name!("noscript"))
    }

    /// Returns whether it is a HEAD element.
    pub(super) fn is_head(&self) -> bool {
        self.is(&local_name!("head"))
    }

    /// Returns its attributes, in order.
    pub(crate) fn attributes(&self) -> Vec<NameAndValue> {
        let NodeData::Element { attrs, .. } = &self.node.data else {
            return Vec::new();
        };
        let to_own = |attribute: &Attribute| NameAndValue {
            name: qualified(&attribute.name).into_owned(),
            value: attribute.value.to_string(),
        };
        attrs.borrow().iter().map(to_own).collect()
    }

    /// Returns whether its parent is HEAD.
    pub(in crate::html) fn is_child_of_head(&self) -> bool {
        let parent = parent_of(&self.node);
        parent.is_some_and(|node| {
            let location = self.location;
            Self { node, location }.is_head()
        })
    }

    /// Returns the text of the element.
    pub(crate) fn text(&self) -> NodeText {
        text_of(&self.node)
    }

    /// Replaces the text of an element whose only child is a text node.
    pub(crate) fn set_text(&self, text: &str) {
        if let Some(child) = self.node.children.borrow().first()
            && let NodeData::Text { contents } = &child.data
        {
            *contents.borrow_mut() = StrTendril::from(text);
        }
    }

    /// Returns the text, if this is a comment.
    pub(crate) fn comment(&self) -> Option<&str> {
        match &self.node.data {
            NodeData::Comment { contents } => Some(contents),
            _ => None,
        }
    }

    /// Replaces a comment by one with that text when `replacements` are applied. A comment itself cannot change.
    pub(crate) fn set_comment(&self, text: &str, replacements: &mut Replacements) {
        let contents = StrTendril::from(text);
        let new = Node::new(NodeData::Comment { contents });
        replacements.add(self.node.clone(), Some(new));
    }

    /// Removes the element when `replacements` are applied.
    pub(crate) fn remove(&self, replacements: &mut Replacements) {
        replacements.add(self.node.clone(), None);
    }

    /// Inserts an attribute before the others.
    pub(super) fn prepend_attribute(&self, attribute: Attribute) {
        if let NodeData::Element { attrs, .. } = &self.node.data {
            attrs.borrow_mut().insert(0, attribute);
        }
    }

    /// Inserts a new element with one attribute before the other children.
    pub(super) fn prepend_child(&self, name: QualName, attribute: Attribute) {
        let child = Node::new(NodeData::Element {
            name,
            attrs: RefCell::new(vec![attribute]),
            template_contents: RefCell::new(None),
            mathml_annotation_xml_integration_point: false,
        });
        child.parent.set(Some(Rc::downgrade(&self.node)));
        self.node.children.borrow_mut().insert(0, child);
    }

    /// Returns the value of the attribute with that name, prefix included.
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

/// Returns the text of the element `node`.
pub(in crate::html) fn text_of(node: &Handle) -> NodeText {
    let children = node.children.borrow();
    let mut text = String::new();
    for child in children.iter() {
        if let NodeData::Text { contents } = &child.data {
            text.push_str(&contents.borrow());
        }
    }
    let is_text = |child: &Handle| matches!(child.data, NodeData::Text { .. });
    NodeText {
        text,
        is_whole: children.len() <= 1 && children.iter().all(is_text),
    }
}
