//! The header field `Link`: links with parameters.

use std::mem;

/// Returns the reference and the parameter `rel` of each link of the field, in order. `rel` may be empty.
///
/// # Source
/// RFC 8288 section 3 and appendix B. Links that are malformed are left out, and so are empty elements (RFC 9110
/// section 5.6.1).
pub(crate) fn link_header(value: &str) -> impl Iterator<Item = (&str, &str)> {
    split(value, ',').filter_map(|link| {
        let mut parts = split(link, ';').map(str::trim_ascii);
        let reference = parts.next()?.strip_prefix('<')?.strip_suffix('>')?;
        let rel = parts.find_map(|parameter| {
            let (name, text) = parameter.split_once('=')?;
            let is_rel = name.trim_ascii_end().eq_ignore_ascii_case("rel");
            is_rel.then(|| text.trim_ascii().trim_matches('"'))
        });
        Some((reference, rel.unwrap_or_default()))
    })
}

/// Splits a value at the separators that are not in references or strings.
fn split(value: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut closing, mut is_escaped) = (None, false);
    value.split(move |next| {
        let was_escaped = mem::take(&mut is_escaped);
        match closing {
            Some('"') if next == '\\' && !was_escaped => is_escaped = true,
            Some(end) if next == end && !was_escaped => closing = None,
            Some(_) => {}
            None if next == '<' => closing = Some('>'),
            None if next == '"' => closing = Some('"'),
            None => return next == separator,
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_standard() {
        for (value, expected) in [
            (
                r#"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#,
                &[("http://example.com/TheBook/chapter2", "previous")][..],
            ),
            (
                r#"</>; rel="http://example.net/foo""#,
                &[("/", "http://example.net/foo")],
            ),
            (
                r##"</terms>; rel="copyright"; anchor="#foo""##,
                &[("/terms", "copyright")],
            ),
            (
                r#"</TheBook/chapter2>; rel="previous"; title*=UTF-8'de'letztes%20Kapitel, </TheBook/chapter4>; rel="next"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel"#,
                &[
                    ("/TheBook/chapter2", "previous"),
                    ("/TheBook/chapter4", "next"),
                ],
            ),
            (
                r#"<http://example.org/>; rel="start http://example.net/relation/other""#,
                &[(
                    "http://example.org/",
                    "start http://example.net/relation/other",
                )],
            ),
            (
                r#"<https://example.org/>; rel="start", <https://example.org/index>; rel="index""#,
                &[
                    ("https://example.org/", "start"),
                    ("https://example.org/index", "index"),
                ],
            ),
        ] {
            assert_eq!(link_header(value).collect::<Vec<_>>(), expected, "{value}");
        }
    }

    #[test]
    fn delimiters_in_strings_and_malformed_links() {
        for (value, expected) in [
            (
                r#"<a>; title="x, <b>; \"rel=no"; rel=next"#,
                &[("a", "next")][..],
            ),
            (
                "<a> ; REL = next ; rel=prev,, <b>",
                &[("a", "next"), ("b", "")],
            ),
            ("<a>; rel, <b>;;", &[("a", ""), ("b", "")]),
            ("<a,b;c>", &[("a,b;c", "")]),
            ("<>", &[("", "")]),
            ("<a>; rel=\"x", &[("a", "x")]),
            ("<a> b, <c>", &[("c", "")]),
            ("a, <b>", &[("b", "")]),
            ("<a", &[]),
            ("", &[]),
        ] {
            assert_eq!(link_header(value).collect::<Vec<_>>(), expected, "{value}");
        }
    }
}
