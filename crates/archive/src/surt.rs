//! The keys by which indexes of archives are sorted: a URL with its host reversed, and without what rarely matters.

use std::borrow::Cow;
use std::sync::LazyLock;

use absolve::{Profile, Resolver};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode, percent_encode};
use regex::bytes::Regex;

/// The bytes that are percent-encoded in a key.
const ESCAPED: &AsciiSet = &CONTROLS.add(b' ').add(b'#').add(b'%');

/// The maximum number of times that a text is percent-decoded. Each could be as long as the one before.
const MAX_DECODINGS: usize = 16;

/// A reference in the parts of RFC 2396, appendix B.
static URL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?s-u)^([a-zA-Z][a-zA-Z0-9+.-]*):(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?").ok()
});

/// Identifiers of sessions in paths. The first and the last group are kept.
static PATH_SESSIONS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    expressions(&[
        r"(?i-u)^(.*/)(?:\((?:[a-z]\([0-9a-z]{24}\))+\)/)([^?]+\.aspx.*)$",
        r"(?i-u)^(.*/)(?:\([0-9a-z]{24}\)/)([^?]+\.aspx.*)$",
    ])
});

/// Identifiers of sessions in queries. The first and the last group are kept.
static QUERY_SESSIONS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    expressions(&[
        r"(?i-u)^(.*)(?:jsessionid=[0-9a-zA-Z]{32})(?:&(.*))?$",
        r"(?i-u)^(.*)(?:phpsessid=[0-9a-zA-Z]{32})(?:&(.*))?$",
        r"(?i-u)^(.*)(?:sid=[0-9a-zA-Z]{32})(?:&(.*))?$",
        r"(?i-u)^(.*)(?:ASPSESSIONID[a-zA-Z]{8}=[a-zA-Z]{24})(?:&(.*))?$",
        r"(?i-u)^(.*)(?:cfid=[^&]+&cftoken=[^&]+)(?:&(.*))?$",
    ])
});

/// Compiles expressions. All are valid, which a test shows.
fn expressions(expressions: &[&str]) -> Vec<Regex> {
    let compiled = expressions.iter().map(|expression| Regex::new(expression));
    compiled.filter_map(Result::ok).collect()
}

/// Returns the key of a URL in the "sort-friendly URI reordering transform": `org,example)/path?query`.
///
/// # Source
/// The package `surt` of the Internet Archive, version 0.3.1, whose keys pywb and `OutbackCDX` look up.
///
/// # Examples
/// ```
/// assert_eq!(absolve_archive::surt("https://www.example.org:443/B/?c=1&a"), "org,example)/b?a&c=1");
/// ```
#[must_use]
pub fn surt(url: &str) -> String {
    let url: String = url.trim().replace(['\n', '\r', '\t'], "");
    let mut url = &*url;
    // `http://https://example.org/`.
    for scheme in ["http://", "https://"].into_iter().cycle().take(4) {
        let rest = url.strip_prefix(scheme);
        url = rest
            .filter(|rest| rest.starts_with("http://") || rest.starts_with("https://"))
            .unwrap_or(url);
    }
    let with_scheme = format!("http://{url}");
    let parsed = URL.as_ref().and_then(|expression| {
        let found = expression.captures(url.as_bytes());
        found.or_else(|| expression.captures(with_scheme.as_bytes()))
    });
    let Some(parsed) = parsed else {
        return url.to_owned();
    };
    let part = |number| parsed.get(number).map_or(&b""[..], |part| part.as_bytes());
    let (scheme, authority, mut path) = (part(1), part(2), part(3));
    let scheme = String::from_utf8_lossy(scheme);
    let mut authority = String::from_utf8_lossy(authority).into_owned();
    if authority.is_empty() && scheme.starts_with("http") {
        path = path.trim_ascii_start();
        let start = path.iter().position(|&byte| byte != b'/');
        path = &path[start.unwrap_or(path.len())..];
        let end = path.iter().position(|&byte| byte == b'/');
        let (host, rest) = path.split_at(end.unwrap_or(path.len()));
        authority = String::from_utf8_lossy(host).into_owned();
        path = rest;
    }
    let host = host_key(&scheme, &authority);
    let path = path_key(path, !host.is_empty());
    let query = query_key(part(4));
    let mut key = if host.is_empty() {
        format!("{scheme}:")
    } else {
        format!("{host})")
    };
    key.push_str(&path);
    if !query.is_empty() {
        key.push('?');
        key.push_str(&query);
    }
    key
}

