//! The files of a directory that are read and written: globs, ignore files, and symbolic links that are followed.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::Command;

use support::world::World;

const URL: &str = "https://h.example/";

/// Runs `rewrite w -o o` with these options as well, and returns the names of the files written.
fn written(world: &World, options: &[&str]) -> Vec<String> {
    let arguments = ["rewrite", "w", "-o", "o", "--url", URL];
    world.run(&[&arguments, options].concat()).exits_with(0);
    let names = world.tree("o").into_keys().collect();
    std::fs::remove_dir_all(world.path("o")).expect("removed");
    names
}

fn site() -> World {
    World::new(&[
        ("w/index.html", "<a href=g>"),
        ("w/style.css", "a{}"),
        ("w/blog/a.html", "<a href=g>"),
        ("w/blog/drafts/b.html", "<a href=g>"),
        ("w/blog/drafts/b.png", "x"),
        ("w/lib/drafts/c.html", "<a href=g>"),
        ("w/#1.html", "<a href=g>"),
    ])
}

#[test]
fn globs_select_files() {
    // The expected names follow from "Pattern format" of gitignore(5).
    for (options, expected) in [
        (
            &["--exclude", "drafts"][..],
            "#1.html blog/ blog/a.html index.html lib/ style.css",
        ),
        (
            &["--exclude", "/blog/drafts/"],
            "#1.html blog/ blog/a.html index.html lib/ lib/drafts/ lib/drafts/c.html style.css",
        ),
        (
            &["--exclude", "*.html", "--exclude", "!index.html"],
            "blog/ blog/drafts/ blog/drafts/b.png index.html lib/ lib/drafts/ style.css",
        ),
        (
            &["--exclude", "#*"],
            "blog/ blog/a.html blog/drafts/ blog/drafts/b.html blog/drafts/b.png index.html lib/ lib/drafts/ lib/drafts/c.html style.css",
        ),
        (
            &["--include", "blog"],
            "blog/ blog/a.html blog/drafts/ blog/drafts/b.html blog/drafts/b.png",
        ),
        (&["--include", "blog/*.html"], "blog/ blog/a.html"),
        (
            &["--include", "blog/**/*.html"],
            "blog/ blog/a.html blog/drafts/ blog/drafts/b.html",
        ),
        (
            &["--include", "[ab].html", "--include", "*.css"],
            "blog/ blog/a.html blog/drafts/ blog/drafts/b.html style.css",
        ),
        (
            &["--include", "*.html", "--exclude", "drafts"],
            "#1.html blog/ blog/a.html index.html",
        ),
    ] {
        assert_eq!(written(&site(), options).join(" "), expected, "{options:?}");
    }
}

#[test]
fn every_verb_has_globs() {
    let world = site();
    for verb in ["links", "base", "check"] {
        let arguments = [verb, "w", "--url", URL, "--exclude", "blog"];
        let answer = world.run(&arguments);
        let output = format!("{}{}", answer.stdout, answer.stderr);
        assert!(!output.contains("blog/"), "{verb}: {output}");
        assert!(output.contains("index.html"), "{verb}: {output}");
    }
    let world = World::new(&[
        (
            "m/h.example/index.html",
            "<a href=https://h.example/a/x.html>",
        ),
        (
            "m/h.example/a/x.html",
            "<a href=https://h.example/index.html>",
        ),
    ]);
    // In place, the page that is left out remains, and links to it lead to it.
    let arguments = ["mirror", "m", "--exclude", "a"];
    world.run(&[&arguments[..], &["-i"]].concat()).exits_with(0);
    assert_eq!(world.read("m/h.example/index.html"), "<a href=a/x.html>");
    assert_eq!(
        world.read("m/h.example/a/x.html"),
        "<a href=https://h.example/index.html>"
    );
    // In the output, it does not exist.
    world
        .run(&[&arguments[..], &["-o", "o"]].concat())
        .exits_with(0);
    assert_eq!(
        world.read("o/h.example/index.html"),
        "<a href=https://h.example/a/x.html>"
    );
}

#[test]
fn links_to_files_that_are_left_out_are_not_missing() {
    let world = World::new(&[
        (
            "w/index.html",
            "<a href=drafts/a.html>a</a><a href=drafts/b.html>b</a>",
        ),
        ("w/drafts/a.html", "<a href=nowhere.html>"),
    ]);
    let arguments = [
        "check",
        "w",
        "--url",
        URL,
        "--exclude",
        "drafts",
        "--format",
        "json",
    ];
    let answer = world.run(&arguments).exits_with(1);
    assert_eq!(
        answer.stdout.matches("missing-target").count(),
        1,
        "{answer:?}"
    );
    assert!(
        answer.stdout.contains("\"reference\":\"drafts/b.html\""),
        "{answer:?}"
    );
}

#[test]
fn an_invalid_glob_is_named() {
    let world = site();
    for (option, glob) in [("--include", "a[b"), ("--exclude", "{a"), ("--exclude", "")] {
        let arguments = ["rewrite", "w", "-o", "o", "--url", URL, option, glob];
        let messages = world.run(&arguments).messages(2);
        let expected = format!("invalid value \"{glob}\" for {option}: ");
        assert!(messages.contains(&expected), "{messages}");
        assert!(!world.path("o").exists());
    }
}

