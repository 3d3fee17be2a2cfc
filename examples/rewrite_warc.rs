//! Makes every link in the documents of a WARC archive absolute.
//!
//! `cargo run --release --example rewrite_warc -- IN.warc.gz OUT.warc.gz` reads record by record, in bounded memory.
//! Records that do not change are copied as they are stored. Problems of the archive are printed to
//! standard error.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::{env, error::Error};

use absolve::Rewriter;
use absolve_archive::{ArchiveSettings, RecordForm, WarcItem, rewrite_warc};

#[expect(clippy::print_stderr, reason = "an example shows something")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: rewrite_warc IN.warc.gz OUT.warc.gz".into());
    };
    let rewriter = Rewriter::new();
    let mut output = BufWriter::new(File::create(output)?);
    let mut edits = 0;
    rewrite_warc(
        File::open(input)?,
        &mut output,
        &ArchiveSettings::new(),
        RecordForm::Replaced,
        |item| match item {
            // Returning bytes replaces the document, and `None` leaves it unchanged.
            WarcItem::Document(entity) => {
                let rewritten = entity.rewrite(&rewriter);
                edits += rewritten.edits.len();
                Some(rewritten.bytes.into_owned())
            }
            WarcItem::Error(error) => {
                eprintln!("{error}");
                None
            }
            _ => None,
        },
    )?;
    output.flush()?;
    eprintln!("{edits} edits");
    Ok(())
}
