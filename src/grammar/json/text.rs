//! A strict JSON reader that reports the span of every string.
//!
//! # Why not `serde_json`
//!
//! To replace a reference inside a JSON text without changing any other byte, two things must be known about a string:
//! its span in the text, and for each escape in it, which characters it produces (an [`OffsetMap`] holds the latter).
//! Input may also be nested to any depth, so the reader must not recurse. `serde_json` returns decoded strings without
//! their spans, and recurses. No other maintained crate meets both requirements either.
//!
//! # The approach
//!
//! The reader is a loop over an explicit stack of open objects and arrays. It builds no tree. [`read`] calls a visitor
//! for every value, with its *position*, the name of the member, and the value. A position is whatever the grammar
//! needs to remember about the path to a value, such as "in `imports`"; it is not an offset. For an object or array,
//! the visitor returns the position of the values inside. So no path is ever stored, and each grammar is a small state
//! machine.
//!
//! The visitor may have been called before an error is found: its results are valid only if [`read`] returns `true`.
//!
//! # Cost
//!
//! Linear in the length of the text. Memory is used for the open objects and arrays, and for strings with escapes.
//!
//! [`OffsetMap`]: crate::offset_map::OffsetMap

use super::string;
use crate::grammar::token::ReferenceToken;

/// A value, reported when it begins.
pub(crate) enum JsonValue<'t> {
    /// An object; its members follow.
    Object,
    /// An array; its items follow.
    Array,
    /// A string.
    String(ReferenceToken<'t>),
    /// A number, `true`, `false` or `null`.
    Other,
}

/// Reads `text` and returns whether all of it is a JSON text: one value with optional white space around it.
///
/// Calls `visit` for every value, in the order of the text, with three arguments: the position of the value (`outside`
/// for the outermost one), its name if it is a member of an object, and the value. `visit` returns the position of the
/// values inside. If the result is `false`, the caller must discard everything `visit` has collected.
///
/// # Source
/// RFC 8259, without the extensions that its section 9 permits; `JSON.parse` has none either.
///
/// # Complexity
/// Linear in the length of `text`, whatever its depth. Memory is used for the open objects and arrays.
#[must_use]
pub(crate) fn read<'t, P: Copy>(
    text: &'t str,
    outside: P,
    visit: impl FnMut(P, Option<ReferenceToken<'t>>, JsonValue<'t>) -> P,
) -> bool {
    let mut reader = JsonReader {
        text,
        offset: 0,
        open: Vec::new(),
        outside,
        visit,
    };
    reader.read().is_some()
}

/// An object or array that has not ended yet.
struct OpenValue<P> {
    /// The bracket that ends it: `}` or `]`.
    end: u8,
    /// The position of the values inside.
    position: P,
}

/// The state of [`read`].
struct JsonReader<'t, P, V> {
    text: &'t str,
    /// Offset of the next byte to read.
    offset: usize,
    /// The open objects and arrays, the outermost first.
    open: Vec<OpenValue<P>>,
    outside: P,
    visit: V,
}

impl<'t, P, V> JsonReader<'t, P, V>
where
    P: Copy,
    V: FnMut(P, Option<ReferenceToken<'t>>, JsonValue<'t>) -> P,
{
    /// Reads the whole text. This and the other methods return `None` if the text is not JSON.
    fn read(&mut self) -> Option<()> {
        loop {
            self.member()?;
            // A value has ended. Close the objects and arrays of which it was the last value, up to a comma.
            loop {
                let next = self.next_token();
                let Some(open) = self.open.last() else {
                    return next.is_none().then_some(());
                };
                match next {
                    Some(b',') => break,
                    Some(byte) if byte == open.end => self.open.pop(),
                    _ => return None,
                };
                self.offset += 1;
            }
            self.offset += 1;
        }
    }

    /// Reads a member of an object, an item of an array or the outermost value.
    ///
    /// If it is an object or array that is not empty, also reads its first member or item, and so on down to the first
    /// scalar or empty value: a loop instead of recursion.
    fn member(&mut self) -> Option<()> {
        loop {
            let (position, name) = match self.open.last() {
                None => (self.outside, None),
                Some(open) if open.end == b']' => (open.position, None),
                Some(open) => (open.position, Some(self.name()?)),
            };
            let (end, value) = match self.next_token() {
                Some(b'{') => (b'}', JsonValue::Object),
                Some(b'[') => (b']', JsonValue::Array),
                _ => {
                    let value = self.scalar()?;
                    (self.visit)(position, name, value);
                    return Some(());
                }
            };
            self.offset += 1;
            let position = (self.visit)(position, name, value);
            self.open.push(OpenValue { end, position });
            // Empty: the caller reads the closing bracket and pops the value.
            if self.next_token() == Some(end) {
                return Some(());
            }
        }
    }

    /// Reads the name of a member and the colon after it.
    fn name(&mut self) -> Option<ReferenceToken<'t>> {
        if self.next_token() != Some(b'"') {
            return None;
        }
        let name = self.string()?;
        if self.next_token() != Some(b':') {
            return None;
        }
        self.offset += 1;
        Some(name)
    }

    /// Reads a value that is neither an object nor an array, and begins at the current offset.
    fn scalar(&mut self) -> Option<JsonValue<'t>> {
        match self.peek() {
            Some(b'"') => return self.string().map(JsonValue::String),
            Some(b't') => self.literal("true")?,
            Some(b'f') => self.literal("false")?,
            Some(b'n') => self.literal("null")?,
            _ => self.number()?,
        }
        Some(JsonValue::Other)
    }

    /// Reads a string; the next byte must be its opening quotation mark.
    fn string(&mut self) -> Option<ReferenceToken<'t>> {
        let token = string::read(self.text, self.offset + 1)?;
        self.offset = token.span.end + 1;
        Some(token)
    }

    /// Reads `true`, `false` or `null`.
    fn literal(&mut self, literal: &str) -> Option<()> {
        if !self.text.as_bytes()[self.offset..].starts_with(literal.as_bytes()) {
            return None;
        }
        self.offset += literal.len();
        Some(())
    }

    /// Reads a number: RFC 8259 section 6.
    fn number(&mut self) -> Option<()> {
        self.skip(|byte| byte == b'-');
        // A leading zero is the whole integer; the caller then rejects a digit after it.
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

    /// Reads one or more digits.
    fn digits(&mut self) -> Option<()> {
        if !self.skip(|byte| byte.is_ascii_digit()) {
            return None;
        }
        while self.skip(|byte| byte.is_ascii_digit()) {}
        Some(())
    }

    /// Skips the next byte if it satisfies `condition`. Returns whether it did.
    fn skip(&mut self, condition: impl FnOnce(u8) -> bool) -> bool {
        let skipped = self.peek().is_some_and(condition);
        self.offset += usize::from(skipped);
        skipped
    }

    /// Returns the next byte, or `None` at the end of the text.
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    /// Skips white space and returns the next byte without skipping it.
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
    fn read_accepts_exactly_json() {
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
    fn read_passes_positions_down_to_each_value() {
        let text = r#"{"a":[{"b":"x"},"y"],"c\u0064":"z"}"#;
        let mut seen = Vec::new();
        let mut paths = vec![String::new()];
        let is_json = read(text, 0, |position, name, value| {
            let step = name.map_or("*".into(), |name| name.reference);
            let path = format!("{}/{step}", paths[position]);
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
    fn read_handles_any_depth() {
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
