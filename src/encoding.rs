//! Text in the encodings of the Encoding Standard, with a map back to the bytes it was decoded from.
//!
//! Which encoding a document has is not for this module to say.

use std::borrow::Cow;

use encoding_rs::{
    BIG5, Decoder, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE,
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
    pub(crate) bom: &'d [u8],
}

impl Decoded<'_> {
    /// Whether the document can be cut at an offset of the text and something put before the cut.
    pub(crate) fn may_cut(&self, offset: usize) -> bool {
        // In ISO-2022-JP what bytes mean depends on what stands before them.
        self.encoding != ISO_2022_JP && self.map.source(offset).is_some()
    }
}

/// The text of `document` in `encoding`, without the byte order mark, which is the first `bom_len` bytes.
///
/// # Complexity
/// Linear. UTF-8 is borrowed; in other encodings the map costs memory for each character beyond ASCII.
pub(crate) fn decode<'d>(
    document: &'d [u8],
    encoding: &'static Encoding,
    bom_len: usize,
) -> Decoded<'d> {
    let (bom, body) = document.split_at(bom_len);
    let unit = if encoding == UTF_16LE || encoding == UTF_16BE {
        2
    } else {
        1
    };
    let mut map = OffsetMap::new(bom_len, unit);
    let text = match simdutf8::basic::from_utf8(body) {
        Ok(text) if encoding == UTF_8 => {
            map.run(text.len());
            Cow::Borrowed(text)
        }
        _ if encoding == UTF_8 => Cow::Owned(decode_utf_8(body, &mut map)),
        _ if unit == 2 => Cow::Owned(decode_utf_16(body, encoding, &mut map)),
        _ if encoding.is_single_byte() => Cow::Owned(decode_single_byte(body, encoding, &mut map)),
        _ => Cow::Owned(decode_mapped(body, encoding, &mut map)),
    };
    Decoded {
        text,
        map,
        encoding,
        bom,
    }
}

