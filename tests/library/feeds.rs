//! Feeds, outlines and sitemaps: elements whose text is a link, content with base URLs of its own, identifiers.

use absolve::stream::BufferedReason;
use absolve::{
    BaseSource, Decision, Document, DocumentKind, Limit, Outcome, Profile, Rewriter, Role,
    SkipReason, Unsupported,
};
use support::rewritten::{rewritten, streamed};

const URL: &str = "http://h/f/feed";

fn rewrite(text: &str) -> String {
    rewrite_with(&support::recording(), text)
}

fn rewrite_with(rewriter: &Rewriter, text: &str) -> String {
    let document = Document::xml(text.as_bytes()).retrieved_from(URL);
    rewritten(rewriter, &document)
}

/// Returns an RSS document whose channel has this content.
fn rss(channel: &str) -> String {
    format!(
        "<rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" xmlns:media=\"http://search.yahoo.com/mrss/\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" xmlns:wfw=\"http://wellformedweb.org/CommentAPI/\" xmlns:a=\"http://www.w3.org/2005/Atom\"><channel>{channel}</channel></rss>"
    )
}

/// Returns an Atom document with this content.
fn atom(feed: &str) -> String {
    format!("<feed xmlns=\"http://www.w3.org/2005/Atom\">{feed}</feed>")
}

#[test]
fn text_and_attributes_of_feeds_are_links() {
    for (channel, expected) in [
        ("<link>x</link>", "<link>http://h/f/x</link>"),
        (
            "<link>\n x?a&amp;b\n</link>",
            "<link>\n http://h/f/x?a&amp;b\n</link>",
        ),
        (
            "<link><![CDATA[x?a&b]]></link>",
            "<link><![CDATA[http://h/f/x?a&b]]></link>",
        ),
        (
            "<link><!-- c -->x</link>",
            "<link><!-- c -->http://h/f/x</link>",
        ),
        ("<link>http://x/y</link>", "<link>http://x/y</link>"),
        ("<link/>", "<link/>"),
        (
            "<docs>x</docs><image><url>y</url><link>z</link></image>",
            "<docs>http://h/f/x</docs><image><url>http://h/f/y</url><link>http://h/f/z</link></image>",
        ),
        (
            "<item><comments>x</comments><enclosure url='y'/><source url='z'>t</source></item>",
            "<item><comments>http://h/f/x</comments><enclosure url='http://h/f/y'/><source url='http://h/f/z'>t</source></item>",
        ),
        (
            "<itunes:image href='x'/><media:content url='y'/><media:thumbnail url='z'/><wfw:commentRss>w</wfw:commentRss><a:link href='v'/>",
            "<itunes:image href='http://h/f/x'/><media:content url='http://h/f/y'/><media:thumbnail url='http://h/f/z'/><wfw:commentRss>http://h/f/w</wfw:commentRss><a:link href='http://h/f/v'/>",
        ),
        // Not links.
        (
            "<title>x</title><generator>y</generator><a:title>z</a:title>",
            "<title>x</title><generator>y</generator><a:title>z</a:title>",
        ),
    ] {
        assert_eq!(rewrite(&rss(channel)), rss(expected));
    }
    for (feed, expected) in [
        (
            "<link href='x'/><icon>y</icon><logo>z</logo><generator uri='g'>G</generator>",
            "<link href='http://h/f/x'/><icon>http://h/f/y</icon><logo>http://h/f/z</logo><generator uri='http://h/f/g'>G</generator>",
        ),
        (
            "<entry><author><uri>x</uri></author><content src='y' type='image/png'/><category scheme='z'/></entry>",
            "<entry><author><uri>http://h/f/x</uri></author><content src='http://h/f/y' type='image/png'/><category scheme='z'/></entry>",
        ),
    ] {
        assert_eq!(rewrite(&atom(feed)), atom(expected));
    }
}

/// RFC 4287 section 4.2.7.2: a link without `rel` has the link type `alternate`.
#[test]
fn a_link_of_atom_without_rel_is_alternate() {
    for (attributes, role) in [
        ("", Role::Navigation),
        ("rel='alternate'", Role::Navigation),
        ("rel='icon'", Role::Resource),
    ] {
        let text = atom(&format!("<link href='g' {attributes}/>"));
        let links = support::recording()
            .links(&Document::xml(text.as_bytes()))
            .links;
        let roles: Vec<Role> = links.iter().map(|report| report.link.role).collect();
        assert_eq!(roles, [role], "{attributes}");
    }
    // In HTML, a `link` without `rel` has no meaning.
    let text = "<html xmlns='http://www.w3.org/1999/xhtml'><head><link href='g'/></head></html>";
    let links = support::recording()
        .links(&Document::xml(text.as_bytes()))
        .links;
    assert_eq!(links[0].link.role, Role::Resource);
}

