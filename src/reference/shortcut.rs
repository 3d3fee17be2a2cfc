//! A fast path for the common case: the target is a prefix of the base URL followed by the reference, unchanged.
//!
//! Most references on most pages are short relative paths such as `img/logo.png` or `../a.html`. Resolving one in full
//! means splitting it, choosing components, removing dot segments and escaping each component, or running the
//! URL Standard's parser, only to copy every byte in the end. This module recognizes such references with one scan.
//!
//! # The rule
//!
//! The first bytes of the reference determine which prefix of the base URL is kept ([`base_prefix`]):
//!
//! | reference begins with | the base URL is kept up to |
//! |---|---|
//! | `//` | the end of the scheme, colon included |
//! | `/` | the start of the path |
//! | `./`, `../` | the last slash of the path, less one segment for each `../`; these dot segments are dropped |
//! | `?` | the start of the query |
//! | `#` | the start of the fragment |
//! | anything else | the last slash of the path |
//!
//! The rest of the reference is appended if [`is_copied_unchanged`] finds that no profile changes any byte of it.
//!
//! An `http` or `https` URL is a target itself, if no profile changes any byte of it ([`is_copied_absolute`]).
//!
//! # Byte classes
//!
//! [`CharacterSet::LITERAL`] has the bytes that no profile percent-encodes in any component and that delimit nothing.
//! [`CharacterSet::UNCHANGED`] also has the delimiters; whether one can be copied depends on its position. All other
//! bytes, including all that are not ASCII, reject the reference. The vectorized tests agree with these sets.
//!
//! # The vectorized test
//!
//! In a document, more text follows the reference, so its last block can be loaded without copying. [`is_common`] tests
//! [`WIDTH`] bytes at a time for the characters most references consist of, and for dots that may begin a dot segment.
//! It accepts a subset of what [`is_copied_unchanged`], the test byte by byte, accepts. That test decides if the
//! vectorized one fails.
//!
//! # Why it is exact
//!
//! Invariant: a target that is returned equals the one from the profile's own steps. `None` is always correct, because
//! the caller then takes those steps; a test that is too strict costs time only. Several cases on which the profiles
//! happen to agree are rejected for simplicity. The base URL must be eligible ([`BaseLayout::is_eligible`]):
//! everything that targets inherit from it is escaped, and its path has no dot segments, so that each `../` removes
//! exactly one segment.
//!
//! `tests/library/profiles.rs` and the fuzz target `profiles` compare the result with
//! [`Resolver::explain`](super::Resolver::explain), which never uses this module.
//!
//! # Cost
//!
//! Linear in the length of the reference, and of the base URL's path for `../`. Nothing is allocated until the caller
//! joins prefix and reference.

use memchr::memchr_iter;

use super::characters::CharacterSet;
use super::layout::BaseLayout;
use crate::find::{Block, Mask, WIDTH};
use crate::span::Span;

/// Appends the target of `reference` to `target` and returns `true`, or returns `false` if the shortcut does not apply.
#[inline]
pub(super) fn resolve(base: &BaseLayout, reference: &str, target: &mut String) -> bool {
    let Some((prefix, rest)) = split_target(base, reference) else {
        let is_copied = is_copied_absolute(base, reference);
        if is_copied {
            target.push_str(reference);
        }
        return is_copied;
    };
    target.reserve(prefix.len() + rest.len());
    target.push_str(prefix);
    target.push_str(rest);
    true
}

/// Returns whether the shortcut rejects every reference that contains `text`.
pub(super) fn always_rejects(text: &str) -> bool {
    !CharacterSet::UNCHANGED.contains_all(text.as_bytes())
}

/// Returns the target of `reference` in two parts, a prefix of the base URL and a suffix of the reference.
///
/// Returns `None` if the shortcut does not apply.
#[inline]
pub(super) fn split_target<'b, 'r>(
    base: &'b BaseLayout,
    reference: &'r str,
) -> Option<(&'b str, &'r str)> {
    if !base.is_eligible {
        return None;
    }
    let (prefix, dropped) = base_prefix(base, reference.as_bytes())?;
    let rest = &reference[dropped..];
    is_copied(rest.as_bytes()).then_some((prefix, rest))
}

