//! Which attributes are links, and which only look like it.

mod support;

use absolve::{BaseCandidates, BaseSource, Findings, Judged, Outcome, Rewriter, SkipReason, Tree};

fn findings(html: &str) -> Findings<'static> {
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, "http://retrieval/r/d");
    Rewriter::new().links_of_tree(&Tree::parse(html), &outside)
}

/// A document with one such element, in a place where it is allowed, under a BASE.
fn document(element: &str, attributes: &str) -> String {
    let (name, condition) = match element.split_once('[') {
        Some((name, condition)) => (name, condition.trim_end_matches(']')),
        None => (element, ""),
    };
    let (open, name) = match name.split_once(':') {
        Some(("svg", name)) => ("<svg>", name),
        Some(("math", "math")) => ("", "math"),
        Some(("math", name)) => ("<math>", name),
        _ => ("", name),
    };
    let name = if name == "*" { "mrow" } else { name };
    let base = "<base href=http://embedded/e/d>";
    match name {
        "html" => format!("<html {attributes}>{base}"),
        "head" => format!("<head {attributes}>{base}"),
        "body" => format!("{base}<body {attributes}>"),
        "frame" => format!("{base}<frameset><frame {attributes}>"),
        "thead" | "tbody" | "tfoot" => format!("{base}<body><table><{name} {attributes}>"),
        "tr" => format!("{base}<body><table><tbody><tr {attributes}>"),
        "td" | "th" => format!("{base}<body><table><tbody><tr><{name} {attributes}>"),
        "base" => format!("<base {attributes}>"),
        name => format!("{base}<body>{open}<{name} {condition} {attributes}>"),
    }
}

/// The link of that attribute in a document with such an element.
fn link(element: &str, attribute: &str, value: &str) -> Option<Judged<'static>> {
    let html = document(element, &format!("{attribute}=\"{value}\""));
    let is_it = |judged: &Judged<'_>| {
        judged.link.attribute == attribute && judged.link.reference == value.trim()
    };
    let mut found = findings(&html).links.into_iter().filter(is_it);
    let link = found.next();
    assert!(found.next().is_none(), "found twice: {html}");
    link
}

#[test]
fn every_row_is_a_link() {
    let rows = support::table("fixtures/links/url-rows.tsv");
    for row in &rows {
        let [element, attribute, base_rule, role, empty, fragment] = &row[..] else {
            panic!("{row:?}")
        };
        let base = match &**base_rule {
            "fallback" => "http://retrieval/r/",
            _ => "http://embedded/e/",
        };
        let outcome = |value: &str| {
            let found = link(element, attribute, value);
            let found =
                found.unwrap_or_else(|| panic!("{element}[{attribute}] {value:?} is not found"));
            assert_eq!(found.link.role.name(), role, "{element}[{attribute}]");
            found.outcome
        };
        let resolved = |target: &str| Outcome::Resolved(target.to_owned());
        assert_eq!(
            outcome("g"),
            resolved(&format!("{base}g")),
            "{element}[{attribute}]"
        );
        assert_eq!(
            outcome(" \n g\t"),
            resolved(&format!("{base}g")),
            "{element}[{attribute}]"
        );
        assert_eq!(
            outcome("http://x/y"),
            Outcome::Absolute,
            "{element}[{attribute}]"
        );
        assert_eq!(
            outcome("{{ x }}"),
            Outcome::Skipped(SkipReason::Placeholder),
            "{element}[{attribute}]"
        );
        let expected = match &**empty {
            "base" => resolved(&format!("{base}d")),
            _ => Outcome::Skipped(SkipReason::Empty),
        };
        assert_eq!(outcome(""), expected, "{element}[{attribute}] empty");
        let expected = match &**fragment {
            "local" => Outcome::Skipped(SkipReason::Local),
            _ => resolved(&format!("{base}d#s")),
        };
        assert_eq!(outcome("#s"), expected, "{element}[{attribute}] fragment");
    }
    support::say(&format!(
        "link rows covered: {} of {}",
        rows.len(),
        rows.len()
    ));
}

