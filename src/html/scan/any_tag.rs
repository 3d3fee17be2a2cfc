//! Tags: where they end, and which are kept.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use super::attributes::{self, Attributes};
use super::element::{LONG, LONG_PLAINTEXT, is_like_special};
use super::head::Phase;
use super::{BailOut, ScanState, Scanner, TagEnd, Template, foreign, lower_case, raw_text};
use crate::html::name_set::{NameKey, key, key_at};
use crate::html::tokens::{StartTag, TextContent, TextKind};
use crate::html::{Namespace, tag};
use crate::span::Span;

impl Scanner<'_, '_> {
    /// What begins with `</`.
    pub(super) fn end_tag(&mut self, start: usize) -> TagEnd {
        let name_start = start + 2;
        match self.bytes.get(name_start) {
            Some(byte) if byte.is_ascii_alphabetic() => {}
            Some(b'>') => return Ok(Some(name_start + 1)),
            Some(_) => return Ok(self.behind(name_start, b'>')),
            None => {
                self.body_begins(start);
                return Ok(None);
            }
        }
        let name_end = attributes::name_end(self.bytes, name_start);
        let Some(end) = attributes::skip(self.bytes, name_end) else {
            return Ok(None);
        };
        self.tokens.tags += 1;
        if !self.state.foreign.is_empty() {
            let (bytes, name) = (self.bytes, Span::new(name_start, name_end));
            let ScanState {
                foreign,
                searches,
                is_behind_text,
                ..
            } = &mut self.state;
            let was_opened = || {
                *searches += 1;
                *is_behind_text || *searches > MOST_SEARCHES || has_start_tag(bytes, name)
            };
            foreign.end_tag(&self.text[name_start..name_end], was_opened)?;
        } else if self.state.phase != Phase::Body {
            let name = self.key(Span::new(name_start, name_end));
            let had_head = self.state.phase.has_head();
            self.state.phase = self.state.phase.end_tag(name);
            if !had_head && self.state.phase.has_head() {
                self.tokens.head_start = Some(start);
            }
        }
        Ok(Some(end))
    }

    pub(super) fn start_tag(&mut self, start: usize) -> TagEnd {
        let name_start = start + 1;
        let name_end = attributes::name_end(self.bytes, name_start);
        let first = self.tokens.attributes.len();
        let found = if self.bytes.get(name_end) == Some(&b'>') {
            Attributes {
                end: name_end + 1,
                has_link: false,
            }
        } else if let Some(found) = self.attributes(first, name_end) {
            found
        } else {
            return Ok(None);
        };
        let tag = RawTag {
            span: Span::new(start, found.end),
            name: Span::new(name_start, name_end),
            first,
            has_link: found.has_link,
        };
        self.tokens.tags += 1;
        if !self.state.foreign.is_empty() && self.is_foreign(&tag)? {
            return self.foreign_start_tag(&tag, self.state.foreign.namespace());
        }
        if self.state.phase != Phase::Body {
            self.tag_before_body(&tag, self.key(tag.name));
        }
        if is_like_special(self.bytes, tag.name) {
            return self.html_start_tag(&tag);
        }
        self.note(&tag, Namespace::Html)?;
        Ok(Some(tag.span.end))
    }

    /// The key of a name; of one that is longer than all those that are looked for, a key that none of them has.
    pub(super) fn key(&self, name: Span) -> u64 {
        const PLAINTEXT: &[u8] = b"plaintext";
        match name.end - name.start {
            length @ 0..=8 => key_at(self.bytes, name.start, length),
            9 if self.bytes[name.start..name.end].eq_ignore_ascii_case(PLAINTEXT) => LONG_PLAINTEXT,
            _ => LONG,
        }
    }

    /// The phase behind a start tag, and where HEAD begins if that made one.
    fn tag_before_body(&mut self, tag: &RawTag, name: u64) {
        const TEMPLATE: u64 = key(b"template");
        if name == TEMPLATE {
            self.state.template = Template::InHead;
        }
        let had_head = self.state.phase.has_head();
        let step = self.state.phase.start_tag(name);
        if !had_head && step.phase.has_head() {
            let place = if step.is_head {
                tag.span.end
            } else {
                tag.span.start
            };
            self.tokens.head_start = Some(place);
        }
        self.state.phase = step.phase;
    }

    /// Whether a start tag within SVG or MathML makes an element of theirs; if not, these are over.
    fn is_foreign(&mut self, tag: &RawTag) -> Result<bool, BailOut> {
        let text = self.text;
        let has_attribute = |name: &str| {
            let tag = tag::split(text, tag.span.start);
            let attributes = tag.map(|tag| tag.attributes).unwrap_or_default();
            let mut names = attributes
                .iter()
                .map(|one| &text[one.name.start..one.name.end]);
            names.any(|own| own.eq_ignore_ascii_case(name))
        };
        self.state
            .foreign
            .admit(&text[tag.name.start..tag.name.end], has_attribute)
    }

