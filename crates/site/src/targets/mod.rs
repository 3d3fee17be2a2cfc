//! The files of a site, to which its links must lead.

mod fragments;
mod redirects;

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;

use percent_encoding::percent_encode;

use absolve::check::{CheckReport, Rule, Violation};
use absolve::resolution::{Reference, RelativeForm};
use absolve::{Document, IndexFiles, LinkReport, Outcome, Profile, Resolver, Rewriter};

use crate::address::Address;
use crate::files::{SiteFile, read_regular, site_path_bytes};
use crate::path::in_directory;
use fragments::element_fragment;
use redirects::{Action, PATH, Redirects};

pub use fragments::FragmentSet;

/// The number of redirects that are followed for a link. A limit keeps the time linear.
const MAX_REDIRECTS: usize = 10;

/// The number of names in a directory up to which a similar one is searched. A limit keeps the time linear.
const MAX_COMPARED: usize = 2_000;

/// The files of a directory that is published as a site, and the fragments in its documents.
///
/// [`check`](Self::check) reports links into the site that lead to none of them. Nothing is requested from a server, so
/// its rules are assumptions: a directory is served by its [index file](IndexFiles), letter case counts, and queries
/// have no effect.
///
/// # Examples
/// ```
/// use absolve::check::Rule;
/// use absolve::{Document, Rewriter};
/// use absolve_site::SiteTargets;
///
/// let mut targets = SiteTargets::new("https://example.org/", ["index.html", "about.html"]);
/// let about = Document::new(b"<h2 id=team>");
/// targets.add_fragments("about.html", SiteTargets::fragments_of(&about));
///
/// let index = b"<a href=About.html>x</a> <a href=about.html#teem>y</a> <a href='about.html#team'>z</a>";
/// let index = Document::new(index).retrieved_from("https://example.org/");
/// let findings = targets.check(&Rewriter::new(), &index).report.findings;
/// let rules: Vec<Rule> = findings.iter().map(|finding| finding.rule).collect();
/// assert_eq!(rules, [Rule::MissingTarget, Rule::MissingFragment]);
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct SiteTargets {
    authority: String,
    /// The path of the URL of the root, decoded, with a slash at the end.
    root: Vec<u8>,
    /// The paths of the files below the root, with slashes between segments.
    files: HashSet<Vec<u8>>,
    /// Paths by their form in lower case.
    folded: HashMap<Vec<u8>, Vec<u8>>,
    /// The names of the files directly in each directory.
    directories: HashMap<Vec<u8>, Vec<Vec<u8>>>,
    fragments: HashMap<Vec<u8>, FragmentSet>,
    redirects: Redirects,
    has_clean_urls: bool,
}

/// The result of checking a document of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SiteCheckReport {
    /// The problems of the document.
    pub report: CheckReport,
    /// The number of links to files that the site lacks, and that its server may send: rules are left to it.
    pub left_to_server: usize,
    /// The number of links to paths of the same host that are outside the site. They are not checked.
    pub outside: usize,
}

/// The place to which a URL leads.
enum Place<'t> {
    /// Outside the site, or in a circle of redirects.
    Elsewhere,
    /// To a path whose content depends on rules of the server that are not evaluated here.
    LeftToServer,
    File {
        path: &'t [u8],
        /// The part of the document that is shown; `None` also if it is not known.
        fragment: Option<String>,
    },
    /// Nothing; with the path to which the site redirects, if it does.
    Missing(Option<Vec<u8>>),
}

impl SiteTargets {
    /// Creates the targets of a directory that is published under `url`, with the paths of its files relative to the
    /// directory and slashes between segments. No link leads into a site whose URL is not an HTTP URL.
    ///
    /// # Complexity
    /// Linear in the length of all paths, and of those of their directories.
    pub fn new<P: AsRef<[u8]>>(url: &str, paths: impl IntoIterator<Item = P>) -> Self {
        let url = Address::parse(url);
        let mut targets = Self {
            root: url.as_ref().map(Address::decoded_path).unwrap_or_default(),
            authority: url.map(|url| url.authority).unwrap_or_default(),
            files: HashSet::new(),
            folded: HashMap::new(),
            directories: HashMap::new(),
            fragments: HashMap::new(),
            redirects: Redirects::default(),
            has_clean_urls: false,
        };
        if !targets.root.ends_with(b"/") {
            targets.root.push(b'/');
        }
        for path in paths {
            let path = path.as_ref();
            let (directory, name) = split(path);
            let names = targets.directories.entry(directory.to_owned()).or_default();
            names.push(name.to_owned());
            targets.add_directories_above(directory);
            let folded = path.to_ascii_lowercase();
            targets.folded.insert(folded, path.to_owned());
            targets.files.insert(path.to_owned());
        }
        targets
    }

