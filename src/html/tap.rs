//! The reference reader: html5ever's own tokenizer and tree builder, with a tap between them that notes where in the
//! text each tag stands.
//!
//! At a tag token, what is left of the input queue tells exactly where the tag ends. Where it begins follows from
//! where the token before it ended; [`tag::split`] then takes the one tag apart. What it finds is compared with the
//! token, name by name and value by value: a tag on which the two disagree is left alone and counted.
//!
//! html5ever does not promise how far it has read when it hands out a token. Its minor version is pinned, and should
//! it ever read differently, the comparison fails and nothing is damaged.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use html5ever::interface::TreeSink;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, EndTag, StartTag as StartTagKind, Tag as TagToken, Token, TokenSink,
    TokenSinkResult, Tokenizer,
};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{QualName, TokenizerResult, expanded_name, local_name, ns};
use markup5ever_rcdom::Handle;

use super::Namespace;
use super::element::TreeElement;
use super::qual_name::{namespace_of, qualified};
use super::rcdom_sink::RcDomSink;
use super::tag;
use super::tap_check::{ElementNames, MatchedAttribute, MatchedTag, check, names_in_tree};
use super::tap_guard::guarded;
use super::tap_text::{self, OpenText, conditional_comment};
use super::tokens::{Attribute, MetaDeclaration, StartTag, TextContent, TextKind, Tokens};
use super::tree::{Tree, parse_options};
use crate::span::Span;

/// The longest text that is read, in bytes: html5ever's strings count in 32 bits, and U+0000 becomes three bytes.
pub(crate) const LONGEST_TEXT: usize = u32::MAX as usize / 3;

/// Reads `text` as a document; it must not be longer than [`LONGEST_TEXT`].
///
/// # Source
/// HTML, "parsing HTML documents", scripting off.
///
/// # Complexity
/// That of html5ever: linear, but for documents in which thousands of elements of certain kinds are nested.
///
/// # Panics
/// If `text` is longer.
pub(crate) fn read(text: &str) -> Tokens<'_> {
    let options = parse_options();
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    let tap = Tap {
        text,
        input: &input,
        builder: TreeBuilder::new(RcDomSink::default(), options.tree_builder),
        token_end: Cell::new(0),
        held: RefCell::default(),
        open_text: RefCell::default(),
        head_start: Cell::new(None),
        elements: RefCell::default(),
        found: RefCell::default(),
    };
    let tokenizer = Tokenizer::new(tap, options.tokenizer);
    // A script or an encoding declaration interrupts the tokenizer; it is for others to act on.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let tap = tokenizer.sink;
    let CollectedTokens {
        mut start_tags,
        attributes,
        conditional_comments,
        ends,
        mismatches,
        tags,
    } = tap.found.into_inner();
    let tree = Tree::from(tap.builder.sink.finish());
    let bases = tree.elements().filter(TreeElement::is_base);
    let in_head: HashSet<_> = bases
        .filter(TreeElement::is_child_of_head)
        .map(|base| base.id())
        .collect();
    for made in tap.elements.into_inner() {
        let Some(tag) = start_tags.get_mut(made.index) else {
            continue;
        };
        tag.is_child_of_head = in_head.contains(&Rc::as_ptr(&made.node));
        let ends = ends.get(&made.index).map_or(&[][..], Vec::as_slice);
        tag.text = tap_text::settled(text, tag.text.take(), ends, &made.node);
    }
    Tokens {
        start_tags,
        attributes,
        base_elements: tree.base_elements(),
        conditional_comments,
        // Who asks wants to be quick, which is for the other reader.
        declared_encoding: MetaDeclaration::Unknown,
        head_start: tap.head_start.get(),
        mismatches,
        tags,
    }
}

#[derive(Default)]
struct CollectedTokens<'t> {
    start_tags: Vec<StartTag<'t>>,
    attributes: Vec<Attribute<'t>>,
    conditional_comments: Vec<Span>,
    /// Where the text of elements of SVG may end, by the places of their start tags.
    ends: HashMap<usize, Vec<usize>>,
    mismatches: usize,
    tags: usize,
}

/// The tap: a sink for tokens that passes them on to the tree builder.
struct Tap<'i, 't> {
    text: &'t str,
    /// What the tokenizer reads from.
    input: &'i BufferQueue,
    builder: TreeBuilder<Handle, RcDomSink>,
    /// How far the tokenizer had read when it handed out the last token.
    token_end: Cell<usize>,
    /// Empty, but for while `read_so_far` counts.
    held: RefCell<Vec<StrTendril>>,
    /// The start tag whose text is being read.
    open_text: RefCell<Option<OpenText>>,
    head_start: Cell<Option<usize>>,
    /// Elements about which the tree has to be asked once it is whole.
    elements: RefCell<Vec<CreatedElement>>,
    found: RefCell<CollectedTokens<'t>>,
}