/// Returns the labels of a host in reverse order, without `www`, and its port unless that is the default.
fn host_key(scheme: &str, authority: &str) -> String {
    let (_, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let port = host.rsplit_once(':');
    let port = port.filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    let (host, port) = port.unwrap_or((host, ""));
    let url = Resolver::new(&format!("http://{host}/"), Profile::Whatwg);
    let parsed = url.as_ref().ok().and_then(|url| {
        let rest = url.base().strip_prefix("http://")?;
        rest.strip_suffix('/')
    });
    let host = parsed.map_or_else(|| host.to_ascii_lowercase(), str::to_owned);
    let host = host.trim_matches(['[', ']']).replace("..", ".");
    let host = host.trim_matches('.');
    let digits = host.strip_prefix("www");
    let digits = digits.map(|rest| rest.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    let host = digits
        .and_then(|rest| rest.strip_prefix('.'))
        .unwrap_or(host);
    let labels: Vec<&str> = host.rsplit('.').collect();
    let is_default = matches!((scheme, port), (_, "") | ("http", "80") | ("https", "443"));
    let port = if is_default {
        String::new()
    } else {
        format!(":{port}")
    };
    labels.join(",") + &port
}

/// Returns a path without dot segments, empty segments, the identifier of a session, and its last slash.
fn path_key(path: &[u8], has_host: bool) -> String {
    let mut path = decoded(path);
    if has_host {
        let mut segments: Vec<&[u8]> = Vec::new();
        for segment in path.split(|&byte| byte == b'/').skip(1) {
            match segment {
                b"." => {}
                b".." if segments.pop().is_some() => {}
                _ => segments.push(segment),
            }
        }
        let last = segments.pop().unwrap_or_default();
        segments.retain(|segment| !segment.is_empty());
        segments.insert(0, b"");
        segments.push(last);
        path = Cow::Owned(segments.join(&b'/'));
    }
    let key = without_session(&encoded(&path).to_ascii_lowercase(), &PATH_SESSIONS);
    match key.strip_suffix('/') {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ => key,
    }
}

/// Returns a query with sorted arguments, without the identifier of a session.
fn query_key(query: &[u8]) -> String {
    let query = without_session(&encoded(&decoded(query)), &QUERY_SESSIONS).to_ascii_lowercase();
    let mut arguments: Vec<Vec<&str>> = query
        .split('&')
        .map(|argument| argument.splitn(2, '=').collect())
        .collect();
    arguments.sort_unstable();
    let arguments: Vec<String> = arguments.iter().map(|parts| parts.join("=")).collect();
    arguments.join("&")
}

/// Returns a text without what the first expression that matches finds between its groups.
fn without_session(text: &str, sessions: &[Regex]) -> String {
    sessions.iter().fold(text.to_owned(), |text, session| {
        let Some(found) = session.captures(text.as_bytes()) else {
            return text;
        };
        let part = |number| found.get(number).map_or(&b""[..], |part| part.as_bytes());
        String::from_utf8_lossy(&[part(1), part(2)].concat()).into_owned()
    })
}

/// Percent-decodes a text until nothing is encoded.
fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..MAX_DECODINGS {
        let Cow::Owned(next) = Cow::<[u8]>::from(percent_decode(&text)) else {
            break;
        };
        text = Cow::Owned(next);
    }
    text
}

/// Percent-encodes a text.
fn encoded(text: &[u8]) -> String {
    percent_encode(text, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the package `surt` and its functions.
    #[test]
    fn surt_agrees_with_the_package_of_that_name() {
        assert!(URL.is_some());
        assert_eq!((PATH_SESSIONS.len(), QUERY_SESSIONS.len()), (2, 5));
        for (url, expected) in [
            ("http://www.archive.org", "org,archive)/"),
            ("http://archive.org:80/goo/", "org,archive)/goo"),
            ("http://archive.org:8080/goo/?", "org,archive:8080)/goo"),
            ("http://archive.org/goo/?b&a", "org,archive)/goo?a&b"),
            (
                "http://archive.org/goo/?a=2&b&a=1",
                "org,archive)/goo?a=1&a=2&b",
            ),
            ("archive.org/goo/", "org,archive)/goo"),
            (
                "http://http://https://www2.archive.org/a//b/../%2541",
                "org,archive)/a/a",
            ),
            (
                "https://user:pass@Example.ORG/\u{e9} x#f",
                "org,example)/%c3%a9%20x",
            ),
            ("http://b\u{fc}cher.example/", "example,xn--bcher-kva)/"),
            ("http://127.0.0.1:8080/a", "1,0,0,127:8080)/a"),
            ("urn:X-wpull:log", "urn:x-wpull:log"),
            ("dns:archive.org", "dns:archive.org"),
            ("file:///with spaces.png", "file:/with%20spaces.png"),
            (
                "http://www.example.org/x?a=b&PHPSESSID=9682993c8daa2c5497996114facdc805&x=y",
                "org,example)/x?a=b&x=y",
            ),
            (
                "http://example.org/(S(4hqa0555fwsecu455xqckv45))/mileg.aspx",
                "org,example)/mileg.aspx",
            ),
        ] {
            assert_eq!(surt(url), expected, "{url}");
        }
    }
}
