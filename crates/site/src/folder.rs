//! A downloaded folder as a mirror, whose files are known by their paths in it.

use std::ffi::OsStr;
use std::path::Path;

use absolve::{BaseElementPolicy, BaseScope, FragmentPolicy, Rewriter};

use super::default_page::DefaultPage;
use super::files::site_path_bytes;
use super::integrity::LOADING_ATTRIBUTES;
use super::layout::Layout;
use super::mirror::{Mirror, NoRoot};

/// The origin of a downloaded folder, as far as it is known.
///
/// # Examples
/// ```
/// use absolve::{Document, Rewriter};
/// use absolve_site::{FolderOrigin, Mirror};
/// use std::ffi::OsStr;
/// use std::path::Path;
///
/// let index = Path::new("index.html");
/// let origin = FolderOrigin { folder_name: Some(OsStr::new("h.example")), ..FolderOrigin::default() };
/// let mirror = origin.mirror([index, Path::new("a/b")])?;
/// let rewriter = Mirror::rewriter(Rewriter::new());
/// let document = Document::new(b"<a href=/a/b>b</a> <a href=/c>c</a>");
/// let page = mirror.page_of(&mirror.name_of(index), &document, &rewriter).expect("a page of the host");
/// let rewritten = rewriter.rewrite_with(&document.retrieved_from(page.url()), |link_report| page.decide(link_report));
/// assert_eq!(&*rewritten.bytes, b"<a href=a/b>b</a> <a href=https://h.example/c>c</a>");
/// # Ok::<(), absolve_site::NoRoot>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct FolderOrigin<'o> {
    /// The name of the folder.
    pub folder_name: Option<&'o OsStr>,
    /// The layout; detected if it is not known. See [`Mirror::new`].
    pub layout: Option<Layout>,
    /// The URL of the folder, or of a host in it; see [`Mirror::new`].
    pub url: Option<&'o str>,
    /// The name of the file that contains the page of a directory; see [`Mirror::default_page`].
    pub default_page: Option<&'o str>,
}

impl FolderOrigin<'_> {
    /// Creates the mirror of the files with these paths, relative to the folder.
    ///
    /// If the name of the folder is that of a host, the folder contains the page of a directory, such as `index.html`,
    /// and nothing else is known about its URL, then it is the directory of that host, and the name of each file in the
    /// mirror begins with the name of the folder: there is no URL, and the folder is not one of HTTrack or of a static
    /// site.
    ///
    /// # Errors
    /// Those of [`Mirror::new`].
    pub fn mirror<'p>(&self, paths: impl IntoIterator<Item = &'p Path>) -> Result<Mirror, NoRoot> {
        let names: Vec<Vec<u8>> = paths.into_iter().map(site_path_bytes).collect();
        match self.mirror_of_host(&names) {
            Some(mirror) => Ok(mirror),
            None => self.mirror_of(b"", &names),
        }
    }

    /// Creates the mirror of files with these names after a prefix.
    fn mirror_of(&self, prefix: &[u8], names: &[Vec<u8>]) -> Result<Mirror, NoRoot> {
        let names = names.iter().map(|name| [prefix, name].concat());
        let mut mirror = Mirror::new(names, self.layout, self.url)?;
        mirror.prefix.extend_from_slice(prefix);
        let default_page = self.default_page.into_iter();
        Ok(default_page.fold(mirror, Mirror::default_page))
    }

    /// Returns the mirror if the folder itself is the directory of a host.
    fn mirror_of_host(&self, names: &[Vec<u8>]) -> Option<Mirror> {
        let folder_name = self.folder_name.filter(|_| self.url.is_none())?;
        let has = |file: &[u8]| names.iter().any(|name| name == file);
        let layout = self.layout.unwrap_or(Layout::Wget);
        let has_host_directories = matches!(layout, Layout::Wget | Layout::HostPath);
        if !has_host_directories || has(b"hts-log.txt") {
            return None;
        }
        let indexes = DefaultPage::new(self.default_page, layout).files(b"");
        let index = indexes.into_iter().find(|index| has(index))?;
        let prefix = [folder_name.as_encoded_bytes(), b"/"].concat();
        let mirror = self.mirror_of(&prefix, names).ok()?;
        mirror.url_of(&[prefix, index].concat())?;
        Some(mirror)
    }
}

impl Mirror {
    /// Returns the name in the mirror of the file at `path` in the folder.
    #[must_use]
    pub fn name_of(&self, path: &Path) -> Vec<u8> {
        [&*self.prefix, &site_path_bytes(path)].concat()
    }

    /// Returns `rewriter` with the settings that a mirror needs: BASE is removed and accepted anywhere,
    /// fragment-only references are kept, and a callback is asked about the [`LOADING_ATTRIBUTES`].
    ///
    /// A remaining BASE would change the targets of the relative links. Browsers accept BASE anywhere, and the
    /// downloaded pages were written for browsers.
    pub fn rewriter(rewriter: Rewriter) -> Rewriter {
        rewriter
            .base_element(BaseElementPolicy::Remove)
            .base_scope(BaseScope::Document)
            .fragments(FragmentPolicy::Keep)
            .beside(LOADING_ATTRIBUTES)
    }

    /// Returns the paths at which the downloader may have recorded the URL of each file: the list of HTTrack, or the
    /// log of wget in the background, which is beside a folder that is named after its host. The contents of those that
    /// exist are for [`observe_list`](Self::observe_list).
    #[must_use]
    pub fn lists(&self) -> &'static [&'static str] {
        match self.layout {
            Layout::HtTrack => &["hts-cache/new.txt"],
            Layout::Wget => &["wget-log", "../wget-log"],
            Layout::HostPath | Layout::Saved | Layout::Site => &[],
        }
    }

    /// Records what the files of the folder reveal and their names do not: those of `documents` that the mirror
    /// [`observes`](Self::observes), and its [`lists`](Self::lists). Returns the number of records in these that are
    /// of files of the mirror.
    ///
    /// `read` returns the content of the file at a path, or `None` if it cannot be read. It is skipped then.
    pub fn observe_files<'p>(
        &mut self,
        documents: impl IntoIterator<Item = &'p Path>,
        mut read: impl FnMut(&Path) -> Option<Vec<u8>>,
    ) -> usize {
        let lists = self.lists().iter().filter_map(|path| read(Path::new(path)));
        let lists: Vec<Vec<u8>> = lists.collect();
        let known = lists.iter().map(|list| self.observe_list(list)).sum();
        for path in documents {
            let name = self.name_of(path);
            if self.observes(&name)
                && let Some(document) = read(path)
            {
                self.observe(&name, &document);
            }
        }
        known
    }
}
