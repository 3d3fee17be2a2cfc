//! `absolve links --format csv`.

use std::io;

use clap::ValueEnum;

use crate::print::format::OutputFormat;
use crate::print::link_entry::{ElementColumn, LinkEntry};

/// Comma-separated values with these columns about the elements.
pub(super) struct Csv(pub(super) Vec<ElementColumn>);

/// The length of the buffer for a row. It is written out when it is full.
const BUFFER: usize = 1 << 10;

impl OutputFormat<LinkEntry<'_>> for Csv {
    fn begin(&self) -> String {
        let columns = ElementColumn::value_variants().iter();
        let columns = columns.filter(|column| self.0.contains(column));
        let columns = columns.filter_map(ElementColumn::to_possible_value);
        let columns = columns.map(|column| format!(",{}", column.get_name()));
        format!("{}{}\n", LinkEntry::HEADER, columns.collect::<String>())
    }

    fn write(&self, entry: &LinkEntry<'_>, to: &mut Vec<u8>) -> io::Result<()> {
        let mut csv = csv::WriterBuilder::new();
        let csv = csv.has_headers(false).buffer_capacity(BUFFER);
        let mut csv = csv.from_writer(to);
        csv.serialize(entry.csv())?;
        csv.flush()
    }
}
