//! Problems with the base URL and the references of a document.
//!
//! This module does not look for links or BASE elements itself: it applies the rules to the report of a [`Rewriter`].
//! It checks only what the document contains and, with `SiteTargets`, the files of its site, and never accesses the
//! network.

mod bases;
mod checker;
#[cfg(feature = "sites")]
mod fragments;
mod guess;
#[cfg(feature = "sites")]
mod location;
#[cfg(feature = "sites")]
mod redirects;
mod references;
mod rule;
mod rule_text;
mod scheme;
mod suppression;
#[cfg(feature = "sites")]
mod targets;

pub use checker::Finding;
#[cfg(feature = "sites")]
pub use fragments::FragmentSet;
pub use rule::Rule;
#[cfg(feature = "sites")]
pub use targets::SiteTargets;

use checker::Checker;

use crate::document::Document;
use crate::limits::Limit;
use crate::outcome::{LinkCounts, Rewriter};
use crate::unsupported::Unsupported;

/// The result of checking a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CheckReport {
    /// The problems, in document order.
    pub findings: Vec<Finding>,
    /// The number of problems that comments in the document suppress: see [`Rewriter::check`].
    pub suppressed: usize,
    /// The number of links to files that the site lacks, and that its server may send: rules are left to it.
    pub left_to_server: usize,
    /// The number of links by outcome.
    pub counts: LinkCounts,
    /// The reason why the document was not parsed, if it was not, or why it has no findings: there are
    /// [too many](Limit::Findings).
    pub unsupported: Option<Unsupported>,
}

impl Rewriter {
    /// Reports problems with the base URL and the references of `document`; see [`Rule`].
    ///
    /// The settings of the rewriter determine which links are checked, and its profile how they resolve. Settings that
    /// affect only the output have no effect.
    ///
    /// A comment `absolve-ignore` with names of rules suppresses their findings in its last line and the one after
    /// that, and `absolve-ignore-file` those in the document. Without names, it suppresses those of all rules. Comments
    /// are written `<!-- -->` or `/* */`.
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
        self.check_with(document, |_| {})
    }

    /// Reports the same problems as [`check`](Self::check), and links into the site of the document that lead to no
    /// file or to no element.
    ///
    /// # Complexity
    /// That of [`links`](Self::links), and for each missing file linear in the number of files of its directory, up to
    /// a limit, and of redirects.
    #[cfg(feature = "sites")]
    #[must_use]
    pub fn check_in(&self, document: &Document<'_>, targets: &SiteTargets) -> CheckReport {
        self.check_with(document, |checker| targets::check(checker, targets))
    }

    /// Applies the rules about a document alone, then `others`.
    fn check_with(
        &self,
        document: &Document<'_>,
        others: impl FnOnce(&mut Checker<'_>),
    ) -> CheckReport {
        let found = self.links(document);
        let mut checker = Checker::new(self, &found, document.bytes.len());
        bases::check(&mut checker);
        references::check(&mut checker);
        checker.repeated_attributes();
        others(&mut checker);
        if checker.has_too_many() {
            return CheckReport {
                counts: found.counts,
                unsupported: Some(Unsupported::LimitExceeded(Limit::Findings)),
                ..CheckReport::default()
            };
        }
        let left_to_server = checker.left_to_server;
        let mut findings = checker.in_document_order();
        let suppressed = suppression::suppress(document, &mut findings);
        CheckReport {
            findings,
            suppressed,
            left_to_server,
            counts: found.counts,
            unsupported: found.unsupported,
        }
    }
}
