//! The files of a folder, and which of them are documents.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct File {
    /// From the folder on, with slashes between the segments.
    pub(super) name: Vec<u8>,
    pub(super) path: PathBuf,
}

/// What a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Html,
    Css,
}

/// What can be said of a file by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guess {
    Document(Format),
    /// Its content has to be looked at.
    Unsure,
    Other,
}

/// Every file below `folder`, sorted by name. Directories behind links are left out: they are another folder's, or this
/// one's once more.
pub(super) fn files(folder: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    let mut open = vec![(folder.to_owned(), Vec::new())];
    while let Some((directory, prefix)) = open.pop() {
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let path = entry.path();
            let mut name: Vec<u8> = prefix.clone();
            name.extend_from_slice(entry.file_name().as_encoded_bytes());
            if entry.file_type()?.is_dir() {
                name.push(b'/');
                open.push((path, name));
            } else if path.is_file() {
                files.push(File { name, path });
            }
        }
    }
    files.sort();
    Ok(files)
}

/// What the file of that name is.
pub(super) fn guess(name: &[u8]) -> Guess {
    // What HTTrack keeps for itself.
    if name.starts_with(b"hts-cache/") {
        return Guess::Other;
    }
    let name = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
    let before_query = name.split(|byte| b"?@".contains(byte)).next();
    let before_query = before_query.unwrap_or(name);
    match &*extension(before_query) {
        "html" | "htm" | "xhtml" | "xht" | "shtml" => Guess::Document(Format::Html),
        "css" => Guess::Document(Format::Css),
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "ico" | "svg" | "js" | "mjs"
        | "json" | "xml" | "pdf" | "txt" | "woff" | "woff2" | "ttf" | "otf" | "eot" | "mp3"
        | "mp4" | "webm" | "zip" | "gz" => Guess::Other,
        _ if extension(name) == "css" => Guess::Document(Format::Css),
        _ => Guess::Unsure,
    }
}

fn extension(name: &[u8]) -> String {
    let dot = name.iter().rposition(|&byte| byte == b'.');
    let extension = dot.map_or(&b""[..], |dot| &name[dot + 1..]);
    String::from_utf8_lossy(extension).to_ascii_lowercase()
}

/// Whether a file begins as an HTML document does.
///
/// # Source
/// MIME Sniffing, "identifying a resource with an unknown MIME type": the tags that tell HTML, here wherever among the
/// first they stand, and with an XML declaration before them.
pub(super) fn looks_like_html(bytes: &[u8]) -> bool {
    const TAGS: [&str; 17] = [
        "<!doctype html",
        "<html",
        "<head",
        "<script",
        "<iframe",
        "<h1",
        "<div",
        "<font",
        "<table",
        "<a ",
        "<style",
        "<title",
        "<body",
        "<meta",
        "<link",
        "<base",
        "<p>",
    ];
    let beginning = bytes.get(..1024).unwrap_or(bytes);
    // In UTF-16 every other byte is zero.
    let text: String = beginning
        .iter()
        .filter(|&&byte| byte != 0 && byte.is_ascii())
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    text.trim_start().starts_with('<') && TAGS.iter().any(|tag| text.contains(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_files_are_documents() {
        let html = Guess::Document(Format::Html);
        let css = Guess::Document(Format::Css);
        for (name, expected) in [
            ("h/a.html", html),
            ("h/a.HTM", html),
            ("h/index.html?x=1", html),
            ("h/index.html@x=1.html", html),
            ("h/page.php?a=1.html", Guess::Unsure),
            ("h/about", Guess::Unsure),
            ("h/style.css?v=2", css),
            ("h/style?v=2.css", css),
            ("h/i.png?x=a.html", Guess::Other),
            ("h.example/a", Guess::Unsure),
            ("hts-cache/x.html", Guess::Other),
        ] {
            assert_eq!(guess(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn what_begins_like_html() {
        for (bytes, expected) in [
            (&b"<!DOCTYPE html>"[..], true),
            (b"\xef\xbb\xbf \n<!-- x --><HTML>", true),
            (b"\xff\xfe<\0h\0t\0m\0l\0>\0", true),
            (b"<?xml version='1.0'?><html>", true),
            (b"<?xml version='1.0'?><rss>", false),
            (b"text <html>", false),
            (b"", false),
        ] {
            assert_eq!(looks_like_html(bytes), expected, "{bytes:?}");
        }
    }
}