/// Returns the two parts of the target, as [`split_target`] does, for the reference at `span` of `text`: a prefix of
/// the base URL, and the span in `text` of the suffix of the reference.
///
/// `is_literal` must return whether the rest of the reference is literal in the notation of `text`; if it returns
/// `false`, the shortcut does not apply. It is called only if the vectorized test fails, because otherwise that test
/// implies it.
#[inline]
pub(super) fn split_target_in<'b>(
    base: &'b BaseLayout,
    text: &str,
    span: Span,
    is_literal: impl FnOnce(&str) -> bool,
) -> Option<(&'b str, Span)> {
    if !base.is_eligible {
        return None;
    }
    let bytes = text.as_bytes();
    let (prefix, dropped) = base_prefix(base, &bytes[span.start..span.end])?;
    let rest = Span::new(span.start + dropped, span.end);
    let is_accepted = is_common(bytes, rest) || {
        let rest = &text[rest.start..rest.end];
        is_literal(rest) && is_copied_unchanged(rest.as_bytes())
    };
    is_accepted.then_some((prefix, rest))
}

/// Returns the prefix of the base URL to keep, and the number of bytes to drop from the reference that is appended.
///
/// These bytes are dot segments. Returns `None` if the first bytes of the reference already rule the shortcut out. The
/// bytes after those that are dropped have not been tested.
#[inline]
fn base_prefix<'b>(base: &'b BaseLayout, reference: &[u8]) -> Option<(&'b str, usize)> {
    match reference {
        [b'/', b'/', authority @ ..] => {
            after_copied_host(base, authority)?;
            Some((&base.url[..base.scheme_end], 0))
        }
        // The profiles disagree on the base URL's fragment if the reference is empty. An empty query is rejected as a
        // precaution only.
        [] | [b'?'] | [b'?', b'#', ..] => None,
        // The path is empty and its slash is in the directory only, or a "?" in the authority was taken for the query:
        // in both cases the offsets below are not those of the target.
        [b'?' | b'#', ..] if base.directory().len() > base.query_start => None,
        [b'?', ..] => Some((&base.url[..base.query_start], 0)),
        [b'#', ..] => Some((&base.url[..base.fragment_start], 0)),
        [b'/', ..] => Some((&base.url[..base.path_start], 0)),
        [b'.', ..] => {
            let mut directory = base.directory();
            let mut rest = reference;
            loop {
                if let Some(tail) = rest.strip_prefix(b"../") {
                    // Cuts off the last segment. The range ends before the slash that ends the directory; in "/" it is
                    // empty and has no slash: the profiles disagree on what remains of ".." above the root.
                    let parent = base.path_start..directory.len() - 1;
                    let mut segments = directory.as_bytes().get(parent)?.iter();
                    let slash = base.path_start + segments.rposition(|&byte| byte == b'/')?;
                    directory = &directory[..=slash];
                    rest = tail;
                } else if let Some(tail) = rest.strip_prefix(b"./") {
                    rest = tail;
                } else {
                    break;
                }
            }
            // A segment must follow the dots: "..//g", "../?x" and "../" are left to the profile.
            let begins_segment = rest
                .first()
                .is_some_and(|byte| !matches!(byte, b'/' | b'?' | b'#'));
            begins_segment.then_some((directory, reference.len() - rest.len()))
        }
        _ => Some((base.directory(), 0)),
    }
}

