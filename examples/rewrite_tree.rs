//! Makes the links of a parsed tree absolute, in place.
//!
//! Run it with `cargo run --example rewrite_tree`.

use absolve::tree::{self, Tree};
use absolve::{BaseCandidates, BaseSource, Decision, Rewriter};

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() {
    // `Tree::from` accepts an existing `RcDom` or its document node. It shares the nodes, so that tree is rewritten.
    let parsed = Tree::parse("<title>x</title><a href=news/>News</a>");
    let candidates = BaseCandidates::new().with(BaseSource::Retrieval, "https://example.org/blog/");
    let report = tree::rewrite(&Rewriter::new(), &parsed, &candidates, |_| {
        Decision::Resolve
    });
    println!("{} links", report.links.len());
    println!("{}", parsed.serialize());
}
