//! `absolve mirror`.

mod folder;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use absolve::{
    BaseElementPolicy, BaseScope, Document, Escape, FragmentPolicy, Layout, Mirror, MirrorScope,
    Outcome, Rewriter, Rewritten, SkipReason,
};

use super::args::{BaseScopeArg, EscapeArg, FragmentsArg, InputFormat, LayoutArg, MirrorArgs};
use super::input::Input;
use super::output::Output;
use super::settings::Settings;
use super::{Exit, Stop, diff, talk};
use folder::{File, Format, Guess};

/// What HTTrack writes down about its files.
const LIST_OF_HTTRACK: &[u8] = b"hts-cache/new.txt";

pub(super) fn run(args: &MirrorArgs) -> Result<Exit, Stop> {
    let folder = folder(args)?;
    let settings = Settings::new(&args.document)?;
    let mut run = Run {
        args,
        rewriter: rewriter(&settings, args),
        encoding: settings.encoding,
        exit: Exit::Done,
        done: Done::default(),
    };
    let files = folder::files(folder).map_err(|error| {
        let name = talk::visible(&folder.to_string_lossy());
        Stop::Usage(format!(
            "{name}: cannot be read: {error}; name a directory that can"
        ))
    })?;
    let mut mirror = mirror(&files, args, folder)?;
    Run::learn(&mut mirror, &files);
    run.convert(&mirror, &files, folder)?;
    run.summarize();
    Ok(run.exit)
}

/// The folder to convert, with everything refused that makes no sense.
fn folder(args: &MirrorArgs) -> Result<&Path, Stop> {
    let usage = |message: String| Err(Stop::Usage(message));
    let [folder] = &*args.document.paths else {
        return usage(
            "not one folder; name one, and convert others in runs of their own".to_owned(),
        );
    };
    let name = talk::visible(&folder.to_string_lossy());
    if !folder.is_dir() {
        return usage(format!(
            "{name} is no directory; name the one that was downloaded"
        ));
    }
    let document = &args.document;
    if !document.enclosing_base.is_empty() || document.default_base.is_some() {
        return usage(
            "--enclosing-base and --default-base mean nothing here: a file has the URL it was downloaded from; leave them out"
                .to_owned(),
        );
    }
    if !matches!(document.input_format, InputFormat::Auto) {
        return usage(
            "--input-format means nothing here: a folder has documents of every format; leave it out"
                .to_owned(),
        );
    }
    match &args.output {
        None if !args.in_place && !args.check && !args.diff => usage(format!(
            "nothing to do; convert {name} itself with --in-place, a copy with --output DIR, or see what would change with --diff"
        )),
        Some(output) => {
            // What is not there yet is below what is there.
            let existing = output
                .ancestors()
                .find_map(|path| fs::canonicalize(path).ok());
            let existing = existing.or_else(|| fs::canonicalize(".").ok());
            match (existing, fs::canonicalize(folder)) {
                (Some(output), Ok(folder)) if output.starts_with(&folder) => usage(format!(
                    "--output is inside {name}, which would be converted into itself; name a directory outside"
                )),
                _ => Ok(folder),
            }
        }
        None => Ok(folder),
    }
}

fn mirror(files: &[File], args: &MirrorArgs, folder: &Path) -> Result<Mirror, Stop> {
    let layout = match args.layout {
        LayoutArg::Auto => None,
        LayoutArg::Wget => Some(Layout::Wget),
        LayoutArg::HtTrack => Some(Layout::HtTrack),
        LayoutArg::HostPath => Some(Layout::HostPath),
        LayoutArg::Site => Some(Layout::Site),
    };
    let names = files.iter().map(|file| &file.name);
    let mirror = Mirror::new(names, layout, args.document.url.as_deref()).map_err(|error| {
        let name = talk::visible(&folder.to_string_lossy());
        Stop::Usage(format!(
            "{name}: {error}; say with --url which URL the folder was downloaded from"
        ))
    })?;
    Ok(mirror.scope(if args.all {
        MirrorScope::All
    } else {
        MirrorScope::Reading
    }))
}

fn rewriter(settings: &Settings<'_>, args: &MirrorArgs) -> Rewriter {
    let rewriter = settings
        .rewriter
        .clone()
        // A BASE that stayed would change where relative links lead, and browsers heed it wherever it is.
        .base_element(BaseElementPolicy::Remove)
        .fragments(match args.fragments {
            FragmentsArg::Resolve => FragmentPolicy::Resolve,
            FragmentsArg::Keep => FragmentPolicy::Keep,
            FragmentsArg::Auto => FragmentPolicy::Auto,
        })
        .escape(match args.escape {
            EscapeArg::Url => Escape::Url,
            EscapeArg::None => Escape::None,
        });
    rewriter.base_scope(match args.document.base_scope {
        Some(BaseScopeArg::Head) => BaseScope::Head,
        Some(BaseScopeArg::Document) | None => BaseScope::Document,
    })
}

/// What was done, for people.
#[derive(Debug, Default)]
struct Done {
    documents: usize,
    changed: usize,
    /// References that were left and should not be, by reason.
    left: BTreeMap<&'static str, (SkipReason, usize)>,
    /// Documents in no directory of a host.
    without_url: usize,
}

struct Run<'a> {
    args: &'a MirrorArgs,
    rewriter: Rewriter,
    encoding: Option<&'a str>,
    exit: Exit,
    done: Done,
}

