//! [`RawArchive`]: the documents in an HTTP dump or a MIME message.

use absolve::Profile;
use absolve::archive::{ArchiveSettings, ChainStep, Container, Entity};
use absolve::container::Format;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::offsets::Offsets;
use crate::options::check_base;
use crate::rewriter::{RawRewriter, RawRewritten};
use crate::rows::{ReportRow, findings, json};

/// The documents in a container, which are numbered from zero.
#[wasm_bindgen]
pub struct RawArchive {
    entities: Vec<Entity<'static>>,
    errors: Vec<String>,
}

impl RawArchive {
    /// Parses a container.
    ///
    /// # Errors
    /// `bytes` is no HTTP dump or MIME message, or `url` cannot be its URL.
    pub(crate) fn parse<'c>(
        bytes: &'c [u8],
        url: Option<&str>,
        legacy_headers: bool,
        profile: Profile,
    ) -> Result<Container<'c>, String> {
        let mut settings = ArchiveSettings::new().legacy_headers(legacy_headers);
        if let Some(url) = url {
            check_base("url", url, profile)?;
            settings = settings.retrieved_from(url);
        }
        let container = match Format::detect(bytes) {
            Some(Format::Http) => Container::http(bytes, &settings),
            Some(Format::Mime) => Container::mime(bytes, &settings),
            Some(Format::Warc) => {
                return Err(
                    "a WARC archive: use the command absolve, or its Python package".to_owned(),
                );
            }
            _ => return Err("neither an HTTP dump nor a MIME message".to_owned()),
        };
        container.map_err(|error| error.to_string())
    }

    /// Parses a container like [`parse`](Self::parse), and copies its documents.
    pub(crate) fn new(
        bytes: &[u8],
        url: Option<&str>,
        legacy_headers: bool,
        profile: Profile,
    ) -> Result<Self, String> {
        let container = Self::parse(bytes, url, legacy_headers, profile)?;
        let entities = container.entities().iter().cloned();
        Ok(Self {
            errors: container.errors().iter().map(ToString::to_string).collect(),
            entities: entities.map(Entity::into_owned).collect(),
        })
    }

    fn entity(&self, index: usize) -> Result<&Entity<'static>, String> {
        let entity = self.entities.get(index);
        entity.ok_or_else(|| format!("no document has number {index}"))
    }
}

#[wasm_bindgen]
impl RawArchive {
    /// Returns the properties of all documents, as JSON.
    #[must_use]
    pub fn entities(&self) -> String {
        let rows: Vec<_> = self.entities.iter().map(EntityRow::new).collect();
        json(&rows)
    }

    /// Returns the errors in the container, as JSON.
    #[must_use]
    pub fn errors(&self) -> String {
        json(&self.errors)
    }

    /// Returns a document without the codings in which it is stored.
    ///
    /// # Errors
    /// There is no such document; also below.
    pub fn document(&self, index: usize) -> Result<Vec<u8>, String> {
        Ok(self.entity(index)?.bytes.to_vec())
    }

    /// Returns the links and the base URL of a document, as JSON.
    ///
    /// # Errors
    /// There is no such document.
    pub fn links(&self, index: usize, rewriter: &RawRewriter) -> Result<String, String> {
        let entity = self.entity(index)?;
        let report = rewriter.settings.rewriter.links(&entity.document());
        Ok(json(&ReportRow::new(&report, &Offsets::Bytes)))
    }

    /// Returns the problems of a document, as JSON.
    ///
    /// # Errors
    /// There is no such document.
    pub fn check(&self, index: usize, rewriter: &RawRewriter) -> Result<String, String> {
        let entity = self.entity(index)?;
        let report = rewriter.settings.rewriter.check(&entity.document());
        Ok(json(&findings(&report, &Offsets::Bytes)))
    }

    /// Rewrites a document, so that references to other parts of the container remain valid.
    ///
    /// # Errors
    /// There is no such document.
    pub fn rewrite(&self, index: usize, rewriter: &RawRewriter) -> Result<RawRewritten, String> {
        let rewritten = self.entity(index)?.rewrite(&rewriter.settings.rewriter);
        Ok(RawRewritten::new(rewritten, &Offsets::Bytes))
    }
}

#[wasm_bindgen]
impl RawRewriter {
    /// Parses an HTTP dump or a MIME message.
    ///
    /// # Errors
    /// `bytes` is neither, or `url` cannot be its URL.
    pub fn archive(
        &self,
        bytes: &[u8],
        url: Option<String>,
        legacy_headers: bool,
    ) -> Result<RawArchive, String> {
        RawArchive::new(bytes, url.as_deref(), legacy_headers, self.settings.profile)
    }

    /// Rewrites the documents in an HTTP dump or a MIME message, and copies all other bytes.
    ///
    /// # Errors
    /// Those of [`archive`](Self::archive).
    pub fn rewrite_archive(
        &self,
        bytes: &[u8],
        url: Option<String>,
        legacy_headers: bool,
    ) -> Result<Vec<u8>, String> {
        let profile = self.settings.profile;
        let container = RawArchive::parse(bytes, url.as_deref(), legacy_headers, profile)?;
        Ok(container
            .rewrite(&self.settings.rewriter)
            .bytes
            .into_owned())
    }
}

/// A document in a container.
#[derive(Serialize)]
struct EntityRow<'r> {
    label: &'r str,
    offset: u64,
    url: Option<&'r str>,
    kind: &'static str,
    encoding: Option<&'r str>,
    error: Option<String>,
    chain: Vec<ChainRow>,
}

/// A step by which a container leads to a document.
#[derive(Serialize)]
struct ChainRow {
    kind: &'static str,
    entity: String,
    detail: String,
    field: Option<&'static str>,
    value: Option<String>,
    url: Option<String>,
}

impl<'r> EntityRow<'r> {
    fn new(entity: &'r Entity<'_>) -> Self {
        Self {
            label: &entity.label,
            offset: entity.offset,
            url: entity.url.as_deref(),
            kind: entity.kind.name(),
            encoding: entity.encoding.as_deref(),
            error: entity.error.as_ref().map(ToString::to_string),
            chain: entity.chain().into_iter().map(ChainRow::new).collect(),
        }
    }
}

impl ChainRow {
    fn new(step: ChainStep) -> Self {
        let (field, value) = match step.field {
            Some(field) => (Some(field.name), Some(field.value)),
            None => (None, None),
        };
        Self {
            kind: step.kind.name(),
            entity: step.entity,
            detail: step.detail,
            field,
            value,
            url: step.url,
        }
    }
}
