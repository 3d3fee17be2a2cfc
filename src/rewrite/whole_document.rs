//! From the bytes of a document to its links and to the bytes rewritten.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::bases::DocumentBases;
use super::document::SourceKind;
use super::edit::{TextEdit, edited};
use super::report::{LinkCounts, Remarks, Report, SkipReason};
use super::resolve::LinkResolver;
use super::value::{Decider, LinkVisitor, SpanMapper, mark_skipped};
use super::{Document, Rewriter, Rewritten};
use crate::encoding::{self, Decoded};
use crate::html::Unsupported;
use crate::html::charref;
use crate::html::encoding::{Confidence, DecodedAs};
use crate::html::tag::Quoting;
use crate::html::tokens::{MetaDeclaration, StartTag, Tokens};
use crate::html::{self, Namespace, Parsed};
use crate::span::Span;
use crate::splice::{Edit, splice};

/// What was found in the text of a document, and what is to be edited.
struct CollectedLinks<'t> {
    report: Report<'t>,
    edits: Vec<TextEdit>,
    /// The encoding that `meta` elements declare.
    declares: MetaDeclaration,
}

/// Rewrites the links of `document` as `decide` decides.
pub(super) fn rewrite<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    mut decide: Decider<'_>,
) -> Rewritten<'d> {
    let unread = |unread| {
        let base = document.candidates.explain(settings.profile);
        let report = Report {
            base,
            unsupported: Some(unread),
            ..Report::default()
        };
        untouched(document, report)
    };
    let DecodedAs {
        decoded,
        confidence,
    } = match document.decode_as_detected() {
        Ok(undeclared) => undeclared,
        Err(reason) => return unread(reason),
    };
    let declared = match rewrite_text(settings, document, &decoded, confidence, decide.reborrow()) {
        Ok(rewritten) => return rewritten,
        Err(RetryWithEncoding(declared)) => html::encoding::decode_as(document.bytes, declared),
    };
    match declared {
        Ok(decoded) => rewrite_text(settings, document, &decoded, Confidence::Declared, decide)
            .unwrap_or_else(|_| unread(Unsupported::NoEncoding)),
        Err(reason) => unread(reason),
    }
}

/// The encoding that a document declares behind all that the prescan reaches, where it was not read in that.
pub(super) struct RetryWithEncoding(pub(super) &'static Encoding);

/// Rewrites `document`, which was decoded.
fn rewrite_text<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    decoded: &Decoded<'d>,
    confidence: Confidence,
    decide: Decider<'_>,
) -> Result<Rewritten<'d>, RetryWithEncoding> {
    Ok(match decoded.text {
        Cow::Borrowed(text) => {
            let found = read(settings, document, decoded, text, confidence, decide)?;
            finish_utf_8(document, decoded, found)
        }
        Cow::Owned(ref text) => {
            let found = read(settings, document, decoded, text, confidence, decide)?;
            finish(document, decoded, found)
        }
    })
}

fn untouched<'d>(document: &Document<'d>, report: Report<'d>) -> Rewritten<'d> {
    Rewritten {
        bytes: Cow::Borrowed(document.bytes),
        edits: Vec::new(),
        edited: 0,
        report,
    }
}

impl Rewriter {
    /// Reads `text` as a document, as far as links go.
    pub(super) fn read<'t>(&self, text: &'t str) -> Parsed<'t> {
        self.reader.read(text, self.selection.names())
    }
}

