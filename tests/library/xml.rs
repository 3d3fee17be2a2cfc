//! XML documents: XHTML, SVG, `xml:base`, entities, errors.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use absolve::{
    BaseElementPolicy, BaseSource, Document, Grammar, IllFormedPolicy, IllFormedReason, LinkDetail,
    LinkSelector, Outcome, OutputForm, Profile, Rewriter, SkipReason, Unsupported,
};
use proptest::prelude::*;
use support::data_invariants;
use support::rewritten::rewritten;

const URL: &str = "http://h/d/p";

fn rewrite(text: &str) -> String {
    rewrite_with(&support::recording(), text)
}

fn rewrite_with(rewriter: &Rewriter, text: &str) -> String {
    let document = Document::xml(text.as_bytes()).retrieved_from(URL);
    rewritten(rewriter, &document)
}

/// Returns `body` in an XHTML document.
fn xhtml(body: &str) -> String {
    format!(
        "<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><head><title/></head><body>{body}</body></html>"
    )
}

/// Returns the first error of `text`: line, column and reason. It must be left unchanged.
fn error(text: &[u8]) -> (usize, usize, IllFormedReason) {
    let document = Document::xml(text).retrieved_from(URL);
    let rewritten = support::recording().rewrite(&document);
    assert_eq!(&*rewritten.bytes, text);
    let shown = String::from_utf8_lossy(text);
    match rewritten.report.unsupported {
        Some(Unsupported::IllFormed(error)) => (error.line, error.column, error.reason),
        other => panic!("{shown}: {other:?}"),
    }
}

#[test]
fn empty_element_tags_end_elements() {
    let text = r#"<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a.js"/></head><body><a href="c.html"/></body></html>"#;
    let expected = text
        .replace("a.js", "http://h/d/a.js")
        .replace("c.html", "http://h/d/c.html");
    assert_eq!(rewrite(text), expected);
}

#[test]
fn elements_are_known_by_namespace() {
    for (text, expected) in [
        // No namespace, no link.
        ("<html><a href='x'/></html>", "<html><a href='x'/></html>"),
        (
            "<h:a xmlns:h='http://www.w3.org/1999/xhtml' href='x'/>",
            "<h:a xmlns:h='http://www.w3.org/1999/xhtml' href='http://h/d/x'/>",
        ),
        // Names are case-sensitive.
        (
            "<A xmlns='http://www.w3.org/1999/xhtml' href='x'/>",
            "<A xmlns='http://www.w3.org/1999/xhtml' href='x'/>",
        ),
        (
            "<a xmlns='http://www.w3.org/1999/xhtml' HREF='x'/>",
            "<a xmlns='http://www.w3.org/1999/xhtml' HREF='x'/>",
        ),
        // The declaration may follow the attribute, and a prefix may be bound again inside.
        (
            "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:image l:href='x' xmlns:l='http://www.w3.org/1999/xlink'/><s:g xmlns:s='urn:x'><s:image href='y'/></s:g><s:image href='z'/></s:svg>",
            "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:image l:href='http://h/d/x' xmlns:l='http://www.w3.org/1999/xlink'/><s:g xmlns:s='urn:x'><s:image href='y'/></s:g><s:image href='http://h/d/z'/></s:svg>",
        ),
        // A prefix means nothing by itself.
        (
            "<svg xmlns='http://www.w3.org/2000/svg'><a xlink:href='x' xmlns:xlink='urn:x'/></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg'><a xlink:href='x' xmlns:xlink='urn:x'/></svg>",
        ),
        // The default namespace does not apply to attributes, and can be undeclared.
        (
            "<svg xmlns='http://www.w3.org/2000/svg'><g xmlns=''><a href='x'/></g><a href='y'/></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg'><g xmlns=''><a href='x'/></g><a href='http://h/d/y'/></svg>",
        ),
        // The name of a namespace may be written with an entity.
        (
            "<!DOCTYPE svg [<!ENTITY ns 'http://www.w3.org/2000/svg'>]><svg xmlns='&ns;'><a href='x'/></svg>",
            "<!DOCTYPE svg [<!ENTITY ns 'http://www.w3.org/2000/svg'>]><svg xmlns='&ns;'><a href='http://h/d/x'/></svg>",
        ),
    ] {
        assert_eq!(rewrite(text), expected);
    }
}

