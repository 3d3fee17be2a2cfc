//! Documents in HTTP dumps.

use std::borrow::Cow;
use std::sync::Arc;

use absolve::resolution::is_absolute;
use absolve::{DocumentKind, Profile, resolve};

use super::bases::{BaseList, BaseUrl, MAX_URL, UrlBudget};
use super::chain::{Chain, ChainStep, ChainStepKind, UrlField, url_fields};
use super::entity::{BodyLocation, Contents, Entity};
use super::settings::ArchiveSettings;
use crate::container::content_type::ContentType;
use crate::container::http::{Payload, Response, split_dump};
use crate::container::{ContainerError, ContainerErrorKind, DecodeBudget};

/// The maximum number of redirects that are followed. After more, the URL of a response is treated as unknown.
const MAX_REDIRECTS: usize = 1_000;

/// The maximum total length of the decoded documents of a dump, in multiples of the limit of one document.
const MAX_DOCUMENTS: usize = 8;

/// Reads a dump and the documents in it.
pub(super) fn read<'c>(
    source: &'c [u8],
    settings: &ArchiveSettings,
) -> Result<Contents<'c>, ContainerError> {
    let dump = split_dump(source)?;
    let mut entities = Vec::new();
    let mut url = settings.retrieval_url.clone();
    let mut redirects = 0;
    let mut chain = Chain::given(url.as_ref());
    let mut budget = settings.document_limit.saturating_mul(MAX_DOCUMENTS);
    let mut decode_budget = settings.decode_budget();
    decode_budget.lengthen(source.len());
    let mut url_budget = UrlBudget::new(source.len());
    let mut ignored_urls = None;
    let mut errors = Vec::new();
    for (index, response) in dump.responses.iter().enumerate() {
        let limit = settings.document_limit.min(budget);
        let label = (index + 1).to_string();
        let context = ResponseContext {
            label: &label,
            url: url.as_ref(),
            chain: &chain,
            settings,
            limit,
        };
        let budgets = (&mut decode_budget, &mut url_budget);
        let start = response.body.start;
        if let Some(mut entity) = document(source, response, context, budgets)
            && url_budget.may_inherit(&entity.candidates, start, &mut errors)
        {
            budget -= entity.bytes.len().min(budget);
            entity.offset = start as u64;
            let is_last = index + 1 == dump.responses.len();
            // An error at the end of the dump concerns the last document, which ends there. It takes precedence over
            // the same error of the document, because its offset is exact.
            entity.error = match (entity.error, dump.error.filter(|_| is_last)) {
                (Some(error), Some(end)) if error.kind != end.kind => Some(error),
                (error, end) => end.or(error),
            };
            entities.push(entity);
        }
        if url_budget.is_exceeded {
            let error = ContainerErrorKind::UrlsTooLong.at(response.status_line.start);
            ignored_urls.get_or_insert(error);
        }
        if let Some(location) = response.location(source) {
            redirects += 1;
            url = match redirects {
                0..=MAX_REDIRECTS => next_url(url.as_deref(), &location).map(Arc::from),
                _ => None,
            };
            let step = ChainStep::new(ChainStepKind::Redirect, &label, response.status.to_string());
            chain = match redirects {
                0..=MAX_REDIRECTS => chain.then(step.with("Location", location), url.clone()),
                _ => Chain::default(),
            };
        }
    }
    errors.extend(ignored_urls);
    errors.sort_by_key(|error| error.offset);
    errors.extend(dump.error);
    Ok(Contents { entities, errors })
}

/// Returns the target of a redirect from `url`; `None` if `url` is unknown and `location` is relative.
///
/// # Source
/// RFC 9110 section 10.2.2: resolved as in RFC 3986. The fragment is not part of a base URL, so it is not inherited.
fn next_url(url: Option<&str>, location: &str) -> Option<String> {
    match url {
        Some(url) => resolve(url, location, Profile::Rfc3986)
            .ok()
            .map(Cow::into_owned),
        None => is_absolute(location, Profile::Rfc3986).then(|| location.to_owned()),
    }
    .filter(|url| url.len() <= MAX_URL)
}

