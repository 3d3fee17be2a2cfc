//! The reader: checks that a document is well-formed, and yields its start tags with their attributes and texts.
//!
//! One pass over the text, with a stack of the open elements. A construct is checked when it is met, so the error that
//! is reported is the first one in the document.
//!
//! # Lenient reading
//!
//! With [`ReadOptions::is_lenient`], most errors are passed over in the way that feed readers and browsers with error
//! recovery do: a stray `<` or `&` is text, an end tag closes the nearest element of that name or nothing, the first of
//! two equal attributes counts, unknown entities are skipped. Markup that is never closed ends the reading.
//!
//! # Complexity
//!
//! Linear. The stack takes memory for each open element and its name.

use std::collections::{HashMap, HashSet};
use std::mem;

use memchr::{memchr, memchr_iter, memmem};

use super::characters::{find_forbidden, is_space, name_end, skip_space};
use super::doctype::{self, DoctypeError, Entities, GeneralEntity};
use super::error::{ReadError, ill_formed};
use super::namespaces::Bindings;
use super::tag::{self, TagEnd};
use super::text::{self, CDATA_CLOSE, CDATA_OPEN, TextReference, decode_attribute};
use crate::html::name::NameKey;
use crate::html::name_set::{AttributeRole, NameSet};
use crate::html::tag::RawAttribute;
use crate::html::tokens::{
    Attribute, DuplicateAttributes, ElementScope, NameAndValue, StartTag, Syntax, TextContent,
    TextKind, Tokens,
};
use crate::html::{BaseElement, Namespace, TreeLocation};
use crate::span::Span;
use crate::unsupported::{IllFormed, IllFormedReason};

/// The attribute that sets the base URL of an element.
pub(crate) const XML_BASE: &str = "xml:base";

/// The names of the start tags that stand for the processing instructions that refer to other files.
const INSTRUCTIONS: [&str; 2] = ["?xml-stylesheet", "?xml-model"];

/// The name of the items of a feed.
const ITEM: &str = "item";

/// The maximum number of elements with an `xml:base` within each other.
///
/// Each has a base URL of its own, so the limit bounds the memory.
const MAX_SCOPES: usize = 256;

/// The maximum number of open elements that an unexpected end tag is compared with.
const MAX_RECOVERY: usize = 64;

/// The settings of a read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadOptions<'n> {
    /// The names of attributes that may be links. Others may be omitted.
    pub(crate) names: &'n NameSet,
    /// Whether `xml:base` sets the base URL of an element.
    pub(crate) honors_xml_base: bool,
    /// Whether errors are passed over where possible.
    pub(crate) is_lenient: bool,
}

/// Reads `text` as a document.
///
/// # Errors
/// The first error, unless the reading is lenient.
pub(crate) fn read<'t>(text: &'t str, options: ReadOptions<'_>) -> Result<Tokens<'t>, IllFormed> {
    let mut reader = XmlReader::new(text, options);
    let result = match find_forbidden(text).filter(|_| !options.is_lenient) {
        // An earlier error of another kind is reported instead.
        Some(offset) => {
            let earlier = XmlReader::new(&text[..offset], options).run();
            Err(match earlier {
                Err(ReadError::IllFormed(other, reason)) if other < offset => (other, reason),
                _ => (offset, IllFormedReason::Character),
            })
        }
        None => match reader.run() {
            Ok(_) => Ok(()),
            Err(ReadError::IllFormed(offset, reason)) => Err((offset, reason)),
            Err(ReadError::Incomplete) => Err((text.len(), IllFormedReason::UnexpectedEnd)),
        },
    };
    match result {
        Ok(()) => Ok(reader.tokens),
        Err((offset, reason)) => Err(ill_formed(text, offset, reason)),
    }
}

/// An element whose end tag has not been read.
#[derive(Debug)]
struct OpenXmlElement {
    /// Offset of its qualified name in [`XmlState::open_names`].
    name_start: usize,
    namespace: Namespace,
    /// The number of bindings outside it.
    outer_bindings: usize,
    /// The number of scopes that contain it.
    outer_scopes: usize,
    /// The index of its start tag, if its text may contain links.
    text_tag: Option<usize>,
    /// The offset after its start tag.
    content_start: usize,
    has_children: bool,
    /// Whether it is the HEAD of an HTML document.
    is_head: bool,
    is_template: bool,
    feed_part: FeedPart,
}

