//! Documentation sites: rewritten to another directory, and moved to another path.

use std::path::PathBuf;
use std::process::Command;

use support::world::World;

use crate::mirror::server::{Answer, serve};

#[test]
fn rewrite_makes_all_links_of_a_real_site_absolute() {
    let Some(site) = support::corpora("site") else {
        return;
    };
    let world = World::in_memory();
    let site = site.to_str().expect("a plain path");
    let answer = world
        .run(&[
            "rewrite",
            site,
            "-o",
            "out",
            "--stats",
            "--url",
            "https://h.example/d",
        ])
        .exits_with(0);
    let tree = world.tree("out");
    let files = tree.keys().filter(|name| !name.ends_with('/')).count();
    let originals = support::files(std::path::Path::new(site), &["html", "css", "svg"]).len();
    assert!(files > 3000, "{files}");
    assert!(
        answer
            .stderr
            .contains(&format!("documents: {originals}, changed: ")),
        "{originals}: {answer:?}"
    );
    let answer = world
        .run(&["rewrite", "--check", "out", "--url", "https://h.example/d"])
        .exits_with(0);
    assert_eq!(answer.stdout, "");
    let list = world
        .run(&[
            "links",
            "out",
            "--format",
            "jsonl",
            "--url",
            "https://h.example/d",
        ])
        .exits_with(0)
        .stdout;
    let left = list
        .lines()
        .filter(|line| line.contains("\"status\":\"resolved\""))
        .count();
    assert_eq!(left, 0);
    support::print_line(&format!(
        "a site of {files} files: {} links, all absolute in a new directory",
        list.lines().count()
    ));
}

/// Documentation of Debian packages: the same links are broken before and after.
#[test]
fn moved_corpora_have_the_same_broken_links() {
    let Some(corpora) = support::corpora("site") else {
        return;
    };
    let mut total = 0;
    let packages = std::fs::read_dir(corpora).expect("a directory");
    let mut packages: Vec<_> = packages
        .map(|package| package.expect("a package").path())
        .collect();
    // The last has fewer pages than the first.
    packages.sort_by(|one, other| other.cmp(one));
    for package in support::sample(packages) {
        let root = package.join("usr/share/doc");
        let root = root.to_str().expect("a name in UTF-8");
        let world = World::in_memory();
        let before = broken(&world, root, "/usr/share/doc");
        total += before.len();
        for (run, path) in [
            (&["rewrite", "--to", "relative"][..], "/any"),
            (
                &[
                    "rewrite",
                    "--to",
                    "root-relative",
                    "--map",
                    "/usr/share/doc=/d/e",
                ],
                "/d/e",
            ),
        ] {
            let arguments = [
                root,
                "--base-path",
                "/usr/share/doc",
                "--delete",
                "-q",
                "-o",
                "o",
            ];
            world.run(&[run, &arguments].concat()).exits_with(0);
            let after = broken(&world, "o", path);
            assert_eq!(before.len(), after.len(), "{run:?} {root}");
            for (before, after) in before.iter().zip(after) {
                assert_eq!(*before, after, "{run:?} {root}");
            }
        }
    }
    assert!(total > 10, "{total} broken links");
    support::print_line(&format!(
        "moved corpora: {total} broken links, before and after"
    ));
}

/// Returns the broken links of a directory: the file, line, element and rule, in order.
fn broken(world: &World, root: &str, base_path: &str) -> Vec<(PathBuf, u64, String, String)> {
    let arguments = [
        "check",
        root,
        "--base-path",
        base_path,
        "--format",
        "json",
        "--exit-zero",
    ];
    let rules = ["--select", "missing-target,missing-fragment,missing-scheme"];
    let answer = world.run(&[&arguments[..], &rules].concat());
    if answer.stderr.contains("no documents found") {
        return Vec::new();
    }
    let answer = answer.exits_with(0);
    let findings: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    let findings = findings.as_array().expect("an array").iter();
    let found = findings.map(|finding| {
        let text = |name: &str| finding[name].as_str().expect("text").to_owned();
        let path = PathBuf::from(text("path"));
        let path = path.strip_prefix(root).expect("a file of the directory");
        let line = finding["line"].as_u64().expect("a line");
        // `h.example/a` leads nowhere, either. It has a rule of its own, which `/docs/h.example/a` has not.
        let rule = text("rule").replace("missing-scheme", "missing-target");
        (path.to_owned(), line, text("element"), rule)
    });
    found.collect()
}

