//! Encoded words in header fields (RFC 2047).

use crate::container::headers::text_of;
use crate::container::transfer::{decode_base64, decode_quoted_printable};

/// Decodes the encoded words of a header value that are in UTF-8 or ASCII; others are left unchanged.
///
/// # Source
/// RFC 2047 section 2: `=?charset?encoding?text?=`. White space between two encoded words is not part of the value.
pub(super) fn decode_encoded_words(value: &[u8]) -> String {
    let text = text_of(value);
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find("=?") {
        let (before, word) = rest.split_at(start);
        let Some((decoded_word, tail)) = split_encoded_word(word) else {
            decoded.push_str(before);
            decoded.push_str("=?");
            rest = &word[2..];
            continue;
        };
        if decoded.is_empty() || !before.trim_ascii().is_empty() {
            decoded.push_str(before);
        }
        decoded.push_str(&decoded_word);
        rest = tail;
    }
    decoded.push_str(rest);
    decoded
}

/// Decodes the encoded word that `text` begins with, and returns it with the text after it.
fn split_encoded_word(text: &str) -> Option<(String, &str)> {
    // An encoded word has at most 75 characters (RFC 2047 section 2). A search that ends soon after that keeps a
    // value with many `=?` linear.
    let end = text
        .char_indices()
        .nth(80)
        .map_or(text.len(), |(end, _)| end);
    let head = &text[..end];
    let sections: Vec<&str> = head.strip_prefix("=?")?.splitn(4, '?').collect();
    let [charset, encoding, payload, rest] = sections[..] else {
        return None;
    };
    let charset_name = charset.to_ascii_lowercase();
    if !rest.starts_with('=') || !matches!(&*charset_name, "utf-8" | "us-ascii") {
        return None;
    }
    let bytes = match encoding {
        "B" | "b" => decode_base64(payload.as_bytes()),
        "Q" | "q" => decode_quoted_printable(payload.replace('_', " ").as_bytes()),
        _ => return None,
    };
    let length = 2 + charset.len() + 1 + encoding.len() + 1 + payload.len() + 2;
    Some((String::from_utf8(bytes).ok()?, text.get(length..)?))
}
