//! The file of `--report`: one line of JSON for each link and each document.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use absolve::{Document, Report, SkipReason};
use serde::Serialize;

use super::atomic_file::{self, AtomicFile};
use super::exit::Abort;
use super::output::{Job, Plan};
use super::row::{self, LinkEntry};
use super::tally::Tally;
use super::{overlap, terminal};

/// A report that is being written. A file appears when it is complete; a pipe or device receives lines as they come.
pub(super) struct ReportFile {
    path: PathBuf,
    lines: BufWriter<ReportTarget>,
}

/// Destination of the lines of a report.
enum ReportTarget {
    /// A temporary file, which is renamed when the report is complete.
    File(AtomicFile),
    /// A pipe or a device.
    Stream(File),
}

impl Write for ReportTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(draft) => draft.file().write(bytes),
            Self::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ReportFile {
    /// Opens the report of a run at `path`, following symbolic links.
    ///
    /// # Errors
    /// The file cannot be written, or `plan` reads or writes that very file.
    pub(super) fn new(path: &Path, plan: &Plan) -> Result<Self, Abort> {
        if path.is_dir() {
            return Err(cannot_write(path, &io::Error::other("is a directory")));
        }
        let target = overlap::resolved_path(path);
        let mut files = plan.jobs.iter().flat_map(Job::files);
        if files.any(|file| overlap::resolved_path(file) == target) {
            let error = io::Error::other("file is an input or output of this run");
            return Err(cannot_write(path, &error));
        }
        let lines = match atomic_file::open_special_file(path) {
            Ok(Some(stream)) => Ok(ReportTarget::Stream(stream)),
            Ok(None) => AtomicFile::create(&target, None).map(ReportTarget::File),
            Err(error) => Err(error),
        };
        let lines = lines.map_err(|error| cannot_write(path, &error))?;
        Ok(Self {
            path: target,
            lines: BufWriter::with_capacity(1 << 16, lines),
        })
    }

    /// Appends complete lines.
    pub(super) fn add(&mut self, lines: &[u8]) -> Result<(), Abort> {
        let written = self.lines.write_all(lines);
        written.map_err(|error| cannot_write(&self.path, &error))
    }

    /// Completes the report; a temporary file is renamed to the path of the report.
    pub(super) fn finish(self) -> Result<(), Abort> {
        let Self { path, lines } = self;
        let placed = lines
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .and_then(|lines| match lines {
                ReportTarget::File(draft) => draft.persist(&path),
                ReportTarget::Stream(_) => Ok(()),
            });
        placed.map_err(|error| cannot_write(&path, &error))
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Abort {
    let name = terminal::path(path);
    Abort::Usage(format!(
        "cannot write --report {name}: {error}\n  hint: use another file"
    ))
}

/// Line about a document. Field names are part of the contract of `--report`.
#[derive(Serialize)]
struct DocumentRow<'f> {
    /// Always `true`: distinguishes the line from that of a link.
    document: bool,
    path: &'f str,
    url: Option<&'f str>,
    base: Option<&'f str>,
    base_source: Option<&'f str>,
    links: usize,
    resolved: usize,
    absolute: usize,
    /// Number of skipped links by reason.
    skipped: BTreeMap<&'static str, usize>,
    /// Number of edits.
    edited: usize,
    /// Whether the bytes of the document change.
    changed: bool,
    /// Reason why the document was not processed.
    unread: Option<String>,
    /// Reason why the document was left unchanged although it has edits: see [`Report::unwritten`].
    unwritten: Option<&'f str>,
    /// Number of tags that were ignored: see [`Report::mismatched_tags`].
    unread_tags: usize,
    /// Label of the document within the container at `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<&'f str>,
}

/// Facts about a document that its [`Report`] does not contain.
pub(super) struct DocumentMeta<'f> {
    pub(super) path: &'f str,
    pub(super) entity: Option<&'f str>,
    pub(super) url: Option<&'f str>,
    pub(super) edited: usize,
    pub(super) changed: bool,
}

/// Appends the lines about one document: one for each link, in document order, then one for the document.
pub(super) fn write(
    meta: &DocumentMeta<'_>,
    document: &Document<'_>,
    report: &Report<'_>,
    to: &mut Vec<u8>,
) -> io::Result<()> {
    let positions = row::positions(document, report);
    for (link_report, position) in report.links.iter().zip(positions) {
        serde_json::to_writer(
            &mut *to,
            &LinkEntry::new(meta.path, meta.entity, link_report, position),
        )?;
        to.push(b'\n');
    }
    let base = report.base.base.as_ref();
    let tally = Tally::of(report, 0);
    let row = DocumentRow {
        document: true,
        path: meta.path,
        url: meta.url,
        base: base.map(|base| &*base.url),
        base_source: base.map(|base| base.source.name()),
        links: report.links.len(),
        resolved: tally.resolved,
        absolute: tally.absolute,
        skipped: tally.skipped,
        edited: meta.edited,
        changed: meta.changed,
        unread: report.unsupported.map(|reason| reason.to_string()),
        unwritten: report.unwritten.map(SkipReason::name),
        unread_tags: report.mismatched_tags,
        entity: meta.entity,
    };
    serde_json::to_writer(&mut *to, &row)?;
    to.push(b'\n');
    Ok(())
}
