//! The URLs under which web archives replay their captures.

use crate::scheme;

/// The web archives whose URLs are read as those of the captured documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Unwrap {
    /// None.
    #[default]
    None,
    /// The Wayback Machine, and archives with URLs of the same form on any host, such as those that pywb replays.
    Wayback,
}

crate::names::named_values! { Unwrap, "web archive":
    None => "none",
    Wayback => "wayback",
}

impl Unwrap {
    /// Returns the URL of the captured document if `url`, a URL or reference, is that of a capture, or else `url`.
    ///
    /// A capture of a capture is unwrapped, too, so the result never is one.
    ///
    /// # Source
    /// The Wayback Machine and pywb, "URL Rewriting": the path of a capture ends with its timestamp of 14 digits or a
    /// modifier such as `im_`, or both, and the URL of the document.
    ///
    /// # Examples
    /// ```
    /// use absolve::Unwrap;
    ///
    /// let original = Unwrap::Wayback.original("/web/20200903005938im_/https://h.example/a.png?b");
    /// assert_eq!(original, "https://h.example/a.png?b");
    /// ```
    #[must_use]
    pub fn original(self, url: &str) -> &str {
        if self == Self::None {
            return url;
        }
        let path = url.split(['?', '#']).next().unwrap_or_default();
        // In `javascript:` and others, the rest is no path.
        let is_web = |scheme: &str| matches!(&*scheme.to_ascii_lowercase(), "http" | "https");
        if !scheme::split(path).is_none_or(|(scheme, _)| is_web(scheme)) {
            return url;
        }
        let is_original = |&(slash, _): &(usize, &str)| {
            let rest = &path[slash + 1..];
            // pywb keeps references without a scheme: `/c/mp_///h/`.
            let rest = match scheme::split(rest) {
                Some((scheme, rest)) if is_web(scheme) => rest,
                Some(_) => "",
                None => rest,
            };
            let before = path[..slash].rsplit('/').next();
            rest.starts_with("//") && before.is_some_and(is_capture)
        };
        let slash = path.rmatch_indices('/').find(is_original);
        slash.map_or(url, |(slash, _)| &url[slash + 1..])
    }
}

/// Returns whether a path segment is a timestamp, a modifier, or both. A number alone might be a size.
fn is_capture(segment: &str) -> bool {
    let modifier = segment.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = segment.len() - modifier.len();
    match modifier.strip_suffix('_') {
        Some(name) => {
            digits <= 14
                && (2..=4).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_lowercase())
        }
        None => digits == 14 && modifier.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::Unwrap;

    #[test]
    fn original_is_the_innermost_captured_url() {
        for (url, expected) in [
            (
                "https://web.archive.org/web/20200903005938/https://h.example/a?b#c",
                "https://h.example/a?b#c",
            ),
            ("/web/20200903005938cs_/http://h/", "http://h/"),
            ("//localhost:8080/c/2020mp_/http://h", "http://h"),
            ("/c/mp_/https://h/", "https://h/"),
            ("//localhost/c/20200903005938mp_///h/a", "//h/a"),
            ("20200903005938/http://h/", "http://h/"),
            (
                "http://r/c/20200903005938mp_/https://web.archive.org/web/20100101000000/http://h/",
                "http://h/",
            ),
        ] {
            assert_eq!(Unwrap::Wayback.original(url), expected);
            assert_eq!(Unwrap::Wayback.original(expected), expected);
            assert_eq!(Unwrap::None.original(url), url);
        }
        for url in [
            "https://cdn.example/600/https://h/i.png",
            "https://h/?u=/web/20200903005938/https://h/",
            "https://h/#/20200903005938/https://h/",
            "javascript:go('/web/20200903005938/https://h/')",
            "/web/20200903005938/httpd/",
            "/web/20200903005938/https/",
            "/web/20200903005938*/https://h/",
            "/web/202009030059380/https://h/",
            "https://h/a_b_/https://h/",
            "http://h/",
            "",
        ] {
            assert_eq!(Unwrap::Wayback.original(url), url);
        }
    }
}