    /// A start tag that makes an element of SVG or MathML.
    pub(super) fn foreign_start_tag(&mut self, tag: &RawTag, namespace: Namespace) -> TagEnd {
        let name = &self.text[tag.name.start..tag.name.end];
        let is_self_closing = attributes::is_self_closing(self.bytes, tag.span, tag.name.end);
        let is_style = namespace == Namespace::Svg && name.eq_ignore_ascii_case("style");
        if is_style {
            self.add(tag, namespace)?;
        } else {
            self.note(tag, namespace)?;
        }
        if is_self_closing {
            return Ok(Some(tag.span.end));
        }
        self.state.foreign.push(namespace, name);
        if is_style && !self.foreign_style(tag.span.end)? {
            return Ok(None);
        }
        Ok(Some(tag.span.end))
    }

    /// The text of a STYLE of SVG, which begins at `start`; whether what is behind it is there, or nothing is.
    fn foreign_style(&mut self, start: usize) -> Result<bool, BailOut> {
        const NAME: &[u8] = b"style";
        let end =
            memchr(b'<', &self.bytes[start..]).map_or(self.bytes.len(), |offset| start + offset);
        let longest_end = end + b"</".len() + NAME.len() + b">".len();
        if !self.is_last && self.bytes.len() < longest_end {
            return Ok(false);
        }
        let is_end_tag = raw_text::is_end_tag(self.bytes, end, NAME);
        let name_end = end + b"</".len() + NAME.len();
        let is_cut_off = is_end_tag && attributes::skip(self.bytes, name_end).is_none();
        if is_cut_off && !self.is_last {
            return Ok(false);
        }
        // One that is cut off is no tag, and no text either: the text ends behind it.
        if (!is_end_tag || is_cut_off) && end < self.bytes.len() {
            return Err(BailOut::MarkupInForeignStyle);
        }
        if start < end
            && let Some(tag) = self.tokens.start_tags.last_mut()
        {
            tag.text = Some(TextContent {
                span: Span::new(start, end),
                kind: TextKind::Foreign,
            });
        }
        Ok(true)
    }

    /// Keeps a start tag if one of its attributes may be a link; whether it is kept.
    pub(super) fn note(&mut self, tag: &RawTag, namespace: Namespace) -> Result<bool, BailOut> {
        if tag.has_link {
            self.add(tag, namespace)?;
        } else {
            self.tokens.attributes.truncate(tag.first);
        }
        Ok(tag.has_link)
    }

    /// Keeps a start tag, with those of its attributes that are kept by now.
    pub(super) fn add(&mut self, tag: &RawTag, namespace: Namespace) -> Result<(), BailOut> {
        let written = &self.text[tag.name.start..tag.name.end];
        let key = NameKey::at(self.bytes, tag.name.start, tag.name.end);
        // A name that has a key is in lower case.
        if self.has_null_in_name || (key.is_none() && written.bytes().any(|byte| byte == 0)) {
            return Err(BailOut::NullCharacter);
        }
        let name = match namespace {
            Namespace::Svg => foreign::svg_element(written).map(Cow::Borrowed),
            Namespace::Html | Namespace::MathMl => None,
        };
        let name = name.unwrap_or_else(|| match key {
            Some(_) => Cow::Borrowed(written),
            None => lower_case(written),
        });
        let tokens = &mut self.tokens;
        if namespace != Namespace::Html {
            for attribute in &mut tokens.attributes[tag.first..] {
                if let Some(spelled) = foreign::attribute(namespace, &attribute.name) {
                    attribute.name = Cow::Borrowed(spelled);
                }
            }
        }
        tokens.start_tags.push(StartTag {
            namespace,
            name,
            key,
            span: tag.span,
            attributes: Span::new(tag.first, tokens.attributes.len()),
            text: None,
            is_child_of_head: false,
        });
        Ok(())
    }
}

/// A start tag that has been taken apart.
pub(super) struct RawTag {
    /// From `<` to behind `>`.
    pub(super) span: Span,
    pub(super) name: Span,
    /// How many attributes of other tags were kept before it.
    pub(super) first: usize,
    /// Whether one of its attributes may be a link.
    pub(super) has_link: bool,
}

/// How often all that was read may be searched for a start tag, so that the time stays linear.
const MOST_SEARCHES: usize = 16;

/// Whether there may be a start tag before `name`, which stands in an end tag, that has the same name.
fn has_start_tag(bytes: &[u8], name: Span) -> bool {
    let name_bytes = &bytes[name.start..name.end];
    let before = &bytes[..name.start];
    memchr_iter(b'<', before).any(|at| {
        let start = before.get(at + 1..at + 1 + name_bytes.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name_bytes))
    })
}
