//! Collect-then-apply: rewrites a document after all of it has been read.
//!
//! This driver serves every setting, every encoding and both kinds of documents (HTML and style sheets). It defines the
//! result; [`super::single_pass`] and [`super::stream`] yield the same for the documents they handle, and fall back to
//! this one for the others.
//!
//! # Steps
//!
//! 1. Detect the encoding and decode the document ([`Decoded`]). UTF-8 is borrowed. Other encodings yield a copy,
//!    with a map from offsets in the text to offsets in the bytes.
//! 2. Parse the text into tokens. If they contain an encoding declaration that the prescan did not reach, and it
//!    differs from the encoding in use, steps 1 and 2 are repeated in the declared encoding ([`RetryWithEncoding`]).
//!    The declaration is not examined again, so there are two attempts at most.
//! 3. Collect the links and edits of all tokens ([`LinkVisitor::collect_markup`]), and insert BASE if requested.
//! 4. Apply the edits to the bytes: [`finish_utf_8`] or [`finish_decoded`].
//! 5. Verify the output.
//!
//! # Verification
//!
//! Writing targets may change how the output is read. A reader of it must get the intended text, or nothing is written
//! at all: the document is returned unchanged, every resolved link is skipped, and [`Report::unwritten`] has the
//! reason. There are two conditions:
//!
//! * Decoded in the encoding of the input, the bytes must yield the edited text ([`round_trips`]). This holds if every
//!   character is encoded independently of its neighbors; single-byte encodings are therefore not checked. It may fail
//!   in an encoding that switches between character sets (ISO-2022-JP), or where the input is malformed.
//! * A reader must detect that encoding, or another one in which the bytes decode to the same text ([`reads_as`]). This
//!   may fail if a target looks like an encoding declaration to the prescan, if an edit changes a declaration or moves
//!   one into or out of the first 1024 bytes, or if removing the last non-ASCII byte turns a windows-1252 document into
//!   valid UTF-8.
//!
//! A document in valid UTF-8 only needs the second check: splicing strings into it yields the intended text.
//!
//! [`super::single_pass`] makes the second check, too, with a shortcut for UTF-8: if the prefix that determined the
//! encoding is unchanged, so is the encoding. The first one holds there, because only ASCII is spliced into a skeleton,
//! and never next to a masked byte. [`super::stream`] handles documents whose first 1024 bytes, or the transport,
//! declare the encoding, and checks that the first 1024 bytes of the output are detected in that encoding, too.
//!
//! # Cost
//!
//! Linear, with memory for all tokens, links and edits, for the text if it is not UTF-8, and for the output.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::bases::DocumentBases;
use super::edit::{TextEdit, apply_edits};
use super::report::{CheckFacts, LinkCounts, Report, SkipReason};
use super::resolve::LinkResolver;
use super::value::{Decider, LinkVisitor, SpanMapper, mark_skipped};
use super::{Rewriter, Rewritten};
use crate::document::{Document, DocumentKind};
use crate::encoding::{self, Decoded};
use crate::html::charref;
use crate::html::encoding::{Confidence, MetaDeclaration, TagStability};
use crate::html::tag::Quoting;
use crate::html::tokens::{StartTag, Tokens};
use crate::html::{self, Namespace, Parsed};
use crate::span::Span;
use crate::splice::{Edit, splice};

/// The report of a document, and the edits of its text, which are not yet applied.
struct PendingRewrite<'t> {
    report: Report<'t>,
    /// In bytes of the text, ordered and disjoint.
    edits: Vec<TextEdit>,
    /// The encoding that `meta` elements will declare in the output.
    declared_encoding: MetaDeclaration,
}

