//! Output formats of the verbs that only read.
//!
//! A format is a type with a file of its own in the folder of its verb, and a row in the table `FORMATS` there, which
//! has its name and its help. JSON needs neither a type nor a file: every row is a record.
//!
//! Rows are written on all threads and printed in the order of the documents, each as soon as those before it are. So a
//! format writes every row by itself, and the rows of a run are never in memory together. A format that has to know
//! all of them collects what it needs in [`write`](OutputFormat::write), and writes it at the
//! [`end`](OutputFormat::end).

use std::io::{self, Write};

use serde::Serialize;

use super::tally::Tally;

/// An output format for rows of type `R`, such as links.
pub(crate) trait OutputFormat<R>: Sync {
    /// Returns the text before the first row. If it ends in `[`, the rows are items of a list, each after a comma, and
    /// the first comma is not printed.
    fn begin(&self) -> String {
        String::new()
    }

    /// Returns whether [`write`](Self::write) keeps rows, so that none can be taken back. By default, it does not.
    fn collects_rows(&self) -> bool {
        false
    }

    /// Appends a row to `to`.
    ///
    /// # Errors
    /// The row cannot be encoded.
    fn write(&self, row: &R, to: &mut Vec<u8>) -> io::Result<()>;

    /// Returns the text after the last row. For a list without items, white space at its start is not printed.
    ///
    /// # Errors
    /// The text cannot be encoded.
    fn end(&self, _tally: &Tally) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

/// A row that can be written as JSON.
pub(crate) trait JsonRow {
    /// Appends the row as an object.
    ///
    /// # Errors
    /// The row cannot be encoded.
    fn write_object(&self, to: &mut Vec<u8>) -> io::Result<()>;
}

impl<R: Serialize> JsonRow for R {
    fn write_object(&self, to: &mut Vec<u8>) -> io::Result<()> {
        Ok(serde_json::to_writer(to, self)?)
    }
}

/// One JSON object in each line.
pub(crate) struct JsonLines;

impl<R: JsonRow> OutputFormat<R> for JsonLines {
    fn write(&self, row: &R, to: &mut Vec<u8>) -> io::Result<()> {
        row.write_object(to)?;
        to.push(b'\n');
        Ok(())
    }
}

/// A JSON array with one object in each line.
pub(crate) struct JsonArray;

impl<R: JsonRow> OutputFormat<R> for JsonArray {
    fn begin(&self) -> String {
        "[".to_owned()
    }

    fn write(&self, row: &R, to: &mut Vec<u8>) -> io::Result<()> {
        to.extend(b",\n");
        row.write_object(to)
    }

    fn end(&self, _: &Tally) -> io::Result<Vec<u8>> {
        Ok(b"\n]\n".to_vec())
    }
}

/// Writes `row` as a line of JSON.
pub(crate) fn write_json(row: &impl Serialize, to: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *to, row)?;
    to.write_all(b"\n")
}
