//! The hash table of the lookups by name: filled once, then only searched.

/// A hash table with linear probing.
///
/// The caller supplies the hash and the comparison, so that a lookup need not construct a key, and so that one hash can
/// serve several tables.
#[derive(Debug, Clone)]
pub(crate) struct ProbeTable<T> {
    /// Invariant: unless it is empty, its length is a power of two and a slot is free, so that every search ends.
    slots: Vec<Option<T>>,
}

impl<T> Default for ProbeTable<T> {
    fn default() -> Self {
        Self { slots: Vec::new() }
    }
}

impl<T> ProbeTable<T> {
    /// Returns a table of `entries`, each with its hash.
    ///
    /// At most one in `sparsity` slots, which must be at least two, is taken: the sparser, the shorter are searches.
    pub(crate) fn new(sparsity: usize, entries: Vec<(usize, T)>) -> Self {
        let count = (entries.len() * sparsity).next_power_of_two();
        let mut slots: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
        for (hash, entry) in entries {
            // A remainder without a division: the number of slots is a power of two.
            let mut index = hash & (count - 1);
            while slots[index].is_some() {
                index = (index + 1) & (count - 1);
            }
            slots[index] = Some(entry);
        }
        Self { slots }
    }

    /// Returns the first entry with this hash for which `is_wanted` returns `true`.
    ///
    /// `is_wanted` is also called for entries with other hashes.
    #[inline]
    pub(crate) fn find(&self, hash: usize, is_wanted: impl Fn(&T) -> bool) -> Option<&T> {
        let last = self.slots.len().wrapping_sub(1);
        let mut index = hash & last;
        // `get` returns `None` for an empty table only. Unlike indexing, it cannot panic.
        while let Some(entry) = self.slots.get(index)?.as_ref() {
            if is_wanted(entry) {
                return Some(entry);
            }
            index = (index + 1) & last;
        }
        None
    }
}
