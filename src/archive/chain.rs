//! How a container leads to a document: the redirects before it, the entities around it, and the URLs they give.

use std::sync::Arc;

use crate::base::BaseSource;

use super::bases::{BaseUrl, MOST_URL, UrlBudget};

/// Steps farther from the document than this many are left out.
const MOST_STEPS: usize = 50;

/// And so are those that would make all of them longer than this many bytes.
const MOST_BYTES: usize = 1 << 14;

/// What is a step on the way to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChainStepKind {
    /// The retrieval URL that was given with the container.
    Given,
    /// Steps that are left out, because there are too many; always the first.
    Omitted,
    /// An HTTP response that says where to go.
    Redirect,
    /// The HTTP response that has the document.
    Response,
    /// A message: the container itself, or one that is a part of another.
    Message,
    /// A part of a multipart entity.
    Part,
    /// A record of an archive.
    Record,
}

impl ChainStepKind {
    /// The name used in reports and messages.
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
        }
    }
}

/// A step on the way to a document. An entity with several header fields that concern its URL is as many steps, that of
/// the highest precedence last; one without is a single step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ChainStep {
    /// What it is.
    pub kind: ChainStepKind,
    /// Which response, part or record, with the label it has or would have ([`Entity::label`](super::Entity::label)); empty
    /// for a multipart message as a whole, and where there is none.
    pub entity: String,
    /// More about the entity: the status of a response, the media type of a part, the type of a record.
    pub detail: String,
    /// The header field.
    pub field: Option<ChainStepField>,
    /// The URL that the step gives: what the field says, resolved against what the steps before give, as RFC 3986 has it.
    /// `None` if there is no field, or what it says is no base URL.
    pub url: Option<String>,
}

/// A header field that concerns the URL of a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChainStepField {
    /// Its name: `Location`, `Content-Base`.
    pub name: &'static str,
    /// Its value as it is written, unfolded. The end of a very long one is cut off, and `...` in its place.
    pub value: String,
}

/// A header field that an entity has, and the URL in it.
#[derive(Debug)]
pub(super) struct UrlField {
    pub(super) name: &'static str,
    /// As it is written.
    pub(super) value: String,
    /// As it is meant; `None` if the value is not what the field should have.
    pub(super) url: Option<Arc<str>>,
}

impl UrlField {
    pub(super) fn new(name: &'static str, value: String, url: Option<String>) -> Self {
        Self {
            name,
            value,
            url: url.map(Arc::from),
        }
    }

    /// The candidate it gives documents.
    pub(super) fn base_url(&self) -> Option<BaseUrl> {
        BaseUrl::new(BaseSource::EncapsulatingEntity, self.url.as_ref()?)
    }
}

/// Steps, shared with other documents.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    last: Option<Arc<Node>>,
    /// The URL that these steps give.
    url: Option<Arc<str>>,
}

#[derive(Debug)]
struct Node {
    /// Without its URL.
    step: ChainStep,
    url: Option<Arc<str>>,
    before: Option<Arc<Node>>,
}

impl Chain {
    /// What leads to a container that was retrieved under that URL, if any.
    pub(super) fn given(url: Option<&Arc<str>>) -> Self {
        url.map_or_else(Self::default, |url| {
            let step = ChainStep::new(ChainStepKind::Given, "", String::new());
            Self::default().then(step, Some(Arc::clone(url)))
        })
    }

    /// These steps, and that one behind them, which gives `url`.
    pub(super) fn then(&self, step: ChainStep, url: Option<Arc<str>>) -> Self {
        let before = match step.kind {
            // Nobody knows where it leads if it does not say.
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

    /// These steps, and behind them that to an entity with those header fields, which are in order of precedence. A field
    /// for whose URL there is no budget loses it.
    pub(super) fn through(
        &self,
        entity: &ChainStep,
        fields: &mut [UrlField],
        budget: &mut UrlBudget,
    ) -> Self {
        if fields.is_empty() {
            return self.then(entity.clone(), None);
        }
        let mut chain = self.clone();
        for field in fields.iter_mut().rev() {
            let base = field.base_url();
            let mut url = base.and_then(|base| base.established(chain.url.as_deref()));
            if let (Some(written), Some(resolved)) = (&field.url, &url)
                && !budget.takes(written, resolved)
            {
                (field.url, url) = (None, None);
            }
            let value = std::mem::take(&mut field.value);
            chain = chain.then(entity.clone().with(field.name, value), url);
        }
        chain
    }

    /// The steps in the order in which they lead to the document.
    pub(super) fn steps(&self) -> Vec<ChainStep> {
        let mut budget = MOST_BYTES;
        let mut nodes = std::iter::successors(self.last.as_ref(), |node| node.before.as_ref());
        let mut steps = Vec::new();
        for node in nodes.by_ref() {
            let length = node.step.length() + node.url.as_ref().map_or(0, |url| url.len());
            if steps.len() == MOST_STEPS || length > budget {
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
    /// A step without a header field.
    pub(super) fn new(kind: ChainStepKind, entity: &str, detail: String) -> Self {
        Self {
            kind,
            entity: entity.to_owned(),
            detail: cut(detail, 100),
            field: None,
            url: None,
        }
    }

    /// The same with that header field.
    pub(super) fn with(self, name: &'static str, value: String) -> Self {
        let value = cut(value, MOST_URL);
        Self {
            field: Some(ChainStepField { name, value }),
            ..self
        }
    }

    /// In bytes, without the URL.
    fn length(&self) -> usize {
        let value = self.field.as_ref().map_or(0, |field| field.value.len());
        value + self.entity.len() + self.detail.len()
    }
}

fn cut(text: String, most: usize) -> String {
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
    fn steps_too_far_away_are_left_out_and_that_is_said() {
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
    fn long_values_are_cut_between_characters() {
        let long = step("\u{e9}".repeat(MOST_URL));
        let chain = Chain::default().then(long.clone(), None).then(long, None);
        let value = |step: &ChainStep| step.field.as_ref().map(|field| field.value.clone());
        let expected = ["\u{e9}".repeat(MOST_URL / 2), "...".to_owned()].concat();
        let steps = chain.steps();
        assert_eq!(steps[0].kind, ChainStepKind::Omitted);
        assert_eq!(value(&steps[1]), Some(expected));
    }
}
