//! `absolve rewrite`: rewrites the links of documents.
//!
//! # A run
//!
//! [`run`] validates the arguments, finds the inputs, plans every output ([`Plan`]), and only then begins to read and
//! write. The jobs of the plan are processed in one of three ways:
//!
//! * A file that fits in memory is a job for any thread ([`RewriteRun::run_job`]): a document is rewritten, a container
//!   (HTTP dump or MIME message) is rewritten with all documents in it ([`container`]), and an asset is copied.
//! * A WARC archive may have any size. It is streamed record by record, and no other job runs at the same time
//!   ([`archive`]). One that is not recognized before it is read, such as a fetched one, is processed in memory.
//! * An HTML document on standard input is rewritten while it is read ([`stream`]), unless an option requires the whole
//!   document.
//!
//! Results are delivered in the order of the plan, whatever thread they come from.
//!
//! # What is reported
//!
//! For each document, and for each document of a container:
//!
//! * its counts for the summary and for `--stats`,
//! * warnings about base URL candidates without effect, and about references that could not be rewritten, one for each
//!   reason ([`warnings`]),
//! * the lines of `--report`, if requested,
//! * with `--verbose`, whether it changed.
//!
//! # Errors
//!
//! An input that cannot be read or an output that cannot be written is reported, the file is left unchanged, and the
//! run continues with the next one. An error on standard output, or in the file of `--report`, ends the run. Every
//! output file is old or new, even if the process is killed.

mod archive;
mod container;
mod stream;
pub(super) mod warnings;

use std::borrow::Cow;
use std::path::Path;

use absolve::container::Format;
use absolve::{DocumentKind, LinkDetail, Outcome, Report, Rewriter, Tree};

use super::args::{Emit, OthersArg, RewriteArgs};
use super::input::{self, Input, LoadedInput};
use super::input_kind::InputKind;
use super::job_result::JobResult;
use super::jobs::EmitPart;
use super::output::{self, Destination, Job, OutputOptions, Plan};
use super::prepare::{self, UnwritableDirs};
use super::report::{self, ReportFile};
use super::reporter::{Reporter, StdoutUse};
use super::settings::{self, Settings};
use super::tally::{RunMode, Tally};
use super::walk::{Asset, Inputs};
use super::{Abort, Exit, interrupt, jobs, terminal, write_output};
use warnings::{Failure, count_failures, count_moved_by_base_removal, emit_warnings};

/// Runs the verb.
///
/// # Errors
/// Invalid arguments, a plan that is rejected, or standard output or a report that cannot be written.
pub(super) fn run(args: &RewriteArgs) -> Result<Exit, Abort> {
    let settings = Settings::new(&args.document)?;
    // Only the report needs every link; without it, links that were rewritten are counted but not recorded.
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
    let writes_to_stdout = plan.writes_to_stdout();
    let mode = RunMode::of(args.check, args.diff);
    let stdout_use = if writes_to_stdout || mode == RunMode::DryRun {
        StdoutUse::Data
    } else {
        StdoutUse::Report
    };
    let report = open_report(args.report.as_deref(), stdout_use, &plan)?;
    let is_interrupted = interrupt::watched(plan.jobs.len());
    let mut reporter = Reporter::new(run, &inputs, plan.jobs.len(), stdout_use).with_report(report);
    reporter.emit_input_messages(&mut inputs)?;
    let mut job_result = JobResult::default();
    let unwritable = prepare::prepare(&plan, &mut job_result);
    reporter.emit(&job_result)?;
    let rewrite = RewriteRun {
        args,
        settings,
        rewriter,
        unwritable,
    };
    let threads = jobs::threads(run.threads);
    let mut done = 0;
    // Consecutive files run in parallel with each other; an archive is a chunk of its own and emits results as it is
    // read.
    for part in plan
        .jobs
        .chunk_by(|a, b| !rewrite.is_archive(a) && !rewrite.is_archive(b))
    {
        match part {
            [job @ Job::Document { input, output }] if rewrite.is_archive(job) => {
                let emit = &mut |job_result: &JobResult| reporter.emit(job_result);
                done += usize::from(rewrite.archive(input, output, &is_interrupted, emit)?);
                // Advances the progress bar: the results were emitted already.
                reporter.deliver(&JobResult::default())?;
            }
            // The only job of its plan: the output is standard output or a single file.
            [Job::Document { input, output }] if rewrite.is_streamed(input, output) => {
                reporter.deliver(&rewrite.stream(input, output)?)?;
                done += 1;
            }
            _ => {
                let work =
                    |job: &Job, emit: &mut EmitPart<'_, JobResult>| rewrite.run_job(job, emit);
                let deliver =
                    |job_result: JobResult, extent| reporter.deliver_part(&job_result, extent);
                done +=
                    jobs::for_each_ordered_in_parts(part, threads, &is_interrupted, work, deliver)?;
            }
        }
    }
    reporter.finish(done, |tally| tally.summary(mode))
}

