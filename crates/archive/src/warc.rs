//! Documents in WARC archives.

use std::borrow::Cow;
use std::io::{Read, Seek, Write};
use std::sync::Arc;

use absolve::{DocumentKind, splice};

use super::bases::{BaseList, UrlBudget};
use super::chain::{Chain, ChainStep, ChainStepKind};
use super::entity::{Entity, Location, RecordProperties};
use super::http::{self, ResponseContext};
use super::revisits::RewrittenPayloads;
use super::settings::ArchiveSettings;
use crate::container::content_type::ContentType;
use crate::container::http::split_response;
use crate::container::warc::{NewRecord, RecordBlock, RecordKind, WarcReader, WarcRecord};
use crate::container::{ContainerError, ContainerErrorKind, DecodeBudget};

/// The form in which a rewritten document is written to an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordForm {
    /// The document in its record is replaced.
    Replaced,
    /// The record is unchanged, and a record of type `conversion` follows it.
    Conversion,
}

/// An item of an archive, in the order of the archive.
#[derive(Debug)]
#[non_exhaustive]
pub enum WarcItem<'e> {
    /// A document. If it was not read completely, [`Entity::error`] is set and the document is copied unchanged.
    Document(&'e Entity<'e>),
    /// An error that is not that of a document. The affected bytes are copied unchanged.
    Error(ContainerError),
}

/// Creates a reader of an archive.
fn reader<R: Read>(archive: R, settings: &ArchiveSettings) -> WarcReader<R> {
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

/// Copies an archive and replaces or converts its documents. Returns the number of records that were read.
///
/// `rewrite` is called for each document, and returns the new document or `None` if it does not change. It is also
/// called for each error, and its result is ignored then.
///
/// A conversion that already follows its record is not added again. A response whose status is not 200 is not
/// converted, and `rewrite` is not called for its document: a conversion has no status, so programs that replay
/// archives would show it with the status 200.
///
/// With [`RecordForm::Replaced`], a `revisit` record after a replaced response gets its new payload digest. If it is
/// for another URL, that is reported ([`ContainerErrorKind::RevisitOfOtherUrl`]). One before its response, or in
/// another archive, is not changed, and no longer finds the response.
///
/// Unchanged records are copied as they are stored, and so is everything after a place at which no record can be
/// read. Compressed archives remain compressed record by record.
///
/// # Errors
/// - [`ContainerErrorKind::Unreadable`] and [`ContainerErrorKind::Unwritable`].
/// - [`ContainerErrorKind::NotCompressedByRecord`]: the archive was compressed as a whole and is too long to be held
///   in memory. The output is incomplete.
///
/// # Complexity
/// That of [`warc_entities`]; with [`RecordForm::Replaced`] also memory for the digests and the URL of every replaced
/// record.
pub fn rewrite_warc<R: Read, W: Write>(
    archive: R,
    output: &mut W,
    settings: &ArchiveSettings,
    form: RecordForm,
    mut rewrite: impl FnMut(WarcItem<'_>) -> Option<Vec<u8>>,
) -> Result<u64, ContainerError> {
    let mut reader = reader(archive, settings);
    let mut records = 0;
    let mut payloads = RewrittenPayloads::default();
    // For conversions, a record is handled one iteration later, when the record after it is known, because
    // that record may already be this conversion.
    let mut pending: Option<WarcRecord> = None;
    loop {
        let next = reader.next_record();
        if let Some(record) = pending.take() {
            let next = next.as_ref().and_then(|next| next.as_ref().ok());
            let budget = reader.decode_budget();
            if let Some(new) = converted_record(&record, next, settings, budget, &mut rewrite) {
                write_record(output, &new, record.offset, &reader)?;
            }
        }
        let record = match next {
            None => break,
            Some(Ok(record)) => record,
            Some(Err(error)) => {
                rewrite(WarcItem::Error(error));
                continue;
            }
        };
        records += 1;
        if form == RecordForm::Replaced
            && let Some(new) = replaced_record(
                &record,
                settings,
                reader.decode_budget(),
                &mut payloads,
                &mut rewrite,
            )
        {
            reader.copy_skipped(output)?;
            write_record(output, &new, record.offset, &reader)?;
            continue;
        }
        match reader.copy(output) {
            Err(error) if is_io_error(error) => return Err(error),
            // `copy_rest` copies the record at the end.
            Err(error) if error_of(&record) != Some(error) => {
                rewrite(WarcItem::Error(error));
            }
            Ok(()) | Err(_) => {}
        }
        pending = (form == RecordForm::Conversion).then_some(record);
    }
    reader.copy_rest(output).map(|()| records)
}

/// Returns the record of type `conversion` to be written after `record`, if there is one.
///
/// Calls `rewrite` for the document in `record` and for its error. `next` is the record after it, if there is one.
fn converted_record(
    record: &WarcRecord,
    next: Option<&WarcRecord>,
    settings: &ArchiveSettings,
    budget: &mut DecodeBudget,
    rewrite: &mut impl FnMut(WarcItem<'_>) -> Option<Vec<u8>>,
) -> Option<NewRecord<'static>> {
    const OK: u16 = 200;
    let mut entity = document_or_error(record, settings, budget, rewrite)?;
    let content_type = match &entity.location {
        // A conversion has no status, so it is replayed with the status 200. In place of a redirect or of an error, it
        // would change what the archive says.
        Location::Response(response, _) if response.status != OK => {
            let error = error_of(record).or(entity.error)?;
            rewrite(WarcItem::Error(error));
            return None;
        }
        Location::Response(response, _) => {
            let block = record.block().unwrap_or_default();
            let declared = response.headers(block).text("Content-Type");
            declared.unwrap_or_else(|| "text/html".to_owned())
        }
        Location::Block | Location::Part(..) => record.headers().text("Content-Type")?,
    };
    entity.next_record_id = next.and_then(|next| next.headers().text("WARC-Record-ID"));
    let new = rewritten_document(record, &entity, rewrite)?;
    Some(record.conversion(new, &content_type))
}

/// Returns the record to be written in place of `record`, if it changes.
///
/// Calls `rewrite` for the document in `record` and for its error. `payloads` are those of the records that were
/// replaced before.
fn replaced_record<'r>(
    record: &'r WarcRecord,
    settings: &ArchiveSettings,
    budget: &mut DecodeBudget,
    payloads: &mut RewrittenPayloads,
    rewrite: &mut impl FnMut(WarcItem<'_>) -> Option<Vec<u8>>,
) -> Option<NewRecord<'r>> {
    if record.kind() == RecordKind::Revisit {
        if let Some(error) = error_of(record) {
            rewrite(WarcItem::Error(error));
            return None;
        }
        let payload = payloads.of(record)?;
        if payload.target_uri != record.target_uri() {
            let kind = ContainerErrorKind::RevisitOfOtherUrl;
            rewrite(WarcItem::Error(kind.at_stored(record.offset)));
        }
        return payload.revisit(record);
    }
    let entity = document_or_error(record, settings, budget, rewrite)?;
    let new = rewritten_document(record, &entity, rewrite)?;
    let block = record.block().unwrap_or_default();
    match entity.edits(block, new) {
        Ok(edits) => {
            let replaced = record.with_block(splice(block, &edits));
            if replaced.has_lost_digest {
                let kind = ContainerErrorKind::DigestRemoved;
                rewrite(WarcItem::Error(kind.at_stored(record.offset)));
            }
            if let Some(digest) = replaced.payload_digest {
                payloads.add(record, &replaced.record.block, digest);
            }
            Some(replaced.record)
        }
        Err(error) => {
            rewrite(WarcItem::Error(error));
            None
        }
    }
}

/// Returns the document in a record. If there is none, calls `rewrite` for the error of the record, if it has one.
fn document_or_error<'r>(
    record: &'r WarcRecord,
    settings: &ArchiveSettings,
    budget: &mut DecodeBudget,
    rewrite: &mut impl FnMut(WarcItem<'_>) -> Option<Vec<u8>>,
) -> Option<Entity<'r>> {
    let entity = document(record, settings, budget);
    // The caller checks a record with a document.
    if entity.is_none()
        && let Some(error) = error_of(record)
    {
        rewrite(WarcItem::Error(error));
    }
    entity
}

