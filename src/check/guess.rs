//! Heuristics for references that probably do not mean what their author intended.

use super::scheme;
use crate::find::starts_with_ignore_case;
use crate::markup::name::NameList;
use crate::scheme::split_rfc1808;

/// Top-level domains that are so common that a name with one is probably not a file name.
const TOP_LEVEL: [&str; 5] = [".com", ".org", ".net", ".edu", ".gov"];

/// File extensions that are common on the web.
static EXTENSIONS: NameList<24> = NameList::of(
    "html htm xhtml shtml php asp aspx jsp cgi css js mjs json xml svg png jpg jpeg gif webp pdf txt md \
     zip",
);

/// The texts that JavaScript prints for a missing value.
const MISSING_VALUES: [&str; 4] = ["undefined", "null", "NaN", "[object Object]"];

/// Returns whether `reference` begins with a drive letter, as in `C:\page.html`.
pub(super) fn is_drive_path(reference: &str) -> bool {
    matches!(reference.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// Returns whether the reference `scheme:rest` is probably a path with a colon in its first segment, or a host and a
/// port.
///
/// Pages also use schemes of their own (`myapp:open`), so an unknown scheme is not enough. In addition, `scheme` must
/// not begin with a letter, both must look like a host and a port or like the title of a wiki page, or the path in
/// `rest` must end with a common file extension.
pub(super) fn is_path_with_colon(scheme: &str, rest: &str) -> bool {
    if scheme::is_known(scheme)
        || rest.starts_with("//")
        || scheme.len() == 1 && is_alphabetic(scheme)
    {
        return false;
    }
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let is_wiki_page = || {
        // "Talk:Main_Page": a namespace and a title, both capitalized.
        let begins_upper = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
        scheme.len() > 2
            && begins_upper(scheme)
            && scheme[1..].bytes().all(|byte| byte.is_ascii_lowercase())
            && begins_upper(rest)
    };
    !scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        || is_host_with_port(scheme, path)
        || has_extension(path)
        || is_wiki_page()
}

/// Returns whether `path` ends with one of [`EXTENSIONS`].
fn has_extension(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, extension)| EXTENSIONS.contains(extension))
}

fn is_alphabetic(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Returns whether `host:rest` begins with a host and a port, such as `example.org:8080/` and `localhost:3000`.
fn is_host_with_port(host: &str, rest: &str) -> bool {
    let port = rest.split('/').next().unwrap_or_default();
    let is_port = (2..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    is_port && (host.contains('.') || host.eq_ignore_ascii_case("localhost"))
}

/// Returns the intended reference, with a scheme, if a relative reference begins with a host or is a mail address.
///
/// Only an anchor (`a` and `area`) can refer to a mail address: `logo@2x.png` is the name of an image.
pub(super) fn with_scheme(reference: &str, element: &str) -> Option<String> {
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
    let is_www =
        lower.starts_with("www.") && lower.matches('.').count() > 1 && !has_extension(first);
    let is_host = is_name(first)
        && (is_www || (path == reference && TOP_LEVEL.iter().any(|name| lower.ends_with(name))));
    if is_host {
        return Some(format!("https://{path}"));
    }
    let (user, host) = first.split_once('@')?;
    let is_address = matches!(element, "a" | "area")
        && path == reference
        && !user.is_empty()
        && is_name(host)
        && !has_extension(first)
        && host.rsplit('.').next().is_some_and(is_alphabetic);
    is_address.then(|| format!("mailto:{reference}"))
}

/// Returns the intended reference if the scheme is misspelled or doubled.
pub(super) fn with_right_scheme(reference: &str) -> Option<String> {
    if let Some((scheme, rest)) = split_rfc1808(reference)
        && let Some(intended) = scheme::corrected(scheme)
    {
        return Some(format!("{intended}:{rest}"));
    }
    let begins = |prefix: &str| starts_with_ignore_case(reference.as_bytes(), prefix.as_bytes());
    if !begins("http") {
        return None;
    }
    for scheme in ["http", "https"] {
        // "http//www", "http;//www": the colon is missing or another character.
        for separator in ["//", ";//", ".//", ",//", " ://", "/://"] {
            let wrong = [scheme, separator].concat();
            if begins(&wrong) {
                return Some(format!("{scheme}://{}", &reference[wrong.len()..]));
            }
        }
        // "http://http://www": the pasted URL already had a scheme.
        for outer in ["http://", "https://"] {
            for separator in ["://", "//", ":/"] {
                let wrong = [outer, scheme, separator].concat();
                if begins(&wrong) {
                    let rest = reference[wrong.len()..].trim_start_matches('/');
                    return Some(format!("{scheme}://{rest}"));
                }
            }
        }
    }
    None
}

/// Returns whether the host after two slashes is probably the first segment of a path: it has no dot, and is neither
/// `localhost` nor `base_host`.
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

/// Returns whether the whole reference is a missing value that a script printed.
pub(super) fn is_missing_value(reference: &str) -> bool {
    // After other segments, such as in "reference/null", such a text may be the name of a page.
    let path = reference.strip_prefix("./").unwrap_or(reference);
    let path = path.strip_prefix('/').unwrap_or(path);
    MISSING_VALUES.contains(&path)
}

/// Returns whether the path of the reference contains a percent-encoded `{{`. A query may contain any text: that of a
/// page that shows source code contains two braces.
pub(super) fn has_encoded_placeholder(reference: &str) -> bool {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    ["%7b%7b", "%7B%7B"]
        .into_iter()
        .any(|opener| path.contains(opener))
}

/// Returns whether the character is white space, a control character, or invisible.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}