/// A page whose title is the number of its style sheets that the browser applied. The digest is by Python's `hashlib`.
const COUNTED: &str = "<!DOCTYPE html><title></title>
<link rel=stylesheet href=/s/a.css integrity=sha384-b1Hv9QYGxYyuGSruOh0LImwvzV8T+qyvLq37zrry0eYhqMfoQEycaKKbiA2sjoc3>
<link rel=stylesheet crossorigin href=/s/b.css>
<p><script>onload = () => {
  const { order, flexGrow } = getComputedStyle(document.querySelector('p'));
  document.title = Number(order) + Number(flexGrow);
}</script>";

/// Returns the number of style sheets that Chromium applies to the page at `url`; `None` if there is no Chromium.
fn style_sheets(world: &World, url: &str, rules: &str) -> Option<String> {
    let profile = world.path("chromium");
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--host-resolver-rules={rules}"))
        .arg(url)
        .output()
        .ok()?;
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let title = dom.split("<title>").nth(1);
    let title = title.and_then(|rest| rest.split("</title>").next());
    Some(title.unwrap_or_else(|| panic!("{output:?}")).to_owned())
}

/// Returns the content of the file, for as long as the server runs.
fn served(world: &World, file: &str) -> &'static str {
    world.read(file).leak()
}

#[test]
fn chromium_applies_as_many_style_sheets_as_before() {
    let world = World::new(&[
        ("w/index.html", COUNTED),
        ("w/s/a.css", "p{background:url(/i.png);order:1}"),
        ("w/s/b.css", "p{background:url(/i.png);flex-grow:1}"),
    ]);
    let rewrite = "rewrite w --url http://h.example/ -o";
    let mirror = "mirror w --layout site --url http://h.example/ -o";
    let disk = "--to relative --index-files explicit";
    for (command, output, options, is_on_disk, expected) in [
        ("", "w", "", false, "2"),
        (rewrite, "absolute", "", false, "2"),
        (rewrite, "relative", "--to relative", false, "2"),
        (rewrite, "disk", disk, true, "2"),
        (mirror, "mirror", "", true, "2"),
        // Browsers refuse the sheets without the edits.
        (rewrite, "absolute-kept", "--integrity keep", false, "1"),
        (mirror, "mirror-kept", "--integrity keep", true, "0"),
    ] {
        let arguments: Vec<&str> = [command, output, options]
            .iter()
            .flat_map(|words| words.split(' '))
            .filter(|word| !word.is_empty())
            .collect();
        if !command.is_empty() {
            world.run(&arguments).exits_with(0);
        }
        let file = |name: &str| format!("{output}/{name}");
        let answers = [
            ("/", Answer::Page(served(&world, &file("index.html")))),
            ("/s/a.css", Answer::Sheet(served(&world, &file("s/a.css")))),
            ("/s/b.css", Answer::Sheet(served(&world, &file("s/b.css")))),
        ];
        let rules = format!("MAP h.example:80 {}", serve(&answers));
        let local = format!("file://{}", world.path(&file("index.html")).display());
        let url = if is_on_disk {
            &local
        } else {
            "http://h.example/"
        };
        let Some(count) = style_sheets(&world, url, &rules) else {
            support::missing("no chromium to open pages with");
            return;
        };
        assert_eq!(count, expected, "{output}");
    }
}
