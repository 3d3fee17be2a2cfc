//! Usual tags in BODY: those of elements of which it does not matter which they are, with attributes that are written
//! the usual way.
//!
//! Nothing is decided here that [`super::tags`] does not decide in the same way; what is not quite usual is left to it.

use super::any_tag::RawTag;
use super::attributes::{self, Attributes, RawAttribute};
use super::element::is_special;
use super::structural_index::StructuralIndex;
use super::{BailOut, Scanner};
use crate::find::{Block, Mask};
use crate::html::Namespace;
use crate::html::name_set::AttributeRole;
use crate::html::tag::{Quoting, is_space};
use crate::span::Span;

impl Scanner<'_, '_> {
    /// Reads on from `at` in BODY as long as all tags are usual; up to where.
    pub(super) fn usual_tags(&mut self, mut at: usize) -> Result<usize, BailOut> {
        let bytes = self.bytes;
        let mut places = StructuralIndex::new(bytes, at);
        let mut tags = 0;
        while let Some(start) = places.find(|&place| bytes[place] == b'<') {
            let Some(&initial) = bytes.get(start + 1) else {
                break;
            };
            if initial == b'/' {
                let Some(place) = places.next() else {
                    break;
                };
                // Without quotes, nothing hides what ends it.
                if bytes[place] != b'>' || !bytes[start + 2].is_ascii_alphabetic() {
                    break;
                }
                at = place + 1;
                tags += 1;
                continue;
            }
            if !initial.is_ascii_alphabetic() {
                if matches!(initial, b'!' | b'?') {
                    break;
                }
                // Text.
                at = start + 1;
                continue;
            }
            let Some(place) = places.next() else {
                break;
            };
            let Some(names) = NameEnds::at(bytes, start + 1) else {
                break;
            };
            let name = Span::new(start + 1, names.end());
            if name.end > place || is_special(bytes, name) {
                break;
            }
            if name.end == place {
                at = place + 1;
                tags += 1;
                continue;
            }
            // Other characters may be part of the name.
            if !is_space(bytes[name.end]) && bytes[name.end] != b'/' {
                break;
            }
            let first = self.tokens.attributes.len();
            let Some(found) = self.usual_attributes(names, place, &mut places) else {
                self.tokens.attributes.truncate(first);
                break;
            };
            at = found.end;
            tags += 1;
            if found.has_link {
                let tag = RawTag {
                    span: Span::new(start, found.end),
                    name,
                    first,
                    has_link: true,
                };
                self.add(&tag, Namespace::Html)?;
                if self.segment_is_full() {
                    break;
                }
            } else if self.tokens.attributes.len() > first {
                self.tokens.attributes.truncate(first);
            }
        }
        self.tokens.tags += tags;
        Ok(at)
    }

    /// Keeps the attributes of a tag that are wanted; `None` if one is not usual, or if the text ends before the tag.
    /// `names` begins with the name of the tag, and `place` is the first of those behind it.
    #[inline]
    fn usual_attributes(
        &mut self,
        mut names: NameEnds,
        mut place: usize,
        places: &mut StructuralIndex<'_>,
    ) -> Option<Attributes> {
        let bytes = self.bytes;
        let first = self.tokens.attributes.len();
        let mut has_link = false;
        loop {
            let at = names.end();
            let quote = bytes[place];
            if quote == b'>' {
                if bytes[at..place] == *b" /" {
                    return Some(Attributes {
                        end: place + 1,
                        has_link,
                    });
                }
                // Without quotes, nothing else ends it.
                let rest = self.attributes(first, at)?;
                return Some(Attributes {
                    end: rest.end,
                    has_link: has_link | rest.has_link,
                });
            }
            if quote == b'<' {
                return None;
            }
            let name = names.next(bytes, place)?;
            let end = places.find(|&place| bytes[place] == quote)?;
            if let Some(found) = self.names.find(bytes, name.start, name.end) {
                has_link |= found.worth == AttributeRole::Link;
                let written = RawAttribute {
                    name,
                    value: Span::new(place + 1, end),
                    quoting: if quote == b'"' {
                        Quoting::Double
                    } else {
                        Quoting::Single
                    },
                    end: end + 1,
                };
                self.keep(first, &written, found);
            }
            place = places.next()?;
            if place == end + 1 && bytes[place] == b'>' {
                return Some(Attributes {
                    end: place + 1,
                    has_link,
                });
            }
            names = NameEnds::at(bytes, end + 1)?;
            if names.end() != end + 1 {
                return None;
            }
        }
    }
}

/// Where names end in some bytes: the first one, which may be empty, and that of an attribute behind white space.
struct NameEnds {
    start: usize,
    /// Which bytes from `start` on may end a name: the lowest bit is the first of them. There is one.
    ends: Mask,
}

impl NameEnds {
    /// Those of the bytes from `start` on, if the first name is short, and not near the end of the text.
    #[inline]
    fn at(bytes: &[u8], start: usize) -> Option<Self> {
        let block = Block::at(bytes, start)?;
        // Control characters may be in names: what is made of them has to be looked at again.
        let delimiters = block
            .equal(b'/')
            .or(block.equal(b'='))
            .or(block.equal(b'>'));
        let ends = block.le(b' ').or(delimiters).mask();
        (ends != 0).then_some(Self { start, ends })
    }

    /// Behind the first name.
    #[inline]
    fn end(&self) -> usize {
        self.start + self.ends.trailing_zeros() as usize
    }

    /// The name of an attribute whose value begins with a quote at `quote`: white space is before it and an equals sign
    /// behind it, and nothing else is between the first name and the quote.
    #[inline]
    fn next(&self, bytes: &[u8], quote: usize) -> Option<Span> {
        let end = self.end();
        if !is_space(*bytes.get(end)?) || bytes[quote - 1] != b'=' {
            return None;
        }
        let behind = self.ends & (self.ends - 1);
        let name = Span::new(end + 1, quote - 1);
        if behind != 0 && self.start + behind.trailing_zeros() as usize == quote - 1 {
            return (name.start < name.end).then_some(name);
        }
        Self::after_more(bytes, name)
    }

    /// The same where more than one byte of white space stands before it, or it is long.
    fn after_more(bytes: &[u8], span: Span) -> Option<Span> {
        let start = attributes::behind_space(bytes, span.start);
        // A slash is passed over there, as white space is.
        let is_name = start < span.end
            && bytes[start] != b'/'
            && attributes::attribute_name_end(bytes, start) == span.end;
        is_name.then_some(Span::new(start, span.end))
    }
}
