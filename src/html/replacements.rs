//! Nodes of a tree that go, or are replaced by others: all at once, so that a parent with many children is gone through
//! once.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use markup5ever_rcdom::{Handle, Node};

/// What is to become of nodes.
#[derive(Default)]
pub(crate) struct Replacements {
    by_node: HashMap<*const Node, Replacement>,
}

/// What is to become of a node; it is held so that no other node comes to stand where it stood in memory.
struct Replacement {
    old: Handle,
    new: Option<Handle>,
}

impl Replacements {
    /// `old` gives way to `new`, or to nothing.
    pub(super) fn add(&mut self, old: Handle, new: Option<Handle>) {
        self.by_node
            .insert(Rc::as_ptr(&old), Replacement { old, new });
    }

    /// Makes the changes.
    ///
    /// # Complexity
    /// Linear in the number of children of the parents of the nodes.
    pub(crate) fn make(&self) {
        let mut done = HashSet::new();
        for Replacement { old, .. } in self.by_node.values() {
            let Some(parent) = parent_of(old) else {
                continue;
            };
            if !done.insert(Rc::as_ptr(&parent)) {
                continue;
            }
            parent.children.borrow_mut().retain_mut(|child| {
                let Some(Replacement { new, .. }) = self.by_node.get(&Rc::as_ptr(child)) else {
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

/// The parent of `node`.
pub(super) fn parent_of(node: &Handle) -> Option<Handle> {
    let parent = node.parent.take();
    node.parent.set(parent.clone());
    parent.and_then(|parent| parent.upgrade())
}
