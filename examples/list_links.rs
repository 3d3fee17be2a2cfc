//! Lists the links of a page: `cargo run --example list_links -- page.html https://example.org/page.html`.

use std::{env, fs, io};

use absolve::{Document, Outcome, Rewriter};

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
    for link_report in &report.links {
        let link = &link_report.link;
        let (element, attribute, reference) = (&link.element, &link.attribute, &link.reference);
        match &link_report.outcome {
            Outcome::Resolved(target) => println!("{element}[{attribute}] {reference} -> {target}"),
            Outcome::Absolute => println!("{element}[{attribute}] {reference}"),
            Outcome::Skipped(reason) => {
                println!("{element}[{attribute}] {reference:?} skipped: {reason}");
            }
        }
    }
    Ok(())
}
