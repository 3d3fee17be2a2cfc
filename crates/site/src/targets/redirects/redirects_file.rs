//! The file `_redirects`, as on Netlify and Cloudflare Pages.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

use super::action::{Action, MAX_LENGTH};

/// The characters that are not percent-encoded in a path segment.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A line of the file: a path, split at slashes, and the reaction to it.
#[derive(Debug, Clone)]
pub(super) struct FileRule {
    segments: Vec<Vec<u8>>,
    /// Whether the path may continue.
    is_prefix: bool,
    action: Action,
}

impl FileRule {
    /// Parses a line of the form `FROM [PARAMETERS] TO [STATUS]`. `*` at the end of FROM matches the rest of a path,
    /// and `:name` a segment.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let from = words.next().filter(|from| from.starts_with('/'))?;
        let to = words.find(|word| word.starts_with('/') || word.contains("://"))?;
        let status = words.next().map(|status| status.trim_end_matches('!'));
        let path = from.strip_suffix('*');
        Some(Self {
            segments: segments(path.unwrap_or(from).as_bytes()),
            is_prefix: path.is_some(),
            action: match status {
                Some(status) if status.starts_with('4') => Action::Fail,
                // The content of another file: which one, and its fragments, are left to scripts.
                Some("200") => Action::Serve,
                _ => Action::Forward(to.to_owned()),
            },
        })
    }

    /// Returns the reaction to the [`segments`] of a path, or `None` if the rule does not match it.
    pub(super) fn action(&self, path: &[Vec<u8>]) -> Option<Action> {
        self.matches(path).then(|| match &self.action {
            Action::Forward(to) => self.fill(to, path).map_or(Action::Serve, Action::Forward),
            action => action.clone(),
        })
    }

    fn matches(&self, path: &[Vec<u8>]) -> bool {
        let is_long_enough = if self.is_prefix {
            path.len() >= self.segments.len()
        } else {
            path.len() == self.segments.len()
        };
        let is_equal = |(pattern, segment): (&Vec<u8>, &Vec<u8>)| {
            pattern == segment || pattern.starts_with(b":")
        };
        is_long_enough && self.segments.iter().zip(path).all(is_equal)
    }

    /// Returns the reference `to` for a path that matches, with the parts of the path that it contains; `None` if it is
    /// longer than [`MAX_LENGTH`].
    fn fill(&self, to: &str, path: &[Vec<u8>]) -> Option<String> {
        let encode = |segment: &Vec<u8>| percent_encode(segment, SEGMENT).to_string();
        let rest: Vec<String> = path[self.segments.len()..].iter().map(encode).collect();
        let fields = self
            .segments
            .iter()
            .zip(path)
            .filter_map(|(pattern, segment)| {
                let name = std::str::from_utf8(pattern).ok()?;
                name.starts_with(':').then(|| (name, encode(segment)))
            });
        let splat = (":splat", rest.join("/"));
        let mut fields: Vec<(&str, String)> = fields.chain([splat]).collect();
        // A name may be the beginning of another one.
        fields.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        fields.iter().try_fold(to.to_owned(), |to, (name, value)| {
            let length = to.len() + to.matches(name).count() * value.len();
            (length <= MAX_LENGTH).then(|| to.replace(name, value))
        })
    }
}

/// Returns the segments of a decoded path that are not empty.
pub(super) fn segments(path: &[u8]) -> Vec<Vec<u8>> {
    let segments = path.split(|&byte| byte == b'/');
    let segments = segments.filter(|segment| !segment.is_empty());
    segments.map(<[u8]>::to_owned).collect()
}
