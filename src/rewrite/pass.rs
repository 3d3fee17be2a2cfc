//! Going once through a document whose structure stands in its bytes as it is, part by part: what is found goes to a
//! [`Sink`].

use std::mem;

use encoding_rs::{Encoding, UTF_8};

use super::bases::DocumentBases;
use super::resolve::LinkResolver;
use super::segment::{NeedsSlowPath, Segment, SkeletonSource, hides_markup};
use super::sink::Sink;
use super::value::{LinkVisitor, SpanMapper};
use super::{Document, Rewriter};
use crate::encoding;
use crate::html::encoding::{Confidence, Detected};
use crate::html::scan::Segments;
use crate::html::tokens::{MetaDeclaration, Tokens};
use crate::html::{self, BailOut, Reader, tap};
use crate::span::Span;

/// The text of a document, but for what stands for its encoding at its beginning.
pub(super) enum DocumentText<'d> {
    /// As it is.
    Utf8(&'d str),
    /// With [`MASK`](encoding::MASK) for what is not ASCII: it is not in UTF-8, or not all of it.
    Skeleton(String),
}

impl<'d> DocumentText<'d> {
    pub(super) fn of(document: &Document<'d>, detected: &Detected) -> Result<Self, Fallback> {
        let body = &document.bytes[detected.bom_len..];
        if body.len() > tap::LONGEST_TEXT {
            return Err(Fallback::SlowPath);
        }
        let is_utf_8 = detected.encoding == UTF_8;
        let text = is_utf_8.then(|| simdutf8::basic::from_utf8(body).ok());
        if let Some(text) = text.flatten() {
            Ok(Self::Utf8(text))
        } else if detected.encoding.is_ascii_compatible() {
            Ok(Self::Skeleton(encoding::masked(body)))
        } else {
            Err(Fallback::SlowPath)
        }
    }
}

/// Why a document is not gone through as it was read.
pub(super) enum Fallback {
    /// A tree is needed to read it.
    Tree(BailOut),
    /// It declares this encoding.
    Encoding(&'static Encoding),
    SlowPath,
}

impl From<BailOut> for Fallback {
    fn from(bail_out: BailOut) -> Self {
        Self::Tree(bail_out)
    }
}

impl From<NeedsSlowPath> for Fallback {
    fn from(_: NeedsSlowPath) -> Self {
        Self::SlowPath
    }
}

/// A document, and what it is gone through for.
pub(super) struct Pass<'p, 'd> {
    pub(super) settings: &'p Rewriter,
    pub(super) document: &'p Document<'d>,
    pub(super) detected: &'p Detected,
}

/// What is known of a document behind its end.
pub(super) struct PassSummary {
    pub(super) bases: DocumentBases,
    pub(super) tags: usize,
    pub(super) mismatched_tags: usize,
    pub(super) repeats: Vec<Span>,
    /// Whether an attribute of a `meta` element is edited.
    pub(super) edits_meta: bool,
    /// The encoding that `meta` elements declare.
    pub(super) declares: MetaDeclaration,
    pub(super) bail_out: Option<BailOut>,
}

impl Pass<'_, '_> {
    /// Gives all that is found in `text`, that of the document, to `sink`; it `is_masked`, or it says all that the document
    /// says. What `sink` has taken up does not count if there is a reason to stop.
    pub(super) fn through<'t, S: Sink<'t>>(
        &self,
        text: &'t str,
        is_masked: bool,
        sink: &mut S,
    ) -> Result<PassSummary, Fallback> {
        let bail_out = if self.settings.reader == Reader::Fast {
            let parts = Segments::new(text, self.settings.selection.names());
            match self.parts(
                text,
                is_masked,
                TokenSource::Segments(Box::new(parts)),
                sink,
            ) {
                // In the text that is not masked there may be no reason for it.
                Err(Fallback::Tree(bail_out)) if !is_masked => Some(bail_out),
                result => return result,
            }
        } else {
            None
        };
        let whole = TokenSource::Whole {
            tokens: tap::read(text),
            is_given: false,
        };
        let passed = self.parts(text, is_masked, whole, sink)?;
        Ok(PassSummary { bail_out, ..passed })
    }

    /// The same, as `source` reads it.
    fn parts<'t, S: Sink<'t>>(
        &self,
        text: &'t str,
        is_masked: bool,
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
        if is_masked && hides_markup(text, &settings.selection, false) {
            return Err(Fallback::SlowPath);
        }
        let locate = |span: Span| Some(span.from(bom_len));
        let site = SpanMapper {
            locate: Some(&locate),
            ascii_only: encoding::lacks_characters(encoding),
        };
        let masked = is_masked.then_some(SkeletonSource {
            bytes: &document.bytes[bom_len..],
            encoding,
        });
        let Some(mut tokens) = source.next()? else {
            return Err(Fallback::SlowPath);
        };
        let mut declares = MetaDeclaration::Nothing;
        let mut found = MetaDeclaration::Nothing;
        let bases = DocumentBases::establish(&tokens.base_elements, &document.candidates, settings);
        let resolver = LinkResolver::new(settings, &bases, &document.candidates, encoding);
        let mut walk = LinkVisitor::new(&resolver, sink.decide());
        sink.begin(resolver.document.as_ref().map(|own| &own.base));
        loop {
            if found != tokens.declared_encoding {
                found = tokens.declared_encoding;
                declares = match confidence {
                    Confidence::Tentative => html::encoding::late_declared(document.bytes, found),
                    Confidence::Declared | Confidence::Certain => found,
                };
            }
            if let Some(other) = declares.other_than(encoding)
                && confidence == Confidence::Tentative
            {
                return Err(Fallback::Encoding(other));
            }
            let segment = Segment {
                text,
                masked,
                tokens,
                site,
            };
            segment.check()?;
            walk.segment(&segment, sink)?;
            match source.next()? {
                Some(next) => tokens = next,
                None => break,
            }
        }
        Ok(PassSummary {
            tags: walk.tags,
            mismatched_tags: walk.mismatched_tags,
            repeats: walk.repeats,
            edits_meta: walk.edits_meta,
            declares,
            bail_out: None,
            bases,
        })
    }
}

/// Where the parts of a document come from.
enum TokenSource<'t, 'n> {
    Segments(Box<Segments<'t, 'n>>),
    /// There is but one.
    Whole {
        tokens: Tokens<'t>,
        is_given: bool,
    },
}

impl<'t> TokenSource<'t, '_> {
    /// The next part.
    fn next(&mut self) -> Result<Option<&Tokens<'t>>, BailOut> {
        match self {
            Self::Segments(parts) => parts.next(),
            Self::Whole { tokens, is_given } => {
                let is_new = !mem::replace(is_given, true);
                Ok(is_new.then_some(&*tokens))
            }
        }
    }
}
