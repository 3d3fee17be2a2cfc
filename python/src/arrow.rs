//! The table of links in the format of Apache Arrow.
//!
//! A row has the columns of its [`Origin`], which tell where the document comes from, and those of the link.

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
const MAX_BYTES: usize = 8 << 20;

/// The place that a document comes from, as columns of the table.
pub(crate) trait Origin {
    /// The columns while they are being filled.
    type Columns: Default;

    /// Returns the names and types of the columns.
    fn fields() -> Vec<Field>;

    /// Returns the number of bytes of text in a row, without those of dictionaries.
    fn text_len(&self) -> usize;

    /// Appends a row.
    fn append(&self, columns: &mut Self::Columns);

    /// Returns the columns in the order of the fields.
    fn finish(columns: Self::Columns) -> Vec<ArrayRef>;
}

/// The links of a document that become rows.
pub(crate) struct DocumentLinks<'d, O> {
    pub(crate) origin: O,
    report: Report<'d>,
    /// The index of the link of the next row.
    next: usize,
}

impl<'d, O> DocumentLinks<'d, O> {
    pub(crate) fn new(origin: O, report: Report<'d>) -> Self {
        Self {
            origin,
            report,
            next: 0,
        }
    }

    /// Returns a copy that does not borrow the document.
    pub(crate) fn into_owned(self) -> DocumentLinks<'static, O> {
        DocumentLinks {
            origin: self.origin,
            report: self.report.into_owned(),
            next: self.next,
        }
    }
}

/// Returns the type of a column with few different values.
pub(crate) fn name_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// Returns the columns of the table.
pub(crate) fn schema<O: Origin>() -> SchemaRef {
    let mut fields = O::fields();
    fields.extend([
        Field::new("base", DataType::Utf8, true),
        Field::new("base_source", name_type(), true),
        Field::new("element", name_type(), false),
        Field::new("attribute", name_type(), false),
        Field::new("role", name_type(), false),
        Field::new("grammar", name_type(), false),
        Field::new("reference", DataType::Utf8, false),
        Field::new("target", DataType::Utf8, true),
        Field::new("status", name_type(), false),
        Field::new("reason", name_type(), true),
        Field::new("start", DataType::Int64, true),
        Field::new("end", DataType::Int64, true),
        Field::new("depth", DataType::Int32, false),
    ]);
    Arc::new(Schema::new(fields))
}

/// The rows of a record batch that is being filled.
pub(crate) struct Rows<O: Origin> {
    count: usize,
    /// The number of bytes of text, without those of dictionaries.
    bytes: usize,
    origin: O::Columns,
    links: LinkColumns,
}

impl<O: Origin> Default for Rows<O> {
    fn default() -> Self {
        Self {
            count: 0,
            bytes: 0,
            origin: O::Columns::default(),
            links: LinkColumns::default(),
        }
    }
}

impl<O: Origin> Rows<O> {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Appends the links of a document until the record batch is complete. Returns whether that was all of them.
    ///
    /// # Errors
    /// A value is longer than a column can hold. The link is omitted.
    pub(crate) fn fill(&mut self, document: &mut DocumentLinks<'_, O>) -> Result<bool, ArrowError> {
        while let Some(link_report) = document.report.links.get(document.next) {
            let length = document.origin.text_len() + LinkColumns::text_len(link_report);
            let is_full = self.count == MAX_ROWS || self.bytes.saturating_add(length) > MAX_BYTES;
            if is_full && self.count > 0 {
                return Ok(false);
            }
            document.next += 1;
            if i32::try_from(length).is_err() {
                let problem = "a link has 2 GiB of text".to_owned();
                return Err(ArrowError::InvalidArgumentError(problem));
            }
            self.count += 1;
            self.bytes += length;
            document.origin.append(&mut self.origin);
            self.links.append(link_report);
        }
        Ok(true)
    }

    /// Returns the record batch.
    ///
    /// # Errors
    /// None is expected: the columns are those of the schema.
    pub(crate) fn finish(self) -> Result<RecordBatch, ArrowError> {
        let mut columns = O::finish(self.origin);
        columns.extend(self.links.finish());
        RecordBatch::try_new(schema::<O>(), columns)
    }
}

/// The columns of links.
#[derive(Default)]
struct LinkColumns {
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

impl LinkColumns {
    /// Returns the number of bytes of text in a row, without those of dictionaries.
    fn text_len(link_report: &LinkReport<'_>) -> usize {
        let base = link_report.base.as_ref().map_or(0, |base| base.url.len());
        base + link_report.link.reference.len() + target(link_report).map_or(0, str::len)
    }

    /// Appends the row of a link.
    fn append(&mut self, link_report: &LinkReport<'_>) {
        let (link, base) = (&link_report.link, link_report.base.as_ref());
        let reason = match link_report.outcome {
            Outcome::Skipped(reason) => Some(reason.name()),
            _ => None,
        };
        // Offsets are those of slices in memory, so they fit. Documents are nested a few levels deep at most.
        let offset = |offset: usize| i64::try_from(offset).unwrap_or(i64::MAX);
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

    /// Returns the columns in the order of the schema.
    fn finish(mut self) -> [ArrayRef; 13] {
        [
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
        ]
    }
}
