//! Files of a site while it is rewritten: symbolic links, modes, times, file system errors, and interrupted runs.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use support::world::{Answer, World};

const URL: &str = "https://h.example/";

fn mode(world: &World, name: &str) -> u32 {
    let metadata = fs::metadata(world.path(name)).expect(name);
    metadata.permissions().mode() & 0o7777
}

fn set_mode(world: &World, name: &str, mode: u32) {
    fs::set_permissions(world.path(name), fs::Permissions::from_mode(mode)).expect(name);
}

fn modified(world: &World, name: &str) -> SystemTime {
    let metadata = fs::metadata(world.path(name)).expect(name);
    metadata.modified().expect("a time")
}

fn date(world: &World, name: &str, time: SystemTime) {
    let file = fs::File::options().write(true).open(world.path(name));
    file.expect(name).set_modified(time).expect("a time");
}

#[test]
fn rewrite_sets_modes_and_times() {
    let world = World::new(&[
        ("w/changed.html", "<a href=g>"),
        ("w/same.html", "<p>"),
        ("w/other.bin", "x"),
    ]);
    let long_ago = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 500_000_000);
    let names = ["changed.html", "same.html", "other.bin"];
    for name in names {
        // More permissions than the usual umask allows.
        set_mode(&world, &format!("w/{name}"), 0o666);
        date(&world, &format!("w/{name}"), long_ago);
    }
    set_mode(&world, "w/other.bin", 0o757);
    for others in ["copy", "link"] {
        let arguments = [
            "rewrite", "w", "-o", others, "--url", URL, "--others", others,
        ];
        world.run(&arguments).exits_with(0);
        for (name, mode_of_it) in names.into_iter().zip([0o666, 0o666, 0o757]) {
            assert_eq!(
                mode(&world, &format!("{others}/{name}")),
                mode_of_it,
                "{name}"
            );
        }
        assert!(modified(&world, &format!("{others}/changed.html")) > long_ago);
        assert_eq!(modified(&world, &format!("{others}/same.html")), long_ago);
        assert_eq!(modified(&world, &format!("{others}/other.bin")), long_ago);
    }
    let node = |name: &str| fs::metadata(world.path(name)).expect(name).ino();
    for name in names {
        let is_link = node(&format!("link/{name}")) == node(&format!("w/{name}"));
        assert_eq!(is_link, name != "changed.html", "{name}");
        assert_ne!(
            node(&format!("copy/{name}")),
            node(&format!("w/{name}")),
            "{name}"
        );
    }
    // Again, over the existing output; then without other files.
    world
        .run(&[
            "rewrite", "w", "-o", "link", "--url", URL, "--others", "link",
        ])
        .exits_with(0);
    assert_eq!(world.tree("link").len(), 3);
    world
        .run(&[
            "rewrite", "w", "-o", "skip", "--url", URL, "--others", "skip",
        ])
        .exits_with(0);
    let names: Vec<_> = world.tree("skip").into_keys().collect();
    assert_eq!(names, ["changed.html", "same.html"]);
    // In place, the mode is kept.
    world
        .run(&["rewrite", "-i", "w", "--url", URL])
        .exits_with(0);
    assert_eq!(mode(&world, "w/changed.html"), 0o666);
    assert_eq!(modified(&world, "w/same.html"), long_ago);
}

