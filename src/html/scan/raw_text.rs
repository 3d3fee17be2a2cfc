//! The end of raw text: the text of elements that contain no markup.

use memchr::{memchr, memchr_iter};

/// The kind of raw text, by what ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RawText {
    /// RAWTEXT and RCDATA, which differ in character references only: the first end tag of the element ends them.
    UpToEndTag,
    /// The text of SCRIPT, in which a comment may hide an end tag.
    Script,
}

impl RawText {
    /// Returns the kind of the text of an element of that name, in lower case, which must have raw text.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "script" => Self::Script,
            _ => Self::UpToEndTag,
        }
    }
}

/// Returns the offset of the end tag of an element whose text begins at `start`, or `None` if there is none.
///
/// `name` is the name of the element. The end tag is recognized by its name; its attributes and its `>` are not
/// checked.
///
/// # Source
/// HTML, the tokenizer's "RCDATA", "RAWTEXT" and "script data" states and those that follow them.
///
/// # Complexity
/// Linear in the length of the text.
pub(crate) fn end_tag(bytes: &[u8], start: usize, name: &[u8], kind: RawText) -> Option<usize> {
    match kind {
        RawText::UpToEndTag => memchr_iter(b'<', bytes.get(start..)?)
            .map(|offset| start + offset)
            .find(|&pos| is_end_tag(bytes, pos, name)),
        RawText::Script => script_end_tag(bytes, start),
    }
}

/// Returns whether `text` can be that of an element with raw text: its end tag ends it, and nothing before.
pub(crate) fn can_be_text(text: &str, name: &str) -> bool {
    let ended = [text, "</", name, ">"].concat();
    end_tag(ended.as_bytes(), 0, name.as_bytes(), RawText::of(name)) == Some(text.len())
}

/// Returns the offset of the end tag of a SCRIPT element whose text begins at `start`.
///
/// After `<!--`, a `<script` hides the next `</script` unless `-->` comes first: the standard's double escaped state.
fn script_end_tag(bytes: &[u8], start: usize) -> Option<usize> {
    const NAME: &[u8] = b"script";
    let mut pos = start;
    loop {
        // Script data state.
        pos += memchr(b'<', bytes.get(pos..)?)?;
        if is_end_tag(bytes, pos, NAME) {
            return Some(pos);
        }
        if !bytes[pos..].starts_with(b"<!--") {
            pos += 1;
            continue;
        }
        // Script data escaped states. The two dashes of "<!--" may be those of a "-->" as well, as in "<!-->".
        pos += 2;
        let mut is_double_escaped = false;
        loop {
            pos += memchr::memchr2(b'<', b'-', bytes.get(pos..)?)?;
            if bytes[pos..].starts_with(b"-->") {
                pos += 3;
                break;
            }
            if bytes[pos] == b'<' {
                if is_double_escaped {
                    // Script data double escape end state.
                    is_double_escaped = !is_end_tag(bytes, pos, NAME);
                } else if is_end_tag(bytes, pos, NAME) {
                    return Some(pos);
                } else {
                    // Script data double escape start state.
                    is_double_escaped = is_name_with_end(bytes, pos + 1, NAME);
                }
            }
            pos += 1;
        }
    }
}

/// Returns whether `</`, `name` and a byte that ends the name are at `start`, where the caller must have found the `<`.
pub(super) fn is_end_tag(bytes: &[u8], start: usize, name: &[u8]) -> bool {
    bytes.get(start + 1) == Some(&b'/') && is_name_with_end(bytes, start + 2, name)
}

/// Returns whether `name`, in any case, is at `start`, and a byte that ends the name of a tag follows.
fn is_name_with_end(bytes: &[u8], start: usize, name: &[u8]) -> bool {
    let end = start + name.len();
    bytes
        .get(start..end)
        .is_some_and(|written| written.eq_ignore_ascii_case(name))
        && bytes
            .get(end)
            .is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str, name: &str, kind: RawText) -> Option<usize> {
        end_tag(text.as_bytes(), 0, name.as_bytes(), kind)
    }

    #[test]
    fn end_tag_of_raw_text_has_the_name_of_the_element() {
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
    fn end_tag_of_a_script_may_be_hidden_by_a_comment() {
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
