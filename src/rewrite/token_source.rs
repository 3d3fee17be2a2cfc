//! [`TokenSource`]: the tokens of a document from the reader of its kind, or from the next reader if that gives up.
//!
//! It opens the reader of a document in memory; [`super::chunk`] opens those of a stream.

use super::budget::LinkBudget;
use super::fallback::Fallback;
use super::source_text::SourceText;
use crate::document::{Document, DocumentKind};
use crate::html::scan::{self, Segments};
use crate::html::tap::WorkLimits;
use crate::html::{BailOut, Parsed, Reader};
use crate::json_feed;
use crate::markup::BaseElement;
use crate::markup::tokens::Tokens;
use crate::reference::Profile;
use crate::settings::RewriteSettings;
use crate::unsupported::{IllFormedReason, Unsupported};
use crate::xml::{self, ReadOptions, XmlSegments};

/// The tokens of a document, segment by segment.
pub(super) struct TokenSource<'t, 'p> {
    settings: &'p RewriteSettings,
    text: &'t str,
    /// Whether the text is not a skeleton.
    is_exact: bool,
    /// The budget of a visit of the document: all but the steps that its own tokens took.
    pub(super) budget: LinkBudget,
    pub(super) segments: TokenSegments<'t, 'p>,
    /// All BASE elements, if they are not those of the first segment.
    pub(super) bases: Option<Vec<BaseElement>>,
    /// The reason why the scanner bailed out, if it did and html5ever parsed the text instead.
    pub(super) bail_out: Option<BailOut>,
}

/// The segments from the current one.
pub(super) enum TokenSegments<'t, 'p> {
    /// The scanner.
    Html(Box<Segments<'t, 'p>>),
    /// The reader of XML.
    Xml(Box<XmlSegments<'t, 'p>>),
    /// The tokens of the whole text as a single segment.
    Whole(Tokens<'t>),
}

impl<'t, 'p> TokenSource<'t, 'p> {
    /// Returns the tokens of `text`, which is that of `source`; with `is_whole` as a single segment.
    ///
    /// # Errors
    /// The document cannot be read.
    pub(super) fn open(
        settings: &'p RewriteSettings,
        document: &Document<'_>,
        text: &'t str,
        source: &SourceText<'_>,
        is_whole: bool,
    ) -> Result<Self, Fallback> {
        let length = document.bytes.len();
        let mut opened = Self {
            settings,
            text,
            is_exact: source.skeleton().is_none(),
            budget: LinkBudget::new(&settings.limits, length, document.placement),
            segments: TokenSegments::Whole(Tokens::default()),
            bases: None,
            bail_out: None,
        };
        match document.kind {
            DocumentKind::Html if is_whole => opened.parse(settings.reader)?,
            DocumentKind::Html => {
                let segments = Segments::new(text, settings.selection.names());
                opened.segments = TokenSegments::Html(Box::new(segments));
            }
            // A value has no tokens.
            DocumentKind::StyleSheet => {}
            DocumentKind::Xml => {
                // XML 1.0, section 4.3.3: malformed bytes are a fatal error.
                if !settings.is_lenient() && source.has_malformed_bytes(document) {
                    let offset = text.find(char::REPLACEMENT_CHARACTER).unwrap_or_default();
                    return Err(xml::ill_formed(text, offset, IllFormedReason::Encoding).into());
                }
                let few_tags = settings.chunk_len.map(|length| length / 16);
                opened.read_xml(if is_whole { Some(usize::MAX) } else { few_tags });
            }
            DocumentKind::JsonFeed => {
                // RFC 8259, section 8.1: JSON is in UTF-8.
                if source.has_malformed_bytes(document) {
                    return Err(Unsupported::NotJsonFeed.into());
                }
                opened.segments = TokenSegments::Whole(json_feed::read(text)?);
            }
        }
        Ok(opened)
    }

