//! Folders downloaded by wget: every converted link is followed, and compared with wget's own conversion (`-k`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use absolve::{Document, LinkReport, Outcome};
use tempfile::TempDir;

use super::server::{Answer, serve, serve_folder};
use support::world;

const HOME: &str = "<html><body><a href=/>home</a> <a href='/based.html'>b</a></body></html>";

#[rustfmt::skip]
const SITE: &[(&str, Answer)] = &[
    ("/", Answer::Page("<!doctype html><html><head><title>x</title>\r\n\
        <link rel=stylesheet href='/style.css?v=2'><link rel=\"canonical\" href=\"/\">\n\
        <style>h1 { background: url(\"i.png\") }</style></head>\n<body background=i.png style=\"background:url('/i.png')\">\n\
        <a href=\"page.php\">1</a> <A HREF=\"page.php?a=1&amp;b=2#f\">2</A> <a href=/about>3</a> <a href='a%20b.html'>4</a>\n\
        <a href='./c:d.html'>5</a> <a href=\"caf%C3%A9.html\">6</a> <a href='stra\u{df}e.html'>7</a> <a href=missing.html>8</a>\n\
        <a href=\"http://other.invalid/x\">9</a> <a href='#top'>10</a> <a href='/#top'>11</a> <a href='q.php?x=a/b'>12</a>\n\
        <a href='h%23h.html'>13</a> <a href='who%3F'>14</a> <a href='?s=1'>15</a> <a href='pipe%7Cx.html'>16</a>\n\
        <a href='sl%2Fash.html'>17</a> <a href=''>18</a> <a href='semi;x.html'>19</a> <a href='based.html'>20</a>\n\
        <a href='sub/'>21</a> <a href='sub'>22</a> <a href='moved'>23</a> <a href='sub/deep/page.html?q'>24</a>\n\
        <a href='mailto:a@b.example'>25</a> <a href='page.php?u=http://a/b%20c+d'>26</a> <a href='slashless'>27</a>\n\
        <img src=i.png srcset=\"i.png 1x, i2.png?w=2 2x\"> <form action='/about'></form>\n\
        <iframe src=\"frame.html\"></iframe></body></html>\n")),
    ("/style.css?v=2", Answer::Sheet("@import \"more.css\"; body { background: url(i.png) } b { background: url( '/missing.png' ) }")),
    ("/more.css", Answer::Sheet("p { background: url(\"i3.png?z=1\") }")),
    ("/based.html", Answer::Page("<html><head><base href=\"/sub/\" target=_top></head><a href=\"x.html\">x</a> <a href=../page.php>p</a> <a href=nothere.html>n</a> <img src=/i.png>")),
    ("/sub/", Answer::Page("<html><a href=x.html>x</a> <a href='/sub'>self</a> <a href=deep/page.html?q>d</a> <a href=../>up</a></html>")),
    ("/sub", Answer::Redirect("/sub/")),
    ("/slashless", Answer::Redirect("/slashless/")),
    ("/slashless/", Answer::Page("<html><a href=inside.html>i</a></html>")),
    ("/slashless/inside.html", Answer::Page(HOME)),
    ("/moved", Answer::Redirect("/about")),
    ("/sub/x.html", Answer::Page("<html><a href='?y'>y</a> <a href='../page.php?a=1&b=2'>p</a> <a href=.>d</a></html>")),
    ("/sub/deep/page.html?q", Answer::Page("<html><a href='../../'>home</a> <a href='page.html'>not this</a> <img src=../../i2.png?w=2></html>")),
    ("/frame.html", Answer::Page("<html><meta http-equiv=refresh content=\"5; url=page.php?a=1&amp;b=2\"><a href='/a%20b.html'>a</a></html>")),
    ("/page.php", Answer::Page(HOME)),
    ("/page.php?a=1&b=2", Answer::Page(HOME)),
    ("/page.php?u=http://a/b%20c+d", Answer::Page(HOME)),
    ("/about", Answer::Page(HOME)),
    ("/a%20b.html", Answer::Page(HOME)),
    ("/c:d.html", Answer::Page(HOME)),
    ("/caf%C3%A9.html", Answer::Page(HOME)),
    ("/stra%C3%9Fe.html", Answer::Page(HOME)),
    ("/q.php?x=a/b", Answer::Page(HOME)),
    ("/h%23h.html", Answer::Page(HOME)),
    ("/who%3F", Answer::Page(HOME)),
    ("/?s=1", Answer::Page(HOME)),
    ("/pipe%7Cx.html", Answer::Page(HOME)),
    ("/sl%2Fash.html", Answer::Page(HOME)),
    ("/semi;x.html", Answer::Page(HOME)),
    ("/i.png", Answer::Image),
    ("/i2.png?w=2", Answer::Image),
    ("/i3.png?z=1", Answer::Image),
];

