//! The set of names by which the scanner selects attributes, built to reject all other names fast.
//!
//! The scanner looks up the name of every attribute of a document. Most names (`class`, `id`, `data-...`) are not in
//! the set. A lookup has three layers, each of which is needed only if the one before has not decided:
//!
//! 1. The [`NamePrefilter`], which is inlined into the scanner, rules most names out.
//! 2. A [`ProbeTable`] of the names that have a [key](NameKey) finds a name that is short and written in lower case, as
//!    nearly all are.
//! 3. A [`ProbeTable`] of all names, whose hash is computed from the [folded word](super::name) of the name, finds the
//!    others, and compares the names byte by byte where the word does not suffice.

use std::collections::BTreeMap;

use super::name::{NameKey, NamePrefilter, fold_case, hash, word_at};
use super::probe_table::ProbeTable;
use super::tokens::COMMENT;

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
    names: ProbeTable<NameEntry>,
    /// Those of the names that have a key.
    short_names: ProbeTable<ShortName>,
    /// Whether the set contains every name, with the role of a link.
    has_all: bool,
    prefilter: NamePrefilter,
}

/// The result of looking a name up in a [`NameSet`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoundName {
    pub(crate) role: AttributeRole,
    /// Whether the name is known to be written in lower case, as it is in the set.
    pub(crate) is_lower_case: bool,
    /// The key of the name, if the name is short enough and the set does not contain all names.
    pub(crate) key: Option<NameKey>,
}

impl FoundName {
    /// The result for a name that is kept although it was not looked up.
    pub(crate) const ANY: Self = Self {
        role: AttributeRole::Link,
        is_lower_case: false,
        key: None,
    };
}

/// A name in a [`NameSet`].
#[derive(Debug, Clone)]
struct NameEntry {
    /// The folded word of the name.
    word: u64,
    /// The word of the name in lower case. It differs from the folded one if the name contains `_` or `@`.
    lower_case_word: u64,
    /// The name in lower case.
    name: Box<[u8]>,
    role: AttributeRole,
}

/// A name in a [`NameSet`] that has a key.
#[derive(Debug, Clone)]
struct ShortName {
    key: NameKey,
    role: AttributeRole,
}

