//! The documentation, executed: every command in a `console` block is run and must print what the document shows.
//!
//! The commands of a document are run in order in one directory that begins with a copy of `fixtures`. A command is a
//! line that begins with `$ `, with the next line if it ends in a backslash; the lines after it are its output, on
//! standard output and standard error together. `sh` and `text` blocks are not run, but the options that `sh` blocks
//! name must exist.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::world::{self, World};

/// The documents with commands to run, and a lower bound for their number.
const DOCUMENTS: &[(&str, usize)] = &[
    ("README.md", 12),
    ("docs/base.md", 12),
    ("docs/feeds.md", 1),
    ("docs/guide.md", 1),
    ("docs/guide/archives.md", 5),
    ("docs/guide/check.md", 2),
    ("docs/guide/inspect.md", 9),
    ("docs/guide/mirror.md", 3),
    ("docs/guide/move.md", 7),
    ("docs/guide/output.md", 9),
    ("docs/guide/rewrite.md", 12),
    ("docs/guide/scripts.md", 12),
    ("docs/links.md", 8),
    ("docs/profiles.md", 3),
];

/// The verbs of the command.
const VERBS: [&str; 10] = [
    "rewrite",
    "links",
    "base",
    "check",
    "mirror",
    "resolve",
    "index",
    "completions",
    "man",
    "schema",
];

/// A command of a document, and the output it shows.
struct Step {
    command: String,
    output: String,
}

fn root() -> &'static Path {
    support::root()
}

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).expect(document)
}

/// Returns the paths of the documents that are searched for commands.
fn documents() -> Vec<String> {
    let guides = support::files(&root().join("docs"), &["md"]);
    let guides = guides.iter().map(|path| {
        let name = path.strip_prefix(root()).expect("a document");
        name.to_str().expect("a name in UTF-8").to_owned()
    });
    ["README.md", "CONTRIBUTING.md", "benches/README.md"]
        .map(str::to_owned)
        .into_iter()
        .chain(guides)
        .collect()
}

/// Returns the lines of the fenced blocks in `document` whose language is `language`.
fn blocks<'d>(document: &'d str, language: &str) -> Vec<&'d str> {
    let mut open = None;
    let mut lines = Vec::new();
    for line in document.lines() {
        match (open, line.strip_prefix("```")) {
            (Some(_), Some("")) => open = None,
            (None, Some(info)) => open = Some(info),
            (Some(info), None) if info == language => lines.push(line),
            _ => {}
        }
    }
    lines
}

/// Returns the commands of the `console` blocks of `document`, in order.
fn steps(document: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut is_continued = false;
    for line in blocks(document, "console") {
        let step = match line.strip_prefix("$ ") {
            Some(command) => {
                let command = command.to_owned();
                let output = String::new();
                steps.push(Step { command, output });
                is_continued = line.ends_with('\\');
                continue;
            }
            None => steps.last_mut().expect("a command before its output"),
        };
        if is_continued {
            step.command.push('\n');
            step.command.push_str(line);
            is_continued = line.ends_with('\\');
        } else {
            step.output.push_str(line);
            step.output.push('\n');
        }
    }
    steps
}

/// Returns the search path with the directory of the command first.
fn path() -> std::ffi::OsString {
    let command = world::binary();
    let mut paths: Vec<PathBuf> = vec![command.parent().expect("a directory").to_owned()];
    paths.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    env::join_paths(paths).expect("a search path")
}

/// Returns what `command` prints in `directory`.
fn run(command: &str, directory: &Path) -> String {
    let output = Command::new("bash")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(directory)
        .stdin(Stdio::null())
        .env("PATH", path())
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .env_remove("COLUMNS")
        .output()
        .expect("bash runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_command_prints_what_its_document_shows() {
    if Command::new("bash").arg("--version").output().is_err() {
        support::missing("the commands of the documentation: there is no bash");
        return;
    }
    let mut wrong: Vec<String> = Vec::new();
    for &(document, least) in DOCUMENTS {
        let directory = World::in_memory();
        let copied = Command::new("cp")
            .args(["-r", "fixtures"])
            .arg(directory.root())
            .current_dir(root())
            .status();
        assert!(
            copied.is_ok_and(|status| status.success()),
            "the fixtures are copied"
        );
        let steps = steps(&read(document));
        let count = steps.len();
        assert!(count >= least, "{document} has only {count} commands");
        for Step { command, output } in steps {
            let printed = run(&command, directory.root());
            if printed != output {
                wrong.push(format!(
                    "{document}: $ {command}\n--- shown\n{output}--- printed\n{printed}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_document_with_commands_is_run() {
    for document in documents() {
        let has_commands = !steps(&read(&document)).is_empty();
        let is_run = DOCUMENTS.iter().any(|&(name, _)| name == document);
        assert_eq!(has_commands, is_run, "{document}");
    }
}

/// Returns the long options in the help of `verb`.
fn options(verb: &str) -> BTreeSet<String> {
    let help = world::run(&[verb, "--help"], "").printed();
    let is_option = |line: &&str| {
        let indented = line.len() - line.trim_start().len();
        (1..=6).contains(&indented) && line.trim_start().starts_with('-')
    };
    let options: BTreeSet<String> = help
        .lines()
        .filter(is_option)
        .filter_map(long_option)
        .collect();
    assert!(options.contains("--help"), "{verb}: {help}");
    options
}

/// Returns the first long option in `text`.
fn long_option(text: &str) -> Option<String> {
    let start = text.find("--")?;
    let name = text[start + 2..]
        .split(|character: char| {
            let is_digit = character.is_ascii_digit();
            !(character.is_ascii_lowercase() || character == '-' || is_digit)
        })
        .next()
        .filter(|name| !name.is_empty())?;
    Some(format!("--{name}"))
}

#[test]
fn the_guide_describes_every_verb_and_option() {
    let guide = read("docs/guide/options.md");
    let pages: Vec<String> = documents().iter().map(|document| read(document)).collect();
    for verb in VERBS {
        let named = format!("absolve {verb}");
        assert!(pages.iter().any(|page| page.contains(&named)), "{verb}");
        for option in options(verb) {
            let is_described =
                guide.contains(&format!("`{option}`")) || guide.contains(&format!("`{option} "));
            assert!(
                is_described,
                "{verb} {option} is not in docs/guide/options.md"
            );
        }
    }
}

#[test]
fn documents_name_no_option_that_does_not_exist() {
    let known = VERBS.map(|verb| (verb, options(verb)));
    let mut checked = 0;
    for document in documents() {
        let text = read(&document);
        for language in ["sh", "console"] {
            let lines = blocks(&text, language);
            let commands = lines
                .iter()
                .flat_map(|line| line.split(['|', ';', '&', '#']))
                .filter_map(|part| part.trim_start_matches(['$', ' ']).strip_prefix("absolve "));
            for command in commands {
                let verb = command.split(' ').next();
                let known = known.iter().find(|(name, _)| Some(*name) == verb);
                let Some((_, known)) = known else { continue };
                for word in command.split_whitespace().take_while(|&word| word != "--") {
                    let Some(option) = word.strip_prefix("--").and(long_option(word)) else {
                        continue;
                    };
                    checked += 1;
                    assert!(known.contains(&option), "{document}: absolve {command}");
                }
            }
        }
    }
    assert!(checked > 30, "only {checked} options were found");
}
