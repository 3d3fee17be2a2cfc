//! Agreement of all drivers on generated documents.
//!
//! `ABSOLVE_CASES` sets how many documents all tests together generate, in a release build at best:
//! `ABSOLVE_CASES=10000000 cargo test --release agreement` runs for hours on all cores.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::agreement::{self, SETTINGS};
use crate::invariants::{self, Comparisons};
use crate::pieces;

/// Number of documents that all tests have generated.
static ALL: AtomicU64 = AtomicU64::new(0);

/// A kind of generated documents.
pub struct Kind {
    pub name: &'static str,
    /// Percentage of all generated documents that are of this kind.
    pub share: u32,
    /// Highest percentage of bail-outs of the fast reader, a little above what is seen, give or take
    /// [`crate::deviation`].
    pub bail_outs: u64,
}

/// Asserts agreement on generated documents, each in a random setting and encoding, and as a tree.
pub fn agree_on(kind: &Kind, documents: impl Strategy<Value = Vec<u8>>) {
    let cases = crate::cases(36_000) / 100 * kind.share;
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
            // Inserting or removing nodes changes those around them, and nothing is added to the elements of trees.
            let of_tree = match setting.0 {
                "kept values" | "removed elements" | "inserted markup" | "insert BASE"
                | "remove BASE" => &SETTINGS[0],
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
    crate::print_line(&format!(
        "{name}: {cases} documents in {:.0?}, {bailed_out} bail-outs; {all} documents of all kinds so far",
        began.elapsed()
    ));
    let most = cases * kind.bail_outs / 100;
    assert!(
        bailed_out <= most + crate::deviation(most),
        "{name}: {bailed_out} of {cases} documents read by the reference reader alone"
    );
    comparisons.assert_not_made(10, name);
}
