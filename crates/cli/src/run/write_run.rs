//! Runs a verb that writes documents, and the steps that `rewrite` and `mirror` share.
//!
//! [`write_documents`] plans every output, and only then begins to read and write. A verb converts a document;
//! [`WriteRun`] writes the result and reports on it.

use std::fs::Metadata;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use absolve_site::files::{LostAttribute, SiteFile, write_file};
use absolve_site::run::{FolderOutput, OutputWriter, Unwritten};

use crate::args::{OutputArgs, RunArgs};
use crate::exit::{Abort, Exit};
use crate::inputs::Inputs;
use crate::inputs::input::{self, Input, LoadedInput};
use crate::plan::stale::StaleFiles;
use crate::plan::{self, Destination, DocumentJob, Job, Plan};
use crate::print::job_result::{JobResult, JobSink};
use crate::print::jsonl_report::{self, ReportFile};
use crate::print::printer::{Printer, StdoutUse};
use crate::print::rewritten_document::RewrittenDocument;
use crate::print::style::Style;
use crate::print::tally::{Counted, Tally};
use crate::print::{bundles, diff, terminal, warnings};
use crate::run::{self, Verb};
use crate::settings::Settings;

/// State shared by the jobs of a run that writes.
pub(crate) struct WriteRun<'a> {
    pub(crate) args: &'a OutputArgs,
    pub(crate) settings: Settings<'a>,
    pub(crate) writer: OutputWriter,
    /// Whether the inputs include a directory.
    is_site: bool,
}

/// Plans the outputs for `inputs`, and runs the verb that `verb` returns for each job of the plan.
///
/// # Errors
/// A plan that is rejected, or standard output or a report that cannot be written.
pub(crate) fn write_documents<'a, V: Verb<Job = Job>>(
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
    let mut printer = Printer::new(run_args, &inputs, plan.jobs.len(), stdout_use)?;
    printer.report = report;
    let mut job_result = JobResult::default();
    let mut writer = OutputWriter::new(plan.output.clone(), args.durability());
    prepare(&mut writer, &plan, &mut job_result);
    printer.emit(&job_result)?;
    let verb = verb(WriteRun {
        args,
        settings,
        writer,
        is_site: printer.is_site,
    });
    let threads = absolve_site::run::threads(run_args.threads);
    run::run_jobs(&verb, &plan.jobs, threads, &mut printer)?;
    if let Some(stale) = stale {
        let mut job_result = JobResult::default();
        stale.finish(&plan, printer.is_complete(), &mut job_result);
        printer.emit(&job_result)?;
    }
    let mut job_result = JobResult::default();
    warnings::emit_totals(&printer.tally, &mut job_result);
    printer.emit(&job_result)?;
    printer.finish(|tally| tally.summary(args))
}

/// Prepares the output. Problems are reported to `job_result`.
fn prepare(writer: &mut OutputWriter, plan: &Plan, job_result: &mut JobResult) {
    let model = plan.model.as_deref();
    for (path, error) in writer.prepare(&plan.directories, &plan.leftovers, model) {
        let name = terminal::path(&path);
        job_result.error(match &plan.output {
            FolderOutput::Directory(..) => format!("cannot write to {name}: {error}"),
            FolderOutput::InPlace(_) | FolderOutput::Nowhere => {
                format!("cannot remove {name}, a temporary file of a killed run: {error}")
            }
        });
    }
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
        Some(path) if !plan::is_stdout(path) => ReportFile::new(path, plan).map(Some),
        Some(_) if stdout_use == StdoutUse::Data => Err(Abort::Usage(
            "--report - cannot be used when other output is written to standard output\n  hint: use --report FILE".to_owned(),
        )),
        _ => Ok(None),
    }
}

