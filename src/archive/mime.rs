//! Documents in MIME messages.

use std::sync::Arc;

use super::aggregate::{Aggregate, PartIndex};
use super::bases::{BaseList, BaseUrl, UrlBudget};
use super::chain::{Chain, ChainStep, ChainStepKind, UrlField};
use super::entity::{DocumentKind, Entity};
use super::{ArchiveSettings, Container};
use crate::base::BaseSource;
use crate::container::mime::{self, Content, Message};
use crate::container::{ContainerError, ContainerErrorKind, parse_base_header};
use crate::splice::Edit;

/// Where the documents of a message are.
#[derive(Debug, Clone)]
pub(super) struct MimeLocations {
    message: Message,
    /// For each document, which entity of the message it is.
    indices: Vec<usize>,
}

impl MimeLocations {
    /// The edits that put `document` in the place of that with this number.
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

/// The header field that says where an entity is found.
const LOCATION: &str = "Content-Location";

/// What the header fields of one entity say.
struct EntityContext {
    /// The base URLs for what is in it.
    inner: BaseList,
    /// The base URL that these give, retrieval aside.
    base: Option<Arc<str>>,
    /// `Content-Location`, as it is written.
    location: Option<Arc<str>>,
    /// The base URLs for that, if they are not those of the entity around it.
    naming: Option<BaseList>,
    is_related: bool,
    label: String,
    /// How it is led to.
    chain: Chain,
    /// How many entities are directly in it, so far.
    children: usize,
}

pub(super) fn read<'c>(
    source: &'c [u8],
    settings: &ArchiveSettings,
) -> Result<Container<'c>, ContainerError> {
    let message = Message::split(source)?;
    let mut remarks = message.remarks.clone();
    let headings = headings(source, &message, settings, &mut remarks);
    let aggregates = aggregates(&message, &headings);
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
                remarks.push(error);
                continue;
            }
        };
        entities.push(Entity {
            label: headings[index].label.clone(),
            offset: entity.body.start as u64,
            url: headings[index].location.clone(),
            kind,
            encoding: media_type.charset(),
            bytes,
            remark: None,
            candidates: headings[index].inner.clone(),
            followed: None,
            chain: headings[index].chain.clone(),
            aggregate: aggregates[index].clone().map(|parts| {
                Arc::new(Aggregate {
                    parts,
                    base: headings[index].base.clone(),
                })
            }),
        });
        indices.push(index);
    }
    remarks.sort_by_key(|remark| remark.offset);
    Ok(Container {
        source,
        places: super::BodyLocations::Mime(MimeLocations { message, indices }),
        entities,
        remarks,
    })
}

/// What the header fields of each entity say. That some have no effect is remarked on once.
///
/// # Source
/// RFC 1808 sections 3.1 and 3.2, RFC 2110 section 5, RFC 2557 section 5: the nearest heading goes first, and in it `Base`,
/// `Content-Base`, `Content-Location`. A relative one is resolved against the next.
fn headings(
    source: &[u8],
    message: &Message,
    settings: &ArchiveSettings,
    remarks: &mut Vec<ContainerError>,
) -> Vec<EntityContext> {
    let given = settings.retrieval_url.as_deref().map(Arc::from);
    let retrieval = given
        .as_ref()
        .and_then(|url| BaseUrl::new(BaseSource::Retrieval, url));
    let outermost = EnclosingContext {
        bases: &BaseList::default().around(retrieval),
        base: None,
        chain: &Chain::given(given.as_ref()),
    };
    let mut budget = UrlBudget::default();
    let mut without_effect = None;
    let mut headings: Vec<EntityContext> = Vec::with_capacity(message.entities.len());
    for entity in &message.entities {
        let label = label(message, &mut headings, entity);
        let media_type = entity.content_type(source).essence;
        let around = match entity.parent {
            Some(parent) => headings[parent].around(),
            None => outermost,
        };
        let mut fields = url_fields(source, entity);
        let location = fields.iter().find(|field| field.name == LOCATION);
        let location = location.and_then(|field| field.url.clone());
        let step = ChainStep::new(kind_of(message, entity), &label, media_type.clone());
        let chain = around.chain.through(&step, &mut fields, &mut budget);
        if budget.is_short {
            let error = ContainerErrorKind::UrlsTooLong.at(entity.headers.start);
            without_effect.get_or_insert(error);
        }
        let (locations, others): (Vec<&UrlField>, Vec<&UrlField>) =
            fields.iter().partition(|field| field.name == LOCATION);
        let own_bases: Vec<BaseUrl> = others.iter().filter_map(|field| field.base_url()).collect();
        let location_base = locations.iter().find_map(|field| field.base_url());
        let naming = (!own_bases.is_empty()).then(|| around.bases.around(own_bases.clone()));
        let inner = around
            .bases
            .around([own_bases, Vec::from_iter(location_base)].concat());
        let base = if fields.is_empty() {
            around.base.cloned()
        } else {
            inner.established()
        };
        headings.push(EntityContext {
            inner,
            base,
            location,
            naming,
            chain,
            is_related: entity.content == Content::Multipart && media_type == "multipart/related",
            label,
            children: 0,
        });
    }
    remarks.extend(without_effect);
    headings
}

