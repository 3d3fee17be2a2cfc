//! `--format sarif`: a SARIF 2.1.0 log for code scanning.

use std::io;

use absolve::check::Rule;
use percent_encoding::percent_encode_byte;
use serde_json::{Value, json};

use super::finding::ReportedFinding;
use super::select::RuleSelection;
use super::severity::FindingSeverity;
use crate::print::format::OutputFormat;
use crate::print::tally::Tally;

/// A log of a run with these rules. It is written as the findings are found, so its outer brackets are text.
///
/// # Source
/// OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", sections 3.13 (log), 3.14 (run) and 3.18
/// (tool). The other section numbers in this file refer to the same document.
pub(super) struct Sarif(pub(super) RuleSelection);

impl OutputFormat<ReportedFinding<'_>> for Sarif {
    fn begin(&self) -> String {
        let rules = self.0.rules.iter();
        let rules: Vec<Value> = rules
            .map(|&rule| descriptor(rule, self.0.severity(rule)))
            .collect();
        let driver = json!({
            "name": "absolve",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        format!(
            "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\
        \"tool\":{{\"driver\":{driver}}},\"columnKind\":\"unicodeCodePoints\",\"results\":["
        )
    }

    /// Appends a finding (section 3.27, result).
    fn write(&self, found: &ReportedFinding<'_>, to: &mut Vec<u8>) -> io::Result<()> {
        let ReportedFinding { path, finding, .. } = found;
        let mut place = json!({ "artifactLocation": { "uri": uri(path) } });
        if let (Some(excerpt), Some(span)) = (found.excerpt_of_file(), finding.span) {
            place["region"] = json!({
                "startLine": excerpt.start.line,
                "startColumn": excerpt.start.column,
                "endLine": excerpt.end.line,
                "endColumn": excerpt.end.column,
                "byteOffset": span.start,
                "byteLength": span.len(),
            });
        }
        let mut rules = self.0.rules.iter();
        let index = rules.position(|rule| *rule == finding.rule);
        let result = json!({
            "ruleId": finding.rule.name(),
            "ruleIndex": index,
            "level": found.severity.name(),
            "message": { "text": found.message() },
            "locations": [{ "physicalLocation": place }],
        });
        to.extend(b",\n");
        Ok(serde_json::to_writer(to, &result)?)
    }

    fn end(&self, _: &Tally) -> io::Result<Vec<u8>> {
        Ok(b"]}]}\n".to_vec())
    }
}

/// Returns the description of a rule (section 3.49, reportingDescriptor).
fn descriptor(rule: Rule, severity: FindingSeverity) -> Value {
    json!({
        "id": rule.name(),
        "shortDescription": { "text": rule.summary() },
        "fullDescription": { "text": rule.explanation() },
        "help": { "text": rule.documentation(), "markdown": rule.documentation() },
        "defaultConfiguration": { "level": severity.name() },
        "properties": { "source": rule.section() },
    })
}

/// Returns a path as a URI reference (section 3.4.3), percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    let path = path.replace(std::path::MAIN_SEPARATOR, "/");
    let first_segment = path.split('/').next().unwrap_or_default();
    if path.starts_with('/') {
        uri.push_str("file://");
    } else if first_segment.contains(':') {
        // RFC 1808 section 5.3: a colon in the first segment would end a scheme.
        uri.push_str("./");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/:@!$&'()*+,;=".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(percent_encode_byte(byte));
        }
    }
    uri
}
