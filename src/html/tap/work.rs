//! Limits of the work of html5ever.
//!
//! For some input, the time and memory of html5ever grow with the square of the length: a tag may be compared with
//! every open element, and a text may need a copy of every open formatting element. A page of 50 kB can take gigabytes.
//! Such a document is left unread.
//!
//! # Steps
//!
//! Work is counted in steps, each a comparison of two names or something that takes about as long. The tree builder
//! asks its sink for the name of each element that it looks at, so the [sink](super::metered_sink) counts these steps,
//! and those of the [tree](super::dom). The tree builder keeps the list of active formatting elements itself, so
//! [`FormattingSteps`] estimates the steps for that list from its length.
//!
//! The limit is [`Limit::ParserSteps`] for each byte of a document, and some more: see
//! [`Placement::free_steps`]. Nested documents share it.
//!
//! # Attributes
//!
//! The tokenizer compares the name of each attribute of a tag with all before it, and emits no token until the tag
//! ends. So the text is given to it in pieces of [`PIECE`] bytes, and the names in a tag that is not finished after a
//! piece are counted.

use std::cell::RefCell;
use std::collections::HashSet;

use html5ever::interface::{Tracer, TreeSink};
use html5ever::tokenizer::{Tag, TagKind};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, local_name};

use super::dom::Dom;
use super::metered_sink::MeteredSink;
use crate::html::tag::{self, AttributeOrEnd};
use crate::limits::{Limit, Limits, Placement};
use crate::markup::tokens::Tokens;

/// Number of bytes that the tokenizer gets at once.
pub(super) const PIECE: usize = 1 << 14;

/// A tree builder of html5ever whose work is counted.
pub(super) type Builder<D> = TreeBuilder<<D as TreeSink>::Handle, MeteredSink<D>>;

/// The limits for one document, and what counts against them.
#[derive(Debug, Default)]
pub(crate) struct WorkLimits {
    max_steps: u64,
    max_attributes: usize,
    /// The maximum number of attributes that are recorded.
    max_kept: usize,
    /// The estimated steps for the list of active formatting elements.
    formatting: FormattingSteps,
    /// The maximum number of attributes of a tag so far.
    attributes: usize,
    /// The unfinished tag whose attributes were last counted: its start, and its length then, in bytes.
    counted: (usize, usize),
}

impl WorkLimits {
    /// Returns the `limits` for a text that may take `max_steps`, and of which `max_kept` attributes may be recorded.
    pub(crate) fn new(limits: &Limits, max_steps: u64, max_kept: usize) -> Self {
        Self {
            max_steps,
            max_attributes: limits.get(Limit::Attributes),
            max_kept,
            ..Self::default()
        }
    }

    /// Returns the default limits for a text of `length` bytes.
    pub(crate) fn of_length(length: usize, placement: Placement) -> Self {
        let limits = Limits::default();
        let free = placement.free_steps(length);
        Self::new(
            &limits,
            limits.steps(length).saturating_add(free),
            usize::MAX,
        )
    }

    /// Returns the maximum number of attributes that are recorded.
    pub(crate) fn max_kept(&self) -> usize {
        self.max_kept
    }

    /// Returns the number of steps that are left.
    pub(crate) fn steps(&self) -> u64 {
        self.max_steps
    }

    /// Returns the limits for another part of the same text, after one that `builder` has processed and that has these
    /// `tokens`.
    pub(super) fn left_by<D: Dom>(&self, builder: &Builder<D>, tokens: &Tokens<'_>) -> Self {
        let steps = builder.sink.steps() + self.formatting.steps;
        Self {
            max_steps: self.max_steps.saturating_sub(steps),
            max_attributes: self.max_attributes,
            max_kept: self.max_kept.saturating_sub(tokens.attributes.len()),
            ..Self::default()
        }
    }

    /// Counts `tag`, which is about to be processed by `builder`.
    pub(super) fn add_tag<D: Dom>(&mut self, tag: &Tag, builder: &Builder<D>) {
        self.attributes = self.attributes.max(tag.attrs.len());
        self.formatting.add(tag, builder);
    }

    /// Returns the limit that is exceeded, if any: by the tags so far, or by the steps that `builder` has taken.
    pub(super) fn exceeded<D: Dom>(&self, builder: &Builder<D>) -> Option<Limit> {
        if self.attributes > self.max_attributes {
            return Some(Limit::Attributes);
        }
        let steps = builder.sink.steps() + self.formatting.steps;
        (steps > self.max_steps).then_some(Limit::ParserSteps)
    }

    /// Returns whether more attributes were recorded than there may be.
    pub(super) fn keeps_too_many(&self, tokens: &Tokens<'_>) -> bool {
        tokens.attributes.len() > self.max_kept
    }

