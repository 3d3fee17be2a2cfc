//! `absolve mirror`: converts the links of a downloaded folder, so that it can be read offline.
//!
//! A link to a file of the folder becomes relative if it is in the [`MirrorScope`]; all other links become absolute.
//! The library decides about each link ([`MirrorFolder`]), and which files are documents ([`MirroredFile`]); this
//! module lists and reads the files.
//!
//! File names of downloads are less reliable than those of a site, so this verb classifies the files unlike
//! [`super::rewrite`], and documents whose names determine nothing are recognized by their content. The mirror must
//! know all file names, and must have observed all documents, before the first link is decided, so documents that it
//! can learn from are read twice.
//!
//! Planning, writing and reporting are shared with [`super::rewrite`]: see [`writing`].

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use absolve::{BaseSource, LinkReport, Rewriter, SkipReason};
use absolve_site::files::{self, Durability, SiteFile};
use absolve_site::{FolderOrigin, Layout, MirrorFolder, MirrorScope, MirroredFile};

use super::args::MirrorArgs;
use super::exit::{Abort, Exit};
use super::input::{Input, read_prefix};
use super::job_result::{EmitResult, JobResult};
use super::located_document::LocatedDocument;
use super::output::{Destination, Job};
use super::report::RewrittenDocument;
use super::run::Verb;
use super::settings::Settings;
use super::terminal;
use super::walk::Inputs;
use super::writing::{self, WriteRun};

/// Message about what is not known of a folder that wget downloaded without a log.
const NO_LOG: &str =
    "no wget-log: pages that the server redirected to another URL are not recognized; see --log";

/// Message about a log that has no record of the folder.
const OTHER_LOG: &str = "wget-log names no file of the folder, so pages that the server redirected to another URL are not recognized; it must be in English (LC_ALL=C.UTF-8)";

/// Message about a download of HTTrack that was killed.
const UNFINISHED: &str = "HTTrack did not finish this download (hts-in_progress.lock), and left pages in .tmp files, which remain as they are; finish it with httrack --continue, and run absolve again";

/// Runs the verb.
///
/// # Errors
/// Invalid arguments, a folder without a known root, or a plan that is rejected.
pub(super) fn run(args: &MirrorArgs) -> Result<Exit, Abort> {
    let folder = check_folder(args)?;
    let base_path = args.base_path.base_path.as_ref();
    if base_path.is_some() && args.layout != Some(Layout::Site) {
        return Err(Abort::Usage(
            "--base-path needs --layout site\n  hint: use --url for other layouts, whose files are from known hosts".to_owned(),
        ));
    }
    let mut settings = Settings::new(&args.common)?.published_under(base_path);
    settings.rewriter = with_options(settings.rewriter, args);
    let mut inputs = Inputs::of_directory(folder, &args.common.walk, is_document)?;
    let mut mirror = mirror_of(folder, &inputs, args)?;
    if let Some(log) = &args.log {
        observe_log(&mut mirror, log)?;
    }
    let documents = inputs.documents.iter().filter_map(Input::site_path);
    // Files that cannot be read are reported when they are converted or copied.
    let known = mirror.observe_files(documents, |path| {
        let follows = args.common.walk.follow;
        let depth = if follows {
            0
        } else {
            path.components().count()
        };
        files::read_regular(&folder.join(path), depth).ok()
    });
    if known == 0 && args.log.is_none() && mirror.layout() == Layout::Wget {
        let has_log = mirror.lists().iter().any(|log| folder.join(log).is_file());
        let note = if has_log { OTHER_LOG } else { NO_LOG };
        inputs.messages.note(note.to_owned());
    }
    if mirror.layout() == Layout::HtTrack && folder.join("hts-in_progress.lock").is_file() {
        inputs.messages.note(UNFINISHED.to_owned());
    }
    // The originals that `wget --backup-converted` kept are copied.
    retain_documents(&mut inputs, |site_path| mirror.contains(site_path));
    let run = &args.common.run;
    let missing = Mutex::default();
    let verb = |write_run| MirrorRun {
        write_run,
        mirror,
        missing: args.missing.is_some().then_some(&missing),
    };
    let exit = writing::write_documents(&args.output, run, inputs, settings, verb)?;
    if let Some(path) = &args.missing {
        // A panic of another thread ends the run.
        let urls = missing.into_inner().unwrap_or_else(PoisonError::into_inner);
        write_missing(path, &urls)?;
    }
    Ok(exit)
}

