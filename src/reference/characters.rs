//! The table of the bytes that a URL may contain, by component and by context.

/// A set of bytes: one bit of [`TABLE`]. Every set includes the ASCII letters and digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct CharacterSet(u16);

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
    /// Outside the "path percent-encode set" of the URL Standard.
    pub(super) const PATH: Self = Self(1 << 5);
    /// Outside the "query percent-encode set".
    pub(super) const QUERY: Self = Self(1 << 6);
    /// Outside the "fragment percent-encode set".
    pub(super) const FRAGMENT: Self = Self(1 << 7);
    /// Outside the "special-query percent-encode set".
    pub(super) const SPECIAL_QUERY: Self = Self(1 << 8);
    /// Outside the "userinfo percent-encode set".
    pub(super) const USERINFO: Self = Self(1 << 9);
    /// Outside the "C0 control percent-encode set".
    pub(super) const C0_CONTROL: Self = Self(1 << 10);
    /// No "forbidden host code point". All bytes that are not ASCII are in this set.
    pub(super) const HOST: Self = Self(1 << 11);
    /// ASCII, and no "forbidden domain code point".
    pub(super) const DOMAIN: Self = Self(1 << 12);
    /// Outside the "fragment percent-encode set", or not ASCII.
    pub(super) const HOST_AS_WRITTEN: Self = Self(1 << 13);

    /// Returns whether the set contains `byte`.
    #[inline]
    pub(super) fn contains(self, byte: u8) -> bool {
        TABLE[usize::from(byte)] & self.0 != 0
    }

    /// Returns whether the set contains all of `bytes`.
    #[inline]
    pub(super) fn contains_all(self, bytes: &[u8]) -> bool {
        bytes.iter().all(|&byte| self.contains(byte))
    }

    /// Appends `text` to `target`, with the bytes that are not in the set percent-encoded.
    ///
    /// The set must contain all bytes that are not ASCII, or none of them.
    pub(super) fn encode(self, text: &str, target: &mut String) {
        let mut start = 0;
        for (pos, byte) in text.bytes().enumerate() {
            if self.contains(byte) {
                continue;
            }
            // Not empty, so both ends are next to whole characters. An empty range may be inside a character.
            if start < pos {
                target.push_str(&text[start..pos]);
            }
            push_encoded(byte, target);
            start = pos + 1;
        }
        target.push_str(&text[start..]);
    }

    /// Appends `bytes`, text in any encoding, as [`encode`](Self::encode) does.
    pub(super) fn encode_bytes(self, bytes: &[u8], target: &mut String) {
        for &byte in bytes {
            if self.contains(byte) {
                target.push(char::from(byte));
            } else {
                push_encoded(byte, target);
            }
        }
    }
}

/// Appends `byte`, percent-encoded.
fn push_encoded(byte: u8, target: &mut String) {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    target.push('%');
    target.push(char::from(DIGITS[usize::from(byte >> 4)]));
    target.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// The sets that contain a byte, as bits.
const TABLE: [u16; 256] = {
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
const fn sets_with(byte: u8) -> u16 {
    const LITERAL: u16 = CharacterSet::LITERAL.0;
    const UNCHANGED: u16 = CharacterSet::UNCHANGED.0;
    const MARKUP: u16 = CharacterSet::MARKUP.0;
    const CSS: u16 = CharacterSet::CSS.0;
    const AUTHORITY: u16 = CharacterSet::AUTHORITY.0;
    const PATH: u16 = CharacterSet::PATH.0;
    const QUERY: u16 = CharacterSet::QUERY.0;
    const FRAGMENT: u16 = CharacterSet::FRAGMENT.0 | CharacterSet::HOST_AS_WRITTEN.0;
    const SPECIAL_QUERY: u16 = CharacterSet::SPECIAL_QUERY.0;
    const USERINFO: u16 = CharacterSet::USERINFO.0;
    const C0_CONTROL: u16 = CharacterSet::C0_CONTROL.0;
    const HOST: u16 = CharacterSet::HOST.0;
    const DOMAIN: u16 = CharacterSet::DOMAIN.0;
    const ALL: u16 = u16::MAX;
    /// The sets of what ends or separates the components of a URL.
    const DELIMITER: u16 = !(LITERAL | USERINFO | HOST | DOMAIN);
    const QUERIES: u16 = QUERY | SPECIAL_QUERY;
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
        | b'_'
        | b'~' => ALL,
        b'=' => !USERINFO,
        b'@' => !(USERINFO | HOST | DOMAIN),
        b'&' => !MARKUP,
        b'(' | b')' => !CSS,
        b'.' => !LITERAL,
        b';' => !(LITERAL | USERINFO),
        b'%' => !(LITERAL | DOMAIN),
        b'/' | b':' => DELIMITER,
        b'?' => DELIMITER & !PATH,
        b'#' => DELIMITER & !(PATH | QUERIES),
        b'[' | b']' => DELIMITER & !UNCHANGED,
        b'\'' => AUTHORITY | PATH | QUERY | FRAGMENT | USERINFO | C0_CONTROL | HOST | DOMAIN,
        b'\\' | b'|' => PATH | QUERIES | FRAGMENT | C0_CONTROL,
        b'^' => QUERIES | FRAGMENT | C0_CONTROL,
        b'{' | b'}' => QUERIES | FRAGMENT | C0_CONTROL | HOST | DOMAIN,
        b'`' => QUERIES | C0_CONTROL | HOST | DOMAIN,
        b'"' => C0_CONTROL | HOST | DOMAIN,
        b' ' | b'<' | b'>' => C0_CONTROL,
        b'\0' | b'\t' | b'\n' | b'\r' => 0,
        1..32 | 127 => HOST,
        128.. => AUTHORITY | HOST | CharacterSet::HOST_AS_WRITTEN.0,
    }
}
