//! Documents in WARC archives.

use std::borrow::Cow;
use std::io::{Read, Seek};
use std::sync::Arc;

use absolve::DocumentKind;

use super::bases::{BaseList, UrlBudget};
use super::chain::{Chain, ChainStep, ChainStepKind};
use super::entity::{BodyLocation, Entity, RecordProperties};
use super::http::{self, ResponseContext};
use super::settings::ArchiveSettings;
use crate::container::content_type::ContentType;
use crate::container::http::split_response;
use crate::container::warc::{RecordBlock, RecordKind, WarcReader, WarcRecord};
use crate::container::{ContainerError, ContainerErrorKind, DecodeBudget};

/// Creates a reader of an archive.
pub(super) fn reader<R: Read>(archive: R, settings: &ArchiveSettings) -> WarcReader<R> {
    WarcReader::new(archive)
        .limit(settings.record_limit)
        .with_decode_budget(settings.decode_budget())
}

/// Iterates over all HTML documents and style sheets in an archive, with errors where they occur.
///
/// An error that concerns only a document is not an item of its own, but the document's [`Entity::error`].
///
/// # Complexity
/// Linear in the length of the archive; memory for one record.
pub fn warc_entities<R: Read>(archive: R, settings: &ArchiveSettings) -> WarcEntities<R> {
    WarcEntities {
        reader: reader(archive, settings),
        settings: settings.clone(),
        error: None,
        records: 0,
    }
}

/// The iterator that [`warc_entities`] returns.
#[derive(Debug)]
pub struct WarcEntities<R> {
    reader: WarcReader<R>,
    settings: ArchiveSettings,
    /// The error to be returned next, after the document it concerns.
    error: Option<ContainerError>,
    records: u64,
}

impl<R> WarcEntities<R> {
    /// Returns the number of records that were read.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }
}

impl<R: Read> WarcEntities<R> {
    /// Returns the first error that ended reading before the end of the archive, if there was one.
    #[must_use]
    pub fn damage(&self) -> Option<ContainerError> {
        self.reader.damage()
    }
}

impl<R: Read + Seek> WarcEntities<R> {
    /// Continues with the records that begin at `offset` or after it, and before `end`; see [`WarcReader::seek`].
    ///
    /// # Errors
    /// Those of [`WarcReader::seek`]. There are no further documents then.
    pub fn seek(&mut self, offset: u64, end: u64) -> Result<(), ContainerError> {
        self.error = None;
        self.reader.seek(offset, end)
    }
}

impl<R: Read> WarcEntities<R> {
    /// Returns the result of `read` for the next document, which is not copied; `None` after the last document.
    ///
    /// # Errors
    /// The next item of the archive is an error; see [`warc_entities`].
    pub fn next_with<T>(
        &mut self,
        read: impl FnOnce(Entity<'_>) -> T,
    ) -> Option<Result<T, ContainerError>> {
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        loop {
            let record = match self.reader.next_record()? {
                Ok(record) => record,
                Err(error) => return Some(Err(error)),
            };
            self.records += 1;
            let entity = document(&record, &self.settings, self.reader.decode_budget());
            match (entity, error_of(&record)) {
                (Some(entity), error) => {
                    self.error = error.filter(|_| error != entity.error);
                    return Some(Ok(read(entity)));
                }
                (None, Some(error)) => return Some(Err(error)),
                (None, None) => {}
            }
        }
    }
}

impl<R: Read> Iterator for WarcEntities<R> {
    type Item = Result<Entity<'static>, ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "a path to the method would be for entities of one lifetime only"
        )]
        self.next_with(|entity| entity.into_owned())
    }
}

