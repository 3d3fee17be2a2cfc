//! The reference reader: html5ever's own tokenizer and tree builder, with a tap between them that notes where in the
//! text each tag stands.
//!
//! At a tag token, what is left of the input queue tells exactly where the tag ends. Where it begins follows from
//! where the token before it ended; [`tag::split`] then takes the one tag apart. What it finds is compared with the
//! token, name by name and value by value: a tag on which the two disagree is left alone and counted.
//!
//! html5ever does not promise how far it has read when it hands out a token. Its minor version is pinned, and should
//! it ever read differently, the comparison fails and nothing is damaged.

use std::cell::{Cell, RefCell};

use html5ever::interface::TreeSink;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, EndTag, StartTag as StartTagKind, Tag as TagToken, Token, TokenSink,
    TokenSinkResult, Tokenizer,
};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{QualName, TokenizerResult};
use markup5ever_rcdom::{Handle, NodeData};

use super::names::{namespace_of, qualified};
use super::sink::Sink;
use super::tag::{self, Quoting, Tag};
use super::tree::{Tree, parse_options};
use super::{BaseElement, Namespace, charref};
use crate::span::Span;

/// What a document holds, in document order; spans are bytes of the text that was read.
pub(crate) struct Reading {
    /// Every start tag, but for those that `mismatches` counts.
    pub(crate) start_tags: Vec<StartTag>,
    /// Every BASE element that has an `href`, in the order of the tree.
    pub(crate) base_elements: Vec<BaseElement>,
    /// How many tags were left out because taking them apart did not give what the tokenizer saw.
    pub(crate) mismatches: usize,
    /// How many tags were read, end tags included.
    pub(crate) tags: usize,
}

/// A start tag.
pub(crate) struct StartTag {
    /// The namespace of the element; that of HTML where the tree builder made none of the tag.
    pub(crate) namespace: Namespace,
    /// Every attribute, but for those that repeat the name of one before them.
    pub(crate) attributes: Vec<Attribute>,
    /// The text between the tag and its end tag, where that is not markup: `style`, `script`, `title` and their like.
    pub(crate) raw_text: Option<Span>,
    name: QualName,
}

/// An attribute of a [`StartTag`].
pub(crate) struct Attribute {
    /// From the name to behind the value and its quotes.
    pub(crate) span: Span,
    /// The value as written, without quotes.
    pub(crate) value: Span,
    /// How the value is delimited.
    pub(crate) quoting: Quoting,
    /// Attributes behind it that repeat its name, and so do not count; each as `span` has it.
    pub(crate) repeats: Vec<Span>,
    name: QualName,
}

impl StartTag {
    /// The local name of the element: lower case in HTML, as the standards spell it in SVG and MathML.
    pub(crate) fn name(&self) -> &str {
        &self.name.local
    }
}

impl Attribute {
    /// The name; `xlink:href` and the like with their prefix.
    pub(crate) fn name(&self) -> std::borrow::Cow<'_, str> {
        qualified(&self.name)
    }
}

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
pub(crate) fn read(text: &str) -> Reading {
    let options = parse_options();
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    let tap = Tap {
        text,
        input: &input,
        builder: TreeBuilder::new(Sink::default(), options.tree_builder),
        token_end: Cell::new(0),
        held: RefCell::default(),
        open_raw_text: Cell::new(None),
        found: RefCell::default(),
    };
    let tokenizer = Tokenizer::new(tap, options.tokenizer);
    // A script or an encoding declaration interrupts the tokenizer; it is for others to act on.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let tap = tokenizer.sink;
    let Found {
        start_tags,
        mismatches,
        tags,
    } = tap.found.into_inner();
    let tree = Tree::from(tap.builder.sink.finish());
    Reading {
        start_tags,
        base_elements: tree.base_elements(),
        mismatches,
        tags,
    }
}

#[derive(Default)]
struct Found {
    start_tags: Vec<StartTag>,
    mismatches: usize,
    tags: usize,
}

