//! Third-party tests and real pages, if the corpora are installed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use absolve::testing::Reader;
use absolve::tree::Tree;
use absolve::{
    BaseCandidates, BaseSource, CandidateStatus, Decision, Document, Limit, LinkReport, Outcome,
    OutputForm, Profile, Report, SkipReason, Unsupported, resolve,
};
use support::html5lib;
use support::invariants;
use support::invariants::Comparisons;

/// Compares each link of Roy Fielding's test pages with the results that the pages state.
#[test]
fn resolve_agrees_with_fieldings_test_pages() {
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
        let tree = Tree::parse(&html);
        let report =
            absolve::tree::rewrite(&support::recording(), &tree, &BaseCandidates::new(), |_| {
                Decision::Keep
            });
        let links: Vec<_> = report
            .links
            .into_iter()
            .filter(|link_report| link_report.link.element == "a")
            .collect();
        for (number, link_report) in links.iter().enumerate() {
            let target = match &link_report.outcome {
                Outcome::Resolved(target) => target.as_str(),
                _ => &*link_report.link.reference,
            };
            // The rows of this link: the result by RFC 1808 (tag X) and by the later RFC 2396 (tag R).
            let origin = format!("{name} #{}", number + 1);
            let stated = |tag: &str| -> Vec<&str> {
                let rows = expectations
                    .lines()
                    .map(|line| line.split('\t').collect::<Vec<_>>());
                rows.filter(|row| row.last().is_some_and(|last| last.ends_with(&origin)))
                    .filter(|row| row[6].split(',').any(|row_tag| row_tag == tag))
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
            let reference = link_report.link.reference.clone().into_owned();
            let key = (format!("part {page}"), reference);
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
    support::print_line(&format!(
        "Fielding's pages: {agreeing} links as RFC 2396 has them, {deviating} as only RFC 1808 has them"
    ));
}

/// Every row of other libraries' test tables that claims to follow RFC 1808.
#[test]
fn resolve_agrees_with_rfc_1808_tables_of_other_libraries() {
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
            let target = resolve(row[0], row[1], Profile::Rfc1808);
            assert_eq!(target.as_deref(), Ok(row[2]), "{}: {line}", file.display());
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} rows");
    support::print_line(&format!(
        "rows that claim RFC 1808: {checked}, all as claimed"
    ));
}

#[test]
fn invariants_hold_on_real_style_sheets() {
    let Some(folder) = support::corpora("") else {
        return;
    };
    let files = support::files(&folder, &["css"]);
    assert!(!files.is_empty(), "no style sheets in {}", folder.display());
    let mut links = 0;
    for file in &files {
        let sheet = fs::read(file).expect("a readable style sheet");
        invariants::style_sheet(&sheet, invariants::URL);
        links += support::recording()
            .links(&Document::style_sheet(&sheet))
            .links
            .len();
    }
    support::print_line(&format!("style sheets: {} with {links} links", files.len()));
}

/// Asserts the invariants on every page and every document of the sites, for bytes and for trees.
#[test]
fn invariants_hold_on_real_pages() {
    for part in ["pages", "site", "large"] {
        let Some(folder) = support::corpora(part) else {
            return;
        };
        let files = support::sample(support::files(&folder, &["html", "htm", "xhtml"]));
        let comparisons = Comparisons::default();
        let counts = on_two_threads(&files, |file| {
            let document = fs::read(file).expect("a readable page");
            check_page(&document, file, &comparisons)
        });
        comparisons.assert_not_made(0, part);
        assert!(!files.is_empty(), "no documents in {}", folder.display());
        support::print_line(&format!(
            "{part}: {} documents, {} tags, {} links, {} edits, 0 tags unread",
            files.len(),
            counts.iter().map(|counts| counts.tags).sum::<usize>(),
            counts.iter().map(|counts| counts.links).sum::<usize>(),
            counts.iter().map(|counts| counts.edits).sum::<usize>(),
        ));
    }
}

/// Every page is read with a fraction of each limit, by both readers. The part of a limit that grows with the length of a
/// document remains whole.
#[test]
fn real_pages_are_far_from_every_limit() {
    let mut pages = Vec::new();
    for part in ["pages", "site", "large"] {
        let Some(folder) = support::corpora(part) else {
            return;
        };
        pages.extend(support::sample(support::files(
            &folder,
            &["html", "htm", "xhtml"],
        )));
    }
    for reader in [Reader::default(), Reader::Html5ever] {
        let fractions = on_two_threads(&pages, |file| {
            let bytes = fs::read(file).expect("a readable page");
            accepted_fractions(&bytes, reader)
        });
        let mut lines = Vec::new();
        for (index, limit) in Limit::ALL.iter().enumerate() {
            let least = (0..pages.len()).min_by_key(|&page| fractions[page][index]);
            let page = least.expect("pages");
            let fraction = fractions[page][index];
            let name = limit.name();
            assert!(
                fraction >= 2,
                "{}: 1/{fraction} of {name}",
                pages[page].display()
            );
            lines.push(format!("{name} 1/{fraction}"));
        }
        support::print_line(&format!(
            "{} pages, {reader:?} reader, limits of which they need no more than: {}",
            pages.len(),
            lines.join(", ")
        ));
    }
}

/// Returns for each limit the greatest power of two, up to 1,024, such that a page does not exceed that fraction of it.
fn accepted_fractions(bytes: &[u8], reader: Reader) -> [usize; Limit::ALL.len()] {
    let document = Document::new(bytes).retrieved_from("http://retrieval.example/dir/page.html");
    let mut fractions = [1024; Limit::ALL.len()];
    loop {
        let mut rewriter = support::recording().reader(reader);
        for (limit, fraction) in Limit::ALL.iter().zip(fractions) {
            rewriter = rewriter.limit(*limit, limit.default_value() / fraction);
        }
        let found = rewriter.links(&document);
        let is_skipped = |reason| {
            let mut outcomes = found.links.iter().map(|link_report| &link_report.outcome);
            outcomes.any(|outcome| *outcome == Outcome::Skipped(reason))
        };
        let exceeded = match rewriter.check(&document, |_| None).unsupported {
            Some(Unsupported::LimitExceeded(limit)) => limit,
            None if is_skipped(SkipReason::BaseTooLong) => Limit::BaseLength,
            None if is_skipped(SkipReason::TooDeep) => Limit::ValueLinks,
            other => {
                assert_eq!(other, None);
                return fractions;
            }
        };
        let fraction = &mut fractions[exceeded as usize];
        *fraction /= 2;
        if *fraction == 0 {
            return fractions;
        }
    }
}

struct Counts {
    tags: usize,
    links: usize,
    edits: usize,
}

/// Calls `check` for every file on two threads, and returns the results in order.
fn on_two_threads<T: Send>(files: &[PathBuf], check: impl Fn(&Path) -> T + Sync) -> Vec<T> {
    let check = &check;
    std::thread::scope(|scope| {
        let halves: Vec<_> = files
            .chunks(files.len().div_ceil(2).max(1))
            .map(|files| {
                scope.spawn(move || files.iter().map(|file| check(file)).collect::<Vec<_>>())
            })
            .collect();
        halves
            .into_iter()
            .flat_map(|half| half.join().expect("no panic"))
            .collect()
    })
}

fn check_page(document: &[u8], file: &Path, comparisons: &Comparisons) -> Counts {
    let url = "http://retrieval.example/dir/page.html";
    comparisons.count(invariants::all(document, url));

    // The tree on its own, with default settings.
    let tree = Tree::parse_bytes(document, None).expect("a readable document");
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, url);
    absolve::tree::rewrite(&support::recording(), &tree, &outside, |_| {
        Decision::Resolve
    });
    assert!(
        !tree.serialize_bytes().is_empty() || document.is_empty(),
        "{}",
        file.display()
    );

    let rewritten = support::recording().rewrite(&Document::new(document).retrieved_from(url));
    let Report {
        tags,
        links,
        mismatched_tags,
        ..
    } = &rewritten.report;
    assert_eq!(*mismatched_tags, 0, "{}", file.display());
    Counts {
        tags: *tags,
        links: links.len(),
        edits: rewritten.edits.len(),
    }
}

