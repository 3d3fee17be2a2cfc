//! `absolve rewrite`.

mod archive;
mod container;
mod stream;

use std::borrow::Cow;
use std::path::Path;

use absolve::container::Format;
use absolve::{
    BaseSource, CandidateStatus, LinkDetail, Outcome, Report, Rewriter, SkipReason, Tree,
};

use super::args::{BaseElementArg, Emit, OthersArg, RewriteArgs};
use super::input::{self, Input, LoadedInput};
use super::input_kind::InputKind;
use super::job_result::JobResult;
use super::jobs::EmitPart;
use super::output::{self, Destination, Job, OutputOptions, Plan};
use super::prepare::{self, UnwritableDirs};
use super::report::{self, ReportFile};
use super::reporter::Reporter;
use super::settings::{self, Settings};
use super::tally::Tally;
use super::walk::{Asset, Inputs};
use super::{Abort, Exit, interrupt, jobs, terminal, write_output};

pub(super) fn run(args: &RewriteArgs) -> Result<Exit, Abort> {
    let settings = Settings::new(&args.document)?;
    // Single links are asked about by nobody but the report.
    let rewriter = settings::rewriter(&settings, args)?.link_detail(match args.report {
        Some(_) => LinkDetail::All,
        None => LinkDetail::SkippedOnly,
    });
    let mut inputs = Inputs::new(&args.document)?;
    let settings = settings.with_inputs(&inputs, &args.document)?;
    let plan = Plan::new(
        &OutputOptions {
            output: args.output.as_deref(),
            others: args.others,
            in_place: args.in_place,
            backup: args.backup.as_deref(),
            check: args.check,
            diff: args.diff,
            color: args.color,
        },
        &mut inputs,
    )?;
    let run = &args.document.run;
    let to_stdout = plan.writes_to_stdout();
    let has_data = to_stdout || args.check || args.diff;
    let report = report_of(args.report.as_deref(), has_data, &plan)?;
    let is_interrupted = interrupt::watched(plan.jobs.len());
    let mut reporter = Reporter::new(run, &inputs, plan.jobs.len(), has_data).with_report(report);
    reporter.emit_input_messages(&mut inputs)?;
    let mut job_result = JobResult::default();
    let barred = prepare::prepare(&plan, &mut job_result);
    reporter.emit(&job_result)?;
    let work = RewriteRun {
        args,
        settings,
        rewriter,
        barred,
    };
    let threads = jobs::threads(run.threads);
    let mut done = 0;
    // What is read as a whole goes to all cores at once; an archive is told of while it is read.
    for part in plan
        .jobs
        .chunk_by(|one, next| !work.is_archive(one) && !work.is_archive(next))
    {
        match part {
            [job @ Job::Document { input, output }] if work.is_archive(job) => {
                let tell = &mut |job_result: &JobResult| reporter.emit(job_result);
                done += usize::from(work.archive(input, output, &is_interrupted, tell)?);
                reporter.deliver(&JobResult::default())?;
            }
            [Job::Document { input, output }] if work.is_streamed(input, output) => {
                reporter.deliver(&work.stream(input, output)?)?;
                done += 1;
            }
            _ => {
                let job_result = |job: &Job, hand_over: &mut EmitPart<'_, JobResult>| {
                    work.run_job(job, hand_over)
                };
                let take =
                    |job_result: JobResult, extent| reporter.deliver_part(&job_result, extent);
                done += jobs::in_order_by_parts(part, threads, &is_interrupted, job_result, take)?;
            }
        }
    }
    reporter.finish(done, |tally| tally.summary(args.check || args.diff))
}

/// The report that is asked for, if it goes to a file; `has_data` says that there will be something else on standard
/// output.
pub(super) fn report_of(
    report: Option<&Path>,
    has_data: bool,
    plan: &Plan,
) -> Result<Option<ReportFile>, Abort> {
    match report {
        Some(path) if !output::is_stdout(path) => ReportFile::new(path, plan).map(Some),
        Some(_) if has_data => Err(Abort::Usage(
            "--report -: something else goes to standard output; name a file".to_owned(),
        )),
        _ => Ok(None),
    }
}

/// What every job of a run needs.
struct RewriteRun<'a> {
    args: &'a RewriteArgs,
    settings: Settings<'a>,
    rewriter: Rewriter,
    barred: UnwritableDirs,
}

