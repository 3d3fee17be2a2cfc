//! Problems with the base URL and the references of a document.
//!
//! This module does not look for links or BASE elements itself: it applies the rules to the report of a [`Rewriter`].
//! It checks only what the document contains, and never accesses the network. The caller may know more about the
//! targets of links, such as the files of a site.

mod bases;
mod checker;
mod guess;
mod references;
mod rule;
mod rule_text;
mod scheme;
mod suppression;
mod targets;

pub use checker::{Finding, Violation};
pub use rule::Rule;

use checker::Checker;

use crate::document::Document;
use crate::limits::Limit;
use crate::outcome::{LinkCounts, LinkReport, Rewriter};
use crate::unsupported::Unsupported;

/// The result of checking a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CheckReport {
    /// The problems, in document order.
    pub findings: Vec<Finding>,
    /// The number of problems that comments in the document suppress: see [`Rewriter::check`].
    pub suppressed: usize,
    /// The number of links by outcome.
    pub counts: LinkCounts,
    /// The reason why the document was not parsed, if it was not, or why it has no findings: there are
    /// [too many](Limit::Findings).
    pub unsupported: Option<Unsupported>,
}

impl Rewriter {
    /// Reports problems with the base URL and the references of `document`; see [`Rule`].
    ///
    /// `examine` may find another problem in a link, such as a [target](LinkReport::target) that is known not to exist.
    /// It is called for each link that leads somewhere, in document order, unless a problem with the reference itself
    /// was found.
    ///
    /// The settings of the rewriter determine which links are checked, and its profile how they resolve. Settings that
    /// affect only the output have no effect.
    ///
    /// A comment `absolve-ignore` with names of rules suppresses their findings in its last line and the one after
    /// that, and `absolve-ignore-file` those in the document. Without names, it suppresses those of all rules. Comments
    /// are written `<!-- -->` or `/* */`.
    ///
    /// # Complexity
    /// That of [`links`](Self::links), and of the calls.
    ///
    /// # Examples
    /// ```
    /// use absolve::check::Rule;
    /// use absolve::{Document, Rewriter, Span};
    ///
    /// let document = Document::new(b"<a href=../../g>g</a>").retrieved_from("http://a/b/c");
    /// let checked = Rewriter::new().check(&document, |_| None);
    /// assert_eq!(checked.findings[0].rule, Rule::DotsAboveRoot);
    /// assert_eq!(checked.findings[0].span, Some(Span::new(8, 15)));
    /// ```
    #[must_use]
    pub fn check(
        &self,
        document: &Document<'_>,
        examine: impl FnMut(&LinkReport<'_>) -> Option<Violation>,
    ) -> CheckReport {
        let found = self.links(document);
        let mut checker = Checker::new(self, &found, document.bytes.len());
        bases::check(&mut checker);
        references::check(&mut checker);
        checker.repeated_attributes();
        targets::check(&mut checker, examine);
        if checker.has_too_many() {
            return CheckReport {
                counts: found.counts,
                unsupported: Some(Unsupported::LimitExceeded(Limit::Findings)),
                ..CheckReport::default()
            };
        }
        let mut findings = checker.in_document_order();
        let suppressed = suppression::suppress(document, &mut findings);
        CheckReport {
            findings,
            suppressed,
            counts: found.counts,
            unsupported: found.unsupported,
        }
    }
}
