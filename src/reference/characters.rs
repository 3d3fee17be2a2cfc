//! The table of the bytes that a URL may contain, by context. What is percent-encoded in which component is in
//! [`super::escape`].

/// A set of bytes: one bit of [`TABLE`]. Every set includes the ASCII letters and digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct CharacterSet(u8);

impl CharacterSet {
    /// Copied unchanged by every profile in every component, and no delimiter.
    ///
    /// These are RFC 3986 "unreserved" and "sub-delims" with `@`, less `.` and `;`, which are special in a path, and
    /// less `'`, which the URL Standard percent-encodes in the query of a special URL.
    pub(super) const LITERAL: Self = Self(1);
    /// Copied unchanged by every profile, but possibly a delimiter or part of a dot segment.
    pub(super) const UNCHANGED: Self = Self(1 << 1);
    /// Literal in an attribute value, however it is quoted: no `&`, which may begin a character reference.
    pub(super) const MARKUP: Self = Self(1 << 2);
    /// Literal in a CSS string and in an unquoted `url()`, which must escape parentheses.
    pub(super) const CSS: Self = Self(1 << 3);
    /// Accepted in a network location. Besides the characters of RFC 1808 section 2.2, these are two kinds that
    /// browsers accept: letters that are not ASCII (internationalized host names) and brackets (IPv6 addresses).
    pub(super) const AUTHORITY: Self = Self(1 << 4);
    /// No "forbidden host code point". All bytes that are not ASCII are in this set.
    pub(super) const HOST: Self = Self(1 << 5);
    /// ASCII, and no "forbidden domain code point".
    pub(super) const DOMAIN: Self = Self(1 << 6);

    /// Returns whether the set contains `byte`.
    #[inline]
    pub(super) fn contains(self, byte: u8) -> bool {
        TABLE[usize::from(byte)] & self.0 != 0
    }

    /// Returns the sets that contain all of `bytes`, in one pass.
    pub(super) fn common_to(bytes: &[u8]) -> CommonSets {
        let sets = bytes.iter().map(|byte| TABLE[usize::from(*byte)]);
        CommonSets(sets.fold(u8::MAX, |common, sets| common & sets))
    }

    /// Returns whether the set contains all of `bytes`.
    #[inline]
    pub(super) fn contains_all(self, bytes: &[u8]) -> bool {
        bytes.iter().all(|&byte| self.contains(byte))
    }
}

/// The sets that contain every byte of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommonSets(u8);

impl CommonSets {
    /// Returns whether `set` is one of them.
    pub(super) fn include(self, set: CharacterSet) -> bool {
        self.0 & set.0 != 0
    }
}

/// The sets that contain a byte, as bits.
const TABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte: u8 = 0;
    loop {
        table[byte as usize] = sets_with(byte);
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// Returns the bits of the sets that contain `byte`.
const fn sets_with(byte: u8) -> u8 {
    const LITERAL: u8 = CharacterSet::LITERAL.0;
    const UNCHANGED: u8 = CharacterSet::UNCHANGED.0;
    const MARKUP: u8 = CharacterSet::MARKUP.0;
    const CSS: u8 = CharacterSet::CSS.0;
    const AUTHORITY: u8 = CharacterSet::AUTHORITY.0;
    const HOST: u8 = CharacterSet::HOST.0;
    const DOMAIN: u8 = CharacterSet::DOMAIN.0;
    /// The sets of what ends or separates the components of a URL.
    const DELIMITER: u8 = UNCHANGED | MARKUP | CSS | AUTHORITY;
    match byte {
        b'0'..=b'9'
        | b'A'..=b'Z'
        | b'a'..=b'z'
        | b'!'
        | b'$'
        | b'*'
        | b'+'
        | b','
        | b'-'
        | b'='
        | b'_'
        | b'~' => u8::MAX,
        b'@' => !(HOST | DOMAIN),
        b'&' => !MARKUP,
        b'(' | b')' => !CSS,
        b'.' | b';' => !LITERAL,
        b'%' => !(LITERAL | DOMAIN),
        b'/' | b':' | b'?' | b'#' => DELIMITER,
        b'[' | b']' => DELIMITER & !UNCHANGED,
        b'\'' => AUTHORITY | HOST | DOMAIN,
        b'{' | b'}' | b'`' | b'"' => HOST | DOMAIN,
        b'\0' | b'\t' | b'\n' | b'\r' | b' ' | b'<' | b'>' | b'\\' | b'^' | b'|' => 0,
        1..32 | 127 => HOST,
        128.. => AUTHORITY | HOST,
    }
}
