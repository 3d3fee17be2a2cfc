//! Rewriting one window of a document after the other.

use std::borrow::Cow;
use std::io::{self, Seek, Write};

use encoding_rs::{Encoding, UTF_8};

use super::output::{Compared, HeldOutput};
use super::spool::Spool;
use super::{BufferedReason, SkippedCount, StreamError, WINDOW, count};
use crate::encoding;
use crate::html::encoding::{Detected, LONGEST_PREFIX, detect_from_prefix};
use crate::html::scan::{self, Chunk, ChunkTokens, ScanState};
use crate::html::{BailOut, BaseElement, Reader};
use crate::rewrite::bases::DocumentBases;
use crate::rewrite::document::SourceKind;
use crate::rewrite::options::{BaseElementPolicy, BaseScope};
use crate::rewrite::report::Report;
use crate::rewrite::resolve::LinkResolver;
use crate::rewrite::segment::{NeedsSlowPath, Segment, SkeletonSource, hides_markup};
use crate::rewrite::sink::SpliceSink;
use crate::rewrite::value::{Decider, LinkVisitor, SpanMapper};
use crate::rewrite::{Document, Rewriter};
use crate::span::Span;
use crate::splice::Splicer;

/// How documents that are like `document`, whose bytes do not matter, are rewritten.
pub(super) struct Windows<'s> {
    settings: &'s Rewriter,
    document: &'s Document<'s>,
    length: usize,
}

/// Why not all of a document was rewritten in windows.
pub(super) enum StreamFallback {
    Buffered(BufferedReason),
    Failed(StreamError),
}

impl From<BufferedReason> for StreamFallback {
    fn from(buffered: BufferedReason) -> Self {
        Self::Buffered(buffered)
    }
}

impl From<BailOut> for StreamFallback {
    fn from(reason: BailOut) -> Self {
        Self::Buffered(BufferedReason::Tree(reason))
    }
}

impl From<NeedsSlowPath> for StreamFallback {
    fn from(_: NeedsSlowPath) -> Self {
        Self::Buffered(BufferedReason::Characters)
    }
}

impl From<StreamError> for StreamFallback {
    fn from(error: StreamError) -> Self {
        Self::Failed(error)
    }
}

/// What all windows add up to.
#[derive(Default)]
pub(super) struct StreamTotals {
    pub(super) report: Report<'static>,
    pub(super) skipped: Vec<SkippedCount>,
    pub(super) edited: usize,
    pub(super) is_changed: bool,
}

/// What does not change from one window to the next.
struct StreamContext<'c> {
    resolver: LinkResolver<'c>,
    encoding: &'static Encoding,
}

/// A part of the document, and what was read of it.
struct ReadChunk<'r> {
    bytes: &'r [u8],
    text: &'r str,
    part: ChunkTokens<'r>,
}

impl<'s> Windows<'s> {
    pub(super) fn new(settings: &'s Rewriter, document: &'s Document<'s>) -> Self {
        Self {
            settings,
            document,
            length: settings.window.unwrap_or(WINDOW).max(1),
        }
    }

