//! [`ChunkRewriter`]: rewrites one chunk of a document after another, for `crate::stream`.
//!
//! A chunk is visited as one segment with a sink that splices. All chunks share the base URLs, so these must be known
//! before the first chunk is rewritten, and so must the encoding.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use super::budget::LinkBudget;
use super::decision::Decider;
use super::fallback::Fallback;
use super::link_lifetime::Retain;
use super::resolve::LinkResolver;
use super::resolve::document_bases::DocumentBases;
use super::sink::SpliceSink;
use super::source_text::{Origin, SegmentStart, Skeleton, SpanMapper, mask_may_matter};
use super::visitor::{LinkVisitor, VisitStats};
use crate::base::BaseReport;
use crate::document::{Document, DocumentKind};
use crate::html::Reader;
use crate::html::scan::{self, ScanState};
use crate::markup::BaseElement;
use crate::markup::tokens::{Chunk, ChunkTokens, Tokens};
use crate::record::{LinkCounts, LinkReport};
use crate::settings::{BaseElementPolicy, BaseScope, OutputForm, RewriteSettings};
use crate::splice::Splicer;
use crate::xml::{self, XmlState};

impl RewriteSettings {
    /// Returns whether `document` must be rewritten as a whole, whatever it contains.
    pub(crate) fn needs_whole_document(&self, document: &Document<'_>) -> bool {
        // Inserting and removing markup are edits that belong to no link, which only a pass over the whole document
        // makes. Removing BASE depends on a DOCTYPE anywhere after the element, which may come into effect without it.
        self.edits_markup()
            || self.base_element == BaseElementPolicy::Remove
            || match document.kind {
                DocumentKind::Html => self.reader == Reader::Html5ever,
                // Errors are passed over only if the text is read as a whole.
                DocumentKind::Xml => self.is_lenient(),
                // A value has no tokens that could be divided, and JSON may be invalid at its end.
                DocumentKind::StyleSheet | DocumentKind::JsonFeed => true,
            }
    }

    /// Returns whether `elements`, the BASE elements up to the end of HEAD, determine the effective BASE.
    pub(crate) fn is_base_settled(&self, elements: &[BaseElement]) -> bool {
        // The first BASE counts, and those in HEAD precede all others in tree order.
        // Relative output depends on every BASE that counts in browsers.
        let is_head_enough = self.effective_base_scope() == BaseScope::Head
            && (self.form == OutputForm::Absolute || !self.leaves_base());
        is_head_enough || !elements.is_empty()
    }

    /// Returns the tokens of `chunk`, which is scanned in `state`.
    ///
    /// # Errors
    /// The scanner bails out.
    pub(crate) fn scan_chunk<'t>(
        &self,
        chunk: &Chunk<'t>,
        state: ScanState,
    ) -> Result<ChunkTokens<'t, ScanState>, Fallback> {
        Ok(scan::read_chunk(chunk, state, self.selection.names())?)
    }

    /// Returns the tokens of `chunk` of an XML document, which begins in `state`.
    ///
    /// Returns `None` if the document must be read as a whole.
    pub(crate) fn read_xml_chunk<'t>(
        &self,
        chunk: &Chunk<'t>,
        state: XmlState,
    ) -> Option<ChunkTokens<'t, XmlState>> {
        xml::read_chunk(chunk, state, self.xml_options())
    }
}

/// Rewrites the chunks of one document.
pub(crate) struct ChunkRewriter<'s> {
    resolver: LinkResolver<'s>,
    bases: DocumentBases,
    encoding: &'static Encoding,
    /// The budget of the chunks so far, and what was spent of it.
    budget: LinkBudget,
}

/// A rewritten chunk.
pub(crate) struct RewrittenChunk<'c> {
    /// The output; borrowed if nothing is edited.
    pub(crate) bytes: Cow<'c, [u8]>,
    pub(crate) edit_count: usize,
    pub(crate) counts: LinkCounts,
    /// The skipped links. Their spans are relative to the chunk.
    pub(crate) skipped: Vec<LinkReport<'c>>,
    pub(crate) tags: usize,
    pub(crate) mismatched_tags: usize,
}

impl<'s> ChunkRewriter<'s> {
    /// Creates a rewriter for `document`, which is in `encoding` and has these BASE `elements`.
    pub(crate) fn new(
        settings: &'s RewriteSettings,
        document: &Document<'_>,
        elements: &[BaseElement],
        encoding: &'static Encoding,
    ) -> Self {
        let candidates = &document.candidates;
        let bases = DocumentBases::establish(elements, candidates, settings);
        Self {
            resolver: LinkResolver::new(settings, &bases, candidates, encoding),
            bases,
            encoding,
            budget: LinkBudget::new(&settings.limits, 0, document.placement),
        }
    }

    /// Adds `length` bytes to the length of the document, to which its limits are relative.
    pub(crate) fn lengthen(&mut self, length: usize) {
        self.budget.lengthen(length);
    }

    /// Returns the encoding of the document.
    pub(crate) fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns the base URL of the document, and the status of every candidate.
    pub(crate) fn base_report(&self) -> &BaseReport {
        &self.bases.report
    }

    /// Rewrites the part of `bytes` up to `end`, which has these `tokens`.
    ///
    /// `text` is the text of `bytes`, or its skeleton.
    ///
    /// # Errors
    /// The document must be rewritten as a whole.
    pub(crate) fn rewrite<'c>(
        &mut self,
        bytes: &'c [u8],
        text: &'c str,
        (tokens, end): (&Tokens<'c>, usize),
    ) -> Result<RewrittenChunk<'c>, Fallback> {
        let encoding = self.encoding;
        let span_mapper = SpanMapper::new(Origin::Document { start: 0 }, encoding);
        let skeleton = (encoding != UTF_8).then_some(Skeleton { bytes, encoding });
        let selection = &self.resolver.settings.selection;
        if skeleton.is_some() && mask_may_matter(text, selection, SegmentStart::Continuation) {
            return Err(Fallback::Collect);
        }
        let mut stats = VisitStats::new(self.budget);
        let mut visitor = LinkVisitor::new(&self.resolver, Decider::Resolve, &mut stats);
        let segment = visitor.segment(text, tokens, &span_mapper, skeleton);
        let old = &bytes[..end];
        let mut new = Vec::new();
        // An eighth more than the source is enough for most pages; the vector grows if it is not.
        let splicer = Splicer::new(b"", old, old.len() / 8, &mut new);
        let mut sink = SpliceSink::new(splicer, Retain::borrowing(text));
        visitor.visit_any(&segment, &mut sink)?;
        let SpliceSink {
            splicer,
            skipped,
            mut counts,
            ..
        } = sink;
        counts += stats.beside;
        if stats.is_unsupported()
            && let Some(reason) = stats.unsupported
        {
            return Err(reason.into());
        }
        self.budget = stats.budget;
        let (edit_count, _) = splicer.finish();
        Ok(RewrittenChunk {
            // Without edits the splicer has not copied anything.
            bytes: if edit_count == 0 {
                Cow::Borrowed(old)
            } else {
                Cow::Owned(new)
            },
            edit_count,
            counts,
            skipped,
            tags: stats.tags,
            mismatched_tags: stats.mismatched_tags,
        })
    }
}