#[test]
fn values_are_read_and_written_as_xml() {
    for (body, expected) in [
        (
            "<a href='?a=1&amp;b=2'/>",
            "<a href='http://h/d/p?a=1&amp;b=2'/>",
        ),
        (
            "<a href='&#x2e;./x&#38;y'/>",
            "<a href='http://h/x&#38;y'/>",
        ),
        // HTML would read `&copy` without its semicolon here; in XML that is an error, and this is not.
        (
            "<a href='x?a&amp;copy=1'/>",
            "<a href='http://h/d/x?a&amp;copy=1'/>",
        ),
        // A line break in a value is a space, which is percent-encoded; HTML would drop it.
        ("<a href='a\nb'/>", "<a href='http://h/d/a%20b'/>"),
        (
            "<img srcset='a 1x, b&#32;2x'/>",
            "<img srcset='http://h/d/a 1x, http://h/d/b&#32;2x'/>",
        ),
        // The text of style and script has references, comments and CDATA sections.
        (
            "<style>@import 'a';</style>",
            "<style>@import 'http://h/d/a';</style>",
        ),
        (
            "<style>a{background:url(&quot;b&quot;)}</style>",
            "<style>a{background:url(&quot;http://h/d/b&quot;)}</style>",
        ),
        (
            "<style><![CDATA[a>b{background:url(c)}]]></style>",
            "<style><![CDATA[a>b{background:url(http://h/d/c)}]]></style>",
        ),
        (
            "<style><!-- @import 'a'; --></style>",
            "<style><!-- @import 'a'; --></style>",
        ),
        // Markup in comments, sections and instructions is text.
        (
            "<!--<a href='x'/>--><![CDATA[<a href='x'/>]]><?p <a href='x'/>?>",
            "<!--<a href='x'/>--><![CDATA[<a href='x'/>]]><?p <a href='x'/>?>",
        ),
        // Content of `noscript` is markup in XML.
        (
            "<noscript><img src='x'/></noscript>",
            "<noscript><img src='http://h/d/x'/></noscript>",
        ),
        (
            "<p><a href='x'>1</a ><a\n href = \"y\"\t></a></p>",
            "<p><a href='http://h/d/x'>1</a ><a\n href = \"http://h/d/y\"\t></a></p>",
        ),
        // A document in an attribute is HTML.
        (
            "<iframe srcdoc='&lt;img src=x&gt;'/>",
            "<iframe srcdoc='&lt;img src=http://h/d/x&gt;'/>",
        ),
    ] {
        assert_eq!(rewrite(&xhtml(body)), xhtml(expected));
    }
}

/// XML 1.0, section 3.3.3: white space in a value is reported as spaces, however the link is found.
#[test]
fn reported_references_are_normalized() {
    let text =
        xhtml("<a href='http://x/\ny'/><a href='http://x/\tz&amp;1'/><a href='http://x/\r\nz'/>");
    let document = Document::xml(text.as_bytes()).retrieved_from(URL);
    let rewriter = support::recording();
    let listed = rewriter.links(&document).links;
    let decided = rewriter.rewrite_with(&document, |_| absolve::Decision::Resolve);
    assert_eq!(listed, decided.report.links);
    let references: Vec<_> = listed.iter().map(|link| &*link.link.reference).collect();
    assert_eq!(references, ["http://x/ y", "http://x/ z&1", "http://x/ z"]);
}

#[test]
fn replacements_are_escaped_as_xml() {
    let text = xhtml("<a href='x'/><a href=\"y\"/>");
    let document = Document::xml(text.as_bytes());
    let rewritten = support::recording().rewrite_with(&document, |_| {
        absolve::Decision::Replace("<a&b \"c\" 'd'\n>".to_owned())
    });
    assert_eq!(
        String::from_utf8_lossy(&rewritten.bytes),
        xhtml(
            "<a href='&lt;a&amp;b \"c\" &#39;d&#39;&#10;>'/><a href=\"&lt;a&amp;b &quot;c&quot; 'd'&#10;>\"/>"
        )
    );
}

#[test]
fn a_cdata_section_never_gains_its_end() {
    let text = xhtml("<style><![CDATA[x]]></style>");
    let selector: LinkSelector = "style[#text]".parse().expect("a selector");
    let document = Document::xml(text.as_bytes());
    let rewritten = support::recording()
        .link(selector, Grammar::Url)
        .rewrite_with(&document, |_| absolve::Decision::Replace("]]>".to_owned()));
    assert_eq!(String::from_utf8_lossy(&rewritten.bytes), text);
    let outcomes: Vec<_> = rewritten
        .report
        .links
        .iter()
        .map(|link| &link.outcome)
        .collect();
    assert_eq!(outcomes, [&Outcome::Skipped(SkipReason::Unwritable)]);
}

