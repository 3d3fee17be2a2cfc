//! RFC 1808, "Relative Uniform Resource Locators": splitting (section 2.4) and resolving (section 4).
//!
//! The code follows the RFC to the letter, with these deviations, each marked `DIFFERENCE` where it is made:
//!
//! 1. A component that is present but empty (`?`, `;`, `#`) counts as present. The RFC only tests whether it is
//!    "non-empty"; by that rule `href="#"` would turn into a link that reloads the page.
//! 2. The network location of `http://host?query` ends before the `?`.
//! 3. A base URL whose path is empty (`http://host`) has the path `/`.
//! 4. A path that begins with `//` is never written where it would be read as a network location.
//!
//! Deviations of both RFC profiles are in [`super::escape`].

use super::Reference;
use super::components::split_at_first;
use super::escape::EscapeWriter;
use super::target::{Component, ResolutionStep, Target, TargetPath, directory, whole_base};
use crate::scheme;

/// Splits `text` in the order of section 2.4: each rule cuts off one component and passes the rest to the next rule.
pub(super) fn split(text: &str) -> Reference<'_> {
    // 2.4.1 Fragment: after the first "#".
    let (rest, fragment) = split_at_first(text, b'#');

    // 2.4.2 Scheme: before the first ":", if that is not the first character and a scheme may contain all characters
    // before it.
    let (scheme, rest) = match scheme::split_rfc1808(rest) {
        Some((scheme, rest)) => (Some(scheme), rest),
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

    // 2.4.4 Query: after the first "?".
    let (rest, query) = split_at_first(rest, b'?');

    // 2.4.5 Params: after the first ";".
    let (path, params) = split_at_first(rest, b';');

    // 2.4.6 Path: the rest, including its leading "/".
    Reference {
        scheme,
        authority,
        path,
        params,
        query,
        fragment,
    }
}

/// Returns the length in bytes of the network location at the start of `rest`, the text after `//`.
fn authority_length(scheme: Option<&str>, rest: &str) -> usize {
    let authority = &rest[..rest.find('/').unwrap_or(rest.len())];
    // DIFFERENCE: section 2.2 allows "?" in a network location, for the user and password of RFC 1738 section 3.1. A
    // host cannot contain it, and HTTP has no user and password (RFC 1738 section 3.3). There the "?" can only begin
    // the query of a URL whose "/" was left out, as in `http://host?p=12`: if it were part of the host, every link of
    // that page would lead to a host that does not exist. Test: `resolve_query_may_follow_the_network_location`.
    let may_have_user = scheme.is_some_and(|scheme| !is_http(scheme));
    match authority.find('?') {
        // An "@" after the "?" ends a user and password that contains the "?".
        Some(question_mark) if !(may_have_user && authority[question_mark..].contains('@')) => {
            question_mark
        }
        _ => authority.len(),
    }
}

