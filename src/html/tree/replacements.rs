//! Removal and replacement of nodes, applied together so that the children of each parent are scanned only once.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use markup5ever_rcdom::{Handle, Node};

/// Nodes to be removed or replaced.
#[derive(Default)]
pub(crate) struct Replacements {
    /// The nodes by their addresses, each with its replacement; `None` if it is removed. They are owned, so that an
    /// address cannot be reused for another node.
    by_node: HashMap<*const Node, (Handle, Option<Handle>)>,
}

impl Replacements {
    /// Adds the replacement of `old` by `new`, or its removal.
    pub(super) fn add(&mut self, old: Handle, new: Option<Handle>) {
        self.by_node.insert(Rc::as_ptr(&old), (old, new));
    }

    /// Applies the changes.
    ///
    /// # Complexity
    /// Linear in the number of children of the parents of the nodes.
    pub(crate) fn make(&self) {
        let mut done = HashSet::new();
        for (old, _) in self.by_node.values() {
            let Some(parent) = parent_of(old) else {
                continue;
            };
            if !done.insert(Rc::as_ptr(&parent)) {
                continue;
            }
            parent.children.borrow_mut().retain_mut(|child| {
                let Some((_, new)) = self.by_node.get(&Rc::as_ptr(child)) else {
                    return true;
                };
                child.parent.set(None);
                let Some(new) = new else {
                    return false;
                };
                new.parent.set(Some(Rc::downgrade(&parent)));
                child.clone_from(new);
                true
            });
        }
    }
}

/// Returns the parent of `node`.
pub(in crate::html) fn parent_of(node: &Handle) -> Option<Handle> {
    // A `Cell` of a type that is not `Copy` can only be read by taking the value out.
    let parent = node.parent.take();
    node.parent.set(parent.clone());
    parent.and_then(|parent| parent.upgrade())
}
