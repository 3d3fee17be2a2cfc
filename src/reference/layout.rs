//! [`BaseLayout`]: a base URL with the offsets at which a target may leave it.

use memchr::memchr_iter;

use super::characters::CommonSets;
use super::{Profile, Reference};

/// A base URL as targets inherit it, with the offsets of its components.
#[derive(Debug, Clone)]
pub(super) struct BaseLayout {
    /// The base URL: escaped in the RFC profiles, normalized in the URL Standard's.
    pub(super) url: String,
    /// Offset after the colon of the scheme.
    pub(super) scheme_end: usize,
    /// Offset of the path, valid in both `url` and the directory.
    pub(super) path_start: usize,
    /// The length of the directory in `url`; see [`directory`](Self::directory).
    directory_end: usize,
    /// The directory, if it is not a prefix of `url`.
    longer_directory: Option<String>,
    /// Offset of the query with its `?`, or else `fragment_start`.
    pub(super) query_start: usize,
    /// Offset of the fragment with its `#`, or else the length of `url`.
    pub(super) fragment_start: usize,
    /// The sets that contain every byte of `url`.
    pub(super) sets: CommonSets,
    /// Whether every host in ASCII is copied; the URL Standard writes upper case and numbers differently.
    pub(super) copies_host: bool,
    /// Whether the [shortcut](super::shortcut) may be used: everything inherited is escaped, and the path is empty or
    /// begins with exactly one slash and has no dot segments.
    pub(super) is_eligible: bool,
}

impl BaseLayout {
    /// Computes the offsets of `url`, whose components are `split`.
    ///
    /// `sets` are the [common sets](super::characters::CharacterSet::common_to) of its bytes. `is_eligible` is whether
    /// the shortcut may be used if the path permits it.
    pub(super) fn new(
        url: &str,
        split: &Reference<'_>,
        profile: Profile,
        sets: CommonSets,
        is_eligible: bool,
    ) -> Self {
        // One byte for each delimiter, and two for the "//" of the authority.
        let scheme_end = split.scheme.map_or(0, |scheme| scheme.len() + 1);
        let authority = split.authority.map_or(0, |authority| authority.len() + 2);
        let path_start = scheme_end + authority;
        let fragment_start = url.len() - split.fragment.map_or(0, |fragment| fragment.len() + 1);
        let query_start = fragment_start - split.query.map_or(0, |query| query.len() + 1);
        let path = split.path;
        // With an authority and no path, both RFCs put a slash between the authority and a relative path.
        let has_no_path = path.is_empty() && split.authority.is_some();
        let after_slash = path.rfind('/').map_or(0, |slash| slash + 1);
        // The shortcut copies the directory and cannot remove dot segments from it. A path that begins with "//" is
        // excluded as a precaution.
        let has_dot_segment = memchr_iter(b'.', path.as_bytes()).any(|dot| {
            let is_first = dot == 0 || path.as_bytes()[dot - 1] == b'/';
            is_first && matches!(path[dot..].split('/').next(), Some("." | ".."))
        });
        let has_simple_path = path.starts_with('/') && !path.starts_with("//") && !has_dot_segment;
        Self {
            scheme_end,
            sets,
            copies_host: profile != Profile::Whatwg,
            path_start,
            directory_end: path_start + after_slash,
            longer_directory: has_no_path.then(|| [&url[..path_start], "/"].concat()),
            query_start,
            fragment_start,
            is_eligible: is_eligible && (has_simple_path || has_no_path),
            url: url.to_owned(),
        }
    }

    /// Returns the URL up to and including the last slash of its path.
    ///
    /// If the path is empty, a slash is appended, and the directory is longer than the prefix of the URL.
    #[inline]
    pub(super) fn directory(&self) -> &str {
        match &self.longer_directory {
            Some(directory) => directory,
            None => &self.url[..self.directory_end],
        }
    }
}
