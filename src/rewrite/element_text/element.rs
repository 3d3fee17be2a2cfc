//! Reads one element: its attributes, and the text up to its end tag.
//!
//! The pieces are those of the readers: the attribute tokenizer, the ends of raw text and comments, and the references.
//! Their state is set as a tree builder does, as far as the tags of one element determine it. Attributes in the content
//! are not kept, so reading is linear. CDATA sections in SVG and MathML in HTML are left out.

use std::borrow::Cow;

use memchr::memchr;

use super::words::{Words, cut};
use crate::html::scan::lower_case;
use crate::html::scan::markup_declaration::comment_end;
use crate::html::scan::raw_text::{self, RawText};
use crate::html::{charref, tag};
use crate::markup::name::NameList;
use crate::span::Span;
use crate::xml::text::{TextReference, reference};

/// Elements whose text is not shown.
const HIDDEN: NameList<7> = NameList::of("iframe noembed noframes noscript script style template");

/// Elements of HTML whose text has no markup.
const RAW: NameList<10> =
    NameList::of("iframe noembed noframes noscript plaintext script style textarea title xmp");

/// Elements of SVG and MathML whose content is HTML.
const INTEGRATION_POINTS: NameList<8> = NameList::of("desc foreignobject mi mn mo ms mtext title");

/// The maximum number of open elements that an end tag is compared with.
const MAX_SEARCHED: usize = 64;

/// The texts of an element. Each has 4,096 bytes at most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ElementText {
    /// The text of an A element, with white space collapsed; `None` for other elements. It ends at the next A element.
    pub text: Option<String>,
    /// The value of the attribute `rel`, decoded.
    pub rel: Option<String>,
    /// The value of the attribute `alt`, decoded.
    pub alt: Option<String>,
}

impl ElementText {
    /// Returns the number of bytes of all texts.
    #[must_use]
    pub fn byte_len(&self) -> usize {
        let texts = [&self.text, &self.rel, &self.alt].into_iter();
        texts.flatten().map(String::len).sum()
    }
}

/// Reads the element whose start tag is the first one in `source`: for A elements its text, too.
///
/// `is_foreign` indicates an element of SVG or MathML. Entities in XML are those of XHTML. Others, which only a
/// document type declares, are left out.
pub(super) fn read(source: &str, is_xml: bool, is_anchor: bool, is_foreign: bool) -> ElementText {
    let bytes = source.as_bytes();
    // An incomplete character may come before the start tag.
    let start = memchr(b'<', bytes).unwrap_or_default();
    let Some(tag) = tag::split(bytes, start) else {
        return ElementText::default();
    };
    let value = |name: &str| {
        let mut attributes = tag.attributes.iter();
        let found = attributes.find(|attribute| {
            let written = &source[attribute.name.start..attribute.name.end];
            written == name || (!is_xml && written.eq_ignore_ascii_case(name))
        })?;
        let raw = &source[found.value.start..found.value.end];
        if !is_xml {
            return Some(cut(&charref::decode(raw, 0).text));
        }
        let spaced = raw.replace("\r\n", " ").replace(['\t', '\n', '\r'], " ");
        let (text, is_known) = decode_xml(&spaced);
        Some(cut(if is_known { &text } else { raw }))
    };
    let text = is_anchor.then(|| {
        let is_self_closing = tag::is_self_closing(bytes, tag.span, tag.name.end);
        let mut content = ElementContent {
            source,
            is_xml,
            name: name(source, is_xml, tag.name),
            words: Words::default(),
            pos: tag.span.end,
            open: 1,
            hidden: Vec::new(),
            foreign: Vec::from_iter(is_foreign.then_some(Cow::Borrowed("svg"))),
        };
        if !is_self_closing || !(is_xml || is_foreign) {
            content.read();
        }
        content.words.text
    });
    let (rel, alt) = (value("rel"), value("alt"));
    ElementText { text, rel, alt }
}

