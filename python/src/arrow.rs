//! The table of links in the format of Apache Arrow.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, Int64Builder, StringBuilder, StringDictionaryBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use absolve::{LinkReport, Outcome, Report};

use crate::report::target;

/// Number of rows after which a record batch is complete.
const MAX_ROWS: usize = 1 << 16;

/// Number of bytes of text after which a record batch is complete.
const MAX_BYTES: usize = 64 << 20;

/// The links of a document that become rows.
pub(crate) struct DocumentLinks<'d> {
    /// The number of the document, counted from zero.
    pub(crate) number: i64,
    pub(crate) url: Option<Arc<str>>,
    pub(crate) report: Report<'d>,
}

impl DocumentLinks<'_> {
    /// Returns a copy that does not borrow the document.
    pub(crate) fn into_owned(self) -> DocumentLinks<'static> {
        DocumentLinks {
            number: self.number,
            url: self.url,
            report: self.report.into_owned(),
        }
    }
}

/// The links of consecutive documents, of which some are rows already.
pub(crate) struct Group<'d> {
    documents: Vec<DocumentLinks<'d>>,
    /// The document and the link of the next row.
    next: (usize, usize),
}

impl<'d> Group<'d> {
    pub(crate) fn new(documents: Vec<DocumentLinks<'d>>) -> Self {
        Self {
            documents,
            next: (0, 0),
        }
    }

    /// Returns a copy that does not borrow documents, without those that are rows already.
    pub(crate) fn into_owned(mut self) -> Group<'static> {
        let rest = self
            .documents
            .split_off(self.next.0.min(self.documents.len()));
        Group {
            documents: rest.into_iter().map(DocumentLinks::into_owned).collect(),
            next: (0, self.next.1),
        }
    }

    /// Returns the next rows; `None` if there are no more.
    ///
    /// # Errors
    /// A value is longer than a column can hold.
    pub(crate) fn next_batch(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let mut rows = Rows::default();
        let mut bytes = 0;
        while let Some(document) = self.documents.get(self.next.0) {
            let Some(link_report) = document.report.links.get(self.next.1) else {
                self.next = (self.next.0 + 1, 0);
                continue;
            };
            let length = text_len(document, link_report);
            if rows.count == MAX_ROWS || (rows.count > 0 && bytes + length > MAX_BYTES) {
                break;
            }
            self.next.1 += 1;
            if i32::try_from(length).is_err() {
                let problem = format!("document {}: a link has 2 GiB of text", document.number);
                return Some(Err(ArrowError::InvalidArgumentError(problem)));
            }
            bytes += length;
            rows.append(document, link_report);
        }
        (rows.count > 0).then(|| rows.finish())
    }
}

/// Returns the number of bytes of text in a row, without those of dictionaries.
fn text_len(document: &DocumentLinks<'_>, link_report: &LinkReport<'_>) -> usize {
    let url = document.url.as_deref().map_or(0, str::len);
    let base = link_report.base.as_ref().map_or(0, |base| base.url.len());
    url + base + link_report.link.reference.len() + target(link_report).map_or(0, str::len)
}

/// Returns the columns of the table.
pub(crate) fn schema() -> SchemaRef {
    let name = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    Arc::new(Schema::new(vec![
        Field::new("document", DataType::Int64, false),
        Field::new("url", DataType::Utf8, true),
        Field::new("base", DataType::Utf8, true),
        Field::new("base_source", name(), true),
        Field::new("element", name(), false),
        Field::new("attribute", name(), false),
        Field::new("role", name(), false),
        Field::new("grammar", name(), false),
        Field::new("reference", DataType::Utf8, false),
        Field::new("target", DataType::Utf8, true),
        Field::new("status", name(), false),
        Field::new("reason", name(), true),
        Field::new("start", DataType::Int64, true),
        Field::new("end", DataType::Int64, true),
        Field::new("depth", DataType::Int32, false),
    ]))
}

/// The columns of a record batch that is being filled.
#[derive(Default)]
struct Rows {
    count: usize,
    document: Int64Builder,
    url: StringBuilder,
    base: StringBuilder,
    base_source: StringDictionaryBuilder<Int32Type>,
    element: StringDictionaryBuilder<Int32Type>,
    attribute: StringDictionaryBuilder<Int32Type>,
    role: StringDictionaryBuilder<Int32Type>,
    grammar: StringDictionaryBuilder<Int32Type>,
    reference: StringBuilder,
    target: StringBuilder,
    status: StringDictionaryBuilder<Int32Type>,
    reason: StringDictionaryBuilder<Int32Type>,
    start: Int64Builder,
    end: Int64Builder,
    depth: Int32Builder,
}

impl Rows {
    /// Appends the row of a link.
    fn append(&mut self, document: &DocumentLinks<'_>, link_report: &LinkReport<'_>) {
        let (link, base) = (&link_report.link, link_report.base.as_ref());
        let reason = match link_report.outcome {
            Outcome::Skipped(reason) => Some(reason.name()),
            _ => None,
        };
        // Offsets are those of slices in memory, so they fit. Documents are nested a few levels deep at most.
        let offset = |offset: usize| i64::try_from(offset).unwrap_or(i64::MAX);
        self.count += 1;
        self.document.append_value(document.number);
        self.url.append_option(document.url.as_deref());
        self.base.append_option(base.map(|base| &*base.url));
        self.base_source
            .append_option(base.map(|base| base.source.name()));
        self.element.append_value(&*link.element);
        self.attribute.append_value(&*link.attribute);
        self.role.append_value(link.role.name());
        self.grammar.append_value(link.grammar.name());
        self.reference.append_value(&*link.reference);
        self.target.append_option(target(link_report));
        self.status.append_value(link_report.outcome.name());
        self.reason.append_option(reason);
        self.start
            .append_option(link.span.map(|span| offset(span.start)));
        self.end
            .append_option(link.span.map(|span| offset(span.end)));
        self.depth
            .append_value(i32::try_from(link_report.depth).unwrap_or(i32::MAX));
    }

    /// Returns the record batch.
    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.document.finish()),
            Arc::new(self.url.finish()),
            Arc::new(self.base.finish()),
            Arc::new(self.base_source.finish()),
            Arc::new(self.element.finish()),
            Arc::new(self.attribute.finish()),
            Arc::new(self.role.finish()),
            Arc::new(self.grammar.finish()),
            Arc::new(self.reference.finish()),
            Arc::new(self.target.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.reason.finish()),
            Arc::new(self.start.finish()),
            Arc::new(self.end.finish()),
            Arc::new(self.depth.finish()),
        ];
        RecordBatch::try_new(schema(), columns)
    }
}
