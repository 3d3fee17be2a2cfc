//! Documents in MIME messages.

use std::collections::HashMap;
use std::sync::Arc;

use super::aggregate::{Aggregate, PartIndex};
use super::bases::{BaseList, BaseUrl, UrlBudget};
use super::chain::{Chain, ChainStep, ChainStepKind, LOCATION, UrlField, url_fields};
use super::entity::{Contents, Entity};
use super::settings::ArchiveSettings;
use crate::container::mime::{self, Content, Message};
use crate::container::{ContainerError, ContainerErrorKind};
use crate::document::DocumentKind;
use crate::splice::Edit;

/// The locations of the documents of a message.
#[derive(Debug, Clone)]
pub(super) struct MimeLocations {
    message: Message,
    /// For each document, its index among the entities of the message.
    indices: Vec<usize>,
}

impl MimeLocations {
    /// Returns the edits that replace the document number `number` by `document`.
    pub(super) fn edits(
        &self,
        source: &[u8],
        number: usize,
        document: &[u8],
    ) -> Result<Vec<Edit>, ContainerError> {
        let index = self.indices.get(number).copied().unwrap_or(usize::MAX);
        let edit = self.message.with_document(source, index, document)?;
        Ok(edit.into_iter().collect())
    }
}

/// An entity with the effect of its header fields.
#[derive(Default)]
struct EntityContext {
    /// The base URLs of the content of the entity.
    inner: BaseList,
    /// The base URL that `inner` establishes without the retrieval URL.
    base: Option<Arc<str>>,
    /// `Content-Location`, as it is written.
    location: Option<Arc<str>>,
    /// The base URLs of `location`, if they are not those of the enclosing entity.
    location_bases: Option<BaseList>,
    is_related: bool,
    label: String,
    /// The steps that lead to the entity.
    chain: Chain,
    /// The number of direct children of the entity so far.
    children: usize,
}

/// Reads a message and the documents in it.
pub(super) fn read<'c>(
    source: &'c [u8],
    settings: &ArchiveSettings,
) -> Result<Contents<'c, MimeLocations>, ContainerError> {
    let message = Message::split(source)?;
    let mut errors = message.errors.clone();
    let contexts = contexts(source, &message, settings, &mut errors);
    let aggregates = aggregates(&message, &contexts);
    let mut entities = Vec::new();
    let mut indices = Vec::new();
    for (index, entity) in message.entities.iter().enumerate() {
        let media_type = entity.content_type(source);
        let kind = DocumentKind::of(&media_type.essence);
        let (Some(kind), Content::Leaf) = (kind, entity.content) else {
            continue;
        };
        let bytes = match entity.document(source) {
            Ok(bytes) => bytes,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        entities.push(Entity {
            label: contexts[index].label.clone(),
            offset: entity.body.start as u64,
            url: contexts[index].location.clone(),
            kind,
            encoding: media_type.charset(),
            bytes,
            error: None,
            candidates: contexts[index].inner.clone(),
            following: None,
            chain: contexts[index].chain.clone(),
            aggregate: aggregates[index].clone().map(|parts| {
                Arc::new(Aggregate {
                    parts,
                    base: contexts[index].base.clone(),
                })
            }),
        });
        indices.push(index);
    }
    errors.sort_by_key(|error| error.offset);
    Ok(Contents {
        bodies: MimeLocations { message, indices },
        entities,
        errors,
    })
}