/// Atom 0.3 section 3.1.2: `mode="base64"` means that the content is encoded.
#[test]
fn html_in_base64_is_reported() {
    // The HTML is `<a href="x">y</a>`.
    let content = "<content type='text/html' mode='base64'>PGEgaHJlZj0ieCI+eTwvYT4=</content>";
    let feed =
        |content| format!("<feed xmlns='http://purl.org/atom/ns#'><entry>{content}</entry></feed>");
    for (content, reasons) in [
        (content, &[SkipReason::Encoded][..]),
        (
            "<content type='text/html' mode='base64'><![CDATA[PGE+]]></content>",
            &[SkipReason::Encoded],
        ),
        ("<content type='text/html' mode='base64'> </content>", &[]),
        (
            "<content type='image/png' mode='base64'>iVBORw0=</content>",
            &[],
        ),
        (
            "<content type='text/html' mode='escaped'>PGE+</content>",
            &[],
        ),
    ] {
        let text = feed(content);
        assert_eq!(rewrite(&text), text);
        let document = Document::xml(text.as_bytes()).retrieved_from(URL);
        let report = support::recording().rewrite(&document).report;
        let found = report.links.iter().map(|report| match report.outcome {
            Outcome::Skipped(reason) => reason,
            ref other => panic!("{other:?}"),
        });
        assert_eq!(found.collect::<Vec<_>>(), reasons, "{content}");
    }
    assert!(SkipReason::Encoded.is_failure());
}

#[test]
fn other_formats_have_links() {
    for (text, expected) in [
        (
            "<opml version='2.0'><body><outline xmlUrl='x' htmlUrl='y' url='z' text='t'/></body></opml>",
            "<opml version='2.0'><body><outline xmlUrl='http://h/f/x' htmlUrl='http://h/f/y' url='http://h/f/z' text='t'/></body></opml>",
        ),
        (
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:i='http://www.google.com/schemas/sitemap-image/1.1' xmlns:x='http://www.w3.org/1999/xhtml'><url><loc>/x</loc><i:image><i:loc>y</i:loc></i:image><x:link rel='alternate' href='z'/></url></urlset>",
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:i='http://www.google.com/schemas/sitemap-image/1.1' xmlns:x='http://www.w3.org/1999/xhtml'><url><loc>http://h/x</loc><i:image><i:loc>http://h/f/y</i:loc></i:image><x:link rel='alternate' href='http://h/f/z'/></url></urlset>",
        ),
        (
            "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>/x</loc></sitemap></sitemapindex>",
            "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>http://h/x</loc></sitemap></sitemapindex>",
        ),
        (
            "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><channel r:about='c'><items><r:Seq><r:li r:resource='i'/></r:Seq></items></channel><item r:about='i'><link>i</link></item></r:RDF>",
            "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><channel r:about='http://h/f/c'><items><r:Seq><r:li r:resource='http://h/f/i'/></r:Seq></items></channel><item r:about='http://h/f/i'><link>http://h/f/i</link></item></r:RDF>",
        ),
        (
            "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><entry><link href='x'/><content type='text/html' mode='escaped'>&lt;a href='y'></content></entry></feed>",
            "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><entry><link href='http://h/f/x'/><content type='text/html' mode='escaped'>&lt;a href='http://h/f/y'></content></entry></feed>",
        ),
    ] {
        assert_eq!(rewrite(text), expected);
    }
}

