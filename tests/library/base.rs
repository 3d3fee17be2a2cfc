//! The base URL of a document (RFC 1808 sections 3 and 10).

use absolve::tree::Tree;
use absolve::{
    BaseCandidates, BaseElementPolicy, BaseOrigin, BaseReport, BaseSource, CandidateStatus,
    Decision, Document, Outcome, OutputForm, Profile, Rewriter, SkipReason, parse_base_header,
};

/// Parses a cell of the table: `-` is absent, `""` is present and empty.
fn value(cell: &str) -> Option<&str> {
    match cell {
        "-" => None,
        "\"\"" => Some(""),
        value => Some(value),
    }
}

#[test]
fn establish_follows_the_matrix_of_rfc_1808_section_3() {
    let rows = support::table("fixtures/base/section3.tsv");
    assert!(rows.len() >= 40);
    for row in &rows {
        let [
            name,
            embedded,
            encapsulating,
            retrieval,
            default,
            url,
            source,
        ] = &row[..]
        else {
            panic!("{row:?}")
        };
        let mut outside = BaseCandidates::new();
        for (source, cell) in [
            (BaseSource::Default, default),
            (BaseSource::EncapsulatingEntity, encapsulating),
            (BaseSource::Retrieval, retrieval),
        ] {
            if let Some(url) = value(cell) {
                outside = outside.with(source, url);
            }
        }
        let all = match value(embedded) {
            Some(url) => outside.clone().with(BaseSource::Embedded, url),
            None => outside.clone(),
        };
        let expected = value(url).map(|url| (url.to_owned(), source.clone()));
        let found = all
            .establish(Profile::Rfc1808)
            .map(|base| (base.url, base.source.name().to_owned()));
        assert_eq!(found, expected, "{name}");

        // Once more with the embedded base URL in a document.
        let base = value(embedded).map_or(String::new(), |href| format!("<base href=\"{href}\">"));
        let found = explain(&format!("<title>x</title>{base}<p>"), &outside);
        let found = found
            .base
            .map(|base| (base.url, base.source.name().to_owned()));
        assert_eq!(found, expected, "{name}, in a document");
    }
}

fn explain(html: &str, outside: &BaseCandidates<'_>) -> BaseReport {
    let tree = Tree::parse(html);
    absolve::tree::rewrite(&support::recording(), &tree, outside, |_| Decision::Keep).base
}

fn embedded(html: &str) -> Option<String> {
    explain(html, &BaseCandidates::new())
        .base
        .map(|base| base.url)
}

#[test]
fn base_element_counts_in_head_only() {
    let counts = [
        "<html><head><base href=http://a/></head>",
        "<base href=http://a/>",
        "<BASE HREF=http://a/>",
        "<!-- c --><!DOCTYPE html><base href=http://a/>",
        // HEAD is implied, and ends at the first content that is not allowed in it.
        "<title>t</title><meta charset=utf-8><base href=http://a/><p>",
        // HTML, "after head": BASE is inserted into HEAD.
        "<head></head><base href=http://a/><body>",
        "<head></head> \n<base href=http://a/>",
        // Where scripts run, the content of NOSCRIPT is text: it does not end HEAD.
        "<head><noscript><img src=t.gif></noscript><base href=http://a/>",
        "<head><noscript><p></noscript ><base href=http://a/>",
        "<head><noscript><base href=http://b/></noscript><base href=http://a/>",
        "<noscript><!--</noscript><base href=http://a/>-->",
        "<noscript></head><body></noscript><base href=http://a/>",
        "<base target=_top><base href=http://a/>",
        "<base href=http://a/ href=http://b/>",
        "<base href='http://a/'><base href=http://b/>",
        "<template><base href=http://b/></template><base href=http://a/>",
        "<script>'<base href=http://b/>'</script><base href=http://a/>",
        "<!--<base href=http://b/>--><base href=http://a/>",
        "<link href=before.css><base href=http://a/>",
        "<base\nhref\n=\n'\n http://a/ \n'>",
        "<base href='http:&#47;/a/'>",
        "<base href=http://a/><body><base href=http://b/>",
    ];
    for html in counts {
        assert_eq!(embedded(html).as_deref(), Some("http://a/"), "{html}");
    }
    let ignored = [
        "<body><base href=http://a/>",
        "<p><base href=http://a/>",
        "text<base href=http://a/>",
        "<head></head><p><base href=http://a/>",
        "<template><base href=http://a/></template>",
        "<svg><base href=http://a/></svg>",
        "<title><base href=http://a/></title>",
        "<textarea><base href=http://a/></textarea>",
        "<body><noscript><base href=http://a/></noscript>",
        "<head><noscript><base href=http://a/></noscript></head>",
        "<head><noscript><link href=x></noscripts><base href=http://a/>",
        "<head></head><noscript></noscript><base href=http://a/>",
        "<frameset><base href=http://a/></frameset>",
        "<base>",
        "<base target=_top>",
        "<basefont href=http://a/>",
        "<base foohref=http://a/>",
        "<meta http-equiv=content-base content=http://a/>",
        "<html xml:base=http://a/>",
    ];
    for html in ignored {
        assert_eq!(embedded(html), None, "{html}");
    }
}

