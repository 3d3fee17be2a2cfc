//! JSON Feed: links, content with base URLs of its own, escapes, identifiers.

use absolve::{BaseSource, Decision, Document, DocumentKind, Outcome, SkipReason, Unsupported};
use proptest::prelude::*;
use serde_json::Value;
use support::data_invariants;
use support::rewritten::rewritten;

const URL: &str = "http://h/f/feed.json";

fn rewrite(text: &str) -> String {
    let document = Document::json_feed(text.as_bytes()).retrieved_from(URL);
    // Every span is that of the reference as written.
    for link_report in support::recording().links(&document).links {
        let span = link_report.link.span.expect("a span");
        let written = &text[span.start..span.end];
        assert!(!written.contains('"'), "{written}");
        if !written.contains(['\\', '&']) {
            assert_eq!(written, link_report.link.reference);
        }
    }
    rewritten(&support::recording(), &document)
}

/// Returns a feed with these further members.
fn feed(members: &str) -> String {
    format!(r#"{{"version": "https://jsonfeed.org/version/1.1", "title": "t", {members}}}"#)
}

#[test]
fn members_are_links() {
    for (members, expected) in [
        (
            r#""home_page_url":"x","feed_url" : "y", "next_url":"z","icon":"i","favicon":"/f""#,
            r#""home_page_url":"http://h/f/x","feed_url" : "http://h/f/y", "next_url":"http://h/f/z","icon":"http://h/f/i","favicon":"http://h/f""#,
        ),
        (
            r#""authors":[{"name":"n","url":"x","avatar":"y"}],"author":{"url":"z"},"hubs":[{"type":"t","url":"w"}]"#,
            r#""authors":[{"name":"n","url":"http://h/f/x","avatar":"http://h/f/y"}],"author":{"url":"http://h/f/z"},"hubs":[{"type":"t","url":"http://h/f/w"}]"#,
        ),
        (
            r#""items":[{"url":"x","external_url":"y","image":"z","banner_image":"w","authors":[{"url":"v"}],"attachments":[{"url":"u","mime_type":"m"}]}]"#,
            r#""items":[{"url":"http://h/f/x","external_url":"http://h/f/y","image":"http://h/f/z","banner_image":"http://h/f/w","authors":[{"url":"http://h/f/v"}],"attachments":[{"url":"http://h/f/u","mime_type":"m"}]}]"#,
        ),
        // Escapes: the part of the reference that remains is not written anew.
        (
            r#""icon":"\/x\/y?a\u0026b""#,
            r#""icon":"http://h\/x\/y?a\u0026b""#,
        ),
        (r#""icon":"http:\/\/x\/y""#, r#""icon":"http:\/\/x\/y""#),
        (r#""icon":"é""#, r#""icon":"http://h/f/%C3%A9""#),
        (
            r#""ic\u006fn":"x","icon":"y""#,
            r#""ic\u006fn":"http://h/f/x","icon":"http://h/f/y""#,
        ),
        // Not links.
        (
            r#""description":"x","user_comment":"y","_ext":{"url":"z"},"items":[{"title":"x","summary":"y","content_text":"<a href=z>","tags":["w"],"_e":{"url":"v"}}]"#,
            r#""description":"x","user_comment":"y","_ext":{"url":"z"},"items":[{"title":"x","summary":"y","content_text":"<a href=z>","tags":["w"],"_e":{"url":"v"}}]"#,
        ),
        (
            r#""icon":7,"items":[{"url":null}]"#,
            r#""icon":7,"items":[{"url":null}]"#,
        ),
    ] {
        assert_eq!(rewrite(&feed(members)), feed(expected));
    }
}

#[test]
fn content_of_a_json_feed_has_the_base_of_its_item() {
    let html = r#""content_html":"<a href=\"x\">\u003cimg src='y'></a>""#;
    let with = |base: &str| {
        format!(r#""content_html":"<a href=\"{base}x\">\u003cimg src='{base}y'></a>""#)
    };
    for (members, expected) in [
        // The link may follow the content.
        (
            format!(r#""items":[{{{html},"url":"http://i/j/k"}}]"#),
            format!(
                r#""items":[{{{},"url":"http://i/j/k"}}]"#,
                with("http://i/j/")
            ),
        ),
        // Otherwise that of the feed.
        (
            format!(r#""items":[{{{html}}}],"home_page_url":"http://c/""#),
            format!(
                r#""items":[{{{}}}],"home_page_url":"http://c/""#,
                with("http://c/")
            ),
        ),
        (
            format!(r#""items":[{{{html}}},{{"url":"i/k",{html}}}]"#),
            format!(
                r#""items":[{{{}}},{{"url":"http://h/f/i/k",{}}}]"#,
                with("http://h/f/"),
                with("http://h/f/i/")
            ),
        ),
        // BASE counts in it.
        (
            r#""items":[{"content_html":"<base href='http:\/\/b\/c\/'><a href='x'>"}]"#.to_owned(),
            r#""items":[{"content_html":"<base href='http:\/\/b\/c\/'><a href='http://b/c/x'>"}]"#
                .to_owned(),
        ),
    ] {
        assert_eq!(rewrite(&feed(&members)), feed(&expected));
    }
    let text = feed(r#""items":[{"content_html":"<a href='x'>","url":"http://i/"}]"#);
    let report = support::recording().links(&Document::json_feed(text.as_bytes()));
    let base = report.links[0].base.as_ref().expect("a base URL");
    assert_eq!(
        (&*base.url, base.source),
        ("http://i/", BaseSource::EncapsulatingEntity)
    );
}

#[test]
fn identifiers_never_change() {
    let text = feed(r#""items":[{"id":"x"},{"id":"http://h/y"}]"#);
    let document = Document::json_feed(text.as_bytes()).retrieved_from(URL);
    let rewriter = support::recording().map("http://h/", "http://mapped/");
    let asked = rewriter.rewrite_with(&document, |_| Decision::Replace("no".to_owned()));
    assert_eq!(String::from_utf8_lossy(&asked.bytes), text);
    let outcomes: Vec<_> = rewriter
        .links(&document)
        .links
        .into_iter()
        .map(|link| link.outcome)
        .collect();
    assert_eq!(
        outcomes,
        [Outcome::Skipped(SkipReason::Identifier), Outcome::Absolute]
    );
}

#[test]
fn replacements_are_escaped() {
    let text = feed(r#""icon":"x","items":[{"content_html":"<a href='y'>"}]"#);
    let document = Document::json_feed(text.as_bytes());
    let replacement = "\"\\\n\u{1f600}'<&";
    let rewritten =
        support::recording().rewrite_with(&document, |_| Decision::Replace(replacement.to_owned()));
    let value: Value = serde_json::from_slice(&rewritten.bytes).expect("JSON");
    assert_eq!(value["icon"], replacement);
    // HTML in JSON: the references are those of HTML.
    assert_eq!(
        value["items"][0]["content_html"],
        "<a href='\"\\\n\u{1f600}&#39;<&amp;'>"
    );
    // A member cannot be removed like an attribute.
    let removed = support::recording().rewrite_with(&document, |report| match report.depth {
        0 => Decision::Remove,
        _ => Decision::Keep,
    });
    assert_eq!(&*removed.bytes, text.as_bytes());
}

#[test]
fn other_json_is_left() {
    for text in [
        "",
        "[]",
        r#"[{"version":"https://jsonfeed.org/version/1.1","icon":"x"}]"#,
        "\"icon\"",
        r#"{"version":"https://jsonfeed.org/version/1.1","icon":"x""#,
        r#"{"version":"https://jsonfeed.org/version/1.1","icon":"x",}"#,
    ] {
        let document = Document::json_feed(text.as_bytes()).retrieved_from(URL);
        let rewritten = support::recording().rewrite(&document);
        assert_eq!(&*rewritten.bytes, text.as_bytes());
        let reason = rewritten.report.unsupported;
        assert_eq!(reason, Some(Unsupported::NotJsonFeed), "{text}");
    }
    // A document that is declared to be a feed is read whatever its version.
    assert_eq!(
        rewrite(r#"{"version":"1.1","icon":"x"}"#),
        r#"{"version":"1.1","icon":"http://h/f/x"}"#
    );
    // RFC 8259, section 8.1.
    let mut bytes = feed(r#""icon":"x""#).into_bytes();
    bytes.insert(2, 0xff);
    let rewritten = support::recording().rewrite(&Document::json_feed(&bytes).retrieved_from(URL));
    assert_eq!(&*rewritten.bytes, bytes);
    assert_eq!(rewritten.report.unsupported, Some(Unsupported::NotJsonFeed));
    let text = format!("\u{feff}{}", feed(r#""icon":"x""#));
    assert!(rewrite(&text).contains("http://h/f/x"));
}

#[test]
fn feeds_are_recognized() {
    let json = feed(r#""items":[]"#);
    for text in [
        json.clone(),
        format!("\u{feff} \n{json}"),
        json[..70].to_owned(),
        r#"{"title":"é","items":[{"a":[1]}],"version":"https:\/\/jsonfeed.org\/version\/1"}"#
            .to_owned(),
    ] {
        let bytes = text.as_bytes();
        assert_eq!(DocumentKind::sniff(bytes), DocumentKind::JsonFeed, "{text}");
        let kind = DocumentKind::of_content("application/json", bytes);
        assert_eq!(kind, Some(DocumentKind::JsonFeed));
    }
    for text in [
        "{}",
        r#"{"version":"1.1"}"#,
        r#"["https://jsonfeed.org/version/1"]"#,
    ] {
        assert_eq!(DocumentKind::sniff(text.as_bytes()), DocumentKind::Html);
        assert_eq!(
            DocumentKind::of_content("application/json", text.as_bytes()),
            None
        );
    }
    let kind = DocumentKind::of("application/feed+json");
    assert_eq!(kind, Some(DocumentKind::JsonFeed));
}

/// Strings of a feed, as written.
const STRINGS: &[&str] = &[
    r#""x""#,
    r#""\/a\/b""#,
    r#""http:\/\/h\/""#,
    r#""<a href='x'>""#,
    r#""\u003ca href=\"y\"\u003e""#,
    r#""<base href='b/'><img srcset='a, b 2x'>""#,
    r#""\ud83d""#,
    r#""\ude00x\ud83d""#,
    r#""é\t""#,
    r#""""#,
    "{}",
    "7",
];

const NAMES: &[&str] = &[
    "url",
    "icon",
    "home_page_url",
    "id",
    "content_html",
    "image",
    "ur\\u006c",
    "title",
];

/// Returns `value` without its links: all strings that are one, or that are HTML, become null.
fn without_links(value: &mut Value, is_link: bool) {
    match value {
        Value::String(_) if is_link => *value = Value::Null,
        Value::Array(values) => values.iter_mut().for_each(|one| without_links(one, false)),
        Value::Object(members) => {
            for (name, member) in members {
                without_links(member, NAMES.contains(&&**name) && name != "title");
            }
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn only_links_change(
        members in prop::collection::vec((prop::sample::select(NAMES), prop::sample::select(STRINGS)), 0..5),
        item in prop::collection::vec((prop::sample::select(NAMES), prop::sample::select(STRINGS)), 0..5),
    ) {
        let write = |members: &[(&str, &str)]| {
            let members = members.iter().map(|(name, value)| format!(r#", "{name}" : {value}"#));
            members.collect::<Vec<_>>().concat()
        };
        let text = format!(
            r#"{{"version":"https://jsonfeed.org/version/1"{}, "items":[{{"n":1{}}}]}}"#,
            write(&members), write(&item)
        );
        let rewriter = support::recording();
        let document = Document::json_feed(text.as_bytes()).retrieved_from(URL);
        let rewritten = rewriter.rewrite(&document);
        prop_assert_eq!(rewritten.report.unsupported, None);
        data_invariants::json_feed(text.as_bytes());
        // An independent reader sees the same feed but for the links. It rejects unpaired surrogates.
        if let Ok(mut before) = serde_json::from_str::<Value>(&text) {
            let mut after: Value = serde_json::from_slice(&rewritten.bytes).expect("JSON");
            without_links(&mut before, false);
            without_links(&mut after, false);
            prop_assert_eq!(before, after);
        }
    }
}

/// JSON Feed 1.1, "id": any string, unlike `atom:id`.
#[test]
fn an_identifier_may_be_any_text() {
    let feed = r#"{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[{"id":"1"}]}"#;
    let document = Document::json_feed(feed.as_bytes()).retrieved_from("https://h.example/");
    assert!(
        support::recording()
            .check(&document, |_| None)
            .findings
            .is_empty()
    );
}
