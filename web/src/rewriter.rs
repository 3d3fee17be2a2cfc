//! [`RawRewriter`]: settings, and the functions that process one document.

use absolve::{Decision, LinkReport, Rewritten};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::document::Content;
use crate::offsets::Offsets;
use crate::options::Settings;
use crate::rows::{BaseRow, LinkRow, ReportRow, findings, json};

/// Settings for any number of documents.
#[wasm_bindgen]
pub struct RawRewriter {
    settings: Settings,
}

/// A rewritten document and its report.
#[wasm_bindgen]
pub struct RawRewritten {
    /// The document, or `None` if it is that of the caller.
    bytes: Option<Vec<u8>>,
    edited: usize,
    report: String,
}

impl RawRewritten {
    /// Creates the result for a document with these offsets.
    fn new(rewritten: Rewritten<'_>, offsets: &Offsets<'_>) -> Self {
        Self {
            report: json(&ReportRow::new(&rewritten.report, offsets, usize::MAX)),
            ..Self::without_report(rewritten)
        }
    }

    /// Creates the result for a caller who needs only the document.
    fn without_report(rewritten: Rewritten<'_>) -> Self {
        Self {
            edited: rewritten.edited,
            bytes: (rewritten.edited > 0).then(|| rewritten.bytes.into_owned()),
            report: String::new(),
        }
    }
}

#[wasm_bindgen]
impl RawRewritten {
    /// Returns the number of edits. If it is zero, the document of the caller is the result.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn edited(&self) -> usize {
        self.edited
    }

    /// Returns the report as JSON.
    #[must_use]
    pub fn report(&self) -> String {
        self.report.clone()
    }

    /// Returns the document, and frees the result. Empty if there are no edits.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes.unwrap_or_default()
    }
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
        Ok(Self { settings })
    }

    /// Rewrites a document; without a report unless `reports`.
    ///
    /// # Errors
    /// A fact is invalid; see [`Content::new`], also for the functions below.
    pub fn rewrite(
        &self,
        bytes: &[u8],
        is_text: bool,
        facts: Vec<String>,
        reports: bool,
    ) -> Result<RawRewritten, String> {
        let content = self.content(bytes, is_text, &facts)?;
        let rewritten = self.settings.rewriter.rewrite(&content.document());
        Ok(if reports {
            RawRewritten::new(rewritten, &content.offsets())
        } else {
            RawRewritten::without_report(rewritten)
        })
    }

    /// Returns the first `limit` links of a document, the numbers of all, and the base URL, as JSON.
    ///
    /// # Errors
    /// A fact is invalid.
    pub fn links(
        &self,
        bytes: &[u8],
        is_text: bool,
        facts: Vec<String>,
        limit: usize,
    ) -> Result<String, String> {
        let content = self.content(bytes, is_text, &facts)?;
        let report = self.settings.rewriter.links(&content.document());
        Ok(json(&ReportRow::new(&report, &content.offsets(), limit)))
    }

    /// Returns the base URL of a document with its candidates, as JSON.
    ///
    /// # Errors
    /// A fact is invalid.
    pub fn base(&self, bytes: &[u8], is_text: bool, facts: Vec<String>) -> Result<String, String> {
        let content = self.content(bytes, is_text, &facts)?;
        let report = self.settings.rewriter.links(&content.document());
        Ok(json(&BaseRow::new(&report.base)))
    }

    /// Returns the problems of a document, as JSON.
    ///
    /// # Errors
    /// A fact is invalid.
    pub fn check(&self, bytes: &[u8], is_text: bool, facts: Vec<String>) -> Result<String, String> {
        let content = self.content(bytes, is_text, &facts)?;
        let report = self.settings.rewriter.check(&content.document());
        Ok(json(&findings(&report, &content.offsets())))
    }

    /// Rewrites a document as a function decides, which is called with each link as JSON.
    ///
    /// It returns a string to write in place of the reference, `null` to remove the attribute, `true` to write the target,
    /// and `false` to leave the link as it is. It must not throw.
    ///
    /// # Errors
    /// A fact is invalid.
    pub fn rewrite_links(
        &self,
        bytes: &[u8],
        is_text: bool,
        facts: Vec<String>,
        decide: &Function,
    ) -> Result<RawRewritten, String> {
        let content = self.content(bytes, is_text, &facts)?;
        let offsets = content.offsets();
        let document = content.document();
        let rewriter = &self.settings.rewriter;
        let rewritten = rewriter.rewrite_with(&document, |link_report| {
            decision(decide, link_report, &offsets)
        });
        Ok(RawRewritten::without_report(rewritten))
    }
}

impl RawRewriter {
    fn content<'a>(
        &self,
        bytes: &'a [u8],
        is_text: bool,
        facts: &'a [String],
    ) -> Result<Content<'a>, String> {
        Content::new(bytes, is_text, facts, self.settings.profile)
    }
}

/// Asks `decide` about a link.
fn decision(decide: &Function, link_report: &LinkReport<'_>, offsets: &Offsets<'_>) -> Decision {
    let link = json(&LinkRow::new(link_report, offsets));
    let Ok(answer) = decide.call1(&JsValue::NULL, &JsValue::from_str(&link)) else {
        return Decision::Keep;
    };
    match (answer.as_string(), answer.as_bool()) {
        (Some(text), _) => Decision::Replace(text),
        (None, Some(true)) => Decision::Resolve,
        (None, Some(false)) => Decision::Keep,
        (None, None) => Decision::Remove,
    }
}
