//! Start tags of HTML elements with a meaning of their own: those whose text is raw, `svg` and `math`, and those that
//! affect how the rest of the document is read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::mem;

use super::attributes::RawTag;
use super::phase::Phase;
use super::raw_text::{self, RawText};
use super::{BailOut, MANY_BASES, MarkupEnd, ScanState, ScanUnit, Scanner, Template};
use crate::html::encoding::meta;
use crate::html::{charref, tag};
use crate::markup::name::{
    BASE, COL, FRAMESET, IFRAME, IMAGE, MATH, META, NOEMBED, NOFRAMES, NOSCRIPT, NameKey, NameList,
    SCRIPT, STYLE, SVG, TEMPLATE, TEXTAREA, TITLE, XMP,
};
use crate::markup::tokens::{
    Attribute, BaseElement, NameAndValue, Namespace, TextContent, TextKind, TreeLocation,
};
use crate::span::Span;

/// The names that [`Scanner::html_start_tag`] distinguishes. Invariant: a name it matches on is in this list.
pub(super) const SPECIAL: NameList<18> = NameList::of(
    "\
    script style title textarea xmp iframe noembed noframes plaintext svg math base meta \
    noscript image template frameset col",
);

/// The treatment of the raw text of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextCapture {
    /// The text may contain links, or the element may be removed with it: it is recorded with the start tag, whatever
    /// the attributes are.
    Record,
    /// Neither: the text is not recorded.
    Skip,
}

