//! Documents in MIME messages, and in mailboxes, which are sequences of messages.

use std::collections::HashMap;
use std::sync::Arc;

use absolve::{DocumentKind, Edit};

use super::aggregate::{Aggregate, PartIndex};
use super::bases::{BaseList, BaseUrl, UrlBudget};
use super::chain::{Chain, ChainStep, ChainStepKind, LOCATION, UrlField, url_fields};
use super::entity::{BodyLocation, Contents, Entity, LocatedMessage};
use super::referrer::inherit_bases;
use super::settings::ArchiveSettings;
use crate::container::mime::{self, Content, Message, split_mbox};
use crate::container::{ContainerError, ContainerErrorKind};

impl LocatedMessage {
    /// Returns the edit that adjusts the length that the message states; `edits` are those of all its documents.
    ///
    /// A wrong length is adjusted, too. If it stayed, it could become that of the new body. Afterwards it ends at the
    /// same text as before, where no message ends; if it ended in changed text, then as far from the end of that text.
    pub(super) fn length_edit(&self, source: &[u8], edits: &[Edit]) -> Option<Edit> {
        let field = self.length?;
        let digits = std::str::from_utf8(&source[field.start..field.end]).ok()?;
        let length: usize = digits.parse().ok()?;
        let body = self.message.entities.first()?.body;
        let end = body.start.checked_add(length)?;
        // An edit replaces a whole body, of which the beginning may be the same.
        let first_change = |edit: &Edit| {
            let old = source[edit.span.start..edit.span.end].iter();
            let same = old
                .zip(&edit.replacement)
                .take_while(|(old, new)| old == new);
            edit.span.start + same.count()
        };
        let (mut removed, mut added) = (0, 0);
        for edit in edits.iter().filter(|edit| first_change(edit) < end) {
            removed += edit.span.len();
            added += edit.replacement.len();
        }
        let length = length.checked_add(added)?.checked_sub(removed)?;
        Some(Edit::new(field, length.to_string()))
    }
}

/// An entity with the effect of its header fields.
#[derive(Default)]
struct EntityContext {
    /// The base URLs of the content of the entity.
    inner: BaseList,
    /// The base URL that `inner` establishes without the retrieval URL.
    base: Option<Arc<str>>,
    /// `Content-Location`, as it is written; `None` if the URL budget is exceeded.
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

/// Reads a message or a mailbox, and the documents in it.
pub(super) fn read<'c>(
    source: &'c [u8],
    settings: &ArchiveSettings,
) -> Result<Contents<'c>, ContainerError> {
    let mut found = Contents::default();
    // An empty mailbox has no messages.
    if source.is_empty() {
        return Ok(found);
    }
    let mut budget = UrlBudget::new(source.len());
    let Some(mailbox) = split_mbox(source) else {
        let message = LocatedMessage {
            message: Message::split(source)?,
            length: None,
        };
        read_message(source, message, None, settings, &mut budget, &mut found);
        return Ok(found);
    };
    for (index, located) in mailbox.iter().enumerate() {
        match Message::split_at(&source[..located.span.end], located.span.start) {
            Ok(message) => {
                let length = located.length;
                let message = LocatedMessage { message, length };
                read_message(
                    source,
                    message,
                    Some(index + 1),
                    settings,
                    &mut budget,
                    &mut found,
                );
            }
            Err(error) if mailbox.len() == 1 => return Err(error),
            Err(error) => found.errors.push(error),
        }
    }
    Ok(found)
}

