//! The fast reader: a scanner over the bytes of a document's text, for documents whose tags do not depend on more of the
//! tree than it can follow.
//!
//! It goes from one `<` to the next and looks closely at few elements and at the attributes it was told of. What it
//! finds is what the reference reader ([`super::tap`]) finds, but for tags and attributes that cannot matter. Where
//! only a tree could tell it gives up, and the reference reader reads the document: [`BailOut`] lists every such case,
//! with the reason.
//!
//! What follows from the tokens alone is followed: which text is raw, where HEAD ends ([`head`]), and elements of SVG and
//! MathML that are well nested ([`foreign`]).

mod attributes;
mod foreign;
mod head;
mod meta;
mod raw_text;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use memchr::{memchr, memchr_iter, memmem};

use super::charref::{self, decode_raw};
use super::content::conditional_comment;
use super::name_set::{NameSet, key, key_at};
use super::reading::{Attribute, Declared, Reading, StartTag, Text, TextKind};
use super::{BaseElement, NameAndValue, Namespace, Place, tag};
use crate::find::near;
use crate::span::Span;
use attributes::Attributes;
use foreign::ForeignElements;
use head::Phase;
use raw_text::RawText;

/// Why the fast reader did not read a document, which was read by the slower one instead: with the same result, in more
/// time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BailOut {
    /// A BASE, and HEAD is over, or a TEMPLATE came before it. Whether it is made at all, and where it goes, the tree
    /// knows.
    BaseBehindHead,
    /// HTML within SVG or MathML, at one of the places where it may stand. What is open there, and what ends it, the tree
    /// knows.
    HtmlInForeignContent,
    /// An end tag within SVG or MathML that is that of none of the open elements there. It may be that of an element of
    /// HTML around them.
    MisnestedForeignContent,
    /// A STYLE of SVG with markup in it, which is no text.
    MarkupInForeignStyle,
    /// An element whose text is raw, SVG, MathML or a TEMPLATE, behind a FRAMESET. If that was let in, these are ignored.
    ElementBehindFrameset,
    /// A COL behind a TEMPLATE. In one, it makes the parser ignore most of what follows.
    ColumnInTemplate,
    /// A character reference of white space outside of any tag, and there is no BODY yet. HEAD may go on.
    ReferenceBeforeBody,
    /// U+0000 in a name, or outside of any tag when there is no BODY yet.
    NullCharacter,
}

impl BailOut {
    /// Every reason there is.
    pub const ALL: &'static [Self] = &[
        Self::BaseBehindHead,
        Self::HtmlInForeignContent,
        Self::MisnestedForeignContent,
        Self::MarkupInForeignStyle,
        Self::ElementBehindFrameset,
        Self::ColumnInTemplate,
        Self::ReferenceBeforeBody,
        Self::NullCharacter,
    ];
}

impl fmt::Display for BailOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::BaseBehindHead => "BASE behind HEAD",
            Self::HtmlInForeignContent => "HTML within SVG or MathML",
            Self::MisnestedForeignContent => "misnested SVG or MathML",
            Self::MarkupInForeignStyle => "markup in a STYLE of SVG",
            Self::ElementBehindFrameset => "special element behind FRAMESET",
            Self::ColumnInTemplate => "COL behind TEMPLATE",
            Self::ReferenceBeforeBody => "character reference before BODY",
            Self::NullCharacter => "U+0000 in a name or before BODY",
        })
    }
}

/// Reads `text` as a document, as far as tags with attributes in `names` go, and STYLE, SCRIPT, BASE and NOSCRIPT.
///
/// # Source
/// HTML, "parsing HTML documents", scripting off.
///
/// # Errors
/// A tree is needed to read it.
///
/// # Complexity
/// Linear. Memory for what is found alone.
pub(crate) fn read<'t>(text: &'t str, names: &NameSet) -> Result<Reading<'t>, BailOut> {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        names,
        reading: Reading::default(),
        phase: Phase::BeforeHtml,
        foreign: ForeignElements::default(),
        has_frameset: false,
        has_template: false,
        many_names: HashMap::new(),
        has_null_in_name: false,
        searches: 0,
    };
    // Most documents have no more than that; what is not used costs nothing.
    scanner.reading.start_tags.reserve(text.len() / 256 + 16);
    scanner.reading.attributes.reserve(text.len() / 192 + 16);
    scanner.document()?;
    let mut reading = scanner.reading;
    reading.head_start.get_or_insert(text.len());
    Ok(reading)
}