    /// Adds the directories above `directory`, up to the first that is known.
    fn add_directories_above(&mut self, mut directory: &[u8]) {
        while !directory.is_empty() {
            directory = split(directory).0;
            if self.directories.contains_key(directory) {
                break;
            }
            self.directories.insert(directory.to_owned(), Vec::new());
        }
    }

    /// Sets whether the server finds `about.html` as `about`. By default, it does not.
    pub fn clean_urls(self, enabled: bool) -> Self {
        Self {
            has_clean_urls: enabled,
            ..self
        }
    }

    /// Adds the redirects in a file `_redirects`, as on Netlify and Cloudflare Pages. Links to them are checked where
    /// they lead to.
    pub fn add_redirects(&mut self, file: &str) {
        self.redirects.add_list(file);
    }

    /// Adds the redirects in the file `.htaccess` of a directory, whose path is relative to that of the site:
    /// `Redirect` and `RedirectMatch` of Apache, and the names in `DirectoryIndex`.
    ///
    /// Links to them are checked where they lead to. A link to a path that another rule may apply to is not reported:
    /// `RewriteRule`, `FallbackResource`, look-around in an expression. [`SiteCheckReport`] has their
    /// number.
    pub fn add_htaccess(&mut self, directory: impl AsRef<[u8]>, file: &str) {
        let segments = join_segments(directory.as_ref());
        let slash: &[u8] = if segments.is_empty() { b"" } else { b"/" };
        let directory = [&*self.root, &*segments, slash].concat();
        self.redirects.add_htaccess(directory, file);
    }

