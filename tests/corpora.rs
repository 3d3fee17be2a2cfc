//! Third-party tests and real pages, where they are.

mod support;

use std::collections::BTreeMap;
use std::fs;

use absolve::{BaseCandidates, BaseSource, Outcome, Rewriter, Tree};

/// Roy Fielding's test pages: each link of a page, in order, against the result the page states.
#[test]
fn the_pages_of_the_rfcs_author() {
    let Some(folder) = support::corpora("rfc") else {
        return;
    };
    let deviations: BTreeMap<(String, String), String> =
        support::table("fixtures/rfc1808/deviations.tsv")
            .into_iter()
            .map(|row| ((row[0].clone(), row[1].clone()), row[2].clone()))
            .collect();
    let expectations = fs::read_to_string(folder.join("roytest.tsv")).expect("the table");
    let (mut agreeing, mut deviating) = (0, 0);
    for page in 1..=5 {
        let name = format!("roytest{page}.html");
        let html = fs::read_to_string(folder.join("roytest").join(&name)).expect("the page");
        let links = Rewriter::new()
            .links_of_tree(&Tree::parse(&html), &BaseCandidates::new())
            .links;
        let links: Vec<_> = links
            .into_iter()
            .filter(|judged| judged.link.element == "a")
            .collect();
        for (number, judged) in links.iter().enumerate() {
            let target = match &judged.outcome {
                Outcome::Resolved(target) => target.as_str(),
                _ => judged.link.reference.as_str(),
            };
            // The rows of this link: what RFC 1808 (tag X) and what the later RFC (tag R) gives.
            let origin = format!("{name} #{}", number + 1);
            let stated = |tag: &str| -> Vec<&str> {
                let rows = expectations
                    .lines()
                    .map(|line| line.split('\t').collect::<Vec<_>>());
                rows.filter(|row| row.last().is_some_and(|last| last.ends_with(&origin)))
                    .filter(|row| row[6].split(',').any(|other| other == tag))
                    .map(|row| row[2])
                    .collect()
            };
            let (rfc1808, later) = (stated("X"), stated("R"));
            assert!(!later.is_empty(), "{origin}: no expectation");
            if !rfc1808.is_empty() {
                assert!(
                    rfc1808.contains(&target),
                    "{origin}: {target}, and the page says {rfc1808:?}"
                );
            }
            let key = (format!("part {page}"), judged.link.reference.clone());
            if later.contains(&target) {
                assert!(
                    !deviations.contains_key(&key),
                    "{key:?} is listed as a deviation and is none"
                );
                agreeing += 1;
            } else {
                assert_eq!(
                    deviations.get(&key).map(String::as_str),
                    Some(target),
                    "{key:?}"
                );
                deviating += 1;
            }
        }
    }
    assert_eq!(deviating, deviations.len());
    support::say(&format!(
        "Fielding's pages: {agreeing} links as RFC 2396 has them, {deviating} as only RFC 1808 has them"
    ));
}

/// Every row of the other libraries' tables that claims RFC 1808.
#[test]
fn the_tables_of_other_libraries() {
    let Some(folder) = support::corpora("rfc") else {
        return;
    };
    let mut checked = 0;
    for file in support::files(&folder, &["tsv"]) {
        let table = fs::read_to_string(&file).expect("the table");
        for line in table.lines().skip(1) {
            let row: Vec<_> = line.split('\t').collect();
            if !row[3].contains("rfc1808") {
                continue;
            }
            let target = absolve::resolve(row[0], row[1], absolve::Profile::Rfc1808);
            assert_eq!(target.as_deref(), Ok(row[2]), "{}: {line}", file.display());
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} rows");
    support::say(&format!(
        "rows that claim RFC 1808: {checked}, all as claimed"
    ));
}

/// Every page and every document of the sites is read, rewritten and serialised.
#[test]
fn every_page_is_rewritten() {
    let outside = BaseCandidates::new().with(
        BaseSource::Retrieval,
        "http://retrieval.example/dir/page.html",
    );
    for part in ["pages", "site", "large"] {
        let Some(folder) = support::corpora(part) else {
            return;
        };
        let files = support::files(&folder, &["html", "htm", "xhtml"]);
        let counts: Vec<_> = std::thread::scope(|scope| {
            let halves: Vec<_> = files
                .chunks(files.len().div_ceil(2).max(1))
                .map(|files| {
                    let outside = &outside;
                    scope.spawn(move || {
                        files
                            .iter()
                            .map(|file| rewrite_page(file, outside))
                            .sum::<usize>()
                    })
                })
                .collect();
            halves
                .into_iter()
                .map(|half| half.join().expect("no panic"))
                .collect()
        });
        let (documents, links) = (files.len(), counts.iter().sum::<usize>());
        assert!(documents > 0, "no documents in {}", folder.display());
        support::say(&format!("{part}: {documents} documents, {links} links"));
    }
}

/// Rewrites a page; what comes out has no relative reference that was not skipped.
fn rewrite_page(file: &std::path::Path, outside: &BaseCandidates<'_>) -> usize {
    let document = fs::read(file).expect("a readable page");
    let tree = Tree::parse_bytes(&document, None);
    let before = Rewriter::new().rewrite_tree(&tree, outside).links;
    let after = Rewriter::new().links_of_tree(&tree, outside).links;
    assert_eq!(before.len(), after.len(), "{}", file.display());
    for (before, after) in before.iter().zip(&after) {
        let is_done = match (&before.outcome, &after.outcome) {
            (Outcome::Skipped(before), Outcome::Skipped(after)) => before == after,
            (Outcome::Resolved(target), Outcome::Absolute) => *target == after.link.reference,
            (Outcome::Absolute, Outcome::Absolute) => before.link.reference == after.link.reference,
            _ => false,
        };
        assert!(is_done, "{}: {before:?} became {after:?}", file.display());
    }
    assert!(
        !tree.serialize_bytes().is_empty() || document.is_empty(),
        "{}",
        file.display()
    );
    before.len()
}
