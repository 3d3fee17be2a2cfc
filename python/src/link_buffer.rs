//! The links of a document in a few long buffers, for those that become rows of a table.
//!
//! A report of each link owns several texts, and making it takes longer than finding the link.

use std::ops::Range;

use absolve::{
    Base, Document, ElementTexts, Grammar, LinkObserver, ObservedLink, Outcome, Report, Role,
    SkipReason, Span, TextOffsets,
};

/// Links, with copies of all that they refer to.
pub(crate) struct LinkBuffer {
    /// The texts of the elements of the links, if they are read.
    pub(crate) element_texts: Option<ElementTexts>,
    /// The texts of the links, one after another.
    pub(crate) text: String,
    pub(crate) links: Vec<BufferedLink>,
    /// The base URLs of the links. Links in succession that have the same one share it.
    pub(crate) bases: Vec<Base>,
}

/// A link, with the places of its texts in a buffer.
pub(crate) struct BufferedLink {
    /// The index of the base URL.
    pub(crate) base: Option<usize>,
    pub(crate) element: Range<usize>,
    pub(crate) attribute: Range<usize>,
    pub(crate) reference: Range<usize>,
    pub(crate) target: Option<Range<usize>>,
    pub(crate) role: Role,
    pub(crate) grammar: Grammar,
    pub(crate) status: &'static str,
    pub(crate) reason: Option<SkipReason>,
    pub(crate) span: Option<Span>,
    pub(crate) depth: usize,
}

impl LinkBuffer {
    /// Creates a buffer without links. With `reads_element_text`, the texts of their elements are read, too.
    pub(crate) fn new(reads_element_text: bool) -> Self {
        Self {
            element_texts: reads_element_text.then(ElementTexts::default),
            text: String::new(),
            links: Vec::new(),
            bases: Vec::new(),
        }
    }

    /// Replaces the links by those of a document, with spans in the unit of `offsets`. The report has no links.
    pub(crate) fn find<'d>(
        &mut self,
        settings: &absolve::Rewriter,
        document: &Document<'d>,
        offsets: &TextOffsets<'_>,
    ) -> Report<'d> {
        // An observer may receive nothing at all from a document without links.
        self.start_over();
        let report = settings.observe(document, self);
        if let Some(texts) = &mut self.element_texts {
            texts.read(document, &report);
        }
        for link in &mut self.links {
            link.span = link.span.map(|span| offsets.span(span));
        }
        report
    }

    /// Appends a text, and returns its place.
    fn push(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    /// Returns the index of a base URL.
    fn push_base(&mut self, base: &Base) -> usize {
        if self.bases.last() != Some(base) {
            self.bases.push(base.clone());
        }
        self.bases.len() - 1
    }
}

impl LinkObserver for LinkBuffer {
    fn start_over(&mut self) {
        self.text.clear();
        self.links.clear();
        self.bases.clear();
        if let Some(texts) = &mut self.element_texts {
            texts.start_over();
        }
    }

    fn link(&mut self, link: &ObservedLink<'_>) {
        if let Some(texts) = &mut self.element_texts {
            texts.link(link);
        }
        let base = link.base.map(|base| self.push_base(base));
        let element = self.push(&link.element);
        let attribute = self.push(link.attribute);
        let reference = self.push(link.reference);
        let target = match &link.outcome {
            Outcome::Resolved(target) => {
                let prefix = self.push(target.prefix);
                let suffix = self.push(&target.suffix);
                Some(prefix.start..suffix.end)
            }
            Outcome::Absolute => Some(reference.clone()),
            Outcome::Skipped(_) => None,
        };
        self.links.push(BufferedLink {
            base,
            element,
            attribute,
            reference,
            target,
            role: link.role,
            grammar: link.grammar,
            status: link.outcome.name(),
            reason: link.outcome.skip_reason(),
            span: link.span,
            depth: link.depth,
        });
    }
}
