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
    BaseElementPolicy, BaseScope, Document, DocumentKind, Layout, Mirror, MirrorScope, NoRoot,
    Rewriter,
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
    let settings = Settings::new(&args.common)?;
    let mut inputs = Inputs::of_directory(folder);
    // The warnings about directories without documents may be wrong: in a mirror, a file can be a document although
    // its name is not that of one.
    inputs.warnings.clear();
    folder::reclassify(&mut inputs);
    let mut names = MirrorNames::default();
    let mut mirror = match mirror_of_single_host(&inputs, folder, args) {
        Some((host_names, mirror)) => {
            names = host_names;
            mirror
        }
        None => new_mirror(&inputs, args, &names).map_err(|error| {
            let name = terminal::path(folder);
            Abort::Usage(format!(
                "{name}: {error}\n  hint: use --url with the URL that the folder was downloaded from"
            ))
        })?,
    };
    observe_contents(&mut mirror, &inputs, &names);
    // The originals that `wget --backup-converted` kept are copied.
    folder::retain_documents(&mut inputs, |_, site_path| {
        mirror.contains(&names.name_of(site_path))
    });
    let rewriter = rewriter(&settings, args);
    let run = &args.common.run;
    writing::write_documents(
        &args.output,
        run,
        inputs,
        (settings, rewriter),
        |write_run| MirrorRun {
            write_run,
            mirror,
            names,
        },
    )
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

/// Mapping from paths in the folder to names in the mirror.
#[derive(Debug, Default)]
struct MirrorNames {
    /// Prefix of all names: empty, or the name of the host and a slash if the folder is the directory of one host.
    prefix: Vec<u8>,
}

impl MirrorNames {
    /// Returns the name in the mirror of the file at `site_path`.
    fn name_of(&self, site_path: &Path) -> Vec<u8> {
        [&*self.prefix, &folder::name(site_path)].concat()
    }
}

/// Returns the mirror if the folder itself is the directory of a host, with the names of the files in it.
///
/// Returns `None` unless the folder contains `index.html` and is named after a host. Also returns `None` if `--url`
/// is given, or if the folder is one of HTTrack or of a static site: then its name is not examined.
fn mirror_of_single_host(
    inputs: &Inputs,
    folder: &Path,
    args: &MirrorArgs,
) -> Option<(MirrorNames, Mirror)> {
    let has = |file: &str| {
        let documents = inputs.documents.iter().filter_map(Input::site_path);
        let others = inputs.assets.iter().map(|other| &*other.site_path);
        documents
            .chain(others)
            .any(|site_path| site_path == Path::new(file))
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
    let names = MirrorNames { prefix };
    let mirror = new_mirror(inputs, args, &names).ok()?;
    mirror.url_of(&names.name_of(Path::new("index.html")))?;
    Some((names, mirror))
}

/// Returns the mirror with the files of `inputs`, in the layout and scope of the arguments.
fn new_mirror(inputs: &Inputs, args: &MirrorArgs, names: &MirrorNames) -> Result<Mirror, NoRoot> {
    let documents = inputs.documents.iter().filter_map(Input::site_path);
    // A symbolic link to a file counts as a file. One to a directory does not: the walk does not follow it.
    let others = inputs.assets.iter();
    let others = others.filter(|other| !other.is_link || other.path.is_file());
    let files = documents.chain(others.map(|other| &*other.site_path));
    let url = args.common.url.as_deref();
    let mirror = Mirror::new(
        files.map(|site_path| names.name_of(site_path)),
        args.layout,
        url,
    )?;
    Ok(mirror.scope(if args.all {
        MirrorScope::All
    } else {
        MirrorScope::Reading
    }))
}

/// Passes documents to the mirror, which learns from them facts that the file names do not contain.
fn observe_contents(mirror: &mut Mirror, inputs: &Inputs, names: &MirrorNames) {
    // Files that cannot be read are skipped here, and reported when they are converted or copied.
    let is_list = |other: &&Asset| folder::name(&other.site_path) == HTTRACK_LIST;
    if mirror.layout() == Layout::HtTrack
        && let Some(list) = inputs.assets.iter().find(is_list)
        && let Ok(list) = fs::read(&list.path)
    {
        mirror.observe_list(&list);
    }
    for input in &inputs.documents {
        let (Some(path), Some(site_path)) = (input.file_path(), input.site_path()) else {
            continue;
        };
        let name = names.name_of(site_path);
        if mirror.observes(&name)
            && let Ok(document) = fs::read(path)
        {
            mirror.observe(&name, &document);
        }
    }
}

/// Returns the rewriter for `absolve mirror`.
fn rewriter(settings: &Settings<'_>, args: &MirrorArgs) -> Rewriter {
    let rewriter = settings
        .rewriter
        .clone()
        // A remaining BASE would change the targets of the relative links.
        .base_element(BaseElementPolicy::Remove)
        .fragments(args.fragments)
        .escape(args.escape);
    // Browsers accept BASE anywhere, and the downloaded pages were written for browsers.
    rewriter.base_scope(args.common.base_scope.unwrap_or(BaseScope::Document))
}

/// A run of the verb.
struct MirrorRun<'a> {
    write_run: WriteRun<'a>,
    mirror: Mirror,
    names: MirrorNames,
}

