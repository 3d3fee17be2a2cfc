//! The common case, in which a target is the beginning of the base URL and the reference as it stands.
//!
//! Most references on most pages are a few plain characters: nothing to be escaped, no dot segments but at the start, no
//! delimiter where only one profile has it. On those all three profiles agree, and nothing needs to be taken apart; but one
//! of them changes hosts.
//! Whatever this does not recognise it leaves to the profile; that it never says anything else than the profile would is
//! tested.

use memchr::memchr_iter;

use crate::find::{Block, Mask, WIDTH};
use crate::span::Span;

/// A base URL for the shortcut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shortcut<'b> {
    /// Written as targets inherit it.
    pub(super) base: &'b str,
    /// Behind the colon of the scheme; `None` where the profile changes hosts.
    pub(super) scheme_end: Option<usize>,
    /// Where the path begins, which is there in `directory`, too.
    pub(super) path_start: usize,
    /// The base up to and with the last slash of its path; with a slash for a path where it has none.
    pub(super) directory: &'b str,
    /// Where the query begins, or the fragment, or the end.
    pub(super) query_start: usize,
    /// Where the fragment begins, or the end.
    pub(super) fragment_start: usize,
    /// Whether the base is plain enough: its path, if it has one, begins with one slash and has no dot segments.
    pub(super) is_open: bool,
}

/// What a byte is to the shortcut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Stands for itself wherever it is.
    Plain,
    Slash,
    Dot,
    /// "?": begins the query.
    Question,
    /// "#": begins the fragment.
    Hash,
    /// ":": may end a scheme where no slash stands before.
    Colon,
    /// ";": begins the params.
    Semicolon,
    /// "%": may be part of a dot.
    Percent,
    /// Not for the shortcut.
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        let class = match byte {
            b'0'..=b'9'
            | b'A'..=b'Z'
            | b'a'..=b'z'
            | b'-'
            | b'_'
            | b'~'
            | b'!'
            | b'$'
            | b'&'
            | b'('
            | b')'
            | b'*'
            | b'+'
            | b','
            | b'='
            | b'@' => Class::Plain,
            b'/' => Class::Slash,
            b'.' => Class::Dot,
            b'?' => Class::Question,
            b'#' => Class::Hash,
            b':' => Class::Colon,
            b';' => Class::Semicolon,
            b'%' => Class::Percent,
            _ => Class::Other,
        };
        classes[byte as usize] = class;
        byte += 1;
    }
    classes
};

/// Appends the target of `reference` to `target` if it is an ordinary one; whether it is.
#[inline]
pub(super) fn resolve(base: &Shortcut<'_>, reference: &str, target: &mut String) -> bool {
    let Some((head, rest)) = parts(base, reference) else {
        return false;
    };
    target.reserve(head.len() + rest.len());
    target.push_str(head);
    target.push_str(rest);
    true
}

/// Whether no reference that holds `text` is one for the shortcut.
pub(super) fn is_never_in(text: &str) -> bool {
    text.bytes()
        .any(|byte| CLASSES[usize::from(byte)] == Class::Other)
}

/// The target of `reference` if it is an ordinary one, in two parts: the beginning of the base URL, and the end of the
/// reference.
#[inline]
pub(super) fn parts<'b, 'r>(base: &Shortcut<'b>, reference: &'r str) -> Option<(&'b str, &'r str)> {
    if !base.is_open {
        return None;
    }
    let (head, rest) = head(base, reference)?;
    is_ordinary(rest.as_bytes()).then_some((head, rest))
}

/// As [`parts`] for the reference at `span` of `text`, of which it is asked whether it `is_literal` if it is not
/// usual.
#[inline]
pub(super) fn parts_in<'b, 'r>(
    base: &Shortcut<'b>,
    text: &'r str,
    span: Span,
    is_literal: impl FnOnce(&str) -> bool,
) -> Option<(&'b str, &'r str)> {
    if !base.is_open {
        return None;
    }
    let (head, rest) = head(base, &text[span.start..span.end])?;
    let rest_span = Span::new(span.end - rest.len(), span.end);
    let is_ordinary =
        is_usual(text.as_bytes(), rest_span) || (is_literal(rest) && is_ordinary(rest.as_bytes()));
    is_ordinary.then_some((head, rest))
}

/// How much of the base stays, and what of the reference is put behind it.
#[inline]
fn head<'b, 'r>(base: &Shortcut<'b>, reference: &'r str) -> Option<(&'b str, &'r str)> {
    match reference.as_bytes() {
        [b'/', b'/', authority @ ..] => {
            let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
            let length = authority.iter().take_while(|byte| is_host(byte)).count();
            // A query may be part of a network location.
            let is_plain = length > 0 && matches!(authority[length..], [] | [b'/' | b'#', ..]);
            is_plain.then_some((&base.base[..base.scheme_end?], reference))
        }
        // An empty query may be none at all.
        [] | [b'?'] | [b'?', b'#', ..] => None,
        // Nor is it told here where a path has to be put in between.
        [b'?' | b'#', ..] if base.directory.len() > base.query_start => None,
        [b'?', ..] => Some((&base.base[..base.query_start], reference)),
        [b'#', ..] => Some((&base.base[..base.fragment_start], reference)),
        [b'/', ..] => Some((&base.base[..base.path_start], reference)),
        [b'.', ..] => {
            let mut directory = base.directory;
            let mut rest = reference;
            loop {
                if let Some(below) = rest.strip_prefix("../") {
                    // "/" has no parent: the profiles differ on what becomes of the dots.
                    let parent = base.path_start..directory.len() - 1;
                    let mut segments = directory.as_bytes().get(parent)?.iter();
                    let slash = base.path_start + segments.rposition(|&byte| byte == b'/')?;
                    directory = &directory[..=slash];
                    rest = below;
                } else if let Some(here) = rest.strip_prefix("./") {
                    rest = here;
                } else {
                    break;
                }
            }
            // What follows the dots begins a segment, and only a segment: "..//g", "../?x" and "../" are for others.
            let begins_segment = rest
                .bytes()
                .next()
                .is_some_and(|byte| !matches!(byte, b'/' | b'?' | b'#'));
            begins_segment.then_some((directory, rest))
        }
        _ => Some((base.directory, reference)),
    }
}

