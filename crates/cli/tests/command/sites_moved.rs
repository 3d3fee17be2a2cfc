//! Sites that are moved to another path, or to a disk: every link leads to its file in the new place.

use std::path::{Component, Path, PathBuf};

use support::world;
use support::world::World;

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
fn links_that_move_into_a_site_name_its_files() {
    let world = site();
    world.write(
        "w/guide/b.html",
        "<a href=http://old.example/>1</a><a href=http://old.example/none/>2</a><a href=/docs/>3</a>\
         <a href=http://old.example/../css/a>4</a>",
    );
    for (to, expected) in [
        (BUILT_FOR, "https://h.example/docs/"),
        ("https://new.example/sub/", "https://new.example/sub/"),
    ] {
        let arguments = [
            "rewrite",
            "w/guide/b.html",
            "w/index.html",
            "--root",
            "w",
            "--url",
            BUILT_FOR,
            "--index-files",
            "explicit",
            "--map",
            &format!("http://old.example/={to}"),
            "--map",
            &format!("{BUILT_FOR}={to}"),
            "-o",
            "o",
        ];
        world.run(&arguments).exits_with(0);
        assert_eq!(
            world.read("o/guide/b.html"),
            format!(
                "<a href={expected}index.html>1</a><a href={expected}none/>2</a><a href={expected}index.html>3</a>\
                 <a href={expected}css/a>4</a>"
            )
        );
    }
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

/// The host that replaces the unknown one inside the command.
const PLACEHOLDER: &str = "absolve.invalid";

/// Moves a site whose host is not known, with more arguments, to the directory `o`.
fn move_site(world: &World, more: &[&str]) -> world::Answer {
    let arguments = ["rewrite", "w", "--base-path", "/docs", "-o", "o"];
    world.run(&[&arguments[..], more].concat())
}

#[test]
fn sites_move_without_a_host() {
    let world = World::new(&[
        (
            "w/index.html",
            "<a href=/docs/a/>a</a><a href=/docs>d</a><a href=/x>x</a><img src=//cdn.example/i><a href=http://h/>h</a>",
        ),
        (
            "w/a/index.html",
            "<base target=t href=/docs/><a href=a/>a</a><a href=b#c>b</a>",
        ),
        (
            "w/f.atom",
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='/docs/a/'><link href='x'/></feed>",
        ),
    ]);
    let assert_moved = |more: &[&str], index: &str, page: &str, feed: &str| {
        move_site(&world, more).exits_with(0);
        assert_eq!(world.read("o/index.html"), index);
        assert_eq!(world.read("o/a/index.html"), page);
        let xmlns = "xmlns='http://www.w3.org/2005/Atom'";
        let feed = format!("<feed {xmlns} {feed}/></feed>");
        assert_eq!(world.read("o/f.atom"), feed);
    };
    // A reference with a host but no scheme keeps that of the page, which is not known either.
    let others = "<img src=//cdn.example/i><a href=http://h/>h</a>";
    assert_moved(
        &["--to", "relative"],
        &format!("<a href=a/>a</a><a href=../docs>d</a><a href=../x>x</a>{others}"),
        "<base target=t ><a href=./>a</a><a href=../b#c>b</a>",
        "><link href='a/x'",
    );
    assert_moved(
        &[
            "--to",
            "root-relative",
            "--map",
            "/docs=/",
            "--map",
            "/x=https://new.example/x",
        ],
        &format!("<a href=/a/>a</a><a href=/>d</a><a href=https://new.example/x>x</a>{others}"),
        "<base target=t ><a href=/a/>a</a><a href=/b#c>b</a>",
        "><link href='/a/x'",
    );
    assert_moved(
        &[
            "--to",
            "root-relative",
            "--base-element",
            "keep",
            "--map",
            "http://h/=/h/",
        ],
        "<a href=/docs/a/>a</a><a href=/docs>d</a><a href=/x>x</a><img src=//cdn.example/i><a href=/h/>h</a>",
        "<base target=t href=/docs/><a href=/docs/a/>a</a><a href=/docs/b#c>b</a>",
        "xml:base='/docs/a/'><link href='/docs/a/x'",
    );
    // Files of a directory that --root names.
    let arguments = [
        "rewrite",
        "w/index.html",
        "--root",
        "w",
        "--base-path",
        "/docs",
    ];
    let stdout = [&arguments[..], &["--to", "relative"]].concat();
    let printed = world.run(&stdout).printed();
    assert!(printed.starts_with("<a href=a/>a</a>"), "{printed}");
}

#[test]
fn what_needs_the_host_is_refused() {
    let world = site();
    for (arguments, expected) in [
        (&[][..], "--to absolute needs the host"),
        (&["--to", "absolute"], "--to absolute needs the host"),
        (
            &["--to", "relative", "--base-element", "absolutize"],
            "--base-element absolutize needs the host",
        ),
        (
            &["--to", "relative", "--base-element", "insert"],
            "--base-element insert needs the host",
        ),
        (&["--to", "relative", "--map", "//h/=/"], "--map"),
        (&["--to", "relative", "--map", "/docs=//h/"], "--map"),
        (&["--to", "relative", "--map", "docs/=/"], "--map"),
        (
            &["--to", "relative", "--url", BUILT_FOR],
            "cannot be used with",
        ),
    ] {
        let messages = move_site(&world, arguments).messages(2);
        assert!(messages.contains(expected), "{arguments:?}: {messages}");
        assert!(!messages.contains(PLACEHOLDER), "{messages}");
        assert!(!world.path("o").exists());
    }
    let one = [
        "rewrite",
        "w/index.html",
        "--to",
        "relative",
        "--base-path",
        "/",
    ];
    let messages = world.run(&one).messages(2);
    assert!(messages.contains("--root DIR"), "{messages}");
    let paths = [
        "rewrite", "w", "--to", "relative", "--url", BUILT_FOR, "--map", "/docs=/", "-o", "o",
    ];
    let messages = world.run(&paths).messages(2);
    assert!(messages.contains("paths need --base-path"), "{messages}");
    for layout in ["auto", "wget", "httrack", "host-path"] {
        let mirror = [
            "mirror",
            "w",
            "--base-path",
            "/docs",
            "--layout",
            layout,
            "-o",
            "o",
        ];
        let messages = world.run(&mirror).messages(2);
        assert!(messages.contains("needs --layout site"), "{messages}");
    }
    assert!(!world.path("o").exists());
}

/// A reference that no relative form can hold is left, and fails with `--strict`.
#[test]
fn links_that_need_the_host_are_left_and_reported() {
    let world = World::new(&[("w/a.html", "<a href=..//x>x</a><a href=b>b</a>")]);
    let messages = move_site(&world, &["--to", "root-relative", "--strict"]).messages(1);
    assert!(
        messages.contains("1 reference left unchanged: only a URL with the host leads there"),
        "{messages}"
    );
    assert_eq!(
        world.read("o/a.html"),
        "<a href=..//x>x</a><a href=/docs/b>b</a>"
    );
}

#[test]
fn a_base_with_a_host_keeps_its_links_there() {
    let base = "<base href=http://h.example/docs/><a href=x>x</a>";
    let world = World::new(&[
        ("w/a.html", base),
        ("w/b.html", base),
        ("w/c.html", "<base href=/docs/><a href=x>x</a>"),
        // Its own links have hosts, as those to other sites have.
        (
            "w/d.html",
            "<base href=http://h.example/docs/><a href=http://h.example/docs/x>x</a>",
        ),
    ]);
    let to_relative = |more: &[&str]| {
        let options = ["--to", "relative"];
        move_site(&world, &[&options[..], more].concat()).messages(0)
    };
    let warning = "relative links of 2 documents lead to the host that their BASE names";
    let messages = to_relative(&[]);
    assert!(messages.contains(warning), "{messages}");
    assert!(
        world
            .read("o/a.html")
            .contains("href=http://h.example/docs/x")
    );
    let messages = to_relative(&["--map", "http://h.example/docs/=/docs/"]);
    assert!(!messages.contains("BASE"), "{messages}");
    assert!(world.read("o/a.html").contains("href=x"));
}

#[test]
fn a_disk_needs_no_host() {
    let world = site();
    world.write(
        "w/guide/b.html",
        "<base href=/docs/><link rel=canonical href=/docs/guide/b.html><a href=guide/a.html>a</a><a href=gone>g</a>\
         <object codebase=/docs/k/></object><img src=//cdn.example/i>",
    );
    let arguments = [
        "mirror",
        "w",
        "--layout",
        "site",
        "--base-path",
        "/docs",
        "--report",
        "r",
        "-o",
        "o",
    ];
    let messages = world.run(&arguments).messages(0);
    assert!(
        messages.contains("3 references left unchanged: only a URL with the host leads there"),
        "{messages}"
    );
    assert!(
        messages.contains("changes the target of 1 relative reference left unchanged; --report"),
        "{messages}"
    );
    // The scheme has to be a guess: on a disk, `//cdn.example` is a file.
    assert_eq!(
        world.read("o/guide/b.html"),
        "<link rel=canonical href=/docs/guide/b.html><a href=a.html>a</a><a href=gone>g</a>\
         <object codebase=/docs/k/></object><img src=https://cdn.example/i>"
    );
    let report = world.read("r");
    assert!(report.contains(r#""url":"/docs/guide/b.html""#), "{report}");
    assert!(!report.contains(PLACEHOLDER), "{report}");
    std::fs::remove_file(world.path("o/guide/b.html")).expect("removed");
    let links = links(&world);
    // `https://h.example/docs/` is on another host, for all that is known.
    let (others, files): (Vec<_>, Vec<_>) = links
        .into_iter()
        .partition(|(_, reference)| reference.starts_with(BUILT_FOR));
    assert_eq!((others.len(), files.len()), (1, 8));
    for (file, reference) in files {
        let path = world.path("").join(resolved(&file, &reference));
        assert!(path.is_file(), "{file:?}: {reference}");
    }
}

#[test]
fn the_configuration_file_has_the_path() {
    let world = site();
    world.write(
        "absolve.toml",
        "url = \"https://h.example/docs/\"\n[rewrite]\nbase-path = \"/docs\"\nto = \"relative\"\n",
    );
    world.run(&["rewrite", "w", "-o", "o"]).exits_with(0);
    assert!(world.read("o/index.html").contains("<a href=./>home"));
    assert!(
        world
            .read("o/guide/index.html")
            .contains("<a href=https://h.example/docs/>home"),
        "the path takes precedence over the URL"
    );
}

/// The fixtures of this repository, with every link that can be selected, in every form, profile and treatment of BASE.
#[test]
fn the_placeholder_host_is_in_no_output() {
    const PRESETS: &str = "social,lazy,rdfa,json-ld,comments,animation,legacy";
    let fixtures = support::root().join("fixtures");
    let fixtures = fixtures.to_str().expect("a path in UTF-8");
    let mut runs: Vec<Vec<&str>> = Vec::new();
    for profile in ["rfc1808", "rfc3986", "whatwg"] {
        for to in ["relative", "root-relative"] {
            for base_element in ["keep", "remove"] {
                let forms = [
                    "--profile",
                    profile,
                    "--to",
                    to,
                    "--base-element",
                    base_element,
                ];
                let more = [
                    "--map",
                    "/docs=/",
                    "--legacy-headers",
                    "--in-records",
                    "--normalize",
                ];
                runs.push([&["rewrite"][..], &forms, &more].concat());
            }
        }
        runs.push(["mirror", "--layout", "site", "--profile", profile].to_vec());
        runs.push(["mirror", "--layout", "site", "--profile", profile, "--all"].to_vec());
    }
    for run in runs {
        let world = World::in_memory();
        let arguments = [
            fixtures,
            "--base-path",
            "/docs",
            "--preset",
            PRESETS,
            "-v",
            "--report",
            "r",
            "-o",
            "o",
        ];
        let answer = world.run(&[&run[..], &arguments].concat());
        assert!(
            !answer.stderr.contains(PLACEHOLDER),
            "{run:?}: {}",
            answer.stderr
        );
        let report = world.read("r");
        let edited = report.matches("\"status\":\"resolved\"").count();
        assert!(edited > 50, "{run:?}: {edited} resolved links");
        let mut files = 0;
        let mut directories = vec![world.path("")];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    directories.push(path);
                    continue;
                }
                let bytes = std::fs::read(&path).expect("a file");
                // Documents in UTF-16 have zeros between the letters.
                let bytes: Vec<u8> = bytes.into_iter().filter(|&byte| byte != 0).collect();
                let text = String::from_utf8_lossy(&bytes);
                assert!(!text.contains(PLACEHOLDER), "{run:?}: {}", path.display());
                files += 1;
            }
        }
        assert!(files > 100, "{run:?}: {files} files");
    }
}

