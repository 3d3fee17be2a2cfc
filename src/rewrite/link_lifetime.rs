//! [`Retain`]: from links of a text that may be temporary to links of a report.

use std::borrow::Cow;

use super::source_text::Skeleton;
use crate::encoding::MASK;
use crate::html::charref;
use crate::record::LinkReport;
use crate::span::Span;

/// The conversion from links of a text, which lives for `'t`, to links of a report, which lives for `'r`.
///
/// This is one type with three constructors and not a trait, so that a pass is compiled once for all of them.
#[derive(Clone, Copy)]
pub(super) struct Retain<'t, 'r> {
    /// Returns the link, copied where it borrows from the text.
    pub(super) link: fn(LinkReport<'t>) -> LinkReport<'r>,
    reference_source: ReferenceSource<'r>,
}

/// The place that references of a report are taken from.
#[derive(Clone, Copy)]
enum ReferenceSource<'r> {
    /// The text lives as long as the report, which borrows from it. If it is a skeleton, references that contain a mask
    /// come from that.
    Text(&'r str, Option<Skeleton<'r>>),
    /// The report borrows from the bytes that the skeleton was made from, where they are ASCII.
    Skeleton(Skeleton<'r>),
    /// The text is dropped before the report, so references are copied.
    Copy,
}

impl<'r> Retain<'r, 'r> {
    /// Borrows from `text`, which is all of the text.
    pub(super) fn borrowing(text: &'r str) -> Self {
        Self {
            link: |link_report| link_report,
            reference_source: ReferenceSource::Text(text, None),
        }
    }

    /// Borrows from `text`, which is all of the text, and where `skeleton` masks it from the bytes of that.
    pub(super) fn borrowing_masked(text: &'r str, skeleton: Skeleton<'r>) -> Self {
        Self {
            reference_source: ReferenceSource::Text(text, Some(skeleton)),
            ..Self::borrowing(text)
        }
    }
}

impl<'r> Retain<'_, 'r> {
    /// Borrows from the bytes that `skeleton` was made from.
    pub(super) fn from_skeleton(skeleton: Skeleton<'r>) -> Self {
        Self {
            link: LinkReport::into_owned,
            reference_source: ReferenceSource::Skeleton(skeleton),
        }
    }

    /// Copies from the text.
    pub(super) fn copying() -> Self {
        Self {
            link: LinkReport::into_owned,
            reference_source: ReferenceSource::Copy,
        }
    }

    /// Returns the simple reference at `span` of `text`, decoded.
    ///
    /// Returns `None` if it cannot be decoded without the text around it.
    #[inline]
    pub(super) fn reference(
        &self,
        text: &str,
        span: Span,
        spelling: Spelling,
    ) -> Option<Cow<'r, str>> {
        if let ReferenceSource::Text(whole, skeleton) = self.reference_source {
            debug_assert_eq!(text.as_ptr(), whole.as_ptr(), "a text of another segment");
            let raw = &whole[span.start..span.end];
            if skeleton.is_none() || !raw.contains(MASK) {
                return Some(spelling.decode(raw));
            }
        }
        self.reference_from_elsewhere(text, span, spelling)
    }

    /// The part of [`reference`](Self::reference) for texts that the report does not borrow from.
    #[cold]
    fn reference_from_elsewhere(
        &self,
        text: &str,
        span: Span,
        spelling: Spelling,
    ) -> Option<Cow<'r, str>> {
        let raw = match self.reference_source {
            ReferenceSource::Skeleton(skeleton) | ReferenceSource::Text(_, Some(skeleton)) => {
                skeleton.reference(span)?
            }
            ReferenceSource::Copy | ReferenceSource::Text(_, None) => {
                Cow::Owned(text[span.start..span.end].to_owned())
            }
        };
        Some(match raw {
            Cow::Borrowed(raw) => spelling.decode(raw),
            Cow::Owned(raw) => Cow::Owned(spelling.decode(&raw).into_owned()),
        })
    }
}

/// The spelling of a simple reference.
#[derive(Clone, Copy)]
pub(super) enum Spelling {
    /// Every character is literal.
    Literal,
    /// The reference contains `&` (bare or as `&amp;`), U+000D or U+0000.
    AmpReferences,
}

impl Spelling {
    /// Decodes `raw`, which must be a part of the reference as written.
    #[inline]
    pub(super) fn decode(self, raw: &str) -> Cow<'_, str> {
        match self {
            Self::Literal => Cow::Borrowed(raw),
            Self::AmpReferences => charref::decode(raw, 0).text,
        }
    }
}