impl OpenXmlElement {
    /// Returns whether it must end in the chunk in which it begins.
    fn is_pending(&self) -> bool {
        self.text_tag.is_some() || self.feed_part == FeedPart::Item
    }
}

/// The role of an element in a feed, as far as the base URL of content depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FeedPart {
    /// The feed as a whole, with the link of the feed.
    Channel,
    /// An item, with a link of its own.
    Item,
    /// Anything else.
    Other,
}

/// The state of the reader at the end of a chunk, in which the next chunk must be read.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about what was read"
)]
pub(crate) struct XmlState {
    open: Vec<OpenXmlElement>,
    /// The qualified names of the open elements, one after another.
    open_names: String,
    bindings: Bindings,
    entities: Entities,
    /// Whether nothing was read yet.
    is_start: bool,
    has_root: bool,
    has_doctype: bool,
    /// Whether HEAD is open.
    is_in_head: bool,
    /// The number of open `template` elements.
    open_templates: usize,
    /// The indexes in [`Tokens::scopes`] of the scopes that contain the current position. The first is 0.
    scope_path: Vec<u32>,
    /// The scopes at these indexes, between two chunks.
    scopes: Vec<ElementScope>,
    /// The number of open elements that must end in the chunk in which they begin.
    pending: usize,
}

impl XmlState {
    /// Returns the state at the beginning of a document, of which the link of the feed may be known.
    pub(crate) fn new(feed_link: Option<String>) -> Self {
        Self {
            open: Vec::new(),
            open_names: String::new(),
            bindings: Bindings::new(),
            entities: Entities::default(),
            is_start: true,
            has_root: false,
            has_doctype: false,
            is_in_head: false,
            open_templates: 0,
            scope_path: vec![0],
            scopes: vec![ElementScope {
                link: feed_link,
                ..ElementScope::default()
            }],
            pending: 0,
        }
    }

    /// Returns the link of the feed, as far as it is known.
    pub(crate) fn feed_link(&self) -> Option<&str> {
        self.scopes.first()?.link.as_deref()
    }

    /// Keeps the scopes that contain the current position, and numbers them anew.
    fn keep_scopes(&mut self, scopes: &[ElementScope]) {
        let indexes = self.scope_path.iter().map(|index| *index as usize);
        self.scopes = indexes.map(|index| scopes[index].clone()).collect();
        for (index, scope) in (0..).zip(&mut self.scopes) {
            // The scope of the document is its own parent.
            scope.parent = u32::saturating_sub(index, 1);
        }
        self.scope_path = (0..).take(self.scopes.len()).collect();
    }
}

/// A chunk that was read.
pub(crate) struct XmlChunk<'t> {
    /// The tokens up to `end`, with spans in bytes of the chunk.
    pub(crate) tokens: Tokens<'t>,
    /// The end of the text that was read. The next chunk must begin there, and be longer than the rest.
    pub(crate) end: usize,
    /// The state at `end`.
    pub(crate) state: XmlState,
}

/// Reads `text`, a chunk of a document that begins in `state`; `is_last` if the document ends with it.
///
/// Elements whose text may be a link, and the items of feeds, are read as a whole: the chunk ends before one that does
/// not end in it. Returns `None` if the document must be read as a whole: it is not well-formed, or such an element
/// does not end where it seems to.
pub(crate) fn read_chunk<'t>(
    text: &'t str,
    is_last: bool,
    state: XmlState,
    options: ReadOptions<'_>,
) -> Option<XmlChunk<'t>> {
    if find_forbidden(text).is_some() {
        return None;
    }
    let mut reader = XmlReader::resume(text, state, options);
    reader.is_last = is_last;
    let end = reader.run().ok()?;
    let XmlReader {
        tokens, mut state, ..
    } = reader;
    if state.pending > 0 && !is_last {
        return None;
    }
    state.keep_scopes(&tokens.scopes);
    state.is_start &= end == 0;
    Some(XmlChunk { tokens, end, state })
}

