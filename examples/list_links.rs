//! Lists the links of a page: `cargo run --example list_links -- page.html https://example.org/page.html`.

use std::{env, fs, io};

use absolve::{BaseCandidates, BaseSource, Outcome, Rewriter, Tree};

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let page = arguments
        .next()
        .unwrap_or_else(|| "fixtures/rfc1808/appendix.html".to_owned());
    let url = arguments.next();

    let tree = Tree::parse_bytes(&fs::read(page)?, None);
    let mut outside = BaseCandidates::new();
    if let Some(url) = &url {
        outside = outside.with(BaseSource::Retrieval, url);
    }
    let findings = Rewriter::new().links_of_tree(&tree, &outside);
    match &findings.base.base {
        Some(base) => println!("base URL {} ({})", base.url, base.source.name()),
        None => println!("no base URL"),
    }
    for judged in &findings.links {
        let link = &judged.link;
        match &judged.outcome {
            Outcome::Resolved(target) => println!("{}[{}] {target}", link.element, link.attribute),
            Outcome::Absolute => {
                println!("{}[{}] {}", link.element, link.attribute, link.reference);
            }
            Outcome::Skipped(reason) => println!(
                "{}[{}] {:?}: {reason}",
                link.element, link.attribute, link.reference
            ),
        }
    }
    Ok(())
}