/// The tap: a sink for tokens that passes them on to the tree builder.
struct Tap<'t> {
    text: &'t str,
    /// What the tokenizer reads from.
    input: &'t BufferQueue,
    builder: TreeBuilder<Handle, Sink>,
    /// How far the tokenizer had read when it handed out the last token.
    token_end: Cell<usize>,
    /// Empty, but for while `read_so_far` counts.
    held: RefCell<Vec<StrTendril>>,
    /// The start tag whose raw text is being read: its place in `found`.
    open_raw_text: Cell<Option<OpenRawText>>,
    found: RefCell<Found>,
}

#[derive(Clone, Copy)]
struct OpenRawText {
    index: usize,
    start: usize,
}

impl TokenSink for Tap<'_> {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let previous_end = self.token_end.get();
        match token {
            // Errors come in the midst of other tokens.
            Token::ParseError(_) => self.builder.process_token(token, line),
            Token::TagToken(tag) => {
                self.token_end.set(self.read_so_far());
                self.process_tag(tag, previous_end, line)
            }
            _ => {
                self.token_end.set(self.read_so_far());
                self.builder.process_token(token, line)
            }
        }
    }

    fn end(&self) {
        self.close_raw_text(self.text.len());
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

impl Tap<'_> {
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
        let start = tag_start(self.text, previous_end);
        let end = self.token_end.get();
        let found = start
            .and_then(|start| tag::split(self.text, start))
            .filter(|tag| tag.span.end == end)
            .and_then(|tag| check(self.text, &tag, &token));
        self.found.borrow_mut().tags += 1;
        if kind == EndTag {
            // Whatever its name: in raw text no other end tag is a token.
            self.close_raw_text(start.unwrap_or(end));
        }
        let names: Vec<QualName> = token
            .attrs
            .iter()
            .map(|attribute| attribute.name.clone())
            .collect();
        let name = QualName::new(None, html5ever::ns!(html), token.name.clone());
        self.builder.sink.take_last_created();
        let result = self.builder.process_token(Token::TagToken(token), line);
        let created = self.builder.sink.take_last_created();
        match found {
            None => self.found.borrow_mut().mismatches += 1,
            Some(tag) if kind == StartTagKind => {
                let names = created
                    .as_deref()
                    .and_then(|node| names_in_tree(node, &name, names.len()))
                    .unwrap_or(Names {
                        element: name,
                        attributes: names,
                    });
                self.add(
                    tag,
                    names,
                    matches!(
                        result,
                        TokenSinkResult::RawData(_) | TokenSinkResult::Plaintext
                    ),
                );
            }
            Some(_) => {}
        }
        result
    }

    fn add(&self, tag: Checked, names: Names, opens_raw_text: bool) {
        let attributes =
            tag.attributes
                .into_iter()
                .zip(names.attributes)
                .map(|(distinct, name)| {
                    let Distinct { attribute, repeats } = distinct;
                    let tag::Attribute { value, quoting, .. } = attribute;
                    Attribute {
                        span: attribute.span(),
                        value,
                        quoting,
                        repeats,
                        name,
                    }
                });
        let mut found = self.found.borrow_mut();
        if opens_raw_text {
            self.open_raw_text.set(Some(OpenRawText {
                index: found.start_tags.len(),
                start: tag.span.end,
            }));
        }
        found.start_tags.push(StartTag {
            namespace: namespace_of(&names.element).unwrap_or(Namespace::Html),
            attributes: attributes.collect(),
            raw_text: None,
            name: names.element,
        });
    }

    fn close_raw_text(&self, end: usize) {
        if let Some(OpenRawText { index, start }) = self.open_raw_text.take()
            && let Some(start_tag) = self.found.borrow_mut().start_tags.get_mut(index)
        {
            start_tag.raw_text = Some(Span::new(start, end));
        }
    }
}

/// The names of an element and its attributes.
struct Names {
    element: QualName,
    attributes: Vec<QualName>,
}