/// Returns the name at `span`: in lower case in HTML, without a prefix in XML.
fn name(source: &str, is_xml: bool, span: Span) -> Cow<'_, str> {
    let name = &source[span.start..span.end];
    match name.split_once(':').filter(|_| is_xml) {
        Some((_, local)) => local.into(),
        None if is_xml => name.into(),
        None => lower_case(name),
    }
}

/// Returns the text that `raw` represents in XML without unknown entities, and whether it has none of them.
fn decode_xml(raw: &str) -> (String, bool) {
    let (mut text, mut is_known) = (String::new(), true);
    let mut rest = raw;
    while let Some(pos) = memchr(b'&', rest.as_bytes()) {
        text.push_str(&rest[..pos]);
        let (parsed, length) = match reference(&rest[pos..]) {
            Some((parsed, length)) => (parsed, length),
            None => (TextReference::Character('&'), 1),
        };
        match parsed {
            TextReference::Character(character) => text.push(character),
            TextReference::Entity(name) => is_known &= charref::push_entity(name, &mut text),
        }
        rest = &rest[pos + length..];
    }
    text.push_str(rest);
    (text, is_known)
}

/// The content of an element.
struct ElementContent<'s> {
    source: &'s str,
    is_xml: bool,
    /// The name of the element.
    name: Cow<'s, str>,
    words: Words,
    /// The offset up to which the source is read.
    pos: usize,
    /// The number of open elements with this name.
    open: usize,
    /// The names, which are the same, of the open elements whose text is not shown.
    hidden: Vec<Cow<'s, str>>,
    /// The names of `svg` and `math` elements that are open, and of the integration points in them.
    foreign: Vec<Cow<'s, str>>,
}

