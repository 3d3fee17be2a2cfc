//! A downloaded folder: the file to which a URL leads, and the URL from which a file was retrieved.
//!
//! `wget --convert-links` makes links between downloaded files relative, but only at the end of a download. This
//! module does the same for a folder that already exists. It uses the names of the files, and the contents of pages
//! where names are ambiguous. [`Page`](super::Page) decides about the links of a page; this module
//! answers its two questions.
//!
//! - URL to file ([`Mirror::find`]): the URL's host selects a root directory, its path and query yield candidate
//!   names, and the first that exists is the file.
//! - File to URL ([`Mirror::url_of`]): the inverse, which is needed as the retrieval URL of the page.
//!
//! # What the names do not determine
//!
//! - The layout. A folder with the cache or the log of HTTrack is taken for HTTrack's, any other for wget's. Other
//!   layouts must be given.
//! - The roots. A directory is a root if it is named after a host, at the top or in a directory `http` or `https`. A
//!   given URL whose host has no directory makes the whole folder the root of that URL.
//! - The scheme. Only a directory `http` or `https` contains it, and a given URL determines that of its own host. For
//!   other hosts, [`Mirror::observe`] counts the absolute URLs with either scheme by which pages refer to their own
//!   host, and [`Mirror::observe_list`] those that the downloader recorded. The majority wins. A tie is decided by the
//!   scheme of the given URL; without one, it is `http` for a host with a port and otherwise `https`. If a host has one
//!   directory only, [`Mirror::find`] ignores the scheme.
//! - The URLs of saved pages. A comment in each states its own.
//! - The query, in HTTrack's layout. A comment in each page and the list in the cache contain the URL.
//! - Redirects. wget names a file after the request, and only its log contains the URL of the page
//!   ([`Mirror::observe_list`]). Without the log, `dir.html` may have been `dir/`: [`Mirror::page_of`] chooses the URL
//!   for which more of the page's links lead to files. Other redirects are not recognized: links of such pages resolve
//!   against the URL of the request.
//!
//! # Invariants
//!
//! - A link becomes relative only if its target is one of the files that were passed to [`Mirror::new`].
//! - Rewriting a rewritten folder changes nothing: a reference that already leads to the right file is kept.
//!
//! # Cost
//!
//! The names are held in hash tables. A lookup is linear in the length of the URL, as the number of candidate names
//! is bounded.

use std::collections::{HashMap, HashSet};
use std::fmt;

use absolve::Unwrap;
use absolve::resolution::Authority;

use super::address::{Address, Scheme};
use super::default_page::DefaultPage;
use super::file_names::candidates;
use super::httrack;
use super::layout::{
    Layout, NamingStyle, Root, decode_keeping_slashes, path_and_query, undo_wget_escapes,
};
use super::path;
use super::record::KnownUrl;

/// The links of a mirror that become relative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MirrorScope {
    /// Links that a reader follows, `next` and `license` of `link` elements included, and resources of the page. Those
    /// that describe the page to programs remain absolute: `canonical`, `alternate` and similar `link` elements
    /// ([`Role::Metadata`](absolve::Role::Metadata)), Open Graph, JSON-LD.
    #[default]
    Reading,
    /// All links whose target is in the folder, except identifiers, which are not locations.
    All,
}