/// The names that the tree builder gave to the element it made of a tag: in foreign content they have a namespace, and
/// the standards' spelling. `None` if `node` is not that element but one that the tag implied.
fn names_in_tree(
    node: &markup5ever_rcdom::Node,
    token_name: &QualName,
    attributes: usize,
) -> Option<Names> {
    let NodeData::Element { name, attrs, .. } = &node.data else {
        return None;
    };
    let attrs = attrs.borrow();
    // "image" is made an `img`.
    let is_same =
        name.local.eq_ignore_ascii_case(&token_name.local) || &*token_name.local == "image";
    (is_same && attrs.len() == attributes).then(|| Names {
        element: name.clone(),
        attributes: attrs
            .iter()
            .map(|attribute| attribute.name.clone())
            .collect(),
    })
}

/// Where the tag begins that is the next token behind `previous_end`.
///
/// Between two tokens there is nothing but what the tokenizer drops, so the tag begins where the token before it ended,
/// with three corrections.
fn tag_start(text: &str, previous_end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut start = previous_end;
    if bytes.get(start) == Some(&b'\n') && bytes[..start].ends_with(b"\r") {
        // 1. A carriage return is handed out before the line feed that belongs to it is read.
        start += 1;
    } else if bytes.get(start) != Some(&b'<') && bytes[..start].ends_with(b"<") {
        // 2. A "<" that ends a false start ("<<a>") is read before the false start is handed out as text.
        start -= 1;
    }
    // 3. "</>" is dropped without a word.
    while bytes
        .get(start..)
        .is_some_and(|rest| rest.starts_with(b"</>"))
    {
        start += 3;
    }
    (bytes.get(start) == Some(&b'<')).then_some(start)
}

/// A tag that says what its token says.
struct Checked {
    span: Span,
    /// One for each attribute of the token.
    attributes: Vec<Distinct>,
}

/// An attribute, and those behind it that repeat its name.
struct Distinct {
    attribute: tag::Attribute,
    repeats: Vec<Span>,
}

/// The tag with its attributes as the tokenizer has them, if it says what the token says.
fn check(text: &str, tag: &Tag, token: &TagToken) -> Option<Checked> {
    let cut = |span: Span| &text[span.start..span.end];
    let is_end = text[tag.span.start..].starts_with("</");
    if is_end != (token.kind == EndTag) || !is_same_name(cut(tag.name), &token.name) {
        return None;
    }
    let mut attributes: Vec<Distinct> = Vec::with_capacity(token.attrs.len());
    for &attribute in &tag.attributes {
        let name = cut(attribute.name);
        let is_it = |expected: &html5ever::Attribute| is_same_name(name, &expected.name.local);
        match token
            .attrs
            .get(attributes.len())
            .filter(|expected| is_it(expected))
        {
            Some(expected) if charref::decode(cut(attribute.value), 0).text == *expected.value => {
                attributes.push(Distinct {
                    attribute,
                    repeats: Vec::new(),
                });
            }
            Some(_) => return None,
            // The tokenizer drops an attribute whose name was there before.
            None => {
                let index = token.attrs.iter().position(is_it)?;
                attributes.get_mut(index)?.repeats.push(attribute.span());
            }
        }
    }
    (attributes.len() == token.attrs.len()).then_some(Checked {
        span: tag.span,
        attributes,
    })
}

/// Whether a name as written is the name in a token: in lower case, U+0000 replaced.
fn is_same_name(written: &str, name: &str) -> bool {
    if written.len() == name.len() {
        return written.eq_ignore_ascii_case(name);
    }
    written.contains('\0') && written.replace('\0', "\u{fffd}").eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_raw_text_elements_has_a_span() {
        let text = "<style>a</style><script><!--<script></script>--></script><title>&amp;</title><p>x</p><textarea>y";
        let reading = read(text);
        let found: Vec<_> = reading
            .start_tags
            .iter()
            .map(|tag| {
                (
                    tag.name(),
                    tag.raw_text.map(|span| &text[span.start..span.end]),
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
        assert_eq!((reading.tags, reading.mismatches), (9, 0));
    }
}
