//! Comparison of URLs that differ in spelling only.
//!
//! # Source
//! RFC 3986 sections 6.2.2 (syntax-based normalization) and 6.2.3 (scheme-based normalization).

use std::borrow::Cow;

use encoding_rs::UTF_8;

use super::escape::{a_label, stripped, without_backslashes};
use super::{Authority, Profile, Reference, whatwg};
use crate::scheme;

/// Returns the rest of `url`, as written, after the part that is equivalent to `from`.
///
/// Both must be absolute. The rest is empty or begins with a slash, `?` or `#`; a slash at the end of `from` belongs to
/// it. Returns `None` if `url` is neither equivalent to `from` nor below it.
///
/// # Complexity
/// Linear in the length of both.
pub(crate) fn rest_below(from: &str, url: &str, profile: Profile) -> Option<String> {
    let (from, url) = (with_slashes(from, profile), with_slashes(url, profile));
    let from_split = Reference::split(&from, profile);
    let split = Reference::split(&url, profile);
    if !have_same_authority(&from_split, &split) {
        return None;
    }
    let [(from_path, from_suffix), (path, suffix)] = [tail(&from, &from_split), tail(&url, &split)]
        .map(|tail| match split_path(tail) {
            // Section 6.2.3: a path that is empty after an authority is equivalent to "/".
            ("", suffix) if split.authority.is_some() => ("/", suffix),
            parts => parts,
        });
    if from_suffix.is_empty() {
        let directory = from_path.strip_suffix('/');
        let rest = path_below(directory.unwrap_or(from_path), path)?;
        return (directory.is_none() || rest.starts_with('/')).then(|| [rest, suffix].concat());
    }
    if !path_below(from_path, path)?.is_empty() {
        return None;
    }
    let open = from_suffix.strip_suffix('/');
    let rest = suffix.strip_prefix(open.unwrap_or(from_suffix))?;
    let is_below = rest.starts_with('/')
        || (open.is_none() && (rest.is_empty() || rest.starts_with(['?', '#'])));
    is_below.then(|| rest.to_owned())
}

/// Returns `url`, which must be absolute, stripped and with the slashes that the parser of the profile reads.
///
/// Every profile reads backslashes as slashes. Only the URL Standard's parser supplies missing slashes and drops
/// surplus ones.
pub(crate) fn with_slashes(url: &str, profile: Profile) -> Cow<'_, str> {
    let url = stripped(url);
    let is_incomplete = |(scheme, rest): (&str, &str)| {
        scheme::is_special(scheme)
            && (!rest.starts_with("//")
                || (rest.starts_with("///") && scheme::needs_host(scheme))
                || split_path(rest).0.contains('\\'))
    };
    if profile == Profile::Whatwg
        && scheme::split(&url).is_some_and(is_incomplete)
        && let Ok(parsed) = whatwg::normalize(&url, UTF_8)
    {
        return Cow::Owned(parsed);
    }
    without_backslashes(url, None)
}

/// Returns whether scheme and authority of two URLs are equivalent.
///
/// The letter case of scheme and host makes no difference (section 6.2.2.1), nor does a port that is empty or the
/// default of the scheme (section 6.2.3).
pub(super) fn have_same_authority(a: &Reference<'_>, b: &Reference<'_>) -> bool {
    let (Some(scheme), Some(other_scheme)) = (a.scheme, b.scheme) else {
        return false;
    };
    let is_equivalent = |a, b| {
        if a == b {
            return true;
        }
        let (user, host, port) = normalized_authority(scheme, a);
        let (other_user, other_host, other_port) = normalized_authority(scheme, b);
        // Without a host, the colon of an empty port is not certainly one.
        !host.is_empty()
            && user == other_user
            && ascii_host(host).eq_ignore_ascii_case(&ascii_host(other_host))
            && port == other_port
    };
    scheme.eq_ignore_ascii_case(other_scheme)
        && match (a.authority, b.authority) {
            (Some(a), Some(b)) => is_equivalent(a, b),
            (a, b) => a == b,
        }
}

/// Returns the A-labels of an internationalized host, and any other host unchanged.
fn ascii_host(host: &str) -> Cow<'_, str> {
    if host.is_ascii() {
        return Cow::Borrowed(host);
    }
    a_label(host.as_bytes()).map_or(Cow::Borrowed(host), Cow::Owned)
}

/// Splits `authority` into the user, the host and the port, which is `None` if it is empty or the default of `scheme`.
fn normalized_authority<'a>(
    scheme: &str,
    authority: &'a str,
) -> (&'a str, &'a str, Option<&'a str>) {
    let Authority {
        user, host, port, ..
    } = Authority::split(authority);
    let port = port.strip_prefix(':').unwrap_or_default();
    let is_default =
        scheme::default_port(scheme).is_some_and(|default| port.parse() == Ok(default));
    (
        user,
        host,
        (!port.is_empty() && !is_default).then_some(port),
    )
}