#[test]
fn a_style_sheet_instruction_is_a_link() {
    for (text, expected) in [
        (
            "<?xml version='1.0'?><?xml-stylesheet type='text/css' href='s.css'?><a xml:base='http://b/'/>",
            "<?xml version='1.0'?><?xml-stylesheet type='text/css' href='http://h/d/s.css'?><a xml:base='http://b/'/>",
        ),
        (
            "<?xml-stylesheet href=\"?a&amp;b\"?><a/>",
            "<?xml-stylesheet href=\"http://h/d/p?a&amp;b\"?><a/>",
        ),
        // Associating Style Sheets, section 3: a fragment names an element of this document.
        (
            "<?xml-stylesheet href='#s'?><a/>",
            "<?xml-stylesheet href='#s'?><a/>",
        ),
        // Only in the prolog, and only with the syntax of attributes.
        (
            "<a><?xml-stylesheet href='s.css'?></a>",
            "<a><?xml-stylesheet href='s.css'?></a>",
        ),
        (
            "<?xml-stylesheet href=s.css?><a/>",
            "<?xml-stylesheet href=s.css?><a/>",
        ),
    ] {
        assert_eq!(rewrite(text), expected);
    }
}

#[test]
fn base_counts_in_the_head_of_an_html_document() {
    let base = "<base href='http://b/c/'/>";
    let html = |head: &str, body: &str| {
        format!(
            "<html xmlns='http://www.w3.org/1999/xhtml'><head>{head}</head><body>{body}<a href='x'/></body></html>"
        )
    };
    for (head, body, whatwg, others) in [
        (base, "", "http://b/c/x", "http://b/c/x"),
        ("", base, "http://b/c/x", "http://h/d/x"),
        (
            "<base xmlns='urn:x' href='http://b/c/'/>",
            "",
            "http://h/d/x",
            "http://h/d/x",
        ),
        (
            "<template><base href='http://b/c/'/></template>",
            "",
            "http://h/d/x",
            "http://h/d/x",
        ),
        (
            "<base target='t'/><base href='http://b/c/'/>",
            "",
            "http://b/c/x",
            "http://b/c/x",
        ),
    ] {
        let text = html(head, body);
        for (profile, expected) in [(Profile::Whatwg, whatwg), (Profile::Rfc1808, others)] {
            let rewritten = rewrite_with(&support::recording().profile(profile), &text);
            assert_eq!(
                rewritten,
                text.replace("'x'", &format!("'{expected}'")),
                "{profile:?}"
            );
        }
    }
    // A link before BASE is resolved against it, too.
    let text = html(&format!("<link href='l'/>{base}"), "");
    assert!(rewrite(&text).contains("<link href='http://b/c/l'/>"));
}

/// The example of XML Base, section 3.
const XML_BASE_EXAMPLE: &str = r#"<?xml version="1.0"?>
<doc xml:base="http://example.org/today/"
     xmlns:xlink="http://www.w3.org/1999/xlink">
  <head>
    <title>Virtual Library</title>
  </head>
  <body>
    <paragraph>See <link xlink:type="simple" xlink:href="new.xml">what's
      new</link>!</paragraph>
    <paragraph>Check out the hot picks of the day!</paragraph>
    <olist xml:base="/hotpicks/">
      <item>
        <link xlink:type="simple" xlink:href="pick1.xml">Hot Pick #1</link>
      </item>
      <item>
        <link xlink:type="simple" xlink:href="pick2.xml">Hot Pick #2</link>
      </item>
      <item>
        <link xlink:type="simple" xlink:href="pick3.xml">Hot Pick #3</link>
      </item>
    </olist>
  </body>
</doc>
"#;

#[test]
fn xml_base_applies_to_an_element_and_its_descendants() {
    let expected = XML_BASE_EXAMPLE
        .replace("\"new.xml", "\"http://example.org/today/new.xml")
        .replace("\"/hotpicks/", "\"http://example.org/hotpicks/")
        .replace("\"pick", "\"http://example.org/hotpicks/pick");
    for profile in [Profile::Rfc1808, Profile::Rfc3986] {
        let rewriter = support::recording().profile(profile);
        assert_eq!(rewrite_with(&rewriter, XML_BASE_EXAMPLE), expected);
    }
}

#[test]
fn xml_base_has_no_effect_in_browsers() {
    let rewriter = support::recording().profile(Profile::Whatwg);
    let expected = XML_BASE_EXAMPLE
        .replace("\"new.xml", "\"http://h/d/new.xml")
        .replace("\"pick", "\"http://h/d/pick");
    assert_eq!(rewrite_with(&rewriter, XML_BASE_EXAMPLE), expected);
}

