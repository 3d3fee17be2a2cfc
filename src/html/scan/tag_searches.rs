//! [`TagSearches`]: whether there may be a certain start tag before a tag, for the few decisions that depend on it.

use memchr::memchr_iter;

use crate::find::starts_with_ignore_case;

/// Searches for start tags in all of the text before a tag.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TagSearches {
    /// Whether there was text before the current chunk. It cannot be searched any more.
    pub(super) has_earlier_text: bool,
    /// Number of searches so far.
    count: usize,
}

impl TagSearches {
    /// The maximum number of searches.
    ///
    /// Each is linear in the length of the text; a limit on their number keeps the whole linear.
    const MAX: usize = 16;

    /// Returns whether there may be a start tag of that name in `before`, the text of the chunk before a tag, or in
    /// earlier chunks.
    ///
    /// A wrong `true` does no harm: it only makes a bail-out more likely. It is returned for a tag whose name only
    /// begins like this one, for text that is no tag, and if the text cannot be searched.
    pub(super) fn may_find(&mut self, name: &[u8], before: &[u8]) -> bool {
        self.count += 1;
        self.has_earlier_text
            || self.count > Self::MAX
            || memchr_iter(b'<', before)
                .any(|offset| starts_with_ignore_case(&before[offset + 1..], name))
    }
}
