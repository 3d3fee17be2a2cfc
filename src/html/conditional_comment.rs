//! Conditional comments, which some programs read as markup.

use html5ever::tendril::StrTendril;
use markup5ever_rcdom::{Handle, Node, NodeData};

use super::replacements::Replacements;
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
    node: Handle,
}

impl Comment {
    /// The comment that `node` is, if it is one.
    pub(super) fn new(node: &Handle) -> Option<Self> {
        let is_comment = matches!(node.data, NodeData::Comment { .. });
        is_comment.then(|| Self { node: node.clone() })
    }

    /// The text of the comment.
    pub(crate) fn text(&self) -> &str {
        match &self.node.data {
            NodeData::Comment { contents } => contents,
            _ => "",
        }
    }

    /// The comment gives way to one with another text, once `replacements` are made.
    pub(crate) fn set_text(&self, text: &str, replacements: &mut Replacements) {
        let contents = StrTendril::from(text);
        let new = Node::new(NodeData::Comment { contents });
        replacements.add(self.node.clone(), Some(new));
    }
}
