//! Runs a verb that writes documents, and the steps that `rewrite` and `mirror` share.
//!
//! [`write_documents`] plans every output, and only then begins to read and write. A verb converts a document;
//! [`WriteRun`] writes the result and reports on it.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use absolve_site::files::SiteFile;

use super::args::{OutputArgs, RunArgs};
use super::exit::{Abort, Exit};
use super::input::{Input, LoadedInput};
use super::interrupt::{self, Interrupt};
use super::job_result::{EmitResult, JobResult};
use super::output::{self, Destination, Job, Plan};
use super::prepare::{self, UnwritableDirs};
use super::progress::StdoutUse;
use super::report::{self, ReportFile, RewrittenDocument};
use super::reporter::Reporter;
use super::run::{self, Verb};
use super::settings::Settings;
use super::stale::StaleFiles;
use super::tally::Tally;
use super::walk::Inputs;
use super::warnings::{self, RewriteOutcome};
use super::write_output::{self, StreamedInput};
use super::{bundles, input, terminal};

/// State shared by the jobs of a run that writes.
pub(super) struct WriteRun<'a> {
    pub(super) args: &'a OutputArgs,
    pub(super) settings: Settings<'a>,
    unwritable: UnwritableDirs,
    /// Whether the inputs include a directory.
    is_site: bool,
    /// Whether there was no space for an output. No other is written then.
    is_full: AtomicBool,
    /// The signals that end the run.
    pub(super) interrupt: Arc<Interrupt>,
}

/// Plans the outputs for `inputs`, and runs the verb that `verb` returns for each job of the plan.
///
/// # Errors
/// A plan that is rejected, or standard output or a report that cannot be written.
pub(super) fn write_documents<'a, V: Verb<Job = Job>>(
    args: &'a OutputArgs,
    run_args: &RunArgs,
    mut inputs: Inputs,
    settings: Settings<'a>,
    verb: impl FnOnce(WriteRun<'a>) -> V,
) -> Result<Exit, Abort> {
    let plan = Plan::new(args, &mut inputs)?;
    let stdout_use = if plan.writes_to_stdout() || args.is_dry_run() {
        StdoutUse::Data
    } else {
        StdoutUse::Report
    };
    let stale = StaleFiles::new(args, &plan)?;
    if let Some(stale) = stale.as_ref().filter(|_| args.dry_run) {
        return stale.list();
    }
    let report = open_report(args.report.as_deref(), stdout_use, &plan)?;
    let interrupt = interrupt::watched(plan.jobs.len());
    let mut reporter = Reporter::new(
        run_args,
        &inputs,
        plan.jobs.len(),
        stdout_use,
        Arc::clone(&interrupt),
    );
    reporter.report = report;
    reporter.emit(&inputs.messages)?;
    let mut job_result = JobResult::default();
    let unwritable = prepare::prepare(&plan, &mut job_result);
    reporter.emit(&job_result)?;
    let verb = verb(WriteRun {
        args,
        settings,
        unwritable,
        is_site: reporter.is_site,
        is_full: AtomicBool::new(false),
        interrupt: Arc::clone(&interrupt),
    });
    let threads = absolve_site::run::threads(run_args.threads);
    run::run_jobs(&verb, &plan.jobs, threads, interrupt.flag(), &mut reporter)?;
    if let Some(stale) = stale {
        let mut job_result = JobResult::default();
        stale.finish(&plan, reporter.is_complete(), &mut job_result);
        reporter.emit(&job_result)?;
    }
    let mut job_result = JobResult::default();
    if reporter.tally.without_base > 0 {
        let documents = terminal::several(reporter.tally.without_base, "document");
        job_result.warn(format!(
            "no base URL for the relative references of {documents}; set one with --url"
        ));
    }
    bundles::warnings(&reporter.tally.bundles).for_each(|warning| job_result.warn(warning));
    reporter.emit(&job_result)?;
    reporter.finish(|tally| tally.summary(args))
}

