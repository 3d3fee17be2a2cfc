//! Tells the answers of a run, one after another.

use std::io::{self, BufWriter, Stdout, Write};
use std::time::Instant;

use indicatif::ProgressBar;

use super::args::RunArgs;
use super::job_result::{Answer, Said, Weight};
use super::jobs::Extent;
use super::report::Report;
use super::tally::Tally;
use super::walk::Inputs;
use super::{Exit, Stop, progress, terminal};

/// How many remarks are made about a directory before they are only counted: the same one about thousands of documents
/// hides everything else.
const MOST_REMARKS: usize = 10;

/// Where answers go, and what they add up to.
pub(super) struct Delivery<'a> {
    args: &'a RunArgs,
    stdout: BufWriter<Stdout>,
    report: Option<Report>,
    /// Whether what goes to standard output is what the run is for.
    has_data: bool,
    bar: ProgressBar,
    began: Instant,
    tally: Tally,
    exit: Exit,
    files: usize,
    /// Whether the run is over a directory.
    is_site: bool,
    remarks: usize,
}

impl<'a> Delivery<'a> {
    /// For a run of that many files; `has_data` says that there will be something on standard output.
    pub(super) fn new(args: &'a RunArgs, inputs: &Inputs, files: usize, has_data: bool) -> Self {
        Self {
            args,
            stdout: BufWriter::with_capacity(1 << 16, io::stdout()),
            report: None,
            has_data,
            bar: progress::bar(args, files, has_data),
            began: Instant::now(),
            tally: Tally::default(),
            exit: Exit::Done,
            files,
            is_site: inputs.has_directory(),
            remarks: 0,
        }
    }

    /// The same, with a report.
    pub(super) fn with_report(self, report: Option<Report>) -> Self {
        Self { report, ..self }
    }

    /// Tells what could not be found, before anything else.
    pub(super) fn tell_troubles(&mut self, inputs: &mut Inputs) -> Result<(), Stop> {
        let mut answer = Answer::default();
        for message in inputs.troubles.drain(..) {
            answer.trouble(message);
        }
        for message in inputs.remarks.drain(..) {
            answer.remark(message);
        }
        self.tell(&answer)
    }

    /// Tells the answer to a job.
    pub(super) fn take(&mut self, answer: &Answer) -> Result<(), Stop> {
        self.tell(answer)?;
        self.bar.inc(1);
        Ok(())
    }

    /// Tells a part of the answer to a job, or what is left of it.
    pub(super) fn take_part(&mut self, answer: &Answer, extent: Extent) -> Result<(), Stop> {
        match extent {
            Extent::Part => self.tell(answer),
            Extent::Rest => self.take(answer),
        }
    }

    /// Tells an answer that is of no job.
    pub(super) fn tell(&mut self, answer: &Answer) -> Result<(), Stop> {
        self.exit = self.exit.max(answer.exit);
        self.tally.add(&answer.tally);
        self.stdout.write_all(&answer.data)?;
        if let Some(report) = &mut self.report {
            report.add(&answer.report)?;
        } else {
            // It goes to standard output.
            let written = self.stdout.write_all(&answer.report);
            self.heard(written)?;
        }
        for said in &answer.said {
            self.say(said)?;
        }
        Ok(())
    }

    fn say(&mut self, said: &Said) -> io::Result<()> {
        let is_said = match said.weight {
            Weight::Trouble => true,
            Weight::Detail => self.args.verbose,
            Weight::Remark if self.args.quiet => false,
            Weight::Remark => {
                self.remarks += 1;
                !self.is_site || self.args.verbose || self.remarks <= MOST_REMARKS
            }
        };
        if is_said {
            // On one terminal, in the order in which things happened.
            let flushed = self.stdout.flush();
            self.heard(flushed)?;
            self.bar.suspend(|| terminal::say(&said.message));
        }
        Ok(())
    }

    /// What came of writing to standard output: who reads a report and has seen enough does not end a run that writes
    /// files.
    fn heard(&self, written: io::Result<()>) -> io::Result<()> {
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
    ) -> Result<Exit, Stop> {
        self.bar.finish_and_clear();
        let flushed = self.stdout.flush();
        self.heard(flushed)?;
        if done < self.files {
            let files = self.files;
            terminal::say(&format!(
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
                terminal::say(&format!("{held} more remarks; --verbose makes them all"));
            }
            terminal::say(&summary(&self.tally));
        }
        if self.args.stats {
            for line in self.tally.lines(self.began.elapsed()) {
                terminal::say(&line);
            }
        }
        Ok(self.exit)
    }
}
