//! The table of links in the format of Apache Arrow.
//!
//! A row has the columns of its [`Origin`], which tell where the document comes from, and those of the link.

use std::ops::Range;
use std::sync::Arc;

use absolve::ElementText;
use arrow_array::builder::{Int32Builder, Int64Builder, StringBuilder, StringDictionaryBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::link_buffer::{LinkBuffer, LinkRow};

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

    /// Appends a number of equal rows.
    fn append(&self, columns: &mut Self::Columns, count: usize);

    /// Returns the columns in the order of the fields.
    fn finish(columns: Self::Columns) -> Vec<ArrayRef>;
}

/// The links of a document that become rows.
pub(crate) struct DocumentLinks<O> {
    origin: O,
    links: LinkBuffer,
    /// The index of the link of the next row.
    next: usize,
}

impl<O> DocumentLinks<O> {
    pub(crate) fn new(origin: O, links: LinkBuffer) -> Self {
        Self {
            origin,
            links,
            next: 0,
        }
    }

    /// Returns the buffer, for the links of another document.
    pub(crate) fn into_buffer(self) -> LinkBuffer {
        self.links
    }
}

/// Returns the type of a column with few different values.
pub(crate) fn name_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// Returns the columns of the table; with `reads_element_text`, `text`, `rel` and `alt` are among them.
pub(crate) fn schema<O: Origin>(reads_element_text: bool) -> SchemaRef {
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
    if reads_element_text {
        fields.extend(ElementColumns::NAMES.map(|name| Field::new(name, DataType::Utf8, true)));
    }
    Arc::new(Schema::new(fields))
}

/// The rows of a record batch that is being filled.
pub(crate) struct Rows<O: Origin> {
    count: usize,
    /// The number of bytes of text, without those of dictionaries.
    bytes: usize,
    origin: O::Columns,
    links: LinkColumns,
    /// `None` if the texts of elements are not read.
    elements: Option<ElementColumns>,
}