/// Options of wget, and the known differences between its conversion and ours.
struct Setting {
    options: &'static [&'static str],
    default_page: Option<DefaultPage>,
    differences: &'static [&'static [Difference]],
}

/// The names of the files for directories.
#[derive(Clone, Copy)]
struct DefaultPage {
    /// The value of `--default-page`.
    name: &'static str,
    file: &'static str,
}

/// A link that wget and we convert differently: the page, the original reference, and the targets in a browser of
/// wget's conversion and of ours. Files are named without their host.
type Difference = (&'static str, &'static str, &'static str, &'static str);

#[test]
fn mirror_agrees_with_wget_in_every_setting() {
    if Command::new("wget").arg("--version").output().is_err() {
        support::missing("no wget to download with");
        return;
    }
    let address = serve(SITE);
    let url = format!("http://{address}/");
    for setting in SETTINGS {
        let default_page = setting.default_page;
        let name = default_page.map(|page| format!("--default-page={}", page.name));
        let name: Vec<&str> = name.iter().map(String::as_str).collect();
        let options = [setting.options, &name].concat();
        let [raw, theirs] = [&[][..], &["-k"]].map(|more| download(&url, &options, more));
        let arguments = [&["--url", &url][..], &name].concat();
        let mirror =
            |folder: &Path, more: &[&str]| mirror(folder, &[&arguments[..], more].concat());
        let ours = TempDir::new().expect("a directory");
        let ours = ours.path().join("ours");
        let output = mirror(raw.path(), &["-o", &ours.to_string_lossy()]);
        assert_eq!(output.code, Some(0), "{options:?}: {output:?}");

        let links = follow(&ours, &url);
        assert!(links > 60, "{links} links");
        let again = mirror(&ours, &["--check"]);
        assert_eq!(again.code, Some(0), "{options:?}: {again:?}");
        only_links_changed(raw.path(), &ours);
        let differences = differences(raw.path(), theirs.path(), &ours);
        // The output of wget's conversion can be converted, too. Every relative link refers to an existing file then.
        let converted = mirror(theirs.path(), &["-i", "-q"]);
        converted.messages(0);
        follow(theirs.path(), &url);
        let expected: BTreeSet<[String; 4]> = setting
            .differences
            .iter()
            .copied()
            .flatten()
            .map(|&(page, reference, theirs, ours)| {
                [page, reference, theirs, ours].map(str::to_owned)
            })
            .collect();
        let file = default_page.map_or("index.html", |page| page.file);
        let with_port: BTreeSet<[String; 4]> = differences
            .iter()
            .map(|row| {
                row.each_ref().map(|text| {
                    text.replace(&address.to_string(), "HOST")
                        .replace(file, "index.html")
                })
            })
            .collect();
        let more: Vec<_> = with_port.difference(&expected).collect();
        let less: Vec<_> = expected.difference(&with_port).collect();
        assert!(
            more.is_empty() && less.is_empty(),
            "{options:?}\nnot expected: {more:#?}\nnot seen: {less:#?}"
        );
        support::print_line(&format!(
            "wget {}: {links} links followed, {} where wget -k differs",
            options.join(" "),
            expected.len()
        ));
    }
}

