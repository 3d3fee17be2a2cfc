//! `absolve mirror`.

mod folder;

use std::fs;
use std::path::Path;

use absolve::{
    BaseElementPolicy, BaseScope, Document, Layout, Mirror, MirrorScope, NoRoot, Rewriter,
};

use super::args::{DocumentArgs, InputFormat, LayoutArg, MirrorArgs};
use super::input::Input;
use super::job_result::JobResult;
use super::output::{Destination, Job, OutputOptions, Plan};
use super::prepare::{self, UnwritableDirs};
use super::reporter::Reporter;
use super::rewrite::{failures, put_asset, remark, report_of};
use super::settings::Settings;
use super::tally::Tally;
use super::walk::{Asset, Inputs};
use super::{Abort, Exit, interrupt, jobs, report, terminal, write_output};
use folder::{Guess, MirrorFormat};

/// What HTTrack writes down about its files.
const LIST_OF_HTTRACK: &[u8] = b"hts-cache/new.txt";

pub(super) fn run(args: &MirrorArgs) -> Result<Exit, Abort> {
    refuse_what_means_nothing(&args.document)?;
    let name = folder(args)?;
    let settings = Settings::new(&args.document)?;
    let mut inputs = Inputs::new(&args.document)?;
    // What is no document to it may be one of a mirror.
    inputs.remarks.clear();
    folder::sort_out(&mut inputs);
    let mut names = MirrorNames::default();
    let mut mirror = match own_host(&inputs, args) {
        Some((own, mirror)) => {
            names = own;
            mirror
        }
        None => mirror(&inputs, args, &names).map_err(|error| {
            Abort::Usage(format!(
                "{name}: {error}; say with --url which URL the folder was downloaded from"
            ))
        })?,
    };
    observe(&mut mirror, &inputs, &names);
    leave_originals(&mirror, &mut inputs, &names);
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
    let is_dry = args.check || args.diff;
    let run = &args.document.run;
    let report = report_of(args.report.as_deref(), is_dry, &plan)?;
    let mut reporter = Reporter::new(run, &inputs, plan.jobs.len(), is_dry).with_report(report);
    reporter.emit_input_messages(&mut inputs)?;
    let mut job_result = JobResult::default();
    let barred = prepare::prepare(&plan, &mut job_result);
    reporter.emit(&job_result)?;
    let work = MirrorRun {
        args,
        rewriter: rewriter(&settings, args),
        settings,
        mirror,
        names,
        barred,
    };
    let done = jobs::in_order(
        &plan.jobs,
        jobs::threads(run.threads),
        &is_interrupted,
        |job| work.run_job(job),
        |job_result| reporter.deliver(&job_result),
    )?;
    reporter.finish(done, |tally| tally.summary(is_dry))
}

fn refuse_what_means_nothing(args: &DocumentArgs) -> Result<(), Abort> {
    let refuse = |what: &str, why: &str| Err(Abort::Usage(format!("{what}: {why}; leave it out")));
    if !args.enclosing_base.is_empty() || args.default_base.is_some() {
        return refuse(
            "--enclosing-base and --default-base mean nothing here",
            "a file has the URL it was downloaded from",
        );
    }
    if !matches!(args.input_format, InputFormat::Auto) {
        return refuse(
            "--input-format means nothing here",
            "a folder has documents of every format",
        );
    }
    if args.run.files_from.is_some() || args.run.root.is_some() {
        return refuse(
            "--files-from and --root mean nothing here",
            "what is in the folder decides what a link becomes",
        );
    }
    Ok(())
}

/// The name for people of the folder, with everything refused that makes no sense.
fn folder(args: &MirrorArgs) -> Result<String, Abort> {
    let [folder] = &*args.document.paths else {
        return Err(Abort::Usage(
            "not one folder; name one, and convert others in runs of their own".to_owned(),
        ));
    };
    let name = terminal::escape_control(&folder.to_string_lossy());
    if !folder.is_dir() {
        return Err(Abort::Usage(format!(
            "{name} is no directory; name the one that was downloaded"
        )));
    }
    if args.output.is_none() && !args.in_place && !args.check && !args.diff {
        return Err(Abort::Usage(format!(
            "nothing to do; convert {name} itself with --in-place, a copy with --output DIR, or see what would change with --diff"
        )));
    }
    Ok(name)
}

/// What files are called in the mirror.
#[derive(Debug, Default)]
struct MirrorNames {
    /// What is put before their paths.
    prefix: Vec<u8>,
}

impl MirrorNames {
    fn of(&self, below: &Path) -> Vec<u8> {
        [&*self.prefix, &folder::name(below)].concat()
    }
}

/// The mirror of which the folder is the directory of a host itself, if it has a home page and such a name.
fn own_host(inputs: &Inputs, args: &MirrorArgs) -> Option<(MirrorNames, Mirror)> {
    let has = |file: &str| {
        let documents = inputs.documents.iter().filter_map(Input::below);
        let others = inputs.assets.iter().map(|other| &*other.below);
        documents
            .chain(others)
            .any(|below| below == Path::new(file))
    };
    let may_be = matches!(
        args.layout,
        LayoutArg::Auto | LayoutArg::Wget | LayoutArg::HostPath
    );
    if args.document.url.is_some() || !may_be || !has("index.html") || has("hts-log.txt") {
        return None;
    }
    let folder = fs::canonicalize(args.document.paths.first()?).ok()?;
    let mut prefix = folder.file_name()?.as_encoded_bytes().to_owned();
    prefix.push(b'/');
    let names = MirrorNames { prefix };
    let mirror = mirror(inputs, args, &names).ok()?;
    mirror.url_of(&names.of(Path::new("index.html")))?;
    Some((names, mirror))
}