/// Markup in the content.
enum ContentMarkup<'s> {
    /// A start tag with its name, and whether it closes itself.
    StartTag(Cow<'s, str>, bool),
    /// An end tag with its name.
    EndTag(Cow<'s, str>),
    /// Other markup, with the text that it contains.
    Other(&'s str),
}

impl<'s> ElementContent<'s> {
    /// Reads to the end of the element, or until the text is complete.
    fn read(&mut self) {
        let source = self.source;
        let mut from = self.pos;
        while let Some(found) = memchr(b'<', &source.as_bytes()[from..]) {
            let start = from + found;
            let Some((markup, end)) = self.markup(start) else {
                // A literal `<`.
                from = start + 1;
                continue;
            };
            if self.push_text(self.pos, start) {
                return;
            }
            self.pos = end;
            let is_over = match markup {
                ContentMarkup::StartTag(tag, is_self_closing) => {
                    self.start_tag(tag, is_self_closing)
                }
                ContentMarkup::EndTag(tag) => self.end_tag(&tag),
                ContentMarkup::Other(text) => self.push(text),
            };
            if is_over {
                return;
            }
            from = self.pos;
        }
        self.push_text(self.pos, source.len());
    }

    /// Returns the markup that begins with the `<` at `start`, and its end. Returns `None` if that is literal.
    fn markup(&self, start: usize) -> Option<(ContentMarkup<'s>, usize)> {
        let (source, bytes, is_xml) = (self.source, self.source.as_bytes(), self.is_xml);
        let after = |prefix: &str, close: &str| {
            let inner = start + prefix.len();
            source[inner..]
                .find(close)
                .map(|length| inner + length + close.len())
        };
        let rest = &source[start..];
        let is_end_tag = rest.starts_with("</");
        let name_start = start + 1 + usize::from(is_end_tag);
        let first = *bytes.get(name_start)?;
        let mut text = "";
        let end = if first.is_ascii_alphabetic()
            || (is_xml && (first >= 0x80 || b"_:".contains(&first)))
        {
            let name_end = tag::name_end(bytes, name_start);
            if let Some(end) = tag::skip(bytes, name_end) {
                let name = name(source, is_xml, Span::new(name_start, name_end));
                let markup = if is_end_tag {
                    ContentMarkup::EndTag(name)
                } else {
                    let is_self_closing =
                        tag::is_self_closing(bytes, Span::new(start, end), name_end);
                    ContentMarkup::StartTag(name, is_self_closing)
                };
                return Some((markup, end));
            }
            None
        } else if rest.starts_with("<!--") {
            let end = || comment_end(bytes, start + "<!--".len());
            if is_xml { after("<!--", "-->") } else { end() }
        } else if is_xml && rest.starts_with("<![CDATA[") {
            let end = after("<![CDATA[", "]]>")?;
            text = &source[start + "<![CDATA[".len()..end - "]]>".len()];
            Some(end)
        } else if is_xml && first == b'?' {
            after("<?", "?>")
        } else if is_end_tag || b"!?".contains(&first) {
            after("<", ">")
        } else {
            return None;
        };
        Some((ContentMarkup::Other(text), end.unwrap_or(source.len())))
    }

    /// Appends a text that is shown. Returns whether the text of the element is complete.
    fn push(&mut self, text: &str) -> bool {
        self.hidden.is_empty() && self.words.push(text)
    }

    /// Appends the text from `start` to `end`, as [`push`](Self::push) does.
    fn push_text(&mut self, start: usize, end: usize) -> bool {
        let raw = &self.source[start..end];
        if !self.hidden.is_empty() {
            return false;
        }
        if self.is_xml {
            return self.push(&decode_xml(raw).0);
        }
        // The tree builder ignores U+0000.
        raw.split('\0')
            .any(|part| self.push(&charref::decode_text(part)))
    }

    /// Handles a start tag, and the text after it if that has no markup. Returns whether the text is complete.
    fn start_tag(&mut self, tag: Cow<'s, str>, is_self_closing: bool) -> bool {
        let is_root = is_foreign_root(&tag);
        let is_foreign = self
            .foreign
            .last()
            .is_some_and(|name| is_foreign_root(name));
        // In HTML, an element that closes itself is not empty.
        let is_empty = is_self_closing && (self.is_xml || is_foreign || is_root);
        if tag == self.name {
            if !self.is_xml {
                return true;
            }
            self.open += usize::from(!is_empty);
        }
        self.words.tag(&tag, self.hidden.is_empty());
        if is_empty {
            return false;
        }
        let is_hidden = match self.hidden.first() {
            Some(hidden) => *hidden == tag,
            None => HIDDEN.spelling(&tag) == Some(&*tag),
        };
        self.hidden.extend(is_hidden.then(|| tag.clone()));
        if !self.is_xml && !is_foreign && RAW.contains(&tag) {
            return self.raw_text(&tag);
        }
        if is_root || (is_foreign && INTEGRATION_POINTS.contains(&tag)) {
            self.foreign.push(tag);
        }
        false
    }

    /// Reads the text of the element `name`, which has no tags in it. Returns whether the text is complete.
    fn raw_text(&mut self, name: &str) -> bool {
        let (source, start) = (self.source, self.pos);
        let kind = match name {
            "script" => RawText::Script,
            _ => RawText::UpToEndTag,
        };
        let end = raw_text::end_tag(source.as_bytes(), start, name.as_bytes(), kind);
        let end = end.filter(|_| name != "plaintext");
        self.pos = end.unwrap_or(source.len());
        let raw = &source[start..self.pos];
        self.push(&match name {
            "textarea" | "title" => charref::decode_text(raw),
            _ => charref::decode_raw(raw, 0).text,
        })
    }

    /// Handles an end tag. Returns whether it ends the element.
    fn end_tag(&mut self, tag: &str) -> bool {
        self.open -= usize::from(*tag == *self.name);
        self.words.tag(tag, self.hidden.is_empty());
        self.hidden.pop_if(|hidden| **hidden == *tag);
        let mut innermost = self.foreign.iter().rev().take(MAX_SEARCHED);
        if let Some(index) = innermost.position(|open| **open == *tag) {
            let depth = self.foreign.len() - index - 1;
            self.foreign.truncate(depth);
        }
        self.open == 0
    }
}

/// Returns whether an element with this name begins SVG or MathML.
fn is_foreign_root(name: &str) -> bool {
    matches!(name, "svg" | "math")
}
