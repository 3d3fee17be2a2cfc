//! A strict reader of JSON texts that tells where their strings stand.
//!
//! It is our own because no well-kept crate for JSON says where in its source a string stands and which part of it each
//! escape became, and also reads without recursion, as input of any depth demands.

use super::string;
use crate::grammar::ReferenceToken;

/// A value where it begins.
pub(super) enum JsonValue<'t> {
    /// An object, whose members are about to come.
    Object,
    /// An array, whose items are about to come.
    Array,
    /// A string.
    String(ReferenceToken<'t>),
    /// A number, `true`, `false` or `null`.
    Other,
}

/// Reads `text` and says whether it is a JSON text as a whole: one value with white space around it. If it is not,
/// what `visit` was told is worth nothing.
///
/// `visit` is told of every value, in the order of the text: the place of the object or array it is in (`outside`, for
/// the outermost value), the name of the member if it is in an object, and the value. Its answer is the place of what
/// is in the value. So the path that leads to a value is never written down: a grammar folds it into what it needs to
/// know.
///
/// # Source
/// RFC 8259, without any of the leeway of its section 9: `JSON.parse` has none either.
///
/// # Complexity
/// Linear in the length of `text`, of any depth; memory for the objects and arrays that are open at a time.
#[must_use]
pub(super) fn read<'t, P: Copy>(
    text: &'t str,
    outside: P,
    visit: impl FnMut(P, Option<ReferenceToken<'t>>, JsonValue<'t>) -> P,
) -> bool {
    let mut reader = JsonReader {
        text,
        at: 0,
        open: Vec::new(),
        outside,
        visit,
    };
    reader.read().is_some()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum JsonKind {
    Object,
    Array,
}

/// An object or array whose end is yet to come, and the place of what is in it.
struct OpenValue<P> {
    kind: JsonKind,
    place: P,
}

struct JsonReader<'t, P, V> {
    text: &'t str,
    at: usize,
    open: Vec<OpenValue<P>>,
    outside: P,
    visit: V,
}

