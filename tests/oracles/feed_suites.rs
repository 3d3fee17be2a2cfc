//! Expected values of the test suites of feed readers and of a validator, which are not in this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use absolve::{Document, DocumentKind, Outcome, Profile, SkipReason};
use serde_json::Value;

/// The links of a document: their targets, and their references with the outcomes.
struct Found {
    targets: BTreeSet<String>,
    outcomes: Vec<(String, Outcome)>,
}

/// Returns the links of `bytes`, in the profile whose resolution is that of feed readers.
fn links(kind: DocumentKind, bytes: &[u8], url: Option<&str>) -> Found {
    let document = Document::of_kind(kind, bytes);
    let document = match url {
        Some(url) => document.retrieved_from(url),
        None => document,
    };
    let rewriter = support::recording().profile(Profile::Rfc3986);
    let mut found = Found {
        targets: BTreeSet::new(),
        outcomes: Vec::new(),
    };
    for link_report in rewriter.links(&document).links {
        let reference = link_report.link.reference.into_owned();
        found.targets.insert(match &link_report.outcome {
            Outcome::Resolved(target) => target.clone(),
            _ => reference.clone(),
        });
        found.outcomes.push((reference, link_report.outcome));
    }
    found
}

/// Appends the URLs in `value`: strings that are URLs, and those in attributes of HTML, each with the name of its member.
fn collect_urls(name: &str, value: &Value, urls: &mut BTreeSet<(String, String)>) {
    match value {
        Value::String(text) if text.starts_with("http") && !text.contains([' ', '<', '\n']) => {
            urls.insert((name.to_owned(), text.clone()));
        }
        Value::String(text) => {
            for attribute in ["href=\"", "src=\""] {
                for rest in text.split(attribute).skip(1) {
                    let url = rest.split('"').next().unwrap_or_default();
                    if url.starts_with("http") {
                        urls.insert((format!("{name} {attribute}"), url.to_owned()));
                    }
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|one| collect_urls(name, one, urls)),
        Value::Object(members) => {
            for (name, member) in members {
                collect_urls(name, member, urls);
            }
        }
        _ => {}
    }
}

/// The values that absolve does not have, each with the passage that decides.
fn known_differences() -> BTreeMap<(String, String), String> {
    let rows = support::table("fixtures/feeds/suites.tsv");
    rows.into_iter()
        .map(|row| ((row[0].clone(), row[1].clone()), row[2].clone()))
        .collect()
}

#[test]
fn urls_that_gofeed_expects_are_targets() {
    let Some(corpus) = support::corpora("feeds/gofeed/testdata/parser") else {
        return;
    };
    let known = known_differences();
    let (mut compared, mut urls_compared) = (0, 0);
    let (mut seen, mut unknown) = (BTreeSet::new(), Vec::new());
    for path in support::files(&corpus, &["xml", "json"]) {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let suffix = if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            "_expected.json"
        } else {
            ".json"
        };
        let golden = path.with_file_name(format!("{stem}{suffix}"));
        if golden == path || !golden.exists() {
            continue;
        }
        let bytes = fs::read(&path).expect("a readable file");
        let kind = match path.extension() {
            Some(extension) if extension == "json" => DocumentKind::JsonFeed,
            _ => DocumentKind::Xml,
        };
        let expected: Value =
            serde_json::from_slice(&fs::read(golden).expect("a readable file")).expect("JSON");
        let mut urls = BTreeSet::new();
        collect_urls("", &expected, &mut urls);
        let found = links(kind, &bytes, None);
        compared += 1;
        let name = path
            .strip_prefix(&corpus)
            .unwrap_or(Path::new(""))
            .display()
            .to_string();
        for (member, url) in urls {
            urls_compared += 1;
            if found.targets.contains(&url) {
                continue;
            }
            let difference = (format!("gofeed/{name}"), url);
            if known.contains_key(&difference) {
                seen.insert(difference);
            } else {
                unknown.push(format!("gofeed/{name}\t{}\t{member}", difference.1));
            }
        }
    }
    support::print_line(&format!(
        "gofeed: {compared} feeds, {urls_compared} URLs, {} known differences",
        seen.len()
    ));
    assert!(
        unknown.is_empty(),
        "not in fixtures/feeds/suites.tsv:\n{}",
        unknown.join("\n")
    );
    let of_gofeed = known.keys().filter(|(name, _)| name.starts_with("gofeed/"));
    let gone: Vec<_> = of_gofeed.filter(|key| !seen.contains(*key)).collect();
    assert!(gone.is_empty(), "no longer different: {gone:?}");
    assert!(
        compared > 200 && urls_compared > 100,
        "{compared} {urls_compared}"
    );
}

#[test]
fn urls_that_node_feedparser_expects_are_targets() {
    let Some(corpus) = support::corpora("feeds/node-feedparser/test/feeds") else {
        return;
    };
    let known = known_differences();
    // The cases of its `xmlbase.js` whose feed is in the corpus.
    let arc = "http://www.arcgames.com";
    let memo = "http://talkingpointsmemo.com";
    for (name, url, expected) in [
        (
            "rss-with-relative-urls.xml",
            Some(arc),
            vec![
                format!("{arc}/en/games/neverwinter/news"),
                format!("{arc}/en/games/neverwinter/news/rss"),
                format!(
                    "{arc}/en/games/neverwinter/news/detail/10743874-neverwinter-%26-jingle-jam-humble-bundle%21"
                ),
                format!(
                    "{arc}/en/games/neverwinter/news/detail/10738994-2x-underdark-currency-%26-15%25-off-bags%21"
                ),
            ],
        ),
        (
            "tpm-with-empty-base.atom",
            Some("http://talkingpointsmemo.com/feed/all"),
            vec![
                format!(
                    "{memo}/livewire/hannity-announces-fox-hired-sebastian-gorka-national-security-strategist"
                ),
                format!("{memo}/edblog/were-hiring-senior-editor"),
            ],
        ),
        (
            "rss-with-relative-html-urls.xml",
            None,
            [
                "posts/post-1",
                "posts/post-1#comments",
                "images/post-1.png",
                "posts/small.png",
                "large.png",
                "posts/poster.png",
            ]
            .map(|path| format!("https://example.com/{path}"))
            .to_vec(),
        ),
        (
            "rss-with-relative-html-urls-no-base.xml",
            Some("https://example.com/feed/"),
            [
                "feed/posts/post-1",
                "feed/post-1",
                "feed/#comments",
                "images/post-1.png",
                "feed/small.png",
                "large.png",
                "feed/poster.png",
            ]
            .map(|path| format!("https://example.com/{path}"))
            .to_vec(),
        ),
        (
            "rss-with-item-scoped-html-base.xml",
            None,
            vec![
                "https://example.com/first/post".to_owned(),
                "https://example.com/post".to_owned(),
            ],
        ),
    ] {
        let bytes = fs::read(corpus.join(name)).expect("a readable file");
        let found = links(DocumentKind::Xml, &bytes, url);
        for url in expected {
            let key = (format!("node-feedparser/{name}"), url);
            let is_known = known.contains_key(&key);
            let is_found = found.targets.contains(&key.1);
            assert_ne!(is_found, is_known, "{key:?}: {:?}", found.targets);
        }
    }
}

#[test]
fn relative_references_of_the_validator_are_resolved() {
    let Some(corpus) = support::corpora("feeds/feedvalidator/testcases") else {
        return;
    };
    let url = "http://www.feedvalidator.org/testcases/atom/x.xml";
    // Valid feeds with a relative reference, and its target.
    for (name, target) in [
        (
            "4.1.3.2/content-src-relative-ref.xml",
            "http://www.feedvalidator.org/testcases/atom/2003/12/12/atom03.pdf",
        ),
        (
            "3.2.2/relative-ref.xml",
            "http://www.feedvalidator.org/testcases/atom/~jane/",
        ),
        (
            "4.2.5/icon_relative_ref.xml",
            "http://www.feedvalidator.org/testcases/atom/favicon.ico",
        ),
        ("2/xml-base.xml", "http://example.org/index.html"),
        ("2/xml-base.xml", "http://example.org/2003/12/13/atom03"),
        (
            "2/xml-base-elem-ne-doc.xml",
            "http://www.feedvalidator.org/testcases/atom/2/xml-base-elem-ne-doc.xml",
        ),
        (
            "2/xml-base-elem-eq-doc.xml",
            "http://www.feedvalidator.org/testcases/atom/2/xml-base-elem-eq-doc.xml",
        ),
        // RFC 3986, section 4.4: a reference to the base URL itself.
        ("2/xml-base-ambiguous.xml", "http://example.org/"),
    ] {
        let bytes = fs::read(corpus.join("atom").join(name)).expect("a readable file");
        let found = links(DocumentKind::Xml, &bytes, Some(url));
        assert!(
            found.targets.contains(target),
            "{name}: {:?}",
            found.targets
        );
    }
    let known = known_differences();
    // Every feed with a relative identifier or link where the validator wants a full one has a link that is relative.
    let (mut count, mut unexpected) = (0, Vec::new());
    for path in support::files(&corpus, &["xml"]) {
        let bytes = fs::read(&path).expect("a readable file");
        let text = String::from_utf8_lossy(&bytes);
        let expected = text
            .split("Expect:")
            .nth(1)
            .unwrap_or_default()
            .trim_start();
        if !expected.starts_with("InvalidFullLink") {
            continue;
        }
        count += 1;
        let found = links(DocumentKind::Xml, &bytes, Some(url));
        let is_relative = |outcome: &Outcome| {
            matches!(
                outcome,
                Outcome::Resolved(_) | Outcome::Skipped(SkipReason::Identifier | SkipReason::Empty)
            )
        };
        let name = path
            .strip_prefix(&corpus)
            .unwrap_or(Path::new(""))
            .display();
        let is_known = known
            .keys()
            .any(|(known, _)| *known == format!("feedvalidator/{name}"));
        let is_found = found
            .outcomes
            .iter()
            .any(|(_, outcome)| is_relative(outcome));
        if is_found == is_known {
            unexpected.push(format!("{name}: {:?}", found.outcomes));
        }
    }
    assert!(
        unexpected.is_empty(),
        "{}",
        unexpected.join(
            "
"
        )
    );
    support::print_line(&format!(
        "feedvalidator: {count} feeds with a relative link"
    ));
    assert!(count > 5, "{count}");
}
