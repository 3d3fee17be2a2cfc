//! Runs that rewrite the documents of a container while it is written: what happens becomes [`RewriteEvent`]s.
//!
//! A caller decides what becomes of the events. Which documents are put back, and what counts as a change or as a new
//! problem, is decided here.

use std::borrow::Cow;
use std::io::{ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use absolve::{BaseCandidates, Document, Rewriter, Rewritten};

use super::Container;
use super::container::{ContainerError, ContainerErrorKind};
use super::entity::Entity;
use super::new_errors::NewErrors;
use super::settings::ArchiveSettings;
use super::warc_rewrite::{RecordForm, WarcItem, rewrite_until};

/// The way in which each document is rewritten, and facts about all of them that the container does not declare.
#[derive(Debug, Clone)]
pub struct DocumentRewriter<'r> {
    /// The settings of all documents.
    pub rewriter: &'r Rewriter,
    /// Further base URLs.
    pub candidates: BaseCandidates<'r>,
    /// The label of the encoding, if it takes precedence over that which the container declares.
    pub encoding: Option<&'r str>,
}

/// An event of a run, in the order of the container.
pub enum RewriteEvent<'e> {
    /// A document was rewritten, or left as it is.
    Document(RewrittenEntity<'e>),
    /// The document of the event before it could not be put back, and is unchanged.
    NotReplaced(&'e Entity<'e>, ContainerError),
    /// A problem of an archive, each reported once. Other containers have theirs in [`Container::errors`].
    Error(ContainerError),
}

/// A document of a container after it was rewritten.
pub struct RewrittenEntity<'e> {
    /// The document, as the container has it.
    pub entity: &'e Entity<'e>,
    /// The document that was rewritten.
    pub document: &'e Document<'e>,
    /// The result.
    pub rewritten: &'e Rewritten<'e>,
    /// Whether the container changes.
    pub is_changed: bool,
    /// The problem of the document, if it was not reported before.
    pub error: Option<ContainerError>,
}

/// The result of a run over an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RewrittenArchive {
    /// Number of records that were read.
    pub records: u64,
    /// Whether the output differs from the archive.
    pub is_changed: bool,
}

impl DocumentRewriter<'_> {
    /// Returns the document of an entity with what else is known about it.
    fn document_of<'d>(&'d self, entity: &'d Entity<'_>) -> Document<'d> {
        entity.document_with(&self.candidates, self.encoding)
    }

    /// Writes a dump or a message with its documents rewritten; returns whether it changed.
    ///
    /// # Errors
    /// The output cannot be written, or `event` ended the run.
    pub fn rewrite_container(
        &self,
        container: &Container<'_>,
        output: impl Write,
        mut event: impl FnMut(RewriteEvent<'_>) -> ControlFlow<()>,
    ) -> Result<bool, ContainerError> {
        let mut writer = container.writer(output);
        let mut is_changed = false;
        for (index, entity) in container.entities().iter().enumerate() {
            let document = self.document_of(entity);
            let rewritten = entity.rewrite_as(&document, self.rewriter);
            let replaced = match &rewritten.bytes {
                Cow::Borrowed(_) => Ok(false),
                Cow::Owned(bytes) => writer.put(index, bytes),
            };
            let result = RewrittenEntity {
                entity,
                document: &document,
                rewritten: &rewritten,
                is_changed: replaced.is_ok() && *rewritten.bytes != *entity.bytes,
                error: entity.error,
            };
            is_changed |= result.is_changed;
            let mut flow = event(RewriteEvent::Document(result));
            match replaced {
                Err(error) if matches!(error.kind, ContainerErrorKind::Unwritable(_)) => {
                    return Err(error);
                }
                // If the document has an error, that error is the cause.
                Err(error) if entity.error.is_none() && flow.is_continue() => {
                    flow = event(RewriteEvent::NotReplaced(entity, error));
                }
                _ => {}
            }
            if flow.is_break() {
                return Err(ContainerErrorKind::Unwritable(ErrorKind::Other).at(0));
            }
        }
        writer.finish()?;
        Ok(is_changed)
    }

    /// Writes an archive with its documents rewritten while it is read: see [`rewrite_warc`](super::rewrite_warc).
    ///
    /// # Errors
    /// Those of `rewrite_warc`, or `event` ended the run.
    pub fn rewrite_archive(
        &self,
        archive: impl Read + Send,
        mut output: impl Write + Send,
        settings: &ArchiveSettings,
        form: RecordForm,
        mut event: impl FnMut(RewriteEvent<'_>) -> ControlFlow<()> + Send,
    ) -> Result<RewrittenArchive, ContainerError> {
        let is_over = AtomicBool::new(false);
        let mut is_changed = false;
        let mut errors = NewErrors::default();
        let mut report = |reported: RewriteEvent<'_>| {
            if event(reported).is_break() {
                is_over.store(true, Ordering::Relaxed);
            }
        };
        let rewrite = |item: WarcItem<'_>| match item {
            WarcItem::Document(entity) => {
                let document = self.document_of(entity);
                let rewritten = entity.rewrite_as(&document, self.rewriter);
                let is_new = *rewritten.bytes != *entity.bytes;
                let result = RewrittenEntity {
                    entity,
                    document: &document,
                    rewritten: &rewritten,
                    // A record with an error is only copied, and a conversion that exists is not added again.
                    is_changed: is_new
                        && entity.error.is_none()
                        && !entity.has_conversion(&rewritten.bytes),
                    error: errors.of_document(entity.error),
                };
                is_changed |= result.is_changed;
                report(RewriteEvent::Document(result));
                is_new.then(|| rewritten.bytes.into_owned())
            }
            WarcItem::Error(error) => {
                if let Some(error) = errors.of_archive(error) {
                    report(RewriteEvent::Error(error));
                }
                None
            }
        };
        let records = rewrite_until(archive, &mut output, settings, form, &is_over, rewrite)?;
        Ok(RewrittenArchive {
            records,
            is_changed,
        })
    }
}
