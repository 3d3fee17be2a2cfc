//! Reports as one HTML file, for `--format html`: a summary, bars, and a table with filters.
//!
//! The file contains its style, its script and its data, and needs no network. The data are JSON in a `script` element
//! that is not run; the script shows them as text, never as markup.

use std::env;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use absolve::Profile;
use absolve::resolution::{Authority, Reference};
use serde::Serialize;

/// The parts of the file: the text up to the style, up to the script, up to the data, and after them.
const PARTS: [&str; 4] = [
    concat!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ",
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n",
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>absolve report</title>\n<style>\n",
    ),
    concat!(
        "</style>\n</head>\n<body>\n",
        "<header><h1></h1><p id=\"summary\"></p><p id=\"run\"></p></header>\n<main>\n",
        "<section aria-labelledby=\"bars-title\"><h2 id=\"bars-title\"></h2><ul id=\"bars\"></ul></section>\n",
        "<section aria-labelledby=\"rows-title\"><h2 id=\"rows-title\"></h2>\n",
        "<form id=\"filters\" aria-label=\"Filters\">",
        "<label id=\"kind-label\"> <select id=\"kind\"></select></label>",
        "<label>Host <select id=\"host\"></select></label>",
        "<label>Search <input id=\"search\" type=\"search\" autocomplete=\"off\"></label></form>\n",
        "<p id=\"status\" role=\"status\"></p>\n<div id=\"rows\"></div>\n",
        "<p><button type=\"button\" id=\"more\">Show more</button></p></section>\n</main>\n",
        "<script type=\"application/json\" id=\"data\">",
    ),
    "</script>\n<script>\n",
    "</script>\n</body>\n</html>\n",
];

/// The style that the reports share with the page of the npm package, and their own.
const STYLE: &str = concat!(include_str!("base.css"), include_str!("report.css"));
const SCRIPT: &str = include_str!("report.js");

/// A named number: a bar of the summary.
#[derive(Serialize)]
pub(crate) struct Bar {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) count: usize,
}

/// The data with what is known about the run.
#[derive(Serialize)]
struct DataOfRun<D> {
    #[serde(flatten)]
    data: D,
    version: &'static str,
    /// In seconds since 1970.
    time: u64,
    arguments: Vec<String>,
}

/// Returns the arguments of the program without the values of `--header`, which may be secret: reports are passed on.
fn arguments() -> Vec<String> {
    let mut is_secret = false;
    let argument = |argument: std::ffi::OsString| {
        let argument = argument.to_string_lossy();
        let shown = match argument.split_once('=') {
            _ if is_secret => "…".to_owned(),
            Some((name @ "--header", _)) => format!("{name}=…"),
            _ => argument.clone().into_owned(),
        };
        is_secret = argument == "--header";
        shown
    };
    env::args_os().skip(1).map(argument).collect()
}

/// Returns the file for `data`, whose members `report.js` documents.
pub(crate) fn page(data: &impl Serialize) -> io::Result<Vec<u8>> {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    let json = serde_json::to_string(&DataOfRun {
        data,
        version: env!("CARGO_PKG_VERSION"),
        time: time.unwrap_or_default().as_secs(),
        arguments: arguments(),
    })?;
    // JSON has `<` in strings only. With its escape, no text ends the element or begins a comment.
    let json = json.replace('<', "\\u003c");
    let [head, body, script, end] = PARTS;
    let page = [head, STYLE, body, &json, script, SCRIPT, end];
    Ok(page.concat().into_bytes())
}

/// Returns the host of a URL or scheme-relative reference, or an empty string.
pub(crate) fn host(reference: &str) -> &str {
    let authority = Reference::split(reference, Profile::Rfc3986).authority;
    Authority::split(authority.unwrap_or_default()).host_and_port
}
