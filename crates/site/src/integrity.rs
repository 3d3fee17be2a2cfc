//! The attributes `integrity` and `crossorigin` of elements that refer to files of a folder.
//!
//! A browser refuses a style sheet or a script whose bytes do not have a digest in `integrity`. A run that changes the
//! file knows its old and new bytes, so [`FileDigests`] can replace the digest. In pages that are opened from a disk, a
//! browser refuses every element with one of the two attributes: [`LocalPage`] removes them.

use std::io::{self, BufRead};

use absolve::{BesideLink, Decision, Document, Link, Rewriter};
use data_encoding::BASE64;
use memchr::{memchr2_iter, memmem};
use sha2::{Digest, Sha256, Sha384, Sha512};

/// The attributes beside links that determine whether a browser loads the target.
pub const LOADING_ATTRIBUTES: &[&str] = &["integrity", "crossorigin", "type"];

/// Those of the [`LOADING_ATTRIBUTES`] that are never edited.
pub const READ_ATTRIBUTES: &[&str] = &["type"];

/// The digests of a file before and after it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDigests([(String, String); 3]);

impl FileDigests {
    /// Computes the digests; `None` if the bytes are the same.
    #[must_use]
    pub fn of(old: &[u8], new: &[u8]) -> Option<Self> {
        fn value<D: Digest>(name: &str, bytes: &[u8]) -> String {
            format!("{name}-{}", BASE64.encode(&D::digest(bytes)))
        }
        let both = |value: fn(&[u8]) -> String| (value(old), value(new));
        (old != new).then(|| {
            Self([
                both(|bytes| value::<Sha256>("sha256", bytes)),
                both(|bytes| value::<Sha384>("sha384", bytes)),
                both(|bytes| value::<Sha512>("sha512", bytes)),
            ])
        })
    }

    /// Returns the value of `integrity` with the digests of the new bytes in the place of those of the old ones; `None`
    /// if it has none of these.
    ///
    /// # Source
    /// Subresource Integrity, sections 3.3.2 and 3.5: values are separated by white space, and options follow `?`.
    #[must_use]
    pub fn update(&self, integrity: &str) -> Option<String> {
        let mut updated = integrity.to_owned();
        for value in integrity.split_ascii_whitespace() {
            let digest = value.split('?').next().unwrap_or(value);
            let known = self.0.iter().find(|(old, _)| old == digest);
            if let Some((old, new)) = known {
                updated = updated.replace(old, new);
            }
        }
        (updated != integrity).then_some(updated)
    }
}

/// A page that is opened from a disk, and the scripts in it that browsers do not run then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalPage {
    /// The number of elements that load a module script from a file.
    pub module_scripts: usize,
    /// Whether a META element has a content security policy. Its `'self'` is no file.
    pub has_policy: bool,
}

impl LocalPage {
    /// Reads the policy of a page, whose elements are not known yet.
    ///
    /// # Complexity
    /// Linear.
    #[must_use]
    pub fn new(document: &[u8]) -> Self {
        let has_policy = memmem::find_iter(document, b"ecurity-").any(|offset| {
            let end = document.len().min(offset + 20);
            let text = document[offset.saturating_sub(100)..end].to_ascii_lowercase();
            let tag = text.rsplit(|&byte| byte == b'<').next();
            let tag = tag.filter(|tag| tag.starts_with(b"meta"));
            tag.is_some_and(|tag| memmem::find(tag, b"content-security-policy").is_some())
        });
        Self {
            module_scripts: 0,
            has_policy,
        }
    }

    /// Reads a page whose URL is one of a file.
    ///
    /// # Complexity
    /// That of [`Rewriter::links`].
    #[must_use]
    pub fn of(rewriter: &Rewriter, document: &Document<'_>) -> Self {
        let mut page = Self::new(document.bytes());
        let rewriter = rewriter.clone().beside(READ_ATTRIBUTES);
        let _ = rewriter.rewrite_beside(document, |link_report, beside| {
            let target = link_report.target().unwrap_or_default();
            if let Some(beside) = beside.filter(|_| target.starts_with("file:")) {
                page.decide(&link_report.link, beside);
            }
            Decision::Keep
        });
        page
    }

    /// Decides about an attribute beside a link to a local file.
    pub fn decide(&mut self, link: &Link<'_>, beside: BesideLink<'_>) -> Decision {
        if beside.name != "type" {
            return Decision::Remove;
        }
        let is_module = beside.value.trim_ascii().eq_ignore_ascii_case("module");
        self.module_scripts += usize::from(is_module && link.element == "script");
        Decision::Keep
    }
}

/// Returns whether a document has one of `names`, in any letter case and in any encoding.
///
/// # Errors
/// It cannot be read.
///
/// # Complexity
/// Linear; keeps a few bytes of each block of the reader.
pub fn mentions(document: &mut dyn BufRead, names: &[&str]) -> io::Result<bool> {
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    // A name may lie across the end of a block. In UTF-16, it has twice as many bytes.
    let around = 2 * longest;
    let mut border = Vec::new();
    let is_named = |bytes: &[u8]| names.iter().any(|name| contains(bytes, name.as_bytes()));
    loop {
        let block = match document.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            block => block?,
        };
        border.extend_from_slice(&block[..block.len().min(around)]);
        if is_named(&border) || is_named(block) {
            return Ok(true);
        }
        let length = block.len();
        if length == 0 {
            return Ok(false);
        }
        if length > around {
            border.clear();
            border.extend_from_slice(&block[length - around..]);
        } else {
            border.drain(..border.len().saturating_sub(around));
        }
        document.consume(length);
    }
}

/// Returns whether `bytes` contains `name`, ASCII case-insensitive, also if every second byte is zero, as in UTF-16.
fn contains(bytes: &[u8], name: &[u8]) -> bool {
    let Some(last) = name.last() else {
        return true;
    };
    let (lower, upper) = (last.to_ascii_lowercase(), last.to_ascii_uppercase());
    memchr2_iter(lower, upper, bytes).any(|end| {
        let step = if end > 0 && bytes[end - 1] == 0 { 2 } else { 1 };
        let mut letters = name.iter().rev().enumerate();
        letters.all(|(index, letter)| {
            let place = end.checked_sub(index * step);
            place.is_some_and(|place| bytes[place].eq_ignore_ascii_case(letter))
        })
    })
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn names_are_found_in_any_block_case_and_encoding() -> io::Result<()> {
        const BLOCK: usize = 1 << 10;
        for before in (0..20).chain(BLOCK - 20..BLOCK + 2) {
            let document = "a".repeat(before) + "InteGRITY";
            let utf_16: Vec<u8> = document.encode_utf16().flat_map(u16::to_be_bytes).collect();
            for (bytes, block) in [document.as_bytes(), &utf_16]
                .iter()
                .flat_map(|bytes| [1, 7, BLOCK, 2 * BLOCK].map(|block| (bytes, block)))
            {
                let reader = || BufReader::with_capacity(block, &**bytes);
                let found = mentions(&mut reader(), &["module", "integrity"])?;
                assert!(found, "{before}, {block}");
                assert!(!mentions(&mut reader(), &["module"])?);
            }
        }
        Ok(())
    }
}