/// Opens the file of `--report`; returns `None` without that option, and for standard output.
///
/// # Errors
/// The file cannot be written, or the report would be mixed with data on standard output.
fn open_report(
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

impl WriteRun<'_> {
    /// Returns whether the output of `job` can be written. Reports an error if its directory cannot be used, or if it
    /// is a pipe or device that would replace itself: opening it could block.
    pub(super) fn can_write(&self, job: &Job, job_result: &mut JobResult) -> bool {
        if let Job::Document {
            output: Destination::InPlace { path, .. },
            ..
        } = job
            && path.metadata().is_ok_and(|metadata| !metadata.is_file())
        {
            let name = terminal::path(path);
            job_result.error(format!(
                "cannot write {name}: not a regular file; write to another file"
            ));
            return false;
        }
        let is_unwritable = job
            .output()
            .is_some_and(|path| self.unwritable.contains(path) || self.is_full.load(Relaxed));
        if is_unwritable {
            // The error was reported for the directory, or for the first file without space.
            job_result.exit = Exit::Error;
            job_result.tally.unwritten = 1;
        }
        !is_unwritable
    }

    /// Reports that an output cannot be written. `action` is what cannot be done, such as `write FILE`.
    pub(super) fn report_write_error(
        &self,
        action: &str,
        error: &io::Error,
        job_result: &mut JobResult,
    ) {
        let is_full = matches!(
            error.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        );
        if is_full && self.is_full.swap(true, Relaxed) {
            job_result.exit = Exit::Error;
            job_result.tally.unwritten += 1;
            return;
        }
        let end = if is_full {
            "; no other file is written"
        } else {
            ""
        };
        job_result.error(format!("cannot {action}: {error}{end}"));
    }

    /// Reads the whole input.
    ///
    /// Returns `None` if it cannot be read or has an unsupported format. The error is added to `job_result`. A file of
    /// a site whose format is unsupported is copied to `output`, as its other files are.
    pub(super) fn read_supported(
        &self,
        input: &Input,
        output: &Destination,
        job_result: &mut JobResult,
    ) -> Option<LoadedInput> {
        let loaded = input.read(&self.settings.fetcher, job_result)?;
        let Some(message) = loaded.unsupported_format() else {
            return Some(loaded);
        };
        let name = input.name();
        if input.site_path().is_none() {
            job_result.error(format!("{name}: {message}"));
        } else if self.write(input, output, &loaded.bytes, &loaded, job_result) {
            job_result.tally.others = 1;
            job_result.error(format!("{name}: left unchanged: {message}"));
        }
        None
    }

    /// Copies an asset to the output directory, or makes a hard link to it.
    pub(super) fn copy_asset(&self, asset: &SiteFile, output: &Path, job_result: &mut JobResult) {
        let (from, to) = (terminal::path(&asset.path), terminal::path(output));
        match asset.transfer(output, self.args.others.transfer(), self.args.durability()) {
            Ok(()) => {
                job_result.tally.others = 1;
                job_result.info(format!("{from}: copied"));
            }
            Err(error) => {
                self.report_write_error(&format!("copy {from} to {to}"), &error, job_result);
            }
        }
    }

    /// Returns the facts about an input that its output depends on. `metadata` is that of a file.
    pub(super) fn streamed_input<'s>(
        &self,
        input: &'s Input,
        metadata: Option<&'s Metadata>,
    ) -> StreamedInput<'s> {
        StreamedInput {
            metadata,
            input,
            others: self.args.others,
            durability: self.args.durability(),
        }
    }

    /// Writes `bytes`, the result for the document in `loaded`. Returns whether it could be written; an error is
    /// reported.
    pub(super) fn write(
        &self,
        input: &Input,
        output: &Destination,
        bytes: &[u8],
        loaded: &LoadedInput,
        job_result: &mut JobResult,
    ) -> bool {
        let source = self.streamed_input(input, loaded.metadata.as_ref());
        let written = write_output::document(output, bytes, &loaded.bytes, &source, job_result);
        if let Err(error) = &written {
            self.report_write_error(&format!("write {}", output.name()), error, job_result);
        }
        written.is_ok()
    }

    /// Reports on a rewritten document: exit status, counts, the lines of `--report`, and messages. Many lines are
    /// emitted in parts.
    pub(super) fn report(
        &self,
        rewritten: &RewrittenDocument<'_>,
        emit: &mut EmitResult<'_>,
        job_result: &mut JobResult,
    ) {
        let (report, changed) = (rewritten.report, rewritten.changed);
        let name = rewritten.located.name();
        if self.args.is_dry_run() && changed {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        let mut tally = Tally::of(report, rewritten.located.len);
        tally.changed = usize::from(changed);
        if self.settings.moves_site
            && let Some(generator) = bundles::generator_of(rewritten.located.document.bytes())
        {
            tally.bundles.insert(generator, 1);
        }
        job_result.tally.add(&tally);
        if self.args.report.is_some()
            && let Err(error) = report::write(rewritten, &self.settings, emit, job_result)
        {
            job_result.error(format!("cannot write {name} to the report: {error}"));
        }
        let outcome = RewriteOutcome {
            name: &name,
            report,
            skipped: &warnings::count_skipped(report),
            changed,
            moved: rewritten.moved,
        };
        self.report_outcome(&outcome, job_result);
    }

    /// Adds the messages about a rewritten document, and the exit status of `--strict`.
    ///
    /// A document that cannot be read has that exit status with `--check` and `--diff`, too.
    pub(super) fn report_outcome(&self, outcome: &RewriteOutcome<'_>, job_result: &mut JobResult) {
        let RewriteOutcome { name, changed, .. } = outcome;
        let change = if *changed { "changed" } else { "unchanged" };
        job_result.info(format!("{name}: {change}"));
        input::report_unsupported(name, outcome.report.unsupported, job_result);
        warnings::emit_warnings(outcome, &self.settings, self.is_site, job_result);
        let is_unread = outcome.report.unsupported.is_some();
        if (is_unread && (self.args.strict || self.args.is_dry_run()))
            || (self.args.strict && outcome.failures().next().is_some())
        {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
    }
}