#[test]
fn escaped_html_is_a_document() {
    for (item, expected) in [
        (
            "<description>&lt;a href=\"x?a&amp;amp;b\"&gt;&lt;img src='y'&gt;</description>",
            "<description>&lt;a href=\"http://h/f/x?a&amp;amp;b\"&gt;&lt;img src='http://h/f/y'&gt;</description>",
        ),
        (
            "<content:encoded><![CDATA[<p><a href=\"x?a&b\">1</a><img srcset='y, z 2x'></p>]]></content:encoded>",
            "<content:encoded><![CDATA[<p><a href=\"http://h/f/x?a&b\">1</a><img srcset='http://h/f/y, http://h/f/z 2x'></p>]]></content:encoded>",
        ),
        // A section and text; and a section that is split so that it can contain its end.
        (
            "<description>&lt;a <![CDATA[href=x>]]>&lt;b><![CDATA[]]]]><![CDATA[><img src=y>]]></description>",
            "<description>&lt;a <![CDATA[href=http://h/f/x>]]>&lt;b><![CDATA[]]]]><![CDATA[><img src=http://h/f/y>]]></description>",
        ),
        // References in a section are text, so they are not entities of XML.
        (
            "<description><![CDATA[&nbsp;<a href='x'>&mdash;</a>]]></description>",
            "<description><![CDATA[&nbsp;<a href='http://h/f/x'>&mdash;</a>]]></description>",
        ),
        // Escaped twice: the inner markup is text of the outer one, and so are entities of HTML.
        (
            "<description>&amp;lt;a href='x'&amp;gt; &amp;nbsp;&lt;a href='y'></description>",
            "<description>&amp;lt;a href='x'&amp;gt; &amp;nbsp;&lt;a href='http://h/f/y'></description>",
        ),
        // A document in the document.
        (
            "<description>&lt;iframe srcdoc=\"&amp;lt;a href='x'>\"></description>",
            "<description>&lt;iframe srcdoc=\"&amp;lt;a href='http://h/f/x'>\"></description>",
        ),
        // HTML's BASE counts in it.
        (
            "<description>&lt;base href='http://b/c/'>&lt;a href='x'></description>",
            "<description>&lt;base href='http://b/c/'>&lt;a href='http://b/c/x'></description>",
        ),
        (
            "<description>1 &lt; 2 &amp; x</description>",
            "<description>1 &lt; 2 &amp; x</description>",
        ),
    ] {
        let of = |content: &str| rss(&format!("<item>{content}</item>"));
        assert_eq!(rewrite(&of(item)), of(expected));
    }
}

#[test]
fn content_of_rss_has_the_base_of_its_item() {
    let html = "<description>&lt;a href='x'></description>";
    let with = |base: &str| format!("<description>&lt;a href='{base}x'></description>");
    for (channel, expected) in [
        // The link may follow the content.
        (
            format!("<item>{html}<link>http://i/j/k</link></item>"),
            format!("<item>{}<link>http://i/j/k</link></item>", with("http://i/j/")),
        ),
        (
            format!("<item><link>i/k</link>{html}</item><item>{html}</item>"),
            format!("<item><link>http://h/f/i/k</link>{}</item><item>{}</item>", with("http://h/f/i/"), with("http://h/f/")),
        ),
        // The link of the channel is next, also if it follows.
        (
            format!("{html}<item>{html}</item><link>http://c/</link>"),
            format!("{0}<item>{0}</item><link>http://c/</link>", with("http://c/")),
        ),
        // The link of an image is not that of the channel.
        (
            format!("<image><link>http://no/</link></image><item>{html}</item>"),
            format!("<image><link>http://no/</link></image><item>{}</item>", with("http://h/f/")),
        ),
        // `xml:base` comes first.
        (
            format!("<item xml:base='http://b/'><link>http://i/</link>{html}</item>"),
            format!("<item xml:base='http://b/'><link>http://i/</link>{}</item>", with("http://b/")),
        ),
        (
            "<item><link>http://i/</link><description xml:base='http://b/'>&lt;a href='x'></description></item>".to_owned(),
            "<item><link>http://i/</link><description xml:base='http://b/'>&lt;a href='http://b/x'></description></item>".to_owned(),
        ),
        // A link that is no base is ignored.
        (
            format!("<item><link>mailto:i</link>{html}</item>"),
            format!("<item><link>mailto:i</link>{}</item>", with("http://h/f/")),
        ),
        // Other links of the item are not content.
        (
            "<item><link>http://i/</link><comments>x</comments><enclosure url='y'/></item>".to_owned(),
            "<item><link>http://i/</link><comments>http://h/f/x</comments><enclosure url='http://h/f/y'/></item>".to_owned(),
        ),
    ] {
        assert_eq!(rewrite(&rss(&channel)), rss(&expected));
    }
    // In RSS 1.0, items are outside the channel.
    let rdf = |description: &str, item: &str| {
        format!(
            "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><channel><link>http://c/</link></channel><item>{description}</item><item><link>http://i/</link>{item}</item></r:RDF>"
        )
    };
    assert_eq!(
        rewrite(&rdf(html, html)),
        rdf(&with("http://c/"), &with("http://i/"))
    );
    // Without any URL from outside, the link of the item suffices.
    let text = rss(&format!("<item><link>http://i/</link>{html}</item>"));
    let rewritten = support::recording().rewrite(&Document::xml(text.as_bytes()));
    assert_eq!(
        String::from_utf8_lossy(&rewritten.bytes),
        text.replace(html, &with("http://i/"))
    );
    let nested = rewritten.report.links.last().expect("a link");
    let base = nested.base.as_ref().expect("a base URL");
    assert_eq!(
        (&*base.url, base.source),
        ("http://i/", BaseSource::EncapsulatingEntity)
    );
}

