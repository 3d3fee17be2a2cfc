//! `Content-Type`: a media type and its parameters.
//!
//! Hand-written because the parsers of `mediatype` and `mime` are strict: they support neither the comments of mail,
//! nor its split or extended parameters (RFC 2231), nor unquoted values that contain `=`, as real boundaries do.

use percent_encoding::percent_decode;

use super::headers::{text_of, unfolded};

/// The maximum number of parameters; further ones are ignored. Bounds the linear searches in [`ContentType::get`].
const MAX_PARAMETERS: usize = 100;

/// A media type and its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ContentType {
    /// Type and subtype in lower case, such as `text/html`; empty if missing.
    pub essence: String,
    /// Names in lower case, values without quotes and escapes.
    parameters: Vec<Parameter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Parameter {
    name: String,
    value: Vec<u8>,
}

impl ContentType {
    /// Parses the value of a `Content-Type` field. Never fails: malformed parts are ignored.
    ///
    /// # Source
    /// RFC 2045 section 5.1, with comments as in RFC 822; RFC 9110 section 8.3.1. An unquoted value ends at white
    /// space, a semicolon or a comment, whatever other characters it contains: `boundary=a=b` is common and
    /// unambiguous. A parameter with an empty unquoted value is ignored, so that a later one of its name counts (MIME
    /// Sniffing section 4.4, step 11.9).
    ///
    /// # Complexity
    /// Linear in the length of `value`.
    #[must_use]
    pub fn parse(value: &[u8]) -> Self {
        let value = unfolded(value);
        let mut cursor = ValueCursor(&value);
        let essence = text_of(cursor.take_until(b";("))
            .trim_ascii()
            .to_ascii_lowercase();
        let mut parameters = Vec::new();
        while parameters.len() < MAX_PARAMETERS && cursor.advance_to_parameter() {
            let name = text_of(cursor.take_until(b"=;"))
                .trim_ascii()
                .to_ascii_lowercase();
            if cursor.take(b'=')
                && let Some(value) = cursor.take_value()
                && !name.is_empty()
            {
                parameters.push(Parameter { name, value });
            }
        }
        Self {
            essence,
            parameters,
        }
    }

    /// Determines the media type of an HTTP response from the values of all its `Content-Type` fields; `None` if no
    /// value is a media type.
    ///
    /// # Source
    /// Fetch, "extract a MIME type": the last valid media type counts, and has the encoding of one before it if both
    /// are equal.
    ///
    /// # Complexity
    /// Linear in the length of the values.
    #[must_use]
    pub fn extract<'v>(values: impl IntoIterator<Item = &'v [u8]>) -> Option<Self> {
        let combined = values.into_iter().collect::<Vec<_>>().join(&b", "[..]);
        // Steps 1 to 3.
        let mut charset = None;
        let mut extracted: Option<Self> = None;
        // Steps 4 to 6.
        for value in split_list(&combined) {
            // Steps 6.1 and 6.2.
            let mut media_type = Self::parse(value);
            if !media_type.has_valid_essence() || media_type.essence == "*/*" {
                continue;
            }
            let declared = media_type.get("charset");
            let is_same = extracted
                .as_ref()
                .is_some_and(|before| before.essence == media_type.essence);
            if !is_same {
                // Step 6.4.
                charset = declared;
            } else if let (None, Some(value)) = (declared, &charset) {
                // Step 6.5.
                media_type.parameters.push(Parameter {
                    name: "charset".to_owned(),
                    value: value.clone(),
                });
            }
            // Step 6.3.
            extracted = Some(media_type);
        }
        // Steps 7 and 8.
        extracted
    }

    /// Returns whether the essence consists of two tokens (MIME Sniffing section 4.4, steps 3 to 9).
    fn has_valid_essence(&self) -> bool {
        let is_token = |text: &str| {
            let is_token_byte =
                |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
            !text.is_empty() && text.bytes().all(is_token_byte)
        };
        self.essence
            .split_once('/')
            .is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
    }

    /// Returns the value of the parameter `name`, which must be in lower case.
    ///
    /// # Source
    /// RFC 2231 sections 3 and 4: also finds `name*`, and joins `name*0`, `name*1*` and so on. The declared charset
    /// and language of an extended value are dropped; the result is the percent-decoded bytes.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        let find = |wanted: &str| {
            self.parameters
                .iter()
                .find(|parameter| parameter.name == wanted)
                .map(|parameter| parameter.value.as_slice())
        };
        // Section 0 of a value, or all of it, begins with charset and language if it is extended.
        let section = |name: &str, number: usize| {
            if let Some(plain) = find(name) {
                return Some(plain.to_vec());
            }
            let extended = find(&format!("{name}*"))?;
            let text = match number {
                0 => without_charset_and_language(extended),
                _ => extended,
            };
            Some(percent_decode(text).collect())
        };
        section(name, 0).or_else(|| {
            // RFC 2231 has no limit. Boundaries and encoding labels are short, so real values have far fewer sections.
            let mut sections =
                (0..100).map_while(|number| section(&format!("{name}*{number}"), number));
            let first = sections.next()?;
            Some(sections.fold(first, |whole, next| [whole, next].concat()))
        })
    }

    /// Returns the label of the encoding: the `charset` parameter, unless it is empty.
    #[must_use]
    pub fn charset(&self) -> Option<String> {
        let value = text_of(&self.get("charset")?);
        let label = value.trim_ascii();
        (!label.is_empty()).then(|| label.to_owned())
    }

    /// Returns the boundary of a multipart entity. White space at its end is not part of it (RFC 2046 section 5.1.1).
    #[must_use]
    pub fn boundary(&self) -> Option<Vec<u8>> {
        let mut value = self.get("boundary")?;
        value.truncate(value.trim_ascii_end().len());
        (!value.is_empty()).then_some(value)
    }
}

