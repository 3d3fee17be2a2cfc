//! [`RowWriter`]: writes a row for each link while a document is read, so that its links are not in memory.
//!
//! Reading may start over, and rows that were printed cannot be taken back. So the rows are held up to a number; then
//! the document is read once more, to know how often its links begin, and rows are printed from the last time on.

use std::io;

use absolve::{ElementTexts, LinkObserver, ObservedLink, Rewriter};

use super::formats::LinkFormat;
use crate::inputs::located_document::LocatedDocument;
use crate::print::job_result::JobSink;
use crate::print::link_entry::{ElementColumn, LinkEntries};
use crate::print::tally::Tally;

/// The number of rows up to which they are held. Few documents have so many links, and are read twice.
const HELD: usize = 1 << 15;

/// Writes the rows of a document, with these columns about elements, to the result of a job.
pub(super) struct RowWriter<'l, 's, 'e> {
    format: &'l LinkFormat,
    columns: &'l [ElementColumn],
    rewriter: &'l Rewriter,
    path: &'l str,
    located: &'l LocatedDocument<'l>,
    entries: LinkEntries<'l>,
    /// The texts of the elements, if columns have them.
    texts: Option<ElementTexts>,
    /// The target of the current link.
    target: String,
    skipped: Tally,
    sink: &'s mut JobSink<'e>,
    /// The length of the data before the first row.
    start: usize,
    /// The number of times that the links began.
    begun: usize,
    /// That number at the end of the document, if it is known.
    last: Option<usize>,
    written: io::Result<()>,
    /// Whether the run is over, so that no row is needed.
    is_over: bool,
}

impl<'l, 's, 'e> RowWriter<'l, 's, 'e> {
    /// Prepares the rows of the document at a path.
    pub(super) fn new(
        format: &'l LinkFormat,
        columns: &'l [ElementColumn],
        rewriter: &'l Rewriter,
        (path, located): (&'l str, &'l LocatedDocument<'l>),
        sink: &'s mut JobSink<'e>,
    ) -> Self {
        let has_texts = !columns.is_empty();
        let mut rows = Self {
            format,
            columns,
            rewriter,
            path,
            located,
            entries: LinkEntries::new(path, located, rewriter),
            texts: has_texts.then(|| ElementTexts::of(rewriter, located.document)),
            target: String::new(),
            skipped: Tally::default(),
            start: sink.data.len(),
            sink,
            begun: 0,
            last: None,
            written: Ok(()),
            is_over: false,
        };
        if format.collects_rows() {
            rows.begins_last();
        }
        rows
    }

    /// Returns the skipped links by reason, or the error of a row.
    pub(super) fn finish(self) -> (Tally, io::Result<()>) {
        (self.skipped, self.written)
    }

    /// Returns whether the links do not begin again. Reads the document the first time.
    fn begins_last(&mut self) -> bool {
        let last = self.last.get_or_insert_with(|| {
            let mut beginnings = Beginnings(0);
            let document = self.located.document;
            self.rewriter.observe(document, &mut beginnings);
            beginnings.0
        });
        *last == self.begun
    }
}

impl LinkObserver for RowWriter<'_, '_, '_> {
    fn start_over(&mut self) {
        self.begun += 1;
        self.sink.data.truncate(self.start);
        self.skipped.start_over();
        self.entries = LinkEntries::new(self.path, self.located, self.rewriter);
    }

    fn link(&mut self, link: &ObservedLink<'_>) {
        self.skipped.link(link);
        let is_taken_back = self.last.is_some_and(|last| last != self.begun);
        if is_taken_back || self.is_over || self.written.is_err() {
            return;
        }
        let reason = link.outcome.skip_reason();
        let entry = self.entries.entry(link.row(&mut self.target), reason);
        let texts = self.texts.as_ref();
        let place = entry.place;
        let texts = texts.and_then(|texts| texts.of_link(place));
        let entry = entry.with(self.columns, texts);
        self.written = self.format.write(&entry, &mut self.sink.data);
        // Once it is known, rows are printed as soon as they are large.
        let is_held = self.last.is_none() && place < HELD;
        if !is_held && self.begins_last() {
            self.is_over = !self.sink.emit_if_large();
        }
    }
}

/// Counts how often the links of a document begin.
struct Beginnings(usize);

impl LinkObserver for Beginnings {
    fn start_over(&mut self) {
        self.0 += 1;
    }

    fn link(&mut self, _: &ObservedLink<'_>) {}
}
