//! File names of HTTrack, and the records it keeps of the URLs of files.
//!
//! HTTrack replaces the query in a file name by a digest, and numbers names that are taken (`index-2.html`). The URL
//! of such a file is found only in the comment that HTTrack adds to the page, or in the list in its cache.
//!
//! Source: HTTrack's documentation, "Structure: `%h%p/%n%q.%t`" and "Cache format specification", and files it wrote.

use md5::{Digest, Md5};
use memchr::memmem;

use absolve::IndexFiles;

use super::layout::PathSegments;
use super::path::in_directory;
use super::record::Record;

/// Returns the possible names of the file of a URL, given the segments of its path.
pub(super) fn candidates(path: &PathSegments, query: Option<&str>) -> Vec<Vec<u8>> {
    let [index, ..] = IndexFiles::NAMES;
    let segments = path.segments.iter();
    let segments = segments.map(|segment| httrack_segment(segment));
    let segments: Vec<Vec<u8>> = segments.collect();
    let (directory, name) = match segments.split_last() {
        Some((name, directory)) if !path.is_directory => (directory.join(&b'/'), &**name),
        _ => (segments.join(&b'/'), index.as_bytes()),
    };
    // HTTrack encodes with small letters, and keeps the escapes of the author, which may have either.
    let mut digests = query.map_or(vec![String::new()], |query| {
        vec![digest(query), digest(&with_small_escapes(query))]
    });
    digests.dedup();
    // HTTrack chooses the extension by the media type, which is unknown here.
    let (stem, extensions) = match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) => (&name[..dot], [&name[dot..], b".html"]),
        None => (name, [&b".html"[..], b""]),
    };
    let mut names = Vec::new();
    for digest in &digests {
        for extension in extensions {
            let name = [stem, digest.as_bytes(), extension].concat();
            names.push(in_directory(&directory, name));
        }
    }
    if !path.is_directory && query.is_none() {
        names.push(in_directory(&segments.join(&b'/'), index));
    }
    names
}

/// Returns the digest of a query: the first two bytes of its MD5, in hexadecimal.
fn digest(query: &str) -> String {
    let digest = Md5::digest(query);
    format!("{:02x}{:02x}", digest[0], digest[1])
}

/// Writes the escapes of the bytes beyond ASCII in small letters.
pub(super) fn with_small_escapes(query: &str) -> String {
    let mut parts = query.split('%');
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let escape = part.get(..2).filter(|escape| *escape >= "8");
        let escape = escape.unwrap_or_default();
        written.extend(["%", &escape.to_ascii_lowercase(), &part[escape.len()..]]);
    }
    written
}

/// Returns whether the name of a file has the digest of `query` before its extension, or before the number of a name
/// that was taken.
pub(super) fn has_digest(name: &[u8], query: &str) -> bool {
    let dot = name.iter().rposition(|&byte| byte == b'.');
    let stem = &name[..dot.unwrap_or(name.len())];
    let number = stem.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let unnumbered = stem[..stem.len() - number.count()].strip_suffix(b"-");
    unnumbered
        .unwrap_or(stem)
        .ends_with(digest(query).as_bytes())
}

/// Replaces the characters in a segment that are invalid in file names on some system.
fn httrack_segment(segment: &[u8]) -> Vec<u8> {
    let replaced = |&byte: &u8| match byte {
        0..=31 | 127 | b'~' | b'\\' | b':' | b'*' | b'?' | b'"' | b'<' | b'>' | b'|' => b'_',
        byte => byte,
    };
    let mut name: Vec<u8> = segment.iter().map(replaced).collect();
    while name.last().is_some_and(|last| b" .".contains(last)) {
        name.pop();
    }
    name
}

/// Returns the URL in the comment that HTTrack adds to a page, usually without a scheme.
pub(super) fn mirrored_from(document: &[u8]) -> Option<&str> {
    const PREFIX: &[u8] = b"<!-- Mirrored from ";
    const SUFFIX: &[u8] = b" by HTTrack Website Copier/";
    let rest = &document[memmem::find(document, PREFIX)? + PREFIX.len()..];
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or(rest);
    let line = line.get(..4096).unwrap_or(line);
    // The rest of the line may be in any encoding, but the URL must be text.
    let end = memmem::find(line, SUFFIX)?;
    std::str::from_utf8(&line[..end]).ok().map(str::trim)
}

/// Iterates over the entries of `hts-cache/new.txt` that name a file.
pub(super) fn records(log: &[u8]) -> impl Iterator<Item = Record<'_>> {
    log.split(|&byte| byte == b'\n').skip(1).filter_map(|line| {
        // date, size, flags, status code, status, MIME, Etag or date, URL, local file, (from URL)
        let mut fields = line.split(|&byte| byte == b'\t').skip(7);
        let (url, file) = (fields.next()?, fields.next()?);
        // The name of a response that is not saved, such as a redirect, while its media type is unknown.
        let is_saved = !file.is_empty() && !file.ends_with(b".delayed");
        let urls = vec![std::str::from_utf8(url).ok()?];
        is_saved.then_some(Record {
            urls,
            file,
            has_all_urls: true,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_from_returns_the_url_of_a_page() {
        let page = b"<html>\n<!-- Mirrored from www.example.org/a.php?id=3 by HTTrack Website Copier/3.x [XR&CO'2014], Mon, 01 Jan 2024 00:00:00 GMT -->\n";
        assert_eq!(mirrored_from(page), Some("www.example.org/a.php?id=3"));
        assert_eq!(mirrored_from(b"<!-- Mirrored from x -->"), None);
        assert_eq!(mirrored_from(b""), None);
    }

    /// The digests were computed with `md5sum`.
    #[test]
    fn has_digest_finds_the_digest_in_a_name() {
        for (name, query, expected) in [
            ("qa5a2.html", "A=1", true),
            ("qa5a2-2.html", "A=1", true),
            ("qa5a2", "A=1", true),
            ("qd41d.html", "", true),
            ("q.html", "A=1", false),
            ("a5a2q.html", "A=1", false),
            ("qa5a2.html", "a=1", false),
        ] {
            assert_eq!(
                has_digest(name.as_bytes(), query),
                expected,
                "{name}?{query}"
            );
        }
    }

    /// The lines are those of the tests of other readers of this format.
    #[test]
    fn records_yields_downloaded_files() {
        let log = b"date\tsize'/'remotesize\tflags\tstatuscode\tstatus ('servermsg')\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)\n\
            18:41:48\t169/169\t---M--\t404\terror ('Not%20Found')\ttext/html\tdate:Wed\thttp://example.org/robots.txt\t\t(from )\n\
            18:41:48\t0/0\t---M--\t301\terror ('Moved')\ttext/html\t\thttp://example.org/a\texample.org/a.1f.delayed\t(from )\n\
            18:41:48\t219/219\t---M--\t200\tadded ('OK')\ttext/html\tetag:%22\thttp://example.org/index.html\texample.org/index.html\t(from )\n\
            broken\n";
        let found: Vec<_> = records(log).collect();
        let expected = Record {
            urls: vec!["http://example.org/index.html"],
            file: b"example.org/index.html",
            has_all_urls: true,
        };
        assert_eq!(found, [expected]);
    }
}
