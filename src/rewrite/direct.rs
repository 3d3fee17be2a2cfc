//! Rewriting straight into the output, where nobody asks about single links: for the links that most pages have most of,
//! nothing is kept but a count.
//!
//! What is not plain goes the same way as in [`super::markup`]; the result is the same, which is tested.

use std::borrow::Cow;

use encoding_rs::UTF_8;
use memchr::memmem;

use super::bases::Bases;
use super::bytes::{self, reads_as};
use super::document::Kind;
use super::edit::TextEdit;
use super::judge::Judge;
use super::markup::{Element, META};
use super::outcome::{Findings, Judged, Remarks};
use super::plain::Plain;
use super::settings::BaseElementPolicy;
use super::value::{Decide, Walk, Whereabouts};
use super::{Document, Rewriter, Rewritten};
use crate::encoding::{self, MASK};
use crate::grammar::ValueOf;
use crate::html::encoding::{Confidence, Undecoded};
use crate::html::reading::{Declared, Reading, Text, TextKind};
use crate::html::scan::Parts;
use crate::html::{self, BailOut, Reader, tap};
use crate::link::{FoundRow, KnownRows, Preset, Rule, Selection, TEXT};
use crate::span::Span;
use crate::splice::Splicer;

/// Rewrites the links of `document`, of which only those that are skipped are recorded.
pub(super) fn rewrite<'d>(settings: &Rewriter, document: &Document<'d>) -> Rewritten<'d> {
    if let Some(rewritten) = rewritten_directly(settings, document) {
        return rewritten;
    }
    let mut rewritten = bytes::rewrite(settings, document, Decide::Resolve);
    rewritten.keep_skipped();
    rewritten
}

/// As [`rewrite`], for documents whose structure stands in them as it is; `None` if this is none, or something
/// about it asks for a second look.
fn rewritten_directly<'d>(settings: &Rewriter, document: &Document<'d>) -> Option<Rewritten<'d>> {
    let is_html = document.kind == Kind::Html;
    if !is_html || settings.base_element == BaseElementPolicy::Insert {
        return None;
    }
    let undecoded = html::encoding::undecoded(document.bytes, document.encoding);
    let body = &document.bytes[undecoded.mark_length..];
    if body.len() > tap::LONGEST_TEXT {
        return None;
    }
    let is_utf_8 = undecoded.encoding == UTF_8;
    let text = is_utf_8.then(|| simdutf8::basic::from_utf8(body).ok());
    let direct = if let Some(text) = text.flatten() {
        direct(settings, document, &undecoded, Masking::Plain(text))?
    } else if undecoded.encoding.is_ascii_compatible() {
        let text = encoding::masked(body);
        let direct = direct(settings, document, &undecoded, Masking::Masked(&text))?;
        Direct {
            findings: direct.findings.into_owned(),
            ..direct
        }
    } else {
        return None;
    };
    Some(Rewritten {
        bytes: direct
            .bytes
            .map_or(Cow::Borrowed(document.bytes), Cow::Owned),
        edits: Vec::new(),
        edited: direct.edited,
        findings: direct.findings,
    })
}

/// What rewriting directly gives.
struct Direct<'t> {
    /// The document, if it was changed.
    bytes: Option<Vec<u8>>,
    edited: usize,
    findings: Findings<'t>,
}

/// The text of a document.
#[derive(Clone, Copy)]
enum Masking<'t> {
    /// As it is.
    Plain(&'t str),
    /// With [`MASK`] for what is not ASCII: it is not in UTF-8, or not all of it.
    Masked(&'t str),
}

impl<'t> Masking<'t> {
    fn text(self) -> &'t str {
        match self {
            Self::Plain(text) | Self::Masked(text) => text,
        }
    }

    fn is_masked(self) -> bool {
        matches!(self, Self::Masked(_))
    }
}