/// An element that was made of a start tag.
struct CreatedElement {
    /// The place of the start tag in `found`.
    index: usize,
    node: Handle,
}

impl TokenSink for Tap<'_, '_> {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let previous_end = self.token_end.get();
        match token {
            // Errors come in the midst of other tokens.
            Token::ParseError(_) => return self.builder.process_token(token, line),
            Token::TagToken(tag) => {
                self.token_end.set(self.read_so_far());
                return self.process_tag(tag, previous_end, line);
            }
            Token::CharacterTokens(ref characters) => {
                self.token_end.set(self.read_so_far());
                // White space before HEAD is dropped; HEAD begins behind it.
                let dropped = characters.trim_start_matches(|c: char| c.is_ascii_whitespace());
                let length = characters.len() - dropped.len();
                let head_start = behind_white_space(self.text, previous_end, length);
                let result = self.builder.process_token(token, line);
                self.note_head(head_start);
                return result;
            }
            Token::CommentToken(ref data) => {
                self.token_end.set(self.read_so_far());
                // The text of an element that holds a comment is in pieces; what ended before may be whole.
                self.close_text();
                if let Some(start) = markup_start(self.text, previous_end) {
                    let span = Span::new(start, self.token_end.get());
                    let markup = conditional_comment(self.text, span, data);
                    self.found.borrow_mut().conditional_comments.extend(markup);
                }
            }
            _ => self.token_end.set(self.read_so_far()),
        }
        let result = self.builder.process_token(token, line);
        self.note_head(token_start(self.text, previous_end));
        result
    }

    fn end(&self) {
        if let Some(open) = &*self.open_text.borrow()
            && let (TextKind::Raw, index, Some(node)) = (&open.kind, open.index, &open.node)
        {
            let node = node.clone();
            self.elements
                .borrow_mut()
                .push(CreatedElement { index, node });
        }
        self.end_text(self.text.len(), false);
        self.builder.end();
        self.note_head(self.text.len());
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

impl<'t> Tap<'_, 't> {
    /// A name: the author's, which begins at `start`, if it is written like that.
    fn name(&self, start: usize, name: &str) -> Cow<'t, str> {
        match self.text.get(start..start + name.len()) {
            Some(written) if written == name => Cow::Borrowed(written),
            _ => Cow::Owned(name.to_owned()),
        }
    }

    /// How many bytes of the text the tokenizer has taken from its queue.
    fn read_so_far(&self) -> usize {
        // The queue tells its length to nobody, but it is short: the rest of the text, and now and then a few
        // characters that were put back.
        let mut held = self.held.borrow_mut();
        let mut left = 0;
        while let Some(buffer) = self.input.pop_front() {
            left += buffer.len();
            held.push(buffer);
        }
        while let Some(buffer) = held.pop() {
            self.input.push_front(buffer);
        }
        self.text.len().saturating_sub(left)
    }

    fn process_tag(
        &self,
        token: TagToken,
        previous_end: usize,
        line: u64,
    ) -> TokenSinkResult<Handle> {
        let kind = token.kind;
        let start = markup_start(self.text, previous_end);
        let end = self.token_end.get();
        let found = start
            .and_then(|start| tag::split(self.text, start))
            .filter(|tag| tag.span.end == end)
            .and_then(|tag| check(self.text, &tag, &token));
        self.found.borrow_mut().tags += 1;
        let may_go_on = kind == EndTag && &*token.name != "style";
        self.end_text(start.unwrap_or(end), may_go_on);
        let is_head = token.name == local_name!("head") && kind == StartTagKind;
        let names: Vec<QualName> = token
            .attrs
            .iter()
            .map(|attribute| attribute.name.clone())
            .collect();
        let name = QualName::new(None, ns!(html), token.name.clone());
        self.builder.sink.take_last_created();
        let result = self
            .builder
            .process_token(Token::TagToken(guarded(token)), line);
        let created = self.builder.sink.take_last_created();
        // The start tag of HEAD makes a HEAD that begins behind it; any other makes one that was there before.
        self.note_head(if is_head { end } else { start.unwrap_or(end) });
        match found {
            None => self.found.borrow_mut().mismatches += 1,
            Some(tag) if kind == StartTagKind => {
                let made = created
                    .as_ref()
                    .and_then(|node| names_in_tree(node, &name, names.len()));
                let is_made = made.is_some();
                let names = made.unwrap_or(ElementNames {
                    element: name,
                    attributes: names,
                });
                let kind = match result {
                    TokenSinkResult::RawData(_) => Some(TextKind::Raw),
                    _ if names.element.ns == ns!(svg) => Some(TextKind::Foreign),
                    _ => None,
                };
                self.add(tag, names, kind, created.filter(|_| is_made));
            }
            Some(_) => {}
        }
        result
    }

    fn add(
        &self,
        tag: MatchedTag,
        names: ElementNames,
        text: Option<TextKind>,
        node: Option<Handle>,
    ) {
        let attributes =
            tag.attributes
                .into_iter()
                .zip(names.attributes)
                .map(|(distinct, name)| {
                    let MatchedAttribute { attribute, repeats } = distinct;
                    let tag::SplitAttribute { value, quoting, .. } = attribute;
                    Attribute {
                        name: self.name(attribute.name.start, &qualified(&name)),
                        key: None,
                        may_be_link: true,
                        span: attribute.span(),
                        value,
                        quoting,
                        repeats: repeats.into_iter().collect(),
                    }
                });
        let mut found = self.found.borrow_mut();
        let index = found.start_tags.len();
        let is_style = &*names.element.local == "style";
        let is_foreign = text == Some(TextKind::Foreign);
        if let Some(kind) = text.filter(|kind| *kind == TextKind::Raw || is_style) {
            let start = tag.span.end;
            *self.open_text.borrow_mut() = Some(OpenText {
                index,
                start,
                kind,
                node: node.clone(),
                ends: Vec::new(),
            });
        }
        let is_base = names.element.expanded() == expanded_name!(html "base");
        if let Some(node) = node
            && (is_base || (is_foreign && is_style))
        {
            self.elements
                .borrow_mut()
                .push(CreatedElement { index, node });
        }
        let first = found.attributes.len();
        found.attributes.extend(attributes);
        let attributes = Span::new(first, found.attributes.len());
        found.start_tags.push(StartTag {
            namespace: namespace_of(&names.element).unwrap_or(Namespace::Html),
            name: self.name(tag.span.start + 1, &names.element.local),
            key: None,
            span: tag.span,
            attributes,
            text: None,
            is_child_of_head: false,
        });
    }

    /// The text of the open element may end at `end`, where a tag or nothing follows, and go on behind it.
    fn end_text(&self, end: usize, may_go_on: bool) {
        let may_go_on = self.open_text.borrow_mut().as_mut().is_some_and(|open| {
            open.ends.push(end);
            may_go_on && open.kind == TextKind::Foreign
        });
        if !may_go_on {
            self.close_text();
        }
    }

    /// The text of the open element ends at one of the places where it may end.
    fn close_text(&self) {
        let Some(open) = self.open_text.take() else {
            return;
        };
        let mut found = self.found.borrow_mut();
        let end = open.ends.last().copied();
        if open.kind == TextKind::Foreign {
            found.ends.insert(open.index, open.ends);
        }
        if let (Some(start_tag), Some(end)) = (found.start_tags.get_mut(open.index), end) {
            start_tag.text = Some(TextContent {
                span: Span::new(open.start, end),
                kind: open.kind,
            });
        }
    }

    /// If HEAD was made by the token processed last, it begins at `start`.
    fn note_head(&self, start: usize) {
        if self.head_start.get().is_none() && self.builder.sink.has_head() {
            self.head_start.set(Some(start));
        }
    }
}

