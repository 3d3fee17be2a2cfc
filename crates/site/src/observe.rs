//! Recording of what documents and the lists of downloaders reveal: schemes, and the URLs of files.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::iter;

use absolve::resolution::Authority;
use absolve::saved_from;
use memchr::memmem;

use super::address::Scheme;
use super::layout::{Layout, Root};
use super::mirror::{Mirror, url_key};
use super::path::percent_decode_if;
use super::record::{KnownUrl, Record};
use super::{httrack, wget_log};

/// The number of pages of a host that are examined for its scheme. Enough for a majority; keeps the cost of a large
/// mirror low.
const MAX_SAMPLED_PAGES: usize = 32;

impl Mirror {
    /// Records what the document at `path` reveals and file names do not: the scheme of its host, and the URL in the
    /// comment of HTTrack or of a saved page.
    ///
    /// Must be called for all documents before the first call of [`page`](Self::page). May be omitted if these did not
    /// create the folder and [`url_of`](Self::url_of) returns the right schemes without it.
    ///
    /// # Complexity
    /// Linear in the length of the document.
    pub fn observe(&mut self, path: &[u8], document: &[u8]) {
        if self.layout == Layout::HtTrack
            && !self.has_record(path)
            && let Some(url) = httrack::mirrored_from(document)
        {
            self.record_all(&[Record {
                urls: vec![url],
                file: path,
                has_all_urls: true,
            }]);
        }
        if self.layout == Layout::Saved
            && let Some(url) = saved_from(document)
            && let Some(known) = KnownUrl::parse(self.unwrap.original(url), true)
        {
            let file = self.files_by_url.entry(url_key(&known.address));
            file.or_insert_with(|| Some(path.to_owned()));
            self.urls_by_file.insert(path.to_owned(), known);
        }
        let Some(authority) = self.root_of(path).map(|root| root.authority.clone()) else {
            return;
        };
        let scheme_votes = self.scheme_votes.entry(authority.clone()).or_default();
        if scheme_votes.pages == MAX_SAMPLED_PAGES {
            return;
        }
        scheme_votes.pages += 1;
        for pos in memmem::find_iter(document, "://") {
            let rest = document[pos + 3..].strip_prefix(authority.as_bytes());
            // The authority must end here: `example.org.evil` and `example.org:8080` are other hosts.
            let continues_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.:".contains(byte);
            if rest.is_some_and(|rest| !rest.first().is_some_and(continues_host)) {
                match &document[..pos] {
                    before if before.ends_with(b"https") => scheme_votes.count(Scheme::Https),
                    before if before.ends_with(b"http") => scheme_votes.count(Scheme::Http),
                    _ => {}
                }
            }
        }
    }

    /// Returns whether [`observe`](Self::observe) would record anything from the document at `path`.
    #[must_use]
    pub fn observes(&self, path: &[u8]) -> bool {
        let needs_votes = |root: &Root| {
            let scheme_votes = self.scheme_votes.get(&root.authority);
            scheme_votes.is_none_or(|scheme_votes| scheme_votes.pages < MAX_SAMPLED_PAGES)
        };
        matches!(self.layout, Layout::HtTrack | Layout::Saved)
            || self.root_of(path).is_some_and(needs_votes)
    }

    /// Records the URLs in `hts-cache/new.txt`, the list that HTTrack keeps, or in the log of wget, depending on the
    /// layout. Other layouts have no list. Returns the number of records that are of files of the mirror.
    ///
    /// # Complexity
    /// Linear in the length of the list, times the depth of the directories of the mirror.
    pub fn observe_list(&mut self, list: &[u8]) -> usize {
        match self.layout {
            Layout::HtTrack => self.record_all(&httrack::records(list).collect::<Vec<_>>()),
            Layout::Wget => self.record_all(&wget_log::records(list).collect::<Vec<_>>()),
            Layout::HostPath | Layout::Saved | Layout::Site => 0,
        }
    }