#[test]
fn xml_base_is_resolved_against_that_of_the_parent() {
    for (body, expected) in [
        (
            "<p xml:base='a/'><b xml:base='b/'><a href='x'/></b><a href='y'/></p><a href='z'/>",
            "<p xml:base='http://h/d/a/'><b xml:base='http://h/d/a/b/'><a href='http://h/d/a/b/x'/></b><a href='http://h/d/a/y'/></p><a href='http://h/d/z'/>",
        ),
        // The attribute applies to its own element, but not to itself.
        (
            "<a xml:base='a/' href='x'/>",
            "<a xml:base='http://h/d/a/' href='http://h/d/a/x'/>",
        ),
        // XML Base, section 4.3: an empty value refers to the base of the parent. Here it is the same.
        (
            "<p xml:base='a/'><b xml:base=''><a href='x'/></b></p>",
            "<p xml:base='http://h/d/a/'><b xml:base=''><a href='http://h/d/a/x'/></b></p>",
        ),
        // One that is no base is ignored.
        (
            "<p xml:base='mailto:a'><a href='x'/></p>",
            "<p xml:base='mailto:a'><a href='http://h/d/x'/></p>",
        ),
        (
            "<p xml:base='&#97;/'><a href='x'/></p>",
            "<p xml:base='http://h/d/&#97;/'><a href='http://h/d/a/x'/></p>",
        ),
        // The prefix `xml` is fixed.
        (
            "<p x:base='a/' xmlns:x='urn:x'><a href='x'/></p>",
            "<p x:base='a/' xmlns:x='urn:x'><a href='http://h/d/x'/></p>",
        ),
    ] {
        assert_eq!(rewrite(&xhtml(body)), xhtml(expected));
    }
}

#[test]
fn xml_base_of_the_root_is_the_embedded_base_url() {
    for (url, expected) in [(None, "http://b/c/"), (Some("http://h/d/p"), "http://b/c/")] {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' xml:base='http://b/c/'><a href='x'/></svg>";
        let document = Document::xml(text.as_bytes());
        let document = match url {
            Some(url) => document.retrieved_from(url),
            None => document,
        };
        let report = support::recording().links(&document);
        let base = report.base.base.expect("a base URL");
        assert_eq!((&*base.url, base.source), (expected, BaseSource::Embedded));
        let last = report.links.last().expect("a link");
        assert_eq!(last.outcome, Outcome::Resolved("http://b/c/x".to_owned()));
    }
    // The URL of BASE is that of the document, and `xml:base` is relative to it.
    let text = "<html xmlns='http://www.w3.org/1999/xhtml' xml:base='c/'><head><base href='http://b/'/></head><a href='x'/></html>";
    assert!(rewrite(text).contains("<a href='http://b/c/x'/>"));
}

#[test]
fn the_policy_for_base_covers_xml_base() {
    let text = xhtml("<p class='c' xml:base='/a/'><a xml:base='b/' href='x'/></p>");
    let of = |policy| support::recording().base_element(policy);
    assert_eq!(
        rewrite_with(&of(BaseElementPolicy::Keep), &text),
        text.replace("'x'", "'http://h/a/b/x'")
    );
    let removed = rewrite_with(&of(BaseElementPolicy::Remove), &text);
    assert_eq!(
        removed,
        xhtml("<p class='c' ><a  href='http://h/a/b/x'/></p>")
    );
    // Relative output is relative to what a reader of the output resolves against.

    for (policy, expected) in [
        (
            BaseElementPolicy::Keep,
            xhtml("<p class='c' xml:base='/a/'><a xml:base='b/' href='x'/></p>"),
        ),
        (
            BaseElementPolicy::Remove,
            xhtml("<p class='c' ><a  href='../a/b/x'/></p>"),
        ),
    ] {
        let rewriter = of(policy).output(OutputForm::Relative);
        assert_eq!(rewrite_with(&rewriter, &text), expected, "{policy:?}");
    }
}

