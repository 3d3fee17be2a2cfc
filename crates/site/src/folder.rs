//! A downloaded folder as a mirror: which of its files are documents, and what the folder contains.

use std::ffi::OsStr;
use std::path::Path;

use absolve::{BaseElementPolicy, BaseScope, Document, DocumentKind, FragmentPolicy, Rewriter};

use super::default_page::DefaultPage;
use super::files::site_path_bytes;
use super::integrity::LOADING_ATTRIBUTES;
use super::layout::Layout;
use super::mirror::{Mirror, MirrorScope, NoRoot};
use super::page::Page;

/// The language of a file of a downloaded folder, as far as its name determines it.
///
/// Names of downloaded files are less reliable than those of a site: `page.php?id=1` may be anything.
///
/// # Examples
/// ```
/// use absolve::DocumentKind;
/// use absolve_site::MirroredFile;
/// use std::path::Path;
///
/// let kind_of = |name: &str| MirroredFile::of_path(Path::new(name));
/// assert_eq!(kind_of("h.example/style.css?v=2"), MirroredFile::Document(DocumentKind::StyleSheet));
/// assert_eq!(kind_of("h.example/page.php?id=1"), MirroredFile::Unknown);
/// assert!(MirroredFile::Unknown.is_document(|| b"<!DOCTYPE html>".to_vec()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MirroredFile {
    /// A document of this language.
    Document(DocumentKind),
    /// XML, whose root element determines whether it is a document.
    Xml,
    /// A file whose content determines whether it is a document.
    Unknown,
    /// A file that is not a document.
    Other,
}

impl MirroredFile {
    /// The number of bytes at the beginning of a file that [`is_document`](Self::is_document) needs.
    pub const PREFIX_LEN: u64 = 4096;

    /// Classifies the file at `path`, relative to the folder.
    #[must_use]
    pub fn of_path(path: &Path) -> Self {
        Self::of_name(&site_path_bytes(path))
    }

    /// Classifies a file by its name in the mirror.
    fn of_name(name: &[u8]) -> Self {
        // HTTrack's own cache.
        if name.starts_with(b"hts-cache/") {
            return Self::Other;
        }
        let name = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
        // wget writes the query after `?`, or after `@` on systems where `?` is not allowed in names. The extension
        // before it is that of the URL's path.
        let before_query = name.split(|byte| b"?@".contains(byte)).next();
        let before_query = before_query.unwrap_or(name);
        let extension_before_query = extension(before_query);
        if let Some(kind) = DocumentKind::of_extension(&extension_before_query) {
            return Self::Document(kind);
        }
        match &*extension_before_query {
            "xml" => Self::Xml,
            "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "ico" | "js" | "mjs" | "json"
            | "pdf" | "txt" | "woff" | "woff2" | "ttf" | "otf" | "eot" | "mp3" | "mp4" | "webm"
            | "zip" | "gz" => Self::Other,
            // `wget --adjust-extension` appends the extension to names without one, after the query.
            _ if extension(name) == "css" => Self::Document(DocumentKind::StyleSheet),
            _ => Self::Unknown,
        }
    }

    /// Returns whether the file is a document. Calls `prefix` if its name determines nothing, which returns the first
    /// [`PREFIX_LEN`](Self::PREFIX_LEN) bytes of the file: a document begins like HTML, or with a
    /// root element that the link table knows.
    pub fn is_document(self, prefix: impl FnOnce() -> Vec<u8>) -> bool {
        match self {
            Self::Document(_) => true,
            Self::Xml => DocumentKind::of_content("text/xml", &prefix()).is_some(),
            Self::Unknown => looks_like_html(&prefix()),
            Self::Other => false,
        }
    }

    /// Returns the language of the file if it is a document.
    #[must_use]
    pub fn document_kind(self) -> DocumentKind {
        match self {
            Self::Document(kind) => kind,
            Self::Xml => DocumentKind::Xml,
            Self::Unknown | Self::Other => DocumentKind::Html,
        }
    }
}

