//! The oracle of the profile `whatwg`, and where it deviates from the URL Standard.

/// Returns whether the `url` crate, as of 2.5.8, may deviate from the URL Standard for `base` and `reference`.
///
/// It does not skip slashes after the second, treats drive letters specially in every scheme, does not encode `^` in a
/// path, removes empty segments of `file` URLs, rejects ASCII hosts with an invalid label
/// `xn--`, and does not encode the last space of an opaque path. If the scheme of the base URL or of the reference is
/// not special, it reads a backslash as a slash and accepts `//@`.
pub fn is_known_to_differ(base: &str, reference: &str) -> bool {
    let has_backslash = base.contains('\\') || reference.contains('\\');
    let [base, reference] = [base, reference].map(|text| {
        let text = text.replace(['\t', '\n', '\r'], "").replace('\\', "/");
        // Both parsers remove these from the ends.
        text.trim_matches(|end| end <= ' ').to_owned()
    });
    // After a scheme, too, as in "http:c:/..".
    let has_drive_letter = |text: &str| {
        text.split(['/', '?', '#'])
            .map(|part| part.strip_suffix([':', '|']).unwrap_or_default())
            .any(|rest| {
                rest.rsplit(':')
                    .next()
                    .is_some_and(|letter| letter.len() == 1)
            })
    };
    let is_special = |text: &str| {
        let scheme = text.split(':').next().unwrap_or_default();
        ["http", "https", "ws", "wss", "ftp", "file"].contains(&&*scheme.to_lowercase())
    };
    let is_other = !is_special(&base) || (reference.contains(':') && !is_special(&reference));
    reference.starts_with("///")
        || [&base, &reference].into_iter().any(|text| {
            let is_opaque = text.contains(" ?") || text.contains(" #");
            let lower = text.to_lowercase();
            has_drive_letter(text)
                || text.contains('^')
                || lower.contains("xn--")
                || lower.contains("file:")
                || is_opaque
        })
        || (is_other && (has_backslash || reference.contains('@')))
}
