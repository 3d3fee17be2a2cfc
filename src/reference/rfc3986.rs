//! RFC 3986, "Uniform Resource Identifier (URI): Generic Syntax": splitting (section 3) and strict resolving (section
//! 5.2).

use super::Reference;
use super::components::split_at_first;
use super::escape::EscapeWriter;
use super::target::{Component, ResolutionStep, Target, TargetPath, directory, whole_base};
use crate::scheme;

/// Splits `text` as the regular expression of appendix B does, except that a scheme must be valid by section 3.1.
pub(super) fn split(text: &str) -> Reference<'_> {
    let (rest, fragment) = split_at_first(text, b'#');
    let (rest, query) = split_at_first(rest, b'?');
    let (scheme, rest) = match scheme::split(rest) {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, rest),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(authority), path)
        }
        None => (None, rest),
    };
    Reference {
        scheme,
        authority,
        path,
        params: None,
        query,
        fragment,
    }
}

/// Returns the components of the target, by the branches of section 5.2.2 in its order.
pub(super) fn target<'p>(
    base: &Reference<'p>,
    reference: &Reference<'p>,
    trace: &mut impl FnMut(ResolutionStep),
) -> Target<'p> {
    let mut step = |what| {
        trace(ResolutionStep {
            place: "RFC 3986 section 5.2.2",
            what,
        });
    };
    // `own` consists of the components of the reference. Each branch replaces more of them by those of the base URL.
    let own = Target {
        scheme: reference.scheme,
        authority: reference.authority.map(Component::Own),
        path: TargetPath::Reduced(reference.path),
        params: None,
        query: reference.query.map(Component::Own),
        fragment: reference.fragment.map(Component::Own),
    };
    // "if defined(R.scheme)".
    if reference.scheme.is_some() {
        step("the scheme is defined: nothing is inherited, dot segments are removed");
        return own;
    }
    let own = Target {
        scheme: base.scheme,
        ..own
    };
    // "if defined(R.authority)".
    if reference.authority.is_some() {
        step("the authority is defined: only the scheme is inherited");
        return own;
    }
    let inherited = Target {
        fragment: own.fragment,
        ..whole_base(base)
    };
    // `if (R.path == "")`.
    if reference.path.is_empty() {
        // "if defined(R.query)".
        if reference.query.is_some() {
            step(
                "the path is empty and the query is defined: scheme, authority and path are inherited",
            );
            return Target {
                query: own.query,
                ..inherited
            };
        }
        step("path and query are empty: scheme, authority, path and query are inherited");
        return inherited;
    }
    let target = Target {
        authority: inherited.authority,
        ..own
    };
    // `if (R.path starts-with "/")`.
    if reference.path.starts_with('/') {
        step("the path begins with a slash: scheme and authority are inherited");
        return target;
    }
    step("the path is relative: merged with the base URL's (5.2.3), dot segments removed (5.2.4)");
    let directory = match base.authority {
        // Section 5.2.3: "/" if the base URL has an authority and an empty path, and otherwise the path up to its last
        // slash. With an authority, a path that is not empty begins with a slash.
        Some(_) => directory(base.path),
        None => base
            .path
            .rfind('/')
            .map_or("", |slash| &base.path[..=slash]),
    };
    Target {
        path: TargetPath::Merged {
            directory,
            path: reference.path,
        },
        ..target
    }
}

/// Writes the path made of `pieces` without dot segments: `remove_dot_segments`, section 5.2.4.
///
/// All pieces but the last must be empty or end with a slash. `path_start` is the offset of the path in what `writer`
/// has written. The RFC moves one segment at a time from an input buffer to an output buffer; so does this function,
/// with the written text as the output buffer.
///
/// # Complexity
/// Linear in total: bytes that are scanned backwards to find a segment are then removed with it.
pub(super) fn write_reduced(
    pieces: &[Component<'_>],
    path_start: usize,
    writer: &mut EscapeWriter<'_>,
) {
    // The RFC moves a segment with the slash before it. Here it is written with the slash after it, and the slash that
    // begins the path is written separately. `first` is the offset of the first segment.
    let mut is_first = true;
    let mut first = path_start;
    for piece in pieces {
        let (Component::Inherited(text) | Component::Own(text)) = *piece;
        let mut rest = text;
        if is_first && let Some(relative) = rest.strip_prefix('/') {
            writer.delimiter("/");
            first = path_start + 1;
            rest = relative;
        }
        is_first &= text.is_empty();
        for segment in rest.split_inclusive('/') {
            match segment {
                // Steps 2A, 2B and 2D. "." is removed with the slash after it.
                "./" | "." => {}
                // Step 2C. ".." is removed with the segment before it.
                // Steps 2A and 2D. At the start of the path, it is removed alone.
                "../" | ".." => {
                    let parent = &writer.written()[first..];
                    let is_segment = !parent.is_empty();
                    let slash = parent.strip_suffix('/').unwrap_or(parent).rfind('/');
                    writer.truncate(first + slash.map_or(0, |slash| slash + 1));
                    if is_segment && slash.is_none() && first == path_start {
                        // To the letter of the RFC, removing a first segment that no slash precedes leaves the slash
                        // after it.
                        writer.delimiter("/");
                        first += 1;
                    }
                }
                // Step 2E. Any other segment is copied.
                _ => match piece {
                    Component::Inherited(_) => writer.path(Component::Inherited(segment)),
                    Component::Own(_) => writer.path(Component::Own(segment)),
                },
            }
        }
    }
}
