//! [`RawRewriter`]: settings, and the functions that process one document.

use absolve::{Decision, LinkDetail, LinkReport, Rewriter, Rewritten, TextOffsets};
use js_sys::{Array, Function};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::document::Content;
use crate::input::RawInput;
use crate::options::Settings;
use crate::rewritten::{RawRewritten, byte_edits};
use crate::rows::{BaseRow, LinkRow, ReportRow, findings, json};

/// Settings for any number of documents.
#[wasm_bindgen]
pub struct RawRewriter {
    settings: Settings,
    /// These settings, for documents whose edits JavaScript applies.
    recording: Rewriter,
}

#[wasm_bindgen]
impl RawRewriter {
    /// Creates a rewriter for a list of options; see [`Settings::new`].
    ///
    /// # Errors
    /// An option is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(options: Vec<String>) -> Result<Self, String> {
        let settings = Settings::new(&options)?;
        let recording = settings.rewriter.clone().link_detail(LinkDetail::Edits);
        Ok(Self {
            settings,
            recording,
        })
    }

    /// Rewrites a document; without a report unless `reports`.
    ///
    /// # Errors
    /// A fact is invalid; see [`Content::new`], also for the functions below.
    pub fn rewrite(
        &self,
        input: &RawInput,
        facts: Vec<String>,
        reports: bool,
    ) -> Result<RawRewritten, String> {
        let content = self.content(input, &facts)?;
        let rewriter = if input.is_text() {
            &self.recording
        } else {
            &self.settings.rewriter
        };
        Ok(result(
            input,
            rewriter.rewrite(&content.document()),
            reports,
        ))
    }

    /// Returns three numbers for each edit of a document: start, end and length of the replacement, in bytes.
    ///
    /// # Errors
    /// A fact is invalid.
    pub fn edits(&self, input: &RawInput, facts: Vec<String>) -> Result<Vec<u32>, String> {
        let content = self.content(input, &facts)?;
        Ok(byte_edits(
            &self.recording.rewrite(&content.document()).edits,
        ))
    }

    /// Returns the first `limit` links of a document, the numbers of all, and the base URL, as JSON.
    ///
    /// # Errors
    /// A fact is invalid.
    pub fn links(
        &self,
        input: &RawInput,
        facts: Vec<String>,
        limit: usize,
    ) -> Result<String, String> {
        let content = self.content(input, &facts)?;
        let report = self.settings.rewriter.links(&content.document());
        Ok(json(&ReportRow::new(&report, &input.offsets(), limit)))
    }

    /// Returns the base URL of a document with its candidates, as JSON.
    ///
    /// # Errors
    /// A fact is invalid.
    pub fn base(&self, input: &RawInput, facts: Vec<String>) -> Result<String, String> {
        let content = self.content(input, &facts)?;
        let report = self.settings.rewriter.links(&content.document());
        Ok(json(&BaseRow::new(&report.base)))
    }

    /// Returns the problems of a document, as JSON.
    ///
    /// # Errors
    /// A fact is invalid.
    pub fn check(&self, input: &RawInput, facts: Vec<String>) -> Result<String, String> {
        let content = self.content(input, &facts)?;
        let report = self.settings.rewriter.check(&content.document(), |_| None);
        Ok(json(&findings(&report, &input.offsets())))
    }

    /// Rewrites a document as a function decides, which is called with each link as JSON.
    ///
    /// It returns a string to write in place of the reference, an array of that and the names and values of attributes
    /// to add, `null` to remove the attribute, `true` to write the target, and `false` to leave the link as it is. It
    /// must not throw. The report has the links that cannot hold
    /// their answer.
    ///
    /// # Errors
    /// A fact is invalid.
    pub fn rewrite_links(
        &self,
        input: &RawInput,
        facts: Vec<String>,
        decide: &Function,
    ) -> Result<RawRewritten, String> {
        let content = self.content(input, &facts)?;
        let offsets = input.offsets();
        let document = content.document();
        let rewritten = self.recording.rewrite_with(&document, |link_report| {
            decision(decide, link_report, &offsets)
        });
        Ok(result(input, rewritten, true))
    }
}

impl RawRewriter {
    /// Returns the settings.
    #[cfg(feature = "containers")]
    pub(crate) fn settings(&self) -> &Rewriter {
        &self.settings.rewriter
    }

    /// Returns these settings, with which a rewritten document has its edits.
    #[cfg(feature = "containers")]
    pub(crate) fn recording(&self) -> &Rewriter {
        &self.recording
    }

    fn content<'a>(&self, input: &'a RawInput, facts: &'a [String]) -> Result<Content<'a>, String> {
        Content::new(input, facts, self.settings.profile)
    }
}

/// Returns a rewritten document as JavaScript takes it; without a report unless `reports`.
fn result(input: &RawInput, rewritten: Rewritten<'_>, reports: bool) -> RawRewritten {
    let report = if reports {
        let offsets = if rewritten.report.links.is_empty() {
            TextOffsets::default()
        } else {
            input.offsets()
        };
        json(&ReportRow::new(&rewritten.report, &offsets, usize::MAX))
    } else {
        String::new()
    };
    if input.is_text() {
        RawRewritten::of_text(&rewritten.edits, input, report)
    } else {
        RawRewritten::of_bytes(rewritten, report)
    }
}

/// Asks `decide` about a link.
fn decision(
    decide: &Function,
    link_report: &LinkReport<'_>,
    offsets: &TextOffsets<'_>,
) -> Decision {
    let link = json(&LinkRow::new(link_report, offsets));
    let Ok(answer) = decide.call1(&JsValue::NULL, &JsValue::from_str(&link)) else {
        return Decision::Keep;
    };
    if Array::is_array(&answer) {
        let answers = Array::from(&answer);
        let mut answers = answers.iter();
        let mut next = || answers.next()?.as_string();
        let written = next().unwrap_or_default();
        let added = std::iter::from_fn(|| Some((next()?, next()?)));
        return Decision::ReplaceAdding(written, added.collect());
    }
    match (answer.as_string(), answer.as_bool()) {
        (Some(text), _) => Decision::Replace(text),
        (None, Some(true)) => Decision::Resolve,
        (None, Some(false)) => Decision::Keep,
        (None, None) => Decision::Remove,
    }
}
