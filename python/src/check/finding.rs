//! Findings in a document, and which rules they belong to.

use std::ffi::OsString;

use absolve::check::{CheckReport, Rule};
use absolve::{Document, Rewriter, TextOffsets};
use pyo3::prelude::*;

use crate::options::{named, strings};

/// A problem in a document.
#[pyclass(frozen, get_all, module = "absolve")]
#[derive(Clone)]
pub(crate) struct Finding {
    /// The path of the document, if it was read from a directory.
    pub(super) path: Option<OsString>,
    /// The name of the rule, as in docs/rules.md.
    rule: &'static str,
    /// `error`, or `warning` if the rule is among those of `warn`.
    severity: &'static str,
    /// The problem.
    message: String,
    /// The solution.
    help: String,
    /// The offset of the problem, or None if it has no place in the document.
    start: Option<usize>,
    /// The offset after it.
    end: Option<usize>,
    /// The line of the problem, counted from one.
    line: Option<usize>,
    /// The column in that line, in characters, counted from one.
    column: Option<usize>,
    /// The reference that it is about, if there is one.
    reference: Option<String>,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        format!("<Finding {}: {}>", self.rule, self.message)
    }
}

/// The rules that are checked.
#[derive(Debug, Clone)]
pub(crate) struct RuleSelection {
    select: Vec<Rule>,
    ignore: Vec<Rule>,
    /// The rules whose findings are warnings.
    warn: Vec<Rule>,
}

impl RuleSelection {
    /// Selects the rules in `select`, or all if that is empty, without those in `ignore`.
    ///
    /// # Errors
    /// `ValueError`: a name is unknown. `TypeError`: a value has a wrong type.
    pub(crate) fn new(
        select: Option<&Bound<'_, PyAny>>,
        ignore: Option<&Bound<'_, PyAny>>,
        warn: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            select: rules("select", select)?,
            ignore: rules("ignore", ignore)?,
            warn: rules("warn", warn)?,
        })
    }

    /// Returns whether any of `rules` is selected.
    pub(super) fn has_any(&self, rules: &[Rule]) -> bool {
        rules.iter().any(|&rule| self.has(rule))
    }

    fn has(&self, rule: Rule) -> bool {
        (self.select.is_empty() || self.select.contains(&rule)) && !self.ignore.contains(&rule)
    }

    fn severity(&self, rule: Rule) -> &'static str {
        if self.warn.contains(&rule) {
            "warning"
        } else {
            "error"
        }
    }

    /// Returns the problems of a document.
    pub(crate) fn check(
        &self,
        rewriter: &Rewriter,
        document: &Document<'_>,
        offsets: &TextOffsets<'_>,
    ) -> Vec<Finding> {
        self.findings(rewriter.check(document, |_| None), document, offsets)
    }

    /// Returns the selected findings of a report about a document, whose offsets are `offsets`.
    pub(super) fn findings(
        &self,
        report: CheckReport,
        document: &Document<'_>,
        offsets: &TextOffsets<'_>,
    ) -> Vec<Finding> {
        let mut findings = report.findings;
        findings.retain(|finding| self.has(finding.rule));
        let spans: Vec<_> = findings.iter().filter_map(|finding| finding.span).collect();
        let mut excerpts = document.excerpts(&spans).into_iter();
        let findings = findings.into_iter().map(|finding| {
            let excerpt = finding.span.and_then(|_| excerpts.next());
            let span = finding.span.map(|span| offsets.span(span));
            Finding {
                path: None,
                rule: finding.rule.name(),
                severity: self.severity(finding.rule),
                message: finding.message,
                help: finding.help,
                start: span.map(|span| span.start),
                end: span.map(|span| span.end),
                line: excerpt.as_ref().map(|excerpt| excerpt.start.line),
                column: excerpt.as_ref().map(|excerpt| excerpt.start.column),
                reference: finding.link.map(|link| link.reference.into_owned()),
            }
        });
        findings.collect()
    }
}

/// Returns the rules that a value of an option names: a list, or names that are separated by commas.
fn rules(option: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Rule>> {
    let names = strings(option, value)?;
    let names = names.iter().flat_map(|names| names.split(','));
    names.map(|name| named(option, name.trim())).collect()
}