/// Returns each entity with the effect of its header fields. If the URL budget is exceeded, that is reported once, in
/// `errors`.
///
/// # Source
/// RFC 1808 sections 3.1 and 3.2, RFC 2110 section 5, RFC 2557 section 5: the nearest heading (the header fields of
/// an entity) takes precedence, and in it `Base`, `Content-Base`, `Content-Location`, in this order. A relative URL
/// is resolved against the next one.
fn contexts(
    source: &[u8],
    message: &Message,
    settings: &ArchiveSettings,
    errors: &mut Vec<ContainerError>,
) -> Vec<EntityContext> {
    let given = settings.retrieval_url.as_ref();
    let outermost = EntityContext {
        inner: BaseList::retrieved_from(given),
        chain: Chain::given(given),
        ..EntityContext::default()
    };
    let mut budget = UrlBudget::default();
    let mut ignored_urls = None;
    let mut contexts: Vec<EntityContext> = Vec::with_capacity(message.entities.len());
    for entity in &message.entities {
        let label = label(message, &mut contexts, entity);
        let media_type = entity.content_type(source).essence;
        let outer = entity.parent.map_or(&outermost, |parent| &contexts[parent]);
        let headers = entity.header_block(source);
        let mut fields = url_fields(&headers, |name, _| entity.url_field(source, name));
        let location = fields.iter().find(|field| field.name == LOCATION);
        let location = location.and_then(|field| field.url.clone());
        let step = ChainStep::new(kind_of(message, entity), &label, media_type.clone());
        let chain = outer.chain.then_entity(&step, &mut fields, &mut budget);
        if budget.is_exceeded {
            let error = ContainerErrorKind::UrlsTooLong.at(entity.headers.start);
            ignored_urls.get_or_insert(error);
        }
        let (locations, others): (Vec<&UrlField>, Vec<&UrlField>) =
            fields.iter().partition(|field| field.name == LOCATION);
        let entity_bases: Vec<BaseUrl> =
            others.iter().filter_map(|field| field.base_url()).collect();
        let location_base = locations.iter().find_map(|field| field.base_url());
        // `Content-Location` is not resolved against itself, only against the other fields of the same heading.
        let location_bases =
            (!entity_bases.is_empty()).then(|| outer.inner.prepend(entity_bases.clone()));
        let inner = outer
            .inner
            .prepend([entity_bases, Vec::from_iter(location_base)].concat());
        // Without fields of its own, an entity shares the result of the enclosing one instead of establishing it
        // again.
        let base = if fields.is_empty() {
            outer.base.clone()
        } else {
            inner.establish()
        };
        contexts.push(EntityContext {
            inner,
            base,
            location,
            location_bases,
            chain,
            is_related: entity.content == Content::Multipart && media_type == "multipart/related",
            label,
            children: 0,
        });
    }
    errors.extend(ignored_urls);
    contexts
}

/// Returns the kind of the step to an entity.
fn kind_of(message: &Message, entity: &mime::MimeEntity) -> ChainStepKind {
    match entity.parent {
        Some(parent) if message.entities[parent].content == Content::Multipart => {
            ChainStepKind::Part
        }
        _ => ChainStepKind::Message,
    }
}

/// Returns the number of a part as in IMAP (RFC 3501 section 6.4.5) and counts it in its parent.
///
/// The children of a multipart entity are counted from one. A multipart entity that is the whole content of a message
/// has no number of its own.
fn label(message: &Message, contexts: &mut [EntityContext], entity: &mime::MimeEntity) -> String {
    let is_multipart = entity.content == Content::Multipart;
    let Some(parent) = entity.parent else {
        return if is_multipart { "" } else { "1" }.to_owned();
    };
    let is_in_message = message.entities[parent].content == Content::Message;
    let context = &mut contexts[parent];
    if is_in_message && is_multipart {
        return context.label.clone();
    }
    context.children += 1;
    if context.label.is_empty() {
        context.children.to_string()
    } else {
        format!("{}.{}", context.label, context.children)
    }
}

/// Returns, for each entity, the parts to which it can refer: those of the outermost enclosing `multipart/related`.
///
/// # Source
/// RFC 2557 section 8.2: parts of the same or a surrounding `multipart/related`.
fn aggregates(message: &Message, contexts: &[EntityContext]) -> Vec<Option<Arc<PartIndex>>> {
    // Parents precede their children, so `roots[parent]` is known.
    let mut roots: Vec<Option<usize>> = Vec::with_capacity(contexts.len());
    for (index, entity) in message.entities.iter().enumerate() {
        let outer = entity.parent.and_then(|parent| roots[parent]);
        roots.push(outer.or(contexts[index].is_related.then_some(index)));
    }
    let mut parts: HashMap<usize, PartIndex> = HashMap::new();
    for (index, root) in roots.iter().enumerate() {
        let Some(root) = *root else { continue };
        let parts = parts.entry(root).or_default();
        // The `Content-Location` of the outermost entity identifies the aggregate, not a part of it (RFC 2557 section
        // 4.3).
        let context = &contexts[index];
        if let Some(location) = context.location.as_ref().filter(|_| index != root) {
            let base = match (&context.location_bases, message.entities[index].parent) {
                (Some(location_bases), _) => location_bases.establish(),
                (None, Some(parent)) => contexts[parent].base.clone(),
                (None, None) => None,
            };
            parts.add(location, base.as_deref());
        }
    }
    let parts = parts.into_iter();
    let parts: HashMap<_, _> = parts.map(|(root, parts)| (root, Arc::new(parts))).collect();
    roots
        .into_iter()
        .map(|root| parts.get(&root?).cloned())
        .collect()
}
