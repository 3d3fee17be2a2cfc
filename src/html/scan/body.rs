//! The body path: vectorized reading of ordinary tags in BODY.
//!
//! Once HEAD is over and no SVG or MathML element is open, most tags do not depend on the state of the scanner, and do
//! not change it. End tags change nothing that the scanner tracks. The start tag of an element that is not
//! [special](SPECIAL) matters only if one of its attributes may be a link. Nearly all of these tags are also written
//! in the same way: attributes separated by a single space, values in quotes. [`Scanner::body_tags`] reads such tags
//! and nothing else.
//!
//! # Approach
//!
//! The general path reads a tag byte by byte, as the tokenizer does. This one reads it from two vector comparisons:
//!
//! - The [structural index](StructuralIndex) has the offsets of all `<`, `>`, `"` and `'`, computed ahead of the
//!   position that is read. The end of a value is the next quote of the same kind in the index, so the length of a
//!   value costs nothing, and neither does text between tags.
//! - [`NameEnds`] compares the sixteen bytes from a name on with everything that may end a name. For ` href="` it has
//!   the two bits that matter: the white space before the attribute's name and the equals sign after it.
//!
//! An attribute is accepted only if both agree: white space, a name, and `=` directly before the next quote. Any other
//! spelling (an unquoted value before a quoted one, white space around the equals sign, a quote or `<` in an odd place)
//! means that the index may be misread, since a quote delimits a value only where the tokenizer expects a value.
//!
//! # Invariants
//!
//! - Equivalence: a tag that is accepted here yields exactly the tokens that [`super::any_tag`] yields for it. In any
//!   doubt the loop ends before the tag. The general path then reads the tag, and this path resumes after it.
//! - Whenever the loop continues, no offset of a tag that was read is left in the index, except perhaps that of its
//!   `>`, which is skipped like a `>` of text.
//! - The [`ScanState`](super::ScanState) is not changed. If a tag is not accepted, its attributes are removed.
//!
//! # Cost
//!
//! A fixed number of comparisons for each sixteen bytes of text and for each attribute, plus the hash table lookup of
//! the few names that pass the prefilter. Giving up wastes the comparisons for the tag that is not accepted, and those
//! for the stride of 64 bytes that the index computed ahead.

use std::num::NonZero;

use super::attributes::{Attributes, RawTag};
use super::element::SPECIAL;
use super::structural_index::{StructuralIndex, Window};
use super::{BailOut, Scanner};
use crate::find::{Block, Mask, WIDTH};
use crate::html::tag;
use crate::markup::attribute::{Quoting, RawAttribute};
use crate::markup::name_set::AttributeRole;
use crate::markup::tokens::Namespace;
use crate::span::Span;

