//! Rewriting of WARC archives, while they are read.
//!
//! Records are read and their documents rewritten one after another, because events are reported in the order of the
//! archive, and a revisit depends on the response before it. Compressing the new records takes most of the time: that
//! is done on other threads, while the next records are read.

use std::io::{ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use absolve::ordered::for_each_ordered;
use absolve::splice;

use super::entity::{BodyLocation, Entity};
use super::revisits::RewrittenPayloads;
use super::settings::ArchiveSettings;
use super::warc::{document, error_of, reader};
use crate::container::transfer::Coding;
use crate::container::warc::{NewRecord, RecordKind, WarcReader, WarcRecord};
use crate::container::{ContainerError, ContainerErrorKind, write_all};

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
/// That of [`warc_entities`](super::warc_entities), and memory for the records that other threads compress; with
/// [`RecordForm::Replaced`] also memory for the digests and the URL of every replaced record.
pub fn rewrite_warc<R: Read + Send>(
    archive: R,
    output: &mut (impl Write + Send),
    settings: &ArchiveSettings,
    form: RecordForm,
    rewrite: impl FnMut(WarcItem<'_>) -> Option<Vec<u8>> + Send,
) -> Result<u64, ContainerError> {
    rewrite_until(
        archive,
        output,
        settings,
        form,
        &AtomicBool::new(false),
        rewrite,
    )
}

/// Like [`rewrite_warc`]; fails after `is_over` becomes true.
pub(super) fn rewrite_until<R: Read + Send>(
    archive: R,
    output: &mut (impl Write + Send),
    settings: &ArchiveSettings,
    form: RecordForm,
    is_over: &AtomicBool,
    rewrite: impl FnMut(WarcItem<'_>) -> Option<Vec<u8>> + Send,
) -> Result<u64, ContainerError> {
    let mut parts = OutputParts {
        reader: reader(archive, settings),
        settings,
        form,
        rewrite,
        records: 0,
        payloads: RewrittenPayloads::default(),
        pending: None,
        long: None,
    };
    loop {
        for_each_ordered(
            &mut parts,
            |part| part.as_ref().map_or(0, OutputPart::len),
            settings.threads,
            is_over,
            |part, _| part.map(|part| (part.offset, part.encode())),
            |part, _| part.and_then(|(offset, bytes)| write_all(output, &bytes, offset)),
        )?;
        if is_over.load(Ordering::Relaxed) {
            // Not `Interrupted`: `write_all` would try again.
            return Err(ContainerErrorKind::Unwritable(ErrorKind::Other).at(0));
        }
        let Some(record) = parts.long.take() else {
            break;
        };
        parts.copy(record, output)?;
    }
    parts.reader.copy_rest(output)?;
    Ok(parts.records)
}

/// An iterator over the parts of a rewritten archive. It ends before a record that is too long to be held, which is to
/// be copied before the next part is asked for.
struct OutputParts<'s, R, F> {
    reader: WarcReader<R>,
    settings: &'s ArchiveSettings,
    form: RecordForm,
    rewrite: F,
    records: u64,
    payloads: RewrittenPayloads,
    /// The last record, if it is to be converted. That is done when the record after it is known, which may already be
    /// this conversion.
    pending: Option<WarcRecord>,
    /// The last record, if it is too long to be held.
    long: Option<WarcRecord>,
}

/// A part of a rewritten archive: bytes as they are stored around at most one new record.
#[derive(Default)]
struct OutputPart {
    /// The offset of the record in the archive.
    offset: u64,
    before: Vec<u8>,
    new: Option<NewRecord<'static>>,
    compression: Option<Coding>,
    after: Vec<u8>,
}

impl OutputPart {
    fn len(&self) -> usize {
        let new = self.new.as_ref().map_or(0, |new| new.block.len());
        self.before.len() + new + self.after.len()
    }

    /// Returns the bytes to write. The new record is compressed by itself if the archive is compressed.
    fn encode(self) -> Vec<u8> {
        let mut bytes = self.before;
        if let Some(new) = self.new {
            let written = new.write(&mut bytes, self.compression);
            written.expect("writing to memory does not fail");
        }
        bytes.extend(self.after);
        bytes
    }
}

impl<R: Read, F: FnMut(WarcItem<'_>) -> Option<Vec<u8>>> Iterator for OutputParts<'_, R, F> {
    type Item = Result<OutputPart, ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.long.is_some() {
            return None;
        }
        let next = self.reader.next_record();
        let mut part = OutputPart::default();
        if let Some(record) = self.pending.take() {
            let next = next.as_ref().and_then(|next| next.as_ref().ok());
            part.new = self.converted(&record, next);
        }
        part.compression = self.reader.compression();
        let record = match next {
            None => return part.new.is_some().then_some(Ok(part)),
            Some(Ok(record)) => record,
            Some(Err(error)) => {
                self.report(error);
                return Some(Ok(part));
            }
        };
        self.records += 1;
        part.offset = record.offset;
        if self.form == RecordForm::Replaced {
            part.new = self.replaced(&record);
            if part.new.is_some() {
                let skipped = self.reader.copy_skipped(&mut part.before);
                return Some(skipped.map(|()| part));
            }
        }
        if record.block().is_none() {
            self.long = Some(record);
            return Some(Ok(part));
        }
        Some(self.copy(record, &mut part.after).map(|()| part))
    }
}

impl<R: Read, F: FnMut(WarcItem<'_>) -> Option<Vec<u8>>> OutputParts<'_, R, F> {
    /// Copies `record`, the last one, as it is stored.
    fn copy(&mut self, record: WarcRecord, output: &mut impl Write) -> Result<(), ContainerError> {
        match self.reader.copy(output) {
            Err(error) if is_io_error(error) => return Err(error),
            // `copy_rest` copies the record at the end.
            Err(error) if error_of(&record) != Some(error) => self.report(error),
            Ok(()) | Err(_) => {}
        }
        self.pending = (self.form == RecordForm::Conversion).then_some(record);
        Ok(())
    }

    /// Returns the record of type `conversion` to be written after `record`, if there is one. `next` is the record
    /// after it, if there is one.
    fn converted(
        &mut self,
        record: &WarcRecord,
        next: Option<&WarcRecord>,
    ) -> Option<NewRecord<'static>> {
        const OK: u16 = 200;
        let mut entity = self.document(record)?;
        let content_type = match &entity.location {
            // A conversion has no status, so it is replayed with the status 200. In place of a redirect or of an error,
            // it would change what the archive says.
            BodyLocation::Response(response, _) if response.status != OK => {
                self.report(error_of(record).or(entity.error)?);
                return None;
            }
            BodyLocation::Response(response, _) => {
                let block = record.block().unwrap_or_default();
                let declared = response.headers(block).text("Content-Type");
                declared.unwrap_or_else(|| "text/html".to_owned())
            }
            BodyLocation::Block | BodyLocation::Part(..) => {
                record.headers().text("Content-Type")?
            }
        };
        entity.next_record_id = next.and_then(|next| next.headers().text("WARC-Record-ID"));
        let new = self.rewritten(record, &entity)?;
        Some(record.conversion(new, &content_type))
    }

    /// Returns the record to be written in place of `record`, if it changes.
    fn replaced(&mut self, record: &WarcRecord) -> Option<NewRecord<'static>> {
        if record.kind() == RecordKind::Revisit {
            if let Some(error) = error_of(record) {
                self.report(error);
                return None;
            }
            let payload = self.payloads.of(record)?;
            let is_of_other_url = payload.target_uri != record.target_uri();
            let revisit = payload.revisit(record);
            if is_of_other_url {
                self.report(ContainerErrorKind::RevisitOfOtherUrl.at_stored(record.offset));
            }
            return revisit;
        }
        let entity = self.document(record)?;
        let new = self.rewritten(record, &entity)?;
        let block = record.block().unwrap_or_default();
        match entity.edits(block, new) {
            Ok(edits) => {
                let replaced = record.with_block(splice(block, &edits).into_owned());
                if replaced.has_lost_digest {
                    self.report(ContainerErrorKind::DigestRemoved.at_stored(record.offset));
                }
                if let Some(digest) = replaced.payload_digest {
                    self.payloads.add(record, &replaced.record.block, digest);
                }
                Some(replaced.record)
            }
            Err(error) => {
                self.report(error);
                None
            }
        }
    }

    /// Returns the document in a record. If there is none, reports the error of the record, if it has one.
    fn document<'r>(&mut self, record: &'r WarcRecord) -> Option<Entity<'r>> {
        let entity = document(record, self.settings, self.reader.decode_budget());
        // `rewritten` checks a record with a document.
        if entity.is_none()
            && let Some(error) = error_of(record)
        {
            self.report(error);
        }
        entity
    }

    /// Rewrites the document of a record, and reports the error of the record, if it is another than that of the
    /// document. Returns the new document if it differs and can be written.
    fn rewritten(&mut self, record: &WarcRecord, entity: &Entity<'_>) -> Option<Vec<u8>> {
        let new = (self.rewrite)(WarcItem::Document(entity));
        let error = error_of(record);
        if let Some(error) = error.filter(|_| error != entity.error) {
            self.report(error);
        }
        // A document or record with an error may be incomplete, so the record is only copied.
        if error.or(entity.error).is_some() {
            return None;
        }
        new.filter(|new| *entity.bytes != **new && !entity.has_conversion(new))
    }

    fn report(&mut self, error: ContainerError) {
        (self.rewrite)(WarcItem::Error(error));
    }
}

/// Returns whether an error concerns reading or writing in general, so that continuing is pointless.
fn is_io_error(error: ContainerError) -> bool {
    matches!(
        error.kind,
        ContainerErrorKind::Unwritable(_) | ContainerErrorKind::Unreadable(_)
    )
}
