//! The command line: output, messages, exit codes and files of every verb.

use support::world;

mod base;
mod errors;
mod in_place;
mod links;
mod resolve;
mod rewrite;
mod xml;

#[test]
fn limits_are_set_and_reported() {
    let run = |limit: &str, input: &str| {
        world::run(&["links", "--url", "http://h/", "--limit", limit], input)
    };
    run("links=1", "<a ping='a b c d e f'>")
        .exits_with(2)
        .stderr_contains(
            "standard input: left unchanged: too many links for the length of the document; raise",
        )
        .stderr_contains("--limit links=NUMBER");
    run("links=1k", "<a href=a><a href=b><a href=c>").exits_with(0);
    run("link=2", "")
        .exits_with(2)
        .stderr_contains("unknown limit link; use base-length, links, value-links, growth, attributes, parser-steps, findings, decoded-size, decoded-ratio, record-size");
    run("links", "")
        .exits_with(2)
        .stderr_contains("expected NAME=NUMBER");
    run("links=x", "")
        .exits_with(2)
        .stderr_contains("expected a number after links=");
}
