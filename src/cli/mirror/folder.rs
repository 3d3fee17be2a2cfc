//! Which files of a folder are documents.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::cli::input::Input;
use crate::cli::walk::{Asset, Inputs};

/// What a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MirrorFormat {
    Html,
    Css,
}

/// What can be said of a file by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guess {
    Document(MirrorFormat),
    /// Its content has to be looked at.
    Unsure,
    Other,
}

/// The name of a file in a mirror: its path from the folder on, with slashes between the segments.
pub(super) fn name(below: &Path) -> Vec<u8> {
    let segments: Vec<&[u8]> = below
        .components()
        .map(|part| part.as_os_str().as_encoded_bytes())
        .collect();
    segments.join(&b'/')
}

/// Sorts what was found in a folder once more: names of what was downloaded say less than those of a site, and the
/// documents among the files whose names say nothing are told by how they begin.
pub(super) fn sort_out(inputs: &mut Inputs) {
    let is_document = |path: &Path, below: &Path| match guess(&name(below)) {
        Guess::Document(_) => true,
        // What cannot be read is said when it is copied.
        Guess::Unsure => beginning(path).is_ok_and(|bytes| looks_like_html(&bytes)),
        Guess::Other => false,
    };
    let mut documents = Vec::with_capacity(inputs.documents.len());
    let mut assets = Vec::with_capacity(inputs.assets.len());
    for input in std::mem::take(&mut inputs.documents) {
        match input {
            Input::File {
                path,
                below: Some(below),
            } if !is_document(&path, &below) => assets.push(Asset {
                path,
                below,
                is_link: false,
            }),
            document => documents.push(document),
        }
    }
    for asset in std::mem::take(&mut inputs.assets) {
        if !asset.is_link && is_document(&asset.path, &asset.below) {
            documents.push(Input::File {
                path: asset.path,
                below: Some(asset.below),
            });
        } else {
            assets.push(asset);
        }
    }
    documents.sort_by(|one, asset| one.below().cmp(&asset.below()));
    assets.sort_by(|one, asset| one.below.cmp(&asset.below));
    (inputs.documents, inputs.assets) = (documents, assets);
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LOOKED_AT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How many bytes of a file are looked at.
const LOOKED_AT: u64 = 1024;

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
        "html" | "htm" | "xhtml" | "xht" | "shtml" => Guess::Document(MirrorFormat::Html),
        "css" => Guess::Document(MirrorFormat::Css),
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "ico" | "svg" | "js" | "mjs"
        | "json" | "xml" | "pdf" | "txt" | "woff" | "woff2" | "ttf" | "otf" | "eot" | "mp3"
        | "mp4" | "webm" | "zip" | "gz" => Guess::Other,
        _ if extension(name) == "css" => Guess::Document(MirrorFormat::Css),
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
fn looks_like_html(bytes: &[u8]) -> bool {
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
    // In UTF-16 every asset byte is zero.
    let text: String = bytes
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
        let html = Guess::Document(MirrorFormat::Html);
        let css = Guess::Document(MirrorFormat::Css);
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