/// Calls `rewrite` for the document of a record and for the error of the record, if it is another than that of the
/// document. Returns the new document if it differs and can be written.
fn rewritten_document(
    record: &WarcRecord,
    entity: &Entity<'_>,
    rewrite: &mut impl FnMut(WarcItem<'_>) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let new = rewrite(WarcItem::Document(entity));
    let error = error_of(record);
    if let Some(error) = error.filter(|_| error != entity.error) {
        rewrite(WarcItem::Error(error));
    }
    // A document or record with an error may be incomplete, so the record is only copied.
    if error.or(entity.error).is_some() {
        return None;
    }
    new.filter(|new| *entity.bytes != **new && !entity.has_conversion(new))
}

/// Writes a record that replaces or follows the one at `offset`, compressed by itself if the archive is compressed.
fn write_record<R: Read>(
    output: &mut impl Write,
    record: &NewRecord<'_>,
    offset: u64,
    archive: &WarcReader<R>,
) -> Result<(), ContainerError> {
    let written = record.write(output, archive.compression());
    written.map_err(|error| ContainerErrorKind::Unwritable(error.kind()).at_stored(offset))
}

/// Returns whether an error concerns reading or writing in general, so that continuing is pointless.
fn is_io_error(error: ContainerError) -> bool {
    matches!(
        error.kind,
        ContainerErrorKind::Unwritable(_) | ContainerErrorKind::Unreadable(_)
    )
}

/// Returns the error in a record that could contain a document.
fn error_of(record: &WarcRecord) -> Option<ContainerError> {
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
fn document<'r>(
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
                legacy_headers: settings.legacy_headers,
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
                aggregate: None,
                next_record_id: None,
                record: None,
                chain,
                location: Location::Block,
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
