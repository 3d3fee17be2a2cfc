//! The encoding that a style sheet says it is in.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// How far into a style sheet its encoding may be declared, in bytes.
const WINDOW: usize = 1024;

/// The encoding that the style sheet `bytes` declares with `@charset "label";`, if it does.
///
/// This is neither what the protocol says, which goes before it, nor a byte order mark, which goes before both.
///
/// # Source
/// CSS Syntax 3, 3.2, "determine the fallback encoding", step 2. The bytes must be exactly these; it looks like an
/// at-rule, but is none. Unlike HTML, CSS has no exception for `x-user-defined`.
pub(crate) fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let window = &bytes[..bytes.len().min(WINDOW)];
    let rest = window.strip_prefix(b"@charset \"")?;
    let length = rest.iter().position(|&byte| byte == b'"')?;
    let (label, rest) = rest.split_at(length);
    if !label.is_ascii() || !rest.starts_with(b"\";") {
        return None;
    }
    let encoding = Encoding::for_label(label)?;
    // A declaration that can be read as ASCII is not in UTF-16.
    let is_utf16 = encoding == UTF_16BE || encoding == UTF_16LE;
    Some(if is_utf16 { UTF_8 } else { encoding })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_bytes_declare_an_encoding() {
        for (css, name) in [
            (&b"@charset \"koi8-r\";"[..], Some("KOI8-R")),
            (b"@charset \" latin1\t\";a{}", Some("windows-1252")),
            (b"@charset \"UTF-16\";", Some("UTF-8")),
            (b"@charset \"utf-16be\";", Some("UTF-8")),
            (b"@charset \"x-user-defined\";", Some("x-user-defined")),
            (b"@charset \"bogus\";", None),
            (b"@charset \"\";", None),
            (b"@charset 'koi8-r';", None),
            (b"@charset  \"koi8-r\";", None),
            (b"@charset \"koi8-r\" ;", None),
            (b"@charset \"koi8-r\"", None),
            (b"@CHARSET \"koi8-r\";", None),
            (b" @charset \"koi8-r\";", None),
            (b"\xef\xbb\xbf@charset \"koi8-r\";", None),
            (b"", None),
        ] {
            assert_eq!(declared_encoding(css).map(Encoding::name), name, "{css:?}");
        }
    }

    #[test]
    fn the_declaration_ends_within_the_window() {
        let declaration = |padding: usize| format!("@charset \"koi8-r{}\";", " ".repeat(padding));
        let most = WINDOW - declaration(0).len();
        assert!(declared_encoding(declaration(most).as_bytes()).is_some());
        assert!(declared_encoding(declaration(most + 1).as_bytes()).is_none());
    }
}
