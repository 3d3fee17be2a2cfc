//! The general path for tags: reads any tag, in any phase, and decides whether it is recorded.
//!
//! The end of a tag depends on the tag alone, so [`tag`] finds it without any state. Afterwards the tag is
//! passed to whatever tracks the tree at this point, in this order:
//!
//! 1. [`foreign`], if an SVG or MathML element is open: the tag belongs there, or it closes all of them, or the scanner
//!    bails out.
//! 2. [`phase`](super::phase), if there is no BODY yet: the tag may begin or end HEAD.
//! 3. [`element`](super::element), if the name is that of an element with a meaning of its own. A prefilter rules out
//!    most names, so that an ordinary tag does not pay for this list.
//!
//! A start tag is recorded if one of its attributes may be a link. Attributes are appended to the tokens while the
//! tag is read, before this is known, and removed again if it is not recorded.
//!
//! The [body path](super::body) must produce the same tokens as this module for every tag that it accepts.

use std::borrow::Cow;
use std::iter;

use memchr::memchr;

use super::attributes::{Attributes, RawTag};
use super::element::SPECIAL;
use super::phase::Phase;
use super::{BailOut, MarkupEnd, Scanner, Template, foreign, lower_case, raw_text};
use crate::html::tag;
use crate::markup::name::{HEAD, NameKey, TEMPLATE};
use crate::markup::tokens::{Namespace, StartTag, TextContent, TextKind};
use crate::span::Span;

