//! The chain of redirects and entities by which a container leads to a document, and the URLs they lead to.

use std::sync::Arc;

use absolve::{BaseSource, parse_base_header};

use crate::container::headers::HeaderBlock;

use super::bases::{BaseUrl, MAX_URL, UrlBudget};

/// The maximum number of steps; those farther from the document are omitted.
const MAX_STEPS: usize = 50;

/// The maximum total length of the steps in bytes.
const MAX_BYTES: usize = 1 << 14;

/// The kind of a step on the way to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChainStepKind {
    /// The retrieval URL that the caller supplied with the container.
    Given,
    /// Steps that were omitted because there are too many or they are too long; always the first step.
    Omitted,
    /// An HTTP response that redirects.
    Redirect,
    /// The HTTP response that contains the document.
    Response,
    /// A message: the container itself, or one that is a part of another.
    Message,
    /// A part of a multipart entity.
    Part,
    /// A record of an archive.
    Record,
    /// The document that refers to a part whose own URL has no hierarchy, and its base URL.
    Referrer,
}

impl ChainStepKind {
    /// Returns the name used in reports and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Omitted => "omitted",
            Self::Redirect => "redirect",
            Self::Response => "response",
            Self::Message => "message",
            Self::Part => "part",
            Self::Record => "record",
            Self::Referrer => "referrer",
        }
    }
}

/// A step on the way to a document.
///
/// An entity with several header fields that concern its URL makes one step per field, the one of the highest
/// precedence last; an entity without such a field makes a single step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ChainStep {
    /// The kind of the step.
    pub kind: ChainStepKind,
    /// The label of the response, part or record, as in [`Entity::label`](super::Entity::label); empty for a
    /// multipart message as a whole, and if there is no entity.
    pub entity: String,
    /// A detail of the entity: the status of a response, the media type of a part, the type of a record.
    pub detail: String,
    /// The header field, if there is one.
    pub field: Option<ChainStepField>,
    /// The URL to which the step leads: the field's URL, resolved as in RFC 3986 against the URL of the steps before.
    /// `None` if there is no field, or if its value cannot be a base URL.
    pub url: Option<String>,
}

/// A header field that concerns the URL of a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChainStepField {
    /// The name, such as `Location` or `Content-Base`.
    pub name: &'static str,
    /// The value as it is written, unfolded. A very long value is truncated, and ends in `...`.
    pub value: String,
}

/// A header field of an entity, and the URL in it.
#[derive(Debug)]
pub(super) struct UrlField {
    pub(super) name: &'static str,
    /// The value as it is written.
    pub(super) value: String,
    /// The URL in it; `None` if the value does not have the syntax of the field.
    pub(super) url: Option<Arc<str>>,
}

impl UrlField {
    /// Returns the base URL that the field provides.
    pub(super) fn base_url(&self) -> Option<BaseUrl> {
        BaseUrl::new(BaseSource::EncapsulatingEntity, self.url.as_ref()?)
    }
}

/// The header field with the URL of an entity.
pub(super) const LOCATION: &str = "Content-Location";

/// Returns the header fields with base URLs in order of precedence: `Base` (RFC 1808 section 3.1), then those of
/// RFC 2110 section 5. `url_of` returns the URL in a field other than `Base`, given its name and value.
pub(super) fn url_fields(
    headers: &HeaderBlock<'_>,
    url_of: impl Fn(&str, &str) -> Option<String>,
) -> Vec<UrlField> {
    let field = |name| {
        let value = headers.text(name)?;
        let url = match name {
            "Base" => parse_base_header(&value),
            _ => url_of(name, &value),
        };
        let url = url.map(Arc::from);
        Some(UrlField { name, value, url })
    };
    ["Base", "Content-Base", LOCATION]
        .into_iter()
        .filter_map(field)
        .collect()
}

/// A persistent list of steps, shared with other documents.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    last: Option<Arc<Node>>,
    /// The URL to which these steps lead.
    url: Option<Arc<str>>,
}

#[derive(Debug)]
struct Node {
    /// The step, with `url` unset.
    step: ChainStep,
    url: Option<Arc<str>>,
    before: Option<Arc<Node>>,
}

impl Chain {
    /// Returns the chain to a container with the retrieval URL `url`, if any.
    pub(super) fn given(url: Option<&Arc<str>>) -> Self {
        url.map_or_else(Self::default, |url| {
            let step = ChainStep::new(ChainStepKind::Given, "", String::new());
            Self::default().then(step, Some(Arc::clone(url)))
        })
    }