#[test]
fn content_of_atom_has_the_base_of_its_element() {
    // RFC 4287 section 2: `xml:base`, otherwise RFC 3986 section 5.1; a link is no base.
    for (feed, expected) in [
        (
            "<entry><link href='http://i/'/><content type='html'>&lt;a href='x'></content></entry>",
            "<entry><link href='http://i/'/><content type='html'>&lt;a href='http://h/f/x'></content></entry>",
        ),
        (
            "<entry xml:base='/e/'><content type='html' xml:base='c/'>&lt;a href='x'></content><summary type='html'>&lt;a href='y'></summary></entry>",
            "<entry xml:base='http://h/e/'><content type='html' xml:base='http://h/e/c/'>&lt;a href='http://h/e/c/x'></content><summary type='html'>&lt;a href='http://h/e/y'></summary></entry>",
        ),
        (
            "<entry><content type='xhtml' xml:base='http://b/'><div xmlns='http://www.w3.org/1999/xhtml'><a href='x'/><p xml:base='p/'><img src='y'/></p></div></content></entry>",
            "<entry><content type='xhtml' xml:base='http://b/'><div xmlns='http://www.w3.org/1999/xhtml'><a href='http://b/x'/><p xml:base='http://b/p/'><img src='http://b/p/y'/></p></div></content></entry>",
        ),
        // Text and other types are not HTML.
        (
            "<title>&lt;a href='x'></title><title type='text'>&lt;a href='x'></title><entry><content type='text/plain'>&lt;a href='x'></content></entry>",
            "<title>&lt;a href='x'></title><title type='text'>&lt;a href='x'></title><entry><content type='text/plain'>&lt;a href='x'></content></entry>",
        ),
        (
            "<title type='html'>&lt;a href='x'></title><rights type='html'>&lt;a href='y'></rights>",
            "<title type='html'>&lt;a href='http://h/f/x'></title><rights type='html'>&lt;a href='http://h/f/y'></rights>",
        ),
    ] {
        assert_eq!(rewrite(&atom(feed)), atom(expected));
    }
    // Browsers ignore `xml:base`.
    let text = atom("<entry xml:base='/e/'><link href='x'/></entry>");
    let rewriter = support::recording().profile(Profile::Whatwg);
    assert_eq!(
        rewrite_with(&rewriter, &text),
        text.replace("'x'", "'http://h/f/x'")
    );
}

#[test]
fn identifiers_never_change() {
    for text in [
        atom("<id>x</id><entry><id>/y</id></entry>"),
        rss("<item><guid>x</guid><guid isPermaLink='true'>/y</guid><guid isPermaLink='false'>z</guid></item>"),
        rss("<item><guid>http://h/a</guid></item>"),
        "<a xmlns='urn:x' xmlns:y='y' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='a b'/>".to_owned(),
    ] {
        let rewriter = support::recording().map("http://h/", "http://mapped/");
        assert_eq!(rewrite_with(&rewriter, &text), text);
        let document = Document::xml(text.as_bytes()).retrieved_from(URL);
        let asked = rewriter.rewrite_with(&document, |_| Decision::Replace("no".to_owned()));
        assert_eq!(String::from_utf8_lossy(&asked.bytes), text);
    }
    let text = atom("<id>x</id><entry><id>tag:y</id></entry>");
    let report = support::recording().links(&Document::xml(text.as_bytes()).retrieved_from(URL));
    let outcomes: Vec<_> = report.links.into_iter().map(|link| link.outcome).collect();
    assert_eq!(
        outcomes,
        [Outcome::Skipped(SkipReason::Identifier), Outcome::Absolute]
    );
}

