//! Sites: directories of files that are published under a URL, or that were downloaded from one.
//!
//! The two directions are different problems. [`Site`] computes the URL under which a web server would publish a
//! file. [`Mirror`] starts from a download: it finds the URL from which each file was retrieved and the file to which
//! a URL leads, so that links between files can become relative.
//!
//! They map names only and open no file: the caller lists the files and passes the contents of pages. [`files`] lists,
//! reads and writes files, and [`run`] does all of this for the files of a folder. Neither mapping is certain, because
//! a server may be configured in any way and a downloader loses information. Each type documents its assumptions.
//!
//! Paths are relative to the directory, with slashes between the segments. Those of a mirror are bytes, because file
//! names need not be valid UTF-8.
//!
//! - `address`: HTTP URLs, to which links and redirects lead.
//! - `site`: path to URL, for published sites.
//! - `targets`: the files of a published site, to which its links must lead.
//! - `layout`, `names`, `httrack`: URL to file names and back, for the layouts of `wget`, HTTrack and others.
//! - `record`, `wget_log`: the URLs that downloaders recorded.
//! - `mirror`: the files of a folder, its hosts and schemes.
//! - `folder`: a folder on disk as a mirror.
//! - `captures`: the captures of archives as a mirror.
//! - `document_kind`: which files are documents.
//! - `integrity`: attributes that keep browsers from loading a file that changed, or one on a disk.
//! - `page`: decisions about the links of one page.
//! - `path`: paths as bytes, and relative references between them.

mod address;
mod captures;
mod default_page;
mod document_kind;
mod file_names;
pub mod files;
mod folder;
mod httrack;
mod integrity;
mod layout;
mod mirror;
mod observe;
mod page;
mod path;
mod record;
pub mod run;
mod site;
mod targets;
mod unknown_origin;
mod wget_log;

pub use captures::portable_name;
pub use document_kind::{document_kind, downloaded_kind};
pub use folder::FolderOrigin;
pub use integrity::{FileDigests, LOADING_ATTRIBUTES, LocalPage, READ_ATTRIBUTES, mentions};
pub use layout::Layout;
pub use mirror::{Mirror, MirrorScope, NoRoot};
pub use page::Page;
pub use site::{Site, SiteError};
pub use targets::{FragmentSet, SiteCheckReport, SiteTargets};
pub use unknown_origin::{UNKNOWN_ORIGIN, url_of_directory, url_of_path};
