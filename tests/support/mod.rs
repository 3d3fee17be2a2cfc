//! What several test files need: tables of fixtures, and the corpora where they are.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The rows of a table with a header line, split at tabs.
pub(crate) fn table(path: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path);
    let rows: Vec<Vec<String>> = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect();
    assert!(!rows.is_empty(), "{path} has no rows");
    rows
}

/// The folder of third-party pages and tests, or a plain line saying that it is not there.
pub(crate) fn corpora(part: &str) -> Option<PathBuf> {
    let root = env::var_os("ABSOLVE_CORPORA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora"),
        PathBuf::from,
    );
    let path = root.join(part);
    if path.exists() {
        return Some(path);
    }
    missing(&format!(
        "no corpus {part} at {} (set ABSOLVE_CORPORA)",
        root.display()
    ));
    None
}

/// Says that a test has nothing to run on here; where everything is required, that is a failure.
pub(crate) fn missing(what: &str) {
    assert!(
        env::var_os("ABSOLVE_REQUIRE_ALL").is_none_or(|value| value != "1"),
        "{what}"
    );
    say(&format!("not run: {what}"));
}

/// A line on standard error that the test harness does not capture.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Every file below `folder` whose name ends in one of `extensions`, sorted.
pub(crate) fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                open.push(path);
            } else if extensions
                .iter()
                .any(|extension| path.extension().is_some_and(|other| other == *extension))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