impl WriteRun<'_> {
    /// Returns whether the output of `job` can be written. Reports an error if its directory cannot be used, or if it
    /// is a pipe or device that would replace itself: opening it could block.
    pub(crate) fn can_write(&self, job: &Job, job_result: &mut JobResult) -> bool {
        if let FolderOutput::InPlace(_) = &self.writer.output
            && let Job::Document(DocumentJob { input, .. }) = job
            && let Some(path) = input.file_path()
            && path.metadata().is_ok_and(|metadata| !metadata.is_file())
        {
            let name = terminal::path(path);
            job_result.error(format!(
                "cannot write {name}: not a regular file; write to another file"
            ));
            return false;
        }
        let output = job.output(&self.writer.output);
        let checked = output.map_or(Ok(()), |path| self.writer.check(&path));
        checked
            .map_err(|error| report_unwritten("write", &error, job_result))
            .is_ok()
    }

    /// Reports that the output of `job` is not written.
    pub(crate) fn report_unwritten(
        &self,
        job: &DocumentJob,
        error: &Unwritten,
        job_result: &mut JobResult,
    ) {
        let input = &job.input;
        let name = match &job.output {
            _ if self.args.is_dry_run() => "standard output".to_owned(),
            Destination::Stdout => "standard output".to_owned(),
            Destination::File(path) => terminal::path(path),
            Destination::Folder => {
                let site_path = input.site_path();
                let path = site_path.and_then(|path| self.writer.output.counterpart(path));
                path.map_or_else(|| input.name(), |path| terminal::path(&path))
            }
        };
        report_unwritten(&format!("write {name}"), error, job_result);
    }

    /// Reads the whole input.
    ///
    /// Returns `None` if it cannot be read or has an unsupported format. The error is added to `job_result`. A file of
    /// a site whose format is unsupported is copied to its output, as the other files are.
    pub(crate) fn read_supported(
        &self,
        job: &DocumentJob,
        job_result: &mut JobResult,
    ) -> Option<LoadedInput> {
        let input = &job.input;
        let loaded = input.read(&self.settings.fetcher, job_result)?;
        let Some(message) = loaded.unsupported_format() else {
            return Some(loaded);
        };
        let name = input.name();
        if input.site_path().is_none() {
            job_result.error(format!("{name}: {message}"));
        } else if self.write(job, &loaded.bytes, loaded.original(), job_result) {
            job_result.tally.count(Counted::Others, 1);
            job_result.error(format!("{name}: left unchanged: {message}"));
        }
        None
    }

    /// Copies an asset to the output directory, or makes a hard link to it.
    pub(crate) fn copy_asset(&self, asset: &SiteFile, job_result: &mut JobResult) {
        let from = terminal::path(&asset.path);
        match self.writer.copy(asset) {
            Ok(()) => {
                job_result.tally.count(Counted::Others, 1);
                job_result.info(format!("{from}: copied"));
            }
            Err(error) => {
                let to = self.writer.output.counterpart(&asset.site_path);
                let to = terminal::path(&to.unwrap_or_default());
                report_unwritten(&format!("copy {from} to {to}"), &error, job_result);
            }
        }
    }

    /// Writes `bytes`, the result for a document with the content `original`, and the metadata of a file. Returns
    /// whether it could be written; an error is reported.
    pub(crate) fn write(
        &self,
        job: &DocumentJob,
        bytes: &[u8],
        (original, metadata): (&[u8], Option<&Metadata>),
        job_result: &mut JobResult,
    ) -> bool {
        let input = &job.input;
        let is_changed = bytes != original;
        let written = match &job.output {
            _ if self.args.is_dry_run() => {
                if is_changed {
                    self.list_changed(input, job_result);
                    self.show_diff(input.path_bytes(), (original, bytes), job_result);
                }
                return true;
            }
            Destination::Stdout => {
                job_result.data.extend_from_slice(bytes);
                Ok(Vec::new())
            }
            Destination::Folder if let (Some(file), Some(_)) = (input.site_file(), metadata) => {
                self.writer.write(&file, (original, metadata), bytes)
            }
            Destination::File(_) | Destination::Folder => self.streamed(job, metadata, |to| {
                to.write_all(bytes)?;
                Ok(is_changed)
            }),
        };
        self.report_written(job, written, job_result)
    }

    /// Reports attributes of a replaced file that are lost, or that the output is not written. Returns whether it is.
    pub(crate) fn report_written(
        &self,
        job: &DocumentJob,
        written: io::Result<Vec<LostAttribute>>,
        job_result: &mut JobResult,
    ) -> bool {
        match written {
            Ok(lost) => report_lost(&job.input, &lost, job_result),
            Err(error) => {
                self.report_unwritten(job, &self.writer.unwritten(error), job_result);
                return false;
            }
        }
        true
    }

    /// Writes to the output the bytes that `write` produces; `write` returns whether they differ from the input, which
    /// had this metadata. Returns the attributes of a replaced file that are lost.
    ///
    /// # Errors
    /// `write` fails, or the output cannot be written. An existing file is left unchanged.
    pub(crate) fn streamed(
        &self,
        job: &DocumentJob,
        metadata: Option<&Metadata>,
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<bool>,
    ) -> io::Result<Vec<LostAttribute>> {
        match (&job.output, job.input.site_file()) {
            (Destination::Folder, Some(file)) => {
                return self.writer.write_with(&file, metadata, write);
            }
            (Destination::Stdout, _) => {
                let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout());
                write(&mut stdout)?;
                stdout.flush()?;
            }
            (Destination::File(path), _) => {
                write_file(path, self.args.durability(), write)?;
            }
            // Others than files are written nowhere.
            (Destination::Folder, None) => {
                write(&mut io::sink())?;
            }
        }
        Ok(Vec::new())
    }

    /// Lists an input that would change, with `--check`.
    pub(crate) fn list_changed(&self, input: &Input, job_result: &mut JobResult) {
        if self.args.print0 {
            job_result.data.extend(input.path_bytes());
            job_result.data.push(b'\0');
        } else if self.args.check {
            let line = terminal::escape_control(&input.path()) + "\n";
            job_result.data.extend(line.as_bytes());
        }
    }

    /// Shows the changes of the document at `path`, with `--diff`.
    pub(crate) fn show_diff(
        &self,
        path: &[u8],
        (original, bytes): (&[u8], &[u8]),
        job_result: &mut JobResult,
    ) {
        if self.args.diff {
            let style = Style::of(self.args.color);
            // Writing to a vector cannot fail.
            let _ = diff::write(path, original, bytes, style, &mut job_result.data);
        }
    }

    /// Reports on a rewritten document: counts, the lines of `--report`, messages, and the exit status.
    ///
    /// A document that cannot be read has the exit status of `--strict` with `--check` and `--diff`, too.
    pub(crate) fn report(&self, rewritten: &RewrittenDocument<'_>, sink: &mut JobSink<'_>) {
        let (located, report) = (&rewritten.located, rewritten.report);
        let name = located.name();
        let tally = &mut sink.tally;
        tally.add(&Tally::of(report, &rewritten.skipped, located.len));
        tally.count(Counted::Changed, usize::from(rewritten.changed));
        if self.settings.moves_site
            && let Some(generator) = bundles::generator_of(located.document.bytes())
        {
            tally.count(Counted::Bundles(generator), 1);
        }
        if self.args.report.is_some()
            && let Err(error) = jsonl_report::write(rewritten, &self.settings, sink)
        {
            sink.error(format!("cannot write {name} to the report: {error}"));
        }
        let change = if rewritten.changed {
            "changed"
        } else {
            "unchanged"
        };
        sink.info(format!("{name}: {change}"));
        input::report_unsupported(&name, report.unsupported, sink);
        warnings::emit_warnings(rewritten, &self.settings, self.is_site, sink);
        let is_unread = report.unsupported.is_some();
        let is_dry_run = self.args.is_dry_run();
        if (is_dry_run && (rewritten.changed || is_unread))
            || (self.args.strict && (is_unread || rewritten.failures().next().is_some()))
        {
            sink.exit = sink.exit.max(Exit::Findings);
        }
    }
}

/// Reports that an output is not written. `action` is what cannot be done, such as `write FILE`.
fn report_unwritten(action: &str, error: &Unwritten, job_result: &mut JobResult) {
    match error {
        Unwritten::Reported(_) => {
            job_result.exit = Exit::Error;
            job_result.tally.count(Counted::Unwritten, 1);
        }
        Unwritten::Failed(error) => job_result.error(format!("cannot {action}: {error}")),
    }
}

/// Reports the attributes of `input` that its replacement does not have.
pub(crate) fn report_lost(input: &Input, lost: &[LostAttribute], job_result: &mut JobResult) {
    if !lost.is_empty() {
        let lost: Vec<String> = lost.iter().map(ToString::to_string).collect();
        job_result.warn(format!(
            "{}: its {} could not be kept when it was replaced; set it again if you may, for example as root",
            input.name(),
            terminal::escape_control(&lost.join(", "))
        ));
    }
}