#[test]
fn symlinks_in_inputs_are_not_followed() {
    let world = World::new(&[
        ("w/a/x.html", "<a href=g>"),
        ("secret/s.html", "<a href=g>"),
    ]);
    for (text, name) in [
        ("../a", "w/a/loop"),
        ("x.html", "w/a/y.html"),
        ("../nowhere", "w/a/dangling"),
        ("../../secret", "w/a/out"),
        ("../../secret/s.html", "w/a/out.html"),
        // By its text this is `w`. But `a/loop` is `w/a`, so it leads out of `w`.
        ("a/loop/../..", "w/through"),
    ] {
        symlink(text, world.path(name)).expect("a link");
    }
    symlink(world.path("w/a"), world.path("w/absolute")).expect("a link");
    let answer = world
        .run(&["rewrite", "w", "-o", "o", "--url", URL])
        .exits_with(2);
    for name in ["w/a/out", "w/a/out.html", "w/absolute", "w/through"] {
        let message = format!(
            "cannot copy {name} to o{}: symbolic link to a place outside",
            &name[1..]
        );
        assert!(answer.stderr.contains(&message), "{message}: {answer:?}");
    }
    let tree = world.tree("o");
    let expected = [
        ("a/", ""),
        ("a/dangling", "-> ../nowhere"),
        ("a/loop", "-> ../a"),
        ("a/x.html", "<a href=https://h.example/a/g>"),
        ("a/y.html", "-> x.html"),
    ];
    assert!(
        tree.iter()
            .map(|(name, text)| (&**name, &**text))
            .eq(expected),
        "{tree:?}"
    );
    // Again: symbolic links replace symbolic links.
    world
        .run(&["rewrite", "w", "-o", "o", "--url", URL])
        .exits_with(2);
    assert_eq!(world.tree("o"), tree);
    world
        .run(&["rewrite", "-i", "w", "--url", URL])
        .exits_with(0);
    assert_eq!(world.read("secret/s.html"), "<a href=g>");
    assert_eq!(world.read("w/a/x.html"), "<a href=https://h.example/a/g>");
    assert!(world.path("w/a/y.html").is_symlink());
    // A directory given as an argument may be a symbolic link.
    symlink("w", world.path("named")).expect("a link");
    let answer = world.run(&["links", "named", "-q"]).exits_with(0);
    assert_eq!(
        answer.stdout,
        "named/a/x.html:1:9: a[href] https://h.example/a/g (absolute)\n"
    );
}

#[test]
fn symlinks_in_outputs_are_not_followed() {
    let world = World::new(&[
        ("w/a/x.html", "<a href=g>"),
        ("w/b.html", "<a href=g>"),
        ("w/d/x", "x"),
        ("other/keep", ""),
        ("real.html", "mine"),
        ("out/d", "a file in the place of a directory"),
    ]);
    symlink("../other", world.path("out/a")).expect("a link");
    symlink("../real.html", world.path("out/b.html")).expect("a link");
    world
        .run(&["rewrite", "w", "-o", "out", "--url", URL])
        .exits_with(2)
        .stderr_contains("cannot write to out/a: symbolic link in the place of a directory")
        .stderr_contains("; not written: 2; errors: 2")
        .stderr_contains("cannot write to out/d: ");
    assert_eq!(
        world.tree("other").into_keys().collect::<Vec<_>>(),
        ["keep"]
    );
    // A symbolic link to a file is replaced, and its target is not touched.
    assert_eq!(world.read("real.html"), "mine");
    assert_eq!(world.read("out/b.html"), "<a href=https://h.example/g>");
    assert!(!world.path("out/b.html").is_symlink());
}

