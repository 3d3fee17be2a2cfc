//! [`Retain`]: from links of a text that may be temporary to links of a report.

use std::borrow::Cow;

use super::source_text::Skeleton;
use crate::html::charref;
use crate::outcome::report::LinkReport;
use crate::span::Span;

/// Makes links that borrow from a text that lives for `'t` links of a report that lives for `'r`.
pub(super) trait Retain<'t, 'r> {
    /// Returns the link, copied where it borrows from the text.
    fn link(&self, link_report: LinkReport<'t>) -> LinkReport<'r>;

    /// Returns the simple reference at `span` of `text`, decoded.
    ///
    /// Returns `None` if it cannot be decoded without the text around it.
    fn reference(&self, text: &'t str, span: Span, spelling: Spelling) -> Option<Cow<'r, str>>;
}

/// Borrows from a text that lives as long as the document.
pub(super) struct BorrowText;

impl<'r> Retain<'r, 'r> for BorrowText {
    #[inline]
    fn link(&self, link_report: LinkReport<'r>) -> LinkReport<'r> {
        link_report
    }

    #[inline]
    fn reference(&self, text: &'r str, span: Span, spelling: Spelling) -> Option<Cow<'r, str>> {
        Some(spelling.decode(&text[span.start..span.end]))
    }
}

/// Copies from a text that is dropped before the report.
pub(super) struct CopyText;

impl<'t, 'r> Retain<'t, 'r> for CopyText {
    fn link(&self, link_report: LinkReport<'t>) -> LinkReport<'r> {
        link_report.into_owned()
    }

    fn reference(&self, text: &'t str, span: Span, spelling: Spelling) -> Option<Cow<'r, str>> {
        let reference = spelling.decode(&text[span.start..span.end]);
        Some(Cow::Owned(reference.into_owned()))
    }
}

/// Borrows from the bytes that a skeleton was made from, where they are ASCII.
impl<'t, 'r> Retain<'t, 'r> for Skeleton<'r> {
    fn link(&self, link_report: LinkReport<'t>) -> LinkReport<'r> {
        link_report.into_owned()
    }

    fn reference(&self, _: &'t str, span: Span, spelling: Spelling) -> Option<Cow<'r, str>> {
        Some(match Skeleton::reference(self, span)? {
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
