//! The link table against every row of `fixtures/links/rows.tsv`: links, and traps that only look like links.

use std::collections::BTreeSet;
use std::fs;

use absolve::tree::Tree;
use absolve::{
    BaseCandidates, BaseSource, Document, Outcome, Preset, Profile, Report, Rewriter, SkipReason,
};
use support::row::{Row, Spelling};

const RETRIEVAL: &str = "http://retrieval/r/d";

fn rows() -> Vec<Row> {
    let table = support::table("fixtures/links/rows.tsv");
    table.into_iter().map(Row::new).collect()
}

#[test]
fn link_table_finds_every_row_and_no_trap() {
    let rows = rows();
    // A value with grammar `html` is markup; the links in it are reported by their own row.
    let link_in_markup = rows
        .iter()
        .find(|row| row.name() == "a[href]")
        .expect("a row for a[href]");
    let (mut links, mut traps, mut others) = (0, 0, 0);
    let (mut missed, mut touched) = (Vec::new(), Vec::new());
    for row in &rows {
        match &*row.scope {
            "html" | "css" => {
                links += 1;
                missed.extend(check_link(row, &Reported::new(row, link_in_markup)).err());
            }
            "trap" => {
                traps += 1;
                touched.extend(check_trap(row).err());
            }
            "xml" | "feed" => {
                links += 1;
                missed.extend(check_xml_link(row, link_in_markup).err());
            }
            "header" => others += 1,
            scope => panic!("{}: no scope {scope}", row.name()),
        }
    }
    support::print_line(&format!(
        "link rows covered: {} of {links}; traps covered: {} of {traps}; rows of other formats: {others}",
        links - missed.len(),
        traps - touched.len(),
    ));
    let failures = [missed, touched].concat();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(links > 200 && traps > 40, "rows are missing");
}

#[test]
fn rows_match_the_survey_of_link_attributes() {
    let path = support::root().join("../shared/spec/link-attributes.csv");
    if !path.exists() {
        support::missing("the table that the rows were put together from is not here");
        return;
    }
    // Splitting at commas is enough: the first two fields contain neither commas nor quotes.
    let text = fs::read_to_string(path).expect("a readable table");
    let listed: Vec<String> = text
        .lines()
        .skip(1)
        .map(|line| {
            let mut fields = line.split(',');
            let mut field = || fields.next().unwrap_or_default();
            format!("{}[{}]", field(), field())
        })
        .collect();
    let rows: Vec<String> = rows().iter().map(Row::name).collect();
    let difference = |a: &[String], b: &[String]| -> Vec<String> {
        let b: BTreeSet<_> = b.iter().collect();
        let only_in_a = a.iter().filter(|name| !b.contains(name));
        only_in_a.cloned().collect()
    };
    assert_eq!(difference(&listed, &rows), [""; 0], "no row for these");
    assert_eq!(difference(&rows, &listed), [""; 0], "not in the link table");
    assert_eq!(rows.len(), listed.len(), "a row is there twice");
}

/// The expected report of a link.
struct Reported<'r> {
    element: &'r str,
    attribute: &'r str,
    grammar: &'r str,
    role: &'r str,
    empty: &'r str,
    fragment: &'r str,
}

impl<'r> Reported<'r> {
    fn new(row: &'r Row, link_in_markup: &'r Row) -> Self {
        let reported_row = match &*row.grammar {
            "html" => link_in_markup,
            _ => row,
        };
        let reported = Self {
            element: reported_row.element_in_document(),
            attribute: &reported_row.attribute,
            grammar: &reported_row.grammar,
            role: &reported_row.role,
            empty: &reported_row.empty,
            fragment: &reported_row.fragment,
        };
        if row.scope != "css" {
            return reported;
        }
        Self {
            element: "css",
            attribute: match &*row.attribute {
                "string" => row.element.trim_start_matches("css:"),
                function => function,
            },
            grammar: "css",
            ..reported
        }
    }

    fn line(&self, reference: &str, outcome: &Outcome) -> String {
        line(
            &format!("{}[{}]", self.element, self.attribute),
            &format!("{} {}", self.grammar, self.role),
            reference,
            outcome,
        )
    }
}

