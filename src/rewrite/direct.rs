//! Rewriting straight into the output, where nobody asks about single links: for the links that most pages have most of,
//! nothing is kept but a count. A document is read and rewritten part by part; and so it is where its links are asked for,
//! and nothing is rewritten.
//!
//! The result is the same as that of [`super::bytes`], which is tested.

use std::borrow::Cow;
use std::mem;

use encoding_rs::{Encoding, UTF_8};

use super::bases::Bases;
use super::bytes::{self, reads_as};
use super::document::Kind;
use super::judge::Judge;
use super::outcome::{Findings, LinkCounts, Remarks};
use super::page::{Masked, Page, SecondLook, hides_structure};
use super::settings::BaseElementPolicy;
use super::value::{Decide, Walk, Whereabouts};
use super::{Document, Rewriter, Rewritten};
use crate::encoding;
use crate::html::encoding::{Confidence, Undecoded};
use crate::html::reading::{Declared, Reading};
use crate::html::scan::Parts;
use crate::html::{self, BailOut, Reader, tap};
use crate::span::Span;
use crate::splice::Splicer;

/// Rewrites the links of `document`, of which only those that are skipped are recorded; into new memory.
pub(super) fn rewrite<'d>(settings: &Rewriter, document: &Document<'d>) -> Rewritten<'d> {
    let mut output = Vec::new();
    let Some(Direct { edited, findings }) = rewritten_directly(settings, document, &mut output)
    else {
        let mut rewritten = bytes::rewrite(settings, document, Decide::Resolve);
        rewritten.keep_skipped();
        return rewritten;
    };
    Rewritten {
        bytes: if edited > 0 {
            Cow::Owned(output)
        } else {
            Cow::Borrowed(document.bytes)
        },
        edits: Vec::new(),
        edited,
        findings,
    }
}

/// As [`rewrite`], with the document appended to `output`, whether it was changed or not.
pub(super) fn rewrite_into<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    output: &mut Vec<u8>,
) -> Findings<'d> {
    let Some(Direct { edited, findings }) = rewritten_directly(settings, document, output) else {
        let mut rewritten = bytes::rewrite(settings, document, Decide::Resolve);
        rewritten.keep_skipped();
        output.extend_from_slice(&rewritten.bytes);
        return rewritten.findings;
    };
    if edited == 0 {
        output.extend_from_slice(document.bytes);
    }
    findings
}

/// The base URL and all the links of `document`.
pub(super) fn links<'d>(settings: &Rewriter, document: &Document<'d>) -> Findings<'d> {
    links_in_parts(settings, document)
        .unwrap_or_else(|| bytes::rewrite(settings, document, Decide::Keep).findings)
}

/// As [`links`], where the text of the document stands in it as it is; `None` if it does not, or if the fast reader does not
/// read it, or if it matters how it would be rewritten.
fn links_in_parts<'d>(settings: &Rewriter, document: &Document<'d>) -> Option<Findings<'d>> {
    let is_fast = document.kind == Kind::Html && settings.reader == Reader::Fast;
    // A BASE that cannot be put in is told of.
    if !is_fast || settings.base_element == BaseElementPolicy::Insert {
        return None;
    }
    let undecoded = html::encoding::undecoded(document.bytes, document.encoding);
    let body = &document.bytes[undecoded.mark_length..];
    if undecoded.encoding != UTF_8 || body.len() > tap::LONGEST_TEXT {
        return None;
    }
    let text = simdutf8::basic::from_utf8(body).ok()?;
    let locate = |span: Span| Some(span.from(undecoded.mark_length));
    let site = Whereabouts {
        locate: Some(&locate),
        ascii_only: false,
    };
    let mut parts = Parts::new(text, settings.selection.names());
    let mut reading = parts.next().ok()??;
    let bases = Bases::establish(&reading.base_elements, &document.candidates, settings);
    let judge = Judge::new(settings, &bases, &document.candidates, UTF_8);
    let mut walk = Walk::new(&judge, Decide::Keep);
    let mut links = Vec::new();
    loop {
        let is_in_doubt = match reading.declared_encoding {
            Declared::Nothing => false,
            Declared::Encoding(declared) => declared != UTF_8,
            Declared::Unknown => true,
        };
        if is_in_doubt && undecoded.confidence == Confidence::Tentative {
            return None;
        }
        walk.markup(text, reading, site, &mut links);
        match parts.next().ok()? {
            Some(next) => reading = next,
            None => break,
        }
    }
    Some(Findings {
        base: bases.document,
        counts: LinkCounts::of(&links),
        links,
        tags: walk.tags,
        unread_tags: walk.unread_tags,
        remarks: Remarks {
            bases: bases.found,
            repeats: walk.repeats,
        },
        ..Findings::default()
    })
}

