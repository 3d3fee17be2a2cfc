//! The content of the configuration file: keys, values, and what is wrong with them.

use std::any::TypeId;
use std::error::Error;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::error::ContextKind;
use clap::{Arg, ArgAction, Command};
use toml::de::{DeTable, DeValue};

use crate::print::terminal;
use crate::suggestion;

/// Options about one run, which are no keys: those that name its outputs, print something else, or determine the file.
const NO_KEYS: [&str; 18] = [
    "check",
    "config",
    "delete",
    "diff",
    "dry-run",
    "explain",
    "files-from",
    "help",
    "in-place",
    "missing",
    "no-config",
    "null",
    "output",
    "print-config",
    "print0",
    "report",
    "version",
    "write-baseline",
];

/// An option in the file.
#[derive(Debug)]
pub(super) struct Setting {
    /// The verb whose table it is in; `None` if it applies to all verbs that have the option.
    pub(super) verb: Option<String>,
    /// The long name of the option.
    pub(super) key: String,
    pub(super) line: usize,
    /// The values as they would be typed.
    pub(super) values: Vec<String>,
}

impl Setting {
    /// Returns the argument of the verb `command` that the setting is about; `None` if it does not have the option.
    pub(super) fn arg<'c>(&self, command: &'c Command) -> Option<&'c Arg> {
        arg_of_key(command, &self.key)
    }
}

/// Returns the verbs that have a configuration.
pub(super) fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    let verbs = command.get_subcommands();
    verbs.filter(|verb| verb.get_arguments().any(|arg| arg.get_id() == "config"))
}

/// Returns the arguments of a verb that are keys.
pub(super) fn keys(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    let args = command.get_arguments();
    let args = args.filter_map(|arg| Some((arg.get_long()?, arg)));
    args.filter(|(key, _)| !NO_KEYS.contains(key))
}

fn arg_of_key<'c>(command: &'c Command, key: &str) -> Option<&'c Arg> {
    let mut keys = keys(command);
    keys.find(|(name, _)| *name == key).map(|(_, arg)| arg)
}

/// Parses the text of a file in `directory`, with options of the verbs of `command`.
///
/// # Errors
/// The number of a line, and what is wrong in it.
pub(super) fn parse(
    text: &str,
    command: &Command,
    directory: &Path,
) -> Result<Vec<Setting>, String> {
    let parser = FileParser {
        text,
        verbs: verbs(command).collect(),
        directory,
    };
    let table = DeTable::parse(text).map_err(|error| {
        let line = parser.line(&error.span().unwrap_or_default());
        format!("{line}: not valid TOML: {}", error.message())
    })?;
    let mut settings = Vec::new();
    for (key, value) in table.get_ref() {
        let line = parser.line(&key.span());
        let key = &**key.get_ref();
        match value.get_ref() {
            DeValue::Table(table) if parser.verb(key).is_some() => {
                for (option, value) in table {
                    let line = parser.line(&option.span());
                    let option = option.get_ref();
                    settings.push(parser.setting(Some(key), option, value.get_ref(), line)?);
                }
            }
            value => settings.push(parser.setting(None, key, value, line)?),
        }
    }
    Ok(settings)
}

/// The parameters of [`parse`].
struct FileParser<'t> {
    text: &'t str,
    /// The verbs that have a configuration.
    verbs: Vec<&'t Command>,
    directory: &'t Path,
}

impl<'t> FileParser<'t> {
    fn line(&self, span: &Range<usize>) -> usize {
        let before = self.text.get(..span.start).unwrap_or_default();
        1 + before.matches('\n').count()
    }

