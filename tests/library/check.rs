//! The rules of `check`: each one fires on its fixture, and none fires on correct text.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use absolve::check::{Finding, Rule};
use absolve::{Document, Profile, Rewriter, Span};
use absolve_site::SiteTargets;
use proptest::prelude::*;
use support::documents;

fn folder(rule: Rule) -> PathBuf {
    let fixtures = support::root().join("fixtures/check");
    fixtures.join(rule.name())
}

/// Returns the `case.toml` of a rule.
fn settings(rule: Rule) -> toml::Table {
    let path = folder(rule).join("case.toml");
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse()
        .unwrap_or_else(|error| panic!("{rule}: {error}"))
}

/// Returns the files of the site in the settings of a rule.
fn site(settings: &toml::Table) -> Option<SiteTargets> {
    let url = settings.get("site")?.as_str()?;
    let files = settings.get("files")?.as_table()?;
    let mut targets = SiteTargets::new(url, files.keys());
    for (path, content) in files {
        let content = content.as_str().expect("text");
        if path.split('.').next_back() == Some("html") {
            let fragments = SiteTargets::fragments_of(&Document::new(content.as_bytes()));
            targets.add_fragments(path, fragments);
        } else if path == "_redirects" {
            targets.add_redirects(content);
        } else if let Some(directory) = path.strip_suffix(".htaccess") {
            targets.add_htaccess(directory, content);
        }
    }
    Some(targets)
}

fn findings(rule: Rule, name: &str) -> (Vec<u8>, Vec<Finding>) {
    let settings = settings(rule);
    let xml = folder(rule).join(name).with_extension("xml");
    let is_xml = xml.exists();
    let path = if is_xml { xml } else { folder(rule).join(name) };
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{rule}: {error}"));
    let url = settings.get("url").and_then(toml::Value::as_str);
    let document = if is_xml {
        Document::xml(&bytes)
    } else {
        Document::new(&bytes)
    };
    let document = match url {
        Some(url) => document.retrieved_from(url),
        None => document,
    };
    let rewriter = Rewriter::new();
    let findings = match site(&settings) {
        Some(targets) => targets.check(&rewriter, &document).report,
        None => rewriter.check(&document, |_| None),
    };
    let findings = findings.findings;
    (bytes, findings)
}

/// Returns line, column and text of a span, computed independently of the library.
fn position(bytes: &[u8], span: Span) -> (i64, i64, String) {
    let text = |start, end| String::from_utf8_lossy(&bytes[start..end]).into_owned();
    let before = text(0, span.start);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let number = |number| i64::try_from(number).expect("a small document");
    (number(line), number(column), text(span.start, span.end))
}

#[test]
fn rules_fire_on_their_fixtures() {
    for rule in Rule::ALL {
        let settings = settings(rule);
        let list = |key: &str| settings.get(key).and_then(toml::Value::as_array).cloned();
        let expected: Vec<(i64, i64, String)> = list("finding")
            .unwrap_or_default()
            .iter()
            .map(|finding| {
                let number = |key: &str| finding.get(key).and_then(toml::Value::as_integer);
                let text = finding.get("text").and_then(toml::Value::as_str);
                (
                    number("line").expect("a line"),
                    number("column").expect("a column"),
                    text.expect("a text").to_owned(),
                )
            })
            .collect();
        assert!(!expected.is_empty(), "{rule}: case.toml has no finding");
        let also: Vec<String> = list("also")
            .unwrap_or_default()
            .iter()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect();
        let (bytes, found) = findings(rule, "fires.html");
        let of_rule: Vec<_> = found
            .iter()
            .filter(|finding| finding.rule == rule)
            .map(|finding| position(&bytes, finding.span.expect("a span")))
            .collect();
        assert_eq!(of_rule, expected, "{rule}: {found:#?}");
        for finding in &found {
            let name = finding.rule.name();
            assert!(
                finding.rule == rule || also.iter().any(|also| also == name),
                "{rule}: {name} fires as well: {finding:?}"
            );
        }
    }
}

