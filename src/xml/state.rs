//! [`XmlState`]: the facts about the part of a document that was read.

use super::doctype::Entities;
use super::namespaces::Bindings;
use crate::markup::Namespace;
use crate::markup::tokens::ElementScope;

/// An element whose end tag has not been read.
#[derive(Debug)]
pub(super) struct OpenXmlElement {
    /// Offset of its qualified name in [`XmlState::open_names`].
    pub(super) name_start: usize,
    pub(super) namespace: Namespace,
    /// The number of bindings outside it.
    pub(super) outer_bindings: usize,
    /// The number of scopes that contain it.
    pub(super) outer_scopes: usize,
    /// The index of its start tag, if its text may contain links.
    pub(super) text_tag: Option<usize>,
    /// The offset after its start tag.
    pub(super) content_start: usize,
    pub(super) has_children: bool,
    /// Whether it is the HEAD of an HTML document.
    pub(super) is_head: bool,
    pub(super) is_template: bool,
    pub(super) feed_part: FeedPart,
}

impl OpenXmlElement {
    /// Returns whether it must end in the chunk in which it begins.
    pub(super) fn is_pending(&self) -> bool {
        self.text_tag.is_some() || self.feed_part == FeedPart::Item
    }
}

/// The role of an element in a feed, as far as the base URL of content depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeedPart {
    /// The feed as a whole, with the link of the feed.
    Channel,
    /// An item, with a link of its own.
    Item,
    /// Anything else.
    Other,
}

/// The state of the reader at the end of a chunk, in which the next chunk must be read.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about what was read"
)]
pub(crate) struct XmlState {
    pub(super) open: Vec<OpenXmlElement>,
    /// The qualified names of the open elements, one after another.
    pub(super) open_names: String,
    pub(super) bindings: Bindings,
    pub(super) entities: Entities,
    /// Whether nothing was read yet.
    pub(super) is_start: bool,
    pub(super) has_root: bool,
    pub(super) has_doctype: bool,
    /// Whether HEAD is open.
    pub(super) is_in_head: bool,
    /// The number of open `template` elements.
    pub(super) open_templates: usize,
    /// The indexes of the scopes that contain the current position in the list of the tokens. The first is 0.
    pub(super) scope_path: Vec<u32>,
    /// The scopes at these indexes, between two chunks.
    pub(super) scopes: Vec<ElementScope>,
    /// The number of open elements that must end in the chunk in which they begin.
    pub(super) pending: usize,
}

impl XmlState {
    /// Returns the state at the beginning of a document, of which the link of the feed may be known.
    pub(crate) fn new(feed_link: Option<String>) -> Self {
        Self {
            open: Vec::new(),
            open_names: String::new(),
            bindings: Bindings::new(),
            entities: Entities::default(),
            is_start: true,
            has_root: false,
            has_doctype: false,
            is_in_head: false,
            open_templates: 0,
            scope_path: vec![0],
            scopes: vec![ElementScope {
                link: feed_link,
                ..ElementScope::default()
            }],
            pending: 0,
        }
    }

    /// Returns the link of the feed, as far as it is known.
    pub(crate) fn feed_link(&self) -> Option<&str> {
        self.scopes.first()?.link.as_deref()
    }

    /// Keeps the scopes that contain the current position, and numbers them anew.
    pub(super) fn keep_scopes(&mut self, scopes: &[ElementScope]) {
        let indexes = self.scope_path.iter().map(|index| *index as usize);
        self.scopes = indexes.map(|index| scopes[index].clone()).collect();
        for (index, scope) in (0..).zip(&mut self.scopes) {
            // The scope of the document is its own parent.
            scope.parent = u32::saturating_sub(index, 1);
        }
        self.scope_path = (0..).take(self.scopes.len()).collect();
    }
}
