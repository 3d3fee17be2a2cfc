//! The content of the meta elements of pinned sites (`msapplication-task`, `msapplication-notification`,
//! `msapplication-badge`): pairs of a key and a value, some of which are references.

use crate::grammar::list::items;
use crate::grammar::single::trimmed;
use crate::grammar::{Notation, ReferenceToken};
use crate::span::Span;

/// The references in `key=value;key=value`, in order: the values of `action-uri`, `icon-uri` and `polling-uri`, the
/// last also with a number behind it.
///
/// White space around keys and values is not part of them; an empty value is no reference, and neither is an item
/// without an equals sign. A value ends at a semicolon: there is no way to write one.
///
/// # Source
/// Microsoft, "Pinned site metadata reference" and "Pinned site notifications in Windows 8", which show the form by
/// example. Whether the case of keys matters is not said there; here it does not.
pub(crate) fn pairs(value: &str) -> Vec<ReferenceToken<'_>> {
    items(value, |character| character == ';')
        .filter_map(|item| {
            let equals = item.start + value[item.start..item.end].find('=')?;
            let key = trimmed(value, Span::new(item.start, equals));
            let target = trimmed(value, Span::new(equals + 1, item.end));
            let is_reference = holds_reference(&value[key.start..key.end]) && !target.is_empty();
            is_reference.then(|| ReferenceToken::plain(value, target, Notation::SemicolonItem))
        })
        .collect()
}

/// Whether the value of the key `key` is a reference.
fn holds_reference(key: &str) -> bool {
    let name = key.trim_end_matches(|character: char| character.is_ascii_digit());
    name.eq_ignore_ascii_case("polling-uri")
        || key.eq_ignore_ascii_case("action-uri")
        || key.eq_ignore_ascii_case("icon-uri")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::check::{assert_properties, references};

    #[test]
    fn the_values_of_some_keys_are_references() {
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
            assert_eq!(references(&pairs(value)), expected, "{value:?}");
        }
    }

    #[test]
    fn pairs_keep_their_properties() {
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
        assert_properties(pieces, pairs);
    }
}
