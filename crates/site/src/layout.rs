//! Layouts: the directory of a host in a folder, and the name of the file of a URL.

use memchr::memmem;

use super::address::{Address, Scheme};
use super::path::{PATH, QUERY, percent_decode_if, push_encoded};

/// The layout that a downloader gave to a folder.
///
/// In every layout but [`Saved`](Self::Saved) and [`Site`](Self::Site), the folder contains one directory for each
/// host, or none if a URL is given for the folder as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// `wget --recursive`, with or without `--adjust-extension`, `--protocol-directories`, `--no-host-directories` and
    /// `--restrict-file-names`: the query is part of the file's name.
    Wget,
    /// HTTrack in its default structure: a digest of the query precedes the extension of the name.
    HtTrack,
    /// The path of the URL, with `index.html` appended if it ends in a slash, then the query after a `?`.
    HostPath,
    /// Pages that browsers, `SingleFile` or monolith saved: the name means nothing, and a comment in the page states
    /// its URL ([`saved_from`](absolve::saved_from)).
    Saved,
    /// The files of a static site, which are served whatever the query: `about.html` and `about/index.html` are also
    /// served as `about`.
    Site,
}

absolve::names::named_values! { Layout, "layout":
    Wget => "wget",
    HtTrack => "httrack",
    HostPath => "host-path",
    Saved => "saved",
    Site => "site",
}

/// A directory of the folder, and the URL whose files it contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Root {
    /// The path of the directory with its last slash; empty for the folder itself.
    pub(super) prefix: Vec<u8>,
    pub(super) authority: String,
    /// The path of its URL with the last slash.
    pub(super) path: String,
    /// The scheme, if the name of a directory or the caller determines it.
    pub(super) scheme: Option<Scheme>,
}

impl Root {
    /// Creates the root for the folder itself, which contains the files below `url`.
    pub(super) fn whole(url: &Address) -> Self {
        let directory = url.path.rfind('/').map_or("/", |slash| &url.path[..=slash]);
        Self {
            prefix: Vec::new(),
            authority: url.authority.clone(),
            path: directory.to_owned(),
            scheme: Some(url.scheme),
        }
    }

    /// Returns the roots for those `directories` that are named after hosts. `directories` are at the top of the
    /// folder, or one level below.
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

/// Returns the host and the optional port after which a directory is named; `None` if it is not named after a host.
fn authority(directory: &[u8], layout: Layout) -> Option<String> {
    let name = std::str::from_utf8(directory).ok()?;
    // On systems where a name cannot contain a colon, wget writes a plus sign, and HTTrack an underscore.
    let separators: &[char] = match layout {
        Layout::HtTrack => &[':', '_'],
        Layout::Wget | Layout::HostPath | Layout::Saved | Layout::Site => &[':', '+'],
    };
    let port = name
        .rsplit_once(separators)
        .filter(|(_, port)| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    let (host, with_port) = match port {
        Some((host, port)) => (host, format!("{host}:{port}")),
        None => (name, name.to_owned()),
    };
    // A dot alone is weak evidence, but names like `example.org` have nothing else. The URL parser must confirm it
    // below: it rejects a version number such as `v1.2`.
    let is_host = port.is_some()
        || host == "localhost"
        || host.starts_with('[')
        || (host.contains('.') && !host.starts_with('.') && !host.ends_with('.'));
    let is_allowed = |byte: u8| byte > b' ' && !b"/\\?#@%".contains(&byte);
    if !is_host || !name.bytes().all(is_allowed) {
        return None;
    }
    let url = Address::parse(&format!("http://{with_port}/"))?;
    (url.path == "/").then_some(url.authority)
}

/// Properties of the names of a folder that depend on the options of wget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NamingStyle {
    /// Whether `.html` was appended to names with another extension: `wget --adjust-extension`. `None` if unknown.
    pub(super) adjusts_extensions: Option<bool>,
    /// A query begins with an at sign: `wget --restrict-file-names=windows`.
    pub(super) has_at_signs: bool,
    /// Names were converted to lower case: `wget --restrict-file-names=lowercase`.
    pub(super) is_lower_case: bool,
}

impl NamingStyle {
    /// Detects the style from the names of all files.
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n [u8]>) -> Self {
        let mut naming_style = Self::default();
        let (mut has_question_marks, mut has_scripts) = (false, false);
        let (mut has_capitals, mut has_lower_escapes) = (false, false);
        let mut is_adjusted = false;
        for name in names {
            has_capitals |= name.iter().any(u8::is_ascii_uppercase);
            // wget itself writes capital letters in escapes.
            has_lower_escapes |= memmem::find(name, b"%2f").is_some();
            has_question_marks |= name.contains(&b'?');
            if let Some(pos) = name.iter().position(|&byte| byte == b'@') {
                naming_style.has_at_signs |= name[pos..].contains(&b'=');
            }
            if let Some(stem) = name.strip_suffix(b".html") {
                let has_query = stem.iter().any(|byte| b"?@".contains(byte));
                is_adjusted |= has_query || has_script_extension(stem);
            } else {
                let before_query = name.split(|byte| b"?@".contains(byte)).next();
                has_scripts |= before_query.is_some_and(has_script_extension);
            }
        }
        // Most scripts write HTML, so some of their names would have the extension.
        naming_style.adjusts_extensions = (is_adjusted || has_scripts).then_some(is_adjusted);
        // An at sign separates the query only where question marks are impossible; otherwise it is part of a name.
        naming_style.has_at_signs &= !has_question_marks;
        naming_style.is_lower_case = has_lower_escapes && !has_capitals;
        naming_style
    }
}

