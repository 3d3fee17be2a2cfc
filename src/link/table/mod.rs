//! The link table: a row for each attribute, or text of an element, that contains references.
//!
//! The rows define the kinds of links that this crate knows, so adding one means adding a line. There are two
//! exceptions, which belong to no element: markup in conditional comments ([`Preset::Comments`]), and style sheets that
//! are documents of their own ([`Document::style_sheet`](crate::Document::style_sheet)). Attributes that only look like
//! links have no row, and are edited only if a selector of the user selects them: `usemap`, `itemtype`, `script[for]`,
//! `applet[code]`, XML namespaces.

mod feeds;
mod foreign;
mod html;
mod optional;
mod row;

use std::collections::HashMap;
use std::sync::OnceLock;

pub use row::Preset;
pub(crate) use row::Row;

use crate::link::TEXT;

/// Returns every row, in no particular order.
pub(super) fn all_rows() -> impl Iterator<Item = &'static Row> + Clone {
    [html::ROWS, optional::ROWS, foreign::ROWS, feeds::ROWS]
        .into_iter()
        .flatten()
}

/// Returns the rows for an attribute name in order of precedence, highest first.
///
/// The rows of optional presets precede those of [`Preset::Html`], so that enabling a preset has an effect where both
/// have a row. Within each of the two groups, a row for one element precedes a row for every element.
pub(super) fn rows(attribute: &str) -> &'static [&'static Row] {
    static TEXT_ROWS: OnceLock<&[&Row]> = OnceLock::new();
    let find = || index().get(attribute).map_or(&[][..], Vec::as_slice);
    // Most lookups of a feed are for texts.
    if attribute == TEXT {
        TEXT_ROWS.get_or_init(find)
    } else {
        find()
    }
}

/// Returns the [`rows`] for each attribute name, in no particular order.
pub(super) fn rows_by_attribute() -> impl Iterator<Item = &'static [&'static Row]> {
    index().values().map(Vec::as_slice)
}

/// Returns the [`rows`] by attribute name.
fn index() -> &'static HashMap<&'static str, Vec<&'static Row>> {
    static INDEX: OnceLock<HashMap<&'static str, Vec<&'static Row>>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index: HashMap<&str, Vec<&Row>> = HashMap::new();
        for row in all_rows() {
            index.entry(row.attribute).or_default().push(row);
        }
        for rows in index.values_mut() {
            // `false` sorts before `true`. The sort is stable, so the order of the lines decides between equals.
            rows.sort_by_key(|row| (row.preset == Preset::Html, row.element == "*"));
        }
        index
    })
}
