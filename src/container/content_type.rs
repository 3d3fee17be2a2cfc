//! `Content-Type`: a media type and its parameters.

use super::headers::{text_of, unfolded};

/// More parameters than this are not read.
const MOST_PARAMETERS: usize = 100;

/// A media type and its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ContentType {
    /// Type and subtype in lower case: `text/html`.
    pub essence: String,
    /// Names in lower case, values as they are meant: quotes and escapes taken away.
    parameters: Vec<Parameter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Parameter {
    name: String,
    value: Vec<u8>,
}

impl ContentType {
    /// The media type in the value of a `Content-Type`; what cannot be understood is left out.
    ///
    /// # Source
    /// RFC 2045 section 5.1, with comments as in RFC 822; RFC 9110 section 8.3.1. A value without quotes ends at white
    /// space or a semicolon, whatever other characters it has: `boundary=a=b` is common and clear.
    ///
    /// # Complexity
    /// Linear in the length of `value`.
    #[must_use]
    pub fn parse(value: &[u8]) -> Self {
        let value = unfolded(value);
        let mut rest = Rest(&value);
        let essence = text_of(rest.until(b";(")).trim_ascii().to_ascii_lowercase();
        let mut parameters = Vec::new();
        while parameters.len() < MOST_PARAMETERS && rest.skip_to_parameter() {
            let name = text_of(rest.until(b"=;")).trim_ascii().to_ascii_lowercase();
            if rest.take(b'=') {
                let value = rest.value();
                if !name.is_empty() {
                    parameters.push(Parameter { name, value });
                }
            }
        }
        Self {
            essence,
            parameters,
        }
    }

    /// The value of a parameter; the name in lower case.
    ///
    /// # Source
    /// RFC 2231 sections 3 and 4: `name*`, and `name*0`, `name*1*`, ... put together. The language is dropped, and so is
    /// the encoding: the bytes are given.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        let find = |wanted: &str| {
            self.parameters
                .iter()
                .find(|parameter| parameter.name == wanted)
                .map(|parameter| parameter.value.as_slice())
        };
        if let Some(value) = find(name) {
            return Some(value.to_vec());
        }
        if let Some(value) = find(&format!("{name}*")) {
            return Some(percent_decoded(without_language(value)));
        }
        let mut whole: Option<Vec<u8>> = None;
        // RFC 2231 has no limit; nobody splits a boundary or an encoding's name in more pieces than this.
        for number in 0..100 {
            let piece = if let Some(plain) = find(&format!("{name}*{number}")) {
                plain.to_vec()
            } else if let Some(extended) = find(&format!("{name}*{number}*")) {
                let text = if number == 0 {
                    without_language(extended)
                } else {
                    extended
                };
                percent_decoded(text)
            } else {
                break;
            };
            whole.get_or_insert_default().extend(piece);
        }
        whole
    }

    /// The label of the encoding.
    #[must_use]
    pub fn charset(&self) -> Option<String> {
        let value = text_of(&self.get("charset")?);
        let label = value.trim_ascii();
        (!label.is_empty()).then(|| label.to_owned())
    }

    /// The boundary of a multipart entity. White space at its end cannot be part of it (RFC 2046 section 5.1.1).
    #[must_use]
    pub fn boundary(&self) -> Option<Vec<u8>> {
        let mut value = self.get("boundary")?;
        value.truncate(value.trim_ascii_end().len());
        (!value.is_empty()).then_some(value)
    }
}

/// `encoding'language'text` without the first two.
fn without_language(value: &[u8]) -> &[u8] {
    value
        .splitn(3, |&byte| byte == b'\'')
        .nth(2)
        .unwrap_or(value)
}

fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        let escaped = match behind {
            [high, low, ..] if byte == b'%' => super::transfer::hex_pair(*high, *low),
            _ => None,
        };
        decoded.push(escaped.unwrap_or(byte));
        rest = if escaped.is_some() {
            &behind[2..]
        } else {
            behind
        };
    }
    decoded
}

/// What is left of a value.
struct Rest<'v>(&'v [u8]);

impl<'v> Rest<'v> {
    /// Everything before the first of `stops`.
    fn until(&mut self, stops: &[u8]) -> &'v [u8] {
        let end = self
            .0
            .iter()
            .position(|byte| stops.contains(byte))
            .unwrap_or(self.0.len());
        let (before, rest) = self.0.split_at(end);
        self.0 = rest;
        before
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.0.strip_prefix(&[byte]);
        self.0 = found.unwrap_or(self.0);
        found.is_some()
    }

    /// Goes behind the next semicolon, and white space and comments there.
    fn skip_to_parameter(&mut self) -> bool {
        self.skip_comments(b';');
        let found = self.take(b';');
        self.skip_comments(b' ');
        found
    }

    /// Goes over comments and everything else up to `stop`, or for a space, over comments and white space only.
    fn skip_comments(&mut self, stop: u8) {
        let mut depth = 0_usize;
        while let Some((&byte, rest)) = self.0.split_first() {
            match byte {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b'\\' if depth > 0 => {
                    self.0 = rest.get(1..).unwrap_or_default();
                    continue;
                }
                _ if depth > 0 => {}
                _ if byte == stop && stop == b';' => return,
                _ if stop == b' ' && !byte.is_ascii_whitespace() => return,
                _ => {}
            }
            self.0 = rest;
        }
    }

    /// A quoted string, or what stands up to white space or a semicolon.
    fn value(&mut self) -> Vec<u8> {
        self.0 = self.0.trim_ascii_start();
        if !self.take(b'"') {
            return self.until(b"; \t(").to_vec();
        }
        let mut value = Vec::new();
        while let Some((&byte, rest)) = self.0.split_first() {
            self.0 = rest;
            match (byte, rest.split_first()) {
                (b'"', _) => break,
                (b'\\', Some((&escaped, behind))) => {
                    value.push(escaped);
                    self.0 = behind;
                }
                _ => value.push(byte),
            }
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::ContentType;

    #[test]
    fn parameters_are_read_as_they_are_meant() {
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
            (";=;;a;b=", "", "b", Some("")),
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