impl RewriteRun<'_> {
    fn run_job(&self, job: &Job, hand_over: &mut EmitPart<'_, JobResult>) -> JobResult {
        let mut job_result = JobResult::default();
        match job {
            Job::Document { input, output } => {
                self.document(input, output, hand_over, &mut job_result);
            }
            Job::Asset { asset, output } => {
                put_asset(
                    asset,
                    output,
                    self.args.others,
                    &self.barred,
                    &mut job_result,
                );
            }
        }
        job_result
    }

    fn is_archive(&self, job: &Job) -> bool {
        match job {
            Job::Document { input, .. } => self.settings.is_archive(input),
            Job::Asset { .. } => false,
        }
    }

    /// Says that an output cannot be written, if that is known.
    fn is_barred(&self, output: &Destination, job_result: &mut JobResult) -> bool {
        let (Destination::Mirrored(path) | Destination::File(path)) = output else {
            return false;
        };
        let is_barred = self.barred.has(path);
        if is_barred {
            job_result.error(format!("{}: not written", output.name()));
        }
        is_barred
    }

    fn document(
        &self,
        input: &Input,
        output: &Destination,
        hand_over: &mut EmitPart<'_, JobResult>,
        job_result: &mut JobResult,
    ) {
        if self.is_barred(output, job_result) {
            return;
        }
        let Some(loaded) = input.read(&self.settings.fetcher, job_result) else {
            return;
        };
        match self.settings.form(input, &loaded) {
            InputKind::Container(Format::Warc) => {
                return self.held_archive(input, output, &loaded, job_result);
            }
            InputKind::Container(format) => {
                return self.container(input, output, format, &loaded, hand_over, job_result);
            }
            InputKind::Html | InputKind::StyleSheet => {}
        }
        let url = self.settings.url_of(input, &loaded);
        let url = url.as_deref();
        let document = self.settings.document(input, &loaded, url);
        let (bytes, report, edited) = match self.args.emit {
            Emit::Tree if self.settings.is_style_sheet(input, &loaded) => {
                job_result.error(format!(
                    "{}: a style sheet, which has no tree; leave out --emit tree",
                    input.name()
                ));
                return;
            }
            Emit::Source => {
                let rewritten = self.rewriter.rewrite(&document);
                (rewritten.bytes, rewritten.report, rewritten.edited)
            }
            Emit::Tree => self.tree(&loaded, url),
        };
        let changed = match &bytes {
            Cow::Borrowed(_) => false,
            Cow::Owned(bytes) => *bytes != loaded.bytes,
        };
        let source = match input {
            Input::Stdin | Input::Url(_) => None,
            Input::File { path, .. } => Some(&**path),
        };
        let written = write_output::document(
            output,
            &bytes,
            &loaded,
            self.args.others,
            source,
            job_result,
        );
        if let Err(error) = written {
            job_result.error(format!("{}: cannot be written: {error}", output.name()));
            return;
        }
        if output.is_dry() && changed {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        job_result.tally = Tally::of(&report, loaded.bytes.len());
        job_result.tally.changed = usize::from(changed);
        if self.args.report.is_some() {
            let told = report::DocumentMeta {
                path: &input.path(),
                entity: None,
                url,
                edited,
                changed,
            };
            if let Err(error) = report::write(&told, &document, &report, &mut job_result.report) {
                job_result.error(format!("{}: not in the report: {error}", input.name()));
            }
        }
        let failures = failures(&report);
        self.talk(&input.name(), &report, &failures, changed, job_result);
    }

    fn tree<'r>(
        &self,
        loaded: &'r LoadedInput,
        url: Option<&str>,
    ) -> (Cow<'r, [u8]>, Report<'static>, usize) {
        match Tree::parse_bytes(&loaded.bytes, self.settings.encoding(loaded)) {
            Ok(tree) => {
                let candidates = self.settings.candidates(url);
                let report = self.rewriter.rewrite_tree(&tree, &candidates);
                let is_edited = |outcome: &Outcome| matches!(outcome, Outcome::Resolved(_));
                let links = report.links.iter();
                let edited = links
                    .filter(|link_report| is_edited(&link_report.outcome))
                    .count();
                (Cow::Owned(tree.serialize_bytes()), report, edited)
            }
            Err(unread) => {
                let mut report = Report::default();
                report.unsupported = Some(unread);
                (Cow::Borrowed(&*loaded.bytes), report, 0)
            }
        }
    }

    /// Says what there is to say about a document that was rewritten.
    fn talk(
        &self,
        name: &str,
        report: &Report<'_>,
        failures: &[Failure],
        changed: bool,
        job_result: &mut JobResult,
    ) {
        let what = if changed { "changed" } else { "unchanged" };
        job_result.info(format!("{name}: {what}"));
        input::report_unsupported(name, report, job_result);
        let moved = moved_by_removal(self.args, report);
        remark(name, report, failures, moved, job_result);
        if self.args.strict && !failures.is_empty() {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
    }
}

