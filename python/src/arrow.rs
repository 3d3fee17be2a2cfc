//! The table of links in the format of Apache Arrow.
//!
//! A row has the columns of its [`Origin`], which tell where the document comes from, and those of the link. A
//! [`Column`] knows its name, its type and its values.

use std::iter;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

use absolve::{Base, ElementText, SkipReason};
use arrow_array::builder::{
    ArrayBuilder, Int32Builder, Int64Builder, StringBuilder, StringDictionaryBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::link_buffer::{BufferedLink, LinkBuffer};

/// Number of rows after which a record batch is complete.
const MAX_ROWS: usize = 1 << 16;

/// Number of bytes of text after which a record batch is complete.
const MAX_BYTES: usize = 8 << 20;

/// The place that a document comes from.
pub(crate) trait Origin: Sized {
    /// Returns its columns. All rows of a document have the same values.
    fn columns() -> Vec<Column<Self>>;
}

/// A row that is appended: a link, and where its document comes from.
pub(crate) struct Row<'r, O> {
    pub(crate) origin: &'r O,
    links: &'r LinkBuffer,
    index: usize,
}

impl<'r, O> Row<'r, O> {
    fn link(&self) -> &'r BufferedLink {
        &self.links.links[self.index]
    }

    fn base(&self) -> Option<&'r Base> {
        Some(&self.links.bases[self.link().base?])
    }

    /// Returns a text of the link.
    fn text(&self, place: &Range<usize>) -> &'r str {
        &self.links.text[place.clone()]
    }

    /// Returns the texts of the element, if they were read.
    fn element_text(&self) -> Option<&'r ElementText> {
        self.links.element_texts.as_ref()?.of_link(self.index)
    }
}

/// Returns a text of a row.
type Text<O> = for<'r> fn(Row<'r, O>) -> Option<&'r str>;

/// A column of the table, with the values of the rows that were appended. Its function returns the value of a row.
pub(crate) struct Column<O> {
    name: &'static str,
    is_nullable: bool,
    values: Values<O>,
}

