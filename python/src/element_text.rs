//! The text of the element of a link, and its attributes `rel` and `alt`, for those that become columns of a table.
//!
//! The tokenizer of html5ever reads on from the start tag, in bytes of the document. No tree is built: of the text of an A
//! element, what a tree builder would move elsewhere is read where it is written.

use std::cell::RefCell;

use absolve::Span;
use encoding_rs::Encoding;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// The length in bytes after which a text is cut. A link of each reference in a long `srcset` or `ping` has a copy.
const MAX_LEN: usize = 4096;

/// Elements that begin a line or end one, so that the words before and after them are different ones.
const LINES: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "td",
    "th",
    "tr",
    "ul",
];

/// What is read of an element. Each text has 4,096 bytes at most.
#[derive(Default)]
pub(crate) struct ElementText {
    /// The text of an A element, up to its end tag or the next A element, with white space collapsed, and without that of
    /// scripts and style sheets.
    pub(crate) text: Option<String>,
    pub(crate) rel: Option<String>,
    pub(crate) alt: Option<String>,
}

impl ElementText {
    /// Reads the element of `bytes` with the start tag `start_tag`. Its text ends at the offset `end` at the latest.
    ///
    /// Linear in the number of bytes from the start tag to the end of the text.
    pub(crate) fn read(
        bytes: &[u8],
        encoding: &'static Encoding,
        is_xml: bool,
        start_tag: Span,
        end: usize,
    ) -> Self {
        let options = TokenizerOpts {
            discard_bom: false,
            ..TokenizerOpts::default()
        };
        let tokenizer = Tokenizer::new(ElementSink::new(is_xml), options);
        let input = BufferQueue::default();
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let tag = &bytes[start_tag.start..start_tag.end];
        let rest = bytes.get(start_tag.end..end).unwrap_or_default();
        // The tokenizer reads all of a chunk, so each ends where the element may.
        let chunks = rest.split_inclusive(|byte| *byte == b'>');
        for chunk in std::iter::once(tag).chain(chunks) {
            let capacity = decoder.max_utf8_buffer_length(chunk.len());
            let mut text = String::with_capacity(capacity.unwrap_or_default());
            let _ = decoder.decode_to_string(chunk, &mut text, false);
            input.push_back(StrTendril::from(text));
            let _ = tokenizer.feed(&input);
            if tokenizer.sink.is_done() {
                return tokenizer.sink.into_read();
            }
        }
        // What is pending is text: the element has no end tag.
        tokenizer.end();
        tokenizer.sink.into_read()
    }
}

/// A sink for the tokens of one element.
struct ElementSink {
    is_xml: bool,
    /// The tokenizer has only a shared reference to its sink.
    state: RefCell<State>,
}

/// What was read so far.
#[derive(Default)]
struct State {
    read: ElementText,
    /// The name of the element, with a prefix in XML; `None` before its start tag.
    name: Option<String>,
    /// The name of the element whose text is skipped.
    skipped: Option<String>,
    /// Whether there was white space after the last word.
    is_word_ended: bool,
    is_done: bool,
}

impl ElementSink {
    fn new(is_xml: bool) -> Self {
        Self {
            is_xml,
            state: RefCell::default(),
        }
    }

    fn is_done(&self) -> bool {
        self.state.borrow().is_done
    }

    fn into_read(self) -> ElementText {
        self.state.into_inner().read
    }

    /// Returns the state of the tokenizer after a start tag in HTML.
    fn after(&self, name: &str) -> TokenSinkResult<()> {
        match name {
            _ if self.is_xml => TokenSinkResult::Continue,
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" | "iframe" | "noembed" | "noframes" | "xmp" => {
                TokenSinkResult::RawData(RawKind::Rawtext)
            }
            "textarea" | "title" => TokenSinkResult::RawData(RawKind::Rcdata),
            "plaintext" => TokenSinkResult::Plaintext,
            _ => TokenSinkResult::Continue,
        }
    }
}

impl TokenSink for ElementSink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.state.borrow_mut();
        if state.is_done {
            return TokenSinkResult::Continue;
        }
        match token {
            Token::TagToken(tag) => {
                let is_start = tag.kind == TagKind::StartTag;
                state.tag(&tag, self.is_xml);
                if is_start && !state.is_done {
                    return self.after(&tag.name);
                }
            }
            Token::CharacterTokens(text) => state.characters(&text),
            Token::DoctypeToken(_)
            | Token::CommentToken(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        // So that CDATA sections are text.
        self.is_xml
    }
}

impl State {
    fn tag(&mut self, tag: &Tag, is_xml: bool) {
        let name = &*tag.name;
        let is_empty = is_xml && tag.self_closing;
        let Some(element) = &self.name else {
            self.name = Some(name.to_owned());
            let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
            if local == "a" {
                self.read.text = Some(String::new());
            }
            self.read.rel = attribute(tag, "rel");
            self.read.alt = attribute(tag, "alt");
            self.is_done = local != "a" || is_empty;
            return;
        };
        self.is_done = name == element;
        self.is_word_ended |= LINES.contains(&name);
        let is_hidden = matches!(
            name,
            "script" | "style" | "iframe" | "noembed" | "noframes" | "template"
        );
        match tag.kind {
            TagKind::StartTag if self.skipped.is_none() && is_hidden && !is_empty => {
                self.skipped = Some(name.to_owned());
            }
            TagKind::EndTag if self.skipped.as_deref() == Some(name) => self.skipped = None,
            TagKind::StartTag | TagKind::EndTag => {}
        }
    }

    fn characters(&mut self, characters: &str) {
        let Some(text) = &mut self.read.text else {
            return;
        };
        if self.skipped.is_some() {
            return;
        }
        for character in characters.chars() {
            if character.is_ascii_whitespace() {
                self.is_word_ended = true;
                continue;
            }
            let is_separate = self.is_word_ended && !text.is_empty();
            if text.len() + usize::from(is_separate) + character.len_utf8() > MAX_LEN {
                self.is_done = true;
                return;
            }
            if is_separate {
                text.push(' ');
            }
            self.is_word_ended = false;
            text.push(character);
        }
    }
}

/// Returns the value of an attribute, cut if it is too long. The tokenizer has the names in lower case, also in XML.
fn attribute(tag: &Tag, name: &str) -> Option<String> {
    let mut attributes = tag.attrs.iter();
    let attribute = attributes.find(|attribute| &*attribute.name.local == name)?;
    let value = &*attribute.value;
    // At most four bytes are tried.
    let is_end = |&end: &usize| value.is_char_boundary(end);
    let end = (0..=value.len().min(MAX_LEN)).rev().find(is_end)?;
    Some(value[..end].to_owned())
}
