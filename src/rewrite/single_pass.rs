//! Single-pass fast path for rewriting and listing without a callback.
//!
//! [`super::pass`] scans the document once, and a [`Sink`](super::sink::Sink) writes the output or lists the links
//! meanwhile. When rewriting, links that need no report are counted and not recorded. The result equals that of
//! [`super::whole_document`], which `tests/agreement.rs` checks; only the cost differs.
//!
//! # When it applies
//!
//! * No callback decides about links. With [`LinkDetail::All`](super::LinkDetail::All) `rewrite` does not come here
//!   either: its result needs a record of every link anyway.
//! * The document is HTML, and no BASE is to be inserted.
//! * The pass ends without a [`Fallback`], except that a document with a late encoding declaration is passed over once
//!   more in that encoding.
//!
//! In every other case the functions here delegate to [`super::whole_document`], after anything already appended to the
//! output is removed.
//!
//! # Verification
//!
//! Writing a target may change how the output is read: a URL may contain text that looks like an encoding declaration
//! to the prescan, and removing the last non-ASCII byte may turn a windows-1252 document into valid UTF-8. So the
//! output must be detected in the encoding of the input, or must decode to the same text in the detected one. In the
//! common case this costs nothing: for UTF-8 it suffices that the prefix that determined the encoding is unchanged.
//! If the check fails, `whole_document` repeats the work, and reports the reason and the affected links.

use std::borrow::Cow;

use super::document::SourceKind;
use super::list_sinks::{LinkListSink, SkeletonListSink};
use super::options::BaseElementPolicy;
use super::pass::{DocumentText, Fallback, Pass, PassSummary, TextForm};
use super::report::{CheckFacts, LinkCounts, Report};
use super::segment::SkeletonSource;
use super::sink::SpliceSink;
use super::value::Decider;
use super::whole_document::{self, reads_as};
use super::{Document, LinkReport, RewriteSummary, Rewriter, Rewritten};
use crate::html;
use crate::html::encoding::{Confidence, Detected, TagStability};
use crate::html::tokens::MetaDeclaration;
use crate::splice::Splicer;

/// Rewrites `document` into a new buffer; records skipped links only.
pub(super) fn rewrite<'d>(settings: &Rewriter, document: &Document<'d>) -> Rewritten<'d> {
    let mut output = Vec::new();
    let Some(FastRewrite { edited, report }) = try_rewrite(settings, document, &mut output) else {
        let mut rewritten = whole_document::rewrite(settings, document, Decider::Resolve);
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
        report,
    }
}

/// Rewrites `document` and appends the result to `output`, changed or not; records skipped links only.
pub(super) fn rewrite_into<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    output: &mut Vec<u8>,
) -> RewriteSummary<'d> {
    let Some(FastRewrite { edited, report }) = try_rewrite(settings, document, output) else {
        let mut rewritten = whole_document::rewrite(settings, document, Decider::Resolve);
        rewritten.keep_skipped();
        return rewritten.append_to(output);
    };
    // Without an edit the splicer appends nothing, so that `rewrite` can borrow the document.
    if edited == 0 {
        output.extend_from_slice(document.bytes);
    }
    RewriteSummary {
        edits: Vec::new(),
        edited,
        report,
    }
}

/// Returns the base URL and all links of `document`.
pub(super) fn links<'d>(settings: &Rewriter, document: &Document<'d>) -> Report<'d> {
    with_encoding_retry(settings, document, list_links)
        .unwrap_or_else(|| whole_document::rewrite(settings, document, Decider::Keep).report)
}

/// The result of a rewrite in a single pass; the bytes are in the caller's buffer.
struct FastRewrite<'t> {
    /// The number of edits.
    edited: usize,
    report: Report<'t>,
}

/// Rewrites `document` in a single pass and appends the result to `output` if there are edits.
///
/// Returns `None`, with `output` unchanged, if the document needs the slow path.
fn try_rewrite<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    output: &mut Vec<u8>,
) -> Option<FastRewrite<'d>> {
    let output_start = output.len();
    let rewritten = with_encoding_retry(settings, document, |pass| {
        // The first attempt may have appended part of the document in another encoding.
        output.truncate(output_start);
        match DocumentText::of(pass.document, pass.detected)? {
            DocumentText::Utf8(text) => splice_document(pass, text, TextForm::Exact, output),
            DocumentText::Skeleton(text) => {
                let FastRewrite { edited, report } =
                    splice_document(pass, &text, TextForm::Skeleton, output)?;
                // The report borrows from the skeleton, which is dropped here.
                let report = report.into_owned();
                Ok(FastRewrite { edited, report })
            }
        }
    });
    if rewritten.is_none() {
        output.truncate(output_start);
    }
    rewritten
}