/// The context of a response.
#[derive(Clone, Copy)]
pub(super) struct ResponseContext<'h> {
    /// See [`Entity::label`].
    pub(super) label: &'h str,
    /// The URL from which the response was retrieved.
    pub(super) url: Option<&'h Arc<str>>,
    /// The steps that lead to the response.
    pub(super) chain: &'h Chain,
    pub(super) settings: &'h ArchiveSettings,
    /// The maximum decoded length of the document in bytes.
    pub(super) limit: usize,
}

/// Returns the kind and the content of the document in a response of that media type; `None` if it contains none that
/// is supported.
fn content<'c>(
    source: &'c [u8],
    response: &Response,
    essence: Option<&str>,
    limit: usize,
    decode_budget: &mut DecodeBudget,
) -> Option<(DocumentKind, Payload<'c>)> {
    let is_other =
        |essence| DocumentKind::of(essence).is_none() && !DocumentKind::needs_content(essence);
    if response.body.is_empty() || essence.is_some_and(is_other) {
        return None;
    }
    let payload = response.payload_within(source, limit, decode_budget);
    let kind = match essence {
        Some(essence) => DocumentKind::of_content(essence, &payload.bytes)?,
        // RFC 9110 section 8.3: without a Content-Type, the recipient may examine the content.
        None if begins_html(&payload.bytes) => DocumentKind::Html,
        None => return None,
    };
    Some((kind, payload))
}

/// Returns the document in a response; `None` if it contains none that is supported, and no links in header fields.
pub(super) fn document<'c>(
    source: &'c [u8],
    response: &Response,
    context: ResponseContext<'_>,
    (decode_budget, url_budget): (&mut DecodeBudget, &mut UrlBudget),
) -> Option<Entity<'c>> {
    let headers = response.headers(source);
    let fields = headers.all("Content-Type");
    let declared =
        ContentType::extract(fields.map(|field| &source[field.value.start..field.value.end]));
    let essence = declared.as_ref().map(|declared| &*declared.essence);
    let link_fields = context.settings.link_fields(&headers);
    let empty = || (!link_fields.is_empty()).then(|| (DocumentKind::Html, Payload::default()));
    let found = content(source, response, essence, context.limit, decode_budget);
    let (kind, payload) = found.or_else(empty)?;
    let ResponseContext {
        label, url, chain, ..
    } = context;
    let step = ChainStep::new(ChainStepKind::Response, label, response.status.to_string());
    let mut fields = if context.settings.legacy_headers {
        url_fields(&headers, |_, value| Some(value.trim_ascii().to_owned()))
    } else {
        Vec::new()
    };
    let chain = chain.then_entity(&step, &mut fields, url_budget);
    let entity_bases: Vec<BaseUrl> = fields.iter().filter_map(UrlField::base_url).collect();
    Some(Entity {
        label: label.to_owned(),
        offset: 0,
        url: url.cloned(),
        kind,
        encoding: declared.and_then(|declared| declared.charset()),
        bytes: payload.bytes,
        error: payload.error,
        candidates: BaseList::retrieved_from(url).prepend(entity_bases),
        link_fields,
        header_base: url.cloned(),
        aggregate: None,
        next_record_id: None,
        record: None,
        chain,
        location: BodyLocation::Response(*response, payload.framing),
    })
}

/// Returns whether a document begins with markup that occurs in HTML only, after a BOM and white space.
fn begins_html(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = text.trim_ascii_start();
    ["<!doctype html", "<html", "<head", "<body"]
        .iter()
        .any(|start| {
            text.get(..start.len())
                .is_some_and(|prefix| prefix.eq_ignore_ascii_case(start.as_bytes()))
        })
}