fn line(location: &str, kind: &str, reference: &str, outcome: &Outcome) -> String {
    let outcome = match outcome {
        Outcome::Resolved(target) => target,
        Outcome::Absolute => "absolute",
        Outcome::Skipped(reason) => reason.name(),
    };
    format!("{location} {kind} {reference:?} {outcome}")
}

/// Formats the links found, without the BASE that every document has.
fn lines(row: &Row, report: &Report<'_>) -> Vec<String> {
    let links = report.links.iter();
    links
        .filter(|link_report| &*link_report.link.element != "base" || row.element == "base")
        .map(|link_report| {
            let link = &link_report.link;
            line(
                &format!("{}[{}]", link.element, link.attribute),
                &format!("{} {}", link.grammar.name(), link.role.name()),
                &link.reference,
                &link_report.outcome,
            )
        })
        .collect()
}

/// A reference in a document and its outcome, or `None` if it is not a link.
struct Case<'r> {
    reference: &'r str,
    spelling: Spelling,
    outcome: Option<Outcome>,
}

fn check_link(row: &Row, reported: &Reported<'_>) -> Result<(), String> {
    let base = match &*row.base {
        "document" | "codebase" => "http://embedded/e/",
        "fallback" | "stylesheet" => "http://retrieval/r/",
        base => panic!("{}: no base {base}", row.name()),
    };
    let resolved = |reference: &str| Some(Outcome::Resolved(format!("{base}{reference}")));
    let skipped = |reason| Some(Outcome::Skipped(reason));
    let is_import_map = row.grammar == "json-importmap";
    let (before, after) = row.neighbours();
    let fragment = match reported.fragment {
        // In an import map it is a bare specifier, which is not a reference.
        _ if is_import_map => None,
        "local" => skipped(SkipReason::Local),
        "resolve" => resolved("d#s"),
        other => panic!("{}: no fragment {other}", row.name()),
    };
    let empty = match reported.empty {
        _ if is_import_map => None,
        // An item of a list cannot be empty.
        _ if !before.is_empty() || !after.is_empty() => None,
        "base" => resolved("d"),
        "keep" => skipped(SkipReason::Empty),
        other => panic!("{}: no empty {other}", row.name()),
    };
    let relative = if is_import_map { "./g" } else { "g" };
    let case = |reference, spelling, outcome| {
        let case = Case {
            reference,
            spelling,
            outcome,
        };
        check_case(row, reported, &case)
    };
    case("http://x/y", Spelling::Plain, Some(Outcome::Absolute))?;
    case(relative, Spelling::Plain, resolved("g"))?;
    case("#s", Spelling::Plain, fragment)?;
    case("", Spelling::Plain, empty)?;
    case(relative, Spelling::Spaced, resolved("g"))?;
    case(relative, Spelling::UpperCase, resolved("g"))?;
    if row.grammar == "url" && row.scope == "html" {
        case("{{ x }}", Spelling::Plain, skipped(SkipReason::Placeholder))?;
    }
    if row.preset != "html" {
        let text = row.document(relative, Spelling::Plain);
        let found = lines(
            row,
            &support::recording().links(&document(row, text.as_bytes())),
        );
        same("without its preset", &text, &found, &[])?;
    }
    Ok(())
}

fn check_case(row: &Row, reported: &Reported<'_>, case: &Case<'_>) -> Result<(), String> {
    let (before, after) = row.neighbours();
    let expected = |reference: &str, outcome: Option<&Outcome>| -> Vec<String> {
        let absolute = |neighbour: &&str| reported.line(neighbour, &Outcome::Absolute);
        let link = outcome.map(|outcome| reported.line(reference, outcome));
        let before = before.iter().map(absolute);
        before
            .chain(link)
            .chain(after.iter().map(absolute))
            .collect()
    };
    let text = row.document(case.reference, case.spelling);
    let rewriter = with_preset(row);
    let rewritten = rewriter.rewrite(&document(row, text.as_bytes()));
    let found = lines(row, &rewritten.report);
    let outcome = case.outcome.as_ref();
    same("links", &text, &found, &expected(case.reference, outcome))?;
    if row.scope == "html" {
        let outside = BaseCandidates::new().with(BaseSource::Retrieval, RETRIEVAL);
        let of_tree = absolve::tree::rewrite(&rewriter, &Tree::parse(&text), &outside, |_| {
            absolve::Decision::Keep
        });
        same("links of the tree", &text, &lines(row, &of_tree), &found)?;
    }
    if let Some(Outcome::Resolved(target)) = outcome {
        let again = rewriter.links(&document(row, &rewritten.bytes));
        let expected = expected(target, Some(&Outcome::Absolute));
        same("rewritten", &text, &lines(row, &again), &expected)
    } else {
        unchanged(&text, &rewritten.bytes)
    }
}

