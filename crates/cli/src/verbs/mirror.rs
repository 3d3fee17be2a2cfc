//! `absolve mirror`: converts the links of a downloaded folder, so that it can be read offline.
//!
//! A link to a file of the folder becomes relative if it is in the [`MirrorScope`]; all other links become absolute.
//! The library finds and converts the documents ([`MirrorRun`]); this module interprets the arguments and reports.
//!
//! Archives are folders of their [`Captures`]. Planning, writing and reporting are shared with
//! [`crate::verbs::rewrite`]: see [`write_run`].

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use absolve::Rewriter;
use absolve_archive::ArchiveSettings;
use absolve_archive::container::{Format, unsupported_format};
use absolve_site::files::{self, Durability, Transfer};
use absolve_site::run::{
    CaptureProblem, Captures, MirrorError, MirrorEvent, MirrorNote, MirrorOptions, MirrorRun,
};
use absolve_site::{FolderOrigin, Layout, Mirror, MirrorScope, READ_ATTRIBUTES};

use crate::args::{IntegrityArg, MirrorArgs};
use crate::exit::{Abort, Exit};
use crate::inputs::input::Input;
use crate::inputs::kind::InputKind;
use crate::inputs::located_document::LocatedDocument;
use crate::inputs::{Inputs, walk_options};
use crate::plan::{DocumentJob, Job};
use crate::print::job_result::{JobResult, JobSink};
use crate::print::rewritten_document::{RewrittenDocument, count_skipped};
use crate::print::tally::Counted;
use crate::print::terminal;
use crate::run::Verb;
use crate::run::write_run::{self, WriteRun};
use crate::settings::Settings;

/// Runs the verb.
///
/// # Errors
/// Invalid arguments, a folder without a known root, or a plan that is rejected.
pub(crate) fn run(args: &MirrorArgs) -> Result<Exit, Abort> {
    let has_archives = args.folders.iter().all(|path| is_archive(path));
    let folder = if has_archives {
        check_archives(args)?;
        Path::new("")
    } else {
        check_folder(args)?
    };
    let base_path = args.base_path.base_path.as_ref();
    if base_path.is_some() && args.layout != Some(Layout::Site) {
        return Err(Abort::Usage(
            "--base-path needs --layout site\n  hint: use --url for other layouts, whose files are from known hosts".to_owned(),
        ));
    }
    let mut settings = Settings::new(&args.common)?.published_under(base_path);
    settings.rewriter = with_options(settings.rewriter, args);
    let url = base_path.map(|base_path| &*base_path.url);
    let options = MirrorOptions {
        origin: FolderOrigin {
            layout: args.layout,
            url: url.or(args.common.url.as_deref()),
            default_page: args.default_page.as_deref(),
            ..FolderOrigin::default()
        },
        scope: if args.all {
            MirrorScope::All
        } else {
            MirrorScope::Reading
        },
        log: args.log.as_deref().map(read_log).transpose()?,
        // In place, links to files that are left out still lead to them.
        reaches_left_out: args.output.output.is_none(),
        rewriter: settings.rewriter.clone(),
        encoding: args.common.encoding.as_deref(),
        is_host_unknown: base_path.is_some(),
        collects_missing: args.missing.is_some() || has_archives,
        unsupported: unsupported_format,
    };
    let (mirror, inputs) = if has_archives {
        let (captures, mirror, inputs) = index(args, &settings.archive_settings(None));
        (MirrorRun::of_captures(captures, mirror, options), inputs)
    } else {
        let mut walk = files::walk(folder, &walk_options(&args.common.walk, [folder])?);
        let prepared = MirrorRun::new(folder, &mut walk, options, || Ok(()));
        let (mirror, note) = prepared.map_err(|error| rejected(error, folder, args))?;
        let mut inputs = Inputs::of_walk(folder, walk);
        if let Some(note) = note {
            let option = if note == MirrorNote::NoLog {
                "; see --log"
            } else {
                ""
            };
            inputs.messages.note(format!("{note}{option}"));
        }
        (mirror, inputs)
    };
    let missing = Mutex::default();
    let verb = |write_run| MirrorVerb {
        write_run,
        mirror,
        missing: &missing,
    };
    let run = &args.common.run;
    let exit = write_run::write_documents(&args.output, run, inputs, settings, verb)?;
    // A panic of another thread ends the run.
    let urls = missing.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = &args.missing {
        write_missing(path, &urls)?;
    }
    if has_archives && !urls.is_empty() && !run.quiet {
        let urls = terminal::several(urls.len(), "URL");
        terminal::print_message(&format!(
            "note: pages refer to {urls} of these hosts that no archive has; see --missing"
        ));
    }
    Ok(exit)
}

