//! The lines of a configuration file of Apache, and their words.

/// The treatment of a backslash in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backslash {
    /// It is removed before a quote or another backslash, as in most directives.
    Removed,
    /// It is kept, and white space after it does not end the word, as in the directives of `mod_rewrite`.
    Kept,
}

/// Returns the lines of a file. A backslash at the end of a line joins it to the next one.
pub(super) fn lines(file: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut joined = String::new();
    for line in file.lines() {
        if let Some(begin) = line.strip_suffix('\\') {
            joined.push_str(begin);
            continue;
        }
        joined.push_str(line);
        lines.push(std::mem::take(&mut joined));
    }
    lines.push(joined);
    lines
}

/// Returns the words of a line. White space separates them, except within quotes.
pub(super) fn words(line: &str, backslash: Backslash) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let quote = Some(first).filter(|first| matches!(first, '"' | '\''));
        let mut word = String::new();
        let mut characters = rest.char_indices().skip(usize::from(quote.is_some()));
        let mut end = rest.len();
        while let Some((at, character)) = characters.next() {
            let is_end = match quote {
                Some(quote) => character == quote,
                None => character.is_ascii_whitespace(),
            };
            if is_end {
                end = at;
                break;
            }
            let next = rest[at + character.len_utf8()..].chars().next();
            let is_escape = character == '\\'
                && match backslash {
                    Backslash::Removed => next == Some('\\') || (quote.is_some() && next == quote),
                    Backslash::Kept => next.is_some_and(|next| next.is_ascii_whitespace()),
                };
            if !is_escape || backslash == Backslash::Kept {
                word.push(character);
            }
            if is_escape {
                word.extend(characters.next().map(|(_, escaped)| escaped));
            }
        }
        words.push(word);
        let after = &rest[end..];
        let quoted = quote.and_then(|quote| after.strip_prefix(quote));
        rest = quoted.unwrap_or(after).trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_apache() {
        for (line, backslash, expected) in [
            (r" a  b\.c ", Backslash::Removed, &["a", r"b\.c"][..]),
            ("\"a b\" 'c \"d'", Backslash::Kept, &["a b", "c \"d"]),
            (r"a\ b c", Backslash::Removed, &[r"a\", "b", "c"]),
            (r"a\ b c", Backslash::Kept, &[r"a\ b", "c"]),
            (r"a\\b", Backslash::Removed, &[r"a\b"]),
            (r"a\\b", Backslash::Kept, &[r"a\\b"]),
            (r#""a\"b" c"#, Backslash::Removed, &["a\"b", "c"]),
            ("'' \"a", Backslash::Kept, &["", "a"]),
            ("", Backslash::Kept, &[]),
        ] {
            assert_eq!(words(line, backslash), expected, "{line}");
        }
    }

    #[test]
    fn lines_are_joined() {
        assert_eq!(lines("a \\\n b\nc"), ["a  b", "c", ""]);
        assert_eq!(lines("a\\"), ["a"]);
    }
}
