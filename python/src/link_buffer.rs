//! The links of a document in a few long buffers, for those that become rows of a table.
//!
//! A report of each link owns several texts, and making it takes longer than finding the link.

use std::ops::Range;

use absolve::{
    Base, Document, Grammar, LinkObserver, ObservedLink, ObservedOutcome, Report, Role, SkipReason,
    Span, TextOffsets,
};

/// Links, with copies of all that they refer to.
#[derive(Default)]
pub(crate) struct LinkBuffer {
    /// The texts of the links, one after another.
    text: String,
    links: Vec<BufferedLink>,
    /// The base URLs of the links. Links in succession that have the same one share it.
    bases: Vec<Base>,
}

/// A link, whose texts are in a buffer.
struct BufferedLink {
    /// The index of the base URL.
    base: Option<usize>,
    element: Range<usize>,
    attribute: Range<usize>,
    reference: Range<usize>,
    target: Option<Range<usize>>,
    role: Role,
    grammar: Grammar,
    status: &'static str,
    reason: Option<&'static str>,
    span: Option<Span>,
    depth: usize,
}

/// A link in a buffer.
#[derive(Clone, Copy)]
pub(crate) struct LinkRow<'b> {
    buffer: &'b LinkBuffer,
    link: &'b BufferedLink,
}

impl<'b> LinkRow<'b> {
    pub(crate) fn base(self) -> Option<&'b Base> {
        self.link.base.map(|index| &self.buffer.bases[index])
    }

    pub(crate) fn element(self) -> &'b str {
        &self.buffer.text[self.link.element.clone()]
    }

    pub(crate) fn attribute(self) -> &'b str {
        &self.buffer.text[self.link.attribute.clone()]
    }

    pub(crate) fn role(self) -> &'static str {
        self.link.role.name()
    }

    pub(crate) fn grammar(self) -> &'static str {
        self.link.grammar.name()
    }

    pub(crate) fn reference(self) -> &'b str {
        &self.buffer.text[self.link.reference.clone()]
    }

    pub(crate) fn target(self) -> Option<&'b str> {
        let target = self.link.target.clone();
        target.map(|target| &self.buffer.text[target])
    }

    pub(crate) fn status(self) -> &'static str {
        self.link.status
    }

    pub(crate) fn reason(self) -> Option<&'static str> {
        self.link.reason
    }

    pub(crate) fn span(self) -> Option<Span> {
        self.link.span
    }

    pub(crate) fn depth(self) -> usize {
        self.link.depth
    }
}

impl LinkBuffer {
    /// Replaces the links by those of a document, with spans in the unit of `offsets`. The report has no links.
    pub(crate) fn find<'d>(
        &mut self,
        settings: &absolve::Rewriter,
        document: &Document<'d>,
        offsets: &TextOffsets<'_>,
    ) -> Report<'d> {
        // An observer may receive nothing at all from a document without links.
        self.start_over();
        let report = settings.observe_links(document, self);
        for link in &mut self.links {
            link.span = link.span.map(|span| offsets.span(span));
        }
        report
    }

    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// Returns the links with these indexes.
    pub(crate) fn rows(&self, indexes: Range<usize>) -> impl Iterator<Item = LinkRow<'_>> {
        let links = self.links[indexes].iter();
        links.map(|link| LinkRow { buffer: self, link })
    }

    /// Appends a text, and returns its place.
    fn push(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    /// Returns the index of a base URL.
    fn base(&mut self, base: &Base) -> usize {
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
    }

    fn link(&mut self, link: &ObservedLink<'_>) {
        let base = link.base.map(|base| self.base(base));
        let element = self.push(&link.element);
        let attribute = self.push(link.attribute);
        let reference = self.push(link.reference);
        let target = match &link.outcome {
            ObservedOutcome::Resolved(target) => {
                let prefix = self.push(target.prefix);
                let suffix = self.push(&target.suffix);
                Some(prefix.start..suffix.end)
            }
            ObservedOutcome::Absolute => Some(reference.clone()),
            ObservedOutcome::Skipped(_) => None,
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
            reason: link.outcome.skip_reason().map(SkipReason::name),
            span: link.span,
            depth: link.depth,
        });
    }
}
