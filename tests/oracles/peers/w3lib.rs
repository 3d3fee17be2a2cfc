//! w3lib determines the base URL of a document and the target of its `meta refresh`, following HTML.

use absolve::{AbsoluteReferences, Document, Grammar, Outcome, Profile};
use serde_json::Value;
use url::Url;

use super::{Compared, text};

pub(super) fn compare(row: &Value) -> Compared {
    let bytes = bytes(row);
    let label = match row["options"]["encoding"].as_str() {
        // Python's names of encodings.
        Some("latin-1") => "latin1",
        Some("iso2022_jp") => "iso-2022-jp",
        Some(label) => label,
        None => "utf-8",
    };
    let label = if is_bytes(row) { label } else { "utf-8" };
    let mut document = Document::new(&bytes).encoding(label);
    if !text(row, "base").is_empty() {
        document = document.retrieved_from(text(row, "base"));
    }
    let rewriter = support::recording()
        .profile(Profile::Whatwg)
        .absolute_references(AbsoluteReferences::Normalize);
    let report = rewriter.links(&document);
    match text(&row["options"], "function") {
        "get_base_url" => {
            let base = report.base.base.map(|base| normalized(&base.url));
            let expected = text(row, "expected");
            Compared::new(base, (!expected.is_empty()).then(|| normalized(expected)))
        }
        "get_meta_refresh" => {
            let mut links = report.links.into_iter();
            let refresh = links.find(|link_report| link_report.link.grammar == Grammar::Refresh);
            let target = refresh.map(|link_report| match link_report.outcome {
                Outcome::Resolved(target) => normalized(&target),
                _ => normalized(&link_report.link.reference),
            });
            Compared::new(target, row["expected"][1].as_str().map(normalized))
        }
        function => panic!("no function {function}"),
    }
}

/// Returns the bytes of the document. If they are not text, the case has one character for each byte.
fn bytes(row: &Value) -> Vec<u8> {
    let input = text(row, "input_html");
    if is_bytes(row) {
        let bytes = input.chars().map(u8::try_from);
        bytes.map(|byte| byte.expect("a byte")).collect()
    } else {
        input.as_bytes().to_owned()
    }
}

fn is_bytes(row: &Value) -> bool {
    row["notes"]
        .as_str()
        .is_some_and(|notes| notes.contains("input_html was bytes"))
}

/// Returns the URL as the URL Standard serializes it, which hides differences in spelling.
fn normalized(url: &str) -> String {
    Url::parse(url).map_or_else(|_| url.to_owned(), String::from)
}
