//! The links of a document in a few long buffers, for those that become rows of a table.
//!
//! A report of each link owns several texts, and making it takes longer than finding the link.

use std::ops::Range;

use absolve::{
    Base, Document, ElementText, ElementTexts, LinkObserver, ObservedLink, Outcome, Report,
    SkipReason, Span, TextOffsets,
};

/// Links, with copies of all that they refer to.
pub(crate) struct LinkBuffer {
    /// The texts of the elements of the links, if they are read.
    element_texts: Option<ElementTexts>,
    /// The texts of the links, one after another.
    text: String,
    links: Vec<BufferedLink>,
    /// The base URLs of the links. Links in succession that have the same one share it.
    bases: Vec<Base>,
}

/// A link, whose texts are in a buffer.
pub(crate) struct BufferedLink {
    /// The index of the base URL.
    base: Option<usize>,
    element: Range<usize>,
    attribute: Range<usize>,
    reference: Range<usize>,
    target: Option<Range<usize>>,
    pub(crate) role: &'static str,
    pub(crate) grammar: &'static str,
    pub(crate) status: &'static str,
    pub(crate) reason: Option<&'static str>,
    pub(crate) span: Option<Span>,
    pub(crate) depth: usize,
}

/// A link in a buffer.
#[derive(Clone, Copy)]
pub(crate) struct LinkRow<'b> {
    buffer: &'b LinkBuffer,
    pub(crate) link: &'b BufferedLink,
    index: usize,
}

impl<'b> LinkRow<'b> {
    pub(crate) fn base(self) -> Option<&'b Base> {
        self.link.base.map(|index| &self.buffer.bases[index])
    }

    pub(crate) fn element(self) -> &'b str {
        &self.buffer.text[self.link.element.clone()]
    }

    /// Returns the texts of the element, if they were read.
    pub(crate) fn element_text(self) -> Option<&'b ElementText> {
        self.buffer.element_texts.as_ref()?.of_link(self.index)
    }

    pub(crate) fn attribute(self) -> &'b str {
        &self.buffer.text[self.link.attribute.clone()]
    }

    pub(crate) fn reference(self) -> &'b str {
        &self.buffer.text[self.link.reference.clone()]
    }

    pub(crate) fn target(self) -> Option<&'b str> {
        let target = self.link.target.clone();
        target.map(|target| &self.buffer.text[target])
    }
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

    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// Returns the links with these indexes.
    pub(crate) fn rows(&self, indexes: Range<usize>) -> impl Iterator<Item = LinkRow<'_>> {
        indexes.map(|index| LinkRow {
            buffer: self,
            link: &self.links[index],
            index,
        })
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
        if let Some(texts) = &mut self.element_texts {
            texts.start_over();
        }
    }

    fn link(&mut self, link: &ObservedLink<'_>) {
        if let Some(texts) = &mut self.element_texts {
            texts.link(link);
        }
        let base = link.base.map(|base| self.base(base));
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
            role: link.role.name(),
            grammar: link.grammar.name(),
            status: link.outcome.name(),
            reason: link.outcome.skip_reason().map(SkipReason::name),
            span: link.span,
            depth: link.depth,
        });
    }
}