    /// Adds the rules in those of `files` that are named `_redirects` or `.htaccess`. One that cannot be read, or that
    /// is not a regular file, has none.
    pub fn with_rules_of<'f>(mut self, files: impl IntoIterator<Item = &'f SiteFile>) -> Self {
        for file in files {
            let text = || {
                let bytes = read_regular(&file.path, file.depth).unwrap_or_default();
                String::from_utf8_lossy(&bytes).into_owned()
            };
            match file.site_path.file_name().and_then(OsStr::to_str) {
                Some("_redirects") => self.add_redirects(&text()),
                Some(".htaccess") => {
                    let directory = file.site_path.parent().map(site_path_bytes);
                    self.add_htaccess(directory.unwrap_or_default(), &text());
                }
                _ => {}
            }
        }
        self
    }

    /// Returns the fragments that lead to an element of `document`: the values of `id`, and of the `name` of `a`.
    ///
    /// If the document refreshes to another one, fragments of that count, too, if its
    /// retrieval URL is known.
    ///
    /// # Complexity
    /// That of [`Rewriter::links`].
    #[must_use]
    pub fn fragments_of(document: &Document<'_>) -> FragmentSet {
        FragmentSet::of(document)
    }

    /// Adds the fragments of the document at `path`. Links to other documents are not checked for their fragments.
    pub fn add_fragments(&mut self, path: impl AsRef<[u8]>, fragments: FragmentSet) {
        self.fragments.insert(path.as_ref().to_owned(), fragments);
    }

    /// Reports the same problems in `document` as [`Rewriter::check`], and links into the site that lead to no file or
    /// to no element.
    ///
    /// # Complexity
    /// That of [`Rewriter::links`], and for each missing file linear in the number of files of its directory and of
    /// rules of the server, both up to a limit.
    #[must_use]
    pub fn check(&self, rewriter: &Rewriter, document: &Document<'_>) -> SiteCheckReport {
        let (mut left_to_server, mut outside) = (0, 0);
        let report = rewriter.check(document, |link_report| {
            let url = Address::parse(link_report.target()?)?;
            let reference = || Violation::quoted(&link_report.link.reference);
            match self.find(&url) {
                Place::Elsewhere if self.is_outside(&url) => {
                    let Some(file) = self.file_without_root(&url) else {
                        outside += 1;
                        return None;
                    };
                    let root = Violation::quoted(&String::from_utf8_lossy(&self.root));
                    let write = self.write(file, link_report);
                    let help = format!("the site is published below {root}: {write}");
                    let message =
                        format!("{} leads out of the site, which has this file", reference());
                    Some(Violation::new(Rule::MissingTarget, message, help))
                }
                Place::Elsewhere => None,
                Place::LeftToServer => {
                    left_to_server += 1;
                    None
                }
                Place::Missing(redirected) => {
                    let help = match redirected {
                        Some(path) => {
                            let path = Violation::quoted(&String::from_utf8_lossy(&path));
                            format!("correct the redirect, which leads to {path}")
                        }
                        None => self.help(&url, link_report),
                    };
                    let message = format!("{} leads to no file of the site", reference());
                    Some(Violation::new(Rule::MissingTarget, message, help))
                }
                Place::File { path, fragment } => self.missing_fragment(path, &fragment?),
            }
        });
        SiteCheckReport {
            report,
            left_to_server,
            outside,
        }
    }

    /// Returns whether a URL is on the host of the site, and not below its path.
    fn is_outside(&self, url: &Address) -> bool {
        url.authority == self.authority && !url.decoded_path().starts_with(&self.root)
    }

    /// Returns the file to which a URL outside would lead if the site were the root of its host; not the home page,
    /// which the host has, too.
    fn file_without_root(&self, url: &Address) -> Option<&[u8]> {
        let file = self.file(url.decoded_path().get(1..)?)?;
        let is_home = IndexFiles::NAMES.iter().any(|name| name.as_bytes() == file);
        (!is_home).then_some(file)
    }

    /// Returns the violation of a link to a fragment of the file at `path`, if no element has it.
    fn missing_fragment(&self, path: &[u8], fragment: &str) -> Option<Violation> {
        let fragment = element_fragment(fragment)?;
        let known = self.fragments.get(path)?;
        let help = known.help_for(fragment)?;
        let message = || {
            let path = String::from_utf8_lossy(path);
            format!(
                "no element with the id {} in {}",
                Violation::quoted(fragment),
                Violation::quoted(&path)
            )
        };
        (!self.is_in_refreshed(known, fragment))
            .then(|| Violation::new(Rule::MissingFragment, message(), help))
    }

    /// Returns the place to which a URL leads, after the redirects of the server.
    ///
    /// # Complexity
    /// Linear in the number of redirects.
    fn find(&self, url: &Address) -> Place<'_> {
        let place = self.find_file(url);
        if !matches!(place, Place::Missing(_)) {
            return place;
        }
        let mut current = url.clone();
        for count in 0..=MAX_REDIRECTS {
            let path = current.decoded_path();
            let to = match self.redirects.reaction(&path) {
                None | Some(Action::Fail) => {
                    return Place::Missing((count > 0).then_some(path));
                }
                Some(Action::Serve) => return Place::LeftToServer,
                Some(Action::Forward(to)) => current.redirected(&to),
            };
            let Some(to) = to.filter(|_| count < MAX_REDIRECTS) else {
                break;
            };
            match self.find_file(&to) {
                Place::Missing(_) => current = to,
                place => return place,
            }
        }
        // A circle, too: the server may only change the scheme.
        Place::Elsewhere
    }

    /// Returns the part of the path of a URL below the root of the site, decoded; `None` if it is outside.
    fn below_root(&self, url: &Address) -> Option<Vec<u8>> {
        if url.authority != self.authority {
            return None;
        }
        let mut path = url.decoded_path();
        // The root itself may lack its slash.
        if path.len() + 1 == self.root.len() {
            path.push(b'/');
        }
        path.strip_prefix(&*self.root).map(<[u8]>::to_owned)
    }

    /// Returns the place to which a URL leads without redirects.
    fn find_file(&self, url: &Address) -> Place<'_> {
        let Some(rest) = self.below_root(url) else {
            return Place::Elsewhere;
        };
        let path = join_segments(&rest);
        let is_directory = rest.is_empty() || rest.ends_with(b"/");
        let exact = self.file(&path).filter(|_| !is_directory);
        let indexes = || {
            let names = IndexFiles::NAMES.into_iter();
            let mut names = names.chain(self.redirects.index_names());
            names.find_map(|name| self.file(&in_directory(&path, name)))
        };
        let clean = || {
            let is_clean = self.has_clean_urls && !is_directory;
            is_clean.then(|| self.with_extension(&path))?
        };
        match exact.or_else(indexes).or_else(clean) {
            Some(path) => Place::File {
                path,
                fragment: url.fragment.clone(),
            },
            None => Place::Missing(None),
        }
    }

    /// Returns the file at `path`.
    fn file(&self, path: &[u8]) -> Option<&[u8]> {
        self.files.get(path).map(|file| &**file)
    }

    /// Returns the file that some servers find at `path`.
    fn with_extension(&self, path: &[u8]) -> Option<&[u8]> {
        let mut extensions = [&b".html"[..], b".htm"].into_iter();
        extensions.find_map(|extension| self.file(&[path, extension].concat()))
    }

    /// Returns what to do about a link that leads to no file: `url` is its target.
    fn help(&self, url: &Address, link_report: &LinkReport<'_>) -> String {
        let path = join_segments(&self.below_root(url).unwrap_or_default());
        let write = |path: &[u8]| self.write(path, link_report);
        let (directory, name) = split(&path);
        let names = self.directories.get(directory);
        let names = names.filter(|names| names.len() <= MAX_COMPARED);
        let near = || names?.iter().find(|other| is_near(other, name));
        if let Some(file) = self.file(&path) {
            format!("remove the slash at the end: {}", write(file))
        } else if let Some(file) = self.folded.get(&path.to_ascii_lowercase()) {
            format!("correct the letter case: {}", write(file))
        } else if let Some(file) = self.with_extension(&path) {
            let written = write(file);
            format!("{written}, or use --clean-urls if the server adds the extension")
        } else if self.directories.contains_key(&path) {
            "add an index.html to the directory, or link to a file in it".to_owned()
        } else if let Some(near) = near() {
            write(&in_directory(directory, near))
        } else {
            "add the file, or correct the reference".to_owned()
        }
    }

    /// Returns the advice to write a reference to the file at `path`.
    fn write(&self, path: &[u8], link_report: &LinkReport<'_>) -> String {
        let reference = self.reference_to(path, link_report);
        let path = || String::from_utf8_lossy(path).into_owned();
        format!(
            "write {}",
            Violation::quoted(&reference.unwrap_or_else(path))
        )
    }

    /// Returns what the link of `link_report` may be replaced by to lead to the file at `path`: a reference of the same
    /// form, with the same query and fragment.
    fn reference_to(&self, path: &[u8], link_report: &LinkReport<'_>) -> Option<String> {
        let target = link_report.target()?;
        let parts = Reference::split(target, Profile::Rfc3986);
        let (scheme, authority) = (parts.scheme?, parts.authority?);
        let path = [&*self.root, path].concat();
        let path = percent_encode(&path, PATH);
        let end = target.find(['?', '#']).unwrap_or(target.len());
        let url = format!("{scheme}://{authority}{path}{}", &target[end..]);
        let written = link_report.link.reference.trim_ascii();
        if link_report.outcome == Outcome::Absolute {
            return Some(url);
        }
        if written.starts_with("//") {
            return Some(url[scheme.len() + 1..].to_owned());
        }
        let form = if written.starts_with('/') {
            RelativeForm::Root
        } else {
            RelativeForm::Path
        };
        let resolver = Resolver::new(&link_report.base.as_ref()?.url, Profile::Whatwg).ok()?;
        Some(resolver.relative(&url, form).into_owned())
    }

    /// Returns whether the page to which a document refreshes has the fragment. Such a document often replaces a page
    /// that has moved, and its script adds the fragment.
    fn is_in_refreshed(&self, document: &FragmentSet, fragment: &str) -> bool {
        let url = document.refresh.as_deref().and_then(Address::parse);
        let Some(Place::File { path, .. }) = url.map(|url| self.find(&url)) else {
            return false;
        };
        let known = self.fragments.get(path);
        known.is_some_and(|known| known.help_for(fragment).is_none())
    }
}