/// The scripts of some generators find others by the path that the site was built for.
#[test]
fn scripts_that_cannot_be_moved_are_reported_once() {
    let page = "<a href=/docs/>x</a><div id=__docusaurus></div>";
    let world = World::new(&[
        ("w/a.html", page),
        ("w/b.html", page),
        ("w/c.html", "<script id=__NEXT_DATA__></script>"),
        ("w/d.html", "<script>self.__next_f</script>"),
    ]);
    let run = |options: &[&str]| {
        let arguments = ["rewrite", "w", "--url", BUILT_FOR, "-o", "o"];
        let answer = world.run(&[&arguments[..], options].concat());
        answer.exits_with(0).stderr.clone()
    };
    let moved = run(&["--to", "relative"]);
    let warning = "2 documents with scripts of Docusaurus, which load others from the path the site was built for";
    assert_eq!(moved.matches("Docusaurus").count(), 1, "{moved}");
    assert!(moved.contains(warning), "{moved}");
    assert!(
        moved.contains("2 documents with scripts of Next.js"),
        "{moved}"
    );
    // The site stays where it is.
    assert!(!run(&[]).contains("Docusaurus"));
}

/// A site that was not moved has links that lead out of its new place: to its files, or to others of the host.
#[test]
fn links_that_lead_out_of_a_moved_site_are_found_or_counted() {
    let world = World::new(&[
        (
            "w/index.html",
            "<link rel=stylesheet href=/s.css><a href=a.html>a</a> <a href=//o.example/>o</a>",
        ),
        ("w/a.html", "<a href=/>home</a>"),
        ("w/s.css", "a{}"),
    ]);
    let answer = world.run(&["check", "w", "--base-path", "/blog/"]);
    let message = "\"/s.css\" leads out of the site, which has this file";
    let help = "the site is published below \"/blog/\": write \"/blog/s.css\"";
    let summary =
        "1 finding in 1 of 3 documents; links outside the path of the site, not checked: 1";
    let answer = answer.exits_with(1).stderr_contains(summary);
    for text in [message, help] {
        assert!(answer.stdout.contains(text), "{answer:?}");
    }
    world
        .run(&[
            "rewrite",
            "w",
            "--base-path",
            "/",
            "--map",
            "/=/blog/",
            "--to",
            "root-relative",
            "-i",
        ])
        .exits_with(0);
    let answer = world
        .run(&["check", "w", "--base-path", "/blog/"])
        .exits_with(0);
    assert!(
        answer.stderr.ends_with("no findings in 3 documents\n"),
        "{answer:?}"
    );
}

