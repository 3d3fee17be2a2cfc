//! Decides about each link oneself: images go to a mirror, tracking pixels go away, everything else becomes absolute.
//! `cargo run --example decide`.

use absolve::{Decision, Document, Outcome, Rewriter};

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() {
    let html = br#"<img src="/a.png"><img src="/pixel.gif?id=1"><a href="b">b</a>"#;
    let document = Document::new(html).retrieved_from("https://example.org/");
    let rewritten = Rewriter::new().rewrite_with(&document, |link_report| {
        match (&*link_report.link.element, &link_report.outcome) {
            ("img", Outcome::Resolved(target)) if target.contains("/pixel.gif") => Decision::Remove,
            ("img", Outcome::Resolved(target)) => {
                Decision::Replace(target.replace("https://example.org/", "https://mirror.example/"))
            }
            _ => Decision::Resolve,
        }
    });
    println!("{}", String::from_utf8_lossy(&rewritten.bytes));
}
