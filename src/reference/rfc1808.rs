//! RFC 1808, "Relative Uniform Resource Locators": splitting (section 2.4) and resolving (section 4).
//!
//! Followed to the letter, with these deviations, each marked where it is made:
//!
//! 1. A component that is present but empty (`?`, `;`, `#`) counts as present. The RFC only asks whether it is
//!    "non-empty"; then `href="#"` would turn into a link that reloads the page.
//! 2. The network location of `http://host?query` ends before the `?`.
//! 3. A base URL whose path is empty (`http://host`) has the path `/`.
//! 4. A path that begins with `//` is never written where it would be read as a network location.

use super::Reference;
use super::escape::EscapeWriter;
use super::generic::{
    Component, ResolutionStep, Target, TargetPath, directory, split_at_first, whole_base,
};

/// Splits `text` in the order of section 2.4: each rule cuts its component off and leaves the rest to the next one.
pub(super) fn split(text: &str) -> Reference<'_> {
    // 2.4.1 Fragment: what follows the first "#".
    let (rest, fragment) = split_at_first(text, b'#');

    // 2.4.2 Scheme: what precedes the first ":", if that is not the first character and everything before it may
    // stand in a scheme.
    let (scheme, rest) = match scheme_length(rest) {
        Some(end) => (Some(&rest[..end]), &rest[end + 1..]),
        None => (None, rest),
    };

    // 2.4.3 Network location: after "//", up to the next "/".
    let (authority, rest) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, rest) = rest.split_at(authority_length(scheme, rest));
            (Some(authority), rest)
        }
        None => (None, rest),
    };

    // 2.4.4 Query: what follows the first "?".
    let (rest, query) = split_at_first(rest, b'?');

    // 2.4.5 Params: what follows the first ";".
    let (path, params) = split_at_first(rest, b';');

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

/// How long the scheme is that `text` begins with, if it does; a colon follows it.
pub(super) fn scheme_length(text: &str) -> Option<usize> {
    let length = text.bytes().position(|byte| !is_scheme_byte(byte))?;
    (length > 0 && text.as_bytes()[length] == b':').then_some(length)
}

/// `1*( alpha | digit | "+" | "-" | "." )`, section 2.2.
fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
}

/// The length in bytes of the network location that `rest` begins with.
fn authority_length(scheme: Option<&str>, rest: &str) -> usize {
    let authority = &rest[..rest.find('/').unwrap_or(rest.len())];
    // DIFFERENCE: section 2.2 lets a network location hold "?", for the user and password of RFC 1738 section 3.1; a
    // host cannot, and HTTP has no user and password (RFC 1738 section 3.3). There the "?" can only begin the query of
    // a URL whose "/" was left out, as in `http://host?p=12`: taking it for part of the host would send every link of
    // that page to a host that does not exist. Test: `a_query_may_follow_the_network_location`.
    let has_user = scheme.is_some_and(|scheme| !is_http(scheme));
    match authority.find('?') {
        Some(question_mark) if !(has_user && authority[question_mark..].contains('@')) => {
            question_mark
        }
        _ => authority.len(),
    }
}