const SHEET: &str = "a{b:url(i.png)}";

/// Digests of [`SHEET`] and of the sheet with an absolute URL, by Python's `hashlib`.
const DIGESTS: [(&str, &str); 3] = [
    (
        "sha256-ajMrn8fWOIaP5HzwP9mskbVcF7EmiVd8awk85XrYz6I=",
        "sha256-eKuToIcHSuxJNOwa7XG5n09tVT3DzFqZaGx2oQvOimM=",
    ),
    (
        "sha384-vq9Bs9NeG042TeLyh8T/HPkuYmoZDUI7noZXCkV1V8mnX2ZmuQhhT/OlD+TdfYVD",
        "sha384-rtTLwyo95mEmcFdX30GhpWCkUiHPHSdE6BjjDGa64Y3wlMCdPzC1id0DSf8rA5ht",
    ),
    (
        "sha512-lLgkGqYZcebxkx0B9MUna1GGo743FqIZkxyQf+ckIC4iI3I7etKYm26G5nw3LvIe9ChT1F4blgUUGr6e4zz+pA==",
        "sha512-GHgQoNUDoAcKHMpG/dKEwqjHu/oRUoSAVgAMaB35+MLal3QY8zFnQ6szRClU4X/k3ldUeUgliFA6dVGZaZk7Fw==",
    ),
];

