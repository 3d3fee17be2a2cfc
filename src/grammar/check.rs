//! What the tests of the grammars share: tables of cases, and the properties that every grammar has.

#[path = "../../tests/support/mod.rs"]
mod support;

use std::fmt::Debug;
use std::fs;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestCaseResult, TestRunner};
use serde_json::Value;

use super::{Notation, ReferenceToken};

/// A row on which a grammar differs from a table, and why.
pub(super) struct Difference {
    pub(super) name: &'static str,
    pub(super) reason: &'static str,
}

/// The rows of a corpus in JSON Lines, or `None`, having said so, if it is not there.
pub(super) fn rows(corpus: &str) -> Option<Vec<Value>> {
    let lines = fs::read_to_string(support::corpora(corpus)?).expect("a readable corpus");
    let rows = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row"));
    Some(rows.collect())
}

/// The text of a field of a row.
pub(super) fn text<'r>(row: &'r Value, field: &str) -> &'r str {
    row[field].as_str().expect("a field that is text")
}

/// Compares a name, what was found and what a table expects, for every row; the rows in `differences`, and no others,
/// must differ.
pub(super) fn assert_agreement<'r, T: Debug + PartialEq>(
    corpus: &str,
    cases: impl Iterator<Item = (&'r str, T, T)>,
    differences: &[Difference],
) {
    assert!(differences.len() <= 5, "too many differences in {corpus}");
    let mut total = 0;
    let mut differing = Vec::new();
    for (name, found, expected) in cases {
        total += 1;
        if found != expected {
            differing.push((name, format!("found {found:?}, expected {expected:?}")));
        }
    }
    assert!(total > 0, "{corpus} has no rows");
    let agreeing = total - differing.len();
    support::say(&format!("{corpus}: {agreeing} of {total} rows agree"));
    for Difference { name, reason } in differences {
        support::say(&format!("{corpus}: {name} differs: {reason}"));
    }
    let names: Vec<_> = differing.iter().map(|(name, _)| *name).collect();
    let listed: Vec<_> = differences.iter().map(|row| row.name).collect();
    assert_eq!(names, listed, "{corpus}: {differing:#?}");
}

/// The references alone.
pub(super) fn references<'w>(written: &'w [ReferenceToken<'_>]) -> Vec<&'w str> {
    written.iter().map(|one| &*one.reference).collect()
}

/// Checks on values made of `pieces` what every grammar promises; `ABSOLVE_CASES` sets on how many.
pub(super) fn assert_properties(
    pieces: &'static [&'static str],
    read: impl Fn(&str) -> Vec<ReferenceToken<'_>>,
) {
    for piece in pieces {
        let long = piece.repeat(20_000);
        assert_spans(&long, &read(&long)).expect("spans in a long value");
    }
    let cases = std::env::var("ABSOLVE_CASES").ok();
    let config = Config {
        cases: cases.and_then(|cases| cases.parse().ok()).unwrap_or(20_000),
        failure_persistence: None,
        ..Config::default()
    };
    let value = vec(select(pieces), 0..16).prop_map(|pieces| pieces.concat());
    let other = vec(select(pieces), 0..4).prop_map(|pieces| pieces.concat());
    TestRunner::new(config)
        .run(&(value, other), |(value, other)| {
            let found = read(&value);
            assert_spans(&value, &found)?;
            for index in 0..found.len() {
                assert_replaceable(&value, &found, index, &other, &read)?;
                let itself = found[index].reference.clone();
                prop_assert!(found[index].notation.may_contain(&itself));
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

/// Spans are in bounds, in order, disjoint and between characters, and hold the references.
fn assert_spans(value: &str, found: &[ReferenceToken<'_>]) -> TestCaseResult {
    let mut end = 0;
    for written in found {
        let span = written.span;
        prop_assert!(end <= span.start && span.end <= value.len(), "{span:?}");
        prop_assert_eq!(value.get(span.start..span.end), Some(&*written.reference));
        prop_assert_eq!(written.map.source(0), Some(span.start));
        prop_assert_eq!(written.map.source(span.len()), Some(span.end));
        end = span.end;
    }
    Ok(())
}

/// With `text` in the place of one reference, the same references are read but for that one, which is `text` - if, and
/// only if, its notation may hold it.
fn assert_replaceable(
    value: &str,
    found: &[ReferenceToken<'_>],
    index: usize,
    text: &str,
    read: impl Fn(&str) -> Vec<ReferenceToken<'_>>,
) -> TestCaseResult {
    let ReferenceToken { span, notation, .. } = &found[index];
    let escaped = notation.escape(text, false);
    let replaced = [&value[..span.start], &*escaped, &value[span.end..]].concat();
    let mut expected: Vec<(&str, Notation)> = found
        .iter()
        .map(|written| (&*written.reference, written.notation))
        .collect();
    expected[index].0 = text;
    let again = read(&replaced);
    let again: Vec<(&str, Notation)> = again
        .iter()
        .map(|written| (&*written.reference, written.notation))
        .collect();
    let is_same = again == expected;
    prop_assert_eq!(
        notation.may_contain(text),
        is_same,
        "{:?} as {:?} in {:?}: {:?}",
        text,
        notation,
        replaced,
        again
    );
    Ok(())
}