/// Round trip: every link leads to the same URL after a document was written with relative links, from its own links and
/// from absolute ones.
#[test]
fn relative_links_lead_to_the_same_targets() {
    for part in ["pages", "site", "large", "css"] {
        let Some(folder) = support::corpora(part) else {
            return;
        };
        let files = support::sample(support::files(&folder, &["html", "htm", "xhtml", "css"]));
        assert!(!files.is_empty(), "no documents in {}", folder.display());
        let counts = on_two_threads(&files, |file| {
            let bytes = fs::read(file).expect("a readable document");
            let is_sheet = file.extension().is_some_and(|extension| extension == "css");
            count_relative_round_trips(&bytes, is_sheet, file)
        });
        let written: usize = counts.iter().sum();
        assert!(written > 10 * files.len(), "{part}: {written} links");
        support::print_line(&format!(
            "{part}: {} documents, {written} links written as relative references and resolved again",
            files.len()
        ));
    }
}

/// Asserts the round trip in every profile and form, and returns the number of references that were written.
fn count_relative_round_trips(bytes: &[u8], is_sheet: bool, file: &Path) -> usize {
    fn document(bytes: &[u8], is_sheet: bool) -> Document<'_> {
        let document = if is_sheet {
            Document::style_sheet(bytes)
        } else {
            Document::new(bytes)
        };
        document.retrieved_from("http://retrieval.example/dir/sub/page.html")
    }
    let mut written = 0;
    for profile in [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg] {
        let rewriter = support::recording().profile(profile);
        let links = |bytes: &[u8]| -> Vec<LinkReport<'static>> {
            let links = rewriter.links(&document(bytes, is_sheet)).links.into_iter();
            links.map(LinkReport::into_owned).collect()
        };
        let expected = links(bytes);
        // Where another BASE counts in browsers, no reference is shortened.
        let report = rewriter.links(&document(bytes, is_sheet));
        let mut bases = report.base.candidates.iter();
        let is_contested = bases.any(|base| base.status == CandidateStatus::OutsideHead);
        let absolute = rewriter.rewrite(&document(bytes, is_sheet));
        for form in [OutputForm::Relative, OutputForm::RootRelative] {
            for source in [bytes, &absolute.bytes] {
                let relative = rewriter
                    .clone()
                    .output(form)
                    .rewrite(&document(source, is_sheet));
                written += relative.edits.len();
                let found = links(&relative.bytes);
                let name = file.display();
                assert_eq!(found.len(), expected.len(), "{profile:?} {form:?} {name}");
                for (found, expected) in found.iter().zip(&expected) {
                    assert!(
                        is_equivalent(found.target(), expected.target()),
                        "{profile:?} {form:?} {name}: {found:?}, expected {expected:?}"
                    );
                    assert!(
                        is_contested || !has_needless_host(found, profile),
                        "{profile:?} {form:?} {name}: {found:?}"
                    );
                }
            }
        }
    }
    written
}

