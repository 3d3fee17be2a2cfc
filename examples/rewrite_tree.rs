//! Rewrites a tree that one holds already: `cargo run --example rewrite_tree`.

use absolve::{BaseCandidates, BaseSource, Rewriter, Tree};

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() {
    // `Tree::from` takes an `RcDom` or its document node; it shares the nodes, so the original is rewritten.
    let tree = Tree::parse("<title>x</title><a href=news/>News</a>");
    let candidates = BaseCandidates::new().with(BaseSource::Retrieval, "https://example.org/blog/");
    let report = Rewriter::new().rewrite_tree(&tree, &candidates);
    println!("{} links", report.links.len());
    println!("{}", tree.serialize());
}
