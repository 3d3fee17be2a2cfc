//! lxml lists links, makes them absolute, or moves them from one host to another; it writes a tree, without BASE.

use absolve::{
    AbsoluteReferences, BaseElementPolicy, Decision, Document, Outcome, Profile, Rewriter,
    SkipReason, Tree,
};
use serde_json::Value;

use super::{Compared, references, text};

pub(super) fn compare(row: &Value) -> Compared {
    let input = text(row, "input_html").as_bytes();
    match text(&row["options"], "function") {
        "iterlinks" => compare_links(input, text(row, "expected")),
        "make_links_absolute" if row["options"]["handle_failures"] == "discard" => {
            // An absolute URL that is none is a failure there; here, to who asks for it.
            let rewriter = Rewriter::new().profile(Profile::Whatwg);
            let rewriter = rewriter.absolute_references(AbsoluteReferences::Normalize);
            compare_trees(row, input, &rewriter)
        }
        "make_links_absolute" => compare_trees(row, input, &Rewriter::new()),
        "rewrite_links" => {
            let rewriter = Rewriter::new().base_element(BaseElementPolicy::Remove);
            compare_trees(row, input, &rewriter.map("http://old", "https://new"))
        }
        function => panic!("no function {function}"),
    }
}

/// lxml has `@import` before `url()`, and the place of a link in its value, which we do not.
fn compare_links(input: &[u8], expected: &str) -> Compared {
    let report = Rewriter::new().links(&Document::new(input));
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
            Some((link, _place)) => link,
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

/// The tree without any white space, which the rows do not care about.
fn tree(html: &str) -> String {
    let tree = Tree::parse(html).serialize();
    let characters = tree.chars();
    characters.filter(|c| !c.is_ascii_whitespace()).collect()
}
