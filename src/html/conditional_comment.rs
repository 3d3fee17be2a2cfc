//! Conditional comments, the content of which some programs treat as markup.

use html5ever::tendril::StrTendril;
use markup5ever_rcdom::{Handle, Node, NodeData};

use super::replacements::Replacements;
use crate::span::Span;

/// Returns the span of the markup in `data`, the text of a comment, if the comment is conditional.
///
/// # Source
/// Microsoft, "About conditional comments": the downlevel-hidden form, `<!--[if mso]>...<![endif]-->`.
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