/// Returns `url` from its path on.
pub(super) fn tail<'t>(url: &'t str, split: &Reference<'t>) -> &'t str {
    let scheme = split.scheme.map_or(0, |scheme| scheme.len() + 1);
    let authority = split.authority.map_or(0, |authority| authority.len() + 2);
    &url[scheme + authority..]
}

/// Splits `tail` before its query and fragment.
fn split_path(tail: &str) -> (&str, &str) {
    tail.split_at(tail.find(['?', '#']).unwrap_or(tail.len()))
}

/// Returns the rest of `path` after the part that is equivalent to `from`, which has no slash at its end.
///
/// Dot segments of either are removed first (section 6.2.2.3), so `/a/../b` is not below `/a`, and the rest of `/../b`
/// after the root is `/b`.
fn path_below<'p>(from: &str, path: &'p str) -> Option<&'p str> {
    // Each path begins with an empty segment, before its first slash, which no dot segment removes.
    let mut from_segments: Vec<&str> = Vec::new();
    for segment in from.split('/') {
        match dots(segment) {
            1 => {}
            2 => from_segments.truncate(from_segments.len().saturating_sub(1).max(1)),
            _ => from_segments.push(segment),
        }
    }
    // The number of segments so far, and how many of the first of them are those of `from`.
    let (mut count, mut equal, mut offset, mut rest_start) = (0, 0, 0, None);
    for segment in path.split('/') {
        let end = offset + segment.len();
        match dots(segment) {
            1 => {}
            2 => {
                let is_above_root = count == 1;
                count = if count > 1 { count - 1 } else { count };
                equal = equal.min(count);
                rest_start = rest_start.filter(|_| equal == from_segments.len());
                // It leads to the root itself, but below another directory it would lead out of that.
                if is_above_root && rest_start.is_some() {
                    rest_start = Some(end);
                }
            }
            _ => {
                let expected = from_segments.get(count).filter(|_| equal == count);
                equal += usize::from(expected.is_some_and(|from| is_same_segment(from, segment)));
                count += 1;
                let is_complete = count == from_segments.len() && equal == count;
                rest_start = rest_start.or(is_complete.then_some(end));
            }
        }
        offset = end + 1;
    }
    match &path[rest_start?..] {
        // After `/..`: the root, which has a slash.
        "" if path.starts_with('/') && from_segments.len() == 1 => Some("/"),
        rest => Some(rest),
    }
}

/// Returns the equivalent of `url` without backslashes and dot segments (section 6.2.2.3), or `None` if `url` has
/// neither.
pub(crate) fn with_normal_path(url: &str, profile: Profile) -> Option<String> {
    // A prefilter: most URLs have none. A dot can be percent-encoded.
    if !["/.", "/%2", "\\"].iter().any(|dots| url.contains(dots)) {
        return None;
    }
    let url = with_slashes(url, profile);
    let tail = tail(&url, &Reference::split(&url, profile));
    let (path, suffix) = split_path(tail);
    let path = path.strip_prefix('/')?;
    let mut segments = Vec::new();
    let mut is_changed = matches!(url, Cow::Owned(_));
    let mut is_open = false;
    for segment in path.split('/') {
        let dots = dots(segment);
        is_open = dots > 0;
        is_changed |= is_open;
        match dots {
            1 => {}
            2 => drop(segments.pop()),
            _ => segments.push(segment),
        }
    }
    if is_open {
        segments.push("");
    }
    let prefix = &url[..url.len() - tail.len()];
    is_changed.then(|| [prefix, "/", &segments.join("/"), suffix].concat())
}

/// Returns the number of dots of a dot segment, and 0 for any other segment.
fn dots(segment: &str) -> usize {
    let mut units = units(segment);
    match (units.next(), units.next(), units.next()) {
        (Some((b'.', false)), None, None) => 1,
        (Some((b'.', false)), Some((b'.', false)), None) => 2,
        _ => 0,
    }
}

/// Returns whether two segments are equivalent by sections 6.2.2.1 and 6.2.2.2.
fn is_same_segment(a: &str, b: &str) -> bool {
    units(a).eq(units(b))
}

