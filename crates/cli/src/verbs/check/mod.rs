//! `absolve check`.

mod baseline;
mod explain;
mod finding;
pub(crate) mod formats;
mod github;
mod html;
mod json;
mod sarif;
mod select;
mod severity;
mod site_targets;
mod text;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use absolve::check::Finding;
use absolve::{Rewriter, Span};
use absolve_site::run::CheckRun;
use absolve_site::{LocalPage, SiteCheckReport};

use crate::args::{BasePath, CheckArgs, DocumentArgs};
use crate::exit::{Abort, Exit};
use crate::inputs::located_document::LocatedDocument;
use crate::inputs::{Inputs, input};
use crate::print::format::OutputFormat;
use crate::print::job_result::{JobResult, JobSink};
use crate::print::printer::Printer;
use crate::print::style::Style;
use crate::print::tally::{Counted, Tally};
use crate::print::{terminal, warnings};
use crate::run::read_run::{self, ReadVerb};
use crate::settings::Settings;
use baseline::{Baseline, Known};
use finding::ReportedFinding;
use select::RuleSelection;
use severity::FindingSeverity;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Abort> {
    if let Some(name) = &args.explain {
        let mut stdout = BufWriter::new(io::stdout().lock());
        explain::write(name.as_deref(), &mut stdout)?;
        stdout.flush()?;
        return Ok(Exit::Done);
    }
    let selection = RuleSelection::new(&args.select, &args.ignore, &args.warn)?;
    let verb = CheckVerb {
        args,
        format: (args.format)(&selection, Style::of(args.color)),
        selection,
        known: match &args.baseline {
            // Read also before it is replaced, so that a file that is no baseline is not lost.
            Some(path) if !args.write_baseline || path.is_file() => Baseline::read(path)?,
            _ => Baseline::default(),
        },
        collected: Mutex::default(),
        check_run: OnceLock::new(),
        root_path: (args.base_path.base_path.is_none() && is_site_without_url(&args.document))
            .then(BasePath::root),
    };
    read_run::read_documents(&args.document, &verb)
}

/// Message about links that are not checked in a directory without its URL.
const NO_URL: &str = "without --url, the directory is checked as the root of a site, and links with a host are not checked";

/// The settings that all documents of a run share.
struct CheckVerb<'c> {
    args: &'c CheckArgs,
    format: Box<dyn for<'f> OutputFormat<ReportedFinding<'f>>>,
    selection: RuleSelection,
    /// The findings that are not reported.
    known: Baseline,
    /// The findings of a run with `--write-baseline`.
    collected: Mutex<Baseline>,
    /// Knows the files of the directory that is checked, once they are read.
    check_run: OnceLock<CheckRun>,
    /// The root of a host, in place of a URL or path that was not given.
    root_path: Option<BasePath>,
}

/// Returns whether the input is a single directory, and no argument gives its documents a base URL.
fn is_site_without_url(args: &DocumentArgs) -> bool {
    let has_base =
        args.common.url.is_some() || args.default_base.is_some() || !args.enclosing_base.is_empty();
    let is_directory = |path: &PathBuf| path.is_dir();
    args.paths.len() == 1 && args.paths.iter().all(is_directory) && !has_base
}