/// The state of a read.
struct XmlReader<'t, 'n> {
    text: &'t str,
    options: ReadOptions<'n>,
    /// Whether the document ends with the text.
    is_last: bool,
    tokens: Tokens<'t>,
    state: XmlState,
    /// The attributes of the current tag.
    attributes: Vec<RawAttribute>,
    /// The first end tag, after the last place where one was searched for, of each qualified name.
    end_tags: HashMap<&'t str, usize>,
}

impl<'t, 'n> XmlReader<'t, 'n> {
    fn new(text: &'t str, options: ReadOptions<'n>) -> Self {
        Self::resume(text, XmlState::new(None), options)
    }

    fn resume(text: &'t str, mut state: XmlState, options: ReadOptions<'n>) -> Self {
        Self {
            text,
            options,
            is_last: true,
            tokens: Tokens {
                syntax: Syntax::Xml,
                scopes: mem::take(&mut state.scopes),
                ..Tokens::default()
            },
            state,
            attributes: Vec::new(),
            end_tags: HashMap::new(),
        }
    }

    /// Returns the index of the innermost scope.
    fn scope(&self) -> u32 {
        self.state.scope_path.last().copied().unwrap_or_default()
    }

    /// Reads the text up to its end, or to the beginning of what does not end in it, and returns that offset.
    fn run(&mut self) -> Result<usize, ReadError> {
        let bytes = self.text.as_bytes();
        let mut pos = 0;
        while let Some(found) = memchr(b'<', &bytes[pos..]) {
            let start = pos + found;
            self.check_text(Span::new(pos, start))?;
            pos = match self.markup(start) {
                Ok(end) => end,
                Err(error @ ReadError::IllFormed(_, IllFormedReason::TooDeep)) => {
                    return Err(error);
                }
                // A literal `<`.
                Err(ReadError::IllFormed(..)) if self.options.is_lenient => start + 1,
                Err(error @ ReadError::IllFormed(..)) => return Err(error),
                Err(ReadError::Incomplete) if !self.is_last => return Ok(start),
                // Nothing closes it, so it extends to the end.
                Err(ReadError::Incomplete) if self.options.is_lenient => bytes.len(),
                Err(ReadError::Incomplete) => {
                    return Err(ReadError::at(start, IllFormedReason::UnexpectedEnd));
                }
            };
        }
        if !self.is_last {
            // A reference in the text may continue in the next chunk.
            return Ok(pos);
        }
        self.check_text(Span::new(pos, bytes.len()))?;
        if !self.state.open.is_empty() {
            self.reject(bytes.len(), IllFormedReason::UnclosedElement)?;
        }
        if !self.state.has_root {
            self.reject(bytes.len(), IllFormedReason::NoRoot)?;
        }
        Ok(bytes.len())
    }

    /// Reports an error, unless the reading is lenient.
    fn reject(&self, offset: usize, reason: IllFormedReason) -> Result<(), ReadError> {
        if self.options.is_lenient {
            Ok(())
        } else {
            Err(ReadError::at(offset, reason))
        }
    }

    /// Reads the markup that begins with the `<` at `start`, and returns its end.
    fn markup(&mut self, start: usize) -> Result<usize, ReadError> {
        let rest = &self.text[start..];
        match rest.as_bytes().get(1) {
            None => Err(ReadError::Incomplete),
            Some(b'/') => self.end_tag(start),
            Some(b'?') => self.instruction(start),
            Some(b'!') if rest.starts_with("<!--") => self.comment(start),
            Some(b'!') if rest.starts_with(CDATA_OPEN) => self.cdata(start),
            Some(b'!') if rest.starts_with("<!DOCTYPE") => self.doctype(start),
            Some(b'!') => Err(ReadError::at(start, IllFormedReason::LessThan)),
            Some(_) => self.start_tag(start),
        }
    }

