//! The links in header fields of the response or message around a document, which are listed and never written.
//!
//! Each is read like the element that HTML has in place of the field, and reported as an attribute of an element
//! `#header`, which no document can contain.

use std::fmt::Write as _;

use super::in_memory;
use crate::document::Document;
use crate::grammar::link_header;
use crate::html::charref::escape;
use crate::link::{Preset, Selection};
use crate::markup::attribute::Quoting;
use crate::record::LinkReport;
use crate::settings::RewriteSettings;

/// Returns the links in the header fields of `document`.
///
/// # Source
/// RFC 8288 section 3.2, RFC 9110 sections 8.7 and 10.2.2, HTML, "shared declarative refresh steps": the base URL is
/// that of the response, whatever the content contains.
pub(crate) fn header_links(
    settings: &RewriteSettings,
    document: &Document<'_>,
) -> Vec<LinkReport<'static>> {
    if document.header_fields.is_empty() || !settings.selection.has(Preset::Html) {
        return Vec::new();
    }
    let mut markup = String::new();
    for (name, value) in document.header_fields {
        let mut add = |before: &str, value: &str| {
            let value = escape(value, Quoting::Double);
            // Writing to a string cannot fail.
            let _ = write!(markup, "<{before}=\"{value}\">");
        };
        match &*name.to_ascii_lowercase() {
            "content-location" => add("img longdesc", value),
            "location" => add("area href", value),
            "refresh" => add("meta http-equiv=refresh content", value),
            "link" => link_header(value).for_each(|(reference, rel)| {
                let rel = escape(rel, Quoting::Double);
                add(&format!("link rel=\"{rel}\" href"), reference);
            }),
            _ => {}
        }
    }
    let fields = Document::new(markup.as_bytes()).encoding("utf-8");
    let base = document.header_base.into_iter();
    let fields = base.fold(fields, Document::retrieved_from);
    let mut settings = settings.clone();
    settings.selection = Selection::default();
    let listed = in_memory::links(&settings, &fields).links.into_iter();
    let renamed = |mut link_report: LinkReport<'_>| {
        let link = &mut link_report.link;
        link.attribute = match &*link.element {
            "img" => "content-location",
            "area" => "location",
            "meta" => "refresh",
            _ => "link",
        }
        .into();
        link.element = "#header".into();
        link.span = None;
        link_report.into_owned()
    };
    listed.map(renamed).collect()
}