impl ReadVerb for CheckVerb<'_> {
    fn base_path(&self) -> Option<&BasePath> {
        let given = self.args.base_path.base_path.as_ref();
        given.or(self.root_path.as_ref())
    }

    fn prepare(
        &self,
        settings: &Settings<'_>,
        inputs: &Inputs,
        threads: usize,
        printer: &mut Printer<'_>,
    ) -> Result<(), Abort> {
        if self.root_path.is_some() {
            let mut job_result = JobResult::default();
            job_result.note(NO_URL.to_owned());
            printer.emit(&job_result)?;
        }
        let clean_urls = self.args.clean_urls;
        self.check_run.get_or_init(|| {
            let mut check_run = CheckRun::new(self.selection.rules.clone());
            if check_run.follows_links() {
                let run = (&mut check_run, threads);
                site_targets::read_site(run, settings, inputs, clean_urls, printer);
            }
            check_run
        });
        Ok(())
    }

    fn begin(&self) -> String {
        self.format.begin()
    }

    fn document(
        &self,
        rewriter: &Rewriter,
        located: &LocatedDocument<'_>,
        sink: &mut JobSink<'_>,
    ) -> io::Result<()> {
        let name = located.name();
        let rules = || CheckRun::new(self.selection.rules.clone());
        let check_run = self.check_run.get_or_init(rules);
        let SiteCheckReport {
            report,
            left_to_server,
            outside,
            ..
        } = check_run.check(rewriter, located.document);
        if report.unsupported.is_some() {
            input::report_unread(&name, report.unsupported, sink);
            return Ok(());
        }
        let mut findings = report.findings;
        findings.retain(|finding| !self.is_excluded(finding));
        let known = self.remove_known(located, &mut findings);
        let spans: Vec<Span> = findings.iter().filter_map(|finding| finding.span).collect();
        let mut excerpts = located.document.excerpts(&spans).into_iter();
        for (place, finding) in findings.iter().enumerate() {
            let reported = ReportedFinding {
                name: &name,
                place,
                path: &located.input.path(),
                entity: located.label(),
                finding,
                severity: self.selection.severity(finding.rule),
                excerpt: finding.span.and_then(|_| excerpts.next()),
            };
            self.format.write(&reported, &mut sink.data)?;
        }
        let warnings = findings
            .iter()
            .filter(|finding| self.selection.severity(finding.rule) == FindingSeverity::Warning);
        let warnings = warnings.count();
        sink.tally
            .add(&Tally::of_counts(&report.counts, located.len));
        for (what, number) in [
            (Counted::Findings, findings.len()),
            (Counted::Warnings, warnings),
            (Counted::Suppressed, report.suppressed),
            (Counted::LeftToServer, left_to_server),
            (Counted::Outside, outside),
            (Counted::Known, known.found),
            (Counted::Gone, known.gone),
            (Counted::WithFindings, usize::from(!findings.is_empty())),
        ] {
            sink.tally.count(what, number);
        }
        if findings.len() > warnings && !self.args.exit_zero {
            sink.exit = sink.exit.max(Exit::Findings);
        }
        let url = self.args.document.common.url.as_deref();
        if url.is_some_and(|url| url.starts_with("file:")) {
            sink.tally
                .add_local(LocalPage::of(rewriter, located.document));
        }
        let findings = terminal::several(findings.len(), "finding");
        sink.info(format!("{name}: {findings}"));
        Ok(())
    }

    fn end(&self, tally: &Tally) -> io::Result<Vec<u8>> {
        self.format.end(tally)
    }

    fn finish(&self, mut printer: Printer<'_>) -> Result<Exit, Abort> {
        let mut totals = JobResult::default();
        warnings::emit_totals(&printer.tally, &mut totals);
        printer.emit(&totals)?;
        let summary = printer.tally.summary_of_findings();
        let run_args = &self.args.document.common.run;
        // The printer prints it otherwise.
        let has_read = printer.tally.get(Counted::Documents) > 0;
        let is_shown = has_read && !printer.is_site && !run_args.quiet && !run_args.stats;
        // A build that wrote to another directory would pass for ever.
        let is_vain = !has_read && printer.is_site;
        let mut exit = printer.finish(|_| summary.clone())?;
        if is_vain && exit == Exit::Done {
            exit = Exit::Error;
        }
        if is_shown {
            terminal::print_message(&summary);
        }
        if let Some(path) = &self.args.baseline
            && self.args.write_baseline
        {
            if exit != Exit::Done {
                let path = terminal::path(path);
                terminal::print_message(&format!(
                    "--baseline {path} is not written: not all documents could be checked"
                ));
                return Ok(exit);
            }
            let mut collected = self
                .collected
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *collected).write(path)?;
        }
        Ok(exit)
    }
}

impl CheckVerb<'_> {
    /// Returns whether a finding is about a link that matches `--exclude-link`.
    fn is_excluded(&self, finding: &Finding) -> bool {
        let link = finding.link.as_ref();
        let is_match = |reference: &str| {
            let mut expressions = self.args.exclude_link.iter();
            expressions.any(|expression| expression.is_match(reference.as_bytes()))
        };
        link.is_some_and(|link| is_match(&link.reference))
    }

    /// Removes the findings that the baseline lists, or with `--write-baseline` all of them, which are collected.
    fn remove_known(&self, located: &LocatedDocument<'_>, findings: &mut Vec<Finding>) -> Known {
        if self.args.baseline.is_none() {
            return Known::default();
        }
        let document = baseline::document_name(located);
        if !self.args.write_baseline {
            return self.known.remove_known(&document, findings);
        }
        let mut collected = self
            .collected
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        collected.add(document, findings);
        Known {
            found: std::mem::take(findings).len(),
            gone: 0,
        }
    }
}
