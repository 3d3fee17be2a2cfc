//! The log of wget or wget2, which records the URL of each file after redirects.
//!
//! wget names a file after the request. If the request was redirected, the log alone has the URL of the page.
//!
//! Source: logs that wget wrote, with and without `--no-verbose`, and those of wget2, whose threads mix their lines.
//! Translated messages are not read.

use super::record::Record;

/// Iterates over the files in a log.
pub(super) fn records(log: &[u8]) -> impl Iterator<Item = Record<'_>> {
    // The URLs of a request and its redirects so far.
    let mut requested: Vec<&str> = Vec::new();
    let mut is_redirected = false;
    let mut saving = Vec::new();
    log.split(|&byte| byte == b'\n').filter_map(move |line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(url) = request(line) {
            if !std::mem::take(&mut is_redirected) {
                requested.clear();
            }
            requested.push(url);
        }
        is_redirected |= line.starts_with(b"Location: ");
        let saved = line.strip_prefix(b"Saving to: ").map(without_quotes);
        let saved = saved.map(|file| Record {
            urls: std::mem::take(&mut requested).into_iter().rev().collect(),
            file,
            has_all_urls: true,
        });
        let saved = saved.or_else(|| brief(line));
        saved.or_else(|| of_wget2(line, &mut saving))
    })
}

/// Returns the URL in the line that begins a request: `--2024-01-01 00:00:00--  URL`.
fn request(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line).ok()?.strip_prefix("--")?;
    let (date, url) = line.split_once("--  ")?;
    date.starts_with(|first: char| first.is_ascii_digit())
        .then_some(url)
}

/// Returns the record in a line of `--no-verbose`: `2024-01-01 00:00:00 URL:URL [30/30] -> "FILE" [1]`.
fn brief(line: &[u8]) -> Option<Record<'_>> {
    let start = memchr::memmem::find(line, b" URL:")?;
    let rest = line
        .first()?
        .is_ascii_digit()
        .then_some(&line[start + 5..])?;
    let arrow = memchr::memmem::find(rest, b"] -> \"")?;
    let url = std::str::from_utf8(&rest[..arrow]).ok()?;
    let file = &rest[arrow + 6..];
    let end = memchr::memmem::rfind(file, b"\" [")?;
    Some(Record {
        urls: vec![url.rsplit_once(" [")?.0],
        file: &file[..end],
        has_all_urls: false,
    })
}

/// Returns the record of a response that wget2 has saved: `Saving 'FILE'`, then `HTTP response 200 OK [URL]`. `saving`
/// has the files without a response yet; `None` if several threads were saving, so that the file of a response is not
/// known.
fn of_wget2<'l>(line: &'l [u8], saving: &mut Vec<Option<&'l [u8]>>) -> Option<Record<'l>> {
    if let Some(file) = line.strip_prefix(b"Saving '") {
        saving.push(file.strip_suffix(b"'"));
        if saving.len() > 1 {
            saving.fill(None);
        }
        return None;
    }
    let response = line.strip_prefix(b"HTTP response 200 ")?;
    let url = std::str::from_utf8(response).ok()?.strip_suffix(']')?;
    Some(Record {
        urls: vec![url.split_once('[')?.1],
        file: saving.pop()??,
        has_all_urls: false,
    })
}

/// Removes the quotation marks around a name, which depend on the locale.
fn without_quotes(name: &[u8]) -> &[u8] {
    let pairs = [
        ("\u{2018}", "\u{2019}"),
        ("'", "'"),
        ("`", "'"),
        ("\"", "\""),
    ];
    let unquoted = pairs.into_iter().find_map(|(open, close)| {
        let rest = name.strip_prefix(open.as_bytes())?;
        rest.strip_suffix(close.as_bytes())
    });
    unquoted.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines are those of wget 1.21.
    #[test]
    fn records_yields_saved_files_with_the_url_after_redirects() {
        let log = "--2026-11-23 18:52:19--  http://h.example/redir?u=1\n\
            Reusing existing connection to h.example:80.\n\
            HTTP request sent, awaiting response... 301 Moved Permanently\n\
            Location: /sub/x.html?y [following]\n\
            --2026-11-23 18:52:19--  http://h.example/sub/x.html?y\n\
            Saving to: \u{2018}h.example/redir?u=1\u{2019}\n\
            \n\
            2026-11-23 18:52:19 (40.7 KB/s) - \u{2018}h.example/redir?u=1\u{2019} saved [30/30]\n\
            --2026-11-23 18:52:20--  http://h.example/a%20b\n\
            Saving to: 'h.example/a b'\n\
            2026-11-23 18:52:19 URL:http://h.example/sub/ [65/65] -> \"h.example/sub/index.html\" [1]\n\
            2026-11-23 18:52:19 ERROR 404: Not Found.\n\
            FINISHED --2026-11-23 18:52:19--\n";
        let found: Vec<_> = records(log.as_bytes()).collect();
        let expected = [
            (
                &[
                    "http://h.example/sub/x.html?y",
                    "http://h.example/redir?u=1",
                ][..],
                "h.example/redir?u=1",
            ),
            (&["http://h.example/a%20b"], "h.example/a b"),
            (&["http://h.example/sub/"], "h.example/sub/index.html"),
        ];
        let expected = expected.map(|(urls, file)| Record {
            urls: urls.to_vec(),
            file: file.as_bytes(),
            has_all_urls: file != "h.example/sub/index.html",
        });
        assert_eq!(found, expected);
    }

    /// The lines are those of wget2 2.1. The files of `b` and `c` are not known.
    #[test]
    fn records_yields_files_of_wget2_with_certain_urls() {
        let log = "[0] Downloading 'http://h.example:81/' ...\n\
            HTTP response 200 OK [http://h.example:81/robots.txt]\n\
            Saving 'h.example/index.html'\n\
            HTTP ERROR response 404 Not Found [http://h.example:81/gone]\n\
            HTTP response 200 OK [http://h.example:81/]\n\
            HTTP response 301 Moved Permanently [http://h.example:81/old]\n\
            Saving 'h.example/b'\n\
            Saving 'h.example/c'\n\
            HTTP response 200 OK [http://h.example:81/b]\n\
            HTTP response 200 OK [http://h.example:81/c]\n\
            Saving 'h.example/old'\n\
            HTTP response 200 OK [http://h.example:81/new/x?y=[1]]\n";
        let found: Vec<_> = records(log.as_bytes()).collect();
        let expected = [
            ("http://h.example:81/", "h.example/index.html"),
            ("http://h.example:81/new/x?y=[1]", "h.example/old"),
        ];
        let expected = expected.map(|(url, file)| Record {
            urls: vec![url],
            file: file.as_bytes(),
            has_all_urls: false,
        });
        assert_eq!(found, expected);
    }
}
