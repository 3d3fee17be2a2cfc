//! The table of links in the format of Apache Arrow.
//!
//! A row has the columns of its [`Origin`], which tell where the document comes from, and those of the link. A
//! [`Column`] knows its name, its type and its values.

use std::iter;
use std::mem;
use std::sync::Arc;

use absolve::SkipReason;
use arrow_array::builder::{
    ArrayBuilder, Int32Builder, Int64Builder, StringBuilder, StringDictionaryBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::link_buffer::LinkBuffer;

/// Number of rows after which a record batch is complete.
const MAX_ROWS: usize = 1 << 16;

/// Number of bytes of text after which a record batch is complete.
const MAX_BYTES: usize = 8 << 20;

/// The place that a document comes from.
pub(crate) trait Origin: Sized {
    /// Returns its columns. All rows of a document have the same values.
    fn columns() -> Vec<Column<Self>>;
}

/// A column of the table, with the values of the rows that were appended. Its function returns the value of a row of
/// `S`.
pub(crate) struct Column<S> {
    name: &'static str,
    is_nullable: bool,
    values: Values<S>,
}

enum Values<S> {
    /// Few different texts.
    Names(
        StringDictionaryBuilder<Int32Type>,
        fn(&S, usize) -> Option<&str>,
    ),
    Texts(StringBuilder, fn(&S, usize) -> Option<&str>),
    Integers(Int64Builder, fn(&S, usize) -> Option<u64>),
    Depths(Int32Builder, fn(&S, usize) -> usize),
}

impl<S> Column<S> {
    fn new(name: &'static str, values: Values<S>) -> Self {
        Self {
            name,
            is_nullable: false,
            values,
        }
    }

    /// Creates a column of few different texts.
    pub(crate) fn names(name: &'static str, value: fn(&S, usize) -> Option<&str>) -> Self {
        Self::new(name, Values::Names(StringDictionaryBuilder::new(), value))
    }

    /// Creates a column of texts.
    pub(crate) fn texts(name: &'static str, value: fn(&S, usize) -> Option<&str>) -> Self {
        Self::new(name, Values::Texts(StringBuilder::new(), value))
    }

    /// Creates a column of integers. They are offsets in memory or in files, so they fit.
    pub(crate) fn integers(name: &'static str, value: fn(&S, usize) -> Option<u64>) -> Self {
        Self::new(name, Values::Integers(Int64Builder::new(), value))
    }

    /// Creates a column of depths. Documents are nested a few levels deep at most.
    fn depths(name: &'static str, value: fn(&S, usize) -> usize) -> Self {
        Self::new(name, Values::Depths(Int32Builder::new(), value))
    }

    /// Allows rows without a value.
    pub(crate) fn or_null(self) -> Self {
        Self {
            is_nullable: true,
            ..self
        }
    }

    fn field(&self) -> Field {
        let data_type = match self.values {
            Values::Names(..) => {
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
            }
            Values::Texts(..) => DataType::Utf8,
            Values::Integers(..) => DataType::Int64,
            Values::Depths(..) => DataType::Int32,
        };
        Field::new(self.name, data_type, self.is_nullable)
    }

    /// Returns the number of bytes of text that a row has here. Those of dictionaries do not count.
    fn text_len(&self, source: &S, row: usize) -> usize {
        match self.values {
            Values::Texts(_, value) => value(source, row).map_or(0, str::len),
            Values::Names(..) | Values::Integers(..) | Values::Depths(..) => 0,
        }
    }

    /// Appends the values of rows of `source`.
    fn append(&mut self, source: &S, rows: impl Iterator<Item = usize>) {
        match &mut self.values {
            // Equal names in succession, which are frequent, are looked up once.
            Values::Names(column, value) => {
                let mut names = rows.map(|row| value(source, row)).peekable();
                while let Some(name) = names.next() {
                    let equal = iter::from_fn(|| names.next_if_eq(&name));
                    column.append_options(name, 1 + equal.count());
                }
            }
            Values::Texts(column, value) => {
                rows.for_each(|row| column.append_option(value(source, row)));
            }
            Values::Integers(column, value) => rows.for_each(|row| {
                let integer = value(source, row);
                let integer = integer.map(|integer| i64::try_from(integer).unwrap_or(i64::MAX));
                column.append_option(integer);
            }),
            Values::Depths(column, value) => rows.for_each(|row| {
                column.append_value(i32::try_from(value(source, row)).unwrap_or(i32::MAX));
            }),
        }
    }

    /// Returns the values, of which there are none afterwards.
    fn finish(&mut self) -> ArrayRef {
        match &mut self.values {
            Values::Names(column, _) => ArrayBuilder::finish(column),
            Values::Texts(column, _) => ArrayBuilder::finish(column),
            Values::Integers(column, _) => ArrayBuilder::finish(column),
            Values::Depths(column, _) => ArrayBuilder::finish(column),
        }
    }
}

/// A column of links, whose rows are indexes of a buffer.
type LinkColumn = Column<LinkBuffer>;

/// Returns the columns of links; with `reads_element_text`, `text`, `rel` and `alt` are among them.
fn link_columns(reads_element_text: bool) -> Vec<LinkColumn> {
    let mut columns = vec![
        LinkColumn::texts("base", |links, row| Some(&*links.base(row)?.url)).or_null(),
        LinkColumn::names("base_source", |links, row| {
            Some(links.base(row)?.source.name())
        })
        .or_null(),
        LinkColumn::names("element", |links, row| Some(links.element(row))),
        LinkColumn::names("attribute", |links, row| Some(links.attribute(row))),
        LinkColumn::names("role", |links, row| Some(links.link(row).role.name())),
        LinkColumn::names("grammar", |links, row| Some(links.link(row).grammar.name())),
        LinkColumn::texts("reference", |links, row| Some(links.reference(row))),
        LinkColumn::texts("target", LinkBuffer::target).or_null(),
        LinkColumn::names("status", |links, row| Some(links.link(row).status)),
        LinkColumn::names("reason", |links, row| {
            links.link(row).reason.map(SkipReason::name)
        })
        .or_null(),
        LinkColumn::integers("start", |links, row| {
            Some(links.link(row).span?.start as u64)
        })
        .or_null(),
        LinkColumn::integers("end", |links, row| Some(links.link(row).span?.end as u64)).or_null(),
        LinkColumn::depths("depth", |links, row| links.link(row).depth),
    ];
    if reads_element_text {
        columns.extend([
            LinkColumn::texts("text", |links, row| {
                links.element_text(row)?.text.as_deref()
            })
            .or_null(),
            LinkColumn::texts("rel", |links, row| links.element_text(row)?.rel.as_deref())
                .or_null(),
            LinkColumn::texts("alt", |links, row| links.element_text(row)?.alt.as_deref())
                .or_null(),
        ]);
    }
    columns
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

/// The rows of a record batch that is being filled.
pub(crate) struct Rows<O: Origin> {
    count: usize,
    /// The number of bytes of text, without those of dictionaries.
    bytes: usize,
    origin: Vec<Column<O>>,
    links: Vec<LinkColumn>,
}

impl<O: Origin> Rows<O> {
    /// Creates a record batch without rows. With `reads_element_text`, the texts of elements are among its columns.
    pub(crate) fn new(reads_element_text: bool) -> Self {
        Self {
            count: 0,
            bytes: 0,
            origin: O::columns(),
            links: link_columns(reads_element_text),
        }
    }

    /// Returns the names and types of the columns.
    pub(crate) fn schema(&self) -> SchemaRef {
        let fields = self.origin.iter().map(Column::field);
        let fields = fields.chain(self.links.iter().map(Column::field));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }

    /// Appends the links of a document until the record batch is complete. Returns whether that was all of them.
    ///
    /// # Errors
    /// A value is longer than a column can hold. The link is omitted.
    pub(crate) fn fill(&mut self, document: &mut DocumentLinks<O>) -> Result<bool, ArrowError> {
        let DocumentLinks {
            origin,
            links,
            next,
        } = document;
        let of_origin = self.origin.iter();
        let origin_len: usize = of_origin.map(|column| column.text_len(origin, 0)).sum();
        let first = *next;
        let mut fitting = 0;
        let mut is_complete = true;
        let mut result = Ok(());
        for row in first..links.len() {
            let of_link = self.links.iter();
            let link_len: usize = of_link.map(|column| column.text_len(links, row)).sum();
            let length = origin_len + link_len;
            let count = self.count + fitting;
            if count > 0 && (count == MAX_ROWS || self.bytes.saturating_add(length) > MAX_BYTES) {
                is_complete = false;
                break;
            }
            if i32::try_from(length).is_err() {
                *next += 1;
                let problem = "a link has 2 GiB of text".to_owned();
                result = Err(ArrowError::InvalidArgumentError(problem));
                break;
            }
            fitting += 1;
            self.bytes += length;
        }
        self.count += fitting;
        *next += fitting;
        for column in &mut self.origin {
            column.append(origin, iter::repeat_n(0, fitting));
        }
        for column in &mut self.links {
            column.append(links, first..first + fitting);
        }
        result.map(|()| is_complete)
    }

    /// Returns the record batch, and begins the next one; `None` if it has no rows.
    ///
    /// # Errors
    /// None is expected: the columns are those of the schema.
    pub(crate) fn finish(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        self.bytes = 0;
        if mem::take(&mut self.count) == 0 {
            return Ok(None);
        }
        let columns = self.origin.iter_mut().map(Column::finish);
        let columns = columns.chain(self.links.iter_mut().map(Column::finish));
        let columns = columns.collect();
        RecordBatch::try_new(self.schema(), columns).map(Some)
    }
}