    /// Rewrites `source` to `output`, as far as it is known what is to be written.
    pub(super) fn rewrite<R, S, M, W>(
        &self,
        source: &mut Spool<R, S, M>,
        output: &mut HeldOutput<W>,
    ) -> Result<StreamTotals, StreamFallback>
    where
        R: io::Read,
        S: io::Read + Write + Seek,
        M: FnOnce() -> io::Result<S>,
        W: Write,
    {
        let (settings, document) = (self.settings, self.document);
        source.fill(self.length.max(LONGEST_PREFIX))?;
        if source.is_over() {
            return Err(BufferedReason::Short.into());
        }
        if self.asks_for_the_whole() {
            return Err(BufferedReason::Settings.into());
        }
        let known = detect_from_prefix(source.bytes(), document.encoding)
            .filter(|known| known.encoding.is_ascii_compatible())
            .ok_or(BufferedReason::Encoding)?;
        let Detected {
            encoding, bom_len, ..
        } = known;
        let elements = self.base_elements(source, encoding, bom_len)?;
        if !source.makes_spool() {
            return Err(BufferedReason::Spool.into());
        }
        let bases = DocumentBases::establish(&elements, &document.candidates, settings);
        let resolver = LinkResolver::new(settings, &bases, &document.candidates, encoding);
        let course = StreamContext { resolver, encoding };
        let mut totals = StreamTotals::default();
        totals.report.base = bases.document.clone();
        let usual = self.usual_length(course.resolver.document.as_ref().map(|own| &*own.base.url));
        let mut state = ScanState::default();
        let (mut start, mut length) = (bom_len, usual);
        loop {
            let bytes = &source.bytes()[start..];
            let is_last = source.is_over() && bytes.len() <= length;
            let bytes = &bytes[..bytes.len().min(length)];
            let text = text_of(bytes, encoding, is_last)?;
            let part = self.read(&text, is_last, state)?;
            let end = start + part.end;
            let kept = bytes.len() - part.end;
            let read = ReadChunk {
                bytes,
                text: &text,
                part,
            };
            let new = self.window(&course, &read, &mut totals)?;
            output.add(&source.bytes()[..start], encoding, document.encoding)?;
            output.add(&new, encoding, document.encoding)?;
            drop(new);
            state = read.part.state;
            source.release(end);
            if is_last {
                break;
            }
            start = 0;
            // What did not fit is to fit next time, or the time after it.
            length = usual.max(kept.saturating_mul(2));
            source.fill(length)?;
        }
        output.end(encoding, document.encoding)?;
        Ok(totals)
    }

    /// Whether the whole document has to be known, whatever is in it.
    fn asks_for_the_whole(&self) -> bool {
        let writes_of_itself = matches!(
            self.settings.base_element,
            BaseElementPolicy::Insert | BaseElementPolicy::Remove
        );
        writes_of_itself
            || self.document.kind == SourceKind::StyleSheet
            || self.settings.reader == Reader::Reference
    }

    /// How long windows are, of a document with that base URL, which may come to stand there once for each few bytes.
    fn usual_length(&self, base: Option<&str>) -> usize {
        const SHORT: usize = 256;
        let times = 1 + base.map_or(0, str::len) / SHORT;
        (self.length / times).max(1)
    }

