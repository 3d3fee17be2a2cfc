//! Which encoding a document has, and its text under it.
//!
//! Source: HTML, "determining the character encoding", without the parts that need a browser's history or locale.

use std::borrow::Cow;

use encoding_rs::{
    Decoder, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED,
};

use crate::offset_map::OffsetMap;

/// A document as text.
pub(crate) struct Decoded<'d> {
    /// The text, without byte order mark; bytes that are not text in the encoding are U+FFFD.
    pub(crate) text: Cow<'d, str>,
    /// From offsets in the text to offsets in the document.
    pub(crate) map: OffsetMap,
    /// The encoding the text was read in.
    pub(crate) encoding: &'static Encoding,
    /// The byte order mark, as it stands before the text.
    pub(crate) mark: &'d [u8],
}

impl Decoded<'_> {
    /// Whether the document can be cut at an offset of the text and something put before the cut.
    pub(crate) fn may_cut(&self, offset: usize) -> bool {
        // In ISO-2022-JP what bytes mean depends on what stands before them.
        self.encoding != ISO_2022_JP && self.map.source(offset).is_some()
    }
}

/// Reads `document` in the encoding it has: the one its byte order mark, then the transport, then its own `meta` names.
///
/// Without any of these it is UTF-8 if it is valid UTF-8, and windows-1252 if not.
///
/// # Complexity
/// Linear. UTF-8 is borrowed; in other encodings the map costs memory for each character beyond ASCII.
pub(crate) fn decode<'d>(document: &'d [u8], transport: Option<&'static Encoding>) -> Decoded<'d> {
    let (encoding, mark_length) = detect(document, transport);
    let (mark, body) = document.split_at(mark_length);
    let unit = if encoding == UTF_16LE || encoding == UTF_16BE {
        2
    } else {
        1
    };
    let mut map = OffsetMap::new(mark_length, unit);
    let text = match std::str::from_utf8(body) {
        Ok(text) if encoding == UTF_8 => {
            map.run(text.len());
            Cow::Borrowed(text)
        }
        _ if unit == 2 => Cow::Owned(decode_utf_16(body, encoding, &mut map)),
        _ => Cow::Owned(decode_mapped(body, encoding, &mut map)),
    };
    Decoded {
        text,
        map,
        encoding,
        mark,
    }
}

/// The encoding a document has, and the length of its byte order mark.
fn detect(document: &[u8], transport: Option<&'static Encoding>) -> (&'static Encoding, usize) {
    Encoding::for_bom(document).unwrap_or_else(|| {
        let named = transport.or_else(|| prescan(document));
        (named.unwrap_or_else(|| default(document)), 0)
    })
}

/// Whether `rewritten` will be read in the encoding that it was read in before it was rewritten.
///
/// The prescan knows less of HTML than a parser: it may take the end of a comment, or a declaration, from within an
/// attribute that was rewritten.
pub(crate) fn is_detected_alike(
    rewritten: &[u8],
    transport: Option<&'static Encoding>,
    encoding: &'static Encoding,
) -> bool {
    detect(rewritten, transport).0 == encoding
}

/// Decodes UTF-16: a character at a time, unpaired surrogates and an odd last byte as U+FFFD.
fn decode_utf_16(body: &[u8], encoding: &'static Encoding, map: &mut OffsetMap) -> String {
    let mut text = String::with_capacity(body.len());
    let from_bytes = if encoding == UTF_16LE {
        u16::from_le_bytes
    } else {
        u16::from_be_bytes
    };
    let (mut units, odd) = body.as_chunks::<2>();
    let mut cut_off = odd.len();
    // At the end of the bytes, the first half of a pair and half of a unit are one thing that is missing something.
    if let (Some((&last, before)), false) = (units.split_last(), odd.is_empty())
        && matches!(from_bytes(last), 0xd800..0xdc00)
    {
        units = before;
        cut_off += last.len();
    }
    for character in char::decode_utf16(units.iter().copied().map(from_bytes)) {
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        text.push(character);
        if character.is_ascii() {
            map.run(1);
        } else {
            map.piece(character.len_utf8(), 2 * character.len_utf16());
        }
    }
    if cut_off > 0 {
        text.push(char::REPLACEMENT_CHARACTER);
        map.piece(char::REPLACEMENT_CHARACTER.len_utf8(), cut_off);
    }
    text
}

/// Decodes any other encoding: ASCII in runs where it stands for itself, everything else byte by byte, up to where the
/// decoder has said all it has to say about the bytes before.
fn decode_mapped(body: &[u8], encoding: &'static Encoding, map: &mut OffsetMap) -> String {
    let mut text = String::with_capacity(body.len());
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut at = 0;
    while at < body.len() {
        if encoding.is_ascii_compatible() {
            let length = Encoding::ascii_valid_up_to(&body[at..]);
            // What the decoder does not see cannot change its state, which is neutral here.
            text.extend(std::str::from_utf8(&body[at..at + length]));
            map.run(length);
            at += length;
        }
        let start = at;
        let text_start = text.len();
        let mut is_pending = at < body.len();
        while is_pending {
            let is_last = at + 1 == body.len();
            text.reserve(16);
            let _ = decoder.decode_to_string(&body[at..=at], &mut text, is_last);
            at += 1;
            is_pending = !is_last && !is_neutral(&decoder, &text[text_start..]);
        }
        map_decoded(&body[start..at], &text[text_start..], map);
    }
    text
}

/// Whether the decoder waits for nothing more, so that what it wrote is what the bytes so far stand for.
fn is_neutral(decoder: &Decoder, written: &str) -> bool {
    if decoder.encoding() == ISO_2022_JP {
        // Its state is which set is switched to; it has spoken when it has written.
        return !written.is_empty();
    }
    decoder.latin1_byte_compatible_up_to(b"a").is_some()
}

