//! Drivers for a document in memory: rewriting it, listing its links, and asking a callback.
//!
//! Each driver selects a text and a sink and runs a [`Pass`]:
//!
//! | function | text | sink | if the pass gives up |
//! |---|---|---|---|
//! | [`rewrite`] | in place | [`SpliceSink`] | [`rewrite_collecting`] |
//! | [`links`] | in place | [`CollectSink`] | [`rewrite_collecting`] |
//! | [`rewrite_into`] | in place | [`SpliceSink`], perhaps [`Observed`] | [`rewrite_collecting`] |
//! | [`observe_links`] | in place | [`LinkCounts`], [`Observed`] | [`rewrite_collecting`] |
//! | [`rewrite_collecting`] | exact | [`CollectSink`] | the document is unsupported, and unchanged |
//!
//! All but the last scan the document in place, without a decoded copy. [`rewrite_collecting`] serves every setting,
//! every encoding and callbacks: it collects all links and edits, and applies the edits afterwards. It defines the
//! result; the others yield the same for the documents they handle (`tests/library/agreement.rs`). A pass that finds
//! the document unreadable in exact text is not repeated. [`super::verify`] checks all output.

use std::borrow::Cow;
use std::{iter, mem};

use super::decision::Decider;
use super::edit::{TextEdit, edited_pieces};
use super::fallback::Fallback;
use super::link_lifetime::Retain;
use super::observer::{Observed, Runner, StartTags, Unobserved};
use super::pass::{Pass, PassSummary};
use super::sink::{CollectSink, Collected, SpliceSink};
use super::source_text::SourceText;
use super::verify::misreading;
use crate::document::Document;
use crate::encoding::{self, Detected, can_encode};
use crate::record::LinkObserver;
use crate::record::{LinkCounts, LinkReport, Report, RewriteSummary, Rewritten, mark_skipped};
use crate::settings::{LinkDetail, RewriteSettings};
use crate::splice::{Edit, Splicer, splice};
use crate::unsupported::Unsupported;

/// Rewrites `document` into a new buffer; records skipped links only.
pub(crate) fn rewrite<'d>(settings: &RewriteSettings, document: &Document<'d>) -> Rewritten<'d> {
    let mut output = Vec::new();
    match splice_in_place(settings, document, &mut output, Unobserved) {
        Ok(summary) => Rewritten {
            bytes: if summary.edited > 0 {
                Cow::Owned(output)
            } else {
                Cow::Borrowed(document.bytes)
            },
            edits: summary.edits,
            edited: summary.edited,
            report: summary.report,
        },
        Err(fallback) => rewrite_after(&fallback, settings, document, Decider::Resolve, Unobserved)
            .with_skipped_only(settings),
    }
}

/// Rewrites `document` and appends the result to `output`, changed or not. Records skipped links only, or none if there
/// is an `observer`, which receives all links.
pub(crate) fn rewrite_into<'d>(
    settings: &RewriteSettings,
    document: &Document<'d>,
    output: &mut Vec<u8>,
    mut observer: Option<&mut dyn LinkObserver>,
) -> RewriteSummary<'d> {
    let output_start = output.len();
    let spliced = match &mut observer {
        Some(observer) => splice_in_place(settings, document, output, Observed(&mut **observer)),
        None => splice_in_place(settings, document, output, Unobserved),
    };
    let is_observed = observer.is_some();
    let mut summary = match (spliced, observer) {
        (Ok(summary), _) => {
            // A splicer appends nothing then, so that the document can be borrowed.
            if summary.edited == 0 {
                output.extend_from_slice(document.bytes);
            }
            summary
        }
        (Err(fallback), observer) => {
            output.truncate(output_start);
            let decider = Decider::Resolve;
            let rewritten = match observer {
                None => rewrite_after(&fallback, settings, document, decider, Unobserved),
                Some(observer) => {
                    rewrite_observed_after(&fallback, settings, document, decider, observer)
                }
            };
            rewritten.with_skipped_only(settings).append_to(output)
        }
    };
    if is_observed {
        // The splicer has recorded the skipped ones.
        summary.report.links = Vec::new();
    }
    summary
}

