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
//! - Whenever the loop continues, no offset inside a tag that was read is left in the index.
//! - The [`ScanState`](super::ScanState) is not changed. If a tag is not accepted, its attributes are removed.
//!
//! # Cost
//!
//! A fixed number of comparisons for each sixteen bytes of text and for each attribute, plus the hash table lookup of
//! the few names that pass the prefilter. Giving up wastes the comparisons for the tag that is not accepted, and those
//! for the stride of 64 bytes that the index computed ahead.

use super::attributes::{Attributes, RawTag};
use super::element::SPECIAL;
use super::structural_index::StructuralIndex;
use super::{BailOut, Scanner};
use crate::find::{Block, Mask};
use crate::html::name_set::AttributeRole;
use crate::html::tag::{self, Quoting, RawAttribute};
use crate::html::tokens::Namespace;
use crate::span::Span;

impl Scanner<'_, '_> {
    /// Reads ordinary tags from `pos` on, and returns the offset after the last of them.
    ///
    /// Must be called in BODY, outside of SVG and MathML. Stops before the first markup that needs the general path,
    /// after the tag that fills the segment, or after the last tag of the text.
    pub(super) fn body_tags(&mut self, mut pos: usize) -> Result<usize, BailOut> {
        let bytes = self.bytes;
        let mut index = StructuralIndex::new(bytes, pos);
        let mut tags = 0;
        // Skips the `>` and quotes of text.
        while let Some(start) = index.find(|&offset| bytes[offset] == b'<') {
            let Some(&initial) = bytes.get(start + 1) else {
                break;
            };
            if initial == b'/' {
                let Some(end) = index.next() else {
                    break;
                };
                // No quote comes before this `>`, so it ends the tag. It is at `start + 2` or later: that byte exists.
                if bytes[end] != b'>' || !bytes[start + 2].is_ascii_alphabetic() {
                    break;
                }
                pos = end + 1;
                tags += 1;
                continue;
            }
            if !initial.is_ascii_alphabetic() {
                // Comments may contain any of the structural bytes.
                if matches!(initial, b'!' | b'?') {
                    break;
                }
                // A literal `<`.
                pos = start + 1;
                continue;
            }
            let Some(next) = index.next() else {
                break;
            };
            let Some(names) = NameEnds::at(bytes, start + 1) else {
                break;
            };
            let name = Span::new(start + 1, names.end());
            // A structural byte within the name is a quote or `<`, which the tokenizer makes part of the name.
            if name.end > next || SPECIAL.contains_prefix(bytes, name) {
                break;
            }
            // Of the bytes that may end a name, only `>` is structural.
            if name.end == next {
                pos = next + 1;
                tags += 1;
                continue;
            }
            // `=` and control characters are part of the name of a tag.
            if !bytes[name.end].is_ascii_whitespace() && bytes[name.end] != b'/' {
                break;
            }
            let first_attribute = self.tokens.attributes.len();
            let Some(attributes) = self.body_attributes(names, next, &mut index) else {
                self.tokens.attributes.truncate(first_attribute);
                break;
            };
            pos = attributes.end;
            tags += 1;
            if attributes.has_link {
                let tag = RawTag {
                    span: Span::new(start, attributes.end),
                    name,
                    first_attribute,
                    has_link: true,
                };
                self.push_tag(&tag, Namespace::Html)?;
                if self.segment_is_full() {
                    break;
                }
            } else if self.tokens.attributes.len() > first_attribute {
                // The attributes that were kept serve conditions only, and the tag has no link.
                self.tokens.attributes.truncate(first_attribute);
            }
        }
        self.tokens.tags += tags;
        Ok(pos)
    }

