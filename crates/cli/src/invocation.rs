//! One invocation of the command: parses the arguments, reads the configuration and runs the verb.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};

use crate::args::{Command, CommandLine};
use crate::config::{self, ConfigFile};
use crate::exit::{Abort, Exit};
use crate::print::terminal;
use crate::suggestion;
use crate::verbs::{base, check, documentation, index, links, mirror, resolve, rewrite};

/// Parses the arguments of the process and runs the verb.
pub(crate) fn run() -> Exit {
    let mut config = None;
    match run_configured(CommandLine::command(), &mut config) {
        Ok(exit) => exit,
        Err(abort) => print_abort(abort, config.as_ref()),
    }
}

/// Runs the verb in the arguments, with the options of the configuration file as well, which is stored in `config`.
fn run_configured(command: clap::Command, config: &mut Option<ConfigFile>) -> Result<Exit, Abort> {
    let mut command = command;
    let mut matches = command.clone().try_get_matches()?;
    *config = ConfigFile::find(&command, &matches)?;
    if let Some(config) = config {
        command = config.apply(command, &matches);
        matches = command.clone().try_get_matches()?;
    }
    if let Some(text) = config::print(&command, &matches, config.as_ref()) {
        return documentation::print(text.as_bytes());
    }
    let command_line = CommandLine::from_arg_matches(&matches)?;
    match command_line.command {
        Command::Rewrite(args) => rewrite::run(&args),
        Command::Links(args) => links::run(&args),
        Command::Base(args) => base::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Mirror(args) => mirror::run(&args),
        Command::Resolve(args) => resolve::run(&args),
        Command::Index(args) => index::run(&args),
        Command::Completions(args) => documentation::completions(&args),
        Command::Man(args) => documentation::man(&args),
        Command::Schema => documentation::schema(),
    }
}

/// Prints the reason why a run ended early.
fn print_abort(abort: Abort, config: Option<&ConfigFile>) -> Exit {
    let message = match abort {
        Abort::Arguments(error) => return print_usage(error),
        // The reader of the pipe closed it, as in `absolve links x | head`: not an error.
        Abort::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Exit::Done;
        }
        Abort::Output(error) => format!("cannot write to standard output: {error}"),
        Abort::Usage(message) => match config {
            Some(config) => format!(
                "{message}\n  note: {} has options, too; --print-config prints them",
                config.name()
            ),
            None => message,
        },
    };
    terminal::print_message(&message);
    Exit::Error
}

/// Replaces the suggestion for an unknown option. That of clap misses a transposition, as in `--ulr`.
fn with_suggestion(mut error: clap::Error) -> clap::Error {
    let mut command = CommandLine::command();
    command.build();
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(file) = std::env::args_os()
            .skip(1)
            .find(|typed| is_dash_file(typed))
    {
        let tip = format!("to name the file, write ./{}", file.to_string_lossy());
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
        return error;
    }
    let mut typed = std::env::args_os().skip(1);
    let verb = typed.next().and_then(|verb| verb.into_string().ok());
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(file) = verb.as_deref().filter(|typed| is_document(typed))
    {
        let tip = format!("to rewrite its links, write absolve rewrite {file}");
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, tip);
        return error;
    }
    let verb = verb.and_then(|verb| command.find_subcommand_mut(verb));
    if let (Some(verb), ErrorKind::UnknownArgument) = (verb, error.kind())
        && let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg)
        && let Some(unknown) = unknown.strip_prefix("--")
    {
        let usage = verb.render_usage();
        let names = verb.get_arguments().filter_map(clap::Arg::get_long);
        // `--base` is similar to the name of another option.
        let of_base = matches!(unknown, "base" | "base-url" | "baseurl").then_some("url");
        if let Some(name) = of_base.or(suggestion::similar(unknown, names).first().copied()) {
            let suggested = ContextValue::String(format!("--{name}"));
            error.insert(ContextKind::SuggestedArg, suggested);
            error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
        }
    }
    error
}

/// Returns whether an argument in place of a verb is a URL, or the name of a file or directory.
fn is_document(argument: &str) -> bool {
    argument.contains("://") || Path::new(argument).exists()
}

/// Returns whether an argument that looks like an option is the name of a file.
fn is_dash_file(argument: &OsStr) -> bool {
    argument.as_encoded_bytes().starts_with(b"-") && Path::new(argument).is_file()
}

/// Prints the help or the error that clap returns instead of the arguments.
fn print_usage(error: clap::Error) -> Exit {
    let error = with_suggestion(error);
    match error.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            terminal::print_message(&format!("cannot write to standard output: {error}"));
            Exit::Error
        }
        _ if error.use_stderr() => Exit::Error,
        _ => Exit::Done,
    }
}
