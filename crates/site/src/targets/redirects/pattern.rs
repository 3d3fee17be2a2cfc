//! The regular expressions of Apache, and the texts that refer to their groups.
//!
//! Apache searches with PCRE, which has more than regular languages: look-around, back-references, possessive
//! quantifiers. Such an expression is not compiled. [`Pattern::find`] then answers that it may match, and the rules
//! that use it hide findings instead of causing false ones.

use regex::bytes::{Regex, RegexBuilder};

/// The size in bytes up to which an expression is compiled.
const MAX_SIZE: usize = 1 << 16;

/// Quantifiers that are possessive in PCRE, ends of words, which are literal there, and a flag, which is recursion.
const OTHER_MEANING: [&str; 7] = ["++", "*+", "?+", "}+", "\\<", "\\>", "(?R"];

/// Operators in a class in brackets, which are literal in PCRE.
const CLASS_OPERATORS: [&[u8]; 3] = [b"&&", b"~~", b"--"];

/// A regular expression, which may be one that is not understood.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    regex: Option<Regex>,
    /// The text with which every match begins, for an expression that is not understood.
    prefix: Vec<u8>,
}

/// The answer of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    No,
    /// The expression is not understood.
    Maybe,
    /// The text of the groups of the match; the first one is the whole match.
    Yes(Vec<Vec<u8>>),
}

impl Pattern {
    pub(super) fn new(expression: &str, ignores_case: bool) -> Self {
        let is_other = OTHER_MEANING.iter().any(|text| expression.contains(text))
            || has_class_operator(expression.as_bytes());
        // PCRE works on bytes here, and so does this crate without Unicode: both have the classes of ASCII.
        let regex = RegexBuilder::new(expression)
            .unicode(false)
            .case_insensitive(ignores_case)
            .dot_matches_new_line(true)
            .size_limit(MAX_SIZE)
            .build();
        let regex = regex.ok().filter(|_| !is_other);
        let prefix = match regex {
            None if !ignores_case => literal_prefix(expression),
            _ => Vec::new(),
        };
        Self { regex, prefix }
    }

    /// Returns whether `text` contains a match, or `None` if the expression is not understood.
    pub(super) fn matches(&self, text: &[u8]) -> Option<bool> {
        match &self.regex {
            Some(regex) => Some(regex.is_match(text)),
            None if text.starts_with(&self.prefix) => None,
            None => Some(false),
        }
    }

    /// Searches the expression in `text`, with its groups.
    ///
    /// # Complexity
    /// Linear in the length of `text`, multiplied by that of the expression.
    pub(super) fn find(&self, text: &[u8]) -> Found {
        let Some(regex) = &self.regex else {
            return self.matches(text).map_or(Found::Maybe, |_| Found::No);
        };
        let Some(captures) = regex.captures(text) else {
            return Found::No;
        };
        let groups = captures
            .iter()
            .map(|group| group.map(|group| group.as_bytes().to_vec()));
        Found::Yes(groups.map(Option::unwrap_or_default).collect())
    }
}

/// Returns whether a class in brackets contains an operator or another class.
fn has_class_operator(expression: &[u8]) -> bool {
    // The place after the bracket that begins the class.
    let mut class = None;
    let mut at = 0;
    while let Some(&byte) = expression.get(at) {
        let rest = &expression[at..];
        match (byte, class) {
            (b'\\', _) => at += 1,
            (b'[', None) => {
                at += usize::from(rest.starts_with(b"[^"));
                class = Some(at + 1);
            }
            (b']', Some(start)) if at > start => class = None,
            // A named class, such as `[:alpha:]`.
            (b'[', Some(_)) if rest.starts_with(b"[:") => {
                let end = rest.windows(2).position(|pair| pair == b":]");
                let Some(end) = end else { return true };
                at += end + 1;
            }
            (b'[', Some(_)) => return true,
            (_, Some(_)) if CLASS_OPERATORS.iter().any(|text| rest.starts_with(text)) => {
                return true;
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// Returns a text with which every match of the expression begins, which may be empty.
fn literal_prefix(expression: &str) -> Vec<u8> {
    let Some(anchored) = expression.strip_prefix('^') else {
        return Vec::new();
    };
    // Another alternative may begin with anything.
    if anchored.contains('|') {
        return Vec::new();
    }
    let is_literal = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_".contains(byte);
    let bytes = anchored.bytes();
    let mut prefix: Vec<u8> = bytes.take_while(is_literal).collect();
    // A quantifier applies to the byte before it.
    if anchored[prefix.len()..].starts_with(['*', '+', '?', '{']) {
        prefix.pop();
    }
    prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_answers_maybe_where_pcre_has_more() {
        let groups = |texts: &[&str]| Found::Yes(texts.iter().map(|&text| text.into()).collect());
        for (expression, text, expected) in [
            ("^/old/(.*)$", "/old/a/b", groups(&["/old/a/b", "a/b"])),
            ("^/old/(.*)$", "/new", Found::No),
            (r"\.php$", "/a.php", groups(&[".php"])),
            (r"^(a)?(b)", "b", groups(&["b", "", "b"])),
            ("^/blog/(?!new/)(.*)", "/blog/x", Found::Maybe),
            ("^/blog/(?!new/)(.*)", "/other", Found::No),
            ("^/blogs?(?!new/)", "/blog", Found::Maybe),
            ("^/blogs?(?!new/)", "/blo", Found::No),
            ("^/a(?!b)|c", "/x", Found::Maybe),
            (r"(.)\1", "/x", Found::Maybe),
            ("a++a", "/x", Found::Maybe),
            ("[a-z--b]", "/x", Found::Maybe),
            ("[/[a]x]", "/x", Found::Maybe),
            (r"[\[x]", "/x", groups(&["x"])),
            ("[[:alpha:]]-+x", "/a--x", groups(&["a--x"])),
            ("[^]/]", "]/b", groups(&["b"])),
            (r"\<x", "/x", Found::Maybe),
            ("a(?R)b", "/ab", Found::Maybe),
            ("a{1000}{1000}{1000}", "/x", Found::Maybe),
            ("(", "/x", Found::Maybe),
        ] {
            let pattern = Pattern::new(expression, false);
            assert_eq!(
                pattern.find(text.as_bytes()),
                expected,
                "{expression} {text}"
            );
        }
        let pattern = Pattern::new("^/OLD", true);
        assert_eq!(pattern.find(b"/old"), groups(&["/old"]));
        let pattern = Pattern::new("^/OLD(?!x)", true);
        assert_eq!(pattern.find(b"/old"), Found::Maybe);
    }

    #[test]
    fn find_matches_bytes() {
        let pattern = Pattern::new("^/é(.)$", false);
        assert!(matches!(pattern.find("/é\u{1}".as_bytes()), Found::Yes(_)));
        let pattern = Pattern::new("^/(.)$", false);
        assert!(matches!(pattern.find(b"/\xFF"), Found::Yes(_)));
        assert_eq!(pattern.find("/é".as_bytes()), Found::No);
    }
}
