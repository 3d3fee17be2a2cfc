//! Compares the targets of two profiles: does following a link in a browser lead to the same URL with both?
//!
//! `cargo run --release --example compare_profiles -- PATH...` reads every HTML file below the paths, resolves each
//! link by RFC 1808 and by the URL Standard, and parses both targets as a browser does when the link is followed. It
//! prints the number of equal targets, and each difference with its cause.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs, io};

use absolve::{Document, LinkReport, Outcome, Profile, Rewriter};
use url::Url;

/// The URL that every page is assumed to be retrieved from.
const RETRIEVAL_URL: &str = "http://retrieval.example/dir/page.html";

#[expect(clippy::print_stdout, reason = "an example shows something")]
fn main() -> io::Result<()> {
    let mut pending: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let (mut pages, mut links, mut equal) = (0, 0, 0);
    let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                pending.push(entry?.path());
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
        // Both list the same links: the profile only determines how they resolve.
        for (rfc1808, whatwg) in by_rfc1808.links.iter().zip(&by_whatwg.links) {
            let (Some(rfc1808_target), Some(whatwg_target)) = (target(rfc1808), target(whatwg))
            else {
                // Skipped in at least one profile: an empty value, a local reference, or an invalid URL.
                continue;
            };
            links += 1;
            if browser_url(Some(rfc1808_target)) == browser_url(Some(whatwg_target)) {
                equal += 1;
                continue;
            }
            let cause = if same_base {
                cause(&rfc1808.link.reference)
            } else {
                "another BASE counts"
            };
            *causes.entry(cause).or_default() += 1;
            println!(
                "{}: {:?}: {rfc1808_target} and {whatwg_target}: {cause}",
                path.display(),
                rfc1808.link.reference
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

/// Returns the URL that a browser requests for `url`, or the error of its parser.
fn browser_url(url: Option<&str>) -> Option<String> {
    url.map(|url| Url::parse(url).map_or_else(|error| format!("{url}: {error}"), String::from))
}

/// Returns the target of a link, if it has one.
fn target<'r>(report: &'r LinkReport<'_>) -> Option<&'r str> {
    match &report.outcome {
        Outcome::Resolved(target) => Some(target),
        Outcome::Absolute => Some(&report.link.reference),
        Outcome::Skipped(_) => None,
    }
}

/// Returns the reason why the targets of `reference` differ, as far as its syntax shows.
fn cause(reference: &str) -> &'static str {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    if path.contains('\\') {
        "a backslash, which browsers treat as a slash"
    } else if path.starts_with("///") {
        "an empty network location, which RFC 1808 inherits and browsers ignore"
    } else if path.contains(';') {
        "params, which are not part of the path in RFC 1808"
    } else if path
        .split('/')
        .next()
        .is_some_and(|segment| segment.contains(':'))
    {
        "a colon in the first segment, which ends a scheme in one profile only"
    } else {
        "unknown"
    }
}
