//! [`RawContainer`]: an HTTP dump or a message, and the documents in it.

use absolve::TextOffsets;
use absolve_archive::container::Format;
use absolve_archive::{ArchiveSettings, Container, Entity};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::rewriter::RawRewriter;
use crate::rewritten::byte_edits;
use crate::rows::{ReportRow, findings, json};

/// An HTTP dump or a message. It is read again in each call, because the URL may be another one.
#[wasm_bindgen]
pub struct RawContainer {
    bytes: Vec<u8>,
    format: Format,
}

/// A document in a container.
#[derive(Serialize)]
struct DocumentRow<'c> {
    label: &'c str,
    url: Option<&'c str>,
    kind: &'static str,
    error: Option<String>,
}

#[wasm_bindgen]
impl RawContainer {
    /// Returns the container in `bytes`, or `None` if they are something else.
    #[must_use]
    pub fn open(bytes: Vec<u8>) -> Option<Self> {
        let format = Format::detect(&bytes)?;
        (!format.is_archive()).then_some(Self { bytes, format })
    }

    /// Returns the documents as JSON. Their URLs are those that the container has.
    ///
    /// # Errors
    /// The container cannot be read, also for the functions below.
    pub fn documents(&self) -> Result<String, String> {
        let container = self.read("")?;
        let rows = container.entities().iter().map(|entity| DocumentRow {
            label: &entity.label,
            url: entity.url.as_deref(),
            kind: entity.kind.name(),
            error: entity.error.map(|error| error.to_string()),
        });
        Ok(json(&rows.collect::<Vec<_>>()))
    }

    /// Returns a document without the codings in which it is stored.
    ///
    /// # Errors
    /// There is no such document, also for the functions below.
    pub fn content(&self, index: usize) -> Result<Vec<u8>, String> {
        let container = self.read("")?;
        Ok(entity(&container, index)?.bytes.to_vec())
    }

    /// Returns the first `limit` links of a document, the numbers of all, and the base URL, as JSON.
    ///
    /// # Errors
    /// See [`content`](Self::content).
    pub fn links(
        &self,
        rewriter: &RawRewriter,
        url: &str,
        index: usize,
        limit: usize,
    ) -> Result<String, String> {
        let container = self.read(url)?;
        let document = entity(&container, index)?.document();
        let report = rewriter.settings().links(&document);
        Ok(json(&ReportRow::new(
            &report,
            &TextOffsets::default(),
            limit,
        )))
    }

    /// Returns the problems of a document, as JSON.
    ///
    /// # Errors
    /// See [`content`](Self::content).
    pub fn check(&self, rewriter: &RawRewriter, url: &str, index: usize) -> Result<String, String> {
        let container = self.read(url)?;
        let document = entity(&container, index)?.document();
        let report = rewriter.settings().check(&document, |_| None);
        Ok(json(&findings(&report, &TextOffsets::default())))
    }

    /// Returns the edits of a document; see [`RawRewriter::edits`].
    ///
    /// # Errors
    /// See [`content`](Self::content).
    pub fn edits(
        &self,
        rewriter: &RawRewriter,
        url: &str,
        index: usize,
    ) -> Result<Vec<u32>, String> {
        let container = self.read(url)?;
        let rewritten = entity(&container, index)?.rewrite(rewriter.recording());
        Ok(byte_edits(&rewritten.edits))
    }

    /// Returns a rewritten document.
    ///
    /// # Errors
    /// See [`content`](Self::content).
    pub fn rewrite_document(
        &self,
        rewriter: &RawRewriter,
        url: &str,
        index: usize,
    ) -> Result<Vec<u8>, String> {
        let container = self.read(url)?;
        let rewritten = entity(&container, index)?.rewrite(rewriter.settings());
        Ok(rewritten.bytes.into_owned())
    }

    /// Returns the container with all documents rewritten.
    ///
    /// # Errors
    /// See [`documents`](Self::documents).
    pub fn rewrite(&self, rewriter: &RawRewriter, url: &str) -> Result<Vec<u8>, String> {
        let rewritten = self.read(url)?.rewrite(rewriter.settings());
        Ok(rewritten.bytes.into_owned())
    }
}

impl RawContainer {
    fn read(&self, url: &str) -> Result<Container<'_>, String> {
        let mut settings = ArchiveSettings::new();
        if !url.is_empty() {
            settings = settings.retrieved_from(url);
        }
        let container = Container::of_format(self.format, &self.bytes, &settings);
        let container = container.expect("`open` leaves out archives");
        container.map_err(|error| error.to_string())
    }
}

/// Returns the document at `index`.
fn entity<'r, 'c>(container: &'r Container<'c>, index: usize) -> Result<&'r Entity<'c>, String> {
    let entity = container.entities().get(index);
    entity.ok_or_else(|| format!("there is no document {index}"))
}
