//! Documents in WARC archives.

use std::borrow::Cow;
use std::io::{Read, Write};
use std::sync::Arc;

use super::ArchiveSettings;
use super::bases::{BaseList, BaseUrl, UrlBudget};
use super::chain::{Chain, ChainStep, ChainStepKind};
use super::entity::{DocumentKind, Entity, FollowingRecord};
use super::http::{self, BodyLocation, ResponseContext};
use crate::base::BaseSource;
use crate::container::content_type::ContentType;
use crate::container::http::split_response;
use crate::container::warc::{RecordBlock, RecordKind, WarcReader, WarcRecord, compressed};
use crate::container::{ContainerError, ContainerErrorKind};
use crate::splice::splice;

/// What becomes of a record with a document that was rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordForm {
    /// The document in it is replaced.
    Replaced,
    /// It stays, and a record of type `conversion` follows it.
    Conversion,
}

/// What is found in an archive.
#[derive(Debug)]
#[non_exhaustive]
pub enum WarcItem<'e> {
    /// A document.
    Document(&'e Entity<'e>),
    /// Something is wrong, and stays as it is.
    Remark(ContainerError),
}

/// A document of a record, and where it is.
struct RecordDocument<'r> {
    entity: Entity<'r>,
    /// `None` if it is the whole block.
    place: Option<BodyLocation>,
    content_type: String,
}

/// Every HTML document and style sheet in an archive, in order, and between them what is wrong.
///
/// # Complexity
/// Linear in the length of the archive; memory is for one record.
pub fn warc_entities<R: Read>(archive: R, settings: &ArchiveSettings) -> WarcEntities<R> {
    WarcEntities {
        reader: WarcReader::new(archive).limit(settings.record_limit),
        settings: settings.clone(),
        remark: None,
    }
}

/// See [`warc_entities`].
#[derive(Debug)]
pub struct WarcEntities<R> {
    reader: WarcReader<R>,
    settings: ArchiveSettings,
    /// To be given next.
    remark: Option<ContainerError>,
}

impl<R: Read> Iterator for WarcEntities<R> {
    type Item = Result<Entity<'static>, ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(remark) = self.remark.take() {
            return Some(Err(remark));
        }
        loop {
            let record = match self.reader.next_record()? {
                Ok(record) => record,
                Err(error) => return Some(Err(error)),
            };
            let remark = remark_of(&record);
            let Some(placed) = document(&record, &self.settings) else {
                match remark {
                    Some(remark) => return Some(Err(remark)),
                    None => continue,
                }
            };
            self.remark = remark;
            return Some(Ok(placed.entity.into_owned()));
        }
    }
}