impl<O: Origin> Rows<O> {
    /// Creates a record batch without rows, whose columns are those of [`schema`].
    pub(crate) fn new(reads_element_text: bool) -> Self {
        Self {
            count: 0,
            bytes: 0,
            origin: O::Columns::default(),
            links: LinkColumns::default(),
            elements: reads_element_text.then(ElementColumns::default),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Appends the links of a document until the record batch is complete. Returns whether that was all of them.
    ///
    /// # Errors
    /// A value is longer than a column can hold. The link is omitted.
    pub(crate) fn fill(&mut self, document: &mut DocumentLinks<O>) -> Result<bool, ArrowError> {
        let origin_len = document.origin.text_len();
        let first = document.next;
        let mut fitting = 0;
        let mut is_complete = true;
        let mut result = Ok(());
        for row in document.links.rows(first..document.links.len()) {
            let length = origin_len + LinkColumns::text_len(row) + ElementColumns::text_len(row);
            let count = self.count + fitting;
            if count > 0 && (count == MAX_ROWS || self.bytes.saturating_add(length) > MAX_BYTES) {
                is_complete = false;
                break;
            }
            if i32::try_from(length).is_err() {
                document.next += 1;
                let problem = "a link has 2 GiB of text".to_owned();
                result = Err(ArrowError::InvalidArgumentError(problem));
                break;
            }
            fitting += 1;
            self.bytes += length;
        }
        self.count += fitting;
        document.next += fitting;
        if fitting > 0 {
            document.origin.append(&mut self.origin, fitting);
            let indexes = first..first + fitting;
            if let Some(elements) = &mut self.elements {
                elements.append(document.links.rows(indexes.clone()));
            }
            self.links.append(&document.links, indexes);
        }
        result.map(|()| is_complete)
    }

    /// Returns the record batch.
    ///
    /// # Errors
    /// None is expected: the columns are those of the schema.
    pub(crate) fn finish(self) -> Result<RecordBatch, ArrowError> {
        let mut columns = O::finish(self.origin);
        columns.extend(self.links.finish());
        let schema = schema::<O>(self.elements.is_some());
        columns.extend(self.elements.into_iter().flat_map(ElementColumns::finish));
        RecordBatch::try_new(schema, columns)
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
    fn text_len(row: LinkRow<'_>) -> usize {
        let base = row.base().map_or(0, |base| base.url.len());
        base + row.reference().len() + row.target().map_or(0, str::len)
    }

    /// Appends the links with these indexes.
    fn append(&mut self, links: &LinkBuffer, indexes: Range<usize>) {
        // Offsets are those of slices in memory, so they fit. Documents are nested a few levels deep at most.
        let offset = |offset: usize| i64::try_from(offset).unwrap_or(i64::MAX);
        let rows = || links.rows(indexes.clone());
        for (base, count) in runs(rows().map(LinkRow::base)) {
            append_text(&mut self.base, base.map(|base| &*base.url), count);
            let source = base.map(|base| base.source.name());
            self.base_source.append_options(source, count);
        }
        append_names(&mut self.element, rows().map(|row| Some(row.element())));
        append_names(&mut self.attribute, rows().map(|row| Some(row.attribute())));
        append_names(&mut self.role, rows().map(|row| Some(row.link.role)));
        append_names(&mut self.grammar, rows().map(|row| Some(row.link.grammar)));
        append_names(&mut self.status, rows().map(|row| Some(row.link.status)));
        append_names(&mut self.reason, rows().map(|row| row.link.reason));
        for row in rows() {
            let (start, end) = row.link.span.map(|span| (span.start, span.end)).unzip();
            self.reference.append_value(row.reference());
            self.target.append_option(row.target());
            self.start.append_option(start.map(offset));
            self.end.append_option(end.map(offset));
            self.depth
                .append_value(i32::try_from(row.link.depth).unwrap_or(i32::MAX));
        }
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

/// The columns of the elements of links, which are read on request.
#[derive(Default)]
struct ElementColumns {
    text: StringBuilder,
    rel: StringBuilder,
    alt: StringBuilder,
}

impl ElementColumns {
    /// The names of the columns, in order.
    const NAMES: [&str; 3] = ["text", "rel", "alt"];

    /// Returns the number of bytes of text in a row.
    fn text_len(row: LinkRow<'_>) -> usize {
        row.element_text().map_or(0, ElementText::byte_len)
    }

    /// Appends the texts of the elements of links.
    fn append<'b>(&mut self, rows: impl Iterator<Item = LinkRow<'b>>) {
        let none = ElementText::default();
        for row in rows {
            let ElementText { text, rel, alt } = row.element_text().unwrap_or(&none);
            self.text.append_option(text.as_deref());
            self.rel.append_option(rel.as_deref());
            self.alt.append_option(alt.as_deref());
        }
    }

    /// Returns the columns in the order of their names.
    fn finish(mut self) -> [ArrayRef; 3] {
        [
            Arc::new(self.text.finish()),
            Arc::new(self.rel.finish()),
            Arc::new(self.alt.finish()),
        ]
    }
}

/// Appends a text, or nulls, a number of times.
pub(crate) fn append_text(column: &mut StringBuilder, text: Option<&str>, count: usize) {
    match text {
        Some(text) => column.append_value_n(text, count),
        None => column.append_nulls(count),
    }
}

/// Appends a name of each link. Equal names in succession, which are frequent, are looked up once.
fn append_names<'b>(
    column: &mut StringDictionaryBuilder<Int32Type>,
    names: impl Iterator<Item = Option<&'b str>>,
) {
    for (name, count) in runs(names) {
        column.append_options(name, count);
    }
}

/// Returns values, and the number of times that each comes in succession.
fn runs<T: PartialEq>(values: impl Iterator<Item = T>) -> impl Iterator<Item = (T, usize)> {
    let mut values = values.peekable();
    std::iter::from_fn(move || {
        let first = values.next()?;
        let mut count = 1;
        while values.next_if_eq(&first).is_some() {
            count += 1;
        }
        Some((first, count))
    })
}
