//! The set of names by which the scanner selects attributes, built to reject all other names fast.
//!
//! The scanner looks up the name of every attribute of a document. Most names (`class`, `id`, `data-...`) are not in
//! the set, and HTML compares names without regard to ASCII case. A lookup has three layers, each of which is needed
//! only if the one before has not ruled the name out:
//!
//! 1. [`NamePrefilter`] is a Bloom filter with a single hash function: the length of the name and the low five bits
//!    of its first byte. The bit that distinguishes capitals, 0x20, is not among them. The test is one load and one
//!    shift, and is inlined into the scanner.
//! 2. A hash table with linear probing, whose hash is computed from the *key* of the name: its first eight bytes as
//!    an integer, with the bit 0x20 of each byte set. For names of letters, digits and hyphens, setting this bit is
//!    conversion to lower case, for eight bytes at once.
//! 3. A comparison of the names, skipped if the name is short and its bytes are equal to the key.
//!
//! # Keys
//!
//! Setting the bit also changes bytes that are not letters: U+0010 becomes `0`, `@` becomes `` ` ``, and `_` becomes
//! U+007F. Two different names may thus have the same integer, so equal integers alone prove nothing. A [`NameKey`] is
//! an integer of this form that does identify a name. It is passed on with the tokens, so that later stages compare
//! names of up to eight bytes as integers. There are two ways to make one:
//!
//! - [`NameKey::at`] requires that every byte of the name already has the bit. The key is then the name, byte by byte.
//! - [`NameSet::find`] compares the name with the one in the set, and returns the key of the latter. If its bytes have
//!   the bit (letters in lower case, digits, `-`, `:` and `.` do), the key is that name, byte by byte.
//!
//! A set may also contain names with `_` or `@`: the user's selectors accept these two characters, which lack the bit.
//! The keys of such names are not the names themselves, but still differ from the keys of all other names in the set,
//! because no name in a set contains U+007F or `` ` ``. For the same reason they differ from the keys of names in the
//! link table.
//!
//! These integers and the prefilter also serve the scanner's own lists of element names. For a list of names that
//! consist of letters only, equal integers are proof: setting the bit turns no other byte into a letter.

use std::collections::BTreeMap;
use std::num::NonZero;

/// The reason to keep an attribute. Ordered: [`Link`](Self::Link) takes precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum AttributeRole {
    /// It determines whether another attribute of its element, or the text of the element, is a link.
    Condition,
    /// Its value may be a link.
    Link,
}

/// A set of attribute names, compared without regard to ASCII case, each with a role.
#[derive(Debug, Clone, Default)]
pub(crate) struct NameSet {
    /// A hash table with linear probing.
    ///
    /// Invariant: unless it is empty, its length is a power of two and a slot is free, so that every search ends.
    slots: Vec<Option<Slot>>,
    /// Whether the set contains every name, with the role of a link.
    has_all: bool,
    prefilter: NamePrefilter,
}

/// A Bloom filter for names: rules out most other names by length and first byte alone.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NamePrefilter {
    /// For each length (mod 32), a bit set of the low five bits of the first byte.
    of_length: [u32; 32],
}

impl NamePrefilter {
    /// Returns the filter for `names`.
    pub(super) const fn of(names: &[&str]) -> Self {
        let mut filter = Self { of_length: [0; 32] };
        let mut index = 0;
        while index < names.len() {
            filter.add(names[index].as_bytes());
            index += 1;
        }
        filter
    }

    const fn add(&mut self, name: &[u8]) {
        if let Some(first) = name.first() {
            self.of_length[name.len() % 32] |= 1 << (*first % 32);
        }
    }

    /// Returns whether one of the names may have this length and, in any case, this first byte.
    #[inline]
    pub(super) fn may_contain_like(&self, first: u8, length: usize) -> bool {
        // Capitals differ from small letters in the bit 0x20, which `% 32` drops.
        self.of_length[length % 32] & 1 << (first % 32) != 0
    }

    /// Returns whether `name`, in any case, may be one of the names. Returns `false` for the empty name.
    #[inline]
    pub(super) fn may_contain(&self, name: &str) -> bool {
        let first = name.as_bytes().first();
        first.is_some_and(|&first| self.may_contain_like(first, name.len()))
    }
}

/// The result of looking a name up in a [`NameSet`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FoundName {
    pub(super) role: AttributeRole,
    /// Whether the name is known to be written in lower case, as it is in the set.
    pub(super) is_lower_case: bool,
    /// The key of the name, if the name is short enough and the set does not contain all names.
    pub(super) key: Option<NameKey>,
}

