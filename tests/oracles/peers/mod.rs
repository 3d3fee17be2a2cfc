//! Test cases of other tools that list or rewrite links, resolve references or determine base URLs.
//!
//! Each case agrees with this crate, or is listed in `fixtures/peers/deviations.tsv` with the passage of the standard
//! that decides.

mod hugo;
mod lxml;
mod lychee;
mod relateurl;
mod w3lib;
mod wget;

use std::collections::BTreeMap;
use std::fs;

use absolve::Document;
use serde_json::Value;

/// Cases in which the peer is right and we are not.
const DEFECTS: &[Defect] = &[];

/// A case in which the peer is right and we are not, until that is fixed.
struct Defect {
    file: &'static str,
    name: &'static str,
    /// Index among the cases of that name, from one.
    nth: usize,
    /// Our result, as JSON.
    ours: &'static str,
    /// The passage of the standard that we violate.
    passage: &'static str,
}

/// Our result for a case, and whether the peer's agrees with it.
struct Compared {
    ours: Value,
    agrees: bool,
}

impl Compared {
    fn new(ours: impl Into<Value>, theirs: impl Into<Value>) -> Self {
        let ours = ours.into();
        let agrees = ours == theirs.into();
        Self { ours, agrees }
    }
}

/// A case that does not agree.
enum Listed {
    /// Our result, as JSON.
    Deviates(String),
    AboutSomethingElse,
}

#[test]
fn hugo_agrees() {
    check("hugo.jsonl", hugo::compare);
}

#[test]
fn lxml_agrees() {
    check("lxml.jsonl", lxml::compare);
}

#[test]
fn lychee_agrees() {
    check("lychee.jsonl", lychee::compare);
}

#[test]
fn relateurl_agrees() {
    check("relateurl.jsonl", relateurl::compare);
}

#[test]
fn w3lib_agrees() {
    check("w3lib.jsonl", w3lib::compare);
}

#[test]
fn wget_agrees() {
    check("wget.jsonl", wget::compare);
}

fn check(file: &str, compare: fn(&Value) -> Compared) {
    let Some(path) = support::corpora(&format!("peers/{file}")) else {
        return;
    };
    let mut listed = listed(file);
    let mut seen = BTreeMap::<String, usize>::new();
    let (mut agreeing, mut deviating, mut others, mut wrong) = (0, 0, 0, Vec::new());
    for line in fs::read_to_string(path).expect("the corpus").lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let name = text(&row, "name").to_owned();
        let nth = seen.entry(name.clone()).or_default();
        *nth += 1;
        let expected = match listed.remove(&(name.clone(), *nth)) {
            Some(Listed::AboutSomethingElse) => {
                others += 1;
                continue;
            }
            Some(Listed::Deviates(ours)) => Some(ours),
            None => None,
        };
        let Compared { ours, agrees } = compare(&row);
        let ours = ours.to_string();
        match expected {
            None if agrees => agreeing += 1,
            None => wrong.push(format!("not listed: {file}\t{name}\t{nth}\t{ours}")),
            Some(_) if agrees => wrong.push(format!("agrees now: {file}\t{name}\t{nth}")),
            Some(expected) if expected == ours => deviating += 1,
            Some(expected) => wrong.push(format!(
                "not as listed: {file}\t{name}\t{nth}\n  listed: {expected}\n  found:  {ours}"
            )),
        }
    }
    for (name, nth) in listed.keys() {
        wrong.push(format!("not in the corpus: {file}\t{name}\t{nth}"));
    }
    let total: usize = seen.values().sum();
    let defects = DEFECTS.iter().filter(|defect| defect.file == file);
    deviating -= defects.clone().count();
    support::print_line(&format!(
        "peers/{file}: {agreeing} of {total} agree, {deviating} deviate, {others} are about something else"
    ));
    for Defect { name, passage, .. } in defects {
        support::print_line(&format!(
            "peers/{file}: a defect of ours: {name}: {passage}"
        ));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the listed cases of a file, by their name and their index among the cases of that name.
fn listed(file: &str) -> BTreeMap<(String, usize), Listed> {
    let defects = DEFECTS.iter().filter(|defect| defect.file == file);
    let mut listed: BTreeMap<_, _> = defects
        .map(|defect| {
            let key = (defect.name.to_owned(), defect.nth);
            (key, Listed::Deviates(defect.ours.to_owned()))
        })
        .collect();
    for row in support::table("fixtures/peers/deviations.tsv") {
        let [of_file, name, nth, kind, ours, reason] = &row[..] else {
            panic!("{row:?}")
        };
        assert!(!reason.is_empty(), "{name}: no reason");
        if of_file != file {
            continue;
        }
        let row = match &**kind {
            "deviates" => Listed::Deviates(ours.clone()),
            "other" => Listed::AboutSomethingElse,
            kind => panic!("{name}: no kind {kind}"),
        };
        let nth = nth.parse().expect("a number");
        let twice = listed.insert((name.clone(), nth), row);
        assert!(twice.is_none(), "{name}, {nth}: listed twice");
    }
    listed
}

/// Returns the text of a field of a row.
fn text<'r>(row: &'r Value, field: &str) -> &'r str {
    let value = row[field].as_str();
    value.unwrap_or_else(|| panic!("{field} is no text: {row}"))
}

/// Returns the references of a document, in document order.
fn references(document: &Document<'_>) -> Vec<String> {
    let links = support::recording().links(document).links.into_iter();
    links
        .map(|link_report| link_report.link.reference.into())
        .collect()
}
