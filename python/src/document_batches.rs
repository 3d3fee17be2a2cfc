//! Links of many documents: those of an iterable, found on several threads.

use std::collections::VecDeque;
use std::sync::Arc;

use absolve::Profile;
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use pyo3::prelude::*;

use crate::argument::Argument;
use crate::arrow::{Column, DocumentLinks, Origin, Rows};
use crate::documents::Documents;
use crate::link_batches::{LinkBatches, error_of_arrow};
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
    number: u64,
    url: Option<Arc<str>>,
}

impl Origin for NumberedOrigin {
    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::<Self>::integers("document", |row| Some(row.origin.number)),
            Column::<Self>::texts("url", |row| row.origin.url.as_deref()).or_null(),
        ]
    }
}

/// The links of consecutive documents, of which some are rows already.
///
/// The thread that finds them makes the first record batch, too. Further ones are made when they are needed: the text
/// of a batch may be much longer than the documents, because each row has the base URL.
struct Group {
    first: Option<Result<Option<RecordBatch>, ArrowError>>,
    rows: Rows<NumberedOrigin>,
    /// The first one is that of the next row.
    documents: VecDeque<DocumentLinks<NumberedOrigin>>,
}

impl Group {
    /// Returns the next rows; `None` if there are no more.
    ///
    /// # Errors
    /// A value is longer than a column can hold.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if let Some(first) = self.first.take() {
            return first;
        }
        while let Some(document) = self.documents.front_mut() {
            if !self.rows.fill(document)? {
                break;
            }
            self.documents.pop_front();
        }
        self.rows.finish()
    }
}

/// The documents, and the links of those that were read.
pub(crate) struct DocumentReader {
    documents: Documents,
    /// The number of documents that were read.
    count: u64,
    pool: Pool<Vec<NumberedDocument>, Group>,
    /// The group that is being returned.
    ready: Option<Group>,
}

/// A document and its number, counted from zero.
type NumberedDocument = (u64, Argument);

impl DocumentReader {
    /// Returns the links of the documents of an iterable. `threads` may be zero, for one on each processor. With
    /// `reads_element_text`, the table has the columns `text`, `rel` and `alt`.
    ///
    /// # Errors
    /// `TypeError`: `documents` cannot be iterated over.
    pub(crate) fn batches(
        settings: Arc<absolve::Rewriter>,
        profile: Profile,
        documents: &Bound<'_, PyAny>,
        threads: usize,
        reads_element_text: bool,
    ) -> PyResult<LinkBatches> {
        let find = move |group: &Vec<NumberedDocument>| find(&settings, group, reads_element_text);
        let mut reader = Self {
            documents: Documents::new(documents, profile)?,
            count: 0,
            pool: Pool::new(threads::count(threads), CAPACITY, find),
            ready: None,
        };
        let schema = Rows::<NumberedOrigin>::new(reads_element_text).schema();
        let next_batch = move |py: Python<'_>| reader.next_batch(py);
        Ok(LinkBatches::new(schema, "links_arrow", next_batch))
    }

    /// Reads the documents of a group, and returns them with the number of their bytes; `None` if there are none.
    fn next_group(&mut self, py: Python<'_>) -> Option<(Vec<NumberedDocument>, usize)> {
        let mut group = Vec::new();
        let mut bytes = 0;
        while group.len() < GROUP_DOCUMENTS
            && bytes < GROUP_BYTES
            && let Some(argument) = self.documents.next(py)
        {
            bytes += argument.input.bytes().len();
            group.push((self.count, argument));
            self.count += 1;
        }
        (!group.is_empty()).then_some((group, bytes))
    }

    fn next_batch(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        loop {
            if let Some(group) = &mut self.ready {
                let batch = py.detach(|| group.next_batch());
                if let Some(batch) = batch.map_err(error_of_arrow)? {
                    return Ok(Some(batch));
                }
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
) -> Group {
    let links = group.iter().map(|(number, argument)| {
        let mut links = LinkBuffer::new(reads_element_text);
        links.find(settings, &argument.document(), &argument.input.offsets());
        let origin = NumberedOrigin {
            number: *number,
            url: argument.url().map(Arc::from),
        };
        DocumentLinks::new(origin, links)
    });
    let mut group = Group {
        first: None,
        rows: Rows::new(reads_element_text),
        documents: links.collect(),
    };
    group.first = Some(group.next_batch());
    group
}
