//! Speculation rules: `<script type="speculationrules">`.

use super::text::{JsonValue, read};
use crate::grammar::ReferenceToken;

/// Where in a set of speculation rules a value stands.
#[derive(Clone, Copy)]
enum SpeculationRulesPosition {
    /// Around the set.
    Outside,
    /// In the outermost object.
    Set,
    /// In a list of rules.
    Rules,
    /// In a rule.
    Rule,
    /// In the `urls` of a rule.
    Urls,
    /// Where nothing is read.
    Elsewhere,
}

/// The references in a set of speculation rules: the `urls` of its rules. They all have the document base URL for a
/// base, as `relative_to` makes no difference in a rule set that stands in the document.
///
/// The URL patterns of `where` are not references, and are left alone.
///
/// # Source
/// HTML, "parse a speculation rule set string"; for `prerender` and `prerender_until_script` Prerendering Revamped
/// (WICG), with these differences:
/// 1. The URLs of a rule that the standard passes over (`where` beside `urls`, a member it does not know) are found
///    like others: nothing comes from changing them, and the next edition of the standard may know the member.
///
/// # Complexity
/// Linear in the length of `text`.
pub(crate) fn speculation_rules(text: &str) -> Vec<ReferenceToken<'_>> {
    let mut found = Vec::new();
    let is_json = read(
        text,
        SpeculationRulesPosition::Outside,
        |place, name, value| {
            match (place, name.as_ref().map(|name| &*name.reference), value) {
                (SpeculationRulesPosition::Outside, _, JsonValue::Object) => {
                    SpeculationRulesPosition::Set
                }
                (
                    SpeculationRulesPosition::Set,
                    Some("prefetch" | "prerender" | "prerender_until_script"),
                    JsonValue::Array,
                ) => SpeculationRulesPosition::Rules,
                // DIFFERENCE: whatever else is in the rule (test `references_of_speculation_rules`, "Passed over").
                (SpeculationRulesPosition::Rules, _, JsonValue::Object) => {
                    SpeculationRulesPosition::Rule
                }
                (SpeculationRulesPosition::Rule, Some("urls"), JsonValue::Array) => {
                    SpeculationRulesPosition::Urls
                }
                (SpeculationRulesPosition::Urls, _, JsonValue::String(url)) => {
                    found.push(url);
                    SpeculationRulesPosition::Elsewhere
                }
                _ => SpeculationRulesPosition::Elsewhere,
            }
        },
    );
    if is_json { found } else { Vec::new() }
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
        // Passed over.
        (
            r#"{"prefetch": [{"urls": ["a"], "where": {}}, {"urls": ["b"], "unknown": 1}, {"urls": ["c"], "source": 1}]}"#,
            &["a", "b", "c"],
        ),
        // Not where they belong.
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
    fn references_of_speculation_rules() {
        for (text, references) in RULES {
            let found: Vec<_> = speculation_rules(text)
                .into_iter()
                .map(|written| written.reference)
                .collect();
            assert_eq!(found, *references, "{text}");
        }
    }
}
