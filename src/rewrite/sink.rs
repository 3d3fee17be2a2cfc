//! [`Sink`]: receives the links and edits of a document. [`SpliceSink`] writes, [`CollectSink`] collects.
//!
//! # Push contract
//!
//! [`LinkVisitor::visit_segment`](super::visitor::LinkVisitor::visit_segment) pushes links and edits to a sink. One
//! document is one sequence of calls:
//!
//! 1. [`begin`](Sink::begin) before the first link. A driver that starts over (the scanner bailed out) calls it again,
//!    and the sink must drop everything it received before.
//! 2. [`push_simple`](Sink::push_simple) and [`push`](Sink::push) for each link, in document order. A value is pushed
//!    by one of the two, never by both.
//! 3. No call marks the end. The driver takes the result out of the sink.
//!
//! [`checkpoint`](Sink::checkpoint) and [`rollback`](Sink::rollback) bracket the references of a list such as
//! `srcset`: they are pushed as they are found, and if one of them is not simple, all of them are taken back. They also
//! bracket the markup in a CDATA section, in which there may be lists.
//!
//! # Errors
//!
//! [`push_simple`](Sink::push_simple) returns `false` if it cannot represent the link. The sink is unchanged then, and
//! the visitor pushes the link again, through the general path and [`push`](Sink::push). An error of the latter ends
//! the pass. The sink then contains part of a document, and the driver must discard it, with the bytes that a
//! [`SpliceSink`] may already have appended to its output.
//!
//! # Lifetimes
//!
//! Links borrow from the text, which lives for `'t`. The text may be temporary (a skeleton, a decoded copy), while the
//! report lives for `'r`, as long as the document. So both sinks have a [`Retain`], which makes a link of the text one
//! of the report.

use std::borrow::Cow;

use super::edit::{TextEdit, reference_edit};
use super::fallback::Fallback;
use super::report::{Decider, LinkCounts, LinkReport, Outcome};
use super::simple::SimpleReference;
use super::source_text::{Element, Segment, Skeleton};
use super::value_owner::element_name;
use crate::find::{self, Block, ByteSet};
use crate::grammar::{Grammar, NonAscii, Notation, ReferenceToken, single};
use crate::html::charref;
use crate::html::tokens::{Attribute, DuplicateAttributes};
use crate::link::{Link, RowLookup};
use crate::span::Span;
use crate::splice::{Splicer, SplicerCheckpoint};
use crate::xml::text::is_literal_in_section;

