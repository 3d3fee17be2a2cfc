//! Start tags of HTML elements with a meaning of their own: those whose text is raw, `svg` and `math`, and those that
//! affect how the rest of the document is read.

use std::borrow::Cow;

use super::any_tag::RawTag;
use super::head::Phase;
use super::raw_text::{self, RawText};
use super::{BailOut, MarkupEnd, Scanner, Template};
use crate::html::encoding::meta;
use crate::html::name_set::{NameKey, NamePrefilter, key, key_at, key_prefix};
use crate::html::tokens::{Attribute, TextContent, TextKind};
use crate::html::{BaseElement, NameAndValue, Namespace, TreeLocation, charref, tag};
use crate::span::Span;

/// The placeholder for the key of "plaintext", which is too long to have one.
///
/// A key is in lower case, so no name has this one.
pub(super) const LONG_PLAINTEXT: u64 = key(b"PLAINTEX");

/// The placeholder for the keys of all other names that are too long to have one.
pub(super) const LONG: u64 = key(b"LONG");

/// The names that [`Scanner::html_start_tag`] distinguishes. Invariant: a name it matches on is in this list.
const SPECIAL: &[&str] = &[
    "script",
    "style",
    "title",
    "textarea",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "plaintext",
    "svg",
    "math",
    "base",
    "meta",
    "noscript",
    "image",
    "template",
    "frameset",
    "col",
];

const SPECIAL_PREFILTER: NamePrefilter = NamePrefilter::of(SPECIAL);

/// Returns whether a name may be one of [`SPECIAL`]. The prefilter rejects most other names.
#[inline]
pub(super) fn may_be_special(bytes: &[u8], name: Span) -> bool {
    SPECIAL_PREFILTER.may_contain_like(bytes[name.start], name.end - name.start)
}

/// Returns whether a name is one of [`SPECIAL`]. May return `true` for another name of more than eight bytes.
///
/// Only the first eight bytes are compared: the body path may reject an ordinary tag, but must not accept a special
/// one.
#[inline]
pub(super) fn is_special(bytes: &[u8], name: Span) -> bool {
    const KEYS: [u64; SPECIAL.len()] = {
        let mut keys = [0; SPECIAL.len()];
        let mut index = 0;
        while index < SPECIAL.len() {
            keys[index] = key_prefix(SPECIAL[index].as_bytes());
            index += 1;
        }
        keys
    };
    may_be_special(bytes, name) && KEYS.contains(&key_at(bytes, name.start, name.end - name.start))
}

/// The treatment of the raw text of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextCapture {
    /// The text may contain links: it is recorded with the start tag, whatever the attributes are.
    Record,
    /// The text cannot contain links: it is not recorded.
    Skip,
}

impl Scanner<'_, '_> {
    /// Handles a start tag in HTML content.
    pub(super) fn html_start_tag(&mut self, tag: &RawTag) -> MarkupEnd {
        const SCRIPT: u64 = key(b"script");
        const STYLE: u64 = key(b"style");
        const TITLE: u64 = key(b"title");
        const TEXTAREA: u64 = key(b"textarea");
        const XMP: u64 = key(b"xmp");
        const IFRAME: u64 = key(b"iframe");
        const NOEMBED: u64 = key(b"noembed");
        const NOFRAMES: u64 = key(b"noframes");
        const SVG: u64 = key(b"svg");
        const MATH: u64 = key(b"math");
        const BASE: u64 = key(b"base");
        const META: u64 = key(b"meta");
        const NOSCRIPT: u64 = key(b"noscript");
        const IMAGE: u64 = key(b"image");
        const TEMPLATE: u64 = key(b"template");
        const FRAMESET: u64 = key(b"frameset");
        const COL: u64 = key(b"col");
        match self.key(tag.name) {
            LONG_PLAINTEXT => {
                self.expect_no_frameset()?;
                self.push_tag_if_link(tag, Namespace::Html)?;
                // Nothing ends its text, not even an end tag.
                return Ok(None);
            }
            SCRIPT => {
                return self.raw_text(tag, b"script", RawText::Script, TextCapture::Record);
            }
            STYLE => {
                return self.raw_text(tag, b"style", RawText::UpToEndTag, TextCapture::Record);
            }
            TITLE => return self.raw_text(tag, b"title", RawText::UpToEndTag, TextCapture::Skip),
            TEXTAREA => {
                return self.raw_text(tag, b"textarea", RawText::UpToEndTag, TextCapture::Skip);
            }
            XMP => return self.raw_text(tag, b"xmp", RawText::UpToEndTag, TextCapture::Skip),
            IFRAME => return self.raw_text(tag, b"iframe", RawText::UpToEndTag, TextCapture::Skip),
            NOEMBED => {
                return self.raw_text(tag, b"noembed", RawText::UpToEndTag, TextCapture::Skip);
            }
            NOFRAMES => {
                return self.raw_text(tag, b"noframes", RawText::UpToEndTag, TextCapture::Skip);
            }
            SVG => {
                self.expect_no_frameset()?;
                return self.foreign_start_tag(tag, Namespace::Svg);
            }
            MATH => {
                self.expect_no_frameset()?;
                return self.foreign_start_tag(tag, Namespace::MathMl);
            }
            BASE => {
                self.base(tag)?;
                return Ok(Some(tag.span.end));
            }
            // Only the first declaration counts.
            META if self.tokens.declared_encoding.is_none() => {
                self.tokens.declared_encoding = meta::declared_encoding(self.text, tag.span);
                if self.tokens.declared_encoding.is_some() {
                    self.expect_no_frameset()?;
                }
            }
            // Always recorded: `insert_base` must not reuse a BASE after it, which may be text where scripts run.
            NOSCRIPT => {
                self.push_tag(tag, Namespace::Html)?;
                return Ok(Some(tag.span.end));
            }
            IMAGE => {
                // The tree builder changes the name, unless it ignores the tag.
                self.expect_no_frameset()?;
                if self.push_tag_if_link(tag, Namespace::Html)?
                    && let Some(tag) = self.tokens.start_tags.last_mut()
                {
                    tag.name = Cow::Borrowed("img");
                    tag.key = NameKey::of(b"img");
                }
                return Ok(Some(tag.span.end));
            }
            TEMPLATE => {
                self.expect_no_frameset()?;
                if self.state.template == Template::None {
                    self.state.template = Template::InBody;
                }
            }
            // Whether it is accepted depends on the content so far; assume the worst.
            FRAMESET => self.state.has_frameset = true,
            COL if self.state.template != Template::None => return Err(BailOut::ColumnInTemplate),
            _ => {}
        }
        self.push_tag_if_link(tag, Namespace::Html)?;
        Ok(Some(tag.span.end))
    }

