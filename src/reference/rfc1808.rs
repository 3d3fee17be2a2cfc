//! RFC 1808, "Relative Uniform Resource Locators": splitting (section 2.4), which URLs can be a base (2.3), and
//! resolving (section 4).
//!
//! Followed to the letter, with these deviations, each marked where it is made:
//!
//! 1. A component that is present but empty (`?`, `;`, `#`) counts as present. The RFC only asks whether it is
//!    "non-empty"; then `href="#"` would turn into a link that reloads the page.
//! 2. The network location of `http://host?query` ends before the `?`.
//! 3. A base URL whose path is empty (`http://host`) has the path `/`.
//! 4. A path that begins with `//` is never written where it would be read as a network location.

use super::escape::Writer;
use super::{Reference, ResolveError};

/// Splits `text` in the order of section 2.4: each rule cuts its component off and leaves the rest to the next one.
pub(super) fn split(text: &str) -> Reference<'_> {
    // 2.4.1 Fragment: what follows the first "#".
    let (rest, fragment) = split_at_first(text, '#');

    // 2.4.2 Scheme: what precedes the first ":", if that is not the first character and everything before it may
    // stand in a scheme.
    let (scheme, rest) = match rest.bytes().position(|byte| !is_scheme_byte(byte)) {
        Some(end) if end > 0 && rest.as_bytes()[end] == b':' => {
            (Some(&rest[..end]), &rest[end + 1..])
        }
        _ => (None, rest),
    };

    // 2.4.3 Network location: after "//", up to the next "/".
    let (authority, rest) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, rest) = rest.split_at(authority_length(rest));
            (Some(authority), rest)
        }
        None => (None, rest),
    };

    // 2.4.4 Query: what follows the first "?".
    let (rest, query) = split_at_first(rest, '?');

    // 2.4.5 Params: what follows the first ";".
    let (path, params) = split_at_first(rest, ';');

    // 2.4.6 Path: all that is left, its leading "/" included.
    Reference {
        scheme,
        authority,
        path,
        params,
        query,
        fragment,
    }
}

/// `1*( alpha | digit | "+" | "-" | "." )`, section 2.2.
fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
}

fn split_at_first(text: &str, delimiter: char) -> (&str, Option<&str>) {
    match text.split_once(delimiter) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// The length in bytes of the network location that `rest` begins with.
fn authority_length(rest: &str) -> usize {
    let authority = &rest[..rest.find('/').unwrap_or(rest.len())];
    // DIFFERENCE: section 2.2 lets a network location hold "?", for the user and password of RFC 1738 section 3.1; a
    // host cannot. Where no "@" follows, the "?" can only begin the query of a URL whose "/" was left out, as in
    // `http://host?p=12`: taking it for part of the host would send every link of that page to a host that does not
    // exist. Test: `a_query_may_follow_the_network_location`.
    match authority.find('?') {
        Some(question_mark) if !authority[question_mark..].contains('@') => question_mark,
        _ => authority.len(),
    }
}

/// Schemes that are never the base of a relative reference.
///
/// The first three are those of section 2.3. The others came later and have no hierarchy either, whatever characters
/// follow the colon; a scheme that is not listed counts as hierarchical when a slash follows it.
const NEVER_RELATIVE: [&str; 14] = [
    "mailto",
    "news",
    "telnet",
    "about",
    "blob",
    "cid",
    "data",
    "javascript",
    "mid",
    "sms",
    "tel",
    "urn",
    "vbscript",
    "view-source",
];

/// Whether `base` can be the base of relative references (section 2.3).
pub(super) fn check_base(base: &Reference<'_>) -> Result<(), ResolveError> {
    let Some(scheme) = base.scheme else {
        return Err(ResolveError::BaseNotAbsolute);
    };
    let never_relative = NEVER_RELATIVE
        .iter()
        .any(|name| name.eq_ignore_ascii_case(scheme));
    match base.authority {
        _ if never_relative => Err(ResolveError::BaseNotHierarchical),
        None if !base.path.starts_with('/') => Err(ResolveError::BaseNotHierarchical),
        Some("") if base.path.is_empty() => Err(ResolveError::BaseMalformed),
        Some(authority) if !authority.chars().all(may_stand_in_authority) => {
            Err(ResolveError::BaseMalformed)
        }
        _ => Ok(()),
    }
}

/// What section 2.2 allows in a network location, and what it does not foresee but browsers take: letters beyond
/// ASCII (internationalised host names) and brackets (IPv6 addresses).
fn may_stand_in_authority(character: char) -> bool {
    !character.is_ascii()
        || (character.is_ascii_graphic()
            && !matches!(
                character,
                '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}'
            ))
}

/// The path of a target: taken over as it is, or put together by step 6.
enum TargetPath<'t> {
    Whole(&'t str),
    Merged { directory: &'t str, path: &'t str },
}

/// Resolves a reference without a scheme: the steps of section 4 that are left when the base URL is established
/// (step 1) and both URLs are split (step 2).
pub(super) fn resolve(base: &Reference<'_>, reference: &Reference<'_>, target: &mut Writer<'_>) {
    // Step 2a. A reference that is empty altogether inherits the entire base URL, and only then its fragment.
    if reference.is_empty() {
        recombine(base, &TargetPath::Whole(base.path), target);
        return;
    }

    // Step 2b. A reference with a scheme is absolute: not for this function.
    // Step 2c. Otherwise it inherits the scheme of the base.
    let mut components = Reference {
        scheme: base.scheme,
        ..*reference
    };
    let path = 'step7: {
        // Step 3. A network location that is not empty: everything else is the reference's own.
        if reference
            .authority
            .is_some_and(|authority| !authority.is_empty())
        {
            break 'step7 TargetPath::Whole(reference.path);
        }
        components.authority = base.authority;

        // Step 4. An absolute path is taken over, dot segments and all.
        if reference.path.starts_with('/') {
            break 'step7 TargetPath::Whole(reference.path);
        }

        // Step 5. An empty path inherits the base's, and then ...
        if reference.path.is_empty() {
            // Step 5a. ... its params, unless the reference has some, and then ...
            // DIFFERENCE: "has some" means the delimiter is there, here and in 5b; the RFC asks for "non-empty".
            // Test: `present_but_empty_components_keep_their_delimiter`.
            if reference.params.is_none() {
                components.params = base.params;
                // Step 5b. ... its query, unless the reference has one.
                if reference.query.is_none() {
                    components.query = base.query;
                }
            }
            break 'step7 TargetPath::Whole(base.path);
        }

        // Step 6. The last segment of the base's path gives way to the reference's path.
        TargetPath::Merged {
            directory: directory(base.path),
            path: reference.path,
        }
    };
    recombine(&components, &path, target);
}