const PUBLISHED: &str = "https://h.example/";

/// Runs `rewrite w --url https://h.example/` with these arguments.
fn rewrite(world: &World, arguments: &[&str]) -> world::Answer {
    world.run(&[&["rewrite", "w", "--url", PUBLISHED], arguments].concat())
}

/// A page of two style sheets, one of which changes, and of a script. The old digests are in `integrity`.
fn page(integrity: &str) -> String {
    format!(
        "<LINK Integrity='{integrity}' rel=stylesheet href='s/a.css?v=1#x'>
<link rel=stylesheet href=/s/b.css integrity={0}><script src=c.js crossorigin integrity={0}></script>",
        DIGESTS[0].0
    )
}

fn with_integrity(integrity: &str) -> World {
    World::new(&[
        ("w/index.html", &page(integrity)),
        ("w/s/a.css", SHEET),
        ("w/s/b.css", "a{}"),
        ("w/c.js", "1"),
    ])
}

/// Returns `page` with absolute links.
fn absolute(page: &str) -> String {
    page.replace("'s/", "'https://h.example/s/")
        .replace("=/s/", "=https://h.example/s/")
        .replace("src=c", "src=https://h.example/c")
}

#[test]
fn integrity_has_the_digests_of_the_changed_sheet() {
    let other = "sha256-AAAA?x=1";
    let [a, b, c] = DIGESTS;
    let old = format!("\n{}  {other}\t{}?opt {}", a.0, b.0, c.0);
    let new = format!("\n{}  {other}\t{}?opt {}", a.1, b.1, c.1);
    for threads in ["1", "8"] {
        let world = with_integrity(&old);
        rewrite(&world, &["-o", "o", "-j", threads]).exits_with(0);
        assert_eq!(world.read("o/index.html"), absolute(&page(&new)));
        let report = rewrite(&world, &["-i", "-j", threads]).messages(0);
        assert_eq!(report, "absolve: documents: 3, changed: 2\n");
        assert_eq!(world.read("w/index.html"), absolute(&page(&new)));
        // A second run changes nothing.
        rewrite(&world, &["--check"]).exits_with(0);
    }
}

