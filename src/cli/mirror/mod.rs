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
//! Planning, writing and reporting are shared with [`super::rewrite`].

mod folder;

use std::fs;
use std::path::Path;

use absolve::{
    BaseElementPolicy, BaseScope, Document, DocumentKind, Layout, Mirror, MirrorScope, NoRoot,
    Rewriter,
};

use super::args::{DocumentArgs, InputFormat, LayoutArg, MirrorArgs};
use super::input::Input;
use super::job_result::JobResult;
use super::output::{Destination, Job, OutputOptions, Plan};
use super::prepare::{self, UnwritableDirs};
use super::reporter::{Reporter, StdoutUse};
use super::rewrite::warnings::{count_failures, emit_warnings};
use super::rewrite::{copy_asset, open_report};
use super::settings::Settings;
use super::tally::{RunMode, Tally};
use super::walk::{Asset, Inputs};
use super::{Abort, Exit, interrupt, jobs, report, terminal, write_output};
use folder::Guess;

/// Name of the list in which HTTrack records the URL of each file.
const HTTRACK_LIST: &[u8] = b"hts-cache/new.txt";

/// Runs the verb.
///
/// # Errors
/// Invalid arguments, a folder without a known root, or a plan that is rejected.
pub(super) fn run(args: &MirrorArgs) -> Result<Exit, Abort> {
    reject_unsupported_options(&args.document)?;
    let name = check_folder(args)?;
    let settings = Settings::new(&args.document)?;
    let mut inputs = Inputs::new(&args.document)?;
    // The warnings about directories without documents may be wrong: in a mirror, a file can be a document although
    // its name is not that of one.
    inputs.warnings.clear();
    folder::reclassify(&mut inputs);
    let mut names = MirrorNames::default();
    let mut mirror = match mirror_of_single_host(&inputs, args) {
        Some((host_names, mirror)) => {
            names = host_names;
            mirror
        }
        None => new_mirror(&inputs, args, &names).map_err(|error| {
            Abort::Usage(format!(
                "{name}: {error}\n  hint: use --url with the URL that the folder was downloaded from"
            ))
        })?,
    };
    observe_contents(&mut mirror, &inputs, &names);
    set_originals_aside(&mirror, &mut inputs, &names);
    let plan = Plan::new(
        &OutputOptions {
            output: args.output.as_deref(),
            others: args.others,
            in_place: args.in_place,
            backup: args.backup.as_deref(),
            check: args.check,
            diff: args.diff,
            color: args.color,
        },
        &mut inputs,
    )?;
    let is_interrupted = interrupt::watched(plan.jobs.len());
    let mode = RunMode::of(args.check, args.diff);
    let stdout_use = match mode {
        RunMode::Write => StdoutUse::Report,
        RunMode::DryRun => StdoutUse::Data,
    };
    let run = &args.document.run;
    let report = open_report(args.report.as_deref(), stdout_use, &plan)?;
    let mut reporter = Reporter::new(run, &inputs, plan.jobs.len(), stdout_use).with_report(report);
    reporter.emit_input_messages(&mut inputs)?;
    let mut job_result = JobResult::default();
    let unwritable = prepare::prepare(&plan, &mut job_result);
    reporter.emit(&job_result)?;
    let mirror_run = MirrorRun {
        args,
        rewriter: rewriter(&settings, args),
        settings,
        mirror,
        names,
        unwritable,
    };
    let done = jobs::for_each_ordered(
        &plan.jobs,
        jobs::threads(run.threads),
        &is_interrupted,
        |job| mirror_run.run_job(job),
        |job_result| reporter.deliver(&job_result),
    )?;
    reporter.finish(done, |tally| tally.summary(mode))
}