/// Rewrites the links of `document` according to `decider`.
pub(super) fn rewrite<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    mut decider: Decider<'_>,
) -> Rewritten<'d> {
    let unsupported = |reason| {
        // The base URLs from outside the document are known anyway.
        let base = document.candidates.explain(settings.profile);
        let report = Report {
            base,
            unsupported: Some(reason),
            ..Report::default()
        };
        unchanged(document, report)
    };
    let mut detected = document.detect();
    loop {
        let decoded = match document.decode_as(&detected) {
            Ok(decoded) => decoded,
            Err(reason) => return unsupported(reason),
        };
        let confidence = detected.confidence;
        match rewrite_text(settings, document, &decoded, confidence, decider.reborrow()) {
            Ok(rewritten) => return rewritten,
            // No longer tentative, so the second attempt does not lead to a third.
            Err(RetryWithEncoding(declared)) => detected = detected.with_late_meta(declared),
        }
    }
}

/// The encoding that a document declares after the part that the prescan reads, if it was decoded in another one.
pub(super) struct RetryWithEncoding(pub(super) &'static Encoding);

/// Rewrites `document`, whose text is `decoded`.
///
/// # Errors
/// The encoding is tentative, and the document declares another one. No link has been decided about.
fn rewrite_text<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    decoded: &Decoded<'d>,
    confidence: Confidence,
    decider: Decider<'_>,
) -> Result<Rewritten<'d>, RetryWithEncoding> {
    // Two arms because of lifetimes: the report may live for `'d` only if the text is borrowed from the document.
    Ok(match decoded.text {
        Cow::Borrowed(text) => {
            let pending = collect(settings, document, decoded, text, confidence, decider)?;
            finish_utf_8(document, decoded, pending)
        }
        Cow::Owned(ref text) => {
            let pending = collect(settings, document, decoded, text, confidence, decider)?;
            finish_decoded(document, decoded, pending)
        }
    })
}

/// Returns `document` without edits.
fn unchanged<'d>(document: &Document<'d>, report: Report<'d>) -> Rewritten<'d> {
    Rewritten {
        bytes: Cow::Borrowed(document.bytes),
        edits: Vec::new(),
        edited: 0,
        report,
    }
}

impl Rewriter {
    /// Parses `text` as an HTML document, keeping the attributes that the selection of links needs.
    pub(super) fn parse<'t>(&self, text: &'t str) -> Parsed<'t> {
        self.reader.read(text, self.selection.names())
    }
}

