//! Documents in HTTP dumps.

use std::borrow::Cow;
use std::sync::Arc;

use super::bases::{BaseList, BaseUrl, MOST_URL, UrlBudget};
use super::chain::{Chain, ChainStep, ChainStepKind, UrlField};
use super::entity::{DocumentKind, Entity};
use super::{ArchiveSettings, BodyLocations, Container};
use crate::base::BaseSource;
use crate::container::content_type::ContentType;
use crate::container::headers::HeaderBlock;
use crate::container::http::{Framing, Payload, Response, split_dump};
use crate::container::{ContainerError, ContainerErrorKind, parse_base_header};
use crate::reference::{Profile, is_absolute, resolve};
use crate::splice::Edit;

/// Behind more redirects than this, nobody knows where they lead.
const MOST_REDIRECTS: usize = 1_000;

/// A dump holds at most so many times the limit of one document.
const MOST_DOCUMENTS: usize = 8;

/// Where the document of a response is.
#[derive(Debug, Clone)]
pub(super) struct BodyLocation {
    response: Response,
    framing: Framing,
}

impl BodyLocation {
    /// The edits that put `document` there.
    pub(super) fn edits(
        &self,
        source: &[u8],
        entity: &Entity<'_>,
        document: &[u8],
    ) -> Result<Vec<Edit>, ContainerError> {
        let payload = Payload {
            bytes: Cow::Borrowed(&entity.bytes),
            framing: self.framing.clone(),
            error: entity.remark,
        };
        self.response.with_document(source, &payload, document)
    }
}

/// A document and where it is.
pub(super) struct LocatedEntity<'c> {
    pub(super) entity: Entity<'c>,
    pub(super) place: BodyLocation,
}

pub(super) fn read<'c>(
    source: &'c [u8],
    settings: &ArchiveSettings,
) -> Result<Container<'c>, ContainerError> {
    let dump = split_dump(source)?;
    let mut places = Vec::new();
    let mut entities = Vec::new();
    let mut url: Option<Arc<str>> = settings.retrieval_url.as_deref().map(Arc::from);
    let mut redirects = 0;
    let mut chain = Chain::given(url.as_ref());
    let mut budget = settings.document_limit.saturating_mul(MOST_DOCUMENTS);
    let mut url_room = UrlBudget::default();
    let mut without_effect = None;
    for (index, response) in dump.responses.iter().enumerate() {
        let limit = settings.document_limit.min(budget);
        let label = (index + 1).to_string();
        let heading = ResponseContext {
            label: &label,
            url: url.as_ref(),
            chain: &chain,
        };
        if let Some(placed) = document(source, response, heading, settings, limit, &mut url_room) {
            budget -= placed.entity.bytes.len().min(budget);
            let mut entity = placed.entity;
            entity.offset = response.body.start as u64;
            let is_last = index + 1 == dump.responses.len();
            // The end of the dump is the end of the last document, and says where that is cut off.
            entity.remark = match (entity.remark, dump.error.filter(|_| is_last)) {
                (Some(own), Some(end)) if own.kind != end.kind => Some(own),
                (own, end) => end.or(own),
            };
            entities.push(entity);
            places.push(placed.place);
        }
        if url_room.is_short {
            let error = ContainerErrorKind::UrlsTooLong.at(response.status_line.start);
            without_effect.get_or_insert(error);
        }
        if let Some(location) = response.location(source) {
            redirects += 1;
            url = match redirects {
                0..=MOST_REDIRECTS => next_url(url.as_deref(), &location).map(Arc::from),
                _ => None,
            };
            let step = ChainStep::new(ChainStepKind::Redirect, &label, response.status.to_string());
            chain = match redirects {
                0..=MOST_REDIRECTS => chain.then(step.with("Location", location), url.clone()),
                _ => Chain::default(),
            };
        }
    }
    Ok(Container {
        source,
        places: BodyLocations::Http(places),
        entities,
        remarks: without_effect.into_iter().chain(dump.error).collect(),
    })
}