/// Returns the bytes of `segment`, each with whether it is percent-encoded in the normal form of the segment.
///
/// Unreserved characters are not, and bytes that are no printable ASCII always are.
fn units(segment: &str) -> impl Iterator<Item = (u8, bool)> {
    let hex = |digit: &u8| char::from(*digit).to_digit(16);
    let mut rest = segment.as_bytes();
    std::iter::from_fn(move || {
        let (unit, tail) = match rest {
            [b'%', high, low, tail @ ..] if hex(high).is_some() && hex(low).is_some() => {
                let value = hex(high)
                    .zip(hex(low))
                    .map_or(0, |(high, low)| high << 4 | low);
                let byte = u8::try_from(value).unwrap_or_default();
                let is_unreserved =
                    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
                ((byte, !is_unreserved), tail)
            }
            [byte, tail @ ..] => ((*byte, !byte.is_ascii_graphic()), tail),
            [] => return None,
        };
        rest = tail;
        Some(unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3986 section 5.2.4 has the first row.
    #[test]
    fn with_normal_path_removes_dot_segments() {
        for (url, expected) in [
            ("http://h/a/b/c/./../../g", Some("http://h/a/g")),
            ("http://h/a/.", Some("http://h/a/")),
            ("http://h/a/./?q/.#f/..", Some("http://h/a/?q/.#f/..")),
            ("http://h/a/..", Some("http://h/")),
            ("http://h/../a", Some("http://h/a")),
            ("http://h/a/%2E%2e/b", Some("http://h/b")),
            ("http://h/a//../b", Some("http://h/a/b")),
            ("http://h/.//a", Some("http://h//a")),
            (r"http://h/a\b\..\c", Some("http://h/a/c")),
            (r"http://h/a\b", Some("http://h/a/b")),
            ("http://h/a/...", None),
            ("http://h/.a/%2f", None),
            ("http://h", None),
            ("http://h?a/.", None),
            ("mailto:a/./b", None),
        ] {
            for &profile in Profile::ALL {
                let found = with_normal_path(url, profile);
                assert_eq!(found.as_deref(), expected, "{url}");
            }
        }
    }

    #[test]
    fn rest_below_compares_normal_forms() {
        for (from, url, expected) in [
            ("http://h/d/", "http://h/d/e?q#f", Some("/e?q#f")),
            ("http://h/d", "http://h/d", Some("")),
            ("http://h/", "http://h/../a/./b", Some("/a/./b")),
            ("http://h/", "http://h/a/../../b/", Some("/b/")),
            ("http://h", "http://h/a/../..?q", Some("/?q")),
            ("http://h/d", "http://h/d/../../d/a", Some("/a")),
            ("http://h/d", "http://h/d?q", Some("?q")),
            ("http://h/d", "http://h/de", None),
            ("http://h/d/", "http://h/d", None),
            ("http://h/?q=1", "http://h/?q=1#f", Some("#f")),
            ("http://h/?q=1", "http://h/?q=12", None),
            ("mailto:a@b", "mailto:a@b?subject=c", Some("?subject=c")),
            // Section 6.2.2.1: letter case of scheme, host and percent-encodings.
            ("HTTP://Old.Example/", "http://old.example/a", Some("/a")),
            ("http://h/%c3%a4/", "http://h/%C3%A4/x", Some("/x")),
            ("http://h/D/", "http://h/d/x", None),
            // Section 6.2.2.2: percent-encoded unreserved characters.
            ("http://h/~u/", "http://h/%7Eu/x", Some("/x")),
            ("http://h/a/", "http://h/%2561/x", None),
            ("http://h/a%2Fb/", "http://h/a/b/x", None),
            // Section 6.2.2.3: dot segments.
            ("http://h/d/", "http://h/d/../e", None),
            ("http://h/d/", "http://h/x/../d/e", Some("/e")),
            ("http://h/d/", "http://h/d/e/../f/./g", Some("/e/../f/./g")),
            ("http://h/d/", "http://h/d/../d/%2E%2e/d/g", Some("/g")),
            ("http://h/x/../d/", "http://h/../d/g", Some("/g")),
            // Section 6.2.3: ports and empty paths.
            ("http://h:80/", "http://h/a", Some("/a")),
            ("https://h/", "https://h:443/a", Some("/a")),
            ("http://h/", "http://h:8080/a", None),
            ("http://h/", "http://h?q", Some("/?q")),
            ("http://h", "http://h/a", Some("/a")),
            ("http://h?q", "http://h/?q#f", Some("#f")),
            ("http://h?q", "http://h?q", Some("")),
            (
                "http://b\u{fc}cher.example/",
                "http://xn--bcher-kva.example/a",
                Some("/a"),
            ),
        ] {
            let rest = rest_below(from, url, Profile::Rfc1808);
            assert_eq!(rest.as_deref(), expected, "{from} {url}");
        }
        let rest = |from, url| rest_below(from, url, Profile::Whatwg);
        assert_eq!(
            rest("http:/h/d/", "HTTP:\\\\h\\d\\e").as_deref(),
            Some("/e")
        );
        assert_eq!(rest("file:///x/", "file:/x/y").as_deref(), Some("/y"));
    }
}