#[test]
fn entities_are_not_expanded() {
    let doctype =
        "<!DOCTYPE a [<!ENTITY e 'x/'><!ENTITY m '<b/>'><!ENTITY n '&m;'><!ENTITY f SYSTEM 'f'>]>";
    let of =
        |content: &str| format!("{doctype}<a xmlns='http://www.w3.org/1999/xhtml'>{content}</a>");
    // Text of entities is no markup. A value with an entity is unknown.
    for (content, reason) in [
        ("&e;<a href='&e;y'/>", Some(SkipReason::Undecodable)),
        ("&f;<a href='http://b/&e;y'/>", None),
    ] {
        let text = of(content);
        let rewritten =
            support::recording().rewrite(&Document::xml(text.as_bytes()).retrieved_from(URL));
        assert_eq!(String::from_utf8_lossy(&rewritten.bytes), text);
        let outcome = match reason {
            Some(reason) => Outcome::Skipped(reason),
            None => Outcome::Absolute,
        };
        assert_eq!(rewritten.report.links[0].outcome, outcome, "{content}");
    }
    for content in ["&m;", "&n;"] {
        assert_eq!(
            error(of(content).as_bytes()).2,
            IllFormedReason::EntityMarkup
        );
    }
    assert_eq!(
        error(b"<a>&nbsp;</a>"),
        (1, 4, IllFormedReason::UndeclaredEntity)
    );
    // The DTD of XHTML declares it.
    let text = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\"><html xmlns='http://www.w3.org/1999/xhtml'><p>&nbsp;</p><a href='x'/></html>";
    assert_eq!(rewrite(text), text.replace("'x'", "'http://h/d/x'"));
}

#[test]
fn errors_have_line_column_and_reason() {
    use IllFormedReason::*;
    for (text, expected) in [
        ("", (1, 1, NoRoot)),
        (" <!-- -->\n", (2, 1, NoRoot)),
        ("text", (1, 1, OutsideRoot)),
        ("<a/>\n <b/>", (2, 2, OutsideRoot)),
        ("<a/>x", (1, 5, OutsideRoot)),
        ("<a>\r\n<b>\r</a>", (3, 1, EndTag)),
        ("<a></b>", (1, 4, EndTag)),
        ("<a></a x>", (1, 4, EndTag)),
        ("<a></A>", (1, 4, EndTag)),
        ("<a>é<b", (1, 5, UnexpectedEnd)),
        ("<a><b>", (1, 7, UnclosedElement)),
        ("<a><!-- ", (1, 4, UnexpectedEnd)),
        ("<a><![CDATA[ ]]", (1, 4, UnexpectedEnd)),
        ("<a><? ?></a>", (1, 4, Instruction)),
        ("<a><?xml version='1.0'?></a>", (1, 4, Instruction)),
        (" <?xml version='1.0'?><a/>", (1, 2, Instruction)),
        ("<a>1 < 2</a>", (1, 6, LessThan)),
        ("<a><1/></a>", (1, 4, LessThan)),
        ("<a><!b></a>", (1, 4, LessThan)),
        ("<a b/>", (1, 4, Tag)),
        ("<a b=c/>", (1, 4, Tag)),
        ("<a b='c'd='e'/>", (1, 9, Tag)),
        ("<a/ >", (1, 3, Tag)),
        ("<a b='<'/>", (1, 7, AttributeLessThan)),
        ("<a b='' c='' b=''/>", (1, 14, DuplicateAttribute)),
        ("<a b='&'/>", (1, 7, Ampersand)),
        ("<a>&amp</a>", (1, 4, Ampersand)),
        ("<a>&#0;</a>", (1, 4, Ampersand)),
        ("<a>x]]>y</a>", (1, 5, CdataEnd)),
        ("<a><!-- -- --></a>", (1, 9, Comment)),
        ("<a>\u{1}</a>", (1, 4, Character)),
        ("<a>\u{ffff}</a>", (1, 4, Character)),
        ("<a><b></a>\u{1}", (1, 7, EndTag)),
        ("<a/><!DOCTYPE a>", (1, 5, Doctype)),
        ("<!DOCTYPE a [ x ]><a/>", (1, 15, Doctype)),
        ("<!DOCTYPE a [ ", (1, 1, UnexpectedEnd)),
    ] {
        assert_eq!(error(text.as_bytes()), expected, "{text}");
    }
    assert_eq!(error(b"<a>\n\xff</a>"), (2, 1, Encoding));
    let names: String = (0..20).fold(String::new(), |mut names, index| {
        write!(names, " a{index}='' ").expect("a string");
        names
    });
    assert_eq!(
        error(format!("<a {names} a7=''/>").as_bytes()).2,
        DuplicateAttribute
    );
}

#[test]
fn lenient_reading_recovers() {
    let rewriter = support::recording().ill_formed_xml(IllFormedPolicy::Recover);
    for (body, expected) in [
        (
            "1 < 2 & 3 &x; ]]><a href='x'/>",
            "1 < 2 & 3 &x; ]]><a href='http://h/d/x'/>",
        ),
        (
            "<p><b></p><a href='x'/>",
            "<p><b></p><a href='http://h/d/x'/>",
        ),
        ("</i><a href='x'/>", "</i><a href='http://h/d/x'/>"),
        (
            "<a href='x' href='y'/>",
            "<a href='http://h/d/x' href='y'/>",
        ),
        ("<a href='x?a&b'/>", "<a href='http://h/d/x?a&b'/>"),
        ("\u{1}<a href='x'/>", "\u{1}<a href='http://h/d/x'/>"),
        (
            "<a href='x'/><!-- <a href='y'/>",
            "<a href='http://h/d/x'/><!-- <a href='y'/>",
        ),
    ] {
        assert_eq!(rewrite_with(&rewriter, &xhtml(body)), xhtml(expected));
    }
}

