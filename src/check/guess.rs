//! What the author of a reference may have meant: readings of a text that are likelier than the one the standards give.

use super::scheme;

/// Top-level domains so common that a name that ends in one is hardly that of a file.
const TOP_LEVEL: [&str; 5] = [".com", ".org", ".net", ".edu", ".gov"];

/// What names of files on the web end in.
const EXTENSIONS: [&str; 24] = [
    "html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "cgi", "css", "js", "mjs",
    "json", "xml", "svg", "png", "jpg", "jpeg", "gif", "webp", "pdf", "txt", "md", "zip",
];

/// What a script writes where a value is missing.
const MISSING_VALUES: [&str; 4] = ["undefined", "null", "NaN", "[object Object]"];

/// A file of a machine with drives, such as `C:\page.html`.
pub(super) fn is_drive_path(reference: &str) -> bool {
    matches!(reference.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// Whether `reference` begins as a path whose first segment holds a colon, rather than with a scheme that anybody uses.
///
/// Pages do use schemes of their own (`myapp:open`), so an unknown scheme alone is no finding: what follows has to look
/// like the rest of a path, or what precedes like no scheme.
pub(super) fn is_path_with_colon(scheme: &str, rest: &str) -> bool {
    if scheme::is_known(scheme)
        || rest.starts_with("//")
        || scheme.len() == 1 && is_alphabetic(scheme)
    {
        return false;
    }
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let has_extension = || {
        let extension = path.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_some_and(|own| EXTENSIONS.iter().any(|name| name.eq_ignore_ascii_case(own)))
    };
    let is_wiki_page = || {
        // "Talk:Main_Page": words as titles have them.
        let begins_upper = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
        scheme.len() > 2
            && begins_upper(scheme)
            && scheme[1..].bytes().all(|byte| byte.is_ascii_lowercase())
            && begins_upper(rest)
    };
    !scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        || is_host_with_port(scheme, path)
        || has_extension()
        || is_wiki_page()
}

fn is_alphabetic(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// A host and a port, such as `example.org:8080/` and `localhost:3000`.
fn is_host_with_port(host: &str, rest: &str) -> bool {
    let port = rest.split('/').next().unwrap_or_default();
    let is_port = (2..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    is_port && (host.contains('.') || host.eq_ignore_ascii_case("localhost"))
}

/// What is missing before a relative reference that begins with a host, or is an address: the whole reference as it was
/// probably meant.
pub(super) fn with_scheme(reference: &str, is_anchor: bool) -> Option<String> {
    if let Some(rest) = reference.strip_prefix("://") {
        return Some(format!("https://{rest}"));
    }
    let path = reference.strip_prefix('/').unwrap_or(reference);
    if path.starts_with("http://") || path.starts_with("https://") {
        return (path != reference).then(|| path.to_owned());
    }
    let first = path.split(['/', '?', '#']).next().unwrap_or_default();
    let lower = first.to_ascii_lowercase();
    let is_name = |text: &str| {
        let labels = text.split('.');
        let is_label = |label: &str| {
            !label.is_empty()
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        text.contains('.') && labels.into_iter().all(is_label)
    };
    let has_file_extension = EXTENSIONS
        .iter()
        .any(|extension| lower.rsplit('.').next() == Some(extension));
    let is_www = lower.starts_with("www.") && lower.matches('.').count() > 1 && !has_file_extension;
    let is_host = is_name(first)
        && (is_www || (path == reference && TOP_LEVEL.iter().any(|name| lower.ends_with(name))));
    if is_host {
        return Some(format!("https://{path}"));
    }
    let (user, host) = first.split_once('@')?;
    let is_address = is_anchor
        && path == reference
        && !user.is_empty()
        && is_name(host)
        && !has_file_extension
        && host.rsplit('.').next().is_some_and(is_alphabetic);
    is_address.then(|| format!("mailto:{reference}"))
}

/// The reference as it was probably meant, where its scheme has a slip of the pen.
pub(super) fn with_right_scheme(reference: &str) -> Option<String> {
    if let Some((scheme, rest)) = scheme::split(reference)
        && let Some(meant) = scheme::meant(scheme)
    {
        return Some(format!("{meant}:{rest}"));
    }
    let begins = |prefix: &str| {
        reference
            .get(..prefix.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
    };
    for scheme in ["http", "https"] {
        // "http//www", "http;//www": the colon is missing or another sign.
        for slip in ["//", ";//", ".//", ",//", " ://", "/://"] {
            let wrong = [scheme, slip].concat();
            if begins(&wrong) {
                return Some(format!("{scheme}://{}", &reference[wrong.len()..]));
            }
        }
        // "http://http://www": what was pasted had a scheme already.
        for outer in ["http://", "https://"] {
            for slip in ["://", "//", ":/"] {
                let wrong = [outer, scheme, slip].concat();
                if begins(&wrong) {
                    let rest = reference[wrong.len()..].trim_start_matches('/');
                    return Some(format!("{scheme}://{rest}"));
                }
            }
        }
    }
    None
}

/// Whether a host that follows two slashes is more likely the first segment of a path.
pub(super) fn is_single_label(reference: &str, base_host: Option<&str>) -> bool {
    let Some(rest) = reference.strip_prefix("//") else {
        return false;
    };
    let host = rest
        .split(['/', '?', '#', ':', '\\'])
        .next()
        .unwrap_or_default();
    !host.is_empty()
        && !host.contains(['.', '[', '@', '%'])
        && !host.eq_ignore_ascii_case("localhost")
        && base_host.is_none_or(|base| !base.eq_ignore_ascii_case(host))
}

/// What a template or a script left in the reference, other than the placeholders that are known as such.
pub(super) fn missing_value(reference: &str) -> Option<&'static str> {
    // Behind other segments it may be a page about it.
    let path = reference.strip_prefix("./").unwrap_or(reference);
    let path = path.strip_prefix('/').unwrap_or(path);
    let encoded = || {
        let lower = ["%7b%7b", "%7B%7B"];
        lower.into_iter().find(|mark| reference.contains(mark))
    };
    MISSING_VALUES
        .into_iter()
        .find(|value| *value == path)
        .or_else(encoded)
}

/// Whether the character does not show, or is not allowed in a URL although it seems to be nothing.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}
