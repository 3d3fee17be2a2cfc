//! [`BaseLayout`]: a base URL with the offsets at which a target may leave it.

use super::{Profile, Reference};

/// A base URL as targets inherit it, with the offsets of its components.
#[derive(Debug, Clone)]
pub(super) struct BaseLayout {
    /// The base URL: escaped in the RFC profiles, normalized in the URL Standard's.
    pub(super) url: String,
    /// Offset after the colon of the scheme.
    pub(super) scheme_end: usize,
    /// Offset of the path, valid in both `url` and `directory`.
    pub(super) path_start: usize,
    /// `url` up to and including the last slash of its path. If the path is empty, a slash is appended, and
    /// `directory` is longer than the prefix of `url` it was made from.
    pub(super) directory: String,
    /// Offset of the query with its `?`, or else `fragment_start`.
    pub(super) query_start: usize,
    /// Offset of the fragment with its `#`, or else the length of `url`.
    pub(super) fragment_start: usize,
    /// Whether every host in ASCII is copied; the URL Standard writes upper case and numbers differently.
    pub(super) copies_host: bool,
    /// Whether the [shortcut](super::shortcut) may be used: everything inherited is escaped, and the path is empty or
    /// begins with exactly one slash and has no dot segments.
    pub(super) is_eligible: bool,
}

impl BaseLayout {
    /// Computes the offsets of `url`, whose components are `split`.
    ///
    /// `is_eligible` is whether the shortcut may be used if the path permits it.
    pub(super) fn new(
        url: &str,
        split: &Reference<'_>,
        profile: Profile,
        is_eligible: bool,
    ) -> Self {
        // One byte for each delimiter, and two for the "//" of the authority.
        let scheme_end = split.scheme.map_or(0, |scheme| scheme.len() + 1);
        let authority = split.authority.map_or(0, |authority| authority.len() + 2);
        let path_start = scheme_end + authority;
        let fragment_start = url.len() - split.fragment.map_or(0, |fragment| fragment.len() + 1);
        let query_start = fragment_start - split.query.map_or(0, |query| query.len() + 1);
        let path = split.path;
        let mut directory = url[..path_start].to_owned();
        // With an authority and no path, both RFCs put a slash between the authority and a relative path.
        let has_no_path = path.is_empty() && split.authority.is_some();
        directory.push_str(match path.rfind('/') {
            Some(slash) => &path[..=slash],
            None if has_no_path => "/",
            None => "",
        });
        // The shortcut copies the directory and cannot remove dot segments from it. A path that begins with "//" is
        // excluded as a precaution.
        // Splitting is slow, and few paths need it.
        let has_dot_segment = path.as_bytes().windows(2).any(|pair| pair == b"/.")
            && path.split('/').any(|segment| matches!(segment, "." | ".."));
        let has_simple_path = path.starts_with('/') && !path.starts_with("//") && !has_dot_segment;
        Self {
            scheme_end,
            copies_host: profile != Profile::Whatwg,
            path_start,
            directory,
            query_start,
            fragment_start,
            is_eligible: is_eligible && (has_simple_path || has_no_path),
            url: url.to_owned(),
        }
    }
}