/// Returns whether a name has an extension of server-side scripts, optionally followed by digits (`php5`).
pub(super) fn has_script_extension(name: &[u8]) -> bool {
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

/// Returns the path and query of the URL whose file has the path `rest` below a root, as far as the name determines
/// it.
pub(super) fn path_and_query(rest: &[u8], layout: Layout, naming_style: NamingStyle) -> String {
    let original = match layout {
        Layout::Wget => undo_wget_escapes(rest),
        Layout::HtTrack | Layout::HostPath | Layout::Saved | Layout::Site => rest.to_owned(),
    };
    let name_start = super::path::directory(&original).len();
    let has_query = matches!(layout, Layout::Wget | Layout::HostPath);
    let query_start = original[name_start..]
        .iter()
        .position(|&byte| byte == b'?' || (byte == b'@' && naming_style.has_at_signs))
        .filter(|_| has_query)
        .map(|pos| name_start + pos);
    // Removes `.html`, or `.css` after a query, if wget appended it. Without a query, only a script extension before
    // it shows that it was appended.
    let without_added_extension = |name: &[u8], is_query: bool| {
        let strips_extensions =
            layout == Layout::Wget && naming_style.adjusts_extensions == Some(true);
        let stem = name.strip_suffix(b".html");
        let stem = stem.or_else(|| name.strip_suffix(b".css").filter(|_| is_query));
        let stem =
            stem.filter(|stem| strips_extensions && (is_query || has_script_extension(stem)));
        stem.unwrap_or(name).to_owned()
    };
    let mut url = String::new();
    let (path, query) = match query_start {
        Some(pos) => (
            original[..pos].to_owned(),
            Some(without_added_extension(&original[pos + 1..], true)),
        ),
        None => (without_added_extension(&original, false), None),
    };
    // An escaped slash is part of a segment, because a file name cannot contain a slash.
    push_keeping_slashes(&mut url, &path, PATH);
    if let Some(query) = query {
        url.push('?');
        push_keeping_slashes(&mut url, &query, QUERY);
    }
    url
}

/// Appends `text` like [`push_encoded`], but copies each `%2F` in it unchanged.
fn push_keeping_slashes(url: &mut String, text: &[u8], literal: &[u8]) {
    let mut rest = text;
    while let Some(pos) = rest
        .windows(3)
        .position(|window| window.eq_ignore_ascii_case(b"%2F"))
    {
        push_encoded(url, &rest[..pos], literal);
        url.push_str("%2F");
        rest = &rest[pos + 3..];
    }
    push_encoded(url, rest, literal);
}

/// The segments of a URL's path without empty ones, decoded by [`decode_keeping_slashes`], and whether it ends in a
/// slash.
pub(super) struct PathSegments {
    pub(super) segments: Vec<Vec<u8>>,
    pub(super) is_directory: bool,
}

impl PathSegments {
    pub(super) fn of(path: &str) -> Self {
        let segments = path.split('/').filter(|segment| !segment.is_empty());
        Self {
            segments: segments.map(decode_keeping_slashes).collect(),
            is_directory: path.is_empty() || path.ends_with('/'),
        }
    }
}

/// Percent-decodes `text` except for `%2F`, which is written in upper case.
pub(super) fn decode_keeping_slashes(text: &str) -> Vec<u8> {
    percent_decode_if(text.replace("%2f", "%2F").as_bytes(), |byte| byte != b'/')
}

/// Decodes the escapes that wget adds to a name, depending on its options: those of control characters, of bytes
/// above 127, and of the characters that are invalid on Windows. A slash remains escaped.
///
/// # Source
/// The manual of wget, `--restrict-file-names`: "unix" escapes the slash and the control characters, 0-31 and
/// 128-159; "windows" also escapes the characters listed here; "ascii" escapes everything above 127.
pub(super) fn undo_wget_escapes(name: &[u8]) -> Vec<u8> {
    percent_decode_if(name, |byte| {
        !(b' '..0x7f).contains(&byte) || b"\\|:?\"*<>".contains(&byte)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authority_recognizes_directories_named_after_hosts() {
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