/// The path up to and including its last slash.
fn directory(path: &str) -> &str {
    // DIFFERENCE: a base URL without a path has the path "/", because RFC 1738 section 3.3 lets that slash be left
    // out; to the letter, `http://a` and `g` would give the host `ag`. Test: `a_base_without_a_path_has_the_path_slash`.
    path.rfind('/').map_or("/", |slash| &path[..=slash])
}

/// Step 7. The components are put together, delimiters wherever a component is present.
fn recombine(components: &Reference<'_>, path: &TargetPath<'_>, target: &mut Writer<'_>) {
    if let Some(scheme) = components.scheme {
        target.delimiter(scheme);
        target.delimiter(":");
    }
    if let Some(authority) = components.authority {
        target.delimiter("//");
        target.authority(authority);
    }
    let path_start = target.len();
    match *path {
        TargetPath::Whole(path) => target.path(path),
        TargetPath::Merged { directory, path } => {
            target.delimiter("/");
            for segments in [directory.strip_prefix('/').unwrap_or(directory), path] {
                merge_segments(segments, path_start + 1, target);
            }
        }
    }
    // DIFFERENCE: "fred:/a" and "..//g" give the path "//g", which after "fred:" would be read as the network
    // location "g". A dot segment keeps it a path, as the URL Standard does.
    // Test: `a_path_is_never_read_as_a_network_location`.
    if components.authority.is_none() && target.written()[path_start..].starts_with("//") {
        target.insert_delimiter(path_start, "/.");
    }
    if let Some(params) = components.params {
        target.delimiter(";");
        target.path(params);
    }
    if let Some(query) = components.query {
        target.delimiter("?");
        target.query(query);
    }
    if let Some(fragment) = components.fragment {
        target.delimiter("#");
        target.fragment(fragment);
    }
}

/// Steps 6a to 6d: appends `segments` to a path whose first segment stands at `first` in the target.
///
/// The target holds a path without removable dot segments, ending in a slash, so each new segment can be decided at
/// once; removing the leftmost `segment/../` again and again, as the RFC puts it, gives the same path.
///
/// # Complexity
/// Linear: what is scanned back over to remove a segment is removed.
fn merge_segments(segments: &str, first: usize, target: &mut Writer<'_>) {
    for segment in segments.split_inclusive('/') {
        match segment {
            // Step 6a. "./" is removed; step 6b. so is "." at the end.
            "./" | "." => {}
            // Step 6c. "segment/../" is removed; step 6d. so is "segment/.." at the end.
            "../" | ".." => {
                let parent = &target.written()[first..];
                match parent
                    .strip_suffix('/')
                    .map(|path| path.rfind('/').map_or(0, |slash| slash + 1))
                {
                    Some(start) if &parent[start..] != "../" => target.truncate(first + start),
                    _ => target.path(segment),
                }
            }
            _ => target.path(segment),
        }
    }
}