impl Scanner<'_, '_> {
    /// Reads ordinary tags from `pos` on, and returns the offset up to which the text was read.
    ///
    /// Must be called in BODY, outside of SVG and MathML. Stops before the first markup that needs the general path,
    /// after the tag that fills the segment, or near the end of the text.
    pub(super) fn body_tags(&mut self, pos: usize) -> Result<usize, BailOut> {
        let Some(mut index) = StructuralIndex::new(self.bytes, pos) else {
            return Ok(pos);
        };
        let mut tags = 0;
        let end = loop {
            let Some(offset) = index.next() else {
                break index.end();
            };
            let window = index.window();
            // The `>` and quotes of text.
            if window[offset] != b'<' {
                continue;
            }
            let start = index.offset_in_text(offset);
            let initial = window[offset + 1];
            if initial == b'/' {
                let is_named = window[offset + 2].is_ascii_alphabetic();
                let Some(end) = index.next() else {
                    break start;
                };
                // No quote comes before this `>`, so it ends the tag.
                if index.window()[end] != b'>' || !is_named {
                    break start;
                }
                tags += 1;
                continue;
            }
            if !initial.is_ascii_alphabetic() {
                // Comments may contain any of the structural bytes.
                if matches!(initial, b'!' | b'?') {
                    break start;
                }
                // A literal `<`.
                continue;
            }
            let Some(names) = NameEnds::at(window, offset + 1, start + 1) else {
                break start;
            };
            let name = names.first();
            if SPECIAL.may_contain_like(initial, name.end - name.start)
                && SPECIAL.contains_prefix(self.bytes, name)
            {
                break start;
            }
            let Some(next) = index.next() else {
                break start;
            };
            let next_in_text = index.offset_in_text(next);
            // A structural byte within the name is a quote or `<`, which the tokenizer makes part of the name.
            if next_in_text < name.end {
                break start;
            }
            tags += 1;
            // Of the bytes that may end a name, only `>` is structural.
            if next_in_text == name.end {
                continue;
            }
            let first_attribute = self.tokens.attributes.len();
            let Some(attributes) = self.body_attributes(names, next, &mut index) else {
                tags -= 1;
                self.tokens.attributes.truncate(first_attribute);
                break start;
            };
            if attributes.has_link {
                let tag = RawTag {
                    span: Span {
                        start,
                        end: attributes.end,
                    },
                    name,
                    first_attribute,
                    has_link: true,
                };
                self.push_tag(&tag, Namespace::Html)?;
                if self.segment_is_full() {
                    break attributes.end;
                }
            } else if self.tokens.attributes.len() > first_attribute {
                // The attributes that were kept serve conditions only, and the tag has no link.
                self.tokens.attributes.truncate(first_attribute);
            }
        };
        self.tokens.tags += tags;
        Ok(end)
    }

    /// Keeps the attributes of a start tag that are in the set of names, and returns where the tag ends.
    ///
    /// `names` begins with the name of the tag, and `next` is the first structural byte after that name, in the window
    /// of the index. Returns `None` if an attribute is not conventionally written, or if the index ends first; some
    /// attributes may have been kept by then.
    #[inline]
    fn body_attributes<'t>(
        &mut self,
        mut names: NameEnds<'t>,
        mut next: usize,
        index: &mut StructuralIndex<'t>,
    ) -> Option<Attributes> {
        let first_attribute = self.tokens.attributes.len();
        let mut has_link = false;
        loop {
            let quote = index.window()[next];
            let start = index.offset_in_text(next);
            if quote == b'>' {
                let rest = Span {
                    start: names.first().end,
                    end: start,
                };
                return self.rest_of_tag(first_attribute, has_link, rest);
            }
            // Part of a name or of an unquoted value, perhaps because this tag is unfinished.
            if quote == b'<' {
                return None;
            }
            let (name, initial) = names.quoted_attribute(self.bytes, start)?;
            let end = loop {
                let end = index.next()?;
                if index.window()[end] == quote {
                    break end;
                }
            };
            let end_in_text = index.offset_in_text(end);
            if self.names.may_contain_like(initial, name.end - name.start)
                && let Some(known) = self.names.find_likely(self.bytes, name.start, name.end)
            {
                has_link |= known.role == AttributeRole::Link;
                let attribute = RawAttribute {
                    name,
                    value: Span {
                        start: start + 1,
                        end: end_in_text,
                    },
                    quoting: Quoting::of(quote),
                };
                self.keep_attribute(first_attribute, &attribute, known);
            }
            // The usual end of a tag: saves the load of a block that would only find this.
            if index.window()[end + 1] == b'>' {
                // If it is in the next stride, it is skipped later, like a `>` of text.
                index.skip();
                return Some(Attributes {
                    end: end_in_text + 2,
                    has_link,
                });
            }
            names = NameEnds::at(index.window(), end + 1, end_in_text + 1)?;
            // Something is attached to the closing quote.
            if names.ends.get() & 1 == 0 {
                return None;
            }
            next = index.next()?;
        }
    }

    /// Keeps the attributes of `rest`, the rest of a start tag up to its `>`, in which no quote is.
    ///
    /// Otherwise like [`body_attributes`](Self::body_attributes).
    #[inline]
    fn rest_of_tag(
        &mut self,
        first_attribute: usize,
        has_link: bool,
        rest: Span,
    ) -> Option<Attributes> {
        let bytes = &self.bytes[rest.start..rest.end];
        // `=` and control characters are part of the name of a tag.
        if !bytes[0].is_ascii_whitespace() && bytes[0] != b'/' {
            return None;
        }
        // The end of most void elements in XHTML style. Handled here to save the call below.
        if *bytes == *b" /" {
            return Some(Attributes {
                end: rest.end + 1,
                has_link,
            });
        }
        // These attributes are unquoted or have no value. The general lexer ends at the same `>`, so the index needs no
        // update.
        let attributes = self.collect_attributes(first_attribute, rest.start)?;
        Some(Attributes {
            end: attributes.end,
            has_link: has_link | attributes.has_link,
        })
    }
}

