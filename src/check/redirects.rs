//! Redirects that the configuration files in a site declare.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

/// The characters that are percent-encoded in a path segment.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The reaction of a server to a request for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    /// It redirects to a URL or a path.
    Redirect(String),
    /// It sends the content of another path.
    Rewrite,
}

/// The paths that a server redirects.
#[derive(Debug, Clone, Default)]
pub(super) struct Redirects {
    patterns: Vec<Pattern>,
}

/// A path, split at slashes.
#[derive(Debug, Clone)]
struct Pattern {
    segments: Vec<Vec<u8>>,
    /// Whether the path may continue.
    is_prefix: bool,
    /// Whether a segment that begins with a colon matches any other.
    has_placeholders: bool,
    action: Action,
}

impl Redirects {
    /// Adds the rules of a file `_redirects`: lines of the form `FROM [PARAMETERS] TO [STATUS]`. `*` at the end of FROM
    /// matches the rest of a path, and `:name` a segment.
    pub(super) fn add_list(&mut self, file: &str) {
        for line in file.lines() {
            let mut words = line.split_ascii_whitespace();
            let Some(from) = words.next().filter(|from| from.starts_with('/')) else {
                continue;
            };
            let Some(to) = words.find(|word| word.starts_with('/') || word.contains("://")) else {
                continue;
            };
            let status = words.next().map(|status| status.trim_end_matches('!'));
            let path = from.strip_suffix('*');
            self.patterns.push(Pattern {
                segments: segments(path.unwrap_or(from).as_bytes()),
                is_prefix: path.is_some(),
                has_placeholders: true,
                action: match status {
                    // The server sends an error.
                    Some(status) if status.starts_with('4') => continue,
                    // The content of another file: which one, and its fragments, are left to scripts.
                    Some("200") => Action::Rewrite,
                    _ => Action::Redirect(to.to_owned()),
                },
            });
        }
    }

    /// Adds the directives `Redirect [STATUS] FROM TO` and `RedirectPermanent FROM TO` of a file `.htaccess`. FROM is a
    /// prefix of paths. Without TO, the server sends an error.
    pub(super) fn add_htaccess(&mut self, file: &str) {
        for line in file.lines() {
            let mut words = line.split_ascii_whitespace();
            let directive = words.next().unwrap_or_default().to_ascii_lowercase();
            if !matches!(
                &*directive,
                "redirect" | "redirectpermanent" | "redirecttemp"
            ) {
                continue;
            }
            let words = words.map(|word| word.trim_matches('"'));
            let mut words = words.skip_while(|word| !word.starts_with('/'));
            if let (Some(from), Some(to)) = (words.next(), words.next()) {
                self.patterns.push(Pattern {
                    segments: segments(from.as_bytes()),
                    is_prefix: true,
                    has_placeholders: false,
                    action: Action::Redirect(to.to_owned()),
                });
            }
        }
    }

    /// Returns the action of the server for a decoded path, or `None` if it looks for a file.
    ///
    /// # Complexity
    /// Linear in the number of redirects; only missing paths are looked up.
    pub(super) fn action(&self, path: &[u8]) -> Option<Action> {
        if self.patterns.is_empty() {
            return None;
        }
        let path = segments(path);
        let pattern = self
            .patterns
            .iter()
            .find(|pattern| pattern.matches(&path))?;
        Some(match &pattern.action {
            Action::Rewrite => Action::Rewrite,
            Action::Redirect(to) => Action::Redirect(pattern.fill(to, &path)),
        })
    }
}

impl Pattern {
    fn matches(&self, path: &[Vec<u8>]) -> bool {
        let is_long_enough = if self.is_prefix {
            path.len() >= self.segments.len()
        } else {
            path.len() == self.segments.len()
        };
        let is_equal = |(pattern, segment): (&Vec<u8>, &Vec<u8>)| {
            pattern == segment || (self.has_placeholders && pattern.starts_with(b":"))
        };
        is_long_enough && self.segments.iter().zip(path).all(is_equal)
    }

    /// Returns the reference `to` for a path that matches, with the parts of the path that it contains.
    fn fill(&self, to: &str, path: &[Vec<u8>]) -> String {
        let encode = |segment: &Vec<u8>| percent_encode(segment, SEGMENT).to_string();
        let rest: Vec<String> = path[self.segments.len()..].iter().map(encode).collect();
        let rest = rest.join("/");
        if !self.has_placeholders {
            let slash = if rest.is_empty() || to.ends_with('/') {
                ""
            } else {
                "/"
            };
            return [to, slash, &rest].concat();
        }
        let fields = self
            .segments
            .iter()
            .zip(path)
            .filter_map(|(pattern, segment)| {
                let name = std::str::from_utf8(pattern).ok()?;
                name.starts_with(':').then(|| (name, encode(segment)))
            });
        let mut fields: Vec<(&str, String)> = fields.chain([(":splat", rest)]).collect();
        // A name may be the beginning of another one.
        fields.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        fields
            .iter()
            .fold(to.to_owned(), |to, (name, value)| to.replace(name, value))
    }
}

fn segments(path: &[u8]) -> Vec<Vec<u8>> {
    let segments = path.split(|&byte| byte == b'/');
    let segments = segments.filter(|segment| !segment.is_empty());
    segments.map(<[u8]>::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn action_is_that_of_both_files() {
        let mut redirects = Redirects::default();
        redirects.add_list(
            "# a comment\n/old /new 301\n/blog/* /posts/:splat\n/u/:id /users/:id/x 301!\n\
             /q id=:id /r 302\n/app/* /app.html 200\n/404/* /404.html 404\n",
        );
        redirects.add_htaccess(
            "Options None\nRedirect 301 /moved https://h/\nredirectpermanent \"/perm\" /x\nRedirect gone /gone\n",
        );
        let to = |to: &str| Some(Action::Redirect(to.to_owned()));
        for (path, expected) in [
            ("/old", to("/new")),
            ("/old/", to("/new")),
            ("/old/x", None),
            ("/blog/a b/c", to("/posts/a%20b/c")),
            ("/blog", to("/posts/")),
            ("/u/7", to("/users/7/x")),
            ("/u/7/8", None),
            ("/q", to("/r")),
            ("/app/a", Some(Action::Rewrite)),
            ("/404/a", None),
            ("/moved/a", to("https://h/a")),
            ("/perm", to("/x")),
            ("/perm/y", to("/x/y")),
            ("/gone", None),
            ("/new", None),
        ] {
            assert_eq!(redirects.action(path.as_bytes()), expected, "{path}");
        }
    }
}