/// Returns whether a file is an archive, by its name or its content, or a ZIP archive.
fn is_archive(path: &Path) -> bool {
    let input = Input::named(path);
    if input.is_zip() {
        return true;
    }
    let sniffed = || Some(InputKind::sniff(&input.file_prefix()?));
    let kind = InputKind::from_name(path.as_os_str()).or_else(sniffed);
    path.is_file() && kind == Some(InputKind::Container(Format::Warc))
}

/// Finds the captures of archives, with their mirror and their files. Errors are messages of these.
fn index(args: &MirrorArgs, settings: &ArchiveSettings) -> (Captures, Mirror, Inputs) {
    let (mut archives, mut messages) = (Vec::new(), JobResult::default());
    for path in &args.folders {
        match Input::named(path).archive_parts(settings) {
            Ok(parts) => archives.extend(parts.into_iter().map(|part| (path.clone(), part))),
            Err(message) => messages.error(message),
        }
    }
    let (until, unwrap) = (args.at.as_deref(), args.common.unwrap);
    let report = |path: &Path, problem| {
        let message = format!("{}: {problem}", terminal::path(path));
        match problem {
            CaptureProblem::NoName => messages.note(message),
            _ => messages.error(message),
        }
    };
    let (captures, mirror, walk) = Captures::index(archives, until, unwrap, settings, report);
    let mut inputs = Inputs::of_walk(Path::new(""), walk);
    inputs.messages = messages;
    inputs.roots.clone_from(&args.folders);
    // The directories of files are not those of an archive.
    inputs.has_prefix = true;
    (captures, mirror, inputs)
}

/// Returns the error for a folder that cannot be converted.
fn rejected(error: MirrorError, folder: &Path, args: &MirrorArgs) -> Abort {
    match error {
        MirrorError::NoRoot(error) => Abort::Usage(format!(
            "{}: {error}\n  hint: use --url with the URL that the folder was downloaded from",
            terminal::path(folder)
        )),
        MirrorError::DefaultPage => Abort::Usage(
            "--default-page is an option of wget, and HTTrack downloaded this folder\n  hint: leave it out".to_owned(),
        ),
        MirrorError::Log => Abort::Usage(format!(
            "--log {} names no file of the folder\n  hint: use the log of wget, run with LC_ALL=C.UTF-8, or hts-cache/new.txt of HTTrack",
            terminal::path(args.log.as_deref().unwrap_or(folder))
        )),
        MirrorError::Interrupted(error) => Abort::Output(error),
    }
}

