//! Start tags of HTML of which it matters which they are: those of elements without markup in them, of SVG and MathML, and
//! those that say something about the document.

use std::borrow::Cow;

use super::any_tag::RawTag;
use super::head::Phase;
use super::raw_text::{self, RawText};
use super::{BailOut, Scanner, TagEnd, Template, attributes, meta};
use crate::html::name_set::{NameKey, NamePrefilter, beginning, key, key_at};
use crate::html::tokens::{Attribute, MetaDeclaration, TextContent, TextKind};
use crate::html::{BaseElement, NameAndValue, Namespace, TreeLocation, charref};
use crate::span::Span;

/// Stands for the key of "plaintext", which is too long for one.
pub(super) const LONG_PLAINTEXT: u64 = key(b"PLAINTEX");

/// Stands for the keys of all other names that are too long for one.
pub(super) const LONG: u64 = key(b"LONG");

/// The names that [`Scanner::html_start_tag`] knows.
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

const LETTERS: NamePrefilter = NamePrefilter::of(SPECIAL);

/// Whether a name may be one of [`SPECIAL`]: most are not, and are known by that.
#[inline]
pub(super) fn is_like_special(bytes: &[u8], name: Span) -> bool {
    LETTERS.have(bytes[name.start], name.end - name.start)
}

/// Whether a name is one of [`SPECIAL`], or begins like one that is too long for a key.
#[inline]
pub(super) fn is_special(bytes: &[u8], name: Span) -> bool {
    const KEYS: [u64; SPECIAL.len()] = {
        let mut keys = [0; SPECIAL.len()];
        let mut index = 0;
        while index < SPECIAL.len() {
            keys[index] = beginning(SPECIAL[index].as_bytes());
            index += 1;
        }
        keys
    };
    is_like_special(bytes, name) && KEYS.contains(&key_at(bytes, name.start, name.end - name.start))
}

impl Scanner<'_, '_> {
    /// A start tag in HTML content.
    pub(super) fn html_start_tag(&mut self, tag: &RawTag) -> TagEnd {
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
                self.note(tag, Namespace::Html)?;
                return Ok(None);
            }
            SCRIPT => return self.raw_text(tag, b"script", RawText::Script, true),
            STYLE => return self.raw_text(tag, b"style", RawText::UpToEndTag, true),
            TITLE => return self.raw_text(tag, b"title", RawText::UpToEndTag, false),
            TEXTAREA => return self.raw_text(tag, b"textarea", RawText::UpToEndTag, false),
            XMP => return self.raw_text(tag, b"xmp", RawText::UpToEndTag, false),
            IFRAME => return self.raw_text(tag, b"iframe", RawText::UpToEndTag, false),
            NOEMBED => return self.raw_text(tag, b"noembed", RawText::UpToEndTag, false),
            NOFRAMES => return self.raw_text(tag, b"noframes", RawText::UpToEndTag, false),
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
            META if self.tokens.declared_encoding == MetaDeclaration::Nothing => {
                if let Some(encoding) = meta::declared_encoding(self.text, tag.span) {
                    // If that was let in, this is ignored.
                    self.tokens.declared_encoding = if self.state.has_frameset {
                        MetaDeclaration::Unknown
                    } else {
                        MetaDeclaration::Encoding(encoding)
                    };
                }
            }
            NOSCRIPT => {
                self.add(tag, Namespace::Html)?;
                return Ok(Some(tag.span.end));
            }
            IMAGE => {
                self.expect_no_frameset()?;
                if self.note(tag, Namespace::Html)?
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
            FRAMESET => self.state.has_frameset = true,
            COL if self.state.template != Template::None => return Err(BailOut::ColumnInTemplate),
            _ => {}
        }
        self.note(tag, Namespace::Html)?;
        Ok(Some(tag.span.end))
    }

    /// What is ignored in a FRAMESET must not come if there may be one.
    fn expect_no_frameset(&self) -> Result<(), BailOut> {
        if self.state.has_frameset {
            Err(BailOut::ElementBehindFrameset)
        } else {
            Ok(())
        }
    }

    /// The start tag of an element without markup in it, and its text; `is_kept` says that its text may hold links.
    fn raw_text(&mut self, tag: &RawTag, name: &[u8], kind: RawText, is_kept: bool) -> TagEnd {
        if name != b"noframes" {
            self.expect_no_frameset()?;
        }
        let start = tag.span.end;
        let end_tag = raw_text::end_tag(self.bytes, start, name, kind);
        if is_kept {
            self.add(tag, Namespace::Html)?;
            if let Some(tag) = self.tokens.start_tags.last_mut() {
                tag.text = Some(TextContent {
                    span: Span::new(start, end_tag.unwrap_or(self.bytes.len())),
                    kind: TextKind::Raw,
                });
            }
        } else {
            self.note(tag, Namespace::Html)?;
        }
        let Some(end_tag) = end_tag else {
            return Ok(None);
        };
        let end = attributes::skip(self.bytes, end_tag + b"</".len() + name.len());
        if end.is_some() {
            self.tokens.tags += 1;
        }
        Ok(end)
    }

    /// A BASE, all of whose attributes are kept.
    fn base(&mut self, tag: &RawTag) -> Result<(), BailOut> {
        if self.state.phase == Phase::Body {
            return Err(BailOut::BaseBehindHead);
        }
        self.tokens.attributes.truncate(tag.first);
        self.all_attributes(tag.span.start);
        self.add(tag, Namespace::Html)?;
        let tokens = &mut self.tokens;
        let Some(base) = tokens.start_tags.last_mut() else {
            return Ok(());
        };
        base.is_child_of_head = true;
        let to_own = |one: &Attribute<'_>| NameAndValue {
            name: one.name.clone().into_owned(),
            value: charref::decode(&self.text[one.value.start..one.value.end], 0)
                .text
                .into_owned(),
        };
        let attributes: Vec<_> = tokens.attributes[tag.first..].iter().map(to_own).collect();
        if let Some(href) = attributes.iter().find(|one| one.name == "href") {
            tokens.base_elements.push(BaseElement {
                href: href.value.clone(),
                attributes,
                place: TreeLocation::Head,
            });
        }
        Ok(())
    }
}
