//! URLs of the files of a site (`Site`).

use std::path::Path;

use absolve::ResolveError;
use absolve_site::{Site, SiteError};

fn site(url: &str) -> Site {
    Site::new(url).unwrap_or_else(|error| panic!("{url}: {error}"))
}

#[test]
fn site_url_of_file_matches_web_servers() {
    let site = site("https://example.org/d/");
    // Names are encoded as in Apache's directory listings (ap_os_escape_path) and by Python's urllib.parse.quote.
    for (path, url) in [
        ("index.html", ""),
        ("index.htm", ""),
        ("index.xhtml", ""),
        ("blog/index.html", "blog/"),
        ("blog/a/index.htm", "blog/a/"),
        ("./blog//a.html", "blog/a.html"),
        // Not an index page: letter case and the whole name matter.
        ("INDEX.HTML", "INDEX.HTML"),
        ("index.html.html", "index.html.html"),
        ("index", "index"),
        ("about.html", "about.html"),
        ("about", "about"),
        ("style.css", "style.css"),
        (".well-known/security.txt", ".well-known/security.txt"),
        ("a b.html", "a%20b.html"),
        ("50%.html", "50%25.html"),
        ("a%20b.html", "a%2520b.html"),
        ("%2e%2e/a.html", "%252e%252e/a.html"),
        ("what?.html", "what%3F.html"),
        ("c#.html", "c%23.html"),
        ("a;b.html", "a%3Bb.html"),
        ("a:b.html", "a:b.html"),
        ("http:x/b.html", "http:x/b.html"),
        ("a&b=c+d,e@f!$'()*~.html", "a&b=c+d,e@f!$'()*~.html"),
        (
            "[a]{b}|^`\"<>.html",
            "%5Ba%5D%7Bb%7D%7C%5E%60%22%3C%3E.html",
        ),
        ("tab\tline\n.html", "tab%09line%0A.html"),
        ("\u{e9}/\u{65e5}.html", "%C3%A9/%E6%97%A5.html"),
        ("...html", "...html"),
        ("a.html/index.html", "a.html/"),
    ] {
        let expected = format!("https://example.org/d/{url}");
        assert_eq!(
            site.url_of(Path::new(path)).as_deref(),
            Some(&*expected),
            "{path}"
        );
    }
}

#[cfg(unix)]
#[test]
fn site_url_encodes_non_utf_8_names() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let name = OsStr::from_bytes(b"caf\xe9\\.html");
    let url = site("http://h").url_of(Path::new(name));
    assert_eq!(url.as_deref(), Some("http://h/caf%E9%5C.html"));
}

/// Round trip: the `url` crate parses the URL of a file and converts it back to the path of the file.
#[cfg(unix)]
#[test]
fn site_url_round_trips_every_file_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let site = site("file:///srv/site");
    let is_in_names = |byte: &u8| *byte != 0 && *byte != b'/';
    let mut checked = 0;
    for first in (0..=u8::MAX).filter(is_in_names) {
        for second in (0..=u8::MAX).filter(is_in_names) {
            // Both bytes as a directory and, with a third, as a file. `..` is not a name, and is skipped below.
            let names = [&[first, second][..], b"/", &[second, first, b'x']].concat();
            let path = Path::new(OsStr::from_bytes(&names));
            if first == b'.' && second == b'.' {
                continue;
            }
            let url = site.url_of(path).expect("a file of the site");
            let parsed = url::Url::parse(&url).expect("a URL");
            assert_eq!(parsed.as_str(), url, "{path:?} is written otherwise");
            let found = parsed.to_file_path().expect("a path");
            assert_eq!(found, Path::new("/srv/site").join(path));
            checked += 1;
        }
    }
    assert_eq!(checked, 254 * 254 - 1);
}

#[test]
fn site_url_is_none_outside_the_site() {
    let site = site("http://h/d/");
    for path in ["", ".", "..", "../a.html", "a/../../b.html", "/a.html"] {
        assert_eq!(site.url_of(Path::new(path)), None, "{path}");
    }
}

#[test]
fn site_url_adds_the_trailing_slash() {
    for (given, url) in [
        ("http://h", "http://h/"),
        ("http://h/", "http://h/"),
        (" http://h/a ", "http://h/a/"),
        ("file:///srv/site", "file:///srv/site/"),
        ("http://h/a;v=1", "http://h/a;v=1/"),
    ] {
        assert_eq!(site(given).url(), url, "{given}");
    }
    for (given, error) in [
        ("", SiteError::Unusable(ResolveError::BaseNotAbsolute)),
        ("a/b", SiteError::Unusable(ResolveError::BaseNotAbsolute)),
        (
            "mailto:a@b",
            SiteError::Unusable(ResolveError::BaseNotHierarchical),
        ),
        ("http://h/?q", SiteError::QueryOrFragment),
        ("http://h/a#f", SiteError::QueryOrFragment),
        ("http://h/a?", SiteError::QueryOrFragment),
    ] {
        assert_eq!(Site::new(given), Err(error), "{given}");
    }
}
