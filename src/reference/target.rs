//! A target before it is written: its components, and where each comes from.

use super::Reference;

/// One step of a standard's algorithm, as taken for one reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ResolutionStep {
    /// Location in the standard, such as `RFC 1808 section 4, step 5a`.
    pub place: &'static str,
    /// Description of the condition that was met and its effect.
    pub what: &'static str,
}

/// A component of a target, by origin, which decides whether it still has to be escaped.
#[derive(Debug, Clone, Copy)]
pub(super) enum Component<'p> {
    /// From the base URL, and escaped already.
    Inherited(&'p str),
    /// From the reference, and not escaped yet.
    Own(&'p str),
}

/// The path of a target before dot segments are removed.
#[derive(Debug, Clone, Copy)]
pub(super) enum TargetPath<'p> {
    /// A path that is copied without removing dot segments.
    Whole(Component<'p>),
    /// The path of the reference, from which dot segments are to be removed (RFC 3986).
    Reduced(&'p str),
    /// The directory of the base URL followed by the path of the reference, from which dot segments are to be removed.
    Merged { directory: &'p str, path: &'p str },
}

/// The components of a target, each from the base or from the reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'p> {
    pub(super) scheme: Option<&'p str>,
    pub(super) authority: Option<Component<'p>>,
    pub(super) path: TargetPath<'p>,
    pub(super) params: Option<Component<'p>>,
    pub(super) query: Option<Component<'p>>,
    pub(super) fragment: Option<Component<'p>>,
}

/// Returns a target that inherits every component of `base`.
pub(super) fn whole_base<'p>(base: &Reference<'p>) -> Target<'p> {
    Target {
        scheme: base.scheme,
        authority: base.authority.map(Component::Inherited),
        path: TargetPath::Whole(Component::Inherited(base.path)),
        params: base.params.map(Component::Inherited),
        query: base.query.map(Component::Inherited),
        fragment: base.fragment.map(Component::Inherited),
    }
}

/// Returns `path` up to and including its last slash, or `/` if it has none.
pub(super) fn directory(path: &str) -> &str {
    path.rfind('/').map_or("/", |slash| &path[..=slash])
}
