//! [`IndexFiles`]: the files that a server sends for the directories of a site.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use crate::reference::{Profile, rest_below, with_normal_path, with_slashes};

/// The files that a server sends for the directories of a site.
///
/// A disk has no such rule: a browser that opens `file:///site/blog/` lists the directory. With
/// [`Rewriter::index_files`](crate::Rewriter::index_files), links to directories name these files.
///
/// # Examples
/// ```
/// use absolve::{Document, IndexFiles, OutputForm, Rewriter};
///
/// let index_files = IndexFiles::new("https://example.org/", ["index.html", "blog/index.html"]);
/// let rewriter = Rewriter::new().output(OutputForm::Relative).index_files(index_files);
/// let document = Document::new(b"<a href=/blog/#new>blog</a> <a href=/gone/>gone</a>");
/// let rewritten = rewriter.rewrite(&document.retrieved_from("https://example.org/"));
/// assert_eq!(&*rewritten.bytes, b"<a href=blog/index.html#new>blog</a> <a href=gone/>gone</a>");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct IndexFiles {
    /// The URL of the site, without a slash at its end: links to it need none.
    url: String,
    /// The names of the files by their directories, relative to the site, without a slash at the end.
    names: HashMap<Vec<u8>, &'static str>,
}

impl IndexFiles {
    /// The names of the files that servers send for their directory, the preferred one first.
    pub const NAMES: [&str; 3] = ["index.html", "index.htm", "index.xhtml"];

    /// Finds the index files of a site that is published under `url`, among the paths of its files relative to the
    /// site, with slashes between segments.
    ///
    /// They have one of the [`NAMES`](Self::NAMES), of which the first takes precedence.
    ///
    /// # Complexity
    /// Linear in the length of all paths.
    pub fn new<P: AsRef<[u8]>>(url: &str, paths: impl IntoIterator<Item = P>) -> Self {
        let mut names: HashMap<Vec<u8>, &'static str> = HashMap::new();
        for path in paths {
            let path = path.as_ref();
            let slash = path.iter().rposition(|&byte| byte == b'/');
            let name = &path[slash.map_or(0, |slash| slash + 1)..];
            let rank = |name: &[u8]| {
                let mut names = Self::NAMES.iter();
                names.position(|index| index.as_bytes() == name)
            };
            let Some(found) = rank(name) else { continue };
            let directory = path[..slash.unwrap_or(0)].to_owned();
            let index = names.entry(directory).or_insert(Self::NAMES[found]);
            if rank(index.as_bytes()) > Some(found) {
                *index = Self::NAMES[found];
            }
        }
        Self {
            url: url.strip_suffix('/').unwrap_or(url).to_owned(),
            names,
        }
    }

    /// Returns the URL of the site.
    pub(crate) fn site(&self) -> String {
        format!("{}/", self.url)
    }

    /// Returns `target` with the name of the index file; `None` if it is not the URL of a directory that has one.
    pub(crate) fn explicit(&self, target: &str, profile: Profile) -> Option<String> {
        self.explicit_below(&self.url, target, profile)
    }

    /// Does the same if the site has been moved to the URL `site`.
    pub(crate) fn explicit_below(
        &self,
        site: &str,
        target: &str,
        profile: Profile,
    ) -> Option<String> {
        let site = site.strip_suffix('/').unwrap_or(site);
        let normal = with_normal_path(target, profile);
        let target = normal.as_deref().unwrap_or(target);
        let rest = rest_below(site, target, profile)?;
        let end = rest.find(['?', '#']).unwrap_or(rest.len());
        let (path, suffix) = rest.split_at(end);
        let directory: Vec<u8> = percent_decode_str(path.trim_matches('/')).collect();
        let name = self.names.get(&directory)?;
        let target = with_slashes(target, profile);
        let directory = target.strip_suffix(suffix)?;
        let slash = if directory.ends_with('/') { "" } else { "/" };
        Some([directory, slash, name, suffix].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explicit_names_the_files_of_directories() {
        let paths = [
            "index.htm",
            "a/index.xhtml",
            "a/index.html",
            "a b/index.html",
            "c/d.html",
        ];
        let index_files = IndexFiles::new("https://h/s/", paths);
        for (target, expected) in [
            ("https://h/s/", Some("https://h/s/index.htm")),
            ("https://h/s", Some("https://h/s/index.htm")),
            ("https://h/s/a/?q#f", Some("https://h/s/a/index.html?q#f")),
            ("https://h/s/a#f", Some("https://h/s/a/index.html#f")),
            (
                "HTTPS://h:443/s/a%20b/",
                Some("HTTPS://h:443/s/a%20b/index.html"),
            ),
            ("https://h/s/c/..", Some("https://h/s/index.htm")),
            ("https://h/s/./a/.", Some("https://h/s/a/index.html")),
            ("https://h/s/a/index.html", None),
            ("https://h/s/c/", None),
            ("https://h/", None),
            ("https://other/s/", None),
            ("mailto:a@h", None),
        ] {
            let explicit = index_files.explicit(target, Profile::Rfc1808);
            assert_eq!(explicit.as_deref(), expected, "{target}");
        }
    }
}