#[test]
fn the_encoding_is_that_of_bom_transport_or_declaration() {
    let text = "<?xml version='1.0' encoding='windows-1251'?><a xmlns='http://www.w3.org/1999/xhtml' title='ж' href='ж'/>";
    let expected = text.replace("href='ж'", "href='http://h/d/%D0%B6'");
    let bytes = |text: &str| encoding_rs::WINDOWS_1251.encode(text).0.into_owned();
    let source = bytes(text);
    let rewritten = support::recording().rewrite(&Document::xml(&source).retrieved_from(URL));
    assert_eq!(rewritten.bytes, bytes(&expected));
    // UTF-16 with a BOM, which the declaration cannot contradict.
    let utf_16 = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    let source = utf_16(text);
    let rewritten = support::recording().rewrite(&Document::xml(&source).retrieved_from(URL));
    assert_eq!(rewritten.bytes, utf_16(&expected));
    // The transport takes precedence over the declaration.
    let document = Document::xml(text.as_bytes())
        .retrieved_from(URL)
        .encoding("utf-8");
    assert_eq!(
        support::recording().rewrite(&document).bytes,
        expected.as_bytes()
    );
    // UTF-32 is not in the Encoding Standard.
    for text in [&b"\xff\xfe\0\0<\0\0\0a\0\0\0"[..], b"\0\0\0<\0\0\0a"] {
        let report = support::recording().links(&Document::xml(text));
        assert_eq!(report.unsupported, Some(Unsupported::NoEncoding));
    }
    let unknown = b"<?xml version='1.0' encoding='x-unknown'?><a/>";
    let report = support::recording().links(&Document::xml(unknown));
    assert_eq!(report.unsupported, Some(Unsupported::NoEncoding));
}

#[test]
fn queries_are_in_the_encoding_of_the_standard() {
    // HTML, "encoding-parse a URL": that of the document. IRIs (RFC 3987, section 3.1): UTF-8.
    for (text, expected) in [
        ("<a xmlns='http://www.w3.org/1999/xhtml' href='?ж'/>", "%E6"),
        ("<a xmlns='http://www.w3.org/2000/svg' href='?ж'/>", "%E6"),
        (
            "<feed xmlns='http://www.w3.org/2005/Atom'><link href='?ж'/></feed>",
            "%D0%B6",
        ),
        ("<rss><channel><link>?ж</link></channel></rss>", "%D0%B6"),
        ("<opml><body><outline xmlUrl='?ж'/></body></opml>", "%D0%B6"),
        (
            "<feed xmlns='http://www.w3.org/2005/Atom'><content type='html'>&lt;a href='?ж'></content></feed>",
            "%D0%B6",
        ),
    ] {
        let text = format!("<?xml version='1.0' encoding='windows-1251'?>{text}");
        let source = encoding_rs::WINDOWS_1251.encode(&text).0;
        let rewritten = support::recording().rewrite(&Document::xml(&source).retrieved_from(URL));
        let output = text.replace("?ж", &format!("http://h/d/p?{expected}"));
        assert_eq!(
            rewritten.bytes,
            encoding_rs::WINDOWS_1251.encode(&output).0,
            "{text}"
        );
    }
}

#[test]
fn every_way_to_rewrite_has_the_same_result() {
    let text = xhtml(
        "<p xml:base='a/'><a href='x'/><style>@import 'y';</style></p><img srcset='a, b 2x'/>",
    );
    let document = Document::xml(text.as_bytes()).retrieved_from(URL);
    let rewriter = support::recording();
    let collected = rewriter.rewrite(&document);
    let spliced = rewriter
        .clone()
        .link_detail(LinkDetail::SkippedOnly)
        .rewrite(&document);
    assert_eq!(collected.bytes, spliced.bytes);
    assert_eq!(collected.report.counts, spliced.report.counts);
    let asked = rewriter.rewrite_with(&document, |_| absolve::Decision::Resolve);
    assert_eq!(collected.bytes, asked.bytes);
    assert_eq!(collected.report.links, asked.report.links);
    assert_eq!(collected.report.links, rewriter.links(&document).links);
    let again = rewriter.rewrite(&Document::xml(&collected.bytes));
    assert_eq!(again.edited, 0);
}

