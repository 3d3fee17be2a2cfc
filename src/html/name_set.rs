//! Which attributes of a document are worth being noted, so that all others are passed over quickly.

use std::collections::BTreeMap;
use std::num::NonZero;

/// What an attribute is noted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum AttributeRole {
    /// It says something about a link in another attribute of its element, or in its text.
    Condition,
    /// It may be a link.
    Link,
}

/// Names of attributes, compared without regard to ASCII case.
#[derive(Debug, Clone, Default)]
pub(crate) struct NameSet {
    /// A hash table with a power of two of slots, at most half of them taken; collisions go to the slots behind.
    slots: Vec<Option<Slot>>,
    /// Whether every attribute may be a link.
    has_all: bool,
    first_letters: NamePrefilter,
}

/// The lengths and first letters of some names: most others are told from them by these alone.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NamePrefilter {
    /// For each length, modulo their number, a bit for each first letter that a name of that length has: the one that its
    /// five lowest bits say.
    of_length: [u32; 32],
}

impl NamePrefilter {
    /// Those of `names`.
    pub(super) const fn of(names: &[&str]) -> Self {
        let mut letters = Self { of_length: [0; 32] };
        let mut index = 0;
        while index < names.len() {
            letters.add(names[index].as_bytes());
            index += 1;
        }
        letters
    }

    const fn add(&mut self, name: &[u8]) {
        if let Some(first) = name.first() {
            self.of_length[name.len() % 32] |= 1 << (*first % 32);
        }
    }

    /// Whether one of the names has this length and, in any case, this first letter, or something like it.
    #[inline]
    pub(super) fn have(&self, first: u8, length: usize) -> bool {
        self.of_length[length % 32] & 1 << (first % 32) != 0
    }

    /// Whether `name` may be one of the names, in any case.
    #[inline]
    pub(super) fn may_contain(&self, name: &str) -> bool {
        let first = name.as_bytes().first();
        first.is_some_and(|&first| self.have(first, name.len()))
    }
}

/// A name that is in a [`NameSet`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FoundName {
    pub(super) worth: AttributeRole,
    /// Whether it is a name of the set as it is written, and not only but for capitals.
    pub(super) is_in_lower_case: bool,
    /// If it is short enough.
    pub(super) key: Option<NameKey>,
}

/// A name of one to eight bytes as a number, in lower case. Names that have the same key are the same but for capitals, if
/// one of them is known to the standards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NameKey(NonZero<u64>);

