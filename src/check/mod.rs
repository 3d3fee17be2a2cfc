//! Checking: what about the base URL of a document, and about its references, will surprise.
//!
//! Nothing here finds links or bases: [`Rewriter`] does, and this module looks at what it found. It guesses at nothing
//! that the document does not say, and it asks no server.

mod bases;
mod catalogue;
mod guess;
mod references;
mod rule;
mod scheme;

pub use rule::{Rule, UnknownRule};

use crate::base::BaseSource;
use crate::html::Unsupported;
use crate::link::Link;
use crate::reference::{Profile, Resolver};
use crate::rewrite::{Document, LinkReport, Report, Rewriter};
use crate::span::Span;

/// Something about a document that will surprise.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Finding {
    /// What kind of surprise.
    pub rule: Rule,
    /// Where, in bytes of the document; `None` if it cannot be pointed at: a base URL from outside the document, bytes
    /// that are no text.
    pub span: Option<Span>,
    /// The link it is about, if it is about one.
    pub link: Option<Link<'static>>,
    /// What is the matter.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// A document, checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CheckReport {
    /// What was found, in document order.
    pub findings: Vec<Finding>,
    /// Why the document was not read at all, if it was not.
    pub unsupported: Option<Unsupported>,
}

impl Rewriter {
    /// What about the base URL and the references of `document` will surprise: see [`Rule`].
    ///
    /// The links are those that the rewriter is set to find, and its profile decides; how they would be written does
    /// not matter.
    ///
    /// # Complexity
    /// That of [`links`](Self::links).
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, Rewriter, Rule, Span};
    ///
    /// let document = Document::new(b"<a href=../../g>g</a>").retrieved_from("http://a/b/c");
    /// let checked = Rewriter::new().check(&document);
    /// assert_eq!(checked.findings[0].rule, Rule::DotsAboveRoot);
    /// assert_eq!(checked.findings[0].span, Some(Span::new(8, 15)));
    /// ```
    #[must_use]
    pub fn check(&self, document: &Document<'_>) -> CheckReport {
        let found = self.links(document);
        let mut checker = Checker::new(self, &found);
        bases::check(&mut checker);
        references::check(&mut checker);
        checker.repeats();
        CheckReport {
            unsupported: found.unsupported,
            findings: checker.in_document_order(),
        }
    }
}

/// What is known about a document, and what was found so far.
struct Checker<'r> {
    rewriter: &'r Rewriter,
    found: &'r Report<'r>,
    /// The URL of the document itself, as a browser writes it, without fragment.
    own_url: Option<String>,
    /// Where each link stands, or, where that cannot be told, the one before it.
    places: Vec<usize>,
    /// Each with its place in the document.
    findings: Vec<(usize, Finding)>,
}

impl<'r> Checker<'r> {
    fn new(rewriter: &'r Rewriter, found: &'r Report<'r>) -> Self {
        let mut place = 0;
        let places = found.links.iter().map(|link_report| {
            place = link_report.link.span.map_or(place, |span| span.start);
            place
        });
        let own_url = found
            .base
            .candidates
            .iter()
            .find(|candidate| candidate.source == BaseSource::Retrieval)
            .and_then(|candidate| page(&candidate.value));
        Self {
            rewriter,
            found,
            own_url,
            places: places.collect(),
            findings: Vec::new(),
        }
    }

    fn profile(&self) -> Profile {
        self.rewriter.chosen_profile()
    }

    /// Something about the link of that index, or about none.
    fn add(&mut self, rule: Rule, index: Option<usize>, message: String, help: impl Into<String>) {
        let link_report: Option<&LinkReport<'_>> =
            index.and_then(|index| self.found.links.get(index));
        let place = index.and_then(|index| self.places.get(index).copied());
        let finding = Finding {
            rule,
            span: link_report.and_then(|link_report| link_report.link.span),
            link: link_report.map(|link_report| link_report.link.clone().into_owned()),
            message,
            help: help.into(),
        };
        self.findings.push((place.unwrap_or(0), finding));
    }

    /// Attributes that repeat one that holds links.
    fn repeats(&mut self) {
        for &span in &self.found.remarks.repeats {
            let finding = Finding {
                rule: Rule::RepeatedAttribute,
                span: Some(span),
                link: None,
                message: "the element has this attribute already, and only the first one counts"
                    .to_owned(),
                help: "remove the one that is not meant".to_owned(),
            };
            self.findings.push((span.start, finding));
        }
    }

    fn in_document_order(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|&(place, _)| place);
        self.findings
            .into_iter()
            .map(|(_, finding)| finding)
            .collect()
    }
}

/// A URL as a browser writes it, without its fragment; `None` if a browser knows no such URL.
fn page(url: &str) -> Option<String> {
    let resolver = Resolver::new(url, Profile::Whatwg).ok()?;
    let url = resolver.base().split('#').next();
    url.map(str::to_owned)
}

/// The text for a message: quoted, and cut where it gets long.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// So many of a thing, the noun with an s if there are several.
fn several(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