/// Splits a list at the commas outside of quoted strings.
///
/// # Source
/// Fetch, "get, decode, and split".
fn split_list(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut is_quoted = false;
    let mut is_escaped = false;
    value.split(move |&byte| {
        if std::mem::take(&mut is_escaped) {
            return false;
        }
        is_escaped = is_quoted && byte == b'\\';
        is_quoted ^= byte == b'"';
        !is_quoted && byte == b','
    })
}

/// Returns `text` of `charset'language'text`; all of `value` if it does not have that form.
fn without_charset_and_language(value: &[u8]) -> &[u8] {
    value
        .splitn(3, |&byte| byte == b'\'')
        .nth(2)
        .unwrap_or(value)
}

/// The part of a value that is not parsed yet.
struct ValueCursor<'v>(&'v [u8]);

impl<'v> ValueCursor<'v> {
    /// Consumes and returns everything before the first of `stops`.
    fn take_until(&mut self, stops: &[u8]) -> &'v [u8] {
        let end = self
            .0
            .iter()
            .position(|byte| stops.contains(byte))
            .unwrap_or(self.0.len());
        let (before, rest) = self.0.split_at(end);
        self.0 = rest;
        before
    }

    /// Consumes `byte` if it is next; returns whether it was.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.0.strip_prefix(&[byte]);
        self.0 = found.unwrap_or(self.0);
        found.is_some()
    }

    /// Advances past the next semicolon and the white space and comments after it; returns whether there is a
    /// semicolon.
    fn advance_to_parameter(&mut self) -> bool {
        self.skip_to(|byte| byte == b';');
        let found = self.take(b';');
        self.skip_to(|byte| !byte.is_ascii_whitespace());
        found
    }

    /// Skips to the first byte outside of a comment for which `is_end` holds, or to the end of the value.
    fn skip_to(&mut self, is_end: impl Fn(u8) -> bool) {
        let mut depth = 0_usize;
        while let Some((&byte, rest)) = self.0.split_first() {
            match byte {
                // Comments nest (RFC 822 section 3.4.3), and `\` escapes a byte inside of them. An unmatched `)` is
                // skipped.
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b'\\' if depth > 0 => {
                    self.0 = rest.get(1..).unwrap_or_default();
                    continue;
                }
                _ if depth > 0 => {}
                _ if is_end(byte) => return,
                _ => {}
            }
            self.0 = rest;
        }
    }

    /// Consumes a quoted string, or the bytes up to white space, a semicolon or a comment; returns the decoded value.
    ///
    /// Returns `None` if the value is empty and not quoted.
    fn take_value(&mut self) -> Option<Vec<u8>> {
        self.0 = self.0.trim_ascii_start();
        if !self.take(b'"') {
            let value = self.take_until(b"; \t(");
            return (!value.is_empty()).then(|| value.to_vec());
        }
        let mut value = Vec::new();
        while let Some((&byte, rest)) = self.0.split_first() {
            self.0 = rest;
            match (byte, rest.split_first()) {
                (b'"', _) => break,
                (b'\\', Some((&escaped, tail))) => {
                    value.push(escaped);
                    self.0 = tail;
                }
                _ => value.push(byte),
            }
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::ContentType;

    #[test]
    fn extract_follows_fetch() {
        for (values, expected) in [
            // The examples of Fetch, "extract a MIME type".
            (
                &["text/plain;charset=gbk, text/html"][..],
                Some(("text/html", None)),
            ),
            (
                &["text/html;charset=gbk;a=b, text/html;x=y"],
                Some(("text/html", Some("gbk"))),
            ),
            (
                &["text/html;charset=gbk;a=b", "text/html;x=y"],
                Some(("text/html", Some("gbk"))),
            ),
            (
                &["text/html;charset=gbk", "x/x", "text/html;x=y"],
                Some(("text/html", None)),
            ),
            (&["text/html", "cannot-parse"], Some(("text/html", None))),
            (&["text/html", "*/*"], Some(("text/html", None))),
            (&["text/html", ""], Some(("text/html", None))),
            (&[], None),
            (&["", "html", "/", "text/", "text /html"], None),
            (&["text/html, text/html"], Some(("text/html", None))),
            (
                &["text/html;charset=a", "text/html;charset=b", "text/html"],
                Some(("text/html", Some("a"))),
            ),
            (&["text/html;charset=a, text/css"], Some(("text/css", None))),
            (
                &["text/html;x=\"a, text/css;\\\", y\";charset=b"],
                Some(("text/html", Some("b"))),
            ),
            (
                &["text/html;x=\"a", "text/css\";charset=b"],
                Some(("text/html", Some("b"))),
            ),
        ] {
            let found = ContentType::extract(values.iter().map(|value| value.as_bytes()));
            let charset = found.as_ref().and_then(ContentType::charset);
            let found = found.as_ref().map(|found| &*found.essence);
            assert_eq!(
                found.map(|essence| (essence, charset.as_deref())),
                expected,
                "{values:?}"
            );
        }
    }

    #[test]
    fn parse_and_get_decode_parameters() {
        let cases: &[(&str, &str, &str, Option<&str>)] = &[
            ("text/html", "text/html", "charset", None),
            (
                "TEXT/HTML;Charset=UTF-8",
                "text/html",
                "charset",
                Some("UTF-8"),
            ),
            (
                "text/html; charset = \"a;b\" ; x=y",
                "text/html",
                "charset",
                Some("a;b"),
            ),
            (
                "text/html; charset=\"a\\\"b\"",
                "text/html",
                "charset",
                Some("a\"b"),
            ),
            (
                "a/b; boundary=----=_x=1; charset=c",
                "a/b",
                "boundary",
                Some("----=_x=1"),
            ),
            ("a/b (c; d=e); d=f (g)", "a/b", "d", Some("f")),
            (
                "a/b;\r\n\tboundary=\"foo\r\n bar \"",
                "a/b",
                "boundary",
                Some("foo bar"),
            ),
            ("", "", "charset", None),
            (";=;;a;b=", "", "b", None),
            (";=;;a;b=\"\"", "", "b", Some("")),
            ("a/b;charset", "a/b", "charset", None),
            ("a/b;charset=;charset=y", "a/b", "charset", Some("y")),
            ("a/b;charset=y;charset=z", "a/b", "charset", Some("y")),
            ("a/b;charset=\"\";charset=y", "a/b", "charset", Some("")),
            (
                "a/b;a=\";charset=x\" ;charset=y",
                "a/b",
                "charset",
                Some("y"),
            ),
            (
                "a/b; charset=\"a\\\"b\"q; x",
                "a/b",
                "charset",
                Some("a\"b"),
            ),
            ("a/b;charset=\"\u{e9}", "a/b", "charset", Some("\u{e9}")),
            // RFC 2231 section 4.
            (
                "a/b; title*=us-ascii'en-us'This%20is",
                "a/b",
                "title",
                Some("This is"),
            ),
            // RFC 2231 section 4.1.
            (
                "a/b; title*0*=us-ascii'en'This%20is%20even%20more%20; title*1*=%2A%2A%2Afun%2A%2A%2A%20; title*2=\"isn't it!\"",
                "a/b",
                "title",
                Some("This is even more ***fun*** isn't it!"),
            ),
        ];
        for (value, essence, name, expected) in cases {
            let parsed = ContentType::parse(value.as_bytes());
            assert_eq!(parsed.essence, *essence, "{value}");
            let found = if *name == "boundary" {
                parsed.boundary()
            } else {
                parsed.get(name)
            };
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{value}");
        }
    }
}
