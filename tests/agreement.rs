//! Agreement of all drivers (see `support/agreement.rs`) on generated documents, mutated pages, real pages and
//! third-party tests.
//!
//! `ABSOLVE_CASES` sets how many documents all tests together generate, in a release build at best:
//! `ABSOLVE_CASES=10000000 cargo test --release --test agreement` runs for hours on all cores. If it is set, real pages
//! are read in every setting.

#[path = "support/agreement.rs"]
mod agreement;
#[path = "support/html5lib.rs"]
mod html5lib;
#[path = "support/invariants.rs"]
mod invariants;
#[path = "support/pieces.rs"]
mod pieces;
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use absolve::BailOut;
use agreement::SETTINGS;
use invariants::Comparisons;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn cases() -> Option<u32> {
    std::env::var("ABSOLVE_CASES").ok()?.parse().ok()
}

/// Number of documents that all tests have generated.
static ALL: AtomicU64 = AtomicU64::new(0);

/// A kind of generated documents.
struct Kind {
    name: &'static str,
    /// Percentage of all generated documents that are of this kind.
    share: u32,
    /// Highest percentage of bail-outs of the fast reader, a little above what is seen.
    bail_outs: u64,
}

/// Asserts agreement on generated documents, each in a random setting and encoding, and as a tree.
fn agree_on(kind: &Kind, documents: impl Strategy<Value = Vec<u8>>) {
    let cases = cases().unwrap_or(36_000) / 100 * kind.share;
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let (bailed_out, comparisons) = (AtomicU64::new(0), Comparisons::default());
    let settings = 0..SETTINGS.len();
    let encodings = pieces::encodings();
    let began = Instant::now();
    let result = TestRunner::new(config).run(
        &(documents, settings, encodings),
        |(document, setting, encoding)| {
            let (document, label) = encoding.apply(document);
            let setting = &SETTINGS[setting];
            let bail_out = agreement::agreement(&document, label, setting);
            bailed_out.fetch_add(bail_out.is_some().into(), Ordering::Relaxed);
            // Inserting or removing BASE changes the nodes around it.
            let of_tree = match setting.0 {
                "insert BASE" | "remove BASE" => &SETTINGS[0],
                _ => setting,
            };
            let comparison = invariants::commuting_in(&of_tree.1, &document, agreement::URL, label);
            comparisons.count(comparison);
            Ok(())
        },
    );
    if let Err(error) = result {
        panic!("{error}");
    }
    let (bailed_out, cases) = (bailed_out.into_inner(), u64::from(cases));
    let name = kind.name;
    let all = ALL.fetch_add(cases, Ordering::Relaxed) + cases;
    support::print_line(&format!(
        "{name}: {cases} documents in {:.0?}, {bailed_out} bail-outs; {all} documents of all kinds so far",
        began.elapsed()
    ));
    assert!(
        bailed_out * 100 <= cases * kind.bail_outs,
        "{name}: {bailed_out} of {cases} documents read by the reference reader alone"
    );
    comparisons.assert_not_made(10, name);
}

#[test]
fn readers_agree_on_heads() {
    agree_on(
        &Kind {
            name: "heads",
            share: 16,
            bail_outs: 12,
        },
        pieces::documents(&pieces::HEAD, 10),
    );
}

#[test]
fn readers_agree_on_svg_and_mathml() {
    agree_on(
        &Kind {
            name: "foreign content",
            share: 12,
            bail_outs: 6,
        },
        pieces::documents(&pieces::FOREIGN, 10),
    );
}

#[test]
fn readers_agree_on_raw_text() {
    agree_on(
        &Kind {
            name: "raw text",
            share: 8,
            bail_outs: 4,
        },
        pieces::documents(&pieces::RAW_TEXT, 12),
    );
}

#[test]
fn readers_agree_on_markup() {
    agree_on(
        &Kind {
            name: "markup",
            share: 12,
            bail_outs: 5,
        },
        pieces::documents(&pieces::MARKUP, 16),
    );
}

#[test]
fn readers_agree_on_bodies() {
    agree_on(
        &Kind {
            name: "bodies",
            share: 12,
            bail_outs: 5,
        },
        pieces::documents(&pieces::BODY, 14),
    );
}

/// Compares the fast path for simple references with the general one.
#[test]
fn readers_agree_on_values() {
    agree_on(
        &Kind {
            name: "values",
            share: 16,
            bail_outs: 5,
        },
        pieces::documents(&pieces::VALUES, 16),
    );
}

#[test]
fn readers_agree_on_mixed_documents() {
    agree_on(
        &Kind {
            name: "everything",
            share: 13,
            bail_outs: 13,
        },
        pieces::mixed_documents(40),
    );
}