/// Returns the bytes after the host at the beginning of `authority`, which follows `//`.
///
/// Returns `None` if the profile may write the host differently, or adds a slash after it.
#[inline]
fn after_copied_host<'r>(base: &BaseLayout, authority: &'r [u8]) -> Option<&'r [u8]> {
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let length = authority.iter().take_while(|byte| is_host(byte)).count();
    let (host, rest) = authority.split_at(length);
    let is_copied = if base.copies_host {
        // RFC 1808 section 2.2 lets a network location contain "?", so only "/" and "#" certainly end one.
        length > 0 && matches!(rest, [] | [b'/' | b'#', ..])
    } else {
        // The host is in lower case, and its last label is no number, which would be part of an IPv4 address.
        let last_label = host.rsplit(|&byte| byte == b'.').next();
        rest.starts_with(b"/")
            && last_label.is_some_and(|label| label.first().is_some_and(u8::is_ascii_lowercase))
            && !host.iter().any(u8::is_ascii_uppercase)
    };
    is_copied.then_some(rest)
}

/// Returns whether every byte of `reference`, an `http` or `https` URL, is copied unchanged.
fn is_copied_absolute(base: &BaseLayout, reference: &str) -> bool {
    let reference = reference.as_bytes();
    let authority = reference
        .strip_prefix(b"https://")
        .or_else(|| reference.strip_prefix(b"http://"));
    base.is_eligible
        && authority
            .and_then(|authority| after_copied_host(base, authority))
            .is_some_and(is_copied)
}

/// Returns whether the bytes at `span` are copied unchanged, by comparing [`WIDTH`] bytes at a time.
///
/// Accepts letters, digits, `-`, `.`, `/`, `_` and at most one `#`, without dot segments.
#[inline]
fn is_common(bytes: &[u8], span: Span) -> bool {
    let mut pos = span.start;
    // Bit 0 is set if a slash precedes the block. The start of the reference counts as one: a segment begins there.
    let mut slash_before = 1;
    let mut has_hash = false;
    while pos < span.end {
        let block = Block::at(bytes, pos).unwrap_or_else(|| last_block(&bytes[pos..]));
        // Bits of the bytes that belong to the reference, which may end in the block. `length` is at least one, so the
        // shift is less than the width of the mask.
        let length = (span.end - pos).min(WIDTH);
        let inside = Mask::MAX >> (Mask::BITS as usize - length);
        // Setting bit 5 folds upper case to lower case and maps no other byte to a letter.
        let letters = block.set_bits(0x20).in_range(b'a', b'z');
        // One range, because "-./0123456789" are adjacent in ASCII.
        let others = block.in_range(b'-', b'9').or(block.equal(b'_'));
        let uncommon = !letters.or(others).mask() & inside;
        if uncommon != 0 {
            // A power of two has one bit set: exactly one uncommon byte, which must be the only "#".
            let first = pos + uncommon.trailing_zeros() as usize;
            if has_hash || !uncommon.is_power_of_two() || bytes[first] != b'#' {
                return false;
            }
            has_hash = true;
        }
        // Shifting left moves each slash to the byte after it. A dot there may begin a dot segment. Dots in the
        // fragment are rejected too, which is harmless.
        let slashes = block.equal(b'/').mask();
        if (slashes << 1 | slash_before) & block.equal(b'.').mask() & inside != 0 {
            return false;
        }
        // The last byte of this block precedes the first one of the next.
        slash_before = slashes >> (WIDTH - 1);
        pos += WIDTH;
    }
    true
}

/// Returns the block of the last bytes, which are fewer than it has.
#[cold]
fn last_block(bytes: &[u8]) -> Block {
    let mut padded = [0; WIDTH];
    padded[..bytes.len()].copy_from_slice(bytes);
    Block::of(&padded)
}

/// Returns what [`is_copied_unchanged`] does, and tries the vectorized test first.
#[inline]
fn is_copied(bytes: &[u8]) -> bool {
    is_common(bytes, Span::new(0, bytes.len())) || is_copied_unchanged(bytes)
}

