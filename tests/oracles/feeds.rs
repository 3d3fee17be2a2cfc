//! Feeds of other programs' tests: every other byte is kept, and feedparser reads the same before and after, except for
//! `fixtures/feeds/differences.tsv`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs::{self, File};
use std::process::{Command, Stdio};

use absolve::{Document, IllFormedPolicy, LinkDetail, Profile};
use support::rewritten::{apply, streamed};

const URL: &str = "http://h/f/feed.xml";

/// Calls `visit` with the name and content of every XML file of the corpus.
fn each_corpus_feed(mut visit: impl FnMut(&str, &[u8])) -> bool {
    let Some(corpus) = support::corpora("feeds") else {
        return false;
    };
    for path in support::files(&corpus, &["xml", "atom", "opml", "rss", "rdf"]) {
        let content = fs::read(&path).expect("a readable file");
        visit(&path.to_string_lossy(), &content);
    }
    true
}

#[test]
fn feeds_of_other_programs_keep_every_other_byte() {
    let (mut read, mut left, mut edited) = (0, 0, 0);
    let has_corpus = each_corpus_feed(|name, content| {
        for policy in [IllFormedPolicy::Leave, IllFormedPolicy::Recover] {
            let rewriter = support::recording().ill_formed_xml(policy);
            let document =
                Document::xml(content).retrieved_from("http://corpus.example/d/feed.xml");
            let rewritten = rewriter.rewrite(&document);
            let fast = rewriter.clone().link_detail(LinkDetail::SkippedOnly);
            assert_eq!(fast.rewrite(&document).bytes, rewritten.bytes, "{name}");
            if rewritten.report.unsupported.is_some() {
                assert_eq!(&*rewritten.bytes, content, "{name}");
                left += 1;
                continue;
            }
            read += 1;
            edited += rewritten.edited;
            // Locality: the document without the edited spans is that of the output.
            let expected = apply(content, &rewritten.edits);
            assert_eq!(expected, &*rewritten.bytes, "{name}");
            let again = rewriter.rewrite(&Document::xml(&rewritten.bytes));
            assert_eq!(again.report.unsupported, None, "{name}");
            assert_eq!(again.edited, 0, "{name}");
        }
    });
    if has_corpus {
        support::print_line(&format!(
            "feeds read: {read}, left: {left}, edits: {edited}"
        ));
        assert!(read > 5000 && edited > 400, "{read} {edited}");
    }
}

/// The fields of feeds in which feedparser reads something else after rewriting. The table has the passage that decides.
fn known_differences() -> BTreeSet<(String, String)> {
    let mut known = BTreeSet::new();
    for row in support::table("fixtures/feeds/differences.tsv") {
        assert!(!row[2].is_empty(), "{row:?}");
        let fields = row[1].split(' ');
        known.extend(fields.map(|field| (row[0].clone(), field.to_owned())));
    }
    known
}

#[test]
fn feedparser_reads_the_same_after_rewriting() {
    let Some(corpus) = support::corpora("feeds") else {
        return;
    };
    let has_modules = Command::new("python3")
        .args(["-c", "import feedparser, lxml"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !has_modules {
        support::missing(
            "python3 with the modules feedparser and lxml (pip install feedparser lxml)",
        );
        return;
    }
    // The profile whose resolution is that of feedparser.
    let rewriter = support::recording().profile(Profile::Rfc3986);
    let directory = tempfile::tempdir().expect("a directory");
    let mut list = String::new();
    each_corpus_feed(|name, content| {
        let text = String::from_utf8_lossy(content);
        let location = text.split("Content-Location:").nth(1);
        let location = location.and_then(|rest| rest.split_whitespace().next());
        let url = location
            .filter(|url| url.starts_with("http"))
            .unwrap_or("http://corpus.example/d/feed.xml");
        let rewritten = rewriter.rewrite(&Document::xml(content).retrieved_from(url));
        if rewritten.report.unsupported.is_none() {
            let output = directory
                .path()
                .join(format!("{}.xml", list.lines().count()));
            fs::write(&output, &rewritten.bytes).expect("written");
            writeln!(list, "{name}\t{}\t{url}", output.display()).expect("a string");
        }
    });
    let input = directory.path().join("list");
    fs::write(&input, &list).expect("written");
    let script = support::root().join("tests/oracles/feedparser_oracle.py");
    let output = Command::new("python3")
        .arg(script)
        .stdin(File::open(&input).expect("the list"))
        .output()
        .expect("python3");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    let (differences, count) = printed.trim_end().rsplit_once('\n').expect("a count");
    let prefix = format!("{}/", corpus.display());
    let known = known_differences();
    let mut unknown = Vec::new();
    let mut seen = BTreeSet::new();
    for line in differences.lines() {
        let (name, field) = line.split_once('\t').expect("two columns");
        let name = name.strip_prefix(&prefix).unwrap_or(name);
        let difference = (name.to_owned(), field.trim_start_matches('.').to_owned());
        if !known.contains(&difference) {
            unknown.push(format!("{name} {field}"));
        }
        seen.insert(difference);
    }
    let gone: Vec<_> = known.difference(&seen).collect();
    support::print_line(&format!(
        "feeds that feedparser compared: {count}; known differences: {}",
        known.len()
    ));
    assert_eq!(unknown, [""; 0], "not in fixtures/feeds/differences.tsv");
    assert!(gone.is_empty(), "no longer different: {gone:?}");
}

#[test]
fn streams_of_corpus_feeds_have_the_output_of_the_whole() {
    let mut count = 0;
    let has_corpus = each_corpus_feed(|name, content| {
        let rewriter = support::recording();
        let expected = rewriter.rewrite(&Document::xml(content).retrieved_from(URL));
        let outside = Document::xml(b"").retrieved_from(URL);
        for length in [300, 1500] {
            let (output, report) = streamed(&rewriter, &outside, content, length);
            assert_eq!(output, &*expected.bytes, "{name}");
            count += usize::from(report.buffered.is_none());
        }
    });
    if has_corpus {
        support::print_line(&format!("feeds streamed: {count}"));
        assert!(count > 100, "{count}");
    }
}