/// Rewrites `document`, whose text is `text`.
fn direct<'t>(
    settings: &Rewriter,
    document: &Document<'_>,
    undecoded: &Undecoded,
    text: Masking<'t>,
) -> Option<Direct<'t>> {
    let scanned = match settings.reader {
        Reader::Fast => {
            let parts = Parts::new(text.text(), settings.selection.names());
            let mut source = Source::Parts(Box::new(parts));
            from_parts(settings, document, undecoded, text, &mut source).map_err(Some)
        }
        Reader::Reference => Err(None),
    };
    let bail_out = match scanned {
        Ok(direct) => return Some(direct),
        Err(Some(Stop::SecondLook)) => return None,
        // In the text that is not masked there may be no reason for it.
        Err(Some(Stop::Tree(_))) if text.is_masked() => return None,
        Err(Some(Stop::Tree(bail_out))) => Some(bail_out),
        Err(None) => None,
    };
    let mut whole = Source::Whole {
        reading: tap::read(text.text()),
        is_given: false,
    };
    let mut direct = from_parts(settings, document, undecoded, text, &mut whole).ok()?;
    direct.findings.bail_out = bail_out;
    Some(direct)
}

/// Where the parts of a document come from.
enum Source<'t, 'n> {
    Parts(Box<Parts<'t, 'n>>),
    /// There is but one.
    Whole {
        reading: Reading<'t>,
        is_given: bool,
    },
}

/// As [`direct`], where `source` gives what was read of the text, if it can be read.
fn from_parts<'t>(
    settings: &Rewriter,
    document: &Document<'_>,
    undecoded: &Undecoded,
    text: Masking<'t>,
    source: &mut Source<'t, '_>,
) -> Result<Direct<'t>, Stop> {
    let Undecoded {
        encoding,
        mark_length,
        confidence,
        ..
    } = *undecoded;
    let (text, is_masked) = (text.text(), text.is_masked());
    if is_masked && Page::hides_structure(text, &settings.selection) {
        return Err(Stop::SecondLook);
    }
    let locate = |span: Span| Some(Span::new(span.start + mark_length, span.end + mark_length));
    let site = Whereabouts {
        locate: Some(&locate),
        ascii_only: encoding::lacks_characters(encoding),
    };
    let Some(mut reading) = source.next()? else {
        return Err(Stop::SecondLook);
    };
    let mut declares;
    let bases = Bases::establish(&reading.base_elements, &document.candidates, settings);
    let judge = Judge::new(settings, &bases, &document.candidates, encoding);
    let mut walk = Walk::new(&judge, Decide::Resolve);
    let mut links = Vec::new();
    let (mark, body) = document.bytes.split_at(mark_length);
    let mut output = Splicer::new(body, body.len() / 8);
    loop {
        let page = Page {
            text,
            is_masked,
            reading,
            site,
        };
        page.check()?;
        walk.page(&page, &mut links, &mut output)?;
        declares = reading.declared_encoding;
        match source.next()? {
            Some(next) => reading = next,
            None => break,
        }
    }
    if confidence == Confidence::Tentative && !declares.allows(encoding) {
        return Err(Stop::SecondLook);
    }
    let edited = output.count();
    let bytes = (edited > 0).then(|| output.finish(mark));
    if let Some(bytes) = &bytes {
        let read = || {
            let (text, _) = encoding.decode_without_bom_handling(&bytes[mark_length..]);
            text.into_owned()
        };
        let declares = if walk.edits_meta || confidence == Confidence::Certain {
            Declared::Unknown
        } else {
            declares
        };
        let is_known =
            !is_masked && !walk.edits_meta && undecoded.is_that_of(bytes, document.bytes);
        if !is_known && !reads_as(document, bytes, encoding, declares, read) {
            return Err(Stop::SecondLook);
        }
    }
    Ok(Direct {
        bytes,
        edited,
        findings: Findings {
            base: bases.document,
            counts: walk.counts,
            links,
            unread: None,
            unwritten: None,
            tags: walk.tags,
            unread_tags: walk.unread_tags,
            bail_out: None,
            remarks: Remarks::default(),
        },
    })
}

impl<'t> Source<'t, '_> {
    /// The next part.
    fn next(&mut self) -> Result<Option<&Reading<'t>>, BailOut> {
        match self {
            Self::Parts(parts) => parts.next(),
            Self::Whole { reading, is_given } => {
                let is_new = !std::mem::replace(is_given, true);
                Ok(is_new.then_some(&*reading))
            }
        }
    }
}

/// Why a document is not rewritten directly, as it was read.
enum Stop {
    /// A tree is needed to read it.
    Tree(BailOut),
    SecondLook,
}