/// Returns a path without slashes at its ends and empty segments.
fn join_segments(path: &[u8]) -> Vec<u8> {
    let segments = path.split(|&byte| byte == b'/');
    let segments = segments.filter(|segment| !segment.is_empty());
    segments.collect::<Vec<_>>().join(&b'/')
}

/// Returns the directory of a path, without its last slash, and the name of the file.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

/// Returns whether one name becomes the other if one byte is added, removed or replaced, or two neighbours change
/// places.
fn is_near(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[start..], &long[start..]);
    match (short, long) {
        ([], []) => false,
        _ if long.len() == short.len() + 1 => long[1..] == *short,
        _ if long.len() == short.len() => {
            let is_swapped = long.len() > 1
                && long[0] == short[1]
                && long[1] == short[0]
                && long[2..] == short[2..];
            long[1..] == short[1..] || is_swapped
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_near_accepts_one_typing_error() {
        for (one, other, expected) in [
            ("abc", "abc", false),
            ("abc", "abx", true),
            ("abc", "ab", true),
            ("abc", "xabc", true),
            ("abc", "acb", true),
            ("abc", "bcd", false),
            ("abc", "a", false),
            ("", "a", true),
        ] {
            assert_eq!(
                is_near(one.as_bytes(), other.as_bytes()),
                expected,
                "{one} {other}"
            );
            assert_eq!(
                is_near(other.as_bytes(), one.as_bytes()),
                expected,
                "{other} {one}"
            );
        }
    }
}
