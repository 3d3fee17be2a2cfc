//! Shell completions, manual pages, and the schema of the configuration file.

use std::io::ErrorKind;
use std::process::Command;

use serde_json::Value;
use support::world::{Answer, World, feed, run};

/// Returns what the command prints.
fn stdout(arguments: &[&str]) -> String {
    run(arguments, "").printed()
}

/// Runs `program` with `text` as its input. Returns `None` if it is not installed.
fn pipe_through(program: &str, arguments: &[&str], text: &str) -> Option<Answer> {
    match feed(Command::new(program).args(arguments), text) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            support::missing(&format!("there is no {program}"));
            None
        }
        answer => Some(answer.expect("the program runs")),
    }
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
            assert_eq!(output.messages(0), "");
        }
    }
    assert!(stdout(&["completions", "powershell"]).contains("max-redirects"));
    run(&["completions", "no-such-shell"], "").messages(2);
}

#[test]
fn completions_work_in_bash() {
    let script = stdout(&["completions", "bash"]);
    let complete = |words: &str| {
        let count = words.split(' ').count();
        let commands = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD={}; _absolve absolve \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[@]}}\"",
            count - 1
        );
        pipe_through("bash", &["--norc", "-s"], &commands)
            .map(|output| output.stdout.trim().to_owned())
    };
    if let Some(replies) = complete("absolve rew") {
        assert_eq!(replies, "rewrite");
        assert_eq!(
            complete("absolve links --max-s").as_deref(),
            Some("--max-size")
        );
        for option in ["--select", "--ignore", "--warn"] {
            let replies = complete(&format!("absolve check {option} missing-t"));
            assert_eq!(replies.as_deref(), Some("missing-target"), "{option}");
        }
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
            &[
                "NAME",
                "SYNOPSIS",
                "absolve-rewrite(1)",
                "EXIT STATUS",
                "EXAMPLES",
                "SEE ALSO",
            ][..],
        ),
        (
            &["man", "rewrite"],
            &[
                "absolve-rewrite",
                "--in-place",
                "--max-size",
                "[default: 100M]",
                "EXAMPLES",
                "EXIT STATUS",
                "after decompression",
                "redirects included",
                "absolve-mirror(1)",
            ],
        ),
        (
            &["man", "links"],
            &["absolve-links", "--format", "--timeout"],
        ),
    ] {
        let page = stdout(arguments);
        if let Some(output) = pipe_through("groff", &["-man", "-Tascii", "-ww", "-P-cbou"], &page) {
            assert_eq!(output.messages(0), "");
            // Only short parts are compared, because groff breaks lines and hyphenates words.
            let shown = output.stdout;
            for part in expected {
                assert!(shown.contains(part), "{part}: {shown}");
            }
        }
    }
    run(&["man", "nothing"], "").messages(2);
}

/// The schema in `docs`, which editors read, is that of the arguments.
#[test]
fn schema_of_the_configuration_is_the_one_in_docs() {
    let printed = stdout(&["schema"]);
    let file = support::root().join("docs/absolve.schema.json");
    if std::env::var_os("ABSOLVE_WRITE").is_some() {
        std::fs::write(&file, &printed).expect("the schema can be written");
    }
    let committed = std::fs::read_to_string(&file).expect("the schema can be read");
    assert_eq!(committed, printed, "run the test with ABSOLVE_WRITE=1");
}

/// The schema allows all that the file may have: each name of a value, and no other.
#[test]
fn configuration_is_read_as_its_schema_says() {
    let schema: Value = serde_json::from_str(&stdout(&["schema"])).expect("JSON");
    let world = World::new(&[]);
    let config = |text: &str| {
        world.write("absolve.toml", text);
        let verb = text.split(['[', ']']).nth(1).expect("a table");
        let input = if verb == "mirror" { &["."][..] } else { &[] };
        let arguments = [&[verb, "--print-config", "--config", "absolve.toml"], input].concat();
        world.run(&arguments)
    };
    let mut names = 0;
    for (verb, table) in schema["properties"].as_object().expect("properties") {
        let Some(own) = table["properties"].as_object() else {
            continue;
        };
        for (key, mut property) in own {
            if let Some(place) = property["$ref"].as_str() {
                property = schema.pointer(&place[1..]).expect("the place exists");
            }
            let value = |value: &Value| format!("[{verb}]\n{key} = {value}\n");
            if property["type"] == "boolean" {
                config(&value(&true.into())).exits_with(0);
                config(&value(&"x".into())).exits_with(2);
            }
            let items = property.pointer("/anyOf/1/items").unwrap_or(property);
            // Names of rules are checked by the verb.
            if let Some(all) = items["enum"].as_array().filter(|_| verb != "check") {
                for name in all {
                    config(&value(name)).exits_with(0);
                    names += 1;
                }
                config(&value(&"no-such-name".into())).exits_with(2);
            }
        }
    }
    assert!(names > 50, "{names}");
}