/// Returns the error in a record that could contain a document.
pub(super) fn error_of(record: &WarcRecord) -> Option<ContainerError> {
    let record_kind = record.kind();
    let is_too_long =
        matches!(record.block, RecordBlock::TooLong(_)) && record_kind != RecordKind::Other;
    let is_document = matches!(
        record_kind,
        RecordKind::Response | RecordKind::Resource | RecordKind::Conversion
    );
    let kind = if is_too_long {
        ContainerErrorKind::RecordTooLong
    } else if record.is_segment() && is_document {
        ContainerErrorKind::Segmented
    } else if record_kind == RecordKind::Response && record.is_damaged_http() {
        ContainerErrorKind::NotHttp
    } else {
        return record.error;
    };
    record.error.or(Some(kind.at_stored(record.offset)))
}

/// Returns the document in a record; `None` if it contains none that is supported.
///
/// # Source
/// WARC 1.1 section 5.12: `WARC-Target-URI` is the URI whose capture gave rise to the content. Each redirect has a
/// record of its own, so this is the retrieval URL (RFC 1808 section 3.3). A `revisit` contains no document; another
/// record does. A segment contains a part of one.
pub(super) fn document<'r>(
    record: &'r WarcRecord,
    settings: &ArchiveSettings,
    budget: &mut DecodeBudget,
) -> Option<Entity<'r>> {
    let block = record.block().filter(|_| !record.is_segment())?;
    let retrieval_url = settings.retrieval_url.as_ref();
    let url: Option<Arc<str>> = record.target_uri().map(Arc::from);
    let chain = chain_of(record, url.as_ref(), retrieval_url);
    let document_url = url.as_ref().or(retrieval_url);
    let label = label(record);
    let mut entity = match record.kind() {
        RecordKind::Response if record.is_http_response() => {
            let response = split_response(block, 0).ok()?;
            let context = ResponseContext {
                label: &label,
                url: document_url,
                chain: &chain,
                settings,
                limit: settings.document_limit,
            };
            let budgets = (budget, &mut UrlBudget::new(block.len()));
            http::document(block, &response, context, budgets)?
        }
        RecordKind::Resource | RecordKind::Conversion => {
            let content_type = record.headers().text("Content-Type")?;
            let media_type = ContentType::parse(content_type.as_bytes());
            Entity {
                label,
                offset: 0,
                url: document_url.cloned(),
                kind: DocumentKind::of_content(&media_type.essence, block)?,
                encoding: media_type.charset(),
                bytes: Cow::Borrowed(block),
                error: None,
                candidates: BaseList::retrieved_from(document_url),
                link_fields: Vec::new(),
                header_base: None,
                aggregate: None,
                next_record_id: None,
                record: None,
                chain,
                location: BodyLocation::Block,
            }
        }
        _ => return None,
    };
    entity.offset = record.offset;
    entity.record = Some(RecordProperties {
        number: record.number,
        id: record.headers().text("WARC-Record-ID"),
        date: record.headers().text("WARC-Date"),
    });
    // Offsets in the block mean nothing to the caller, who has the archive: report that of the record.
    let error = entity.error.map(|error| ContainerError {
        offset: record.offset,
        ..error
    });
    let damage = record.error.filter(|error| error.skipped > 0);
    entity.error = damage.or(error).or(record.error);
    Some(entity)
}

/// Returns the label of the document in a record; see [`Entity::label`].
fn label(record: &WarcRecord) -> String {
    match record.number {
        1 => record.offset.to_string(),
        number => format!("{}.{number}", record.offset),
    }
}

/// Returns the chain that leads to a record.
fn chain_of(
    record: &WarcRecord,
    url: Option<&Arc<str>>,
    retrieval_url: Option<&Arc<str>>,
) -> Chain {
    let headers = record.headers();
    let kind = headers.text("WARC-Type").unwrap_or_default();
    let step = ChainStep::new(ChainStepKind::Record, &label(record), kind);
    match (headers.text("WARC-Target-URI"), url) {
        (Some(value), Some(url)) => {
            let step = step.with("WARC-Target-URI", value);
            Chain::default().then(step, Some(Arc::clone(url)))
        }
        _ => Chain::given(retrieval_url).then(step, None),
    }
}
