//! What HTTrack names its files, and where it writes down which URL each of them is.
//!
//! Its names lose the query but for a digest, and a name that is taken gets a number (`index-2.html`): only what it
//! writes down tells which URL such a file is.
//!
//! Source: HTTrack's documentation, "Structure: `%h%p/%n%q.%t`" and "Cache format specification"; and what its files
//! look like.

use super::md5;
use super::names::{INDEX, in_directory};

/// The names that the file of a URL may have.
pub(super) fn candidates(
    segments: &[Vec<u8>],
    is_directory: bool,
    query: Option<&str>,
) -> Vec<Vec<u8>> {
    let segments: Vec<Vec<u8>> = segments.iter().map(|segment| writable(segment)).collect();
    let (directory, name) = match segments.split_last() {
        Some((name, directory)) if !is_directory => (directory.join(&b'/'), &**name),
        _ => (segments.join(&b'/'), INDEX),
    };
    let digest = query.map(|query| md5::hex(query.as_bytes()));
    let digest = digest
        .as_deref()
        .map_or(&b""[..], |hex| &hex.as_bytes()[..4]);
    let dot = name.iter().rposition(|&byte| byte == b'.');
    let mut names = Vec::new();
    let mut push = |name: &[u8], extension: &[u8]| {
        names.push(in_directory(
            &directory,
            &[name, digest, extension].concat(),
        ));
    };
    if let Some(dot) = dot {
        // The extension is that of the media type.
        push(&name[..dot], &name[dot..]);
        push(&name[..dot], b".html");
    } else {
        push(name, b".html");
        push(name, b"");
    }
    if !is_directory && query.is_none() {
        names.push(in_directory(&segments.join(&b'/'), INDEX));
    }
    names
}

/// A segment with what cannot stand in a name on some system replaced.
fn writable(segment: &[u8]) -> Vec<u8> {
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

/// The URL, without a scheme in most cases, that a page says it was mirrored from.
pub(super) fn mirrored_from(document: &[u8]) -> Option<&str> {
    const BEFORE: &[u8] = b"<!-- Mirrored from ";
    const BEHIND: &str = " by HTTrack Website Copier/";
    let start = document
        .windows(BEFORE.len())
        .position(|window| window == BEFORE)?
        + BEFORE.len();
    let rest = &document[start..];
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or(rest);
    let line = line.get(..4096).unwrap_or(line);
    // The line may be in any encoding; what is before the mark has to be text.
    let end = line
        .windows(BEHIND.len())
        .position(|window| window == BEHIND.as_bytes())?;
    std::str::from_utf8(&line[..end]).ok().map(str::trim)
}

/// A file that HTTrack wrote down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry<'l> {
    /// May have no scheme.
    pub(super) url: &'l str,
    /// From the folder, or from the root of the machine it was downloaded on.
    pub(super) file: &'l [u8],
}

/// The files that `hts-cache/new.txt` names.
pub(super) fn entries(log: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    log.split(|&byte| byte == b'\n').skip(1).filter_map(|line| {
        // date, size, flags, status code, status, MIME, Etag or date, URL, local file, (from URL)
        let mut fields = line.split(|&byte| byte == b'\t').skip(7);
        let (url, file) = (fields.next()?, fields.next()?);
        Some(Entry {
            url: std::str::from_utf8(url).ok()?,
            file,
        })
        .filter(|entry| !entry.file.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_a_page_was_mirrored_from() {
        let page = b"<html>\n<!-- Mirrored from www.example.org/a.php?id=3 by HTTrack Website Copier/3.x [XR&CO'2014], Mon, 01 Jan 2024 00:00:00 GMT -->\n";
        assert_eq!(mirrored_from(page), Some("www.example.org/a.php?id=3"));
        assert_eq!(mirrored_from(b"<!-- Mirrored from x -->"), None);
        assert_eq!(mirrored_from(b""), None);
    }

    /// The lines are those of the tests of other readers of this file.
    #[test]
    fn the_files_that_the_log_names() {
        let log = b"date\tsize'/'remotesize\tflags\tstatuscode\tstatus ('servermsg')\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)\n\
            18:41:48\t169/169\t---M--\t404\terror ('Not%20Found')\ttext/html\tdate:Wed\thttp://example.org/robots.txt\t\t(from )\n\
            18:41:48\t219/219\t---M--\t200\tadded ('OK')\ttext/html\tetag:%22\thttp://example.org/index.html\texample.org/index.html\t(from )\n\
            broken\n";
        let found: Vec<_> = entries(log).collect();
        let expected = Entry {
            url: "http://example.org/index.html",
            file: b"example.org/index.html",
        };
        assert_eq!(found, [expected]);
    }
}
