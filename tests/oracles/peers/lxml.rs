//! lxml lists links, makes them absolute, or moves them from one host to another; it writes a tree, without BASE.

use absolve::tree::Tree;
use absolve::{
    AbsoluteReferences, BaseElementPolicy, Decision, Document, Outcome, Profile, Rewriter,
    SkipReason,
};
use serde_json::Value;

use super::{Compared, references, text};

pub(super) fn compare(row: &Value) -> Compared {
    let input = text(row, "input_html").as_bytes();
    match text(&row["options"], "function") {
        "iterlinks" => compare_links(input, text(row, "expected")),
        "make_links_absolute" if row["options"]["handle_failures"] == "discard" => {
            // lxml discards links with an invalid absolute URL. This crate leaves absolute references unchanged
            // unless it normalizes them by the URL Standard, which reports them as malformed.
            let rewriter = support::recording().profile(Profile::Whatwg);
            let rewriter = rewriter.absolute_references(AbsoluteReferences::Normalize);
            compare_trees(row, input, &rewriter)
        }
        "make_links_absolute" => compare_trees(row, input, &support::recording()),
        "rewrite_links" => {
            let rewriter = support::recording().base_element(BaseElementPolicy::Remove);
            compare_trees(row, input, &rewriter.map("http://old", "https://new"))
        }
        function => panic!("no function {function}"),
    }
}

/// Compares the lists of links, sorted and without offsets.
///
/// lxml lists `@import` before `url()`, and appends the offset of a link within its value.
fn compare_links(input: &[u8], expected: &str) -> Compared {
    let report = support::recording().links(&Document::new(input));
    let links = report.links.iter().map(|link_report| &link_report.link);
    let mut ours: Vec<String> = links
        .map(|link| {
            let attribute = match &*link.attribute {
                "#text" => "None",
                attribute => attribute,
            };
            format!("{} {attribute}=\"{}\"", link.element, link.reference)
        })
        .collect();
    let mut theirs: Vec<&str> = expected
        .lines()
        .map(|line| match line.rsplit_once('@') {
            Some((link, _offset)) => link,
            None => line,
        })
        .collect();
    ours.sort();
    theirs.sort_unstable();
    Compared::new(ours, theirs)
}

fn compare_trees(row: &Value, input: &[u8], rewriter: &Rewriter) -> Compared {
    let document = Document::new(input).retrieved_from(text(row, "base"));
    let rewritten = rewriter.rewrite_with(&document, |link_report| match link_report.outcome {
        Outcome::Skipped(SkipReason::Malformed) => Decision::Remove,
        _ => Decision::Resolve,
    });
    let ours = String::from_utf8_lossy(&rewritten.bytes);
    Compared {
        ours: references(&Document::new(&rewritten.bytes)).into(),
        agrees: tree(&ours) == tree(text(row, "expected")),
    }
}

/// Returns the serialized tree without white space, which is not significant in the cases.
fn tree(html: &str) -> String {
    let tree = Tree::parse(html).serialize();
    let characters = tree.chars();
    characters.filter(|c| !c.is_ascii_whitespace()).collect()
}