/// Returns whether every profile copies `bytes`, a reference or the rest of one, into the target unchanged.
#[inline]
fn is_copied_unchanged(bytes: &[u8]) -> bool {
    let is_literal = |byte: u8| CharacterSet::LITERAL.contains(byte);
    let mut begins_segment = true;
    let mut is_first_segment = true;
    let mut rest = bytes;
    // The path, up to the query or fragment.
    loop {
        let [byte, tail @ ..] = rest else {
            return true;
        };
        match *byte {
            byte if is_literal(byte) => begins_segment = false,
            b'/' => {
                begins_segment = true;
                is_first_segment = false;
            }
            b'.' if !begins_segment => {}
            // A dot segment consists of dots and ends after them, so a literal byte rules it out. A ";" would not: in
            // RFC 1808 the path ends before it.
            b'.' if tail.first().is_some_and(|&next| is_literal(next)) => begins_segment = false,
            // In the first segment the colon may end a scheme.
            b':' if !is_first_segment => begins_segment = false,
            // At the start, RFC 1808 sees params and an empty path, which inherits the whole path of the base URL.
            b';' if rest.len() < bytes.len() => begins_segment = false,
            // In the URL Standard "%2e" in a dot segment is a dot. It is rejected everywhere, so that the position need
            // not be considered.
            b'%' if !matches!(tail, [b'2', b'e' | b'E', ..]) => begins_segment = false,
            b'?' | b'#' => break,
            _ => return false,
        }
        rest = tail;
    }
    // The query, which may contain further question marks, and the fragment. A second "#" is rejected as a precaution;
    // counting stops at two.
    let has_one_fragment = memchr_iter(b'#', rest).take(2).count() <= 1;
    has_one_fragment && is_unchanged_after_path(rest)
}

/// Returns whether every profile copies `bytes`, a query or fragment or both, unchanged.
///
/// No delimiter has a meaning there that depends on its position, except a second `#`, for which the caller must test.
#[inline]
fn is_unchanged_after_path(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<WIDTH>();
    // Vectorized form of `CharacterSet::UNCHANGED`.
    let is_unchanged = |block: &[u8; WIDTH]| {
        let block = Block::of(block);
        let letters = block.set_bits(0x20).in_range(b'a', b'z');
        // Three ranges, with a gap for "'": "#$%&", "()*+,-./0123456789:;" and "?@".
        let others = block.in_range(b'#', b'&').or(block.in_range(b'(', b';'));
        let others = others.or(block.in_range(b'?', b'@')).or(block.equal(b'='));
        let isolated = block
            .equal(b'!')
            .or(block.equal(b'_'))
            .or(block.equal(b'~'));
        // The mask is wider than a block: all of its `WIDTH` low bits must be set.
        letters.or(others).or(isolated).mask() == Mask::MAX >> (Mask::BITS as usize - WIDTH)
    };
    blocks.iter().all(is_unchanged) && CharacterSet::UNCHANGED.contains_all(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reference::{Profile, Reference};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn split_target_in_agrees_with_split_target(
            before in "[a/.#\"]{0,3}",
            reference in "[aZ09._/#-]{0,40}|[ -~]{0,40}|\\PC{0,20}",
            after in "[\" a/.#]{0,40}",
            profile in proptest::sample::select(vec![Profile::Rfc3986, Profile::Whatwg]),
        ) {
            let url = "http://h/a/b/c?q";
            let sets = CharacterSet::common_to(url.as_bytes());
            let base = BaseLayout::new(url, &Reference::split(url, profile), profile, sets, true);
            let text = [&*before, &reference, &after].concat();
            let span = Span::new(before.len(), before.len() + reference.len());
            // With `is_literal` false, only the vectorized test can accept.
            let vectorized = || split_target_in(&base, &text, span, |_| false);
            let parts = base_prefix(&base, reference.as_bytes());
            let parts = parts.map(|(prefix, dropped)| (prefix, &reference[dropped..]));
            let by_byte = parts.filter(|(_, rest)| is_copied_unchanged(rest.as_bytes()));
            if let Some((prefix, rest)) = vectorized() {
                prop_assert_eq!(Some((prefix, &text[rest.start..rest.end])), by_byte);
            }
            prop_assert_eq!(split_target(&base, &reference), by_byte);
            let is_alphanumeric = reference.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if is_alphanumeric && !reference.is_empty() {
                prop_assert!(vectorized().is_some());
            }
        }
    }
}