/// Appends the documents in a message, which is the message number `number` of a mailbox, to `found`.
fn read_message<'c>(
    source: &'c [u8],
    located: LocatedMessage,
    number: Option<usize>,
    settings: &ArchiveSettings,
    budget: &mut UrlBudget,
    found: &mut Contents<'c>,
) {
    let located = Arc::new(located);
    let message = &located.message;
    let mut errors = message.errors.clone();
    let contexts = contexts(source, message, number, settings, budget, &mut errors);
    let aggregates = aggregates(message, &contexts);
    let documents = found.entities.len();
    for (index, entity) in message.entities.iter().enumerate() {
        let media_type = entity.content_type(source);
        let essence = &*media_type.essence;
        let may_be_document =
            DocumentKind::of(essence).is_some() || DocumentKind::needs_content(essence);
        if !may_be_document || !matches!(entity.content, Content::Leaf) {
            continue;
        }
        let context = &contexts[index];
        if !budget.may_inherit(&context.inner, entity.body.start, &mut errors) {
            continue;
        }
        let bytes = match entity.document(source) {
            Ok(bytes) => bytes,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let Some(kind) = DocumentKind::of_content(essence, &bytes) else {
            continue;
        };
        found.entities.push(Entity {
            label: in_mailbox(number, &context.label),
            offset: entity.body.start as u64,
            url: context.location.clone(),
            kind,
            encoding: media_type.charset(),
            bytes,
            error: None,
            candidates: context.inner.clone(),
            link_fields: settings.link_fields(&entity.header_block(source)),
            header_base: location_base(message, &contexts, index)
                .or_else(|| settings.retrieval_url.clone()),
            next_record_id: None,
            record: None,
            chain: context.chain.clone(),
            aggregate: aggregates[index].clone().map(|parts| {
                Arc::new(Aggregate {
                    parts,
                    base: context.base.clone(),
                })
            }),
            location: BodyLocation::Part(Arc::clone(&located), index),
        });
    }
    inherit_bases(&mut found.entities[documents..]);
    errors.sort_by_key(|error| error.offset);
    found.errors.extend(errors);
}

/// Returns the label of an entity, preceded by the number of its message if it is in a mailbox.
fn in_mailbox(number: Option<usize>, label: &str) -> String {
    match number {
        Some(number) if label.is_empty() => number.to_string(),
        Some(number) => format!("{number}!{label}"),
        None => label.to_owned(),
    }
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
    number: Option<usize>,
    settings: &ArchiveSettings,
    budget: &mut UrlBudget,
    errors: &mut Vec<ContainerError>,
) -> Vec<EntityContext> {
    let given = settings.retrieval_url.as_ref();
    let outermost = EntityContext {
        inner: BaseList::retrieved_from(given),
        chain: Chain::given(given),
        ..EntityContext::default()
    };
    // Reported once for all messages of a mailbox.
    let was_exceeded = budget.is_exceeded;
    let mut ignored_urls = None;
    let mut contexts: Vec<EntityContext> = Vec::with_capacity(message.entities.len());
    for entity in &message.entities {
        let label = label(message, &mut contexts, entity);
        let media_type = entity.content_type(source).essence;
        let outer = entity.parent.map_or(&outermost, |parent| &contexts[parent]);
        let headers = entity.header_block(source);
        let mut fields = url_fields(&headers, |name, _| entity.url_field(source, name));
        let step = ChainStep::new(
            kind_of(message, entity),
            &in_mailbox(number, &label),
            media_type.clone(),
        );
        let chain = outer.chain.then_entity(&step, &mut fields, budget);
        if budget.is_exceeded && !was_exceeded {
            let error = ContainerErrorKind::UrlsTooLong.at(entity.headers.start);
            ignored_urls.get_or_insert(error);
        }
        let location = fields.iter().find(|field| field.name == LOCATION);
        let location = location.and_then(|field| field.url.clone());
        let (locations, others): (Vec<&UrlField>, Vec<&UrlField>) =
            fields.iter().partition(|field| field.name == LOCATION);
        let entity_bases: Vec<BaseUrl> =
            others.iter().filter_map(|field| field.base_url()).collect();
        let location_base = locations.iter().find_map(|field| field.base_url());
        // `Content-Location` is not resolved against itself, only against the other fields of the same heading.
        let location_bases =
            (!entity_bases.is_empty()).then(|| outer.inner.prepend(entity_bases.clone()));
        let own_bases = [entity_bases, Vec::from_iter(location_base)].concat();
        let has_own_bases = !own_bases.is_empty();
        let inner = outer.inner.prepend(own_bases);
        // Without URLs of its own, an entity shares the result of the enclosing one instead of establishing it again.
        let base = if has_own_bases {
            inner.establish()
        } else {
            outer.base.clone()
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

/// Returns the base URL of the `Content-Location` of the entity at `index`, without the retrieval URL.
fn location_base(message: &Message, contexts: &[EntityContext], index: usize) -> Option<Arc<str>> {
    match (
        &contexts[index].location_bases,
        message.entities[index].parent,
    ) {
        (Some(location_bases), _) => location_bases.establish(),
        (None, Some(parent)) => contexts[parent].base.clone(),
        (None, None) => None,
    }
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
            let base = location_base(message, contexts, index);
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
