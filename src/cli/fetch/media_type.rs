//! Parser for `Content-Type`.

/// A media type with its charset parameter.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MediaType {
    /// `type/subtype`, in lower case.
    pub(super) essence: String,
    /// Value of the first `charset` parameter that is not empty.
    pub(super) charset: Option<String>,
}

impl MediaType {
    /// Parses a media type. Never fails: malformed parameters are skipped, and the essence is not validated.
    ///
    /// # Source
    /// MIME Sniffing section 4.4, "parse a MIME type", as far as the charset needs it; RFC 9110 section 8.3.
    pub(super) fn parse(value: &str) -> Self {
        let (essence, mut rest) = value.split_once(';').unwrap_or((value, ""));
        let mut charset = None;
        while !rest.is_empty() && charset.is_none() {
            let name_end = rest.find([';', '=']).unwrap_or(rest.len());
            let name = rest[..name_end].trim_ascii();
            if !rest[name_end..].starts_with('=') {
                rest = rest.get(name_end + 1..).unwrap_or_default();
                continue;
            }
            let tail = &rest[name_end + 1..];
            let (text, length) = if let Some(quoted) = tail.strip_prefix('"') {
                let (text, length) = unquote(quoted);
                (text, 1 + length)
            } else {
                let length = tail.find(';').unwrap_or(tail.len());
                (tail[..length].trim_ascii().to_owned(), length)
            };
            if name.eq_ignore_ascii_case("charset") && !text.is_empty() {
                charset = Some(text);
            }
            // Text between a quoted string and the next semicolon is ignored.
            rest = tail[length..].split_once(';').map_or("", |(_, rest)| rest);
        }
        Self {
            essence: essence.trim_ascii().to_ascii_lowercase(),
            charset,
        }
    }
}

/// Returns the text of a quoted string, and its length in bytes including the closing quote, if there is one.
///
/// `quoted` begins after the opening quote. A backslash quotes the next character.
fn unquote(quoted: &str) -> (String, usize) {
    let mut text = String::new();
    let mut characters = quoted.char_indices();
    while let Some((pos, character)) = characters.next() {
        match character {
            '"' => return (text, pos + 1),
            '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
            character => text.push(character),
        }
    }
    (text, quoted.len())
}

#[cfg(test)]
mod tests {
    use super::MediaType;

    #[test]
    fn parse_returns_the_essence_and_the_first_charset() {
        for (value, essence, charset) in [
            ("text/html", "text/html", None),
            (" Text/HTML ; Charset=UTF-8 ", "text/html", Some("UTF-8")),
            ("text/html;charset=\"utf-8\"", "text/html", Some("utf-8")),
            (
                "text/html;a=\";charset=x\" ;charset=y;charset=z",
                "text/html",
                Some("y"),
            ),
            (
                "text/html; charset=\"a\\\"b\"q; x",
                "text/html",
                Some("a\"b"),
            ),
            ("text/html;charset", "text/html", None),
            ("text/html;charset=;charset=y", "text/html", Some("y")),
            ("text/html;charset=\"é", "text/html", Some("é")),
            (";;=;", "", None),
            ("", "", None),
        ] {
            let parsed = MediaType::parse(value);
            assert_eq!(
                (&*parsed.essence, parsed.charset.as_deref()),
                (essence, charset),
                "{value}"
            );
        }
    }
}
