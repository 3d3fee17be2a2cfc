//! The documents: the links in them resolve, and the files, modules and functions that they name exist.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The documents that name paths and modules of the source tree in code spans.
const NAMING_PATHS: [&str; 2] = ["README.md", "CONTRIBUTING.md"];

/// The folders that a path in a code span may begin with.
const FOLDERS: [&str; 10] = [
    "src/",
    "crates/",
    "tests/",
    "docs/",
    "benches/",
    "examples/",
    "fixtures/",
    "fuzz/",
    ".ci/",
    "python/",
];

fn root() -> &'static Path {
    support::root()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

/// Returns the path of `file` from the root on, with slashes.
fn name(file: &Path) -> String {
    let below = file.strip_prefix(root()).expect("a file of the repository");
    let parts = below
        .components()
        .map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// Returns the guides in `docs`.
fn guides() -> Vec<String> {
    let guides = support::files(&root().join("docs"), &["md"]);
    guides.iter().map(|path| name(path)).collect()
}

/// Returns the documents whose links are checked.
fn documents() -> Vec<String> {
    let mut documents: Vec<String> = [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
        "benches/README.md",
    ]
    .map(str::to_owned)
    .into();
    documents.extend(guides());
    let fixtures = support::files(&root().join("fixtures"), &["md"]);
    let readmes = fixtures
        .iter()
        .map(|path| name(path))
        .filter(|path| path.ends_with("/README.md"));
    documents.extend(readmes);
    documents
}

/// Returns the lines of a document that are not in a fenced block, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_fenced = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        !is_fenced && !is_fence
    })
}

/// Returns the code spans of a line.
fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Returns the line without its code spans.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// Returns the targets of the links and images of a line.
fn link_targets(line: &str) -> Vec<String> {
    let line = without_code(line);
    let inline = line.split("](").skip(1);
    let inline = inline.filter_map(|rest| rest.split([')', ' ']).next());
    let reference = line.strip_prefix('[').and_then(|rest| {
        let (_, target) = rest.split_once("]: ")?;
        target.split_whitespace().next()
    });
    inline.chain(reference).map(str::to_owned).collect()
}

/// Returns the anchors of the headings of a document, as GitHub forms them.
fn anchors(text: &str) -> HashSet<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut anchors = HashSet::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if !(1..=6).contains(&level) || !title.starts_with(' ') {
            continue;
        }
        let slug: String = title
            .trim()
            .to_lowercase()
            .chars()
            .filter(|&character| character.is_alphanumeric() || " -_".contains(character))
            .map(|character| if character == ' ' { '-' } else { character })
            .collect();
        let count = seen.entry(slug.clone()).or_default();
        let suffix = if *count == 0 {
            String::new()
        } else {
            format!("-{count}")
        };
        *count += 1;
        anchors.insert(slug + &suffix);
    }
    anchors
}

