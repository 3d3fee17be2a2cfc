//! A document in a container.

use std::borrow::Cow;
use std::sync::Arc;

use absolve::{
    BaseCandidates, Decision, Document, DocumentKind, Edit, LinkReport, Rewriter, Rewritten, Span,
};

use super::aggregate::Aggregate;
use super::bases::BaseList;
use super::chain::{Chain, ChainStep};
use crate::container::ContainerError;
use crate::container::http::{Framing, Payload, Response};
use crate::container::mime::Message;
use crate::container::warc::conversion_id;

/// A document in a container, with the properties that the container declares.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Entity<'c> {
    /// The label of the document in its container.
    ///
    /// - In a MIME message, the number of its part as in IMAP (RFC 3501 section 6.4.5): `1.2`.
    /// - In a mailbox, the number of the message, counted from one, and that of the part: `3!1.2`.
    /// - In an HTTP dump, the number of the response, counted from one.
    /// - In a WARC archive, the offset of the record. If a gzip member or Zstandard frame contains several
    ///   records, those after the first are `OFFSET.2`, `OFFSET.3` and so on.
    pub label: String,
    /// The offset at which the document begins as stored, in bytes of the container. In a WARC archive, the offset of
    /// the record; if the record is compressed, that of its gzip member or Zstandard frame.
    pub offset: u64,
    /// The URL of the document in its container: `Content-Location`, `WARC-Target-URI`, or the URL after redirects.
    pub url: Option<Arc<str>>,
    /// The language of the document.
    pub kind: DocumentKind,
    /// The label of the encoding of the document, if the container declares one.
    pub encoding: Option<String>,
    /// The document without the codings in which it is stored.
    pub bytes: Cow<'c, [u8]>,
    /// The error that prevented complete reading, if there is one. The document cannot be replaced then.
    pub error: Option<ContainerError>,
    /// The properties of its record in a WARC archive; `None` in other containers.
    pub record: Option<RecordProperties>,
    pub(super) candidates: BaseList,
    /// The header fields with links, if they are asked for, and the URL that these resolve against.
    pub(super) link_fields: Vec<(String, String)>,
    pub(super) header_base: Option<Arc<str>>,
    /// The other parts of the message of the document, and the meaning of references to them.
    pub(super) aggregate: Option<Arc<Aggregate>>,
    /// While conversions are added to an archive: the identifier of the record after that of the document.
    pub(super) next_record_id: Option<String>,
    /// The steps that lead to the document.
    pub(super) chain: Chain,
    pub(super) location: BodyLocation,
}

/// The place of a document in its container, and the codings in which it is stored there.
#[derive(Debug, Clone)]
pub(super) enum BodyLocation {
    /// The block of a record.
    Block,
    /// The body of a response.
    Response(Response, Framing),
    /// The body of the entity at an index of a message.
    Part(Arc<LocatedMessage>, usize),
}

/// A message in a mailbox, or the only one.
#[derive(Debug)]
pub(super) struct LocatedMessage {
    pub(super) message: Message,
    /// The value of a field with the length of the body.
    pub(super) length: Option<Span>,
}

/// The properties of the record that contains a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RecordProperties {
    /// The number of the record among those of its gzip member or Zstandard frame, counted from one.
    pub number: u64,
    /// `WARC-Record-ID`, as it is written.
    pub id: Option<String>,
    /// `WARC-Date`, as it is written.
    pub date: Option<String>,
}

