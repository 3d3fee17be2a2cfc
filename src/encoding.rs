//! Text in the encodings of the Encoding Standard: decoding with an offset map, skeletons, and encoding.
//!
//! Links are found in text, but edits apply to bytes. A decoder of `encoding_rs` returns text only, so this module
//! decodes in pieces small enough to know which bytes became which characters. The encoding of a document is detected
//! elsewhere: see [`html::encoding`](crate::html::encoding).
//!
//! # Decoding
//!
//! [`decode`] returns the text that the standard's decoder returns, with an [`OffsetMap`] from offsets in the text to
//! offsets in the document. Valid UTF-8 is borrowed. ASCII characters are literal in the map; the treatment of others
//! depends on the encoding:
//!
//! * In UTF-8, malformed sequences become U+FFFD, and each is one piece of the map.
//! * In UTF-16, code units are decoded one character at a time.
//! * In a single-byte encoding, each byte is looked up in a table of 128 characters.
//! * In most multi-byte encodings, the first one or two bytes of a character determine its length, so a run of
//!   characters is decoded in bulk and mapped afterwards. A run that contains anything malformed, and all of
//!   ISO-2022-JP, is fed to the decoder byte by byte instead.
//!
//! # Skeletons
//!
//! Finding the links of a document rarely needs its characters beyond ASCII: tags, attribute names and most references
//! are ASCII. [`skeleton`] replaces each byte beyond ASCII by [`MASK`] and leaves the rest as it is. The result is
//! valid UTF-8 of the same length, so offsets are those of the document, and only the values that contain [`MASK`]
//! need decoding.
//!
//! This works because of the structure of the multi-byte encodings. A character begins with a lead byte, which is
//! beyond ASCII. A trail byte may be in the ASCII range, but only as a letter, a digit (in GBK and gb18030), a
//! backtick, or one of `@[\]^_{|}~`. So the bytes that delimit HTML (white space and `!"&'-/;<=>?`) are never trail
//! bytes. Even after a stray lead byte, the decoder returns such a byte to its input and reads it again.
//!
//! Invariant: a skeleton has the markup of the decoded text, unless a `]` that seems to end a CDATA section follows a
//! [`MASK`] and may be a trail byte. The caller must exclude that case. A span without [`MASK`] that follows a
//! delimiter is equal to the decoded text.
//!
//! [`MASK`] is U+007F, which HTML treats like a character beyond ASCII: it is neither white space nor a delimiter, and
//! has no upper or lower case. A document that contains U+007F itself is handled correctly; some of its values are
//! decoded although they need not be.

use std::borrow::Cow;

use encoding_rs::{
    BIG5, CoderResult, Decoder, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT,
    SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
};

use crate::offset_map::OffsetMap;
use crate::unsupported::Unsupported;

/// Certainty of a detected encoding.
///
/// # Source
/// HTML, "determining the character encoding", "confidence".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Confidence {
    /// The default: a `meta` element that the prescan did not find may declare another encoding.
    Tentative,
    /// Declared by a `meta` element that the prescan did not find. The rewritten document must still declare it there.
    Declared,
    /// Determined by the BOM, the transport or the prescan: nothing later in the document can change it.
    Certain,
}

/// The encoding of a document, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detected {
    pub(crate) encoding: &'static Encoding,
    /// Length of the BOM, which is not part of the text; 0 if there is none.
    pub(crate) bom_len: usize,
    /// Whether a `meta` element may still declare another encoding.
    pub(crate) confidence: Confidence,
    /// Length of the prefix that determined the encoding, or that was searched without a result; may exceed the
    /// document.
    pub(crate) evidence_len: usize,
}

impl Detected {
    /// Creates an encoding that nothing in the text of the document can change.
    pub(crate) fn certain(encoding: &'static Encoding, bom_len: usize) -> Self {
        Self {
            encoding,
            bom_len,
            confidence: Confidence::Certain,
            evidence_len: usize::MAX,
        }
    }

