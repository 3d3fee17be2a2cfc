//! A record that a downloader left about a file.

/// The URL and the file of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Record<'l> {
    /// The URL, possibly without a scheme.
    pub(super) url: &'l str,
    /// The path, relative to the folder, to a directory above it, or to the root of the machine on which it was
    /// downloaded.
    pub(super) file: &'l [u8],
    /// Whether there is a record for every URL that led to the file, those that were redirected included.
    pub(super) has_all_urls: bool,
}