/// A name of one to eight bytes as an integer, in lower case.
///
/// Names with keys made by [`at`](Self::at) are equal if the keys are. So are names in one [`NameSet`] or in the link
/// table. See the [module](self) for names with `_` or `@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NameKey(NonZero<u64>);

impl NameKey {
    /// Returns the key of `name`. See [`NameKey::at`].
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        Self::at(name, 0, name.len())
    }

    /// Returns the key of the name in `bytes` from `start` to `end`.
    ///
    /// Returns `None` if the name is empty, longer than eight bytes, or contains a byte that a key does not preserve,
    /// such as a capital letter. Otherwise the key is the name itself, byte by byte.
    #[inline]
    pub(super) fn at(bytes: &[u8], start: usize, end: usize) -> Option<Self> {
        let length = end - start;
        let written = word_at(bytes, start, length);
        let key = fold_case(written, length);
        // Zero, which is the key of the empty name, is left for `None`.
        let key = NonZero::new(key).filter(|_| length <= 8 && key == written);
        key.map(Self)
    }

    /// Returns a hash of this key and another; the order of the two matters.
    #[inline]
    pub(crate) fn hash_with(self, other: Self) -> usize {
        // Fibonacci hashing: the factor is the odd integer closest to 2^64 divided by the golden ratio. The low bits
        // of a product depend on few bits of the word, so the high ones are used; 24 are enough for any table here.
        // The rotation keeps names that begin alike from cancelling each other out.
        let mixed =
            (self.0.get() ^ other.0.get().rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as usize
    }
}

/// An entry of the hash table of a [`NameSet`].
#[derive(Debug, Clone, PartialEq, Eq)]
struct Slot {
    key: u64,
    /// The name in lower case.
    name: Box<[u8]>,
    role: AttributeRole,
}

impl NameSet {
    /// Returns the set of `names`. A name that is given more than once has the higher of its roles.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = (&'n str, AttributeRole)>) -> Self {
        let mut roles: BTreeMap<Box<[u8]>, AttributeRole> = BTreeMap::new();
        for (name, role) in names {
            let name = name.to_ascii_lowercase().into_bytes().into_boxed_slice();
            let known = roles.entry(name).or_insert(role);
            *known = role.max(*known);
        }
        let mut set = Self {
            // At most a quarter of the slots are taken: sequences of taken slots are short, and so are searches.
            slots: vec![None; (roles.len() * 4).next_power_of_two()],
            has_all: false,
            prefilter: NamePrefilter::default(),
        };
        for (name, role) in roles {
            // No attribute has an empty name.
            if name.is_empty() {
                continue;
            }
            set.prefilter.add(&name);
            let key = key_at(&name, 0, name.len());
            let mut index = set.slot_index(key, name.len());
            while set.slots[index].is_some() {
                index = (index + 1) % set.slots.len();
            }
            set.slots[index] = Some(Slot { key, name, role });
        }
        set
    }

    /// Returns the set of all names, each with the role of a link.
    pub(crate) fn all() -> Self {
        Self {
            slots: Vec::new(),
            has_all: true,
            prefilter: NamePrefilter::default(),
        }
    }

    /// Looks up the name in `bytes` from `start` to `end`. Returns `None` if it is not in the set.
    #[inline]
    pub(super) fn find(&self, bytes: &[u8], start: usize, end: usize) -> Option<FoundName> {
        if self.has_all {
            return Some(FoundName {
                role: AttributeRole::Link,
                is_lower_case: false,
                key: None,
            });
        }
        if !self
            .prefilter
            .may_contain_like(*bytes.get(start)?, end - start)
        {
            return None;
        }
        self.find_slot(bytes, start, end)
    }

    /// Looks up a name that the prefilter has not ruled out.
    ///
    /// Not inlined, so that the scanner's loop contains only the prefilter.
    #[inline(never)]
    fn find_slot(&self, bytes: &[u8], start: usize, end: usize) -> Option<FoundName> {
        let length = end - start;
        let written = word_at(bytes, start, length);
        let key = fold_case(written, length);
        let mut index = self.slot_index(key, length);
        // `get` returns `None` only for an empty table, whose prefilter rejects every name. Unlike indexing, it cannot
        // panic.
        while let Some(slot) = self.slots.get(index)?.as_ref() {
            if slot.key == key && slot.name.len() == length {
                let name = &bytes[start..end];
                let is_short = length <= 8;
                // The key contains all of a short name, and nothing had to be converted: no need to compare bytes.
                let is_lower_case = written == key && (is_short || *slot.name == *name);
                if is_lower_case || slot.name.eq_ignore_ascii_case(name) {
                    return Some(FoundName {
                        role: slot.role,
                        is_lower_case,
                        key: NonZero::new(key).filter(|_| is_short).map(NameKey),
                    });
                }
            }
            // A remainder without a division: the number of slots is a power of two.
            index = (index + 1) & (self.slots.len() - 1);
        }
        None
    }

    /// Returns the slot at which the search for a name with this key and length begins.
    fn slot_index(&self, key: u64, length: usize) -> usize {
        // Hashed as in `NameKey::hash_with`. The length separates longer names that begin with the same eight bytes,
        // such as `data-src` and `data-srcset`. For an empty table the subtraction wraps around: any index is out of
        // bounds.
        let mixed = (key ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as usize & self.slots.len().wrapping_sub(1)
    }
}

