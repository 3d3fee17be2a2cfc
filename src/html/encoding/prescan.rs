//! The prescan: finds the encoding declaration in the first bytes of a document, before it can be decoded.
//!
//! The prescan reads bytes as ASCII. It knows comments, tags and attributes, but no raw text and no tree: a `meta` in a
//! script counts. Every step that runs out of bytes ends the search without a result, which `?` does throughout.
//!
//! Source: HTML, "prescan a byte stream to determine its encoding".

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

use crate::find::{find_ignore_case, starts_with_ignore_case};
use crate::html::tag;

/// Number of bytes that the prescan reads at most.
pub(crate) const PRESCAN_LENGTH: usize = 1024;

/// Encoding that the prescan found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prescan {
    /// The encoding that a `meta` element or an XML declaration names.
    pub(super) encoding: &'static Encoding,
    /// Length of a prefix such that every document that begins with it has the same result. May exceed the document,
    /// unless a `meta` element declares the encoding.
    pub(super) evidence_len: usize,
}

/// Returns the encoding that the first [`PRESCAN_LENGTH`] bytes of `document` declare.
///
/// Returns `None` if they declare none; all of them are the evidence then.
pub(super) fn prescan(document: &[u8]) -> Option<Prescan> {
    let head = &document[..document.len().min(PRESCAN_LENGTH)];
    let by_all = |encoding| Prescan {
        encoding,
        evidence_len: PRESCAN_LENGTH,
    };
    match head {
        [b'<', 0, b'?', 0, b'x', 0, ..] => Some(by_all(UTF_16LE)),
        [0, b'<', 0, b'?', 0, b'x', ..] => Some(by_all(UTF_16BE)),
        _ => meta_encoding(head)
            .or_else(|| xml_encoding(head).map(by_all))
            .or_else(|| utf16_by_zeros(head).map(by_all)),
    }
}

/// Returns the UTF-16 encoding in which `head` consists of characters below U+0100, given that every other byte of it
/// is zero.
///
/// # Source
/// HTML, "encoding sniffing algorithm", lets a user agent examine the bytes by a rule of its own. This is the rule of
/// Firefox (`nsHtml5StreamParser::SniffBOMlessUTF16BasicLatin`), with the same minimum length.
fn utf16_by_zeros(head: &[u8]) -> Option<&'static Encoding> {
    const MIN_LENGTH: usize = 30;
    if head.len() < MIN_LENGTH {
        return None;
    }
    let zeros_at = |parity: usize| {
        let mut bytes = head.iter().enumerate();
        bytes.all(|(index, &byte)| (byte == 0) == (index % 2 == parity))
    };
    if zeros_at(1) {
        Some(UTF_16LE)
    } else {
        zeros_at(0).then_some(UTF_16BE)
    }
}

/// Returns the declaration of the first `meta` element that names an encoding.
fn meta_encoding(head: &[u8]) -> Option<Prescan> {
    let mut pos = 0;
    loop {
        pos += memchr(b'<', &head[pos..])?;
        let rest = &head[pos..];
        if rest.starts_with(b"<!--") {
            // "<!-->" is a complete comment: its two dashes count for both the opening and the closing delimiter.
            pos += 2;
            pos += memmem::find(&head[pos..], b"-->")? + 3;
        } else if is_meta(rest) {
            let tag = tag::split(head, pos)?;
            let value_of = |name: &[u8]| {
                let value = tag.attribute(head, name)?.value;
                Some(&head[value.start..value.end])
            };
            pos = tag.span.end;
            if let Some(encoding) = declared_by_meta(value_of) {
                return Some(Prescan {
                    encoding,
                    evidence_len: pos,
                });
            }
        } else {
            let name_start = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
            match rest.get(name_start) {
                Some(byte) if byte.is_ascii_alphabetic() => {
                    // Unlike in the tokenizer, a slash does not end the name.
                    let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
                    let length = rest.iter().position(is_end)?;
                    // A `<` in a quoted value begins no tag.
                    pos = tag::skip(head, pos + length)?;
                }
                _ if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) => {
                    pos += memchr(b'>', rest)?;
                }
                _ => pos += 1,
            }
        }
    }
}

/// Returns whether `bytes` begins with `<meta` and a space or slash; ASCII case-insensitive.
fn is_meta(bytes: &[u8]) -> bool {
    const OPENING: &[u8] = b"<meta";
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/';
    starts_with_ignore_case(bytes, OPENING) && bytes.get(OPENING.len()).is_some_and(is_end)
}

