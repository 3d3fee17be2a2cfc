//! Conditional comments, which some programs read as markup.

use std::cell::RefCell;
use std::rc::Rc;

use html5ever::tendril::StrTendril;
use markup5ever_rcdom::{Handle, Node, NodeData};

use super::element::parent_of;
use crate::span::Span;

/// The markup in a comment with the text `data`, if the comment is a conditional one.
///
/// # Source
/// Microsoft, "About conditional comments": downlevel-hidden ones, `<!--[if mso]>...<![endif]-->`.
pub(crate) fn conditional_markup(data: &str) -> Option<Span> {
    const CLOSE: &str = "<![endif]";
    if !data.trim_start().starts_with("[if") {
        return None;
    }
    let open = data.find("]>")? + "]>".len();
    let close = data.trim_end().len().checked_sub(CLOSE.len())?;
    let is_closed = data.get(close..)?.trim_end().eq_ignore_ascii_case(CLOSE);
    (is_closed && open <= close).then(|| Span::new(open, close))
}

/// A comment of a tree.
pub(crate) struct Comment {
    node: RefCell<Handle>,
}

impl Comment {
    /// The comment that `node` is, if it is one.
    pub(super) fn new(node: &Handle) -> Option<Self> {
        matches!(node.data, NodeData::Comment { .. }).then(|| Self {
            node: RefCell::new(node.clone()),
        })
    }

    /// The text of the comment.
    pub(crate) fn text(&self) -> String {
        match &self.node.borrow().data {
            NodeData::Comment { contents } => contents.to_string(),
            _ => String::new(),
        }
    }

    /// Puts a comment with another text in its place.
    pub(crate) fn set_text(&self, text: &str) {
        let new = Node::new(NodeData::Comment {
            contents: StrTendril::from(text),
        });
        let old = self.node.replace(new.clone());
        if let Some(parent) = parent_of(&old) {
            let mut children = parent.children.borrow_mut();
            if let Some(child) = children.iter_mut().find(|child| Rc::ptr_eq(child, &old)) {
                *child = new.clone();
                new.parent.set(Some(Rc::downgrade(&parent)));
            }
        }
    }
}
