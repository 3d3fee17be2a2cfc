//! `absolve schema`: the JSON Schema of the configuration file, generated from the arguments.
//!
//! It accepts what [`file`](mod@file) does, except that a value whose parser has no list of names is any string or
//! number.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, Command};
use serde_json::{Map, Value, json};

use super::file;

/// Returns the schema for a file with options of the verbs of `command`.
pub(crate) fn schema(command: &Command) -> Value {
    // A key above the tables is an option of all verbs that have it, and its value must be valid for each.
    let mut of_all: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (key, arg) in file::verbs(command).flat_map(file::keys) {
        let (known, property) = (of_all.entry(key).or_default(), property(arg));
        if !known.contains(&property) {
            known.push(property);
        }
    }
    let mut properties = Map::new();
    for verb in file::verbs(command) {
        let own = file::keys(verb).map(|(key, arg)| {
            let shared = json!({"$ref": format!("#/properties/{key}")});
            let is_shared = of_all[key].len() == 1;
            (key, if is_shared { shared } else { property(arg) })
        });
        let own: BTreeMap<&str, Value> = own.collect();
        let table = json!({
            "type": "object",
            "description": format!("Options of absolve {} alone", verb.get_name()),
            "properties": own,
            "additionalProperties": false,
        });
        properties.insert(verb.get_name().to_owned(), table);
    }
    for (key, mut schemas) in of_all {
        let single = schemas.pop().filter(|_| schemas.is_empty());
        let property = single.unwrap_or_else(|| {
            let verbs = file::verbs(command);
            let verbs = verbs.filter(|verb| file::keys(verb).any(|(name, _)| name == key));
            let place =
                |verb: &Command| format!("#/properties/{}/properties/{key}", verb.get_name());
            json!({"allOf": verbs.map(|verb| json!({"$ref": place(verb)})).collect::<Vec<_>>()})
        });
        properties.insert(key.to_owned(), property);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "absolve.toml",
        "description": "Options of the command absolve. The keys are their long names.",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

/// Returns the schema of the values of an option.
fn property(arg: &Arg) -> Value {
    let names = arg.get_possible_values();
    let names: Vec<&str> = names
        .iter()
        .map(clap::builder::PossibleValue::get_name)
        .collect();
    let scalar = match &*names {
        [] => json!({"type": ["string", "number"]}),
        names => json!({"enum": names}),
    };
    let mut property = match arg.get_action() {
        ArgAction::SetTrue => json!({"type": "boolean"}),
        ArgAction::Append => {
            // Names that a comma separates are one string.
            let single = match arg.get_value_delimiter() {
                Some(_) => json!({"type": "string"}),
                None => scalar.clone(),
            };
            json!({"anyOf": [single, {"type": "array", "items": scalar}]})
        }
        _ => scalar,
    };
    if let Some(help) = arg.get_help() {
        property["description"] = help.to_string().into();
    }
    property
}