/// Fails if reading `text` takes longer than a generous limit for linear time.
fn reads_fast(name: &str, text: &str) {
    let start = Instant::now();
    for policy in [IllFormedPolicy::Leave, IllFormedPolicy::Recover] {
        let rewriter = support::recording().ill_formed_xml(policy);
        let _ = rewriter.rewrite(&Document::xml(text.as_bytes()).retrieved_from(URL));
    }
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(20), "{name}: {elapsed:?}");
}

#[test]
fn time_is_linear() {
    const COUNT: usize = 200_000;
    let html = |inner: &str| format!("<a xmlns='http://www.w3.org/1999/xhtml'>{inner}</a>");
    let numbered = |write: &dyn Fn(usize) -> String| (0..COUNT).map(write).collect::<String>();
    reads_fast(
        "nesting",
        &html(&("<b>".repeat(COUNT) + &"</b>".repeat(COUNT))),
    );
    reads_fast(
        "nested prefixes",
        &html(&numbered(&|index| format!("<b xmlns:p{index}='u'>"))),
    );
    reads_fast(
        "unmatched end tags",
        &html(&("<b>".repeat(COUNT) + &"</c>".repeat(COUNT))),
    );
    reads_fast(
        "attributes",
        &format!("<a {}/>", numbered(&|index| format!(" a{index}=''"))),
    );
    reads_fast(
        "equal attributes",
        &format!("<a {}/>", " a=''".repeat(COUNT)),
    );
    // The duplicates are those of attributes with many names, and with one canonical name.
    let repeated = |name: &str| {
        let declared = numbered(&|index| {
            format!(" xmlns:p{index}='http://www.w3.org/1999/xlink' p{index}:href='x'")
        });
        format!(
            "<{name} xmlns='http://www.w3.org/1999/xhtml' {declared}{}/>",
            " p7:href='y'".repeat(COUNT)
        )
    };
    reads_fast("duplicates", &repeated("a"));
    reads_fast("duplicates in BASE", &repeated("base"));
    reads_fast("references", &html(&"&amp;".repeat(COUNT)));
    reads_fast("open references", &html(&"&a".repeat(COUNT)));
    reads_fast("sections", &html(&"<![CDATA[x]]>".repeat(COUNT)));
    reads_fast("open sections", &html(&"<![CDATA[".repeat(COUNT)));
    reads_fast("open comments", &html(&"<!--".repeat(COUNT)));
    reads_fast("open instructions", &html(&"<?a ".repeat(COUNT)));
    reads_fast("open tags", &html(&"<a b='".repeat(COUNT)));
    reads_fast("less-than signs", &html(&"<".repeat(COUNT)));
    reads_fast(
        "sections in a style sheet",
        &html(&format!(
            "<style>{}</style>",
            "<![CDATA[@import 'x';]]>".repeat(COUNT)
        )),
    );
    reads_fast(
        "bases",
        &html(&"<b xml:base='x/'><a href='y'/></b>".repeat(COUNT)),
    );
    reads_fast(
        "nested bases",
        &html(
            &("<b xml:base='x/'>".repeat(256)
                + &"<a href='y'/>".repeat(COUNT)
                + &"</b>".repeat(256)),
        ),
    );
    let doctype = format!(
        "<!DOCTYPE a [{}]>",
        numbered(&|index| format!("<!ENTITY e{index} 'x'>"))
    );
    reads_fast(
        "entities",
        &(doctype + &html(&numbered(&|index| format!("&e{index};")))),
    );
}

#[test]
fn billion_laughs_are_not_expanded() {
    let mut doctype = "<!DOCTYPE lolz [<!ENTITY lol0 'lol'>".to_owned();
    for level in 1..20 {
        let inner = format!("&lol{};", level - 1).repeat(10);
        write!(doctype, "<!ENTITY lol{level} '{inner}'>").expect("a string");
    }
    let text = format!("{doctype}]><a xmlns='http://www.w3.org/1999/xhtml'>&lol19;</a>");
    reads_fast("billion laughs", &text);
    assert_eq!(error(text.as_bytes()).2, IllFormedReason::EntityMarkup);
    // A long entity that is referred to often.
    let long = "x".repeat(1_000_000);
    let text = format!(
        "<!DOCTYPE a [<!ENTITY e '{long}'>]><a xmlns='&e;'>{}</a>",
        "<b xmlns='&e;' c='&e;'>&e;</b>".repeat(100_000)
    );
    reads_fast("quadratic blow-up", &text);
}

