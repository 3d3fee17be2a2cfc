//! Arguments of `absolve mirror`.

use std::path::PathBuf;

use absolve::{Escape, FragmentPolicy};
use clap::Args;

use super::named::{self, LayoutChoice, NamedValue, table};
use super::{BasePathArgs, CommonArgs, IntegrityArg, OutputArgs};

const EXAMPLES: &str = "\
Examples:
  absolve mirror www.example.org -o offline
  absolve mirror download --in-place --backup .orig
  absolve mirror download --url https://example.org/docs/ --diff
  absolve mirror crawl.warc.gz -o offline";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("url", |arg| arg
    .help("Set the URL of the folder, or of a host in it")
    .long_help("Set the URL of the folder, or of a host in it

Required if no directory is named after a host (wget -nH, --cut-dirs). Otherwise it declares the scheme of that host, http or https, if the pages do not.")))]
#[command(mut_arg("base_path", |arg| arg
    .long_help("Set the path that the folder is published under

In place of --url, with --layout site, if the host is not known. `/` is the root of a host. Links that would have to be absolute are left unchanged and reported.")))]
#[command(mut_arg("profile", |arg| arg
    .default_value("whatwg")
    .help("Use rfc1808, rfc3986 or whatwg [default: whatwg]")
    .long_help("Use rfc1808, rfc3986 or whatwg [default: whatwg]

The standard that references are resolved by. Browsers implement the URL Standard, whatwg, and read what a mirror contains.")))]
#[command(mut_arg("base_scope", |arg| arg
    .help("Accept BASE in: head, document [default: document]")
    .long_help("Accept BASE in: head, document [default: document]

Browsers accept BASE anywhere in the document, so this is the default for every profile: a BASE that is ignored here would still apply to the converted links in a browser.")))]
#[command(mut_arg("output", |arg| arg
    .value_name("DIR")
    .help("Write the converted folder to DIR")
    .long_help("Write the converted folder to DIR

All files of the folder are written: documents converted, other files as --others specifies.")))]
#[command(mut_arg("others", |arg| arg
    .long_help("Transfer other files by: copy, link, skip [default: copy]

With --output, for the files of the folder that are not documents. link makes hard links, which take no space. With skip, links to these files are broken.")))]
#[command(mut_arg("report", |arg| arg
    .long_help("Write all links and documents to FILE as JSON Lines

In the format of `absolve rewrite --report`. The target of a link is its absolute URL, whatever is written.")))]
pub(crate) struct MirrorArgs {
    /// Downloaded folder to convert, or WARC archives, also in WACZ files
    ///
    /// Of archives, the newest capture of each URL becomes a file of the output directory, as wget would name it.
    ///
    /// Documents are the files with the extensions html, htm, xhtml, xht, shtml, css, svg, rss, atom, rdf and opml,
    /// before a query in the name; those in .xml whose root element is known; and files that begin like an HTML
    /// document, unless they have an extension of other files, such as txt, js or png.
    #[arg(value_name = "PATH", required = true, num_args = 1)]
    pub(crate) folders: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Read the layout auto, wget, httrack, host-path, saved, site [default: auto]
    ///
    /// The rule that derives file names from URLs: wget keeps the query in the name, and httrack a digest of it;
    /// host-path is the unchanged path of the URL; saved is a folder of pages that a browser or an archiver saved as
    /// one file each, which state their URLs; site is a static site, where queries have no effect. auto is httrack if
    /// the log of HTTrack is present, and wget otherwise.
    #[arg(long, value_parser = named::parser(named::LAYOUTS), value_name = "LAYOUT", default_value = "auto", hide_possible_values = true, hide_default_value = true)]
    pub(crate) layout: LayoutChoice,

    /// Set the name of the files for directories [default: index.html]
    ///
    /// The NAME of `wget --default-page=NAME`, under which it saved the pages of URLs that end in a slash.
    #[arg(long, value_name = "NAME", value_parser = default_page, hide_short_help = true)]
    pub(crate) default_page: Option<String>,

    /// Read the log of wget or wget2 (-o) or the list of HTTrack
    ///
    /// wget names a file after the request. If the server redirected it, only the log contains the URL of the page.
    /// Without the log, the links of such a page resolve against the URL of the request, and links to the URL of the
    /// page remain absolute; a download with `wget --trust-server-names` has no such pages. wget-log in the folder or
    /// beside it, and hts-cache/new.txt in the folder, are read without the option.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Take the newest captures of archives until DATE
    ///
    /// The beginning of a date and time in UTC, such as 2026, 2026-01-31 or 20260131120000. The default is the newest
    /// capture of each URL.
    #[arg(long, value_name = "DATE", value_parser = timestamp)]
    pub(crate) at: Option<String>,

    /// Write the URLs that are not in the folder to FILE
    ///
    /// One in each line, for `wget -i FILE`: those on the hosts of the folder to which links lead that a reader
    /// follows, or that a page needs.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) missing: Option<PathBuf>,

    /// Also make metadata links relative (canonical, alternate)
    ///
    /// By default they are written as absolute URLs. With --preset social or json-ld, the option includes the links of
    /// Open Graph and JSON-LD.
    #[arg(long)]
    pub(crate) all: bool,

    /// Treat fragment-only references: resolve, keep, auto [default: keep]
    ///
    /// keep leaves references such as #top unchanged, so that they refer to the page itself, whatever its BASE was;
    /// resolve resolves them against BASE; auto leaves them unchanged if they refer to the page itself.
    #[arg(long, value_parser = named::parser(named::FRAGMENT_POLICIES), value_name = "WHAT", default_value = "keep", hide_possible_values = true, hide_default_value = true)]
    pub(crate) fragments: FragmentPolicy,

    /// Percent-encode absolute links: url, none [default: url]
    ///
    /// url encodes the characters that the URL Standard encodes in each component; none keeps them as written.
    #[arg(long, value_parser = named::parser(named::ESCAPES), value_name = "HOW", default_value = "url", hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub(crate) escape: Escape,

    /// Treat integrity and crossorigin: remove, keep [default: remove]
    ///
    /// Browsers refuse a file on a disk if its element has one of the two attributes. remove deletes them from elements
    /// whose target is a file of the folder.
    #[arg(long, value_parser = named::parser(LOCAL_INTEGRITY), value_name = "WHAT", default_value = "remove", hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub(crate) integrity: IntegrityArg,

    #[command(flatten)]
    pub(crate) base_path: BasePathArgs,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

table! { LOCAL_INTEGRITY: IntegrityArg {
    "remove" => IntegrityArg::Remove, "Remove the attributes";
    "keep" => IntegrityArg::Keep, "Leave them unchanged";
} }

/// Returns the last timestamp that begins with a date.
fn timestamp(date: &str) -> Result<String, &'static str> {
    absolve_site::run::last_timestamp(date).ok_or("expected a date, such as 2026-01-31")
}

/// Returns the name of a file.
fn default_page(name: &str) -> Result<String, String> {
    if matches!(name, "" | "." | "..") || name.contains('/') {
        return Err("expected the name of a file, such as default.htm".to_owned());
    }
    Ok(name.to_owned())
}