/// Every link of a captured page to a captured page leads to its file, and the files are those of the site.
#[test]
fn an_archive_of_a_large_site_becomes_a_folder_that_is_followed_offline() {
    let Some(site) = support::corpora("site/postgresql-doc-15") else {
        return;
    };
    if Command::new("wget").arg("--version").output().is_err() {
        support::missing("no wget to download with");
        return;
    }
    let site = site.join("usr/share/doc/postgresql-doc-15/html");
    let site = site.canonicalize().expect("a folder");
    let address = serve_folder(site.clone());
    let url = format!("http://{address}/index.html");
    let crawl = download(&url, &["--warc-file=crawl", "--no-warc-keep-log"], &[]);
    let archive = crawl.path().join("crawl.warc.gz");
    let folder = TempDir::new().expect("a directory");
    let output = folder.path().to_string_lossy().into_owned();
    mirror(&archive, &["-o", &output]).messages(0);
    let host = folder.path().join(address.to_string().replace(':', "+"));
    let mut followed = 0;
    let pages = documents(&host);
    for path in &pages {
        let name = path.strip_prefix(&host).expect("a file of the host");
        let original = site.join(name);
        let (found, captured) = (links(path), links(&original));
        assert_eq!(found.len(), captured.len(), "{}", path.display());
        for ((written, target), (reference, before)) in found.iter().zip(&captured) {
            let before =
                file(before).and_then(|file| Some(file.strip_prefix(&site).ok()?.to_owned()));
            let before = before.filter(|name| host.join(name).is_file());
            let target =
                file(target).and_then(|file| Some(file.strip_prefix(&host).ok()?.to_owned()));
            assert_eq!(
                target,
                before,
                "{reference} became {written} in {}",
                path.display()
            );
            followed += usize::from(target.is_some());
        }
    }
    assert!(
        pages.len() > 1100 && followed > 10_000,
        "{} {followed}",
        pages.len()
    );
    support::print_line(&format!(
        "wget --warc-file: {} files, {followed} links followed offline",
        pages.len()
    ));
}

/// Downloads the site with wget into a new directory.
fn download(url: &str, options: &[&str], more: &[&str]) -> TempDir {
    let directory = TempDir::new().expect("a directory");
    // The exit code is ignored: wget exits with 8, because some pages are missing on purpose.
    Command::new("wget")
        .args([
            "-q",
            "-r",
            "-l",
            "inf",
            "-p",
            "-e",
            "robots=off",
            "--no-proxy",
            "--no-config",
        ])
        .args(options)
        .args(more)
        .arg(url)
        .env("LC_ALL", "C.UTF-8")
        .current_dir(directory.path())
        .output()
        .expect("wget runs");
    directory
}

pub(crate) fn mirror(folder: &Path, arguments: &[&str]) -> world::Answer {
    let folder = folder.to_string_lossy();
    world::run(&[&["mirror", &folder], arguments].concat(), "")
}

/// Returns the pages and style sheets of a folder, sorted by path.
pub(crate) fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if fs::read(&path).expect("a file") != b"png" {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn is_sheet(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().contains(".css"))
}

/// Returns the links of a document on disk: the reference, and its target in a browser.
pub(crate) fn links(path: &Path) -> Vec<(String, String)> {
    let bytes = fs::read(path).expect("a document");
    let url = url::Url::from_file_path(path).expect("an absolute path");
    let document = if is_sheet(path) {
        Document::style_sheet(&bytes)
    } else {
        Document::new(&bytes)
    };
    let document = document.retrieved_from(url.as_str());
    let found = support::recording()
        .profile(absolve::Profile::Whatwg)
        .links(&document);
    let target = |link_report: &LinkReport<'_>| match &link_report.outcome {
        Outcome::Resolved(target) => target.clone(),
        _ => url
            .join(&link_report.link.reference)
            .map_or_else(|error| error.to_string(), String::from),
    };
    found
        .links
        .iter()
        // BASE is not a link that can be followed.
        .filter(|link_report| link_report.link.element != "base")
        .map(|link_report| (link_report.link.reference.to_string(), target(link_report)))
        .collect()
}

/// Returns the path of a `file` URL.
pub(crate) fn file(target: &str) -> Option<PathBuf> {
    let url = url::Url::parse(target).ok()?;
    (url.scheme() == "file").then(|| url.to_file_path().ok())?
}

