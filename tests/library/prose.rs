//! The language of the sources: plain technical English, and one name for each type.
//!
//! CONTRIBUTING.md has the rules under "Language". This test finds the patterns that a program can find.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

/// Longest line of a comment, in characters.
const WIDTH: usize = 120;

/// Words that a comment must not contain, each with what to write instead.
const WORDS: &[(&str, &str)] = &[
    ("behind", "after, following, rest, tail"),
    ("stands", "is, appears, means"),
];

/// Openings of a comment that do not begin with what matters. In documentation, rustdoc would show them as the summary
/// of an item. They are not allowed on any line of a comment, so that moving a line break cannot hide one.
const OPENINGS: &[(&str, &str)] = &[
    ("What ", "a noun phrase, or a verb: \"Returns ...\""),
    (
        "Where ",
        "a noun phrase: \"Offset of ...\", \"Span of ...\"",
    ),
    ("How ", "a noun phrase: \"Number of ...\""),
    ("The same", "a sentence that can be read alone"),
    ("As [", "a sentence that can be read alone"),
];

/// Lines that may break a rule: the end of the path, a part of the line, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[];

/// A comment that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
struct Violation {
    line: usize,
    text: String,
    rule: String,
}

/// Returns the text of a line comment and whether it is a doc comment; `None` for a line without one.
///
/// A `//` in a string literal counts only if white space precedes it, so URLs do not.
fn comment(line: &str) -> Option<(bool, &str)> {
    let trimmed = line.trim_start();
    for marker in ["///", "//!"] {
        if let Some(text) = trimmed.strip_prefix(marker) {
            return Some((true, text.strip_prefix(' ').unwrap_or(text)));
        }
    }
    if let Some(text) = trimmed.strip_prefix("//") {
        return Some((false, text.trim_start()));
    }
    line.split_once(" // ").map(|(_, text)| (false, text))
}

/// Returns whether `text` contains `word`, delimited by characters that no identifier contains.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|part| part.eq_ignore_ascii_case(word))
}

/// Returns the violations in the comments of `source`.
fn violations(source: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    // Examples in documentation are code.
    let mut is_example = false;
    for (index, line) in source.lines().enumerate() {
        let Some((is_doc, text)) = comment(line) else {
            continue;
        };
        if is_doc && text.trim_start().starts_with("```") {
            is_example = !is_example;
        }
        let mut add = |rule: String| {
            violations.push(Violation {
                line: index + 1,
                text: line.trim().to_owned(),
                rule,
            });
        };
        let width = line.chars().count();
        if width > WIDTH {
            add(format!("{width} characters; break the line at {WIDTH}"));
        }
        if !is_example {
            for (word, instead) in WORDS {
                if has_word(text, word) {
                    add(format!("contains {word:?}; write {instead}"));
                }
            }
            for (opening, instead) in OPENINGS {
                if text.starts_with(opening) {
                    add(format!("begins with {opening:?}; write {instead}"));
                }
            }
        }
    }
    violations
}

/// Returns the name of the type that `line` declares outside of functions and `impl` blocks.
///
/// Associated types have the names their traits give them, so only declarations without indentation count.
fn declared_type(line: &str) -> Option<&str> {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '(' && c != ')');
    let mut word = words.next()?;
    if word.starts_with("pub") {
        // `pub(in path)` does not occur.
        word = words.next()?;
    }
    if !["struct", "enum", "union", "trait", "type"].contains(&word) {
        return None;
    }
    let name = words.next()?;
    Some(name.split(['(', ')']).next().unwrap_or(name)).filter(|name| !name.is_empty())
}

/// The folders of sources.
const SOURCES: [&str; 2] = ["src", "crates"];

/// The folders of sources in other languages, whose types may have the names of those that they wrap.
const BINDINGS: [&str; 2] = ["python/src", "web/src"];

/// Returns the names and texts of the sources in `folders`.
fn source_files(folders: &[&str]) -> Vec<(String, String)> {
    let root = support::root();
    let files: Vec<(String, String)> = folders
        .iter()
        .flat_map(|folder| support::files(&root.join(folder), &["rs"]))
        .map(|path| {
            let name = path.strip_prefix(root).expect("a path below the root");
            let source = fs::read_to_string(&path).expect("a readable source file");
            (name.to_string_lossy().replace('\\', "/"), source)
        })
        .collect();
    assert!(files.len() > 100, "only {} files found", files.len());
    files
}

#[test]
fn comments_are_plain_english() {
    let mut failures = String::new();
    let mut used = vec![false; EXCEPTIONS.len()];
    for (name, source) in source_files(&[SOURCES, BINDINGS].concat()) {
        for violation in violations(&source) {
            let exception = EXCEPTIONS
                .iter()
                .position(|(path, part, _)| name.ends_with(path) && violation.text.contains(part));
            match exception {
                Some(index) => used[index] = true,
                None => writeln!(
                    failures,
                    "{name}:{}: {}\n    {}",
                    violation.line, violation.rule, violation.text
                )
                .expect("writing to a string cannot fail"),
            }
        }
    }
    for ((path, part, _), is_used) in EXCEPTIONS.iter().zip(used) {
        assert!(is_used, "exception is not needed any more: {path}: {part}");
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn every_type_has_a_name_of_its_own() {
    let mut declarations: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, source) in source_files(&SOURCES) {
        for (index, line) in source.lines().enumerate() {
            if let Some(declared) = declared_type(line) {
                let place = format!("{name}:{}", index + 1);
                declarations
                    .entry(declared.to_owned())
                    .or_default()
                    .push(place);
            }
        }
    }
    assert!(
        declarations.len() > 200,
        "only {} types found",
        declarations.len()
    );
    declarations.retain(|_, places| places.len() > 1);
    assert!(
        declarations.is_empty(),
        "types that share a name: {declarations:#?}"
    );
}

#[test]
fn violations_finds_each_pattern() {
    for (source, expected) in [
        ("/// Returns the end.\nfn end() {}", 0),
        ("/// What ends it.", 1),
        ("    /// Where it begins.", 1),
        ("//! How many there are.", 1),
        ("/// The same for trees.", 1),
        ("/// As [`links`], but lazy.", 1),
        ("/// Returns the end.\n/// What follows is ignored.", 1),
        ("    // Where it begins.", 1),
        ("// It stands for itself.", 1),
        ("let x = 1; // behind the name", 1),
        ("/// Returns the offset behind `>`, which stands alone.", 2),
        // Identifiers, strings and examples are not prose.
        ("let behind = url(\"http://stands/\");", 0),
        ("/// ```\n/// let behind = 1;\n/// ```", 0),
    ] {
        assert_eq!(violations(source).len(), expected, "{source}");
    }
    let long = format!("/// {}", "x".repeat(WIDTH));
    assert_eq!(violations(&long).len(), 1);
}

#[test]
fn declared_type_finds_declarations_outside_of_blocks() {
    for (line, expected) in [
        ("pub struct Span {", Some("Span")),
        ("pub(crate) enum Role {", Some("Role")),
        ("struct Pair(u8, u8);", Some("Pair")),
        ("pub(super) trait Sink<'t> {", Some("Sink")),
        ("type Handle<T> = Rc<T>;", Some("Handle")),
        ("    type Item = usize;", None),
        ("fn structure() {}", None),
        ("use std::struct_like;", None),
    ] {
        assert_eq!(declared_type(line), expected, "{line}");
    }
}
