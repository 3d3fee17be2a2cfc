//! Warnings about a rewritten document: base URL candidates without effect, and references that were left unchanged.

use absolve::stream::SkippedCount;
use absolve::{BaseSource, CandidateStatus, Profile, Resolver, SkipReason};

use crate::print::job_result::JobResult;
use crate::print::rewritten_document::RewrittenDocument;
use crate::print::tally::{Counted, Tally};
use crate::print::{bundles, terminal};
use crate::settings::Settings;

/// Returns whether a standard permits relative URLs in a source: HTML in BASE, RFC 2557 section 4.2 in header fields.
fn may_be_relative(source: BaseSource, profile: Profile) -> bool {
    match source {
        BaseSource::Embedded => profile == Profile::Whatwg,
        _ => source == BaseSource::EncapsulatingEntity,
    }
}

/// Adds the warnings about a rewritten document.
///
/// In a directory, a document without a base URL is only counted: the cause is the same for all of them.
pub(crate) fn emit_warnings(
    rewritten: &RewrittenDocument<'_>,
    settings: &Settings<'_>,
    is_site: bool,
    job_result: &mut JobResult,
) {
    let profile = settings.args.profile;
    let (name, report) = (rewritten.located.name(), rewritten.report);
    for candidate in &report.base.candidates {
        let source = candidate.source.name();
        let value = terminal::quoted(settings.shown_url(&candidate.value));
        match candidate.status {
            CandidateStatus::Used
            | CandidateStatus::Completing
            | CandidateStatus::Overridden
            | CandidateStatus::InTemplate => {}
            CandidateStatus::UsedAfterResolving if may_be_relative(candidate.source, profile) => {}
            status => job_result.warn(format!("{name}: {source} base URL {value}: {status}")),
        }
    }
    if report.mismatched_tags > 0 {
        let tags = report.mismatched_tags;
        job_result.warn(format!(
            "{name}: {tags} tags left unchanged: parsed in two different ways; please report this bug"
        ));
    }
    if report.counts.left > 0 {
        let edits = terminal::several(report.counts.left, "edit");
        job_result.warn(format!(
            "{name}: {edits} beside links not made: the place is not certain, or more than it would change"
        ));
    }
    if rewritten.moved > 0 {
        let references = terminal::several(rewritten.moved, "relative reference");
        let is_host_unknown = |skipped: &SkippedCount| skipped.reason == SkipReason::UnknownOrigin;
        let list = if rewritten.skipped.iter().any(is_host_unknown) {
            "--report FILE lists them"
        } else {
            "`absolve links` lists them as skipped"
        };
        job_result.warn(format!(
            "{name}: BASE removed, which changes the target of {references} left unchanged; {list}"
        ));
    }
    let base = report.base.base.as_ref();
    if report.counts.resolved > 0 && base.is_some_and(|base| settings.keeps_host_of(base)) {
        job_result.tally.count(Counted::WithHost, 1);
    }
    let mut candidates = report.base.candidates.iter();
    let has_placeholder =
        candidates.any(|candidate| candidate.status == CandidateStatus::Placeholder);
    // HTML accepts such a BASE.
    let has_opaque_base = base.is_some_and(|base| {
        Resolver::new(&base.url, profile).is_ok_and(|resolver| resolver.resolve("x").is_err())
    });
    for &SkippedCount { reason, count } in rewritten.failures() {
        if reason == SkipReason::NoBase && is_site && !has_placeholder && !has_opaque_base {
            job_result.tally.count(Counted::WithoutBase, 1);
            continue;
        }
        let noun = match reason {
            SkipReason::NoBase | SkipReason::BaseTooLong => "relative reference",
            _ => "reference",
        };
        let remedy = match reason {
            SkipReason::NoBase if has_placeholder => {
                "the base URL contains a template placeholder; render the template first".to_owned()
            }
            SkipReason::NoBase if has_opaque_base => {
                "no reference can be relative to the base URL; correct BASE".to_owned()
            }
            SkipReason::NoBase => "no base URL; set one with --url".to_owned(),
            SkipReason::BaseTooLong => {
                "the base URL is too long; raise the limit with --limit base-length=BYTES"
                    .to_owned()
            }
            SkipReason::UnknownOrigin => {
                "only a URL with the host leads there, which --base-path leaves open; correct the path, or use --url"
                    .to_owned()
            }
            reason => format!("{reason}; list them with `absolve links`"),
        };
        let references = terminal::several(count, noun);
        job_result.warn(format!("{name}: {references} left unchanged: {remedy}"));
    }
}

/// Adds the warnings about all documents of a run, whose cause is the same.
pub(crate) fn emit_totals(tally: &Tally, job_result: &mut JobResult) {
    for (what, number) in tally.named(Some) {
        let documents = terminal::several(number, "document");
        job_result.warn(match what {
            Counted::WithoutBase => format!(
                "no base URL for the relative references of {documents}; set one with --url"
            ),
            Counted::WithHost => format!(
                "relative links of {documents} lead to the host that their BASE names; add --map https://HOST/=PATH, with the new path of the site"
            ),
            Counted::ModuleScripts => {
                let scripts = terminal::several(number, "module script");
                format!(
                    "browsers do not run {scripts} of pages on a disk (file://); open the pages through a server"
                )
            }
            Counted::Policies => format!(
                "{documents} with a content security policy, which may block files on a disk (file://)"
            ),
            Counted::Bundles(generator) => bundles::warning(generator, number),
            _ => continue,
        });
    }
}