/// A downloaded folder, represented by the names of its files.
///
/// # Examples
/// ```
/// use absolve::{BaseElementPolicy, Document, FragmentPolicy, Rewriter};
/// use absolve_site::Mirror;
///
/// let files = ["example.org/index.html", "example.org/page.php?id=3"];
/// let mirror = Mirror::new(files, None, None)?;
/// let page = mirror.page(b"example.org/index.html").expect("a page of a host");
/// assert_eq!(page.url(), "https://example.org/");
///
/// let rewriter = Rewriter::new().fragments(FragmentPolicy::Keep).base_element(BaseElementPolicy::Remove);
/// let document = Document::new(b"<a href='/page.php?id=3#a'>there</a> <a href=gone>not there</a>");
/// let rewritten = rewriter.rewrite_with(&document.retrieved_from(page.url()), |link_report| page.decide(link_report));
/// assert_eq!(
///     &*rewritten.bytes,
///     b"<a href='page.php%3Fid=3#a'>there</a> <a href=https://example.org/gone>not there</a>"
/// );
/// # Ok::<(), absolve_site::NoRoot>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Mirror {
    pub(super) layout: Layout,
    pub(super) scope: MirrorScope,
    /// The prefix of all names: empty, or the name of the host and a slash if the folder is the directory of one host.
    pub(super) prefix: Vec<u8>,
    default_page: DefaultPage,
    /// The web archives from which pages were saved.
    pub(super) unwrap: Unwrap,
    pub(super) naming_style: NamingStyle,
    pub(super) files: HashSet<Vec<u8>>,
    /// The directories of files, without their last slash.
    directories: HashSet<Vec<u8>>,
    /// Files by their names before wget escaped them, where these differ.
    escaped_names: HashMap<Vec<u8>, Vec<u8>>,
    /// The directories of hosts, or the folder itself, by `prefix`.
    pub(super) roots: HashMap<Vec<u8>, Root>,
    /// The prefixes of the roots by authority.
    pub(super) by_authority: HashMap<String, Vec<Vec<u8>>>,
    /// By authority, the numbers of absolute URLs with either scheme by which its pages refer to it.
    pub(super) scheme_votes: HashMap<String, SchemeVotes>,
    /// The scheme of the given URL, which breaks ties between `scheme_votes`.
    scheme: Option<Scheme>,
    /// Files by `url_key`, as recorded by the downloader; `None` if the file is gone, or has another page
    /// now.
    pub(super) files_by_url: HashMap<String, Option<Vec<u8>>>,
    /// URLs by file, as recorded by the downloader, also of files that are gone.
    pub(super) urls_by_file: HashMap<Vec<u8>, KnownUrl>,
}

/// The evidence for the scheme of an authority.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SchemeVotes {
    /// The number of URLs with the scheme `http`.
    http: usize,
    /// The number of URLs with the scheme `https`.
    https: usize,
    /// The number of pages that were examined.
    pub(super) pages: usize,
}

impl SchemeVotes {
    pub(super) fn count(&mut self, scheme: Scheme) {
        match scheme {
            Scheme::Http => self.http += 1,
            Scheme::Https => self.https += 1,
        }
    }
}

/// The error for a folder without roots: no directory is named after a host, and no URL is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoRoot;

impl fmt::Display for NoRoot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no directory named after a host, and no URL given")
    }
}

impl std::error::Error for NoRoot {}

impl Mirror {
    /// Creates a mirror from the paths of its files, relative to the folder, with slashes between segments, in any
    /// order.
    ///
    /// If `layout` is `None`, it is detected. If a directory is named after the host of `url`, `url` determines the
    /// scheme of that host; otherwise the whole folder contains the files below `url`.
    ///
    /// # Errors
    /// [`NoRoot`] if `url` is missing or is no HTTP URL, and no directory is named after a host or the layout is
    /// [`Layout::Site`].
    ///
    /// # Complexity
    /// Linear in the length of all paths.
    pub fn new<P: AsRef<[u8]>>(
        paths: impl IntoIterator<Item = P>,
        layout: Option<Layout>,
        url: Option<&str>,
    ) -> Result<Self, NoRoot> {
        let paths = paths.into_iter().map(|path| path.as_ref().to_owned());
        let mut paths: Vec<Vec<u8>> = paths.collect();
        paths.sort_unstable();
        let layout = layout.unwrap_or_else(|| detect(&paths));
        let address = url.and_then(Address::parse);
        let roots = roots(&paths, layout, address.as_ref())?;
        let scheme = address.map(|address| address.scheme);
        Ok(Self::with_roots(paths, layout, roots, scheme))
    }

