//! [`Pass`]: drives one document through a [`Sink`] in one encoding, or gives up with a [`Fallback`].
//!
//! # Problem
//!
//! A link cannot be written before three facts are known: the encoding of the document, its base URL, and which text
//! is markup. Each of them may turn out differently than expected: a late `meta` element declares another encoding, a
//! BASE element follows the link, or only a tree builder can determine what is markup.
//!
//! # Approach
//!
//! A pass assumes that none of this happens, pushes links to the sink while it scans, and checks each assumption on the
//! way:
//!
//! 1. The caller selects the text to scan: the document itself if it is valid UTF-8, otherwise a skeleton
//!    ([`Pass::text_in_place`]) or a decoded copy ([`Pass::exact_text`]).
//! 2. The scanner yields the tokens of one [segment](super::source_text::Segment) after another. The first segment
//!    covers HEAD, and a BASE element after it makes the scanner bail out, so the base URLs are final before the first
//!    link is resolved. After such a bail-out, the whole text is scanned for BASE elements, and the pass starts over.
//! 3. Before each segment is visited, the encoding that `meta` elements declared so far is compared with the encoding
//!    in use. [`Pass::attempt`] repeats the pass once in the declared encoding.
//! 4. [`LinkVisitor::visit_segment`] resolves the links of the segment and pushes them to the sink.
//!
//! If the scanner bails out on exact text, html5ever parses the same text as one large segment, after [`Sink::begin`]
//! has reset the sink. A bail-out on a skeleton may be caused by the masks, so it ends the pass.
//!
//! A callback must not be asked twice about the same link. For a callback, the whole text is therefore parsed before
//! the first link is visited.
//!
//! An error at the end of an XML document leaves all of it unchanged: it ends the pass like an assumption that failed.
//! After a base URL of the whole document that follows links, the pass starts over with all tokens. XML has no
//! skeleton: its bytes are checked, so it is decoded unless it is in UTF-8.
//!
//! A document without markup, such as a style sheet, is one value. It takes the same way, as one segment without
//! tokens, except that it has no skeleton.
//!
//! # Invariant
//!
//! After an `Err`, the sink contains part of a document; the caller must discard it.
//!
//! # Cost
//!
//! Linear. Tokens are kept for one segment at a time, except for callbacks and html5ever: those take the tokens of the
//! whole document.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use super::base_element::insert_base;
use super::decision::Decider;
use super::edit::TextEdit;
use super::fallback::Fallback;
use super::insertion::insertions;
use super::removal::removals;
use super::resolve::LinkResolver;
use super::resolve::document_bases::DocumentBases;
use super::sink::{Collected, Sink};
use super::source_text::{Segment, SegmentStart, Skeleton, SourceText, mask_may_matter};
use super::token_source::TokenSource;
use super::visitor::{LinkVisitor, VisitStats};
use crate::document::{Document, DocumentKind};
use crate::encoding::{self, Confidence, Decoded, Detected};
use crate::find::find_ignore_case;
use crate::html::{BailOut, Reader};
use crate::settings::RewriteSettings;
use crate::span::Span;

/// A pass over one document in one encoding.
pub(super) struct Pass<'p, 'd> {
    pub(super) settings: &'p RewriteSettings,
    pub(super) document: &'p Document<'d>,
    pub(super) detected: Detected,
}

/// Facts about a document that are known at its end.
pub(super) struct PassSummary {
    pub(super) bases: DocumentBases,
    pub(super) stats: VisitStats,
    /// The encoding that `meta` elements declare.
    pub(super) declared_encoding: Option<&'static Encoding>,
    /// The encoding in which the document was read.
    pub(super) encoding: &'static Encoding,
    /// The reason why the scanner bailed out, if it did and html5ever parsed the text instead.
    pub(super) bail_out: Option<BailOut>,
}

impl<'p, 'd> Pass<'p, 'd> {
    /// Calls `run` in the detected encoding, and again if the document declares another one.
    ///
    /// # Errors
    /// Those of `run`.
    pub(super) fn attempt<T>(
        settings: &'p RewriteSettings,
        document: &'p Document<'d>,
        mut run: impl FnMut(&Self) -> Result<T, Fallback>,
    ) -> Result<T, Fallback> {
        let mut pass = Self {
            settings,
            document,
            detected: document.detect(),
        };
        match run(&pass) {
            Err(Fallback::Encoding(declared)) => {
                // No longer tentative, so the second attempt does not lead to a third.
                pass.detected = pass.detected.with_late_meta(declared);
                run(&pass)
            }
            result => result,
        }
    }

