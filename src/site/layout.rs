//! Layouts: where in a folder the files of a host are, and under which name the file of a URL is.

use std::fmt;
use std::str::FromStr;

use encoding_rs::UTF_8;

use super::path::{push_segment, unescaped};
use crate::reference::{Escape, Profile, Reference, normalize};

/// How a folder was laid out by whoever downloaded it.
///
/// In every layout but [`Site`](Self::Site) the folder holds one directory for each host; or none, if a URL is given
/// for the folder as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// `wget --recursive`, with or without `--adjust-extension`, `--protocol-directories`, `--no-host-directories` and
    /// `--restrict-file-names`: the query is part of the file's name.
    Wget,
    /// HTTrack, in the structure it has by default: the name ends in a digest of the query.
    HtTrack,
    /// The path of the URL as it is, and `index.html` where it ends in a slash.
    HostPath,
    /// The files of a static site, which answer to a URL whatever its query: `about.html` and `about/index.html` also
    /// answer to `about`.
    Site,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Self; 4] = [Self::Wget, Self::HtTrack, Self::HostPath, Self::Site];

    /// The name used on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wget => "wget",
            Self::HtTrack => "httrack",
            Self::HostPath => "host-path",
            Self::Site => "site",
        }
    }
}

/// A name that is no layout's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownLayout;

impl fmt::Display for UnknownLayout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no layout of that name")
    }
}

impl std::error::Error for UnknownLayout {}

impl FromStr for Layout {
    type Err = UnknownLayout;

    fn from_str(name: &str) -> Result<Self, UnknownLayout> {
        let mut all = Self::ALL.into_iter();
        all.find(|layout| layout.name() == name)
            .ok_or(UnknownLayout)
    }
}

/// A URL of the web, as browsers write it, in the parts that make a file's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) scheme: Scheme,
    /// Host and port; no port where it is the scheme's own.
    pub(super) authority: String,
    /// Begins with a slash.
    pub(super) path: String,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

/// How files of the web are retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scheme {
    Http,
    Https,
}

impl Scheme {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

impl Address {
    /// The parts of `url`; `None` if it is none of the web.
    pub(super) fn parse(url: &str) -> Option<Self> {
        if !is_of_the_web(url) {
            return None;
        }
        let url = normalize(url, Profile::Whatwg, Escape::Url, UTF_8).ok()?;
        let parts = Reference::split(&url, Profile::Rfc3986);
        let scheme = match parts.scheme? {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return None,
        };
        let authority = parts.authority?;
        // Who asks is no part of where the file is.
        let authority = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        Some(Self {
            scheme,
            authority: authority.to_owned(),
            path: parts.path.to_owned(),
            query: parts.query.map(str::to_owned),
            fragment: parts.fragment.map(str::to_owned),
        })
    }
}

/// Whether a URL may be one of the web; others, which may be very long, need not be looked at any further.
pub(super) fn is_of_the_web(url: &str) -> bool {
    let scheme = url.get(..4);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"))
}

/// A directory of the folder, and the URL that it has the files below of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Root {
    /// The path of the directory, with its last slash; empty for the folder itself.
    pub(super) prefix: Vec<u8>,
    pub(super) authority: String,
    /// The path of its URL, with its last slash.
    pub(super) path: String,
    /// How it was retrieved, if the folder or whoever knows it says so.
    pub(super) scheme: Option<Scheme>,
}

impl Root {
    /// The folder itself, which has the files below `url`.
    pub(super) fn whole(url: &Address) -> Self {
        let directory = url.path.rfind('/').map_or("/", |slash| &url.path[..=slash]);
        Self {
            prefix: Vec::new(),
            authority: url.authority.clone(),
            path: directory.to_owned(),
            scheme: Some(url.scheme),
        }
    }

