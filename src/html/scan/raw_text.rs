//! Where the text of an element ends that holds no markup.

use memchr::{memchr, memchr_iter};

/// What an element's text is to the tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RawText {
    /// All up to the end tag: RAWTEXT and RCDATA, which differ in character references only.
    UpToEndTag,
    /// SCRIPT, where a comment may hide an end tag.
    Script,
}

/// Where in `bytes` the end tag of the element `name`, in lower case, begins, whose text begins at `start`; `None` if
/// there is none.
///
/// # Source
/// HTML, the tokenizer's "RCDATA", "RAWTEXT" and "script data" states and those that follow them.
///
/// # Complexity
/// Linear in the length of the text.
pub(super) fn end_tag(bytes: &[u8], start: usize, name: &[u8], kind: RawText) -> Option<usize> {
    match kind {
        RawText::UpToEndTag => memchr_iter(b'<', bytes.get(start..)?)
            .map(|offset| start + offset)
            .find(|&at| is_end_tag(bytes, at, name)),
        RawText::Script => script_end_tag(bytes, start),
    }
}

fn script_end_tag(bytes: &[u8], start: usize) -> Option<usize> {
    const NAME: &[u8] = b"script";
    let mut at = start;
    loop {
        // Script data state.
        at += memchr(b'<', bytes.get(at..)?)?;
        if is_end_tag(bytes, at, NAME) {
            return Some(at);
        }
        if !bytes[at..].starts_with(b"<!--") {
            at += 1;
            continue;
        }
        // Script data escaped states, entered with two dashes seen.
        at += 2;
        let mut is_double = false;
        loop {
            at += memchr::memchr2(b'<', b'-', bytes.get(at..)?)?;
            if bytes[at..].starts_with(b"-->") {
                at += 3;
                break;
            }
            if bytes[at] == b'<' {
                if is_double {
                    // Script data double escape end state.
                    is_double = !is_end_tag(bytes, at, NAME);
                } else if is_end_tag(bytes, at, NAME) {
                    return Some(at);
                } else {
                    // Script data double escape start state.
                    is_double = is_name_with_end(bytes, at + 1, NAME);
                }
            }
            at += 1;
        }
    }
}

/// Whether the end tag of the element `name` begins at `at`, as far as its name goes.
pub(super) fn is_end_tag(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    bytes.get(at + 1) == Some(&b'/') && is_name_with_end(bytes, at + 2, name)
}

fn is_name_with_end(bytes: &[u8], start: usize, name: &[u8]) -> bool {
    let end = start + name.len();
    bytes
        .get(start..end)
        .is_some_and(|own| own.eq_ignore_ascii_case(name))
        && matches!(
            bytes.get(end),
            Some(b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'/' | b'>')
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str, name: &str, kind: RawText) -> Option<usize> {
        end_tag(text.as_bytes(), 0, name.as_bytes(), kind)
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
        for (text, expected) in [
            ("a</style>", Some(1)),
            ("</STYLE\r>", Some(0)),
            ("<!--</style/>-->", Some(4)),
            ("</styles></style", None),
            ("</ style></sty</style\t", Some(14)),
        ] {
            assert_eq!(end(text, "style", RawText::UpToEndTag), expected, "{text}");
        }
    }

    #[test]
    fn comments_in_scripts_may_hide_end_tags() {
        for (text, expected) in [
            ("</script>", Some(0)),
            ("<!--</script>", Some(4)),
            ("<!--<script></script></script>", Some(21)),
            ("<!--<script>--></script>", Some(15)),
            ("<!--><script></script>", Some(13)),
            ("<!---><script></script>", Some(14)),
            ("<!--<scripts></script>", Some(13)),
            ("<!--<script-->\n<script></script>", Some(23)),
            (
                "<!--<script></script/><script ></script><!--</script>",
                Some(44),
            ),
            ("<!-<script></script>", Some(11)),
            ("<!--<script></script>", None),
        ] {
            assert_eq!(end(text, "script", RawText::Script), expected, "{text}");
        }
    }
}
