//! Sites that are moved to another path, or to a disk: every link leads to its file in the new place.

#[path = "support/world.rs"]
mod world;

use std::path::{Component, Path, PathBuf};

use world::World;

const BUILT_FOR: &str = "https://h.example/docs/";

/// A site as generators build it for a path: references from the root, with and without BASE.
fn site() -> World {
    World::new(&[
        (
            "w/index.html",
            "<link rel=stylesheet href=/docs/css/s.css><a href=/docs/>home</a><a href=/docs/guide/>g</a>",
        ),
        (
            "w/guide/index.html",
            "<a href=/docs/guide/a.html#x>a</a><a href=https://h.example/docs/>home</a><a href=..>up</a>",
        ),
        (
            "w/guide/a.html",
            "<base href=/docs/><a href=guide/>g</a><img src=img/i.png><p id=x>",
        ),
        ("w/css/s.css", "a { background: url(/docs/img/i.png) }"),
        ("w/img/i.png", "x"),
    ])
}

/// Returns the links of the directory `o`: the file, and the reference as written.
fn links(world: &World) -> Vec<(PathBuf, String)> {
    let printed = world.run(&["links", "o", "--format", "jsonl"]).printed();
    let rows = printed.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| row[name].as_str().expect("text").to_owned();
        (PathBuf::from(text("path")), text("reference"))
    });
    rows.collect()
}

/// Returns the path that a relative reference in a file has, without its fragment.
fn resolved(file: &Path, reference: &str) -> PathBuf {
    assert!(
        !reference.starts_with('/') && !reference.contains(':'),
        "{reference}"
    );
    let path = reference.split('#').next().expect("a part");
    let mut resolved = file.parent().expect("a directory").to_owned();
    for component in Path::new(path).components() {
        match component {
            Component::ParentDir => assert!(resolved.pop(), "{reference}"),
            Component::Normal(name) => resolved.push(name),
            _ => {}
        }
    }
    resolved
}

#[test]
fn every_relative_link_leads_to_its_file_below_any_path() {
    let world = site();
    let arguments = [
        "rewrite",
        "w",
        "--url",
        BUILT_FOR,
        "--to",
        "relative",
        "--base-element",
        "remove",
        "-o",
        "o",
    ];
    world.run(&arguments).exits_with(0);
    let links = links(&world);
    assert_eq!(links.len(), 9, "{links:?}");
    for (file, reference) in links {
        // A server has the index of a directory.
        let path = world.path("").join(resolved(&file, &reference));
        let found = if path.is_dir() {
            path.join("index.html")
        } else {
            path
        };
        assert!(found.is_file(), "{file:?}: {reference}");
    }
    for path in ["/", "/any/path/", "/any"] {
        world
            .run(&["check", "o", "--base-path", path])
            .exits_with(0);
    }
}

/// References that begin with a slash would be shorter here, but only work at the root of a host.
#[test]
fn relative_links_of_a_site_at_the_root_do_not_begin_with_a_slash() {
    let world = World::new(&[
        ("w/i.html", "<a href=/>home</a>"),
        (
            "w/a/b/x.html",
            "<a href=/i.html>i</a><a href=/>home</a><img src=/s/i.png>",
        ),
    ]);
    let to_relative = [
        "rewrite",
        "w",
        "--url",
        "https://h.example/",
        "--to",
        "relative",
        "-o",
        "o",
    ];
    world.run(&to_relative).exits_with(0);
    assert_eq!(world.read("o/i.html"), "<a href=./>home</a>");
    assert_eq!(
        world.read("o/a/b/x.html"),
        "<a href=../../i.html>i</a><a href=../../>home</a><img src=../../s/i.png>"
    );
}

#[test]
fn links_to_directories_name_their_files() {
    let world = site();
    let rewrite = |more: &[&str]| {
        let arguments = [
            "rewrite",
            "w",
            "--to",
            "relative",
            "--base-element",
            "remove",
        ];
        let index_files = ["--index-files", "explicit", "-o", "o"];
        world.run(&[&arguments[..], &index_files, more].concat())
    };
    let messages = rewrite(&[]).messages(2);
    assert!(
        messages.contains("needs the URL of a directory"),
        "{messages}"
    );
    assert!(!world.path("o").exists());
    rewrite(&["--url", BUILT_FOR]).exits_with(0);
    let links = links(&world);
    assert_eq!(links.len(), 9, "{links:?}");
    for (file, reference) in links {
        let path = world.path("").join(resolved(&file, &reference));
        assert!(path.is_file(), "{file:?}: {reference}");
    }
    // Absolute links, too; links of programs and links to directories without such a file remain.
    world.write(
        "w/guide/b.html",
        "<link rel=canonical href=/docs/><a href=/docs#a>1</a><a href=/docs/css/>2</a>",
    );
    let options = [
        "--index-files",
        "explicit",
        "--root",
        "w",
        "--url",
        BUILT_FOR,
    ];
    let page = ["rewrite", "w/guide/b.html", "w/index.html", "-o", "p"];
    world.run(&[&page[..], &options].concat()).exits_with(0);
    assert_eq!(
        world.read("p/guide/b.html"),
        "<link rel=canonical href=https://h.example/docs/><a href=https://h.example/docs/index.html#a>1</a>\
         <a href=https://h.example/docs/css/>2</a>"
    );
}

#[test]
fn every_link_on_a_disk_leads_to_a_file() {
    let world = site();
    let arguments = [
        "mirror", "w", "--layout", "site", "--url", BUILT_FOR, "-o", "o",
    ];
    world.run(&arguments).exits_with(0);
    let links = links(&world);
    assert_eq!(links.len(), 9, "{links:?}");
    for (file, reference) in links {
        let path = world.path("").join(resolved(&file, &reference));
        assert!(path.is_file(), "{file:?}: {reference}");
    }
}

#[test]
fn check_needs_no_host() {
    let world = site();
    world
        .run(&[
            "check",
            "w",
            "--base-path",
            "/docs",
            "--ignore",
            "base-relative",
        ])
        .exits_with(0);
    world.write(
        "w/guide/b.html",
        "<a href=/docs/gone.html>1</a><a href=/elsewhere/x.html>2</a><a href=../img/j.png>3</a>",
    );
    let answer = world.run(&[
        "check",
        "w/",
        "--base-path",
        "/docs/",
        "--ignore",
        "base-relative",
        "--format",
        "json",
    ]);
    let answer = answer.exits_with(1);
    let findings: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    let found = findings.as_array().expect("an array").iter();
    let found: Vec<_> = found
        .map(|finding| (&finding["rule"], &finding["reference"]))
        .collect();
    assert_eq!(found.len(), 2, "{found:?}");
    for ((rule, reference), expected) in found.into_iter().zip(["/docs/gone.html", "../img/j.png"])
    {
        assert_eq!(
            (rule.as_str(), reference.as_str()),
            (Some("missing-target"), Some(expected))
        );
    }
    for path in ["docs", "//h/", "/a?b"] {
        let messages = world.run(&["check", "w", "--base-path", path]).messages(2);
        assert!(messages.contains("begins with a slash"), "{messages}");
    }
    let messages = world
        .run(&["check", "w", "--base-path", "/", "--url", BUILT_FOR])
        .messages(2);
    assert!(messages.contains("cannot be used with"), "{messages}");
    let messages = world
        .run(&[
            "check",
            "w/index.html",
            "w/guide/a.html",
            "--base-path",
            "/",
        ])
        .messages(2);
    assert!(messages.contains("--root"), "{messages}");
}