/// The origin of a downloaded folder, as far as it is known.
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
    /// Creates the mirror of files with these names.
    fn mirror(&self, names: impl IntoIterator<Item = Vec<u8>>) -> Result<Mirror, NoRoot> {
        let mirror = Mirror::new(names, self.layout, self.url)?;
        let default_page = self.default_page.into_iter();
        Ok(default_page.fold(mirror, Mirror::default_page))
    }
}

/// A downloaded folder: a [`Mirror`] whose files are known by their paths in the folder.
///
/// The folder may be that of one host, whose name is then not in the paths.
///
/// # Examples
/// ```
/// use absolve::{Document, Rewriter};
/// use absolve_site::{FolderOrigin, MirrorFolder};
/// use std::ffi::OsStr;
/// use std::path::Path;
///
/// let index = Path::new("index.html");
/// let origin = FolderOrigin { folder_name: Some(OsStr::new("h.example")), ..FolderOrigin::default() };
/// let folder = MirrorFolder::new([index, Path::new("a/b")], &origin)?;
/// let rewriter = MirrorFolder::rewriter(Rewriter::new());
/// let document = Document::new(b"<a href=/a/b>b</a> <a href=/c>c</a>");
/// let page = folder.page_of(index, &document, &rewriter).expect("a page of the host");
/// let rewritten = rewriter.rewrite_with(&document.retrieved_from(page.url()), |link_report| page.decide(link_report));
/// assert_eq!(&*rewritten.bytes, b"<a href=a/b>b</a> <a href=https://h.example/c>c</a>");
/// # Ok::<(), absolve_site::NoRoot>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct MirrorFolder {
    mirror: Mirror,
    /// The prefix of all names in the mirror: empty, or the name of the host and a slash if the folder is the directory
    /// of one host.
    prefix: Vec<u8>,
}

impl MirrorFolder {
    /// Creates a mirror from the paths of the files of a folder, relative to it.
    ///
    /// If the name of the folder is that of a host, the folder contains the page of a directory, such as `index.html`,
    /// and nothing else is known about its URL, then it is the directory of that host: there is no URL, and the folder
    /// is not one of HTTrack or of a static site.
    ///
    /// # Errors
    /// Those of [`Mirror::new`].
    pub fn new<'p>(
        paths: impl IntoIterator<Item = &'p Path>,
        origin: &FolderOrigin<'_>,
    ) -> Result<Self, NoRoot> {
        let names: Vec<Vec<u8>> = paths.into_iter().map(site_path_bytes).collect();
        if let Some(folder) = Self::of_host(&names, origin) {
            return Ok(folder);
        }
        Ok(Self {
            mirror: origin.mirror(names)?,
            prefix: Vec::new(),
        })
    }

    /// Returns the mirror if the folder itself is the directory of a host.
    fn of_host(names: &[Vec<u8>], origin: &FolderOrigin<'_>) -> Option<Self> {
        let folder_name = origin.folder_name.filter(|_| origin.url.is_none())?;
        let has = |file: &[u8]| names.iter().any(|name| name == file);
        let layout = origin.layout.unwrap_or(Layout::Wget);
        let has_host_directories = matches!(layout, Layout::Wget | Layout::HostPath);
        if !has_host_directories || has(b"hts-log.txt") {
            return None;
        }
        let indexes = DefaultPage::new(origin.default_page, layout).files(b"");
        let index = indexes.into_iter().find(|index| has(index))?;
        let prefix = [folder_name.as_encoded_bytes(), b"/"].concat();
        let names = names.iter().map(|name| [&*prefix, name].concat());
        let mirror = origin.mirror(names).ok()?;
        mirror.url_of(&[&*prefix, &index].concat())?;
        Some(Self { mirror, prefix })
    }

    /// Sets which links become relative.
    pub fn scope(self, scope: MirrorScope) -> Self {
        Self {
            mirror: self.mirror.scope(scope),
            ..self
        }
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

    /// Returns the layout, as given or detected.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.mirror.layout()
    }

    /// Returns whether a file is part of the mirror; see [`Mirror::contains`].
    #[must_use]
    pub fn contains(&self, path: &Path) -> bool {
        self.mirror.contains(&self.name_of(path))
    }

    /// Returns the paths at which the downloader may have recorded the URL of each file: the list of HTTrack, or the
    /// log of wget in the background, which is beside a folder that is named after its host. The contents of those that
    /// exist are for [`observe_list`](Self::observe_list).
    #[must_use]
    pub fn lists(&self) -> &'static [&'static str] {
        match self.mirror.layout() {
            Layout::HtTrack => &["hts-cache/new.txt"],
            Layout::Wget => &["wget-log", "../wget-log"],
            Layout::HostPath | Layout::Site => &[],
        }
    }

    /// Records the URLs in a list of HTTrack or a log of wget; see [`Mirror::observe_list`].
    pub fn observe_list(&mut self, list: &[u8]) -> usize {
        self.mirror.observe_list(list)
    }

    /// Records what the files of the folder reveal and their names do not: those of `documents` that the mirror
    /// [`observes`](Mirror::observes), and its [`lists`](Self::lists). Returns the number of records in these that are
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
            if self.mirror.observes(&name)
                && let Some(document) = read(path)
            {
                self.mirror.observe(&name, &document);
            }
        }
        known
    }

    /// Returns the page at `path`, which decides about the links of `document`; see [`Mirror::page_of`].
    #[must_use]
    pub fn page_of(
        &self,
        path: &Path,
        document: &Document<'_>,
        rewriter: &Rewriter,
    ) -> Option<Page<'_>> {
        self.mirror.page_of(&self.name_of(path), document, rewriter)
    }

    /// Returns the name in the mirror of the file at `path`.
    fn name_of(&self, path: &Path) -> Vec<u8> {
        [&*self.prefix, &site_path_bytes(path)].concat()
    }
}

