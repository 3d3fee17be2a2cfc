//! The findings about a document, as they are collected.

use super::rule::Rule;
use crate::base::BaseSource;
use crate::limits::Limit;
use crate::link::Link;
use crate::record::{LinkReport, Report};
use crate::reference::{Profile, Resolver, split_fragment};
use crate::settings::RewriteSettings;
use crate::span::Span;

/// Number of bytes of a document for which it may have one more finding.
const BYTES_PER_FINDING: usize = 512;

/// A problem in a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that fired.
    pub rule: Rule,
    /// The location, in bytes of the document. `None` if there is none: the problem is in a base URL from outside the
    /// document, or in bytes that are not valid text in its encoding.
    pub span: Option<Span>,
    /// The affected link, if the problem is about one.
    pub link: Option<Link<'static>>,
    /// The problem: lower case, without a full stop.
    pub message: String,
    /// The solution: an imperative in lower case, without a full stop.
    pub help: String,
}

impl Finding {
    /// Removes an origin in the place of an unknown one (`https://host.invalid`) from the texts: URLs become paths.
    pub fn remove_origin(&mut self, origin: &str) {
        for text in [&mut self.message, &mut self.help] {
            if text.contains(origin) {
                *text = text.replace(origin, "");
            }
        }
    }
}

/// A rule that fired for a link or a document, without its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Violation {
    /// The rule that fired.
    pub rule: Rule,
    /// The problem: lower case, without a full stop.
    pub message: String,
    /// The solution: an imperative in lower case, without a full stop.
    pub help: String,
}

impl Violation {
    /// Creates a violation of `rule`.
    #[must_use]
    pub fn new(rule: Rule, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            help: help.into(),
        }
    }

    /// Quotes a text of the document for a message, and truncates it if it is long.
    #[must_use]
    pub fn quoted(text: &str) -> String {
        quoted(text)
    }
}

/// A document under check, and its findings so far.
pub(super) struct Checker<'r> {
    pub(super) settings: &'r RewriteSettings,
    /// The report on the links and base URLs of the document, to which the rules are applied.
    pub(super) found: &'r Report<'r>,
    /// The retrieval URL of the document, serialized by the URL Standard, without its fragment.
    pub(super) own_url: Option<String>,
    /// The offset of each link. A link without a span has the offset of the link before it.
    pub(super) offsets: Vec<usize>,
    /// Each finding with its offset, by which findings are sorted.
    pub(super) findings: Vec<(usize, Finding)>,
    /// The most findings there may be. One more is recorded, but none after it.
    max_findings: usize,
}

impl<'r> Checker<'r> {
    /// Creates a checker of a document of `length` bytes.
    pub(super) fn new(settings: &'r RewriteSettings, found: &'r Report<'r>, length: usize) -> Self {
        let mut offset = 0;
        let offsets = found.links.iter().map(|link_report| {
            offset = link_report.link.span.map_or(offset, |span| span.start);
            offset
        });
        let own_url = found
            .base
            .candidates
            .iter()
            .find(|candidate| candidate.source == BaseSource::Retrieval)
            .and_then(|candidate| document_url(&candidate.value));
        Self {
            settings,
            found,
            own_url,
            offsets: offsets.collect(),
            findings: Vec::new(),
            max_findings: settings
                .limits
                .get(Limit::Findings)
                .saturating_add(length / BYTES_PER_FINDING),
        }
    }

    pub(super) fn profile(&self) -> Profile {
        self.settings.profile
    }

    /// Adds a finding about the link at `index`, or about the document as a whole.
    pub(super) fn add(&mut self, violation: Violation, index: Option<usize>) {
        let link_report: Option<&LinkReport<'_>> =
            index.and_then(|index| self.found.links.get(index));
        let offset = index.and_then(|index| self.offsets.get(index).copied());
        if self.has_too_many() {
            return;
        }
        let finding = Finding {
            rule: violation.rule,
            span: link_report.and_then(|link_report| link_report.link.span),
            link: link_report.map(|link_report| link_report.link.clone().into_owned()),
            message: violation.message,
            help: violation.help,
        };
        self.findings.push((offset.unwrap_or(0), finding));
    }

    /// Returns whether there are more findings than there may be.
    pub(super) fn has_too_many(&self) -> bool {
        self.findings.len() > self.max_findings
    }

    /// Adds a finding for each duplicate of an attribute that holds links.
    pub(super) fn repeated_attributes(&mut self) {
        for &span in &self.found.duplicates {
            if self.has_too_many() {
                return;
            }
            let finding = Finding {
                rule: Rule::RepeatedAttribute,
                span: Some(span),
                link: None,
                message: "duplicate attribute is ignored: only the first one counts".to_owned(),
                help: "keep the intended attribute, and remove the others".to_owned(),
            };
            self.findings.push((span.start, finding));
        }
    }

    pub(super) fn in_document_order(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|&(offset, _)| offset);
        self.findings
            .into_iter()
            .map(|(_, finding)| finding)
            .collect()
    }
}

/// Returns the URL of the document that `url` leads to, as the URL Standard serializes it.
///
/// Returns `None` if it is not a valid URL there.
pub(super) fn document_url(url: &str) -> Option<String> {
    let resolver = Resolver::new(url, Profile::Whatwg).ok()?;
    Some(split_fragment(resolver.base()).0.to_owned())
}

/// Quotes `text` for a message, and truncates it if it is long.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Returns the number and the noun, in the plural if needed.
pub(super) fn counted(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