#[test]
fn a_cdata_section_never_gains_its_end() {
    // The target contains the end, because nothing in it is escaped.
    let rewriter = support::recording().escape(absolve::Escape::None);
    let text = rss("<item><link>http://i/]]>/</link></item>");
    let text = text.replace("]]>", "]]&gt;").replace(
        "</link>",
        "</link><description><![CDATA[<a href='x'>]]></description>",
    );
    let document = Document::xml(text.as_bytes());
    let rewritten = rewriter.rewrite(&document);
    assert_eq!(String::from_utf8_lossy(&rewritten.bytes), text);
    let skipped: Vec<_> = rewritten.skipped().map(|link| &link.outcome).collect();
    assert_eq!(skipped, [&Outcome::Skipped(SkipReason::Unwritable)]);
}

#[test]
fn spans_in_a_cdata_section_are_those_of_the_references() {
    for (section, links) in [
        ("<![CDATA[<a href=x>y</a> <img srcset='i, j 2x'>]]>", 3),
        ("\n<![CDATA[<a href=x>y</a>]]>", 1),
        (
            "<![CDATA[<a href='x'>]]><!-- --><![CDATA[<b href=y><a href=z>]]>",
            2,
        ),
    ] {
        let text = rss(&format!(
            "<item><description>{section}</description></item>"
        ));
        let document = Document::xml(text.as_bytes()).retrieved_from(URL);
        let listed = support::recording().links(&document).links;
        let decided = support::recording().rewrite_with(&document, |_| Decision::Keep);
        for found in [&listed, &decided.report.links] {
            assert_eq!(found.len(), links, "{section}");
            for link_report in found {
                let span = link_report.link.span.expect("a span");
                assert_eq!(text[span.start..span.end], link_report.link.reference);
            }
        }
    }
}

/// A base URL that a CDATA section may not be able to contain, and references that need more than a prefix.
#[test]
fn any_target_is_written_in_a_cdata_section() {
    let section = |link: &str, content: &str| {
        rewrite(&rss(&format!(
            "<item><link>{link}</link><description><![CDATA[{content}]]></description></item>"
        )))
    };
    for (link, content, expected) in [
        (
            "http://[::1]/d/",
            "<a href=x>]</a><a href='y'>",
            "<a href=http://[::1]/d/x>]</a><a href='http://[::1]/d/y'>",
        ),
        (
            "http://i/?a&amp;b",
            "<a href=''>",
            "<a href='http://i/?a&amp;b'>",
        ),
        (
            "http://i/",
            "<base href='k/'><a href=x>",
            "<base href='http://i/k/'><a href=http://i/k/x>",
        ),
        (
            "http://i/",
            "<p style='a: url(\"x\")'><iframe srcdoc='<a href=y>'></iframe>",
            "<p style='a: url(\"http://i/x\")'><iframe srcdoc='<a href=http://i/y>'></iframe>",
        ),
    ] {
        let rewritten = section(link, content);
        let (_, rest) = rewritten.split_once("<![CDATA[").expect("a section");
        assert_eq!(rest.split_once("]]>").expect("its end").0, expected);
    }
}

#[test]
fn the_root_element_determines_the_kind() {
    for text in [rss(""), atom(""), "<opml/>".to_owned()] {
        assert_eq!(
            DocumentKind::sniff(text.as_bytes()),
            DocumentKind::Xml,
            "{text}"
        );
    }
    for text in ["<feed/>", "<a xmlns='urn:x'/>", "<html/>", "rss"] {
        assert_eq!(
            DocumentKind::sniff(text.as_bytes()),
            DocumentKind::Html,
            "{text}"
        );
    }
    let late = format!("{}{}", " ".repeat(DocumentKind::SNIFF_LEN), rss(""));
    assert_eq!(
        DocumentKind::sniff_whole(late.as_bytes()),
        DocumentKind::Html
    );
}