/// Opens the file of `--report`; returns `None` without that option, and for standard output.
///
/// # Errors
/// The file cannot be written, or the report would be mixed with data on standard output.
pub(super) fn open_report(
    report: Option<&Path>,
    stdout_use: StdoutUse,
    plan: &Plan,
) -> Result<Option<ReportFile>, Abort> {
    match report {
        Some(path) if !output::is_stdout(path) => ReportFile::new(path, plan).map(Some),
        Some(_) if stdout_use == StdoutUse::Data => Err(Abort::Usage(
            "--report - cannot be used when other output is written to standard output\n  hint: use --report FILE".to_owned(),
        )),
        _ => Ok(None),
    }
}

/// State shared by the jobs of a run.
struct RewriteRun<'a> {
    args: &'a RewriteArgs,
    settings: Settings<'a>,
    rewriter: Rewriter,
    unwritable: UnwritableDirs,
}

impl RewriteRun<'_> {
    /// Processes a file that fits in memory. Parts of a large result are emitted early.
    fn run_job(&self, job: &Job, emit: &mut EmitPart<'_, JobResult>) -> JobResult {
        let mut job_result = JobResult::default();
        match job {
            Job::Document { input, output } => {
                self.document(input, output, emit, &mut job_result);
            }
            Job::Asset { asset, output } => {
                copy_asset(
                    asset,
                    output,
                    self.args.others,
                    &self.unwritable,
                    &mut job_result,
                );
            }
        }
        job_result
    }

    /// Returns whether `job` is an archive that can be streamed.
    fn is_archive(&self, job: &Job) -> bool {
        match job {
            Job::Document { input, .. } => self.settings.is_archive(input),
            Job::Asset { .. } => false,
        }
    }

    /// Returns whether the output is in a directory that cannot be written, and reports an error if so.
    fn reject_unwritable(&self, output: &Destination, job_result: &mut JobResult) -> bool {
        let (Destination::Mirrored(path) | Destination::File(path)) = output else {
            return false;
        };
        let is_unwritable = self.unwritable.contains(path);
        if is_unwritable {
            job_result.error(format!(
                "cannot write {}: unusable directory",
                output.name()
            ));
        }
        is_unwritable
    }

    /// Reads, rewrites and writes one document or container.
    fn document(
        &self,
        input: &Input,
        output: &Destination,
        emit: &mut EmitPart<'_, JobResult>,
        job_result: &mut JobResult,
    ) {
        if self.reject_unwritable(output, job_result) {
            return;
        }
        let Some(loaded) = input.read(&self.settings.fetcher, job_result) else {
            return;
        };
        let kind = match self.settings.input_kind(input, &loaded) {
            InputKind::Document(kind) => kind,
            InputKind::Container(Format::Warc) => {
                return self.loaded_archive(input, output, &loaded, job_result);
            }
            InputKind::Container(format) => {
                return self.container(input, output, format, &loaded, emit, job_result);
            }
        };
        let url = self.settings.retrieval_url(input, &loaded);
        let url = url.as_deref();
        let document = self.settings.document(kind, &loaded, url);
        let RewrittenSource {
            bytes,
            report,
            edited,
        } = match self.args.emit {
            Emit::Tree if kind == DocumentKind::StyleSheet => {
                job_result.error(format!(
                    "{}: --emit tree does not support style sheets; use --emit source",
                    input.name()
                ));
                return;
            }
            Emit::Source => {
                let rewritten = self.rewriter.rewrite(&document);
                RewrittenSource {
                    bytes: rewritten.bytes,
                    report: rewritten.report,
                    edited: rewritten.edited,
                }
            }
            Emit::Tree => self.tree(&loaded, url),
        };
        let changed = match &bytes {
            Cow::Borrowed(_) => false,
            // Edits may reproduce the original bytes, and a serialized tree is always owned.
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
            job_result.error(format!("cannot write {}: {error}", output.name()));
            return;
        }
        if output.is_dry_run() && changed {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        job_result.tally = Tally::of(&report, loaded.bytes.len());
        job_result.tally.changed = usize::from(changed);
        if self.args.report.is_some() {
            let meta = report::DocumentMeta {
                path: &input.path(),
                entity: None,
                url,
                edited,
                changed,
            };
            if let Err(error) = report::write(&meta, &document, &report, &mut job_result.report) {
                job_result.error(format!(
                    "cannot write {} to the report: {error}",
                    input.name()
                ));
            }
        }
        let failures = count_failures(&report);
        let outcome = RewriteOutcome {
            name: &input.name(),
            report: &report,
            failures: &failures,
            changed,
        };
        self.report_outcome(&outcome, job_result);
    }

    /// Rewrites a document for `--emit tree`: parses it, rewrites the tree and serializes that.
    fn tree<'r>(&self, loaded: &'r LoadedInput, url: Option<&str>) -> RewrittenSource<'r> {
        match Tree::parse_bytes(&loaded.bytes, self.settings.encoding(loaded)) {
            Ok(tree) => {
                let candidates = self.settings.candidates(url);
                let report = self.rewriter.rewrite_tree(&tree, &candidates);
                let is_edited = |outcome: &Outcome| matches!(outcome, Outcome::Resolved(_));
                let links = report.links.iter();
                let edited = links
                    .filter(|link_report| is_edited(&link_report.outcome))
                    .count();
                RewrittenSource {
                    bytes: Cow::Owned(tree.serialize_bytes()),
                    report,
                    edited,
                }
            }
            Err(unsupported) => {
                let mut report = Report::default();
                report.unsupported = Some(unsupported);
                RewrittenSource {
                    bytes: Cow::Borrowed(&*loaded.bytes),
                    report,
                    edited: 0,
                }
            }
        }
    }

    /// Adds the messages about a rewritten document, and the exit status of `--strict`.
    fn report_outcome(&self, outcome: &RewriteOutcome<'_>, job_result: &mut JobResult) {
        let &RewriteOutcome {
            name,
            report,
            failures,
            changed,
        } = outcome;
        let change = if changed { "changed" } else { "unchanged" };
        job_result.info(format!("{name}: {change}"));
        input::report_unsupported(name, report, job_result);
        let moved = count_moved_by_base_removal(self.args, report);
        emit_warnings(name, report, failures, moved, job_result);
        if self.args.strict && !failures.is_empty() {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
    }
}

/// Result of rewriting the source of a document.
struct RewrittenSource<'r> {
    bytes: Cow<'r, [u8]>,
    report: Report<'r>,
    /// Number of edits.
    edited: usize,
}

/// Facts about a rewritten document for the messages to the user.
struct RewriteOutcome<'o> {
    name: &'o str,
    report: &'o Report<'o>,
    failures: &'o [Failure],
    /// Whether the bytes of the document change.
    changed: bool,
}

/// Copies an asset to the output directory, or makes a hard link to it.
pub(super) fn copy_asset(
    asset: &Asset,
    output: &Path,
    others: OthersArg,
    unwritable: &UnwritableDirs,
    job_result: &mut JobResult,
) {
    let name = |path: &Path| terminal::escape_control(&path.to_string_lossy());
    if unwritable.contains(output) {
        job_result.error(format!("cannot write {}: unusable directory", name(output)));
        return;
    }
    match write_output::write_asset(asset, output, others) {
        Ok(()) => {
            job_result.tally.others = 1;
            job_result.info(format!("{}: copied", name(&asset.path)));
        }
        Err(error) => job_result.error(format!(
            "cannot copy {} to {}: {error}",
            name(&asset.path),
            name(output)
        )),
    }
}