    /// Returns whether a tag that begins at `start` and is not finished at the end of `text` has too many attributes so
    /// far.
    ///
    /// # Complexity
    /// Linear in the length of the tag, for all calls together.
    pub(super) fn has_too_many_attributes(&mut self, text: &str, start: usize) -> bool {
        let length = text.len() - start;
        let (counted_start, counted_len) = self.counted;
        if length < PIECE || start == counted_start && length < 2 * counted_len {
            return false;
        }
        self.counted = (start, length);
        has_more_names(text, start, self.max_attributes)
    }
}

/// Returns whether the tag that begins at `start` has attributes of more than `max` names. The end of `text` may be
/// within the tag.
fn has_more_names(text: &str, start: usize, max: usize) -> bool {
    let bytes = text.as_bytes();
    let slash = usize::from(bytes.get(start + 1) == Some(&b'/'));
    let name_start = start + 1 + slash;
    if !bytes.get(name_start).is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let mut position = tag::name_end(bytes, name_start);
    let mut names = HashSet::new();
    while names.len() <= max
        && let Some(AttributeOrEnd::Attribute(attribute)) = tag::next(bytes, position)
    {
        names.insert(text[attribute.name.start..attribute.name.end].to_ascii_lowercase());
        position = attribute.span().end;
    }
    names.len() > max
}

/// Steps for the list of active formatting elements.
///
/// A start tag of a formatting element is compared with every entry of the list, including the attributes of those with
/// its name. An end tag is sought in the list. The length of the list is estimated: it is counted sometimes, and each
/// start tag adds one entry at most.
#[derive(Debug, Default)]
struct FormattingSteps {
    steps: u64,
    /// The number of entries when they were counted.
    counted: u64,
    /// The number of start tags since then.
    added: u64,
    /// The number of start tags after which the entries are counted again.
    interval: u64,
    /// The maximum number of attributes of a start tag with each name of [`FORMATTING`].
    attributes: [u64; NAMES],
}

/// Number of names of formatting elements.
const NAMES: usize = 14;

/// The names of formatting elements.
///
/// # Source
/// HTML, "the stack of open elements".
const FORMATTING: [LocalName; NAMES] = [
    local_name!("a"),
    local_name!("b"),
    local_name!("big"),
    local_name!("code"),
    local_name!("em"),
    local_name!("font"),
    local_name!("i"),
    local_name!("nobr"),
    local_name!("s"),
    local_name!("small"),
    local_name!("strike"),
    local_name!("strong"),
    local_name!("tt"),
    local_name!("u"),
];

impl FormattingSteps {
    /// The least number of start tags between two counts.
    const INTERVAL: u64 = 8;

    /// Adds the maximum number of steps that `tag` may take.
    fn add<D: Dom>(&mut self, tag: &Tag, builder: &Builder<D>) {
        let Some(name) = FORMATTING.iter().position(|name| *name == tag.name) else {
            return;
        };
        if self.added >= self.interval.max(Self::INTERVAL) {
            let held = HeldNodes(RefCell::default());
            builder.trace_handles(&held);
            self.counted = held.count_formatting_entries(&builder.sink);
            self.added = 0;
            // Counting takes a step for each node, and an estimate that is too high takes some, too: the sum is least
            // if both are equal.
            let nodes = held.0.borrow().len() as u64;
            self.interval = nodes.isqrt();
            self.steps += nodes;
        }
        let entries = self.counted + self.added;
        if tag.kind == TagKind::EndTag {
            self.steps += entries;
            return;
        }
        let attributes = tag.attrs.len() as u64;
        // Both lists of attributes are copied and sorted for each comparison.
        let comparison = 2 + 4 * (attributes + self.attributes[name]);
        self.added += 1;
        self.attributes[name] = self.attributes[name].max(attributes);
        self.steps += entries * comparison;
    }
}

/// The nodes that a tree builder holds: the open elements, the active formatting elements, and some others.
struct HeldNodes<H>(RefCell<Vec<H>>);

impl<H: Clone> Tracer for HeldNodes<H> {
    type Handle = H;

    fn trace_handle(&self, node: &H) {
        self.0.borrow_mut().push(node.clone());
    }
}

impl<H> HeldNodes<H> {
    /// Returns the number of active formatting elements, or more.
    ///
    /// They follow the open elements. An element is in each list once at most, and the last one is usually in both.
    fn count_formatting_entries<D: Dom<Handle = H>>(&self, sink: &MeteredSink<D>) -> u64 {
        let nodes = self.0.borrow();
        let is_formatting = |node: &&H| {
            let name = sink.local_name(node);
            name.is_some_and(|name| FORMATTING.contains(&name))
        };
        let mut seen = HashSet::new();
        let entries = nodes
            .iter()
            .rev()
            .skip_while(|node| !is_formatting(node))
            .take_while(is_formatting)
            .take_while(|node| seen.insert(D::id(node)));
        entries.count() as u64
    }
}
