//! From the bytes of a document to its links and to the bytes rewritten.

use std::borrow::Cow;

use super::bases::Bases;
use super::document::Kind;
use super::edit::{TextEdit, edited};
use super::judge::Judge;
use super::outcome::{Decision, Findings, Judged, Remarks, SkipReason};
use super::value::{Walk, Whereabouts, leave};
use super::{Document, Rewriter, Rewritten};
use crate::encoding::{self, Decoded};
use crate::html;
use crate::html::Namespace;
use crate::html::charref;
use crate::html::reading::{Reading, StartTag};
use crate::html::tag::Quoting;
use crate::html::tap;
use crate::span::Span;
use crate::splice::{Edit, splice};

/// What was found in the text of a document, and what is to be edited.
struct Read<'t> {
    findings: Findings<'t>,
    edits: Vec<TextEdit>,
}

/// Rewrites the links of `document` as `decide` decides.
pub(super) fn rewrite<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    decide: &mut dyn FnMut(&Judged<'_>) -> Decision,
) -> Rewritten<'d> {
    let decoded = match document.decode() {
        Ok(decoded) => decoded,
        Err(unread) => {
            let base = document.candidates.explain(settings.profile);
            return untouched(
                document,
                Findings {
                    base,
                    unread: Some(unread),
                    ..Findings::default()
                },
            );
        }
    };
    match decoded.text {
        Cow::Borrowed(text) => {
            let Read { findings, edits } = read(settings, document, &decoded, text, decide);
            finish(document, &decoded, findings, &edits)
        }
        Cow::Owned(ref text) => {
            let Read { findings, edits } = read(settings, document, &decoded, text, decide);
            finish(document, &decoded, findings.into_owned(), &edits)
        }
    }
}

fn untouched<'d>(document: &Document<'d>, findings: Findings<'d>) -> Rewritten<'d> {
    Rewritten {
        bytes: Cow::Borrowed(document.bytes),
        edits: Vec::new(),
        findings,
    }
}

/// Reads `text`, which is that of `decoded`.
fn read<'t>(
    settings: &Rewriter,
    document: &Document<'_>,
    decoded: &Decoded<'_>,
    text: &'t str,
    decide: &mut dyn FnMut(&Judged<'_>) -> Decision,
) -> Read<'t> {
    let locate = |span| decoded.map.source_span(span);
    let site = Whereabouts {
        locate: Some(&locate),
        ascii_only: encoding::lacks_characters(decoded.encoding),
    };
    let reading = match document.kind {
        Kind::Html => Some(tap::read(text)),
        Kind::StyleSheet => None,
    };
    let elements = reading
        .as_ref()
        .map_or(&[][..], |reading| &reading.base_elements);
    let bases = Bases::establish(elements, &document.candidates, settings);
    let judge = Judge::new(settings, &bases, &document.candidates, decoded.encoding);
    let mut walk = Walk::new(&judge, decide);
    let mut links = Vec::new();
    let edits: Vec<TextEdit> = match &reading {
        Some(reading) => {
            let mut edits = walk.markup(text, reading, site, &mut links);
            let inserted = judge
                .inserted_base()
                .and_then(|url| insert_base(text, reading, &url));
            if let Some(edit) = inserted.filter(|edit| locate(edit.span).is_some()) {
                let place = edits.partition_point(|other| other.span.start < edit.span.start);
                edits.insert(place, edit);
            }
            let writable = |edit: TextEdit| edit.in_encoding(decoded.encoding);
            edits.into_iter().map(writable).collect()
        }
        None => walk.style_sheet(text, site, &mut links),
    };
    let cut = |edit: TextEdit| edit.cut_where(text, |offset| decoded.may_cut(offset));
    let edits = edits.into_iter().map(cut).collect();
    Read {
        findings: Findings {
            base: bases.document,
            links,
            unread: None,
            unwritten: None,
            tags: walk.tags,
            unread_tags: walk.unread_tags,
            remarks: Remarks {
                bases: bases.found,
                repeats: walk.repeats,
            },
        },
        edits,
    }
}

/// The edit that gives a document a BASE with that `href`; `None` if there is no place for it.
fn insert_base(text: &str, reading: &Reading, url: &str) -> Option<TextEdit> {
    let href = format!("href=\"{}\"", charref::escape(url, Quoting::Double));
    // The first BASE with an `href` counts: one that has none is given one only if it goes before those that have.
    // What stands in NOSCRIPT, or seems to, is text where scripts are run.
    let is_html = |tag: &&StartTag| tag.namespace == Namespace::Html;
    let tags = reading.start_tags.iter().filter(is_html);
    let bare = tags
        .take_while(|tag| tag.name() != "noscript")
        .filter(|tag| tag.name() == "base")
        .take_while(|tag| tag.attribute("href").is_none())
        .find(|tag| tag.is_child_of_head);
    let (at, replacement) = match bare {
        Some(tag) => (tag.span.start + "<base".len(), format!(" {href}")),
        None => (reading.head_start?, format!("<base {href}>")),
    };
    let edit = TextEdit::new(Span::new(at, at), replacement);
    // At the very end something may be open that takes it in: a comment, or a DOCTYPE, that has no end.
    let is_read = || {
        let read = tap::read(&edited(text, std::slice::from_ref(&edit)));
        read.base_elements.iter().any(|base| base.href == url)
    };
    (at < text.len() || is_read()).then_some(edit)
}

/// Applies the edits of a document's text to its bytes; to none, if the result would not read as it should.
fn finish<'d>(
    document: &Document<'d>,
    decoded: &Decoded<'_>,
    mut findings: Findings<'d>,
    text_edits: &[TextEdit],
) -> Rewritten<'d> {
    let to_bytes = |edit: &TextEdit| {
        let span = decoded.map.source_span(edit.span)?;
        Some(Edit {
            span,
            replacement: encoding::encode(&edit.replacement, decoded.encoding),
        })
    };
    let edits: Vec<Edit> = text_edits.iter().filter_map(to_bytes).collect();
    let bytes = splice(document.bytes, &edits);
    let text = || edited(&decoded.text, text_edits);
    let reason = if edits.is_empty() {
        None
    } else if !reads_back(&bytes, decoded, text) {
        Some(SkipReason::Undecodable)
    } else if document.kind == Kind::Html
        && !html::encoding::reads_as(&bytes, document.encoding, decoded.encoding, text)
    {
        Some(SkipReason::EncodingDeclaration)
    } else {
        None
    };
    let Some(reason) = reason else {
        return Rewritten {
            bytes,
            edits,
            findings,
        };
    };
    findings.unwritten = Some(reason);
    leave(&mut findings.links, reason);
    untouched(document, findings)
}

/// Whether the bytes written are, in the document's encoding, the text that was meant.
///
/// They are by construction where each character is written by itself. An encoding that switches between sets
/// (ISO-2022-JP) or a document whose bytes are not quite in the encoding it names may hold surprises; then the
/// document stays as it is.
fn reads_back(bytes: &[u8], decoded: &Decoded<'_>, text: impl Fn() -> String) -> bool {
    if let Cow::Borrowed(_) = decoded.text {
        return true;
    }
    let (read, _) = decoded
        .encoding
        .decode_without_bom_handling(&bytes[decoded.mark.len()..]);
    read == text()
}