impl<'t> Scanner<'t, '_> {
    /// Reads the markup that begins with `</` at `start`.
    pub(super) fn end_tag(&mut self, start: usize) -> MarkupEnd {
        let name_start = start + 2;
        match self.bytes.get(name_start) {
            Some(byte) if byte.is_ascii_alphabetic() => {}
            // "</>" is dropped, and anything else that is no name begins a bogus comment.
            Some(b'>') => return Ok(Some(name_start + 1)),
            Some(_) => return Ok(self.find_after(name_start, b'>')),
            // Text, if the document ends here; otherwise the caller rolls back.
            None => {
                self.start_body(start);
                return Ok(None);
            }
        }
        let name_end = tag::name_end(self.bytes, name_start);
        let Some(end) = tag::skip(self.bytes, name_end) else {
            return Ok(None);
        };
        self.tokens.tags += 1;
        if !self.state.foreign.is_empty() {
            let written = &self.text[name_start..name_end];
            let searches = &mut self.state.searches;
            let may_be_open = || searches.may_find(written.as_bytes(), &self.bytes[..start]);
            self.state.foreign.end_tag(written, may_be_open)?;
        } else if self.state.phase != Phase::Body {
            let name = NameKey::folded(self.bytes, Span::new(name_start, name_end));
            let had_head = self.state.phase.has_head();
            self.state.phase = self.state.phase.end_tag(name);
            if !had_head && self.state.phase.has_head() {
                self.tokens.head_start = Some(start);
            }
            self.end_head(start);
        }
        Ok(Some(end))
    }

    /// Reads the start tag at `start`, and the text of its element if that is raw.
    pub(super) fn start_tag(&mut self, start: usize) -> MarkupEnd {
        let name_start = start + 1;
        let name_end = tag::name_end(self.bytes, name_start);
        let first_attribute = self.tokens.attributes.len();
        let attributes = if self.bytes.get(name_end) == Some(&b'>') {
            Attributes {
                end: name_end + 1,
                has_link: false,
            }
        } else if let Some(attributes) = self.collect_attributes(first_attribute, name_end) {
            attributes
        } else {
            return Ok(None);
        };
        let tag = RawTag {
            span: Span::new(start, attributes.end),
            name: Span::new(name_start, name_end),
            first_attribute,
            has_link: attributes.has_link,
        };
        self.tokens.tags += 1;
        if !self.state.foreign.is_empty() && !self.exit_foreign_if_html(&tag)? {
            return self.foreign_start_tag(&tag, self.state.foreign.namespace());
        }
        if self.state.phase != Phase::Body {
            self.tag_before_body(&tag);
        }
        if SPECIAL.may_contain(self.bytes, tag.name) {
            return self.html_start_tag(&tag);
        }
        self.push_tag_if_link(&tag, Namespace::Html)?;
        Ok(Some(tag.span.end))
    }

    /// Advances the phase at a start tag, and records where HEAD begins if the tag begins it.
    fn tag_before_body(&mut self, tag: &RawTag) {
        let name = NameKey::folded(self.bytes, tag.name);
        if name == Some(TEMPLATE) {
            self.state.template = Template::InHead;
        }
        let had_head = self.state.phase.has_head();
        self.state.phase = self.state.phase.start_tag(name);
        if !had_head && self.state.phase.has_head() {
            // HEAD begins after its own start tag, but before the tag of an element that implies it.
            let is_head = name == Some(HEAD);
            let Span { start, end } = tag.span;
            self.tokens.head_start = Some(if is_head { end } else { start });
        }
        self.end_head(tag.span.start);
    }

    /// Records `start` as the end of HEAD if HEAD is over.
    fn end_head(&mut self, start: usize) {
        if self.state.phase.is_after_head() {
            self.state.head_end.get_or_insert(start);
        }
    }

    /// Closes all elements of SVG and MathML at a start tag that is not allowed there, and returns whether it did.
    fn exit_foreign_if_html(&mut self, tag: &RawTag) -> Result<bool, BailOut> {
        let name = &self.text[tag.name.start..tag.name.end];
        // Only called for FONT, so reading the tag once more does not matter.
        let has_attribute = |name: &str| {
            tag::split(self.bytes, tag.span.start)
                .is_some_and(|tag| tag.attribute(self.bytes, name.as_bytes()).is_some())
        };
        self.state.foreign.exit_if_html(name, has_attribute)
    }

    /// Handles a start tag that creates an element of SVG or MathML.
    pub(super) fn foreign_start_tag(&mut self, tag: &RawTag, namespace: Namespace) -> MarkupEnd {
        let name = &self.text[tag.name.start..tag.name.end];
        let is_self_closing = tag::is_self_closing(self.bytes, tag.span, tag.name.end);
        let is_style = namespace == Namespace::Svg && name.eq_ignore_ascii_case("style");
        if is_style {
            // Its text may contain links.
            self.push_tag(tag, namespace)?;
        } else {
            self.push_tag_if_link(tag, namespace)?;
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

    /// Records the text of an SVG STYLE, which begins at `start`. Returns whether the chunk contains all of it.
    ///
    /// The end tag must be in the chunk as well; at the end of the document it may be missing.
    fn foreign_style(&mut self, start: usize) -> Result<bool, BailOut> {
        const NAME: &[u8] = b"style";
        let end =
            memchr(b'<', &self.bytes[start..]).map_or(self.bytes.len(), |offset| start + offset);
        let longest_end = end + b"</".len() + NAME.len() + b">".len();
        // Too little text to see whether this is the end tag.
        if !self.is_last && self.bytes.len() < longest_end {
            return Ok(false);
        }
        let is_end_tag = raw_text::is_end_tag(self.bytes, end, NAME);
        let name_end = end + b"</".len() + NAME.len();
        let is_cut_off = is_end_tag && tag::skip(self.bytes, name_end).is_none();
        if is_cut_off && !self.is_last {
            return Ok(false);
        }
        // Other markup (an element, a comment, a CDATA section) does not end the text. An end tag that the end of the
        // document cuts off is neither a tag nor text.
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

    /// Records a start tag if one of its attributes may be a link, and returns whether it did.
    pub(super) fn push_tag_if_link(
        &mut self,
        tag: &RawTag,
        namespace: Namespace,
    ) -> Result<bool, BailOut> {
        if tag.has_link {
            self.push_tag(tag, namespace)?;
        } else {
            self.tokens.attributes.truncate(tag.first_attribute);
        }
        Ok(tag.has_link)
    }

    /// Records a start tag, with the attributes that were kept from [`RawTag::first_attribute`] on.
    #[inline]
    pub(super) fn push_tag(&mut self, tag: &RawTag, namespace: Namespace) -> Result<(), BailOut> {
        let key = NameKey::at(self.bytes, tag.name.start, tag.name.end);
        // A name that has a key contains neither U+0000 nor capitals, because a key does not preserve them.
        let is_full = self.tokens.attributes.len() >= self.max_kept;
        if is_full || self.has_null_in_name || key.is_none() || namespace != Namespace::Html {
            return self.push_respelled_tag(tag, namespace, key);
        }
        let name = Cow::Borrowed(&self.text[tag.name.start..tag.name.end]);
        self.push_named_tag(tag, namespace, name, key);
        Ok(())
    }

    /// Records a start tag whose names may be spelled otherwise in the tree, or contain U+0000, unless there are very
    /// many.
    #[cold]
    fn push_respelled_tag(
        &mut self,
        tag: &RawTag,
        namespace: Namespace,
        key: Option<NameKey>,
    ) -> Result<(), BailOut> {
        if self.tokens.attributes.len() >= self.max_kept {
            return Err(BailOut::ManyTags);
        }
        let written = &self.text[tag.name.start..tag.name.end];
        if self.has_null_in_name || (key.is_none() && written.bytes().any(|byte| byte == 0)) {
            return Err(BailOut::NullCharacter);
        }
        let name = match namespace {
            Namespace::Svg => foreign::SVG_ELEMENTS.spelling(written).map(Cow::Borrowed),
            _ => None,
        };
        let name = name.unwrap_or_else(|| match key {
            Some(_) => Cow::Borrowed(written),
            None => lower_case(written),
        });
        // Only now, because the namespace is not known while attributes are collected.
        if namespace != Namespace::Html {
            for attribute in &mut self.tokens.attributes[tag.first_attribute..] {
                if let Some(spelled) = foreign::attribute_spelling(namespace, &attribute.name) {
                    attribute.name = Cow::Borrowed(spelled);
                }
            }
        }
        self.push_named_tag(tag, namespace, name, key);
        Ok(())
    }

    /// Records a start tag whose name in the tree is `name`.
    #[inline]
    fn push_named_tag(
        &mut self,
        tag: &RawTag,
        namespace: Namespace,
        name: Cow<'t, str>,
        key: Option<NameKey>,
    ) {
        let attributes = Span::new(tag.first_attribute, self.tokens.attributes.len());
        // Written in place: `push` would copy it from the stack.
        self.tokens.start_tags.extend(iter::once_with(|| StartTag {
            namespace,
            name,
            key,
            span: tag.span,
            attributes,
            text: None,
            is_child_of_head: false,
            scope: 0,
        }));
    }
}
