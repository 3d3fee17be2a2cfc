//! The reference reader: html5ever with positions.
//!
//! html5ever tokenizes a document and builds its tree as the HTML standard requires, but its tokens carry no positions,
//! and edits need byte offsets. This module adds them without changing html5ever: [`Tap`] is a `TokenSink` between the
//! tokenizer and the tree builder. It passes every token on and records how much of the input is left at that moment
//! ([`token_sink`]).
//!
//! # Self-check
//!
//! html5ever does not document how far it has read when it emits a token. Its minor version is pinned, and each tag
//! must agree with its token in its end, its kind, its name, and the name and decoded value of each attribute (see
//! [`check`](mod@check)). A tag that does not is left out and counted in [`Tokens::mismatches`]. Its links remain
//! unchanged, so a wrong position cannot damage a document.
//!
//! # Tree
//!
//! Some facts are known only to the tree builder: the namespace of an element and the spelling of its name, whether a
//! BASE is a child of HEAD, and where the text of an SVG STYLE ends, because the tree builder ignores some end tags
//! there. The tap asks the sink for the element that a start tag created, and looks at the finished tree for the rest.
//! That is an [`Outline`](outline::Outline), which has little more than these facts; for a `Tree`, it is an `RcDom`.
//!
//! # NOSCRIPT
//!
//! Scripting is on, so the text of a NOSCRIPT is raw. Afterwards it is read as a fragment with scripting off, and the
//! tokens are merged into those of the document. What is in it affects nothing outside.
//!
//! # Cost
//!
//! Time is that of html5ever, [limited](work). Memory for an element is that of its place in the tree, and for a tag
//! with attributes that of its tokens. The [scanner](super::scan) avoids both for most documents and must find the same
//! tokens; tests compare the two.

mod check;
pub(super) mod dom;
pub(super) mod guard;
mod integration_points;
pub(super) mod metered_sink;
pub(crate) mod outline;
pub(super) mod qual_name;
mod text;
mod token_sink;
mod work;

use std::mem;

use html5ever::interface::{ElementFlags, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{ParseOpts, QualName, TokenizerResult, local_name, ns};

use crate::limits::Placement;
use crate::markup::name_set::NameSet;
use crate::markup::tokens::{Namespace, StartTag, Tokens};
use crate::span::Span;
use crate::unsupported::Unsupported;
use dom::Dom;
use metered_sink::MeteredSink;
use outline::OutlineDom;
use token_sink::{TagElement, Tap, TapState};
use work::{Builder, PIECE};

pub(crate) use work::WorkLimits;

/// Length limit of a text, in bytes.
///
/// html5ever's strings have lengths of 32 bits, and a text may grow threefold: each U+0000 becomes U+FFFD.
pub(crate) const LONGEST_TEXT: usize = u32::MAX as usize / 3;

/// Reads `text`, which must not be longer than [`LONGEST_TEXT`], as a document.
///
/// Tags and attributes that are not in `names` are omitted as by [`super::scan::read`]. Reduces the `limits` by what
/// was read, also if that is too much: see [`work`].
///
/// # Source
/// HTML, "parsing HTML documents", scripting on. The text of a NOSCRIPT is read as by [`read_noscript`].
///
/// # Errors
/// [`Unsupported::LimitExceeded`].
///
/// # Complexity
/// Linear.
///
/// # Panics
/// May panic if `text` is longer than [`LONGEST_TEXT`].
pub(crate) fn read<'t>(
    text: &'t str,
    names: &NameSet,
    limits: &mut WorkLimits,
) -> Result<Tokens<'t>, Unsupported> {
    let mut tokens = read_part((text, 0), names, document_builder(), limits)?.finish(text);
    let is_noscript = |tag: &&mut StartTag<'_>| {
        tag.namespace == Namespace::Html
            && matches!(&*tag.name, "noscript" | "noframes")
            && tag.text.is_some()
    };
    let noscripts = tokens.start_tags.iter_mut().filter(is_noscript);
    let texts = noscripts.filter_map(|tag| Some(tag.text.take()?.span));
    tokens.noscript_texts = texts.collect();
    if tokens.noscript_texts.is_empty() {
        return Ok(tokens);
    }
    for span in tokens.noscript_texts.clone() {
        let text = &text[..span.end];
        let part = read_part((text, span.start), names, fragment_builder(), limits)?;
        let part = part.finish(text);
        let first_attribute = tokens.attributes.len();
        tokens.attributes.extend(part.attributes);
        let start_tags = part.start_tags.into_iter().map(|tag| StartTag {
            attributes: tag.attributes.shifted(first_attribute),
            ..tag
        });
        tokens.start_tags.extend(start_tags);
        let comments = part.conditional_comments;
        tokens.conditional_comments.extend(comments);
        tokens.tags += part.tags;
        tokens.mismatches += part.mismatches;
    }
    // Each list consists of two sorted runs, which this sort merges in linear time.
    tokens.start_tags.sort_by_key(|tag| tag.span.start);
    tokens
        .conditional_comments
        .sort_by_key(|comment| comment.start);
    Ok(tokens)
}

/// Reads `text` as the text of a NOSCRIPT element; otherwise like [`read`]. No BASE in it takes effect.
///
/// # Source
/// HTML, "parsing HTML fragments", scripting off, the context element a DIV.
///
/// # Errors
/// Those of [`read`].
pub(crate) fn read_noscript<'t>(
    text: &'t str,
    names: &NameSet,
    limits: &mut WorkLimits,
) -> Result<Tokens<'t>, Unsupported> {
    let part = read_part((text, 0), names, fragment_builder(), limits)?;
    Ok(Tokens {
        head_start: None,
        declared_encoding: None,
        base_elements: Vec::new(),
        noscript_texts: vec![Span::new(0, text.len())],
        ..part.finish(text)
    })
}

