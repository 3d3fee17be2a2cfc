//! Hugo makes references that begin with a single slash absolute, and changes no other byte.

use absolve::{Decision, Document, Rewriter};
use serde_json::Value;

use super::{Compared, references, text};

pub(super) fn compare(row: &Value) -> Compared {
    let document = Document::new(text(row, "input_html").as_bytes());
    let document = document.retrieved_from(text(row, "base"));
    let rewritten = Rewriter::new().rewrite_with(&document, |link_report| {
        let reference = &link_report.link.reference;
        if reference.starts_with('/') && !reference.starts_with("//") {
            Decision::Resolve
        } else {
            Decision::Keep
        }
    });
    Compared {
        ours: references(&Document::new(&rewritten.bytes)).into(),
        agrees: *rewritten.bytes == *text(row, "expected").as_bytes(),
    }
}
