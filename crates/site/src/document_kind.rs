//! Which files are documents: those of a published site, and those of a downloaded folder.

use std::path::Path;

use absolve::DocumentKind;

use super::files::{SiteFile, site_path_bytes};
use super::path::file_name;

/// Returns the language of a file of a published site; `None` if it is not a document. Reads the first
/// [`DocumentKind::SNIFF_LEN`] bytes of the file if its extension is one that other files have, too.
#[must_use]
pub fn document_kind(file: &SiteFile) -> Option<DocumentKind> {
    let extension = file.path.extension()?.to_str()?;
    DocumentKind::of_extension(extension).or_else(|| {
        let is_general = |kind: &&DocumentKind| {
            let general = kind.general_extension();
            general.is_some_and(|general| general.eq_ignore_ascii_case(extension))
        };
        let kind = DocumentKind::ALL.iter().find(is_general)?;
        // A file that cannot be read has no kind.
        let prefix = file.read_prefix(DocumentKind::SNIFF_LEN as u64).ok()?;
        (DocumentKind::sniff(&prefix) == *kind).then_some(*kind)
    })
}

/// Returns the language of a file of a downloaded folder by its path, relative to the folder; `None` if it is not a
/// document.
///
/// Names of downloaded files are less reliable than those of a site: `page.php?id=1` may be anything. Calls `prefix` if
/// the name determines nothing, which returns the first bytes of the file: a document begins like HTML, or with a root
/// element that the link table knows.
///
/// # Examples
/// ```
/// use absolve::DocumentKind;
/// use absolve_site::downloaded_kind;
/// use std::path::Path;
///
/// let kind_of = |name: &str| downloaded_kind(Path::new(name), || b"<!DOCTYPE html>".to_vec());
/// assert_eq!(kind_of("h.example/style.css?v=2"), Some(DocumentKind::StyleSheet));
/// assert_eq!(kind_of("h.example/page.php?id=1"), Some(DocumentKind::Html));
/// ```
pub fn downloaded_kind(path: &Path, prefix: impl FnOnce() -> Vec<u8>) -> Option<DocumentKind> {
    let name = site_path_bytes(path);
    // HTTrack's own cache.
    if name.starts_with(b"hts-cache/") {
        return None;
    }
    let name = file_name(&name);
    // wget writes the query after `?`, or after `@` on systems where `?` is not allowed in names. The extension before
    // it is that of the URL's path.
    let before_query = name.split(|byte| b"?@".contains(byte)).next();
    let extension_before_query = extension(before_query.unwrap_or(name));
    let kind = DocumentKind::of_extension(&extension_before_query);
    kind.or_else(|| match &*extension_before_query {
        "xml" => DocumentKind::of_content("text/xml", &prefix()),
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "ico" | "js" | "mjs" | "json"
        | "pdf" | "txt" | "woff" | "woff2" | "ttf" | "otf" | "eot" | "mp3" | "mp4" | "webm"
        | "zip" | "gz" => None,
        // `wget --adjust-extension` appends the extension to names without one, after the query.
        _ if extension(name) == "css" => Some(DocumentKind::StyleSheet),
        _ => looks_like_html(&prefix()).then_some(DocumentKind::Html),
    })
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
    fn downloaded_kind_is_determined_by_names() {
        let (html, css) = (Some(DocumentKind::Html), Some(DocumentKind::StyleSheet));
        for (name, with_tags, without) in [
            ("h/a.html", html, html),
            ("h/a.HTM", html, html),
            ("h/index.html?x=1", html, html),
            ("h/index.html@x=1.html", html, html),
            ("h/page.php?a=1.html", html, None),
            ("h/about", html, None),
            ("h/style.css?v=2", css, css),
            ("h/style?v=2.css", css, css),
            ("h/i.png?x=a.html", None, None),
            ("h.example/a", html, None),
            ("hts-cache/x.html", None, None),
        ] {
            let kind = |bytes: &[u8]| downloaded_kind(Path::new(name), || bytes.to_vec());
            assert_eq!((kind(b"<p>"), kind(b"")), (with_tags, without), "{name}");
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