#[test]
fn rules_do_not_fire_on_correct_text() {
    for rule in Rule::ALL {
        let (_, found) = findings(rule, "quiet.html");
        assert!(found.is_empty(), "{rule}: {found:#?}");
    }
}

#[test]
fn examples_fire_until_corrected() {
    for rule in Rule::ALL {
        let (before, after) = rule.example();
        let fires = |example: &str| {
            let url = match rule {
                Rule::NoBase => None,
                Rule::NetworkPathInFile => Some("file:///home/me/page.html"),
                _ => Some("https://example.org/docs/page.html"),
            };
            let document = if example.contains("xmlns") {
                Document::xml(example.as_bytes())
            } else {
                Document::new(example.as_bytes())
            };
            let document = match url {
                Some(url) => document.retrieved_from(url),
                None => document,
            };
            let page = "docs/page.html";
            let mut targets = SiteTargets::new("https://example.org/", [page, "docs/about.html"]);
            targets.add_fragments(page, SiteTargets::fragments_of(&document));
            let checked = match rule {
                Rule::MissingTarget | Rule::MissingFragment => {
                    targets.check(&Rewriter::new(), &document).report
                }
                _ => Rewriter::new().check(&document, |_| None),
            };
            checked.findings.iter().any(|finding| finding.rule == rule)
        };
        assert!(fires(before), "{rule}: {before}");
        assert!(!fires(after), "{rule}: {after}");
        assert_ne!(before, after, "{rule}");
    }
}

/// Each suggestion replaces the reference: typed in its place, it leads to the file.
#[test]
fn suggestions_have_the_form_of_the_reference() {
    let files = [
        "a/p.html",
        "b/faq.html",
        "b/a b?.html",
        "a/c:d.html",
        "b/index.html",
    ];
    // Columns: reference, suggestion; `None` if there is none.
    for (reference, expected) in [
        ("../B/Faq.html", Some("../b/faq.html")),
        ("../B/Faq.html?q#top", Some("../b/faq.html?q#top")),
        ("../b/faq", Some("../b/faq.html")),
        ("../b/faq.html/", Some("../b/faq.html")),
        ("../b/fqa.html", Some("../b/faq.html")),
        ("/docs/B/faq.html", Some("/docs/b/faq.html")),
        (
            "//example.org/docs/b/Faq.html",
            Some("//example.org/docs/b/faq.html"),
        ),
        (
            "HTTPS://example.org/docs/b/Faq.html",
            Some("HTTPS://example.org/docs/b/faq.html"),
        ),
        ("../b/A%20b%3f.html", Some("../b/a%20b%3F.html")),
        ("C:D.html", None),
        ("./C:d.html", Some("./c:d.html")),
        ("../nothing/like.it", None),
    ] {
        let targets = SiteTargets::new("https://example.org/docs/", files);
        let suggestion = |reference: &str| {
            let html = format!("<a href='{reference}'>");
            let document = Document::new(html.as_bytes());
            let document = document.retrieved_from("https://example.org/docs/a/p.html");
            let findings = targets.check(&Rewriter::new(), &document).report.findings;
            let mut missing = findings
                .iter()
                .filter(|finding| finding.rule == Rule::MissingTarget);
            let help = missing.next().map(|finding| finding.help.clone());
            let written = help.as_deref().and_then(|help| help.split('"').nth(1));
            (help.is_some(), written.map(str::to_owned))
        };
        let (_, written) = suggestion(reference);
        assert_eq!(written.as_deref(), expected, "{reference}");
        if let Some(written) = written {
            assert_eq!(
                suggestion(&written),
                (false, None),
                "{reference}: {written}"
            );
        }
    }
}