/// Reads the file of `--log`.
///
/// # Errors
/// It cannot be read.
fn read_log(log: &Path) -> Result<Vec<u8>, Abort> {
    let name = terminal::path(log);
    fs::read(log).map_err(|error| Abort::Usage(format!("cannot read --log {name}: {error}")))
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
    if args.at.is_some() {
        return Err(Abort::Usage(
            "--at is for archives\n  hint: leave it out, or name WARC archives instead of a folder"
                .to_owned(),
        ));
    }
    let [folder] = &*args.folders else {
        return Err(Abort::Usage(
            "mirror converts one folder at a time\n  hint: name one folder, and convert the others in separate runs".to_owned(),
        ));
    };
    let name = terminal::path(folder);
    if !folder.is_dir() {
        return Err(Abort::Usage(format!(
            "{name} is not a directory\n  hint: name the downloaded folder, or WARC archives"
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

/// Checks the options for archives.
///
/// # Errors
/// An option that folders have only, or no option for the output.
fn check_archives(args: &MirrorArgs) -> Result<(), Abort> {
    let output = &args.output;
    let for_folders = [
        ("--in-place", output.in_place),
        ("--layout", args.layout.is_some()),
        ("--default-page", args.default_page.is_some()),
        ("--log", args.log.is_some()),
        ("--url", args.common.url.is_some()),
        ("--base-path", args.base_path.base_path.is_some()),
        ("--others", output.others != Some(Transfer::Copy)),
    ];
    if let Some((option, _)) = for_folders.iter().find(|(_, is_given)| *is_given) {
        return Err(Abort::Usage(format!(
            "{option} cannot be used with archives\n  hint: leave it out; archives contain the URLs of their documents"
        )));
    }
    if output.output.is_none() && !output.is_dry_run() {
        return Err(Abort::Usage(
            "no output given for the archives\n  hint: use --output DIR".to_owned(),
        ));
    }
    Ok(())
}

/// Adds the options of `absolve mirror` to `rewriter`.
fn with_options(rewriter: Rewriter, args: &MirrorArgs) -> Rewriter {
    let rewriter = Mirror::rewriter(rewriter)
        .fragments(args.fragments)
        .escape(args.escape)
        .link_detail(args.output.link_detail());
    let rewriter = match args.integrity {
        IntegrityArg::Keep => rewriter.beside(READ_ATTRIBUTES),
        IntegrityArg::Remove | IntegrityArg::Update => rewriter,
    };
    let base_scope = args.common.base_scope.into_iter();
    base_scope.fold(rewriter, Rewriter::base_scope)
}

/// The verb with what its jobs share.
struct MirrorVerb<'a> {
    write_run: WriteRun<'a>,
    mirror: MirrorRun<'a>,
    /// The URLs that are not in the folder, if they are asked for.
    missing: &'a Mutex<BTreeSet<String>>,
}

impl Verb for MirrorVerb<'_> {
    type Job = Job;

    fn is_streamed(&self, _: &Job) -> bool {
        false
    }

    fn run_job(&self, job: &Job, sink: &mut JobSink<'_>) -> Result<(), Abort> {
        match job {
            Job::Document(job) => {
                if let Some(file) = job.input.site_file() {
                    self.mirror.convert(&file, &self.write_run.writer, |event| {
                        self.report(job, event, sink);
                    });
                }
            }
            Job::Asset(asset) => self.write_run.copy_asset(asset, sink),
        }
        Ok(())
    }
}

impl MirrorVerb<'_> {
    /// Reports on a document.
    fn report(&self, job: &DocumentJob, event: MirrorEvent<'_>, sink: &mut JobSink<'_>) {
        let (input, write_run) = (&job.input, &self.write_run);
        let name = input.name();
        let page = match event {
            MirrorEvent::Converted(page) => page,
            MirrorEvent::NoUrl => {
                sink.tally.count(Counted::Documents, 1);
                return sink.warn(format!(
                    "{name}: left unchanged: not in a directory named after a host; convert its directory in a separate run with --url"
                ));
            }
            MirrorEvent::Unsupported(problem) => {
                sink.tally.count(Counted::Others, 1);
                return sink.error(format!("{name}: left unchanged: {problem}"));
            }
            MirrorEvent::Unread(error) => {
                return sink.error(format!("cannot read {name}: {error}"));
            }
            MirrorEvent::NotCaptured(error) => {
                return sink.error(format!("{name}: not written: {error}"));
            }
            MirrorEvent::Copied => return sink.tally.count(Counted::Others, 1),
            MirrorEvent::Unwritten(error) => {
                return write_run.report_unwritten(job, &error, sink);
            }
        };
        write_run::report_lost(input, &page.lost_attributes, sink);
        let bytes = page.document.bytes();
        if write_run.args.is_dry_run() && !write_run.write(job, page.bytes, (bytes, None), sink) {
            return;
        }
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        missing.extend(page.missing.iter().cloned());
        drop(missing);
        let rewritten = RewrittenDocument {
            located: LocatedDocument::new(input, page.document),
            report: page.report,
            skipped: count_skipped(page.report),
            url: Some(page.url),
            edited: page.edited,
            changed: page.is_changed(),
            moved: page.moved,
        };
        write_run.report(&rewritten, sink);
        sink.tally.add_local(page.local);
        sink.tally.count(Counted::Lost, page.lost);
        if page.lost > 0 {
            let links = terminal::several(page.lost, "link");
            sink.warn(format!(
                "{name}: {links} to a file of another URL became absolute; see --diff"
            ));
        }
    }
}
