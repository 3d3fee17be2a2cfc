//! A folder that was downloaded: which file in it a URL leads to, and which URL a file was retrieved from.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::httrack;
use super::layout::{Address, Layout, NamingStyle, Root, Scheme, path_and_query};
use super::names::{INDEX, candidates, unescaped_by_wget};
use super::page::{MirrorScope, Page};
use super::path;
use crate::rewrite::{Document, Rewriter};

/// A folder that was downloaded, by the names of its files.
///
/// # Examples
/// ```
/// use absolve::{BaseElementPolicy, Document, FragmentPolicy, Mirror, Rewriter};
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
/// # Ok::<(), absolve::NoRoot>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Mirror {
    pub(super) layout: Layout,
    pub(super) scope: MirrorScope,
    pub(super) habits: NamingStyle,
    files: HashSet<Vec<u8>>,
    /// Without their last slash.
    directories: HashSet<Vec<u8>>,
    /// Files by what their names were before wget escaped them, where that is not the same.
    unescaped: HashMap<Vec<u8>, Vec<u8>>,
    roots: Vec<Root>,
    /// The roots of an authority, by their places.
    by_authority: HashMap<String, Vec<usize>>,
    /// Roots by their directories.
    by_prefix: HashMap<Vec<u8>, usize>,
    /// How often the pages of the folder name an authority with a scheme.
    named: HashMap<String, SchemeVotes>,
    /// The scheme where nothing else says it.
    scheme: Option<Scheme>,
    /// What HTTrack wrote down: files by URL without its scheme, and the other way round.
    known_files: HashMap<String, Vec<u8>>,
    known_urls: HashMap<Vec<u8>, KnownUrl>,
}

/// A URL that was written down.
#[derive(Debug, Clone)]
struct KnownUrl {
    address: Address,
    has_scheme: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct SchemeVotes {
    http: usize,
    https: usize,
    pages: usize,
}

/// No file of the folder has a URL: none of its directories is named after a host, and no URL was given for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoRoot;

impl fmt::Display for NoRoot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no directory is named after a host, and no URL is given")
    }
}

impl std::error::Error for NoRoot {}

/// How many pages of a host are looked at to find out its scheme.
const ENOUGH: usize = 32;

impl Mirror {
    /// The folder with these files: their paths from the folder on, with slashes between the segments, in any order.
    ///
    /// `layout` is found out where it is `None`. `url` is the URL that the folder itself has the files below of, or, if
    /// one of its directories is named after the host of `url`, tells the scheme.
    ///
    /// # Errors
    /// [`NoRoot`]
    ///
    /// # Complexity
    /// Linear in the length of all paths.
    pub fn new<P: AsRef<[u8]>>(
        paths: impl IntoIterator<Item = P>,
        layout: Option<Layout>,
        url: Option<&str>,
    ) -> Result<Self, NoRoot> {
        let mut paths: Vec<Vec<u8>> = paths
            .into_iter()
            .map(|path| path.as_ref().to_owned())
            .collect();
        paths.sort();
        let layout = layout.unwrap_or_else(|| detect(&paths));
        let address = url.and_then(Address::parse);
        let roots = roots(&paths, layout, address.as_ref())?;
        let mut by_authority: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_prefix = HashMap::new();
        for (place, root) in roots.iter().enumerate() {
            by_prefix.insert(root.prefix.clone(), place);
            by_authority
                .entry(root.authority.clone())
                .or_default()
                .push(place);
        }
        let mut unescaped = HashMap::new();
        if layout == Layout::Wget {
            for path in &paths {
                let original = unescaped_by_wget(path);
                if original != *path {
                    unescaped.entry(original).or_insert_with(|| path.clone());
                }
            }
        }
        let directories = paths.iter().map(|path| path::directory(path));
        let directories = directories.filter_map(|path| path.strip_suffix(b"/"));
        Ok(Self {
            directories: directories.map(<[u8]>::to_owned).collect(),
            layout,
            scope: MirrorScope::default(),
            habits: NamingStyle::of(paths.iter().map(|path| path::name(path))),
            unescaped,
            roots,
            by_authority,
            by_prefix,
            named: HashMap::new(),
            scheme: address.map(|address| address.scheme),
            known_files: HashMap::new(),
            known_urls: HashMap::new(),
            // `wget --backup-converted` keeps the originals beside the pages: they are no pages.
            files: without_originals(paths),
        })
    }

    /// Sets which links become relative.
    pub fn scope(self, scope: MirrorScope) -> Self {
        Self { scope, ..self }
    }

    /// The layout, given or found out.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Whether a file is part of the mirror: it is there, and not the original that `wget --backup-converted` kept of
    /// another one.
    #[must_use]
    pub fn contains(&self, path: &[u8]) -> bool {
        self.files.contains(path)
    }