/// As [`rewrite`], for documents whose structure stands in them as it is; `None` if this is none, or something
/// about it asks for a second look. A document that was changed is appended to `output`, nothing else.
fn rewritten_directly<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    output: &mut Vec<u8>,
) -> Option<Direct<'d>> {
    let is_html = document.kind == Kind::Html;
    if !is_html || settings.base_element == BaseElementPolicy::Insert {
        return None;
    }
    let undecoded = html::encoding::undecoded(document.bytes, document.encoding);
    match in_encoding(settings, document, &undecoded, output) {
        Ok(direct) => Some(direct),
        Err(Stop::OtherEncoding(declared)) => {
            let declared = Undecoded {
                encoding: declared,
                confidence: Confidence::Declared,
                ..undecoded
            };
            in_encoding(settings, document, &declared, output).ok()
        }
        Err(Stop::Tree(_) | Stop::SecondLook) => None,
    }
}

/// As [`rewritten_directly`], in that encoding.
fn in_encoding<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    undecoded: &Undecoded,
    output: &mut Vec<u8>,
) -> Result<Direct<'d>, Stop> {
    let body = &document.bytes[undecoded.mark_length..];
    if body.len() > tap::LONGEST_TEXT {
        return Err(Stop::SecondLook);
    }
    let is_utf_8 = undecoded.encoding == UTF_8;
    let text = is_utf_8.then(|| simdutf8::basic::from_utf8(body).ok());
    if let Some(text) = text.flatten() {
        direct(settings, document, undecoded, Masking::Plain(text), output)
    } else if undecoded.encoding.is_ascii_compatible() {
        let text = encoding::masked(body);
        let text = Masking::Masked(&text);
        let direct = direct(settings, document, undecoded, text, output)?;
        Ok(Direct {
            findings: direct.findings.into_owned(),
            ..direct
        })
    } else {
        Err(Stop::SecondLook)
    }
}

/// What rewriting directly gives.
struct Direct<'t> {
    /// How often something was replaced.
    edited: usize,
    findings: Findings<'t>,
}

/// The text of a document.
#[derive(Clone, Copy)]
enum Masking<'t> {
    /// As it is.
    Plain(&'t str),
    /// With [`MASK`](encoding::MASK) for what is not ASCII: it is not in UTF-8, or not all of it.
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
    output: &mut Vec<u8>,
) -> Result<Direct<'t>, Stop> {
    let scanned = match settings.reader {
        Reader::Fast => {
            let parts = Parts::new(text.text(), settings.selection.names());
            let mut source = Source::Parts(Box::new(parts));
            rewrite_parts(settings, document, undecoded, text, &mut source, output).map_err(Some)
        }
        Reader::Reference => Err(None),
    };
    let bail_out = match scanned {
        Ok(direct) => return Ok(direct),
        // In the text that is not masked there may be no reason for it.
        Err(Some(Stop::Tree(bail_out))) if !text.is_masked() => Some(bail_out),
        Err(Some(stop)) => return Err(stop),
        Err(None) => None,
    };
    let mut whole = Source::Whole {
        reading: tap::read(text.text()),
        is_given: false,
    };
    let mut direct = rewrite_parts(settings, document, undecoded, text, &mut whole, output)?;
    direct.findings.bail_out = bail_out;
    Ok(direct)
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
fn rewrite_parts<'t>(
    settings: &Rewriter,
    document: &Document<'_>,
    undecoded: &Undecoded,
    text: Masking<'t>,
    source: &mut Source<'t, '_>,
    output: &mut Vec<u8>,
) -> Result<Direct<'t>, Stop> {
    let before = output.len();
    let direct = append_parts(settings, document, undecoded, text, source, output);
    if direct.is_err() {
        output.truncate(before);
    }
    direct
}

