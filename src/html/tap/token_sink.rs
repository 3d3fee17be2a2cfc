//! [`Tap`]: the token sink between the tokenizer and the tree builder, and the positions that it records.
//!
//! # Positions
//!
//! The tokenizer emits a tag as soon as it has read its `>`. So the length of the text less the length of the input
//! queue is the exact end of the tag. Its start follows from the end of the previous token, since tokens are
//! contiguous, with three corrections:
//!
//! 1. In `<<a>`, the second `<` shows that the first begins no tag. The second has been read when the first is emitted
//!    as text, but is processed again ("reconsumed") as the start of the tag. See [`markup_start`].
//! 2. A CR is emitted, as LF, before the LF that belongs to it is read. See [`token_start`].
//! 3. `</>` is dropped without a token. See [`token_start`].
//!
//! [`tag::split`] then splits the tag into attributes with spans. Which state the tokenizer is in before a tag depends
//! on the tree; within a tag it depends on the tag alone, so a tag can be split by itself.

use std::borrow::Cow;
use std::cell::RefCell;
use std::mem;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, EndTag, StartTag as StartTagKind, Tag as TagToken, Token, TokenSink,
    TokenSinkResult,
};
use html5ever::{QualName, expanded_name, local_name, ns};

use super::check::{ElementNames, MatchedTag, check};
use super::dom::Dom;
use super::guard::MetaGuard;
use super::integration_points::{IntegrationPoints, TagFacts};
use super::metered_sink::is_formatting;
use super::qual_name::{namespace_of, qualified};
use super::text::{OpenText, PossibleEnd};
use super::work::{Builder, WorkLimits};
use crate::html::conditional_comment::markup_in_comment;
use crate::html::encoding::prescan::encoding_of;
use crate::html::tag;
use crate::limits::Limit;
use crate::markup::name_set::{AttributeRole, FoundName, NameSet};
use crate::markup::tokens::{Attribute, Namespace, StartTag, TextContent, TextKind, Tokens};
use crate::span::Span;

/// A sink for tokens that records their positions and passes them on to the tree builder.
pub(super) struct Tap<'i, 't, D: Dom> {
    /// The queue from which the tokenizer reads.
    input: &'i BufferQueue,
    /// The names of the attributes to record.
    names: &'i NameSet,
    pub(super) builder: MetaGuard<Builder<D>>,
    /// Borrowed while a token is processed. The tree builder does not call the tap, so it is not borrowed twice.
    pub(super) state: RefCell<TapState<'t, D::Handle>>,
}

/// The tokens found so far, and what is needed to find more.
pub(super) struct TapState<'t, H> {
    text: &'t str,
    /// The number of bytes of the text that were given to the tokenizer.
    pub(super) given: usize,
    pub(super) limits: WorkLimits,
    /// All but the BASE elements, which the finished tree has.
    pub(super) tokens: Tokens<'t>,
    /// Offset up to which the tokenizer had read when it emitted the last token.
    token_end: usize,
    /// Buffers that [`Tap::read_so_far`] has popped; empty otherwise. Kept to reuse the allocation.
    popped: Vec<StrTendril>,
    /// The element whose text is being read.
    open_text: Option<OpenText<H>>,
    /// Possible ends of the texts of SVG elements, in document order. An empty text needs none.
    pub(super) ends: Vec<PossibleEnd>,
    pub(super) points: IntegrationPoints,
    /// Elements to look up in the finished tree.
    pub(super) elements: Vec<TagElement<H>>,
}

/// An element that a start tag created.
pub(super) struct TagElement<H> {
    /// Index of the start tag.
    pub(super) index: usize,
    pub(super) node: H,
}

/// The effect of markup on the open text before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextEnd {
    /// The text ends here.
    Certain,
    /// The text ends here unless it is foreign: there, an end tag may be ignored.
    Possible,
}

impl<D: Dom> TokenSink for Tap<'_, '_, D> {
    type Handle = D::Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<D::Handle> {
        // An error may be reported within a token, so it must not change `token_end`.
        if let Token::ParseError(_) = token {
            return self.builder.process_token(token, line);
        }
        let state = &mut *self.state.borrow_mut();
        let steps = mem::take(&mut state.points.steps);
        self.builder.0.sink.add_steps(steps);
        // The document is not read then.
        if state.limits.exceeded(&self.builder.0).is_some() {
            return TokenSinkResult::Continue;
        }
        let previous_end = state.token_end;
        state.token_end = self.read_so_far(state);
        let head_start = match token {
            Token::TagToken(tag) => return self.process_tag(state, tag, previous_end, line),
            Token::CharacterTokens(ref characters) => {
                // The tree builder drops white space before HEAD, so a HEAD that this text implies begins after the
                // white space.
                let rest = characters.trim_start_matches(|c: char| c.is_ascii_whitespace());
                let length = characters.len() - rest.len();
                skip_white_space(state.text, previous_end, length)
            }
            Token::CommentToken(ref data) => {
                state.add_comment(self.names, previous_end, data);
                token_start(state.text, previous_end)
            }
            _ => token_start(state.text, previous_end),
        };
        let result = self.build(token, line);
        if self.builder.0.sink.formatting_elements() > 0 {
            state.points.reconstructed_formatting();
        }
        self.record_head(state, head_start);
        result
    }