impl From<BailOut> for Stop {
    fn from(bail_out: BailOut) -> Self {
        Self::Tree(bail_out)
    }
}

impl From<SecondLook> for Stop {
    fn from(_: SecondLook) -> Self {
        Self::SecondLook
    }
}

/// What stands in the way of rewriting a document like that: edits out of order, of which only a list can be sorted, or
/// something that matters in characters that a masked text does not have.
pub(super) struct SecondLook;

/// A document that is rewritten directly.
pub(super) struct Page<'p, 't> {
    pub(super) text: &'t str,
    /// Whether [`MASK`] stands for what the text says.
    pub(super) is_masked: bool,
    pub(super) reading: &'p Reading<'t>,
    pub(super) site: Whereabouts<'p>,
}

impl Page<'_, '_> {
    /// Whether names, and all that BASE says, are known.
    pub(super) fn check(&self) -> Result<(), SecondLook> {
        let mut tags = self.reading.start_tags.iter();
        let attributes = || {
            let bases = self.reading.base_elements.iter();
            bases.flat_map(|base| &base.attributes)
        };
        if self.is_masked
            && (tags.any(|tag| tag.name.contains(MASK))
                || attributes().any(|one| one.name.contains(MASK) || one.value.contains(MASK)))
        {
            return Err(SecondLook);
        }
        Ok(())
    }

    /// Whether it matters what `text`, which is masked, does not say: of the user's own rows; or because something that
    /// may begin or end markup may be the second half of a character. A bracket is the only such byte; and there may be
    /// white space beyond ASCII before a conditional comment.
    pub(super) fn hides_structure(text: &str, selection: &Selection) -> bool {
        let has = |part: &str| memmem::find(text.as_bytes(), part.as_bytes()).is_some();
        !selection.is_told_by_ascii()
            || (has("<![CDATA[") && has("\u{7f}]]>"))
            || (selection.has(Preset::Comments) && has("[if"))
    }

    /// Whether what is written can be written in the encoding, and what stands around it is not read in another way then:
    /// what is taken out may have been between the halves of a character.
    fn may_write(&self, edit: &TextEdit) -> bool {
        let before = &self.text[..edit.span.start];
        let behind = &self.text[edit.span.end..];
        // A digit may be the second byte of four.
        let open = before.strip_suffix(|last: char| last.is_ascii_digit());
        let is_apart = !before.ends_with(MASK)
            && !open.is_some_and(|open| open.ends_with(MASK))
            && !behind.starts_with(MASK);
        !self.is_masked || (edit.replacement.is_ascii() && is_apart)
    }

    /// Whether a part of the text says what the document says there.
    fn says(&self, span: Span) -> bool {
        !self.is_masked || !self.text[span.start..span.end].contains(MASK)
    }

    /// Whether the text of an element says what the document says there.
    fn says_text(&self, text: &Text) -> bool {
        match &text.kind {
            // Its parts stand elsewhere, too.
            TextKind::Scattered(whole) => !self.is_masked || !whole.contains(MASK),
            TextKind::Raw | TextKind::Foreign => self.says(text.span),
        }
    }
}