/// Reads `text` as a document, and returns its tree.
///
/// # Errors
/// Those of [`read`].
pub(super) fn read_tree<D: Dom + Default>(text: &str) -> Result<D::Output, Unsupported> {
    let mut limits = WorkLimits::of_length(text.len(), Placement::Outermost);
    // No token is needed.
    let names = NameSet::default();
    let part: Part<'_, D> = read_part((text, 0), &names, document_builder(), &mut limits)?;
    Ok(part.builder.sink.finish())
}

/// The scripting flag of the parser, which determines whether the content of NOSCRIPT is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scripting {
    /// It is text. Every document is parsed like this.
    On,
    /// It is markup. The text of a NOSCRIPT is parsed like this.
    Off,
}

/// Returns the options with which every document is parsed.
pub(super) fn parse_options(scripting: Scripting) -> ParseOpts {
    ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: scripting == Scripting::On,
            ..TreeBuilderOpts::default()
        },
        tokenizer: TokenizerOpts {
            // Decoding has removed the BOM; a second U+FEFF is text.
            discard_bom: false,
            ..TokenizerOpts::default()
        },
    }
}

/// Returns a tree builder for a document.
fn document_builder<D: Dom + Default>() -> Builder<D> {
    TreeBuilder::new(
        MeteredSink::new(D::default()),
        parse_options(Scripting::On).tree_builder,
    )
}

/// Returns a tree builder for the text of a NOSCRIPT.
fn fragment_builder() -> Builder<OutlineDom> {
    let sink = MeteredSink::new(OutlineDom::default());
    let name = QualName::new(None, ns!(html), local_name!("div"));
    let context = sink.create_element(name, Vec::new(), ElementFlags::default());
    let options = parse_options(Scripting::Off).tree_builder;
    TreeBuilder::new_for_fragment(sink, context, None, options)
}

/// A document or a fragment that was read.
struct Part<'t, D: Dom> {
    state: TapState<'t, D::Handle>,
    builder: Builder<D>,
}

/// Reads `text` from `start` on, and reduces the `limits` as [`read`] does.
///
/// # Errors
/// Those of [`read`].
fn read_part<'t, D: Dom>(
    (text, start): (&'t str, usize),
    names: &NameSet,
    builder: Builder<D>,
    limits: &mut WorkLimits,
) -> Result<Part<'t, D>, Unsupported> {
    let input = BufferQueue::default();
    let tap = Tap::new((&input, names), builder, (text, start), mem::take(limits));
    let tokenizer = Tokenizer::new(tap, parse_options(Scripting::On).tokenizer);
    let feed_all = || {
        let mut rest = &text[start..];
        while !rest.is_empty() {
            let mut length = PIECE.min(rest.len());
            while !rest.is_char_boundary(length) {
                length += 1;
            }
            let piece;
            (piece, rest) = rest.split_at(length);
            input.push_back(StrTendril::from(piece));
            tokenizer.sink.state.borrow_mut().given = text.len() - rest.len();
            // The tokenizer also returns after a script or an encoding declaration; it continues when called again.
            while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
            if let Some(limit) = tokenizer.sink.exceeded_limit() {
                return Err(Unsupported::LimitExceeded(limit));
            }
            if tokenizer.sink.state.borrow().points.is_ambiguous() {
                return Err(Unsupported::AmbiguousMarkup);
            }
        }
        tokenizer.end();
        Ok(())
    };
    let result = feed_all();
    let Tap { builder, state, .. } = tokenizer.sink;
    let part = Part {
        state: state.into_inner(),
        builder: builder.0,
    };
    *limits = part.state.limits.left_by(&part.builder, &part.state.tokens);
    result.map(|()| part)
}

impl<'t> Part<'t, OutlineDom> {
    /// Returns the tokens of the part. Looks up in the tree what only the tree has.
    fn finish(self, text: &str) -> Tokens<'t> {
        let tree = self.builder.sink.finish();
        let TapState {
            mut tokens,
            ends,
            elements,
            ..
        } = self.state;
        for TagElement { index, node } in elements {
            let tag = &mut tokens.start_tags[index];
            tag.is_child_of_head = tree.is_base_in_head(node);
            let ends = &ends[ends.partition_point(|end| end.index < index)..];
            let ends = &ends[..ends.partition_point(|end| end.index == index)];
            tag.text = text::text_in_tree(text, tag.text.take(), ends, (&tree, node));
        }
        tokens.base_elements = tree.into_base_elements();
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_records_spans_of_raw_text() {
        let text = "<style>a</style><script><!--<script></script>--></script><title>&amp;</title><p>x</p><textarea>y";
        let names = NameSet::all();
        let mut limits = WorkLimits::of_length(text.len(), Placement::Outermost);
        let tokens = read(text, &names, &mut limits).expect("a simple document");
        let found: Vec<_> = tokens
            .start_tags
            .iter()
            .map(|tag| {
                (
                    &*tag.name,
                    tag.text
                        .as_ref()
                        .map(|content| &text[content.span.start..content.span.end]),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                ("style", Some("a")),
                ("script", Some("<!--<script></script>-->")),
                ("title", Some("&amp;")),
                ("textarea", Some("y")),
            ]
        );
        assert_eq!((tokens.tags, tokens.mismatches), (9, 0));
    }
}