    /// Checks text between markup.
    fn check_text(&self, span: Span) -> Result<(), ReadError> {
        if span.is_empty() {
            return Ok(());
        }
        let text = &self.text[span.start..span.end];
        if self.state.open.is_empty() {
            let offset = text.bytes().position(|byte| !is_space(byte));
            return match offset {
                None => Ok(()),
                Some(offset) => self.reject(span.start + offset, IllFormedReason::OutsideRoot),
            };
        }
        // Most texts are the white space between two tags.
        if text.len() >= CDATA_CLOSE.len()
            && let Some(offset) = memmem::find(text.as_bytes(), CDATA_CLOSE.as_bytes())
        {
            // An earlier error is reported first.
            self.check_references(Span::new(span.start, span.start + offset))?;
            self.reject(span.start + offset, IllFormedReason::CdataEnd)?;
        }
        self.check_references(span)
    }

    /// Checks the references in a text or an attribute value.
    fn check_references(&self, span: Span) -> Result<(), ReadError> {
        let text = &self.text[span.start..span.end];
        for ampersand in memchr_iter(b'&', text.as_bytes()) {
            let offset = span.start + ampersand;
            match text::reference(&text[ampersand..]) {
                Some((TextReference::Character(_), _)) => {}
                Some((TextReference::Entity(name), _)) => match self.state.entities.get(name) {
                    Some(GeneralEntity::Text(_) | GeneralEntity::External) => {}
                    Some(GeneralEntity::Markup) => {
                        self.reject(offset, IllFormedReason::EntityMarkup)?;
                    }
                    None if self.state.entities.may_be_external => {}
                    None => self.reject(offset, IllFormedReason::UndeclaredEntity)?,
                },
                None => self.reject(offset, IllFormedReason::Ampersand)?,
            }
        }
        Ok(())
    }

    fn comment(&mut self, start: usize) -> Result<usize, ReadError> {
        let bytes = self.text.as_bytes();
        let mut pos = start + "<!--".len();
        loop {
            let found = memmem::find(&bytes[pos..], b"--").ok_or(ReadError::Incomplete)?;
            pos += found;
            match bytes.get(pos + 2) {
                None => return Err(ReadError::Incomplete),
                Some(b'>') => return Ok(pos + 3),
                Some(_) => self.reject(pos, IllFormedReason::Comment)?,
            }
            pos += 1;
        }
    }

    fn cdata(&mut self, start: usize) -> Result<usize, ReadError> {
        if self.state.open.is_empty() {
            self.reject(start, IllFormedReason::OutsideRoot)?;
        }
        let inner = start + CDATA_OPEN.len();
        let found = memmem::find(&self.text.as_bytes()[inner..], CDATA_CLOSE.as_bytes());
        let length = found.ok_or(ReadError::Incomplete)?;
        Ok(inner + length + CDATA_CLOSE.len())
    }

    fn doctype(&mut self, start: usize) -> Result<usize, ReadError> {
        if self.state.has_root || self.state.has_doctype {
            return Err(ReadError::at(start, IllFormedReason::Doctype));
        }
        self.state.has_doctype = true;
        let read = doctype::read(self.text, start, &mut self.state.entities);
        read.map_err(|error| match error {
            DoctypeError::Incomplete => ReadError::Incomplete,
            DoctypeError::Syntax(offset) => ReadError::at(offset, IllFormedReason::Doctype),
        })
    }

    /// Reads a processing instruction or the XML declaration.
    fn instruction(&mut self, start: usize) -> Result<usize, ReadError> {
        let error = Err(ReadError::at(start, IllFormedReason::Instruction));
        let name_start = start + "<?".len();
        let length = memmem::find(&self.text.as_bytes()[name_start..], b"?>");
        let close = name_start + length.ok_or(ReadError::Incomplete)?;
        let end = close + "?>".len();
        let Some(name_end) = name_end(self.text, name_start) else {
            return error;
        };
        let target = &self.text[name_start..name_end];
        if name_end != close && !is_space(self.text.as_bytes()[name_end]) {
            return error;
        }
        if target.eq_ignore_ascii_case("xml")
            && (target != "xml" || start > 0 || !self.state.is_start)
        {
            return error;
        }
        let known = INSTRUCTIONS.into_iter().find(|name| target == &name[1..]);
        if let Some(name) = known.filter(|_| !self.state.has_root) {
            let attributes = Span::new(name_end, close);
            self.known_instruction(name, Span::new(start, end), attributes);
        }
        Ok(end)
    }