#[test]
fn base_report_has_a_status_for_every_candidate() {
    let outside = BaseCandidates::new()
        .with(BaseSource::Retrieval, "http://r/x/y")
        .with(BaseSource::EncapsulatingEntity, "inner/")
        .with(BaseSource::EncapsulatingEntity, "mailto:outer");
    let html = "<base href=e/f><base href=http://second/><body><base href=http://body/>\
                <template><base href=http://template/></template>";
    let report = explain(html, &outside);
    let statuses: Vec<_> = report
        .candidates
        .iter()
        .map(|candidate| (candidate.value.as_str(), candidate.status))
        .collect();
    assert_eq!(
        statuses,
        [
            ("e/f", CandidateStatus::UsedAfterResolving),
            ("http://second/", CandidateStatus::NotFirst),
            ("http://body/", CandidateStatus::OutsideHead),
            ("http://template/", CandidateStatus::InTemplate),
            ("inner/", CandidateStatus::Completing),
            (
                "mailto:outer",
                CandidateStatus::Unusable(absolve::ResolveError::BaseNotHierarchical)
            ),
            ("http://r/x/y", CandidateStatus::Completing),
        ]
    );
    let base = report.base.expect("a base");
    assert_eq!(
        (base.url.as_str(), base.source),
        ("http://r/x/inner/e/f", BaseSource::Embedded)
    );
}

#[test]
fn base_fragment_is_inherited_by_the_empty_reference_only() {
    let tree = Tree::parse(
        "<base href=http://a/b#f><a href></a><a href=g></a><a href=?y></a><a href=#s></a>",
    );
    let report =
        absolve::tree::rewrite(&support::recording(), &tree, &BaseCandidates::new(), |_| {
            Decision::Resolve
        });
    let targets: Vec<_> = report
        .links
        .iter()
        .skip(1)
        .map(|link_report| link_report.outcome.clone())
        .collect();
    let resolved = |target: &str| Outcome::Resolved(target.to_owned());
    assert_eq!(
        targets,
        [
            resolved("http://a/b#f"),
            resolved("http://a/g"),
            resolved("http://a/b?y"),
            resolved("http://a/b#s")
        ]
    );
}

#[test]
fn parse_base_header_returns_a_candidate() {
    let header = parse_base_header("<URL:http://www.ics.uci.edu/\r\n Test/a/b/c>").expect("a URL");
    let base = BaseCandidates::new()
        .with(BaseSource::EncapsulatingEntity, &header)
        .establish(Profile::Rfc1808);
    assert_eq!(
        base.expect("a base").url,
        "http://www.ics.uci.edu/Test/a/b/c"
    );
}

#[test]
fn establish_skips_a_relative_base_that_resolves_to_an_unusable_one() {
    for href in ["//a|b/", "//"] {
        let outside = BaseCandidates::new().with(BaseSource::Retrieval, "http://r/x");
        let report = BaseCandidates::new()
            .with(BaseSource::Retrieval, "http://r/x")
            .with(BaseSource::Embedded, href)
            .explain(Profile::Rfc3986);
        assert_eq!(
            report.base.map(|base| base.url).as_deref(),
            Some("http://r/x"),
            "{href}"
        );
        assert!(
            matches!(report.candidates[0].status, CandidateStatus::Unusable(_)),
            "{href}"
        );
        assert!(outside.establish(Profile::Rfc1808).is_some());
    }
}