impl Scanner<'_, '_> {
    /// Handles a start tag in HTML content.
    pub(super) fn html_start_tag(&mut self, tag: &RawTag) -> MarkupEnd {
        let Some(key) = NameKey::folded(self.bytes, tag.name) else {
            // The only special name that is too long for a key.
            let name = &self.text[tag.name.start..tag.name.end];
            let is_plaintext = name.eq_ignore_ascii_case("plaintext");
            if is_plaintext {
                self.expect_no_frameset()?;
            }
            self.push_tag_if_link(tag, Namespace::Html)?;
            // Nothing ends its text, not even an end tag.
            return Ok((!is_plaintext).then_some(tag.span.end));
        };
        if self.state.has_frameset && is_ignored_in_frameset(key) {
            return Err(BailOut::ElementAfterFrameset);
        }
        match key {
            SCRIPT => return self.raw_text(tag, RawText::Script, TextCapture::Record),
            STYLE | IFRAME => {
                return self.raw_text(tag, RawText::UpToEndTag, TextCapture::Record);
            }
            NOSCRIPT | NOFRAMES if self.unit != ScanUnit::Noscript => return self.noscript(tag),
            TITLE | TEXTAREA | XMP | NOEMBED | NOFRAMES => {
                return self.raw_text(tag, RawText::UpToEndTag, TextCapture::Skip);
            }
            SVG => return self.foreign_start_tag(tag, Namespace::Svg),
            MATH => return self.foreign_start_tag(tag, Namespace::MathMl),
            BASE => {
                self.base(tag)?;
                return Ok(Some(tag.span.end));
            }
            // Only the first declaration counts.
            META if self.tokens.declared_encoding.is_none() && self.unit != ScanUnit::Noscript => {
                self.tokens.declared_encoding = meta::declared_encoding(self.text, tag.span);
                if self.tokens.declared_encoding.is_some() {
                    self.expect_no_frameset()?;
                }
            }
            IMAGE => {
                // The tree builder changes the name, unless it ignores the tag.
                if self.push_tag_if_link(tag, Namespace::Html)?
                    && let Some(tag) = self.tokens.start_tags.last_mut()
                {
                    tag.name = Cow::Borrowed("img");
                    tag.key = NameKey::of(b"img");
                }
                return Ok(Some(tag.span.end));
            }
            TEMPLATE if self.state.template == Template::None => {
                self.state.template = Template::InBody;
            }
            // Whether it is accepted depends on the content so far; assume the worst.
            FRAMESET if self.unit != ScanUnit::Noscript => {
                // If it is accepted, it replaces BODY and the BASE in it.
                if self.state.has_base_in_body {
                    return Err(BailOut::BaseAfterHead);
                }
                self.state.has_frameset = true;
            }
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
    fn raw_text(&mut self, tag: &RawTag, kind: RawText, capture: TextCapture) -> MarkupEnd {
        let name = &self.bytes[tag.name.start..tag.name.end];
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

    /// Handles the start tag of a NOSCRIPT or NOFRAMES element, the markup in its text, and its end tag.
    ///
    /// The start tag is always recorded: `insert_base` must not reuse a BASE after it.
    fn noscript(&mut self, tag: &RawTag) -> MarkupEnd {
        let name = &self.bytes[tag.name.start..tag.name.end];
        let start = tag.span.end;
        let end_tag = raw_text::end_tag(self.bytes, start, name, RawText::UpToEndTag);
        let name_end = end_tag.map(|end_tag| end_tag + b"</".len() + name.len());
        let end = name_end.and_then(|name_end| tag::skip(self.bytes, name_end));
        // The rest of the text, or of the end tag, may be in the next chunk.
        if end.is_none() && !self.is_last {
            return Ok(None);
        }
        self.push_tag(tag, Namespace::Html)?;
        let text = Span::new(start, end_tag.unwrap_or(self.bytes.len()));
        self.tokens.noscript_texts.push(text);
        self.noscript_text(text)?;
        self.tokens.tags += usize::from(end.is_some());
        Ok(end)
    }

    /// Reads the text of a NOSCRIPT element as [`super::read_noscript`] does, and adds its tokens to those of the
    /// document.
    fn noscript_text(&mut self, span: Span) -> Result<(), BailOut> {
        let text = &self.text[..span.end];
        let mut content = Scanner {
            text,
            bytes: text.as_bytes(),
            is_last: true,
            unit: ScanUnit::Noscript,
            names: self.names,
            tokens: mem::take(&mut self.tokens),
            state: ScanState {
                // The limit holds for the whole document.
                searches: mem::take(&mut self.state.searches),
                ..ScanState::in_body()
            },
            many_names: HashMap::new(),
            has_null_in_name: self.has_null_in_name,
            segment_tags: usize::MAX,
            max_kept: self.max_kept,
        };
        content.scan(span.start)?;
        self.tokens = content.tokens;
        self.state.searches = content.state.searches;
        self.has_null_in_name = content.has_null_in_name;
        Ok(())
    }

    /// Handles the start tag of a BASE element, and keeps all of its attributes.
    fn base(&mut self, tag: &RawTag) -> Result<(), BailOut> {
        let is_in_body = self.state.phase == Phase::Body;
        if is_in_body && self.unit != ScanUnit::Noscript {
            self.expect_order_of_base(tag)?;
        }
        // Replaces the attributes kept so far, which are only those in the set of names.
        self.tokens.attributes.truncate(tag.first_attribute);
        self.keep_all_attributes(tag.span.start);
        self.push_tag(tag, Namespace::Html)?;
        if self.unit == ScanUnit::Noscript {
            return Ok(());
        }
        let tokens = &mut self.tokens;
        if tokens.base_elements.len() >= MANY_BASES {
            return Err(BailOut::ManyTags);
        }
        let Some(base) = tokens.start_tags.last_mut() else {
            return Ok(());
        };
        base.is_child_of_head = !is_in_body;
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
                location: if is_in_body {
                    TreeLocation::Outside
                } else {
                    TreeLocation::Head
                },
            });
            self.state.has_base_in_body |= is_in_body;
        }
        Ok(())
    }

    /// Bails out unless the BASE that begins with `tag`, in BODY, is an element there that follows all BASE elements
    /// before it in the tree, too.
    ///
    /// Tokens are not enough in a TEMPLATE or FRAMESET. In a table, the tree builder may insert elements before the
    /// table, and so before a BASE in one of its cells.
    fn expect_order_of_base(&mut self, tag: &RawTag) -> Result<(), BailOut> {
        let before = &self.bytes[..tag.span.start];
        let is_ordered = self.unit == ScanUnit::Document
            && !self.state.has_frameset
            && self.state.template == Template::None
            && (!self.state.has_base_in_body || !self.state.searches.may_find(b"table", before));
        if is_ordered {
            Ok(())
        } else {
            Err(BailOut::BaseAfterHead)
        }
    }
}

/// Returns whether the tree builder ignores the start tag of an element of that name in a FRAMESET, where the scanner
/// would not.
///
/// NOFRAMES is not one: it is the only element with raw text that is allowed there.
fn is_ignored_in_frameset(name: NameKey) -> bool {
    matches!(
        name,
        SCRIPT
            | STYLE
            | TITLE
            | TEXTAREA
            | XMP
            | IFRAME
            | NOEMBED
            | NOSCRIPT
            | SVG
            | MATH
            | IMAGE
            | TEMPLATE
    )
}
