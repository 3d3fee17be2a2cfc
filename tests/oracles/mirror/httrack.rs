//! A folder downloaded by HTTrack: every link that leads to a file still does after the conversion.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::server::{Answer, serve};
use super::wget::{documents, file, links, mirror};
use support::world;

#[rustfmt::skip]
const SITE: &[(&str, Answer)] = &[
    ("/", Answer::Page("<html><head><title>h</title><link rel=stylesheet href='/css/s.css?v=3'><link rel=next href='/n.html'></head>\n\
        <body><a href='/view?id=1'>1</a> <a href='/view?id=2&amp;x=a/b'>2</a> <a href='/sub/'>3</a> <a href='/p.php?q=1#f'>4</a>\n\
        <a href='/p.php'>5</a> <a href='/?s=1'>6</a> <a href='/gone.html'>7</a> <a href='/redir?u=1'>8</a> <a href='/plain.html'>9</a>\n\
        <img src='/i.png?w=2' srcset='/i.png?w=2 1x, /i2.png 2x'></body></html>")),
    ("/css/s.css?v=3", Answer::Sheet("a { background: url(/i.png?w=2) }")),
    ("/n.html", Answer::Page("<html><body><a href='/?s=1'>x</a> <a href='view?id=1'>v</a></body></html>")),
    ("/plain.html", Answer::Page("<html><body><a href='/'>h</a> <a href='n.html#x'>n</a></body></html>")),
    ("/view?id=1", Answer::Page("<html><a href='?id=2&amp;x=a/b'>2</a> <a href='/'>h</a></html>")),
    ("/view?id=2&x=a/b", Answer::Page("<html><a href='?id=1#z'>1</a></html>")),
    ("/sub/", Answer::Page("<html><a href='../view?id=1'>1</a> <a href='x.html?y'>x</a></html>")),
    ("/sub/x.html?y", Answer::Page("<html><a href='/sub/'>x</a></html>")),
    ("/redir?u=1", Answer::Redirect("/sub/x.html?y")),
    ("/p.php?q=1", Answer::Page("<html><a href='p.php'>1</a></html>")),
    ("/p.php", Answer::Page("<html><a href='p.php?q=1'>1</a></html>")),
    ("/?s=1", Answer::Page("<html><a href='/'>1</a></html>")),
    ("/i.png?w=2", Answer::Image),
    ("/i2.png", Answer::Image),
];

/// Returns the files to which the links of each document lead, by document and reference.
fn leading(folder: &Path) -> BTreeMap<(PathBuf, usize), PathBuf> {
    let below = |path: &Path| path.strip_prefix(folder).map(Path::to_owned).ok();
    let mut found = BTreeMap::new();
    for path in documents(folder) {
        let page = below(&path).expect("a document of the folder");
        // The pages that HTTrack adds to the folder.
        if page.starts_with("hts-cache") || page.components().count() == 1 {
            continue;
        }
        for (position, (_, target)) in links(&path).into_iter().enumerate() {
            if let Some(to) = file(&target).filter(|to| to.is_file())
                && let Some(to) = below(&to)
            {
                found.insert((page.clone(), position), to);
            }
        }
    }
    found
}

#[test]
fn mirror_keeps_every_link_of_httrack_that_leads_to_a_file() {
    if Command::new("httrack").arg("--version").output().is_err() {
        support::missing("no httrack to download with");
        return;
    }
    let address = serve(SITE);
    for options in [&[][..], &["-%q0"], &["--near"]] {
        let folder = TempDir::new().expect("a directory");
        let status = Command::new("httrack")
            .arg(format!("http://{address}/"))
            .arg("-O")
            .arg(folder.path())
            .args(["--quiet", "--robots=0", "--disable-security-limits"])
            .args(["--max-rate=0", "--connection-per-second=0"])
            .args(options)
            .output();
        status.expect("httrack runs");
        let before = leading(folder.path());
        assert!(before.len() > 20, "{options:?}: {before:?}");
        let out = TempDir::new().expect("a directory");
        let out = out.path().join("out");
        let answer: world::Answer = mirror(folder.path(), &["-o", &out.to_string_lossy()]);
        let messages = answer.messages(0);
        assert!(!messages.contains("no longer"), "{messages}");
        let after = leading(&out);
        for (link, file) in &before {
            assert_eq!(after.get(link), Some(file), "{options:?}: {link:?}");
        }
        let again = mirror(&out, &["--check"]);
        assert_eq!(again.code, Some(0), "{again:?}");
        support::print_line(&format!(
            "httrack {}: {} links that lead to files, {} afterwards",
            options.join(" "),
            before.len(),
            after.len()
        ));
    }
}
