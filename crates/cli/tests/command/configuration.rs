//! The configuration file `absolve.toml`: where it is found, what takes precedence, and what is wrong with it.

use support::world;
use support::world::World;

const CONFIG: &str = "\
url = \"https://h.example/\"
exclude = [\"drafts\"]
verbose = true

[rewrite]
to = \"root-relative\"
backup = \".orig\"
others = \"link\"

[links]
format = \"jsonl\"
";

fn site() -> World {
    World::new(&[
        ("absolve.toml", CONFIG),
        ("w/index.html", "<a href=g>"),
        ("w/drafts/a.html", "<a href=g>"),
    ])
}

#[test]
fn options_are_read_from_the_nearest_file_above_the_input() {
    let world = site();
    world.run(&["rewrite", "w", "-o", "o"]).exits_with(0);
    assert_eq!(world.read("o/index.html"), "<a href=/g>");
    assert!(!world.path("o/drafts").exists());
    // Another directory is current.
    let mut command = world.command(&["links", "../w/index.html"]);
    std::fs::create_dir(world.path("elsewhere")).expect("a directory");
    let output = command.current_dir(world.path("elsewhere")).output();
    let printed = world::Answer::new(output.expect("the command runs")).printed();
    assert!(
        printed.contains("\"path\":\"../w/index.html\""),
        "{printed}"
    );
    // The option `others` requires --output on the command line, but not in the file.
    let answer = world.run(&["rewrite", "w", "-i"]).exits_with(0);
    assert_eq!(world.read("w/index.html.orig"), "<a href=g>", "{answer:?}");
    // A nearer file replaces the other one.
    world.write("w/absolve.toml", "to = \"absolute\"");
    let answer = world.run(&["rewrite", "w/drafts/a.html", "--strict"]);
    answer.exits_with(1).stderr_contains("no base URL");
}

#[test]
fn the_command_line_takes_precedence() {
    let world = site();
    for (options, expected) in [
        (&["--to", "absolute"][..], "<a href=https://h.example/g>"),
        (
            &["--to", "absolute", "--url", "http://i.example/x/"],
            "<a href=http://i.example/x/g>",
        ),
        (&["--no-config"], "<a href=g>"),
    ] {
        let arguments = ["rewrite", "w/index.html", "--root", "w"];
        let printed = world.run(&[&arguments[..], options].concat());
        assert_eq!(printed.stdout, expected, "{options:?} {printed:?}");
    }
    // A list replaces the one in the file.
    let printed = world
        .run(&["links", "w", "--exclude", "index.html"])
        .printed();
    assert!(printed.contains("drafts/a.html"), "{printed}");
    assert!(!printed.contains("index.html"), "{printed}");
    // `verbose` of the file conflicts with --quiet.
    let answer = world.run(&["rewrite", "w", "-o", "o", "-q"]).exits_with(0);
    assert_eq!(answer.stderr, "");
}

#[test]
fn a_file_is_named_or_ignored() {
    let world = site();
    world.write(
        "sub/other.toml",
        "root = \"../w\"\nurl = \"http://i.example/\"",
    );
    let arguments = ["rewrite", "w/index.html", "--config", "sub/other.toml"];
    assert_eq!(
        world.run(&arguments).printed(),
        "<a href=http://i.example/g>"
    );
    let messages = world
        .run(&["links", "w", "--config", "missing.toml"])
        .messages(2);
    assert!(
        messages.contains("cannot read the configuration missing.toml: "),
        "{messages}"
    );
}

/// The files of a download come from a server.
#[test]
fn mirror_ignores_a_file_in_the_folder() {
    let world = World::new(&[
        ("m/absolve.toml", "exclude = \"*\"\nnonsense = 1"),
        ("m/h.example/index.html", "<a href=/>"),
        ("m/h.example/absolve.toml", "nonsense = 1"),
    ]);
    world.run(&["mirror", "m", "-o", "o"]).exits_with(0);
    assert_eq!(world.read("o/h.example/index.html"), "<a href=index.html>");
    world.write("absolve.toml", "[mirror]\nall = true\nexclude = \"*.html\"");
    world.run(&["mirror", "m", "-o", "p"]).exits_with(0);
    assert!(!world.path("p/h.example/index.html").exists());
}

#[test]
fn options_in_effect_are_printed_with_their_sources() {
    let world = site();
    let arguments = [
        "rewrite",
        "w",
        "--print-config",
        "-q",
        "--skip",
        "a[ping]",
        "--skip",
        "img[src]",
    ];
    let printed = world.run(&arguments).printed();
    let expected = "\
# absolve rewrite: absolve.toml
backup = \".orig\" # absolve.toml:7
exclude = [\"drafts\"] # absolve.toml:2
others = \"link\" # absolve.toml:8
quiet = true # command line
skip = [\"a[ping]\",\"img[src]\"] # command line
to = \"root-relative\" # absolve.toml:6
url = \"https://h.example/\" # absolve.toml:1
";
    assert_eq!(printed, expected);
    // The output is a configuration file with the same effect.
    world.write("copy.toml", &printed);
    let again = world.run(&["rewrite", "w", "--print-config", "--config", "copy.toml"]);
    let values = |text: &str| -> Vec<String> {
        let lines = text.lines().skip(1);
        lines
            .map(|line| line.split(" # ").next().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(values(&again.printed()), values(&printed));
    let printed = world
        .run(&["check", "w", "--no-config", "--print-config"])
        .printed();
    assert_eq!(printed, "# absolve check: no configuration file\n");
}

#[test]
fn errors_name_the_line_and_the_nearest_name() {
    for (config, expected) in [
        (
            "url = \"https://h.example/\"\nexclud = \"x\"",
            "absolve.toml:2: unknown key \"exclud\"\n  hint: did you mean exclude or exclude-link?",
        ),
        (
            "[chekc]\nselect = \"no-base\"",
            "absolve.toml:1: unknown table \"chekc\"\n  hint: did you mean check?",
        ),
        (
            "\n[check]\nto = \"absolute\"",
            "absolve.toml:3: unknown key \"to\" of [check]",
        ),
        (
            "in-place = true",
            "absolve.toml:1: \"in-place\" is no key\n  hint: use --in-place on the command line",
        ),
        (
            "verbose = 1",
            "absolve.toml:1: \"verbose\" must be true or false, not integer",
        ),
        (
            "url = [\"a\"]",
            "absolve.toml:1: \"url\" must be a string or a number, not array",
        ),
        (
            "skip = [1, true]",
            "absolve.toml:1: \"skip\" must be a string, or an array of strings, not array",
        ),
        ("a = 1\nb = = 2", "absolve.toml:2: not valid TOML: "),
        (
            "profile = \"html\"",
            "absolve.toml:1: invalid value \"html\" for \"profile\" of `absolve ",
        ),
        (
            "threads = 0",
            "absolve.toml:1: invalid value \"0\" for \"threads\" of `absolve ",
        ),
        (
            "preset = [\"lazy\", \"lasy\"]",
            "absolve.toml:1: invalid value \"lasy\" for \"preset\" of `absolve rewrite`: not one of html, social, ",
        ),
        (
            "format = \"sarif\"",
            "absolve.toml:1: invalid value \"sarif\" for \"format\" of `absolve links`: not one of text, json, jsonl, csv, html\n  hint: an option of one command belongs to its table",
        ),
    ] {
        let world = World::new(&[("absolve.toml", config), ("w/a.html", "")]);
        let messages = world.run(&["links", "w"]).messages(2);
        assert!(messages.contains(expected), "{config}: {messages}");
    }
    let world = World::new(&[("absolve.toml", "url = \"nonsense\""), ("w/a.html", "")]);
    let messages = world.run(&["links", "w"]).messages(2);
    assert!(
        messages.contains("invalid value \"nonsense\" for --url"),
        "{messages}"
    );
    assert!(
        messages.contains("note: absolve.toml has options, too"),
        "{messages}"
    );
}

/// A file that came with the input must not make a run read other directories, or take more than a document is worth.
#[test]
fn a_file_in_the_input_does_not_widen_the_run() {
    let world = World::new(&[
        ("in/absolve.toml", "follow = true\n"),
        ("in/a.html", "<a href=b>"),
    ]);
    let arguments = ["links", "in", "--url", "http://h/"];
    let messages = world.run(&arguments).messages(2);
    assert!(
        messages.contains(
            "in/absolve.toml:1: follow is not taken from a file below the current directory"
        ),
        "{messages}"
    );
    world
        .run(&[&arguments[..], &["--config", "in/absolve.toml"]].concat())
        .exits_with(0);
    world
        .run(&[&arguments[..], &["--no-config"]].concat())
        .exits_with(0);
    world.write("in/absolve.toml", "[links]\nlimit = [\"links=5\"]\n");
    assert!(
        world
            .run(&arguments)
            .messages(2)
            .contains("absolve.toml:2: limit")
    );
    // In the current directory, it is the user's.
    world.write("absolve.toml", "follow = true\n");
    world.write("in/absolve.toml", "url = \"http://h/\"\n");
    world.run(&["links", "in"]).exits_with(0);
    std::fs::remove_file(world.path("in/absolve.toml")).expect("a file");
    let answer = world
        .run(&["links", "in", "--url", "http://h/", "-v"])
        .exits_with(0);
    answer.stderr_contains("absolve: options of absolve.toml");
}

/// The file of another user is not taken; only root can make one here.
#[test]
#[cfg(unix)]
fn a_file_of_another_user_is_not_taken() {
    let world = World::new(&[("absolve.toml", "quiet = true\n"), ("in/a.html", "")]);
    if std::os::unix::fs::chown(world.path("absolve.toml"), Some(12_345), None).is_err() {
        support::missing("root, to own a file by another user");
        return;
    }
    let messages = world.run(&["links", "in"]).messages(2);
    assert!(
        messages.contains("absolve.toml belongs to another user"),
        "{messages}"
    );
    world
        .run(&["links", "in", "--config", "absolve.toml"])
        .exits_with(0);
}