    fn verb(&self, name: &str) -> Option<&'t Command> {
        let mut verbs = self.verbs.iter();
        verbs.find(|verb| verb.get_name() == name).copied()
    }

    /// Returns the setting for a key, which must be an option of `verb`, or else of any verb.
    fn setting(
        &self,
        verb: Option<&str>,
        key: &str,
        value: &DeValue<'_>,
        line: usize,
    ) -> Result<Setting, String> {
        let verbs = match verb.and_then(|verb| self.verb(verb)) {
            Some(verb) => vec![verb],
            None => self.verbs.clone(),
        };
        let error = |message| format!("{line}: {message}");
        let args: Vec<(&Command, &Arg)> = verbs
            .iter()
            .filter_map(|command| Some((*command, arg_of_key(command, key)?)))
            .collect();
        let Some((_, first)) = args.first() else {
            return Err(error(self.unknown(verb, key, value, &verbs)));
        };
        let values = values(first, value)
            .map_err(|expected| {
                let key = terminal::quoted(key);
                error(format!(
                    "{key} must be {expected}, not {}",
                    value.type_str()
                ))
            })?
            .into_iter()
            .map(|value| self.resolved(first, value));
        let values: Vec<String> = values.collect();
        for value in &values {
            let problem = args.iter().find_map(|(command, arg)| {
                let problem = validate(arg, key, value).err()?;
                Some((command.get_name(), problem))
            });
            let Some((name, problem)) = problem else {
                continue;
            };
            let is_valid_elsewhere = args
                .iter()
                .any(|(_, arg)| validate(arg, key, value).is_ok());
            let hint = if is_valid_elsewhere {
                "\n  hint: an option of one command belongs to its table, such as [check]"
            } else {
                ""
            };
            let [key, value] = [key, value].map(terminal::quoted);
            return Err(error(format!(
                "invalid value {value} for {key} of `absolve {name}`: {problem}{hint}"
            )));
        }
        Ok(Setting {
            verb: verb.map(str::to_owned),
            key: key.to_owned(),
            line,
            values,
        })
    }

    /// Returns the message about a key that is no option of `verbs`.
    fn unknown(
        &self,
        verb: Option<&str>,
        key: &str,
        value: &DeValue<'_>,
        verbs: &[&Command],
    ) -> String {
        let quoted = terminal::quoted(key);
        if value.is_table() {
            let names = self.verbs.iter().map(|verb| verb.get_name());
            let names: Vec<_> = names.collect();
            let hint = suggestion::did_you_mean(key, names.iter().copied())
                .unwrap_or_else(|| format!("the tables are {}", names.join(", ")));
            return format!("unknown table {quoted}\n  hint: {hint}");
        }
        if NO_KEYS.contains(&key) {
            return format!("{quoted} is no key\n  hint: use --{key} on the command line");
        }
        let place = match verb {
            Some(verb) => format!(" of [{verb}]"),
            None => String::new(),
        };
        let names = verbs.iter().flat_map(|verb| keys(verb));
        let mut names: Vec<&str> = names.map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        let hint = suggestion::did_you_mean(key, names).unwrap_or_else(|| {
            "keys are the long names of options, such as url or exclude".to_owned()
        });
        format!("unknown key {quoted}{place}\n  hint: {hint}")
    }

    /// Returns a value; a relative path is relative to the directory of the file.
    fn resolved(&self, arg: &Arg, value: String) -> String {
        let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        if !is_path || value == "-" {
            return value;
        }
        let path = self.directory.join(&value);
        path.to_str().map_or(value, str::to_owned)
    }
}

/// Returns the values of an option as they would be typed.
///
/// # Errors
/// The value has another type than the option: what is expected.
fn values(arg: &Arg, value: &DeValue<'_>) -> Result<Vec<String>, &'static str> {
    if let ArgAction::SetTrue = arg.get_action() {
        let value = value.as_bool().ok_or("true or false")?;
        return Ok(vec![value.to_string()]);
    }
    let scalar = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        DeValue::Integer(number) => Some(number.as_str().replace('_', "")),
        DeValue::Float(number) => Some(number.as_str().replace('_', "")),
        _ => None,
    };
    match (arg.get_action(), value) {
        (ArgAction::Append, DeValue::Array(items)) => {
            let items = items.iter().map(|item| scalar(item.get_ref()));
            let items: Option<_> = items.collect();
            items.ok_or("a string, or an array of strings")
        }
        (ArgAction::Append, value) => {
            let value = scalar(value).ok_or("a string, or an array of strings")?;
            Ok(match arg.get_value_delimiter() {
                Some(delimiter) => value.split(delimiter).map(str::to_owned).collect(),
                None => vec![value],
            })
        }
        (_, value) => Ok(vec![scalar(value).ok_or("a string or a number")?]),
    }
}

/// Checks a value as clap does with one that is typed. Returns the problem.
fn validate(arg: &Arg, key: &str, value: &str) -> Result<(), String> {
    if let ArgAction::SetTrue = arg.get_action() {
        return Ok(());
    }
    let key = key.to_owned();
    let probe = Arg::new("value")
        .long(key.clone())
        .value_parser(arg.get_value_parser().clone());
    let probe = Command::new("probe").no_binary_name(true).arg(probe);
    let parsed = probe.try_get_matches_from([format!("--{key}={value}")]);
    parsed.map(|_| ()).map_err(
        |error| match (error.source(), error.get(ContextKind::ValidValue)) {
            (Some(source), _) => source.to_string(),
            (None, Some(values)) => format!("not one of {values}"),
            (None, None) => "not valid".to_owned(),
        },
    )
}
