//! `absolve check`.

mod explain;
mod finding;
mod github;
mod html;
mod json;
mod sarif;
mod select;
mod site_targets;
mod text;

use std::io::{self, BufWriter, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use absolve::{Rewriter, Rule, SiteTargets, Span};

use super::args::{CheckArgs, CheckFormat};
use super::exit::{Abort, Exit};
use super::job_result::JobResult;
use super::located_document::LocatedDocument;
use super::reporter::Reporter;
use super::run::{self, ReadVerb};
use super::settings::Settings;
use super::style::Style;
use super::tally::Tally;
use super::walk::Inputs;
use super::{input, terminal};
use finding::ReportedFinding;
use html::FindingReport;
use select::RuleSelection;

pub(super) fn run(args: &CheckArgs) -> Result<Exit, Abort> {
    if let Some(name) = &args.explain {
        let mut stdout = BufWriter::new(io::stdout().lock());
        explain::write(name.as_deref(), &mut stdout)?;
        stdout.flush()?;
        return Ok(Exit::Done);
    }
    let verb = CheckRun {
        args,
        style: Style::of(args.color),
        selection: RuleSelection::new(&args.select, &args.ignore)?,
        html: Mutex::default(),
        targets: OnceLock::new(),
    };
    run::read_documents(&args.document, &verb)
}

/// The settings that all documents of a run share.
struct CheckRun<'c> {
    args: &'c CheckArgs,
    style: Style,
    selection: RuleSelection,
    /// The findings of a run with `--format html`, which is written at its end.
    html: Mutex<FindingReport>,
    /// The files of the directory that is checked, if its URL is known.
    targets: OnceLock<SiteTargets>,
}

impl ReadVerb for CheckRun<'_> {
    fn prepare(
        &self,
        settings: &Settings<'_>,
        inputs: &Inputs,
        threads: usize,
    ) -> Result<(), Abort> {
        let rules = [Rule::MissingTarget, Rule::MissingFragment];
        if rules.iter().any(|&rule| self.selection.has(rule))
            && let Some(targets) = site_targets::site_targets(settings, inputs, threads)?
        {
            let _ = self.targets.set(targets.clean_urls(self.args.clean_urls));
        }
        Ok(())
    }

    fn begin(&self, reporter: &mut Reporter<'_>) -> Result<(), Abort> {
        match self.args.format {
            CheckFormat::Text | CheckFormat::Github | CheckFormat::Html => return Ok(()),
            CheckFormat::Json => reporter.print_data(b"[")?,
            CheckFormat::Sarif => reporter.print_data(sarif::header(&self.selection).as_bytes())?,
        }
        reporter.begin_list();
        Ok(())
    }

    fn document(
        &self,
        rewriter: &Rewriter,
        located: &LocatedDocument<'_>,
        job_result: &mut JobResult,
    ) -> io::Result<()> {
        let name = located.name();
        let report = match self.targets.get() {
            Some(targets) => rewriter.check_in(located.document, targets),
            None => rewriter.check(located.document),
        };
        if report.unsupported.is_some() {
            input::report_unread(&name, report.unsupported, job_result);
            return Ok(());
        }
        let mut findings = report.findings;
        findings.retain(|finding| self.selection.has(finding.rule));
        let spans: Vec<Span> = findings.iter().filter_map(|finding| finding.span).collect();
        let mut excerpts = located.document.excerpts(&spans).into_iter();
        for (place, finding) in findings.iter().enumerate() {
            let reported = ReportedFinding {
                path: &located.input.path(),
                entity: located.label(),
                finding,
                excerpt: finding.span.and_then(|_| excerpts.next()),
            };
            if self.args.format == CheckFormat::Html {
                // A panic of another thread ends the run.
                let mut html = self.html.lock().unwrap_or_else(PoisonError::into_inner);
                html.add(&name, place, &reported);
            } else {
                self.write(&reported, &mut job_result.data)?;
            }
        }
        let tally = &mut job_result.tally;
        tally.documents += 1;
        tally.bytes += located.len as u64;
        tally.findings += findings.len();
        if !findings.is_empty() {
            tally.with_findings += 1;
        }
        if !findings.is_empty() && !self.args.exit_zero {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        let findings = terminal::several(findings.len(), "finding");
        job_result.info(format!("{name}: {findings}"));
        Ok(())
    }

    fn end(&self, mut reporter: Reporter<'_>) -> Result<Exit, Abort> {
        match self.args.format {
            CheckFormat::Text | CheckFormat::Github => {}
            CheckFormat::Json if reporter.tally.findings == 0 => reporter.print_data(b"]\n")?,
            CheckFormat::Json => reporter.print_data(b"\n]\n")?,
            CheckFormat::Sarif => reporter.print_data(sarif::FOOTER)?,
            CheckFormat::Html => {
                let html = self.html.lock().unwrap_or_else(PoisonError::into_inner);
                let mut file = Vec::new();
                html.write(&summary(&reporter.tally), &reporter.tally, &mut file)?;
                reporter.print_data(&file)?;
            }
        }
        let summary = summary(&reporter.tally);
        let is_shown = !reporter.is_site && !self.args.document.common.run.quiet;
        let exit = reporter.finish(|_| summary.clone())?;
        if is_shown {
            terminal::print_message(&summary);
        }
        Ok(exit)
    }
}

impl CheckRun<'_> {
    /// Writes a finding; an item of a list has a comma before it.
    fn write(&self, reported: &ReportedFinding<'_>, to: &mut Vec<u8>) -> io::Result<()> {
        match self.args.format {
            CheckFormat::Text => text::write(reported, self.style, to),
            CheckFormat::Github => github::write(reported, to),
            CheckFormat::Json => {
                to.extend(b",\n");
                json::write(reported, to)
            }
            CheckFormat::Sarif => {
                to.extend(b",\n");
                sarif::write(reported, &self.selection, to)
            }
            CheckFormat::Html => Ok(()),
        }
    }
}

/// Returns the one-line summary of a run.
fn summary(tally: &Tally) -> String {
    let documents = terminal::several(tally.documents, "document");
    match tally.findings {
        0 => format!("no findings in {documents}"),
        findings => {
            let findings = terminal::several(findings, "finding");
            format!("{findings} in {} of {documents}", tally.with_findings)
        }
    }
}
