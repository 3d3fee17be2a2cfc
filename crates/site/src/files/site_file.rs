//! A file of a directory, and its transfer to another directory.

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use super::atomic_file::{Durability, copy, hard_link_or_copy, recreate_symlink};
use super::pinned_path::PinnedPath;
use super::regular::{open_regular, read_all};

/// A file of a directory, or a symbolic link.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SiteFile {
    /// The path.
    pub path: PathBuf,
    /// The path relative to the root of its site: the directory, or one above it.
    pub site_path: PathBuf,
    /// Whether it is a symbolic link.
    pub is_link: bool,
    /// The number of components at the end of `path` among which no symbolic link is followed: those below the
    /// directory. It is 0 if symbolic links are followed.
    pub depth: usize,
}

/// Returns a path as bytes, with slashes between its components on every system.
#[must_use]
pub fn site_path_bytes(path: &Path) -> Vec<u8> {
    let components = path.components();
    let segments = components.map(|component| component.as_os_str().as_encoded_bytes());
    segments.collect::<Vec<_>>().join(&b'/')
}

/// The way in which an unchanged file gets into another directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// It is copied, with its mode and modification time.
    Copy,
    /// It gets a hard link, or is copied if the file system has no hard links.
    Link,
}

impl SiteFile {
    /// Creates a file that is not a symbolic link.
    #[must_use]
    pub fn new(path: PathBuf, site_path: PathBuf, depth: usize) -> Self {
        Self {
            path,
            site_path,
            is_link: false,
            depth,
        }
    }

    /// Reads the file, with its metadata from before it was read.
    ///
    /// # Errors
    /// Those of [`open_regular`], and of [`read_all`].
    pub fn read(&self) -> io::Result<(Vec<u8>, Metadata)> {
        read_all(&open_regular(&self.path, self.depth)?)
    }

    /// Reads the first `length` bytes of the file, or all of a shorter one.
    ///
    /// # Errors
    /// Those of [`open_regular`], and other errors of the file system.
    pub fn read_prefix(&self, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = open_regular(&self.path, self.depth)?;
        file.take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Copies the file to `target`, or makes a hard link to it. A symbolic link is recreated.
    ///
    /// `target` ends with the site path, in which no symbolic link is followed.
    ///
    /// # Errors
    /// The file cannot be copied, or is a symbolic link to a place outside its site. An existing file is left
    /// unchanged.
    pub fn transfer(
        &self,
        target: &Path,
        transfer: Transfer,
        durability: Durability,
    ) -> io::Result<()> {
        let source = PinnedPath::new(&self.path, self.depth)?;
        let target = PinnedPath::new(target, self.site_path.components().count())?;
        if self.is_link {
            let text = fs::read_link(&*source)?;
            if !cfg!(unix) && self.path.is_dir() {
                return Err(io::Error::other(
                    "symbolic link to a directory; name the directory instead",
                ));
            }
            if !stays_in_site(&self.site_path, &text) {
                return Err(io::Error::other(
                    "symbolic link to a place outside the directory; follow symbolic links, or replace it with its target",
                ));
            }
            return recreate_symlink(&text, &source, &target);
        }
        match transfer {
            Transfer::Link => hard_link_or_copy(&source, &target, durability),
            Transfer::Copy => copy(&source, &target, durability),
        }
    }
}

/// Returns whether a symbolic link with the text `text`, at `site_path` in a site, leads to a place in the site.
///
/// Only path components are counted, and `..` only before the first name: a name may be that of another symbolic link,
/// from whose target `..` would lead to any place. A copy of the site contains the target of such a link, but not that
/// of one that leaves the site.
fn stays_in_site(site_path: &Path, text: &Path) -> bool {
    // Depth of the directory of the link, from which a relative `text` starts.
    let depth = site_path.components().count().saturating_sub(1);
    let components = || text.components().filter(|&name| name != Component::CurDir);
    let is_parent = |&component: &Component<'_>| component == Component::ParentDir;
    let mut names = components().skip_while(is_parent);
    components().take_while(is_parent).count() <= depth
        && names.all(|name| matches!(name, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_in_site_compares_path_components() {
        for (site_path, text, expected) in [
            ("a", "b", true),
            ("a", ".", true),
            ("a", "..", false),
            ("x/a", "..", true),
            ("x/a", "../b/c", true),
            ("x/a", "../../b", false),
            ("x/a", "../../site/x/b", false),
            ("x/a", "y/b", true),
            ("x/a", "y/../../b", false),
            ("x/a", "./../b", true),
            ("a", "/etc/passwd", false),
        ] {
            assert_eq!(
                stays_in_site(Path::new(site_path), Path::new(text)),
                expected,
                "{site_path} -> {text}"
            );
        }
    }
}
