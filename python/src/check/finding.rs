//! Findings in a document, and which rules they belong to.

use std::ffi::OsString;
use std::path::Path;

use absolve::check::{self, Rule};
use absolve::{Document, TextOffsets};
use absolve_site::run::CheckRun;
use pyo3::prelude::*;

use crate::options::{named, strings};

/// A problem in a document.
#[pyclass(
    frozen,
    get_all,
    new = "from_fields",
    from_py_object,
    module = "absolve"
)]
#[derive(Clone)]
pub(crate) struct Finding {
    /// The path of the document, if it was read from a directory.
    path: Option<OsString>,
    /// The label of the document in its container; None outside of containers.
    entity: Option<String>,
    /// The name of the rule, as in docs/rules.md.
    rule: String,
    /// `error`, or `warning` if the rule is among those of `warn`.
    severity: String,
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
    rules: Vec<Rule>,
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
        let mut rules = named_rules("select", select)?;
        if rules.is_empty() {
            rules = Rule::ALL.to_vec();
        }
        let ignored = named_rules("ignore", ignore)?;
        rules.retain(|rule| !ignored.contains(rule));
        let warn = named_rules("warn", warn)?;
        Ok(Self { rules, warn })
    }

    /// Returns a check by these rules.
    pub(crate) fn run(&self) -> CheckRun {
        CheckRun::new(self.rules.clone())
    }

    /// Returns what was `found` in a document, which may be at a path, or in a container there, and has these offsets.
    pub(crate) fn findings(
        &self,
        (path, entity): (Option<&Path>, Option<&str>),
        found: Vec<check::Finding>,
        document: &Document<'_>,
        offsets: &TextOffsets<'_>,
    ) -> Vec<Finding> {
        let spans: Vec<_> = found.iter().filter_map(|finding| finding.span).collect();
        let mut excerpts = document.excerpts(&spans).into_iter();
        let findings = found.into_iter().map(|finding| {
            let excerpt = finding.span.and_then(|_| excerpts.next());
            let span = finding.span.map(|span| offsets.span(span));
            let is_warning = self.warn.contains(&finding.rule);
            let severity = if is_warning { "warning" } else { "error" };
            Finding {
                path: path.map(Into::into),
                entity: entity.map(str::to_owned),
                rule: finding.rule.name().to_owned(),
                severity: severity.to_owned(),
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
fn named_rules(option: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Rule>> {
    let names = strings(option, value)?;
    let names = names.iter().flat_map(|names| names.split(','));
    names.map(|name| named(option, name.trim())).collect()
}
