//! The link table: a row for each attribute, or text of an element, that contains references.
//!
//! The rows define the kinds of links that this crate knows, so adding one means adding a line. There are two
//! exceptions, which belong to no element: markup in conditional comments ([`Preset::Comments`]), and style sheets that
//! are documents of their own ([`Document::style_sheet`](crate::Document::style_sheet)). Attributes that only look like
//! links have no row, and are edited only if a selector of the user selects them: `usemap`, `itemtype`, `script[for]`,
//! XML namespaces.

mod foreign;
mod html;
mod optional;
mod row;

use std::sync::OnceLock;

pub use row::Preset;
pub(crate) use row::Row;

/// Returns every row, in no particular order.
pub(super) fn all_rows() -> impl Iterator<Item = &'static Row> + Clone {
    [html::ROWS, optional::ROWS, foreign::ROWS]
        .into_iter()
        .flatten()
}

/// Returns the rows for an attribute name in order of precedence, highest first.
///
/// The rows of optional presets precede those of [`Preset::Html`], so that enabling a preset has an effect where both
/// have a row. Within each of the two groups, a row for one element precedes a row for every element.
pub(super) fn rows(attribute: &str) -> &'static [&'static Row] {
    let sorted = sorted_rows();
    let start = sorted.partition_point(|row| row.attribute < attribute);
    let length = sorted[start..].partition_point(|row| row.attribute == attribute);
    &sorted[start..start + length]
}

/// Returns the [`rows`] for each attribute name.
pub(super) fn rows_by_attribute() -> impl Iterator<Item = &'static [&'static Row]> {
    sorted_rows().chunk_by(|row, next| row.attribute == next.attribute)
}

/// Returns every row, ordered by the name of the attribute, and for one name by precedence.
fn sorted_rows() -> &'static [&'static Row] {
    static ROWS: OnceLock<Vec<&'static Row>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let mut sorted: Vec<&'static Row> = all_rows().collect();
        // `false` sorts before `true`. The sort is stable, so the order of the lines decides between equals.
        sorted.sort_by_key(|row| {
            let precedence = (row.preset == Preset::Html, row.element == "*");
            (row.attribute, precedence)
        });
        sorted
    })
}
