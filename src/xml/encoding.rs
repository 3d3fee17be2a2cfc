//! The encoding of an XML document.

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;

use super::characters::skip_space;
use crate::encoding::Detected;

/// Number of bytes in which an XML declaration is searched for.
pub(crate) const DETECTION_PREFIX: usize = 1024;

/// Detects the encoding of `document`, of which the first [`DETECTION_PREFIX`] bytes suffice.
///
/// A BOM takes precedence over the transport, the transport over the XML declaration. The default is UTF-8. A
/// declaration with an unknown label yields the replacement encoding, in which no document is read, and so does UTF-32,
/// which the Encoding Standard does not have.
///
/// # Source
/// RFC 7303 section 3; XML 1.0, section 4.3.3 and appendix F.
pub(crate) fn detect(document: &[u8], transport: Option<&'static Encoding>) -> Detected {
    if is_utf_32(document) {
        return Detected::certain(REPLACEMENT, 0);
    }
    Detected::by_bom_or(document, || transport.or_else(|| declared(document)))
}

/// Returns whether a document begins with a BOM in UTF-32, or with `<`.
///
/// # Source
/// XML 1.0, appendix F.1.
fn is_utf_32(document: &[u8]) -> bool {
    let beginnings: [&[u8]; 4] = [b"\0\0\xfe\xff", b"\xff\xfe\0\0", b"\0\0\0<", b"<\0\0\0"];
    beginnings
        .iter()
        .any(|beginning| document.starts_with(beginning))
}

/// Returns the encoding that the XML declaration implies or names.
fn declared(document: &[u8]) -> Option<&'static Encoding> {
    // `<?` in UTF-16.
    if document.starts_with(b"\0<\0?") {
        return Some(UTF_16BE);
    }
    if document.starts_with(b"<\0?\0") {
        return Some(UTF_16LE);
    }
    let prefix = &document[..document.len().min(DETECTION_PREFIX)];
    let declaration = prefix.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memmem::find(declaration, b"?>")?];
    let name = memmem::find(declaration, b"encoding")?;
    let equals = skip_space(declaration, name + b"encoding".len());
    if declaration.get(equals) != Some(&b'=') {
        return None;
    }
    let open = skip_space(declaration, equals + 1);
    let quote = *declaration
        .get(open)
        .filter(|quote| matches!(quote, b'"' | b'\''))?;
    let label = declaration[open + 1..]
        .split(|byte| *byte == quote)
        .next()?;
    Some(match Encoding::for_label(label) {
        None => REPLACEMENT,
        // The declaration was read as ASCII, so the document is not in UTF-16.
        Some(encoding) if encoding == UTF_16BE || encoding == UTF_16LE => UTF_8,
        Some(encoding) => encoding,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detect_follows_the_order_of_rfc_7303() {
        for (document, transport, expected) in [
            (&b"<a/>"[..], None, "UTF-8"),
            (b"\xff\xfe<\0", Some("utf-8"), "UTF-16LE"),
            (
                b"<?xml version='1.0' encoding='koi8-r'?><a/>",
                None,
                "KOI8-R",
            ),
            (
                b"<?xml version='1.0' encoding = \"koi8-r\" ?><a/>",
                None,
                "KOI8-R",
            ),
            (
                b"<?xml version='1.0' encoding='koi8-r'?><a/>",
                Some("shift_jis"),
                "Shift_JIS",
            ),
            (
                b"<?xml version='1.0' encoding='utf-16'?><a/>",
                None,
                "UTF-8",
            ),
            (
                b"<?xml version='1.0' encoding='unknown'?><a/>",
                None,
                "replacement",
            ),
            (b"<a encoding='koi8-r'/>", None, "UTF-8"),
            (b"\0<\0?\0x", None, "UTF-16BE"),
            (b"<\0?\0x\0", None, "UTF-16LE"),
            (b"\xff\xfe\0\0<\0\0\0", Some("utf-8"), "replacement"),
            (b"\0\0\xfe\xff\0\0\0<", None, "replacement"),
            (b"\0\0\0<\0\0\0?", None, "replacement"),
            (b"<\0\0\0?\0\0\0", None, "replacement"),
        ] {
            let transport = transport.and_then(|label| Encoding::for_label(label.as_bytes()));
            assert_eq!(
                detect(document, transport).encoding.name(),
                expected,
                "{document:?}"
            );
        }
    }
}
