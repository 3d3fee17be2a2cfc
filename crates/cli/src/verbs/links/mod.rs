//! `absolve links`.

mod csv;
pub(crate) mod formats;
mod html;
mod text;

use std::io;

use absolve::{ElementTexts, Report, Rewriter};

use crate::args::LinksArgs;
use crate::exit::{Abort, Exit};
use crate::inputs::input;
use crate::inputs::located_document::LocatedDocument;
use crate::print::format::OutputFormat;
use crate::print::job_result::{JobResult, JobSink};
use crate::print::link_entry::{self, LinkEntry};
use crate::print::rewritten_document::count_skipped;
use crate::print::tally::Tally;
use crate::run::read_run::{self, ReadVerb};

pub(crate) fn run(args: &LinksArgs) -> Result<Exit, Abort> {
    let format = (args.format)(&args.with);
    read_run::read_documents(&args.document, &LinksRun { args, format })
}

/// The settings that all documents of a run share.
struct LinksRun<'c> {
    args: &'c LinksArgs,
    format: Box<dyn for<'l> OutputFormat<LinkEntry<'l>>>,
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
        let report = list(rewriter, located, sink);
        let columns = &self.args.with;
        let is_wanted = !columns.is_empty();
        let texts = is_wanted.then(|| ElementTexts::of(rewriter, located.document));
        let path = located.input.path();
        let entries = link_entry::entries(&path, located, &report, rewriter);
        for entry in entries {
            let texts = texts.as_ref().and_then(|texts| texts.of_link(entry.place));
            let entry = entry.with(columns, texts);
            self.format.write(&entry, &mut sink.data)?;
            if !sink.emit_if_large() {
                break;
            }
        }
        Ok(())
    }

    fn end(&self, tally: &Tally) -> io::Result<Vec<u8>> {
        self.format.end(tally)
    }
}

/// Returns the report on the links of a document, and adds its counts and messages to `job_result`.
pub(crate) fn list<'r>(
    rewriter: &Rewriter,
    located: &LocatedDocument<'r>,
    job_result: &mut JobResult,
) -> Report<'r> {
    let report = rewriter.links(located.document);
    let name = located.name();
    input::report_unread(&name, report.unsupported, job_result);
    job_result
        .tally
        .add(&Tally::of(&report, &count_skipped(&report), located.len));
    job_result.info(format!("{name}: {} links", report.links.len()));
    report
}