fn is_http(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// Step 2b, which the caller of [`target`] handles.
pub(super) const ABSOLUTE: ResolutionStep = ResolutionStep {
    place: "RFC 1808 section 4, step 2b",
    what: "the reference has a scheme: it is absolute",
};

/// Returns the components of the target of a reference without a scheme.
///
/// These are the steps of section 4 that remain once the base URL is established (step 1) and both URLs are split
/// (step 2).
pub(super) fn target<'p>(
    base: &Reference<'p>,
    reference: &Reference<'p>,
    trace: &mut impl FnMut(ResolutionStep),
) -> Target<'p> {
    let mut step = |place, what| trace(ResolutionStep { place, what });
    // Step 2a. An empty reference inherits the entire base URL. This is the only case that inherits the fragment.
    if reference.is_empty() {
        step(
            "RFC 1808 section 4, step 2a",
            "the reference is empty: the entire base URL is inherited",
        );
        return whole_base(base);
    }

    // Step 2b. A reference with a scheme is absolute; the caller has handled it.
    // Step 2c. Any other reference inherits the scheme of the base URL.
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
        // Step 3. If the network location is not empty, the remaining components are those of the reference.
        if reference
            .authority
            .is_some_and(|authority| !authority.is_empty())
        {
            step(
                "RFC 1808 section 4, step 3",
                "the reference has a network location: skip to step 7",
            );
            break 'step7;
        }
        step(
            "RFC 1808 section 4, step 3",
            "the network location is inherited",
        );
        target.authority = base.authority.map(Component::Inherited);

        // Step 4. An absolute path is copied, including its dot segments.
        if reference.path.starts_with('/') {
            step(
                "RFC 1808 section 4, step 4",
                "the path begins with a slash: skip to step 7",
            );
            break 'step7;
        }

        // Step 5. An empty path inherits the path of the base URL.
        if reference.path.is_empty() {
            step(
                "RFC 1808 section 4, step 5",
                "the path is empty: the path of the base URL is inherited",
            );
            target.path = TargetPath::Whole(Component::Inherited(path_of(base)));
            // Step 5a. It also inherits the params, unless the reference has params.
            // DIFFERENCE: here and in step 5b, a component whose delimiter is present counts; the RFC requires it to be
            // "non-empty". Test: `resolve_keeps_delimiters_of_empty_components`.
            if reference.params.is_some() {
                step(
                    "RFC 1808 section 4, step 5a",
                    "the reference has params: skip to step 7",
                );
                break 'step7;
            }
            step("RFC 1808 section 4, step 5a", "the params are inherited");
            target.params = base.params.map(Component::Inherited);
            // Step 5b. It then also inherits the query, unless the reference has one.
            if reference.query.is_some() {
                step(
                    "RFC 1808 section 4, step 5b",
                    "the reference has a query: skip to step 7",
                );
            } else {
                step("RFC 1808 section 4, step 5b", "the query is inherited");
                target.query = base.query.map(Component::Inherited);
            }
            break 'step7;
        }

        // Step 6. The path replaces the last segment of the base URL's path.
        step(
            "RFC 1808 section 4, step 6",
            "the path replaces the last segment of the base URL's path, and dot segments are removed",
        );
        target.path = TargetPath::Merged {
            directory: directory(path_of(base)),
            path: reference.path,
        };
    }
    step(
        "RFC 1808 section 4, step 7",
        "the components are recombined",
    );
    target
}

/// Returns the path of a base URL, which is `/` if it is missing.
fn path_of<'p>(base: &Reference<'p>) -> &'p str {
    // DIFFERENCE: a base URL without a path has the path "/", because RFC 1738 section 3.3 allows that slash to be left
    // out. To the letter, `http://a` and `g` would yield the host `ag`, and `;x` the host `a;x`.
    // Test: `resolve_base_without_path_has_path_slash`.
    if base.path.is_empty() { "/" } else { base.path }
}

/// Writes `directory` followed by `path` without removable dot segments: steps 6a to 6d.
///
/// `path_start` is the offset of the path in what `writer` has written. `directory` ends with a slash.
pub(super) fn write_merged(
    directory: &str,
    path: &str,
    path_start: usize,
    writer: &mut EscapeWriter<'_>,
) {
    writer.delimiter("/");
    // Segments are written with the slash that follows them, so the first one begins after the slash just written.
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

/// Appends `segment` to a path whose first segment begins at `first` in the written text.
///
/// `component` contains the same text and its origin.
///
/// Invariant: the path written so far has no removable dot segments and ends with a slash. So each new segment can be
/// decided at once, with the same result as removing the leftmost `segment/../` repeatedly, as the RFC specifies.
///
/// # Complexity
/// Linear in total: bytes that are scanned backwards to find a segment are then removed with it.
fn write_segment(
    component: Component<'_>,
    segment: &str,
    first: usize,
    writer: &mut EscapeWriter<'_>,
) {
    match segment {
        // Step 6a. "./" is removed.
        // Step 6b. So is "." at the end.
        "./" | "." => {}
        // Step 6c. "segment/../" is removed, unless the segment is "..".
        // Step 6d. So is "segment/.." at the end.
        "../" | ".." => {
            // `None` if nothing precedes: then ".." remains, as it does after another "..".
            let parent = &writer.written()[first..];
            let start = parent
                .strip_suffix('/')
                .map(|path| path.rfind('/').map_or(0, |slash| slash + 1));
            match start {
                Some(start) if &parent[start..] != "../" => writer.truncate(first + start),
                _ => writer.path(component),
            }
        }
        _ => writer.path(component),
    }
}
