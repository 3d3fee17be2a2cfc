//! Start tags: the namespace of an element, its attributes, and the base URLs that it sets.
//!
//! The syntax of a tag is read by [`tag`].

use std::collections::HashMap;
use std::mem;

use memchr::memmem;

use super::characters::name_end;
use super::error::ReadError;
use super::reader::XmlReader;
use super::state::{FeedPart, OpenXmlElement};
use super::tag::{self, TagEnd};
use super::text::decode_attribute;
use crate::markup::attribute::RawAttribute;
use crate::markup::name_set::AttributeRole;
use crate::markup::tokens::{ElementScope, NameAndValue};
use crate::markup::{BaseElement, Namespace, TreeLocation};
use crate::span::Span;
use crate::unsupported::IllFormedReason;

/// The attribute that sets the base URL of an element.
pub(crate) const XML_BASE: &str = "xml:base";

/// The name of the items of a feed.
const ITEM: &str = "item";

/// The maximum number of elements with an `xml:base` within each other.
///
/// Each has a base URL of its own, so the limit bounds the memory.
const MAX_SCOPES: usize = 256;

/// An attribute that repeats the name of an earlier one; both are indexes.
#[derive(Debug, Clone, Copy)]
struct Duplicate {
    index: usize,
    first: usize,
}

impl<'t> XmlReader<'t, '_> {
    /// Reads the start tag that begins at `start`, and returns its end.
    pub(super) fn start_tag(&mut self, start: usize) -> Result<usize, ReadError> {
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
        if repeated.is_empty() {
            for attribute in raw {
                has_link |= self.attribute(attribute, is_base);
            }
        } else {
            has_link = self.attributes_and_duplicates(raw, &repeated, is_base);
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

    /// Returns the attributes that repeat the name of an earlier one, in order.
    fn find_duplicates(&self, raw: &[RawAttribute]) -> Result<Vec<Duplicate>, ReadError> {
        // Comparing each with each is fastest for the usual numbers, and not linear for others.
        const FEW: usize = 12;
        if raw.len() < 2 {
            return Ok(Vec::new());
        }
        let name = |attribute: &RawAttribute| {
            let span = attribute.name;
            &self.text[span.start..span.end]
        };
        let mut repeated = Vec::new();
        let mut names = HashMap::new();
        for (index, attribute) in raw.iter().enumerate() {
            let first = if raw.len() <= FEW {
                let mut earlier = raw[..index].iter();
                earlier.position(|earlier| name(earlier) == name(attribute))
            } else {
                let first = *names.entry(name(attribute)).or_insert(index);
                Some(first).filter(|first| *first < index)
            };
            if let Some(first) = first {
                self.reject(attribute.name.start, IllFormedReason::DuplicateAttribute)?;
                repeated.push(Duplicate { index, first });
            }
        }
        Ok(repeated)
    }

    /// Adds the attributes of a tag, of which `repeated` are duplicates. Returns whether any may be a link.
    fn attributes_and_duplicates(
        &mut self,
        raw: &[RawAttribute],
        repeated: &[Duplicate],
        is_needed: bool,
    ) -> bool {
        let mut has_link = false;
        // The index of each attribute in the tokens.
        let mut added = vec![None; raw.len()];
        let mut rest = repeated.iter().peekable();
        for (index, attribute) in raw.iter().enumerate() {
            let Some(duplicate) = rest.next_if(|duplicate| duplicate.index == index) else {
                let next = self.tokens.attributes.len();
                has_link |= self.attribute(attribute, is_needed);
                added[index] = Some(next).filter(|next| *next < self.tokens.attributes.len());
                continue;
            };
            if let Some(first) = added[duplicate.first] {
                let span = Span::new(attribute.name.start, attribute.value.end + 1);
                self.tokens.attributes[first].duplicates.push(span);
            }
        }
        has_link
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
        let Some(canonical) = self.state.bindings.attribute(name) else {
            return false;
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
}
