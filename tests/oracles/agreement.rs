//! Agreement of all drivers (see `support/agreement.rs`) on mutated pages, real pages and third-party tests.
//!
//! If `ABSOLVE_CASES` is set, real pages are read in every setting.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use absolve::BailOut;
use support::agreement::{self, SETTINGS};
use support::generated::{self, Kind};
use support::{html5lib, pieces};

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
    generated::agree_on(
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
    if support::asked_cases().is_some() {
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
    let files = support::sample(files);
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
    let inputs = support::sample([inputs.tree_construction, inputs.tokenizer].concat());
    for (index, input) in inputs.iter().enumerate() {
        // The inputs contain few links, so some are added before, after, and in whatever state the input leaves open.
        let with_links = [
            input.clone(),
            format!("<a href=../g>{input}<img src=h><a href='?i'>"),
            format!("{input}<base href=x/><a href=a><style>b{{c:url(d)}}</style>"),
        ];
        for input in with_links {
            let encoding = [None, None, Some("big5")][index % 3];
            if support::asked_cases().is_some() {
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