/// Rejects options that other verbs share but that have no meaning for a mirror.
fn reject_unsupported_options(args: &DocumentArgs) -> Result<(), Abort> {
    let reject = |what: &str, why: &str| Err(Abort::Usage(format!("{what}: {why}")));
    if !args.enclosing_base.is_empty() || args.default_base.is_some() {
        return reject(
            "--enclosing-base and --default-base cannot be used with mirror",
            "each file has the URL that it was downloaded from",
        );
    }
    if !matches!(args.input_format, InputFormat::Auto) {
        return reject(
            "--input-format cannot be used with mirror",
            "a folder contains documents of all formats",
        );
    }
    if args.run.files_from.is_some() || args.run.root.is_some() {
        return reject(
            "--files-from and --root cannot be used with mirror",
            "links are converted with regard to the whole folder",
        );
    }
    Ok(())
}

/// Returns the name of the folder for messages.
///
/// # Errors
/// There is not exactly one folder, or no option for the output.
fn check_folder(args: &MirrorArgs) -> Result<String, Abort> {
    let [folder] = &*args.document.paths else {
        return Err(Abort::Usage(
            "mirror converts one folder at a time\n  hint: name one folder, and convert the others in separate runs".to_owned(),
        ));
    };
    let name = terminal::escape_control(&folder.to_string_lossy());
    if !folder.is_dir() {
        return Err(Abort::Usage(format!(
            "{name} is not a directory\n  hint: name the downloaded folder"
        )));
    }
    if args.output.is_none() && !args.in_place && !args.check && !args.diff {
        return Err(Abort::Usage(format!(
            "no output given for {name}\n  hint: use --in-place, --output DIR, or --diff to see what would change"
        )));
    }
    Ok(name)
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
fn mirror_of_single_host(inputs: &Inputs, args: &MirrorArgs) -> Option<(MirrorNames, Mirror)> {
    let has = |file: &str| {
        let documents = inputs.documents.iter().filter_map(Input::site_path);
        let others = inputs.assets.iter().map(|other| &*other.site_path);
        documents
            .chain(others)
            .any(|site_path| site_path == Path::new(file))
    };
    let has_host_directories = matches!(
        args.layout,
        LayoutArg::Auto | LayoutArg::Wget | LayoutArg::HostPath
    );
    if args.document.url.is_some()
        || !has_host_directories
        || !has("index.html")
        || has("hts-log.txt")
    {
        return None;
    }
    let folder = fs::canonicalize(args.document.paths.first()?).ok()?;
    let mut prefix = folder.file_name()?.as_encoded_bytes().to_owned();
    prefix.push(b'/');
    let names = MirrorNames { prefix };
    let mirror = new_mirror(inputs, args, &names).ok()?;
    mirror.url_of(&names.name_of(Path::new("index.html")))?;
    Some((names, mirror))
}

/// Returns the mirror with the files of `inputs`, in the layout and scope of the arguments.
fn new_mirror(inputs: &Inputs, args: &MirrorArgs, names: &MirrorNames) -> Result<Mirror, NoRoot> {
    let layout = match args.layout {
        LayoutArg::Auto => None,
        LayoutArg::Wget => Some(Layout::Wget),
        LayoutArg::HtTrack => Some(Layout::HtTrack),
        LayoutArg::HostPath => Some(Layout::HostPath),
        LayoutArg::Site => Some(Layout::Site),
    };
    let documents = inputs.documents.iter().filter_map(Input::site_path);
    // A symbolic link to a file counts as a file. One to a directory does not: the walk does not follow it.
    let others = inputs.assets.iter();
    let others = others.filter(|other| !other.is_link || other.path.is_file());
    let files = documents.chain(others.map(|other| &*other.site_path));
    let url = args.document.url.as_deref();
    let mirror = Mirror::new(files.map(|site_path| names.name_of(site_path)), layout, url)?;
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
        let Input::File {
            path,
            site_path: Some(site_path),
        } = input
        else {
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

/// Moves the originals that `wget --backup-converted` kept from the documents to the assets.
fn set_originals_aside(mirror: &Mirror, inputs: &mut Inputs, names: &MirrorNames) {
    for input in std::mem::take(&mut inputs.documents) {
        match input {
            Input::File {
                path,
                site_path: Some(site_path),
            } if !mirror.contains(&names.name_of(&site_path)) => inputs.assets.push(Asset {
                path,
                site_path,
                is_link: false,
            }),
            document => inputs.documents.push(document),
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
        .fragments(args.fragments.into())
        .escape(args.escape.into());
    let scope = args.document.base_scope.map(BaseScope::from);
    // Browsers accept BASE anywhere, and the downloaded pages were written for browsers.
    rewriter.base_scope(scope.unwrap_or(BaseScope::Document))
}

/// State shared by the jobs of a run.
struct MirrorRun<'a> {
    args: &'a MirrorArgs,
    rewriter: Rewriter,
    settings: Settings<'a>,
    mirror: Mirror,
    names: MirrorNames,
    unwritable: UnwritableDirs,
}

impl MirrorRun<'_> {
    /// Converts a document or copies an asset.
    fn run_job(&self, job: &Job) -> JobResult {
        let mut job_result = JobResult::default();
        match job {
            Job::Document { input, output } => self.document(input, output, &mut job_result),
            Job::Asset { asset, output } => {
                copy_asset(
                    asset,
                    output,
                    self.args.others,
                    &self.unwritable,
                    &mut job_result,
                );
            }
        }
        job_result
    }

    /// Reads, converts and writes one document.
    fn document(&self, input: &Input, output: &Destination, job_result: &mut JobResult) {
        let Input::File {
            path,
            site_path: Some(site_path),
        } = input
        else {
            // Cannot happen: all inputs come from the walk of the folder.
            return;
        };
        if let Destination::Mirrored(path) = output
            && self.unwritable.contains(path)
        {
            job_result.error(format!(
                "cannot write {}: unusable directory",
                output.name()
            ));
            return;
        }
        let Some(loaded) = input.read(&self.settings.fetcher, job_result) else {
            return;
        };
        let kind = match folder::guess(&folder::name(site_path)) {
            Guess::Document(kind) => kind,
            Guess::Unsure | Guess::Other => DocumentKind::Html,
        };
        let document = Document::of_kind(kind, &loaded.bytes);
        let document = match self.settings.encoding(&loaded) {
            Some(label) => document.encoding(label),
            None => document,
        };
        let page = self
            .mirror
            .page_of(&self.names.name_of(site_path), &document, &self.rewriter);
        let rewritten = page.as_ref().map(|page| {
            let document = document.clone().retrieved_from(page.url());
            self.rewriter
                .rewrite_with(&document, |link_report| page.decide(link_report))
        });
        let bytes = match &rewritten {
            Some(rewritten) => &*rewritten.bytes,
            None => &*loaded.bytes,
        };
        let changed = bytes != loaded.bytes;
        let others = self.args.others;
        if let Err(error) =
            write_output::document(output, bytes, &loaded, others, Some(path), job_result)
        {
            job_result.error(format!("cannot write {}: {error}", output.name()));
            return;
        }
        if output.is_dry_run() && changed {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        job_result.tally.documents = 1;
        // No page: the file is outside the directories of hosts, so its URL is unknown.
        let Some(rewritten) = &rewritten else {
            job_result.warn(format!(
                "{}: left unchanged: not in a directory named after a host; convert its directory in a separate run with --url",
                input.name()
            ));
            return;
        };
        let report = &rewritten.report;
        job_result.tally = Tally::of(report, loaded.bytes.len());
        job_result.tally.changed = usize::from(changed);
        let change = if changed { "changed" } else { "unchanged" };
        job_result.info(format!("{}: {change}", input.name()));
        input.report_unsupported(report, job_result);
        let failures = count_failures(report);
        emit_warnings(&input.name(), report, &failures, None, job_result);
        if self.args.strict && !failures.is_empty() {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        if let (Some(page), true) = (&page, self.args.report.is_some()) {
            let meta = report::DocumentMeta {
                path: &input.path(),
                entity: None,
                url: Some(page.url()),
                edited: rewritten.edited,
                changed,
            };
            if let Err(error) = report::write(&meta, &document, report, &mut job_result.report) {
                job_result.error(format!(
                    "cannot write {} to the report: {error}",
                    input.name()
                ));
            }
        }
    }
}