/// Maps what was written for `source`: ASCII at the end of both stands for itself, and before it is one piece.
fn map_decoded(source: &[u8], written: &str, map: &mut OffsetMap) {
    let same_end = written.bytes().rev().zip(source.iter().rev());
    let length = same_end
        .take_while(|(one, other)| one == *other && one.is_ascii())
        .count();
    map.piece(written.len() - length, source.len() - length);
    map.run(length);
}

/// The bytes of `text` in `encoding`; a character the encoding lacks becomes a numeric character reference.
pub(crate) fn encode(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    // The Encoding Standard has no encoder for UTF-16.
    if encoding == UTF_16LE {
        return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    }
    if encoding == UTF_16BE {
        return text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    }
    encoding.encode(text).0.into_owned()
}

/// `text` as it reads when it is written in `encoding`: a character the encoding lacks is a numeric character reference.
pub(crate) fn in_encoding<'t>(text: &'t str, encoding: &'static Encoding) -> Cow<'t, str> {
    if text.is_ascii() || encoding.output_encoding() == UTF_8 {
        return Cow::Borrowed(text);
    }
    let (bytes, _, has_unmappable) = encoding.encode(text);
    if has_unmappable {
        Cow::Owned(encoding.decode_without_bom_handling(&bytes).0.into_owned())
    } else {
        Cow::Borrowed(text)
    }
}

fn default(document: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(document).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    }
}

/// The encoding that a `meta` element in the first part of `document` names.
///
/// # Source
/// HTML, "prescan a byte stream to determine its encoding".
///
/// DIFFERENCE: the standard looks at the first 1,024 bytes here and lets the parser find later declarations, at the
/// price of starting over. Where HEAD is longer, this goes on to its end at once. Test: `a_late_declaration_counts`.
pub(crate) fn prescan(document: &[u8]) -> Option<&'static Encoding> {
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

    #[test]
    fn every_encoding_decodes_as_its_decoder_does_and_maps_back() {
        let encodings = [
            "utf-8",
            "ibm866",
            "iso-8859-2",
            "koi8-r",
            "macintosh",
            "windows-874",
            "windows-1251",
            "windows-1252",
            "gbk",
            "gb18030",
            "big5",
            "euc-jp",
            "iso-2022-jp",
            "shift_jis",
            "euc-kr",
            "utf-16be",
            "utf-16le",
            "replacement",
            "x-user-defined",
        ];
        // A generator of bytes that favours ASCII, escape sequences and lead bytes.
        let mut state: u32 = 1;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for label in encodings {
            let encoding =
                Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::REPLACEMENT);
            for _ in 0..2_000 {
                let mut bytes = Vec::new();
                for _ in 0..next() % 20 {
                    match next() % 8 {
                        0..3 => bytes.push(b"<a>\"'=0B"[next() as usize % 8]),
                        3 => bytes.extend_from_slice(
                            [&b"\x1b$B"[..], b"\x1b(B", b"\x1b(J", b"\x1b$"][next() as usize % 4],
                        ),
                        4 => bytes
                            .extend_from_slice(&[0x81, 0x30, 0x81, 0x30][..next() as usize % 5]),
                        _ => bytes.push((next() & 0xff) as u8),
                    }
                }
                let mut map = OffsetMap::new(0, 1);
                let unit_is_two = encoding == UTF_16LE || encoding == UTF_16BE;
                let text = if unit_is_two {
                    map = OffsetMap::new(0, 2);
                    decode_utf_16(&bytes, encoding, &mut map)
                } else {
                    decode_mapped(&bytes, encoding, &mut map)
                };
                let (expected, _) = encoding.decode_without_bom_handling(&bytes);
                assert_eq!(text, expected, "{label} {bytes:x?}");
                if encoding == ISO_2022_JP || encoding == encoding_rs::REPLACEMENT {
                    continue;
                }
                assert_eq!(
                    map.source(text.len()),
                    Some(bytes.len()),
                    "{label} {bytes:x?}"
                );
                if !text.contains(char::REPLACEMENT_CHARACTER) && encoding != encoding_rs::BIG5 {
                    // Big5 has pairs of characters that come from one pair of bytes.
                    let is_mapped = |(offset, _)| map.source(offset).is_some();
                    assert!(text.char_indices().all(is_mapped), "{label} {bytes:x?}");
                }
                // Wherever the text is cut between ASCII, as it is around a reference, something ASCII can stand
                // instead of either part.
                let x = encode("x", encoding);
                for (offset, character) in text.char_indices() {
                    let is_between = character.is_ascii()
                        && text[..offset]
                            .chars()
                            .next_back()
                            .is_none_or(|before| before.is_ascii());
                    let Some(cut) = map.source(offset).filter(|_| is_between) else {
                        continue;
                    };
                    let before = [&bytes[..cut], &x].concat();
                    let (before, _) = encoding.decode_without_bom_handling(&before);
                    assert_eq!(
                        before,
                        text[..offset].to_owned() + "x",
                        "{label} {bytes:x?} {cut}"
                    );
                    let after = [&x, &bytes[cut..]].concat();
                    let (after, _) = encoding.decode_without_bom_handling(&after);
                    assert_eq!(
                        after,
                        "x".to_owned() + &text[offset..],
                        "{label} {bytes:x?} {cut}"
                    );
                }
            }
        }
    }

    #[test]
    fn utf_16_is_written_back() {
        let text = "a\u{1f600}";
        for encoding in [UTF_16LE, UTF_16BE] {
            let bytes = encode(text, encoding);
            assert_eq!(encoding.decode_without_bom_handling(&bytes).0, text);
        }
    }
}