/// Returns whether a link is absolute although the path of its target would do. BASE is always absolute.
fn has_needless_host(found: &LinkReport<'_>, profile: Profile) -> bool {
    let (Some(base), Outcome::Absolute) = (&found.base, &found.outcome) else {
        return false;
    };
    let target = &*found.link.reference;
    let authority = target.find("://").map(|colon| colon + 3);
    let path = authority.and_then(|start| Some(&target[start + target[start..].find('/')?..]));
    // Two slashes begin an authority, whatever a profile makes of one that is empty.
    let is_path = |path: &str| {
        !path.starts_with("//")
            && resolve(&base.url, path, profile).is_ok_and(|resolved| resolved == target)
    };
    found.link.element != "base" && path.is_some_and(is_path)
}

/// Returns whether two targets are equal, or have different spellings of one scheme and authority.
fn is_equivalent(found: Option<&str>, expected: Option<&str>) -> bool {
    found == expected
        || found.zip(expected).is_some_and(|(found, expected)| {
            let [found, expected] = [found, expected].map(url::Url::parse);
            found.is_ok() && found == expected
        })
}

/// Asserts the invariants on the inputs of html5lib-tests, alone and with links around them.
#[test]
fn invariants_hold_on_html5lib_tests() {
    let Some(inputs) = html5lib::inputs() else {
        return;
    };
    let inputs = [inputs.tree_construction, inputs.tokenizer].map(support::sample);
    let [constructions, tokenizations] = inputs.each_ref().map(Vec::len);
    let comparisons = Comparisons::default();
    for input in inputs.iter().flatten() {
        comparisons.count(invariants::all(input.as_bytes(), invariants::URL));
        // The inputs contain few links, so some are added before, after, and in whatever state the input leaves open.
        let with_links = format!("<base href=x/><a href=../g>{input}<img src=h><a href='?i'>");
        comparisons.count(invariants::all(with_links.as_bytes(), invariants::URL));
    }
    comparisons.assert_not_made(0, "html5lib");
    support::print_line(&format!(
        "html5lib: {constructions} inputs of tree construction, {tokenizations} of the tokenizer"
    ));
}

