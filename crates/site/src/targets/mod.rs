//! The files of a site, to which its links must lead.

mod fragments;
mod location;
mod redirects;

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;

use percent_encoding::percent_encode;

use absolve::check::{CheckReport, Rule, Violation};
use absolve::resolution::{Reference, RelativeForm};
use absolve::{Document, LinkReport, Outcome, Profile, Resolver, Rewriter};

use crate::files::{SiteFile, read_regular, site_path_bytes};
use fragments::element_fragment;
use location::Location;
use redirects::{Action, PATH, Redirects};

pub use fragments::FragmentSet;

/// The number of redirects that are followed for a link. A limit keeps the time linear.
const MAX_REDIRECTS: usize = 10;

/// File names that are served as their directory.
const INDEXES: [&str; 3] = ["index.html", "index.htm", "index.xhtml"];

/// The number of names in a directory up to which a similar one is searched. A limit keeps the time linear.
const MAX_COMPARED: usize = 2_000;

/// The files of a directory that is published as a site, and the fragments in its documents.
///
/// [`check`](Self::check) reports links into the site that lead to none of them. Nothing is requested from a server, so
/// its rules are assumptions: a directory is served by its `index.html`, `index.htm` or
/// `index.xhtml`, letter case counts, and queries have no effect.
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
    root: Location,
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

/// A document that is checked without the files of its site.
impl From<CheckReport> for SiteCheckReport {
    fn from(report: CheckReport) -> Self {
        Self {
            report,
            left_to_server: 0,
            outside: 0,
        }
    }
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
    /// Nothing.
    Missing(Help),
}

/// Advice about a link that leads nowhere.
enum Help {
    Advice(String),
    /// Link to the file at `path` instead.
    Write {
        /// The mistake, followed by a colon; empty if it is not known.
        mistake: &'static str,
        path: Vec<u8>,
        /// Another way, which begins with a comma; empty if there is none.
        otherwise: &'static str,
    },
}

