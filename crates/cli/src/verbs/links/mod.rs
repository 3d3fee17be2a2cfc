//! `absolve links`.

mod csv;
pub(crate) mod formats;
mod html;
mod row_writer;
mod text;

use std::io;

use absolve::{Report, Rewriter};

use crate::args::LinksArgs;
use crate::exit::{Abort, Exit};
use crate::inputs::input;
use crate::inputs::located_document::LocatedDocument;
use crate::print::job_result::{JobResult, JobSink};
use crate::print::tally::Tally;
use crate::run::read_run::{self, ReadVerb};
use formats::LinkFormat;
use row_writer::RowWriter;

pub(crate) fn run(args: &LinksArgs) -> Result<Exit, Abort> {
    let format = (args.format)(&args.with);
    read_run::read_documents(&args.document, &LinksRun { args, format })
}

/// The settings that all documents of a run share.
struct LinksRun<'c> {
    args: &'c LinksArgs,
    format: Box<LinkFormat>,
}

impl ReadVerb for LinksRun<'_> {
    fn reads_headers(&self) -> bool {
        true
    }

    fn begin(&self) -> String {
        self.format.begin()
    }

    fn document(
        &self,
        rewriter: &Rewriter,
        located: &LocatedDocument<'_>,
        sink: &mut JobSink<'_>,
    ) -> io::Result<()> {
        let path = located.input.path();
        let (format, columns) = (&*self.format, &self.args.with);
        let mut rows = RowWriter::new(format, columns, rewriter, (&path, located), sink);
        let report = rewriter.observe(located.document, &mut rows);
        let (skipped, written) = rows.finish();
        count(located, &report, &skipped, sink);
        written
    }

    fn end(&self, tally: &Tally) -> io::Result<Vec<u8>> {
        self.format.end(tally)
    }
}

/// Adds the counts and messages for a document whose links were observed: `skipped` has the reasons.
pub(crate) fn count(
    located: &LocatedDocument<'_>,
    report: &Report<'_>,
    skipped: &Tally,
    job_result: &mut JobResult,
) {
    let name = located.name();
    input::report_unread(&name, report.unsupported, job_result);
    let tally = Tally::of(report, &[], located.len);
    job_result.tally.add(&tally);
    job_result.tally.add(skipped);
    job_result.info(format!("{name}: {} links", tally.links()));
}
