//! A record that a downloader left about a file.

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