#[test]
fn integrity_without_the_old_digest_is_kept_with_a_warning() {
    let world = with_integrity("sha384-AAAA");
    let messages = rewrite(&world, &["-o", "o"]).messages(0);
    assert!(
        messages.contains(
            "w/index.html: integrity of 1 element left unchanged: it is not that of the style sheet, which changes"
        ),
        "{messages}"
    );
    assert_eq!(world.read("o/index.html"), absolute(&page("sha384-AAAA")));
}

#[test]
fn integrity_is_removed_or_kept() {
    let world = with_integrity(DIGESTS[1].0);
    rewrite(&world, &["-o", "o", "--integrity", "remove"]).exits_with(0);
    let without = absolute(&page("")).replacen("Integrity=''", "", 1);
    assert_eq!(world.read("o/index.html"), without);
    let report = rewrite(&world, &["-o", "k", "--integrity", "keep", "--report", "r"]).messages(0);
    assert!(!report.contains("integrity"), "{report}");
    assert_eq!(world.read("k/index.html"), absolute(&page(DIGESTS[1].0)));
}

#[test]
fn integrity_is_updated_without_a_url_in_utf_16_and_in_xml() {
    let link = |digest: &str| format!("<link integrity=\"{digest}\" href=\"a.css\"/>");
    let xml = |link: &str| format!("<html xmlns='http://www.w3.org/1999/xhtml'>{link}</html>");
    let utf_16 = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    // Of the sheet and of the sheet that is written, by Python's `hashlib`.
    let old = "sha256-cuLCCyeu4luF9Rh2+BGXW7tFkruxiarcmZo7lKECo4g=";
    let new = "sha256-2/+qcC9PnHL9CMp3Dd7/D07IXZwGC+1SRBolCooEW8Q=";
    let world = World::new(&[
        ("w/a.css", "a{b:url(https://h.example/i.png)}"),
        ("w/x.xhtml", &xml(&link(old))),
    ]);
    std::fs::write(world.path("w/u.html"), utf_16(&link(old))).expect("a file");
    let map = "https://h.example/=https://n.example/";
    let answer = world.run(&["rewrite", "w", "-o", "o", "--map", map]);
    let messages =
        "absolve: no base URL for the relative references of 2 documents; set one with --url
absolve: documents: 3, changed: 3\n";
    assert_eq!(answer.messages(0), messages);
    assert_eq!(world.read("o/x.xhtml"), xml(&link(new)));
    let written = std::fs::read(world.path("o/u.html")).expect("a file");
    assert_eq!(written, utf_16(&link(new)));
}

#[test]
fn large_page_with_integrity_is_not_streamed() {
    let world = with_integrity(DIGESTS[0].0);
    let text = "<p>text</p>".repeat(500_000);
    let large = |integrity: &str| format!("{text}{}", page(integrity));
    world.write("w/index.html", &large(DIGESTS[0].0));
    rewrite(&world, &["-o", "o"]).exits_with(0);
    assert!(world.read("o/index.html") == absolute(&large(DIGESTS[0].1)));
}