/// Decodes what is not quite UTF-8: what is stands for itself, and each beginning of a character that is missing its end,
/// as much of it as there is, is one U+FFFD, as is any other byte.
fn decode_utf_8(body: &[u8], map: &mut OffsetMap) -> String {
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Err(error) = std::str::from_utf8(rest) {
        let (valid, behind) = rest.split_at(error.valid_up_to());
        text.extend(std::str::from_utf8(valid));
        map.run(valid.len());
        let length = error.error_len().unwrap_or(behind.len());
        text.push(char::REPLACEMENT_CHARACTER);
        map.piece(char::REPLACEMENT_CHARACTER.len_utf8(), length);
        rest = &behind[length..];
    }
    text.extend(std::str::from_utf8(rest));
    map.run(rest.len());
    text
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

/// Decodes an encoding in which every byte is a character: each is looked up, and ASCII taken in runs.
fn decode_single_byte(body: &[u8], encoding: &'static Encoding, map: &mut OffsetMap) -> String {
    let bytes: Vec<u8> = (0x80..=0xff).collect();
    let (characters, _) = encoding.decode_without_bom_handling(&bytes);
    let characters: Vec<char> = characters.chars().collect();
    let mut text = String::with_capacity(body.len() + body.len() / 8);
    let mut rest = body;
    while !rest.is_empty() {
        let (ascii, behind) = rest.split_at(Encoding::ascii_valid_up_to(rest));
        text.extend(std::str::from_utf8(ascii));
        map.run(ascii.len());
        let length = behind.iter().position(u8::is_ascii).unwrap_or(behind.len());
        let (others, behind) = behind.split_at(length);
        for &byte in others {
            let index = usize::from(byte & 0x7f);
            let character = characters.get(index).copied();
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            text.push(character);
            map.piece(character.len_utf8(), 1);
        }
        rest = behind;
    }
    text
}

/// More bytes of UTF-8 than a decoder writes for one byte, which may be the last of a malformed sequence whose bytes are
/// all to be told, and the end of the document.
const LONGEST_OUTPUT: usize = 64;

/// Decodes any other encoding: ASCII in runs where it stands for itself, what follows at once where first bytes tell how long
/// characters are, everything else byte by byte, up to where the decoder has said all it has to say about the bytes before.
fn decode_mapped(body: &[u8], encoding: &'static Encoding, map: &mut OffsetMap) -> String {
    decode_with(body, encoding, map, decode_characters)
}

/// How characters are decoded at once: as [`decode_characters`] does.
type DecodeCharacters =
    fn(&[u8], &'static Encoding, &mut String, &mut OffsetMap) -> Result<usize, usize>;

/// As [`decode_mapped`], with characters decoded at once by that, as far as it can.
fn decode_with(
    body: &[u8],
    encoding: &'static Encoding,
    map: &mut OffsetMap,
    decode_characters: DecodeCharacters,
) -> String {
    let mut text = String::with_capacity(body.len());
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut at = 0;
    // Up to where no characters can be decoded at once: nothing is tried twice.
    let mut by_bytes = 0;
    while at < body.len() {
        if encoding.is_ascii_compatible() {
            let length = Encoding::ascii_valid_up_to(&body[at..]);
            // What the decoder does not see cannot change its state, which is neutral here.
            text.extend(std::str::from_utf8(&body[at..at + length]));
            map.run(length);
            at += length;
            if at >= by_bytes {
                match decode_characters(&body[at..], encoding, &mut text, map) {
                    Ok(0) => {}
                    Ok(length) => {
                        at += length;
                        continue;
                    }
                    Err(length) => by_bytes = at + length,
                }
            }
        }
        let start = at;
        let text_start = text.len();
        let mut is_pending = at < body.len();
        while is_pending {
            let is_last = at + 1 == body.len();
            // What one byte brings out is a few characters; a buffer as long as the text would be prepared anew each time.
            let mut buffer = [0; LONGEST_OUTPUT];
            let (_, _, written, _) = decoder.decode_to_utf8(&body[at..=at], &mut buffer, is_last);
            text.extend(std::str::from_utf8(&buffer[..written]));
            at += 1;
            is_pending = !is_last && !is_neutral(&decoder, &text[text_start..]);
        }
        map_decoded(&body[start..at], &text[text_start..], map);
    }
    text
}

/// Decodes the characters beyond ASCII that `bytes` begin with, all at once; the number of their bytes, which may be 0.
///
/// # Source
/// Encoding Standard, the decoders, for what their first bytes say.
///
/// # Errors
/// One of so many bytes is not part of such a character, or stands for less or more than one.
fn decode_characters(
    bytes: &[u8],
    encoding: &'static Encoding,
    text: &mut String,
    map: &mut OffsetMap,
) -> Result<usize, usize> {
    let length_at = |at: usize| {
        let first = *bytes.get(at).filter(|byte| !byte.is_ascii())?;
        let has_digit = || bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        Some(match first {
            0x80 | 0xa0..=0xdf if encoding == SHIFT_JIS => 1,
            0x80 if encoding == GBK || encoding == GB18030 => 1,
            0x8f if encoding == EUC_JP => 3,
            _ if (encoding == GBK || encoding == GB18030) && has_digit() => 4,
            _ => 2,
        })
    };
    let known = [BIG5, EUC_JP, EUC_KR, GB18030, GBK, SHIFT_JIS];
    if !known.contains(&encoding) {
        return Ok(0);
    }
    let (mut count, mut end) = (0, 0);
    while let Some(length) = length_at(end) {
        count += 1;
        end += length;
    }
    if end == 0 {
        return Ok(0);
    }
    let source = bytes.get(..end).ok_or(bytes.len())?;
    let decoded = encoding.decode_without_bom_handling_and_without_replacement(source);
    // Big5 has pairs of characters that come from one pair of bytes.
    let decoded = decoded.filter(|decoded| decoded.chars().count() == count);
    let decoded = decoded.ok_or(end)?;
    let mut at = 0;
    for character in decoded.chars() {
        let length = length_at(at).ok_or(end)?;
        map.piece(character.len_utf8(), length);
        at += length;
    }
    text.push_str(&decoded);
    Ok(end)
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
    if length < written.len() || length < source.len() {
        map.piece(written.len() - length, source.len() - length);
    }
    map.run(length);
}

/// Stands for each byte beyond ASCII in a [masked](masked) text.
pub(crate) const MASK: char = '\u{7f}';

/// A text as long as `body`, a document in an encoding in which ASCII stands for itself, that is the same where that is
/// ASCII. Only a part of it without [`MASK`] says what the document says.
///
/// In no such encoding can a byte of ASCII that delimits something in HTML be the second half of a character, but for
/// brackets; where none follows a [`MASK`], the masked text has the structure of the document.
///
/// # Source
/// Encoding Standard, the decoders: a byte of ASCII that cannot go on with a character is read again.
pub(crate) fn masked(body: &[u8]) -> String {
    let mask = |&byte: &u8| if byte.is_ascii() { byte } else { MASK as u8 };
    String::from_utf8(body.iter().map(mask).collect()).unwrap_or_default()
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

/// Whether there are characters that cannot be written in `encoding`.
pub(crate) fn lacks_characters(encoding: &'static Encoding) -> bool {
    encoding.output_encoding() != UTF_8
}

/// `text` as it reads when it is written in `encoding`: a character the encoding lacks is a numeric character
/// reference.
pub(crate) fn in_encoding<'t>(text: &'t str, encoding: &'static Encoding) -> Cow<'t, str> {
    if text.is_ascii() || !lacks_characters(encoding) {
        return Cow::Borrowed(text);
    }
    let (bytes, _, has_unmappable) = encoding.encode(text);
    if has_unmappable {
        Cow::Owned(encoding.decode_without_bom_handling(&bytes).0.into_owned())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::REPLACEMENT;

    use super::*;

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
            let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(REPLACEMENT);
            for _ in 0..4_000 {
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
                    let mut by_bytes = OffsetMap::new(0, 1);
                    let expected = decode_with(&bytes, encoding, &mut by_bytes, |_, _, _, _| Ok(0));
                    let text = decode_mapped(&bytes, encoding, &mut map);
                    assert_eq!((&text, &map), (&expected, &by_bytes), "{label} {bytes:x?}");
                    text
                };
                let (expected, _) = encoding.decode_without_bom_handling(&bytes);
                assert_eq!(text, expected, "{label} {bytes:x?}");
                if encoding == ISO_2022_JP || encoding == REPLACEMENT {
                    continue;
                }
                assert_eq!(
                    map.source(text.len()),
                    Some(bytes.len()),
                    "{label} {bytes:x?}"
                );
                if !text.contains(char::REPLACEMENT_CHARACTER) && encoding != BIG5 {
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
