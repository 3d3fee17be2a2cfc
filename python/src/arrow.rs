//! The table of links in the format of Apache Arrow.
//!
//! A row has the columns of its [`Origin`], which tell where the document comes from, and those of the link.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, Int64Builder, StringBuilder, StringDictionaryBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use absolve::{LinkReport, Report, SkipReason};

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
        let links = &document.report.links[document.next..];
        let origin_len = document.origin.text_len();
        let mut fitting = 0;
        let mut is_complete = true;
        let mut result = Ok(());
        for link_report in links {
            let length = origin_len + LinkColumns::text_len(link_report);
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
            self.links.append(&links[..fitting]);
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
        base + link_report.link.reference.len() + link_report.target().map_or(0, str::len)
    }

    /// Appends the rows of links.
    fn append(&mut self, links: &[LinkReport<'_>]) {
        // Offsets are those of slices in memory, so they fit. Documents are nested a few levels deep at most.
        let offset = |offset: usize| i64::try_from(offset).unwrap_or(i64::MAX);
        for (base, count) in runs(links, |report| {
            report.base.as_deref().map(|base| &*base.url)
        }) {
            append_text(&mut self.base, base, count);
        }
        append_names(&mut self.base_source, links, |report| {
            report.base.as_ref().map(|base| base.source.name())
        });
        append_names(&mut self.element, links, |report| {
            Some(&report.link.element)
        });
        append_names(&mut self.attribute, links, |report| {
            Some(&report.link.attribute)
        });
        append_names(&mut self.role, links, |report| {
            Some(report.link.role.name())
        });
        append_names(&mut self.grammar, links, |report| {
            Some(report.link.grammar.name())
        });
        append_names(&mut self.status, links, |report| {
            Some(report.outcome.name())
        });
        append_names(&mut self.reason, links, |report| {
            report.skip_reason().map(SkipReason::name)
        });
        for report in links {
            let span = report.link.span;
            self.reference.append_value(&*report.link.reference);
            self.target.append_option(report.target());
            self.start
                .append_option(span.map(|span| offset(span.start)));
            self.end.append_option(span.map(|span| offset(span.end)));
            self.depth
                .append_value(i32::try_from(report.depth).unwrap_or(i32::MAX));
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

/// Appends a text, or nulls, a number of times.
pub(crate) fn append_text(column: &mut StringBuilder, text: Option<&str>, count: usize) {
    match text {
        Some(text) => column.append_value_n(text, count),
        None => column.append_nulls(count),
    }
}

/// Appends a name of each link. Equal names in succession, which are frequent, are looked up once.
fn append_names<'l>(
    column: &mut StringDictionaryBuilder<Int32Type>,
    links: &'l [LinkReport<'_>],
    name: impl Fn(&'l LinkReport<'_>) -> Option<&'l str>,
) {
    for (name, count) in runs(links, name) {
        column.append_options(name, count);
    }
}

/// Returns the values of links, and the number of times that each comes in succession.
fn runs<'l, 'd, T: PartialEq + Copy>(
    links: &'l [LinkReport<'d>],
    value: impl Fn(&'l LinkReport<'d>) -> T,
) -> impl Iterator<Item = (T, usize)> {
    let mut values = links.iter().map(value).peekable();
    std::iter::from_fn(move || {
        let first = values.next()?;
        let mut count = 1;
        while values.next_if_eq(&first).is_some() {
            count += 1;
        }
        Some((first, count))
    })
}