/// What is around an entity.
#[derive(Clone, Copy)]
struct EnclosingContext<'h> {
    bases: &'h BaseList,
    /// See [`EntityContext::base`].
    base: Option<&'h Arc<str>>,
    chain: &'h Chain,
}

impl EntityContext {
    fn around(&self) -> EnclosingContext<'_> {
        EnclosingContext {
            bases: &self.inner,
            base: self.base.as_ref(),
            chain: &self.chain,
        }
    }
}

/// The header fields with URLs, in order of precedence (RFC 2110 section 5, and RFC 1808 section 3.1 before it).
fn url_fields(source: &[u8], entity: &mime::MimeEntity) -> Vec<UrlField> {
    let headers = entity.header_block(source);
    let fields = ["Base", "Content-Base", LOCATION]
        .into_iter()
        .filter_map(|name| {
            let value = headers.text(name)?;
            let url = match name {
                "Base" => parse_base_header(&value),
                _ => entity.url_field(source, name),
            };
            Some(UrlField::new(name, value, url))
        });
    fields.collect()
}

/// What an entity of a message is.
fn kind_of(message: &Message, entity: &mime::MimeEntity) -> ChainStepKind {
    match entity.parent {
        Some(parent) if message.entities[parent].content == Content::Multipart => {
            ChainStepKind::Part
        }
        _ => ChainStepKind::Message,
    }
}

/// The number of a part, as IMAP counts: the parts of a multipart entity from one, and the multipart entity that a message
/// consists of has none of its own.
fn label(message: &Message, headings: &mut [EntityContext], entity: &mime::MimeEntity) -> String {
    let is_multipart = entity.content == Content::Multipart;
    let Some(parent) = entity.parent else {
        return if is_multipart { "" } else { "1" }.to_owned();
    };
    let is_in_message = message.entities[parent].content == Content::Message;
    let heading = &mut headings[parent];
    if is_in_message && is_multipart {
        return heading.label.clone();
    }
    heading.children += 1;
    if heading.label.is_empty() {
        heading.children.to_string()
    } else {
        format!("{}.{}", heading.label, heading.children)
    }
}

/// For each entity, the parts that it can refer to: those of the outermost `multipart/related` around it.
///
/// # Source
/// RFC 2557 section 8.2: parts of the same or a surrounding `multipart/related`.
fn aggregates(message: &Message, headings: &[EntityContext]) -> Vec<Option<Arc<PartIndex>>> {
    // Parents stand before their children.
    let mut roots: Vec<Option<usize>> = Vec::with_capacity(headings.len());
    for (index, entity) in message.entities.iter().enumerate() {
        let outer = entity.parent.and_then(|parent| roots[parent]);
        roots.push(outer.or(headings[index].is_related.then_some(index)));
    }
    let mut parts: Vec<PartIndex> = Vec::new();
    let mut number_of_root: Vec<Option<usize>> = vec![None; headings.len()];
    for (index, root) in roots.iter().enumerate() {
        let Some(root) = *root else { continue };
        let number = *number_of_root[root].get_or_insert_with(|| {
            parts.push(PartIndex::default());
            parts.len() - 1
        });
        // What the outermost one is called names all of it, and no part (RFC 2557 section 4.3).
        let heading = &headings[index];
        if let Some(location) = heading.location.as_ref().filter(|_| index != root) {
            let base = match (&heading.naming, message.entities[index].parent) {
                (Some(naming), _) => naming.established(),
                (None, Some(parent)) => headings[parent].base.clone(),
                (None, None) => None,
            };
            parts[number].add(location, base.as_deref());
        }
    }
    let parts: Vec<Arc<PartIndex>> = parts.into_iter().map(Arc::new).collect();
    roots
        .into_iter()
        .map(|root| Some(Arc::clone(&parts[number_of_root[root?]?])))
        .collect()
}