/// The encoding tests of html5lib-tests.
#[test]
fn encoding_detection_passes_html5lib_tests() {
    let Some(folder) = support::corpora("html5lib") else {
        return;
    };
    let (mut checked, mut scripted) = (0, 0);
    for file in support::files(&folder.join("encoding"), &["dat"]) {
        let tests = fs::read(&file).expect("the tests");
        for test in split_at(&tests, b"#data\n").into_iter().skip(1) {
            let parts = split_at(test, b"#encoding\n");
            let [data, encoding] = parts[..] else {
                continue;
            };
            let label = String::from_utf8_lossy(encoding)
                .lines()
                .next()
                .unwrap_or_default()
                .trim()
                .to_lowercase();
            let data = data.strip_suffix(b"\n").unwrap_or(data);
            // The encoded query reveals the detected encoding. The byte 0xE9 makes the document invalid UTF-8:
            // without a declaration the tests expect windows-1252.
            let document = [
                data,
                b"\xe9<a href='?&eacute;&#283;&#1071;&#12450;&#20013;'>",
            ]
            .concat();
            let document = Document::new(&document).retrieved_from("http://h/");
            let found = support::recording().links(&document);
            let expected = support::recording().links(&document.clone().encoding(&label));
            checked += 1;
            if found.links != expected.links || found.encoding != expected.encoding {
                // One test requires scripting: its script writes the declaration.
                let is_scripted = data.windows(14).any(|window| window == b"document.write");
                assert!(is_scripted, "{label}: {}", String::from_utf8_lossy(data));
                scripted += 1;
            }
        }
    }
    assert!(
        checked > 50 && scripted == 1,
        "{checked} tests, {scripted} with a script"
    );
    support::print_line(&format!(
        "html5lib: {checked} encodings found as expected, but for one that a script declares"
    ));
}

/// Splits `text` at every occurrence of `separator`.
fn split_at<'t>(text: &'t [u8], separator: &[u8]) -> Vec<&'t [u8]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for pos in 0..text.len() {
        if text[pos..].starts_with(separator) && pos >= start {
            parts.push(&text[start..pos]);
            start = pos + separator.len();
        }
    }
    parts.push(&text[start..]);
    parts
}