    /// Returns the encoding of `document` by its BOM, otherwise the one that `declared` returns, or UTF-8.
    pub(crate) fn by_bom_or(
        document: &[u8],
        declared: impl FnOnce() -> Option<&'static Encoding>,
    ) -> Self {
        match Encoding::for_bom(document) {
            Some((encoding, bom_len)) => Self::certain(encoding, bom_len),
            None => Self::certain(declared().unwrap_or(UTF_8), 0),
        }
    }

    /// Decodes `document`, whose text may have `max_len` bytes.
    ///
    /// # Errors
    /// [`Unsupported::NoEncoding`] if the encoding is one that the Encoding Standard does not decode;
    /// [`Unsupported::TooLong`] if the text is longer.
    ///
    /// # Complexity
    /// Linear.
    pub(crate) fn decode<'d>(
        &self,
        document: &'d [u8],
        max_len: usize,
    ) -> Result<Decoded<'d>, Unsupported> {
        // The standard's decoder would replace the whole document by one U+FFFD.
        if self.encoding == REPLACEMENT {
            return Err(Unsupported::NoEncoding);
        }
        let decoded = decode(document, self.encoding, self.bom_len);
        if decoded.text.len() > max_len {
            return Err(Unsupported::TooLong);
        }
        Ok(decoded)
    }

    /// Returns the encoding of the same document, given that a late `meta` element declares `encoding`.
    ///
    /// `self` must be tentative. The result is not, so a caller that starts over does so only once.
    pub(crate) fn with_late_meta(self, encoding: &'static Encoding) -> Self {
        Self {
            encoding,
            confidence: Confidence::Declared,
            ..self
        }
    }

    /// Returns whether `rewritten` is detected as UTF-8 for the same reason as `document`, without detecting it again.
    ///
    /// It is if the deciding prefix is unchanged. `document` must be valid UTF-8, detected as such, and its `meta`
    /// elements must be unchanged. Without a declaration, detection tests UTF-8 validity, which splicing preserves.
    pub(crate) fn is_detected_for_same_reason(&self, rewritten: &[u8], document: &[u8]) -> bool {
        let evidence = document.get(..self.evidence_len);
        // If `document` is shorter than the evidence, its end is part of the evidence and may have moved. So `None` on
        // both sides does not count as equal.
        evidence.is_some() && rewritten.get(..self.evidence_len) == evidence
    }
}

/// A decoded document.
pub(crate) struct Decoded<'d> {
    /// The text, without BOM; malformed bytes are U+FFFD.
    pub(crate) text: Cow<'d, str>,
    /// Map from offsets in the text to offsets in the document.
    pub(crate) map: OffsetMap,
    /// The encoding in which the document was decoded.
    pub(crate) encoding: &'static Encoding,
    /// The BOM, which precedes the text; empty if there is none.
    pub(crate) bom: &'d [u8],
}

impl Decoded<'_> {
    /// Returns whether the document can be cut at `offset` of the text, so that an edit can end there.
    pub(crate) fn can_cut_at(&self, offset: usize) -> bool {
        // In ISO-2022-JP, the meaning of bytes depends on the escape sequences before them.
        self.encoding != ISO_2022_JP && self.map.source(offset).is_some()
    }
}

/// Decodes `document` in `encoding`, except for the BOM in its first `bom_len` bytes.
///
/// # Complexity
/// Linear. Valid UTF-8 is borrowed; in other encodings the map takes memory for each character beyond ASCII.
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
        _ => Cow::Owned(decode_multi_byte(body, encoding, &mut map, decode_bulk)),
    };
    Decoded {
        text,
        map,
        encoding,
        bom,
    }
}

/// Decodes malformed UTF-8: each maximal prefix of an incomplete character becomes one U+FFFD, and so does each other
/// malformed byte.
fn decode_utf_8(body: &[u8], map: &mut OffsetMap) -> String {
    let mut text = String::with_capacity(body.len());
    for chunk in body.utf8_chunks() {
        text.push_str(chunk.valid());
        map.run(chunk.valid().len());
        // Only the last chunk may have nothing malformed.
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
            map.piece(
                char::REPLACEMENT_CHARACTER.len_utf8(),
                chunk.invalid().len(),
            );
        }
    }
    text
}

