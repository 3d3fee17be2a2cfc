//! Decides about each link oneself: images go to a mirror, `mailto:` stays, everything else becomes absolute.
//! `cargo run --example decide`.

use absolve::{BaseCandidates, BaseSource, Decision, Outcome, Rewriter, Tree};

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() {
    let html = r#"<title>x</title><img src="/a.png"><a href="b">b</a><a href="mailto:c@example.org">c</a>"#;
    let tree = Tree::parse(html);
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, "https://example.org/");
    Rewriter::new().rewrite_tree_with(&tree, &outside, |judged| {
        match (&*judged.link.element, &judged.outcome) {
            ("img", Outcome::Resolved(target)) => {
                Decision::Replace(target.replace("https://example.org/", "https://mirror.example/"))
            }
            _ => Decision::Resolve,
        }
    });
    println!("{}", tree.serialize());
}
