//! [`ElementTexts`]: the content of the elements of links, and their attributes `rel` and `alt`.
//!
//! The text of an element follows its links, so it is read after they were found. [`element`] reads on from the start
//! tag of each. No tree is built, so text is in the order of the source, also where a parser would move it.

mod element;
mod words;

use encoding_rs::Encoding;

pub use element::ElementText;

use super::in_memory;
use crate::document::{Document, DocumentKind};
use crate::record::{LinkObserver, ObservedLink, Report};
use crate::settings::Rewriter;
use crate::span::Span;

/// The number of bytes of texts that the links of any document may have. Longer documents may have four times their
/// length, like targets by default.
const MIN_COPIES: usize = 8 << 20;

/// An observer that finds the elements of links, to read their texts afterwards.
///
/// # Examples
/// ```
/// use absolve::{Document, ElementTexts, Rewriter};
///
/// let document = Document::new(b"<a rel=next href=x>The <b>next</b> page</a>");
/// let texts = ElementTexts::of(&Rewriter::new(), &document);
/// let element = texts.of_link(0).expect("the link has an element");
/// assert_eq!(element.text.as_deref(), Some("The next page"));
/// assert_eq!(element.rel.as_deref(), Some("next"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ElementTexts {
    /// The elements of the links.
    places: Vec<ElementPlace>,
    /// The texts of the elements, from the last one to the first.
    texts: Vec<ElementText>,
}

/// The element of a link.
#[derive(Debug, Clone)]
struct ElementPlace {
    /// The start tag, in bytes of the document, if it is in the document.
    start_tag: Option<Span>,
    is_anchor: bool,
    /// Whether it is an element of SVG or MathML, or of a vocabulary of XML.
    is_foreign: bool,
    depth: usize,
    /// The index of its texts.
    text: Option<usize>,
}

impl ElementTexts {
    /// Returns the texts of the elements of all links of `document`.
    ///
    /// # Complexity
    /// That of [`Rewriter::observe`], and of [`read`](Self::read).
    #[must_use]
    pub fn of(rewriter: &Rewriter, document: &Document<'_>) -> Self {
        let mut texts = Self::default();
        let report = in_memory::observe_links(&rewriter.settings, document, &mut texts);
        texts.read(document, &report);
        texts
    }

    /// Reads the texts of the elements of the links that were observed in `document`, given the report on them.
    ///
    /// The links together have copies of 8 MiB of texts, and of four times the length of the document; the links after
    /// that have none.
    ///
    /// # Complexity
    /// Linear in the length of the document: no byte is in the texts of two elements.
    pub fn read(&mut self, document: &Document<'_>, report: &Report<'_>) {
        let encoding = report.encoding.map(str::as_bytes);
        let Some(encoding) = encoding.and_then(Encoding::for_label) else {
            return;
        };
        let (bytes, is_xml) = (document.bytes, document.kind == DocumentKind::Xml);
        // From the last link to the first: the text of an A element ends where the next one begins.
        let (mut end, mut last) = (bytes.len(), None);
        for place in self.places.iter_mut().rev() {
            let Some(tag) = place.start_tag else {
                continue;
            };
            if last != place.start_tag {
                last = place.start_tag;
                let text_end = tag.end.max(if place.is_anchor { end } else { 0 });
                // The state of a decoder before the tag is not known. It matters in ISO-2022-JP only, to `\` and `~`.
                let source = &bytes[tag.start..text_end];
                let (source, _) = encoding.decode_without_bom_handling(source);
                let is_in_section = is_xml && place.depth > 0;
                // The markup in a CDATA section of a feed is HTML.
                let section = source.split("]]>").next().filter(|_| is_in_section);
                let source = section.unwrap_or(&source);
                let texts = element::read(
                    source,
                    is_xml && !is_in_section,
                    place.is_anchor,
                    place.is_foreign,
                );
                self.texts.push(texts);
                if place.is_anchor {
                    end = tag.start;
                }
            }
            place.text = self.texts.len().checked_sub(1);
        }
        let mut remaining = MIN_COPIES.saturating_add(bytes.len().saturating_mul(4));
        for place in &mut self.places {
            let length = place.text.map_or(0, |text| self.texts[text].byte_len());
            place.text = place.text.filter(|_| length <= remaining);
            // After the first text that does not fit, none does.
            remaining = remaining.saturating_sub(length);
        }
    }

    /// Returns the texts of the element of the link with this index, if they were read.
    #[must_use]
    pub fn of_link(&self, index: usize) -> Option<&ElementText> {
        Some(&self.texts[self.places.get(index)?.text?])
    }
}

impl LinkObserver for ElementTexts {
    fn start_over(&mut self) {
        self.places.clear();
        self.texts.clear();
    }

    fn link(&mut self, link: &ObservedLink<'_>) {
        let prefixed = link.element.split_once(':');
        self.places.push(ElementPlace {
            start_tag: link.start_tag,
            is_anchor: prefixed.map_or(&*link.element, |(_, local)| local) == "a",
            is_foreign: prefixed.is_some(),
            depth: link.depth,
            text: None,
        });
    }
}