/// Resolves `target`, a link in `document`, to a path from the root on.
fn from_root(document: &str, target: &str) -> PathBuf {
    let folder = Path::new(document)
        .parent()
        .unwrap_or_else(|| Path::new(""));
    let mut path = PathBuf::new();
    for part in folder.join(target).components() {
        match part {
            Component::ParentDir => {
                assert!(
                    path.pop(),
                    "{document}: {target} leads out of the repository"
                );
            }
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

#[test]
fn every_relative_link_resolves() {
    let mut checked = 0;
    for document in documents() {
        let text = read(&document);
        for (number, line) in prose(&text) {
            for target in link_targets(line) {
                if target.contains("://") || target.starts_with("mailto:") {
                    continue;
                }
                checked += 1;
                let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
                let path = match path {
                    "" => PathBuf::from(&document),
                    path => from_root(&document, path),
                };
                let place = format!("{document}:{number}: {target}");
                assert!(root().join(&path).exists(), "{place}: no such file");
                if !anchor.is_empty() {
                    let anchors = anchors(&fs::read_to_string(root().join(&path)).expect(&place));
                    assert!(anchors.contains(anchor), "{place}: no such heading");
                }
            }
        }
    }
    assert!(checked > 30, "only {checked} links were found");
}

#[test]
fn every_path_and_module_in_a_code_span_exists() {
    let mut checked = 0;
    let named = NAMING_PATHS.map(str::to_owned).into_iter();
    for document in named.chain(guides()) {
        for (number, line) in prose(&read(&document)) {
            for span in code_spans(line) {
                let is_path = FOLDERS.iter().any(|folder| span.starts_with(folder));
                let module = span
                    .split_once("::")
                    .filter(|(first, _)| root().join("src").join(first).is_dir());
                let path = match module {
                    _ if is_path && !span.contains([' ', '*']) => span.to_owned(),
                    Some(_) => format!("src/{}", span.replace("::", "/")),
                    None => continue,
                };
                checked += 1;
                let place = format!("{document}:{number}: {span}");
                let source = root().join(format!("{path}.rs"));
                assert!(root().join(&path).exists() || source.exists(), "{place}");
            }
        }
    }
    assert!(checked > 30, "only {checked} paths were found");
}

/// Returns the rows of the first table after the heading `title`, cell by cell, without its head.
fn table<'d>(text: &'d str, title: &str) -> Vec<Vec<&'d str>> {
    let (_, section) = text.split_once(title).expect("the heading");
    section
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// Returns whether `source` defines an item of that name.
fn defines(source: &str, name: &str) -> bool {
    let kinds = [
        "fn", "struct", "enum", "const", "static", "type", "trait", "mod",
    ];
    kinds.iter().any(|kind| {
        let definition = format!("{kind} {name}");
        let goes_on = |rest: &str| {
            rest.starts_with(|character: char| character.is_alphanumeric() || character == '_')
        };
        let mut rests = source.split(&definition).skip(1);
        rests.any(|rest| !goes_on(rest))
    })
}

#[test]
fn the_table_of_the_rfc_names_what_is_there() {
    let text = read("docs/base.md");
    let rows = table(&text, "\n## What the RFC says and where it is done\n");
    assert!(rows.len() >= 10, "only {} rows were found", rows.len());
    for row in rows {
        let cell = row.last().expect("a cell");
        let mut file: Option<(&str, String)> = None;
        for span in code_spans(cell) {
            if span.contains('/') {
                assert!(root().join(span).exists(), "{span} in {row:?}");
                file = Some((span, read(span)));
            } else {
                let (path, source) = file.as_ref().expect("a path before the names in it");
                assert!(defines(source, span), "{path} does not define {span}");
            }
        }
        let is_named = cell.contains("`: `") || cell.starts_with("`fixtures/");
        assert!(is_named, "no file and name in {row:?}");
    }
}

#[test]
fn the_table_of_layers_names_every_module() {
    let text = read("CONTRIBUTING.md");
    let rows = table(&text, "\n## Where things are\n");
    let named: HashSet<&str> = rows.iter().flat_map(|row| code_spans(row[1])).collect();
    let entries = fs::read_dir(root().join("src")).expect("the sources");
    let modules: HashSet<String> = entries
        .map(|entry| {
            let name = entry.expect("an entry").file_name();
            name.to_string_lossy().replace(".rs", "")
        })
        .filter(|name| !matches!(name.as_str(), "lib" | "main"))
        .collect();
    for name in &named {
        assert!(modules.contains(*name), "{name} is no module");
    }
    for name in &modules {
        assert!(named.contains(&**name), "{name} is not in the table");
    }
}

#[test]
fn the_table_of_tests_names_every_module() {
    let text = read("CONTRIBUTING.md");
    for folder in ["tests/library", "crates/cli/tests/command", "tests/oracles"] {
        let rows = table(&text, &format!("\n### `{folder}`\n"));
        let named: HashSet<&str> = rows.iter().flat_map(|row| code_spans(row[0])).collect();
        let entries = fs::read_dir(root().join(folder)).expect("the tests");
        let modules: HashSet<String> = entries
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.is_dir() || path.extension().is_some_and(|name| name == "rs"))
            .filter_map(|path| path.file_stem()?.to_str().map(str::to_owned))
            .filter(|name| name != "main")
            .collect();
        for name in &named {
            assert!(modules.contains(*name), "{folder} has no module {name}");
        }
        for name in &modules {
            assert!(
                named.contains(&**name),
                "{folder}: {name} is not in the table"
            );
        }
    }
}

#[test]
fn every_promise_of_security_has_tests() {
    let text = read("SECURITY.md");
    let folders = ["tests", "src", "crates"].map(|folder| root().join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| support::files(folder, &["rs"]));
    let sources = files.map(|file| fs::read_to_string(file).expect("a source"));
    let sources = sources.collect::<String>();
    let rows = table(&text, "\n## Promises\n");
    assert!(rows.len() >= 10, "only {} rows were found", rows.len());
    for row in rows {
        let names: Vec<&str> = code_spans(row.last().expect("a cell")).collect();
        assert!(!names.is_empty(), "no test in {row:?}");
        for name in names {
            let is_test = sources.contains(&format!("\nfn {name}() "))
                || sources.contains(&format!("    fn {name}() "));
            assert!(is_test, "there is no test {name}");
        }
    }
}

/// Returns the names that the root file of a crate exports from its modules.
fn exported(root_file: &str) -> Vec<&str> {
    let lists = root_file.split("\npub use ").skip(1);
    let lists = lists.filter_map(|list| list.split(';').next()?.rsplit("::").next());
    let names = lists.flat_map(|list| list.split(['{', ',', '}']));
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    names.collect()
}

/// A newcomer reads this list. What few callers need is in a module, and a variant is an argument.
#[test]
fn the_library_has_few_names_at_its_root() {
    let text = read("src/lib.rs");
    let names = exported(&text);
    assert!(names.contains(&"Rewriter") && names.contains(&"make_absolute"));
    assert!(names.len() <= 60, "{} names: {names:?}", names.len());
}

#[test]
fn a_rewriter_has_few_ways_in() {
    let mut found = Vec::new();
    for file in support::files(&root().join("src"), &["rs"]) {
        let text = fs::read_to_string(&file).expect("a source");
        for block in text.split("\nimpl Rewriter {\n").skip(1) {
            let block = block.split("\n}\n").next().expect("the end of the block");
            let functions = block.split("\n    pub fn ").skip(1);
            let signatures = functions.filter_map(|function| function.split('{').next());
            let reading =
                signatures.filter(|text| text.contains("&self") && text.contains("&Document<"));
            let names = reading.filter_map(|text| text.split(['<', '(']).next());
            found.extend(names.map(str::to_owned));
        }
    }
    found.sort();
    // `max_growth` is a number, for which no document is read.
    found.retain(|name| name != "max_growth");
    let expected = [
        "check",
        "links",
        "observe",
        "rewrite",
        "rewrite_beside",
        "rewrite_into",
        "rewrite_stream",
        "rewrite_with",
    ];
    assert_eq!(found, expected);
}
