//! The link table: one row for each attribute that holds references.
//!
//! Everything the crate knows about where links live is in [`ROWS`]; adding a link is adding a line. An attribute
//! that only looks like a link (`usemap`, `itemtype`, `script[for]`, namespaces) has no row and is never touched.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Role, Row};
use crate::html::Namespace;

/// Rows with a name of `*` hold for every element of the namespace that has no row of its own for the attribute.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    html("a", "href", Role::Navigation, "HTML, links").empty_is_base(),
    html("area", "href", Role::Navigation, "HTML, links").empty_is_base(),
    html("audio", "src", Role::Resource, "HTML, media elements"),
    html("video", "src", Role::Resource, "HTML, media elements"),
    html("video", "poster", Role::Resource, "HTML, video"),
    html("base", "href", Role::Base, "RFC 1808 section 10; HTML, base").against_fallback(),
    html("blockquote", "cite", Role::Metadata, "HTML"),
    html("q", "cite", Role::Metadata, "HTML"),
    html("del", "cite", Role::Metadata, "HTML"),
    html("ins", "cite", Role::Metadata, "HTML"),
    html("button", "formaction", Role::Action, "HTML, form submission"),
    html("input", "formaction", Role::Action, "HTML, form submission"),
    html("form", "action", Role::Action, "HTML"),
    html("input", "src", Role::Resource, "HTML, type=image"),
    html("embed", "src", Role::Resource, "HTML"),
    html("iframe", "src", Role::Resource, "HTML"),
    html("img", "src", Role::Resource, "HTML"),
    html("source", "src", Role::Resource, "HTML"),
    html("track", "src", Role::Resource, "HTML"),
    html("link", "href", Role::Resource, "HTML"),
    html("object", "data", Role::Resource, "HTML"),
    html("script", "src", Role::Resource, "HTML"),
    html("*", "itemid", Role::Identifier, "HTML, microdata"),
    html("portal", "src", Role::Resource, "WICG portals (abandoned)"),
    html("model", "src", Role::Resource, "W3C model element draft"),
    html("applet", "codebase", Role::Base, "HTML 4.01 DTD"),
    html("applet", "code", Role::Resource, "HTML 4.01 DTD").against_codebase(),
    html("applet", "object", Role::Resource, "HTML 4.01 DTD").against_codebase(),
    html("applet", "src", Role::Resource, "Netscape"),
    html("object", "classid", Role::Resource, "HTML 4.01 DTD").against_codebase(),
    html("object", "codebase", Role::Base, "HTML 4.01 DTD"),
    html("object", "code", Role::Resource, "HTML, obsolete features").against_codebase(),
    html("body", "background", Role::Resource, "HTML 4.01 DTD"),
    html("table", "background", Role::Resource, "HTML, rendering"),
    html("thead", "background", Role::Resource, "HTML, rendering"),
    html("tbody", "background", Role::Resource, "HTML, rendering"),
    html("tfoot", "background", Role::Resource, "HTML, rendering"),
    html("tr", "background", Role::Resource, "HTML, rendering"),
    html("td", "background", Role::Resource, "HTML, rendering"),
    html("th", "background", Role::Resource, "HTML, rendering"),
    html("img", "longdesc", Role::Metadata, "HTML 4.01 DTD"),
    html("frame", "longdesc", Role::Metadata, "HTML 4.01 DTD"),
    html("iframe", "longdesc", Role::Metadata, "HTML 4.01 DTD"),
    html("frame", "src", Role::Resource, "HTML 4.01 DTD frameset"),
    html("img", "lowsrc", Role::Resource, "Netscape"),
    html("input", "lowsrc", Role::Resource, "Netscape/IE"),
    html("img", "dynsrc", Role::Resource, "IE"),
    html("input", "dynsrc", Role::Resource, "IE"),
    html("img", "href", Role::Resource, "in the field"),
    html("html", "manifest", Role::Resource, "HTML5 (2014), the html element").against_fallback(),
    html("command", "icon", Role::Resource, "HTML5 drafts"),
    html("menuitem", "icon", Role::Resource, "HTML5 drafts"),
    html("bgsound", "src", Role::Resource, "IE"),
    html("embed", "href", Role::Navigation, "QuickTime"),
    html("embed", "pluginspage", Role::Navigation, "Netscape"),
    html("embed", "pluginurl", Role::Navigation, "Netscape"),
    html("embed", "qtsrc", Role::Resource, "QuickTime plug-in"),
    html("object", "qtsrc", Role::Resource, "QuickTime plug-in"),
    html("isindex", "action", Role::Action, "HTML"),
    html("isindex", "href", Role::Action, "HTML 3.0 draft"),
    html("layer", "src", Role::Resource, "Netscape 4"),
    html("ilayer", "src", Role::Resource, "Netscape 4"),
    html("layer", "background", Role::Resource, "Netscape 4"),
    html("ilayer", "background", Role::Resource, "Netscape 4"),
    html("fig", "src", Role::Resource, "HTML 3.0 draft"),
    html("overlay", "src", Role::Resource, "HTML 3.0 draft"),
    html("note", "src", Role::Resource, "HTML 3.0 draft"),
    html("xml", "src", Role::Resource, "IE data islands"),
    html("xmp", "href", Role::Resource, "in the field"),
    html("sound", "src", Role::Resource, "NCSA Mosaic"),
    html("link", "scope", Role::Metadata, "withdrawn rel=serviceworker"),
    html("meta", "content", Role::Navigation, "non-standard").when("http-equiv", "location"),
    html("v:fill", "src", Role::Resource, "VML (Outlook e-mail)"),
    html("v:imagedata", "src", Role::Resource, "VML (Outlook e-mail)"),
    html("v:stroke", "src", Role::Resource, "VML (Outlook e-mail)"),
    html("v:shape", "href", Role::Navigation, "VML (Outlook e-mail)"),
    html("v:rect", "href", Role::Navigation, "VML (Outlook e-mail)"),
    html("v:roundrect", "href", Role::Navigation, "VML (Outlook e-mail)"),
    html("v:imagedata", "href", Role::Navigation, "VML (Outlook e-mail)"),
    svg("a", "href", Role::Navigation, "SVG 2").empty_is_base(),
    svg("image", "href", Role::Resource, "SVG 2").fragment_is_local(),
    svg("use", "href", Role::Resource, "SVG 2").fragment_is_local(),
    svg("script", "href", Role::Resource, "SVG 2"),
    svg("feImage", "href", Role::Resource, "Filter Effects").fragment_is_local(),
    svg("linearGradient", "href", Role::Identifier, "SVG 2").fragment_is_local(),
    svg("radialGradient", "href", Role::Identifier, "SVG 2").fragment_is_local(),
    svg("pattern", "href", Role::Identifier, "SVG 2").fragment_is_local(),
    svg("textPath", "href", Role::Identifier, "SVG 2").fragment_is_local(),
    svg("animate", "href", Role::Identifier, "SVG Animations 2").fragment_is_local(),
    svg("animateMotion", "href", Role::Identifier, "SVG Animations 2").fragment_is_local(),
    svg("animateTransform", "href", Role::Identifier, "SVG Animations 2").fragment_is_local(),
    svg("set", "href", Role::Identifier, "SVG Animations 2").fragment_is_local(),
    svg("mpath", "href", Role::Identifier, "SVG Animations 2").fragment_is_local(),
    svg("discard", "href", Role::Identifier, "SVG Animations 2 / SVG Tiny 1.2").fragment_is_local(),
    svg("a", "xlink:href", Role::Navigation, "SVG 2, deprecated XLink").empty_is_base(),
    svg("image", "xlink:href", Role::Resource, "SVG 2, deprecated XLink").fragment_is_local(),
    svg("use", "xlink:href", Role::Resource, "SVG 2, deprecated XLink").fragment_is_local(),
    svg("script", "xlink:href", Role::Resource, "SVG 2, deprecated XLink"),
    svg("feImage", "xlink:href", Role::Resource, "SVG 2, deprecated XLink").fragment_is_local(),
    svg("linearGradient", "xlink:href", Role::Identifier, "SVG 2, deprecated XLink").fragment_is_local(),
    svg("radialGradient", "xlink:href", Role::Identifier, "SVG 2, deprecated XLink").fragment_is_local(),
    svg("pattern", "xlink:href", Role::Identifier, "SVG 2, deprecated XLink").fragment_is_local(),
    svg("textPath", "xlink:href", Role::Identifier, "SVG 2, deprecated XLink").fragment_is_local(),
    svg("mpath", "xlink:href", Role::Identifier, "SVG 2, deprecated XLink").fragment_is_local(),
    svg("animate", "xlink:href", Role::Identifier, "SVG 1.1").fragment_is_local(),
    svg("animateMotion", "xlink:href", Role::Identifier, "SVG 1.1").fragment_is_local(),
    svg("animateTransform", "xlink:href", Role::Identifier, "SVG 1.1").fragment_is_local(),
    svg("set", "xlink:href", Role::Identifier, "SVG 1.1").fragment_is_local(),
    svg("animateColor", "xlink:href", Role::Identifier, "SVG 1.1").fragment_is_local(),
    svg("filter", "xlink:href", Role::Identifier, "SVG 1.1").fragment_is_local(),
    svg("cursor", "xlink:href", Role::Resource, "SVG 1.1").fragment_is_local(),
    svg("tref", "xlink:href", Role::Identifier, "SVG 1.1").fragment_is_local(),
    svg("altGlyph", "xlink:href", Role::Identifier, "SVG 1.1").fragment_is_local(),
    svg("glyphRef", "xlink:href", Role::Identifier, "SVG 1.1").fragment_is_local(),
    svg("font-face-uri", "xlink:href", Role::Resource, "SVG 1.1").fragment_is_local(),
    svg("definition-src", "xlink:href", Role::Resource, "SVG 1.1").fragment_is_local(),
    svg("color-profile", "xlink:href", Role::Resource, "SVG 1.1").fragment_is_local(),
    svg("animation", "xlink:href", Role::Resource, "SVG Tiny 1.2").fragment_is_local(),
    svg("audio", "xlink:href", Role::Resource, "SVG Tiny 1.2").fragment_is_local(),
    svg("video", "xlink:href", Role::Resource, "SVG Tiny 1.2").fragment_is_local(),
    svg("handler", "xlink:href", Role::Resource, "SVG Tiny 1.2").fragment_is_local(),
    svg("prefetch", "xlink:href", Role::Resource, "SVG Tiny 1.2").fragment_is_local(),
    svg("discard", "xlink:href", Role::Resource, "SVG Tiny 1.2").fragment_is_local(),
    svg("listener", "handler", Role::Identifier, "SVG Tiny 1.2").fragment_is_local(),
    svg("*", "xlink:href", Role::Navigation, "XLink 1.1 simple links"),
    math("*", "href", Role::Navigation, "MathML 3").empty_is_base(),
    math("*", "xlink:href", Role::Navigation, "MathML 2").empty_is_base(),
    math("math", "altimg", Role::Resource, "MathML 3"),
    math("mglyph", "src", Role::Resource, "MathML 3"),
    math("annotation", "src", Role::Resource, "MathML 3"),
    math("annotation-xml", "src", Role::Resource, "MathML 3"),
];

