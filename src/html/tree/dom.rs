//! [`Dom`] of the tree that [`Tree`](super::Tree) has.

use std::rc::Rc;

use html5ever::LocalName;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::replacements::parent_of;
use crate::html::tap::dom::Dom;

impl Dom for RcDom {
    fn local_name(&self, node: &Handle) -> Option<LocalName> {
        match &node.data {
            NodeData::Element { name, .. } => Some(name.local.clone()),
            _ => None,
        }
    }

    fn id(node: &Handle) -> usize {
        Rc::as_ptr(node).addr()
    }

    fn cost_of_finding(&self, node: &Handle) -> usize {
        // The parent has a list of its children, which is searched.
        parent_of(node).map_or(0, |parent| parent.children.borrow().len())
    }

    fn cost_of_moving_children(&self, node: &Handle) -> usize {
        node.children.borrow().len()
    }

    fn cost_of_adding_attributes(&self, node: &Handle) -> usize {
        // A set of the names is made of all attributes.
        match &node.data {
            NodeData::Element { attrs, .. } => 8 * attrs.borrow().len(),
            _ => 0,
        }
    }
}
