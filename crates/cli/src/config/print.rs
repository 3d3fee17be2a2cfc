//! `--print-config`: the options in effect.

use clap::{ArgAction, ArgMatches, Command};
use serde_json::Value;

use super::{ConfigFile, conflicts, file, is_typed, typed};

/// Returns the options of the verb in `matches` as a configuration file with comments; `None` if they are not to be
/// printed.
///
/// `command` and `matches` have the values of `config` already.
pub(crate) fn print(
    command: &Command,
    matches: &ArgMatches,
    config: Option<&ConfigFile>,
) -> Option<String> {
    let (verb, matches) = matches.subcommand()?;
    if !matches!(matches.try_get_one::<bool>("print_config"), Ok(Some(true))) {
        return None;
    }
    let command = command.find_subcommand(verb)?;
    let name = config.map_or("no configuration file", ConfigFile::name);
    let mut lines = Vec::new();
    let typed = typed(command, matches);
    for (key, arg) in file::keys(command) {
        let source = if is_typed(arg, matches) {
            "command line".to_owned()
        } else if typed.iter().any(|typed| conflicts(command, arg, typed)) {
            continue;
        } else {
            let settings = config.into_iter().flat_map(|config| config.of_verb(verb));
            match settings.filter(|setting| setting.key == key).last() {
                Some(setting) => format!("{name}:{}", setting.line),
                None => continue,
            }
        };
        let values = matches.get_raw(arg.get_id().as_str()).into_iter().flatten();
        let mut values = values.map(|value| value.to_string_lossy().into_owned());
        // JSON of these types is TOML, except for one control character.
        let value = match arg.get_action() {
            ArgAction::SetTrue => Value::Bool(values.all(|value| value == "true")),
            ArgAction::Append => values.collect(),
            _ => values.next().into(),
        };
        let value = value.to_string().replace('\x7f', "\\u007F");
        lines.push(format!("{key} = {value} # {source}\n"));
    }
    lines.sort_unstable();
    Some(format!("# absolve {verb}: {name}\n{}", lines.concat()))
}
