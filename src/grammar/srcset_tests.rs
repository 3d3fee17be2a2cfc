//! Tests of [`srcset`](super::srcset): tables of other projects, examples, and the properties of every grammar.

use super::*;
use crate::grammar::test_support::{
    Difference, assert_agreement, assert_properties, references, rows, text,
};

/// Returns the URL that a user agent might choose in "select an image source", or an empty string without a candidate.
///
/// The standard leaves the choice to the user agent. For a screen with one device pixel per CSS pixel and an image of
/// one CSS pixel, this is the first candidate with the smallest density that is at least one, or else with the
/// largest.
fn selected(value: &str) -> String {
    let mut sources: Vec<(f64, String)> = Vec::new();
    for candidate in Candidates(Cursor::new(value)) {
        if let Some(descriptors) = candidate.descriptors {
            let number = descriptors.density.or(descriptors.width).unwrap_or("1");
            let density = number.parse().expect("a number");
            let url = &value[candidate.url.start..candidate.url.end];
            sources.push((density, url.to_owned()));
        }
    }
    let enough = sources.iter().filter(|(density, _)| *density >= 1.0);
    let smallest = enough.reduce(|best, next| if next.0 < best.0 { next } else { best });
    let all = sources.iter();
    let largest = all.reduce(|best, next| if next.0 > best.0 { next } else { best });
    smallest
        .or(largest)
        .map_or_else(String::new, |(_, url)| url.clone())
}

#[test]
fn srcset_agrees_with_web_platform_tests() {
    let Some(rows) = rows("whatwg/srcset.jsonl") else {
        return;
    };
    let cases = rows.iter().map(|row| {
        let found = selected(text(row, "srcset"));
        (
            text(row, "name"),
            found,
            text(row, "expect_selected").to_owned(),
        )
    });
    assert_agreement("whatwg/srcset.jsonl", cases, &[]);
}

#[test]
fn srcset_agrees_with_parse_srcset() {
    let Some(rows) = rows("peers/parse_srcset.jsonl") else {
        return;
    };
    let cases = rows.iter().map(|row| {
        let found = selected(text(row, "input_html"));
        (text(row, "name"), found, text(row, "expected").to_owned())
    });
    let reason = "the row has lost the U+0001 in its value; what is left is valid";
    let name = "parse-srcset trailing U+0001";
    let differences = [Difference { name, reason }, Difference { name, reason }];
    assert_agreement("peers/parse_srcset.jsonl", cases, &differences);
}

#[test]
fn srcset_finds_the_urls_of_valid_candidates() {
    for (value, expected) in [
        ("", &[][..]),
        (" , ", &[]),
        ("a", &["a"]),
        ("a,b", &["a,b"]),
        ("a, b", &["a", "b"]),
        ("a,b,,c, d", &["a,b,,c", "d"]),
        ("a 1x,b 2x", &["a", "b"]),
        (",,a 1x,,, b 2x , ,c 3x,", &["a", "b", "c"]),
        ("a(1,2).png 1x, b", &["a(1,2).png", "b"]),
        (
            "data:image/png;base64,iVBO= 2x, b",
            &["data:image/png;base64,iVBO=", "b"],
        ),
        ("\u{c}a\u{c}1x\u{c},\u{c}b", &["a", "b"]),
        ("a\u{b}1x", &["a\u{b}1x"]),
        ("a 1\u{1}w, b 1w 1\u{1}h", &[]),
        // An invalid candidate does not affect the next one.
        ("a 1q, b 1x, c 0w, d -1x", &["b"]),
        ("a (, b 1x), c", &["c"]),
        ("a (, b", &[]),
        ("a ((), b), c", &["b)", "c"]),
        ("a 100w 50h, b 50h, c 1x 50h, d 9w 8h 8h", &["a"]),
        // Numbers of any size.
        ("a 99999999999999999999999999w", &["a"]),
        ("a 00000000000000000000000000w", &[]),
        ("a 1e999x, b -1e999x, c -1e-999x", &["a", "c"]),
    ] {
        let valid = srcset(value).filter(|url| url.notation == Notation::Candidate);
        assert_eq!(
            references(&valid.collect::<Vec<_>>()),
            expected,
            "{value:?}"
        );
    }
}

#[test]
fn is_positive_and_is_not_negative_follow_the_number_rules() {
    for valid in [
        "0",
        "-0",
        "1",
        "1.5",
        ".5",
        "1e3",
        "1E-3",
        ".5e+1",
        "007",
        "-0.0e9",
        "-1e-999",
        "1e999",
        "-0.001e-322",
        "-1000e-328",
        "-1e-99999999999999999999",
        "-0e99999999999999999999",
    ] {
        assert!(is_not_negative(valid), "{valid:?}");
    }
    for invalid in [
        "",
        "-",
        ".",
        "1.",
        "+1",
        "1e",
        "1e+",
        "e1",
        "1.5.5",
        "--1",
        "inf",
        "NaN",
        "0x1",
        "1 ",
        "١",
        "1_0",
        "-.",
        ".e1",
        "-.5",
        "-1",
        "-1e999",
        "-0.001e-321",
        "-1000e-327",
        "-1e99999999999999999999",
    ] {
        assert!(!is_not_negative(invalid), "{invalid:?}");
    }
    for valid in ["1", "10", "007", "99999999999999999999999999"] {
        assert!(is_positive(valid), "{valid:?}");
    }
    for invalid in ["", "0", "00", "-1", "+1", "1.0", "1e0", " 1", "١", "inf"] {
        assert!(!is_positive(invalid), "{invalid:?}");
    }
}

#[test]
fn srcset_satisfies_the_properties_of_a_grammar() {
    let pieces = &[
        " ", "\t", "\n", "\u{c}", "\u{b}", ",", ", ", ",,", "(", ")", "a", "/b,c", "data:,d", "1x",
        " 1x", " 2w", " 3h", " -1x", " .5e1x", " 0w", "x", "é", "\u{a0}", "",
    ];
    assert_properties(pieces, |value| srcset(value).collect());
}
