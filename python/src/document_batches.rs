//! Links of many documents: those of an iterable, found on several threads.

use std::sync::Arc;

use absolve::Profile;
use arrow_array::ArrayRef;
use arrow_array::RecordBatch;
use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use pyo3::prelude::*;

use crate::argument::Argument;
use crate::arrow::{DocumentLinks, Origin, Rows, append_text, schema};
use crate::documents::Documents;
use crate::link_batches::{BatchReader, error_of_arrow};
use crate::link_buffer::LinkBuffer;
use crate::threads::{self, Capacity, Pool};

/// Links take more memory than their document, so there are fewer bytes than of rewritten documents.
const CAPACITY: Capacity = Capacity {
    jobs: 4,
    bytes: 4 << 20,
};

/// Number of bytes of documents after which a group is complete. A group is one job, and becomes one record batch
/// unless it has very many links.
const GROUP_BYTES: usize = 1 << 20;

/// Number of documents after which a group is complete.
const GROUP_DOCUMENTS: usize = 1024;

/// The number of a document, and its URL.
struct NumberedOrigin {
    /// Counted from zero.
    number: i64,
    url: Option<Arc<str>>,
}

/// The columns of [`NumberedOrigin`].
#[derive(Default)]
struct NumberedColumns {
    document: Int64Builder,
    url: StringBuilder,
}

impl Origin for NumberedOrigin {
    type Columns = NumberedColumns;

    fn fields() -> Vec<Field> {
        vec![
            Field::new("document", DataType::Int64, false),
            Field::new("url", DataType::Utf8, true),
        ]
    }

    fn text_len(&self) -> usize {
        self.url.as_deref().map_or(0, str::len)
    }

    fn append(&self, columns: &mut NumberedColumns, count: usize) {
        columns.document.append_value_n(self.number, count);
        append_text(&mut columns.url, self.url.as_deref(), count);
    }

    fn finish(mut columns: NumberedColumns) -> Vec<ArrayRef> {
        vec![
            Arc::new(columns.document.finish()),
            Arc::new(columns.url.finish()),
        ]
    }
}

/// The links of consecutive documents, of which some are rows already.
struct Group {
    reads_element_text: bool,
    documents: Vec<DocumentLinks<NumberedOrigin>>,
    /// The document of the next row.
    next: usize,
}

impl Group {
    /// Returns the next rows; `None` if there are no more.
    ///
    /// # Errors
    /// A value is longer than a column can hold.
    fn next_batch(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let mut rows = Rows::new(self.reads_element_text);
        while let Some(document) = self.documents.get_mut(self.next) {
            match rows.fill(document) {
                Ok(true) => self.next += 1,
                Ok(false) => break,
                Err(error) => return Some(Err(error)),
            }
        }
        (!rows.is_empty()).then(|| rows.finish())
    }
}

/// The documents, and the links of those that were read.
pub(crate) struct DocumentReader {
    reads_element_text: bool,
    documents: Documents,
    /// The number of documents that were read.
    count: i64,
    pool: Pool<Vec<NumberedDocument>, ReadyGroup>,
    /// The group that is being returned.
    ready: Option<ReadyGroup>,
}

/// A document and its number, counted from zero.
type NumberedDocument = (i64, Argument);

/// A group of documents with its first record batch. Further ones are made when they are needed: the text of a batch
/// may be much longer than the documents, because each row has the base URL.
struct ReadyGroup {
    first: Option<Result<RecordBatch, ArrowError>>,
    rest: Group,
}

impl ReadyGroup {
    fn next_batch(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        self.first.take().or_else(|| self.rest.next_batch())
    }
}

impl DocumentReader {
    /// Prepares the documents of an iterable. `threads` may be zero, for one on each processor. With
    /// `reads_element_text`, the table has the columns `text`, `rel` and `alt`.
    ///
    /// # Errors
    /// `TypeError`: `documents` cannot be iterated over.
    pub(crate) fn new(
        settings: Arc<absolve::Rewriter>,
        profile: Profile,
        documents: &Bound<'_, PyAny>,
        threads: usize,
        reads_element_text: bool,
    ) -> PyResult<Self> {
        let find = move |group: &Vec<NumberedDocument>| find(&settings, group, reads_element_text);
        Ok(Self {
            reads_element_text,
            documents: Documents::new(documents, profile)?,
            count: 0,
            pool: Pool::new(threads::count(threads), CAPACITY, find),
            ready: None,
        })
    }

    /// Reads the documents of a group, and returns them with the number of their bytes; `None` if there are none.
    fn next_group(&mut self, py: Python<'_>) -> Option<(Vec<NumberedDocument>, usize)> {
        let mut group = Vec::new();
        let mut bytes = 0;
        while group.len() < GROUP_DOCUMENTS
            && bytes < GROUP_BYTES
            && let Some(argument) = self.documents.next(py)
        {
            bytes += argument.len();
            group.push((self.count, argument));
            self.count += 1;
        }
        (!group.is_empty()).then_some((group, bytes))
    }
}

impl BatchReader for DocumentReader {
    fn schema(&self) -> SchemaRef {
        schema::<NumberedOrigin>(self.reads_element_text)
    }

    fn function(&self) -> &'static str {
        "links_arrow"
    }

    fn next_batch(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        loop {
            if let Some(group) = &mut self.ready
                && let Some(batch) = py.detach(|| group.next_batch())
            {
                return batch.map(Some).map_err(error_of_arrow);
            }
            self.ready = None;
            while self.pool.has_room()
                && let Some((group, bytes)) = self.next_group(py)
            {
                self.pool.push(group, bytes)?;
            }
            match self.pool.next(py)? {
                Some((_, group)) => self.ready = Some(group),
                None => return self.documents.raise_error().map(|()| None),
            }
        }
    }
}

/// Finds the links of a group of documents, and makes the first record batch of it.
fn find(
    settings: &absolve::Rewriter,
    group: &[NumberedDocument],
    reads_element_text: bool,
) -> ReadyGroup {
    let links = group.iter().map(|(number, argument)| {
        let mut links = LinkBuffer::new(reads_element_text);
        links.find(settings, &argument.document(), &argument.offsets());
        let origin = NumberedOrigin {
            number: *number,
            url: argument.url().map(Arc::from),
        };
        DocumentLinks::new(origin, links)
    });
    let mut group = Group {
        reads_element_text,
        documents: links.collect(),
        next: 0,
    };
    ReadyGroup {
        first: group.next_batch(),
        rest: group,
    }
}
