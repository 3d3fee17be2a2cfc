//! What a link is for the peers, and when they resolve it: the same for all of them.
//!
//! They have less to do than absolve, which reads `srcset`, CSS, refreshes, import maps and obsolete attributes too.

use url::Url;

/// The attributes that hold one URL, as people list them who write such a tool.
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

/// Whether that attribute holds a URL.
pub(crate) fn is_link(element: &str, attribute: &str) -> bool {
    ATTRIBUTES.contains(&(element, attribute))
}

/// The attributes of that element that hold a URL.
pub(crate) fn of(element: &str) -> impl Iterator<Item = &'static str> + use<'_> {
    let is_of_it = move |row: &&(&str, &str)| row.0 == element;
    ATTRIBUTES.iter().filter(is_of_it).map(|row| row.1)
}

/// What is to be written instead of `reference`; `None` where it stays.
///
/// Absolute references stay, as with absolve: that spares the peers their most expensive step.
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