#[test]
fn too_many_nested_bases_are_refused() {
    let of = |count: usize| "<b xml:base='x/'>".repeat(count) + &"</b>".repeat(count);
    let text = format!("<a>{}</a>", of(256));
    let report = support::recording().links(&Document::xml(text.as_bytes()));
    assert_eq!(report.unsupported, None);
    assert_eq!(
        error(format!("<a>{}</a>", of(257)).as_bytes()).2,
        IllFormedReason::TooDeep
    );
}

/// Pieces of documents, which are put together at random.
const PIECES: &[&str] = &[
    "<html xmlns='http://www.w3.org/1999/xhtml'>",
    "</html>",
    "<head>",
    "</head>",
    "<base href='b/'/>",
    "<a href='x'/>",
    "<a href=\"?a&amp;b\">",
    "</a>",
    "<p xml:base='p/'>",
    "</p>",
    "<svg xmlns='http://www.w3.org/2000/svg'>",
    "</svg>",
    "<image l:href='i' xmlns:l='http://www.w3.org/1999/xlink'/>",
    "<style>@import 'y';</style>",
    "<style>",
    "</style>",
    "<rss xmlns:c='http://purl.org/rss/1.0/modules/content/'>",
    "</rss>",
    "<channel>",
    "</channel>",
    "<item>",
    "</item>",
    "<item xml:base='/i/'>",
    "<link>l/</link>",
    "<link>",
    "</link>",
    "<description>&lt;a href='d'></description>",
    "<description><![CDATA[<img src=e>]]></description>",
    "<item><link>http://[::1]/x/</link>",
    "<![CDATA[<a href='f#g' href=h><img srcset='i, j 2x'><a href=]></a>]]>",
    "<![CDATA[<!-- --><base href='k/'><p style='a:url(l)' srcdoc=m>]]>",
    "<c:encoded>",
    "</c:encoded>",
    "<guid>g</guid>",
    "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='f/'>",
    "</feed>",
    "<content type='html'>",
    "</content>",
    "&lt;img src='z'>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?p",
    "?>",
    "&amp;",
    "&#47;",
    "&e;",
    "&e.f;",
    "<a href='g?h&e.f;i'/>",
    "<a style='j: \"k\nl; m: url(n)'/>",
    "&",
    "<",
    ">",
    "\"",
    "'",
    "<!DOCTYPE a [<!ENTITY e 'x'>]>",
    "<?xml-stylesheet href='s'?>",
    "text",
    " ",
    "\n",
    "\r",
    "é",
    "\u{1}",
    "]]",
];

/// XML 1.0 sections 2.3 (names) and 3.3.3: an entity may have any name, and a line break in an attribute is a space.
#[test]
fn attribute_values_are_read_as_xml_defines_them() {
    let entities = "<!DOCTYPE html [<!ENTITY e.f 'http://x/'><!ENTITY é 'x'><!ENTITY g_h 'x'>]>";
    for (attribute, expected) in [
        // The value begins with the text of the entity, which is no relative reference.
        ("href='&e.f;c'", None),
        ("href='d?&g_h;'", None),
        ("href='d?&é;'", None),
        ("href='d?&amp;e.f'", Some("href='http://h/d?&amp;e.f'")),
        // The string ends at the second quotation mark, so `url(` is in it.
        ("style='a: \"b\nc; d: url(e)\"'", None),
        (
            "style='a: \"b\nc\"; d: url(e)'",
            Some("style='a: \"b\nc\"; d: url(http://h/e)'"),
        ),
    ] {
        let page = |attribute| {
            format!(
                "{entities}<html xmlns='http://www.w3.org/1999/xhtml'><p><a {attribute}/></p></html>"
            )
        };
        let text = page(attribute);
        let document = Document::xml(text.as_bytes()).retrieved_from("http://h/");
        for detail in [LinkDetail::All, LinkDetail::SkippedOnly] {
            let rewritten = support::recording().link_detail(detail).rewrite(&document);
            assert_eq!(
                String::from_utf8_lossy(&rewritten.bytes),
                page(expected.unwrap_or(attribute))
            );
        }
        data_invariants::xml(text.as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn invariants_hold_for_random_documents(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..14)) {
        data_invariants::xml(pieces.concat().as_bytes());
    }

    /// Documents that are mostly well-formed: the pieces are in an element.
    #[test]
    fn invariants_hold_for_random_content(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..6), is_feed in any::<bool>()) {
        let content = pieces.concat();
        let text = if is_feed {
            format!("<rss><channel><item>{content}</item><link>http://c/</link></channel></rss>")
        } else {
            format!("<html xmlns='http://www.w3.org/1999/xhtml'><body>{content}</body></html>")
        };
        data_invariants::xml(text.as_bytes());
    }
}
