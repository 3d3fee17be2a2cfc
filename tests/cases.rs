//! Documents before and after rewriting: one test for each folder of `fixtures/rewrite` and `fixtures/regressions`.

use std::fs;
use std::path::Path;

use absolve::{Document, Rewriter};
use libtest_mimic::{Arguments, Failed, Trial};

#[path = "support/agreement.rs"]
mod agreement;
#[path = "support/invariants.rs"]
mod invariants;

fn main() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut trials = Vec::new();
    for group in ["rewrite", "regressions"] {
        let Ok(folders) = fs::read_dir(fixtures.join(group)) else {
            continue;
        };
        for folder in folders {
            let folder = folder.expect("a readable entry").path();
            if folder.is_dir() {
                let name = folder
                    .file_name()
                    .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                trials.push(Trial::test(format!("{group}/{name}"), move || run(&folder)));
            }
        }
    }
    assert!(trials.len() > 30, "only {} cases", trials.len());
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(folder: &Path) -> Result<(), Failed> {
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
