//! `--report`: every link and every document as a line of JSON.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use absolve::{Document, Outcome, Report, SkipReason};
use serde::Serialize;

use super::atomic_file::{self, AtomicFile};
use super::output::{Job, Plan};
use super::row::{self, LinkEntry};
use super::{Abort, overlap, terminal};

/// A report that is there once it is whole; a pipe or a device is written to as it grows.
pub(super) struct ReportFile {
    path: PathBuf,
    lines: BufWriter<ReportTarget>,
}

/// Where the lines of a report go.
enum ReportTarget {
    /// To be put in its place.
    File(AtomicFile),
    Stream(File),
}

impl Write for ReportTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(draft) => draft.write(bytes),
            Self::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ReportFile {
    /// A report about `plan` to be written to `path`, or to what a link of that name leads to; refused where the plan
    /// reads or writes that file itself.
    pub(super) fn new(path: &Path, plan: &Plan) -> Result<Self, Abort> {
        if path.is_dir() {
            return Err(cannot(path, &io::Error::other("it is a directory")));
        }
        let place = overlap::resolved_path(path);
        let mut files = plan.jobs.iter().flat_map(Job::files);
        if files.any(|file| overlap::resolved_path(file) == place) {
            let error = io::Error::other("this run reads or writes that file itself");
            return Err(cannot(path, &error));
        }
        let lines = match atomic_file::stream(path) {
            Ok(Some(stream)) => Ok(ReportTarget::Stream(stream)),
            Ok(None) => AtomicFile::beside(&place, None).map(ReportTarget::File),
            Err(error) => Err(error),
        };
        let lines = lines.map_err(|error| cannot(path, &error))?;
        Ok(Self {
            path: place,
            lines: BufWriter::with_capacity(1 << 16, lines),
        })
    }

    pub(super) fn add(&mut self, lines: &[u8]) -> Result<(), Abort> {
        let written = self.lines.write_all(lines);
        written.map_err(|error| cannot(&self.path, &error))
    }

    pub(super) fn finish(self) -> Result<(), Abort> {
        let Self { path, lines } = self;
        let placed = lines
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .and_then(|lines| match lines {
                ReportTarget::File(draft) => draft.place(&path),
                ReportTarget::Stream(_) => Ok(()),
            });
        placed.map_err(|error| cannot(&path, &error))
    }
}

fn cannot(path: &Path, error: &io::Error) -> Abort {
    let name = terminal::escape_control(&path.to_string_lossy());
    Abort::Usage(format!(
        "--report {name}: cannot be written: {error}; name another file"
    ))
}

/// A document in the report.
#[derive(Serialize)]
struct DocumentRow<'f> {
    /// What tells it from a link.
    document: bool,
    path: &'f str,
    url: Option<&'f str>,
    base: Option<&'f str>,
    base_source: Option<&'f str>,
    links: usize,
    resolved: usize,
    absolute: usize,
    /// How many, by reason.
    skipped: BTreeMap<&'f str, usize>,
    /// How many edits were made.
    edited: usize,
    /// Whether its bytes change.
    changed: bool,
    unread: Option<String>,
    unwritten: Option<&'f str>,
    mismatched_tags: usize,
    /// Which of the documents it is that `path` holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<&'f str>,
}

/// What is told of a document besides its findings.
pub(super) struct DocumentMeta<'f> {
    pub(super) path: &'f str,
    pub(super) entity: Option<&'f str>,
    pub(super) url: Option<&'f str>,
    pub(super) edited: usize,
    pub(super) changed: bool,
}

/// Writes the lines about one document: its links, in their order, and the document.
pub(super) fn write(
    told: &DocumentMeta<'_>,
    document: &Document<'_>,
    report: &Report<'_>,
    to: &mut Vec<u8>,
) -> io::Result<()> {
    let positions = row::positions(document, report);
    for (link_report, position) in report.links.iter().zip(positions) {
        serde_json::to_writer(
            &mut *to,
            &LinkEntry::new(told.path, told.entity, link_report, position),
        )?;
        to.push(b'\n');
    }
    let base = report.base.base.as_ref();
    let mut row = DocumentRow {
        document: true,
        path: told.path,
        url: told.url,
        base: base.map(|base| &*base.url),
        base_source: base.map(|base| base.source.name()),
        links: report.links.len(),
        resolved: 0,
        absolute: 0,
        skipped: BTreeMap::new(),
        edited: told.edited,
        changed: told.changed,
        unread: report.unsupported.map(|unread| unread.to_string()),
        unwritten: report.unwritten.map(SkipReason::name),
        mismatched_tags: report.mismatched_tags,
        entity: told.entity,
    };
    for link_report in &report.links {
        match link_report.outcome {
            Outcome::Resolved(_) => row.resolved += 1,
            Outcome::Absolute => row.absolute += 1,
            Outcome::Skipped(reason) => *row.skipped.entry(reason.name()).or_default() += 1,
        }
    }
    serde_json::to_writer(&mut *to, &row)?;
    to.push(b'\n');
    Ok(())
}