struct Scanner<'t, 'n> {
    text: &'t str,
    bytes: &'t [u8],
    names: &'n NameSet,
    reading: Reading<'t>,
    phase: Phase,
    foreign: ForeignElements<'t>,
    has_frameset: bool,
    has_template: bool,
    /// The names of the attributes that are kept of a tag that has very many, and which they are.
    many_names: HashMap<String, usize>,
    /// Whether an attribute that is kept has a name that is not what is written.
    has_null_in_name: bool,
    /// How often all that was read was searched for a start tag.
    searches: usize,
}

/// How often it may be, so that the time stays linear.
const MOST_SEARCHES: usize = 16;

/// Stands for the key of "plaintext", which is too long for one.
const LONG_PLAINTEXT: u64 = key(b"PLAINTEX");

/// Stands for the keys of all other names that are too long for one.
const LONG: u64 = key(b"LONG");

/// The names that [`Scanner::html_start_tag`] knows.
const SPECIAL: &[&[u8]] = &[
    b"script",
    b"style",
    b"title",
    b"textarea",
    b"xmp",
    b"iframe",
    b"noembed",
    b"noframes",
    b"plaintext",
    b"svg",
    b"math",
    b"base",
    b"meta",
    b"noscript",
    b"image",
    b"template",
    b"frameset",
    b"col",
];

/// For each length, as a bit by its five lowest bits, each first letter that one of [`SPECIAL`] of that length has.
const FIRST_LETTERS: [u32; 16] = {
    let mut letters = [0; 16];
    let mut index = 0;
    while index < SPECIAL.len() {
        let name = SPECIAL[index];
        letters[name.len() % 16] |= 1 << (name[0] % 32);
        index += 1;
    }
    letters
};

/// Whether a name may be one of [`SPECIAL`]: most are not, and are known by that.
#[inline]
fn is_like_special(bytes: &[u8], name: Span) -> bool {
    let letters = FIRST_LETTERS[(name.end - name.start) % 16];
    letters & (1 << (bytes[name.start] % 32)) != 0
}

/// What ends a piece of markup: where the text behind it begins, or `None` if the document ends in its midst.
type End = Result<Option<usize>, BailOut>;

impl Scanner<'_, '_> {
    fn document(&mut self) -> Result<(), BailOut> {
        let mut at = 0;
        while let Some(start) = near(b'<', self.bytes, at) {
            if self.phase != Phase::Body {
                self.text_before_body(at, start)?;
            }
            let end = match self.bytes.get(start + 1) {
                Some(byte) if byte.is_ascii_alphabetic() => self.start_tag(start)?,
                Some(b'/') => self.end_tag(start)?,
                Some(b'!') => self.declaration(start),
                Some(b'?') => self.behind(start, b'>'),
                _ => Some(self.less_than_sign(start)),
            };
            let Some(end) = end else {
                self.end_in(start);
                return Ok(());
            };
            at = end;
        }
        if self.phase != Phase::Body {
            self.text_before_body(at, self.bytes.len())?;
        }
        Ok(())
    }

    /// The document ends in the markup that begins at `start`. If that is a tag, it does not count, and HEAD, if there is
    /// none yet, begins before it; a comment or a DOCTYPE counts.
    fn end_in(&mut self, start: usize) {
        let slash = usize::from(self.bytes.get(start + 1) == Some(&b'/'));
        let name = self.bytes.get(start + 1 + slash);
        if name.is_some_and(u8::is_ascii_alphabetic) {
            self.reading.head_start.get_or_insert(start);
        }
    }

    /// A `<` that is text; behind it.
    fn less_than_sign(&mut self, start: usize) -> usize {
        self.body_begins(start);
        start + 1
    }