    /// Keeps the attributes of a start tag that are in the set of names, and returns where the tag ends.
    ///
    /// `names` begins with the name of the tag, and `next` is the first structural byte after that name. Returns
    /// `None` if an attribute is not conventionally written, or if the text ends first; some attributes may have been
    /// kept by then.
    #[inline]
    fn body_attributes(
        &mut self,
        mut names: NameEnds,
        mut next: usize,
        index: &mut StructuralIndex<'_>,
    ) -> Option<Attributes> {
        let bytes = self.bytes;
        let first_attribute = self.tokens.attributes.len();
        let mut has_link = false;
        loop {
            // The end of the tag's name, or of the quoted value before.
            let pos = names.end();
            let quote = bytes[next];
            if quote == b'>' {
                // The end of most void elements in XHTML style. Handled here to save the call below.
                if bytes[pos..next] == *b" /" {
                    return Some(Attributes {
                        end: next + 1,
                        has_link,
                    });
                }
                // No quote is left before this `>`, so it ends the tag, and the attributes up to it are unquoted or
                // have no value. The general lexer reads them and ends at the same `>`, so the index needs no update.
                let rest = self.collect_attributes(first_attribute, pos)?;
                return Some(Attributes {
                    end: rest.end,
                    has_link: has_link | rest.has_link,
                });
            }
            // Part of a name or of an unquoted value, perhaps because this tag is unfinished.
            if quote == b'<' {
                return None;
            }
            let name = names.quoted_attribute(bytes, next)?;
            let end = index.find(|&offset| bytes[offset] == quote)?;
            if let Some(known) = self.names.find(bytes, name.start, name.end) {
                has_link |= known.role == AttributeRole::Link;
                let attribute = RawAttribute {
                    name,
                    value: Span::new(next + 1, end),
                    quoting: Quoting::of(quote),
                };
                self.keep_attribute(first_attribute, &attribute, known);
            }
            next = index.next()?;
            // The usual end of a tag: saves the load of a block that would only find this.
            if next == end + 1 && bytes[next] == b'>' {
                return Some(Attributes {
                    end: next + 1,
                    has_link,
                });
            }
            names = NameEnds::at(bytes, end + 1)?;
            // Something is attached to the closing quote.
            if names.end() != end + 1 {
                return None;
            }
        }
    }
}

/// The bytes that may end a name, among the sixteen from a name on.
struct NameEnds {
    start: usize,
    /// The bytes from `start` on that may end a name; the lowest bit is the byte at `start`. Invariant: not zero.
    ends: Mask,
}

impl NameEnds {
    /// Compares the bytes from `start` on, where a name begins, or the white space before one.
    ///
    /// Returns `None` if the name is long, or if fewer bytes are left in the text than a block has.
    #[inline]
    fn at(bytes: &[u8], start: usize) -> Option<Self> {
        let block = Block::at(bytes, start)?;
        let delimiters = block
            .equal(b'/')
            .or(block.equal(b'='))
            .or(block.equal(b'>'));
        // One comparison for all white space. It also matches control characters, which do not end a name: wherever the
        // difference matters, the byte found is checked again.
        let ends = block.le(b' ').or(delimiters).mask();
        (ends != 0).then_some(Self { start, ends })
    }

    /// Returns the offset of the first byte that may end a name.
    #[inline]
    fn end(&self) -> usize {
        self.start + self.ends.trailing_zeros() as usize
    }

    /// Returns the name of the attribute whose value begins with the quote at `quote`.
    ///
    /// The quote must be the first structural byte after [`end`](Self::end). Returns `None` unless white space comes
    /// first, an equals sign is directly before the quote, and there is only a single name between them.
    #[inline]
    fn quoted_attribute(&self, bytes: &[u8], quote: usize) -> Option<Span> {
        let end = self.end();
        if !bytes.get(end)?.is_ascii_whitespace() || bytes[quote - 1] != b'=' {
            return None;
        }
        // Without the lowest bit, which is the white space, the next one has to be the equals sign.
        let rest = self.ends & (self.ends - 1);
        let name = Span::new(end + 1, quote - 1);
        if rest != 0 && self.start + rest.trailing_zeros() as usize == quote - 1 {
            // An equals sign right after the white space would be part of a name.
            return (name.start < name.end).then_some(name);
        }
        Self::long_or_indented(bytes, name)
    }

    /// Returns the attribute name that `span` consists of, after any more white space at its start.
    ///
    /// Handles names that do not end in the block, and attributes on lines of their own.
    fn long_or_indented(bytes: &[u8], span: Span) -> Option<Span> {
        let start = tag::skip_space(bytes, span.start);
        // The tokenizer skips a slash here, as it does white space: left to the general path.
        let is_name = start < span.end
            && bytes[start] != b'/'
            && tag::attribute_name_end(bytes, start) == span.end;
        is_name.then_some(Span::new(start, span.end))
    }
}
