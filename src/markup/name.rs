//! Names of elements and attributes as integers, and constant lists of names.
//!
//! The scanner compares the name of nearly every tag and attribute of a document with names that mean something, mostly
//! without success, and HTML compares names without regard to ASCII case. Two devices make that cheap:
//!
//! - [`NamePrefilter`] is a Bloom filter with a single hash function: the length of the name and the low five bits
//!   of its first byte. The bit that distinguishes capitals, 0x20, is not among them. The test is one load and one
//!   shift, and is inlined into the scanner.
//! - The *word* of a name is its first eight bytes as an integer. With the bit 0x20 of each byte set, it is *folded*:
//!   for names of letters, digits and hyphens, setting this bit is conversion to lower case, for eight bytes at once.
//!
//! # Keys
//!
//! Setting the bit also changes bytes that are not letters: U+0010 becomes `0`, `@` becomes `` ` ``, and `_` becomes
//! U+007F. Two different names may thus have the same folded word, so equal words alone prove nothing. A [`NameKey`] is
//! a word that does identify a name. It is passed on with the tokens, so that later stages compare names of up to eight
//! bytes as integers. There are three ways to make one:
//!
//! - [`NameKey::of`] and [`NameKey::at`] require that every byte of the name already has the bit. The key is then the
//!   name, byte by byte.
//! - [`NameKey::folded`] is for comparison with names that consist of letters only, such as the constants of this
//!   module. There, equal keys are proof: setting the bit turns no other byte into a letter.
//! - [`NameSet`](super::name_set::NameSet) compares the name with the one in the set, and returns the key of the
//!   latter. If its bytes have the bit (letters in lower case, digits, `-`, `:` and `.` do), the key is that name, byte
//!   by byte.
//!
//! A set may also contain names with `_` or `@`: the user's selectors accept these two characters, which lack the bit.
//! The keys of such names are not the names themselves, but still differ from the keys of all other names in the set,
//! because no name in a set contains U+007F or `` ` ``. For the same reason they differ from the keys of names in the
//! link table.

use std::num::NonZero;

use crate::span::Span;

/// A name of one to eight bytes as an integer, in lower case.
///
/// Names with keys made by [`of`](Self::of) or [`at`](Self::at) are equal if the keys are. So are names in one
/// [`NameSet`](super::name_set::NameSet) or in the link table. See the [module](self) for names with `_` or `@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NameKey(NonZero<u64>);

impl NameKey {
    /// Returns the key of `name`.
    ///
    /// Returns `None` if the name is empty, longer than eight bytes, or contains a byte that a key does not preserve,
    /// such as a capital letter. Otherwise the key is the name itself, byte by byte.
    pub(crate) const fn of(name: &[u8]) -> Option<Self> {
        let word = word(name);
        if name.len() > 8 || word != fold_case(word, name.len()) {
            return None;
        }
        Self::from_word(word)
    }

    /// Returns the key of a constant name.
    const fn literal(name: &str) -> Self {
        Self::of(name.as_bytes()).expect("up to eight small letters")
    }

    /// Returns the key of the name in `bytes` from `start` to `end`, as [`of`](Self::of) does.
    #[inline]
    pub(crate) fn at(bytes: &[u8], start: usize, end: usize) -> Option<Self> {
        let length = end - start;
        let written = word_at(bytes, start, length);
        let is_preserved = length <= 8 && written == fold_case(written, length);
        Self::from_word(written).filter(|_| is_preserved)
    }

    /// Returns the key of the name at `span`, converted to lower case if it consists of letters.
    ///
    /// Returns `None` if the name is empty or longer than eight bytes. Must only be compared with names of letters.
    #[inline]
    pub(crate) fn folded(bytes: &[u8], span: Span) -> Option<Self> {
        let length = span.end - span.start;
        Self::from_word(folded_word_at(bytes, span.start, length)).filter(|_| length <= 8)
    }

    /// Returns the key with that value. Zero, which is the word of the empty name, is left for `None`.
    pub(crate) const fn from_word(word: u64) -> Option<Self> {
        match NonZero::new(word) {
            Some(word) => Some(Self(word)),
            None => None,
        }
    }

    /// Returns a hash of this key.
    #[inline]
    pub(crate) fn hash(self) -> usize {
        hash(self.0.get())
    }

