//! The walk-through of the README: each of its commands is run, in order, and prints what it prints there.

mod support;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of the README and what it prints.
struct Step {
    command: String,
    output: String,
}

/// The commands in the section of the README with that title.
fn steps(readme: &str, title: &str) -> Vec<Step> {
    let (_, section) = readme.split_once(title).expect("the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut steps: Vec<Step> = Vec::new();
    let mut is_console = false;
    for line in section.lines() {
        match line {
            "```console" => is_console = true,
            "```" => is_console = false,
            _ if !is_console => {}
            _ => {
                if let Some(command) = line.strip_prefix("$ ") {
                    steps.push(Step {
                        command: command.to_owned(),
                        output: String::new(),
                    });
                } else {
                    let step = steps.last_mut().expect("a command before its output");
                    step.output.push_str(line);
                    step.output.push('\n');
                }
            }
        }
    }
    steps
}

#[test]
fn every_command_prints_what_the_readme_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if Command::new("bash").arg("--version").output().is_err() {
        support::missing("the walk-through of the README: there is no bash");
        return;
    }
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let directory = tempfile::tempdir().expect("a directory");
    let copied = Command::new("cp")
        .args(["-r", "fixtures"])
        .arg(directory.path())
        .current_dir(root)
        .status();
    assert!(
        copied.is_ok_and(|status| status.success()),
        "the fixtures are copied"
    );
    let bin = Path::new(env!("CARGO_BIN_EXE_absolve"))
        .parent()
        .expect("a directory");
    let mut paths: Vec<PathBuf> = vec![bin.to_owned()];
    paths.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let path = env::join_paths(paths).expect("a path");
    let steps = steps(&readme, "\n## A walk through\n");
    assert!(steps.len() >= 10, "only {} commands found", steps.len());
    for step in steps {
        let output = Command::new("bash")
            .args(["-c", &format!("exec 2>&1; {}", step.command)])
            .current_dir(directory.path())
            .env("PATH", &path)
            .env("NO_COLOR", "1")
            .output()
            .expect("bash runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed, step.output, "$ {}", step.command);
    }
}