    /// The directories of hosts among the `directories` at the top of the folder and directly below them.
    pub(super) fn of_hosts<'p>(
        directories: impl Iterator<Item = &'p [u8]>,
        layout: Layout,
    ) -> Vec<Self> {
        let root = |directory: &[u8]| {
            let (scheme, host) = match directory.iter().position(|&byte| byte == b'/') {
                // wget --protocol-directories.
                Some(slash) => match &directory[..slash] {
                    b"http" => (Some(Scheme::Http), &directory[slash + 1..]),
                    b"https" => (Some(Scheme::Https), &directory[slash + 1..]),
                    _ => return None,
                },
                None => (None, directory),
            };
            Some(Self {
                prefix: [directory, b"/"].concat(),
                authority: authority(host, layout)?,
                path: "/".to_owned(),
                scheme,
            })
        };
        directories.filter_map(root).collect()
    }
}

/// The host, and the port if there is one, that a directory is named after; `None` if it is not named so.
fn authority(directory: &[u8], layout: Layout) -> Option<String> {
    let name = std::str::from_utf8(directory).ok()?;
    // wget writes a plus sign where a colon cannot stand, HTTrack an underscore.
    let separators: &[char] = match layout {
        Layout::HtTrack => &[':', '_'],
        Layout::Wget | Layout::HostPath | Layout::Site => &[':', '+'],
    };
    let port = name
        .rsplit_once(separators)
        .filter(|(_, port)| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    let (host, with_port) = match port {
        Some((host, port)) => (host, format!("{host}:{port}")),
        None => (name, name.to_owned()),
    };
    let is_host = port.is_some()
        || host == "localhost"
        || host.starts_with('[')
        || (host.contains('.') && !host.starts_with('.') && !host.ends_with('.'));
    let may_stand = |byte: u8| byte > b' ' && !b"/\\?#@%".contains(&byte);
    if !is_host || !name.bytes().all(may_stand) {
        return None;
    }
    let url = Address::parse(&format!("http://{with_port}/"))?;
    (url.path == "/").then_some(url.authority)
}

/// What tells one way of naming files from another, seen over all the names of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NamingStyle {
    /// `.html` was put behind names that do not end so: `wget --adjust-extension`.
    pub(super) adjusts_extensions: bool,
    /// A query begins with an at sign: `wget --restrict-file-names=windows`.
    pub(super) has_at_signs: bool,
}

impl NamingStyle {
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n [u8]>) -> Self {
        let mut habits = Self::default();
        let mut has_question_marks = false;
        for name in names {
            has_question_marks |= name.contains(&b'?');
            if let Some(at) = name.iter().position(|&byte| byte == b'@') {
                habits.has_at_signs |= name[at..].contains(&b'=');
            }
            if let Some(stem) = name.strip_suffix(b".html") {
                let has_query = stem.iter().any(|byte| b"?@".contains(byte));
                habits.adjusts_extensions |= has_query || is_made_by_a_program(stem);
            }
        }
        habits.has_at_signs &= !has_question_marks;
        habits
    }
}

/// Whether a name has an extension of the programs that make pages.
pub(super) fn is_made_by_a_program(name: &[u8]) -> bool {
    let dot = name.iter().rposition(|&byte| byte == b'.');
    let Some(extension) = dot.and_then(|dot| std::str::from_utf8(&name[dot + 1..]).ok()) else {
        return false;
    };
    let extension = extension.to_ascii_lowercase();
    matches!(
        extension.trim_end_matches(|digit: char| digit.is_ascii_digit()),
        "php" | "phtml" | "asp" | "aspx" | "jsp" | "jspx" | "cgi" | "pl" | "cfm" | "do"
    )
}