    /// Returns a hash of this key and another; the order of the two matters.
    #[inline]
    pub(crate) fn hash_with(self, other: Self) -> usize {
        // The rotation keeps names that begin alike from cancelling each other out.
        hash(self.0.get() ^ other.0.get().rotate_left(32))
    }
}

pub(crate) const BASE: NameKey = NameKey::literal("base");
pub(crate) const BASEFONT: NameKey = NameKey::literal("basefont");
pub(crate) const BGSOUND: NameKey = NameKey::literal("bgsound");
pub(crate) const BODY: NameKey = NameKey::literal("body");
pub(crate) const BR: NameKey = NameKey::literal("br");
pub(crate) const COL: NameKey = NameKey::literal("col");
pub(crate) const FRAMESET: NameKey = NameKey::literal("frameset");
pub(crate) const HEAD: NameKey = NameKey::literal("head");
pub(crate) const HTML: NameKey = NameKey::literal("html");
pub(crate) const IFRAME: NameKey = NameKey::literal("iframe");
pub(crate) const IMAGE: NameKey = NameKey::literal("image");
pub(crate) const LINK: NameKey = NameKey::literal("link");
pub(crate) const MATH: NameKey = NameKey::literal("math");
pub(crate) const META: NameKey = NameKey::literal("meta");
pub(crate) const NOEMBED: NameKey = NameKey::literal("noembed");
pub(crate) const NOFRAMES: NameKey = NameKey::literal("noframes");
pub(crate) const NOSCRIPT: NameKey = NameKey::literal("noscript");
pub(crate) const SCRIPT: NameKey = NameKey::literal("script");
pub(crate) const STYLE: NameKey = NameKey::literal("style");
pub(crate) const SVG: NameKey = NameKey::literal("svg");
pub(crate) const TEMPLATE: NameKey = NameKey::literal("template");
pub(crate) const TEXTAREA: NameKey = NameKey::literal("textarea");
pub(crate) const TITLE: NameKey = NameKey::literal("title");
pub(crate) const XMP: NameKey = NameKey::literal("xmp");

/// A constant list of names, searched without comparing with each of them, and without regard to ASCII case.
pub(crate) struct NameList<const COUNT: usize> {
    names: [&'static str; COUNT],
    /// The folded word of each of `names`.
    words: [u64; COUNT],
    prefilter: NamePrefilter,
}

impl<const COUNT: usize> NameList<COUNT> {
    /// Returns the list of the names in `text`, which a single space separates.
    ///
    /// # Panics
    /// Panics if `text` does not have `COUNT` names: at compile time, where lists are made.
    pub(crate) const fn of(text: &'static str) -> Self {
        let mut list = Self {
            names: [""; COUNT],
            words: [0; COUNT],
            prefilter: NamePrefilter { of_length: [0; 32] },
        };
        let (mut index, mut start, mut end) = (0, 0, 0);
        while end <= text.len() {
            if end == text.len() || text.as_bytes()[end] == b' ' {
                let name = text.split_at(end).0.split_at(start).1;
                list.names[index] = name;
                list.words[index] = fold_case(word(name.as_bytes()), name.len());
                list.prefilter.add(name.as_bytes());
                index += 1;
                start = end + 1;
            }
            end += 1;
        }
        assert!(index == COUNT, "another number of names");
        list
    }

    /// Returns whether the name at `span`, in any case, may be in the list. The prefilter rejects most other names.
    #[inline]
    pub(crate) fn may_contain(&self, bytes: &[u8], span: Span) -> bool {
        self.may_contain_like(bytes[span.start], span.end - span.start)
    }

    /// Returns whether a name of this length that begins with this byte, in any case, may be in the list.
    #[inline]
    pub(crate) fn may_contain_like(&self, first: u8, length: usize) -> bool {
        self.prefilter.may_contain_like(first, length)
    }

    /// Returns whether a name in the list begins with the first eight bytes of the name at `span`, in any case.
    ///
    /// May return `true` for another name of more than eight bytes, but never `false` for a name in the list.
    pub(crate) fn contains_prefix(&self, bytes: &[u8], span: Span) -> bool {
        let word = folded_word_at(bytes, span.start, span.end - span.start);
        self.words.contains(&word)
    }

    /// Returns the index in the list of a name, which may be written in any case.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        let first = *name.as_bytes().first()?;
        if !self.prefilter.may_contain_like(first, name.len()) {
            return None;
        }
        let word = folded_word_at(name.as_bytes(), 0, name.len());
        // Equal words are nearly proof, but cover the first eight bytes only, and some bytes that are no letters
        // collide.
        (0..COUNT).find(|&index| {
            self.words[index] == word && self.names[index].eq_ignore_ascii_case(name)
        })
    }

