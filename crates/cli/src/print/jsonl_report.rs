//! The file of `--report`: one line of JSON for each link and each document.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use absolve::SkipReason;
use absolve_site::files::{self, AtomicFile, Durability, resolved_path};
use serde::Serialize;

use crate::exit::Abort;
use crate::plan::Plan;
use crate::print::format::{JsonLines, OutputFormat};
use crate::print::job_result::JobSink;
use crate::print::link_entry::LinkEntries;
use crate::print::rewritten_document::RewrittenDocument;
use crate::print::terminal;
use crate::settings::Settings;

/// A report that is being written. A file appears when it is complete; a pipe or device receives lines as they come.
pub(crate) struct ReportFile {
    path: PathBuf,
    lines: BufWriter<File>,
    /// The temporary file of `lines`, which is renamed when the report is complete; `None` for a pipe or a device.
    draft: Option<AtomicFile>,
}

impl ReportFile {
    /// Opens the report of a run at `path`, following symbolic links.
    ///
    /// # Errors
    /// The file cannot be written, or `plan` reads or writes that very file.
    pub(crate) fn new(path: &Path, plan: &Plan) -> Result<Self, Abort> {
        if path.is_dir() {
            return Err(cannot_write(path, &io::Error::other("is a directory")));
        }
        let target = resolved_path(path);
        let mut files = plan.jobs.iter().flat_map(|job| job.files(&plan.output));
        if files.any(|file| resolved_path(&file) == target) {
            let error = io::Error::other("file is an input or output of this run");
            return Err(cannot_write(path, &error));
        }
        let opened = files::open_special_file(path).and_then(|stream| {
            if let Some(stream) = stream {
                return Ok((stream, None));
            }
            let draft = AtomicFile::create(&target, None)?;
            Ok((draft.file().try_clone()?, Some(draft)))
        });
        let (file, draft) = opened.map_err(|error| cannot_write(path, &error))?;
        Ok(Self {
            path: target,
            lines: BufWriter::with_capacity(1 << 16, file),
            draft,
        })
    }

    /// Appends complete lines.
    pub(crate) fn add(&mut self, lines: &[u8]) -> Result<(), Abort> {
        let written = self.lines.write_all(lines);
        written.map_err(|error| cannot_write(&self.path, &error))
    }

    /// Completes the report; a temporary file is renamed to the path of the report.
    pub(crate) fn finish(self) -> Result<(), Abort> {
        let Self { path, lines, draft } = self;
        let flushed = lines.into_inner().map_err(io::IntoInnerError::into_error);
        let placed = flushed
            .and_then(|_| draft.map_or(Ok(()), |draft| draft.persist(&path, Durability::Cached)));
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
    /// Whether the base URL is embedded, and has another origin than the retrieval URL.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    foreign: bool,
    base_source: Option<&'f str>,
    links: usize,
    resolved: usize,
    absolute: usize,
    /// Number of skipped links by reason.
    skipped: BTreeMap<&'static str, usize>,
    /// Number of edits beside links, and of those that could not be made.
    #[serde(skip_serializing_if = "is_zero")]
    beside: usize,
    #[serde(skip_serializing_if = "is_zero")]
    left: usize,
    /// Number of edits.
    edited: usize,
    /// Whether the bytes of the document change.
    changed: bool,
    /// Reason why the document was not processed.
    unread: Option<String>,
    /// Reason why the document was left unchanged although it has edits: see [`unwritten`](absolve::Report::unwritten).
    unwritten: Option<&'f str>,
    /// Number of tags that were ignored: see [`mismatched_tags`](absolve::Report::mismatched_tags).
    unread_tags: usize,
    /// Label of the document within the container at `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<&'f str>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Appends the lines about one document: one for each link, in document order, then one for the document. Emits many
/// lines in parts.
pub(crate) fn write(
    rewritten: &RewrittenDocument<'_>,
    settings: &Settings<'_>,
    sink: &mut JobSink<'_>,
) -> io::Result<()> {
    let (located, report) = (&rewritten.located, rewritten.report);
    let (path, entity) = (&*located.input.path(), located.label());
    let mut entries = LinkEntries::new(path, located, &settings.rewriter);
    for link_report in &report.links {
        let entry = entries.entry(link_report.row(), link_report.skip_reason());
        let entry = entry.showing(|url| settings.shown_url(url));
        JsonLines.write(&entry, &mut sink.report)?;
        if !sink.emit_if_large() {
            break;
        }
    }
    let base = report.base.base.as_ref();
    let skipped = rewritten.skipped.iter();
    let row = DocumentRow {
        document: true,
        path,
        url: rewritten.url.map(|url| settings.shown_url(url)),
        base: base.map(|base| settings.shown_url(&base.url)),
        foreign: report.base.is_foreign(),
        base_source: base.map(|base| base.source.name()),
        links: report.links.len(),
        resolved: report.counts.resolved,
        absolute: report.counts.absolute,
        skipped: skipped
            .map(|skipped| (skipped.reason.name(), skipped.count))
            .collect(),
        beside: report.counts.beside,
        left: report.counts.left,
        edited: rewritten.edited,
        changed: rewritten.changed,
        unread: report.unsupported.map(|reason| reason.to_string()),
        unwritten: report.unwritten.map(SkipReason::name),
        unread_tags: report.mismatched_tags,
        entity,
    };
    JsonLines.write(&row, &mut sink.report)
}