    /// Adds the processing instruction of that name, whose pseudo-attributes are at `attributes`.
    ///
    /// # Source
    /// Associating Style Sheets with XML documents 1.0, section 3. An instruction with a syntax error is ignored.
    fn known_instruction(&mut self, name: &'static str, span: Span, attributes: Span) {
        let bytes = self.text.as_bytes();
        let mut raw = Vec::new();
        let mut pos = skip_space(bytes, attributes.start);
        while pos < attributes.end {
            match tag::attribute(self.text, pos, &mut raw) {
                Ok(end) if end <= attributes.end => pos = skip_space(bytes, end),
                _ => return,
            }
        }
        let first = self.tokens.attributes.len();
        for attribute in &raw {
            let is_link = &self.text[attribute.name.start..attribute.name.end] == "href";
            self.push_attribute(attribute, None, is_link);
        }
        self.push_start_tag(Namespace::Other, name, span, first);
    }

    /// Appends an attribute of the tag that is being read.
    fn push_attribute(&mut self, raw: &RawAttribute, key: Option<NameKey>, may_be_link: bool) {
        let name = &self.text[raw.name.start..raw.name.end];
        self.tokens.attributes.push(Attribute {
            name: name.into(),
            key,
            may_be_link,
            // The closing quote.
            span: Span::new(raw.name.start, raw.value.end + 1),
            value: raw.value,
            quoting: raw.quoting,
            duplicates: DuplicateAttributes::default(),
        });
    }

    /// Appends a start tag whose attributes begin at index `first`, and returns its index.
    fn push_start_tag(
        &mut self,
        namespace: Namespace,
        name: &'t str,
        span: Span,
        first: usize,
    ) -> usize {
        self.tokens.start_tags.push(StartTag {
            namespace,
            name: name.into(),
            key: NameKey::of(name.as_bytes()),
            span,
            attributes: Span::new(first, self.tokens.attributes.len()),
            text: None,
            is_child_of_head: false,
            scope: self.scope(),
        });
        self.tokens.start_tags.len() - 1
    }

    fn start_tag(&mut self, start: usize) -> Result<usize, ReadError> {
        let text = self.text;
        let name_start = start + 1;
        let Some(name_end) = name_end(text, name_start) else {
            return Err(ReadError::at(start, IllFormedReason::LessThan));
        };
        match text.as_bytes().get(name_end) {
            None => return Err(ReadError::Incomplete),
            Some(byte) if tag::ends_name(*byte) => {}
            Some(_) => return Err(ReadError::at(start, IllFormedReason::Tag)),
        }
        let mut attributes = mem::take(&mut self.attributes);
        attributes.clear();
        let split = tag::split(text, name_end, &mut attributes);
        let end = split.and_then(|end| {
            if !end.is_empty
                && !self.is_last
                && !self.has_end_tag(&text[name_start..name_end], end.end)
            {
                return Err(ReadError::Incomplete);
            }
            self.element(
                Span::new(name_start, name_end),
                Span::new(start, end.end),
                &attributes,
            )
            .map(|element| (end, element))
        });
        self.attributes = attributes;
        let (TagEnd { end, is_empty }, mut element) = end?;
        self.tokens.tags += 1;
        if is_empty {
            self.state.bindings.truncate(element.outer_bindings);
            self.state.scope_path.truncate(element.outer_scopes);
            return Ok(end);
        }
        element.content_start = end;
        self.state.is_in_head |= element.is_head;
        self.state.open_templates += usize::from(element.is_template);
        self.state.open_names.push_str(&text[name_start..name_end]);
        self.state.pending += usize::from(element.is_pending());
        self.state.open.push(element);
        Ok(end)
    }

    /// Returns whether an element that begins before `start` ends in this chunk, as far as it has to.
    ///
    /// Its first end tag is that of an element of the same name, or only text in a CDATA section. If it is not that of
    /// the element itself, the element is still [pending](OpenXmlElement::is_pending) at the end of the chunk.
    fn has_end_tag(&mut self, name: &'t str, start: usize) -> bool {
        let local = name.split_once(':').map_or(name, |(_, local)| local);
        if local != ITEM && !Namespace::any_text_may_contain_links(local) {
            return true;
        }
        if self.end_tags.get(name).is_some_and(|end| *end >= start) {
            return true;
        }
        let end_tag = format!("</{name}");
        let found = memmem::find(&self.text.as_bytes()[start..], end_tag.as_bytes());
        let Some(found) = found else {
            return false;
        };
        self.end_tags.insert(name, start + found);
        // Otherwise the end tag itself may be cut off.
        self.text[start + found..].contains('>')
    }

