//! Downloaded folders, converted for reading offline: links to files of the folder are relative, all others absolute.

mod folder;

mod names;

use absolve::{BaseElementPolicy, BaseScope, Document, FragmentPolicy, Rewriter};
use absolve_site::{Mirror, Page};

/// Returns a rewriter with the settings of `absolve mirror`.
fn rewriter() -> Rewriter {
    Rewriter::new()
        .fragments(FragmentPolicy::Keep)
        .base_element(BaseElementPolicy::Remove)
        .base_scope(BaseScope::Document)
}

/// Converts the document at `path`.
fn converted(mirror: &Mirror, path: &str, document: &str) -> String {
    let page = mirror.page(path.as_bytes()).expect("a page with a URL");
    converted_by(&rewriter(), &page, document)
}

fn converted_by(rewriter: &Rewriter, page: &Page<'_>, document: &str) -> String {
    let document = Document::new(document.as_bytes()).retrieved_from(page.url());
    let rewritten = rewriter.rewrite_with(&document, |link_report| page.decide(link_report));
    String::from_utf8(rewritten.bytes.into_owned()).expect("UTF-8")
}

/// Converts `reference` in `a[href]` of the page at `path`, and asserts that converting again changes nothing.
fn link(mirror: &Mirror, path: &str, reference: &str) -> String {
    link_by(&rewriter(), mirror, path, reference)
}

fn link_by(rewriter: &Rewriter, mirror: &Mirror, path: &str, reference: &str) -> String {
    let page = mirror.page(path.as_bytes()).expect("a page with a URL");
    let once = converted_by(rewriter, &page, &format!("<a href=\"{reference}\">"));
    let twice = converted_by(rewriter, &page, &once);
    assert_eq!(twice, once, "{reference} in {path}, again");
    let href = once
        .strip_prefix("<a href=\"")
        .and_then(|rest| rest.strip_suffix("\">"));
    href.unwrap_or_else(|| panic!("{once}"))
        .replace("&amp;", "&")
}
