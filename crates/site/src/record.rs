//! A record that a downloader left about a file.

use super::address::{Address, Scheme};

/// The URLs and the file of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record<'l> {
    /// The URL of the page, possibly without a scheme, then those that were redirected to it, the request last.
    pub(super) urls: Vec<&'l str>,
    /// The path, relative to the folder, to a directory above it, or to the root of the machine on which it was
    /// downloaded.
    pub(super) file: &'l [u8],
    /// Whether `urls` has every URL that was redirected to the page.
    pub(super) has_all_urls: bool,
}

/// A URL that the downloader recorded.
#[derive(Debug, Clone)]
pub(super) struct KnownUrl {
    /// The address, whose scheme means nothing.
    pub(super) address: Address,
    /// The scheme, if the record contains it.
    pub(super) scheme: Option<Scheme>,
    /// Whether every other URL that led to the file is in `files_by_url`.
    pub(super) is_exclusive: bool,
}

impl KnownUrl {
    /// Parses a URL, which may lack a scheme.
    pub(super) fn parse(url: &str, is_exclusive: bool) -> Option<Self> {
        let has_scheme = url.contains("://");
        let absolute = [if has_scheme { "" } else { "http://" }, url].concat();
        let mut address = Address::parse(&absolute)?;
        address.fragment = None;
        Some(Self {
            scheme: has_scheme.then_some(address.scheme),
            address,
            is_exclusive,
        })
    }
}