/// Returns the encoding that an XML declaration at the start of `head` names.
///
/// # Source
/// HTML, "get an XML encoding".
fn xml_encoding(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let found = memmem::find(declaration, b"encoding")?;
    let rest = trim_start(&declaration[found + b"encoding".len()..]);
    let rest = trim_start(rest.strip_prefix(b"=")?);
    let (quote, label) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &label[..memchr(*quote, label)?];
    if label.iter().any(|&byte| byte <= b' ') {
        return None;
    }
    encoding_of(label)
}

/// Returns `bytes` without the spaces and control characters at their start.
fn trim_start(bytes: &[u8]) -> &[u8] {
    let length = bytes.iter().take_while(|&&byte| byte <= b' ').count();
    &bytes[length..]
}

/// Returns the encoding that a declaration with this label means.
///
/// UTF-16 means UTF-8, since a declaration that is readable as ASCII is not in UTF-16. `x-user-defined` means
/// windows-1252.
///
/// # Source
/// HTML, "prescan a byte stream to determine its encoding", and "changing the encoding while parsing".
pub(in crate::html) fn encoding_of(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

/// Returns the encoding that a `meta` element declares whose attributes have the values that `value_of` returns.
///
/// # Source
/// HTML, "prescan a byte stream to determine its encoding" and "the rules for parsing tokens in HTML content", "in
/// head", for a start tag "meta". Both have this rule, the first one for values as they are written.
pub(super) fn declared_by_meta<V: AsRef<[u8]>>(
    value_of: impl Fn(&[u8]) -> Option<V>,
) -> Option<&'static Encoding> {
    // `charset` takes precedence over `content`, even if its label is unknown.
    if let Some(label) = value_of(b"charset") {
        return encoding_of(label.as_ref());
    }
    let pragma = value_of(b"http-equiv")?;
    if !pragma.as_ref().eq_ignore_ascii_case(b"content-type") {
        return None;
    }
    charset_in_content(value_of(b"content")?.as_ref())
}

/// Returns the encoding that `charset=` names in the `content` of a `meta` element.
///
/// # Source
/// HTML, "extracting a character encoding from a `meta` element".
fn charset_in_content(value: &[u8]) -> Option<&'static Encoding> {
    const WORD: &[u8] = b"charset";
    let mut rest = value;
    loop {
        let found = find_ignore_case(rest, WORD)?;
        rest = rest[found + WORD.len()..].trim_ascii_start();
        let Some(after) = rest.strip_prefix(b"=") else {
            // Another "charset" may follow.
            continue;
        };
        let after = after.trim_ascii_start();
        let quote = after.first().filter(|byte| matches!(byte, b'"' | b'\''));
        let label = if let Some(quote) = quote {
            &after[1..=memchr(*quote, &after[1..])?]
        } else {
            let is_end = |&byte: &u8| byte.is_ascii_whitespace() || byte == b';';
            &after[..after.iter().position(is_end).unwrap_or(after.len())]
        };
        return encoding_of(label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prescan_reads_only_the_first_bytes() {
        let mut document = vec![b' '; 1000];
        document.extend(b"<meta charset=shift_jis>");
        let found = prescan(&document).map(|found| found.encoding);
        assert_eq!(found, Some(encoding_rs::SHIFT_JIS));
        document.splice(0..0, *b" ");
        assert_eq!(prescan(&document), None);
    }

    #[test]
    fn prescan_depends_only_on_its_evidence() {
        for (evidence, rest) in [
            (&b"<p><meta charset=gbk>"[..], &b"<meta charset=big5>"[..]),
            (b"<meta name=a><META charset='gbk' />", b"a"),
        ] {
            let document = [evidence, rest].concat();
            let found = prescan(&document);
            assert_eq!(found.map(|found| found.evidence_len), Some(evidence.len()));
            assert_eq!(found, prescan(evidence));
        }
        // More bytes might declare another encoding in a `meta` element.
        let found = prescan(b"<?xml encoding='gbk'?><p>");
        assert_eq!(found.map(|found| found.evidence_len), Some(PRESCAN_LENGTH));
    }

    #[test]
    fn evidence_is_all_that_was_searched_if_nothing_was_found() {
        let detected = crate::html::encoding::detect(b"<p>", None);
        assert_eq!(detected.evidence_len, PRESCAN_LENGTH);
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
                prescan(document).map(|found| found.encoding),
                expected,
                "{}",
                String::from_utf8_lossy(document)
            );
        }
    }
}
