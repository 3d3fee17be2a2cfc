//! Problems with the base URL and the references of a document.
//!
//! This module does not look for links or BASE elements itself: it applies the rules to the report of a [`Rewriter`].
//! It checks only what the document contains, and never accesses the network.

mod bases;
mod checker;
mod guess;
mod references;
mod rule;
mod rule_text;
mod scheme;

pub use checker::Finding;
pub use rule::Rule;

use checker::Checker;

use crate::document::Document;
use crate::rewrite::Rewriter;
use crate::unsupported::Unsupported;

/// The result of checking a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CheckReport {
    /// The problems, in document order.
    pub findings: Vec<Finding>,
    /// The reason why the document was not parsed, if it was not.
    pub unsupported: Option<Unsupported>,
}

impl Rewriter {
    /// Reports problems with the base URL and the references of `document`; see [`Rule`].
    ///
    /// The settings of the rewriter determine which links are checked, and its profile how they resolve. Settings that
    /// affect only the output have no effect.
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
        checker.repeated_attributes();
        CheckReport {
            unsupported: found.unsupported,
            findings: checker.in_document_order(),
        }
    }
}
