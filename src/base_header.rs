//! The `Base` header field of messages.

/// Returns the URL in the body of a `Base` header field: the text after `Base:`, folded lines included.
///
/// Returns `None` if the body is not `<URL:`, a URL and `>`, optionally surrounded by white space. Does not check
/// that the URL is absolute, as it must be: [`BaseCandidates`](crate::BaseCandidates) does.
///
/// # Source
/// RFC 1808 section 3.1: `base-header = "Base" ":" "<URL:" absoluteURL ">"`, where white space inside the angle
/// brackets is ignored, including that of folded lines. `URL:` is matched ASCII case-insensitively, like the field
/// name.
///
/// # Examples
/// ```
/// let url = absolve::parse_base_header(" <URL:http://www.ics.uci.edu/\r\n  Test/a/b/c>");
/// assert_eq!(url.as_deref(), Some("http://www.ics.uci.edu/Test/a/b/c"));
/// ```
#[must_use]
pub fn parse_base_header(body: &str) -> Option<String> {
    let bracketed = body.trim_ascii().strip_prefix('<')?.strip_suffix('>')?;
    // White space is removed first: a fold may even split the label `URL:`.
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
    fn parse_base_header_ignores_white_space_and_folding_inside_brackets() {
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
    fn parse_base_header_rejects_other_bodies() {
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
