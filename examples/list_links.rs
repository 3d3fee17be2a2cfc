//! Lists the links of a page with their targets.
//!
//! Run it with `cargo run --example list_links -- page.html https://example.org/page.html`.

use std::{env, fs, io};

use absolve::{Document, LinkReport, Outcome, Rewriter};

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let page = arguments
        .next()
        .unwrap_or_else(|| "fixtures/rfc1808/appendix.html".to_owned());
    let url = arguments.next();

    let bytes = fs::read(page)?;
    let mut document = Document::new(&bytes);
    if let Some(url) = &url {
        document = document.retrieved_from(url);
    }
    let report = Rewriter::new().links(&document);
    match &report.base.base {
        Some(base) => println!("base URL {} ({})", base.url, base.source.name()),
        None => println!("no base URL"),
    }
    for LinkReport { link, outcome, .. } in &report.links {
        let (element, attribute, reference) = (&link.element, &link.attribute, &link.reference);
        match outcome {
            Outcome::Resolved(target) => println!("{element}[{attribute}] {reference} -> {target}"),
            Outcome::Absolute => println!("{element}[{attribute}] {reference}"),
            Outcome::Skipped(reason) => {
                println!("{element}[{attribute}] {reference:?} skipped: {reason}");
            }
        }
    }
    Ok(())
}