/// Asserts that every relative link of every document refers to an existing file, and returns the number of links.
fn follow(folder: &Path, url: &str) -> usize {
    let mut followed = 0;
    for path in documents(folder) {
        for (reference, target) in links(&path) {
            let page = path.display();
            if let Some(file) = file(&target) {
                let is_there = file.is_file();
                assert!(
                    is_there,
                    "{reference} in {page} leads to {}",
                    file.display()
                );
                assert!(file.starts_with(folder), "{reference} in {page}");
                let has_query = url::Url::parse(&target).is_ok_and(|url| url.query().is_some());
                assert!(!has_query, "{reference} in {page}");
            } else {
                let starts = [url, "http://other.invalid/", "mailto:"];
                let is_absolute = starts.iter().any(|start| reference.starts_with(start));
                assert!(is_absolute, "{reference} in {page}");
            }
            followed += 1;
        }
    }
    followed
}

/// Asserts that the documents of both folders are equal outside links and BASE.
fn only_links_changed(raw: &Path, converted: &Path) {
    for path in documents(raw) {
        let below = path.strip_prefix(raw).expect("below the folder");
        let without_links = |path: &Path| {
            let bytes = fs::read(path).expect("a document");
            let document = if is_sheet(path) {
                Document::style_sheet(&bytes)
            } else {
                Document::new(&bytes)
            };
            let mut rest = bytes.clone();
            for link_report in support::recording().links(&document).links.iter().rev() {
                let span = link_report.link.span.expect("a span");
                rest.splice(span.start..span.end, *b"*");
            }
            String::from_utf8(rest)
                .expect("UTF-8")
                .replace("href=\"*\" target=_top", " target=_top")
        };
        assert_eq!(
            without_links(&path),
            without_links(&converted.join(below)),
            "{}",
            below.display()
        );
    }
}

/// Returns the links whose targets differ between wget's conversion and ours.
fn differences(raw: &Path, theirs: &Path, ours: &Path) -> BTreeSet<[String; 4]> {
    let mut differences = BTreeSet::new();
    for path in documents(raw) {
        let below = path.strip_prefix(raw).expect("below the folder");
        let (originals, their_links, our_links) = (
            links(&path),
            links(&theirs.join(below)),
            links(&ours.join(below)),
        );
        assert_eq!(originals.len(), their_links.len(), "{}", below.display());
        assert_eq!(originals.len(), our_links.len(), "{}", below.display());
        let pairs = their_links.iter().zip(&our_links);
        for ((reference, _), ((_, a), (_, b))) in originals.iter().zip(pairs) {
            let (a, b) = (destination(a, theirs), destination(b, ours));
            if a != b {
                let page = without_host(&below.to_string_lossy()).to_owned();
                differences.insert([page, reference.clone(), a, b]);
            }
        }
    }
    differences
}

/// Formats the target of a link without folder and host: the file, whether it is missing, and the fragment.
fn destination(target: &str, folder: &Path) -> String {
    let Some(path) = file(target) else {
        return target.to_owned();
    };
    let fragment = target.split_once('#').map_or("", |(_, fragment)| fragment);
    let below = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy();
    let kind = if path.is_file() { "" } else { " (no file)" };
    format!("{}{kind}#{fragment}", without_host(&below))
}

fn without_host(path: &str) -> &str {
    let path = path.strip_prefix("http/").unwrap_or(path);
    if path.starts_with("127.0.0.1") {
        path.split_once('/').map_or("", |(_, rest)| rest)
    } else {
        path
    }
}

/// Ours is right: a canonical link remains absolute, because it identifies the page and readers do not follow it.
const CANONICAL: &[Difference] = &[("index.html", "/", "index.html#", "http://HOST/")];

