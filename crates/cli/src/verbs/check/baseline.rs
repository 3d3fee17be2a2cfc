//! `--baseline`: findings that are known, so that only new ones are reported.
//!
//! The file has one JSON object on each line, in the order of its keys, so that a change is a small difference in
//! version control. A finding is identified by its document, rule and link, and not by its line, which changes with
//! every edit. Findings that are alike are counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use absolve::check::Finding;
use absolve_site::files::{self, Durability};
use serde::{Deserialize, Serialize};

use crate::exit::Abort;
use crate::inputs::containers;
use crate::inputs::located_document::LocatedDocument;
use crate::print::terminal;

/// The findings that a baseline lists, or that are collected for one.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    /// The number of alike findings, by document.
    documents: BTreeMap<String, BTreeMap<FindingKey, usize>>,
}

/// The identity of a finding in its document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct FindingKey {
    rule: String,
    /// The element and attribute, and the reference as written; `None` if the finding is not about a link.
    link: Option<String>,
    reference: Option<String>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineRow {
    document: String,
    rule: String,
    link: Option<String>,
    reference: Option<String>,
    count: usize,
}

/// The numbers of findings of a document that a baseline lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// Those that were found, and are not reported.
    pub(super) found: usize,
    /// Those that were not found any more.
    pub(super) gone: usize,
}

impl FindingKey {
    fn new(finding: &Finding) -> Self {
        let link = finding.link.as_ref();
        Self {
            rule: finding.rule.name().to_owned(),
            link: link.map(|link| format!("{}[{}]", link.element, link.attribute)),
            reference: link.map(|link| link.reference.clone().into_owned()),
        }
    }
}

/// Returns the name of a document in a baseline: its path in its directory, if it has one, with slashes.
pub(super) fn document_name(located: &LocatedDocument<'_>) -> String {
    let path = match located.input.site_path() {
        Some(site_path) => terminal::path_text(site_path),
        None => located.input.path(),
    };
    let path = path.replace(std::path::MAIN_SEPARATOR, "/");
    containers::path(&path, located.label())
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// The file cannot be read, or is not a baseline.
    pub(super) fn read(path: &Path) -> Result<Self, Abort> {
        let name = terminal::path(path);
        let text = fs::read_to_string(path).map_err(|error| {
            Abort::Usage(format!(
                "cannot read --baseline {name}: {error}\n  hint: create it with --write-baseline"
            ))
        })?;
        let mut baseline = Self::default();
        for (index, line) in text.lines().enumerate() {
            let row: BaselineRow = serde_json::from_str(line).map_err(|error| {
                Abort::Usage(format!(
                    "{name}:{}: not a line of a baseline: {error}\n  hint: use another file, or remove this one and write it again with --write-baseline",
                    index + 1
                ))
            })?;
            let key = FindingKey {
                rule: row.rule,
                link: row.link,
                reference: row.reference,
            };
            let keys = baseline.documents.entry(row.document).or_default();
            *keys.entry(key).or_default() += row.count;
        }
        Ok(baseline)
    }

    /// Removes the findings of a document that the baseline lists.
    pub(super) fn remove_known(&self, document: &str, findings: &mut Vec<Finding>) -> Known {
        let Some(keys) = self.documents.get(document) else {
            return Known::default();
        };
        let mut keys = keys.clone();
        let before = findings.len();
        findings.retain(|finding| match keys.get_mut(&FindingKey::new(finding)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
        Known {
            found: before - findings.len(),
            gone: keys.values().sum(),
        }
    }

    /// Adds the findings of a document.
    pub(super) fn add(&mut self, document: String, findings: &[Finding]) {
        let keys = self.documents.entry(document).or_default();
        for finding in findings {
            *keys.entry(FindingKey::new(finding)).or_default() += 1;
        }
    }

    /// Writes the baseline; an existing file is replaced when the new one is complete.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(self, path: &Path) -> Result<(), Abort> {
        let written = files::write_file(path, Durability::Cached, |to| {
            for (document, keys) in self.documents {
                for (key, count) in keys {
                    let row = BaselineRow {
                        document: document.clone(),
                        rule: key.rule,
                        link: key.link,
                        reference: key.reference,
                        count,
                    };
                    serde_json::to_writer(&mut *to, &row)?;
                    to.write_all(b"\n")?;
                }
            }
            Ok(())
        });
        written.map_err(|error| {
            let name = terminal::path(path);
            Abort::Usage(format!("cannot write --baseline {name}: {error}"))
        })
    }
}