/// Documents that are read in several segments: what follows a segment may concern its links.
#[test]
fn long_documents_are_read_in_segments() {
    let item = "<item><description>&lt;a href='x'></description></item>".repeat(200);
    let expected_items = |base: &str| item.replace("'x'", &format!("'{base}x'"));
    let link = "<link>http://c/</link>";
    let paragraphs = "<p><a href='x'/></p>".repeat(200);
    let xhtml = |body: &str| {
        format!("<html xmlns='http://www.w3.org/1999/xhtml'><head/><body>{body}</body></html>")
    };
    let expected_paragraphs = |base: &str| paragraphs.replace("'x'", &format!("'{base}x'"));
    let entry = "<entry xml:base='/e/'><link href='x'/></entry>".repeat(200);
    for (text, expected) in [
        (rss(&item), rss(&expected_items("http://h/f/"))),
        // The link of the channel, before and after its items.
        (
            rss(&format!("{link}{item}")),
            rss(&format!("{link}{}", expected_items("http://c/"))),
        ),
        (
            rss(&format!("{item}{link}")),
            rss(&format!("{}{link}", expected_items("http://c/"))),
        ),
        (
            atom(&entry),
            atom(
                &entry
                    .replace("'/e/'", "'http://h/e/'")
                    .replace("'x'", "'http://h/e/x'"),
            ),
        ),
        (
            xhtml(&paragraphs),
            xhtml(&expected_paragraphs("http://h/f/")),
        ),
        // A BASE outside HEAD has no effect in this profile.
        (
            xhtml(&format!("{paragraphs}<base href='http://b/'/>")),
            xhtml(&format!(
                "{}<base href='http://b/'/>",
                expected_paragraphs("http://h/f/")
            )),
        ),
    ] {
        assert_eq!(rewrite(&text), expected);
        // A callback reads the document as a whole, and so does the reference reader.
        let document = Document::xml(text.as_bytes()).retrieved_from(URL);
        let rewritten = support::recording().rewrite(&document);
        let decided = support::recording().rewrite_with(&document, |_| Decision::Resolve);
        assert_eq!(decided.report, rewritten.report);
        // An error at the end leaves all of it.
        let cut = &text[..text.len() - 1];
        let left = support::recording().rewrite(&Document::xml(cut.as_bytes()));
        assert_eq!(&*left.bytes, cut.as_bytes());
        assert!(left.report.unsupported.is_some());
    }
    let text = xhtml(&format!("{paragraphs}<base href='http://b/'/>"));
    assert_eq!(
        rewrite_with(&support::recording().profile(Profile::Whatwg), &text),
        xhtml(&format!(
            "{}<base href='http://b/'/>",
            expected_paragraphs("http://b/")
        ))
    );
    // An error takes precedence over a limit that is exceeded before it.
    let limited = support::recording().limit(Limit::Links, 0);
    let report = |text: &str| limited.links(&Document::xml(text.as_bytes())).unsupported;
    let text = xhtml(&"<a ping='x x x x x x x x'/>".repeat(200));
    assert_eq!(
        report(&text),
        Some(Unsupported::LimitExceeded(Limit::Links))
    );
    let cut = report(&text[..text.len() - 1]);
    assert!(matches!(cut, Some(Unsupported::IllFormed(_))), "{cut:?}");
}

#[test]
fn a_stream_has_the_output_of_the_whole() {
    let rewriter = support::recording();
    let outside = || Document::xml(b"").retrieved_from(URL);
    let item = "<item xml:base='b/'><description>&lt;a href='x'></description><link>i/</link><guid>g</guid></item><item><title>t</title><description><![CDATA[<img src=y> </description>]]></description></item>";
    let texts = [
        rss(&format!("{}<link>http://c/</link>", item.repeat(40))),
        format!("\u{feff}{}", atom(&"<entry xml:base='e/'><link href='x'/><content type='html'>&lt;img src='y'></content></entry>".repeat(60))),
        format!("<?xml version='1.0'?><?xml-stylesheet href='s.css'?><html xmlns='http://www.w3.org/1999/xhtml' xml:base='/r/'><head><base href='http://b/'/></head><body>{}</body></html>", "<p xml:base='p/'><a href='x'/>é&#x2f;<style>@import 'y';</style></p>".repeat(60)),
    ];
    for text in &texts {
        let content = text.as_bytes();
        let expected = rewriter.rewrite(&Document::xml(content).retrieved_from(URL));
        let mut count = 0;
        for length in [1, 64, 200, 700, 3000] {
            let (output, report) = streamed(&rewriter, &outside(), content, length);
            assert_eq!(
                String::from_utf8_lossy(&output),
                String::from_utf8_lossy(&expected.bytes),
                "{length}"
            );
            assert_eq!(report.report.counts, expected.report.counts, "{length}");
            assert_eq!(
                (report.read, report.written),
                (content.len() as u64, output.len() as u64)
            );
            count += usize::from(report.buffered.is_none());
        }
        assert!(count >= 2, "{text}");
    }
    // An error at the end leaves all of the document.
    let text = rss(&item.repeat(40)).replace("</channel>", "");
    let (output, report) = streamed(&rewriter, &outside(), text.as_bytes(), 700);
    assert_eq!(output, text.as_bytes());
    assert_eq!(report.buffered, Some(BufferedReason::Xml));
    assert!(report.report.unsupported.is_some());
}