    /// The text from `start` to `end`, where there is no BODY yet: white space changes nothing.
    fn text_before_body(&mut self, start: usize, end: usize) -> Result<(), BailOut> {
        let bytes = &self.bytes[start..end];
        let Some(offset) = bytes.iter().position(|&byte| !tag::is_space(byte)) else {
            return Ok(());
        };
        match (bytes[offset], bytes.get(offset + 1)) {
            (0, _) => Err(BailOut::NullCharacter),
            (b'&', _) if charref::begins_with_space(&self.text[start + offset..end]) => {
                Err(BailOut::ReferenceBeforeBody)
            }
            _ => {
                self.body_begins(start + offset);
                Ok(())
            }
        }
    }

    /// What stands at `start` is in BODY if anything is.
    fn body_begins(&mut self, start: usize) {
        self.reading.head_start.get_or_insert(start);
        self.phase = Phase::Body;
    }

    /// The offset behind the next `last` behind `start`.
    fn behind(&self, start: usize, last: u8) -> Option<usize> {
        memchr(last, &self.bytes[start..]).map(|offset| start + offset + 1)
    }

    /// Markup that begins with `<!`.
    ///
    /// # Source
    /// HTML, "markup declaration open state" and those that follow it.
    fn declaration(&mut self, start: usize) -> Option<usize> {
        const CDATA: &[u8] = b"<![CDATA[";
        let rest = &self.bytes[start..];
        if rest.starts_with(b"<!--") {
            return self.comment(start);
        }
        if rest.starts_with(CDATA) && !self.foreign.is_empty() {
            let length = memmem::find(&rest[CDATA.len()..], b"]]>")?;
            return Some(start + CDATA.len() + length + b"]]>".len());
        }
        // A DOCTYPE, whose quotes hide nothing, or a bogus comment.
        self.behind(start, b'>')
    }

    /// A comment, which begins at `start`.
    fn comment(&mut self, start: usize) -> Option<usize> {
        let inner = start + b"<!--".len();
        let rest = &self.bytes[inner..];
        if rest.starts_with(b">") {
            return Some(inner + 1);
        }
        if rest.starts_with(b"->") {
            return Some(inner + 2);
        }
        let mut at = inner;
        let end = loop {
            at += memchr(b'>', self.bytes.get(at..)?)? + 1;
            let data = &self.bytes[inner..at];
            if data.ends_with(b"-->") || data.ends_with(b"--!>") {
                break at;
            }
        };
        let data = self.text[inner..end].trim_start();
        if data.starts_with("[if") {
            let inner = &self.text[inner..end];
            let inner = inner.strip_suffix("-->").or(inner.strip_suffix("--!>"));
            let data = decode_raw(inner.unwrap_or_default(), 0).text;
            let markup = conditional_comment(self.text, Span::new(start, end), &data);
            self.reading.conditional_comments.extend(markup);
        }
        Some(end)
    }

    /// What begins with `</`.
    fn end_tag(&mut self, start: usize) -> End {
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
        self.reading.tags += 1;
        if !self.foreign.is_empty() {
            let (bytes, name) = (self.bytes, Span::new(name_start, name_end));
            let searches = &mut self.searches;
            let was_opened = || {
                *searches += 1;
                *searches > MOST_SEARCHES || has_start_tag(bytes, name)
            };
            self.foreign
                .end_tag(&self.text[name_start..name_end], was_opened)?;
        } else if self.phase != Phase::Body {
            let name = self.key(Span::new(name_start, name_end));
            let had_head = self.phase.has_head();
            self.phase = self.phase.end_tag(name);
            if !had_head && self.phase.has_head() {
                self.reading.head_start = Some(start);
            }
        }
        Ok(Some(end))
    }

    fn start_tag(&mut self, start: usize) -> End {
        let name_start = start + 1;
        let name_end = attributes::name_end(self.bytes, name_start);
        let first = self.reading.attributes.len();
        let found = if self.bytes.get(name_end) == Some(&b'>') {
            Attributes {
                end: name_end + 1,
                has_link: false,
            }
        } else if let Some(found) = self.attributes(name_end) {
            found
        } else {
            return Ok(None);
        };
        let tag = Found {
            span: Span::new(start, found.end),
            name: Span::new(name_start, name_end),
            first,
            has_link: found.has_link,
        };
        self.reading.tags += 1;
        if !self.foreign.is_empty() && self.is_foreign(&tag)? {
            return self.foreign_start_tag(&tag, self.foreign.namespace());
        }
        if self.phase != Phase::Body {
            self.tag_before_body(&tag, self.key(tag.name));
        }
        if is_like_special(self.bytes, tag.name) {
            return self.html_start_tag(&tag);
        }
        self.note(&tag, Namespace::Html)?;
        Ok(Some(tag.span.end))
    }