impl NameSet {
    /// Returns the set of `names`. A name that is given more than once has the higher of its roles.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = (&'n str, AttributeRole)>) -> Self {
        let mut roles: BTreeMap<Box<[u8]>, AttributeRole> = BTreeMap::new();
        let mut prefilter = NamePrefilter::default();
        for (name, role) in names {
            let name = name.to_ascii_lowercase().into_bytes().into_boxed_slice();
            // Does not add the empty name, which no attribute has.
            prefilter.add(&name);
            let known = roles.entry(name).or_insert(role);
            *known = role.max(*known);
        }
        let short_names = roles.iter().filter_map(|(name, &role)| {
            let key = NameKey::of(name)?;
            Some((key.hash(), ShortName { key, role }))
        });
        let short_names = ProbeTable::new(4, short_names.collect());
        let entries = roles.into_iter().map(|(name, role)| {
            let lower_case_word = word_at(&name, 0, name.len());
            let word = fold_case(lower_case_word, name.len());
            let hash = Self::hash(word, name.len());
            let entry = NameEntry {
                word,
                lower_case_word,
                name,
                role,
            };
            (hash, entry)
        });
        Self {
            names: ProbeTable::new(4, entries.collect()),
            short_names,
            has_all: false,
            prefilter,
        }
    }

    /// Returns the set of all names, each with the role of a link.
    pub(crate) fn all() -> Self {
        Self {
            has_all: true,
            prefilter: NamePrefilter::ALL,
            ..Self::default()
        }
    }

    /// Returns whether comments are to be read, too.
    pub(crate) fn has_comments(&self) -> bool {
        self.find(COMMENT.as_bytes(), 0, COMMENT.len()).is_some()
    }

    /// Looks up the name in `bytes` from `start` to `end`. Returns `None` if it is not in the set.
    #[inline]
    pub(crate) fn find(&self, bytes: &[u8], start: usize, end: usize) -> Option<FoundName> {
        let first = *bytes.get(start)?;
        if !self.may_contain_like(first, end - start) {
            return None;
        }
        self.find_likely(bytes, start, end)
    }

    /// Returns whether a name of this length that begins with this byte may be in the set.
    #[inline]
    pub(crate) fn may_contain_like(&self, first: u8, length: usize) -> bool {
        self.prefilter.may_contain_like(first, length)
    }

    /// Looks up a name that the prefilter has not ruled out. Nearly all of them are short and written in lower case.
    #[inline]
    pub(crate) fn find_likely(&self, bytes: &[u8], start: usize, end: usize) -> Option<FoundName> {
        let word = word_at(bytes, start, end - start);
        match self.find_short(word, end - start) {
            Some(role) => Some(FoundName {
                role,
                is_lower_case: true,
                key: NameKey::from_word(word),
            }),
            None => self.find_entry(bytes, start, end),
        }
    }

    /// Looks up a name of `length` bytes with this `word`, if it is short and in lower case.
    ///
    /// Not inlined, so that the scanner's loop contains only the prefilter.
    #[inline(never)]
    fn find_short(&self, word: u64, length: usize) -> Option<AttributeRole> {
        // A word is padded with zeros, so that of a name which ends in U+0000 is also that of a shorter name.
        if !(1..=8).contains(&length) || word >> (8 * (length - 1)) == 0 {
            return None;
        }
        let key = NameKey::from_word(word)?;
        let found = self.short_names.find(key.hash(), |name| name.key == key)?;
        Some(found.role)
    }

    /// Looks up a name of any length, in any case.
    #[inline(never)]
    fn find_entry(&self, bytes: &[u8], start: usize, end: usize) -> Option<FoundName> {
        if self.has_all {
            return Some(FoundName::ANY);
        }
        let length = end - start;
        let written = word_at(bytes, start, length);
        let word = fold_case(written, length);
        let name = &bytes[start..end];
        let is_short = length <= 8;
        // The word contains all of a short name, so there is no need to compare bytes. The folded word would not do:
        // that of `_` is U+007F, which another name may contain.
        let is_lower_case = |entry: &NameEntry| {
            written == entry.lower_case_word && (is_short || *entry.name == *name)
        };
        let found = self.names.find(Self::hash(word, length), |entry| {
            entry.word == word
                && entry.name.len() == length
                && (is_lower_case(entry) || entry.name.eq_ignore_ascii_case(name))
        })?;
        Some(FoundName {
            role: found.role,
            is_lower_case: is_lower_case(found),
            key: NameKey::from_word(word).filter(|_| is_short),
        })
    }

    /// Returns the hash of a name with this folded word and length.
    fn hash(word: u64, length: usize) -> usize {
        // The length separates longer names that begin with the same eight bytes, such as `data-src` and `data-srcset`.
        hash(word ^ length as u64)
    }
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
    fn find_distinguishes_characters_with_the_same_folded_byte() {
        let names = ["a_b", "x@y", "data-long_name"];
        let set = NameSet::new(names.iter().map(|name| (*name, AttributeRole::Link)));
        for name in ["a_b", "A_B", "x@y", "data-long_name"] {
            assert!(set.find(name.as_bytes(), 0, name.len()).is_some(), "{name}");
        }
        for name in [
            "a_b\0",
            "a_b\0\0\0\0\0\0",
            "a\x7fb",
            "x`y",
            "data-long\x7fname",
            "data_long_name",
        ] {
            assert_eq!(set.find(name.as_bytes(), 0, name.len()), None, "{name}");
        }
    }

    #[test]
    fn new_gives_a_name_the_higher_of_its_roles() {
        let set = NameSet::new([("a", AttributeRole::Link), ("A", AttributeRole::Condition)]);
        let found = set.find(b"a", 0, 1).map(|found| found.role);
        assert_eq!(found, Some(AttributeRole::Link));
    }
}