    /// Creates the mirror of files in these roots. `scheme` breaks ties between the schemes of links.
    pub(super) fn with_roots(
        paths: Vec<Vec<u8>>,
        layout: Layout,
        roots: Vec<Root>,
        scheme: Option<Scheme>,
    ) -> Self {
        let mut by_authority: HashMap<String, Vec<Vec<u8>>> = HashMap::new();
        for root in &roots {
            let prefixes = by_authority.entry(root.authority.clone()).or_default();
            prefixes.push(root.prefix.clone());
        }
        let roots = roots.into_iter().map(|root| (root.prefix.clone(), root));
        let mut escaped_names = HashMap::new();
        if layout == Layout::Wget {
            for path in &paths {
                let original = undo_wget_escapes(path);
                if original != *path {
                    escaped_names
                        .entry(original)
                        .or_insert_with(|| path.clone());
                }
            }
        }
        let directories = paths.iter().map(|path| path::directory(path));
        let directories = directories.filter_map(|path| path.strip_suffix(b"/"));
        Self {
            directories: directories.map(<[u8]>::to_owned).collect(),
            layout,
            scope: MirrorScope::default(),
            prefix: Vec::new(),
            default_page: DefaultPage::new(None, layout),
            unwrap: Unwrap::None,
            naming_style: NamingStyle::of(paths.iter().map(|path| path::file_name(path))),
            escaped_names,
            roots: roots.collect(),
            by_authority,
            scheme_votes: HashMap::new(),
            scheme,
            files_by_url: HashMap::new(),
            urls_by_file: HashMap::new(),
            // The originals that `wget --backup-converted` keeps are not pages.
            files: without_originals(paths),
        }
    }

    /// Sets which links become relative.
    pub fn scope(self, scope: MirrorScope) -> Self {
        Self { scope, ..self }
    }

    /// Sets the name of the file that contains the page of a directory: `wget --default-page`. The default is
    /// `index.html`. HTTrack names these files itself.
    ///
    /// Must be called before [`observe_list`](Self::observe_list).
    pub fn default_page(self, name: &str) -> Self {
        let default_page = match self.layout {
            Layout::HtTrack => self.default_page,
            layout => DefaultPage::new(Some(name), layout),
        };
        Self {
            default_page,
            ..self
        }
    }

    /// Returns the layout, as given or detected.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns whether a file is part of the mirror: it exists, and is not an original that `wget --backup-converted`
    /// kept.
    #[must_use]
    pub fn contains(&self, path: &[u8]) -> bool {
        self.files.contains(path)
    }

    /// Returns whether the downloader recorded the URL of the file at `path`.
    pub(super) fn has_record(&self, path: &[u8]) -> bool {
        self.urls_by_file.contains_key(path)
    }

    /// Returns whether the URL of any file is recorded.
    pub(super) fn has_records(&self) -> bool {
        !self.urls_by_file.is_empty()
    }

    /// Returns the URL from which the file at `path` was retrieved, as far as its name determines it; `None` if it is
    /// in no directory of a host.
    #[must_use]
    pub fn url_of(&self, path: &[u8]) -> Option<String> {
        if let Some(known) = self.urls_by_file.get(path) {
            let address = &known.address;
            let scheme = known.scheme;
            let scheme = scheme.unwrap_or_else(|| self.scheme_of(&address.authority));
            return Some(format!("{}://{}", scheme.name(), schemeless_url(address)));
        }
        self.url_by_name(path)
    }

    /// Returns the URL of the request for the file at `path`, which its name determines.
    pub(super) fn url_by_name(&self, path: &[u8]) -> Option<String> {
        let url = self.url_with_index(path)?;
        // The request was for the directory, not for its index.
        let path_end = url.find('?').unwrap_or(url.len());
        let (before, query) = url.split_at(path_end);
        let directory = self.default_page.directory_of(before);
        Some([directory.unwrap_or(before), query].concat())
    }

