//! Drives one document through a [`Sink`] in a single pass, or gives up with a [`Fallback`].
//!
//! # Problem
//!
//! A link cannot be written before three facts are known: the encoding of the document, its base URL, and which text
//! is markup. Each of them may turn out differently than expected: a late `meta` element declares another encoding, a
//! BASE element follows the link, or only a tree builder can determine what is markup. Reading the whole document first
//! ([`super::whole_document`]) is always correct, but needs a decoded copy of a document in a legacy encoding and a
//! record of every tag, link and edit.
//!
//! # Approach
//!
//! The pass assumes that none of this happens, emits its output while it scans, and checks each assumption on the way:
//!
//! 1. [`DocumentText::of`] selects the text to scan: the document itself if it is valid UTF-8, otherwise its *skeleton*
//!    ([`super::segment`]).
//! 2. The scanner yields the tokens of one [`Segment`] after another. The first segment covers HEAD, and a BASE element
//!    after it makes the scanner bail out, so the base URLs are final before the first link is resolved.
//! 3. Before each segment is visited, the encoding that `meta` elements declared so far is compared with the encoding
//!    in use.
//! 4. [`LinkVisitor::visit_segment`] resolves the links of the segment and pushes them to the sink.
//!
//! If the scanner bails out on exact text, html5ever parses the same text as one large segment, after [`Sink::begin`]
//! has reset the sink. A bail-out on a skeleton may be caused by the masks. It ends the pass, and `whole_document`
//! scans the decoded text. (With [`Reader::Reference`] there is no scan, and html5ever reads text of either form.)
//!
//! # Invariants
//!
//! * Offsets in the text are offsets in the document after the BOM, in both forms of the text.
//! * After an `Err`, the sink contains part of a document; the caller must discard it.
//!
//! # Cost
//!
//! Linear. Tokens are kept for one segment at a time, except that html5ever yields those of the whole document.

use std::mem;

use encoding_rs::{Encoding, UTF_8};

use super::Rewriter;
use super::bases::DocumentBases;
use super::resolve::LinkResolver;
use super::segment::{NeedsWholeDocument, Segment, SegmentStart, SkeletonSource, mask_may_matter};
use super::sink::Sink;
use super::value::{LinkVisitor, SpanMapper};
use crate::document::Document;
use crate::encoding;
use crate::html::encoding::{Confidence, Detected};
use crate::html::scan::Segments;
use crate::html::tokens::Tokens;
use crate::html::{BailOut, Reader, tap};
use crate::span::Span;

/// The text of a document that a [`Pass`] scans, without the BOM.
pub(super) enum DocumentText<'d> {
    /// The document itself, which is valid UTF-8.
    Utf8(&'d str),
    /// The skeleton of a document in a legacy encoding, or of one in malformed UTF-8.
    Skeleton(String),
}

/// The relation between the text of a [`Pass`] and the text of the document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextForm {
    /// It is the text of the document.
    Exact,
    /// It is a skeleton: the ASCII characters of the document are unchanged, and all other bytes are masked.
    Skeleton,
}

impl<'d> DocumentText<'d> {
    /// Returns the text to scan.
    ///
    /// # Errors
    /// The text is longer than html5ever accepts, or the encoding is not a superset of ASCII (UTF-16, ISO-2022-JP).
    pub(super) fn of(document: &Document<'d>, detected: &Detected) -> Result<Self, Fallback> {
        let body = &document.bytes[detected.bom_len..];
        if body.len() > tap::LONGEST_TEXT {
            // The decoded text may be shorter. `whole_document` decodes it and decides.
            return Err(Fallback::WholeDocument);
        }
        let is_utf_8 = detected.encoding == UTF_8;
        let text = is_utf_8.then(|| simdutf8::basic::from_utf8(body).ok());
        if let Some(text) = text.flatten() {
            Ok(Self::Utf8(text))
        } else if detected.encoding.is_ascii_compatible() {
            // This includes malformed UTF-8: its skeleton masks all non-ASCII bytes, whether malformed or not.
            Ok(Self::Skeleton(encoding::skeleton(body)))
        } else {
            Err(Fallback::WholeDocument)
        }
    }
}

