//! The links of a document in a few long buffers, for those that become rows of a table.
//!
//! A report of each link owns several texts, and making it takes longer than finding the link.

use std::ops::Range;

use absolve::{
    Base, Document, DocumentKind, Grammar, LinkObserver, ObservedLink, ObservedOutcome, Report,
    Role, SkipReason, Span, TextOffsets,
};
use encoding_rs::Encoding;

use crate::element_text::ElementText;

/// Links, with copies of all that they refer to.
pub(crate) struct LinkBuffer {
    /// Whether the text of elements is read.
    reads_element_text: bool,
    /// What was read of the elements of links.
    elements: Vec<ElementText>,
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
    /// The start tag of the element, in bytes of the document.
    start_tag: Option<Span>,
    /// The index of what was read of the element.
    element_text: Option<usize>,
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

    /// Returns what was read of the element beside the link.
    pub(crate) fn element_text(self) -> Option<&'b ElementText> {
        let index = self.link.element_text;
        index.map(|index| &self.buffer.elements[index])
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
    /// Creates a buffer without links. With `reads_element_text`, what they have beside their links is read, too.
    pub(crate) fn new(reads_element_text: bool) -> Self {
        Self {
            reads_element_text,
            elements: Vec::new(),
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
        let report = settings.observe_links(document, self);
        let encoding = report.encoding.map(str::as_bytes);
        if self.reads_element_text
            && let Some(encoding) = encoding.and_then(Encoding::for_label)
        {
            self.read_elements(document, encoding);
        }
        for link in &mut self.links {
            link.span = link.span.map(|span| offsets.span(span));
        }
        report
    }

    /// Reads the elements of the links of a document. The whole takes linear time: no byte is in two texts.
    fn read_elements(&mut self, document: &Document<'_>, encoding: &'static Encoding) {
        let bytes = document.bytes();
        let is_xml = document.kind() == DocumentKind::Xml;
        // From the last link to the first: the text of an A element ends where the next one begins.
        let mut end = bytes.len();
        let mut last = None;
        for link in self.links.iter_mut().rev() {
            let Some(start_tag) = link.start_tag else {
                continue;
            };
            if last != Some(start_tag) {
                last = Some(start_tag);
                // The markup in a CDATA section of a feed is HTML.
                let is_xml = is_xml && link.depth == 0;
                let element = ElementText::read(bytes, encoding, is_xml, start_tag, end);
                if element.text.is_some() {
                    end = start_tag.start;
                }
                self.elements.push(element);
            }
            link.element_text = self.elements.len().checked_sub(1);
        }
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
        self.elements.clear();
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
            start_tag: link.start_tag,
            element_text: None,
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
