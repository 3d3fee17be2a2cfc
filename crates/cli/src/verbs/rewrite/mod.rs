//! `absolve rewrite`: rewrites the links of documents.
//!
//! # A run
//!
//! [`run`] validates the arguments, and [`write_run`] plans every output before anything is read or written. The jobs
//! of the plan are processed in one of three ways:
//!
//! * A file that fits in memory is a job for any thread: a document is rewritten, a container (HTTP dump or MIME
//!   message) is rewritten with all documents in it ([`container`]), and an asset is copied.
//! * A WARC archive may have any size. It is streamed record by record, and no other job runs at the same time: threads
//!   compress its new records. One that is not recognized before it is read, such as a fetched one, is rewritten from
//!   memory.
//! * An HTML or XML document on standard input or in a large file is rewritten while it is read ([`stream`]), unless an
//!   option requires the whole document.
//!
//! Results are delivered in the order of the plan, whatever thread they come from.
//!
//! # What is reported
//!
//! For each document, and for each document of a container:
//!
//! * its counts for the summary and for `--stats`,
//! * warnings about base URL candidates without effect, and about references that could not be rewritten, one for each
//!   reason ([`crate::print::warnings`]),
//! * the lines of `--report`, if requested,
//! * with `--verbose`, whether it changed.
//!
//! # Errors
//!
//! An input that cannot be read or an output that cannot be written is reported, the file is left unchanged, and the
//! run continues with the next one. An error on standard output, or in the file of `--report`, ends the run. Every
//! output file is old or new, even if the process is killed.

mod container;
mod integrity;
mod rewrite_run;
mod stream;

use std::borrow::Cow;

use absolve::{DocumentKind, Rewritten};
use absolve_site::run::FolderOutput;

use crate::args::{Emit, RewriteArgs};
use crate::exit::{Abort, Exit};
use crate::inputs::Inputs;
use crate::inputs::input::{Input, LoadedInput};
use crate::inputs::kind::InputKind;
use crate::inputs::located_document::LocatedDocument;
use crate::plan::{DocumentJob, Job};
use crate::print::job_result::JobSink;
use crate::print::rewritten_document::{
    RewrittenDocument, count_moved_by_base_removal, count_skipped,
};
use crate::run::{Verb, write_run};
use crate::settings::Settings;
use integrity::Integrity;
use rewrite_run::{RewriteRun, reject_tree};

/// Runs the verb.
///
/// # Errors
/// Invalid arguments, a plan that is rejected, or standard output or a report that cannot be written.
pub(crate) fn run(args: &RewriteArgs) -> Result<Exit, Abort> {
    let settings = Settings::of_documents(&args.document)?
        .published_under(args.base_path.base_path.as_ref())
        .with_rewrite_options(args)?;
    let inputs = Inputs::new(&args.document)?;
    let settings = settings.with_inputs(&inputs)?;
    let settings = settings.with_index_files(args.index_files, &inputs)?;
    let run = &args.document.common.run;
    let integrity = Integrity::new(args, &inputs, &settings);
    let verb = |write_run| RewriteRun {
        args,
        write_run,
        integrity,
    };
    write_run::write_documents(&args.output, run, inputs, settings, verb)
}

impl Verb for RewriteRun<'_> {
    type Job = Job;

    fn is_streamed(&self, job: &Job) -> bool {
        match job {
            Job::Document(DocumentJob { input, .. }) => {
                let is_stdin = *input == Input::Stdin;
                self.write_run.settings.is_archive(input) || (is_stdin && self.is_stream(input))
            }
            Job::Asset(_) => false,
        }
    }

    fn run_job(&self, job: &Job, sink: &mut JobSink<'_>) -> Result<(), Abort> {
        let document = match job {
            Job::Document(document) => document,
            Job::Asset(asset) => {
                self.write_run.copy_asset(asset, sink);
                return Ok(());
            }
        };
        if !self.write_run.can_write(job, sink) {
            Ok(())
        } else if self.write_run.settings.is_archive(&document.input) {
            self.streamed_archive(document, sink)
        } else if self.is_stream(&document.input) {
            self.stream(document, sink)
        } else {
            self.loaded(document, sink)
        }
    }
}

impl RewriteRun<'_> {
    /// Reads, rewrites and writes one document or container.
    fn loaded(&self, job: &DocumentJob, sink: &mut JobSink<'_>) -> Result<(), Abort> {
        let settings = &self.write_run.settings;
        let Some(loaded) = self.write_run.read_supported(job, sink) else {
            return Ok(());
        };
        let url = settings.retrieval_url(&job.input, &loaded);
        let url = url.as_deref();
        match settings.input_kind(&job.input, &loaded, sink) {
            InputKind::Document(kind) => {
                self.document(job, kind, (&loaded, url), sink);
                Ok(())
            }
            InputKind::Container(format) => {
                self.loaded_container(job, format, (&loaded, url), sink)
            }
        }
    }

    /// Rewrites and writes one document.
    fn document(
        &self,
        job: &DocumentJob,
        kind: DocumentKind,
        (loaded, url): (&LoadedInput, Option<&str>),
        sink: &mut JobSink<'_>,
    ) {
        let write_run = &self.write_run;
        let settings = &write_run.settings;
        let (input, rewriter) = (&job.input, &settings.rewriter);
        let document = settings.document(kind, loaded, url);
        let Rewritten {
            bytes,
            report,
            edited,
            ..
        } = match (self.args.emit, kind) {
            (Emit::Source, _) => match self.concerned(&*loaded.bytes) {
                Some(integrity) => integrity.rewrite(input, &document, settings, sink),
                None => rewriter.rewrite(&document),
            },
            (Emit::Tree, DocumentKind::Html) => {
                absolve::tree::rewrite_document(rewriter, &document)
            }
            (Emit::Tree, DocumentKind::StyleSheet) => {
                return reject_tree(input, "style sheets", sink);
            }
            (Emit::Tree, DocumentKind::Xml) => return reject_tree(input, "XML documents", sink),
            (Emit::Tree, DocumentKind::JsonFeed) => return reject_tree(input, "JSON Feeds", sink),
        };
        if let (Some(integrity), FolderOutput::InPlace(_)) =
            (&self.integrity, &write_run.writer.output)
        {
            integrity.keep_digests(input, &loaded.bytes, &bytes);
        }
        let rewritten = RewrittenDocument {
            located: LocatedDocument::new(input, &document),
            report: &report,
            skipped: count_skipped(&report),
            url,
            edited,
            // Edits may reproduce the original bytes, and a serialized tree is always owned.
            changed: matches!(&bytes, Cow::Owned(bytes) if *bytes != loaded.bytes),
            moved: count_moved_by_base_removal(self.args.base_element_policy(), &report),
        };
        if write_run.write(job, &bytes, loaded.original(), sink) {
            write_run.report(&rewritten, sink);
        }
    }
}