#[test]
fn a_link_without_the_path_of_the_site_has_a_correction() {
    let files = ["index.html", "css/x.css", "docs/index.html"];
    let targets = SiteTargets::new("https://example.org/blog/", files);
    for (reference, expected, outside) in [
        ("/css/x.css?v=1", Some("/blog/css/x.css?v=1"), 0),
        ("../css/x.css", Some("css/x.css"), 0),
        (
            "//example.org/css/x.css",
            Some("//example.org/blog/css/x.css"),
            0,
        ),
        ("/blog/css/x.css", None, 0),
        // The host may have these, too.
        ("/", None, 1),
        ("/index.html", None, 1),
        ("/docs/", None, 1),
        ("/other.css", None, 1),
        ("//other.example/css/x.css", None, 0),
    ] {
        let html = format!("<a href='{reference}'>");
        let document = Document::new(html.as_bytes());
        let document = document.retrieved_from("https://example.org/blog/index.html");
        let found = targets.check(&Rewriter::new(), &document);
        assert_eq!(found.outside, outside, "{reference}");
        let findings = found.report.findings.iter();
        let missing = findings.filter(|finding| finding.rule == Rule::MissingTarget);
        let help: Vec<&str> = missing.map(|finding| &*finding.help).collect();
        let expected = expected
            .map(|written| format!("the site is published below \"/blog/\": write {written:?}"));
        assert_eq!(help, Vec::from_iter(expected.as_deref()), "{reference}");
    }
}

#[test]
fn targets_are_http_urls_of_any_user() {
    let targets = SiteTargets::new("https://example.org/", ["index.html"]);
    for (reference, expected) in [
        ("https://example.org/gone", 1),
        ("https://me@example.org/gone", 1),
        ("https://me@example.org/", 0),
        ("http+unix://example.org/gone", 0),
        ("httpx://example.org/gone", 0),
    ] {
        let html = format!("<a href='{reference}'>");
        let document = Document::new(html.as_bytes()).retrieved_from("https://example.org/");
        let findings = targets.check(&Rewriter::new(), &document).report.findings;
        let missing = findings.iter();
        let missing = missing.filter(|finding| finding.rule == Rule::MissingTarget);
        assert_eq!(missing.count(), expected, "{reference}");
    }
}

#[test]
fn names_are_distinct_and_parse() {
    let names: HashSet<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    assert_eq!(names.len(), Rule::ALL.len());
    for rule in Rule::ALL {
        assert_eq!(rule.name().parse(), Ok(rule));
        let is_kebab = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(rule.name().chars().all(is_kebab), "{rule}");
    }
    assert!("base".parse::<Rule>().is_err());
    let folders = fs::read_dir(folder(Rule::NoBase).parent().expect("a parent")).expect("fixtures");
    let folders = folders.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_dir()));
    assert_eq!(folders.count(), Rule::ALL.len());
}

fn rules_of(document: &Document<'_>, profile: Profile) -> Vec<Rule> {
    let checked = Rewriter::new().profile(profile).check(document, |_| None);
    checked
        .findings
        .iter()
        .map(|finding| finding.rule)
        .collect()
}

#[test]
fn relative_base_is_allowed_in_html() {
    let document = Document::new(b"<base href=sub/><a href=x>x</a>").retrieved_from("http://a/");
    assert_eq!(rules_of(&document, Profile::Rfc1808), [Rule::BaseRelative]);
    assert_eq!(rules_of(&document, Profile::Whatwg), []);
}

#[test]
fn base_in_body_is_reported_in_every_profile() {
    let document =
        Document::new(b"<p><base href=http://a/b/><a href=x>x</a>").retrieved_from("http://a/");
    for profile in [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg] {
        assert_eq!(
            rules_of(&document, profile),
            [Rule::BaseOutsideHead],
            "{profile:?}"
        );
    }
}

