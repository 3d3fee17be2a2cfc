//! [`Dom`]: a tree under construction, and the cost of the operations that are not constant.

use html5ever::LocalName;
use html5ever::interface::TreeSink;

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