/// Copies an archive, with new documents in it: `rewrite` is asked about each, and gives the new one, or `None` if it
/// stays. It also hears what is wrong; what it gives then does not matter.
///
/// A conversion that is there already, behind its record, is not added again.
///
/// Records that stay are copied as they are stored, and so is everything behind a place where no record can be
/// read. Compressed archives stay compressed, record by record.
///
/// # Errors
/// [`ContainerErrorKind::Unreadable`] and [`ContainerErrorKind::Unwritable`]; and
/// [`ContainerErrorKind::NotCompressedByRecord`] if the archive was compressed as a whole and is too long to be held:
/// the output is then not all of it.
///
/// # Complexity
/// As [`warc_entities`].
pub fn rewrite_warc<R: Read, W: Write>(
    archive: R,
    output: &mut W,
    settings: &ArchiveSettings,
    form: RecordForm,
    mut rewrite: impl FnMut(WarcItem<'_>) -> Option<Vec<u8>>,
) -> Result<(), ContainerError> {
    let mut reader = WarcReader::new(archive).limit(settings.record_limit);
    // A record that gets a conversion is asked about once it is known what is behind it.
    let mut held: Option<WarcRecord> = None;
    loop {
        let next = reader.next_record();
        if let Some(record) = held.take() {
            let behind = next.as_ref().and_then(|next| next.as_ref().ok());
            if let Some(new) = rewritten_record(&record, behind, settings, form, &mut rewrite) {
                write(output, new, record.offset, reader.is_compressed())?;
            }
        }
        let record = match next {
            None => break,
            Some(Ok(record)) => record,
            Some(Err(error)) => {
                rewrite(WarcItem::Remark(error));
                break;
            }
        };
        let remark = remark_of(&record);
        if let Some(remark) = remark {
            rewrite(WarcItem::Remark(remark));
        }
        if form == RecordForm::Replaced
            && let Some(new) = rewritten_record(&record, None, settings, form, &mut rewrite)
        {
            write(output, new, record.offset, reader.is_compressed())?;
            continue;
        }
        match reader.copy(output) {
            Err(error) if is_about_output(error) => return Err(error),
            // What was not copied is copied at the end.
            Err(error) if remark != Some(error) => {
                rewrite(WarcItem::Remark(error));
            }
            Ok(()) | Err(_) => {}
        }
        let is_asked = form == RecordForm::Replaced || record.kind() == RecordKind::Other;
        held = (!is_asked).then_some(record);
    }
    reader.copy_rest(output)
}

/// The record to be written for the document in `record`, if there is one and it changes.
fn rewritten_record(
    record: &WarcRecord,
    behind: Option<&WarcRecord>,
    settings: &ArchiveSettings,
    form: RecordForm,
    rewrite: &mut impl FnMut(WarcItem<'_>) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let mut placed = document(record, settings)?;
    let id = |record: &WarcRecord| record.headers().text("WARC-Record-ID");
    placed.entity.followed = behind.and_then(|behind| {
        Some(FollowingRecord {
            own: id(record).unwrap_or_default(),
            by: id(behind)?,
        })
    });
    let new = rewrite(WarcItem::Document(&placed.entity))?;
    if remark_of(record).is_some() {
        return None;
    }
    match new_record(record, &placed, &new, form) {
        Ok(new) => new,
        Err(error) => {
            rewrite(WarcItem::Remark(error));
            None
        }
    }
}

fn write(
    output: &mut impl Write,
    record: Vec<u8>,
    offset: u64,
    is_compressed: bool,
) -> Result<(), ContainerError> {
    let bytes = if is_compressed {
        compressed(&record)
    } else {
        record
    };
    output.write_all(&bytes).map_err(|error| ContainerError {
        kind: ContainerErrorKind::Unwritable(error.kind()),
        offset,
    })
}

fn is_about_output(error: ContainerError) -> bool {
    matches!(
        error.kind,
        ContainerErrorKind::Unwritable(_) | ContainerErrorKind::Unreadable(_)
    )
}

/// What is wrong with a record that could hold a document.
fn remark_of(record: &WarcRecord) -> Option<ContainerError> {
    let is_too_long =
        matches!(record.block, RecordBlock::TooLong(_)) && record.kind() != RecordKind::Other;
    let kind = if is_too_long {
        ContainerErrorKind::RecordTooLong
    } else if record.kind() == RecordKind::Response && record.is_damaged_http() {
        ContainerErrorKind::NotHttp
    } else {
        return record.remark;
    };
    record.remark.or(Some(ContainerError {
        kind,
        offset: record.offset,
    }))
}

/// The document in a record; `None` if it has none that is read.
///
/// # Source
/// WARC 1.1 section 5.12: `WARC-Target-URI` is the URI whose capture gave rise to the content. Each redirect has a record of
/// its own, so it is the retrieval URL (RFC 1808 section 3.3). A `revisit` has no document: that is in another record.
fn document<'r>(record: &'r WarcRecord, settings: &ArchiveSettings) -> Option<RecordDocument<'r>> {
    let block = record.block()?;
    let given: Option<Arc<str>> = settings.retrieval_url.as_deref().map(Arc::from);
    let url: Option<Arc<str>> = record.target_uri().map(Arc::from);
    let chain = provenance(record, url.as_ref(), given.as_ref());
    let own = url.as_ref().or(given.as_ref());
    let mut placed = match record.kind() {
        RecordKind::Response if record.is_http_response() => {
            let response = split_response(block, 0).ok()?;
            let limit = settings.document_limit;
            let label = label(record);
            let heading = ResponseContext {
                label: &label,
                url: own,
                chain: &chain,
            };
            let placed = http::document(
                block,
                &response,
                heading,
                settings,
                limit,
                &mut UrlBudget::default(),
            )?;
            let content_type = response.headers(block).text("Content-Type");
            RecordDocument {
                entity: placed.entity,
                place: Some(placed.place),
                content_type: content_type.unwrap_or_else(|| "text/html".to_owned()),
            }
        }
        RecordKind::Resource | RecordKind::Conversion => {
            let content_type = record.headers().text("Content-Type")?;
            let media_type = ContentType::parse(content_type.as_bytes());
            RecordDocument {
                entity: Entity {
                    label: String::new(),
                    offset: 0,
                    url: own.cloned(),
                    kind: DocumentKind::of(&media_type.essence)?,
                    encoding: media_type.charset(),
                    bytes: Cow::Borrowed(block),
                    remark: None,
                    candidates: BaseList::default()
                        .around(own.and_then(|url| BaseUrl::new(BaseSource::Retrieval, url))),
                    aggregate: None,
                    followed: None,
                    chain: chain.clone(),
                },
                place: None,
                content_type,
            }
        }
        _ => return None,
    };
    placed.entity.label = label(record);
    placed.entity.offset = record.offset;
    // Offsets in the block say nothing to whoever has the archive.
    let error = placed.entity.remark.map(|error| ContainerError {
        offset: record.offset,
        ..error
    });
    placed.entity.remark = error.or(record.remark);
    Some(placed)
}

/// See [`Entity::label`].
fn label(record: &WarcRecord) -> String {
    match record.number {
        1 => record.offset.to_string(),
        number => format!("{}.{number}", record.offset),
    }
}

/// How a record is led to.
fn provenance(record: &WarcRecord, url: Option<&Arc<str>>, given: Option<&Arc<str>>) -> Chain {
    let headers = record.headers();
    let kind = headers.text("WARC-Type").unwrap_or_default();
    let step = ChainStep::new(ChainStepKind::Record, &label(record), kind);
    match (headers.text("WARC-Target-URI"), url) {
        (Some(value), Some(url)) => {
            let step = step.with("WARC-Target-URI", value);
            Chain::default().then(step, Some(Arc::clone(url)))
        }
        _ => Chain::given(given).then(step, None),
    }
}

/// The record to be written for `document`; `None` if nothing changed.
fn new_record(
    record: &WarcRecord,
    placed: &RecordDocument<'_>,
    document: &[u8],
    form: RecordForm,
) -> Result<Option<Vec<u8>>, ContainerError> {
    if *placed.entity.bytes == *document || placed.entity.has_conversion(document) {
        return Ok(None);
    }
    if let Some(error) = placed.entity.remark {
        return Err(error);
    }
    if form == RecordForm::Conversion {
        return Ok(Some(record.conversion(document, &placed.content_type)));
    }
    let block = record.block().unwrap_or_default();
    let new = match &placed.place {
        None => Cow::Borrowed(document),
        Some(place) => {
            let edits = place.edits(block, &placed.entity, document)?;
            splice(block, &edits)
        }
    };
    Ok(Some(record.with_block(&new)))
}