/// As [`rewrite_parts`], but what is appended to `output` is half a document where there is a reason to stop.
fn append_parts<'t>(
    settings: &Rewriter,
    document: &Document<'_>,
    undecoded: &Undecoded,
    text: Masking<'t>,
    source: &mut Source<'t, '_>,
    output: &mut Vec<u8>,
) -> Result<Direct<'t>, Stop> {
    let Undecoded {
        encoding,
        mark_length,
        confidence,
        ..
    } = *undecoded;
    let (text, is_masked) = (text.text(), text.is_masked());
    if is_masked && hides_structure(text, &settings.selection, false) {
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
    let mut declares = Declared::Nothing;
    let mut found = Declared::Nothing;
    let bases = Bases::establish(&reading.base_elements, &document.candidates, settings);
    let judge = Judge::new(settings, &bases, &document.candidates, encoding);
    let mut walk = Walk::new(&judge, Decide::Resolve);
    let mut links = Vec::new();
    let (mark, body) = document.bytes.split_at(mark_length);
    let before = output.len();
    let mut splicer = Splicer::behind_mark(mark, body, body.len() / 8, output);
    loop {
        if found != reading.declared_encoding {
            found = reading.declared_encoding;
            declares = match confidence {
                Confidence::Tentative => html::encoding::late_declared(document.bytes, found),
                Confidence::Declared | Confidence::Certain => found,
            };
        }
        if let Some(other) = declares.other_than(encoding)
            && confidence == Confidence::Tentative
        {
            return Err(Stop::OtherEncoding(other));
        }
        let page = Page {
            text,
            masked: is_masked.then_some(Masked {
                bytes: body,
                encoding,
            }),
            reading,
            site,
        };
        page.check()?;
        walk.page(&page, &mut links, &mut splicer)?;
        match source.next()? {
            Some(next) => reading = next,
            None => break,
        }
    }
    let edited = splicer.finish();
    if edited > 0 {
        let bytes = &output[before..];
        let read = || {
            let (text, _) = encoding.decode_without_bom_handling(&bytes[mark_length..]);
            text.into_owned()
        };
        let declares = if walk.edits_meta {
            Declared::Unknown
        } else {
            // What is masked has the same tags in every encoding.
            confidence.still_declares(declares, encoding, is_masked)
        };
        let is_known =
            !is_masked && !walk.edits_meta && undecoded.is_that_of(bytes, document.bytes);
        if !is_known && !reads_as(document, bytes, encoding, declares, read) {
            return Err(Stop::SecondLook);
        }
    }
    Ok(Direct {
        edited,
        findings: Findings {
            base: bases.document,
            counts: walk.counts,
            links,
            tags: walk.tags,
            unread_tags: walk.unread_tags,
            ..Findings::default()
        },
    })
}

impl<'t> Source<'t, '_> {
    /// The next part.
    fn next(&mut self) -> Result<Option<&Reading<'t>>, BailOut> {
        match self {
            Self::Parts(parts) => parts.next(),
            Self::Whole { reading, is_given } => {
                let is_new = !mem::replace(is_given, true);
                Ok(is_new.then_some(&*reading))
            }
        }
    }
}

/// Why a document is not rewritten directly, as it was read.
enum Stop {
    /// A tree is needed to read it.
    Tree(BailOut),
    /// It declares this encoding.
    OtherEncoding(&'static Encoding),
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