impl Entity<'_> {
    /// Returns the base URLs that the container provides for the document, in order of precedence.
    ///
    /// The document's own BASE is not among them.
    pub fn candidates(&self) -> BaseCandidates<'_> {
        self.candidates.candidates()
    }

    /// Returns the steps by which the container leads to the document.
    ///
    /// They are the redirects before it, or the entities around it and then itself. Each step has at most one header
    /// field that concerns the URL, as it is written, and the URL that results from it.
    ///
    /// The header fields that provide the [`candidates`](Self::candidates) are among the steps, the nearest last. If
    /// there are more than a few dozen steps, or they are very long, the most distant ones are omitted; the first
    /// step is then [`ChainStepKind::Omitted`](super::ChainStepKind::Omitted).
    #[must_use]
    pub fn chain(&self) -> Vec<ChainStep> {
        self.chain.steps()
    }

    /// Returns the document with the base URLs and the encoding that the container declares.
    pub fn document(&self) -> Document<'_> {
        let document = Document::of_kind(self.kind, &self.bytes)
            .candidates(self.candidates())
            .header_fields(&self.link_fields, self.header_base.as_deref())
            .in_container();
        match &self.encoding {
            Some(label) => document.encoding(label),
            None => document,
        }
    }

    /// Returns the document with facts that the container does not declare: further base URLs, and the encoding.
    pub fn document_with<'d>(
        &'d self,
        further: &BaseCandidates<'d>,
        encoding: Option<&'d str>,
    ) -> Document<'d> {
        let candidates = self.candidates().with_all(further.iter());
        let document = self.document().candidates(candidates);
        encoding.into_iter().fold(document, Document::encoding)
    }

    /// Decides about a link of the document, so that references to other parts of the container remain valid.
    ///
    /// A reference to another part of the same message must equal the URL of that part octet by octet. If its target
    /// would not, the reference is kept, or becomes the `Content-Location` of the part. The method is the callback
    /// for [`Rewriter::rewrite_with`]; [`rewrite`](Self::rewrite) passes it.
    ///
    /// # Source
    /// RFC 2557 sections 5 and 8.
    #[must_use]
    pub fn decide(&self, link_report: &LinkReport<'_>) -> Decision {
        self.aggregate
            .as_ref()
            .map_or(Decision::Resolve, |aggregate| aggregate.decide(link_report))
    }

    /// Returns whether the archive that is being rewritten already contains the conversion of this document to
    /// `document`. It is not added again.
    #[must_use]
    pub fn has_conversion(&self, document: &[u8]) -> bool {
        self.next_record_id.as_ref().is_some_and(|next_id| {
            let id = self.record.as_ref().and_then(|record| record.id.as_deref());
            *next_id == conversion_id(id.unwrap_or_default(), document)
        })
    }

    /// Returns the edits of the container that replace the document by `document`. In an archive, they are those of the
    /// block.
    pub(super) fn edits<'d>(
        &self,
        source: &[u8],
        document: impl Into<Cow<'d, [u8]>>,
    ) -> Result<Vec<Edit>, ContainerError> {
        let document = document.into();
        match &self.location {
            BodyLocation::Block => Ok(vec![Edit::new(Span::new(0, source.len()), document)]),
            BodyLocation::Response(response, framing) => {
                let payload = Payload {
                    bytes: Cow::Borrowed(&self.bytes),
                    framing: framing.clone(),
                    error: self.error,
                };
                response.with_document(source, &payload, document)
            }
            BodyLocation::Part(located, index) => {
                let edit = located.message.with_document(source, *index, &document)?;
                Ok(edit.into_iter().collect())
            }
        }
    }

    /// Returns the message of the document if it states its length.
    pub(super) fn measured_message(&self) -> Option<&Arc<LocatedMessage>> {
        match &self.location {
            BodyLocation::Part(located, _) => {
                Some(located).filter(|located| located.length.is_some())
            }
            BodyLocation::Block | BodyLocation::Response(..) => None,
        }
    }

    /// Returns a copy that does not borrow the container.
    #[must_use]
    pub fn into_owned(self) -> Entity<'static> {
        Entity {
            label: self.label,
            offset: self.offset,
            url: self.url,
            kind: self.kind,
            encoding: self.encoding,
            bytes: Cow::Owned(self.bytes.into_owned()),
            error: self.error,
            record: self.record,
            candidates: self.candidates,
            link_fields: self.link_fields,
            header_base: self.header_base,
            aggregate: self.aggregate,
            next_record_id: self.next_record_id,
            chain: self.chain,
            location: self.location,
        }
    }

    /// Rewrites the document.
    #[must_use]
    pub fn rewrite(&self, rewriter: &Rewriter) -> Rewritten<'_> {
        self.rewrite_as(&self.document(), rewriter)
    }

    /// Rewrites a variant of [`document`](Self::document) for which the caller knows more than the container
    /// declares: other base URLs, or another encoding.
    #[must_use]
    pub fn rewrite_as<'d>(&self, document: &Document<'d>, rewriter: &Rewriter) -> Rewritten<'d> {
        match &self.aggregate {
            None => rewriter.rewrite(document),
            Some(aggregate) => {
                rewriter.rewrite_with(document, |link_report| aggregate.decide(link_report))
            }
        }
    }
}

/// The documents in a container, and the errors in it, in order of offset.
#[derive(Debug, Clone, Default)]
pub(super) struct Contents<'c> {
    pub(super) entities: Vec<Entity<'c>>,
    pub(super) errors: Vec<ContainerError>,
}