const fn html(
    element: &'static str,
    attribute: &'static str,
    role: Role,
    source: &'static str,
) -> Row {
    Row::new(Namespace::Html, element, attribute, role, source)
}

const fn svg(
    element: &'static str,
    attribute: &'static str,
    role: Role,
    source: &'static str,
) -> Row {
    Row::new(Namespace::Svg, element, attribute, role, source)
}

const fn math(
    element: &'static str,
    attribute: &'static str,
    role: Role,
    source: &'static str,
) -> Row {
    Row::new(Namespace::MathMl, element, attribute, role, source)
}

/// The rows for an attribute name, the most particular ones first.
fn rows_by_attribute() -> &'static HashMap<&'static str, Vec<&'static Row>> {
    static INDEX: OnceLock<HashMap<&'static str, Vec<&'static Row>>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index: HashMap<&'static str, Vec<&'static Row>> = HashMap::new();
        for row in ROWS {
            index.entry(row.attribute).or_default().push(row);
        }
        for rows in index.values_mut() {
            rows.sort_by_key(|row| row.element == "*");
        }
        index
    })
}

/// Whether any row has an attribute of that name.
pub(crate) fn may_be_link(attribute: &str) -> bool {
    rows_by_attribute().contains_key(attribute)
}

/// The row for an attribute of an element, if it is a link; `value_of` gives the values of the element's other
/// attributes, for rows that depend on one.
///
/// Names are in lower case for HTML and as the standards spell them for SVG and MathML, as the parser gives them.
pub(crate) fn lookup(
    namespace: Namespace,
    element: &str,
    attribute: &str,
    value_of: impl Fn(&str) -> Option<String>,
) -> Option<&'static Row> {
    rows_by_attribute()
        .get(attribute)?
        .iter()
        .copied()
        .find(|row| {
            row.namespace == namespace
                && (row.element == element || row.element == "*")
                && row.condition.is_none_or(|condition| {
                    value_of(condition.attribute).is_some_and(|value| {
                        value.trim_ascii().eq_ignore_ascii_case(condition.value)
                    })
                })
        })
}
