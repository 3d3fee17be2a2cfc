//! Redirects that the configuration files in a site declare.

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
}

impl Redirects {
    /// Adds the rules of a file `_redirects`: lines of the form `FROM TO [STATUS]`. `*` at the end of FROM matches the
    /// rest of a path, and `:name` a segment.
    pub(super) fn add_list(&mut self, file: &str) {
        for line in file.lines() {
            let mut words = line.split_ascii_whitespace();
            if let (Some(from), Some(_)) = (words.next(), words.next())
                && from.starts_with('/')
            {
                let path = from.strip_suffix('*');
                self.patterns.push(Pattern {
                    segments: segments(path.unwrap_or(from).as_bytes()),
                    is_prefix: path.is_some(),
                    has_placeholders: true,
                });
            }
        }
    }

    /// Adds the directives `Redirect [STATUS] FROM TO` and `RedirectPermanent FROM TO` of a file `.htaccess`. FROM is a
    /// prefix of paths.
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
            if let Some(from) = words.find(|word| word.starts_with('/')) {
                self.patterns.push(Pattern {
                    segments: segments(from.as_bytes()),
                    is_prefix: true,
                    has_placeholders: false,
                });
            }
        }
    }

    /// Returns whether the path is redirected.
    ///
    /// # Complexity
    /// Linear in the number of redirects; only missing paths are looked up.
    pub(super) fn contains(&self, path: &[u8]) -> bool {
        if self.patterns.is_empty() {
            return false;
        }
        let path = segments(path);
        self.patterns.iter().any(|pattern| pattern.matches(&path))
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
    fn contains_matches_the_redirects_of_both_files() {
        let mut redirects = Redirects::default();
        redirects
            .add_list("# a comment\n/old /new 301\n/blog/* /posts/:splat\n/u/:id /users/:id\n");
        redirects.add_htaccess(
            "Options None\nRedirect 301 /moved https://h/\nredirectpermanent /gone /x\n",
        );
        for (path, expected) in [
            ("/old", true),
            ("/old/", true),
            ("/old/x", false),
            ("/blog/a/b", true),
            ("/u/7", true),
            ("/u/7/8", false),
            ("/moved/a", true),
            ("/gone", true),
            ("/new", false),
        ] {
            assert_eq!(redirects.contains(path.as_bytes()), expected, "{path}");
        }
    }
}
