//! The way back: the shortest reference from a base URL to a target.

use std::borrow::Cow;

use super::{Profile, Reference, Resolver};

/// The form a reference is to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RelativeForm {
    /// As short as can be: `../g`, `g`, `?q`, `#f`.
    Path,
    /// From the root: `/a/b/g`.
    Root,
}

/// See [`Resolver::relative`].
///
/// Candidates are put together from the components of base and target, shortest first, and the resolver has the last
/// word: only a reference that leads to the target is returned.
pub(super) fn relative<'t>(
    resolver: &Resolver,
    base: &str,
    profile: Profile,
    target: &'t str,
    form: RelativeForm,
) -> Cow<'t, str> {
    let (base, split) = (
        Reference::split(base, profile),
        Reference::split(target, profile),
    );
    // Never across schemes or authorities; `//host` is no shorter for a reader.
    let same_scheme = match (base.scheme, split.scheme) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => false,
    };
    if !same_scheme || base.authority != split.authority {
        return Cow::Borrowed(target);
    }
    let mut found = String::new();
    let mut leads_there = |candidate: &str| {
        found.clear();
        !candidate.is_empty()
            && resolver.resolve_into(candidate, &mut found).is_ok()
            && found == target
    };
    let tail = tail(target, &split);
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
            let (ups, rest) = from_directory(base.path, split.path, tail);
            let relative = "../".repeat(ups) + rest;
            candidates.push(Cow::Owned(format!("./{relative}")));
            candidates.push(Cow::Owned(relative));
            candidates.push(Cow::Borrowed(tail));
        }
        RelativeForm::Root => candidates.push(Cow::Borrowed(tail)),
    }
    candidates.sort_by_key(|candidate| candidate.len());
    candidates
        .into_iter()
        .find(|candidate| leads_there(candidate))
        .unwrap_or(Cow::Borrowed(target))
}

/// The target from its path on.
fn tail<'t>(target: &'t str, split: &Reference<'t>) -> &'t str {
    let scheme = split.scheme.map_or(0, |scheme| scheme.len() + 1);
    let authority = split.authority.map_or(0, |authority| authority.len() + 2);
    &target[scheme + authority..]
}

/// The target from a component on, delimiter included.
fn from<'t>(target: &'t str, component: Option<&'t str>, delimiter: char) -> Option<&'t str> {
    component?;
    if delimiter == '#' {
        target.find('#').map(|at| &target[at..])
    } else {
        let end = target.find('#').unwrap_or(target.len());
        target[..end].find(delimiter).map(|at| &target[at..])
    }
}

/// How many directories to go up from `base`, and what of `tail`, which begins with the path `path`, is left then.
fn from_directory<'t>(base: &str, path: &str, tail: &'t str) -> (usize, &'t str) {
    let directory = base.rfind('/').map_or("", |slash| &base[..=slash]);
    let same = directory
        .bytes()
        .zip(path.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    let shared = directory.as_bytes()[..same]
        .iter()
        .rposition(|&byte| byte == b'/')
        .map_or(0, |slash| slash + 1);
    let ups = directory[shared..].matches('/').count();
    (ups, &tail[shared..])
}