/// The bytes that may end a name, among the sixteen from a name on.
struct NameEnds<'t> {
    /// The sixteen bytes, and those after them.
    text: &'t [u8; 2 * WIDTH],
    /// Their offset in the text.
    start: usize,
    /// Those that may end a name; the lowest bit is the first byte.
    ends: NonZero<Mask>,
}

impl<'t> NameEnds<'t> {
    /// Compares the bytes from `offset` in the window on, where a name begins, or the white space before one.
    ///
    /// `start` is the same place in the text. Returns `None` if the name is long.
    #[inline]
    fn at(window: &'t Window, offset: usize, start: usize) -> Option<Self> {
        let text: &[u8; 2 * WIDTH] = window[offset..].first_chunk()?;
        let block = Block::of(text.first_chunk()?);
        let delimiters = block
            .equal(b'/')
            .or(block.equal(b'='))
            .or(block.equal(b'>'));
        // One comparison for all white space. It also matches control characters, which do not end a name: wherever the
        // difference matters, the byte found is checked again.
        let ends = NonZero::new(block.le(b' ').or(delimiters).mask())?;
        Some(Self { text, start, ends })
    }

    /// Returns the name, or the empty span before the white space that comes first.
    #[inline]
    fn first(&self) -> Span {
        Span {
            start: self.start,
            end: self.start + self.ends.trailing_zeros() as usize,
        }
    }

    /// Returns the name of the attribute whose value begins with the quote at `quote`, and the first byte of the name.
    ///
    /// The quote must be the first structural byte after the [first](Self::first) name. Returns `None` unless white
    /// space comes first, an equals sign is directly before the quote, and there is only a single name between them.
    #[inline]
    fn quoted_attribute(&self, bytes: &[u8], quote: usize) -> Option<(Span, u8)> {
        let space = self.ends.trailing_zeros() as usize % WIDTH;
        if !self.text[space].is_ascii_whitespace() {
            return None;
        }
        let name = Span {
            start: self.start + space + 1,
            end: quote - 1,
        };
        // Without the lowest bit, which is the white space, the next one has to be the equals sign.
        let rest = self.ends.get() & (self.ends.get() - 1);
        if let Some(rest) = NonZero::new(rest) {
            let equals = rest.trailing_zeros() as usize % WIDTH;
            // An equals sign right after the white space would be part of a name.
            if self.start + equals == name.end && self.text[equals] == b'=' && equals > space + 1 {
                return Some((name, self.text[space + 1]));
            }
        }
        let name = Self::long_or_indented(bytes, name)?;
        Some((name, bytes[name.start]))
    }

    /// Returns the attribute name that `span`, which an equals sign must follow, consists of after any white space.
    ///
    /// Handles names that do not end in the block, and attributes on lines of their own.
    #[inline(never)]
    fn long_or_indented(bytes: &[u8], span: Span) -> Option<Span> {
        if bytes[span.end] != b'=' {
            return None;
        }
        let start = tag::skip_space(bytes, span.start);
        // The tokenizer skips a slash here, as it does white space: left to the general path.
        let is_name = start < span.end
            && bytes[start] != b'/'
            && tag::attribute_name_end(bytes, start) == span.end;
        is_name.then_some(Span::new(start, span.end))
    }
}
