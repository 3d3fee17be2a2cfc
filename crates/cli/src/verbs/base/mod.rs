//! `absolve base`.

pub(crate) mod formats;
mod row;
mod text;

use std::io;

use absolve::Rewriter;
use absolve_archive::Entity;

use crate::args::BaseArgs;
use crate::exit::{Abort, Exit};
use crate::inputs::located_document::LocatedDocument;
use crate::print::job_result::JobSink;
use crate::print::tally::Tally;
use crate::run::read_run::{self, ReadVerb};
use crate::verbs::links;
use row::BaseRow;

pub(crate) fn run(args: &BaseArgs) -> Result<Exit, Abort> {
    read_run::read_documents(&args.document, args)
}

impl ReadVerb for BaseArgs {
    fn begin(&self) -> String {
        (self.format)().begin()
    }

    fn document(
        &self,
        rewriter: &Rewriter,
        located: &LocatedDocument<'_>,
        sink: &mut JobSink<'_>,
    ) -> io::Result<()> {
        let mut skipped = Tally::default();
        let report = rewriter.observe(located.document, &mut skipped);
        links::count(located, &report, &skipped, sink);
        let chain = located.entity.map_or_else(Vec::new, Entity::chain);
        let path = located.input.path();
        let row = BaseRow::new(&path, located.label(), &report.base, &chain);
        (self.format)().write(&row, &mut sink.data)
    }

    fn end(&self, tally: &Tally) -> io::Result<Vec<u8>> {
        (self.format)().end(tally)
    }
}
