//! The prescan: finds the encoding declaration in the first bytes of a document, before it can be decoded.
//!
//! The prescan reads bytes as ASCII. It knows comments, tags and attributes, but no raw text and no tree: a `meta` in a
//! script counts. Every step that runs out of bytes ends the search without a result, which `?` does throughout.
//!
//! Source: HTML, "prescan a byte stream to determine its encoding".

use std::mem;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// Number of bytes that the prescan reads at most.
pub(crate) const PRESCAN_LENGTH: usize = 1024;

/// Result of the prescan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prescan {
    /// The encoding that a `meta` element or an XML declaration names.
    pub(super) encoding: Option<&'static Encoding>,
    /// Length of a prefix such that every document that begins with it has the same result. May exceed the document,
    /// unless a `meta` element declares the encoding.
    pub(super) evidence_len: usize,
}

/// Returns the encoding that the first [`PRESCAN_LENGTH`] bytes of `document` declare.
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

/// Returns the declaration of the first `meta` element that names an encoding.
fn meta_encoding(head: &[u8]) -> Option<Prescan> {
    let mut rest = head;
    loop {
        let tag = rest.iter().position(|&byte| byte == b'<')?;
        rest = &rest[tag..];
        if rest.starts_with(b"<!--") {
            // "<!-->" is a complete comment: its two dashes count for both the opening and the closing delimiter.
            rest = &rest[2..];
            let end = rest.windows(3).position(|window| window == b"-->")?;
            rest = &rest[end + 3..];
        } else if let Some(attributes) = strip_meta(rest) {
            let Meta {
                encoding,
                rest: after,
            } = parse_meta(attributes)?;
            if encoding.is_some() {
                // `after` begins with the `>` of the tag, which is part of the evidence.
                let evidence_len = head.len() - after.len() + 1;
                return Some(Prescan {
                    encoding,
                    evidence_len,
                });
            }
            rest = after;
        } else {
            let name_start = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
            match rest.get(name_start) {
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let end = rest
                        .iter()
                        .position(|&byte| is_space(byte) || byte == b'>')?;
                    rest = &rest[end..];
                    // Skips the attributes: a `<` in a quoted value begins no tag.
                    loop {
                        let next = next_attribute(rest)?;
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

/// Returns the encoding that an XML declaration at the start of `head` names.
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
    Some(effective_encoding(Encoding::for_label(label)?))
}

/// Returns the encoding that a declaration of `encoding` means.
///
/// UTF-16 means UTF-8, since a declaration that is readable as ASCII is not in UTF-16. `x-user-defined` means
/// windows-1252.
///
/// # Source
/// HTML, "prescan a byte stream to determine its encoding", and "changing the encoding while parsing".
pub(super) fn effective_encoding(encoding: &'static Encoding) -> &'static Encoding {
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

/// Returns the bytes after `<meta`, which a space or slash must follow; ASCII case-insensitive.
fn strip_meta(bytes: &[u8]) -> Option<&[u8]> {
    let (name, rest) = bytes.split_at_checked(5)?;
    let is_meta = name.eq_ignore_ascii_case(b"<meta");
    (is_meta
        && rest
            .first()
            .is_some_and(|&byte| is_space(byte) || byte == b'/'))
    .then_some(rest)
}

/// The declaration of one `meta` element, as far as its attributes are read.
enum Charset {
    /// No declaration.
    Nothing,
    /// A `charset` whose label names no encoding. Unlike [`Nothing`](Self::Nothing), it keeps `content` from counting.
    Failure,
    Named(&'static Encoding),
}

/// A `meta` tag.
struct Meta<'d> {
    /// The encoding that its attributes name.
    encoding: Option<&'static Encoding>,
    /// The bytes after its attributes, from `>` on.
    rest: &'d [u8],
}

/// Parses the attributes of a `meta` tag. Returns `None` if the bytes end before the tag does.
fn parse_meta(mut rest: &[u8]) -> Option<Meta<'_>> {
    // The first of several attributes with one name counts.
    let (mut had_pragma, mut had_content, mut had_charset) = (false, false, false);
    let mut got_pragma = false;
    let mut need_pragma = None;
    let mut charset = Charset::Nothing;
    loop {
        let next = next_attribute(rest)?;
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
            Some(effective_encoding(encoding))
        }
        _ => None,
    };
    Some(Meta { encoding, rest })
}

/// Returns the encoding that `charset=` names in the `content` of a `meta` element.
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
            // Another "charset" may follow.
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

/// An attribute as written. The standard's prescan lowercases names and values; here comparisons ignore case instead.
struct PrescanAttribute<'d> {
    name: &'d [u8],
    value: &'d [u8],
}

/// The next attribute of a tag, with the bytes after it.
struct AttributeAndEnd<'d> {
    /// The next attribute; `None` at the end of the tag.
    attribute: Option<PrescanAttribute<'d>>,
    /// The bytes after the attribute; they begin with `>` at the end of the tag.
    rest: &'d [u8],
}

/// Parses the next attribute. Returns `None` if the bytes end before it does, which ends the prescan.
///
/// # Source
/// HTML, "get an attribute" of the prescan.
fn next_attribute(bytes: &[u8]) -> Option<AttributeAndEnd<'_>> {
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
    // A "=" at the very start is part of the name: the search for its end begins one byte later.
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
        // Two more bytes, for the quotes.
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
    fn prescan_reads_only_the_first_bytes() {
        let mut document = vec![b' '; 1000];
        document.extend(b"<meta charset=shift_jis>");
        assert_eq!(prescan(&document).encoding, Some(encoding_rs::SHIFT_JIS));
        document.splice(0..0, *b" ");
        assert_eq!(prescan(&document).encoding, None);
    }

    #[test]
    fn prescan_depends_only_on_its_evidence() {
        for (evidence, rest) in [
            (&b"<p><meta charset=gbk>"[..], &b"<meta charset=big5>"[..]),
            (b"<meta name=a><META charset='gbk' />", b"a"),
        ] {
            let document = [evidence, rest].concat();
            let found = prescan(&document);
            assert_eq!(found.evidence_len, evidence.len());
            assert_eq!(found, prescan(evidence));
        }
        // More bytes might declare an encoding.
        assert_eq!(prescan(b"<p>").evidence_len, PRESCAN_LENGTH);
    }

    #[test]
    fn prescan_finds_declarations() {
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