/// Returns the base URL of `document`, and passes all links to `observer`. The report has none.
pub(crate) fn observe_links<'d>(
    settings: &RewriteSettings,
    document: &Document<'d>,
    observer: &mut dyn LinkObserver,
) -> Report<'d> {
    let report = Pass::attempt(settings, document, |pass| {
        let mut counts = LinkCounts::default();
        let source = pass.text_in_place()?;
        let summary =
            Observed(observer).run(pass, (source.text(), &source), Decider::Keep, &mut counts)?;
        Ok(summary.into_report(Vec::new(), counts))
    });
    report.unwrap_or_else(|fallback| {
        let decider = Decider::Keep;
        let mut report =
            rewrite_observed_after(&fallback, settings, document, decider, observer).report;
        report.links = Vec::new();
        report
    })
}

/// Returns the base URL and all links of `document`.
pub(crate) fn links<'d>(settings: &RewriteSettings, document: &Document<'d>) -> Report<'d> {
    let listed = Pass::attempt(settings, document, |pass| {
        let source = pass.text_in_place()?;
        let (collected, summary) = pass.collect_edits(&source, Decider::Keep, &mut Unobserved)?;
        let counts = LinkCounts::of(&collected.links);
        Ok(summary.into_report(collected.links, counts))
    });
    listed.unwrap_or_else(|fallback| {
        rewrite_after(&fallback, settings, document, Decider::Keep, Unobserved).report
    })
}

/// Rewrites `document` according to `decider`, and records all links and edits.
pub(crate) fn rewrite_collecting<'d>(
    settings: &RewriteSettings,
    document: &Document<'d>,
    decider: Decider<'_>,
) -> Rewritten<'d> {
    rewrite_with_runner(settings, document, decider, Unobserved)
}

/// Rewrites like [`rewrite_collecting`], with a `runner` for the passes.
fn rewrite_with_runner<'d>(
    settings: &RewriteSettings,
    document: &Document<'d>,
    mut decider: Decider<'_>,
    mut runner: impl Runner,
) -> Rewritten<'d> {
    let rewritten = Pass::attempt(settings, document, |pass| {
        let source = pass.exact_text()?;
        let (collected, summary) = pass.collect_edits(&source, decider.reborrow(), &mut runner)?;
        Ok(pass.apply(&source, collected, summary))
    });
    rewritten.unwrap_or_else(|fallback| {
        let Fallback::Unsupported(reason) = fallback else {
            unreachable!("the text is exact, and the sink accepts every edit");
        };
        unsupported_document(settings, document, reason)
    })
}

/// Rewrites like [`rewrite_collecting`], after a pass over the text in place gave up for the reason `fallback`.
fn rewrite_after<'d>(
    fallback: &Fallback,
    settings: &RewriteSettings,
    document: &Document<'d>,
    decider: Decider<'_>,
    runner: impl Runner,
) -> Rewritten<'d> {
    match fallback {
        Fallback::Unsupported(reason) => unsupported_document(settings, document, *reason),
        _ => rewrite_with_runner(settings, document, decider, runner),
    }
}

/// Rewrites like [`rewrite_after`], and then passes all links to `observer` in place of those it received before.
fn rewrite_observed_after<'d>(
    fallback: &Fallback,
    settings: &RewriteSettings,
    document: &Document<'d>,
    decider: Decider<'_>,
    observer: &mut dyn LinkObserver,
) -> Rewritten<'d> {
    // The outcomes are final only after the last pass, when the output is verified. Start tags do not change.
    let mut start_tags = StartTags::default();
    let runner = Observed(&mut start_tags);
    let rewritten = rewrite_after(fallback, settings, document, decider, runner);
    observer.start_over();
    let links = &rewritten.report.links;
    debug_assert!(links.is_empty() || links.len() == start_tags.0.len());
    for (link_report, start_tag) in links.iter().zip(start_tags.0) {
        observer.link(&link_report.observed(start_tag));
    }
    rewritten
}

