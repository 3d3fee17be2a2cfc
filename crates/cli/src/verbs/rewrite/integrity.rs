//! `--integrity`: the attributes `integrity` and `crossorigin` of pages of a directory.
//!
//! The digests of a style sheet are computed when the first page refers to it with `integrity`, by rewriting it in
//! memory, and kept for the other pages. With `--in-place`, the job of the sheet does so before it replaces the file.

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::sync::OnceLock;

use absolve::{
    BesideLink, Decision, Document, DocumentKind, LinkReport, Profile, Rewriter, Rewritten, resolve,
};
use absolve_site::files::site_path_bytes;
use absolve_site::{FileDigests, LOADING_ATTRIBUTES, LocalPage, Site, UNKNOWN_ORIGIN, mentions};

use crate::args::{IntegrityArg, RewriteArgs};
use crate::inputs::Inputs;
use crate::inputs::input::Input;
use crate::inputs::kind::InputKind;
use crate::print::job_result::JobResult;
use crate::print::terminal;
use crate::settings::Settings;

/// The treatment of the pages of a directory.
pub(super) struct Integrity {
    policy: IntegrityArg,
    /// Whether the pages are opened from a disk.
    is_for_disk: bool,
    /// The directory. Its URL is made up if it is not known.
    site: Site,
    rewriter: Rewriter,
    /// The style sheets by their paths, with their digests if they change.
    sheets: HashMap<Vec<u8>, (Input, OnceLock<Option<FileDigests>>)>,
}

impl Integrity {
    /// Returns the treatment of the documents of a directory; `None` if they keep the attributes.
    pub(super) fn new(
        args: &RewriteArgs,
        inputs: &Inputs,
        settings: &Settings<'_>,
    ) -> Option<Self> {
        let is_for_disk = args.is_for_disk();
        let policy = args.integrity.unwrap_or(if is_for_disk {
            IntegrityArg::Remove
        } else {
            IntegrityArg::Update
        });
        let site = settings.site().cloned();
        let site = site.or_else(|| Site::new(UNKNOWN_ORIGIN).ok())?;
        let sheets = inputs.documents.iter().filter_map(|input| {
            let path = input.site_path()?;
            let is_sheet = InputKind::from_name(path.as_os_str())
                == Some(InputKind::Document(DocumentKind::StyleSheet));
            is_sheet.then(|| (site_path_bytes(path), (input.clone(), OnceLock::new())))
        });
        let sheets: HashMap<_, _> = sheets.collect();
        let may_update = policy != IntegrityArg::Keep && !sheets.is_empty();
        (inputs.is_site && (is_for_disk || may_update)).then(|| Self {
            policy,
            is_for_disk,
            sheets,
            site,
            rewriter: settings.rewriter.clone().beside(LOADING_ATTRIBUTES),
        })
    }

    /// Returns whether a document may have one of the attributes.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn concerns(&self, mut document: impl BufRead) -> io::Result<bool> {
        let names = if self.is_for_disk {
            &["integrity", "crossorigin", "module"][..]
        } else {
            &["integrity"]
        };
        mentions(&mut document, names)
    }

    /// Rewrites a page for which [`concerns`](Self::concerns) is true.
    pub(super) fn rewrite<'d>(
        &self,
        input: &Input,
        document: &Document<'d>,
        settings: &Settings<'_>,
        job_result: &mut JobResult,
    ) -> Rewritten<'d> {
        let mut local = LocalPage::new(document.bytes());
        let mut unknown = 0;
        let rewritten = self
            .rewriter
            .rewrite_beside(document, |link_report, beside| {
                let Some(beside) = beside else {
                    return Decision::Resolve;
                };
                let Some(path) = self.path_of(input, link_report) else {
                    return Decision::Keep;
                };
                if self.is_for_disk {
                    let decision = local.decide(&link_report.link, beside);
                    if self.policy == IntegrityArg::Remove {
                        return decision;
                    }
                }
                let decision = self.decide(&path, beside, settings);
                unknown += usize::from(decision.is_none());
                decision.unwrap_or(Decision::Keep)
            });
        if self.is_for_disk {
            job_result.tally.add_local(local);
        }
        if unknown > 0 {
            let elements = terminal::several(unknown, "element");
            job_result.warn(format!(
                "{}: integrity of {elements} left unchanged: it is not that of the style sheet, which changes; browsers refuse it",
                input.name()
            ));
        }
        rewritten
    }

    /// Returns the path of the file that a link of a page leads to, if it is in the directory.
    fn path_of(&self, page: &Input, link_report: &LinkReport<'_>) -> Option<Vec<u8>> {
        let own = self.site.url_of(page.site_path()?)?;
        let base = link_report.base.as_ref().map_or(&own, |base| &base.url);
        let find = |base: &str, reference| {
            let target = resolve(base, reference, Profile::Whatwg).ok()?;
            self.site.path_of(&target)
        };
        let reference = &*link_report.link.reference;
        // A mapping may say which host is that of the directory, and move both.
        let on_mapped_host = || {
            let written = resolve(&own, link_report.target()?, Profile::Whatwg).ok()?;
            let (_, rest) = reference.split_once("://")?;
            let path = find(&own, &rest[rest.find('/')?..])?;
            let is_mapped = written.starts_with(UNKNOWN_ORIGIN) && self.sheets.contains_key(&path);
            is_mapped.then_some(path)
        };
        find(base, reference)
            .or_else(on_mapped_host)
            .or_else(|| find(&own, link_report.target()?))
    }

    /// Decides about an attribute beside a link to the file at `path`. Returns `None` if the file changes, and the
    /// attribute does not have its digest.
    fn decide(
        &self,
        path: &[u8],
        beside: BesideLink<'_>,
        settings: &Settings<'_>,
    ) -> Option<Decision> {
        let digests = match self.sheets.get(path) {
            Some((sheet, digests)) if beside.name == "integrity" => {
                digests.get_or_init(|| digests_of(sheet, settings))
            }
            _ => &None,
        };
        let Some(digests) = digests else {
            return Some(Decision::Keep);
        };
        match self.policy {
            IntegrityArg::Update => digests.update(beside.value).map(Decision::Replace),
            IntegrityArg::Remove => Some(Decision::Remove),
            IntegrityArg::Keep => Some(Decision::Keep),
        }
    }

    /// Keeps the digests of an input before it is replaced by `new`, if it is a style sheet.
    pub(super) fn keep_digests(&self, input: &Input, old: &[u8], new: &[u8]) {
        let path = input.site_path().map(site_path_bytes);
        if let Some((_, digests)) = path.and_then(|path| self.sheets.get(&path)) {
            digests.get_or_init(|| FileDigests::of(old, new));
        }
    }
}

/// Returns the digests of a style sheet if it changes. The job of the sheet reports errors.
fn digests_of(sheet: &Input, settings: &Settings<'_>) -> Option<FileDigests> {
    let loaded = sheet.read(&settings.fetcher, &mut JobResult::default())?;
    let url = settings.retrieval_url(sheet, &loaded);
    let kind = DocumentKind::StyleSheet;
    let document = settings.document(kind, &loaded, url.as_deref());
    FileDigests::of(&loaded.bytes, &settings.rewriter.rewrite(&document).bytes)
}