/// Ours is right: wget writes file names unescaped, so a browser treats everything after the question mark as a
/// query, and shows another file or none. With `-E`, wget escapes it.
#[rustfmt::skip]
const UNESCAPED_QUERIES: &[Difference] = &[
    ("frame.html", "page.php?a=1&b=2", "page.php#", "page.php?a=1&b=2#"),
    ("index.html", "/style.css?v=2", "style.css (no file)#", "style.css?v=2#"),
    ("index.html", "?s=1", "index.html#", "index.html?s=1#"),
    ("index.html", "i2.png?w=2", "i2.png (no file)#", "i2.png?w=2#"),
    ("index.html", "page.php?a=1&b=2#f", "page.php#f", "page.php?a=1&b=2#f"),
    ("index.html", "page.php?u=http://a/b%20c+d", "page.php#", "page.php?u=http:%2F%2Fa%2Fb c+d#"),
    ("index.html", "q.php?x=a/b", "q.php (no file)#", "q.php?x=a%2Fb#"),
    ("index.html", "sub/deep/page.html?q", "sub/deep/page.html (no file)#", "sub/deep/page.html?q#"),
    ("index.html", "who%3F", "who (no file)#", "who?#"),
    ("more.css", "i3.png?z=1", "i3.png (no file)#", "i3.png?z=1#"),
    ("sub/deep/page.html?q", "../../i2.png?w=2", "i2.png (no file)#", "i2.png?w=2#"),
    ("sub/index.html", "deep/page.html?q", "sub/deep/page.html (no file)#", "sub/deep/page.html?q#"),
    ("sub/x.html", "../page.php?a=1&b=2", "page.php#", "page.php?a=1&b=2#"),
];

#[rustfmt::skip]
const REDIRECTS: &[Difference] = &[
    // Both are right: "/moved" redirects to "/about", and both files contain its page.
    ("index.html", "/about", "moved#", "about#"),
    // Ours is right: wget removed the page when it needed a directory of that name, and links to the directory.
    ("index.html", "slashless", "slashless (no file)#", "http://HOST/slashless"),
    // Ours is right: "/sub" redirects to "/sub/", which was downloaded.
    ("index.html", "sub", "http://HOST/sub", "sub/index.html#"),
    ("sub/index.html", "/sub", "http://HOST/sub", "sub/index.html#"),
];

/// Both are right: if two files contain the page, wget links to the one it saved last, and we to the one that is
/// named after the URL.
#[rustfmt::skip]
const ADJUSTED_REDIRECTS: &[Difference] = &[
    ("index.html", "/about", "moved.html#", "about.html#"),
    ("index.html", "sub/", "sub.html#", "sub/index.html#"),
    ("sub/x.html", ".", "sub.html#", "sub/index.html#"),
];

const WITH_QUESTION_MARKS: &[&[Difference]] = &[CANONICAL, REDIRECTS, UNESCAPED_QUERIES];
const ADJUSTED: &[&[Difference]] = &[CANONICAL, ADJUSTED_REDIRECTS];

#[rustfmt::skip]
const SETTINGS: &[Setting] = &[
    Setting { options: &[], default_page: None, differences: WITH_QUESTION_MARKS },
    Setting { options: &["-E"], default_page: None, differences: ADJUSTED },
    Setting { options: &["-nH"], default_page: None, differences: WITH_QUESTION_MARKS },
    Setting { options: &["-nH", "-E"], default_page: None, differences: ADJUSTED },
    Setting { options: &["--restrict-file-names=windows"], default_page: None, differences: &[CANONICAL, REDIRECTS] },
    Setting { options: &["--restrict-file-names=windows", "-E"], default_page: None, differences: ADJUSTED },
    Setting { options: &["--restrict-file-names=ascii"], default_page: None, differences: WITH_QUESTION_MARKS },
    Setting { options: &["--protocol-directories"], default_page: None, differences: WITH_QUESTION_MARKS },
    Setting { options: &[], default_page: Some(DefaultPage { name: "default.htm", file: "default.htm" }), differences: WITH_QUESTION_MARKS },
    Setting { options: &["-nH", "-E"], default_page: Some(DefaultPage { name: "start", file: "start.html" }), differences: ADJUSTED },
    Setting { options: &["--restrict-file-names=windows"], default_page: Some(DefaultPage { name: "a:b.php", file: "a%3Ab.php" }), differences: &[CANONICAL, REDIRECTS] },
];