    /// Starts over with the reader that follows if a visit failed with `fallback`.
    ///
    /// # Errors
    /// That reader fails, or there is none: returns `fallback` then, or the one by which a skeleton is given up.
    pub(super) fn reopen(&mut self, mut fallback: Fallback) -> Result<(), Fallback> {
        if let Fallback::BailedOut(BailOut::BaseAfterHead) = fallback {
            let names = self.settings.selection.names();
            match scan::base_elements(self.text, names) {
                Ok(bases) => {
                    let segments = Segments::with_known_bases(self.text, names);
                    self.segments = TokenSegments::Html(Box::new(segments));
                    self.bases = Some(bases);
                    return Ok(());
                }
                Err(reason) => fallback = reason.into(),
            }
        }
        match fallback {
            Fallback::LateBase => self.read_xml(Some(usize::MAX)),
            // A bail-out on a skeleton may be caused by the masks.
            Fallback::BailedOut(reason) if self.is_exact => {
                self.parse(Reader::Html5ever)?;
                self.bases = None;
                self.bail_out = Some(reason);
            }
            // The document may have another error than its skeleton, or none.
            Fallback::Unsupported(_) if !self.is_exact => return Err(Fallback::Collect),
            _ => return Err(fallback),
        }
        Ok(())
    }

    /// Reads the text as XML, in segments of that many start tags.
    fn read_xml(&mut self, segment_tags: Option<usize>) {
        let segments = XmlSegments::new(self.text, segment_tags, self.settings.xml_options());
        self.segments = TokenSegments::Xml(Box::new(segments));
    }

    /// Parses the text as HTML with `reader`.
    fn parse(&mut self, reader: Reader) -> Result<(), Fallback> {
        let max_kept = self.budget.links();
        let parsed = self
            .settings
            .parse(reader, self.text, max_kept, &mut self.budget)?;
        self.segments = TokenSegments::Whole(parsed.tokens);
        self.bail_out = parsed.bail_out;
        Ok(())
    }
}

impl<'t> TokenSegments<'t, '_> {
    /// Returns the tokens of the next segment, which may be the first one, or `None` at the end of the document.
    ///
    /// # Errors
    /// The scanner bails out, or the reader of XML fails. Everything that they yielded before is invalid.
    pub(super) fn next_segment(&mut self, is_first: bool) -> Result<Option<&Tokens<'t>>, Fallback> {
        match self {
            Self::Html(segments) => Ok(segments.next_segment()?),
            Self::Xml(segments) => Ok(segments.next_segment()?),
            Self::Whole(tokens) => Ok(is_first.then_some(tokens)),
        }
    }

    /// Checks the rest of an XML document: an error in it is reported rather than a limit that links exceed.
    pub(super) fn check_rest(&mut self) -> Result<(), Fallback> {
        if let Self::Xml(segments) = self {
            while segments.next_segment()?.is_some() {}
        }
        Ok(())
    }
}

impl RewriteSettings {
    /// Parses `text` as an HTML document, keeping the attributes that the selection of links needs, at
    /// most `max_kept`. Spends the steps of html5ever.
    ///
    /// # Errors
    /// [`Unsupported::LimitExceeded`].
    pub(super) fn parse<'t>(
        &self,
        reader: Reader,
        text: &'t str,
        max_kept: usize,
        budget: &mut LinkBudget,
    ) -> Result<Parsed<'t>, Unsupported> {
        let mut limits = WorkLimits::new(&self.limits, budget.steps, max_kept);
        let parsed = reader.read(text, self.selection.names(), &mut limits);
        budget.steps = limits.steps();
        parsed
    }

    /// Reads `text` as the text of a NOSCRIPT element, keeping the attributes that the selection of links needs. Spends
    /// the steps of html5ever.
    ///
    /// # Errors
    /// [`Unsupported::LimitExceeded`].
    pub(super) fn parse_noscript<'t>(
        &self,
        text: &'t str,
        budget: &mut LinkBudget,
    ) -> Result<Tokens<'t>, Unsupported> {
        let mut limits = WorkLimits::new(&self.limits, budget.steps, usize::MAX);
        let names = self.selection.names();
        let tokens = self.reader.read_noscript(text, names, &mut limits);
        budget.steps = limits.steps();
        tokens
    }

    /// Returns the settings of the reader of XML.
    pub(super) fn xml_options(&self) -> ReadOptions<'_> {
        ReadOptions {
            names: self.selection.names(),
            // DIFFERENCE: browsers do not implement XML Base. See `xml_base_has_no_effect_in_browsers`.
            honors_xml_base: self.profile != Profile::Whatwg,
            is_lenient: self.is_lenient(),
        }
    }
}