/// Reads `text`, which is that of `decoded`.
fn read<'t>(
    settings: &Rewriter,
    document: &Document<'_>,
    decoded: &Decoded<'_>,
    text: &'t str,
    confidence: Confidence,
    mut decide: Decider<'_>,
) -> Result<CollectedLinks<'t>, RetryWithEncoding> {
    let locate = |span| decoded.map.source_span(span);
    let site = SpanMapper {
        locate: Some(&locate),
        ascii_only: encoding::lacks_characters(decoded.encoding),
    };
    let read = match document.kind {
        SourceKind::Html => Some(settings.read(text)),
        SourceKind::StyleSheet => None,
    };
    let bail_out = read.as_ref().and_then(|read| read.bail_out);
    let tokens = read.map(|read| read.tokens);
    let mut declares = tokens
        .as_ref()
        .map_or(MetaDeclaration::Nothing, |tokens| tokens.declared_encoding);
    if confidence == Confidence::Tentative {
        declares = html::encoding::late_declared(document.bytes, declares);
        if let Some(other) = declares.other_than(decoded.encoding) {
            return Err(RetryWithEncoding(other));
        }
    }
    let elements = tokens
        .as_ref()
        .map_or(&[][..], |tokens| &tokens.base_elements);
    let bases = DocumentBases::establish(elements, &document.candidates, settings);
    let resolver = LinkResolver::new(settings, &bases, &document.candidates, decoded.encoding);
    let mut walk = LinkVisitor::new(&resolver, decide.reborrow());
    let mut links = Vec::new();
    let edits = match &tokens {
        Some(tokens) => {
            let mut edits = walk.markup(text, tokens, site, &mut links);
            let inserted = resolver
                .inserted_base()
                .and_then(|url| insert_base(settings, text, tokens, &url));
            if let Some(edit) = inserted.filter(|edit| locate(edit.span).is_some()) {
                let place = edits.partition_point(|other| other.span.start < edit.span.start);
                edits.insert(place, edit);
            }
            edits
        }
        None => walk.style_sheet(text, site, &mut links),
    };
    Ok(CollectedLinks {
        report: Report {
            base: bases.document,
            counts: LinkCounts::of(&links),
            links,
            unsupported: None,
            unwritten: None,
            tags: walk.tags,
            mismatched_tags: walk.mismatched_tags,
            bail_out,
            remarks: Remarks {
                bases: bases.found,
                repeats: walk.repeats,
            },
        },
        edits,
        declares: if walk.edits_meta {
            MetaDeclaration::Unknown
        } else {
            // Where a character has several bytes, or ASCII stands for others, it may be told another way.
            let has_same_tags = decoded.encoding.is_single_byte();
            confidence.still_declares(declares, decoded.encoding, has_same_tags)
        },
    })
}

/// The edit that gives a document a BASE with that `href`; `None` if there is no place for it.
fn insert_base(
    settings: &Rewriter,
    text: &str,
    tokens: &Tokens<'_>,
    url: &str,
) -> Option<TextEdit> {
    let href = format!("href=\"{}\"", charref::escape(url, Quoting::Double));
    // The first BASE with an `href` counts: one that has none is given one only if it goes before those that have.
    // What stands in NOSCRIPT, or seems to, is text where scripts are run.
    let is_html = |tag: &&StartTag<'_>| tag.namespace == Namespace::Html;
    let tags = tokens.start_tags.iter().filter(is_html);
    let bare = tags
        .take_while(|tag| tag.name != "noscript")
        .filter(|tag| tag.name == "base")
        .take_while(|tag| tokens.attribute(tag, "href").is_none())
        .find(|tag| tag.is_child_of_head);
    let (at, replacement) = match bare {
        Some(tag) => (tag.span.start + "<base".len(), format!(" {href}")),
        None => (tokens.head_start?, format!("<base {href}>")),
    };
    let edit = TextEdit::new(Span::new(at, at), replacement);
    // At the very end something may be open that takes it in: a comment, or a DOCTYPE, that has no end.
    let is_read = || {
        let edited = edited(text, std::slice::from_ref(&edit));
        let read = settings.read(&edited).tokens;
        read.base_elements.iter().any(|base| base.href == url)
    };
    (at < text.len() || is_read()).then_some(edit)
}

