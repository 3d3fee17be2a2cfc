//! The configuration file: options in `absolve.toml`.
//!
//! Options are defined once, as arguments: the keys of the file are their long names ([`file`](mod@file)), and its
//! values become their default values ([`ConfigFile::apply`]). So a value of the file is validated like an argument,
//! an argument takes precedence over it, and an option that another one requires or excludes is no error if it comes
//! from the file. A file that was found may be somebody else's: see [`trust`].

mod file;
mod print;
mod schema;
mod trust;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::exit::Abort;
use crate::print::terminal;
use file::Setting;
pub(crate) use print::print;
pub(crate) use schema::schema;

/// Name of the file that is searched.
const FILE_NAME: &str = "absolve.toml";

/// A configuration file that was read.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    /// Name for messages.
    name: String,
    settings: Vec<Setting>,
}

impl ConfigFile {
    /// Reads the file that `matches`, the arguments of a verb of `command`, name or from which it is found. Returns
    /// `None` if there is none, or if the verb has no configuration.
    ///
    /// # Errors
    /// The file cannot be read, or a key or value in it is invalid.
    pub(crate) fn find(command: &Command, matches: &ArgMatches) -> Result<Option<Self>, Abort> {
        let Some((_, matches)) = matches.subcommand() else {
            return Ok(None);
        };
        if !matches!(matches.try_get_one::<bool>("no_config"), Ok(Some(false))) {
            return Ok(None);
        }
        let given = matches.get_one::<PathBuf>("config");
        let Some(path) = given
            .cloned()
            .or_else(|| start(matches).and_then(|start| nearest(&start)))
        else {
            return Ok(None);
        };
        let name = terminal::path(&path);
        if given.is_none() && !trust::is_owner_trusted(&path) {
            return Err(Abort::Usage(format!(
                "{name} belongs to another user\n  hint: use it with --config {name}, or leave it out with --no-config"
            )));
        }
        let text = fs::read_to_string(&path).map_err(|error| {
            Abort::Usage(format!(
                "cannot read the configuration {name}: {error}\n  hint: correct --config, or use --no-config"
            ))
        })?;
        let directory = path.parent().unwrap_or(Path::new(""));
        let settings = file::parse(&text, command, directory)
            .map_err(|error| Abort::Usage(format!("{name}:{error}")))?;
        if given.is_none()
            && !trust::is_above_current_directory(&path)
            && let Some(setting) = settings.iter().find(|setting| trust::needs_trust(setting))
        {
            return Err(Abort::Usage(format!(
                "{name}:{}: {} is not taken from a file below the current directory\n  hint: use it with --config {name}, or run the command in its directory",
                setting.line, setting.key
            )));
        }
        if matches!(matches.try_get_one::<bool>("verbose"), Ok(Some(true))) {
            terminal::print_message(&format!("options of {name}"));
        }
        Ok(Some(Self { name, settings }))
    }

    /// Returns the name for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Makes the values of the file the default values of the arguments of the verb in `matches`.
    ///
    /// A value is left out if its option conflicts with one in `matches`.
    pub(crate) fn apply(&self, command: Command, matches: &ArgMatches) -> Command {
        let Some((verb, matches)) = matches.subcommand() else {
            return command;
        };
        command.mut_subcommand(verb, |command| {
            let typed = typed(&command, matches);
            let mut settings: Vec<&Setting> = self.of_verb(verb).collect();
            settings.retain(|setting| {
                let arg = setting.arg(&command);
                arg.is_some_and(|arg| !typed.iter().any(|typed| conflicts(&command, arg, typed)))
            });
            settings.into_iter().fold(command, |command, setting| {
                let Some(id) = setting.arg(&command).map(|arg| arg.get_id().clone()) else {
                    return command;
                };
                command.mut_arg(id, |arg| arg.default_values(setting.values.clone()))
            })
        })
    }

    /// Returns the settings for a verb. One of its own table comes after one for all verbs.
    fn of_verb(&self, verb: &str) -> impl Iterator<Item = &Setting> {
        let for_all = self
            .settings
            .iter()
            .filter(|setting| setting.verb.is_none());
        let own = self.settings.iter();
        let own = own.filter(move |setting| setting.verb.as_deref() == Some(verb));
        for_all.chain(own)
    }
}

/// Returns the arguments of `command` that were typed.
fn typed(command: &Command, matches: &ArgMatches) -> Vec<Arg> {
    let is_typed = |arg: &&Arg| is_typed(arg, matches);
    command.get_arguments().filter(is_typed).cloned().collect()
}

/// Returns whether an argument was typed.
fn is_typed(arg: &Arg, matches: &ArgMatches) -> bool {
    matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
}

/// Returns whether one of two arguments is declared to conflict with the other.
fn conflicts(command: &Command, one: &Arg, other: &Arg) -> bool {
    let declares = |one: &Arg, other: &Arg| {
        let mut conflicts = command.get_arg_conflicts_with(one).into_iter();
        conflicts.any(|conflict| conflict.get_id() == other.get_id())
    };
    declares(one, other) || declares(other, one)
}

/// Returns the directory in which the search for the file starts; `None` if it cannot be determined.
fn start(matches: &ArgMatches) -> Option<PathBuf> {
    let first = |name| {
        let paths = matches.try_get_many::<PathBuf>(name).ok()??;
        paths.into_iter().next().cloned()
    };
    if let Some(folder) = first("folders") {
        // The files of a download are those of a server, which must not set options.
        let folder = fs::canonicalize(folder).ok()?;
        return folder.parent().map(Path::to_owned);
    }
    // A URL and `-` are no paths that exist.
    let path = first("paths").and_then(|path| fs::canonicalize(path).ok());
    match path {
        Some(path) if path.is_dir() => Some(path),
        Some(path) => path.parent().map(Path::to_owned),
        None => env::current_dir().ok(),
    }
}

/// Returns the path of the file in `directory` or the nearest directory above it, relative to the current directory if
/// it is in it.
fn nearest(directory: &Path) -> Option<PathBuf> {
    let mut paths = directory.ancestors().map(|parent| parent.join(FILE_NAME));
    let path = paths.find(|path| path.is_file())?;
    let current = env::current_dir().and_then(fs::canonicalize).ok();
    let relative = current.and_then(|current| path.strip_prefix(current).ok().map(Path::to_owned));
    Some(relative.unwrap_or(path))
}
