//! Removals from HTML documents: [`Rewriter::remove`](crate::Rewriter::remove).
//!
//! # Problem
//!
//! Removing an element must change nothing else in the tree. But its start tag may imply HEAD or BODY, close elements
//! or reopen formatting elements, and what follows it may depend on that. Without it, two texts become one, which may
//! have another meaning: `&am<!---->p;`, or white space and other text in a table.
//!
//! # Approach
//!
//! Only elements are removed whose end the tokens show, and whose start tags close nothing in BODY. For each of them,
//! conditions on the text alone are sufficient for the tree to remain ([`Surroundings`]). They are stricter than
//! necessary: where they do not hold, the element is left and counted.

use std::borrow::Cow;

use super::source_text::SpanMapper;
use crate::find::{find_ignore_case, starts_with_ignore_case};
use crate::html::scan::raw_text::{self, RawText};
use crate::html::scan::{self, Head};
use crate::html::tap::WorkLimits;
use crate::html::{charref, tag};
use crate::limits::Placement;
use crate::link::LinkSelector;
use crate::markup::Namespace;
use crate::markup::tokens::{COMMENT, StartTag, Tokens};
use crate::record::LinkCounts;
use crate::settings::RewriteSettings;
use crate::span::Span;

/// Returns the spans that are removed from `text`, an HTML document, as `settings` say, and counts them.
pub(super) fn removals(
    settings: &RewriteSettings,
    text: &str,
    span_mapper: &SpanMapper<'_>,
    counts: &mut LinkCounts,
) -> Vec<Span> {
    let selectors = &settings.removals;
    if selectors.is_empty() {
        return Vec::new();
    }
    let mut limits = WorkLimits::of_length(text.len(), Placement::Outermost);
    let names = LinkSelector::names(selectors);
    let Ok(parsed) = settings.reader.read(text, &names, &mut limits) else {
        return Vec::new();
    };
    let tokens = parsed.tokens;
    let surroundings = Surroundings::of(text);
    let mut spans: Vec<Span> = Vec::new();
    for start_tag in &tokens.start_tags {
        let Span { start, .. } = start_tag.span;
        let is_removed = spans.last().is_some_and(|last| start < last.end);
        if is_removed || !is_selected(selectors, text, &tokens, start_tag) {
            continue;
        }
        let is_in_noscript = tokens.is_in_noscript(start);
        let end = surroundings.end_of_removable(start_tag);
        match end.filter(|_| !is_in_noscript) {
            Some(end) => spans.push(Span::new(start, end)),
            None => counts.left += 1,
        }
    }
    let mut removed = Vec::new();
    for adjacent in spans.chunk_by(|a, b| a.end == b.start) {
        let whole = Span::new(adjacent[0].start, adjacent[adjacent.len() - 1].end);
        if surroundings.may_join(whole) && span_mapper.source_span(whole).is_some() {
            removed.extend_from_slice(adjacent);
        } else {
            counts.left += adjacent.len();
        }
    }
    counts.beside += removed.len();
    removed
}

/// Returns whether one of `selectors` selects an element or a comment.
fn is_selected(
    selectors: &[LinkSelector],
    text: &str,
    tokens: &Tokens<'_>,
    start_tag: &StartTag<'_>,
) -> bool {
    let value_of = |name: &str| {
        let span = if start_tag.name == COMMENT {
            (name == "text").then_some(start_tag.span)
        } else {
            tokens
                .attribute(start_tag, name)
                .map(|attribute| attribute.value)
        };
        span.map(|span| match &text[span.start..span.end] {
            comment if start_tag.name == COMMENT => {
                Cow::Borrowed(comment.trim_start_matches("<!--").trim_end_matches("-->"))
            }
            value => charref::decode(value, 0).text,
        })
    };
    let selects = |selector: &LinkSelector| {
        selector.selects_element(start_tag.namespace, &start_tag.name, &value_of)
    };
    selectors.iter().any(selects)
}

/// The facts about a text that determine what can be removed from it. An offset is the length of the text if there is
/// no such thing.
struct Surroundings<'t> {
    text: &'t str,
    head: Option<Head>,
    /// The first tag of SVG or MathML, which some elements of HTML close.
    foreign: usize,
    /// The first TABLE or TEMPLATE, which may have rows: in them, white space counts only beside other text.
    table: usize,
    /// The first SELECT, in which older browsers ignore all elements but SCRIPT, and so read their text as markup.
    select: usize,
    /// The first TEMPLATE, whose content an element may determine.
    template: usize,
    /// The first COL or COLGROUP, after which every element ends a COLGROUP.
    column: usize,
    /// The first end tag of BODY or HTML, after which an element makes comments part of BODY again.
    body_end: usize,
    /// The first PRE or LISTING, of which a line feed is ignored.
    preformatted: usize,
    /// The last `<` that does not begin a tag.
    last_other: Option<usize>,
    has_frameset: bool,
}

