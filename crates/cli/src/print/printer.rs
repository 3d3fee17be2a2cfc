//! Prints the results of a run in the order of its inputs, adds them up, and ends the run with a summary.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::time::Instant;

use indicatif::ProgressBar;

use crate::args::RunArgs;
use crate::exit::{Abort, Exit};
use crate::inputs::Inputs;
use crate::print::job_result::{JobResult, Severity};
use crate::print::jsonl_report::ReportFile;
use crate::print::tally::Tally;
use crate::print::{progress, terminal};
use crate::run::interrupt;
use absolve_site::run::PartExtent;

/// Number of warnings shown for a directory; further ones are counted only. Thousands of documents with the same
/// problem would bury everything else.
const MAX_WARNINGS: usize = 10;

/// Use of standard output by a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StdoutUse {
    /// The result of the command: a closed pipe ends the run.
    Data,
    /// Nothing, or a report: a closed pipe does not end the run.
    Report,
}

/// Receiver of all results of a run.
pub(crate) struct Printer<'a> {
    args: &'a RunArgs,
    stdout: BufWriter<Stdout>,
    /// The file of `--report`. By default, there is none.
    pub(crate) report: Option<ReportFile>,
    /// Use of standard output, which decides whether a closed pipe ends the run.
    stdout_use: StdoutUse,
    bar: ProgressBar,
    started: Instant,
    pub(crate) tally: Tally,
    exit: Exit,
    files: usize,
    /// Number of files that were processed.
    done: usize,
    /// Whether the inputs include a directory: then warnings are limited and a summary is printed.
    pub(crate) is_site: bool,
    /// Whether the rows are items of a list, and there is none yet: see
    /// [`OutputFormat::begin`](super::format::OutputFormat::begin).
    is_list_start: bool,
    /// Number of warnings so far.
    warnings: usize,
    /// Number of errors so far.
    errors: usize,
}

