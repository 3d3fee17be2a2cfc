//! The encoding of a document that declares none, found by reading it to its end.

use std::io::{self, Read};

use super::chunks::complete_characters_len;
use crate::find::{find_ignore_case, starts_with_ignore_case};
use crate::html::encoding::{DETECTION_PREFIX, detect_from_prefix};

/// The number of bytes read at once.
const BLOCK: usize = 1 << 16;

/// The number of bytes after `<meta` in which a declaration is searched.
const LONGEST_META: usize = 1 << 12;

const _: () = assert!(BLOCK > DETECTION_PREFIX && BLOCK > 2 * LONGEST_META);

/// Returns whether an HTML document is UTF-8 without declaring it, after reading it to its end.
///
/// [`Rewriter::rewrite_stream`](crate::Rewriter::rewrite_stream) streams such a document if it is told the encoding,
/// for which it must be read twice. Returns `false` if the document declares an encoding, or may declare one after its
/// first 1024 bytes.
///
/// # Errors
/// The document cannot be read.
///
/// # Examples
/// ```
/// assert!(absolve::stream::is_undeclared_utf8("<p>caf\u{e9}".as_bytes())?);
/// assert!(!absolve::stream::is_undeclared_utf8(&b"<p>caf\xe9"[..])?);
/// assert!(!absolve::stream::is_undeclared_utf8(&b"<meta charset=utf-8>"[..])?);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn is_undeclared_utf8(mut document: impl Read) -> io::Result<bool> {
    let mut block = Vec::with_capacity(2 * BLOCK);
    // The number of bytes at the beginning of the block that were validated as UTF-8 before.
    let mut validated = 0;
    let mut is_first = true;
    loop {
        let read = (&mut document).take(BLOCK as u64).read_to_end(&mut block)?;
        let is_last = read < BLOCK;
        if is_first && detect_from_prefix(&block, None).is_some() {
            return Ok(false);
        }
        is_first = false;
        let complete = if is_last {
            block.len()
        } else {
            complete_characters_len(&block)
        };
        if simdutf8::basic::from_utf8(&block[validated..complete]).is_err() {
            return Ok(false);
        }
        // Elements after this offset are searched with the next block.
        let end = if is_last {
            block.len()
        } else {
            complete - LONGEST_META
        };
        let tags = memchr::memchr_iter(b'<', &block[..end]);
        if tags.into_iter().any(|start| may_declare(&block[start..])) {
            return Ok(false);
        }
        if is_last {
            return Ok(true);
        }
        block.drain(..end);
        validated = complete - end;
    }
}

/// Returns whether `bytes` begin with a `meta` element that may declare an encoding. The prescan has found none, but a
/// reader may.
fn may_declare(bytes: &[u8]) -> bool {
    if !starts_with_ignore_case(bytes, b"<meta") {
        return false;
    }
    let tag = &bytes[..bytes.len().min(LONGEST_META)];
    // The names of attributes cannot be written in another way.
    let has = |name: &[u8]| find_ignore_case(tag, name).is_some();
    !tag.contains(&b'>') || has(b"charset") || has(b"http-equiv")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_characters_across_blocks_are_found() -> io::Result<()> {
        for len in [BLOCK - LONGEST_META, BLOCK]
            .into_iter()
            .flat_map(|end| end - 12..end + 2)
        {
            let with = |rest: &[u8]| [&vec![b'a'; len][..], rest, &vec![b'a'; len][..]].concat();
            assert!(is_undeclared_utf8(&*with(b"<meta name=x>"))?);
            assert!(is_undeclared_utf8(&*with("\u{e9}\u{1f600}b".as_bytes()))?);
            assert!(!is_undeclared_utf8(&*with(b"\xe9b"))?);
            assert!(!is_undeclared_utf8(&*with(b"<meta CHARSET=x>"))?);
            assert!(!is_undeclared_utf8(&*with(b"<meta http-equiv=x>"))?);
        }
        assert!(!is_undeclared_utf8(&b"\xef\xbb\xbfa"[..])?);
        assert!(is_undeclared_utf8(&b""[..])?);
        Ok(())
    }
}
