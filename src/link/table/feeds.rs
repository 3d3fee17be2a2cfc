//! The rows of feeds, outlines and sitemaps.
//!
//! Escaped HTML is a document of its own ([`BaseRule::Content`](crate::link::BaseRule::Content)). HTML that is not
//! escaped has the rows of HTML, because its elements are in that namespace. Identifiers are listed so that `check` can
//! report relative ones; they are never changed.

use super::row::{
    ATOM, ITUNES, JSON_FEED, MEDIA, OPML, PODCAST, RDF, RSS, RSS_CONTENT, RolesByRel, Row, SITEMAP,
    SITEMAP_IMAGE, SITEMAP_VIDEO, WFW, XML,
};
use crate::grammar::Grammar;
use crate::link::selector::Test;
use crate::link::{Role, TEXT};

/// The roles of `link`. Without `rel`, the link type is `alternate` (RFC 4287 section 4.2.7.2).
const LINK: RolesByRel = RolesByRel {
    alternate: Role::Navigation,
    absent: Role::Navigation,
};

/// The row of an Atom text construct whose `type` is that of HTML.
const fn text(element: &'static str, test: Test, kind: &'static str) -> Row {
    ATOM.row(element, TEXT, Role::Metadata, "RFC 4287 3.1; Atom 0.3 5")
        .when("type", test, kind)
        .grammar(Grammar::Html)
        .against_content()
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    ATOM.row("link", "href", Role::Navigation, "RFC 4287 4.2.7").role_by_rel(LINK).empty_is_base(),
    ATOM.row("content", "src", Role::Resource, "RFC 4287 4.1.3.2"),
    ATOM.row("generator", "uri", Role::Metadata, "RFC 4287 4.2.4"),
    ATOM.row("generator", "url", Role::Metadata, "Atom 0.3 4.7"),
    ATOM.row("icon", TEXT, Role::Resource, "RFC 4287 4.2.5"),
    ATOM.row("logo", TEXT, Role::Resource, "RFC 4287 4.2.8"),
    ATOM.row("uri", TEXT, Role::Metadata, "RFC 4287 3.2.2"),
    ATOM.row("url", TEXT, Role::Metadata, "Atom 0.3 3.2.2"),
    ATOM.row("id", TEXT, Role::Identifier, "RFC 4287 4.2.6").is_identifier(),
    text("content", Test::Is, "html"),
    text("content", Test::Is, "text/html"),
    text("title", Test::Is, "html"),
    text("title", Test::Is, "text/html"),
    text("summary", Test::Is, "html"),
    text("summary", Test::Is, "text/html"),
    text("subtitle", Test::Is, "html"),
    text("rights", Test::Is, "html"),
    text("tagline", Test::Is, "text/html"),
    text("copyright", Test::Is, "text/html"),
    text("info", Test::Is, "text/html"),
    RSS.row("link", TEXT, Role::Navigation, "RSS 2.0"),
    RSS.row("comments", TEXT, Role::Navigation, "RSS 2.0"),
    RSS.row("docs", TEXT, Role::Metadata, "RSS 2.0"),
    RSS.row("url", TEXT, Role::Resource, "RSS 2.0, image"),
    RSS.row("enclosure", "url", Role::Resource, "RSS 2.0"),
    RSS.row("source", "url", Role::Metadata, "RSS 2.0"),
    RSS.row("guid", TEXT, Role::Identifier, "RSS 2.0").when("isPermaLink", Test::IsNot, "false").is_identifier(),
    RSS.row("description", TEXT, Role::Metadata, "RSS 2.0").grammar(Grammar::Html).against_content(),
    RSS.row("fullitem", TEXT, Role::Metadata, "practice").grammar(Grammar::Html).against_content(),
    RSS_CONTENT.row("encoded", TEXT, Role::Metadata, "RSS 1.0 content module").grammar(Grammar::Html).against_content(),
    RSS.row("*", "rdf:about", Role::Identifier, "RDF/XML 2.14"),
    RSS.row("*", "rdf:resource", Role::Metadata, "RDF/XML 2.14"),
    RDF.row("*", "rdf:about", Role::Identifier, "RDF/XML 2.14"),
    RDF.row("*", "rdf:resource", Role::Metadata, "RDF/XML 2.14"),
    XML.row("*", "rdf:about", Role::Identifier, "RDF/XML 2.14"),
    XML.row("*", "rdf:resource", Role::Metadata, "RDF/XML 2.14"),
    MEDIA.row("content", "url", Role::Resource, "Media RSS 1.5"),
    MEDIA.row("thumbnail", "url", Role::Resource, "Media RSS 1.5"),
    MEDIA.row("player", "url", Role::Resource, "Media RSS 1.5"),
    MEDIA.row("embed", "url", Role::Resource, "Media RSS 1.5"),
    MEDIA.row("subTitle", "href", Role::Resource, "Media RSS 1.5"),
    MEDIA.row("peerLink", "href", Role::Resource, "Media RSS 1.5"),
    MEDIA.row("license", "href", Role::Metadata, "Media RSS 1.5"),
    MEDIA.row("description", TEXT, Role::Metadata, "Media RSS 1.5").when("type", Test::Is, "html").grammar(Grammar::Html).against_content(),
    ITUNES.row("image", "href", Role::Resource, "Podcasts Connect"),
    ITUNES.row("new-feed-url", TEXT, Role::Navigation, "Podcasts Connect"),
    PODCAST.row("transcript", "url", Role::Resource, "podcast namespace"),
    PODCAST.row("chapters", "url", Role::Resource, "podcast namespace"),
    PODCAST.row("funding", "url", Role::Navigation, "podcast namespace"),
    PODCAST.row("person", "href", Role::Navigation, "podcast namespace"),
    PODCAST.row("person", "img", Role::Resource, "podcast namespace"),
    WFW.row("comment", TEXT, Role::Action, "CommentAPI"),
    WFW.row("commentRSS", TEXT, Role::Navigation, "CommentAPI, common spelling"),
    WFW.row("commentRss", TEXT, Role::Navigation, "CommentAPI"),
    OPML.row("outline", "xmlUrl", Role::Navigation, "OPML 2.0"),
    OPML.row("outline", "htmlUrl", Role::Navigation, "OPML 2.0"),
    OPML.row("outline", "url", Role::Navigation, "OPML 2.0"),
    OPML.row("docs", TEXT, Role::Metadata, "OPML 2.0"),
    OPML.row("ownerId", TEXT, Role::Metadata, "OPML 2.0"),
    SITEMAP.row("loc", TEXT, Role::Navigation, "sitemaps.org"),
    SITEMAP_IMAGE.row("loc", TEXT, Role::Resource, "image sitemaps"),
    SITEMAP_IMAGE.row("license", TEXT, Role::Metadata, "image sitemaps"),
    SITEMAP_VIDEO.row("thumbnail_loc", TEXT, Role::Resource, "video sitemaps"),
    SITEMAP_VIDEO.row("content_loc", TEXT, Role::Resource, "video sitemaps"),
    SITEMAP_VIDEO.row("player_loc", TEXT, Role::Resource, "video sitemaps"),
    JSON_FEED.row("home_page_url", TEXT, Role::Navigation, "JSON Feed 1.1"),
    JSON_FEED.row("feed_url", TEXT, Role::Metadata, "JSON Feed 1.1"),
    JSON_FEED.row("next_url", TEXT, Role::Navigation, "JSON Feed 1.1"),
    JSON_FEED.row("icon", TEXT, Role::Resource, "JSON Feed 1.1"),
    JSON_FEED.row("favicon", TEXT, Role::Resource, "JSON Feed 1.1"),
    JSON_FEED.row("id", TEXT, Role::Identifier, "JSON Feed 1.1").is_identifier(),
    JSON_FEED.row("url", TEXT, Role::Navigation, "JSON Feed 1.1: items, authors, hubs, attachments"),
    JSON_FEED.row("external_url", TEXT, Role::Navigation, "JSON Feed 1.1"),
    JSON_FEED.row("image", TEXT, Role::Resource, "JSON Feed 1.1"),
    JSON_FEED.row("banner_image", TEXT, Role::Resource, "JSON Feed 1.1"),
    JSON_FEED.row("avatar", TEXT, Role::Resource, "JSON Feed 1.1"),
    JSON_FEED.row("content_html", TEXT, Role::Metadata, "JSON Feed 1.1").grammar(Grammar::Html).against_content(),
];