/// HTML, "set the frozen base URL": a URL with an opaque path is the base URL unless its scheme is `data` or
/// `javascript`. URL Standard, "no scheme state": only a fragment can be relative to it.
#[test]
fn opaque_base_is_the_base_url_in_html() {
    let outcomes = |profile, href: &str| -> Vec<Outcome> {
        let html =
            format!("<base href='{href}'><a href=x></a><a href=#f></a><a href=http://h/></a>");
        let rewriter = support::recording().profile(profile);
        let links = rewriter.links(&Document::new(html.as_bytes()).retrieved_from("http://r/p"));
        let links = links.links.iter().skip(1);
        links.map(|link| link.outcome.clone()).collect()
    };
    let resolved = |target: &str| Outcome::Resolved(target.to_owned());
    for href in ["mailto:x", "MAILTO:x", "about:blank", "urn:a:b", "x:y"] {
        let base = href.replace("MAILTO", "mailto");
        assert_eq!(
            outcomes(Profile::Whatwg, href),
            [
                Outcome::Skipped(SkipReason::NoBase),
                resolved(&format!("{base}#f")),
                Outcome::Absolute
            ],
            "{href}"
        );
    }
    let ignored = [
        resolved("http://r/x"),
        resolved("http://r/p#f"),
        Outcome::Absolute,
    ];
    for href in ["data:,x", "javascript:x", "javascript://h/", "http://["] {
        assert_eq!(outcomes(Profile::Whatwg, href), ignored, "{href}");
    }
    for profile in [Profile::Rfc1808, Profile::Rfc3986] {
        for href in ["mailto:x", "data:,x", "http://["] {
            assert_eq!(outcomes(profile, href), ignored, "{profile:?} {href}");
        }
    }
}

/// The link of an item is the base URL of its content. A special URL without slashes has a host by the URL Standard
/// ("special authority slashes state"); for RFC 1808, its path begins without a slash, so it is no base URL.
#[test]
fn a_special_url_without_slashes_is_the_base_of_content() {
    let feed = b"<rss version='2.0'><channel><item><link>https:h/d/</link>\
        <description>&lt;a href=x></description></item></channel></rss>";
    for (profile, expected) in [
        (Profile::Rfc1808, None),
        (Profile::Whatwg, Some("https://h/d/x")),
    ] {
        let found = support::recording()
            .profile(profile)
            .links(&Document::xml(feed));
        let mut links = found.links.iter();
        let link = links.find(|link_report| link_report.link.reference == "x");
        let target = link.expect("the link").target();
        assert_eq!(target, expected, "{profile:?}");
    }
}

#[test]
fn base_of_another_origin_is_foreign() {
    for (href, url, expected) in [
        ("http://h/x", "http://h/", false),
        ("HTTP://u:p@H:80/x", "http://h/", false),
        ("http://h:81/", "http://h/", true),
        ("https://h/", "http://h/", true),
        ("http://i/", "http://h/", true),
        ("//i/", "http://h/", true),
        ("x/", "http://h/", false),
        ("", "http://h/", false),
        ("http://i/", "x", false),
        ("file:///x/", "http://h/", true),
        ("file:///x/", "file:///y/", false),
    ] {
        let html = format!("<base href='{href}'><base href='/b/'><a href=a>");
        let document = Document::new(html.as_bytes()).retrieved_from(url);
        let base = |base_origin| {
            let rewriter = Rewriter::new().base_origin(base_origin);
            rewriter.links(&document).base
        };
        let any = base(BaseOrigin::Any);
        assert_eq!(any.is_foreign(), expected, "{href} {url}");
        let same = base(BaseOrigin::Same);
        if expected {
            let used = same.base.expect("the retrieval URL");
            assert_eq!((&*used.url, used.source), (url, BaseSource::Retrieval));
            assert_eq!(same.candidates[0].status, CandidateStatus::ForeignOrigin);
            assert_eq!(same.candidates[1].status, CandidateStatus::NotFirst);
        } else {
            assert_eq!(same, any, "{href} {url}");
        }
    }
}

/// The BASE remains in effect in browsers, so a shortened reference would lead to its host.
#[test]
fn ignored_base_shortens_no_reference_unless_it_is_removed() {
    let document = Document::new(b"<base href=//i/><a href=a>").retrieved_from("http://h/x/");
    let rewriter = Rewriter::new()
        .base_origin(BaseOrigin::Same)
        .output(OutputForm::Relative);
    let written = |rewriter: &Rewriter| {
        let rewritten = rewriter.rewrite(&document);
        String::from_utf8_lossy(&rewritten.bytes).into_owned()
    };
    assert_eq!(
        written(&rewriter),
        "<base href=http://i/><a href=http://h/x/a>"
    );
    let removed = rewriter.base_element(BaseElementPolicy::Remove);
    assert_eq!(written(&removed), "<a href=a>");
}
