//! The conversion of a downloaded folder.
//!
//! File names of downloads are less reliable than those of a site, so documents whose names determine nothing are
//! recognized by their content. The mirror must know all file names, and must have observed all documents, before the
//! first link is decided, so documents that it can learn from are read twice.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};

use absolve::{
    BaseSource, Decision, Document, DocumentKind, LinkReport, Report, Rewriter, SkipReason,
};

use super::captures::Captures;
use super::output::{OutputWriter, Unwritten};
use crate::files::{LostAttribute, SiteFile, Walk, read_regular};
use crate::{FolderOrigin, Layout, LocalPage, Mirror, MirrorScope, NoRoot, downloaded_kind};

/// The number of bytes at the beginning of a file that show whether it is a document.
const PREFIX_LEN: usize = 4096;

/// The options of a conversion.
#[derive(Debug, Clone)]
pub struct MirrorOptions<'o> {
    /// The origin of the folder, whose name is not needed.
    pub origin: FolderOrigin<'o>,
    /// The links that become relative.
    pub scope: MirrorScope,
    /// The log of the downloader, in addition to those in the folder.
    pub log: Option<Vec<u8>>,
    /// Whether links lead to files that the walk leaves out. They are not in an output directory.
    pub reaches_left_out: bool,
    /// The settings of all documents: see [`Mirror::rewriter`].
    pub rewriter: Rewriter,
    /// The label of the encoding of all documents.
    pub encoding: Option<&'o str>,
    /// Whether the host of the URL is made up, because only the path of the folder is known.
    pub is_host_unknown: bool,
    /// Whether the URLs are collected that the folder lacks.
    pub collects_missing: bool,
    /// Returns the problem with a file of a format that is not read, and is copied.
    pub unsupported: fn(&[u8]) -> Option<&'static str>,
}

/// The conversion of a folder.
#[derive(Debug)]
pub struct MirrorRun<'o> {
    mirror: Mirror,
    /// The captures, if they are the files.
    captures: Option<Captures>,
    options: MirrorOptions<'o>,
}

/// The reason why a folder cannot be converted.
#[derive(Debug)]
pub enum MirrorError {
    /// Its URL is not known.
    NoRoot(NoRoot),
    /// There is a default page, and HTTrack, which has none, downloaded the folder.
    DefaultPage,
    /// The log names no file of the folder.
    Log,
    /// The caller ended the run.
    Interrupted(io::Error),
}

/// A limit of a whole conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MirrorNote {
    /// There is no log of wget.
    NoLog,
    /// The log of wget has no record of the folder.
    OtherLog,
    /// The download of HTTrack was killed.
    Unfinished,
    /// No page states its URL.
    NoSavedPage,
}

impl fmt::Display for MirrorNote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoLog => "no wget-log: pages that the server redirected to another URL are not recognized",
            Self::OtherLog => "wget-log names no file of the folder, so pages that the server redirected to another URL are not recognized; it must be in English (LC_ALL=C.UTF-8)",
            Self::NoSavedPage => "no page states its URL in a comment of a browser, SingleFile or monolith",
            Self::Unfinished => "HTTrack did not finish this download (hts-in_progress.lock), and left pages in .tmp files, which remain as they are; finish it with httrack --continue, and run absolve again",
        })
    }
}

/// The result for a document.
#[derive(Debug)]
pub enum MirrorEvent<'e> {
    /// It is converted, and written as far as the run writes.
    Converted(ConvertedPage<'e>),
    /// It is left unchanged: it is outside the directories of hosts, so its URL is unknown.
    NoUrl,
    /// It is left unchanged: its format is not supported, for this reason.
    Unsupported(&'static str),
    /// It cannot be read.
    Unread(io::Error),
    /// The content of the capture cannot be read completely, so its file is not written.
    NotCaptured(io::Error),
    /// The capture is no document, and written as it is.
    Copied,
    /// It is not written.
    Unwritten(Unwritten),
}

/// A converted document.
#[derive(Debug)]
pub struct ConvertedPage<'e> {
    /// The document, without its URL.
    pub document: &'e Document<'e>,
    /// The URL that it was retrieved from.
    pub url: &'e str,
    /// The new content.
    pub bytes: &'e [u8],
    /// The links and the base URL.
    pub report: &'e Report<'e>,
    /// The number of edits.
    pub edited: usize,
    /// The number of links whose target changes because BASE is removed.
    pub moved: usize,
    /// The number of links to a file of another URL that became absolute.
    pub lost: usize,
    /// The URLs that the folder lacks.
    pub missing: BTreeSet<String>,
    /// Elements that browsers do not load from a disk.
    pub local: LocalPage,
    /// The attributes that the replaced file lost.
    pub lost_attributes: Vec<LostAttribute>,
}