/// Collects the links and edits of `text`, which must be the text of `decoded`.
///
/// # Errors
/// The encoding is tentative, and the document declares another one. No link has been decided about.
fn collect<'t>(
    settings: &Rewriter,
    document: &Document<'_>,
    decoded: &Decoded<'_>,
    text: &'t str,
    confidence: Confidence,
    mut decider: Decider<'_>,
) -> Result<PendingRewrite<'t>, RetryWithEncoding> {
    let to_source = |span| decoded.map.source_span(span);
    let span_mapper = SpanMapper {
        to_source: Some(&to_source),
        ascii_only: encoding::lacks_characters(decoded.encoding),
    };
    let parsed = match document.kind {
        DocumentKind::Html => Some(settings.parse(text)),
        DocumentKind::StyleSheet => None,
    };
    let bail_out = parsed.as_ref().and_then(|parsed| parsed.bail_out);
    let tokens = parsed.map(|parsed| parsed.tokens);
    let declared_encoding = tokens.as_ref().and_then(|tokens| tokens.declared_encoding);
    // Before any link is visited: a callback must not be asked twice about the same link.
    if let Some(other) = declared_encoding.filter(|declared| *declared != decoded.encoding)
        && confidence == Confidence::Tentative
    {
        return Err(RetryWithEncoding(other));
    }
    let elements = tokens
        .as_ref()
        .map_or(&[][..], |tokens| &tokens.base_elements);
    let bases = DocumentBases::establish(elements, &document.candidates, settings);
    let resolver = LinkResolver::new(settings, &bases, &document.candidates, decoded.encoding);
    let mut visitor = LinkVisitor::new(&resolver, decider.reborrow());
    let mut links = Vec::new();
    let edits = match &tokens {
        Some(tokens) => {
            let mut edits = visitor.collect_markup(text, tokens, span_mapper, &mut links);
            let inserted = resolver
                .inserted_base()
                .and_then(|url| insert_base(settings, text, tokens, &url));
            // The offset may have no counterpart in the document, for example between two characters of one byte
            // sequence.
            if let Some(edit) = inserted.filter(|edit| to_source(edit.span).is_some()) {
                let index = edits.partition_point(|other| other.span.start < edit.span.start);
                edits.insert(index, edit);
            }
            edits
        }
        None => visitor.visit_style_sheet(text, span_mapper, &mut links),
    };
    Ok(PendingRewrite {
        report: Report {
            base: bases.report,
            counts: LinkCounts::of(&links),
            links,
            unsupported: None,
            unwritten: None,
            tags: visitor.tags,
            mismatched_tags: visitor.mismatched_tags,
            bail_out,
            facts: CheckFacts {
                bases: bases.elements,
                duplicates: visitor.duplicates,
            },
        },
        edits,
        declared_encoding: if visitor.edits_meta {
            // The edit may have changed the declaration itself.
            MetaDeclaration::Unknown
        } else {
            // A reader finds a late declaration by parsing the document in its default encoding. There it may find
            // other tags if characters have several bytes or if ASCII bytes have another meaning. For most multi-byte
            // encodings this caution is too strict: `single_pass` tests the skeleton for the exceptions instead.
            let tags = if decoded.encoding.is_single_byte() {
                TagStability::AnyEncoding
            } else {
                TagStability::ThisEncoding
            };
            confidence.declaration_after_rewrite(declared_encoding, decoded.encoding, tags)
        },
    })
}

/// Returns the edit that adds a BASE with this URL to a document.
///
/// A BASE child of HEAD that has no `href` is given one. Otherwise a new BASE is inserted at the beginning of HEAD.
/// Returns `None` if the document has no HEAD, or if a parser would not find the new element.
fn insert_base(
    settings: &Rewriter,
    text: &str,
    tokens: &Tokens<'_>,
    url: &str,
) -> Option<TextEdit> {
    let href = format!("href=\"{}\"", charref::escape(url, Quoting::Double));
    // The first BASE with an `href` takes effect, so the search for one without ends there. It also ends at a NOSCRIPT:
    // with scripting enabled, its content is text, and what follows it here may be part of that text.
    let is_html = |tag: &&StartTag<'_>| tag.namespace == Namespace::Html;
    let tags = tokens.start_tags.iter().filter(is_html);
    let bare = tags
        .take_while(|tag| tag.name != "noscript")
        .filter(|tag| tag.name == "base")
        .take_while(|tag| tokens.attribute(tag, "href").is_none())
        .find(|tag| tag.is_child_of_head);
    let (offset, replacement) = match bare {
        Some(tag) => (tag.span.start + "<base".len(), format!(" {href}")),
        None => (tokens.head_start?, format!("<base {href}>")),
    };
    let edit = TextEdit::new(Span::new(offset, offset), replacement);
    // At the very end of the text, something may be unclosed that would consume the element: a comment or a DOCTYPE.
    // This case is rare, so the edit is tried and parsed.
    let is_found = || {
        let edited = apply_edits(text, std::slice::from_ref(&edit));
        let tokens = settings.parse(&edited).tokens;
        tokens.base_elements.iter().any(|base| base.href == url)
    };
    (offset < text.len() || is_found()).then_some(edit)
}

