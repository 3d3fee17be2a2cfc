//! Canonical forms of XML documents (Canonical XML 1.0) before and after rewriting: they differ in values of links only.
//!
//! The documents are feeds of other programs, and what the machine has in `/usr/share`: icons, and the documentation of its
//! packages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use absolve::{Document, DocumentKind};

/// Elements and attributes by local name; text has the attribute `#text`.
type Names = BTreeSet<(String, String)>;

/// The longest document that is compared, in bytes, so that a tree of it is small.
const MAX_LENGTH: u64 = 2_000_000;

/// The maximum number of documents of the machine.
const MAX_COUNT: usize = 4000;

/// Returns XML documents of the machine, whose kind their content tells.
fn documents_of_the_machine() -> Vec<PathBuf> {
    let extensions = ["svg", "xhtml", "xml", "html", "rss", "atom"];
    let is_xml = |path: &PathBuf| {
        let is_short = fs::metadata(path).is_ok_and(|metadata| metadata.len() <= MAX_LENGTH);
        let content = fs::read(path).unwrap_or_default();
        is_short && DocumentKind::sniff(&content) == DocumentKind::Xml
    };
    let share = Path::new("/usr/share");
    let files = support::files(share, &extensions).into_iter();
    files.filter(is_xml).take(MAX_COUNT).collect()
}

/// Returns a name without its prefix.
fn local_name(name: &str) -> String {
    name.rsplit(':').next().unwrap_or(name).to_owned()
}

/// Returns the element and the attribute of each link that is rewritten in `content`, and the new document.
fn rewritten(content: &[u8]) -> Option<(Names, Vec<u8>)> {
    let document = Document::xml(content).retrieved_from("http://h.example/d/e");
    let rewritten = support::recording().rewrite(&document);
    if rewritten.report.unsupported.is_some() || rewritten.edited == 0 {
        return None;
    }
    let mut names = Names::new();
    for link_report in &rewritten.report.links {
        let link = &link_report.link;
        names.insert((local_name(&link.element), local_name(&link.attribute)));
        if link.element.starts_with('?') {
            names.insert(("ProcessingInstruction".to_owned(), "#text".to_owned()));
        }
        if link_report.depth > 0 {
            // A document in the text of an element, or in an attribute.
            names.insert(("*".to_owned(), "#text".to_owned()));
            names.insert(("iframe".to_owned(), "srcdoc".to_owned()));
        }
    }
    Some((names, rewritten.bytes.into_owned()))
}

#[test]
fn canonical_forms_differ_in_values_of_links_only() {
    let has_lxml = Command::new("python3")
        .args(["-c", "import lxml"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !has_lxml {
        support::missing("python3 with the module lxml (pip install lxml)");
        return;
    }
    let mut paths = documents_of_the_machine();
    let of_the_machine = paths.len();
    let corpus = support::corpora("feeds");
    if let Some(corpus) = &corpus {
        paths.extend(support::files(
            corpus,
            &["xml", "atom", "opml", "rss", "rdf"],
        ));
    }
    let directory = tempfile::tempdir().expect("a directory");
    let (mut list, mut names_by_path) = (String::new(), BTreeMap::new());
    for path in &paths {
        let content = fs::read(path).expect("a readable file");
        if let Some((names, bytes)) = rewritten(&content) {
            let output = directory.path().join(names_by_path.len().to_string());
            fs::write(&output, bytes).expect("written");
            let name = path.display().to_string();
            writeln!(list, "{name}\t{}", output.display()).expect("a string");
            names_by_path.insert(name, names);
        }
    }
    let input = directory.path().join("list");
    fs::write(&input, &list).expect("written");
    let script = support::root().join("tests/oracles/canonical_xml.py");
    let output = Command::new("python3")
        .arg(script)
        .stdin(File::open(&input).expect("the list"))
        .output()
        .expect("python3");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    let mut lines: Vec<&str> = printed.lines().collect();
    let count = lines.pop().expect("a count");
    for line in lines {
        let columns: Vec<&str> = line.split('\t').collect();
        let [path, element, attribute] = columns[..] else {
            panic!("{line:?}");
        };
        let names = &names_by_path[path];
        let is_link = |element: &str| names.contains(&(element.to_owned(), attribute.to_owned()));
        assert!(is_link(element) || is_link("*"), "{line:?}: {names:?}");
    }
    // Icons of the machine have no links.
    let is_enough = corpus.is_none() || count.parse::<usize>().is_ok_and(|count| count > 100);
    assert!(is_enough, "{count}");
    support::print_line(&format!(
        "canonical forms compared: {count}; documents of the machine: {of_the_machine}"
    ));
}