/// Puts a file that is no document where the documents go.
pub(super) fn put_asset(
    asset: &Asset,
    output: &Path,
    others: OthersArg,
    barred: &UnwritableDirs,
    job_result: &mut JobResult,
) {
    let name = |path: &Path| terminal::escape_control(&path.to_string_lossy());
    if barred.has(output) {
        job_result.error(format!("{}: not written", name(output)));
        return;
    }
    match write_output::asset(asset, output, others) {
        Ok(()) => {
            job_result.tally.others = 1;
            job_result.info(format!("{}: copied", name(&asset.path)));
        }
        Err(error) => job_result.error(format!(
            "{}: cannot be copied to {}: {error}",
            name(&asset.path),
            name(output)
        )),
    }
}

/// References that were left for one reason, which should not be.
pub(super) struct Failure {
    reason: SkipReason,
    count: usize,
}

/// The references that could not be resolved or written, by reason.
pub(super) fn failures(report: &Report<'_>) -> Vec<Failure> {
    let mut failures: Vec<Failure> = Vec::new();
    for link_report in &report.links {
        let Outcome::Skipped(reason) = link_report.outcome else {
            continue;
        };
        if !reason.is_failure() {
            continue;
        }
        match failures.iter_mut().find(|other| other.reason == reason) {
            Some(failure) => failure.count += 1,
            None => failures.push(Failure { reason, count: 1 }),
        }
    }
    failures
}

/// How many relative references lead elsewhere because the BASE that gave them their base URL was removed.
fn moved_by_removal(args: &RewriteArgs, report: &Report<'_>) -> Option<usize> {
    let base = report.base.base.as_ref()?;
    if base.source != BaseSource::Embedded || !matches!(args.base_element, BaseElementArg::Remove) {
        return None;
    }
    let is_moved = |outcome: &Outcome| {
        let Outcome::Skipped(reason) = outcome else {
            return false;
        };
        // Kept fragments are meant to name the document itself.
        !matches!(
            reason,
            SkipReason::Empty | SkipReason::Local | SkipReason::Fragment
        )
    };
    let links = report.links.iter();
    let count = links
        .filter(|link_report| is_moved(&link_report.outcome))
        .count();
    (count > 0).then_some(count)
}

/// Says what a person should know about a document that was rewritten.
pub(super) fn remark(
    name: &str,
    report: &Report<'_>,
    failures: &[Failure],
    moved: Option<usize>,
    job_result: &mut JobResult,
) {
    for candidate in &report.base.candidates {
        let (source, value) = (candidate.source.name(), terminal::quoted(&candidate.value));
        match candidate.status {
            CandidateStatus::Used
            | CandidateStatus::Completing
            | CandidateStatus::Overridden
            | CandidateStatus::InTemplate => {}
            status => job_result.warn(format!("{name}: {source} base URL {value}: {status}")),
        }
    }
    if report.mismatched_tags > 0 {
        let tags = report.mismatched_tags;
        job_result.warn(format!(
            "{name}: {tags} tags stay as they are because two ways of reading them do not agree; please report this"
        ));
    }
    if let Some(count) = moved {
        job_result.warn(format!(
            "{name}: BASE was removed; relative references that were left and resolve without it now: {count}; absolve links names them"
        ));
    }
    for &Failure { reason, count } in failures {
        let references = if count == 1 {
            "reference was"
        } else {
            "references were"
        };
        let message = match reason {
            SkipReason::NoBase => format!(
                "{count} relative {references} left as written: no base URL is known; give one with --url"
            ),
            reason => {
                format!("{count} {references} left as written: {reason}; absolve links names them")
            }
        };
        job_result.warn(format!("{name}: {message}"));
    }
}