    fn end(&self) {
        let state = &mut *self.state.borrow_mut();
        // Raw text up to the end of the document may end with a truncated end tag, which is not part of it.
        if let Some(open) = &state.open_text
            && let (TextKind::Raw, index, Some(node)) = (&open.kind, open.index, &open.node)
        {
            let node = node.clone();
            state.elements.push(TagElement { index, node });
        }
        state.end_text(state.text.len(), TextEnd::Certain);
        self.builder.end();
        self.record_head(state, state.text.len());
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

impl<'i, 't, D: Dom> Tap<'i, 't, D> {
    /// Creates a tap for the tokens of `text` from `start` on, which the tokenizer gets through `input`.
    pub(super) fn new(
        (input, names): (&'i BufferQueue, &'i NameSet),
        builder: Builder<D>,
        (text, start): (&'t str, usize),
        limits: WorkLimits,
    ) -> Self {
        Self {
            input,
            names,
            builder: MetaGuard(builder),
            state: RefCell::new(TapState {
                text,
                given: start,
                token_end: start,
                limits,
                tokens: Tokens::default(),
                popped: Vec::new(),
                open_text: None,
                ends: Vec::new(),
                points: IntegrationPoints::default(),
                elements: Vec::new(),
            }),
        }
    }
}

impl<D: Dom> Tap<'_, '_, D> {
    /// Passes `token` on to the tree builder.
    fn build(&self, token: Token, line: u64) -> TokenSinkResult<D::Handle> {
        self.builder.0.sink.begin_token();
        self.builder.process_token(token, line)
    }

    /// Returns the limit that is exceeded by what was read so far, if any.
    pub(super) fn exceeded_limit(&self) -> Option<Limit> {
        let state = &mut *self.state.borrow_mut();
        let exceeded = state.limits.exceeded(&self.builder.0);
        if exceeded.is_some() {
            return exceeded;
        }
        if state.limits.keeps_too_many(&state.tokens) {
            return Some(Limit::Links);
        }
        let given = &state.text[..state.given];
        let start = markup_start(given, state.token_end)?;
        let limits = &mut state.limits;
        let is_exceeded = limits.has_too_many_attributes(given, start);
        is_exceeded.then_some(Limit::Attributes)
    }

    /// Returns how many bytes of the text the tokenizer has taken from its queue.
    ///
    /// # Complexity
    /// Constant: the queue has one buffer, the rest of a piece, and sometimes one of a few characters put back.
    fn read_so_far(&self, state: &mut TapState<'_, D::Handle>) -> usize {
        // The queue has no method for its length, so all buffers are popped and pushed back.
        let mut left = 0;
        while let Some(buffer) = self.input.pop_front() {
            left += buffer.len();
            state.popped.push(buffer);
        }
        while let Some(buffer) = state.popped.pop() {
            self.input.push_front(buffer);
        }
        state.given.saturating_sub(left)
    }

    /// Records a tag and passes its token on. `previous_end` is the end of the token before it.
    fn process_tag(
        &self,
        state: &mut TapState<'_, D::Handle>,
        token: TagToken,
        previous_end: usize,
        line: u64,
    ) -> TokenSinkResult<D::Handle> {
        let (kind, text, end) = (token.kind, state.text, state.token_end);
        let start = markup_start(text, previous_end);
        // From here on, `start` may be missing or wrong: then the comparison fails, and the tag counts as a mismatch.
        let matched = start
            .and_then(|start| tag::split(text.as_bytes(), start))
            .filter(|tag| tag.span.end == end)
            .and_then(|tag| check(text, &tag, &token));
        state.tokens.tags += 1;
        // Open foreign text is that of an SVG STYLE, which `</style>` ends. Another end tag may match no open element,
        // and is then ignored.
        let text_end = if kind == EndTag && &*token.name != "style" {
            TextEnd::Possible
        } else {
            TextEnd::Certain
        };
        state.end_text(start.unwrap_or(end), text_end);
        let is_head = token.name == local_name!("head") && kind == StartTagKind;
        let token_names = ElementNames {
            element: QualName::new(None, ns!(html), token.name.clone()),
            attributes: token.attrs.iter().map(|one| one.name.clone()).collect(),
        };
        let facts = TagFacts {
            name: token.name.clone(),
            is_self_closing: token.self_closing,
            has_html_encoding: token.attrs.iter().any(|attribute| {
                let is_html = |name: &str| attribute.value.eq_ignore_ascii_case(name);
                attribute.name.local == local_name!("encoding")
                    && (is_html("text/html") || is_html("application/xhtml+xml"))
            }),
        };
        // Clears the record, so that the element taken below was created by this token.
        let sink = &self.builder.0.sink;
        sink.take_last_created();
        state.limits.add_tag(&token, &self.builder.0);
        let result = self.build(Token::TagToken(token), line);
        // An unknown label is not a declaration.
        if let TokenSinkResult::EncodingIndicator(label) = &result
            && state.tokens.declared_encoding.is_none()
        {
            state.tokens.declared_encoding = encoding_of(label.as_bytes());
        }
        let created = sink.take_last_created();
        match &created {
            _ if kind == EndTag => state.points.end_tag(&facts.name),
            Some(element) if element.names.are_of(&token_names) => {
                let own = usize::from(is_formatting(&element.names.element));
                state.points.start_tag(facts, &element.names.element);
                if sink.formatting_elements() > own {
                    state.points.reconstructed_formatting();
                }
            }
            _ => state.points.ignored_start_tag(&facts.name),
        }
        if kind == EndTag && sink.formatting_elements() > 0 {
            state.points.reconstructed_formatting();
        }
        if self.adjusted_current_node_present_but_not_in_html_namespace() {
            state.points.enter_foreign_content();
        }
        // A HEAD begins after its start tag; one that another tag implies begins before that tag.
        self.record_head(state, if is_head { end } else { start.unwrap_or(end) });
        match matched {
            None => state.tokens.mismatches += 1,
            Some(tag) if kind == StartTagKind => {
                // Without an element of its own, the tag keeps the names of its token.
                let (names, node) = match created {
                    Some(element) if element.names.are_of(&token_names) => {
                        (element.names, Some(element.node))
                    }
                    _ => (token_names, None),
                };
                // Raw text, if the tree builder switches the tokenizer to it.
                let kind = match result {
                    TokenSinkResult::RawData(_) => Some(TextKind::Raw),
                    _ if names.element.ns == ns!(svg) => Some(TextKind::Foreign),
                    _ => None,
                };
                state.add_start_tag(self.names, tag, names, kind, node);
            }
            Some(_) => {}
        }
        result
    }

    /// Records `start` as the beginning of HEAD if the token processed last created HEAD.
    fn record_head(&self, state: &mut TapState<'_, D::Handle>, start: usize) {
        if self.builder.0.sink.has_head() {
            state.tokens.head_start.get_or_insert(start);
        }
    }
}

impl<'t, H: Clone> TapState<'t, H> {
    /// Returns `name`, borrowed from the text if that contains it at `start`.
    fn name(&self, start: usize, name: &str) -> Cow<'t, str> {
        match self.text.get(start..start + name.len()) {
            Some(written) if written == name => Cow::Borrowed(written),
            _ => Cow::Owned(name.to_owned()),
        }
    }

    /// Records the markup in a comment with the text `data`. `previous_end` is the end of the token before it.
    fn add_comment(&mut self, names: &NameSet, previous_end: usize, data: &str) {
        // The open text ended at a possible end before the comment, or the comment splits it. Either way, no more ends
        // are possible.
        self.close_text();
        if let Some(start) = markup_start(self.text, previous_end) {
            let span = Span::new(start, self.token_end);
            if names.has_comments() && self.text[start..].starts_with("<!--") {
                self.tokens.add_comment(span);
            }
            let markup = markup_in_comment(self.text, span, data);
            self.tokens.conditional_comments.extend(markup);
        }
    }

    /// Adds a start tag, and opens its text if that is raw text or the text of an SVG STYLE. `node` is the element that
    /// the tag created, if any.
    ///
    /// An attribute is recorded if it is one of `known` names. A tag that has neither a link among them nor such a text
    /// is not recorded. A BASE always is, and so are all of its attributes.
    fn add_start_tag(
        &mut self,
        known: &NameSet,
        tag: MatchedTag,
        names: ElementNames,
        text: Option<TextKind>,
        node: Option<H>,
    ) {
        let first = self.tokens.attributes.len();
        let is_base = names.element.expanded() == expanded_name!(html "base");
        let mut has_link = false;
        for (matched, name) in tag.attributes.into_iter().zip(names.attributes) {
            let attribute = matched.attribute;
            let written = attribute.name;
            let found = known.find(self.text.as_bytes(), written.start, written.end);
            let Some(found) = found.or(is_base.then_some(FoundName::ANY)) else {
                continue;
            };
            has_link |= found.role == AttributeRole::Link;
            let attribute = Attribute {
                name: self.name(attribute.name.start, &qualified(&name)),
                key: None,
                may_be_link: found.role == AttributeRole::Link,
                span: attribute.span(),
                value: attribute.value,
                quoting: attribute.quoting,
                duplicates: matched.duplicates,
            };
            self.tokens.attributes.push(attribute);
        }
        let index = self.tokens.start_tags.len();
        let is_style = &*names.element.local == "style";
        let is_foreign = text == Some(TextKind::Foreign);
        let text = text.filter(|kind| *kind == TextKind::Raw || is_style);
        if text.is_none() && !is_base && !has_link {
            self.tokens.attributes.truncate(first);
            return;
        }
        if let Some(kind) = text {
            self.open_text = Some(OpenText {
                index,
                start: tag.span.end,
                kind,
                node: node.clone(),
                end: None,
            });
        }
        if let Some(node) = node
            && (is_base || (is_foreign && is_style))
        {
            self.elements.push(TagElement { index, node });
        }
        let start_tag = StartTag {
            namespace: namespace_of(&names.element).unwrap_or(Namespace::Html),
            name: self.name(tag.span.start + 1, &names.element.local),
            key: None,
            span: tag.span,
            attributes: Span::new(first, self.tokens.attributes.len()),
            text: None,
            is_child_of_head: false,
            scope: 0,
        };
        self.tokens.start_tags.push(start_tag);
    }

    /// Records that the text of the open element ends, or may end, at `end`, before a tag or at the end of the
    /// document.
    fn end_text(&mut self, end: usize, text_end: TextEnd) {
        let Some(open) = &mut self.open_text else {
            return;
        };
        open.end = Some(end);
        let is_foreign = open.kind == TextKind::Foreign;
        if is_foreign && end > open.start {
            let (index, offset) = (open.index, end);
            self.ends.push(PossibleEnd { index, offset });
        }
        if !is_foreign || text_end == TextEnd::Certain {
            self.close_text();
        }
    }

    /// Closes the text of the open element. The text ends at the last of its possible ends, unless it is foreign and
    /// the finished tree determines another one.
    fn close_text(&mut self) {
        if let Some(open) = self.open_text.take()
            && let Some(end) = open.end
        {
            self.tokens.start_tags[open.index].text = Some(TextContent {
                span: Span::new(open.start, end),
                kind: open.kind,
            });
        }
    }
}

/// Returns the offset after the first `length` characters, all white space, of the token that follows the offset
/// `start`.
///
/// A CRLF is one character of a token, but two bytes of the text.
fn skip_white_space(text: &str, start: usize, length: usize) -> usize {
    let mut offset = token_start(text, start);
    for _ in 0..length {
        let is_pair = text[offset..].starts_with("\r\n");
        offset += if is_pair { 2 } else { 1 };
    }
    offset.min(text.len())
}

/// Returns the start of the tag or comment that is the next token after `previous_end`.
///
/// Returns `None` if there is no `<`: then the positions are wrong, and the tag is left out.
fn markup_start(text: &str, previous_end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    // 1. A reconsumed "<" has been read already, so the start is one byte before `previous_end`. If the text continues
    //    with another "<", that is the start itself.
    let is_reconsumed =
        bytes.get(previous_end) != Some(&b'<') && bytes[..previous_end].ends_with(b"<");
    let start = token_start(text, previous_end - usize::from(is_reconsumed));
    (bytes.get(start) == Some(&b'<')).then_some(start)
}

/// Returns the start of the next token after `previous_end`.
///
/// Only what the tokenizer drops is between two tokens, so this is the end of the previous one with two corrections.
fn token_start(text: &str, previous_end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut start = previous_end;
    if bytes.get(start) == Some(&b'\n') && bytes[..start].ends_with(b"\r") {
        // 2. A CR is emitted, as LF, before the LF that belongs to it is read.
        start += 1;
    }
    // 3. "</>" is dropped without a token.
    while bytes
        .get(start..)
        .is_some_and(|rest| rest.starts_with(b"</>"))
    {
        start += 3;
    }
    start
}