    /// Returns the URL of the file at `path`, including the file name of an index.
    pub(super) fn url_with_index(&self, path: &[u8]) -> Option<String> {
        let root = self.root_of(path)?;
        let rest = path_and_query(&path[root.prefix.len()..], self.layout, self.naming_style);
        let (authority, path) = (&root.authority, &root.path);
        let scheme = root.scheme.unwrap_or_else(|| self.scheme_of(authority));
        Some(format!("{}://{authority}{path}{rest}", scheme.name()))
    }

    /// Returns the file to which `url` leads, if it exists.
    ///
    /// # Complexity
    /// Linear in the length of the URL.
    #[must_use]
    pub fn find(&self, url: &str) -> Option<&[u8]> {
        self.find_address(&Address::parse(url)?)
    }

    /// Returns whether the folder has a directory of the host of `url`.
    pub(super) fn has_host(&self, url: &str) -> bool {
        let address = Address::parse(url);
        let prefixes = address.and_then(|address| self.by_authority.get(&address.authority));
        prefixes.is_some_and(|prefixes| !prefixes.is_empty())
    }

    /// Returns the file to which a parsed URL leads, if it exists.
    pub(super) fn find_address(&self, url: &Address) -> Option<&[u8]> {
        let recorded = self.files_by_url.get(&url_key(url));
        if let Some(Some(file)) = recorded {
            return Some(file);
        }
        let roots = self.by_authority.get(&url.authority)?;
        roots
            .iter()
            .map(|prefix| &self.roots[prefix])
            // The scheme matters only if a host has a directory for each.
            .filter(|root| {
                roots.len() == 1 || root.scheme.is_none_or(|scheme| scheme == url.scheme)
            })
            .find_map(|root| {
                let names = candidates(
                    url,
                    &root.path,
                    self.layout,
                    self.naming_style,
                    &self.default_page,
                );
                names.iter().enumerate().find_map(|(index, name)| {
                    let file = self.file(&[&*root.prefix, name].concat());
                    // The first name of wget is that of the URL, and the others are guesses. A link that this module
                    // has written has the first name, too, whatever page is in the file.
                    let is_certain = index == 0 && self.layout == Layout::Wget;
                    let is_possible =
                        |file: &&[u8]| recorded.is_none() && !self.is_of_other_url(file, url);
                    file.filter(|file| is_certain || is_possible(file))
                })
            })
    }

    /// Returns whether the downloader recorded that the file at `path` is that of another URL, and of no more.
    fn is_of_other_url(&self, path: &[u8], url: &Address) -> bool {
        let known = self.urls_by_file.get(path);
        let known = known.filter(|known| known.is_exclusive);
        known.is_some_and(|known| self.page_key(&known.address) != self.page_key(url))
    }

    /// Returns the decoded URL of a page without its query, without the name of an index, and without the slash that a
    /// server adds to the URL of a directory; and the decoded query.
    pub(super) fn page_key(&self, url: &Address) -> (Vec<u8>, Option<Vec<u8>>) {
        let directory = self.default_page.directory_of(&url.path);
        let directory = directory.filter(|_| url.query.is_none());
        let path = directory.unwrap_or(&url.path).trim_end_matches('/');
        (
            [url.authority.as_bytes(), &decode_keeping_slashes(path)].concat(),
            url.query.as_deref().map(decode_keeping_slashes),
        )
    }

    /// Returns the file at `path`, or the file whose name was `path` before wget escaped it.
    fn file(&self, path: &[u8]) -> Option<&[u8]> {
        let file = self.files.get(path).or_else(|| {
            let file = self.escaped_names.get(path)?;
            self.files.get(file)
        });
        let lower_case = || {
            let is_lower_case = self.naming_style.is_lower_case;
            is_lower_case.then(|| self.files.get(&path.to_ascii_lowercase()))?
        };
        file.or_else(lower_case).map(|file| &**file)
    }

    /// Returns whether there is a file directly in the directory `path`.
    pub(super) fn has_directory(&self, path: &[u8]) -> bool {
        self.directories.contains(path)
    }