#[test]
fn no_trap_is_a_link() {
    let rows = support::table("fixtures/links/traps.tsv");
    for row in &rows {
        let (element, attribute) = (&row[0], &row[1]);
        for value in ["g", "#s", "", "http://x/y", "g h"] {
            assert_eq!(
                link(element, attribute, value),
                None,
                "{element}[{attribute}]"
            );
        }
    }
    support::say(&format!("traps covered: {} of {}", rows.len(), rows.len()));
}

#[test]
fn foreign_names_count_in_their_namespace_only() {
    let references = |html: &str| -> Vec<String> {
        findings(html)
            .links
            .into_iter()
            .map(|judged| format!("{}[{}]", judged.link.element, judged.link.attribute))
            .collect()
    };
    assert_eq!(references("<svg><A HREF=x></svg>"), ["svg:a[href]"]);
    assert_eq!(
        references("<svg><LINEARGRADIENT XLINK:HREF=x></svg>"),
        ["svg:linearGradient[xlink:href]"]
    );
    assert_eq!(references("<a xlink:href=x>"), [""; 0]);
    assert_eq!(references("<use href=x>"), [""; 0]);
    assert_eq!(references("<svg><img src=x></svg>"), ["img[src]"]);
    assert_eq!(references("<image src=x>"), ["img[src]"]);
    assert_eq!(
        references("<svg><foreignObject><a href=x></svg>"),
        ["a[href]"]
    );
    assert_eq!(references("<math><mi href=x></math>"), ["math:mi[href]"]);
    assert_eq!(references("<noscript><img src=x></noscript>"), ["img[src]"]);
    assert_eq!(
        references("<template><img src=x><template><a href=x></template></template>"),
        ["img[src]", "a[href]"]
    );
    assert_eq!(
        references(
            "<textarea><img src=x></textarea><!--<img src=x>--><script>'<a href=x>'</script>"
        ),
        [""; 0]
    );
}

#[test]
fn code_resolves_against_codebase() {
    let html = "<base href=http://e/d><applet codebase=c/ code=A.class object=o></applet>\
                <object classid=x codebase='//h/c/' data=y></object><applet code=B.class></applet>";
    let targets: Vec<_> = findings(html)
        .links
        .into_iter()
        .skip(1)
        .map(|judged| match judged.outcome {
            Outcome::Resolved(target) => format!("{} {target}", judged.link.attribute),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        targets,
        [
            "codebase http://e/c/",
            "code http://e/c/A.class",
            "object http://e/c/o",
            "classid http://h/c/x",
            "codebase http://h/c/",
            "data http://e/y",
            "code http://e/B.class",
        ]
    );
}

#[test]
fn an_absolute_codebase_needs_no_base() {
    let tree = Tree::parse("<applet codebase=http://h/k/ code=F></applet>");
    let links = Rewriter::new()
        .links_of_tree(&tree, &BaseCandidates::new())
        .links;
    assert_eq!(
        links[1].outcome,
        Outcome::Resolved("http://h/k/F".to_owned())
    );
}

#[test]
fn without_a_base_relative_references_are_skipped_and_absolute_ones_are_not() {
    let tree = Tree::parse("<a href=g></a><a href=http://x/></a><a href=''></a><img src=''>");
    let links = Rewriter::new()
        .links_of_tree(&tree, &BaseCandidates::new())
        .links;
    let outcomes: Vec<_> = links.into_iter().map(|judged| judged.outcome).collect();
    let skipped = |reason| Outcome::Skipped(reason);
    assert_eq!(
        outcomes,
        [
            skipped(SkipReason::NoBase),
            Outcome::Absolute,
            skipped(SkipReason::NoBase),
            skipped(SkipReason::Empty)
        ]
    );
}