    /// Bails out if a FRAMESET may be open, where the tree builder ignores the element.
    fn expect_no_frameset(&self) -> Result<(), BailOut> {
        if self.state.has_frameset {
            Err(BailOut::ElementAfterFrameset)
        } else {
            Ok(())
        }
    }

    /// Handles the start tag of an element with raw text, its text and its end tag.
    ///
    /// A text without an end tag extends to the end of the document. The start tag is recorded nevertheless.
    fn raw_text(
        &mut self,
        tag: &RawTag,
        name: &[u8],
        kind: RawText,
        capture: TextCapture,
    ) -> MarkupEnd {
        // NOFRAMES is the only one that is allowed in a FRAMESET.
        if name != b"noframes" {
            self.expect_no_frameset()?;
        }
        let start = tag.span.end;
        let end_tag = raw_text::end_tag(self.bytes, start, name, kind);
        if capture == TextCapture::Record {
            self.push_tag(tag, Namespace::Html)?;
            if let Some(tag) = self.tokens.start_tags.last_mut() {
                tag.text = Some(TextContent {
                    span: Span::new(start, end_tag.unwrap_or(self.bytes.len())),
                    kind: TextKind::Raw,
                });
            }
        } else {
            self.push_tag_if_link(tag, Namespace::Html)?;
        }
        let Some(end_tag) = end_tag else {
            return Ok(None);
        };
        // The end tag is not passed to `Scanner::end_tag`: it can affect neither the phase nor SVG or MathML.
        let end = tag::skip(self.bytes, end_tag + b"</".len() + name.len());
        if end.is_some() {
            self.tokens.tags += 1;
        }
        Ok(end)
    }

    /// Handles the start tag of a BASE element, and keeps all of its attributes.
    fn base(&mut self, tag: &RawTag) -> Result<(), BailOut> {
        if self.state.phase == Phase::Body {
            return Err(BailOut::BaseAfterHead);
        }
        // Replaces the attributes kept so far, which are only those in the set of names.
        self.tokens.attributes.truncate(tag.first_attribute);
        self.keep_all_attributes(tag.span.start);
        self.push_tag(tag, Namespace::Html)?;
        let tokens = &mut self.tokens;
        let Some(base) = tokens.start_tags.last_mut() else {
            return Ok(());
        };
        base.is_child_of_head = true;
        let to_owned = |attribute: &Attribute<'_>| {
            let value = &self.text[attribute.value.start..attribute.value.end];
            NameAndValue {
                name: attribute.name.clone().into_owned(),
                // The offset only matters for the map, which is dropped.
                value: charref::decode(value, 0).text.into_owned(),
            }
        };
        let kept = &tokens.attributes[tag.first_attribute..];
        let attributes: Vec<_> = kept.iter().map(to_owned).collect();
        if let Some(href) = attributes.iter().find(|attribute| attribute.name == "href") {
            tokens.base_elements.push(BaseElement {
                href: href.value.clone(),
                attributes,
                location: TreeLocation::Head,
            });
        }
        Ok(())
    }
}
