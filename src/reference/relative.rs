//! The inverse of resolution: the shortest reference that leads from a base URL to a target.

use std::borrow::Cow;

use super::{Profile, Reference};
use crate::scheme;

/// The form of a relative reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RelativeForm {
    /// The shortest reference without a network location: `../g`, `g`, `?q`, `#f`.
    Path,
    /// A reference with an absolute path: `/a/b/g`.
    Root,
}

/// Implements [`Resolver::relative`](super::Resolver::relative).
///
/// Builds candidates from the components of base and target and tries them, shortest first. The resolver decides: a
/// candidate is returned only if it `resolves_to` the target, in which scheme and authority are spelled as in the base
/// URL. So a candidate may be wrong, but the result never is.
pub(super) fn relative<'t>(
    base: &str,
    profile: Profile,
    target: &'t str,
    form: RelativeForm,
    mut resolves_to: impl FnMut(&str, &str) -> bool,
) -> Cow<'t, str> {
    let base_split = Reference::split(base, profile);
    let split = Reference::split(target, profile);
    // Never across schemes or authorities: `//host` would be a few bytes shorter, but on a disk it leads nowhere.
    if !have_same_authority(&base_split, &split) {
        return Cow::Borrowed(target);
    }
    let tail = tail(target, &split);
    // A relative reference inherits scheme and authority as the base URL has them.
    let prefix = &base[..base.len() - self::tail(base, &base_split).len()];
    let expected = [prefix, tail].concat();
    let mut candidates: Vec<Cow<'t, str>> = Vec::new();
    match form {
        RelativeForm::Path => {
            let (query, fragment) = (
                from(target, split.query, '?'),
                from(target, split.fragment, '#'),
            );
            candidates.extend([fragment, query].into_iter().flatten().map(Cow::Borrowed));
            if let Some(params) = from(target, split.params, ';') {
                candidates.push(Cow::Borrowed(params));
            }
            let (ups, rest) = from_directory(base_split.path, split.path, tail);
            let relative = "../".repeat(ups) + rest;
            // Needed for a first segment with a colon, which would be read as a scheme.
            candidates.push(Cow::Owned(format!("./{relative}")));
            candidates.push(Cow::Owned(relative));
            candidates.push(Cow::Borrowed(tail));
        }
        RelativeForm::Root => candidates.push(Cow::Borrowed(tail)),
    }
    candidates.sort_by_key(|candidate| candidate.len());
    candidates
        .into_iter()
        .find(|candidate| !candidate.is_empty() && resolves_to(candidate, &expected))
        .unwrap_or(Cow::Borrowed(target))
}

/// Returns whether scheme and authority of two URLs are equivalent.
///
/// # Source
/// RFC 3986 section 6.2.2.1: the letter case of scheme and host makes no difference. Section 6.2.3: nor does a port
/// that is empty or the default of the scheme.
fn have_same_authority(a: &Reference<'_>, b: &Reference<'_>) -> bool {
    let (Some(scheme), Some(other_scheme)) = (a.scheme, b.scheme) else {
        return false;
    };
    let is_equivalent = |a, b| {
        let (user, host, port) = normalized_authority(scheme, a);
        let (other_user, other_host, other_port) = normalized_authority(scheme, b);
        // Without a host, the colon of an empty port is not certainly one.
        a == b
            || (!host.is_empty()
                && user == other_user
                && host.eq_ignore_ascii_case(other_host)
                && port == other_port)
    };
    scheme.eq_ignore_ascii_case(other_scheme)
        && match (a.authority, b.authority) {
            (Some(a), Some(b)) => is_equivalent(a, b),
            (a, b) => a == b,
        }
}

/// Splits `authority` into the user, the host and the port, which is `None` if it is empty or the default of `scheme`.
fn normalized_authority<'a>(
    scheme: &str,
    authority: &'a str,
) -> (&'a str, &'a str, Option<&'a str>) {
    let rest = authority.trim_end_matches(|character: char| character.is_ascii_digit());
    let (user_and_host, port) = match rest.strip_suffix(':') {
        Some(user_and_host) => (user_and_host, &authority[rest.len()..]),
        None => (authority, ""),
    };
    let host_start = user_and_host.rfind('@').map_or(0, |at| at + 1);
    let (user, host) = user_and_host.split_at(host_start);
    let is_default =
        scheme::default_port(scheme).is_some_and(|default| port.parse() == Ok(default));
    (
        user,
        host,
        (!port.is_empty() && !is_default).then_some(port),
    )
}

/// Returns `target` from its path on.
fn tail<'t>(target: &'t str, split: &Reference<'t>) -> &'t str {
    let scheme = split.scheme.map_or(0, |scheme| scheme.len() + 1);
    let authority = split.authority.map_or(0, |authority| authority.len() + 2);
    &target[scheme + authority..]
}

/// Returns `target` from `component` on, including its delimiter, or `None` if the component is absent.
fn from<'t>(target: &'t str, component: Option<&'t str>, delimiter: char) -> Option<&'t str> {
    component?;
    if delimiter == '#' {
        target.find('#').map(|offset| &target[offset..])
    } else {
        // The fragment may contain the delimiter, too.
        let end = target.find('#').unwrap_or(target.len());
        target[..end]
            .find(delimiter)
            .map(|offset| &target[offset..])
    }
}

/// Returns how many directories to go up from `base`, and the suffix of `tail` to append then.
///
/// `base` and `path` are the paths of the base URL and the target; `tail` begins with `path`.
fn from_directory<'t>(base: &str, path: &str, tail: &'t str) -> (usize, &'t str) {
    let directory = base.rfind('/').map_or("", |slash| &base[..=slash]);
    let same = directory
        .bytes()
        .zip(path.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    // Back to the end of the last whole segment that both have in common.
    let shared = directory.as_bytes()[..same]
        .iter()
        .rposition(|&byte| byte == b'/')
        .map_or(0, |slash| slash + 1);
    let ups = directory[shared..].matches('/').count();
    (ups, &tail[shared..])
}
