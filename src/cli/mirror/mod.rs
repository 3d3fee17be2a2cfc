//! `absolve mirror`: converts the links of a downloaded folder, so that it can be read offline.
//!
//! A link to a file of the folder becomes relative if it is in the [`MirrorScope`]; all other links become absolute.
//! The library decides about each link ([`Mirror`]); this module determines the files, their names in the mirror, and
//! which of them are documents.
//!
//! File names of downloads are less reliable than those of a site: `page.php?id=1` may be anything. Unlike
//! [`super::rewrite`], this verb therefore classifies the files again ([`folder`]), and documents whose names
//! determine nothing are recognized by their content. The [`Mirror`] must know all file names, and must have observed
//! all documents, before the first link is decided, so documents that it can learn from are read twice.
//!
//! Planning, writing and reporting are shared with [`super::rewrite`]: see [`writing`].

mod folder;

use std::fs;
use std::path::Path;

use absolve::{
    BaseElementPolicy, BaseScope, DocumentKind, Layout, Mirror, MirrorScope, NoRoot, Rewriter,
};

use super::args::MirrorArgs;
use super::exit::{Abort, Exit};
use super::input::Input;
use super::job_result::JobResult;
use super::located_document::LocatedDocument;
use super::output::{Destination, Job};
use super::report::RewrittenDocument;
use super::run::{EmitResult, Verb};
use super::settings::Settings;
use super::terminal;
use super::walk::{Asset, Inputs};
use super::writing::{self, WriteRun};
use folder::Guess;

/// Name of the list in which HTTrack records the URL of each file.
const HTTRACK_LIST: &[u8] = b"hts-cache/new.txt";

/// Runs the verb.
///
/// # Errors
/// Invalid arguments, a folder without a known root, or a plan that is rejected.
pub(super) fn run(args: &MirrorArgs) -> Result<Exit, Abort> {
    let folder = check_folder(args)?;
    let mut settings = Settings::new(&args.common)?;
    settings.rewriter = with_options(settings.rewriter, args);
    let mut inputs = Inputs::of_directory(folder, folder::is_document);
    let mut mirror = match mirror_of_single_host(&inputs, folder, args) {
        Some(mirror) => mirror,
        None => NamedMirror::new(&inputs, args, Vec::new()).map_err(|error| {
            let name = terminal::path(folder);
            Abort::Usage(format!(
                "{name}: {error}\n  hint: use --url with the URL that the folder was downloaded from"
            ))
        })?,
    };
    mirror.observe_contents(&inputs);
    // The originals that `wget --backup-converted` kept are copied.
    folder::retain_documents(&mut inputs, |site_path| {
        mirror.files.contains(&mirror.name_of(site_path))
    });
    let run = &args.common.run;
    let verb = |write_run| MirrorRun { write_run, mirror };
    writing::write_documents(&args.output, run, inputs, settings, verb)
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

/// A mirror, with the mapping from paths in the folder to names in the mirror.
struct NamedMirror {
    files: Mirror,
    /// Prefix of all names: empty, or the name of the host and a slash if the folder is the directory of one host.
    prefix: Vec<u8>,
}

/// Returns the mirror if the folder itself is the directory of a host.
///
/// Returns `None` unless the folder contains `index.html` and is named after a host. Also returns `None` if `--url`
/// is given, or if the folder is one of HTTrack or of a static site: then its name is not examined.
fn mirror_of_single_host(inputs: &Inputs, folder: &Path, args: &MirrorArgs) -> Option<NamedMirror> {
    let has = |file: &str| {
        let documents = inputs.documents.iter().filter_map(Input::site_path);
        let others = inputs.assets.iter().map(|other| &*other.site_path);
        let mut site_paths = documents.chain(others);
        site_paths.any(|site_path| site_path == Path::new(file))
    };
    let has_host_directories = matches!(args.layout, None | Some(Layout::Wget | Layout::HostPath));
    if args.common.url.is_some()
        || !has_host_directories
        || !has("index.html")
        || has("hts-log.txt")
    {
        return None;
    }
    let folder = fs::canonicalize(folder).ok()?;
    let mut prefix = folder.file_name()?.as_encoded_bytes().to_owned();
    prefix.push(b'/');
    let mirror = NamedMirror::new(inputs, args, prefix).ok()?;
    let index = mirror.name_of(Path::new("index.html"));
    mirror.files.url_of(&index).map(|_| mirror)
}

impl NamedMirror {
    /// Creates the mirror with the files of `inputs`, in the layout and scope of the arguments.
    fn new(inputs: &Inputs, args: &MirrorArgs, prefix: Vec<u8>) -> Result<Self, NoRoot> {
        let documents = inputs.documents.iter().filter_map(Input::site_path);
        // A symbolic link to a file counts as a file. One to a directory does not: the walk does not follow it.
        let others = inputs.assets.iter();
        let others = others.filter(|other| !other.is_link || other.path.is_file());
        let files = documents.chain(others.map(|other| &*other.site_path));
        let names = files.map(|site_path| [&*prefix, &folder::name(site_path)].concat());
        let mirror = Mirror::new(names, args.layout, args.common.url.as_deref())?;
        let scope = if args.all {
            MirrorScope::All
        } else {
            MirrorScope::Reading
        };
        Ok(Self {
            files: mirror.scope(scope),
            prefix,
        })
    }

    /// Returns the name in the mirror of the file at `site_path`.
    fn name_of(&self, site_path: &Path) -> Vec<u8> {
        [&*self.prefix, &folder::name(site_path)].concat()
    }

    /// Passes documents to the mirror, which learns from them facts that the file names do not contain.
    fn observe_contents(&mut self, inputs: &Inputs) {
        // Files that cannot be read are skipped here, and reported when they are converted or copied.
        let is_list = |other: &&Asset| folder::name(&other.site_path) == HTTRACK_LIST;
        if self.files.layout() == Layout::HtTrack
            && let Some(list) = inputs.assets.iter().find(is_list)
            && let Ok(list) = fs::read(&list.path)
        {
            self.files.observe_list(&list);
        }
        for input in &inputs.documents {
            let (Some(path), Some(site_path)) = (input.file_path(), input.site_path()) else {
                continue;
            };
            let name = self.name_of(site_path);
            if self.files.observes(&name)
                && let Ok(document) = fs::read(path)
            {
                self.files.observe(&name, &document);
            }
        }
    }
}

/// Adds the options of `absolve mirror` to `rewriter`.
fn with_options(rewriter: Rewriter, args: &MirrorArgs) -> Rewriter {
    rewriter
        // A remaining BASE would change the targets of the relative links.
        .base_element(BaseElementPolicy::Remove)
        .fragments(args.fragments)
        .escape(args.escape)
        // Browsers accept BASE anywhere, and the downloaded pages were written for browsers.
        .base_scope(args.common.base_scope.unwrap_or(BaseScope::Document))
}

/// A run of the verb.
struct MirrorRun<'a> {
    write_run: WriteRun<'a>,
    mirror: NamedMirror,
}

