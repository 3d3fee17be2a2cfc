//! Makes the links of a piece of HTML absolute: `cargo run --example rewrite_string`.

use absolve::{BaseCandidates, BaseSource, Rewriter, Tree};

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() {
    let html = r#"<title>Home</title><a href="news/">News</a> <img src="/logo.png" alt="">"#;
    let tree = Tree::parse(html);
    let outside =
        BaseCandidates::new().with(BaseSource::Retrieval, "https://example.org/blog/index.html");
    let findings = Rewriter::new().rewrite_tree(&tree, &outside);
    println!("{}", tree.serialize());
    println!("{} links", findings.links.len());
}
