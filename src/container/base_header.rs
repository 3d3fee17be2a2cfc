//! The `Base` header field of messages.

/// The URL in the body of a `Base` header field: what follows `Base:`, folded lines included.
///
/// `None` if the body is not `<URL:` and a URL and `>`, with at most white space around. Whether the URL is absolute,
/// as it must be, is for [`BaseCandidates`](crate::BaseCandidates) to say.
///
/// # Source
/// RFC 1808 section 3.1: `base-header = "Base" ":" "<URL:" absoluteURL ">"`, where white space inside the angle
/// brackets is ignored, that of folded lines too. `URL:` is matched without regard to ASCII case, like the field name.
///
/// # Examples
/// ```
/// let url = absolve::parse_base_header(" <URL:http://www.ics.uci.edu/\r\n  Test/a/b/c>");
/// assert_eq!(url.as_deref(), Some("http://www.ics.uci.edu/Test/a/b/c"));
/// ```
#[must_use]
pub fn parse_base_header(body: &str) -> Option<String> {
    let bracketed = body.trim_ascii().strip_prefix('<')?.strip_suffix('>')?;
    let mut text: String = bracketed
        .chars()
        .filter(|character| !character.is_ascii_whitespace())
        .collect();
    let is_labelled = text
        .get(..4)
        .is_some_and(|label| label.eq_ignore_ascii_case("URL:"));
    if !is_labelled || text.contains(['<', '>']) {
        return None;
    }
    text.drain(..4);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::parse_base_header;

    #[test]
    fn white_space_and_folding_inside_the_brackets_are_ignored() {
        for body in [
            "<URL:http://a/b>",
            "<url:http://a/b>",
            "\t<URL: http://a/b >\r\n",
            "< U R L : http : / / a / b >",
            "<URL:http://a\r\n\t/b>",
        ] {
            assert_eq!(
                parse_base_header(body).as_deref(),
                Some("http://a/b"),
                "{body:?}"
            );
        }
    }

    #[test]
    fn anything_else_is_not_a_base_header() {
        for body in [
            "",
            "http://a/b",
            "<http://a/b>",
            "<URL:http://a/b",
            "URL:http://a/b>",
            "<URI:http://a/b>",
            "<<URL:x>>",
        ] {
            assert_eq!(parse_base_header(body), None, "{body:?}");
        }
    }
}