/// Applies the edits of a document in UTF-8, whose text stands in it as it is.
fn finish_utf_8<'d>(
    document: &Document<'d>,
    decoded: &Decoded<'_>,
    found: CollectedLinks<'d>,
) -> Rewritten<'d> {
    let bom_len = decoded.bom.len();
    let to_bytes = |edit: TextEdit| Edit {
        span: Span::new(edit.span.start + bom_len, edit.span.end + bom_len),
        replacement: edit.replacement.into_bytes(),
    };
    let edits: Vec<Edit> = found.edits.into_iter().map(to_bytes).collect();
    let bytes = splice(document.bytes, &edits);
    let text = || String::from_utf8_lossy(&bytes[bom_len..]).into_owned();
    let encoding = decoded.encoding;
    let reason = if edits.is_empty() || reads_as(document, &bytes, encoding, found.declares, text) {
        None
    } else {
        Some(SkipReason::EncodingDeclaration)
    };
    written(document, bytes, edits, found.report, reason)
}

/// Applies the edits of a document in any other encoding; none, if the result would not read as it should.
fn finish<'d>(
    document: &Document<'d>,
    decoded: &Decoded<'_>,
    found: CollectedLinks<'_>,
) -> Rewritten<'d> {
    let encoding = decoded.encoding;
    let fit = |edit: TextEdit| {
        let edit = match document.kind {
            SourceKind::Html => edit.in_encoding(encoding),
            // There are no character references in a style sheet, and nothing that the encoding lacks.
            SourceKind::StyleSheet => edit,
        };
        edit.cut_where(&decoded.text, |offset| decoded.may_cut(offset))
    };
    let text_edits: Vec<TextEdit> = found.edits.into_iter().map(fit).collect();
    let to_bytes = |edit: &TextEdit| {
        let span = decoded.map.source_span(edit.span)?;
        Some(Edit {
            span,
            replacement: encoding::encode(&edit.replacement, encoding),
        })
    };
    let edits: Vec<Edit> = text_edits.iter().filter_map(to_bytes).collect();
    let bytes = splice(document.bytes, &edits);
    let text = || edited(&decoded.text, &text_edits);
    let reason = if edits.is_empty() {
        None
    } else if !encoding.is_single_byte() && !reads_back(&bytes, decoded, text) {
        Some(SkipReason::Undecodable)
    } else if !reads_as(document, &bytes, encoding, found.declares, text) {
        Some(SkipReason::EncodingDeclaration)
    } else {
        None
    };
    let report = found.report.into_owned();
    written(document, bytes, edits, report, reason)
}

/// The document with `edits`, which is `bytes`; as it was, if there is a reason why that cannot be written.
fn written<'d>(
    document: &Document<'d>,
    bytes: Cow<'d, [u8]>,
    edits: Vec<Edit>,
    mut report: Report<'d>,
    reason: Option<SkipReason>,
) -> Rewritten<'d> {
    if let Some(reason) = reason {
        report.unwritten = Some(reason);
        mark_skipped(&mut report.links, reason);
        report.counts = LinkCounts::of(&report.links);
        return untouched(document, report);
    }
    Rewritten {
        bytes,
        edited: edits.len(),
        edits,
        report,
    }
}

/// Whether `bytes`, which were written, will be read as the text that `text` gives.
pub(super) fn reads_as(
    document: &Document<'_>,
    bytes: &[u8],
    encoding: &'static Encoding,
    declares: MetaDeclaration,
    text: impl Fn() -> String,
) -> bool {
    let transport = document.encoding;
    document.kind != SourceKind::Html
        || html::encoding::reads_as(bytes, transport, encoding, declares, text)
}

/// Whether the bytes written are, in the document's encoding, the text that was meant.
///
/// They are by construction where each character is written by itself. An encoding that switches between sets
/// (ISO-2022-JP) or a document whose bytes are not quite in the encoding it names may hold surprises; then the
/// document stays as it is.
fn reads_back(bytes: &[u8], decoded: &Decoded<'_>, text: impl Fn() -> String) -> bool {
    let body = &bytes[decoded.bom.len()..];
    let (read, _) = decoded.encoding.decode_without_bom_handling(body);
    read == text()
}