fn mirror(inputs: &Inputs, args: &MirrorArgs, names: &MirrorNames) -> Result<Mirror, NoRoot> {
    let layout = match args.layout {
        LayoutArg::Auto => None,
        LayoutArg::Wget => Some(Layout::Wget),
        LayoutArg::HtTrack => Some(Layout::HtTrack),
        LayoutArg::HostPath => Some(Layout::HostPath),
        LayoutArg::Site => Some(Layout::Site),
    };
    let documents = inputs.documents.iter().filter_map(Input::below);
    // A link to a file is as good as the file; one to a directory hides what is behind it.
    let others = inputs.assets.iter();
    let others = others.filter(|other| !other.is_link || other.path.is_file());
    let files = documents.chain(others.map(|other| &*other.below));
    let url = args.document.url.as_deref();
    let mirror = Mirror::new(files.map(|below| names.of(below)), layout, url)?;
    Ok(mirror.scope(if args.all {
        MirrorScope::All
    } else {
        MirrorScope::Reading
    }))
}

/// Lets the mirror learn what the names of its files do not say.
fn observe(mirror: &mut Mirror, inputs: &Inputs, names: &MirrorNames) {
    // What cannot be read is said when it is to be converted.
    let is_list = |other: &&Asset| folder::name(&other.below) == LIST_OF_HTTRACK;
    if mirror.layout() == Layout::HtTrack
        && let Some(list) = inputs.assets.iter().find(is_list)
        && let Ok(list) = fs::read(&list.path)
    {
        mirror.observe_list(&list);
    }
    for input in &inputs.documents {
        let Input::File {
            path,
            below: Some(below),
        } = input
        else {
            continue;
        };
        let name = names.of(below);
        if mirror.observes(&name)
            && let Ok(document) = fs::read(path)
        {
            mirror.observe(&name, &document);
        }
    }
}

/// Takes the originals that were kept of documents from the documents.
fn leave_originals(mirror: &Mirror, inputs: &mut Inputs, names: &MirrorNames) {
    for input in std::mem::take(&mut inputs.documents) {
        match input {
            Input::File {
                path,
                below: Some(below),
            } if !mirror.contains(&names.of(&below)) => inputs.assets.push(Asset {
                path,
                below,
                is_link: false,
            }),
            document => inputs.documents.push(document),
        }
    }
}

fn rewriter(settings: &Settings<'_>, args: &MirrorArgs) -> Rewriter {
    let rewriter = settings
        .rewriter
        .clone()
        // A BASE that stayed would change where relative links lead, and browsers heed it wherever it is.
        .base_element(BaseElementPolicy::Remove)
        .fragments(args.fragments.into())
        .escape(args.escape.into());
    let scope = args.document.base_scope.map(BaseScope::from);
    rewriter.base_scope(scope.unwrap_or(BaseScope::Document))
}

/// What every job of a run needs.
struct MirrorRun<'a> {
    args: &'a MirrorArgs,
    rewriter: Rewriter,
    settings: Settings<'a>,
    mirror: Mirror,
    names: MirrorNames,
    barred: UnwritableDirs,
}

impl MirrorRun<'_> {
    fn run_job(&self, job: &Job) -> JobResult {
        let mut job_result = JobResult::default();
        match job {
            Job::Document { input, output } => self.document(input, output, &mut job_result),
            Job::Asset { asset, output } => {
                put_asset(
                    asset,
                    output,
                    self.args.others,
                    &self.barred,
                    &mut job_result,
                );
            }
        }
        job_result
    }

    fn document(&self, input: &Input, output: &Destination, job_result: &mut JobResult) {
        let Input::File {
            path,
            below: Some(below),
        } = input
        else {
            return;
        };
        if let Destination::Mirrored(path) = output
            && self.barred.has(path)
        {
            job_result.error(format!("{}: not written", output.name()));
            return;
        }
        let Some(loaded) = input.read(&self.settings.fetcher, job_result) else {
            return;
        };
        let document = match folder::guess(&folder::name(below)) {
            Guess::Document(MirrorFormat::Css) => Document::style_sheet(&loaded.bytes),
            Guess::Document(MirrorFormat::Html) | Guess::Unsure | Guess::Other => {
                Document::new(&loaded.bytes)
            }
        };
        let document = match self.settings.encoding(&loaded) {
            Some(label) => document.encoding(label),
            None => document,
        };
        let page = self
            .mirror
            .page_of(&self.names.of(below), &document, &self.rewriter);
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
            job_result.error(format!("{}: cannot be written: {error}", output.name()));
            return;
        }
        if output.is_dry() && changed {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        job_result.tally.documents = 1;
        let Some(rewritten) = &rewritten else {
            job_result.warn(format!(
                "{}: left as it is: in no directory named after a host; convert its directory in a run of its own, with --url",
                input.name()
            ));
            return;
        };
        let report = &rewritten.report;
        job_result.tally = Tally::of(report, loaded.bytes.len());
        job_result.tally.changed = usize::from(changed);
        let what = if changed { "changed" } else { "unchanged" };
        job_result.info(format!("{}: {what}", input.name()));
        input.report_unsupported(report, job_result);
        let failures = failures(report);
        remark(&input.name(), report, &failures, None, job_result);
        if self.args.strict && !failures.is_empty() {
            job_result.exit = job_result.exit.max(Exit::Findings);
        }
        if let (Some(page), true) = (&page, self.args.report.is_some()) {
            let told = report::DocumentMeta {
                path: &input.path(),
                entity: None,
                url: Some(page.url()),
                edited: rewritten.edited,
                changed,
            };
            if let Err(error) = report::write(&told, &document, report, &mut job_result.report) {
                job_result.error(format!("{}: not in the report: {error}", input.name()));
            }
        }
    }
}
