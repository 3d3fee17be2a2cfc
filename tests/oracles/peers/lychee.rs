//! lychee lists the references of documents, style sheets and values. The cases record neither order nor number.

use std::collections::BTreeSet;

use absolve::{Document, Outcome, SkipReason};
use serde_json::Value;

use super::{Compared, text};

pub(super) fn compare(row: &Value) -> Compared {
    let input = text(row, "input_html");
    let found = match text(&row["options"], "function") {
        "html5gum" | "html5ever" => references(&Document::new(input.as_bytes())),
        "srcset" => {
            let html = format!("<img srcset='{}'>", input.replace('&', "&amp;"));
            references(&Document::new(html.as_bytes()))
        }
        "mod" if input.starts_with('<') => references(&Document::new(input.as_bytes())),
        "css" | "mod" => references(&Document::style_sheet(input.as_bytes())),
        function => panic!("no function {function}"),
    };
    let expected = row["expected"].as_array().expect("a list");
    let expected = expected.iter().filter_map(Value::as_str);
    Compared::new(set(found.iter().map(|found| &**found)), set(expected))
}

/// Returns the references of a document, except for empty values that refer to nothing.
fn references(document: &Document<'_>) -> Vec<String> {
    let links = support::recording().links(document).links.into_iter();
    let links =
        links.filter(|link_report| link_report.outcome != Outcome::Skipped(SkipReason::Empty));
    links
        .map(|link_report| link_report.link.reference.into())
        .collect()
}

fn set<'s>(references: impl Iterator<Item = &'s str>) -> Vec<&'s str> {
    references.collect::<BTreeSet<_>>().into_iter().collect()
}