/// The reverse of what a layout makes of a URL, as far as a name tells it: what follows the host.
pub(super) fn path_and_query(rest: &[u8], layout: Layout, habits: NamingStyle) -> String {
    let unescaped = match layout {
        Layout::Wget => super::names::unescaped_by_wget(rest),
        Layout::HtTrack | Layout::HostPath | Layout::Site => rest.to_owned(),
    };
    let name_at = super::path::directory(&unescaped).len();
    let has_query = matches!(layout, Layout::Wget | Layout::HostPath);
    let query_at = unescaped[name_at..]
        .iter()
        .position(|&byte| byte == b'?' || (byte == b'@' && habits.has_at_signs))
        .filter(|_| has_query)
        .map(|at| name_at + at);
    let adjusted = |name: &[u8], is_query: bool| {
        let is_meant = layout == Layout::Wget && habits.adjusts_extensions;
        let stem = name.strip_suffix(b".html");
        let stem = stem.or_else(|| name.strip_suffix(b".css").filter(|_| is_query));
        let stem = stem.filter(|stem| is_meant && (is_query || is_made_by_a_program(stem)));
        stem.unwrap_or(name).to_owned()
    };
    let mut url = String::new();
    let (path, query) = match query_at {
        Some(at) => (
            unescaped[..at].to_owned(),
            Some(adjusted(&unescaped[at + 1..], true)),
        ),
        None => (adjusted(&unescaped, false), None),
    };
    for (index, segment) in path.split(|&byte| byte == b'/').enumerate() {
        if index > 0 {
            url.push('/');
        }
        // wget cannot write a slash in a name.
        push_kept(&mut url, segment, push_segment);
    }
    if let Some(query) = query {
        url.push('?');
        push_kept(&mut url, &query, |url, part| {
            for (index, between) in part.split(|&byte| byte == b'?').enumerate() {
                if index > 0 {
                    url.push('?');
                }
                push_segment(url, between);
            }
        });
    }
    url
}

/// Appends `text` as `push` does, with each `%2F` in it as it is.
fn push_kept(url: &mut String, text: &[u8], push: impl Fn(&mut String, &[u8])) {
    let mut rest = text;
    while let Some(at) = rest
        .windows(3)
        .position(|window| window.eq_ignore_ascii_case(b"%2F"))
    {
        push(url, &rest[..at]);
        url.push_str("%2F");
        rest = &rest[at + 3..];
    }
    push(url, rest);
}

/// The segments of a URL's path, percent-decoded but for `%2F`, without empty ones; and whether it ends in a slash.
pub(super) struct PathSegments {
    pub(super) segments: Vec<Vec<u8>>,
    pub(super) is_directory: bool,
}

impl PathSegments {
    pub(super) fn of(path: &str) -> Self {
        let segments = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .map(kept)
            .collect();
        Self {
            segments,
            is_directory: path.is_empty() || path.ends_with('/'),
        }
    }
}

/// Percent-decoded but for `%2F`, which is in capitals then.
pub(super) fn kept(text: &str) -> Vec<u8> {
    unescaped(text.replace("%2f", "%2F").as_bytes(), |byte| byte != b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_named_after_hosts() {
        for (name, layout, expected) in [
            ("example.org", Layout::Wget, Some("example.org")),
            ("Example.ORG", Layout::Wget, Some("example.org")),
            ("example.org:8080", Layout::Wget, Some("example.org:8080")),
            ("example.org+8080", Layout::Wget, Some("example.org:8080")),
            (
                "example.org_8080",
                Layout::HtTrack,
                Some("example.org:8080"),
            ),
            ("example.org:80", Layout::Wget, Some("example.org")),
            ("127.0.0.1", Layout::Wget, Some("127.0.0.1")),
            ("localhost", Layout::Wget, Some("localhost")),
            ("intranet:81", Layout::Wget, Some("intranet:81")),
            ("[::1]:81", Layout::Wget, Some("[::1]:81")),
            (
                "b\u{fc}cher.example",
                Layout::Wget,
                Some("xn--bcher-kva.example"),
            ),
            ("images", Layout::Wget, None),
            ("v1.2", Layout::Wget, None),
            (".git", Layout::Wget, None),
            ("a b.c", Layout::Wget, None),
            ("a@b.c", Layout::Wget, None),
            ("x+y", Layout::Wget, None),
        ] {
            let found = authority(name.as_bytes(), layout);
            assert_eq!(found.as_deref(), expected, "{name}");
        }
    }
}
