//! The links that the peers written in Rust rewrite.
//!
//! absolve does more: it also reads `srcset`, CSS, `meta refresh`, import maps and further attributes.

use url::Url;

/// Elements and their attributes that contain one URL, as such a tool would typically list them.
pub(crate) const ATTRIBUTES: [(&str, &str); 26] = [
    ("a", "href"),
    ("area", "href"),
    ("audio", "src"),
    ("blockquote", "cite"),
    ("body", "background"),
    ("button", "formaction"),
    ("del", "cite"),
    ("embed", "src"),
    ("form", "action"),
    ("frame", "src"),
    ("iframe", "src"),
    ("img", "longdesc"),
    ("img", "src"),
    ("input", "formaction"),
    ("input", "src"),
    ("ins", "cite"),
    ("link", "href"),
    ("object", "data"),
    ("q", "cite"),
    ("script", "src"),
    ("source", "src"),
    ("table", "background"),
    ("td", "background"),
    ("track", "src"),
    ("video", "poster"),
    ("video", "src"),
];

/// Returns whether the attribute of that element contains a URL.
pub(crate) fn is_link(element: &str, attribute: &str) -> bool {
    ATTRIBUTES.contains(&(element, attribute))
}

/// Returns the attributes of that element that contain a URL.
pub(crate) fn of(element: &str) -> impl Iterator<Item = &'static str> + use<'_> {
    let is_of_it = move |row: &&(&str, &str)| row.0 == element;
    ATTRIBUTES.iter().filter(is_of_it).map(|row| row.1)
}

/// Returns the target of a relative reference.
///
/// Returns `None` if the reference is empty, absolute or cannot be resolved, so it remains unchanged. absolve does not
/// change absolute references either, and parsing them would be the most expensive step of the peers.
pub(crate) fn target(base: &Url, reference: &str) -> Option<String> {
    let reference = reference.trim_ascii();
    if reference.is_empty() || has_scheme(reference) {
        return None;
    }
    base.join(reference).ok().map(String::from)
}

fn has_scheme(reference: &str) -> bool {
    let Some(colon) = reference
        .bytes()
        .position(|byte| matches!(byte, b':' | b'/' | b'?' | b'#'))
    else {
        return false;
    };
    reference.as_bytes()[colon] == b':'
        && reference.starts_with(|first: char| first.is_ascii_alphabetic())
        && reference
            .bytes()
            .take(colon)
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}
