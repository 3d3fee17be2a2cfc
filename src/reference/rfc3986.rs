//! RFC 3986, "Uniform Resource Identifier (URI): Generic Syntax": splitting (section 3), and resolving by section 5.2,
//! strict.

use super::Reference;
use super::escape::EscapeWriter;
use super::generic::{
    Component, ResolutionStep, Target, TargetPath, directory, split_at_first, whole_base,
};

/// Splits `text` as the expression of appendix B does, except that a scheme is one only if section 3.1 lets it be: it
/// begins with a letter.
pub(super) fn split(text: &str) -> Reference<'_> {
    let (rest, fragment) = split_at_first(text, b'#');
    let (rest, query) = split_at_first(rest, b'?');
    let (scheme, rest) = match scheme_length(rest) {
        Some(end) => (Some(&rest[..end]), &rest[end + 1..]),
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

/// How long the scheme is that `text` begins with, if it does; a colon follows it.
pub(super) fn scheme_length(text: &str) -> Option<usize> {
    let length = text.bytes().position(|byte| !is_scheme_byte(byte))?;
    let is_scheme = text.as_bytes()[length] == b':' && text.as_bytes()[0].is_ascii_alphabetic();
    is_scheme.then_some(length)
}

/// `ALPHA / DIGIT / "+" / "-" / "."`, section 3.1.
fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
}

/// The components of the target: the branches of section 5.2.2, in its order.
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
    let own = Target {
        scheme: reference.scheme,
        authority: reference.authority.map(Component::Own),
        path: TargetPath::Reduced(reference.path),
        params: None,
        query: reference.query.map(Component::Own),
        fragment: reference.fragment.map(Component::Own),
    };
    if reference.scheme.is_some() {
        step(
            "the scheme is defined: everything is the reference's own, without dot segments in the path",
        );
        return own;
    }
    let own = Target {
        scheme: base.scheme,
        ..own
    };
    if reference.authority.is_some() {
        step("the authority is defined: scheme inherited, everything else the reference's own");
        return own;
    }
    let inherited = Target {
        fragment: own.fragment,
        ..whole_base(base)
    };
    if reference.path.is_empty() {
        if reference.query.is_some() {
            step(
                "the path is empty and the query defined: scheme, authority and path are inherited",
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
    if reference.path.starts_with('/') {
        step("the path begins with a slash: scheme and authority are inherited");
        return target;
    }
    step("the path is relative: merged with the base URL's (5.2.3), dot segments removed (5.2.4)");
    let directory = match base.authority {
        // Section 5.2.3: "/" if the base has an authority and no path, else up to the last slash, if there is one.
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

/// `remove_dot_segments` (section 5.2.4) of the path that `pieces` make together, into what is written; the pieces but
/// the last end in a slash.
///
/// The RFC moves segments from an input to an output buffer; this does the same, a segment at a time.
///
/// # Complexity
/// Linear: what is scanned back over to remove a segment is removed.
pub(super) fn write_reduced(
    pieces: &[Component<'_>],
    path_start: usize,
    writer: &mut EscapeWriter<'_>,
) {
    // In the RFC's words a segment is moved with the slash before it; here it is written with the slash behind it,
    // and the slash that begins the path stands by itself.
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
                // 2A, 2B, 2D. "." goes, with the slash behind it.
                "./" | "." => {}
                // 2C. ".." goes, and takes the segment before it along, if there is one.
                "../" | ".." => {
                    let parent = &writer.written()[first..];
                    let is_segment = !parent.is_empty();
                    let slash = parent.strip_suffix('/').unwrap_or(parent).rfind('/');
                    writer.truncate(first + slash.map_or(0, |slash| slash + 1));
                    if is_segment && slash.is_none() && first == path_start {
                        // To the letter, a first segment that no slash precedes leaves the one behind it.
                        writer.delimiter("/");
                        first += 1;
                    }
                }
                // 2E.
                _ => match piece {
                    Component::Inherited(_) => writer.path(Component::Inherited(segment)),
                    Component::Own(_) => writer.path(Component::Own(segment)),
                },
            }
        }
    }
}