/// In HTML it is the base URL; relative references have no target.
#[test]
fn opaque_base_is_reported_in_every_profile() {
    let document =
        Document::new(b"<base href=mailto:x><a href=x>x</a>").retrieved_from("http://a/");
    for profile in [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg] {
        assert_eq!(
            rules_of(&document, profile),
            [Rule::BaseUnusable],
            "{profile:?}"
        );
    }
}

#[test]
fn placeholder_base_is_not_a_missing_base() {
    let document = Document::new(b"<base href='{{ url }}'><a href=x>x</a>");
    assert_eq!(rules_of(&document, Profile::Rfc1808), [Rule::Placeholder]);
}

#[test]
fn style_sheets_are_checked() {
    let document = Document::style_sheet(b"a{b:url('x y')}").retrieved_from("http://a/");
    assert_eq!(rules_of(&document, Profile::Rfc1808), [Rule::WhiteSpace]);
}

#[test]
fn base_in_srcdoc_does_not_affect_the_outer_document() {
    let html =
        b"<iframe srcdoc='<base href=http://b/><a href=#x>x</a>'></iframe><base href=http://b/>";
    let document = Document::new(html).retrieved_from("http://a/");
    assert_eq!(
        rules_of(&document, Profile::Rfc1808),
        [Rule::BaseOutsideHead]
    );
}

#[test]
fn spans_are_byte_offsets_in_legacy_encodings() {
    // "д" in windows-1251.
    let html = b"<meta charset=windows-1251>\xe4<a href='\xe4 \xe4'>";
    let checked = Rewriter::new().check(&Document::new(html).retrieved_from("http://a/"), |_| None);
    let spans: Vec<_> = checked
        .findings
        .iter()
        .map(|finding| (finding.rule, finding.span))
        .collect();
    assert_eq!(spans, [(Rule::WhiteSpace, Some(Span::new(37, 40)))]);
}

#[test]
fn output_settings_do_not_affect_findings() {
    use absolve::{BaseElementPolicy, FragmentPolicy, OutputForm};
    let html = b"<base href=/x/y><a href=../../y>y</a><a href='#z'>z</a><a href=;w>w</a>";
    let document = Document::new(html).retrieved_from("http://a/b?c");
    let plain = Rewriter::new().check(&document, |_| None);
    assert_eq!(plain.findings.len(), 5, "{plain:?}");
    let with_settings = Rewriter::new()
        .output(OutputForm::Relative)
        .fragments(FragmentPolicy::Keep)
        .base_element(BaseElementPolicy::Keep);
    assert_eq!(
        with_settings.check(&document, |_| None).findings,
        plain.findings
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(support::cases(2_000)))]

    #[test]
    fn findings_are_in_bounds_and_in_order(html in documents::documents(), has_url: bool) {
        let document = Document::new(html.as_bytes());
        let document = if has_url { document.retrieved_from("http://a/b/c;p?q#f") } else { document };
        for profile in [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg] {
            let found = Rewriter::new().profile(profile).check(&document, |_| None).findings;
            let spans: Vec<Span> = found.iter().filter_map(|finding| finding.span).collect();
            for span in &spans {
                prop_assert!(span.start <= span.end && span.end <= html.len());
                prop_assert!(html.is_char_boundary(span.start) && html.is_char_boundary(span.end));
            }
            prop_assert!(spans.is_sorted_by_key(|span| span.start), "{found:?}");
            prop_assert_eq!(document.excerpts(&spans).len(), spans.len());
        }
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let html = [b"<base href='".as_slice(), &bytes, b"'><a href=\"", &bytes, b"\"><p style='a:url("].concat();
        let found = Rewriter::new().check(&Document::new(&html).retrieved_from("http://a/b"), |_| None).findings;
        let document = Document::new(&html);
        let spans: Vec<Span> = found.iter().filter_map(|finding| finding.span).collect();
        prop_assert!(spans.iter().all(|span| span.end <= html.len()));
        prop_assert_eq!(document.excerpts(&spans).len(), spans.len());
    }
}