/// Writes the file of `--missing`.
///
/// # Errors
/// The file cannot be written.
fn write_missing(path: &Path, urls: &BTreeSet<String>) -> Result<(), Abort> {
    let written = files::write_file(path, Durability::default(), |to| {
        urls.iter().try_for_each(|url| writeln!(to, "{url}"))?;
        Ok(true)
    });
    written.map(drop).map_err(|error| {
        let name = terminal::path(path);
        Abort::Usage(format!("cannot write --missing {name}: {error}"))
    })
}

/// Returns the folder.
///
/// # Errors
/// There is not exactly one folder, or no option for the output.
fn check_folder(args: &MirrorArgs) -> Result<&Path, Abort> {
    let [folder] = &*args.folders else {
        return Err(Abort::Usage(
            "mirror converts one folder at a time\n  hint: name one folder, and convert the others in separate runs".to_owned(),
        ));
    };
    let name = terminal::path(folder);
    if !folder.is_dir() {
        return Err(Abort::Usage(format!(
            "{name} is not a directory\n  hint: name the downloaded folder"
        )));
    }
    let output = &args.output;
    if output.output.is_none() && !output.in_place && !output.is_dry_run() {
        return Err(Abort::Usage(format!(
            "no output given for {name}\n  hint: use --in-place, --output DIR, or --diff to see what would change"
        )));
    }
    Ok(folder)
}

/// Returns whether a file of a folder is a document.
fn is_document(file: &SiteFile) -> bool {
    // A file that cannot be read is reported when it is copied.
    let open = || files::open_regular(&file.path, file.depth);
    let prefix = || read_prefix(open(), MirroredFile::PREFIX_LEN).unwrap_or_default();
    MirroredFile::of_path(&file.site_path).is_document(prefix)
}

/// Moves the documents for which `is_document` is false to the assets.
fn retain_documents(inputs: &mut Inputs, is_document: impl Fn(&Path) -> bool) {
    for input in std::mem::take(&mut inputs.documents) {
        match input {
            Input::File {
                path,
                site_path: Some(site_path),
                found: Some(depth),
            } if !is_document(&site_path) => {
                inputs.assets.push(SiteFile::new(path, site_path, depth));
            }
            document => inputs.documents.push(document),
        }
    }
}

/// Creates the mirror with the files of `inputs`, in the layout and scope of the arguments.
///
/// # Errors
/// The folder has no known root.
fn mirror_of(folder: &Path, inputs: &Inputs, args: &MirrorArgs) -> Result<MirrorFolder, Abort> {
    // In place, links to files that are left out still lead to them.
    let left_out = match args.output.output {
        Some(_) => &[],
        None => &*inputs.left_out,
    };
    let paths = inputs
        .site_paths()
        .chain(left_out.iter().map(PathBuf::as_path));
    let canonical = fs::canonicalize(folder).ok();
    let folder_name = canonical.as_deref().and_then(Path::file_name);
    let base_path = args.base_path.base_path.as_ref();
    let url = base_path.map(|base_path| &*base_path.url);
    let url = url.or(args.common.url.as_deref());
    let origin = FolderOrigin {
        folder_name,
        layout: args.layout,
        url,
        default_page: args.default_page.as_deref(),
    };
    let mirror = MirrorFolder::new(paths, &origin).map_err(|error| {
        let name = terminal::path(folder);
        Abort::Usage(format!(
            "{name}: {error}\n  hint: use --url with the URL that the folder was downloaded from"
        ))
    })?;
    if args.default_page.is_some() && mirror.layout() == Layout::HtTrack {
        return Err(Abort::Usage(
            "--default-page is an option of wget, and HTTrack downloaded this folder\n  hint: leave it out".to_owned(),
        ));
    }
    Ok(mirror.scope(if args.all {
        MirrorScope::All
    } else {
        MirrorScope::Reading
    }))
}

