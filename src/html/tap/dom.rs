//! [`Dom`]: a tree under construction, and the cost of the operations that are not constant.

use std::rc::Rc;

use html5ever::LocalName;
use html5ever::interface::TreeSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use crate::html::tree::replacements::parent_of;

/// A tree that html5ever builds. The costs are in [steps](super::work).
pub(crate) trait Dom: TreeSink {
    /// Returns the local name of `node`, or `None` if it is not an element.
    fn local_name(&self, node: &Self::Handle) -> Option<LocalName>;

    /// Returns a number that no other node of the tree has.
    fn id(node: &Self::Handle) -> usize;

    /// Returns the cost of finding `node` among the children of its parent.
    fn cost_of_finding(&self, node: &Self::Handle) -> usize;

    /// Returns the cost of moving the children of `node`.
    fn cost_of_moving_children(&self, node: &Self::Handle) -> usize;

    /// Returns the cost of adding attributes to `node`.
    fn cost_of_adding_attributes(&self, node: &Self::Handle) -> usize;
}

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