    /// Records the URLs of files, and returns the number of records of files in the folder.
    fn record_all(&mut self, records: &[Record<'_>]) -> usize {
        let Some(prefix) = self.prefix_of_list(records) else {
            return 0;
        };
        let (mut present, mut lost) = (Vec::new(), Vec::new());
        let mut count = 0;
        // The last page that was written to a file is the one in it.
        for record in records.iter().rev() {
            let urls = record.urls.iter();
            let urls = urls.filter_map(|url| KnownUrl::parse(url, record.has_all_urls));
            let urls: Vec<KnownUrl> = urls.collect();
            let (Some(path), Some(page)) = (record.file.strip_prefix(prefix), urls.first()) else {
                continue;
            };
            let mut path = path.to_owned();
            if self.layout == Layout::HtTrack && !self.contains(&path) {
                // The list has some names with escapes.
                path = percent_decode_if(&path, |_| true);
            }
            for url in &urls {
                if let Some(scheme) = url.scheme {
                    let authority = url.address.authority.clone();
                    let scheme_votes = self.scheme_votes.entry(authority).or_default();
                    scheme_votes.count(scheme);
                }
            }
            if self.contains(&path) {
                count += 1;
                let request = urls.last().unwrap_or(page).address.authority.clone();
                self.add_port(&path, request);
            }
            let known = self.urls_by_file.get(&path);
            let is_last = known
                .is_none_or(|known| self.page_key(&known.address) == self.page_key(&page.address));
            if is_last {
                self.urls_by_file.insert(path.clone(), page.clone());
            }
            if is_last && self.contains(&path) {
                present.push((urls, path));
            } else {
                lost.push(urls);
            }
        }
        for (urls, path) in present {
            for KnownUrl { address, .. } in urls {
                // A file of wget that is named after the URL takes precedence over one that is named after a redirect.
                let is_named = self.layout == Layout::Wget;
                let named = is_named.then(|| self.find_address(&address)).flatten();
                let file = named.unwrap_or(&path).to_owned();
                let recorded = self.files_by_url.entry(url_key(&address)).or_default();
                recorded.get_or_insert(file);
            }
        }
        for urls in lost {
            // A redirect leads to the file of another request for the page, if there is one.
            let mut keys = urls.iter().map(|url| url_key(&url.address)).peekable();
            let page = keys.peek().and_then(|page| self.files_by_url.get(page));
            let file = page.cloned().flatten();
            for key in keys {
                self.files_by_url.entry(key).or_insert(file.clone());
            }
        }
        count
    }

    /// Adds the port to the host of the directory that contains the file at `path`, if `authority` has that host with a
    /// port: wget2 names directories after hosts without their ports.
    fn add_port(&mut self, path: &[u8], authority: String) {
        let without_port = Authority::split(&authority).host;
        let root = self.root_of(path);
        let root = root.filter(|root| root.authority == without_port);
        let prefix = root.map(|root| root.prefix.clone());
        let prefix = prefix.filter(|_| !self.by_authority.contains_key(&authority));
        if let Some(root) = prefix.and_then(|prefix| self.roots.get_mut(&prefix)) {
            let host = std::mem::replace(&mut root.authority, authority.clone());
            let prefixes = self.by_authority.entry(host).or_default();
            prefixes.retain(|prefix| *prefix != root.prefix);
            self.by_authority
                .insert(authority, vec![root.prefix.clone()]);
        }
    }

    /// Returns the path of the folder in the names of a list, which begin in a directory above it, up to the root of
    /// the machine on which the downloader ran: the prefix with which most of them are files.
    fn prefix_of_list<'l>(&self, records: &[Record<'l>]) -> Option<&'l [u8]> {
        let max_len = self.files.iter().map(Vec::len).max()?;
        let mut counts: HashMap<&[u8], usize> = HashMap::new();
        for Record { file, .. } in records {
            let starts = memchr::memchr_iter(b'/', file).map(|slash| slash + 1);
            let mut starts = iter::once(0).chain(starts);
            // Paths longer than any file are not looked up.
            let is_file =
                |&start: &usize| file.len() - start <= max_len && self.contains(&file[start..]);
            if let Some(start) = starts.find(is_file) {
                *counts.entry(&file[..start]).or_default() += 1;
            }
        }
        let most = |&(prefix, count): &(&[u8], usize)| (count, Reverse(prefix.len()));
        counts
            .into_iter()
            .max_by_key(most)
            .map(|(prefix, _)| prefix)
    }
}
