//! Which encoding a document declares, before anything is known about its text.
//!
//! Source: HTML, "prescan a byte stream to determine its encoding". It reads bytes and knows of HTML only what it
//! needs.

use std::mem;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// How many bytes are looked at.
pub(crate) const PRESCAN_LENGTH: usize = 1024;

/// What was found in the first bytes of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prescan {
    /// The encoding that they declare: in a `meta` element, or in an XML declaration.
    pub(super) encoding: Option<&'static Encoding>,
    /// How many of them say so: another document that begins with these declares the same. If there is no declaration,
    /// it may be more than there are.
    pub(super) evidence_len: usize,
}

/// Looks at the first bytes of `document`.
pub(super) fn prescan(document: &[u8]) -> Prescan {
    let head = &document[..document.len().min(PRESCAN_LENGTH)];
    let all = |encoding| Prescan {
        encoding,
        evidence_len: PRESCAN_LENGTH,
    };
    match head {
        [b'<', 0, b'?', 0, b'x', 0, ..] => all(Some(UTF_16LE)),
        [0, b'<', 0, b'?', 0, b'x', ..] => all(Some(UTF_16BE)),
        _ => meta_encoding(head).unwrap_or_else(|| all(xml_encoding(head))),
    }
}

/// What the first `meta` element says that names an encoding.
fn meta_encoding(head: &[u8]) -> Option<Prescan> {
    let mut rest = head;
    loop {
        let tag = rest.iter().position(|&byte| byte == b'<')?;
        rest = &rest[tag..];
        if rest.starts_with(b"<!--") {
            // "<!-->" is a whole comment: the dashes may be the same ones.
            rest = &rest[2..];
            let end = rest.windows(3).position(|window| window == b"-->")?;
            rest = &rest[end + 3..];
        } else if let Some(after) = strip_meta(rest) {
            let Meta {
                encoding,
                rest: after,
            } = meta(after)?;
            if encoding.is_some() {
                // What is left begins with the end of the tag.
                let evidence_len = head.len() - after.len() + 1;
                return Some(Prescan {
                    encoding,
                    evidence_len,
                });
            }
            rest = after;
        } else {
            let name = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
            match rest.get(name) {
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let end = rest
                        .iter()
                        .position(|&byte| is_space(byte) || byte == b'>')?;
                    rest = &rest[end..];
                    loop {
                        let next = attribute(rest)?;
                        rest = next.rest;
                        if next.attribute.is_none() {
                            break;
                        }
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

/// The encoding of an XML declaration.
///
/// # Source
/// HTML, "get an XML encoding".
fn xml_encoding(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..declaration.iter().position(|&byte| byte == b'>')?];
    let found = declaration
        .windows(8)
        .position(|window| window == b"encoding")?;
    let skip_space = |bytes: &[u8]| {
        bytes
            .iter()
            .position(|&byte| byte > b' ')
            .unwrap_or(bytes.len())
    };
    let rest = &declaration[found + 8..];
    let rest = rest[skip_space(rest)..].strip_prefix(b"=")?;
    let rest = &rest[skip_space(rest)..];
    let quote = rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let label = &rest[1..];
    let label = &label[..label.iter().position(|byte| byte == quote)?];
    if label.iter().any(|&byte| byte <= b' ') {
        return None;
    }
    Some(declared(Encoding::for_label(label)?))
}

/// What a declaration means that can be read without knowing the encoding: it is not UTF-16, whatever it says.
pub(super) fn declared(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// What follows `<meta` and a space or slash, in any case.
fn strip_meta(bytes: &[u8]) -> Option<&[u8]> {
    let (name, rest) = bytes.split_at_checked(5)?;
    let is_meta = name.eq_ignore_ascii_case(b"<meta");
    (is_meta
        && rest
            .first()
            .is_some_and(|&byte| is_space(byte) || byte == b'/'))
    .then_some(rest)
}

/// What a `meta` element says of the encoding.
enum Charset {
    Nothing,
    /// A label that names none.
    Failure,
    Named(&'static Encoding),
}

/// The encoding a `meta` element's attributes name, and what follows them.
struct Meta<'d> {
    encoding: Option<&'static Encoding>,
    rest: &'d [u8],
}

/// Reads the attributes of a `meta` element; `None` where the bytes end before it does.
fn meta(mut rest: &[u8]) -> Option<Meta<'_>> {
    // Of several attributes of one name the first counts.
    let (mut had_pragma, mut had_content, mut had_charset) = (false, false, false);
    let mut got_pragma = false;
    let mut need_pragma = None;
    let mut charset = Charset::Nothing;
    loop {
        let next = attribute(rest)?;
        rest = next.rest;
        let Some(PrescanAttribute { name, value }) = next.attribute else {
            break;
        };
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        if is(b"http-equiv") {
            if !mem::replace(&mut had_pragma, true) {
                got_pragma = value.eq_ignore_ascii_case(b"content-type");
            }
        } else if is(b"content") {
            let is_first = !mem::replace(&mut had_content, true);
            if is_first
                && matches!(charset, Charset::Nothing)
                && let Some(encoding) = charset_in_content(value)
            {
                charset = Charset::Named(encoding);
                need_pragma = Some(true);
            }
        } else if is(b"charset") && !mem::replace(&mut had_charset, true) {
            charset = Encoding::for_label(value).map_or(Charset::Failure, Charset::Named);
            need_pragma = Some(false);
        }
    }
    let encoding = match (charset, need_pragma) {
        (Charset::Named(encoding), Some(need_pragma)) if !need_pragma || got_pragma => {
            Some(declared(encoding))
        }
        _ => None,
    };
    Some(Meta { encoding, rest })
}

/// The encoding that follows `charset=` in the content of a `meta` element.
///
/// # Source
/// HTML, "extracting a character encoding from a `meta` element".
pub(super) fn charset_in_content(value: &[u8]) -> Option<&'static Encoding> {
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

/// An attribute as it is written, which the prescan reads in lower case.
struct PrescanAttribute<'d> {
    name: &'d [u8],
    value: &'d [u8],
}

/// The next attribute of a tag, `None` at its end, and what follows.
struct AttributeAndEnd<'d> {
    attribute: Option<PrescanAttribute<'d>>,
    rest: &'d [u8],
}

/// The next attribute, or `None` where the bytes end before it does: then there is nothing more to find.
///
/// # Source
/// HTML, "get an attribute" of the prescan.
fn attribute(bytes: &[u8]) -> Option<AttributeAndEnd<'_>> {
    let skip_while = |from: usize, skip: fn(u8) -> bool| {
        bytes[from..]
            .iter()
            .position(|&byte| !skip(byte))
            .map(|end| from + end)
    };
    let start = skip_while(0, |byte| is_space(byte) || byte == b'/')?;
    if bytes[start] == b'>' {
        return Some(AttributeAndEnd {
            attribute: None,
            rest: &bytes[start..],
        });
    }
    // A "=" right at the start is part of the name.
    let name_end = skip_while(start + 1, |byte| {
        !is_space(byte) && !matches!(byte, b'/' | b'>' | b'=')
    })?;
    let name = &bytes[start..name_end];
    let after_name = skip_while(name_end, is_space)?;
    if bytes[after_name] != b'=' {
        let attribute = Some(PrescanAttribute { name, value: &[] });
        return Some(AttributeAndEnd {
            attribute,
            rest: &bytes[after_name..],
        });
    }
    let value_start = skip_while(after_name + 1, is_space)?;
    let (value, end) = if let quote @ (b'"' | b'\'') = bytes[value_start] {
        let value = &bytes[value_start + 1..];
        let length = value.iter().position(|&byte| byte == quote)?;
        (&value[..length], value_start + length + 2)
    } else {
        let end = skip_while(value_start, |byte| !is_space(byte) && byte != b'>')?;
        (&bytes[value_start..end], end)
    };
    let attribute = Some(PrescanAttribute { name, value });
    Some(AttributeAndEnd {
        attribute,
        rest: &bytes[end..],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_bytes_are_looked_at() {
        let mut document = vec![b' '; 1000];
        document.extend(b"<meta charset=shift_jis>");
        assert_eq!(prescan(&document).encoding, Some(encoding_rs::SHIFT_JIS));
        document.splice(0..0, *b" ");
        assert_eq!(prescan(&document).encoding, None);
    }

    #[test]
    fn what_is_seen_is_all_that_matters() {
        for (evidence_len, rest) in [
            (&b"<p><meta charset=gbk>"[..], &b"<meta charset=big5>"[..]),
            (b"<meta name=a><META charset='gbk' />", b"a"),
        ] {
            let document = [evidence_len, rest].concat();
            let found = prescan(&document);
            assert_eq!(found.evidence_len, evidence_len.len());
            assert_eq!(found, prescan(evidence_len));
        }
        // More of them might say more.
        assert_eq!(prescan(b"<p>").evidence_len, PRESCAN_LENGTH);
    }

    #[test]
    fn declarations() {
        for (document, label) in [
            (&b"<meta charset=gbk>"[..], Some("gbk")),
            (b"<META/CHARSET='GBK'/>", Some("gbk")),
            (b"<meta charset=utf-16>", Some("utf-8")),
            (b"<meta charset=x-user-defined>", Some("windows-1252")),
            (
                b"<meta http-equiv=content-type content='text/html; charset=gbk'>",
                Some("gbk"),
            ),
            (b"<meta content='text/html; charset=gbk'>", None),
            (
                b"<meta charset=bogus http-equiv=content-type content='text/html;charset=koi8-r'>",
                None,
            ),
            (
                b"<meta http-equiv=content-type content='text/html;charset=koi8-r' charset=bogus>",
                None,
            ),
            (b"<meta charset=bogus><meta charset=gbk>", Some("gbk")),
            (b"<!--<meta charset=gbk>-->", None),
            (b"<!--><meta charset=gbk>", Some("gbk")),
            (b"<a b='<meta charset=gbk>'>", None),
            (b"<metacharset=gbk>", None),
            (
                b"<?xml version='1.0' encoding='windows-1251'?>",
                Some("windows-1251"),
            ),
            (
                b"<?xml version='1.0' encoding='windows-1251'?><meta charset=gbk>",
                Some("gbk"),
            ),
            (b"<?xml encoding = \"utf-16\"?>", Some("utf-8")),
            (b"<?xml encoding='windows 1251'?>", None),
            (b" <?xml encoding='windows-1251'?>", None),
            (b"<\0?\0x\0m\0l\0", Some("utf-16le")),
            (b"\0<\0?\0x\0m\0l", Some("utf-16be")),
        ] {
            let expected = label.and_then(|label| Encoding::for_label(label.as_bytes()));
            assert_eq!(
                prescan(document).encoding,
                expected,
                "{}",
                String::from_utf8_lossy(document)
            );
        }
    }
}
