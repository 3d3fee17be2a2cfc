//! Documents before and after rewriting: every folder of `fixtures/rewrite` and `fixtures/regressions` is a case.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fs, panic};

use absolve::{Document, Rewriter};
use support::{agreement, invariants};

/// Runs every case of a group, and reports those that fail by name.
fn run_all(group: &str, at_least: usize) {
    let folders = fs::read_dir(support::root().join("fixtures").join(group)).expect("the cases");
    let mut folders: Vec<PathBuf> = folders
        .map(|folder| folder.expect("a readable entry").path())
        .filter(|folder| folder.is_dir())
        .collect();
    folders.sort();
    assert!(folders.len() >= at_least, "only {} cases", folders.len());
    let failures: Vec<String> = folders
        .iter()
        .filter_map(|folder| {
            let name = folder.file_name().expect("a name").display();
            let failure = panic::catch_unwind(|| run(folder))
                .unwrap_or_else(|_| Err("see the panic above".into()));
            failure
                .err()
                .map(|error| format!("{group}/{name}: {error}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn rewrite() {
    run_all("rewrite", 20);
}

#[test]
fn regressions() {
    run_all("regressions", 20);
}

/// Runs the case in `folder`.
fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let read = |name: &str| fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let input = read("input.html")?;
    let settings: toml::Table = String::from_utf8(read("case.toml")?)?.parse()?;
    let setting = |key: &str| settings.get(key).and_then(toml::Value::as_str);
    if setting("why").is_none() {
        return Err("case.toml does not say why".into());
    }
    let mut document = Document::new(&input);
    if let Some(url) = setting("url") {
        document = document.retrieved_from(url);
    }
    if let Some(label) = setting("encoding") {
        document = document.encoding(label);
    }
    let rewritten = Rewriter::new().rewrite(&document);
    let expected = read("expected.html")?;
    if *rewritten.bytes != *expected {
        let (expected, found) = (
            String::from_utf8_lossy(&expected),
            String::from_utf8_lossy(&rewritten.bytes),
        );
        return Err(format!("expected: {expected:?}\nfound:    {found:?}").into());
    }
    agreement::in_every_setting(&input, setting("encoding"));
    if setting("encoding").is_none() {
        // Some cases are about documents without a tree.
        let _ = invariants::all(&input, setting("url").unwrap_or(invariants::URL));
    }
    Ok(())
}