impl Verb for MirrorRun<'_> {
    type Job = Job;

    fn is_streamed(&self, _: &Job) -> bool {
        false
    }

    fn run_job(&self, job: &Job, _: &mut EmitResult<'_>) -> Result<JobResult, Abort> {
        Ok(match job {
            Job::Document { input, output } => self.document(input, output),
            Job::Asset { asset, output } => self.write_run.copy_asset(asset, output),
        })
    }
}

impl MirrorRun<'_> {
    /// Reads, converts and writes one document.
    fn document(&self, input: &Input, output: &Destination) -> JobResult {
        let mut job_result = JobResult::default();
        let WriteRun {
            settings, rewriter, ..
        } = &self.write_run;
        // All inputs come from the walk of the folder, so each has a site path.
        let Some(site_path) = input.site_path() else {
            return job_result;
        };
        if self.write_run.reject_unwritable(output, &mut job_result) {
            return job_result;
        }
        let Some(loaded) = input.read(&settings.fetcher, &mut job_result) else {
            return job_result;
        };
        let kind = match folder::guess(&folder::name(site_path)) {
            Guess::Document(kind) => kind,
            Guess::Unsure | Guess::Other => DocumentKind::Html,
        };
        let document = Document::of_kind(kind, &loaded.bytes);
        let label = settings.encoding(&loaded);
        let document = label.into_iter().fold(document, Document::encoding);
        let name = self.names.name_of(site_path);
        let Some(page) = self.mirror.page_of(&name, &document, rewriter) else {
            // The file is outside the directories of hosts, so its URL is unknown.
            if self
                .write_run
                .write(input, output, &loaded.bytes, &loaded, &mut job_result)
            {
                job_result.tally.documents = 1;
                job_result.warn(format!(
                    "{}: left unchanged: not in a directory named after a host; convert its directory in a separate run with --url",
                    input.name()
                ));
            }
            return job_result;
        };
        let retrieved = document.clone().retrieved_from(page.url());
        let rewritten = rewriter.rewrite_with(&retrieved, |link_report| page.decide(link_report));
        if self
            .write_run
            .write(input, output, &rewritten.bytes, &loaded, &mut job_result)
        {
            let rewritten = RewrittenDocument {
                located: LocatedDocument::new(input, &document, &loaded),
                report: &rewritten.report,
                url: Some(page.url()),
                edited: rewritten.edited,
                changed: *rewritten.bytes != *loaded.bytes,
                // Every link is decided, so none is left relative to the BASE that is removed.
                moved: 0,
            };
            self.write_run.report(&rewritten, &mut job_result);
        }
        job_result
    }
}