/// Calls `run_pass` in the detected encoding, and again if the document declares another one.
///
/// Returns `None` if the document needs the slow path.
fn with_encoding_retry<'d, T>(
    settings: &Rewriter,
    document: &Document<'d>,
    mut run_pass: impl FnMut(&Pass<'_, 'd>) -> Result<T, Fallback>,
) -> Option<T> {
    let is_html = document.kind == SourceKind::Html;
    // Only `whole_document` inserts BASE. That applies to `links` too: its report mentions an insertion that would
    // change how the document is read.
    if !is_html || settings.base_element == BaseElementPolicy::Insert {
        return None;
    }
    let detected = html::encoding::detect(document.bytes, document.encoding);
    let mut run_in = |detected: &Detected| {
        run_pass(&Pass {
            settings,
            document,
            detected,
        })
    };
    match run_in(&detected) {
        Ok(result) => Some(result),
        Err(Fallback::Encoding(declared)) => {
            // No longer tentative, so the second attempt cannot ask for a third.
            let declared = Detected {
                encoding: declared,
                confidence: Confidence::Declared,
                ..detected
            };
            run_in(&declared).ok()
        }
        Err(Fallback::Tree(_) | Fallback::SlowPath) => None,
    }
}

/// Rewrites the document of `pass`, whose text is `text`, and appends it to `output` if there are edits.
///
/// # Errors
/// See [`Fallback`]. Part of the document may have been appended.
fn splice_document<'t>(
    pass: &Pass<'_, '_>,
    text: &'t str,
    form: TextForm,
    output: &mut Vec<u8>,
) -> Result<FastRewrite<'t>, Fallback> {
    let &Pass {
        document, detected, ..
    } = pass;
    let Detected {
        encoding,
        bom_len,
        confidence,
        ..
    } = *detected;
    let (bom, body) = document.bytes.split_at(bom_len);
    let output_start = output.len();
    // Targets are longer than references. An eighth of the document is a guess that makes reallocation rare.
    let splicer = Splicer::after_bom(bom, body, body.len() / 8, output);
    let mut sink = SpliceSink::new(splicer);
    let summary = pass.run(text, form, &mut sink)?;
    let SpliceSink {
        splicer,
        skipped,
        counts,
        ..
    } = sink;
    let edited = splicer.finish();
    if edited > 0 {
        let bytes = &output[output_start..];
        let decode = || {
            let (text, _) = encoding.decode_without_bom_handling(&bytes[bom_len..]);
            text.into_owned()
        };
        let declared_encoding = if summary.edits_meta {
            // The edit may have changed the declaration itself.
            MetaDeclaration::Unknown
        } else {
            // A document that was scanned as a skeleton has the same tags in every ASCII-compatible encoding.
            let tags = match form {
                TextForm::Skeleton => TagStability::AnyEncoding,
                TextForm::Exact => TagStability::ThisEncoding,
            };
            confidence.declaration_after_rewrite(summary.declared_encoding, encoding, tags)
        };
        // The cheap check: spliced UTF-8 is UTF-8 as long as no declaration contradicts it.
        let is_known = form == TextForm::Exact
            && !summary.edits_meta
            && detected.is_detected_for_same_reason(bytes, document.bytes);
        if !is_known && !reads_as(document, bytes, encoding, declared_encoding, decode) {
            // `whole_document` reports why.
            return Err(Fallback::SlowPath);
        }
    }
    Ok(FastRewrite {
        edited,
        report: Report {
            base: summary.bases.document,
            counts,
            links: skipped,
            tags: summary.tags,
            mismatched_tags: summary.mismatched_tags,
            bail_out: summary.bail_out,
            ..Report::default()
        },
    })
}

/// Lists the links of the document of `pass`.
///
/// # Errors
/// See [`Fallback`].
fn list_links<'d>(pass: &Pass<'_, 'd>) -> Result<Report<'d>, Fallback> {
    let &Pass {
        document, detected, ..
    } = pass;
    match DocumentText::of(document, detected)? {
        DocumentText::Utf8(text) => {
            let mut sink = LinkListSink::default();
            let summary = pass.run(text, TextForm::Exact, &mut sink)?;
            Ok(list_report(summary, sink.links))
        }
        DocumentText::Skeleton(text) => {
            let mut sink = SkeletonListSink::new(SkeletonSource {
                bytes: &document.bytes[detected.bom_len..],
                encoding: detected.encoding,
            });
            let summary = pass.run(&text, TextForm::Skeleton, &mut sink)?;
            Ok(list_report(summary, sink.links()))
        }
    }
}

/// Returns the report of a document that is only listed.
fn list_report(summary: PassSummary, links: Vec<LinkReport<'_>>) -> Report<'_> {
    Report {
        base: summary.bases.document,
        counts: LinkCounts::of(&links),
        links,
        tags: summary.tags,
        mismatched_tags: summary.mismatched_tags,
        bail_out: summary.bail_out,
        facts: CheckFacts {
            bases: summary.bases.elements,
            duplicates: summary.duplicates,
        },
        ..Report::default()
    }
}