    /// Checks a start tag, and adds its tokens. Its name and the whole tag have these spans.
    fn element(
        &mut self,
        name: Span,
        span: Span,
        raw: &[RawAttribute],
    ) -> Result<OpenXmlElement, ReadError> {
        let text = self.text;
        match self.state.open.last_mut() {
            Some(parent) => parent.has_children = true,
            None if self.state.has_root => self.reject(span.start, IllFormedReason::OutsideRoot)?,
            None => {}
        }
        let is_root = !self.state.has_root;
        self.state.has_root = true;
        for attribute in raw {
            self.check_references(attribute.value)?;
        }
        let repeated = self.find_duplicates(raw)?;
        let outer_bindings = self.state.bindings.len();
        for attribute in raw {
            self.bind(attribute);
        }
        if is_root {
            self.state.bindings.set_root(&text[name.start..name.end]);
        }
        let (namespace, local) = self.state.bindings.element(&text[name.start..name.end]);
        let outer_scopes = self.state.scope_path.len();
        let feed_part = self.feed_part(namespace, local);
        self.enter_scope(raw, feed_part, is_root, span)?;
        let is_html = |name| namespace == Namespace::Html && local == name;
        let is_base = is_html("base");
        let is_child_of_head = self.state.open.last().is_some_and(|parent| parent.is_head);
        let first = self.tokens.attributes.len();
        let mut has_link = false;
        for (index, attribute) in raw.iter().enumerate() {
            if repeated.contains(&index) {
                continue;
            }
            has_link |= self.attribute(attribute, is_base);
        }
        for &index in &repeated {
            self.add_duplicate(first, &raw[index]);
        }
        if is_base {
            self.base_element(first);
        }
        let wants_text = namespace.text_may_contain_links(local);
        let mut text_tag = None;
        if has_link || wants_text || is_base {
            let index = self.push_start_tag(namespace, local, span, first);
            self.tokens.start_tags[index].is_child_of_head = is_base && is_child_of_head;
            text_tag = Some(index).filter(|_| wants_text);
        } else {
            self.tokens.attributes.truncate(first);
        }
        Ok(OpenXmlElement {
            name_start: self.state.open_names.len(),
            namespace,
            outer_bindings,
            outer_scopes,
            text_tag,
            content_start: span.end,
            has_children: false,
            feed_part,
            // HTML, "the head element": the first child of the `html` element that is a `head` element.
            is_head: is_html("head")
                && self.state.open.len() == 1
                && self.state.open[0].namespace == Namespace::Html,
            is_template: is_html("template"),
        })
    }

    /// Returns the indexes of attributes that repeat the name of an earlier one.
    fn find_duplicates(&self, raw: &[RawAttribute]) -> Result<Vec<usize>, ReadError> {
        // Comparing each with each is fastest for the usual numbers, and not linear for others.
        const FEW: usize = 12;
        let name = |attribute: &RawAttribute| {
            let span = attribute.name;
            &self.text[span.start..span.end]
        };
        let mut repeated = Vec::new();
        let mut names = HashSet::new();
        for (index, attribute) in raw.iter().enumerate() {
            let is_repeated = if raw.len() <= FEW {
                let mut earlier = raw[..index].iter();
                earlier.any(|earlier| name(earlier) == name(attribute))
            } else {
                !names.insert(name(attribute))
            };
            if is_repeated {
                self.reject(attribute.name.start, IllFormedReason::DuplicateAttribute)?;
                repeated.push(index);
            }
        }
        Ok(repeated)
    }

