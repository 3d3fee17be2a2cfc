//! Classification of the files of a downloaded folder: documents and assets.

use std::path::Path;

use absolve::DocumentKind;

use crate::cli::input::{Input, read_prefix};
use crate::cli::walk::{Asset, Inputs};

/// Classification of a file by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guess {
    Document(DocumentKind),
    /// The content decides.
    Unsure,
    /// Not a document.
    Other,
}

/// Returns the name of a file in a mirror: its path relative to the folder, with slashes between the segments.
pub(super) fn name(site_path: &Path) -> Vec<u8> {
    let components = site_path.components();
    let segments = components.map(|component| component.as_os_str().as_encoded_bytes());
    segments.collect::<Vec<_>>().join(&b'/')
}

/// Returns whether a file of a folder is a document.
///
/// Names of downloaded files are less reliable than those of a site. Files with names that determine nothing are
/// documents if they begin like HTML.
pub(super) fn is_document(path: &Path, site_path: &Path) -> bool {
    match guess(&name(site_path)) {
        Guess::Document(_) => true,
        // A file that cannot be read is reported when it is copied.
        Guess::Unsure => read_prefix(path, SNIFF_LEN).is_ok_and(|bytes| looks_like_html(&bytes)),
        Guess::Other => false,
    }
}

/// Moves the documents for which `is_document` is false to the assets.
pub(super) fn retain_documents(inputs: &mut Inputs, is_document: impl Fn(&Path) -> bool) {
    for input in std::mem::take(&mut inputs.documents) {
        match input {
            Input::File {
                path,
                site_path: Some(site_path),
            } if !is_document(&site_path) => inputs.assets.push(Asset {
                path,
                site_path,
                is_link: false,
            }),
            document => inputs.documents.push(document),
        }
    }
}

/// Number of bytes of a file that are sniffed.
const SNIFF_LEN: u64 = 1024;

/// Classifies a file by its name in the mirror.
pub(super) fn guess(name: &[u8]) -> Guess {
    // HTTrack's own cache.
    if name.starts_with(b"hts-cache/") {
        return Guess::Other;
    }
    let name = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
    // wget writes the query after `?`, or after `@` on systems where `?` is not allowed in names. The extension
    // before it is that of the URL's path.
    let before_query = name.split(|byte| b"?@".contains(byte)).next();
    let before_query = before_query.unwrap_or(name);
    match &*extension(before_query) {
        "html" | "htm" | "xhtml" | "xht" | "shtml" => Guess::Document(DocumentKind::Html),
        "css" => Guess::Document(DocumentKind::StyleSheet),
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "ico" | "svg" | "js" | "mjs"
        | "json" | "xml" | "pdf" | "txt" | "woff" | "woff2" | "ttf" | "otf" | "eot" | "mp3"
        | "mp4" | "webm" | "zip" | "gz" => Guess::Other,
        // `wget --adjust-extension` appends the extension to names without one, after the query.
        _ if extension(name) == "css" => Guess::Document(DocumentKind::StyleSheet),
        _ => Guess::Unsure,
    }
}

/// Returns the text after the last dot in lower case, or an empty string without a dot.
fn extension(name: &[u8]) -> String {
    let dot = name.iter().rposition(|&byte| byte == b'.');
    let extension = dot.map_or(&b""[..], |dot| &name[dot + 1..]);
    String::from_utf8_lossy(extension).to_ascii_lowercase()
}

/// Returns whether `bytes` begin like an HTML document.
///
/// # Source
/// MIME Sniffing, "identifying a resource with an unknown MIME type": the tags that indicate HTML.
/// Deviations: the tag may appear anywhere in `bytes`, and other markup may come first, such as an XML declaration.
fn looks_like_html(bytes: &[u8]) -> bool {
    const TAGS: &str = "<!doctype html,<html,<head,<script,<iframe,<h1,<div,<font,<table,<a ,<style,<title,<body,<meta,\
        <link,<base,<p>";
    // In UTF-16, every second byte of such a tag is zero.
    let text: String = bytes
        .iter()
        .filter(|&&byte| byte != 0 && byte.is_ascii())
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    text.trim_start().starts_with('<') && TAGS.split(',').any(|tag| text.contains(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guess_classifies_names() {
        let html = Guess::Document(DocumentKind::Html);
        let css = Guess::Document(DocumentKind::StyleSheet);
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
    fn looks_like_html_finds_tags() {
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