/// Returns the text after the last dot in lower case, or an empty string without a dot.
fn extension(name: &[u8]) -> String {
    let dot = name.iter().rposition(|&byte| byte == b'.');
    let extension = dot.map_or(&b""[..], |dot| &name[dot + 1..]);
    String::from_utf8_lossy(extension).to_ascii_lowercase()
}

/// Returns whether `bytes` begin like an HTML document.
///
/// # Source
/// MIME Sniffing, "identifying a resource with an unknown MIME type": the tags that indicate HTML.
/// Deviations: the tag may appear anywhere in `bytes`, and other markup may come first, such as an XML declaration.
fn looks_like_html(bytes: &[u8]) -> bool {
    const TAGS: &str = "<!doctype html,<html,<head,<script,<iframe,<h1,<div,<font,<table,<a ,<style,<title,<body,<meta,\
        <link,<base,<p>";
    // In UTF-16, every second byte of such a tag is zero.
    let text: String = bytes
        .iter()
        .filter(|&&byte| byte != 0 && byte.is_ascii())
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    text.trim_start().starts_with('<') && TAGS.split(',').any(|tag| text.contains(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_name_classifies_names() {
        let html = MirroredFile::Document(DocumentKind::Html);
        let css = MirroredFile::Document(DocumentKind::StyleSheet);
        for (name, expected) in [
            ("h/a.html", html),
            ("h/a.HTM", html),
            ("h/index.html?x=1", html),
            ("h/index.html@x=1.html", html),
            ("h/page.php?a=1.html", MirroredFile::Unknown),
            ("h/about", MirroredFile::Unknown),
            ("h/style.css?v=2", css),
            ("h/style?v=2.css", css),
            ("h/i.png?x=a.html", MirroredFile::Other),
            ("h.example/a", MirroredFile::Unknown),
            ("hts-cache/x.html", MirroredFile::Other),
        ] {
            assert_eq!(MirroredFile::of_name(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn looks_like_html_finds_tags() {
        for (bytes, expected) in [
            (&b"<!DOCTYPE html>"[..], true),
            (b"\xef\xbb\xbf \n<!-- x --><HTML>", true),
            (b"\xff\xfe<\0h\0t\0m\0l\0>\0", true),
            (b"<?xml version='1.0'?><html>", true),
            (b"<?xml version='1.0'?><rss>", false),
            (b"text <html>", false),
            (b"", false),
        ] {
            assert_eq!(looks_like_html(bytes), expected, "{bytes:?}");
        }
    }
}