    /// Adds a repeated attribute to the first one of its name. `first` is the index of the tag's first attribute.
    fn add_duplicate(&mut self, first: usize, raw: &RawAttribute) {
        let name = &self.text[raw.name.start..raw.name.end];
        let mut attributes = self.tokens.attributes[first..].iter_mut();
        if let Some(attribute) = attributes.find(|attribute| attribute.name == name) {
            let span = Span::new(raw.name.start, raw.value.end + 1);
            attribute.duplicates.push(span);
        }
    }

    /// Binds a prefix if `attribute` declares a namespace.
    fn bind(&mut self, attribute: &RawAttribute) {
        let name = &self.text[attribute.name.start..attribute.name.end];
        let Some(declared) = name.strip_prefix("xmlns") else {
            return;
        };
        let prefix = match declared.strip_prefix(':') {
            Some(prefix) => prefix,
            None if declared.is_empty() => "",
            None => return,
        };
        let value = &self.text[attribute.value.start..attribute.value.end];
        let name = decode_attribute(value, 0).text;
        self.state
            .bindings
            .bind(prefix, self.state.entities.expand(&name));
    }

    /// Returns the role of an element in a feed. Only RSS is of interest.
    ///
    /// In Atom, content has the base URL of its element and no other (RFC 4287 section 2).
    fn feed_part(&self, namespace: Namespace, local: &str) -> FeedPart {
        let is_in_channel = || {
            let parent = self.state.open.last();
            // In RSS 1.0 and 0.90, items are children of the root element.
            parent.is_some_and(|parent| {
                parent.feed_part == FeedPart::Channel || self.state.open.len() == 1
            })
        };
        match local {
            "channel" if namespace == Namespace::Rss => FeedPart::Channel,
            ITEM if namespace == Namespace::Rss && is_in_channel() => FeedPart::Item,
            _ => FeedPart::Other,
        }
    }

    /// Enters the scope of the element with these attributes, if it has an `xml:base` or is an item of a feed.
    fn enter_scope(
        &mut self,
        raw: &[RawAttribute],
        feed_part: FeedPart,
        is_root: bool,
        tag: Span,
    ) -> Result<(), ReadError> {
        let text = self.text;
        let written = |span: Span| &text[span.start..span.end];
        let found = raw
            .iter()
            .find(|attribute| written(attribute.name) == XML_BASE);
        let found = found.filter(|_| self.options.honors_xml_base);
        let decoded = found.map(|attribute| decode_attribute(written(attribute.value), 0));
        let xml_base = decoded.map(|value| value.text.into_owned());
        if is_root {
            let Some(value) = xml_base else {
                return Ok(());
            };
            self.tokens.base_elements.push(BaseElement {
                href: value.clone(),
                attributes: vec![NameAndValue {
                    name: XML_BASE.to_owned(),
                    value,
                }],
                location: TreeLocation::Root,
            });
            return Ok(());
        }
        if xml_base.is_none() && feed_part != FeedPart::Item {
            return Ok(());
        }
        if self.state.scope_path.len() > MAX_SCOPES {
            return Err(ReadError::at(tag.start, IllFormedReason::TooDeep));
        }
        let parent = self.scope();
        // A document has fewer tags than bytes, and an `xml:base` takes more than one.
        let scope = u32::try_from(self.tokens.scopes.len()).unwrap_or(u32::MAX);
        self.state.scope_path.push(scope);
        self.tokens.scopes.push(ElementScope {
            parent,
            xml_base,
            link: None,
        });
        Ok(())
    }

    /// Adds an attribute if it may be a link or a condition of one, or if `is_needed`.
    ///
    /// Returns whether it may be a link.
    fn attribute(&mut self, raw: &RawAttribute, is_needed: bool) -> bool {
        let text = self.text;
        let name = &text[raw.name.start..raw.name.end];
        if name == XML_BASE {
            if self.options.honors_xml_base {
                self.push_attribute(raw, None, true);
            }
            return self.options.honors_xml_base;
        }
        let canonical = if name.contains(':') {
            match self.state.bindings.attribute(name) {
                Some(canonical) => canonical,
                None => return false,
            }
        } else {
            name.into()
        };
        let found = self
            .options
            .names
            .find(canonical.as_bytes(), 0, canonical.len());
        if found.is_none() && !is_needed {
            return false;
        }
        let may_be_link = found.is_some_and(|found| found.role == AttributeRole::Link);
        // Names are case-sensitive, and a key is that of the name in lower case.
        let key = found.and_then(|found| found.key.filter(|_| found.is_lower_case));
        self.push_attribute(raw, key, may_be_link);
        if canonical != name {
            let last = self.tokens.attributes.last_mut();
            if let Some(attribute) = last {
                attribute.name = canonical.into_owned().into();
            }
        }
        may_be_link
    }