    fn read<'t>(
        &self,
        text: &'t str,
        is_last: bool,
        state: ScanState,
    ) -> Result<ChunkTokens<'t>, BailOut> {
        let window = Chunk { text, is_last };
        scan::read_chunk(&window, state, self.settings.selection.names())
    }

    /// Every BASE element that may count, once so much was read that no other one can. They stand behind the mark.
    ///
    /// # Source
    /// HTML, "the rules for parsing tokens in HTML content": once the insertion mode is "in body", HEAD is not open any
    /// more, and nothing is put into it; but a TEMPLATE in HEAD is read in modes of its own, and then HEAD goes on.
    fn base_elements<R, S, M>(
        &self,
        source: &mut Spool<R, S, M>,
        encoding: &'static Encoding,
        bom_len: usize,
    ) -> Result<Vec<BaseElement>, StreamFallback>
    where
        R: io::Read,
        S: io::Read + Write + Seek,
        M: FnOnce() -> io::Result<S>,
    {
        let elements = loop {
            let is_last = source.is_over();
            let text = text_of(&source.bytes()[bom_len..], encoding, is_last)?;
            let ChunkTokens { tokens, state, .. } =
                self.read(&text, is_last, ScanState::default())?;
            if state.has_template_in_head() {
                return Err(BufferedReason::Base.into());
            }
            if state.is_behind_head() {
                break tokens.base_elements;
            }
            if is_last {
                return Err(BufferedReason::Base.into());
            }
            let length = source.bytes().len();
            source.fill(length.saturating_mul(2))?;
        };
        // Those in HEAD go before all others in the tree.
        let is_settled =
            self.settings.effective_base_scope() == BaseScope::Head || !elements.is_empty();
        if is_settled {
            Ok(elements)
        } else {
            Err(BufferedReason::Base.into())
        }
    }

    /// What a window becomes.
    fn window<'r>(
        &self,
        course: &StreamContext<'_>,
        read: &ReadChunk<'r>,
        totals: &mut StreamTotals,
    ) -> Result<Cow<'r, [u8]>, NeedsSlowPath> {
        let locate = |span: Span| Some(span);
        let segment = Segment {
            text: read.text,
            masked: (course.encoding != UTF_8).then_some(SkeletonSource {
                bytes: read.bytes,
                encoding: course.encoding,
            }),
            tokens: &read.part.tokens,
            site: SpanMapper {
                locate: Some(&locate),
                ascii_only: encoding::lacks_characters(course.encoding),
            },
        };
        // An element of SVG may have begun in a window before.
        let may_be_foreign = true;
        if segment.masked.is_some()
            && hides_markup(read.text, &self.settings.selection, may_be_foreign)
        {
            return Err(NeedsSlowPath);
        }
        segment.check()?;
        let mut walk = LinkVisitor::new(&course.resolver, Decider::Resolve);
        let old = &read.bytes[..read.part.end];
        let mut new = Vec::new();
        let mut writer = SpliceSink::new(Splicer::new(old, old.len() / 8, &mut new));
        walk.segment(&segment, &mut writer)?;
        let SpliceSink {
            splicer,
            skipped,
            counts,
            ..
        } = writer;
        let report = &mut totals.report;
        report.tags += walk.tags;
        report.mismatched_tags += walk.mismatched_tags;
        report.counts.resolved += counts.resolved;
        report.counts.absolute += counts.absolute;
        report.counts.skipped += counts.skipped;
        count(&skipped, &mut totals.skipped);
        let edited = splicer.finish();
        totals.edited += edited;
        if edited == 0 {
            return Ok(Cow::Borrowed(old));
        }
        totals.is_changed |= new != old;
        Ok(Cow::Owned(new))
    }

    /// Whether the first `written` bytes of `expected` are what was written of the document `bytes` before something
    /// asked for the whole of it.
    pub(super) fn wrote(&self, bytes: &[u8], written: u64, expected: &[u8]) -> bool {
        if written == 0 {
            return true;
        }
        let mut source = Spool::new(bytes, || Ok(io::empty()));
        let mut compared = Compared::with(expected);
        let mut output = HeldOutput::new(&mut compared);
        // It goes as it went.
        let _ = self.rewrite(&mut source, &mut output);
        output.written() == written && compared.is_same()
    }
}

/// The text of a part of a document: masked, if it is not in UTF-8, and without a character that does not end in it, if the
/// document goes on.
fn text_of<'b>(
    bytes: &'b [u8],
    encoding: &'static Encoding,
    is_last: bool,
) -> Result<Cow<'b, str>, BufferedReason> {
    if encoding != UTF_8 {
        return Ok(Cow::Owned(encoding::masked(bytes)));
    }
    let whole = if is_last {
        bytes
    } else {
        &bytes[..whole_characters(bytes)]
    };
    let text = simdutf8::basic::from_utf8(whole);
    text.map(Cow::Borrowed)
        .map_err(|_| BufferedReason::Characters)
}

/// How many of `bytes` are not the beginning of a character whose end is missing.
fn whole_characters(bytes: &[u8]) -> usize {
    const LONGEST: usize = 4;
    let length = bytes.len();
    let first = |&back: &usize| bytes[length - back] & 0b1100_0000 != 0b1000_0000;
    let Some(back) = (1..=length.min(LONGEST)).find(first) else {
        return length;
    };
    let needed = match bytes[length - back] {
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
        _ => 1,
    };
    if needed > back { length - back } else { length }
}
