//! [`LinkBudget`]: what a document may spend on its links and on html5ever, in proportion to its length.

use crate::limits::{Limit, Limits, Placement};

/// Number of bytes of a document for which it may have one more link.
const BYTES_PER_LINK: usize = 32;

/// Number of bytes of a document for which each of its values may have one more link.
const BYTES_PER_VALUE_LINK: usize = 128;

/// Number of bytes of targets that a document may have for each of its own.
const GROWTH: i64 = 3;

/// The number of links that a document may still have, and the bytes that their targets may have together. Negative
/// numbers exceed the limits.
///
/// Nested documents share the budget of the document around them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkBudget {
    links: i64,
    target_bytes: i64,
    /// The number of steps that html5ever may still take.
    pub(super) steps: u64,
    /// The number of those steps for another byte.
    steps_per_byte: u64,
    /// The number of links that a value may have in the shortest document.
    min_value_links: usize,
    /// The length of the document.
    length: usize,
}

impl LinkBudget {
    /// Returns the budget of a tree, which limits html5ever alone.
    pub(super) fn of_tree(limits: &Limits) -> Self {
        Self {
            links: i64::MAX,
            target_bytes: i64::MAX,
            min_value_links: usize::MAX,
            ..Self::new(limits, 0, Placement::Outermost)
        }
    }

    /// Returns the budget that `limits` allow a document of `length` bytes.
    pub(crate) fn new(limits: &Limits, length: usize, placement: Placement) -> Self {
        let mut budget = Self {
            links: signed(limits.get(Limit::Links)),
            target_bytes: signed(placement.free_growth(limits.get(Limit::Growth), length)),
            steps: placement.free_steps(length),
            steps_per_byte: limits.steps(1),
            min_value_links: limits.get(Limit::ValueLinks),
            length: 0,
        };
        budget.lengthen(length);
        budget
    }

    /// Adds `added` bytes to the length of the document.
    pub(super) fn lengthen(&mut self, added: usize) {
        let length = self.length.saturating_add(added);
        let links = length / BYTES_PER_LINK - self.length / BYTES_PER_LINK;
        self.links = self.links.saturating_add(signed(links));
        let target_bytes = signed(added).saturating_mul(GROWTH);
        self.target_bytes = self.target_bytes.saturating_add(target_bytes);
        let steps = self.steps_per_byte.saturating_mul(added as u64);
        self.steps = self.steps.saturating_add(steps);
        self.length = length;
    }

    /// Returns the number of links that a value may have, whatever is left of the budget.
    pub(super) fn value_links(&self) -> usize {
        let share = self.length / BYTES_PER_VALUE_LINK;
        self.min_value_links.saturating_add(share)
    }

    /// Returns the number of links that the next value may have.
    pub(super) fn next_links(&self) -> usize {
        self.links().min(self.value_links())
    }

    /// Returns the length of targets that is left.
    pub(crate) fn target_bytes(&self) -> usize {
        usize::try_from(self.target_bytes).unwrap_or_default()
    }

    /// Returns the number of links that are left.
    pub(super) fn links(&self) -> usize {
        usize::try_from(self.links).unwrap_or_default()
    }

    /// Spends one link in as many nested documents as `depth`, whose target has `target_bytes`; 0 if it is not written.
    ///
    /// The target counts once more for each document around it, in whose value it is written again.
    #[inline]
    pub(super) fn spend(&mut self, target_bytes: usize, depth: usize) {
        self.links = self.links.saturating_sub(1);
        let spent = target_bytes.saturating_mul(depth + 1);
        self.target_bytes = self.target_bytes.saturating_sub(signed(spent));
    }

    /// Returns whether a limit was exceeded.
    #[inline]
    pub(super) fn is_exceeded(&self) -> bool {
        (self.links | self.target_bytes) < 0
    }

    /// Returns the limit that was exceeded, if any.
    pub(super) fn exceeded(&self) -> Option<Limit> {
        if self.links < 0 {
            Some(Limit::Links)
        } else if self.target_bytes < 0 {
            Some(Limit::Growth)
        } else {
            None
        }
    }
}

fn signed(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