impl Verb for MirrorRun<'_> {
    type Job = Job;

    fn is_streamed(&self, _: &Job) -> bool {
        false
    }

    fn run_job(&self, job: &Job, _: &mut EmitResult<'_>) -> Result<JobResult, Abort> {
        let mut job_result = JobResult::default();
        if self.write_run.can_write(job, &mut job_result) {
            match job {
                Job::Document { input, output } => self.document(input, output, &mut job_result),
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
    fn document(&self, input: &Input, output: &Destination, job_result: &mut JobResult) {
        let write_run = &self.write_run;
        let settings = &write_run.settings;
        let rewriter = &settings.rewriter;
        // All inputs come from the walk of the folder, so each has a site path.
        let Some(site_path) = input.site_path() else {
            return;
        };
        let Some(loaded) = input.read(&settings.fetcher, job_result) else {
            return;
        };
        let kind = match folder::guess(&folder::name(site_path)) {
            Guess::Document(kind) => kind,
            Guess::Unsure | Guess::Other => DocumentKind::Html,
        };
        let document = settings.document(kind, &loaded, None);
        let name = self.mirror.name_of(site_path);
        let Some(page) = self.mirror.files.page_of(&name, &document, rewriter) else {
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
        let rewritten = rewriter.rewrite_with(&retrieved, |link_report| page.decide(link_report));
        let report = RewrittenDocument {
            located: LocatedDocument::new(input, &document, &loaded),
            report: &rewritten.report,
            url: Some(page.url()),
            edited: rewritten.edited,
            changed: *rewritten.bytes != *loaded.bytes,
            // Every link is decided, so none is left relative to the BASE that is removed.
            moved: 0,
        };
        if write_run.write(input, output, &rewritten.bytes, &loaded, job_result) {
            write_run.report(&report, job_result);
        }
    }
}
