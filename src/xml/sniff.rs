//! The root element and the form of a document of which nothing but bytes is known.

use super::characters::{name_end, skip_space};
use super::doctype::{self, Entities};
use super::encoding::detect;
use super::namespaces::Bindings;
use super::reader::{ReadOptions, read};
use super::tag;
use super::text::decode_attribute;
use crate::markup::Namespace;
use crate::markup::name_set::NameSet;

/// The root element of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RootElement {
    /// Its namespace, which is one that the link table knows.
    pub(crate) namespace: Namespace,
    /// Whether an XML declaration begins the document.
    pub(crate) has_declaration: bool,
}

/// Returns the root element of a document that begins with `prefix`.
///
/// Returns `None` if the prefix does not contain its start tag, or if its namespace is unknown.
///
/// # Complexity
/// Linear.
pub(crate) fn root(prefix: &[u8]) -> Option<RootElement> {
    let detected = detect(prefix, None);
    let body = &prefix[detected.bom_len..];
    // The last character may be cut off.
    let (text, _) = detected.encoding.decode_without_bom_handling(body);
    let bytes = text.as_bytes();
    let mut pos = skip_space(bytes, 0);
    let has_declaration = text[pos..].starts_with("<?xml");
    let mut entities = Entities::default();
    loop {
        pos = skip_space(bytes, pos);
        let rest = &text[pos..];
        let find = |close: &str| rest.find(close).map(|found| pos + found + close.len());
        pos = if rest.starts_with("<?") {
            find("?>")?
        } else if rest.starts_with("<!--") {
            find("-->")?
        } else if rest.starts_with("<!DOCTYPE") {
            doctype::read(&text, pos, &mut entities).ok()?
        } else {
            break;
        };
    }
    if !text[pos..].starts_with('<') {
        return None;
    }
    let end = name_end(&text, pos + 1)?;
    let mut attributes = Vec::new();
    tag::split(&text, end, &mut attributes).ok()?;
    let mut bindings = Bindings::new();
    for attribute in &attributes {
        let name = &text[attribute.name.start..attribute.name.end];
        let value = &text[attribute.value.start..attribute.value.end];
        let prefix = match name.strip_prefix("xmlns") {
            Some("") => "",
            Some(prefix) => prefix.strip_prefix(':').unwrap_or("xmlns"),
            None => continue,
        };
        let name = decode_attribute(value, 0).text;
        bindings.bind(prefix, entities.expand(&name));
    }
    let name = &text[pos + 1..end];
    bindings.set_root(name);
    let (namespace, _) = bindings.element(name);
    (namespace != Namespace::Other).then_some(RootElement {
        namespace,
        has_declaration,
    })
}

/// Returns whether a document is well-formed.
pub(crate) fn is_well_formed(document: &[u8]) -> bool {
    let detected = detect(document, None);
    let (text, _) = detected
        .encoding
        .decode_without_bom_handling(&document[detected.bom_len..]);
    let options = ReadOptions {
        names: &NameSet::default(),
        honors_xml_base: false,
        is_lenient: false,
    };
    read(&text, options).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_found_by_namespace() {
        for (text, expected) in [
            (
                "<svg xmlns='http://www.w3.org/2000/svg'>",
                Some((Namespace::Svg, false)),
            ),
            (
                "\u{feff}<?xml version='1.0'?>\n<!-- <a> --><s:svg xmlns:s='http://www.w3.org/2000/svg'/>",
                Some((Namespace::Svg, true)),
            ),
            (
                "<!DOCTYPE svg [<!ENTITY n \"http://www.w3.org/2000/svg\">]><svg xmlns='&n;'>",
                Some((Namespace::Svg, false)),
            ),
            (
                "<html xmlns='http://www.w3.org/1999/xhtml'>",
                Some((Namespace::Html, false)),
            ),
            (
                "<?xml version='1.0'?><rss version='2.0'>",
                Some((Namespace::Rss, true)),
            ),
            ("<opml>", Some((Namespace::Opml, false))),
            (
                "<feed xmlns='http://www.w3.org/2005/Atom'>",
                Some((Namespace::Atom, false)),
            ),
            ("<feed>", None),
            ("<html>", None),
            ("<svg>", None),
            ("<svg xmlns='http://www.w3.org/2000/svg'", None),
            (
                "<!doctype html><svg xmlns='http://www.w3.org/2000/svg'>",
                None,
            ),
            ("text", None),
            ("", None),
        ] {
            let found = root(text.as_bytes()).map(|root| (root.namespace, root.has_declaration));
            assert_eq!(found, expected, "{text}");
        }
    }
}
