//! Tells the answers of a run, one after another.

use std::io::{self, BufWriter, Stdout, Write};
use std::time::Instant;

use indicatif::ProgressBar;

use super::args::RunArgs;
use super::job_result::{JobResult, Severity, UserMessage};
use super::jobs::PartExtent;
use super::report::ReportFile;
use super::tally::Tally;
use super::walk::Inputs;
use super::{Abort, Exit, progress, terminal};

/// How many remarks are made about a directory before they are only counted: the same one about thousands of documents
/// hides everything else.
const MOST_REMARKS: usize = 10;

/// Where answers go, and what they add up to.
pub(super) struct Reporter<'a> {
    args: &'a RunArgs,
    stdout: BufWriter<Stdout>,
    report: Option<ReportFile>,
    /// Whether what goes to standard output is what the run is for.
    has_data: bool,
    bar: ProgressBar,
    started: Instant,
    tally: Tally,
    exit: Exit,
    files: usize,
    /// Whether the run is over a directory.
    is_site: bool,
    remarks: usize,
}

impl<'a> Reporter<'a> {
    /// For a run of that many files; `has_data` says that there will be something on standard output.
    pub(super) fn new(args: &'a RunArgs, inputs: &Inputs, files: usize, has_data: bool) -> Self {
        Self {
            args,
            stdout: BufWriter::with_capacity(1 << 16, io::stdout()),
            report: None,
            has_data,
            bar: progress::bar(args, files, has_data),
            started: Instant::now(),
            tally: Tally::default(),
            exit: Exit::Done,
            files,
            is_site: inputs.has_directory(),
            remarks: 0,
        }
    }

    /// The same, with a report.
    pub(super) fn with_report(self, report: Option<ReportFile>) -> Self {
        Self { report, ..self }
    }

    /// Tells what could not be found, before anything else.
    pub(super) fn emit_input_messages(&mut self, inputs: &mut Inputs) -> Result<(), Abort> {
        let mut job_result = JobResult::default();
        for message in inputs.errors.drain(..) {
            job_result.error(message);
        }
        for message in inputs.remarks.drain(..) {
            job_result.warn(message);
        }
        self.emit(&job_result)
    }

    /// Tells the answer to a job.
    pub(super) fn deliver(&mut self, job_result: &JobResult) -> Result<(), Abort> {
        self.emit(job_result)?;
        self.bar.inc(1);
        Ok(())
    }

    /// Tells a part of the answer to a job, or what is left of it.
    pub(super) fn deliver_part(
        &mut self,
        job_result: &JobResult,
        extent: PartExtent,
    ) -> Result<(), Abort> {
        match extent {
            PartExtent::Partial => self.emit(job_result),
            PartExtent::Last => self.deliver(job_result),
        }
    }

    /// Tells an answer that is of no job.
    pub(super) fn emit(&mut self, job_result: &JobResult) -> Result<(), Abort> {
        self.exit = self.exit.max(job_result.exit);
        self.tally.add(&job_result.tally);
        self.stdout.write_all(&job_result.data)?;
        if let Some(report) = &mut self.report {
            report.add(&job_result.report)?;
        } else {
            // It goes to standard output.
            let written = self.stdout.write_all(&job_result.report);
            self.ignore_broken_pipe(written)?;
        }
        for message in &job_result.messages {
            self.print(message)?;
        }
        Ok(())
    }

    fn print(&mut self, message: &UserMessage) -> io::Result<()> {
        let is_shown = match message.severity {
            Severity::Error => true,
            Severity::Info => self.args.verbose,
            Severity::Warning if self.args.quiet => false,
            Severity::Warning => {
                self.remarks += 1;
                !self.is_site || self.args.verbose || self.remarks <= MOST_REMARKS
            }
        };
        if is_shown {
            // On one terminal, in the order in which things happened.
            let flushed = self.stdout.flush();
            self.ignore_broken_pipe(flushed)?;
            self.bar
                .suspend(|| terminal::print_message(&message.message));
        }
        Ok(())
    }

    /// What came of writing to standard output: who reads a report and has seen enough does not end a run that writes
    /// files.
    fn ignore_broken_pipe(&self, written: io::Result<()>) -> io::Result<()> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && !self.has_data => Ok(()),
            written => written,
        }
    }

    /// Ends the run, of which that many files were done; `summary` tells people what was done.
    pub(super) fn finish(
        mut self,
        done: usize,
        summary: impl FnOnce(&Tally) -> String,
    ) -> Result<Exit, Abort> {
        self.bar.finish_and_clear();
        let flushed = self.stdout.flush();
        self.ignore_broken_pipe(flushed)?;
        if done < self.files {
            let files = self.files;
            terminal::print_message(&format!(
                "interrupted: {done} of {files} files are done, the others are as they were; run the command again"
            ));
            return Ok(Exit::Interrupted);
        }
        if let Some(report) = self.report {
            report.finish()?;
        }
        if self.is_site && !self.args.quiet {
            if self.remarks > MOST_REMARKS && !self.args.verbose {
                let held = self.remarks - MOST_REMARKS;
                terminal::print_message(&format!("{held} more remarks; --verbose makes them all"));
            }
            terminal::print_message(&summary(&self.tally));
        }
        if self.args.stats {
            for line in self.tally.lines(self.started.elapsed()) {
                terminal::print_message(&line);
            }
        }
        Ok(self.exit)
    }
}