impl ConvertedPage<'_> {
    /// Returns whether the content changes.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.bytes != self.document.bytes()
    }
}

impl<'o> MirrorRun<'o> {
    /// Prepares the conversion of `folder`, and finds the documents among the files of `walk`. Returns also what is not
    /// known of the folder.
    ///
    /// `check` is called before a file is read, and ends the preparation by its error.
    ///
    /// # Errors
    /// See [`MirrorError`]. Files that cannot be read are skipped here, and reported when they are converted.
    pub fn new(
        folder: &Path,
        walk: &mut Walk,
        options: MirrorOptions<'o>,
        mut check: impl FnMut() -> io::Result<()>,
    ) -> Result<(Self, Option<MirrorNote>), MirrorError> {
        walk.set_documents(|file| {
            let prefix = || file.read_prefix(PREFIX_LEN as u64).unwrap_or_default();
            downloaded_kind(&file.site_path, prefix).is_some()
        });
        let left_out = walk.left_out.iter().filter(|_| options.reaches_left_out);
        let paths = walk.site_paths().chain(left_out.map(PathBuf::as_path));
        let canonical = fs::canonicalize(folder).ok();
        let origin = FolderOrigin {
            folder_name: canonical.as_deref().and_then(Path::file_name),
            ..options.origin
        };
        let mirror = origin.mirror(paths).map_err(MirrorError::NoRoot)?;
        let mut mirror = mirror.scope(options.scope);
        mirror.unwrap = options.rewriter.unwrapped_urls();
        let layout = mirror.layout();
        if origin.default_page.is_some() && layout == Layout::HtTrack {
            return Err(MirrorError::DefaultPage);
        }
        if let Some(log) = &options.log
            && mirror.observe_list(log) == 0
        {
            return Err(MirrorError::Log);
        }
        let follows = walk.documents.iter().any(|file| file.depth == 0);
        let mut checked = Ok(());
        let documents = walk.documents.iter().map(|file| &*file.site_path);
        let known = mirror.observe_files(documents, |path| {
            if checked.is_ok() {
                checked = check();
            }
            let depth = if follows {
                0
            } else {
                path.components().count()
            };
            let read = checked
                .is_ok()
                .then(|| read_regular(&folder.join(path), depth));
            read?.ok()
        });
        checked.map_err(MirrorError::Interrupted)?;
        let has = |file: &str| folder.join(file).is_file();
        let note = match layout {
            Layout::Wget if known == 0 && options.log.is_none() => {
                let has_log = mirror.lists().iter().any(|log| has(log));
                Some(if has_log {
                    MirrorNote::OtherLog
                } else {
                    MirrorNote::NoLog
                })
            }
            Layout::HtTrack if has("hts-in_progress.lock") => Some(MirrorNote::Unfinished),
            Layout::Saved if !mirror.has_records() => Some(MirrorNote::NoSavedPage),
            _ => None,
        };
        // The originals that `wget --backup-converted` kept are copied, and so are the parts of a saved page.
        let documents = mem::take(&mut walk.documents).into_iter();
        let (documents, others): (Vec<_>, Vec<_>) = documents.partition(|file| {
            let name = mirror.name_of(&file.site_path);
            mirror.contains(&name) && (layout != Layout::Saved || mirror.has_record(&name))
        });
        walk.documents = documents;
        walk.files.extend(others);
        let captures = None;
        let run = Self {
            mirror,
            captures,
            options,
        };
        Ok((run, note))
    }

    /// Prepares the conversion of captures, whose mirror is that of [`Captures::index`].
    #[must_use]
    pub fn of_captures(captures: Captures, mirror: Mirror, options: MirrorOptions<'o>) -> Self {
        Self {
            mirror: mirror.scope(options.scope),
            captures: Some(captures),
            options,
        }
    }