impl<'a> Printer<'a> {
    /// Returns a printer for a run over `files` files. Prints the messages about `inputs`, and handles signals from now
    /// on.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn new(
        args: &'a RunArgs,
        inputs: &Inputs,
        files: usize,
        stdout_use: StdoutUse,
    ) -> Result<Self, Abort> {
        interrupt::watch(files);
        let mut printer = Self {
            args,
            stdout: BufWriter::with_capacity(1 << 16, io::stdout()),
            report: None,
            stdout_use,
            bar: progress::bar(args, files),
            started: Instant::now(),
            tally: Tally::default(),
            exit: Exit::Done,
            files,
            done: 0,
            is_site: inputs.has_directory(),
            is_list_start: false,
            warnings: 0,
            errors: 0,
        };
        printer.emit(&inputs.messages)?;
        Ok(printer)
    }

    /// Prints the text before the first row: see [`OutputFormat::begin`](super::format::OutputFormat::begin).
    pub(crate) fn begin(&mut self, text: &str) -> io::Result<()> {
        self.is_list_start = text.ends_with('[');
        self.stdout.write_all(text.as_bytes())
    }

    /// Prints the text after the last row: see [`OutputFormat::end`](super::format::OutputFormat::end).
    pub(crate) fn end(&mut self, text: &[u8]) -> io::Result<()> {
        let is_empty_list = self.is_list_start;
        let text = if is_empty_list {
            text.trim_ascii_start()
        } else {
            text
        };
        self.stdout.write_all(text)
    }

    /// Prints a part of the result of a job; the last part advances the progress bar.
    pub(crate) fn deliver(
        &mut self,
        job_result: &JobResult,
        extent: PartExtent,
    ) -> Result<(), Abort> {
        self.emit(job_result)?;
        if extent == PartExtent::Last {
            self.advance();
            self.done += usize::from(!job_result.is_interrupted);
        }
        Ok(())
    }

    /// Prints a result without advancing the progress bar.
    pub(crate) fn emit(&mut self, job_result: &JobResult) -> Result<(), Abort> {
        self.exit = self.exit.max(job_result.exit);
        self.tally.add(&job_result.tally);
        let mut data = &*job_result.data;
        if self.is_list_start && !data.is_empty() {
            self.is_list_start = false;
            data = data.strip_prefix(b",").unwrap_or(data);
        }
        self.write_data(data)?;
        if let Some(report) = &mut self.report {
            report.add(&job_result.report)?;
        } else {
            // `--report -` writes to standard output.
            let written = self.stdout.write_all(&job_result.report);
            self.ignore_broken_pipe(written)?;
        }
        for (severity, text) in &job_result.messages {
            self.print(*severity, text)?;
        }
        Ok(())
    }

    /// Writes data; on a terminal without the progress bar, which is drawn again after it.
    fn write_data(&mut self, data: &[u8]) -> io::Result<()> {
        if data.is_empty() || self.bar.is_hidden() || !io::stdout().is_terminal() {
            return self.stdout.write_all(data);
        }
        let stdout = &mut self.stdout;
        self.bar.suspend(|| {
            stdout.write_all(data)?;
            stdout.flush()
        })
    }

    /// Begins to process all files, for the first time or once more; `name` is shown before their number.
    pub(crate) fn begin_phase(&self, name: &'static str) {
        self.bar.reset();
        self.bar.set_prefix(name);
    }

    /// Advances the progress bar by one file.
    pub(crate) fn advance(&self) {
        self.bar.inc(1);
    }

    fn print(&mut self, severity: Severity, text: &str) -> io::Result<()> {
        let is_shown = match severity {
            Severity::Error => {
                self.errors += 1;
                true
            }
            Severity::Info => self.args.verbose,
            Severity::Note => !self.args.quiet,
            Severity::Warning if self.args.quiet => false,
            Severity::Warning => {
                self.warnings += 1;
                !self.is_site || self.args.verbose || self.warnings <= MAX_WARNINGS
            }
        };
        if is_shown {
            // Keeps data and messages in order if both go to the same terminal.
            let flushed = self.stdout.flush();
            self.ignore_broken_pipe(flushed)?;
            self.bar.suspend(|| terminal::print_message(text));
        }
        Ok(())
    }

    /// Returns the result of a write to standard output, or success if the pipe is closed and carries no data.
    ///
    /// A reader that stops reading the report must not end a run that writes files.
    fn ignore_broken_pipe(&self, written: io::Result<()>) -> io::Result<()> {
        let is_report = self.stdout_use == StdoutUse::Report;
        match written {
            Err(error) if is_report && error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }

    /// Returns whether all files were processed, without errors.
    pub(crate) fn is_complete(&self) -> bool {
        self.done == self.files && self.exit < Exit::Error
    }

    /// Ends the run: prints the summary and the statistics, and returns the exit status.
    ///
    /// # Errors
    /// Standard output or the report file cannot be written.
    pub(crate) fn finish(mut self, summary: impl FnOnce(&Tally) -> String) -> Result<Exit, Abort> {
        self.bar.finish_and_clear();
        let flushed = self.stdout.flush();
        self.ignore_broken_pipe(flushed)?;
        let (done, files) = (self.done, self.files);
        if done < files {
            let rest = match self.stdout_use {
                StdoutUse::Data => "",
                StdoutUse::Report => ", the others unchanged; run the command again to continue",
            };
            terminal::print_message(&format!("interrupted: {done} of {files} files done{rest}"));
            return Ok(interrupt::exit());
        }
        if let Some(report) = self.report {
            report.finish()?;
        }
        let is_summarized = self.is_site && !self.args.quiet && self.tally != Tally::default();
        if is_summarized || self.args.stats {
            if self.warnings > MAX_WARNINGS && !self.args.verbose {
                let held = self.warnings - MAX_WARNINGS;
                terminal::print_message(&format!(
                    "{held} more warnings; use --verbose to show all"
                ));
            }
            let errors = match self.errors {
                0 => String::new(),
                errors => format!("; errors: {errors}"),
            };
            terminal::print_message(&format!("{}{errors}", summary(&self.tally)));
        }
        if self.args.stats {
            for line in self.tally.lines(self.started.elapsed()) {
                terminal::print_message(&line);
            }
        }
        Ok(self.exit)
    }
}
