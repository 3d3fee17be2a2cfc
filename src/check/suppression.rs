//! Comments in a document that suppress findings.
//!
//! A comment is found in the text, not by a parser: the words are unlikely anywhere else, and it works in style sheets
//! inside HTML, too. `<!-- absolve-ignore RULE -->` suppresses the findings of a rule in its last line and the line
//! after that, and `<!-- absolve-ignore-file RULE -->` those in the whole document. Several rules are separated by
//! spaces or commas; without any, all rules are meant. In style sheets, comments are those of CSS.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use super::checker::Finding;
use super::rule::Rule;
use crate::document::{Document, Positions};

/// The word that begins a comment.
const WORD: &str = "absolve-ignore";

/// Added to [`WORD`] for a comment about the whole document.
const FILE: &str = "-file";

/// The delimiters of comments.
const DELIMITERS: [(&str, &str); 2] = [("<!--", "-->"), ("/*", "*/")];

/// The suppressed rules by the last line of the comments; those of the whole document at `None`.
type SuppressedRules = BTreeMap<Option<usize>, BTreeSet<Rule>>;

/// Removes the findings that comments in `document` suppress. Returns their number.
///
/// # Complexity
/// Linear in the length of the document, and `O(n log n)` in the number of findings.
pub(super) fn suppress(document: &Document<'_>, findings: &mut Vec<Finding>) -> usize {
    let bytes = document.bytes;
    // UTF-16 has the bytes of the word at a distance.
    let is_possible = memmem::find(bytes, WORD.as_bytes()).is_some() || bytes.contains(&0);
    if findings.is_empty() || !is_possible {
        return 0;
    }
    let mut positions = Positions::new(document);
    let Some(decoded) = &positions.decoded else {
        return 0;
    };
    let rules = suppressed_rules(&decoded.text);
    let starts = findings.iter().filter_map(|finding| finding.span);
    let mut starts: Vec<usize> = starts.map(|span| span.start).collect();
    starts.sort_unstable();
    let lines: Vec<_> = starts.iter().map(|&start| positions.at(start)).collect();
    let before = findings.len();
    findings.retain(|finding| {
        let line = finding.span.and_then(|span| {
            let index = starts.partition_point(|&start| start < span.start);
            Some((*lines.get(index)?)?.line)
        });
        let lines = line
            .into_iter()
            .flat_map(|line| [Some(line), Some(line - 1)]);
        let mut places = lines.chain([None]);
        !places.any(|place| {
            let rules = rules.get(&place);
            rules.is_some_and(|rules| rules.contains(&finding.rule))
        })
    });
    before - findings.len()
}

/// Returns the rules that the comments in a text suppress.
fn suppressed_rules(text: &str) -> SuppressedRules {
    let mut suppressed = SuppressedRules::new();
    // The end of the last comment, and its line.
    let (mut end, mut line) = (0, 1);
    let mut is_closed = DELIMITERS.map(|_| true);
    for start in memmem::find_iter(text.as_bytes(), WORD) {
        let before = text[..start].trim_ascii_end();
        let mut delimiters = DELIMITERS.iter().zip(&mut is_closed);
        let Some((&(_, close), is_closed)) =
            delimiters.find(|((open, _), _)| before.ends_with(open))
        else {
            continue;
        };
        // Inside the last comment, or in one that nothing ends.
        if start < end || !*is_closed {
            continue;
        }
        let rest = &text[start + WORD.len()..];
        let Some(length) = rest.find(close) else {
            *is_closed = false;
            continue;
        };
        let comment_end = start + WORD.len() + length;
        line += line_ends(&text[end..], comment_end - end);
        end = comment_end;
        let rest = &rest[..length];
        let about_document = rest.strip_prefix(FILE);
        let names = about_document.unwrap_or(rest);
        // Another word, such as absolve-ignored.
        if !names.is_empty() && !names.starts_with(|first: char| first.is_ascii_whitespace()) {
            continue;
        }
        let names =
            names.split(|character: char| character.is_ascii_whitespace() || character == ',');
        let mut names = names.filter(|name| !name.is_empty()).peekable();
        let place = about_document.is_none().then_some(line);
        let rules = suppressed.entry(place).or_default();
        if names.peek().is_none() {
            rules.extend(Rule::ALL);
        }
        rules.extend(names.filter_map(|name| name.parse::<Rule>().ok()));
    }
    suppressed
}

/// Returns the number of lines that end in the first `end` bytes of `text`: with LF, CR or CR LF.
fn line_ends(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes();
    let is_end = |&index: &usize| {
        bytes[index] == b'\n' || (bytes[index] == b'\r' && bytes.get(index + 1) != Some(&b'\n'))
    };
    (0..end).filter(is_end).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_found_in_html_and_css() {
        let text = "\r\n<!-- absolve-ignore no-base, backslash\n-->\r/*absolve-ignore*/<!--absolve-ignore-file no-base-->\
            <!-- absolve-ignored --><p absolve-ignore --><!-- absolve-ignore";
        let expected = [
            (Some(3), vec![Rule::NoBase, Rule::Backslash]),
            (Some(4), Rule::ALL.to_vec()),
            (None, vec![Rule::NoBase]),
        ];
        let expected = expected.map(|(line, rules)| (line, rules.into_iter().collect()));
        assert_eq!(suppressed_rules(text), SuppressedRules::from(expected));
    }
}
