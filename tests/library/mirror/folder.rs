//! Folders on disk as mirrors: the directory of a single host, and which files are documents.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use absolve::{Document, DocumentKind};
use absolve_site::{FolderOrigin, Layout, Mirror, NoRoot, downloaded_kind};

use super::rewriter;

/// Returns the URL of the file at `path` in the folder; `None` if it is in no directory of a host.
fn url_in(mirror: &Mirror, path: &str) -> Option<String> {
    let name = mirror.name_of(Path::new(path));
    let page = mirror.page_of(&name, &Document::new(b""), &rewriter());
    page.map(|page| page.url().to_owned())
}

/// Returns the URL of the first of `files` in a folder named `folder_name`; `None` if it is in no directory of a host.
fn url_of(
    folder_name: &str,
    files: &[&str],
    layout: Option<Layout>,
    url: Option<&str>,
) -> Result<Option<String>, NoRoot> {
    let paths = files.iter().map(Path::new);
    let origin = FolderOrigin {
        folder_name: Some(OsStr::new(folder_name)),
        layout,
        url,
        default_page: None,
    };
    Ok(url_in(&origin.mirror(paths)?, files[0]))
}

#[test]
fn the_name_of_a_folder_is_that_of_its_host_only_if_nothing_else_is_known() {
    let files = &["index.html", "a/b.html"];
    let host = Ok(Some("https://h.example/".to_owned()));
    assert_eq!(url_of("h.example", files, None, None), host);
    let layout = Some(Layout::HostPath);
    assert_eq!(url_of("h.example", files, layout, None), host);
    // The folder is not named after a host.
    assert_eq!(url_of("download", files, None, None), Err(NoRoot));
    // wget gave the page of the host another name.
    let origin = FolderOrigin {
        folder_name: Some(OsStr::new("h.example")),
        default_page: Some("default.htm"),
        ..FolderOrigin::default()
    };
    let mirror = origin.mirror([Path::new("default.htm")]);
    let mirror = mirror.expect("the directory of a host");
    let url = url_in(&mirror, "default.htm");
    assert_eq!(url.as_deref(), Some("https://h.example/"));
    let index = origin.mirror([Path::new("index.html")]);
    assert_eq!(index.err(), Some(NoRoot));
    // Another URL is given.
    let url = Some("http://other.example/x/");
    let other = Ok(Some("http://other.example/x/".to_owned()));
    assert_eq!(url_of("h.example", files, None, url), other);
    // The folder is no directory of a host: it has no index, is a site, or is the one that HTTrack created.
    assert_eq!(url_of("h.example", &["a/b.html"], None, None), Err(NoRoot));
    let layout = Some(Layout::Site);
    assert_eq!(url_of("h.example", files, layout, None), Err(NoRoot));
    let files = &["index.html", "hts-log.txt", "g.example/index.html"];
    assert_eq!(url_of("h.example", files, None, None), Ok(None));
    let files = &["g.example/index.html", "index.html", "hts-log.txt"];
    let host = Ok(Some("https://g.example/".to_owned()));
    assert_eq!(url_of("h.example", files, None, None), host);
}

#[test]
fn mirrored_files_are_documents_by_name_or_by_content() {
    let kind = |path: &str, content: &str| {
        let path: PathBuf = path.split('/').collect();
        downloaded_kind(&path, || content.into())
    };
    let html = Some(DocumentKind::Html);
    assert_eq!(kind("h.example/a.html", ""), html);
    assert_eq!(kind("h.example/a.php?x", "<!DOCTYPE html>"), html);
    assert_eq!(kind("h.example/a.php?x", ""), None);
    assert_eq!(kind("h.example/a.png", "<!DOCTYPE html>"), None);
    assert_eq!(kind("hts-cache/new.html", "<!DOCTYPE html>"), None);
}
