//! The possible names of the file of a URL, the likeliest first.
//!
//! A downloader derives the name from the URL, the media type and its options. Only the URL is known here, so each
//! layout yields several candidates, of which the caller takes the first that exists.

use super::address::Address;
use super::default_page::DefaultPage;
use super::httrack;
use super::layout::{Layout, NamingStyle, PathSegments, decode_keeping_slashes};

/// Returns the possible names of the file of `url`, relative to the directory with the files below `root`, a URL path
/// that ends in a slash. The list is empty if `url` is not below `root`.
pub(super) fn candidates(
    url: &Address,
    root: &str,
    layout: Layout,
    naming_style: NamingStyle,
    default_page: &DefaultPage,
) -> Vec<Vec<u8>> {
    let (root, mut path) = (PathSegments::of(root), PathSegments::of(&url.path));
    if !path.segments.starts_with(&root.segments) {
        return Vec::new();
    }
    path.segments.drain(..root.segments.len());
    // The URL of a directory may lack its slash: both "/a" and "/a/" mean the root "/a/".
    path.is_directory |= path.segments.is_empty();
    let query = url.query.as_deref();
    match layout {
        Layout::Wget => wget_names(&path, query, naming_style, default_page),
        Layout::HtTrack => httrack::candidates(&path, query),
        Layout::HostPath | Layout::Saved => host_path_names(&path, url, default_page),
        Layout::Site => site_names(&path, default_page),
    }
}

/// Returns the candidates for [`Layout::Wget`].
///
/// # Source
/// The manual of wget, "HTTP Options" (`-E`), "Download Options" (`--restrict-file-names`) and "Directory Options",
/// and its behaviour, which `tests/library/mirror` tests.
fn wget_names(
    PathSegments {
        segments,
        is_directory,
    }: &PathSegments,
    query: Option<&str>,
    naming_style: NamingStyle,
    default_page: &DefaultPage,
) -> Vec<Vec<u8>> {
    let path = segments.join(&b'/');
    let added: &[&[u8]] = match naming_style.adjusts_extensions {
        Some(false) => &[b""],
        Some(true) | None => &[b"", b".html", b".css"],
    };
    let with_extensions = |name: &[u8]| {
        added
            .iter()
            .map(|end| [name, end].concat())
            .collect::<Vec<_>>()
    };
    let indexes = default_page.files(&path);
    let files = if *is_directory {
        &*indexes
    } else {
        std::slice::from_ref(&path)
    };
    if let Some(query) = query {
        let mut names = Vec::new();
        // A file name cannot contain a slash.
        let query = escape_slashes(&decode_keeping_slashes(query));
        for (file, separator) in files.iter().flat_map(|file| [(file, b"?"), (file, b"@")]) {
            let name = [&**file, separator, &query].concat();
            names.extend(with_extensions(&name));
        }
        return names;
    }
    let named = with_extensions(&path);
    if !is_directory {
        return [named, indexes].concat();
    }
    // If the directory was requested without its slash and redirected, wget names the file after the request.
    let requested = named.into_iter().skip(1).take(1);
    let requested = requested.filter(|_| !path.is_empty());
    indexes.into_iter().chain(requested).collect()
}

/// Returns the candidates for [`Layout::HostPath`]: the decoded path with a decoded and with an encoded query, then
/// the path and the query as they are written in the URL.
fn host_path_names(
    PathSegments {
        segments,
        is_directory,
    }: &PathSegments,
    url: &Address,
    default_page: &DefaultPage,
) -> Vec<Vec<u8>> {
    let with_query = |path: &[u8], query: Option<&[u8]>| match query {
        Some(query) => [path, b"?", query].concat(),
        None => path.to_owned(),
    };
    let decoded = url.query.as_deref().map(decode_keeping_slashes);
    let raw = url.query.as_deref().map(str::as_bytes);
    let with_queries = |path: &[u8]| [decoded.as_deref(), raw].map(|query| with_query(path, query));
    let path = segments.join(&b'/');
    let indexes = default_page.files(&path);
    if *is_directory {
        return indexes
            .iter()
            .flat_map(|index| with_queries(index))
            .collect();
    }
    let mut names = Vec::from(with_queries(&path));
    // The path as it is written in the URL, with its percent-encoding.
    let skipped = url.path.split('/').filter(|segment| !segment.is_empty());
    let as_written: Vec<&str> = skipped.collect();
    let first = as_written.len().saturating_sub(segments.len());
    let as_written = as_written[first..].join("/").into_bytes();
    names.push(with_query(&as_written, raw));
    if url.query.is_none() {
        names.extend(indexes);
    }
    names
}

/// Returns the candidates for [`Layout::Site`], which ignores queries.
fn site_names(path: &PathSegments, default_page: &DefaultPage) -> Vec<Vec<u8>> {
    let is_directory = path.is_directory;
    let path = path.segments.join(&b'/');
    let indexes = default_page.files(&path);
    if is_directory {
        indexes
    } else {
        let html = [&*path, b".html"].concat();
        [vec![path, html], indexes].concat()
    }
}

/// Percent-encodes the slashes in `text`.
fn escape_slashes(text: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> = text.split(|&byte| byte == b'/').collect();
    parts.join(&b"%2F"[..])
}