    /// The key of a name; of one that is longer than all those that are looked for, a key that none of them has.
    fn key(&self, name: Span) -> u64 {
        const PLAINTEXT: &[u8] = b"plaintext";
        match name.end - name.start {
            length @ 0..=8 => key_at(self.bytes, name.start, length),
            9 if self.bytes[name.start..name.end].eq_ignore_ascii_case(PLAINTEXT) => LONG_PLAINTEXT,
            _ => LONG,
        }
    }

    /// The phase behind a start tag, and where HEAD begins if that made one.
    fn tag_before_body(&mut self, tag: &Found, name: u64) {
        let had_head = self.phase.has_head();
        let step = self.phase.start_tag(name);
        if !had_head && step.phase.has_head() {
            let place = if step.is_head {
                tag.span.end
            } else {
                tag.span.start
            };
            self.reading.head_start = Some(place);
        }
        self.phase = step.phase;
    }

    /// A start tag in HTML content.
    fn html_start_tag(&mut self, tag: &Found) -> End {
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
            META if self.reading.declared_encoding == Declared::Nothing => {
                if let Some(encoding) = meta::declared_encoding(self.text, tag.span) {
                    self.reading.declared_encoding = Declared::Encoding(encoding);
                }
            }
            NOSCRIPT => {
                self.add(tag, Namespace::Html)?;
                return Ok(Some(tag.span.end));
            }
            IMAGE => {
                self.expect_no_frameset()?;
                if self.note(tag, Namespace::Html)?
                    && let Some(tag) = self.reading.start_tags.last_mut()
                {
                    tag.name = Cow::Borrowed("img");
                }
                return Ok(Some(tag.span.end));
            }
            TEMPLATE => {
                self.expect_no_frameset()?;
                self.has_template = true;
            }
            FRAMESET => self.has_frameset = true,
            COL if self.has_template => return Err(BailOut::ColumnInTemplate),
            _ => {}
        }
        self.note(tag, Namespace::Html)?;
        Ok(Some(tag.span.end))
    }

    /// What is ignored in a FRAMESET must not come if there may be one.
    fn expect_no_frameset(&self) -> Result<(), BailOut> {
        if self.has_frameset {
            Err(BailOut::ElementBehindFrameset)
        } else {
            Ok(())
        }
    }

    /// The start tag of an element without markup in it, and its text; `is_kept` says that its text may hold links.
    fn raw_text(&mut self, tag: &Found, name: &[u8], kind: RawText, is_kept: bool) -> End {
        if name != b"noframes" {
            self.expect_no_frameset()?;
        }
        let start = tag.span.end;
        let end_tag = raw_text::end_tag(self.bytes, start, name, kind);
        if is_kept {
            self.add(tag, Namespace::Html)?;
            if let Some(tag) = self.reading.start_tags.last_mut() {
                tag.text = Some(Text {
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
            self.reading.tags += 1;
        }
        Ok(end)
    }

    /// Whether a start tag within SVG or MathML makes an element of theirs; if not, these are over.
    fn is_foreign(&mut self, tag: &Found) -> Result<bool, BailOut> {
        let text = self.text;
        let has_attribute = |name: &str| {
            let tag = tag::split(text, tag.span.start);
            let attributes = tag.map(|tag| tag.attributes).unwrap_or_default();
            let mut names = attributes
                .iter()
                .map(|one| &text[one.name.start..one.name.end]);
            names.any(|own| own.eq_ignore_ascii_case(name))
        };
        self.foreign
            .admit(&text[tag.name.start..tag.name.end], has_attribute)
    }

    /// A start tag that makes an element of SVG or MathML.
    fn foreign_start_tag(&mut self, tag: &Found, namespace: Namespace) -> End {
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
        self.foreign.push(namespace, name);
        if is_style {
            self.foreign_style(tag.span.end)?;
        }
        Ok(Some(tag.span.end))
    }

    /// The text of a STYLE of SVG, which begins at `start`.
    fn foreign_style(&mut self, start: usize) -> Result<(), BailOut> {
        let end =
            memchr(b'<', &self.bytes[start..]).map_or(self.bytes.len(), |offset| start + offset);
        let is_end_tag = raw_text::is_end_tag(self.bytes, end, b"style");
        if !is_end_tag && end < self.bytes.len() {
            return Err(BailOut::MarkupInForeignStyle);
        }
        if start < end
            && let Some(tag) = self.reading.start_tags.last_mut()
        {
            tag.text = Some(Text {
                span: Span::new(start, end),
                kind: TextKind::Foreign,
            });
        }
        Ok(())
    }

    /// A BASE, all of whose attributes are kept.
    fn base(&mut self, tag: &Found) -> Result<(), BailOut> {
        if self.phase == Phase::Body {
            return Err(BailOut::BaseBehindHead);
        }
        self.reading.attributes.truncate(tag.first);
        self.all_attributes(tag.span.start);
        self.add(tag, Namespace::Html)?;
        let reading = &mut self.reading;
        let Some(base) = reading.start_tags.last_mut() else {
            return Ok(());
        };
        base.is_child_of_head = true;
        let to_own = |one: &Attribute<'_>| NameAndValue {
            name: one.name.clone().into_owned(),
            value: charref::decode(&self.text[one.value.start..one.value.end], 0)
                .text
                .into_owned(),
        };
        let attributes: Vec<_> = reading.attributes[tag.first..].iter().map(to_own).collect();
        if let Some(href) = attributes.iter().find(|one| one.name == "href") {
            reading.base_elements.push(BaseElement {
                href: href.value.clone(),
                attributes,
                place: Place::Head,
            });
        }
        Ok(())
    }

    /// Keeps a start tag if one of its attributes may be a link; whether it is kept.
    fn note(&mut self, tag: &Found, namespace: Namespace) -> Result<bool, BailOut> {
        if tag.has_link {
            self.add(tag, namespace)?;
        } else {
            self.reading.attributes.truncate(tag.first);
        }
        Ok(tag.has_link)
    }

    /// Keeps a start tag, with those of its attributes that are kept by now.
    fn add(&mut self, tag: &Found, namespace: Namespace) -> Result<(), BailOut> {
        let written = &self.text[tag.name.start..tag.name.end];
        if self.has_null_in_name || written.bytes().any(|byte| byte == 0) {
            return Err(BailOut::NullCharacter);
        }
        let name = lower_case(written);
        let name = match namespace {
            Namespace::Svg => foreign::svg_element(written).map_or(name, Cow::Borrowed),
            Namespace::Html | Namespace::MathMl => name,
        };
        let reading = &mut self.reading;
        if namespace != Namespace::Html {
            for attribute in &mut reading.attributes[tag.first..] {
                if let Some(spelled) = foreign::attribute(namespace, &attribute.name) {
                    attribute.name = Cow::Borrowed(spelled);
                }
            }
        }
        reading.start_tags.push(StartTag {
            namespace,
            name,
            span: tag.span,
            attributes: Span::new(tag.first, reading.attributes.len()),
            text: None,
            is_child_of_head: false,
        });
        Ok(())
    }
}

/// A start tag that has been taken apart.
struct Found {
    /// From `<` to behind `>`.
    span: Span,
    name: Span,
    /// How many attributes of other tags were kept before it.
    first: usize,
    /// Whether one of its attributes may be a link.
    has_link: bool,
}

/// Whether there may be a start tag before `name`, which stands in an end tag, that has the same name.
fn has_start_tag(bytes: &[u8], name: Span) -> bool {
    let name_bytes = &bytes[name.start..name.end];
    let before = &bytes[..name.start];
    memchr_iter(b'<', before).any(|at| {
        let start = before.get(at + 1..at + 1 + name_bytes.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name_bytes))
    })
}

/// A name in lower case.
fn lower_case(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}