impl<'t> Surroundings<'t> {
    fn of(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let first = |part: &[u8]| find_ignore_case(bytes, part).unwrap_or(bytes.len());
        let is_tag = |rest: &[u8]| {
            let name = rest.strip_prefix(b"/").unwrap_or(rest);
            name.first().is_some_and(u8::is_ascii_alphabetic)
        };
        Self {
            text,
            head: scan::head(text),
            foreign: first(b"<svg").min(first(b"<math")),
            table: first(b"<table").min(first(b"<template")),
            select: first(b"<select"),
            template: first(b"<template"),
            column: first(b"<col"),
            body_end: first(b"</body").min(first(b"</html")),
            preformatted: first(b"<pre").min(first(b"<listing")),
            last_other: memchr::memrchr_iter(b'<', bytes).find(|&at| !is_tag(&bytes[at + 1..])),
            has_frameset: find_ignore_case(bytes, b"<frameset").is_some(),
        }
    }

    /// Returns the end of the element or comment that begins with `start_tag`, if nothing in the tree depends on it but
    /// the texts around it.
    fn end_of_removable(&self, start_tag: &StartTag<'_>) -> Option<usize> {
        let (name, Span { start, end }) = (&*start_tag.name, start_tag.span);
        if name == COMMENT {
            return Some(end);
        }
        let (head, bytes) = (self.head?, self.text.as_bytes());
        let is_void = matches!(name, "meta" | "link" | "img" | "embed");
        let end = if is_void {
            end
        } else {
            let end_tag = raw_text::end_tag(bytes, end, name.as_bytes(), RawText::of(name))?;
            tag::skip(bytes, end_tag + b"</".len() + name.len())?
        };
        let is_in_explicit_head = || {
            self.tag_before(start)
                .is_some_and(|tag| starts_with_ignore_case(tag.as_bytes(), b"head"))
        };
        let implies_head = start <= head.start && !is_in_explicit_head();
        let is_in_head = head.end.is_some_and(|head_end| start < head_end);
        let is_in_body = head.body.is_some_and(|body| body <= start) && start < self.template;
        let is_placed = match name {
            "script" | "style" | "meta" | "link" => true,
            "noscript" => is_in_head || is_in_body,
            _ => is_in_body,
        };
        let exits_foreign = matches!(name, "meta" | "img" | "embed") && self.foreign < start;
        // Text reopens formatting elements, too. A line feed before may be ignored.
        let is_text = |byte: Option<&u8>| byte.is_some_and(|byte| !b"<>\0".contains(byte));
        let before = bytes[..start].last().filter(|byte| !b"\n\r".contains(byte));
        let adjoins_text = is_text(before) || is_text(bytes.get(end));
        let reopens = matches!(name, "img" | "embed") && (self.table < start || !adjoins_text);
        let moves_comments = self.body_end < start && self.last_other.is_some_and(|at| end <= at);
        let is_certain = start_tag.namespace == Namespace::Html
            && is_placed
            && !implies_head
            && !exits_foreign
            && !reopens
            && !moves_comments
            && !self.has_frameset
            && (name == "script" || start < self.select)
            && start < self.column;
        is_certain.then_some(end)
    }

    /// Returns whether the texts on both sides of `removed` have the same meaning without it.
    fn may_join(&self, removed: Span) -> bool {
        let (before, after) = (&self.text[..removed.start], &self.text[removed.end..]);
        let left = before.rsplit('>').next().unwrap_or_default();
        let is_blank = |text: &str| text.bytes().all(|byte| byte.is_ascii_whitespace());
        match after.strip_prefix('<') {
            Some(rest) if is_markup(rest) => return true,
            Some(_) => return left.is_empty(),
            None if after.is_empty() => return true,
            None => {}
        }
        // The tokenizer drops this tag.
        if before.ends_with("</>") {
            return false;
        }
        // The ">" before the text may be text, too.
        let tag = self.tag_before(removed.start - left.len());
        if left.is_empty() {
            // The first line feed of PRE is no text, even if it is a character reference.
            let is_line = after.starts_with(['\n', '\r', '&']);
            let is_kept = |tag: &str| {
                let begins = |name: &[u8]| starts_with_ignore_case(tag.as_bytes(), name);
                !is_line || !(begins(b"pre") || begins(b"listing"))
            };
            let preformatted = if is_line {
                self.preformatted
            } else {
                self.table
            };
            return removed.start < self.table.min(preformatted) || tag.is_some_and(is_kept);
        }
        let right = after.split('<').next().unwrap_or_default();
        let is_name = |character: char| character.is_ascii_alphanumeric() || character == '#';
        let has_open_end = left.trim_end_matches(is_name).ends_with(['&', '<']);
        let is_line_end = left.ends_with('\r') && right.starts_with('\n');
        // A character reference may be white space.
        let are_alike = is_blank(left) == is_blank(right)
            && ![left, right].concat().contains(['&', '\0'])
            && tag.is_some();
        !has_open_end && !is_line_end && (are_alike || removed.start < self.table)
    }

    /// Returns the tag that ends at `offset`, without its delimiters. Returns `None` if there is none, or if it may be
    /// part of a longer one or of a comment.
    fn tag_before(&self, offset: usize) -> Option<&'t str> {
        let before = self.text[..offset].strip_suffix('>')?;
        let (_, tag) = before.rsplit('>').next()?.split_once('<')?;
        let is_part = tag.contains(['"', '\'', '<']) || tag.contains("--");
        (is_markup(tag) && !is_part).then_some(tag)
    }
}

/// Returns whether a `<` before `rest` begins a tag or a declaration.
fn is_markup(rest: &str) -> bool {
    let next = rest.trim_start_matches('/').bytes().next();
    next.is_some_and(|byte| byte.is_ascii_alphabetic() || b"!?".contains(&byte))
}