/// Where a redirect leads from `url`; nobody knows where from nowhere, if it is relative.
///
/// # Source
/// RFC 9110 section 10.2.2: resolved as RFC 3986 has it. The fragment is no part of a base URL, so it is not inherited.
fn next_url(url: Option<&str>, location: &str) -> Option<String> {
    match url {
        Some(url) => resolve(url, location, Profile::Rfc3986)
            .ok()
            .map(Cow::into_owned),
        None => is_absolute(location, Profile::Rfc3986).then(|| location.to_owned()),
    }
    .filter(|url| url.len() <= MOST_URL)
}

/// What is known about a response.
#[derive(Clone, Copy)]
pub(super) struct ResponseContext<'h> {
    /// See [`Entity::label`].
    pub(super) label: &'h str,
    /// The URL it came from.
    pub(super) url: Option<&'h Arc<str>>,
    /// What led to it.
    pub(super) chain: &'h Chain,
}

/// The document in a response; `None` if it has none that is read.
pub(super) fn document<'c>(
    source: &'c [u8],
    response: &Response,
    heading: ResponseContext<'_>,
    settings: &ArchiveSettings,
    limit: usize,
    budget: &mut UrlBudget,
) -> Option<LocatedEntity<'c>> {
    if response.body.is_empty() {
        return None;
    }
    let headers = response.headers(source);
    let declared = headers
        .value("Content-Type")
        .map(|value| ContentType::parse(&value));
    let declared_kind = declared
        .as_ref()
        .map(|declared| DocumentKind::of(&declared.essence));
    if declared_kind == Some(None) {
        return None;
    }
    let payload = response.payload(source, limit);
    let kind = match declared_kind.flatten() {
        Some(kind) => kind,
        // RFC 9110 section 8.3: without a Content-Type, the content may be looked at.
        None if begins_html(&payload.bytes) => DocumentKind::Html,
        None => return None,
    };
    let ResponseContext { label, url, chain } = heading;
    let own = ChainStep::new(ChainStepKind::Response, label, response.status.to_string());
    let mut fields = if settings.legacy_headers {
        legacy_fields(&headers)
    } else {
        Vec::new()
    };
    let chain = chain.through(&own, &mut fields, budget);
    let own_bases: Vec<BaseUrl> = fields.iter().filter_map(UrlField::base_url).collect();
    let retrieval = url.and_then(|url| BaseUrl::new(BaseSource::Retrieval, url));
    Some(LocatedEntity {
        entity: Entity {
            label: label.to_owned(),
            offset: 0,
            url: url.cloned(),
            kind,
            encoding: declared.and_then(|declared| declared.charset()),
            bytes: payload.bytes,
            remark: payload.error,
            candidates: BaseList::default().around(retrieval).around(own_bases),
            aggregate: None,
            followed: None,
            chain,
        },
        place: BodyLocation {
            response: *response,
            framing: payload.framing,
        },
    })
}

/// The header fields with base URLs, in order of precedence.
fn legacy_fields(headers: &HeaderBlock<'_>) -> Vec<UrlField> {
    let fields = ["Base", "Content-Base", "Content-Location"];
    let fields = fields.into_iter().filter_map(|name| {
        let value = headers.text(name)?;
        let url = match name {
            "Base" => parse_base_header(&value),
            _ => Some(value.trim_ascii().to_owned()),
        };
        Some(UrlField::new(name, value, url))
    });
    fields.collect()
}

/// Whether a document begins as nothing but HTML does.
fn begins_html(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = text.trim_ascii_start();
    ["<!doctype html", "<html", "<head", "<body"]
        .iter()
        .any(|start| {
            text.get(..start.len())
                .is_some_and(|own| own.eq_ignore_ascii_case(start.as_bytes()))
        })
}
