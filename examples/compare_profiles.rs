//! Does following a link lead to the same place, whichever profile made it absolute?
//!
//! `cargo run --release --example compare_profiles -- PATH...` reads every HTML file below the paths, resolves each link
//! by RFC 1808 and by the URL Standard, parses the RFC 1808 target as a browser would when it is followed, and prints
//! how many are equal, and each one that is not with its cause.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs, io};

use absolve::{Document, LinkReport, Outcome, Profile, Rewriter};
use url::Url;

/// Where every page is taken to come from.
const RETRIEVAL_URL: &str = "http://retrieval.example/dir/page.html";

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() -> io::Result<()> {
    let mut open: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let (mut pages, mut links, mut equal) = (0, 0, 0);
    let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                open.push(entry?.path());
            }
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        pages += 1;
        let page = fs::read(&path)?;
        let document = Document::new(&page).retrieved_from(RETRIEVAL_URL);
        let by_rfc1808 = Rewriter::new().links(&document);
        let by_whatwg = Rewriter::new().profile(Profile::Whatwg).links(&document);
        let same_base = browser_url(by_rfc1808.base.base.as_ref().map(|base| &*base.url))
            == browser_url(by_whatwg.base.base.as_ref().map(|base| &*base.url));
        for (one, other) in by_rfc1808.links.iter().zip(&by_whatwg.links) {
            let (Some(one_target), Some(other_target)) = (target(one), target(other)) else {
                // Not a link to follow in one of them: empty, local, or no URL at all.
                continue;
            };
            links += 1;
            if browser_url(Some(one_target)) == browser_url(Some(other_target)) {
                equal += 1;
                continue;
            }
            let cause = if same_base {
                cause(&one.link.reference)
            } else {
                "another BASE counts"
            };
            *causes.entry(cause).or_default() += 1;
            println!(
                "{}: {:?}: {one_target} and {other_target}: {cause}",
                path.display(),
                one.link.reference
            );
        }
    }
    println!(
        "{pages} pages, {links} links, {equal} equal, {} not",
        links - equal
    );
    for (cause, count) in causes {
        println!("  {count}: {cause}");
    }
    Ok(())
}

/// Where a link leads once it is followed in a browser.
fn browser_url(url: Option<&str>) -> Option<String> {
    url.map(|url| Url::parse(url).map_or_else(|error| format!("{url}: {error}"), String::from))
}

fn target<'j>(link_report: &'j LinkReport<'_>) -> Option<&'j str> {
    match &link_report.outcome {
        Outcome::Resolved(target) => Some(target),
        Outcome::Absolute => Some(&link_report.link.reference),
        Outcome::Skipped(_) => None,
    }
}

/// Why a reference leads elsewhere.
fn cause(reference: &str) -> &'static str {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    if path.contains('\\') {
        "a backslash, which browsers read as a slash"
    } else if path.starts_with("///") {
        "an empty network location, which RFC 1808 inherits and browsers pass over"
    } else if path.contains(';') {
        "params, which RFC 1808 does not count as path"
    } else if path
        .split('/')
        .next()
        .is_some_and(|segment| segment.contains(':'))
    {
        "a colon in the first segment, which makes a scheme in one of them only"
    } else {
        "unknown"
    }
}