/// Returns the result for a document that is not read.
pub(super) fn unsupported_document<'d>(
    settings: &RewriteSettings,
    document: &Document<'d>,
    reason: Unsupported,
) -> Rewritten<'d> {
    let report = Report {
        // The base URLs from outside the document are known anyway.
        base: document.candidates.explain(settings.profile),
        unsupported: Some(reason),
        ..Report::default()
    };
    Rewritten::unchanged(document, report)
}

/// Rewrites `document` in place and appends the result to `output` if there are edits.
///
/// # Errors
/// See [`Fallback`]. Part of the document may have been appended, and some of its links passed to an observer.
fn splice_in_place<'d>(
    settings: &RewriteSettings,
    document: &Document<'d>,
    output: &mut Vec<u8>,
    mut runner: impl Runner,
) -> Result<RewriteSummary<'d>, Fallback> {
    let output_start = output.len();
    Pass::attempt(settings, document, |pass| {
        // The first attempt may have appended part of the document in another encoding.
        output.truncate(output_start);
        match pass.text_in_place()? {
            ref source @ SourceText::Utf8 { text, .. } => {
                pass.splice(text, source, Retain::borrowing(text), output, &mut runner)
            }
            ref source => pass.splice(
                source.text(),
                source,
                Retain::copying(),
                output,
                &mut runner,
            ),
        }
    })
}