/// The offset behind `length` characters of white space in what was read from `start` on, in which a line break may be two.
fn behind_white_space(text: &str, start: usize, length: usize) -> usize {
    let mut at = token_start(text, start);
    for _ in 0..length {
        let is_pair = text[at..].starts_with("\r\n");
        at += if is_pair { 2 } else { 1 };
    }
    at.min(text.len())
}

/// Where the tag or comment begins that is the next token behind `previous_end`.
fn markup_start(text: &str, previous_end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_read = bytes.get(previous_end) != Some(&b'<') && bytes[..previous_end].ends_with(b"<");
    // A "<" that ends a false start ("<<a>") is read before the false start is handed out as text.
    let start = token_start(text, previous_end - usize::from(is_read));
    (bytes.get(start) == Some(&b'<')).then_some(start)
}

/// Where the next token behind `previous_end` begins.
///
/// Between two tokens there is nothing but what the tokenizer drops, so it begins where the token before it ended,
/// with two corrections.
fn token_start(text: &str, previous_end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut start = previous_end;
    if bytes.get(start) == Some(&b'\n') && bytes[..start].ends_with(b"\r") {
        // 1. A carriage return is handed out before the line feed that belongs to it is read.
        start += 1;
    }
    // 2. "</>" is dropped without a word.
    while bytes
        .get(start..)
        .is_some_and(|rest| rest.starts_with(b"</>"))
    {
        start += 3;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_raw_text_elements_has_a_span() {
        let text = "<style>a</style><script><!--<script></script>--></script><title>&amp;</title><p>x</p><textarea>y";
        let tokens = read(text);
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
                ("p", None),
                ("textarea", Some("y")),
            ]
        );
        assert_eq!((tokens.tags, tokens.mismatches), (9, 0));
    }
}
