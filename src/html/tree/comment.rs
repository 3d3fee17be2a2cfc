//! Comments of a tree: reading and changing their text.

use html5ever::tendril::StrTendril;
use markup5ever_rcdom::{Handle, Node, NodeData};

use super::replacements::Replacements;

/// A comment of a tree.
pub(crate) struct Comment {
    node: Handle,
}

impl Comment {
    /// Returns `node` as a comment, or `None` if it is not one.
    pub(super) fn new(node: &Handle) -> Option<Self> {
        let is_comment = matches!(node.data, NodeData::Comment { .. });
        is_comment.then(|| Self { node: node.clone() })
    }

    /// Returns the text of the comment.
    pub(crate) fn text(&self) -> &str {
        match &self.node.data {
            NodeData::Comment { contents } => contents,
            _ => "",
        }
    }

    /// Changes the text of the comment when `replacements` are applied.
    ///
    /// The text of a comment node is immutable, so the node is replaced.
    pub(crate) fn set_text(&self, text: &str, replacements: &mut Replacements) {
        let contents = StrTendril::from(text);
        let new = Node::new(NodeData::Comment { contents });
        replacements.add(self.node.clone(), Some(new));
    }
}