fn is_http(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// Step 2b: not for [`target`].
pub(super) const ABSOLUTE: ResolutionStep = ResolutionStep {
    place: "RFC 1808 section 4, step 2b",
    what: "the reference has a scheme: it is absolute",
};

/// The components of the target of a reference without a scheme: the steps of section 4 that are left when the base
/// URL is established (step 1) and both URLs are split (step 2).
pub(super) fn target<'p>(
    base: &Reference<'p>,
    reference: &Reference<'p>,
    trace: &mut impl FnMut(ResolutionStep),
) -> Target<'p> {
    let mut step = |place, what| trace(ResolutionStep { place, what });
    // Step 2a. A reference that is empty altogether inherits the entire base URL, and only then its fragment.
    if reference.is_empty() {
        step(
            "RFC 1808 section 4, step 2a",
            "the reference is empty: the entire base URL is inherited",
        );
        return whole_base(base);
    }

    // Step 2b. A reference with a scheme is absolute.
    // Step 2c. Otherwise it inherits the scheme of the base.
    step("RFC 1808 section 4, step 2c", "the scheme is inherited");
    let mut target = Target {
        scheme: base.scheme,
        authority: reference.authority.map(Component::Own),
        path: TargetPath::Whole(Component::Own(reference.path)),
        params: reference.params.map(Component::Own),
        query: reference.query.map(Component::Own),
        fragment: reference.fragment.map(Component::Own),
    };
    'step7: {
        // Step 3. A network location that is not empty: everything else is the reference's own.
        if reference
            .authority
            .is_some_and(|authority| !authority.is_empty())
        {
            step(
                "RFC 1808 section 4, step 3",
                "the reference has a network location: on to step 7",
            );
            break 'step7;
        }
        step(
            "RFC 1808 section 4, step 3",
            "the network location is inherited",
        );
        target.authority = base.authority.map(Component::Inherited);

        // Step 4. An absolute path is taken over, dot segments and all.
        if reference.path.starts_with('/') {
            step(
                "RFC 1808 section 4, step 4",
                "the path begins with a slash: on to step 7",
            );
            break 'step7;
        }

        // Step 5. An empty path inherits the base's, and then ...
        if reference.path.is_empty() {
            step(
                "RFC 1808 section 4, step 5",
                "the path is empty: the path of the base URL is inherited",
            );
            target.path = TargetPath::Whole(Component::Inherited(path_of(base)));
            // Step 5a. ... its params, unless the reference has some, and then ...
            // DIFFERENCE: "has some" means the delimiter is there, here and in 5b; the RFC asks for "non-empty".
            // Test: `present_but_empty_components_keep_their_delimiter`.
            if reference.params.is_some() {
                step(
                    "RFC 1808 section 4, step 5a",
                    "the reference has params: on to step 7",
                );
                break 'step7;
            }
            step("RFC 1808 section 4, step 5a", "the params are inherited");
            target.params = base.params.map(Component::Inherited);
            // Step 5b. ... its query, unless the reference has one.
            if reference.query.is_some() {
                step(
                    "RFC 1808 section 4, step 5b",
                    "the reference has a query: on to step 7",
                );
            } else {
                step("RFC 1808 section 4, step 5b", "the query is inherited");
                target.query = base.query.map(Component::Inherited);
            }
            break 'step7;
        }

        // Step 6. The last segment of the base's path gives way to the reference's path.
        step(
            "RFC 1808 section 4, step 6",
            "the last segment of the base URL's path gives way to the path, and dot segments are removed",
        );
        target.path = TargetPath::Merged {
            directory: directory(path_of(base)),
            path: reference.path,
        };
    }
    step(
        "RFC 1808 section 4, step 7",
        "the components are put together",
    );
    target
}

/// The path of a base URL.
fn path_of<'p>(base: &Reference<'p>) -> &'p str {
    // DIFFERENCE: a base URL without a path has the path "/", because RFC 1738 section 3.3 lets that slash be left out;
    // to the letter, `http://a` and `g` would give the host `ag`, and `;x` the host `a;x`.
    // Test: `a_base_without_a_path_has_the_path_slash`.
    if base.path.is_empty() { "/" } else { base.path }
}

/// Steps 6a to 6d: writes the path that `directory` and `path` make together.
pub(super) fn write_merged(
    directory: &str,
    path: &str,
    path_start: usize,
    writer: &mut EscapeWriter<'_>,
) {
    writer.delimiter("/");
    let first = path_start + 1;
    for segment in directory
        .strip_prefix('/')
        .unwrap_or(directory)
        .split_inclusive('/')
    {
        write_segment(Component::Inherited(segment), segment, first, writer);
    }
    for segment in path.split_inclusive('/') {
        write_segment(Component::Own(segment), segment, first, writer);
    }
}

/// Appends a segment to a path whose first segment stands at `first` in what is written.
///
/// That path has no removable dot segments and ends in a slash, so each new segment can be decided at once; removing
/// the leftmost `segment/../` again and again, as the RFC puts it, gives the same path.
///
/// # Complexity
/// Linear: what is scanned back over to remove a segment is removed.
fn write_segment(part: Component<'_>, segment: &str, first: usize, writer: &mut EscapeWriter<'_>) {
    match segment {
        // Step 6a. "./" is removed; step 6b. so is "." at the end.
        "./" | "." => {}
        // Step 6c. "segment/../" is removed; step 6d. so is "segment/.." at the end.
        "../" | ".." => {
            let parent = &writer.written()[first..];
            let start = parent
                .strip_suffix('/')
                .map(|path| path.rfind('/').map_or(0, |slash| slash + 1));
            match start {
                Some(start) if &parent[start..] != "../" => writer.truncate(first + start),
                _ => writer.path(part),
            }
        }
        _ => writer.path(part),
    }
}
