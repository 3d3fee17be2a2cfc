//! Speculation rules: `<script type="speculationrules">`.

use super::text::{JsonValue, read};
use crate::grammar::token::ReferenceToken;

use SpeculationRulesPosition as Position;

/// The position of a value in a set of speculation rules.
#[derive(Clone, Copy)]
enum SpeculationRulesPosition {
    /// Outside the set: the value is the set.
    Outside,
    /// In the outermost object.
    Set,
    /// In a list of rules.
    Rules,
    /// In a rule.
    Rule,
    /// In the `urls` of a rule.
    Urls,
    /// In a value that is ignored.
    Elsewhere,
}

/// Returns the first `max` references in a set of speculation rules: the `urls` of its rules.
///
/// All of them resolve against the document base URL: `relative_to` makes no difference in a rule set that is part of
/// the document. The URL patterns of `where` are not references and are left unchanged.
///
/// # Source
/// HTML, "parse a speculation rule set string"; for `prerender` and `prerender_until_script`, Prerendering Revamped
/// (WICG), with this difference:
/// 1. The URLs of a rule that the standard ignores (because of `where` beside `urls`, or an unknown member) are
///    returned, too. Rewriting them has no effect now, and a later edition of the standard may know the member.
///
/// # Complexity
/// Linear in the length of `text`.
pub(crate) fn speculation_rules(text: &str, max: usize) -> Vec<ReferenceToken<'_>> {
    let mut references = Vec::new();
    let is_json = read(text, Position::Outside, |position, name, value| {
        match (position, name.as_ref().map(|name| &*name.reference), value) {
            (Position::Outside, _, JsonValue::Object) => Position::Set,
            (
                Position::Set,
                Some("prefetch" | "prerender" | "prerender_until_script"),
                JsonValue::Array,
            ) => Position::Rules,
            // DIFFERENCE: a rule counts, whatever else it contains. Test: `speculation_rules_returns_references`,
            // "Ignored rules".
            (Position::Rules, _, JsonValue::Object) => Position::Rule,
            (Position::Rule, Some("urls"), JsonValue::Array) => Position::Urls,
            (Position::Urls, _, JsonValue::String(url)) => {
                if references.len() < max {
                    references.push(url);
                }
                Position::Elsewhere
            }
            _ => Position::Elsewhere,
        }
    });
    if is_json { references } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &[(&str, &[&str])] = &[
        // HTML, "Speculation rules", and its example of a list rule.
        (
            r#"{"prefetch": [{"urls": ["/chapters/5"]}, {"eagerness": "moderate", "where": {"and": [{"href_matches": "/*"},
            {"not": {"selector_matches": ".no-prefetch"}}]}}]}"#,
            &["/chapters/5"],
        ),
        (
            r#"{"prerender": [{"source": "list", "urls": ["next.html", "?2", ""], "relative_to": "document"}],
            "prefetch": [{"urls": ["a", "https://h/"], "requires": ["anonymous-client-ip-when-cross-origin"]}],
            "prerender_until_script": [{"urls": ["\u0062"]}]}"#,
            &["next.html", "?2", "", "a", "https://h/", "b"],
        ),
        // Ignored rules.
        (
            r#"{"prefetch": [{"urls": ["a"], "where": {}}, {"urls": ["b"], "unknown": 1}, {"urls": ["c"], "source": 1}]}"#,
            &["a", "b", "c"],
        ),
        // Members at the wrong level or of the wrong type.
        (r#"{"prefetch": {"urls": ["a"]}}"#, &[]),
        (
            r#"{"prefetch": [["a"], "b", {"urls": "c"}, {"urls": {"urls": ["d"]}}]}"#,
            &[],
        ),
        (r#"{"prefetch": [[{"urls": ["a"]}]]}"#, &[]),
        (r#"{"tag": "a", "other": [{"urls": ["a"]}]}"#, &[]),
        (r#"[{"prefetch": [{"urls": ["a"]}]}]"#, &[]),
        (
            r#"{"prefetch": [{"urls": ["a", 1, ["b"], {"urls": ["c"]}, "d"]}]}"#,
            &["a", "d"],
        ),
        (r#"{"prefetch": [{"urls": ["a"]}]} x"#, &[]),
    ];

    #[test]
    fn speculation_rules_returns_references() {
        for (text, references) in RULES {
            let found: Vec<_> = speculation_rules(text, usize::MAX)
                .into_iter()
                .map(|token| token.reference)
                .collect();
            assert_eq!(found, *references, "{text}");
        }
    }
}