    /// Adds the BASE element whose attributes begin at index `first`, if it has an `href`.
    fn base_element(&mut self, first: usize) {
        let text = self.text;
        let attributes: Vec<NameAndValue> = self.tokens.attributes[first..]
            .iter()
            .map(|attribute| {
                let value = &text[attribute.value.start..attribute.value.end];
                NameAndValue {
                    name: attribute.name.to_string(),
                    value: decode_attribute(value, 0).text.into_owned(),
                }
            })
            .collect();
        let href = attributes.iter().find(|attribute| attribute.name == "href");
        let Some(href) = href.map(|attribute| attribute.value.clone()) else {
            return;
        };
        let location = if self.state.open_templates > 0 {
            TreeLocation::Template
        } else if self.state.is_in_head {
            TreeLocation::Head
        } else {
            TreeLocation::Outside
        };
        self.tokens.base_elements.push(BaseElement {
            href,
            attributes,
            location,
        });
    }

    fn end_tag(&mut self, start: usize) -> Result<usize, ReadError> {
        let (name, end) = tag::end_tag(self.text, start)?;
        self.tokens.tags += 1;
        let is_open = |element: &OpenXmlElement, names: &str| names[element.name_start..] == *name;
        let is_match = self
            .state
            .open
            .last()
            .is_some_and(|element| is_open(element, &self.state.open_names));
        if is_match {
            self.close(start);
            return Ok(end);
        }
        self.reject(start, IllFormedReason::EndTag)?;
        let mut names_end = self.state.open_names.len();
        let is_wanted = |element: &OpenXmlElement| {
            let is_wanted = self.state.open_names[element.name_start..names_end] == *name;
            names_end = element.name_start;
            is_wanted
        };
        let depth = self.state.open.iter().rev().take(MAX_RECOVERY).position({
            let mut is_wanted = is_wanted;
            move |element| is_wanted(element)
        });
        for _ in 0..depth.map_or(0, |depth| depth + 1) {
            self.close(start);
        }
        Ok(end)
    }

    /// Sets the link of the feed or item that is the innermost open element, unless it has one.
    fn set_feed_link(&mut self, text: Span) {
        let parent = self.state.open.last();
        let scope = match parent.map(|parent| (parent.feed_part, parent.outer_scopes)) {
            // The items of RSS 1.0 are outside the channel.
            Some((FeedPart::Channel, _)) => 0,
            // The scope of the item itself.
            Some((FeedPart::Item, outer_scopes)) => self.state.scope_path[outer_scopes],
            _ => return,
        };
        let raw = &self.text[text.start..text.end];
        let link = &mut self.tokens.scopes[scope as usize].link;
        if link.is_none() && !text::has_entities(raw) {
            let decoded = text::decode_text(raw, 0).value.text;
            *link = Some(decoded.trim().to_owned()).filter(|link| !link.is_empty());
        }
    }

    /// Closes the innermost open element, whose content ends at `content_end`.
    fn close(&mut self, content_end: usize) {
        let Some(element) = self.state.open.pop() else {
            return;
        };
        if let Some(tag) = element.text_tag
            && !element.has_children
        {
            let span = Span::new(element.content_start, content_end);
            let kind = TextKind::Xml;
            let tag = &mut self.tokens.start_tags[tag];
            tag.text = Some(TextContent { span, kind });
            if tag.namespace == Namespace::Rss && tag.name == "link" {
                self.set_feed_link(span);
            }
        }
        self.state.open_names.truncate(element.name_start);
        self.state.bindings.truncate(element.outer_bindings);
        self.state.scope_path.truncate(element.outer_scopes);
        self.state.pending -= usize::from(element.is_pending());
        self.state.is_in_head &= !element.is_head;
        self.state.open_templates -= usize::from(element.is_template);
    }
}