/// Passes the log of `--log` to the mirror.
///
/// # Errors
/// The log cannot be read, or names no file of the folder.
fn observe_log(mirror: &mut MirrorFolder, log: &Path) -> Result<(), Abort> {
    let name = terminal::path(log);
    let list = fs::read(log)
        .map_err(|error| Abort::Usage(format!("cannot read --log {name}: {error}")))?;
    if mirror.observe_list(&list) == 0 {
        return Err(Abort::Usage(format!(
            "--log {name} names no file of the folder\n  hint: use the log of wget, run with LC_ALL=C.UTF-8, or hts-cache/new.txt of HTTrack"
        )));
    }
    Ok(())
}

/// Adds the options of `absolve mirror` to `rewriter`.
fn with_options(rewriter: Rewriter, args: &MirrorArgs) -> Rewriter {
    let rewriter = MirrorFolder::rewriter(rewriter)
        .fragments(args.fragments)
        .escape(args.escape);
    let base_scope = args.common.base_scope.into_iter();
    base_scope.fold(rewriter, Rewriter::base_scope)
}

/// A run of the verb.
struct MirrorRun<'a> {
    write_run: WriteRun<'a>,
    mirror: MirrorFolder,
    /// The URLs that are not in the folder; `None` if they are not asked for.
    missing: Option<&'a Mutex<BTreeSet<String>>>,
}

impl Verb for MirrorRun<'_> {
    type Job = Job;

    fn is_streamed(&self, _: &Job) -> bool {
        false
    }

    fn run_job(&self, job: &Job, emit: &mut EmitResult<'_>) -> Result<JobResult, Abort> {
        let mut job_result = JobResult::default();
        if self.write_run.can_write(job, &mut job_result) {
            match job {
                Job::Document { input, output } => {
                    self.document(input, output, emit, &mut job_result);
                }
                Job::Asset { asset, output } => {
                    self.write_run.copy_asset(asset, output, &mut job_result);
                }
            }
        }
        Ok(job_result)
    }
}

impl MirrorRun<'_> {
    /// Reads, converts and writes one document.
    fn document(
        &self,
        input: &Input,
        output: &Destination,
        emit: &mut EmitResult<'_>,
        job_result: &mut JobResult,
    ) {
        let write_run = &self.write_run;
        let settings = &write_run.settings;
        let rewriter = &settings.rewriter;
        // All inputs come from the walk of the folder, so each has a site path.
        let Some(site_path) = input.site_path() else {
            return;
        };
        let Some(loaded) = write_run.read_supported(input, output, job_result) else {
            return;
        };
        let kind = MirroredFile::of_path(site_path).document_kind();
        let document = settings.document(kind, &loaded, None);
        let Some(page) = self.mirror.page_of(site_path, &document, rewriter) else {
            // The file is outside the directories of hosts, so its URL is unknown.
            if write_run.write(input, output, &loaded.bytes, &loaded, job_result) {
                job_result.tally.documents = 1;
                job_result.warn(format!(
                    "{}: left unchanged: not in a directory named after a host; convert its directory in a separate run with --url",
                    input.name()
                ));
            }
            return;
        };
        let retrieved = document.clone().retrieved_from(page.url());
        let mut lost = 0;
        let rewritten = rewriter.rewrite_with(&retrieved, |link_report| {
            let decision = page.decide(link_report);
            // Links whose host is not known do not become absolute.
            let is_lost = !settings.is_host_unknown() && page.loses_file(link_report, &decision);
            lost += usize::from(is_lost);
            if let (Some(missing), Some(url)) = (self.missing, page.missing(link_report, &decision))
            {
                let mut missing = missing.lock().unwrap_or_else(PoisonError::into_inner);
                missing.insert(url.to_owned());
            }
            decision
        });
        let links = rewritten.report.links.iter();
        let report = RewrittenDocument {
            located: LocatedDocument::new(input, &document, &loaded),
            report: &rewritten.report,
            url: Some(page.url()),
            edited: rewritten.edited,
            changed: *rewritten.bytes != *loaded.bytes,
            // Otherwise every link is decided, so none is left relative to the BASE that is removed.
            moved: links.filter(|link_report| is_moved(link_report)).count(),
        };
        if write_run.write(input, output, &rewritten.bytes, &loaded, job_result) {
            write_run.report(&report, emit, job_result);
            job_result.tally.lost = lost;
            if lost > 0 {
                let links = terminal::several(lost, "link");
                job_result.warn(format!(
                    "{}: {links} to a file of another URL became absolute; see --diff",
                    input.name()
                ));
            }
        }
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