    /// Learns from the document at `path` what names of files do not say: whether its host is named with `http:` or
    /// `https:`, and which URL HTTrack says it was mirrored from.
    ///
    /// All documents are to be learnt from before the first [`page`](Self::page) is asked for. Nothing is lost without,
    /// where every page of the mirror was retrieved with `https:`, and none by HTTrack.
    ///
    /// # Complexity
    /// Linear in the length of the document.
    pub fn observe(&mut self, path: &[u8], document: &[u8]) {
        if self.layout == Layout::HtTrack
            && let Some(url) = httrack::mirrored_from(document)
        {
            self.know(url, path);
        }
        let Some(own) = self.root_of(path).map(|root| root.authority.clone()) else {
            return;
        };
        let named = self.named.entry(own.clone()).or_default();
        if named.pages == ENOUGH {
            return;
        }
        named.pages += 1;
        for (at, _) in document
            .windows(3)
            .enumerate()
            .filter(|(_, window)| window == b"://")
        {
            let behind = document[at + 3..].strip_prefix(own.as_bytes());
            let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.:".contains(byte);
            if behind.is_some_and(|behind| !behind.first().is_some_and(goes_on)) {
                match &document[..at] {
                    before if before.ends_with(b"https") => named.https += 1,
                    before if before.ends_with(b"http") => named.http += 1,
                    _ => {}
                }
            }
        }
    }

    /// Whether [`learn`](Self::observe) would learn something from the document at `path`.
    #[must_use]
    pub fn observes(&self, path: &[u8]) -> bool {
        let Some(root) = self.root_of(path) else {
            return self.layout == Layout::HtTrack;
        };
        let named = self.named.get(&root.authority);
        self.layout == Layout::HtTrack || named.is_none_or(|named| named.pages < ENOUGH)
    }

    /// Learns from the list that HTTrack keeps, `hts-cache/new.txt`, which URL each file was retrieved from.
    ///
    /// # Complexity
    /// Linear in the length of the list, but for the depth of the directories in it.
    pub fn observe_list(&mut self, list: &[u8]) {
        for entry in httrack::entries(list) {
            // The path may begin at the root of the machine that HTTrack ran on.
            let mut rest = entry.file;
            while !self.files.contains(rest) {
                match rest.iter().position(|&byte| byte == b'/') {
                    Some(slash) => rest = &rest[slash + 1..],
                    None => break,
                }
            }
            if self.files.contains(rest) {
                self.know(entry.url, rest);
            }
        }
    }

    fn know(&mut self, url: &str, path: &[u8]) {
        let has_scheme = url.contains("://");
        let own = [if has_scheme { "" } else { "http://" }, url].concat();
        let Some(mut address) = Address::parse(&own) else {
            return;
        };
        address.fragment = None;
        self.known_files
            .entry(key(&address))
            .or_insert_with(|| path.to_owned());
        self.known_urls.entry(path.to_owned()).or_insert(KnownUrl {
            address,
            has_scheme,
        });
    }

