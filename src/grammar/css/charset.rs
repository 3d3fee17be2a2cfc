//! The encoding that a style sheet declares.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Number of bytes at the start of a style sheet that may contain the declaration.
const WINDOW: usize = 1024;

/// Returns the encoding that the style sheet `bytes` declares with `@charset "label";`.
///
/// Returns `None` without a declaration, or if its label is unknown. A byte order mark takes precedence over the
/// declaration, and so does an encoding that the protocol declares; the caller must check them first.
///
/// # Source
/// CSS Syntax 3, 3.2, "determine the fallback encoding", step 2. The bytes must match exactly: the declaration looks
/// like an at-rule, but is not one. Unlike HTML, CSS has no exception for `x-user-defined`.
pub(crate) fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let window = &bytes[..bytes.len().min(WINDOW)];
    let rest = window.strip_prefix(b"@charset \"")?;
    let length = rest.iter().position(|&byte| byte == b'"')?;
    let (label, rest) = rest.split_at(length);
    if !label.is_ascii() || !rest.starts_with(b"\";") {
        return None;
    }
    let encoding = Encoding::for_label(label)?;
    // A declaration that was readable as ASCII cannot be in UTF-16.
    let is_utf16 = encoding == UTF_16BE || encoding == UTF_16LE;
    Some(if is_utf16 { UTF_8 } else { encoding })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_encoding_requires_the_exact_bytes() {
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
    fn declared_encoding_requires_the_whole_declaration_in_the_window() {
        let declaration = |padding: usize| format!("@charset \"koi8-r{}\";", " ".repeat(padding));
        let max = WINDOW - declaration(0).len();
        assert!(declared_encoding(declaration(max).as_bytes()).is_some());
        assert!(declared_encoding(declaration(max + 1).as_bytes()).is_none());
    }
}