impl<'w> Walk<'w> {
    /// Rewrites `page` into `output`; the links that are skipped are added to `links`.
    pub(super) fn page<'t>(
        &mut self,
        page: &Page<'_, 't>,
        links: &mut Vec<Judged<'t>>,
        output: &mut Splicer<'_>,
    ) -> Result<(), SecondLook> {
        let Page {
            text,
            reading,
            site,
            ..
        } = *page;
        self.tags += reading.tags;
        self.unread_tags += reading.mismatches;
        let has_comments = self.judge.settings.selection.has(Preset::Comments);
        let mut comments = reading
            .conditional_comments
            .iter()
            .copied()
            .filter(|_| has_comments)
            .peekable();
        let mut rows = KnownRows::new(&self.judge.settings.selection);
        let mut edits = Vec::new();
        let mut plain = Vec::new();
        for tag in &reading.start_tags {
            while let Some(comment) = comments.next_if(|comment| comment.end <= tag.span.start) {
                self.comment_of_page(page, comment, links, &mut edits)?;
                self.write(page, links, &mut edits, output)?;
            }
            let element = Element {
                text,
                reading,
                tag,
                site,
            };
            let before = output.count();
            for attribute in reading.attributes(tag) {
                if !attribute.may_be_link {
                    continue;
                }
                let found = rows.find(reading, tag, attribute);
                match self.judge.plain(text, attribute, found) {
                    Some(Plain::Nothing) => {}
                    Some(Plain::Absolute(_)) => self.counts.absolute += 1,
                    Some(Plain::Resolved(span, target))
                        if output.replace(target.replaced(span), target.head.as_bytes()) =>
                    {
                        self.counts.resolved += 1;
                    }
                    Some(Plain::Resolved(..)) => return Err(SecondLook),
                    None if attribute.stands_alone_in_quotes()
                        && self.plain_list(
                            page,
                            (attribute.value, ValueOf::Attribute),
                            found.rule(),
                            &mut plain,
                            output,
                        )? => {}
                    None => {
                        let codebase = reading.attribute(tag, "codebase");
                        let says = page.says(attribute.value)
                            && codebase.is_none_or(|codebase| page.says(codebase.value));
                        if !says && self.is_link(&element, &attribute.name) {
                            return Err(SecondLook);
                        }
                        self.attribute(&element, attribute, found, links, &mut edits);
                        self.write(page, links, &mut edits, output)?;
                    }
                }
            }
            self.edits_meta |= output.count() > before && tag.name == META;
            if let Some(content) = &tag.text {
                let found = rows.find_text(reading, tag);
                if let FoundRow::Nothing = found {
                    continue;
                }
                let rule = self.rule_of_text(&element, found);
                if content.kind == TextKind::Raw
                    && self.plain_list(
                        page,
                        (content.span, ValueOf::Text),
                        rule,
                        &mut plain,
                        output,
                    )?
                {
                    continue;
                }
                if !page.says_text(content) && self.is_link(&element, TEXT) {
                    return Err(SecondLook);
                }
                self.text(&element, content, found, links, &mut edits);
                self.write(page, links, &mut edits, output)?;
            }
        }
        for comment in comments {
            self.comment_of_page(page, comment, links, &mut edits)?;
            self.write(page, links, &mut edits, output)?;
        }
        Ok(())
    }

    /// Rewrites the value of several references at `span`, if all of them are plain; whether that is so. `plain` is for
    /// being used again.
    fn plain_list<'p>(
        &mut self,
        page: &Page<'_, 'p>,
        (span, of): (Span, ValueOf),
        rule: Option<Rule>,
        plain: &mut Vec<Plain<'p>>,
        output: &mut Splicer<'_>,
    ) -> Result<bool, SecondLook>
    where
        'w: 'p,
    {
        let judge = self.judge;
        let is_plain = match rule {
            Some(rule) if !page.is_masked => judge.plain_list(page.text, span, rule, of, plain),
            _ => None,
        };
        if is_plain.is_none() {
            return Ok(false);
        }
        for one in plain.drain(..) {
            match one {
                Plain::Nothing => {}
                Plain::Absolute(_) => self.counts.absolute += 1,
                Plain::Resolved(span, target) => {
                    if !output.replace(target.replaced(span), target.head.as_bytes()) {
                        return Err(SecondLook);
                    }
                    self.counts.resolved += 1;
                }
            }
        }
        Ok(true)
    }

    fn comment_of_page<'t>(
        &mut self,
        page: &Page<'_, 't>,
        comment: Span,
        links: &mut Vec<Judged<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), SecondLook> {
        if !page.says(comment) {
            return Err(SecondLook);
        }
        self.comment(page.text, comment, page.site, links, edits);
        Ok(())
    }

    /// Writes what is to be edited, and of the links counts those that are not skipped.
    fn write(
        &mut self,
        page: &Page<'_, '_>,
        links: &mut Vec<Judged<'_>>,
        edits: &mut Vec<TextEdit>,
        output: &mut Splicer<'_>,
    ) -> Result<(), SecondLook> {
        self.counts.take_up(links);
        for edit in edits.drain(..) {
            if !page.may_write(&edit) || !output.replace(edit.span, edit.replacement.as_bytes()) {
                return Err(SecondLook);
            }
        }
        Ok(())
    }
}
