//! Makes the links in a string of HTML absolute.
//!
//! Run it with `cargo run --example rewrite_string`.

use absolve::{Document, Rewriter};

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() {
    let html = r#"<title>Home</title><a href="news/">News</a> <img src="/logo.png" alt="">"#;
    let document =
        Document::new(html.as_bytes()).retrieved_from("https://example.org/blog/index.html");
    let rewritten = Rewriter::new().rewrite(&document);
    println!("{}", String::from_utf8_lossy(&rewritten.bytes));
    println!(
        "{} edits, {} links skipped",
        rewritten.edited,
        rewritten.skipped().count()
    );
}
