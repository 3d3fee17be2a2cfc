//! The content of the META elements of pinned sites (`msapplication-task`, `msapplication-notification`,
//! `msapplication-badge`): pairs of a key and a value. The values of some keys are references.

use crate::grammar::list::items;
use crate::grammar::notation::Notation;
use crate::grammar::single::trim_span;
use crate::grammar::token::ReferenceToken;
use crate::span::Span;

/// Returns the references in `key=value;key=value`, in order.
///
/// These are the values of `action-uri`, `icon-uri` and `polling-uri`, the last of which may be followed by a number.
/// White space around keys and values is not part of them. An empty value and an item without an equals sign have no
/// reference. A value ends at a semicolon, which cannot be escaped.
///
/// # Source
/// Microsoft, "Pinned site metadata reference" and "Pinned site notifications in Windows 8", which show the form by
/// example. They do not specify whether keys are case-sensitive; here they are not.
pub(crate) fn pairs(value: &str) -> impl Iterator<Item = ReferenceToken<'_>> {
    items(value, |character| character == ';').filter_map(|item| {
        let equals = item.start + value[item.start..item.end].find('=')?;
        let key = trim_span(value, Span::new(item.start, equals));
        let target = trim_span(value, Span::new(equals + 1, item.end));
        let is_reference = is_reference_key(&value[key.start..key.end]) && !target.is_empty();
        is_reference.then(|| ReferenceToken::literal(value, target, Notation::SemicolonItem))
    })
}

/// Returns whether the value of the key `key` is a reference.
fn is_reference_key(key: &str) -> bool {
    let name = key.trim_end_matches(|character: char| character.is_ascii_digit());
    name.eq_ignore_ascii_case("polling-uri")
        || key.eq_ignore_ascii_case("action-uri")
        || key.eq_ignore_ascii_case("icon-uri")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::test_support::{assert_properties, references};

    #[test]
    fn pairs_returns_the_values_of_known_keys() {
        for (value, expected) in [
            ("", &[][..]),
            ("/browserconfig.xml", &[]),
            ("action-uri", &[]),
            ("action-uri=;icon-uri= ", &[]),
            ("=a;b=c;action-uri2=d;polling-urix=e;xpolling-uri=f", &[]),
            ("name=Task 1;action-uri=./x;icon-uri=y", &["./x", "y"]),
            (
                "name=Order; action-uri = ./o.aspx?src=IE9 ;\n icon-uri\t=\tf.ico ; window-type=tab",
                &["./o.aspx?src=IE9", "f.ico"],
            ),
            (
                "frequency=30;polling-uri=/n;polling-uri2=/m;polling-uri10=/k; cycle=1",
                &["/n", "/m", "/k"],
            ),
            ("Frequency=30; Polling-URI=n", &["n"]),
        ] {
            assert_eq!(
                references(&pairs(value).collect::<Vec<_>>()),
                expected,
                "{value:?}"
            );
        }
    }

    #[test]
    fn pairs_satisfies_the_properties_of_a_grammar() {
        let pieces = &[
            "action-uri=",
            "icon-uri",
            "polling-uri",
            "polling-uri2=",
            "name=",
            "=",
            ";",
            " ",
            "\n",
            "\u{c}",
            "\u{b}",
            "7",
            "a",
            "./b?c=d",
            "é",
            "\u{a0}",
            "",
        ];
        assert_properties(pieces, |value| pairs(value).collect());
    }
}
