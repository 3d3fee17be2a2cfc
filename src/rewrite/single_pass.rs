//! Single-pass driver for rewriting and listing without a callback.
//!
//! [`super::pass`] scans the document once, and a [`Sink`](super::sink::Sink) writes the output or lists the links
//! meanwhile. When rewriting, links that need no report are counted and not recorded. The result equals that of
//! [`super::whole_document`], which `tests/agreement.rs` checks; only the cost differs.
//!
//! # When it applies
//!
//! * No callback decides about links. With [`LinkDetail::All`](super::LinkDetail::All) `rewrite` does not come here
//!   either: its result needs all reports *and* all edits, and no sink produces both.
//! * The document is HTML, and no BASE is to be inserted.
//! * The pass ends without a [`Fallback`], except that the pass is repeated once for a document with a late encoding
//!   declaration, in that encoding.
//!
//! In every other case the functions here delegate to [`super::whole_document`], after anything already appended to the
//! output is removed.
//!
//! # Verification
//!
//! The output is verified as in [`super::whole_document`], which explains why. In the common case this costs nothing:
//! for UTF-8 it suffices that the prefix that determined the encoding is unchanged. If the check fails,
//! `whole_document` repeats the work, and reports the reason and the affected links.

use std::borrow::Cow;

use super::list_sinks::{LinkListSink, SkeletonListSink};
use super::options::BaseElementPolicy;
use super::pass::{DocumentText, Fallback, Pass, PassSummary, TextForm};
use super::report::{CheckFacts, LinkCounts, Report};
use super::segment::SkeletonSource;
use super::sink::SpliceSink;
use super::value::Decider;
use super::whole_document::{self, reads_as};
use super::{LinkReport, RewriteSummary, Rewriter, Rewritten};
use crate::document::{Document, DocumentKind};
use crate::html;
use crate::html::encoding::{Detected, MetaDeclaration, TagStability};
use crate::splice::Splicer;

/// Rewrites `document` into a new buffer; records skipped links only.
pub(super) fn rewrite<'d>(settings: &Rewriter, document: &Document<'d>) -> Rewritten<'d> {
    let mut output = Vec::new();
    let Some(SinglePassRewrite { edit_count, report }) =
        try_rewrite(settings, document, &mut output)
    else {
        let mut rewritten = whole_document::rewrite(settings, document, Decider::Resolve);
        rewritten.keep_skipped();
        return rewritten;
    };
    Rewritten {
        bytes: if edit_count > 0 {
            Cow::Owned(output)
        } else {
            Cow::Borrowed(document.bytes)
        },
        edits: Vec::new(),
        edited: edit_count,
        report,
    }
}

/// Rewrites `document` and appends the result to `output`, changed or not; records skipped links only.
pub(super) fn rewrite_into<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    output: &mut Vec<u8>,
) -> RewriteSummary<'d> {
    let Some(SinglePassRewrite { edit_count, report }) = try_rewrite(settings, document, output)
    else {
        let mut rewritten = whole_document::rewrite(settings, document, Decider::Resolve);
        rewritten.keep_skipped();
        return rewritten.append_to(output);
    };
    // Without an edit the splicer appends nothing, so that `rewrite` can borrow the document.
    if edit_count == 0 {
        output.extend_from_slice(document.bytes);
    }
    RewriteSummary {
        edits: Vec::new(),
        edited: edit_count,
        report,
    }
}

/// Returns the base URL and all links of `document`.
pub(super) fn links<'d>(settings: &Rewriter, document: &Document<'d>) -> Report<'d> {
    with_encoding_retry(settings, document, list_links)
        .unwrap_or_else(|| whole_document::rewrite(settings, document, Decider::Keep).report)
}

/// The result of a rewrite in a single pass; the bytes are in the caller's buffer.
struct SinglePassRewrite<'t> {
    /// The number of edits.
    edit_count: usize,
    report: Report<'t>,
}

/// Rewrites `document` in a single pass and appends the result to `output` if there are edits.
///
/// Returns `None`, with `output` unchanged, if the document must be rewritten by [`super::whole_document`].
fn try_rewrite<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    output: &mut Vec<u8>,
) -> Option<SinglePassRewrite<'d>> {
    let output_start = output.len();
    let rewritten = with_encoding_retry(settings, document, |pass| {
        // The first attempt may have appended part of the document in another encoding.
        output.truncate(output_start);
        match DocumentText::of(pass.document, pass.detected)? {
            DocumentText::Utf8(text) => splice_document(pass, text, TextForm::Exact, output),
            DocumentText::Skeleton(text) => {
                let SinglePassRewrite { edit_count, report } =
                    splice_document(pass, &text, TextForm::Skeleton, output)?;
                // The report borrows from the skeleton, which is dropped here.
                let report = report.into_owned();
                Ok(SinglePassRewrite { edit_count, report })
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
/// Returns `None` if the document must be rewritten by [`super::whole_document`].
fn with_encoding_retry<'d, T>(
    settings: &Rewriter,
    document: &Document<'d>,
    mut run_pass: impl FnMut(&Pass<'_, 'd>) -> Result<T, Fallback>,
) -> Option<T> {
    let is_html = document.kind == DocumentKind::Html;
    // Only `whole_document` inserts BASE. That applies to `links` too: its report has `Report::unwritten` if inserting
    // BASE would make the document unreadable.
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
            // No longer tentative, so the second attempt does not lead to a third.
            run_in(&detected.with_late_meta(declared)).ok()
        }
        Err(Fallback::BailedOut(_) | Fallback::WholeDocument) => None,
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
) -> Result<SinglePassRewrite<'t>, Fallback> {
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
    let edit_count = splicer.finish();
    if edit_count > 0 {
        let bytes = &output[output_start..];
        let decode = || {
            let (text, _) = encoding.decode_without_bom_handling(&bytes[bom_len..]);
            text.into_owned()
        };
        let declared_encoding = if summary.edits_meta {
            // The edit may have changed the declaration itself.
            MetaDeclaration::Unknown
        } else {
            // A skeleton has the tags of the document in every ASCII-compatible encoding, also a multi-byte one: the
            // pass has excluded the exceptions (`mask_may_matter`). `whole_document` has no such test, so it assumes
            // this for single-byte encodings only. Exact text is UTF-8, for which nothing is assumed.
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
            return Err(Fallback::WholeDocument);
        }
    }
    Ok(SinglePassRewrite {
        edit_count,
        report: Report {
            base: summary.bases.report,
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
        base: summary.bases.report,
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
