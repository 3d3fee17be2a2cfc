//! Documents in MIME messages.

use std::sync::Arc;

use super::aggregate::{Aggregate, Parts};
use super::chain::{Chain, Step, StepKind, UrlField};
use super::entity::{BaseUrl, DocumentKind, Entity};
use super::{ArchiveSettings, Container};
use crate::base::{BaseCandidates, BaseSource};
use crate::container::mime::{self, Content, Message};
use crate::container::{ContainerError, parse_base_header};
use crate::reference::Profile;
use crate::splice::Edit;

/// Where the documents of a message are.
#[derive(Debug, Clone)]
pub(super) struct Places {
    message: Message,
    /// For each document, which entity of the message it is.
    indices: Vec<usize>,
}

impl Places {
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

/// The base URLs of one document are this long, all together.
const MOST_CANDIDATES: usize = 1 << 14;

/// What the header fields of one entity say.
struct Heading {
    /// `Base` and `Content-Base`.
    bases: Vec<BaseUrl>,
    location: Option<String>,
    /// The same as a base URL, if it can be one.
    location_base: Option<BaseUrl>,
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
    let headings = headings(source, &message, settings);
    let aggregates = aggregates(&message, &headings);
    let mut entities = Vec::new();
    let mut indices = Vec::new();
    let mut remarks = message.remarks.clone();
    let url = settings.retrieval_url.as_deref();
    let retrieval = url.and_then(|url| BaseUrl::new(BaseSource::Retrieval, url));
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
        let mut candidates = enclosing_bases(&message, &headings, index, Own::WithLocation);
        let own_base = established(&candidates);
        candidates.extend(retrieval.clone());
        entities.push(Entity {
            label: headings[index].label.clone(),
            offset: entity.body.start as u64,
            url: headings[index].location.clone(),
            kind,
            encoding: media_type.charset(),
            bytes,
            remark: None,
            candidates,
            followed: None,
            chain: headings[index].chain.clone(),
            aggregate: aggregates[index].clone().map(|parts| {
                Arc::new(Aggregate {
                    parts,
                    base: own_base,
                })
            }),
        });
        indices.push(index);
    }
    remarks.sort_by_key(|remark| remark.offset);
    Ok(Container {
        source,
        places: super::Places::Mime(Places { message, indices }),
        entities,
        remarks,
    })
}

fn headings(source: &[u8], message: &Message, settings: &ArchiveSettings) -> Vec<Heading> {
    let given = Chain::given(settings.retrieval_url.as_deref());
    let mut headings: Vec<Heading> = Vec::with_capacity(message.entities.len());
    for entity in &message.entities {
        let label = label(message, &mut headings, entity);
        let fields = url_fields(source, entity);
        let base_of = |is_location| {
            let fields = fields
                .iter()
                .filter(move |field| (field.name == LOCATION) == is_location);
            fields.filter_map(UrlField::base_url)
        };
        let media_type = entity.content_type(source).essence;
        let before = entity
            .parent
            .map_or(&given, |parent| &headings[parent].chain);
        let step = Step::new(kind_of(message, entity), &label, media_type.clone());
        headings.push(Heading {
            bases: base_of(false).collect(),
            location_base: base_of(true).next(),
            location: entity.url_field(source, LOCATION),
            chain: before.through(&step, fields),
            is_related: entity.content == Content::Multipart && media_type == "multipart/related",
            label,
            children: 0,
        });
    }
    headings
}

/// The header fields with URLs, in order of precedence (RFC 2110 section 5, and RFC 1808 section 3.1 before it).
fn url_fields(source: &[u8], entity: &mime::Entity) -> Vec<UrlField> {
    let headers = entity.header_block(source);
    let fields = ["Base", "Content-Base", LOCATION]
        .into_iter()
        .filter_map(|name| {
            let value = headers.text(name)?;
            let url = match name {
                "Base" => parse_base_header(&value),
                _ => entity.url_field(source, name),
            };
            Some(UrlField { name, value, url })
        });
    fields.collect()
}

/// What an entity of a message is.
fn kind_of(message: &Message, entity: &mime::Entity) -> StepKind {
    match entity.parent {
        Some(parent) if message.entities[parent].content == Content::Multipart => StepKind::Part,
        _ => StepKind::Message,
    }
}

/// The number of a part, as IMAP counts: the parts of a multipart entity from one, and the multipart entity that a message
/// consists of has none of its own.
fn label(message: &Message, headings: &mut [Heading], entity: &mime::Entity) -> String {
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

/// Whether the `Content-Location` of an entity counts among the base URLs of what is in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    WithLocation,
    WithoutLocation,
}

/// The base URLs of an entity, from its own header fields and from those of the entities around it.
///
/// # Source
/// RFC 1808 sections 3.1 and 3.2, RFC 2110 section 5, RFC 2557 section 5: the nearest heading goes first, and in it `Base`,
/// `Content-Base`, `Content-Location`. A relative one is resolved against the next.
fn enclosing_bases(
    message: &Message,
    headings: &[Heading],
    index: usize,
    own: Own,
) -> Vec<BaseUrl> {
    let mut room = MOST_CANDIDATES;
    let around = std::iter::successors(Some(index), |&index| message.entities[index].parent);
    around
        .flat_map(|outer| {
            let heading = &headings[outer];
            let counts = outer != index || own == Own::WithLocation;
            let location = heading.location_base.iter().filter(move |_| counts);
            heading.bases.iter().chain(location)
        })
        .take_while(|base| {
            let fits = base.url.len() <= room;
            room = room.saturating_sub(base.url.len());
            fits
        })
        .cloned()
        .collect()
}

/// The base URL that these give.
fn established(candidates: &[BaseUrl]) -> Option<String> {
    candidates
        .iter()
        .fold(BaseCandidates::new(), |all, base| {
            all.with(base.source, &base.url)
        })
        .establish(Profile::Rfc3986)
        .map(|base| base.url)
}

/// For each entity, the parts that it can refer to: those of the outermost `multipart/related` around it.
///
/// # Source
/// RFC 2557 section 8.2: parts of the same or a surrounding `multipart/related`.
fn aggregates(message: &Message, headings: &[Heading]) -> Vec<Option<Arc<Parts>>> {
    // Parents stand before their children.
    let mut roots: Vec<Option<usize>> = Vec::with_capacity(headings.len());
    for (index, entity) in message.entities.iter().enumerate() {
        let outer = entity.parent.and_then(|parent| roots[parent]);
        roots.push(outer.or(headings[index].is_related.then_some(index)));
    }
    let mut parts: Vec<Parts> = Vec::new();
    let mut number_of_root: Vec<Option<usize>> = vec![None; headings.len()];
    for (index, root) in roots.iter().enumerate() {
        let Some(root) = *root else { continue };
        let number = *number_of_root[root].get_or_insert_with(|| {
            parts.push(Parts::default());
            parts.len() - 1
        });
        // What the outermost one is called names all of it, and no part (RFC 2557 section 4.3).
        if let Some(location) = headings[index]
            .location
            .as_deref()
            .filter(|_| index != root)
        {
            let bases = enclosing_bases(message, headings, index, Own::WithoutLocation);
            parts[number].add(location, established(&bases).as_deref());
        }
    }
    let parts: Vec<Arc<Parts>> = parts.into_iter().map(Arc::new).collect();
    roots
        .into_iter()
        .map(|root| Some(Arc::clone(&parts[number_of_root[root?]?])))
        .collect()
}