    /// Converts a document. Calls `visit` with what became of it, and returns its result.
    pub fn convert<R>(
        &self,
        file: &SiteFile,
        writer: &OutputWriter,
        visit: impl FnOnce(MirrorEvent<'_>) -> R,
    ) -> R {
        let options = &self.options;
        let target = writer.output.counterpart(&file.site_path);
        if let Some(Err(error)) = target.map(|path| writer.check(&path)) {
            return visit(MirrorEvent::Unwritten(error));
        }
        if let Some(captures) = &self.captures {
            return self.convert_capture(captures, file, writer, visit);
        }
        let (bytes, metadata) = match file.read() {
            Ok(read) => read,
            Err(error) => return visit(MirrorEvent::Unread(error)),
        };
        let write = |new: &[u8]| {
            let written = writer.write(file, (&bytes, Some(&metadata)), new);
            written.map_err(|error| writer.unwritten(error))
        };
        if let Some(problem) = (options.unsupported)(&bytes) {
            return visit(match write(&bytes) {
                Ok(_) => MirrorEvent::Unsupported(problem),
                Err(error) => MirrorEvent::Unwritten(error),
            });
        }
        let prefix = || bytes[..bytes.len().min(PREFIX_LEN)].to_vec();
        let kind = downloaded_kind(&file.site_path, prefix).unwrap_or(DocumentKind::Html);
        let encoding = options.encoding.into_iter();
        let document = encoding.fold(Document::of_kind(kind, &bytes), Document::encoding);
        self.convert_document(&file.site_path, &document, write, visit)
    }

    /// Converts a capture like [`convert`](Self::convert). One that is no document is written as it is.
    fn convert_capture<R>(
        &self,
        captures: &Captures,
        file: &SiteFile,
        writer: &OutputWriter,
        visit: impl FnOnce(MirrorEvent<'_>) -> R,
    ) -> R {
        let content = match captures.read(&file.site_path) {
            Ok(content) => content,
            Err(error) => return visit(MirrorEvent::NotCaptured(error)),
        };
        let write = |bytes: &[u8]| {
            let written = writer.write(file, (&[], None), bytes);
            written.map_err(|error| writer.unwritten(error))
        };
        let Some(kind) = content.kind else {
            return visit(match write(&content.bytes) {
                Ok(_) => MirrorEvent::Copied,
                Err(error) => MirrorEvent::Unwritten(error),
            });
        };
        let encoding = content.encoding.as_deref().into_iter();
        let document = Document::of_kind(kind, &content.bytes);
        let document = encoding.fold(document, Document::encoding);
        self.convert_document(&file.site_path, &document, write, visit)
    }

    /// Converts a document that is read, the file at `site_path` of the folder. Its new content is passed to `write`,
    /// which returns the attributes that a replaced file loses.
    fn convert_document<R>(
        &self,
        site_path: &Path,
        document: &Document<'_>,
        write: impl FnOnce(&[u8]) -> Result<Vec<LostAttribute>, Unwritten>,
        visit: impl FnOnce(MirrorEvent<'_>) -> R,
    ) -> R {
        let options = &self.options;
        let rewriter = &options.rewriter;
        let name = self.mirror.name_of(site_path);
        let Some(page) = self.mirror.page_of(&name, document, rewriter) else {
            return visit(match write(document.bytes()) {
                Ok(_) => MirrorEvent::NoUrl,
                Err(error) => MirrorEvent::Unwritten(error),
            });
        };
        let (mut lost, mut missing) = (0, BTreeSet::new());
        let mut local = LocalPage::new(document.bytes());
        let retrieved = document.clone().retrieved_from(page.url());
        let rewritten = rewriter.rewrite_beside(&retrieved, |link_report, beside| {
            let decision = page.decide(link_report);
            if let Some(beside) = beside {
                let is_local = page.leads_to_file(link_report, &decision);
                let decision = is_local.then(|| local.decide(&link_report.link, beside));
                return decision.unwrap_or(Decision::Keep);
            }
            // Links whose host is not known do not become absolute.
            let is_lost = !options.is_host_unknown && page.loses_file(link_report, &decision);
            lost += usize::from(is_lost);
            if options.collects_missing
                && let Some(url) = page.missing(link_report, &decision)
            {
                missing.insert(url.to_owned());
            }
            decision
        });
        let links = rewritten.report.links.iter();
        visit(match write(&rewritten.bytes) {
            Ok(lost_attributes) => MirrorEvent::Converted(ConvertedPage {
                document,
                url: page.url(),
                bytes: &rewritten.bytes,
                report: &rewritten.report,
                edited: rewritten.edited,
                // Otherwise every link is decided, so none is left relative to the BASE that is removed.
                moved: links.filter(|link_report| is_moved(link_report)).count(),
                lost,
                missing,
                local,
                lost_attributes,
            }),
            Err(error) => MirrorEvent::Unwritten(error),
        })
    }
}

/// Returns whether a link is left unchanged because the host of its target is not known, and resolved against a BASE
/// that is removed.
fn is_moved(link_report: &LinkReport<'_>) -> bool {
    let base = link_report.base.as_deref();
    link_report.skip_reason() == Some(SkipReason::UnknownOrigin)
        && base.is_some_and(|base| base.source == BaseSource::Embedded)
        // On the same host, whatever the path of BASE.
        && !link_report.link.reference.starts_with('/')
}