impl<'d> Pass<'_, 'd> {
    /// Rewrites the document, whose text is that of `source`, and appends it to `output` if there are edits.
    ///
    /// # Errors
    /// See [`Fallback`]. Part of the document may have been appended.
    fn splice<'t>(
        &self,
        text: &'t str,
        source: &SourceText<'t>,
        retain: Retain<'t, 'd>,
        output: &mut Vec<u8>,
        runner: &mut impl Runner,
    ) -> Result<RewriteSummary<'d>, Fallback> {
        let (bom, body) = self.document.bytes.split_at(self.detected.bom_len);
        let output_start = output.len();
        // Targets are longer than references. An eighth of the document is a guess that makes reallocation rare.
        let mut splicer = Splicer::new(bom, body, body.len() / 8, output);
        if self.settings.link_detail == LinkDetail::Edits {
            splicer = splicer.recording_edits();
        }
        let mut sink = SpliceSink::new(splicer, retain);
        let summary = runner.run(self, (text, source), Decider::Resolve, &mut sink)?;
        let SpliceSink {
            splicer,
            skipped,
            counts,
            ..
        } = sink;
        let (edited, edits) = splicer.finish();
        let bytes = &output[output_start..];
        let decoded = || {
            let body = &bytes[bom.len()..];
            let (text, _) = self.detected.encoding.decode_without_bom_handling(body);
            iter::once(text)
        };
        if edited > 0 && misreading(self, source, &summary, bytes, decoded).is_some() {
            // `rewrite_collecting` reports why.
            return Err(Fallback::Collect);
        }
        Ok(RewriteSummary {
            edits,
            edited,
            report: summary.into_report(skipped, counts),
        })
    }

    /// Collects the links and edits of the document, whose text is that of `source`.
    ///
    /// The edits are in bytes of the text, ordered and disjoint.
    ///
    /// # Errors
    /// See [`Fallback`].
    fn collect_edits(
        &self,
        source: &SourceText<'d>,
        decider: Decider<'_>,
        runner: &mut impl Runner,
    ) -> Result<(Collected<'d>, PassSummary), Fallback> {
        let text = source.text();
        match source {
            SourceText::Utf8 { text, .. } => {
                self.collect_text(text, source, Retain::borrowing(text), decider, runner)
            }
            SourceText::Skeleton { skeleton, .. } => {
                let retain = Retain::from_skeleton(*skeleton);
                self.collect_text(text, source, retain, decider, runner)
            }
            SourceText::Decoded(_) => {
                self.collect_text(text, source, Retain::copying(), decider, runner)
            }
        }
    }

    /// Collects the links and edits of `text`, which must be that of `source`.
    ///
    /// # Errors
    /// See [`Fallback`].
    fn collect_text<'t>(
        &self,
        text: &'t str,
        source: &SourceText<'t>,
        retain: Retain<'t, 'd>,
        decider: Decider<'_>,
        runner: &mut impl Runner,
    ) -> Result<(Collected<'d>, PassSummary), Fallback> {
        let mut sink = CollectSink::new(&decider, retain);
        let summary = runner.run(self, (text, source), decider, &mut sink)?;
        Ok((sink.into_collected(), summary))
    }

    /// Applies the collected edits, which are edits of the text of `source`, and verifies the output.
    fn apply(
        &self,
        source: &SourceText<'d>,
        collected: Collected<'d>,
        summary: PassSummary,
    ) -> Rewritten<'d> {
        let document = self.document;
        let Detected {
            encoding, bom_len, ..
        } = self.detected;
        let (links, mut text_edits) = (collected.links, collected.edits);
        let is_edited = !text_edits.is_empty();
        let edits: Vec<Edit> = if let SourceText::Decoded(decoded) = source {
            let to_writable = |edit: TextEdit| match document.kind.value() {
                None => edit.in_encoding(encoding),
                // Without markup there are no character references. The visitor has used the escapes of the grammar
                // for whatever the encoding lacks.
                Some(_) => edit,
            };
            let cut = |edit: TextEdit| edit.cut_where(&decoded.text, |end| decoded.can_cut_at(end));
            text_edits = text_edits.into_iter().map(to_writable).map(cut).collect();
            // Malformed bytes that a cut passed over cannot be written again. The edit is left out, so the output is
            // found to be misread.
            let to_bytes = |edit: &TextEdit| {
                let text = &*edit.replacement;
                let can_write = encoding.is_single_byte() || can_encode(text, encoding);
                let span = decoded.map.source_span(edit.span).filter(|_| can_write)?;
                Some(Edit::new(span, encoding::encode(text, encoding)))
            };
            text_edits.iter().filter_map(to_bytes).collect()
        } else {
            // Offsets differ by the BOM only, and replacements need no encoding.
            let to_bytes = |edit: TextEdit| Edit::new(edit.span.shifted(bom_len), edit.replacement);
            mem::take(&mut text_edits)
                .into_iter()
                .map(to_bytes)
                .collect()
        };
        let bytes = splice(document.bytes, &edits);
        let pieces = || {
            let (decoded, exact) = match source {
                SourceText::Decoded(decoded) => (Some(&*decoded.text), None),
                _ => (None, Some(String::from_utf8_lossy(&bytes[bom_len..]))),
            };
            let edited = decoded.map(|text| edited_pieces(text, 0, &text_edits));
            let edited = edited.into_iter().flatten().map(Cow::Borrowed);
            edited.chain(exact)
        };
        let reason = misreading(self, source, &summary, &bytes, pieces);
        let counts = LinkCounts::of(&links);
        let mut report = summary.into_report(links, counts);
        match reason.filter(|_| is_edited) {
            None => Rewritten {
                bytes,
                edited: edits.len(),
                edits,
                report,
            },
            Some(reason) => {
                report.unwritten = Some(reason);
                mark_skipped(&mut report.links, reason);
                report.counts = LinkCounts {
                    left: report.counts.left + report.counts.beside,
                    ..LinkCounts::of(&report.links)
                };
                Rewritten::unchanged(document, report)
            }
        }
    }
}

impl PassSummary {
    /// Returns the report of a document of which `links` are recorded, with these counts of all links.
    fn into_report(self, links: Vec<LinkReport<'_>>, mut counts: LinkCounts) -> Report<'_> {
        counts += self.stats.beside;
        Report {
            base: self.bases.report,
            counts,
            links,
            encoding: Some(self.encoding.name()),
            unsupported: None,
            unwritten: None,
            tags: self.stats.tags,
            mismatched_tags: self.stats.mismatched_tags,
            bail_out: self.bail_out,
            base_elements: self.bases.elements,
            duplicates: self.stats.duplicates,
        }
    }
}
