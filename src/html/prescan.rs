//! Which encoding a document declares, before anything is known about its text.
//!
//! Source: HTML, "prescan a byte stream to determine its encoding". It reads bytes and knows of HTML only what it needs.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// The encoding that a `meta` element in the first part of `document` names.
///
/// DIFFERENCE: the standard looks at the first 1,024 bytes here and lets the parser find later declarations, at the
/// price of starting over. Where HEAD is longer, this goes on to its end at once. Test: `a_late_declaration_counts`.
pub(super) fn prescan(document: &[u8]) -> Option<&'static Encoding> {
    let mut rest = document;
    loop {
        let tag = rest.iter().position(|&byte| byte == b'<')?;
        rest = &rest[tag..];
        if rest.starts_with(b"<!--") {
            // "<!-->" is a whole comment: the dashes may be the same ones.
            rest = &rest[2..];
            let end = rest.windows(3).position(|window| window == b"-->")?;
            rest = &rest[end + 3..];
        } else if let Some(after) = strip_tag_name(rest, b"meta") {
            let (encoding, after) = meta(after);
            if encoding.is_some() {
                return encoding;
            }
            rest = after;
        } else if document.len() - rest.len() >= PRESCAN_LENGTH && ends_head(rest) {
            return None;
        } else {
            let name = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
            match rest.get(name) {
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let end = rest
                        .iter()
                        .position(|&byte| is_space(byte) || byte == b'>')?;
                    rest = &rest[end..];
                    while let (Some(_), after) = attribute(rest) {
                        rest = after;
                    }
                }
                _ if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) => {
                    let end = rest.iter().position(|&byte| byte == b'>')?;
                    rest = &rest[end..];
                }
                _ => rest = &rest[1..],
            }
        }
    }
}

/// How many bytes the standard looks at.
const PRESCAN_LENGTH: usize = 1024;

/// Whether a tag begins here that ends HEAD.
fn ends_head(bytes: &[u8]) -> bool {
    strip_tag_name(bytes, b"body").is_some() || strip_tag_name(bytes, b"/head").is_some()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// What follows `<name` and a space or slash, in any case.
fn strip_tag_name<'d>(bytes: &'d [u8], name: &[u8]) -> Option<&'d [u8]> {
    let (found, rest) = bytes.strip_prefix(b"<")?.split_at_checked(name.len())?;
    let is_name = found.eq_ignore_ascii_case(name);
    let is_end = |&byte: &u8| is_space(byte) || byte == b'/' || (byte == b'>' && name != b"meta");
    (is_name && rest.first().is_some_and(is_end)).then_some(rest)
}

/// The encoding a `meta` element's attributes name, and what follows them.
fn meta(mut rest: &[u8]) -> (Option<&'static Encoding>, &[u8]) {
    let mut names: Vec<Vec<u8>> = Vec::new();
    let mut got_pragma = false;
    let mut need_pragma = None;
    let mut charset = None;
    while let (Some(Attribute { name, value }), after) = attribute(rest) {
        rest = after;
        if names.contains(&name) {
            continue;
        }
        match name.as_slice() {
            b"http-equiv" => got_pragma |= value == b"content-type",
            b"content" if charset.is_none() => {
                if let Some(encoding) = charset_in_content(&value) {
                    charset = Some(encoding);
                    need_pragma = Some(true);
                }
            }
            b"charset" => {
                charset = Encoding::for_label(&value);
                need_pragma = Some(false);
            }
            _ => {}
        }
        names.push(name);
    }
    let counts = match need_pragma {
        Some(need_pragma) => !need_pragma || got_pragma,
        None => false,
    };
    let encoding = charset.filter(|_| counts).map(|encoding| {
        if encoding == UTF_16BE || encoding == UTF_16LE {
            UTF_8
        } else if encoding == X_USER_DEFINED {
            WINDOWS_1252
        } else {
            encoding
        }
    });
    (encoding, rest)
}

/// The encoding that follows `charset=` in the content of a `meta` element.
///
/// # Source
/// HTML, "extracting a character encoding from a `meta` element".
fn charset_in_content(value: &[u8]) -> Option<&'static Encoding> {
    let mut rest = value;
    loop {
        let found = rest
            .windows(7)
            .position(|window| window.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[found + 7..].trim_ascii_start();
        let Some(after) = rest.strip_prefix(b"=") else {
            continue;
        };
        let after = after.trim_ascii_start();
        let quote = after.first().filter(|byte| matches!(byte, b'"' | b'\''));
        let label = if let Some(quote) = quote {
            let end = after[1..].iter().position(|byte| byte == quote)?;
            &after[1..=end]
        } else {
            let is_end = |&byte: &u8| is_space(byte) || byte == b';';
            &after[..after.iter().position(is_end).unwrap_or(after.len())]
        };
        return Encoding::for_label(label);
    }
}

/// An attribute as the prescan sees it, in lower case.
struct Attribute {
    name: Vec<u8>,
    value: Vec<u8>,
}

/// The next attribute, or `None` at the end of the tag or of the bytes, and what follows.
///
/// # Source
/// HTML, "get an attribute" of the prescan.
fn attribute(bytes: &[u8]) -> (Option<Attribute>, &[u8]) {
    let skip_while = |from: usize, skip: fn(u8) -> bool| {
        bytes[from..]
            .iter()
            .position(|&byte| !skip(byte))
            .map_or(bytes.len(), |end| from + end)
    };
    let start = skip_while(0, |byte| is_space(byte) || byte == b'/');
    if bytes.get(start).is_none_or(|&byte| byte == b'>') {
        return (None, &bytes[start..]);
    }
    // A "=" right at the start is part of the name.
    let name_end = skip_while(start + 1, |byte| {
        !is_space(byte) && !matches!(byte, b'/' | b'>' | b'=')
    });
    let name = bytes[start..name_end].to_ascii_lowercase();
    let after_name = skip_while(name_end, is_space);
    if bytes.get(after_name) != Some(&b'=') {
        return (
            Some(Attribute {
                name,
                value: Vec::new(),
            }),
            &bytes[after_name..],
        );
    }
    let value_start = skip_while(after_name + 1, is_space);
    let quote = bytes
        .get(value_start)
        .filter(|byte| matches!(byte, b'"' | b'\''));
    let (value, end) = if let Some(quote) = quote {
        let value = &bytes[value_start + 1..];
        let Some(length) = value.iter().position(|byte| byte == quote) else {
            return (None, &[]);
        };
        (&value[..length], value_start + length + 2)
    } else {
        let end = skip_while(value_start, |byte| !is_space(byte) && byte != b'>');
        (&bytes[value_start..end], end)
    };
    (
        Some(Attribute {
            name,
            value: value.to_ascii_lowercase(),
        }),
        &bytes[end..],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_declaration_counts() {
        let mut document = vec![b' '; 5000];
        document.extend(b"<meta charset=shift_jis>");
        assert_eq!(prescan(&document), Some(encoding_rs::SHIFT_JIS));
        document.splice(2000..2000, *b"</head>");
        assert_eq!(prescan(&document), None);
        assert_eq!(
            prescan(b"<head></head><meta charset=gbk>"),
            Some(encoding_rs::GBK)
        );
    }
}