/// Documents of several segments, with generated content between and after many links.
#[test]
fn readers_agree_on_long_documents() {
    let links = |count: usize| {
        let link =
            |index| format!("<li class=a><a href=\"b/{index}\">c</a><img src='../{index}.png'>");
        (0..count).map(link).collect::<String>().into_bytes()
    };
    let in_links = pieces::mixed_documents(12).prop_map(move |piece| {
        let middle = piece.len() / 2;
        let head = &b"<!DOCTYPE html><link rel=icon href=a><body>"[..];
        [
            head,
            &links(70),
            &piece[..middle],
            &links(130),
            &piece[middle..],
            &links(3),
        ]
        .concat()
    });
    agree_on(
        &Kind {
            name: "long documents",
            share: 1,
            bail_outs: 14,
        },
        in_links,
    );
}

/// Returns the pages of the corpora, and a sample of those of the sites.
fn pages() -> Option<Vec<PathBuf>> {
    const SAMPLE: usize = 16;
    let mut files = support::files(&support::corpora("pages")?, &["html", "htm", "xhtml"]);
    let site = support::files(&support::corpora("site")?, &["html", "htm", "xhtml"]);
    files.extend(site.into_iter().step_by(SAMPLE));
    Some(files)
}

#[test]
fn readers_agree_on_mutated_pages() {
    const MAX_LEN: usize = 100_000;
    let Some(files) = pages() else {
        return;
    };
    let pages: Vec<Vec<u8>> = files
        .iter()
        .map(|file| fs::read(file).expect("a readable page"))
        .filter(|page| page.len() < MAX_LEN)
        .collect();
    assert!(pages.len() > 500, "{} pages", pages.len());
    agree_on(
        &Kind {
            name: "mutated pages",
            share: 10,
            bail_outs: 6,
        },
        pieces::mutated(pages),
    );
}

/// Calls `check` for every file on two threads, and counts the bail-outs by reason.
fn on_two_threads(
    files: &[PathBuf],
    check: impl Fn(usize, &Path) -> Option<BailOut> + Sync,
) -> BTreeMap<BailOut, usize> {
    let check = &check;
    let counts = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|thread| {
                scope.spawn(move || {
                    let files = files.iter().enumerate().skip(thread).step_by(2);
                    files
                        .filter_map(|(index, file)| check(index, file))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("no panic"))
            .collect::<Vec<_>>()
    });
    let mut sums = BTreeMap::new();
    for reason in counts {
        *sums.entry(reason).or_insert(0) += 1;
    }
    sums
}

/// Asserts agreement on a page in the defaults and in one other setting, or in all if `ABSOLVE_CASES` is set.
///
/// Returns the bail-out in the defaults.
fn check_page(index: usize, file: &Path) -> Option<BailOut> {
    let document = fs::read(file).expect("a readable page");
    if cases().is_some() {
        agreement::in_every_setting(&document, None);
        agreement::in_every_setting(&document, Some("shift_jis"));
    } else {
        let setting = &SETTINGS[index % SETTINGS.len()];
        let encoding = [None, Some("windows-1252"), Some("gbk")][index / SETTINGS.len() % 3];
        agreement::agreement(&document, encoding, setting);
    }
    agreement::agreement(&document, None, &SETTINGS[0])
}

#[test]
fn readers_agree_on_real_pages() {
    let Some(mut files) = pages() else {
        return;
    };
    let Some(large) = support::corpora("large") else {
        return;
    };
    files.extend(support::files(&large, &["html"]));
    let bail_outs = on_two_threads(&files, check_page);
    let count: usize = bail_outs.values().sum();
    support::print_line(&format!(
        "real pages: {} documents, not read by the fast reader: {bail_outs:?}",
        files.len()
    ));
    assert!(count * 100 < files.len(), "{bail_outs:?}");
}

#[test]
fn readers_agree_on_html5lib_tests() {
    let Some(inputs) = html5lib::inputs() else {
        return;
    };
    let inputs = [inputs.tree_construction, inputs.tokenizer].concat();
    for (index, input) in inputs.iter().enumerate() {
        // The inputs contain few links, so some are added before, after, and in whatever state the input leaves open.
        let with_links = [
            input.clone(),
            format!("<a href=../g>{input}<img src=h><a href='?i'>"),
            format!("{input}<base href=x/><a href=a><style>b{{c:url(d)}}</style>"),
        ];
        for input in with_links {
            let encoding = [None, None, Some("big5")][index % 3];
            if cases().is_some() {
                agreement::in_every_setting(input.as_bytes(), encoding);
            } else {
                agreement::agreement(
                    input.as_bytes(),
                    encoding,
                    &SETTINGS[index % SETTINGS.len()],
                );
                agreement::agreement(input.as_bytes(), None, &SETTINGS[1]);
            }
        }
    }
    support::print_line(&format!(
        "html5lib: {} inputs, each in three places",
        inputs.len()
    ));
}