/// Makes links that borrow from a text that lives for `'t` links of a report that lives for `'r`.
pub(super) trait Retain<'t, 'r> {
    /// Returns the link, copied where it borrows from the text.
    fn link(&self, link_report: LinkReport<'t>) -> LinkReport<'r>;

    /// Returns the simple reference at `span` of `text`, decoded.
    ///
    /// Returns `None` if it cannot be decoded without the text around it.
    fn reference(&self, text: &'t str, span: Span, spelling: Spelling) -> Option<Cow<'r, str>>;
}

/// Borrows from a text that lives as long as the document.
pub(super) struct BorrowText;

impl<'r> Retain<'r, 'r> for BorrowText {
    #[inline]
    fn link(&self, link_report: LinkReport<'r>) -> LinkReport<'r> {
        link_report
    }

    #[inline]
    fn reference(&self, text: &'r str, span: Span, spelling: Spelling) -> Option<Cow<'r, str>> {
        Some(spelling.decode(&text[span.start..span.end]))
    }
}

/// Copies from a text that is dropped before the report.
pub(super) struct CopyText;

impl<'t, 'r> Retain<'t, 'r> for CopyText {
    fn link(&self, link_report: LinkReport<'t>) -> LinkReport<'r> {
        link_report.into_owned()
    }

    fn reference(&self, text: &'t str, span: Span, spelling: Spelling) -> Option<Cow<'r, str>> {
        let reference = spelling.decode(&text[span.start..span.end]);
        Some(Cow::Owned(reference.into_owned()))
    }
}

/// Borrows from the bytes that a skeleton was made from, where they are ASCII.
impl<'t, 'r> Retain<'t, 'r> for Skeleton<'r> {
    fn link(&self, link_report: LinkReport<'t>) -> LinkReport<'r> {
        link_report.into_owned()
    }

    fn reference(&self, _: &'t str, span: Span, spelling: Spelling) -> Option<Cow<'r, str>> {
        Some(match Skeleton::reference(self, span)? {
            Cow::Borrowed(raw) => spelling.decode(raw),
            Cow::Owned(raw) => Cow::Owned(spelling.decode(&raw).into_owned()),
        })
    }
}

/// The attribute, or the text of an element, that contains a simple reference.
pub(super) struct ValueSite<'p, 't> {
    pub(super) element: &'p Element<'p, 't>,
    /// `None` for the text of the element.
    pub(super) attribute: Option<&'p Attribute<'t>>,
    /// The row of the link table that applies, as far as the names determine it.
    pub(super) lookup: RowLookup,
}

impl ValueSite<'_, '_> {
    /// Returns whether no other attribute of the element has the name of this one.
    fn is_unique(&self) -> bool {
        // The text of an element has no duplicates.
        let duplicates = self.attribute.map(|attribute| &attribute.duplicates);
        duplicates.is_none_or(DuplicateAttributes::is_empty)
    }
}

/// Links in document order, and edits of the text they were found in.
#[derive(Default)]
pub(super) struct Collected<'t> {
    pub(super) links: Vec<LinkReport<'t>>,
    pub(super) edits: Vec<TextEdit>,
}

/// A receiver of the links and edits of a document whose text lives for `'t`.
///
/// The module documentation describes the order of calls.
pub(super) trait Sink<'t> {
    /// A position that the sink can be rolled back to.
    type Checkpoint;

    /// Begins a document, or the same one again, and drops everything received before.
    fn begin(&mut self);

    /// Reserves memory for `links` more links, a guess. A sink that records few of them needs none.
    fn reserve(&mut self, links: usize) {
        let _ = links;
    }

    /// Returns the current position.
    fn checkpoint(&self) -> Self::Checkpoint;

    /// Drops everything received since `checkpoint`.
    fn rollback(&mut self, checkpoint: Self::Checkpoint);

    /// Sets whether the links that follow are in a CDATA section, and returns whether the sink supports that.
    ///
    /// An edit that such a section [may not be able to contain](is_literal_in_section) is then an error.
    fn set_in_section(&mut self, is_in_section: bool) -> bool {
        let _ = is_in_section;
        false
    }

    /// Records a simple reference of `text` and returns `true`.
    ///
    /// `to_segment` maps a span of `text` to the text of the segment; the two differ if a masked value was decoded.
    /// Returns `false` and records nothing if the link must take the general path.
    fn push_simple(
        &mut self,
        site: &ValueSite<'_, 't>,
        text: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> bool;

    /// Records the links of the general path and their edits, and drains both lists.
    ///
    /// # Errors
    /// An edit cannot be applied in this order or in the document's encoding. The driver must discard the sink.
    fn push(
        &mut self,
        segment: &Segment<'_, 't>,
        collected: &mut Collected<'t>,
    ) -> Result<(), Fallback>;

    /// Returns the number of edits recorded so far.
    fn edit_count(&self) -> usize;
}

/// A sink that writes the document with its links resolved.
///
/// Resolved and absolute links are counted; only skipped links are recorded.
pub(super) struct SpliceSink<'s, 'o, 'r, R> {
    pub(super) splicer: Splicer<'s, 'o>,
    /// The state of the splicer before the first edit.
    empty: SplicerCheckpoint,
    retain: R,
    pub(super) skipped: Vec<LinkReport<'r>>,
    pub(super) counts: LinkCounts,
    is_in_section: bool,
}

impl<'s, 'o, R> SpliceSink<'s, 'o, '_, R> {
    /// Creates a sink that writes to `splicer`, which must not have been written to.
    pub(super) fn new(splicer: Splicer<'s, 'o>, retain: R) -> Self {
        Self {
            empty: splicer.checkpoint(),
            splicer,
            retain,
            skipped: Vec::new(),
            counts: LinkCounts::default(),
            is_in_section: false,
        }
    }
}

impl<'t, 'r, R: Retain<'t, 'r>> Sink<'t> for SpliceSink<'_, '_, 'r, R> {
    /// The numbers are those of the skipped links, and of all links.
    type Checkpoint = (SplicerCheckpoint, usize, LinkCounts);

    fn begin(&mut self) {
        // Also truncates the output, to which an abandoned attempt may have appended.
        self.splicer.rollback(self.empty);
        self.skipped.clear();
        self.counts = LinkCounts::default();
    }

    fn checkpoint(&self) -> Self::Checkpoint {
        (self.splicer.checkpoint(), self.skipped.len(), self.counts)
    }

    fn rollback(&mut self, (splicer, skipped, counts): Self::Checkpoint) {
        self.splicer.rollback(splicer);
        self.skipped.truncate(skipped);
        self.counts = counts;
    }

    fn set_in_section(&mut self, is_in_section: bool) -> bool {
        self.is_in_section = is_in_section;
        true
    }

    /// Writes the prefix of the target, or counts an absolute reference.
    ///
    /// Safe in every ASCII-compatible encoding: the new prefix and the kept suffix are ASCII, and the byte before
    /// them is a delimiter that is never a trail byte. So no check like [`Segment::can_write`] is needed.
    #[inline]
    fn push_simple(
        &mut self,
        _: &ValueSite<'_, 't>,
        _: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> bool {
        match simple {
            SimpleReference::NoReference => true,
            SimpleReference::Absolute(_) => {
                self.counts.absolute += 1;
                true
            }
            SimpleReference::Resolved(span, target) => {
                if self.is_in_section && !is_literal_in_section(target.prefix) {
                    return false;
                }
                let Some(replaced) = to_segment(target.replaced(*span)) else {
                    return false;
                };
                let is_in_order = self.splicer.replace(replaced, target.prefix.as_bytes());
                // The general path counts the link if it is pushed again.
                self.counts.resolved += usize::from(is_in_order);
                is_in_order
            }
        }
    }

    fn push(
        &mut self,
        segment: &Segment<'_, 't>,
        collected: &mut Collected<'t>,
    ) -> Result<(), Fallback> {
        for link_report in collected.links.drain(..) {
            self.counts.add(&link_report.outcome);
            if link_report.is_skipped() {
                self.skipped.push(self.retain.link(link_report));
            }
        }
        for edit in collected.edits.drain(..) {
            if self.is_in_section && !is_literal_in_section(&edit.replacement) {
                return Err(Fallback::Section);
            }
            if !segment.can_write(&edit) {
                return Err(Fallback::Masked);
            }
            // Duplicates of a removed attribute may come after later attributes that were already edited.
            if !self.splicer.replace(edit.span, edit.replacement.as_bytes()) {
                return Err(Fallback::OutOfOrder);
            }
        }
        Ok(())
    }

    fn edit_count(&self) -> usize {
        self.splicer.count()
    }
}

/// A sink that collects all links of a document and, unless they are only to be listed, their edits.
pub(super) struct CollectSink<'r, R> {
    collected: Collected<'r>,
    writes: bool,
    retain: R,
    is_in_section: bool,
}

impl<'r, R> CollectSink<'r, R> {
    /// Creates a sink for the links about which `decider` decides.
    pub(super) fn new(decider: &Decider<'_>, retain: R) -> Self {
        Self {
            collected: Collected::default(),
            writes: !matches!(decider, Decider::Keep),
            retain,
            is_in_section: false,
        }
    }

    /// Returns the links, and the edits, which are ordered and disjoint.
    pub(super) fn into_collected(self) -> Collected<'r> {
        let Collected { links, mut edits } = self.collected;
        // Removing an attribute also removes its duplicates, which may come after other attributes that were edited.
        if !edits.is_sorted_by_key(|edit| edit.span.start) {
            edits.sort_by_key(|edit| edit.span.start);
        }
        Collected { links, edits }
    }
}

impl<'t, 'r, R: Retain<'t, 'r>> Sink<'t> for CollectSink<'r, R> {
    /// The numbers of links and edits.
    type Checkpoint = (usize, usize);

    fn begin(&mut self) {
        self.collected.links.clear();
        self.collected.edits.clear();
    }

    fn reserve(&mut self, links: usize) {
        self.collected.links.reserve(links);
    }

    fn checkpoint(&self) -> Self::Checkpoint {
        (self.collected.links.len(), self.collected.edits.len())
    }

    fn rollback(&mut self, (links, edits): Self::Checkpoint) {
        self.collected.links.truncate(links);
        self.collected.edits.truncate(edits);
    }

    fn set_in_section(&mut self, is_in_section: bool) -> bool {
        self.is_in_section = is_in_section;
        true
    }

    #[inline]
    fn push_simple(
        &mut self,
        site: &ValueSite<'_, 't>,
        text: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> bool {
        if let SimpleReference::NoReference = simple {
            // Duplicate attributes are reported, too, and only the general path finds them.
            return site.is_unique();
        }
        self.push_link(site, text, simple, to_segment).is_some()
    }

    fn push(&mut self, _: &Segment<'_, 't>, collected: &mut Collected<'t>) -> Result<(), Fallback> {
        let is_literal = |edit: &TextEdit| is_literal_in_section(&edit.replacement);
        if self.is_in_section && !collected.edits.iter().all(is_literal) {
            return Err(Fallback::Section);
        }
        for link_report in collected.links.drain(..) {
            self.collected.links.push(self.retain.link(link_report));
        }
        self.collected.edits.append(&mut collected.edits);
        Ok(())
    }

    fn edit_count(&self) -> usize {
        self.collected.edits.len()
    }
}

impl<'r, R> CollectSink<'r, R> {
    /// Records the link of `simple`, which must be a reference, and its edit.
    ///
    /// Returns `None` and records nothing if the link must take the general path. It must in these cases:
    ///
    /// * The attribute has duplicates, or the row has a condition.
    /// * White space surrounds the reference, or it contains a character reference other than `&amp;`.
    /// * The text is a skeleton, and the reference cannot be decoded alone.
    /// * The link has no source span, or an edit is needed and the reference is not a literal attribute value.
    #[inline]
    fn push_link<'t>(
        &mut self,
        site: &ValueSite<'_, 't>,
        text: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> Option<()>
    where
        R: Retain<'t, 'r>,
    {
        let (reference, target) = match simple {
            SimpleReference::NoReference => return None,
            SimpleReference::Absolute(span) => (*span, None),
            SimpleReference::Resolved(span, target) => (*span, Some(target)),
        };
        let RowLookup::Link(row) = site.lookup else {
            return None;
        };
        let raw = &text[reference.start..reference.end];
        let is_url = row.rule.grammar == Grammar::Url;
        // White space in the quotes of a CSS string is not part of the reference. A `Url` value is trimmed already.
        if !site.is_unique() || (!is_url && single(raw).len() < raw.len()) {
            return None;
        }
        // Text is literal in any case: it has no character references, and its simple references contain no control
        // characters.
        let has_references =
            site.attribute.is_some() && find::contains_any::<DecodedBytes>(raw.as_bytes());
        let spelling = if has_references {
            Spelling::AmpReferences
        } else {
            Spelling::Literal
        };
        // Only an absolute reference can fail the last test: a resolved one has passed it already.
        let needs_edit = self.writes && target.is_some();
        let cannot_edit = has_references || !is_url;
        if (needs_edit && cannot_edit) || (has_references && !charref::only_amp_references(raw)) {
            return None;
        }
        let segment = site.element.segment;
        let span = to_segment(reference)?;
        let source_span = segment.span_mapper.source_span(span)?;
        let retained = self.retain.reference(segment.text, span, spelling)?;
        let outcome = match target {
            None => Outcome::Absolute,
            Some(target) => {
                Outcome::Resolved([target.prefix, &spelling.decode(target.suffix)].concat())
            }
        };
        if needs_edit && let Outcome::Resolved(target) = &outcome {
            let token = ReferenceToken::literal(text, reference, Notation::Plain);
            let edit = reference_edit(&token, target, NonAscii::Literal).ok()?;
            if self.is_in_section && !is_literal_in_section(&edit.replacement) {
                return None;
            }
            self.collected.edits.push(edit);
        }
        // A row of the table is never excluded: with exclusions, the lookup yields no row.
        let rule = row.rule_for_element(&|name| site.element.value_of(name));
        // The names in the table are those in the document, because the row was found by them, and they are static.
        // Only a wildcard row, which has no element name, needs a copy.
        let tag = site.element.tag;
        let (element, attribute) = row.names();
        let element = element.map_or_else(|| Cow::Owned(tag.name.to_string()), Cow::Borrowed);
        self.collected.links.push(LinkReport {
            link: Link {
                element: element_name(tag.namespace, &element),
                attribute: Cow::Borrowed(attribute),
                grammar: rule.grammar,
                role: rule.role,
                reference: retained,
                span: Some(source_span),
            },
            outcome,
            base: segment.base.cloned(),
            depth: segment.depth,
            is_replaced: false,
        });
        Some(())
    }
}

/// The spelling of a simple reference.
#[derive(Clone, Copy)]
pub(super) enum Spelling {
    /// Every character is literal.
    Literal,
    /// The reference contains `&` (bare or as `&amp;`), U+000D or U+0000.
    AmpReferences,
}

impl Spelling {
    /// Decodes `raw`, which must be a part of the reference as written.
    fn decode(self, raw: &str) -> Cow<'_, str> {
        match self {
            Self::Literal => Cow::Borrowed(raw),
            Self::AmpReferences => charref::decode(raw, 0).text,
        }
    }
}

/// The bytes that the decoding of an attribute value may change: U+000D, U+0000 and `&`.
struct DecodedBytes;

impl ByteSet for DecodedBytes {
    #[inline]
    fn matches(block: Block) -> Block {
        let controls = block.equal(b'\r').or(block.equal(b'\0'));
        controls.or(block.equal(b'&'))
    }
}