/// The reason why a [`Pass`] gave up.
pub(super) enum Fallback {
    /// The scanner bailed out. [`Pass::run`] returns this for a skeleton only: html5ever parses exact text instead.
    BailedOut(BailOut),
    /// A `meta` element declares this encoding, which is not the one in use. The pass can be repeated in it.
    Encoding(&'static Encoding),
    /// The document must be rewritten by [`super::whole_document`].
    WholeDocument,
}

impl From<BailOut> for Fallback {
    fn from(bail_out: BailOut) -> Self {
        Self::BailedOut(bail_out)
    }
}

impl From<NeedsWholeDocument> for Fallback {
    fn from(_: NeedsWholeDocument) -> Self {
        Self::WholeDocument
    }
}

/// A pass over one document in one encoding.
pub(super) struct Pass<'p, 'd> {
    pub(super) settings: &'p Rewriter,
    pub(super) document: &'p Document<'d>,
    pub(super) detected: &'p Detected,
}

/// Facts about a document that are known at its end.
pub(super) struct PassSummary {
    pub(super) bases: DocumentBases,
    pub(super) tags: usize,
    pub(super) mismatched_tags: usize,
    /// Attributes that repeat a link attribute of the same tag with different text, in bytes of the document.
    pub(super) duplicates: Vec<Span>,
    /// Whether an attribute of a `meta` element was edited.
    pub(super) edits_meta: bool,
    /// The encoding that `meta` elements declare.
    pub(super) declared_encoding: Option<&'static Encoding>,
    /// The reason why the scanner bailed out, if it did and html5ever parsed the text instead.
    pub(super) bail_out: Option<BailOut>,
}

impl Pass<'_, '_> {
    /// Scans `text` and pushes every link and edit to `sink`.
    ///
    /// # Errors
    /// See [`Fallback`]. The caller must discard everything the sink received.
    pub(super) fn run<'t, S: Sink<'t>>(
        &self,
        text: &'t str,
        form: TextForm,
        sink: &mut S,
    ) -> Result<PassSummary, Fallback> {
        let bail_out = if self.settings.reader == Reader::Fast {
            let segments = Segments::new(text, self.settings.selection.names());
            match self.visit_all(text, form, TokenSource::Segments(Box::new(segments)), sink) {
                // A bail-out on a skeleton may be caused by the masks, so it ends the pass: `whole_document` scans the
                // decoded text.
                Err(Fallback::BailedOut(bail_out)) if form == TextForm::Exact => Some(bail_out),
                result => return result,
            }
        } else {
            None
        };
        let whole = TokenSource::Whole {
            tokens: tap::read(text),
            is_consumed: false,
        };
        let summary = self.visit_all(text, form, whole, sink)?;
        Ok(PassSummary {
            bail_out,
            ..summary
        })
    }

    /// Visits every segment that `source` yields.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    fn visit_all<'t, S: Sink<'t>>(
        &self,
        text: &'t str,
        form: TextForm,
        mut source: TokenSource<'t, '_>,
        sink: &mut S,
    ) -> Result<PassSummary, Fallback> {
        let (settings, document) = (self.settings, self.document);
        let Detected {
            encoding,
            bom_len,
            confidence,
            ..
        } = *self.detected;
        if form == TextForm::Skeleton
            && mask_may_matter(text, &settings.selection, SegmentStart::Document)
        {
            return Err(Fallback::WholeDocument);
        }
        // Reported spans are in bytes of the document, and the text begins after the BOM.
        let to_source = |span: Span| Some(span.shifted(bom_len));
        let span_mapper = SpanMapper {
            to_source: Some(&to_source),
            ascii_only: encoding::lacks_characters(encoding),
        };
        let skeleton = (form == TextForm::Skeleton).then_some(SkeletonSource {
            bytes: &document.bytes[bom_len..],
            encoding,
        });
        // Cannot happen: both sources yield a segment even for an empty text.
        let Some(mut tokens) = source.next_segment()? else {
            return Err(Fallback::WholeDocument);
        };
        let mut declared_encoding;
        // Final, because the first segment covers HEAD and a later BASE makes the scanner bail out.
        let bases = DocumentBases::establish(&tokens.base_elements, &document.candidates, settings);
        let resolver = LinkResolver::new(settings, &bases, &document.candidates, encoding);
        let mut visitor = LinkVisitor::new(&resolver, sink.decider());
        sink.begin(
            resolver
                .document_base
                .as_ref()
                .map(|resolution_base| &resolution_base.base),
        );
        loop {
            // The declaration of the document so far.
            declared_encoding = tokens.declared_encoding;
            // Only a tentative encoding can be overridden. The retry is not tentative, so there is one retry at most.
            if let Some(other) = declared_encoding.filter(|declared| *declared != encoding)
                && confidence == Confidence::Tentative
            {
                return Err(Fallback::Encoding(other));
            }
            let segment = Segment {
                text,
                skeleton,
                tokens,
                span_mapper,
            };
            segment.check_masked_names()?;
            visitor.visit_segment(&segment, sink)?;
            match source.next_segment()? {
                Some(next) => tokens = next,
                None => break,
            }
        }
        Ok(PassSummary {
            tags: visitor.tags,
            mismatched_tags: visitor.mismatched_tags,
            duplicates: visitor.duplicates,
            edits_meta: visitor.edits_meta,
            declared_encoding,
            bail_out: None,
            bases,
        })
    }
}

/// The tokens of a document, segment by segment.
enum TokenSource<'t, 'n> {
    /// The scanner.
    Segments(Box<Segments<'t, 'n>>),
    /// html5ever, whose tokens are a single segment.
    Whole {
        tokens: Tokens<'t>,
        is_consumed: bool,
    },
}

impl<'t> TokenSource<'t, '_> {
    /// Returns the tokens of the next segment, or `None` at the end of the document.
    ///
    /// # Errors
    /// The scanner bails out. Everything that it yielded before is invalid.
    fn next_segment(&mut self) -> Result<Option<&Tokens<'t>>, BailOut> {
        match self {
            Self::Segments(segments) => segments.next_segment(),
            Self::Whole {
                tokens,
                is_consumed,
            } => {
                let is_first = !mem::replace(is_consumed, true);
                Ok(is_first.then_some(&*tokens))
            }
        }
    }
}