impl NameKey {
    /// Of the name that `name` is.
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        Self::at(name, 0, name.len())
    }

    /// Of the name that stands in `bytes` from `start` to `end`, if it is short, and each of its bytes is its own in lower
    /// case: no other name is taken for it then.
    #[inline]
    pub(super) fn at(bytes: &[u8], start: usize, end: usize) -> Option<Self> {
        let length = end - start;
        let written = word_at(bytes, start, length);
        let key = in_lower_case(written, length);
        let key = NonZero::new(key).filter(|_| length <= 8 && key == written);
        key.map(Self)
    }

    /// A number for this key and another, the same for the same two, and likely not for others.
    #[inline]
    pub(crate) fn mixed_with(self, other: Self) -> usize {
        let mixed =
            (self.0.get() ^ other.0.get().rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as usize
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Slot {
    key: u64,
    name: Box<[u8]>,
    worth: AttributeRole,
}

impl NameSet {
    /// The set of `names`, each for what it is worth most.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = (&'n str, AttributeRole)>) -> Self {
        let mut worths: BTreeMap<Box<[u8]>, AttributeRole> = BTreeMap::new();
        for (name, worth) in names {
            let name = name.to_ascii_lowercase().into_bytes().into_boxed_slice();
            let known = worths.entry(name).or_insert(worth);
            *known = worth.max(*known);
        }
        let mut set = Self {
            slots: vec![None; (worths.len() * 4).next_power_of_two()],
            has_all: false,
            first_letters: NamePrefilter::default(),
        };
        for (name, worth) in worths {
            if name.is_empty() {
                continue;
            }
            set.first_letters.add(&name);
            let key = key_at(&name, 0, name.len());
            let mut place = set.place(key, name.len());
            while set.slots[place].is_some() {
                place = (place + 1) % set.slots.len();
            }
            set.slots[place] = Some(Slot { key, name, worth });
        }
        set
    }

    /// The set of all names.
    pub(crate) fn all() -> Self {
        Self {
            slots: Vec::new(),
            has_all: true,
            first_letters: NamePrefilter::default(),
        }
    }

    /// What the attribute whose name stands in `bytes` from `start` to `end` is worth, if it is in the set.
    #[inline]
    pub(super) fn find(&self, bytes: &[u8], start: usize, end: usize) -> Option<FoundName> {
        if self.has_all {
            return Some(FoundName {
                worth: AttributeRole::Link,
                is_in_lower_case: false,
                key: None,
            });
        }
        if !self.first_letters.have(*bytes.get(start)?, end - start) {
            return None;
        }
        self.find_slot(bytes, start, end)
    }

    /// As [`Self::find`], of a name that may be in the set: out of the way of those that are not.
    #[inline(never)]
    fn find_slot(&self, bytes: &[u8], start: usize, end: usize) -> Option<FoundName> {
        let length = end - start;
        let written = word_at(bytes, start, length);
        let key = in_lower_case(written, length);
        let mut place = self.place(key, length);
        while let Some(slot) = self.slots.get(place)?.as_ref() {
            if slot.key == key && slot.name.len() == length {
                let name = &bytes[start..end];
                let is_short = length <= 8;
                let is_in_lower_case = written == key && (is_short || *slot.name == *name);
                if is_in_lower_case || slot.name.eq_ignore_ascii_case(name) {
                    return Some(FoundName {
                        worth: slot.worth,
                        is_in_lower_case,
                        key: NonZero::new(key).filter(|_| is_short).map(NameKey),
                    });
                }
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
        None
    }

    fn place(&self, key: u64, length: usize) -> usize {
        let mixed = (key ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as usize & self.slots.len().wrapping_sub(1)
    }
}

/// The first eight of `length` bytes at `start` as one number, letters in lower case; other bytes may coincide, so that
/// keys of what is no name prove nothing.
#[inline]
pub(super) fn key_at(bytes: &[u8], start: usize, length: usize) -> u64 {
    in_lower_case(word_at(bytes, start, length), length)
}

/// The first eight of `length` bytes at `start` as one number.
#[inline]
fn word_at(bytes: &[u8], start: usize, length: usize) -> u64 {
    let rest = bytes.get(start..).unwrap_or_default();
    let word = rest.first_chunk::<8>().copied().unwrap_or_else(|| {
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        word
    });
    u64::from_le_bytes(word) & mask(length)
}

fn in_lower_case(word: u64, length: usize) -> u64 {
    (word | 0x2020_2020_2020_2020) & mask(length)
}

/// The first `length` bytes of eight.
fn mask(length: usize) -> u64 {
    match length {
        0..8 => (1 << (8 * length)) - 1,
        _ => u64::MAX,
    }
}

/// The key of a name of up to eight letters and digits in lower case.
pub(super) const fn key(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut at = name.len();
    while at > 0 {
        at -= 1;
        key = key << 8 | name[at] as u64;
    }
    key
}

/// The key of a name in lower case, which may be longer: what [`key_at`] says of it.
pub(super) const fn beginning(name: &[u8]) -> u64 {
    let length = if name.len() < 8 { name.len() } else { 8 };
    key(name.split_at(length).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_others_not() {
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
                    found.map(|found| found.worth),
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
    fn a_name_counts_for_what_it_is_worth_most() {
        let set = NameSet::new([("a", AttributeRole::Link), ("A", AttributeRole::Condition)]);
        let found = set.find(b"a", 0, 1).map(|found| found.worth);
        assert_eq!(found, Some(AttributeRole::Link));
    }

    #[test]
    fn keys_are_those_of_the_table() {
        assert_eq!(key_at(b"<TextArea>", 1, 8), key(b"textarea"));
        assert_eq!(key_at(b"<H1>", 1, 2), key(b"h1"));
    }
}