#[test]
fn ignore_files_leave_out_files() {
    let world = World::new(&[
        ("w/.gitignore", "node_modules/\n*.tmp.html\n"),
        ("w/.absolveignore", "!kept.tmp.html\n"),
        ("w/index.html", ""),
        ("w/a.tmp.html", ""),
        ("w/kept.tmp.html", ""),
        ("w/node_modules/x/readme.html", ""),
        ("w/sub/.absolveignore", "/local.html\n"),
        ("w/sub/local.html", ""),
        ("w/sub/deep/local.html", ""),
        // Above the directory, it does not count.
        (".gitignore", "index.html"),
    ]);
    let all = written(&world, &[]);
    assert!(
        all.contains(&"node_modules/x/readme.html".to_owned()),
        "{all:?}"
    );
    let html = |names: Vec<String>| -> Vec<String> {
        names
            .into_iter()
            .filter(|name| name.contains("html"))
            .collect()
    };
    let names = html(written(&world, &["--ignore-files"]));
    assert_eq!(
        names,
        ["index.html", "kept.tmp.html", "sub/deep/local.html"]
    );
    world.write("w/.gitignore", "{a\n*.tmp.html\n");
    let answer = world.run(&["links", "w", "--ignore-files"]).exits_with(0);
    let answer = answer.stderr_contains("w/.gitignore: line 1: ");
    assert_eq!(answer.stderr.matches(".gitignore").count(), 1, "{answer:?}");
}

#[test]
fn a_directory_with_an_unusable_ignore_file_is_left_out() {
    let world = World::new(&[
        ("w/index.html", "<a href=g>"),
        ("w/zero/a.html", "<a href=g>"),
        ("w/pipe/a.html", "<a href=g>"),
        ("w/long/a.html", "<a href=g>"),
        ("w/long/.gitignore", &"x\n".repeat(1 << 18)),
    ]);
    symlink("/dev/zero", world.path("w/zero/.absolveignore")).expect("a link");
    let pipe = world.path("w/pipe/.gitignore");
    let made = Command::new("mkfifo").arg(pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let arguments = ["links", "w", "--url", URL, "--ignore-files"];
    let answer = world
        .run(&arguments)
        .exits_with(2)
        .stderr_contains(
            "cannot read w/zero/.absolveignore: not a regular file; its directory is left out",
        )
        .stderr_contains(
            "cannot read w/pipe/.gitignore: not a regular file; its directory is left out",
        )
        .stderr_contains("cannot read w/long/.gitignore: ");
    assert_eq!(answer.stdout.lines().count(), 1, "{answer:?}");
    symlink("/dev/zero", world.path("w/.gitignore")).expect("a link");
    let answer = world.run(&arguments).exits_with(2);
    assert_eq!(answer.stdout, "");
}

#[test]
fn links_are_followed_on_request() {
    let world = World::new(&[
        ("w/index.html", "<a href=g>"),
        ("shared/s.html", "<a href=g>"),
        ("shared/deep/t.html", "<a href=g>"),
        ("one.html", "<a href=g>"),
    ]);
    symlink("../shared", world.path("w/shared")).expect("a link");
    symlink("../one.html", world.path("w/one.html")).expect("a link");
    let arguments = ["rewrite", "w", "-o", "o", "--url", URL];
    let answer = world.run(&arguments).exits_with(2);
    answer.stderr_contains("w/shared to o/shared: symbolic link to a place outside the directory; follow symbolic links");
    let arguments = [&arguments[..], &["--follow"]].concat();
    world.run(&arguments).exits_with(0);
    let tree = world.tree("o");
    for (name, href) in [
        ("one.html", "g"),
        ("shared/s.html", "shared/g"),
        ("shared/deep/t.html", "shared/deep/g"),
    ] {
        assert_eq!(
            tree.get(name),
            Some(&format!("<a href={URL}{href}>")),
            "{name}"
        );
    }
    // In place, a link would lead to a file that is not in the directory.
    let arguments = ["rewrite", "w", "-i", "--url", URL, "--follow"];
    world
        .run(&arguments)
        .exits_with(2)
        .stderr_contains("--follow");
    assert_eq!(world.read("one.html"), "<a href=g>");
}

#[test]
fn a_cycle_of_links_is_named_and_left_out() {
    let world = World::new(&[("w/a/x.html", "<a href=g>")]);
    symlink("..", world.path("w/a/up")).expect("a link");
    let arguments = ["rewrite", "w", "-o", "o", "--url", URL, "--follow"];
    let answer = world.run(&arguments).exits_with(0);
    answer.stderr_contains("w/a/up: symbolic link to w, which contains it; left out");
    let names: Vec<_> = world.tree("o").into_keys().collect();
    assert_eq!(names, ["a/", "a/x.html"]);
}

#[test]
fn a_directory_to_which_many_links_lead_is_read_a_hundred_times() {
    let world = World::new(&[("w/9/x.html", "<a href=g>")]);
    for level in 0..9 {
        for name in ["a", "b"] {
            world.write(&format!("w/{level}/keep"), "");
            let link = world.path(&format!("w/{level}/{name}"));
            symlink(format!("../{}", level + 1), link).expect("a link");
        }
    }
    let arguments = ["rewrite", "w", "-o", "o", "--url", URL, "--follow"];
    let answer = world.run(&arguments).exits_with(2);
    answer
        .stderr_contains("/a: symbolic links lead to this directory more than 100 times; skipped");
    let tree = world.tree("o");
    let copies = tree.keys().filter(|name| name.ends_with("x.html"));
    assert_eq!(copies.count(), 100);
}

/// Shells complete the name of a directory to these forms.
#[test]
fn exclude_accepts_paths_that_begin_with_the_directory() {
    let world = World::new(&[("w/a.html", ""), ("w/drafts/b.html", "<a href=x>")]);
    for glob in ["drafts", "./drafts", "w/drafts", "w/drafts/", "/drafts"] {
        let answer = world.run(&["links", "w", "--url", "http://h/", "--exclude", glob]);
        assert_eq!(answer.exits_with(0).stdout, "", "{glob}");
    }
}