    /// Returns the root that contains `path`.
    pub(super) fn root_of(&self, path: &[u8]) -> Option<&Root> {
        // A root is "host/", "https/host/", or the folder itself.
        let slashes = path.iter().enumerate().filter(|&(_, &byte)| byte == b'/');
        let mut ends = slashes.map(|(pos, _)| pos + 1).take(2).chain([0]);
        ends.find_map(|end| self.roots.get(&path[..end]))
    }

    /// Returns the scheme of an authority according to the evidence.
    fn scheme_of(&self, authority: &str) -> Scheme {
        let scheme_votes = self.scheme_votes.get(authority);
        let scheme_votes = scheme_votes.copied().unwrap_or_default();
        match scheme_votes.http.cmp(&scheme_votes.https) {
            std::cmp::Ordering::Greater => Scheme::Http,
            std::cmp::Ordering::Less => Scheme::Https,
            // Without evidence, `https` is likely, except for development servers on other ports.
            std::cmp::Ordering::Equal => self.scheme.unwrap_or(if authority.contains(':') {
                Scheme::Http
            } else {
                Scheme::Https
            }),
        }
    }
}

/// Detects the layout from the names of files.
fn detect(paths: &[Vec<u8>]) -> Layout {
    let is_httrack_file =
        |path: &Vec<u8>| path.starts_with(b"hts-cache/") || path == b"hts-log.txt";
    if paths.iter().any(is_httrack_file) {
        Layout::HtTrack
    } else {
        Layout::Wget
    }
}

/// Returns the roots of a folder; see [`Mirror::new`].
fn roots(paths: &[Vec<u8>], layout: Layout, url: Option<&Address>) -> Result<Vec<Root>, NoRoot> {
    if layout == Layout::Saved {
        return Ok(Vec::new());
    }
    if layout == Layout::Site {
        return url.map(|url| vec![Root::whole(url)]).ok_or(NoRoot);
    }
    let mut directories: Vec<&[u8]> = paths
        .iter()
        .flat_map(|path| {
            let slashes = path.iter().enumerate().filter(|&(_, &byte)| byte == b'/');
            slashes.take(2).map(|(pos, _)| &path[..pos])
        })
        .collect();
    directories.sort_unstable();
    directories.dedup();
    let mut hosts = Root::of_hosts(directories.into_iter(), layout);
    let Some(url) = url else {
        return Some(hosts).filter(|hosts| !hosts.is_empty()).ok_or(NoRoot);
    };
    // wget2 names directories after hosts without their ports.
    let is_named = |authority: &str| hosts.iter().any(|host| host.authority == authority);
    let without_port = Authority::split(&url.authority).host;
    let host = (!is_named(&url.authority) && is_named(without_port)).then_some(without_port);
    for root in &mut hosts {
        if Some(&*root.authority) == host {
            root.authority.clone_from(&url.authority);
        }
    }
    let mut is_found = false;
    for host in &mut hosts {
        if host.authority == url.authority {
            is_found = true;
            host.scheme.get_or_insert(url.scheme);
        }
    }
    if !is_found {
        hosts = vec![Root::whole(url)];
    }
    Ok(hosts)
}

/// Returns the files except those named like another file with `.orig` appended.
fn without_originals(paths: Vec<Vec<u8>>) -> HashSet<Vec<u8>> {
    let all: HashSet<Vec<u8>> = paths.into_iter().collect();
    let is_original = |path: &[u8]| {
        path.strip_suffix(b".orig")
            .is_some_and(|other| all.contains(other))
    };
    all.iter()
        .filter(|path| !is_original(path))
        .cloned()
        .collect()
}

/// Returns a URL without its scheme and its fragment. The escapes of bytes beyond ASCII are in small letters: some
/// downloaders write them, and others and browsers write capital letters.
pub(super) fn url_key(address: &Address) -> String {
    httrack::with_small_escapes(&schemeless_url(address))
}

/// Returns a URL without its scheme and its fragment.
fn schemeless_url(address: &Address) -> String {
    let mut url = [&*address.authority, &address.path].concat();
    if let Some(query) = &address.query {
        url.push('?');
        url.push_str(query);
    }
    url
}