    /// Returns whether the list contains a name, which may be written in any case.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// Returns a name as the list spells it.
    pub(crate) fn spelling(&self, name: &str) -> Option<&'static str> {
        self.position(name).map(|index| self.names[index])
    }
}

/// A Bloom filter for names: rules out most other names by length and first byte alone.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NamePrefilter {
    /// For each length (mod 32), a bit set of the low five bits of the first byte.
    of_length: [u32; 32],
}

impl NamePrefilter {
    /// The filter that rules no name out.
    pub(crate) const ALL: Self = Self {
        of_length: [u32::MAX; 32],
    };

    pub(crate) const fn add(&mut self, name: &[u8]) {
        if let Some(first) = name.first() {
            self.of_length[name.len() % 32] |= 1 << (*first % 32);
        }
    }

    /// Returns whether one of the names may have this length and, in any case, this first byte.
    #[inline]
    pub(crate) fn may_contain_like(&self, first: u8, length: usize) -> bool {
        // Capitals differ from small letters in the bit 0x20, which `% 32` drops.
        self.of_length[length % 32] & 1 << (first % 32) != 0
    }
}

/// Returns the word of a name: its first eight bytes as an integer, the first byte lowest, padded with zeros.
const fn word(name: &[u8]) -> u64 {
    let mut word = 0;
    let mut index = if name.len() < 8 { name.len() } else { 8 };
    while index > 0 {
        index -= 1;
        word = word << 8 | name[index] as u64;
    }
    word
}

/// Returns the word of the name of `length` bytes at `start`.
#[inline]
pub(crate) fn word_at(bytes: &[u8], start: usize, length: usize) -> u64 {
    let rest = bytes.get(start..).unwrap_or_default();
    // One load of eight bytes, whatever the length is, except near the end of the text. The mask drops what follows.
    let word = rest.first_chunk::<8>().copied().unwrap_or_else(|| {
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        word
    });
    u64::from_le_bytes(word) & low_bytes(length)
}

/// Returns the folded word of the name of `length` bytes at `start`.
#[inline]
pub(crate) fn folded_word_at(bytes: &[u8], start: usize, length: usize) -> u64 {
    fold_case(word_at(bytes, start, length), length)
}

/// Sets the bit that is set in small letters and clear in capitals, in each of the first `length` bytes of `word`.
///
/// The other bytes become zero.
pub(crate) const fn fold_case(word: u64, length: usize) -> u64 {
    (word | 0x2020_2020_2020_2020) & low_bytes(length)
}

/// Returns a mask of the first `length` bytes of a word; of all eight if `length` is larger.
const fn low_bytes(length: usize) -> u64 {
    match length {
        // A shift by 64 would overflow, hence the other arm.
        0..8 => (1 << (8 * length)) - 1,
        _ => u64::MAX,
    }
}

/// Returns a hash of an integer.
#[inline]
pub(crate) fn hash(word: u64) -> usize {
    // Fibonacci hashing: the factor is the odd integer closest to 2^64 divided by the golden ratio. The low bits of a
    // product depend on few bits of the word, so the high ones are used; 24 are enough for any table here.
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_equals_the_key_of_the_constant() {
        assert_eq!(
            NameKey::folded(b"<TextArea>", Span::new(1, 9)),
            Some(TEXTAREA)
        );
        assert_eq!(NameKey::folded(b"<Br>", Span::new(1, 3)), Some(BR));
        assert_eq!(NameKey::at(b"<Br>", 1, 3), None);
        assert_eq!(NameKey::at(b"<br>", 1, 3), NameKey::of(b"br"));
        for name in ["", "Br", "plaintext"] {
            assert_eq!(NameKey::of(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn position_accepts_names_in_any_case_and_rejects_others() {
        let list = NameList::<3>::of("h1 annotation-XML a");
        for (name, index) in [("H1", 0), ("annotation-xml", 1), ("A", 2)] {
            assert_eq!(list.position(name), Some(index), "{name}");
            assert_eq!(
                list.spelling(name),
                Some(["h1", "annotation-XML", "a"][index])
            );
        }
        for name in ["", "h", "h\x11", "annotation-xmm", "annotation", "b"] {
            assert_eq!(list.position(name), None, "{name}");
        }
    }
}