impl<'t, P, V> JsonReader<'t, P, V>
where
    P: Copy,
    V: FnMut(P, Option<ReferenceToken<'t>>, JsonValue<'t>) -> P,
{
    /// `None` here and below: this is not JSON.
    fn read(&mut self) -> Option<()> {
        loop {
            self.member()?;
            // Behind a value: ends of what it was the last of, up to the next value.
            loop {
                let next = self.next_token();
                let Some(open) = self.open.last() else {
                    return next.is_none().then_some(());
                };
                let byte = next?;
                self.at += 1;
                match (open.kind, byte) {
                    (_, b',') => break,
                    (JsonKind::Object, b'}') | (JsonKind::Array, b']') => self.open.pop(),
                    _ => return None,
                };
            }
        }
    }

    /// A member of an object, an item of an array or the outermost value; where an object or array with something in
    /// it begins, its first member or item as well, and so on.
    fn member(&mut self) -> Option<()> {
        loop {
            let (place, name) = match self.open.last() {
                None => (self.outside, None),
                Some(open) => match open.kind {
                    JsonKind::Array => (open.place, None),
                    JsonKind::Object => (open.place, Some(self.name()?)),
                },
            };
            let (kind, value, end) = match self.next_token()? {
                b'{' => (JsonKind::Object, JsonValue::Object, b'}'),
                b'[' => (JsonKind::Array, JsonValue::Array, b']'),
                byte => {
                    let value = self.scalar(byte)?;
                    (self.visit)(place, name, value);
                    return Some(());
                }
            };
            self.at += 1;
            let place = (self.visit)(place, name, value);
            self.open.push(OpenValue { kind, place });
            if self.next_token()? == end {
                return Some(());
            }
        }
    }

    /// The name of a member, and the colon behind it.
    fn name(&mut self) -> Option<ReferenceToken<'t>> {
        let name = (self.next_token()? == b'"').then(|| self.string())??;
        (self.next_token()? == b':').then(|| self.at += 1)?;
        Some(name)
    }

    /// A value that is neither an object nor an array, and begins with `byte`.
    fn scalar(&mut self, byte: u8) -> Option<JsonValue<'t>> {
        match byte {
            b'"' => return self.string().map(JsonValue::String),
            b't' => self.literal("true")?,
            b'f' => self.literal("false")?,
            b'n' => self.literal("null")?,
            _ => self.number()?,
        }
        Some(JsonValue::Other)
    }

    fn string(&mut self) -> Option<ReferenceToken<'t>> {
        let written = string::read(self.text, self.at + 1)?;
        self.at = written.span.end + 1;
        Some(written)
    }

    fn literal(&mut self, literal: &str) -> Option<()> {
        let rest = self.text.as_bytes().get(self.at..)?;
        rest.starts_with(literal.as_bytes())
            .then(|| self.at += literal.len())
    }

    fn number(&mut self) -> Option<()> {
        self.skip(|byte| byte == b'-');
        if !self.skip(|byte| byte == b'0') {
            self.digits()?;
        }
        if self.skip(|byte| byte == b'.') {
            self.digits()?;
        }
        if self.skip(|byte| matches!(byte, b'e' | b'E')) {
            self.skip(|byte| matches!(byte, b'+' | b'-'));
            self.digits()?;
        }
        Some(())
    }

    /// One digit or more.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.skip(|byte| byte.is_ascii_digit()) {}
        (self.at > start).then_some(())
    }

    /// Whether the next byte is such a one; if so, it is left behind.
    fn skip(&mut self, is_such: impl FnOnce(u8) -> bool) -> bool {
        let skipped = self.peek().is_some_and(is_such);
        self.at += usize::from(skipped);
        skipped
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space, which is left behind.
    fn next_token(&mut self) -> Option<u8> {
        while self.skip(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {}
        self.peek()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_json(text: &str) -> bool {
        read(text, (), |(), _, _| ())
    }

    #[test]
    fn what_is_json_and_what_is_not() {
        for text in [
            "null",
            " \t\r\n[ ] ",
            "{ }",
            "\"\"",
            "-0",
            "0.50",
            "10E+02",
            "1e-999999999",
            "[1 , {\"a\" : [ true,false , null] },\"\"]",
            r#"{"":"","":""}"#,
        ] {
            assert!(is_json(text), "{text:?}");
        }
        for text in [
            "",
            " ",
            "nul",
            "nullx",
            "True",
            "\u{feff}null",
            "null\u{a0}",
            "null\u{b}",
            "1 2",
            "01",
            "-",
            "+1",
            ".5",
            "1.",
            "1e",
            "1e+",
            "0x1",
            "NaN",
            "[",
            "]",
            "[1",
            "[1,]",
            "[,1]",
            "[,]",
            "[1 2]",
            "[1}",
            "[]]",
            "{",
            "{]",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "{\"a\"::1}",
            "{a:1}",
            "{1:1}",
            "{'a':1}",
            "\"a",
            "'a'",
            "/**/1",
            "1//",
            "<!--1-->",
            "\u{e9}",
            "\0",
        ] {
            assert!(!is_json(text), "{text:?}");
        }
    }

    #[test]
    fn places_lead_to_a_value() {
        let text = r#"{"a":[{"b":"x"},"y"],"c\u0064":"z"}"#;
        let mut seen = Vec::new();
        let mut paths = vec![String::new()];
        let is_json = read(text, 0, |place, name, value| {
            let step = name.map_or("*".into(), |name| name.reference);
            let path = format!("{}/{step}", paths[place]);
            if let JsonValue::String(string) = value {
                seen.push(format!("{path}={}", string.reference));
            }
            paths.push(path);
            paths.len() - 1
        });
        assert!(is_json);
        assert_eq!(seen, ["/*/a/*/b=x", "/*/a/*=y", "/*/cd=z"]);
    }

    #[test]
    fn depth_costs_nothing() {
        const DEPTH: usize = 100_000;
        for (open, close) in [("[", "]"), ("{\"a\":[", "]}")] {
            let mut text = open.repeat(DEPTH);
            assert!(!is_json(&text));
            text.push_str("\"a\"");
            text.push_str(&close.repeat(DEPTH));
            assert!(is_json(&text));
            text.push_str(close);
            assert!(!is_json(&text));
        }
    }
}