fn check_trap(row: &Row) -> Result<(), String> {
    let all = Preset::ALL
        .iter()
        .copied()
        .fold(support::recording(), Rewriter::preset);
    for rewriter in [support::recording(), all] {
        for value in ["g", "#s", "", "http://x/y"] {
            let text = row.document(value, Spelling::Plain);
            let rewritten = rewriter.rewrite(&document(row, text.as_bytes()));
            same("trap", &text, &lines(row, &rewritten.report), &[])?;
            unchanged(&text, &rewritten.bytes)?;
        }
    }
    Ok(())
}

/// Checks a link of an XML document. Such a row says nothing about empty and fragment-only references.
fn check_xml_link(row: &Row, link_in_markup: &Row) -> Result<(), String> {
    // A sitemap must have full URLs; others are resolved against the URL of the document, as by the readers of sitemaps.
    let base = match &*row.base {
        "xml:base" => "http://embedded/e/",
        "document" | "none" => "http://retrieval/r/",
        base => panic!("{}: no base {base}", row.name()),
    };
    let reported_row = match &*row.grammar {
        "html" => link_in_markup,
        _ => row,
    };
    for (reference, outcome) in [
        ("http://x/y", Outcome::Absolute),
        ("g", Outcome::Resolved(format!("{base}g"))),
        ("?a=1", Outcome::Resolved(format!("{base}d?a=1"))),
    ] {
        let text = row.xml_document(reference);
        let document = Document::xml(text.as_bytes()).retrieved_from(RETRIEVAL);
        // Profile of the URIs that XML documents refer to.
        let rewriter = support::recording().profile(Profile::Rfc3986);
        let rewritten = rewriter.rewrite(&document);
        let kind = format!("{} {}", reported_row.grammar, reported_row.role);
        let expected = |reference: &str, outcome: &Outcome| {
            vec![line(&reported_row.name(), &kind, reference, outcome)]
        };
        let found = |report: &Report<'_>| -> Vec<String> {
            let mut found = lines(row, report);
            found.retain(|line| !line.contains("[xml:base]"));
            found
        };
        same(
            "links",
            &text,
            &found(&rewritten.report),
            &expected(reference, &outcome),
        )?;
        if let Outcome::Resolved(target) = &outcome {
            let again = rewriter.links(&Document::xml(&rewritten.bytes));
            same(
                "rewritten",
                &text,
                &found(&again),
                &expected(target, &Outcome::Absolute),
            )?;
        } else {
            unchanged(&text, &rewritten.bytes)?;
        }
    }
    Ok(())
}

fn document<'d>(row: &Row, bytes: &'d [u8]) -> Document<'d> {
    let document = if row.is_css() {
        Document::style_sheet(bytes)
    } else {
        Document::new(bytes)
    };
    document.retrieved_from(RETRIEVAL)
}

fn with_preset(row: &Row) -> Rewriter {
    let preset = row.preset.parse().expect("the name of a preset");
    support::recording().preset(preset)
}

fn same(what: &str, text: &str, found: &[String], expected: &[String]) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "{what}: {text:?}\n  expected: {expected:?}\n  found:    {found:?}"
    ))
}

fn unchanged(text: &str, bytes: &[u8]) -> Result<(), String> {
    if bytes == text.as_bytes() {
        return Ok(());
    }
    let found = String::from_utf8_lossy(bytes);
    Err(format!("changed: {text:?}\n  found:    {found:?}"))
}
