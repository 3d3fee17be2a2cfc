//! Support for the tests of the grammars: tables of cases, and the properties that every grammar must satisfy.

use std::fmt::Debug;
use std::fs;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestCaseResult, TestRunner};
use serde_json::Value;

use super::{NonAscii, Notation, ReferenceToken};

/// A row of a table with which a grammar disagrees, and the reason.
pub(super) struct Difference {
    pub(super) name: &'static str,
    pub(super) reason: &'static str,
}

/// Returns the rows of a corpus in JSON Lines; `None`, after printing a message, if it is missing.
pub(super) fn rows(corpus: &str) -> Option<Vec<Value>> {
    let lines = fs::read_to_string(support::corpora(corpus)?).expect("a readable corpus");
    let rows = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row"));
    Some(rows.collect())
}

/// Returns the text of a field of a row.
pub(super) fn text<'r>(row: &'r Value, field: &str) -> &'r str {
    row[field].as_str().expect("a field that is text")
}

/// Asserts that all rows agree except those in `differences`, which must differ.
///
/// Each case is the name of a row, the actual result and the expected one.
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
    support::print_line(&format!("{corpus}: {agreeing} of {total} rows agree"));
    for Difference { name, reason } in differences {
        support::print_line(&format!("{corpus}: {name} differs: {reason}"));
    }
    let names: Vec<_> = differing.iter().map(|(name, _)| *name).collect();
    let listed: Vec<_> = differences.iter().map(|row| row.name).collect();
    assert_eq!(names, listed, "{corpus}: {differing:#?}");
}

/// Returns the reference of each token.
pub(super) fn references<'w>(tokens: &'w [ReferenceToken<'_>]) -> Vec<&'w str> {
    tokens.iter().map(|token| &*token.reference).collect()
}

/// Asserts the properties of every grammar on values made of `pieces`; `ABSOLVE_CASES` sets the number of values.
pub(super) fn assert_properties(
    pieces: &'static [&'static str],
    read: impl Fn(&str) -> Vec<ReferenceToken<'_>>,
) {
    // Long values, which a quadratic implementation would not finish in reasonable time.
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
    let replacement = vec(select(pieces), 0..4).prop_map(|pieces| pieces.concat());
    TestRunner::new(config)
        .run(&(value, replacement), |(value, replacement)| {
            let tokens = read(&value);
            assert_spans(&value, &tokens)?;
            for index in 0..tokens.len() {
                assert_replaceable(&value, &tokens, index, &replacement, &read)?;
                let itself = tokens[index].reference.clone();
                prop_assert!(tokens[index].notation.can_represent(&itself));
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

/// Asserts that spans are in bounds, in order, disjoint and on character boundaries, and contain the references.
fn assert_spans(value: &str, tokens: &[ReferenceToken<'_>]) -> TestCaseResult {
    let mut end = 0;
    for token in tokens {
        let span = token.span;
        prop_assert!(end <= span.start && span.end <= value.len(), "{span:?}");
        prop_assert_eq!(value.get(span.start..span.end), Some(&*token.reference));
        prop_assert_eq!(token.map.source(0), Some(span.start));
        prop_assert_eq!(token.map.source(span.len()), Some(span.end));
        end = span.end;
    }
    Ok(())
}

/// Asserts that `text` can replace the reference at `index` without other effects, if its notation allows `text`.
///
/// If the notation does not allow `text`, asserts that the replacement changes more than that.
fn assert_replaceable(
    value: &str,
    tokens: &[ReferenceToken<'_>],
    index: usize,
    text: &str,
    read: impl Fn(&str) -> Vec<ReferenceToken<'_>>,
) -> TestCaseResult {
    let ReferenceToken { span, notation, .. } = &tokens[index];
    let escaped = notation.escape(text, NonAscii::Literal);
    let replaced = [&value[..span.start], &*escaped, &value[span.end..]].concat();
    let mut expected: Vec<(&str, Notation)> = tokens
        .iter()
        .map(|token| (&*token.reference, token.notation))
        .collect();
    expected[index].0 = text;
    let reread = read(&replaced);
    let reread: Vec<(&str, Notation)> = reread
        .iter()
        .map(|token| (&*token.reference, token.notation))
        .collect();
    let is_same = reread == expected;
    prop_assert_eq!(
        notation.can_represent(text),
        is_same,
        "{:?} as {:?} in {:?}: {:?}",
        text,
        notation,
        replaced,
        reread
    );
    Ok(())
}
