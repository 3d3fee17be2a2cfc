//! The links of a document in a few long buffers, for those that become rows of a table.
//!
//! A report of each link owns several texts, and making it takes longer than finding the link.

use std::ops::Range;

use absolve::{
    Base, Document, DocumentKind, LinkObserver, ObservedLink, ObservedOutcome, Report, SkipReason,
    Span, TextOffsets,
};
use encoding_rs::Encoding;

use crate::element_text::{ElementSource, ElementText};

/// The number of bytes of texts of elements that the rows of any document may have. Longer documents may have four
/// times their length, like the targets of links by default.
const MIN_COPIES: usize = 8 << 20;

/// Links, with copies of all that they refer to.
pub(crate) struct LinkBuffer {
    /// Whether the texts of elements are read.
    reads_element_text: bool,
    /// The texts of the elements of the links, from the last one to the first.
    element_texts: Vec<ElementText>,
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
    /// The start tag of the element, in bytes of the document.
    start_tag: Option<Span>,
    /// The index of the texts of the element.
    element_text: Option<usize>,
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
        let index = self.link.element_text;
        index.map(|index| &self.buffer.element_texts[index])
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
            reads_element_text,
            element_texts: Vec::new(),
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
            self.read_elements(&ElementSource {
                bytes: document.bytes(),
                encoding,
                is_xml: document.kind() == DocumentKind::Xml,
            });
        }
        for link in &mut self.links {
            link.span = link.span.map(|span| offsets.span(span));
        }
        report
    }

    /// Reads the elements of the links of a document. Takes linear time: no byte is in the texts of two elements.
    fn read_elements(&mut self, source: &ElementSource<'_>) {
        // From the last link to the first: the text of an A element ends where the next one begins.
        let mut end = source.bytes.len();
        let mut last = None;
        for link in self.links.iter_mut().rev() {
            let Some(start_tag) = link.start_tag else {
                continue;
            };
            if last != Some(start_tag) {
                last = Some(start_tag);
                let name = &self.text[link.element.clone()];
                let element_text = source.read(name, link.depth, start_tag, end);
                if element_text.text.is_some() {
                    end = start_tag.start;
                }
                self.element_texts.push(element_text);
            }
            link.element_text = self.element_texts.len().checked_sub(1);
        }
        let mut remaining = MIN_COPIES.saturating_add(source.bytes.len().saturating_mul(4));
        for link in &mut self.links {
            let element_text = link.element_text.map(|index| &self.element_texts[index]);
            let len = element_text.map_or(0, ElementText::len);
            if len > remaining {
                link.element_text = None;
            }
            // After the first text that does not fit, none does.
            remaining = remaining.saturating_sub(len);
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
        self.element_texts.clear();
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
            role: link.role.name(),
            grammar: link.grammar.name(),
            status: link.outcome.name(),
            reason: link.outcome.skip_reason().map(SkipReason::name),
            span: link.span,
            depth: link.depth,
        });
    }
}