    /// Returns the text of the document without decoding it: the document itself or its skeleton.
    ///
    /// # Errors
    /// [`Fallback::Collect`]: markup is to be inserted or removed, or there is no skeleton. The document is not HTML,
    /// its encoding is not a superset of ASCII (UTF-16, ISO-2022-JP), masks may matter, or it is longer than html5ever
    /// accepts, but its decoded text may not be.
    pub(super) fn text_in_place(&self) -> Result<SourceText<'d>, Fallback> {
        if self.settings.edits_markup() {
            return Err(Fallback::Collect);
        }
        let Detected {
            encoding, bom_len, ..
        } = self.detected;
        let body = &self.document.bytes[bom_len..];
        if body.len() > self.document.max_text_len() {
            return Err(Fallback::Collect);
        }
        if encoding == UTF_8
            && let Ok(text) = simdutf8::basic::from_utf8(body)
        {
            return Ok(SourceText::Utf8 { text, bom_len });
        }
        if self.document.kind != DocumentKind::Html || !encoding.is_ascii_compatible() {
            return Err(Fallback::Collect);
        }
        // This includes malformed UTF-8: its skeleton masks all non-ASCII bytes, whether malformed or not.
        let text = encoding::skeleton(body);
        let selection = &self.settings.selection;
        if mask_may_matter(&text, selection, SegmentStart::Document) {
            return Err(Fallback::Collect);
        }
        Ok(SourceText::Skeleton {
            text,
            skeleton: Skeleton {
                bytes: body,
                encoding,
            },
            bom_len,
        })
    }

    /// Returns the text of the document, decoded if necessary.
    ///
    /// # Errors
    /// [`Fallback::Unsupported`].
    pub(super) fn exact_text(&self) -> Result<SourceText<'d>, Fallback> {
        let bom_len = self.detected.bom_len;
        Ok(match self.document.decode_as(&self.detected)? {
            Decoded {
                text: Cow::Borrowed(text),
                ..
            } => SourceText::Utf8 { text, bom_len },
            decoded => SourceText::Decoded(decoded),
        })
    }

    /// Visits `text`, which must be that of `source`, and pushes every link and edit to `sink`.
    ///
    /// # Errors
    /// See [`Fallback`]. The caller must discard everything the sink received.
    pub(super) fn run<'t, S: Sink<'t>>(
        &self,
        text: &'t str,
        source: &SourceText<'_>,
        mut decider: Decider<'_>,
        sink: &mut S,
    ) -> Result<PassSummary, Fallback> {
        let (settings, document) = (self.settings, self.document);
        let is_whole = matches!(decider, Decider::Ask(_)) || settings.reader == Reader::Html5ever;
        let mut tokens = TokenSource::open(settings, document, text, source, is_whole)?;
        loop {
            match self.visit_all(text, source, &mut tokens, decider.reborrow(), sink) {
                Err(fallback) => tokens.reopen(fallback)?,
                visited => return visited,
            }
        }
    }

    /// Visits every segment that `token_source` yields.
    ///
    /// # Errors
    /// Those of [`run`](Self::run). A bail-out is an error for exact text, too.
    fn visit_all<'t, S: Sink<'t>>(
        &self,
        text: &'t str,
        source: &SourceText<'_>,
        token_source: &mut TokenSource<'t, '_>,
        mut decider: Decider<'_>,
        sink: &mut S,
    ) -> Result<PassSummary, Fallback> {
        let (settings, document) = (self.settings, self.document);
        let Detected {
            encoding,
            confidence,
            ..
        } = self.detected;
        let span_mapper = source.span_mapper(encoding);
        let segments = &mut token_source.segments;
        let mut tokens = segments
            .next_segment(true)?
            .expect("every source yields a segment even for an empty text");
        let known_bases = token_source.bases.as_ref();
        let bases = known_bases.unwrap_or(&tokens.base_elements);
        let bases = DocumentBases::establish(bases, &document.candidates, settings);
        let mut resolver = LinkResolver::new(settings, &bases, &document.candidates, encoding);
        if confidence == Confidence::Tentative && document.bytes.is_ascii() {
            resolver.confidence = Confidence::Tentative;
        }
        let mut stats = VisitStats::new(token_source.budget);
        let mut inserted = Collected::default();
        let mut removed = Vec::new();
        if document.kind == DocumentKind::Html {
            let counts = &mut stats.beside;
            inserted.edits = insertions(settings, text, &span_mapper, encoding, counts);
            removed = removals(settings, text, &span_mapper, counts);
            let removal = |&span: &Span| TextEdit::new(span, String::new());
            inserted.edits.extend(removed.iter().map(removal));
            let is_meta = |edit: &TextEdit| {
                let removed = &text[edit.span.start..edit.span.end];
                let is_in = |part: &str| find_ignore_case(part.as_bytes(), b"<meta").is_some();
                is_in(removed) || is_in(&edit.replacement)
            };
            stats.edits_meta = inserted.edits.iter().any(is_meta);
        }
        let mut visitor = LinkVisitor::new(&resolver, decider.reborrow(), &mut stats);
        let mut declared_encoding;
        let mut inserted_base = resolver.inserted_base();
        sink.begin();
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
                removed: &removed,
                ..visitor.segment(text, tokens, &span_mapper, source.skeleton())
            };
            // The first segment contains HEAD.
            if let Some(url) = inserted_base.take()
                && let Some(edit) = insert_base(settings, text, tokens, &url)
                // The offset may have no counterpart in the document, for example between two characters of one byte
                // sequence.
                && span_mapper.source_span(edit.span).is_some()
            {
                inserted.edits.insert(0, edit);
            }
            if !inserted.edits.is_empty() {
                sink.push(&segment, None, &mut inserted)?;
            }
            if let Some(value) = document.kind.value() {
                let mut collected = Collected::default();
                let links = &mut collected.links;
                collected.edits = visitor.visit_document_value(text, value, &span_mapper, links);
                sink.push(&segment, None, &mut collected)?;
            } else {
                visitor.visit_any(&segment, sink)?;
            }
            if visitor.stats.is_unsupported() {
                segments.check_rest()?;
                break;
            }
            match segments.next_segment(false)? {
                Some(next) => tokens = next,
                None => break,
            }
        }
        if let Some(reason) = stats.unsupported {
            return Err(reason.into());
        }
        Ok(PassSummary {
            bases,
            stats,
            declared_encoding,
            encoding,
            bail_out: token_source.bail_out,
        })
    }
}