#[test]
fn elements_of_pages_on_a_disk_have_no_integrity() {
    let page = "<meta http-equiv=Content-Security-Policy content=\"default-src 'self'\">\
        <link rel=stylesheet crossorigin integrity=sha256-x href=/a.css><script type=module crossorigin src=/a.js></script>\
        <script type=module crossorigin src=https://cdn.example/a.js integrity=sha256-x></script>";
    let local = |css: &str, js: &str| {
        page.replace(" crossorigin integrity=sha256-x href=/a.css", css)
            .replace(" crossorigin src=/a.js", js)
    };
    let world = World::new(&[("w/index.html", page), ("w/a.css", SHEET), ("w/a.js", "1")]);
    let disk = ["--to", "relative", "--index-files", "explicit", "-o"];
    let warnings = "absolve: browsers do not run 1 module script of pages on a disk (file://); open the pages through a server
absolve: 1 document with a content security policy, which may block files on a disk (file://)
";
    let removed = local("   href=a.css", "  src=a.js");
    let messages = rewrite(&world, &[&disk[..], &["o"]].concat()).messages(0);
    assert!(messages.starts_with(warnings), "{messages}");
    assert_eq!(world.read("o/index.html"), removed);
    let keep = [&disk[..], &["k", "--integrity", "keep"]].concat();
    assert!(rewrite(&world, &keep).messages(0).starts_with(warnings));
    let kept = local(
        " crossorigin integrity=sha256-x href=a.css",
        " crossorigin src=a.js",
    );
    assert_eq!(world.read("k/index.html"), kept);
    let mirror = ["mirror", "w", "--layout", "site", "--url", PUBLISHED, "-o"];
    let messages = world.run(&[&mirror[..], &["m"]].concat()).messages(0);
    assert!(messages.starts_with(warnings), "{messages}");
    assert_eq!(world.read("m/index.html"), removed);
    let keep = [&mirror[..], &["n", "--integrity", "keep"]].concat();
    assert!(world.run(&keep).messages(0).starts_with(warnings));
    assert_eq!(world.read("n/index.html"), kept);
}

#[test]
fn absolute_links_into_a_site_on_a_disk_have_no_integrity() {
    let page = "<link rel=stylesheet integrity=sha256-x crossorigin href=https://h.example/a.css>";
    let world = World::new(&[("w/index.html", page), ("w/a.css", SHEET)]);
    let disk = "rewrite w --base-path / --map https://h.example/=/ --to relative --index-files explicit -o o";
    let disk: Vec<&str> = disk.split(' ').collect();
    world.run(&disk).exits_with(0);
    let expected = "<link rel=stylesheet   href=a.css>";
    assert_eq!(world.read("o/index.html"), expected);
}

#[test]
fn integrity_of_absolute_links_into_a_moved_site_is_updated() {
    // Of the sheet before and after, by Python's `hashlib`.
    let old = "sha256-S0JorBdFYo6Sa6QpeBqb/jyneZ3AQ8WBHiOxlE6pewE=";
    let new = "sha256-wbpBJyKdoS9zkJQkc9/dykPkgzmFGisRh55x4kvHFi8=";
    let page = |url: &str, digest: &str| format!("<link integrity={digest} href={url}s/a.css>");
    let world = World::new(&[
        ("w/index.html", &page(PUBLISHED, old)),
        ("w/s/a.css", "a{b:url(/i.png)}"),
    ]);
    let moved = "rewrite w --base-path / --map https://h.example/=/sub/ --map /=/sub/ --to root-relative -o o";
    let moved: Vec<&str> = moved.split(' ').collect();
    world.run(&moved).exits_with(0);
    assert_eq!(world.read("o/s/a.css"), "a{b:url(/sub/i.png)}");
    assert_eq!(world.read("o/index.html"), page("/sub/", new));
}

#[test]
fn integrity_of_import_maps_has_the_digests_of_changed_files() {
    let page = |url: &str, digest: &str| {
        format!(
            "<script type=importmap>{{\"integrity\": {{\"{url}s/a.css\": \"{digest}\", \"{url}c.js\": \"sha256-x\"}}}}</script>"
        )
    };
    let [(old, new), ..] = DIGESTS;
    let world = with_integrity(old);
    world.write("w/index.html", &page("/", old));
    rewrite(&world, &["-o", "o"]).exits_with(0);
    assert_eq!(world.read("o/index.html"), page(PUBLISHED, new));
    rewrite(&world, &["-o", "k", "--integrity", "keep"]).exits_with(0);
    assert_eq!(world.read("k/index.html"), page(PUBLISHED, old));
    let mirror = [
        "mirror", "w", "--layout", "site", "--url", PUBLISHED, "-o", "m",
    ];
    world.run(&mirror).exits_with(0);
    let removed = page("./", "").replace("sha256-x", "");
    assert_eq!(world.read("m/index.html"), removed);
}