    /// Returns this chain followed by `step`, which leads to `url`.
    pub(super) fn then(&self, step: ChainStep, url: Option<Arc<str>>) -> Self {
        let before = match step.kind {
            // A redirect without a usable URL leads to an unknown place, not to that of the response.
            ChainStepKind::Redirect => None,
            _ => self.url.clone(),
        };
        Self {
            url: url.clone().or(before),
            last: Some(Arc::new(Node {
                step,
                url,
                before: self.last.clone(),
            })),
        }
    }

    /// Returns this chain followed by the steps of an entity with the header `fields`, which are in order of
    /// precedence.
    ///
    /// The URL of a field is unset if `budget` is exceeded, so it provides no base URL either.
    pub(super) fn then_entity(
        &self,
        entity: &ChainStep,
        fields: &mut [UrlField],
        budget: &mut UrlBudget,
    ) -> Self {
        if fields.is_empty() {
            return self.then(entity.clone(), None);
        }
        let mut chain = self.clone();
        // Lowest precedence first, because each field is resolved against the next one in order of precedence.
        for field in fields.iter_mut().rev() {
            let base = field.base_url();
            let outer = chain.url.as_deref();
            let is_resolved = field
                .url
                .as_ref()
                .is_none_or(|url| budget.may_resolve(url, outer));
            let mut url = base
                .filter(|_| is_resolved)
                .and_then(|base| base.establish(outer));
            if !is_resolved {
                field.url = None;
            } else if let (Some(written), Some(resolved)) = (&field.url, &url)
                && !budget.reserve(written, resolved)
            {
                (field.url, url) = (None, None);
            }
            let value = std::mem::take(&mut field.value);
            chain = chain.then(entity.clone().with(field.name, value), url);
        }
        chain
    }

    /// Returns the steps in the order in which they lead to the document.
    pub(super) fn steps(&self) -> Vec<ChainStep> {
        let mut budget = MAX_BYTES;
        let mut nodes = std::iter::successors(self.last.as_ref(), |node| node.before.as_ref());
        let mut steps = Vec::new();
        for node in nodes.by_ref() {
            let length = node.step.length() + node.url.as_ref().map_or(0, |url| url.len());
            if steps.len() == MAX_STEPS || length > budget {
                steps.push(ChainStep::new(ChainStepKind::Omitted, "", String::new()));
                break;
            }
            budget -= length;
            steps.push(ChainStep {
                url: node.url.as_deref().map(str::to_owned),
                ..node.step.clone()
            });
        }
        steps.reverse();
        steps
    }
}

impl ChainStep {
    /// Creates a step without a header field.
    pub(super) fn new(kind: ChainStepKind, entity: &str, detail: String) -> Self {
        Self {
            kind,
            entity: entity.to_owned(),
            detail: truncate(detail, 100),
            field: None,
            url: None,
        }
    }

    /// Returns this step with a header field.
    pub(super) fn with(self, name: &'static str, value: String) -> Self {
        let value = truncate(value, MAX_URL);
        Self {
            field: Some(ChainStepField { name, value }),
            ..self
        }
    }

    /// Returns the length of the step in bytes, without the URL.
    fn length(&self) -> usize {
        let value = self.field.as_ref().map_or(0, |field| field.value.len());
        value + self.entity.len() + self.detail.len()
    }
}

/// Truncates `text` to at most `most` bytes at a character boundary, and appends `...` if anything was cut.
fn truncate(text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let end = (0..=most).rev().find(|&end| text.is_char_boundary(end));
    [&text[..end.unwrap_or(0)], "..."].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(value: String) -> ChainStep {
        ChainStep::new(ChainStepKind::Redirect, "1", "302".to_owned()).with("Location", value)
    }

    #[test]
    fn steps_omits_distant_steps() {
        let chain = |count: usize| {
            let steps = (0..count).map(|index| step(index.to_string()));
            steps.fold(Chain::default(), |chain, step| chain.then(step, None))
        };
        assert_eq!(chain(0).steps(), []);
        assert_eq!(chain(50).steps().len(), 50);
        let steps = chain(60).steps();
        let value = |step: &ChainStep| step.field.clone().map(|field| field.value);
        assert_eq!(steps[0].kind, ChainStepKind::Omitted);
        assert_eq!(value(&steps[1]).as_deref(), Some("10"));
        assert_eq!(value(&steps[50]).as_deref(), Some("59"));
        assert_eq!(steps.len(), 51);
    }

    #[test]
    fn with_truncates_long_values_between_characters() {
        let long = step("\u{e9}".repeat(MAX_URL));
        let chain = Chain::default().then(long.clone(), None).then(long, None);
        let value = |step: &ChainStep| step.field.as_ref().map(|field| field.value.clone());
        let expected = ["\u{e9}".repeat(MAX_URL / 2), "...".to_owned()].concat();
        let steps = chain.steps();
        assert_eq!(steps[0].kind, ChainStepKind::Omitted);
        assert_eq!(value(&steps[1]), Some(expected));
    }
}
