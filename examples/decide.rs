//! Decides about each link: redirects images to a mirror, removes tracking pixels, and makes all other links absolute.
//!
//! Run it with `cargo run --example decide`.

use absolve::{Decision, Document, Outcome, Rewriter};

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() {
    let html = br#"<img src="/a.png"><img src="/pixel.gif?id=1"><a href="b">b</a>"#;
    let document = Document::new(html).retrieved_from("https://example.org/");
    let rewritten = Rewriter::new().rewrite_with(&document, |report| {
        match (&*report.link.element, &report.outcome) {
            ("img", Outcome::Resolved(target)) if target.contains("/pixel.gif") => Decision::Remove,
            ("img", Outcome::Resolved(target)) => {
                Decision::Replace(target.replace("https://example.org/", "https://mirror.example/"))
            }
            _ => Decision::Resolve,
        }
    });
    println!("{}", String::from_utf8_lossy(&rewritten.bytes));
}