/// Whether what stands at `span` of `bytes` is ordinary, and made of letters, digits, "-", ".", "/", "_" and one "#" at most;
/// not told of what is too near the end of `bytes`.
#[inline]
fn is_usual(bytes: &[u8], span: Span) -> bool {
    let mut at = span.start;
    // What is in front of a segment counts as a slash.
    let mut slash_before = 1;
    let mut has_hash = false;
    while at < span.end {
        let Some(block) = Block::at(bytes, at) else {
            return false;
        };
        let length = (span.end - at).min(WIDTH);
        let inside = Mask::MAX >> (Mask::BITS as usize - length);
        let letters = block.set_bits(0x20).in_range(b'a', b'z');
        // From "-" to "9" there are these: "-./0123456789".
        let others = block.in_range(b'-', b'9').or(block.equal(b'_'));
        let unusual = !letters.or(others).mask() & inside;
        if unusual != 0 {
            let first = at + unusual.trailing_zeros() as usize;
            if has_hash || !unusual.is_power_of_two() || bytes[first] != b'#' {
                return false;
            }
            has_hash = true;
        }
        let slashes = block.equal(b'/').mask();
        if (slashes << 1 | slash_before) & block.equal(b'.').mask() & inside != 0 {
            return false;
        }
        slash_before = slashes >> (WIDTH - 1);
        at += WIDTH;
    }
    true
}

/// Whether every byte stands for itself, and no segment of the path may be a dot segment.
#[inline]
fn is_ordinary(bytes: &[u8]) -> bool {
    let is_plain = |byte: u8| CLASSES[usize::from(byte)] == Class::Plain;
    let mut begins_segment = true;
    let mut is_first_segment = true;
    let mut rest = bytes;
    // The path.
    loop {
        let [byte, behind @ ..] = rest else {
            return true;
        };
        match CLASSES[usize::from(*byte)] {
            Class::Plain => begins_segment = false,
            Class::Slash => {
                begins_segment = true;
                is_first_segment = false;
            }
            Class::Dot if !begins_segment => {}
            // No dot segment, which ends behind the dots.
            Class::Dot if behind.first().is_some_and(|&next| is_plain(next)) => {
                begins_segment = false;
            }
            Class::Colon if !is_first_segment => begins_segment = false,
            // Without a path, there may be params of the base.
            Class::Semicolon if rest.len() < bytes.len() => begins_segment = false,
            Class::Percent if !matches!(behind, [b'2', b'e' | b'E', ..]) => begins_segment = false,
            Class::Question | Class::Hash => break,
            Class::Dot | Class::Colon | Class::Semicolon | Class::Percent | Class::Other => {
                return false;
            }
        }
        rest = behind;
    }
    // The query, which may hold further question marks; and the fragment.
    let has_one_fragment = memchr_iter(b'#', rest).take(2).count() <= 1;
    has_one_fragment && is_ordinary_behind_path(rest)
}

/// Whether every byte stands for itself in a query and in a fragment.
#[inline]
fn is_ordinary_behind_path(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<WIDTH>();
    let is_ordinary = |block: &[u8; WIDTH]| {
        let block = Block::of(block);
        let letters = block.set_bits(0x20).in_range(b'a', b'z');
        // But for "'": "#$%&", "()*+,-./0123456789:;", "?@" and letters.
        let others = block.in_range(b'#', b'&').or(block.in_range(b'(', b';'));
        let others = others.or(block.in_range(b'?', b'@')).or(block.equal(b'='));
        let few = block
            .equal(b'!')
            .or(block.equal(b'_'))
            .or(block.equal(b'~'));
        letters.or(others).or(few).mask() == Mask::MAX >> (Mask::BITS as usize - WIDTH)
    };
    blocks.iter().all(is_ordinary)
        && rest
            .iter()
            .all(|&byte| CLASSES[usize::from(byte)] != Class::Other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_known_at_a_glance_is_what_is_read(
            before in "[a/.#\"]{0,3}",
            reference in "[aZ09._/#-]{0,40}|[ -~]{0,40}|\\PC{0,20}",
            behind in "[\" a/.#]{0,40}",
        ) {
            let base = Shortcut {
                base: "http://h/a/b/c?q",
                scheme_end: Some(5),
                path_start: 8,
                directory: "http://h/a/b/",
                query_start: 14,
                fragment_start: 16,
                is_open: true,
            };
            let text = [&*before, &reference, &behind].concat();
            let span = Span::new(before.len(), before.len() + reference.len());
            let usual_parts = || parts_in(&base, &text, span, |_| false);
            if let Some(found) = usual_parts() {
                prop_assert_eq!(Some(found), parts(&base, &reference));
            }
            // Long enough text of nothing else is known.
            let is_plain = reference.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if is_plain && !reference.is_empty() && behind.len() >= WIDTH {
                prop_assert!(usual_parts().is_some());
            }
        }
    }
}
