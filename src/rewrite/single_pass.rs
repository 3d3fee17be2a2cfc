//! Rewriting and listing directly, where nobody asks about single links: the document is gone through once, and written, or
//! its links listed, as it is read. Of the links that most pages have most of, nothing is kept but a count, or an entry of
//! the list.
//!
//! The result is the same as that of [`super::bytes`], which is tested.

use std::borrow::Cow;

use super::document::SourceKind;
use super::list_sinks::{LinkListSink, SkeletonListSink};
use super::options::BaseElementPolicy;
use super::pass::{DocumentText, Fallback, Pass, PassSummary};
use super::report::{LinkCounts, Remarks, Report};
use super::segment::SkeletonSource;
use super::sink::SpliceSink;
use super::value::Decider;
use super::whole_document::{self, reads_as};
use super::{Document, LinkReport, RewriteSummary, Rewriter, Rewritten};
use crate::html;
use crate::html::encoding::{Confidence, Detected};
use crate::html::tokens::MetaDeclaration;
use crate::splice::Splicer;

/// Rewrites the links of `document`, of which only those that are skipped are recorded; into new memory.
pub(super) fn rewrite<'d>(settings: &Rewriter, document: &Document<'d>) -> Rewritten<'d> {
    let mut output = Vec::new();
    let Some(FastRewrite { edited, report }) = written(settings, document, &mut output) else {
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

/// As [`rewrite`], with the document appended to `output`, whether it was changed or not.
pub(super) fn rewrite_into<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    output: &mut Vec<u8>,
) -> RewriteSummary<'d> {
    let Some(FastRewrite { edited, report }) = written(settings, document, output) else {
        let mut rewritten = whole_document::rewrite(settings, document, Decider::Resolve);
        rewritten.keep_skipped();
        return rewritten.append_to(output);
    };
    if edited == 0 {
        output.extend_from_slice(document.bytes);
    }
    RewriteSummary {
        edits: Vec::new(),
        edited,
        report,
    }
}

/// The base URL and all the links of `document`.
pub(super) fn links<'d>(settings: &Rewriter, document: &Document<'d>) -> Report<'d> {
    in_its_encoding(settings, document, listed)
        .unwrap_or_else(|| whole_document::rewrite(settings, document, Decider::Keep).report)
}

/// What rewriting directly gives.
struct FastRewrite<'t> {
    /// How often something was replaced.
    edited: usize,
    report: Report<'t>,
}

/// As [`rewrite`], for documents whose structure stands in them as it is; `None` if this is none, or something
/// about it asks for a second look. A document that was changed is appended to `output`, nothing else.
fn written<'d>(
    settings: &Rewriter,
    document: &Document<'d>,
    output: &mut Vec<u8>,
) -> Option<FastRewrite<'d>> {
    let before = output.len();
    let written = in_its_encoding(settings, document, |pass| {
        // What was appended in another encoding does not count.
        output.truncate(before);
        match DocumentText::of(pass.document, pass.detected)? {
            DocumentText::Utf8(text) => append(pass, text, false, output),
            DocumentText::Skeleton(text) => {
                let FastRewrite { edited, report } = append(pass, &text, true, output)?;
                let report = report.into_owned();
                Ok(FastRewrite { edited, report })
            }
        }
    });
    if written.is_none() {
        output.truncate(before);
    }
    written
}

/// What `read` makes of `document`, whose encoding it is told; `None` if it is not to be gone through directly.
fn in_its_encoding<'d, T>(
    settings: &Rewriter,
    document: &Document<'d>,
    mut read: impl FnMut(&Pass<'_, 'd>) -> Result<T, Fallback>,
) -> Option<T> {
    let is_html = document.kind == SourceKind::Html;
    // A BASE that cannot be put in is told of.
    if !is_html || settings.base_element == BaseElementPolicy::Insert {
        return None;
    }
    let detected = html::encoding::detected(document.bytes, document.encoding);
    let mut read_as = |detected: &Detected| {
        read(&Pass {
            settings,
            document,
            detected,
        })
    };
    match read_as(&detected) {
        Ok(read) => Some(read),
        Err(Fallback::Encoding(declared)) => {
            let declared = Detected {
                encoding: declared,
                confidence: Confidence::Declared,
                ..detected
            };
            read_as(&declared).ok()
        }
        Err(Fallback::Tree(_) | Fallback::SlowPath) => None,
    }
}

/// Appends the document of `pass` to `output` if anything in it changes; `text` is its text, which may be masked. Half a
/// document is appended where there is a reason to stop.
fn append<'t>(
    pass: &Pass<'_, '_>,
    text: &'t str,
    is_masked: bool,
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
    let before = output.len();
    let splicer = Splicer::after_bom(bom, body, body.len() / 8, output);
    let mut writer = SpliceSink::new(splicer);
    let passed = pass.through(text, is_masked, &mut writer)?;
    let SpliceSink {
        splicer,
        skipped,
        counts,
        ..
    } = writer;
    let edited = splicer.finish();
    if edited > 0 {
        let bytes = &output[before..];
        let read = || {
            let (text, _) = encoding.decode_without_bom_handling(&bytes[bom_len..]);
            text.into_owned()
        };
        let declares = if passed.edits_meta {
            MetaDeclaration::Unknown
        } else {
            // What is masked has the same tags in every encoding.
            confidence.still_declares(passed.declares, encoding, is_masked)
        };
        let is_known = !is_masked
            && !passed.edits_meta
            && detected.is_detected_for_same_reason(bytes, document.bytes);
        if !is_known && !reads_as(document, bytes, encoding, declares, read) {
            return Err(Fallback::SlowPath);
        }
    }
    Ok(FastRewrite {
        edited,
        report: Report {
            base: passed.bases.document,
            counts,
            links: skipped,
            tags: passed.tags,
            mismatched_tags: passed.mismatched_tags,
            bail_out: passed.bail_out,
            ..Report::default()
        },
    })
}

/// The base URL and the links of the document of `pass`.
fn listed<'d>(pass: &Pass<'_, 'd>) -> Result<Report<'d>, Fallback> {
    let &Pass {
        document, detected, ..
    } = pass;
    match DocumentText::of(document, detected)? {
        DocumentText::Utf8(text) => {
            let mut list = LinkListSink::default();
            let passed = pass.through(text, false, &mut list)?;
            Ok(report(passed, list.links))
        }
        DocumentText::Skeleton(text) => {
            let mut list = SkeletonListSink::new(SkeletonSource {
                bytes: &document.bytes[detected.bom_len..],
                encoding: detected.encoding,
            });
            let passed = pass.through(&text, true, &mut list)?;
            Ok(report(passed, list.links()))
        }
    }
}

/// All that is found in a document with these links, of which none is changed.
fn report(passed: PassSummary, links: Vec<LinkReport<'_>>) -> Report<'_> {
    Report {
        base: passed.bases.document,
        counts: LinkCounts::of(&links),
        links,
        tags: passed.tags,
        mismatched_tags: passed.mismatched_tags,
        bail_out: passed.bail_out,
        remarks: Remarks {
            bases: passed.bases.found,
            repeats: passed.repeats,
        },
        ..Report::default()
    }
}