#[test]
fn special_files_are_reported_and_skipped() {
    let world = World::new(&[("w/x.html", "<a href=g>")]);
    let made = Command::new("mkfifo")
        .arg(world.path("w/pipe.html"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    world
        .run(&["rewrite", "-i", "w", "--url", URL])
        .exits_with(2)
        .stderr_contains("w/pipe.html: not a regular file; skipped");
    assert_eq!(world.read("w/x.html"), "<a href=https://h.example/g>");
}

#[test]
fn read_only_files_are_reported_and_skipped() {
    let world = World::new(&[("w/a.html", "<a href=g>"), ("w/b.html", "<a href=g>")]);
    set_mode(&world, "w/a.html", 0o444);
    world
        .run(&["rewrite", "-i", "w", "--url", URL])
        .exits_with(2)
        .stderr_contains("cannot write w/a.html: read-only file; make it writable");
    assert_eq!(world.read("w/a.html"), "<a href=g>");
    assert_eq!(world.read("w/b.html"), "<a href=https://h.example/g>");
    // A rewritten copy can be made, and is read-only, too.
    world
        .run(&["rewrite", "w", "-o", "o", "--url", URL])
        .exits_with(0);
    assert_eq!(
        (mode(&world, "o/a.html"), mode(&world, "w/a.html")),
        (0o444, 0o444)
    );
    assert_eq!(world.read("o/a.html"), "<a href=https://h.example/g>");
}

/// Runs a script in a mount namespace. Returns `None` if that is not permitted.
fn with_mounts(world: &World, script: &str) -> Option<Answer> {
    let unshare = |script: &str| {
        Command::new("unshare")
            .args(["-rm", "sh", "-e", "-c", script])
            .env("ABSOLVE", support::world::binary())
            .current_dir(world.root())
            .output()
    };
    let is_allowed = unshare("mkdir -p probe; mount -t tmpfs tmpfs probe")
        .is_ok_and(|output| output.status.success());
    if !is_allowed {
        support::missing("unshare -rm and mount: a full disk and a read-only directory");
        return None;
    }
    Some(Answer::new(unshare(script).expect("a shell")))
}

#[test]
fn read_only_directories_are_reported_and_others_written() {
    let world = World::new(&[("w/a/x.html", "<a href=g>"), ("w/b/y.html", "<a href=g>")]);
    let script = "mount --bind w/a w/a; mount -o remount,ro,bind w/a; exec $ABSOLVE rewrite -i w --url https://h.example/";
    let Some(answer) = with_mounts(&world, script) else {
        return;
    };
    answer
        .exits_with(2)
        .stderr_contains("cannot write w/a/x.html: ");
    assert_eq!(world.read("w/a/x.html"), "<a href=g>");
    assert_eq!(world.read("w/b/y.html"), "<a href=https://h.example/b/g>");
}

#[test]
fn full_disk_leaves_every_file_old_or_new() {
    // Documents grow by far more than the free space of the disk.
    let old = "<a href=g></a>".repeat(300);
    let new = "<a href=https://h.example/a/rather/long/path/g></a>".repeat(300);
    let world = World::new(&[]);
    for number in 10..50 {
        world.write(&format!("w/{number}.html"), &old);
    }
    let script = "mkdir full after; mount -t tmpfs -o size=400k tmpfs full; cp w/* full
        set +e; $ABSOLVE rewrite -i full --url https://h.example/a/rather/long/path -j 1; code=$?
        cp -a full/. after; exit $code";
    let Some(answer) = with_mounts(&world, script) else {
        return;
    };
    let answer = answer
        .exits_with(2)
        .stderr_contains(".html: No space left on device");
    let tree = world.tree("after");
    assert_eq!(tree.len(), 40, "{:?}", tree.keys());
    let written = tree.values().filter(|content| **content == new).count();
    let left = tree.values().filter(|content| **content == old).count();
    assert_eq!(written + left, 40);
    let named = answer.stderr.matches("cannot write ").count();
    assert!(
        written > 0 && left > 1 && named == 1,
        "{written} written, {left} left, {named} named"
    );
    let rest = left - 1;
    answer
        .stderr_contains("; no other file is written")
        .stderr_contains(&format!("; not written: {rest}; errors: 1"));
}

#[test]
fn file_size_limit_is_reported_and_leaves_no_temporary_file() {
    let world = World::new(&[
        ("w/a.html", &"<a href=g></a>".repeat(800)),
        ("w/b.html", "<a href=g>"),
    ]);
    let before = world.tree("w");
    let script =
        "trap '' XFSZ; ulimit -f 16; exec \"$0\" rewrite w -o out --url https://h.example/";
    let output = Command::new("bash")
        .args(["-c", script])
        .arg(support::world::binary())
        .current_dir(world.root())
        .output();
    Answer::new(output.expect("bash runs"))
        .exits_with(2)
        .stderr_contains("cannot write out/a.html: File too large");
    assert_eq!(
        world.tree("out").into_keys().collect::<Vec<_>>(),
        ["b.html"]
    );
    assert_eq!(world.tree("w"), before);
}

/// Creates a site of equal small documents, and returns their content before and after rewriting.
fn many(files: usize) -> (World, String, String) {
    let text = "text ".repeat(200);
    let old = format!("<p>{text}<a href=g>g</a><img src=i.png>");
    let new =
        format!("<p>{text}<a href=https://h.example/g>g</a><img src=https://h.example/i.png>");
    let world = World::in_memory();
    for number in 0..files {
        world.write(&format!("w/{number}.html"), &old);
    }
    (world, old, new)
}

#[test]
fn kill_leaves_every_file_old_or_new() {
    const FILES: usize = 500;
    let kills = support::cases(200) as usize;
    let (world, old, new) = many(FILES);
    let arguments = ["rewrite", "-i", "w", "--url", URL, "-q"];
    let restore = || {
        for number in 0..FILES {
            world.write(&format!("w/{number}.html"), &old);
        }
    };
    // The jobs are started in the order of the paths.
    let mut paths: Vec<_> = (0..FILES)
        .map(|number| world.path(&format!("w/{number}.html")))
        .collect();
    paths.sort();
    // A document is replaced by another file.
    let file = |path: &PathBuf| fs::metadata(path).expect("a file").ino();
    let (mut midway, mut remaining) = (0, 0);
    // Knuth's MMIX generator, so that every test run kills after the same numbers of documents.
    let mut state: u64 = 1808;
    for _ in 0..kills {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let random = (state >> 33) as usize;
        let last = &paths[random % FILES];
        let before = file(last);
        let mut child = world.start(&arguments);
        // Then the kill comes while documents after `last` are read or written, at a point that varies.
        while file(last) == before && child.try_wait().expect("a child").is_none() {}
        for _ in 0..random / FILES % 50 {
            file(last);
        }
        child.kill().expect("a signal");
        child.wait().expect("an end");
        let (mut done, mut temporary_files) = (0, 0);
        for (name, content) in world.tree("w") {
            if name.starts_with(".absolve-") {
                temporary_files += 1;
                continue;
            }
            assert!(
                content == old || content == new,
                "{name} is neither old nor new: {content:?}"
            );
            done += usize::from(content == new);
        }
        assert!(
            temporary_files <= 64,
            "{temporary_files} temporary files pile up"
        );
        remaining += temporary_files;
        midway += usize::from(done > 0 && done < FILES);
        if done == FILES {
            restore();
        }
    }
    // A complete run rewrites everything and removes temporary files.
    restore();
    world.write("w/.absolve-4294967295-0", "half a doc");
    world.run(&arguments).exits_with(0);
    let tree = world.tree("w");
    assert_eq!(tree.len(), FILES, "temporary files remain");
    assert!(tree.values().all(|content| *content == new));
    assert!(
        midway * 10 > kills,
        "only {midway} of {kills} runs were killed midway"
    );
    support::print_line(&format!(
        "killed {kills} runs over {FILES} files, {midway} midway, {remaining} temporary files left and removed"
    ));
}

#[test]
fn signals_end_a_run_between_two_files() {
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        end_between_two_files(signal, status);
    }
}

/// Returns `command` with default signals: it inherits those that `nohup` or a shell in the background ignores.
fn with_default_signals(command: &Command) -> Command {
    let mut defaults = Command::new("env");
    defaults
        .arg("--default-signal=HUP,INT,TERM")
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(command.get_current_dir().expect("a directory"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    defaults
}

fn end_between_two_files(signal: &str, status: i32) {
    let (world, old, new) = many(3000);
    let command = world.command(&["rewrite", "-i", "w", "--url", URL]);
    let mut child = with_default_signals(&command).spawn().expect("it starts");
    // The run has begun once the first file is rewritten.
    while fs::read(world.path("w/0.html")).expect("a file") == old.as_bytes() {
        let ended = child.try_wait().expect("a child");
        assert_eq!(ended, None, "nothing is rewritten");
    }
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
    child.wait().expect("an end");
    let answer = Answer::new(child.wait_with_output().expect("an end"));
    let answer = answer
        .exits_with(status)
        .stderr_contains("of 3000 files done, the others unchanged; run the command again");
    let tree = world.tree("w");
    let done = tree.values().filter(|content| **content == new).count();
    assert_eq!(tree.len(), 3000, "temporary files remain");
    assert!(
        tree.values()
            .all(|content| *content == old || *content == new)
    );
    assert!(done > 0 && done < 3000, "{done}");
    assert!(
        answer
            .stderr
            .contains(&format!("interrupted: {done} of 3000")),
        "{done}: {answer:?}"
    );
}

/// The terminal shows `^C` at the cursor. After the last column, that began a new line, and the bar remained.
#[test]
fn interrupt_at_a_terminal_leaves_a_message_alone() {
    let (world, _, _) = many(3000);
    let command = format!(
        "stty cols 40 rows 9; env --default-signal=INT {} rewrite -i w --url {URL} --threads 1",
        support::world::binary().display()
    );
    let child = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(world.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        support::missing("the command script, to have a terminal");
        return;
    };
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut output = child.stdout.take().expect("a pipe");
    let mut shown = String::new();
    let mut buffer = [0; 256];
    let mut is_interrupted = false;
    while let Ok(read @ 1..) = output.read(&mut buffer) {
        shown.push_str(&String::from_utf8_lossy(&buffer[..read]));
        if shown.contains("3000 files") && !is_interrupted {
            stdin.write_all(b"\x03").expect("read");
            is_interrupted = true;
        }
    }
    child.wait().expect("an end");
    let (before, after) = shown.split_once("^C").expect(&shown);
    assert!(before.ends_with('\r'), "{shown:?}");
    let (_, message) = after.rsplit_once("\x1b[2K").expect(&shown);
    assert!(message.ends_with(" again to continue\r\n"), "{message:?}");
    assert!(message.contains("\r\n  ") && message.lines().all(|line| line.len() <= 40));
}

#[test]
fn interrupt_ends_an_endless_document_at_once() {
    let (world, pipes) = (World::new(&[]), World::new(&[]));
    let pipe = pipes.path("a.html");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "no pipe");
    let input = pipe.to_string_lossy();
    let command = world.command(&["rewrite", &input, "-o", "o.html", "--url", URL]);
    let mut child = with_default_signals(&command).spawn().expect("it starts");
    // Returns when the command has opened its input, of which there is none yet.
    let writer = fs::OpenOptions::new().write(true).open(&pipe);
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
    // The pipe remains open, so only the signal can end the command.
    let status = child.wait().expect("an end");
    drop(writer.expect("a pipe"));
    assert_eq!(status.signal(), Some(2), "{status}");
    assert!(world.tree("").is_empty());
}

/// A single input may never end, so that its temporary file must be removed before the process ends.
#[test]
fn signals_remove_the_temporary_file_of_an_endless_document() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let world = World::new(&[]);
        let command = world.command(&["rewrite", "-o", "o.html", "--url", URL]);
        let mut child = with_default_signals(&command)
            .stdin(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let head = "<meta charset=utf-8><title>t</title><body>";
        stdin.write_all(head.as_bytes()).expect("read");
        while world.tree("").is_empty() {
            stdin
                .write_all("<p>text ".repeat(1 << 16).as_bytes())
                .expect("read");
        }
        let sent = Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status();
        assert!(sent.expect("kill runs").success());
        let status = child.wait().expect("an end");
        assert_eq!(status.signal(), Some(number), "{status}");
        drop(stdin);
        assert!(
            world.tree("").is_empty(),
            "{signal}: {:?}",
            world.tree("").keys()
        );
    }
}

/// The command `nohup` ignores SIGHUP.
#[test]
fn an_ignored_hangup_is_no_end() {
    let (world, old, _) = many(3000);
    let command = world.command(&["rewrite", "-i", "w", "--url", URL, "-q"]);
    let mut child = Command::new("nohup")
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(command.get_current_dir().expect("a directory"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    while fs::read(world.path("w/0.html")).expect("a file") == old.as_bytes() {
        assert_eq!(child.try_wait().expect("a child"), None);
    }
    let sent = Command::new("kill")
        .args(["-HUP", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
    assert!(child.wait().expect("an end").success());
    assert!(world.tree("w").values().all(|content| *content != old));
}

/// A file that is replaced takes much longer to write than a new one.
#[test]
fn output_that_is_current_is_not_written_again() {
    let world = World::new(&[
        ("w/a.html", "<a href=g>"),
        ("w/b.html", "<p>b"),
        ("w/c.png", "png"),
        ("w/d.png", "other"),
        ("w/e.html", "<a href=h>"),
    ]);
    let names = ["a.html", "b.html", "c.png", "d.png", "e.html"];
    let run = || {
        let answer = world.run(&["rewrite", "w", "-o", "out", "--url", URL]);
        answer.exits_with(0);
    };
    let inode = |name: &str| fs::metadata(world.path(name)).expect(name).ino();
    run();
    let tree = world.tree("out");
    let long_ago = SystemTime::now() - Duration::from_secs(100_000);
    date(&world, "w/b.html", long_ago);
    date(&world, "w/c.png", long_ago);
    date(&world, "out/a.html", long_ago);
    set_mode(&world, "w/a.html", 0o640);
    let before = names.map(|name| inode(&format!("out/{name}")));
    // The content is of the same length, but not the same.
    world.write("out/d.png", "OTHER");
    // A hard link, which would be an input too.
    fs::remove_file(world.path("out/e.html")).expect("a file");
    world.write("w2", "<a href=https://h.example/h>");
    fs::hard_link(world.path("w2"), world.path("out/e.html")).expect("a link");
    run();
    assert_eq!(world.tree("out"), tree);
    let after = names.map(|name| inode(&format!("out/{name}")));
    assert_eq!(before[..3], after[..3]);
    assert_ne!(inode("w2"), after[4]);
    for name in ["out/b.html", "out/c.png"] {
        assert_eq!(
            modified(&world, name),
            modified(&world, "w/b.html"),
            "{name}"
        );
    }
    assert_eq!(mode(&world, "out/a.html"), 0o640);
    assert_eq!(modified(&world, "out/a.html"), modified(&world, "w/b.html"));
}

#[test]
fn sync_writes_the_same_files() {
    let world = World::new(&[("w/a.html", "<a href=g>"), ("w/d/c.png", "png")]);
    for arguments in [&["w", "-o", "out", "--sync"][..], &["w", "-i", "--sync"]] {
        let arguments = [&["rewrite"], arguments, &["--url", URL]].concat();
        world.run(&arguments).exits_with(0);
    }
    assert_eq!(world.tree("out"), world.tree("w"));
    assert_eq!(world.read("w/a.html"), "<a href=https://h.example/g>");
}

#[test]
fn in_place_keeps_attributes_and_access_control_lists() {
    const ACL: &str = "system.posix_acl_access";
    let world = World::new(&[("a.html", "<a href=g>")]);
    let path = world.path("a.html");
    // posix_acl_xattr.h: version 2, then tag, rights and ID of each entry: the owner rw-, user 1 rw-, the group ---,
    // the mask rw-, others ---.
    let entries = [
        (1, 6, u32::MAX),
        (2, 6, 1),
        (4, 0, u32::MAX),
        (0x10, 6, u32::MAX),
        (0x20, 0, u32::MAX),
    ];
    let mut acl = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        acl.extend(u16::to_le_bytes(tag));
        acl.extend(u16::to_le_bytes(rights));
        acl.extend(u32::to_le_bytes(id));
    }
    if xattr::set(&path, "user.origin", b"here").is_err() || xattr::set(&path, ACL, &acl).is_err() {
        support::missing("no extended attributes in the temporary directory");
        return;
    }
    let answer = world.run(&["rewrite", "a.html", "-i", "--url", URL]);
    assert_eq!(answer.exits_with(0).stderr, "");
    assert_eq!(world.read("a.html"), "<a href=https://h.example/g>");
    let attribute = |name: &str| xattr::get(&path, name).expect("attributes");
    assert_eq!(attribute("user.origin").as_deref(), Some(&b"here"[..]));
    assert_eq!(attribute(ACL), Some(acl));
    assert_eq!(mode(&world, "a.html"), 0o660);
}

/// A program with these bits runs in the name of its owner, who may be another one than that of the original.
#[test]
fn set_user_id_set_group_id_and_sticky_bits_are_not_written() {
    let files = ["a.html", "b.html", "program"];
    let world = World::new(&[
        ("w/a.html", "<a href=g>"),
        ("w/b.html", "<p>"),
        ("w/program", "x"),
    ]);
    let is_plain = |folder: &str| {
        for name in files {
            assert_eq!(
                mode(&world, &format!("{folder}/{name}")),
                0o755,
                "{folder}/{name}"
            );
        }
    };
    for name in files {
        set_mode(&world, &format!("w/{name}"), 0o7755);
    }
    let run = ["rewrite", "w", "-o", "o", "--url", URL];
    world.run(&run).exits_with(0);
    is_plain("o");
    // A second run, whose output is there already, does not give them back, and takes away those that are there.
    world.run(&run).exits_with(0);
    is_plain("o");
    for name in files {
        set_mode(&world, &format!("o/{name}"), 0o7755);
    }
    world.run(&run).exits_with(0);
    is_plain("o");
    let run = ["rewrite", "w/a.html", "-i", "--url", URL];
    world.run(&run).exits_with(0);
    assert_eq!(mode(&world, "w/a.html"), 0o755);
}

/// Root gives away a file, and a user who is not in its group rewrites it.
#[test]
fn in_place_reports_a_group_that_is_lost() {
    const NOBODY: u32 = 65_534;
    let world = World::new(&[("w/a.html", "<a href=g>")]);
    let given = std::os::unix::fs::chown(world.path("w/a.html"), Some(NOBODY), Some(0))
        .and_then(|()| std::os::unix::fs::chown(world.path("w"), Some(NOBODY), None));
    set_mode(&world, "", 0o755);
    set_mode(&world, "w/a.html", 0o640);
    let command = world.command(&["rewrite", "w/a.html", "-i", "--url", URL]);
    let output = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(world.root())
        .output();
    let Ok((output, ())) = given.and_then(|()| Ok((output?, ()))) else {
        support::missing("not root, or no command setpriv");
        return;
    };
    let answer = Answer::new(output).exits_with(0);
    assert!(
        answer
            .stderr
            .contains("w/a.html: its group could not be kept"),
        "{answer:?}"
    );
    assert_eq!(
        fs::metadata(world.path("w/a.html")).expect("a file").gid(),
        NOBODY
    );
    assert_eq!(world.read("w/a.html"), "<a href=https://h.example/g>");
}

#[test]
fn temporary_files_are_not_part_of_a_site() {
    let world = World::new(&[
        ("w/a.html", "<a href=g>"),
        ("w/.absolve-4294967295-1", "half"),
        ("out/.absolve-4294967295-2", "half"),
        ("out/d/.absolve-4294967295-3", "half"),
        ("w/d/x", ""),
    ]);
    // The temporary file of a running process is kept.
    let of_running = format!(".absolve-{}-0", std::process::id());
    world.write(&format!("out/{of_running}"), "being written");
    world
        .run(&["rewrite", "w", "-o", "out", "--url", URL])
        .exits_with(0);
    assert_eq!(
        world.tree("out").into_keys().collect::<Vec<_>>(),
        [&*of_running, "a.html", "d/", "d/x"]
    );
    assert!(
        world.path("w/.absolve-4294967295-1").exists(),
        "the input was touched"
    );
}

/// A run in another PID namespace takes the temporary file of this one for a leftover.
#[test]
fn a_run_that_loses_its_temporary_file_reports_an_error() {
    let unshare = |program: &Command| {
        Command::new("unshare")
            .args(["-r", "--pid", "--fork", "--mount-proc"])
            .arg(program.get_program())
            .args(program.get_args())
            .output()
    };
    if !unshare(&Command::new("true")).is_ok_and(|output| output.status.success()) {
        support::missing("unshare -r --pid --mount-proc: runs in two PID namespaces");
        return;
    }
    let world = World::new(&[("w/a.html", "<a href=g>"), ("out/o.html", "old")]);
    let [input, output, file] = ["w", "out", "out/o.html"].map(|name| world.path(name));
    let [input, output, file] = [&input, &output, &file].map(|path| path.to_string_lossy());
    let mut child = world
        .command(&["rewrite", "-o", &file, "--url", URL])
        .stdin(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let head = "<meta charset=utf-8><title>t</title><body>";
    stdin.write_all(head.as_bytes()).expect("read");
    while world.tree("out").len() == 1 {
        let text = "<p>text ".repeat(1 << 16);
        stdin.write_all(text.as_bytes()).expect("read");
    }
    let other = world.command(&["rewrite", &input, "-o", &output, "--url", URL]);
    let other = Answer::new(unshare(&other).expect("it runs"));
    assert_eq!(other.code, Some(0), "{other:?}");
    drop(stdin);
    let lost = Answer::new(child.wait_with_output().expect("an end"));
    lost.exits_with(2).stderr_contains("cannot write");
    let tree = world.tree("out");
    assert_eq!(tree.len(), 2, "{:?}", tree.keys());
    assert_eq!(
        (&*tree["a.html"], &*tree["o.html"]),
        ("<a href=https://h.example/g>", "old")
    );
}

/// Runs the command in a terminal and returns the text shown there.
fn on_a_terminal(world: &World, arguments: &str) -> Option<String> {
    let command = format!("{} {arguments}", support::world::binary().display());
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("TERM", "xterm")
        .current_dir(world.root())
        .output();
    match output {
        Ok(output) if output.status.success() => {
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        _ => {
            support::missing("the command script, to have a terminal");
            None
        }
    }
}

#[test]
fn progress_is_shown_on_a_terminal_only() {
    let (world, ..) = many(1500);
    let Some(shown) = on_a_terminal(&world, "rewrite w -o 1 --url https://h.example/") else {
        return;
    };
    assert!(shown.contains("/1500 files"), "{shown:?}");
    assert!(
        shown.contains("documents: 1500, changed: 1500"),
        "{shown:?}"
    );
    for option in ["--no-progress", "-q"] {
        let arguments = format!("rewrite w -o 2 --url https://h.example/ {option}");
        let shown = on_a_terminal(&world, &arguments).unwrap_or_default();
        assert!(!shown.contains("/1500 files"), "{shown:?}");
    }
    let answer = world
        .run(&["rewrite", "w", "-o", "3", "--url", URL])
        .exits_with(0);
    assert!(!answer.stderr.contains("1500 files,"), "{answer:?}");
}

/// Two names that differ in a byte that is not UTF-8 are different names in every output.
#[test]
#[cfg(not(target_os = "macos"))]
fn names_that_are_not_utf8_remain_different() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let world = World::new(&[]);
    fs::create_dir(world.path("w")).expect("a directory");
    let mut directory = world.path("w");
    for name in [b"a\xe8.html", b"a\xe9.html"] {
        directory.push(OsStr::from_bytes(name));
        fs::write(&directory, "<a href=b>").expect("a file");
        directory.pop();
    }
    let base = ["--url", URL];
    for (arguments, names) in [
        (&["links", "w"][..], ["w/a\\xE8.html", "w/a\\xE9.html"]),
        (
            &["links", "w", "--format", "csv"],
            ["w/a\\xE8.html", "w/a\\xE9.html"],
        ),
        (
            &["links", "w", "--format", "jsonl"],
            ["w/a\\\\xE8.html", "w/a\\\\xE9.html"],
        ),
        (
            &["base", "w", "--format", "json"],
            ["w/a\\\\xE8.html", "w/a\\\\xE9.html"],
        ),
        (
            &["check", "w", "--exit-zero", "--format", "json"],
            ["w/a\\\\xE8.html", "w/a\\\\xE9.html"],
        ),
        (
            &["rewrite", "w", "--diff"],
            ["w/a\\350.html", "w/a\\351.html"],
        ),
    ] {
        let answer = world.run(&[arguments, &base].concat());
        for name in names {
            assert!(
                answer.stdout.contains(name),
                "{arguments:?}: {}",
                answer.stdout
            );
        }
    }
    let listed = world.command(&["rewrite", "w", "--check", "--print0", "--url", URL]);
    let listed = { listed }.output().expect("the command");
    assert_eq!(listed.stdout, b"w/a\xe8.html\0w/a\xe9.html\0");
}

/// A directory that others cannot enter stays one in the output.
#[test]
#[cfg(unix)]
fn directories_have_the_modes_of_those_of_the_input() {
    use std::os::unix::fs::PermissionsExt;

    let world = World::new(&[
        ("in/a/b.html", "<a href=c>"),
        ("in/d/e/f.html", "<a href=g>"),
    ]);
    let mode = |name: &str| {
        fs::metadata(world.path(name))
            .expect("a directory")
            .permissions()
            .mode()
            & 0o7777
    };
    let set = |name: &str, mode| {
        fs::set_permissions(world.path(name), fs::Permissions::from_mode(mode))
            .expect("permissions");
    };
    set("in/a", 0o700);
    set("in/d", 0o2750);
    set("in/d/e", 0o511);
    let arguments = ["rewrite", "in", "-o", "out", "--url", URL];
    world.run(&arguments).exits_with(0);
    assert_eq!(
        (mode("out/a"), mode("out/d"), mode("out/d/e")),
        (0o700, 0o750, 0o711)
    );
    // Those that exist are the user's.
    set("out/a", 0o755);
    world.run(&arguments).exits_with(0);
    assert_eq!(mode("out/a"), 0o755);
}