/// Applies the edits of a document in valid UTF-8, whose text is borrowed from it.
fn finish_utf_8<'d>(
    document: &Document<'d>,
    decoded: &Decoded<'_>,
    pending: PendingRewrite<'d>,
) -> Rewritten<'d> {
    // Offsets differ by the BOM only, and replacements need no encoding. The result is valid UTF-8, so that it need not
    // be decoded for comparison.
    let bom_len = decoded.bom.len();
    let to_bytes = |edit: TextEdit| Edit {
        span: Span::new(edit.span.start + bom_len, edit.span.end + bom_len),
        replacement: edit.replacement.into_bytes(),
    };
    let edits: Vec<Edit> = pending.edits.into_iter().map(to_bytes).collect();
    let bytes = splice(document.bytes, &edits);
    let text = || String::from_utf8_lossy(&bytes[bom_len..]).into_owned();
    let is_written = edits.is_empty()
        || reads_as(
            document,
            &bytes,
            decoded.encoding,
            pending.declared_encoding,
            text,
        );
    let reason = if is_written {
        None
    } else {
        Some(SkipReason::EncodingDeclaration)
    };
    verified(document, bytes, edits, pending.report, reason)
}

/// Applies the edits of a document in any other encoding, or in malformed UTF-8.
fn finish_decoded<'d>(
    document: &Document<'d>,
    decoded: &Decoded<'_>,
    pending: PendingRewrite<'_>,
) -> Rewritten<'d> {
    let encoding = decoded.encoding;
    let to_writable = |edit: TextEdit| {
        let edit = match document.kind {
            DocumentKind::Html => edit.in_encoding(encoding),
            // A style sheet has no character references. Its visitor has used CSS escapes for whatever the encoding
            // lacks.
            DocumentKind::StyleSheet => edit,
        };
        edit.cut_where(&decoded.text, |offset| decoded.can_cut_at(offset))
    };
    let text_edits: Vec<TextEdit> = pending.edits.into_iter().map(to_writable).collect();
    let to_bytes = |edit: &TextEdit| {
        let span = decoded.map.source_span(edit.span)?;
        Some(Edit {
            span,
            replacement: encoding::encode(&edit.replacement, encoding),
        })
    };
    let edits: Vec<Edit> = text_edits.iter().filter_map(to_bytes).collect();
    let bytes = splice(document.bytes, &edits);
    let text = || apply_edits(&decoded.text, &text_edits);
    let reason = if edits.is_empty() {
        None
    } else if !encoding.is_single_byte() && !round_trips(&bytes, decoded, text) {
        Some(SkipReason::Undecodable)
    } else if !reads_as(document, &bytes, encoding, pending.declared_encoding, text) {
        Some(SkipReason::EncodingDeclaration)
    } else {
        None
    };
    let report = pending.report.into_owned();
    verified(document, bytes, edits, report, reason)
}

/// Returns `bytes`, the document with `edits`, or the unchanged document if there is a `reason` not to write them.
fn verified<'d>(
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
        return unchanged(document, report);
    }
    Rewritten {
        bytes,
        edited: edits.len(),
        edits,
        report,
    }
}

/// Returns whether a reader will detect an encoding in which `bytes`, the output, yields the text that `text` returns.
///
/// `encoding` is the encoding of the input, and `declared_encoding` the one that `meta` elements of the output declare.
pub(super) fn reads_as(
    document: &Document<'_>,
    bytes: &[u8],
    encoding: &'static Encoding,
    declared_encoding: MetaDeclaration,
    text: impl Fn() -> String,
) -> bool {
    // A style sheet declares its encoding with `@charset` only, in its first bytes, which no edit touches.
    let transport = document.encoding;
    document.kind != DocumentKind::Html
        || html::encoding::reads_as(bytes, transport, encoding, declared_encoding, text)
}

/// Returns whether `bytes`, the output, decodes in the encoding of the input to the text that `text` returns.
///
/// The module documentation describes when they may differ.
fn round_trips(bytes: &[u8], decoded: &Decoded<'_>, text: impl Fn() -> String) -> bool {
    let body = &bytes[decoded.bom.len()..];
    let (read, _) = decoded.encoding.decode_without_bom_handling(body);
    read == text()
}