impl Run<'_> {
    /// The content of a file; `None` when it cannot be read, which has been said then.
    fn read(&mut self, file: &File) -> Option<Vec<u8>> {
        let content = Input::File(file.path.clone()).read();
        if content.is_none() {
            self.exit = Exit::Trouble;
        }
        content
    }

    /// Lets the mirror learn what the names of its files do not say.
    fn learn(mirror: &mut Mirror, files: &[File]) {
        for file in files {
            let is_list = file.name == LIST_OF_HTTRACK && mirror.layout() == Layout::HtTrack;
            let may_be_page = !matches!(
                folder::guess(&file.name),
                Guess::Other | Guess::Document(Format::Css)
            );
            if !is_list && (!may_be_page || !mirror.learns_from(&file.name)) {
                continue;
            }
            // What cannot be read is said when it is to be converted.
            match fs::read(&file.path) {
                Ok(list) if is_list => mirror.learn_list(&list),
                Ok(page) => mirror.learn(&file.name, &page),
                Err(_) => {}
            }
        }
    }

    fn convert(&mut self, mirror: &Mirror, files: &[File], folder: &Path) -> Result<(), Stop> {
        let inputs: Vec<Input> = files
            .iter()
            .map(|file| Input::File(file.path.clone()))
            .collect();
        let outputs = if self.args.in_place {
            Output::in_place(&inputs, self.args.backup.as_deref())?
        } else {
            files.iter().map(|file| self.output(file, folder)).collect()
        };
        for ((file, input), output) in files.iter().zip(&inputs).zip(&outputs) {
            let format = match folder::guess(&file.name) {
                _ if !mirror.contains(&file.name) => None,
                Guess::Document(format) => Some(format),
                Guess::Unsure => Some(Format::Html),
                Guess::Other => None,
            };
            let Some(format) = format else {
                self.copy(file, output);
                continue;
            };
            let state = output.state();
            let Some(content) = self.read(file) else {
                continue;
            };
            if folder::guess(&file.name) == Guess::Unsure && !folder::looks_like_html(&content) {
                self.copy(file, output);
                continue;
            }
            self.done.documents += 1;
            let document = self.document(format, &content);
            let Some(page) = mirror.page_of(&file.name, &document, &self.rewriter) else {
                self.done.without_url += 1;
                self.copy(file, output);
                continue;
            };
            let document = document.retrieved_from(page.url());
            let rewritten = self
                .rewriter
                .rewrite_with(&document, |judged| page.decide(judged));
            match (
                output,
                output.write(&rewritten.bytes, &content, state.as_ref()),
            ) {
                (_, Ok(())) => {}
                (Output::Told(_) | Output::Shown { .. }, Err(error)) => return Err(error.into()),
                (_, Err(error)) => {
                    self.cannot_write(&output.name(), &error);
                    continue;
                }
            }
            if *rewritten.bytes != *content {
                self.done.changed += 1;
                if output.is_dry() {
                    self.exit = self.exit.max(Exit::Findings);
                }
            }
            self.exit = self.exit.max(input.report_unread(&rewritten.findings));
            self.note(&rewritten);
        }
        Ok(())
    }

    fn document<'d>(&self, format: Format, content: &'d [u8]) -> Document<'d> {
        let document = match format {
            Format::Html => Document::new(content),
            Format::Css => Document::style_sheet(content),
        };
        match self.encoding {
            Some(label) => document.encoding(label),
            None => document,
        }
    }

    fn output(&self, file: &File, folder: &Path) -> Output {
        let path = file.path.to_string_lossy().into_owned();
        match &self.args.output {
            Some(output) => {
                let below = file.path.strip_prefix(folder).unwrap_or(&file.path);
                Output::File(output.join(below))
            }
            None if self.args.diff => Output::Shown {
                path,
                is_coloured: diff::is_coloured(self.args.color),
            },
            None => Output::Told(path),
        }
    }

    /// Puts a file that stays as it is where the others go.
    fn copy(&mut self, file: &File, output: &Output) {
        let Output::File(path) = output else { return };
        let directory = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        let copied = fs::create_dir_all(directory).and_then(|()| fs::copy(&file.path, path));
        if let Err(error) = copied {
            self.cannot_write(&output.name(), &error);
        }
    }

    fn cannot_write(&mut self, name: &str, error: &std::io::Error) {
        talk::say(&format!("{name}: cannot be written: {error}"));
        self.exit = Exit::Trouble;
    }

    fn note(&mut self, rewritten: &Rewritten<'_>) {
        for judged in &rewritten.findings.links {
            let Outcome::Skipped(reason) = judged.outcome else {
                continue;
            };
            if reason.is_failure() {
                let (_, count) = self.done.left.entry(reason.name()).or_insert((reason, 0));
                *count += 1;
            }
        }
    }

    fn summarize(&self) {
        if self.args.quiet {
            return;
        }
        let Done {
            documents,
            changed,
            left,
            without_url,
        } = &self.done;
        let verb = if self.args.check || self.args.diff {
            "would change"
        } else {
            "converted"
        };
        talk::say(&format!("{verb}: {changed} of {documents} documents"));
        for (reason, count) in left.values() {
            talk::say(&format!(
                "references left as written: {count}: {reason}; absolve links names them"
            ));
        }
        if *without_url > 0 {
            talk::say(&format!(
                "documents left as they are: {without_url}, in no directory named after a host; convert them in a run of their own, with --url"
            ));
        }
    }
}
