//! What the tests of all crates and the fuzz targets share: invariants, generators of documents, tables of fixtures,
//! third-party corpora if they are installed, and runs of the command.

pub mod agreement;
pub mod container_invariants;
pub mod data_invariants;
pub mod documents;
pub mod generated;
pub mod html5lib;
pub mod invariants;
pub mod pieces;
pub mod process;
pub mod rewritten;
pub mod row;
pub mod url_crate;
pub mod world;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Returns a rewriter that records every link and every edit.
pub fn recording() -> absolve::Rewriter {
    absolve::Rewriter::new().link_detail(absolve::LinkDetail::All)
}

/// Returns the root of the repository.
///
/// Cargo starts tests in the directory of their package, which is not the root for all of them.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .ancestors()
        .nth(2)
        .expect("`tests/support` is below the root")
}

/// Reads a fixture table: tab-separated columns, with a header line, which is skipped.
pub fn table(path: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join(path)).expect(path);
    let rows: Vec<Vec<String>> = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect();
    assert!(!rows.is_empty(), "{path} has no rows");
    rows
}

/// Returns the folder of third-party pages or tests. Calls [`missing`] and returns `None` if it does not exist.
pub fn corpora(part: &str) -> Option<PathBuf> {
    let root = env::var_os("ABSOLVE_CORPORA")
        .map_or_else(|| root().join("../shared/corpora"), PathBuf::from);
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

/// Returns whether `ABSOLVE_REQUIRE_ALL=1` is set: nothing may be missing, and tests read all that they have.
fn is_thorough() -> bool {
    env::var_os("ABSOLVE_REQUIRE_ALL").is_some_and(|value| value == "1")
}

/// Returns `items` for a thorough run, and otherwise every eighth, which a minute suffices for.
pub fn sample<T>(items: Vec<T>) -> Vec<T> {
    let step = if is_thorough() { 1 } else { 8 };
    items.into_iter().step_by(step).collect()
}

/// Returns the number in `ABSOLVE_CASES`.
pub fn asked_cases() -> Option<u32> {
    env::var("ABSOLVE_CASES").ok()?.parse().ok()
}

/// Returns how many cases a test generates: those that are asked for, `usual` for a thorough run, otherwise a quarter.
pub fn cases(usual: u32) -> u32 {
    let usual = if is_thorough() { usual } else { usual / 4 };
    asked_cases().unwrap_or(usual)
}

/// Returns by how much a number of events, of which `expected` are expected, may exceed that: two standard deviations,
/// and nothing in a thorough run, which has the number of cases that the bounds were set for.
pub fn deviation(expected: u64) -> u64 {
    if is_thorough() {
        0
    } else {
        2 * expected.isqrt()
    }
}

/// Prints that a test was not run because `what` is missing. Panics if `ABSOLVE_REQUIRE_ALL=1` is set.
pub fn missing(what: &str) {
    assert!(!is_thorough(), "{what}");
    print_line(&format!("not run: {what}"));
}

/// Prints a line to standard error, past the output capture of the test harness.
pub fn print_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Returns every file below `folder` with one of `extensions`, sorted by path.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                open.push(path);
            } else if extensions
                .iter()
                .any(|expected| path.extension().is_some_and(|actual| actual == *expected))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
