//! [`TagSearches`]: searches for a start tag of a given name in the text before a tag.

use memchr::memchr_iter;

use crate::find::starts_with_ignore_case;

/// Searches for start tags in all of the text before a tag.
#[derive(Debug, Clone, Default)]
pub(super) struct TagSearches {
    /// Whether there was text before the current chunk. It cannot be searched any more.
    pub(super) has_earlier_text: bool,
    /// The names that were searched and not found.
    missing: Vec<MissingName>,
}

/// The name of a tag that is not in the text.
#[derive(Debug, Clone)]
struct MissingName {
    name: Box<[u8]>,
    /// The offset up to which the text was searched.
    searched: usize,
}

impl TagSearches {
    /// The maximum number of names.
    ///
    /// All searches for one name together are linear in the length of the text; a limit on their number keeps the whole
    /// linear.
    const MAX_NAMES: usize = 16;

    /// The maximum length of a name, because it may be compared with the text after every `<`.
    const MAX_NAME_LENGTH: usize = 64;

    /// Returns whether there may be a start tag of that name in `before`, the text of the chunk before a tag, or in
    /// earlier chunks.
    ///
    /// A wrong `true` does no harm: it only makes a bail-out more likely. It is returned for a tag whose name only
    /// begins like this one, for text that is no tag, for a very long name, and if the text cannot be searched.
    pub(super) fn may_find(&mut self, name: &[u8], before: &[u8]) -> bool {
        if self.has_earlier_text || name.len() > Self::MAX_NAME_LENGTH {
            return true;
        }
        let mut known = self.missing.iter();
        let index = known.position(|missing| missing.name.eq_ignore_ascii_case(name));
        let index = index.unwrap_or_else(|| {
            self.missing.push(MissingName {
                name: name.into(),
                searched: 0,
            });
            self.missing.len() - 1
        });
        if index == Self::MAX_NAMES {
            self.missing.pop();
            return true;
        }
        // A tag at the end of what was searched may have been longer than that.
        let searched = &mut self.missing[index].searched;
        let start = searched.saturating_sub(name.len());
        let mut tags = memchr_iter(b'<', &before[start..]);
        let is_found =
            tags.any(|offset| starts_with_ignore_case(&before[start + offset + 1..], name));
        if !is_found {
            *searched = before.len();
        }
        is_found
    }
}
