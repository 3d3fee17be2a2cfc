//! Documentation sites: rewritten to another directory, and moved to another path.

use std::path::PathBuf;

use support::world::World;

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
    let answer = world.run(&[&arguments[..], &rules].concat()).exits_with(0);
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
