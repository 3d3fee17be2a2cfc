//! The inverse of resolution: a reference that leads from a base URL to a target.

use std::borrow::Cow;

use super::equivalence::{have_same_authority, tail};
use super::{Profile, Reference, split_fragment};
use crate::names::named_values;

/// The form of a relative reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RelativeForm {
    /// The shortest reference that does not begin with a slash: `../g`, `g`, `?q`, `#f`. If there is none, that of
    /// [`Root`](Self::Root).
    Path,
    /// A reference with an absolute path: `/a/b/g`.
    Root,
}

named_values! { RelativeForm, "form":
    Path => "path",
    Root => "root",
}

/// Implements [`Resolver::relative_where`](super::Resolver::relative_where).
///
/// Builds candidates from the components of base and target and tries them, shortest first, and the absolute path last.
/// The first for which `is_right` returns true is the result. It is called with the candidate and the URL to which that
/// must resolve: the target, in which scheme and authority are spelled as in the base URL. So a candidate may be wrong,
/// but the result never is.
pub(super) fn relative_where<'t>(
    base: &str,
    profile: Profile,
    target: &'t str,
    form: RelativeForm,
    mut is_right: impl FnMut(&str, &str) -> bool,
) -> Option<Cow<'t, str>> {
    let base_split = Reference::split(base, profile);
    let split = Reference::split(target, profile);
    // Never across schemes or authorities: `//host` would be a few bytes shorter, but on a disk it leads nowhere.
    if !have_same_authority(&base_split, &split) {
        return None;
    }
    let target_tail = tail(target, &split);
    // A relative reference inherits scheme and authority as the base URL has them.
    let prefix = &base[..base.len() - tail(base, &base_split).len()];
    let expected = [prefix, target_tail].concat();
    let mut candidates = match form {
        RelativeForm::Path => {
            let (ups, rest) = from_directory(base_split.path, split.path, target_tail);
            path_candidates(target, &split, &("../".repeat(ups) + rest))
        }
        RelativeForm::Root => Vec::new(),
    };
    // Last, although it may be shorter: it depends on the path below which a site is published.
    candidates.push(if target_tail.starts_with("//") {
        // Two slashes would begin an authority. The RFC 1808 profile does not remove this dot segment.
        Cow::Owned(format!("/.{target_tail}"))
    } else {
        Cow::Borrowed(target_tail)
    });
    candidates
        .into_iter()
        .find(|candidate| !candidate.is_empty() && is_right(candidate, &expected))
}

/// Returns the candidates that do not begin with a slash, shortest first.
///
/// `relative` is the path from the directory of the base URL to `target`, whose components are `split`, with the query
/// and fragment of `target`.
fn path_candidates<'t>(
    target: &'t str,
    split: &Reference<'t>,
    relative: &str,
) -> Vec<Cow<'t, str>> {
    let components = [
        from(target, split.fragment, '#'),
        from(target, split.query, '?'),
        from(target, split.params, ';'),
    ];
    let components = components.into_iter().flatten().map(Cow::Borrowed);
    let paths = [
        // Needed for a first segment with a colon, which would be read as a scheme.
        format!("./{relative}"),
        relative.to_owned(),
    ];
    let mut candidates: Vec<_> = components.chain(paths.map(Cow::Owned)).collect();
    candidates.sort_by_key(|candidate| candidate.len());
    candidates
}

/// Returns `target` from `component` on, including its delimiter, or `None` if the component is absent.
fn from<'t>(target: &'t str, component: Option<&'t str>, delimiter: char) -> Option<&'t str> {
    component?;
    // The fragment may contain the delimiter, too.
    let (before, fragment) = split_fragment(target);
    match delimiter {
        '#' => Some(fragment),
        _ => before.find(delimiter).map(|offset| &target[offset..]),
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