impl SiteTargets {
    /// Creates the targets of a directory that is published under `url`, with the paths of its files relative to the
    /// directory and slashes between segments. No link leads into a site whose URL is not an HTTP URL.
    ///
    /// # Complexity
    /// Linear in the length of all paths, and of those of their directories.
    pub fn new<P: AsRef<[u8]>>(url: &str, paths: impl IntoIterator<Item = P>) -> Self {
        let root = Location::parse(url).unwrap_or(Location {
            authority: String::new(),
            path: Vec::new(),
            fragment: None,
        });
        let mut targets = Self {
            root,
            files: HashSet::new(),
            folded: HashMap::new(),
            directories: HashMap::new(),
            fragments: HashMap::new(),
            redirects: Redirects::default(),
            has_clean_urls: false,
        };
        if !targets.root.path.ends_with(b"/") {
            targets.root.path.push(b'/');
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
            if self.has_directory(directory) {
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
        let directory = [&*self.root.path, &*segments, slash].concat();
        self.redirects.add_htaccess(directory, file);
    }

    /// Adds the rules in those of `files` that are named `_redirects` or `.htaccess`. One that cannot be read, or that
    /// is not a regular file, has none.
    pub fn add_rules_of<'f>(&mut self, files: impl IntoIterator<Item = &'f SiteFile>) {
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
            let location = Location::parse(link_report.target()?)?;
            match self.find(&location) {
                Place::Elsewhere => {
                    outside += usize::from(self.is_outside(&location));
                    None
                }
                Place::LeftToServer => {
                    left_to_server += 1;
                    None
                }
                Place::Missing(help) => Some(self.missing_target(help, link_report)),
                Place::File { path, fragment } => self.missing_fragment(path, &fragment?),
            }
        });
        SiteCheckReport {
            report,
            left_to_server,
            outside,
        }
    }

    /// Returns whether a location is on the host of the site, and not below its path.
    fn is_outside(&self, location: &Location) -> bool {
        location.authority == self.root.authority && !location.path.starts_with(&self.root.path)
    }

    /// Returns the violation of a link that leads to no file.
    fn missing_target(&self, help: Help, link_report: &LinkReport<'_>) -> Violation {
        let help = match help {
            Help::Advice(advice) => advice,
            Help::Write {
                mistake,
                path,
                otherwise,
            } => {
                let reference = self.reference_to(&path, link_report);
                let path = || String::from_utf8_lossy(&path).into_owned();
                let reference = Violation::quoted(&reference.unwrap_or_else(path));
                format!("{mistake}write {reference}{otherwise}")
            }
        };
        let message = format!(
            "{} leads to no file of the site",
            Violation::quoted(&link_report.link.reference)
        );
        Violation::new(Rule::MissingTarget, message, help)
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

    /// Returns the place to which a location leads, after the redirects of the server.
    fn find(&self, location: &Location) -> Place<'_> {
        match self.find_file(location) {
            Place::Missing(help) => self.find_redirected(location, help),
            place => place,
        }
    }

    /// Returns the place to which the location of a missing file leads. `help` is about the location itself.
    ///
    /// # Complexity
    /// Linear in the number of redirects.
    fn find_redirected(&self, location: &Location, help: Help) -> Place<'_> {
        let mut current = location.clone();
        let mut seen = Vec::new();
        loop {
            let to = match self.redirects.reaction(&current.path) {
                None | Some(Action::Fail) => break,
                Some(Action::Serve) => return Place::LeftToServer,
                Some(Action::Forward(to)) => current.redirected(&to),
            };
            seen.push(current);
            // Otherwise a circle: the server may only change the scheme.
            let is_new = |to: &Location| !seen.iter().any(|known| known.is_same_file(to));
            let Some(to) = to.filter(|to| seen.len() <= MAX_REDIRECTS && is_new(to)) else {
                return Place::Elsewhere;
            };
            match self.find_file(&to) {
                Place::Missing(_) => current = to,
                place => return place,
            }
        }
        if seen.is_empty() {
            return Place::Missing(help);
        }
        let path = String::from_utf8_lossy(&current.path);
        let path = Violation::quoted(&path);
        let advice = format!("correct the redirect, which leads to {path}");
        Place::Missing(Help::Advice(advice))
    }

    /// Returns the place to which a location leads without redirects.
    fn find_file(&self, location: &Location) -> Place<'_> {
        let is_root = |path: &[u8]| self.root.path.strip_suffix(b"/") == Some(path);
        let rest = match location.path.strip_prefix(&*self.root.path) {
            _ if location.authority != self.root.authority => return Place::Elsewhere,
            Some(rest) => rest,
            None if is_root(&location.path) => b"",
            None => return Place::Elsewhere,
        };
        let path = join_segments(rest);
        let is_directory = rest.is_empty() || rest.ends_with(b"/");
        let file = |path: &[u8]| self.files.get(path).map(|file| &**file);
        let found = |path| Place::File {
            path,
            fragment: location.fragment.clone(),
        };
        if let Some(file) = file(&path).filter(|_| !is_directory) {
            return found(file);
        }
        let mut indexes = INDEXES.into_iter().chain(self.redirects.index_names());
        let index = indexes.find_map(|index| file(&inside(&path, index)));
        let with_extension = || {
            [".html", ".htm"]
                .iter()
                .find_map(|end| file(&[&*path, end.as_bytes()].concat()))
        };
        let clean = with_extension().filter(|_| self.has_clean_urls && !is_directory);
        if let Some(file) = index.or(clean) {
            return found(file);
        }
        let write = |mistake, path: &[u8], otherwise| Help::Write {
            mistake,
            path: path.to_owned(),
            otherwise,
        };
        let (directory, name) = split(&path);
        let folded = self.folded.get(&path.to_ascii_lowercase());
        let names = self.directories.get(directory);
        let names = names.filter(|names| names.len() <= MAX_COMPARED);
        let near = || names?.iter().find(|other| is_near(other, name));
        Place::Missing(if let Some(file) = file(&path) {
            write("remove the slash at the end: ", file, "")
        } else if let Some(file) = folded {
            write("correct the letter case: ", file, "")
        } else if let Some(file) = with_extension() {
            let otherwise = ", or use --clean-urls if the server adds the extension";
            write("", file, otherwise)
        } else if self.has_directory(&path) {
            let advice = "add an index.html to the directory, or link to a file in it";
            Help::Advice(advice.to_owned())
        } else if let Some(near) = near() {
            let slash: &[u8] = if directory.is_empty() { b"" } else { b"/" };
            write("", &[directory, slash, near].concat(), "")
        } else {
            Help::Advice("add the file, or correct the reference".to_owned())
        })
    }

    /// Returns what the link of `link_report` may be replaced by to lead to the file at `path`: a reference of the same
    /// form, with the same query and fragment.
    fn reference_to(&self, path: &[u8], link_report: &LinkReport<'_>) -> Option<String> {
        let target = link_report.target()?;
        let parts = Reference::split(target, Profile::Rfc3986);
        let (scheme, authority) = (parts.scheme?, parts.authority?);
        let path = [&*self.root.path, path].concat();
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
        let location = document.refresh.as_deref().and_then(Location::parse);
        let Some(Place::File { path, .. }) = location.map(|location| self.find(&location)) else {
            return false;
        };
        let known = self.fragments.get(path);
        known.is_some_and(|known| known.help_for(fragment).is_none())
    }

    /// Returns whether there is a file in the directory `path` or below it.
    fn has_directory(&self, path: &[u8]) -> bool {
        self.directories.contains_key(path)
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

/// Returns the path of the file `name` in `directory`.
fn inside(directory: &[u8], name: &str) -> Vec<u8> {
    let slash: &[u8] = if directory.is_empty() { b"" } else { b"/" };
    [directory, slash, name.as_bytes()].concat()
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
