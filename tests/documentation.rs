//! Shell completions and manual pages.

mod support;

use std::io::{ErrorKind, Write};
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_absolve"))
        .args(arguments)
        .output()
        .expect("the command runs")
}

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs `program` with `text` as its input. Prints a line and returns `None` if it is not installed.
fn pipe_through(program: &str, arguments: &[&str], text: &str) -> Option<Output> {
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            support::missing(&format!("there is no {program}"));
            return None;
        }
        child => child.expect("the program starts"),
    };
    let mut stdin = child.stdin.take().expect("piped");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("no panic").expect("all is read");
    Some(output)
}

#[test]
fn completions_are_valid_scripts() {
    for (shell, program, options) in [
        ("bash", "bash", &["-n"][..]),
        ("zsh", "zsh", &["-n"]),
        ("fish", "fish", &["--no-execute"]),
    ] {
        let script = stdout(&["completions", shell]);
        assert!(script.contains("max-redirects"), "{script}");
        if let Some(output) = pipe_through(program, options, &script) {
            assert!(
                output.status.success() && output.stderr.is_empty(),
                "{output:?}"
            );
        }
    }
    assert!(stdout(&["completions", "powershell"]).contains("max-redirects"));
    assert_eq!(
        run(&["completions", "no-such-shell"]).status.code(),
        Some(2)
    );
}

#[test]
fn completions_work_in_bash() {
    let script = stdout(&["completions", "bash"]);
    let complete = |words: &str| {
        let count = words.split(' ').count();
        let commands = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD={}; _absolve absolve \"${{COMP_WORDS[-1]}}\" x; echo \"${{COMPREPLY[@]}}\"",
            count - 1
        );
        pipe_through("bash", &["--norc", "-s"], &commands)
            .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if let Some(replies) = complete("absolve rew") {
        assert_eq!(replies, "rewrite");
        assert_eq!(
            complete("absolve links --max-s").as_deref(),
            Some("--max-size")
        );
    }
}

#[test]
fn manual_pages_are_accepted_by_man() {
    let page = stdout(&["man"]);
    assert!(page.contains(".TH absolve 1"), "{page}");
    assert!(page.contains("absolve\\-rewrite(1)"), "{page}");
    for (arguments, expected) in [
        (
            &["man"][..],
            &["NAME", "SYNOPSIS", "absolve-rewrite(1)", "Exit status"][..],
        ),
        (
            &["man", "rewrite"],
            &[
                "absolve-rewrite",
                "--in-place",
                "--max-size",
                "[default: 100M]",
            ],
        ),
        (
            &["man", "links"],
            &["absolve-links", "--format", "--timeout"],
        ),
    ] {
        let page = stdout(arguments);
        if let Some(output) = pipe_through("groff", &["-man", "-Tascii", "-ww", "-P-cbou"], &page) {
            assert!(
                output.status.success() && output.stderr.is_empty(),
                "{output:?}"
            );
            // Only short parts are compared, because groff breaks lines and hyphenates words.
            let shown = String::from_utf8_lossy(&output.stdout).into_owned();
            for part in expected {
                assert!(shown.contains(part), "{part}: {shown}");
            }
        }
    }
    assert_eq!(run(&["man", "nothing"]).status.code(), Some(2));
}