/// Decodes UTF-16, one character at a time. Unpaired surrogates and an odd last byte become U+FFFD.
fn decode_utf_16(body: &[u8], encoding: &'static Encoding, map: &mut OffsetMap) -> String {
    let mut text = String::with_capacity(body.len());
    let from_bytes = if encoding == UTF_16LE {
        u16::from_le_bytes
    } else {
        u16::from_be_bytes
    };
    let (mut units, odd) = body.as_chunks::<2>();
    let mut truncated = odd.len();
    // A lead surrogate followed by an odd byte at the end is one truncated character, so it becomes one U+FFFD.
    if let (Some((&last, before)), false) = (units.split_last(), odd.is_empty())
        && matches!(from_bytes(last), 0xd800..0xdc00)
    {
        units = before;
        truncated += last.len();
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
    if truncated > 0 {
        text.push(char::REPLACEMENT_CHARACTER);
        map.piece(char::REPLACEMENT_CHARACTER.len_utf8(), truncated);
    }
    text
}

/// Decodes an encoding in which every byte is a character. ASCII runs are copied; other bytes are looked up.
fn decode_single_byte(body: &[u8], encoding: &'static Encoding, map: &mut OffsetMap) -> String {
    // The table is made by the decoder itself: a byte without a character in the encoding becomes one U+FFFD, so there
    // are always 128 entries.
    let bytes: Vec<u8> = (0x80..=0xff).collect();
    let (characters, _) = encoding.decode_without_bom_handling(&bytes);
    let characters: Vec<char> = characters.chars().collect();
    let mut text = String::with_capacity(body.len() + body.len() / 8);
    let mut rest = body;
    while !rest.is_empty() {
        let (ascii, tail) = rest.split_at(Encoding::ascii_valid_up_to(rest));
        push_ascii(ascii, &mut text, map);
        let length = tail.iter().position(u8::is_ascii).unwrap_or(tail.len());
        let (others, tail) = tail.split_at(length);
        for &byte in others {
            let character = characters[usize::from(byte & 0x7f)];
            text.push(character);
            map.piece(character.len_utf8(), 1);
        }
        rest = tail;
    }
    text
}

/// Appends `ascii`, which contains nothing else, to `text` and to `map`.
fn push_ascii(ascii: &[u8], text: &mut String, map: &mut OffsetMap) {
    text.push_str(std::str::from_utf8(ascii).expect("ASCII is UTF-8"));
    map.run(ascii.len());
}

/// Upper bound for the number of bytes of UTF-8 that a decoder writes for one byte of input.
///
/// The byte may complete a malformed sequence, which is then written all at once. At the last byte of the document, the
/// decoder also writes what is pending.
const LONGEST_OUTPUT: usize = 64;

/// Decodes a multi-byte encoding: ASCII runs are copied, and well-formed runs of other characters are decoded in bulk.
/// Anything else is fed to the decoder byte by byte, until the decoder is back in its initial state.
///
/// `decode_bulk` is [`decode_bulk`], except that tests compare with decoding byte by byte.
fn decode_multi_byte(
    body: &[u8],
    encoding: &'static Encoding,
    map: &mut OffsetMap,
    decode_bulk: BulkDecoder,
) -> String {
    let mut text = String::with_capacity(body.len());
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut pos = 0;
    // End of the last run that bulk decoding rejected. Retrying inside that run would take quadratic time.
    let mut rejected_end = 0;
    while pos < body.len() {
        if encoding.is_ascii_compatible() {
            let length = Encoding::ascii_valid_up_to(&body[pos..]);
            // Bypassing the decoder is safe: it is in its initial state here, in which ASCII would not change it.
            push_ascii(&body[pos..pos + length], &mut text, map);
            pos += length;
            if pos >= rejected_end {
                match decode_bulk(&body[pos..], encoding, &mut text, map) {
                    Ok(0) => {}
                    Ok(length) => {
                        pos += length;
                        continue;
                    }
                    Err(length) => rejected_end = pos + length,
                }
            }
        }
        let start = pos;
        let text_start = text.len();
        let mut is_pending = pos < body.len();
        while is_pending {
            let is_last = pos + 1 == body.len();
            // A small buffer, because the decoder clears all of it for each byte.
            let mut buffer = [0; LONGEST_OUTPUT];
            let source = &body[pos..=pos];
            let (_, _, written, _) = decoder.decode_to_utf8(source, &mut buffer, is_last);
            // Always valid: the decoder writes UTF-8.
            text.push_str(std::str::from_utf8(&buffer[..written]).unwrap_or_default());
            pos += 1;
            is_pending = !is_last && !is_in_initial_state(&decoder, &text[text_start..]);
        }
        map_decoded(&body[start..pos], &text[text_start..], map);
    }
    text
}

/// A function with the contract of [`decode_bulk`].
type BulkDecoder =
    fn(&[u8], &'static Encoding, &mut String, &mut OffsetMap) -> Result<usize, usize>;

/// Decodes the run of characters beyond ASCII at the start of `bytes` in one call of the decoder.
///
/// Returns the length of the run, which is 0 if there is none, or if bulk decoding does not support `encoding`.
///
/// # Source
/// Encoding Standard, the decoders, for the length of a character.
///
/// # Errors
/// The length of a run that cannot be decoded in bulk: it is malformed, or a sequence in it is not exactly one
/// character.
fn decode_bulk(
    bytes: &[u8],
    encoding: &'static Encoding,
    text: &mut String,
    map: &mut OffsetMap,
) -> Result<usize, usize> {
    let length_at = |pos: usize| {
        let lead = *bytes.get(pos).filter(|byte| !byte.is_ascii())?;
        let has_digit = || bytes.get(pos + 1).is_some_and(u8::is_ascii_digit);
        Some(match lead {
            // U+0080 and half-width katakana; 0xa0 is malformed.
            0x80 | 0xa0..=0xdf if encoding == SHIFT_JIS => 1,
            // The euro sign.
            0x80 if encoding == GBK || encoding == GB18030 => 1,
            // JIS X 0212.
            0x8f if encoding == EUC_JP => 3,
            // Only a sequence of four bytes has a digit in second place.
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
    // The last character is truncated if the run ends beyond the document.
    let source = bytes.get(..end).ok_or(bytes.len())?;
    let decoded = encoding.decode_without_bom_handling_and_without_replacement(source);
    // In Big5, some pairs of bytes decode to two characters, which the loop below could not map.
    let decoded = decoded.filter(|decoded| decoded.chars().count() == count);
    let decoded = decoded.ok_or(end)?;
    let mut pos = 0;
    for character in decoded.chars() {
        // Never an error: the loop above found a length for each of the `count` characters.
        let length = length_at(pos).ok_or(end)?;
        map.piece(character.len_utf8(), length);
        pos += length;
    }
    text.push_str(&decoded);
    Ok(end)
}

/// Returns whether the decoder has no pending bytes, so that `written` is the complete text of its input so far.
fn is_in_initial_state(decoder: &Decoder, written: &str) -> bool {
    if decoder.encoding() == ISO_2022_JP {
        // Its state includes the current character set, so it need not be the initial one after a character. But the
        // decoder writes each character as soon as it is complete, so nothing is pending then.
        return !written.is_empty();
    }
    // `Decoder` has no method that reports pending bytes, but this one returns `None` if there are any.
    decoder.latin1_byte_compatible_up_to(b"a").is_some()
}

/// Maps `written`, the text of `source`: a common ASCII suffix maps byte by byte, and the rest is one piece.
///
/// The suffix matters after a malformed sequence: if an ASCII byte cannot continue the sequence, the decoder reads that
/// byte again as a character, and it may begin a tag.
fn map_decoded(source: &[u8], written: &str, map: &mut OffsetMap) {
    let same_end = written.bytes().rev().zip(source.iter().rev());
    let length = same_end
        .take_while(|(a, b)| a == *b && a.is_ascii())
        .count();
    if length < written.len() || length < source.len() {
        map.piece(written.len() - length, source.len() - length);
    }
    map.run(length);
}

/// Replacement for each byte beyond ASCII in a [`skeleton`].
pub(crate) const MASK: char = '\u{7f}';

/// Returns `body`, which must be in an ASCII-compatible encoding, with each byte beyond ASCII replaced by [`MASK`].
///
/// The result is as long as `body` and has its markup; see the [module documentation](self) for the exception. Only a
/// span without [`MASK`] that follows a delimiter is known to be equal to the decoded text.
///
/// # Source
/// Encoding Standard, the decoders: the range of trail bytes, and that an ASCII byte that cannot continue a character
/// is read again.
///
/// # Complexity
/// Linear.
pub(crate) fn skeleton(body: &[u8]) -> String {
    let mask = |&byte: &u8| if byte.is_ascii() { byte } else { MASK as u8 };
    String::from_utf8(body.iter().map(mask).collect()).expect("every byte is ASCII")
}

/// Encodes `text` in `encoding`. A character that the encoding lacks becomes a numeric character reference; see
/// [`in_encoding`].
pub(crate) fn encode(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    // The Encoding Standard has no encoder for UTF-16; that of `encoding_rs` would write UTF-8.
    if encoding == UTF_16LE || encoding == UTF_16BE {
        // Exact for ASCII, which most targets are.
        let mut bytes = Vec::with_capacity(2 * text.len());
        let is_little = encoding == UTF_16LE;
        let units = text.encode_utf16();
        bytes.extend(units.flat_map(|unit| {
            if is_little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        }));
        return bytes;
    }
    encoding.encode(&in_encoding(text, encoding)).0.into_owned()
}

/// Returns whether `bytes` decode to the text of `pieces`, in memory that does not depend on their length.
pub(crate) fn decodes_to<'t>(
    bytes: &[u8],
    encoding: &'static Encoding,
    mut pieces: impl Iterator<Item = Cow<'t, str>>,
) -> bool {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut bytes, mut piece, mut compared) = (bytes, Cow::Borrowed(""), 0);
    let mut buffer = [0; 1 << 12];
    loop {
        let (result, read, written, _) = decoder.decode_to_utf8(bytes, &mut buffer, true);
        let mut chunk = &buffer[..written];
        while !chunk.is_empty() {
            let expected = &piece.as_bytes()[compared..];
            if expected.is_empty() {
                let Some(next) = pieces.next() else {
                    return false;
                };
                (piece, compared) = (next, 0);
                continue;
            }
            let length = expected.len().min(chunk.len());
            let (compared_now, rest) = chunk.split_at(length);
            if expected[..length] != *compared_now {
                return false;
            }
            (chunk, compared) = (rest, compared + length);
        }
        bytes = &bytes[read..];
        if result == CoderResult::InputEmpty {
            return compared == piece.len() && pieces.all(|piece| piece.is_empty());
        }
    }
}

/// Returns whether some characters cannot be written in `encoding`.
pub(crate) fn lacks_characters(encoding: &'static Encoding) -> bool {
    // UTF-8 is the output encoding of UTF-16 and of the replacement encoding as well.
    encoding.output_encoding() != UTF_8
}

/// Returns whether `text` in `encoding` decodes to `text` again.
pub(crate) fn can_encode(text: &str, encoding: &'static Encoding) -> bool {
    if text.is_ascii() || !lacks_characters(encoding) {
        return true;
    }
    let (bytes, _, has_unmappable) = encoding.encode(text);
    !has_unmappable && encoding.decode_without_bom_handling(&bytes).0 == text
}

/// Returns `text` with each character that `encoding` lacks replaced by a numeric character reference; borrowed if
/// none.
///
/// The encoding also lacks a character that its encoder replaces by a similar one.
///
/// # Source
/// Encoding Standard: the encoder of ISO-2022-JP replaces half-width katakana, those of EUC-JP and `Shift_JIS` the
/// yen sign and the overline, and all three the minus sign.
///
/// # Complexity
/// Linear.
pub(crate) fn in_encoding<'t>(text: &'t str, encoding: &'static Encoding) -> Cow<'t, str> {
    if can_encode(text, encoding) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        if can_encode(character.encode_utf8(&mut [0; 4]), encoding) {
            written.push(character);
        } else {
            written.extend(["&#", &u32::from(character).to_string(), ";"]);
        }
    }
    Cow::Owned(written)
}

#[cfg(test)]
mod tests {
    use encoding_rs::REPLACEMENT;

    use super::*;

    #[test]
    fn decode_agrees_with_the_decoder_and_maps_back() {
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
                    let expected =
                        decode_multi_byte(&bytes, encoding, &mut by_bytes, |_, _, _, _| Ok(0));
                    let text = decode_multi_byte(&bytes, encoding, &mut map, decode_bulk);
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
                    // In Big5, some pairs of bytes decode to two characters.
                    let is_mapped = |(offset, _)| map.source(offset).is_some();
                    assert!(text.char_indices().all(is_mapped), "{label} {bytes:x?}");
                }
                // If the text is cut between ASCII characters, as it is around a reference, either part can be
                // replaced by ASCII.
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
    fn encode_writes_no_other_character() {
        // The characters that the encoders of the standard replace, beside one that they encode.
        for (label, replaced, encoded) in [
            (
                "iso-2022-jp",
                "\u{2212}\u{ff61}\u{ff9f}",
                "\u{a5}\u{203e}\u{30b7}",
            ),
            ("euc-jp", "\u{a5}\u{203e}\u{2212}", "\u{ff7c}"),
            ("shift_jis", "\u{a5}\u{203e}\u{2212}", "\u{ff7c}"),
            ("windows-1252", "\u{2212}", "\u{a5}"),
        ] {
            let encoding = Encoding::for_label(label.as_bytes()).expect("a label");
            let references = replaced
                .chars()
                .map(|character| format!("&#{};", u32::from(character)));
            let references = references.collect::<Vec<_>>().concat();
            let text = [replaced, encoded].concat();
            let bytes = encode(&text, encoding);
            let (decoded, _) = encoding.decode_without_bom_handling(&bytes);
            assert_eq!(decoded, [references.as_str(), encoded].concat(), "{label}");
        }
        // Whatever the encoding, every character is decoded again, or is a reference.
        for label in [
            "big5",
            "euc-jp",
            "euc-kr",
            "gb18030",
            "gbk",
            "iso-2022-jp",
            "shift_jis",
            "koi8-u",
        ] {
            let encoding = Encoding::for_label(label.as_bytes()).expect("a label");
            for start in (0x80..0x11_0000).step_by(0x80) {
                let text: String = (start..start + 0x80).filter_map(char::from_u32).collect();
                let bytes = encode(&text, encoding);
                let (decoded, _) = encoding.decode_without_bom_handling(&bytes);
                assert_eq!(decoded, in_encoding(&text, encoding), "{label}");
                let mut rest = &*decoded;
                for character in text.chars() {
                    let reference = format!("&#{};", u32::from(character));
                    let next = rest
                        .strip_prefix(character)
                        .or_else(|| rest.strip_prefix(&*reference));
                    rest = next.expect("the character or a reference");
                }
                assert_eq!(rest, "");
            }
        }
    }

    #[test]
    fn encode_writes_utf_16() {
        let text = "a\u{1f600}";
        for encoding in [UTF_16LE, UTF_16BE] {
            let bytes = encode(text, encoding);
            assert_eq!(encoding.decode_without_bom_handling(&bytes).0, text);
        }
    }
}