    /// The page at `path`: what becomes of its links. `None` where its URL is not known: it is in no directory of a
    /// host.
    #[must_use]
    pub fn page(&self, path: &[u8]) -> Option<Page<'_>> {
        Page::new(self, path, self.url_of(path)?)
    }

    /// The page at `path`, as [`page`](Self::page) gives it; where its name leaves open whether its URL is that of a
    /// directory, the links of `document`, found by `rewriter`, tell.
    ///
    /// # Complexity
    /// As [`Rewriter::links`], where the name leaves it open.
    #[must_use]
    pub fn page_of(
        &self,
        path: &[u8],
        document: &Document<'_>,
        rewriter: &Rewriter,
    ) -> Option<Page<'_>> {
        Some(self.page(path)?.told_by(document, rewriter))
    }

    /// The URL that the file at `path` was retrieved from, as far as its name tells; `None` if it is in no directory of
    /// a host.
    #[must_use]
    pub fn url_of(&self, path: &[u8]) -> Option<String> {
        if let Some(known) = self.known_urls.get(path) {
            let KnownUrl {
                address,
                has_scheme,
            } = known;
            let scheme = if *has_scheme {
                address.scheme
            } else {
                self.scheme_of(&address.authority)
            };
            return Some(format!("{}://{}", scheme.name(), key(address)));
        }
        let url = self.url_named(path)?;
        // A directory is asked for, and its index comes.
        let path_end = url.find('?').unwrap_or(url.len());
        let (before, query) = url.split_at(path_end);
        let index = std::str::from_utf8(INDEX).unwrap_or_default();
        let directory = before
            .strip_suffix(index)
            .filter(|directory| directory.ends_with('/'));
        Some([directory.unwrap_or(before), query].concat())
    }

    /// The URL of the file at `path`, with the name of an index in it.
    pub(super) fn url_named(&self, path: &[u8]) -> Option<String> {
        let root = self.root_of(path)?;
        let rest = path_and_query(&path[root.prefix.len()..], self.layout, self.habits);
        let scheme = match root.scheme {
            Some(scheme) => scheme,
            None => self.scheme_of(&root.authority),
        };
        Some(format!(
            "{}://{}{}{rest}",
            scheme.name(),
            root.authority,
            root.path
        ))
    }

    /// The file that `url` leads to, if it is there.
    ///
    /// # Complexity
    /// Linear in the length of the URL.
    #[must_use]
    pub fn find(&self, url: &str) -> Option<&[u8]> {
        self.find_address(&Address::parse(url)?)
    }

    pub(super) fn find_address(&self, url: &Address) -> Option<&[u8]> {
        if let Some(known) = self.known_files.get(&key(url)) {
            return Some(known);
        }
        let roots = self.by_authority.get(&url.authority)?.iter();
        roots
            .map(|&place| &self.roots[place])
            // Two directories may be one host with either scheme.
            .filter(|root| {
                root.scheme.is_none_or(|scheme| scheme == url.scheme) || !self.has_other(root)
            })
            .find_map(|root| {
                let names = candidates(url, &root.path, self.layout);
                names
                    .iter()
                    .find_map(|name| self.file(&[&*root.prefix, name].concat()))
            })
    }

    /// Whether another directory has files of the same host.
    fn has_other(&self, root: &Root) -> bool {
        self.by_authority
            .get(&root.authority)
            .is_some_and(|roots| roots.len() > 1)
    }

    /// The file of that name, or the one that wget had to give another name.
    fn file(&self, path: &[u8]) -> Option<&[u8]> {
        let file = self.files.get(path).or_else(|| {
            let file = self.unescaped.get(path)?;
            self.files.get(file)
        });
        file.map(|file| &**file)
    }

    /// Whether there is a file in the directory of that path.
    pub(super) fn has_directory(&self, path: &[u8]) -> bool {
        self.directories.contains(path)
    }

    pub(super) fn root_of(&self, path: &[u8]) -> Option<&Root> {
        // "host/", "https/host/", or the folder itself.
        let slashes = path.iter().enumerate().filter(|&(_, &byte)| byte == b'/');
        let ends = slashes.map(|(at, _)| at + 1).take(2).chain([0]);
        let mut places = ends.filter_map(|end| self.by_prefix.get(&path[..end]));
        places.next().map(|&place| &self.roots[place])
    }

    fn scheme_of(&self, authority: &str) -> Scheme {
        let named = self.named.get(authority).copied().unwrap_or_default();
        match named.http.cmp(&named.https) {
            std::cmp::Ordering::Greater => Scheme::Http,
            std::cmp::Ordering::Less => Scheme::Https,
            std::cmp::Ordering::Equal => self.scheme.unwrap_or(if authority.contains(':') {
                Scheme::Http
            } else {
                Scheme::Https
            }),
        }
    }
}

/// The layout that the files of a folder tell.
fn detect(paths: &[Vec<u8>]) -> Layout {
    let is_of_httrack = |path: &Vec<u8>| path.starts_with(b"hts-cache/") || path == b"hts-log.txt";
    if paths.iter().any(is_of_httrack) {
        Layout::HtTrack
    } else {
        Layout::Wget
    }
}

fn roots(paths: &[Vec<u8>], layout: Layout, url: Option<&Address>) -> Result<Vec<Root>, NoRoot> {
    if layout == Layout::Site {
        return url.map(|url| vec![Root::whole(url)]).ok_or(NoRoot);
    }
    let mut directories: Vec<&[u8]> = paths
        .iter()
        .flat_map(|path| {
            let slashes = path.iter().enumerate().filter(|&(_, &byte)| byte == b'/');
            slashes.take(2).map(|(at, _)| &path[..at])
        })
        .collect();
    directories.sort_unstable();
    directories.dedup();
    let mut hosts = Root::of_hosts(directories.into_iter(), layout);
    let Some(url) = url else {
        return if hosts.is_empty() {
            Err(NoRoot)
        } else {
            Ok(hosts)
        };
    };
    let mut is_there = false;
    for host in hosts
        .iter_mut()
        .filter(|host| host.authority == url.authority)
    {
        is_there = true;
        host.scheme = host.scheme.or(Some(url.scheme));
    }
    Ok(if is_there {
        hosts
    } else {
        vec![Root::whole(url)]
    })
}

/// The files but for those that are another file's name with `.orig` behind it.
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

/// A URL without its scheme and its fragment.
fn key(address: &Address) -> String {
    let Address {
        authority,
        path,
        query,
        ..
    } = address;
    match query {
        Some(query) => format!("{authority}{path}?{query}"),
        None => format!("{authority}{path}"),
    }
}
