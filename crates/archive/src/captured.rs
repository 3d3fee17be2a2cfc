//! The content of a single capture of an archive, read at its offset.

use std::io::{Read, Seek};

use absolve::DocumentKind;

use super::settings::ArchiveSettings;
use super::warc;
use crate::container::http::split_response;
use crate::container::{ContainerError, ContainerErrorKind};

/// The content of a capture, without the codings in which it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaptureContent {
    /// The language; `None` if it is not a document.
    pub kind: Option<DocumentKind>,
    /// The label of the encoding of a document, if the archive declares one.
    pub encoding: Option<String>,
    /// The content.
    pub bytes: Vec<u8>,
}

/// Reads the content of the record at `offset` of an archive: see [`RecordPlace`](crate::container::warc::RecordPlace).
///
/// # Errors
/// There is no record, or its content cannot be read completely.
pub fn read_capture<R: Read + Seek>(
    archive: R,
    offset: u64,
    settings: &ArchiveSettings,
) -> Result<CaptureContent, ContainerError> {
    let mut reader = warc::reader(archive, settings);
    reader.seek(offset, offset.saturating_add(1))?;
    let missing = || Err(ContainerErrorKind::NotWarc.at_stored(offset));
    let record = reader.next_record().unwrap_or_else(missing)?;
    let check = |error: Option<ContainerError>| match error {
        Some(error) if !leaves_content(error.kind) => Err(error),
        _ => Ok(()),
    };
    check(warc::error_of(&record))?;
    if let Some(entity) = warc::document(&record, settings, reader.decode_budget()) {
        check(entity.error)?;
        return Ok(CaptureContent {
            kind: Some(entity.kind),
            bytes: entity.bytes.into_owned(),
            encoding: entity.encoding,
        });
    }
    let block = record.block().unwrap_or_default();
    let response = split_response(block, 0).ok();
    let bytes = match response.filter(|_| record.is_http_response()) {
        Some(response) => {
            let limit = settings.document_limit;
            let payload = response.payload_within(block, limit, reader.decode_budget());
            check(
                payload
                    .error
                    .map(|error| ContainerError { offset, ..error }),
            )?;
            payload.bytes.into_owned()
        }
        None => block.to_owned(),
    };
    Ok(CaptureContent {
        kind: None,
        encoding: None,
        bytes,
    })
}

/// Returns whether the content of a record with an error of this kind is complete.
fn leaves_content(kind: ContainerErrorKind) -> bool {
    matches!(
        kind,
        ContainerErrorKind::WrongContentLength | ContainerErrorKind::NotCompressedByRecord
    )
}