/// Returns the key of the name of `length` bytes at `start`.
///
/// The key is the first eight bytes of the name as an integer, with the bit 0x20 of each byte set. That converts
/// letters to lower case. It may make two other bytes equal, such as U+0011 and `1`, but no other byte becomes a
/// letter.
#[inline]
pub(super) fn key_at(bytes: &[u8], start: usize, length: usize) -> u64 {
    fold_case(word_at(bytes, start, length), length)
}

/// Returns the first eight of the `length` bytes at `start` as an integer, the first byte lowest, padded with zeros.
#[inline]
fn word_at(bytes: &[u8], start: usize, length: usize) -> u64 {
    let rest = bytes.get(start..).unwrap_or_default();
    // One load of eight bytes, whatever the length is, except near the end of the text. The mask drops what follows.
    let word = rest.first_chunk::<8>().copied().unwrap_or_else(|| {
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        word
    });
    u64::from_le_bytes(word) & low_bytes(length)
}

/// Sets the bit that is set in small letters and clear in capitals, in each of the first `length` bytes of `word`.
///
/// The other bytes become zero.
fn fold_case(word: u64, length: usize) -> u64 {
    (word | 0x2020_2020_2020_2020) & low_bytes(length)
}

/// Returns a mask of the first `length` bytes of a word; of all eight if `length` is larger.
fn low_bytes(length: usize) -> u64 {
    match length {
        // A shift by 64 would overflow, hence the other arm.
        0..8 => (1 << (8 * length)) - 1,
        _ => u64::MAX,
    }
}

/// Returns the key of a constant name: up to eight letters and digits in lower case.
pub(super) const fn key(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut index = name.len();
    while index > 0 {
        index -= 1;
        key = key << 8 | name[index] as u64;
    }
    key
}

/// Returns the key of a constant name in lower case, of any length, as [`key_at`] returns it.
pub(super) const fn key_prefix(name: &[u8]) -> u64 {
    let length = if name.len() < 8 { name.len() } else { 8 };
    key(name.split_at(length).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_accepts_names_in_any_case_and_rejects_others() {
        let names = [
            "href",
            "xlink:href",
            "data-src",
            "data-srcset",
            "attributeName",
            "id",
        ];
        let set = NameSet::new(names.iter().map(|name| (*name, AttributeRole::Link)));
        for name in names {
            for written in [name.to_owned(), name.to_ascii_uppercase()] {
                let text = format!("<a {written}=");
                let found = set.find(text.as_bytes(), 3, 3 + name.len());
                assert_eq!(
                    found.map(|found| found.role),
                    Some(AttributeRole::Link),
                    "{written}"
                );
            }
        }
        for name in [
            "hre",
            "hrefs",
            "xlink:hrex",
            "data-srcx",
            "data-srcse",
            "",
            "attributenam",
        ] {
            assert_eq!(set.find(name.as_bytes(), 0, name.len()), None, "{name}");
        }
        assert_eq!(NameSet::default().find(b"href", 0, 4), None);
        assert!(NameSet::all().find(b"x", 0, 1).is_some());
    }

    #[test]
    fn new_gives_a_name_the_higher_of_its_roles() {
        let set = NameSet::new([("a", AttributeRole::Link), ("A", AttributeRole::Condition)]);
        let found = set.find(b"a", 0, 1).map(|found| found.role);
        assert_eq!(found, Some(AttributeRole::Link));
    }

    #[test]
    fn key_at_equals_key_of_the_constant() {
        assert_eq!(key_at(b"<TextArea>", 1, 8), key(b"textarea"));
        assert_eq!(key_at(b"<H1>", 1, 2), key(b"h1"));
    }
}
