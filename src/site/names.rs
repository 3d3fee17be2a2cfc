//! The names that the file of a URL may have, the likeliest first.

use super::httrack;
use super::layout::{Address, Layout, PathSegments, kept};
use super::path::unescaped;

/// The file that stands for a directory.
pub(super) const INDEX: &[u8] = b"index.html";

/// The names that the file of `url` may have below a directory that has the files below `root`, a path with its last
/// slash; none if it is not below it.
pub(super) fn candidates(url: &Address, root: &str, layout: Layout) -> Vec<Vec<u8>> {
    let (root, path) = (PathSegments::of(root), PathSegments::of(&url.path));
    let Some(segments) = path.segments.strip_prefix(&*root.segments) else {
        return Vec::new();
    };
    // The URL of a directory may have lost its slash: "/a" and "/a/" are both the root "/a/".
    let is_directory = path.is_directory || segments.is_empty();
    let query = url.query.as_deref();
    match layout {
        Layout::Wget => of_wget(segments, is_directory, query),
        Layout::HtTrack => httrack::candidates(segments, is_directory, query),
        Layout::HostPath => of_paths(segments, is_directory, url),
        Layout::Site => of_a_site(segments, is_directory),
    }
}

/// # Source
/// The manual of wget, "HTTP Options" (`-E`), "Download Options" (`--restrict-file-names`) and "Directory Options"; and
/// what version 1.21 does, which `tests/mirror.rs` sees.
fn of_wget(segments: &[Vec<u8>], is_directory: bool, query: Option<&str>) -> Vec<Vec<u8>> {
    let path = segments.join(&b'/');
    let file = if is_directory {
        in_directory(&path, INDEX)
    } else {
        path.clone()
    };
    let mut names = Vec::new();
    if let Some(query) = query {
        // A slash cannot stand in a name.
        let query = slashes_escaped(&kept(query));
        for separator in [b"?", b"@"] {
            let name = [&*file, separator, &query].concat();
            names.extend([&b""[..], b".html", b".css"].map(|end| [&*name, end].concat()));
        }
        return names;
    }
    names.push(file);
    if is_directory {
        // Asked for without its slash and redirected, it is named after what was asked for.
        if !path.is_empty() {
            names.push([&*path, b".html"].concat());
        }
    } else {
        names.push([&*path, b".html"].concat());
        names.push([&*path, b".css"].concat());
        names.push(in_directory(&path, INDEX));
    }
    names
}

fn of_paths(segments: &[Vec<u8>], is_directory: bool, url: &Address) -> Vec<Vec<u8>> {
    let with_query = |path: &[u8], query: Option<&[u8]>| match query {
        Some(query) => [path, b"?", query].concat(),
        None => path.to_owned(),
    };
    let (decoded, raw) = (url.query.as_deref().map(kept), url.query.as_deref());
    let path = segments.join(&b'/');
    let mut names = Vec::new();
    if is_directory {
        for index in [INDEX, b"index.htm"] {
            let file = in_directory(&path, index);
            names.push(with_query(&file, decoded.as_deref()));
            names.push(with_query(&file, raw.map(str::as_bytes)));
        }
        return names;
    }
    names.push(with_query(&path, decoded.as_deref()));
    names.push(with_query(&path, raw.map(str::as_bytes)));
    // As it stands in the URL, percent-encoding and all.
    let skipped = url.path.split('/').filter(|segment| !segment.is_empty());
    let as_written: Vec<&str> = skipped.collect();
    let first = as_written.len().saturating_sub(segments.len());
    let as_written = as_written[first..].join("/").into_bytes();
    names.push(with_query(&as_written, raw.map(str::as_bytes)));
    if url.query.is_none() {
        names.push(in_directory(&path, INDEX));
        names.push(in_directory(&path, b"index.htm"));
    }
    names
}

fn of_a_site(segments: &[Vec<u8>], is_directory: bool) -> Vec<Vec<u8>> {
    let path = segments.join(&b'/');
    let index = in_directory(&path, INDEX);
    if is_directory {
        vec![index, in_directory(&path, b"index.htm")]
    } else {
        vec![path.clone(), [&*path, b".html"].concat(), index]
    }
}

/// The path of a file in a directory.
pub(super) fn in_directory(directory: &[u8], name: &[u8]) -> Vec<u8> {
    if directory.is_empty() {
        name.to_owned()
    } else {
        [directory, b"/", name].concat()
    }
}

fn slashes_escaped(text: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    for &byte in text {
        match byte {
            b'/' => escaped.extend_from_slice(b"%2F"),
            byte => escaped.push(byte),
        }
    }
    escaped
}

/// A name without what wget had to escape in it: control characters everywhere, and what cannot stand in a name on
/// Windows where it was told so. A slash stays escaped.
///
/// # Source
/// The manual of wget, `--restrict-file-names`: "unix" escapes the slash and the control characters, 0-31 and 128-159;
/// "windows" also escapes what stands here; "ascii", everything above 127.
pub(super) fn unescaped_by_wget(name: &[u8]) -> Vec<u8> {
    unescaped(name, |byte| {
        !(b' '..0x7f).contains(&byte) || b"\\|:?\"*<>".contains(&byte)
    })
}