enum Values<O> {
    /// Few different texts.
    Names(StringDictionaryBuilder<Int32Type>, Text<O>),
    Texts(StringBuilder, Text<O>),
    Integers(Int64Builder, fn(Row<'_, O>) -> Option<u64>),
    Depths(Int32Builder, fn(Row<'_, O>) -> usize),
}

impl<O> Column<O> {
    fn new(name: &'static str, values: Values<O>) -> Self {
        Self {
            name,
            is_nullable: false,
            values,
        }
    }

    /// Creates a column of few different texts.
    pub(crate) fn names(name: &'static str, value: Text<O>) -> Self {
        Self::new(name, Values::Names(StringDictionaryBuilder::new(), value))
    }

    /// Creates a column of texts.
    pub(crate) fn texts(name: &'static str, value: Text<O>) -> Self {
        Self::new(name, Values::Texts(StringBuilder::new(), value))
    }

    /// Creates a column of integers. They are offsets in memory or in files, so they fit.
    pub(crate) fn integers(name: &'static str, value: fn(Row<'_, O>) -> Option<u64>) -> Self {
        Self::new(name, Values::Integers(Int64Builder::new(), value))
    }

    /// Creates a column of depths. Documents are nested a few levels deep at most.
    fn depths(name: &'static str, value: fn(Row<'_, O>) -> usize) -> Self {
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

    /// Returns the text of a row whose bytes count. Those of dictionaries do not.
    fn text(&self) -> Option<Text<O>> {
        match self.values {
            Values::Texts(_, value) => Some(value),
            Values::Names(..) | Values::Integers(..) | Values::Depths(..) => None,
        }
    }

    /// Appends the values of rows, each of them `count` times.
    fn append<'r>(&mut self, rows: impl Iterator<Item = Row<'r, O>>, count: usize)
    where
        O: 'r,
    {
        match &mut self.values {
            // Equal names in succession, which are frequent, are looked up once.
            Values::Names(column, value) => {
                let mut names = rows.map(|row| value(row)).peekable();
                while let Some(name) = names.next() {
                    let equal = iter::from_fn(|| names.next_if(|next| is_same(*next, name)));
                    let equal = 1 + equal.count();
                    column.append_options(name, count * equal);
                }
            }
            Values::Texts(column, value) => rows.for_each(|row| match value(row) {
                Some(text) => column.append_value_n(text, count),
                None => column.append_nulls(count),
            }),
            Values::Integers(column, value) => rows.for_each(|row| match value(row) {
                Some(integer) => {
                    column.append_value_n(i64::try_from(integer).unwrap_or(i64::MAX), count);
                }
                None => column.append_nulls(count),
            }),
            Values::Depths(column, value) => rows.for_each(|row| {
                column.append_value_n(i32::try_from(value(row)).unwrap_or(i32::MAX), count);
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

/// Returns whether two names are equal. Most equal ones are at the same place.
fn is_same(a: Option<&str>, b: Option<&str>) -> bool {
    a.map(str::as_ptr) == b.map(str::as_ptr) && a.map(str::len) == b.map(str::len) || a == b
}

/// Returns the columns of links; with `reads_element_text`, `text`, `rel` and `alt` are among them.
fn link_columns<O>(reads_element_text: bool) -> Vec<Column<O>> {
    let mut columns = vec![
        Column::texts("base", |row| Some(&*row.base()?.url)).or_null(),
        Column::names("base_source", |row| Some(row.base()?.source.name())).or_null(),
        Column::names("element", |row| Some(row.text(&row.link().element))),
        Column::names("attribute", |row| Some(row.text(&row.link().attribute))),
        Column::names("role", |row| Some(row.link().role.name())),
        Column::names("grammar", |row| Some(row.link().grammar.name())),
        Column::texts("reference", |row| Some(row.text(&row.link().reference))),
        Column::texts("target", |row| Some(row.text(row.link().target.as_ref()?))).or_null(),
        Column::names("status", |row| Some(row.link().status)),
        Column::names("reason", |row| row.link().reason.map(SkipReason::name)).or_null(),
        Column::integers("start", |row| Some(row.link().span?.start as u64)).or_null(),
        Column::integers("end", |row| Some(row.link().span?.end as u64)).or_null(),
        Column::depths("depth", |row| row.link().depth),
    ];
    if reads_element_text {
        columns.extend([
            Column::texts("text", |row| row.element_text()?.text.as_deref()).or_null(),
            Column::texts("rel", |row| row.element_text()?.rel.as_deref()).or_null(),
            Column::texts("alt", |row| row.element_text()?.alt.as_deref()).or_null(),
        ]);
    }
    columns
}

/// The links of a document that become rows.
pub(crate) struct DocumentLinks<O> {
    origin: O,
    pub(crate) links: LinkBuffer,
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
}

/// The rows of a record batch that is being filled.
pub(crate) struct Rows<O: Origin> {
    count: usize,
    /// The number of bytes of text, without those of dictionaries.
    bytes: usize,
    /// The columns of the origin, then those of the link.
    columns: Vec<Column<O>>,
    origin_columns: usize,
}

impl<O: Origin> Rows<O> {
    /// Creates a record batch without rows. With `reads_element_text`, the texts of elements are among its columns.
    pub(crate) fn new(reads_element_text: bool) -> Self {
        let mut columns = O::columns();
        let origin_columns = columns.len();
        columns.extend(link_columns(reads_element_text));
        Self {
            count: 0,
            bytes: 0,
            columns,
            origin_columns,
        }
    }

    /// Returns the names and types of the columns.
    pub(crate) fn schema(&self) -> SchemaRef {
        let fields: Vec<_> = self.columns.iter().map(Column::field).collect();
        Arc::new(Schema::new(fields))
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
        let row = |index: usize| Row {
            origin: &*origin,
            links: &*links,
            index,
        };
        let first = *next;
        let mut fitting = 0;
        let mut is_complete = true;
        let mut result = Ok(());
        let texts: Vec<Text<O>> = self.columns.iter().filter_map(Column::text).collect();
        for index in first..links.links.len() {
            let texts = texts.iter().filter_map(|text| text(row(index)));
            let length: usize = texts.map(str::len).sum();
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
        let (of_origin, of_link) = self.columns.split_at_mut(self.origin_columns);
        for column in of_link {
            column.append((first..first + fitting).map(row), 1);
        }
        if fitting > 0 {
            for column in of_origin {
                column.append(iter::once(row(first)), fitting);
            }
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
        let columns = self.columns.iter_mut().map(Column::finish).collect();
        RecordBatch::try_new(self.schema(), columns).map(Some)
    }
}
