//! The reader against quick-xml: the same elements, attributes and values, in the same namespaces.

use proptest::prelude::*;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use quick_xml::reader::NsReader;

use super::reader::{ReadOptions, read};
use super::text::{decode_attribute, decode_text, has_entities};
use crate::markup::Namespace;
use crate::markup::name_set::NameSet;
use crate::markup::tokens::TextKind;

/// An element: its namespace and local name, and the names and values of its attributes.
type FoundElement = (Namespace, String, Vec<(String, String)>);

/// Returns the elements that quick-xml finds, or `None` if it rejects the document.
fn of_quick_xml(text: &str) -> Option<Vec<FoundElement>> {
    let mut reader = NsReader::from_str(text);
    let mut elements = Vec::new();
    loop {
        let (namespace, event) = reader.read_resolved_event().ok()?;
        let namespace = match namespace {
            ResolveResult::Bound(name) => match name.as_ref().to_owned().as_str() {
                "http://www.w3.org/1999/xhtml" => Namespace::Html,
                "http://www.w3.org/2000/svg" => Namespace::Svg,
                "http://www.w3.org/2005/Atom" => Namespace::Atom,
                _ => Namespace::Other,
            },
            _ => Namespace::Other,
        };
        let tag = match &event {
            Event::Start(tag) | Event::Empty(tag) => tag,
            Event::Eof => return Some(elements),
            _ => continue,
        };
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.ok()?;
            let name = attribute.key.as_ref().to_owned();
            if !name.starts_with("xmlns") {
                let value = attribute.value.as_ref();
                attributes.push((name, decode_attribute(value, 0).text.into_owned()));
            }
        }
        let local = tag.local_name().as_ref().to_owned();
        elements.push((namespace, local, attributes));
    }
}

/// Returns the elements with attributes that the reader finds, or `None` if the document is not well-formed.
fn of_reader(text: &str) -> Option<Vec<FoundElement>> {
    let names = NameSet::all();
    let options = ReadOptions {
        names: &names,
        honors_xml_base: true,
        is_lenient: false,
    };
    let tokens = read(text, options).ok()?;
    let tags = tokens
        .start_tags
        .iter()
        .filter(|tag| !tag.name.starts_with('?'));
    let elements = tags.map(|tag| {
        let attributes = tokens.attributes(tag).iter().map(|attribute| {
            let value = &text[attribute.value.start..attribute.value.end];
            let value = decode_attribute(value, 0).text.into_owned();
            (attribute.name.to_string(), value)
        });
        let attributes: Vec<_> = attributes
            .filter(|(name, _)| !name.starts_with("xmlns"))
            .collect();
        (tag.namespace, tag.name.to_string(), attributes)
    });
    Some(elements.collect())
}

/// Compares the two; returns whether the document was compared.
fn agrees(text: &str) -> bool {
    let Some(found) = of_reader(text) else {
        return false;
    };
    let expected = of_quick_xml(text).unwrap_or_else(|| panic!("quick-xml rejects {text}"));
    // The reader leaves out elements without an attribute, unless their text may be a link.
    let with_attributes = |elements: Vec<FoundElement>| -> Vec<FoundElement> {
        let has_attributes = |element: &FoundElement| !element.2.is_empty();
        elements.into_iter().filter(has_attributes).collect()
    };
    assert_eq!(with_attributes(found), with_attributes(expected), "{text}");
    true
}

#[test]
fn the_reader_agrees_with_quick_xml() {
    for text in [
        "<a b='c'/>",
        "<!DOCTYPE a [<!ENTITY e '>'><!-- ]> -->]><a b='1'><![CDATA[<x y='z'>]]><!-- <x y='z'> --><c d='&lt;'/></a>",
        "<s:svg xmlns:s='http://www.w3.org/2000/svg' a='1'><s:g xmlns:s='urn:x' b='2'/><s:g c='3'/></s:svg>",
        "<feed xmlns='http://www.w3.org/2005/Atom' a='1'><b xmlns='' c='2'/><d e='3'/></feed>",
        "<?xml version='1.0'?><?p <a b='c'>?><a b='c'\n d\t=\r\n\"e'f\" />",
    ] {
        assert!(agrees(text), "{text}");
    }
}

#[test]
fn the_reader_agrees_with_quick_xml_about_text() {
    for text in [
        "a",
        "a&lt;b&#47;",
        "<![CDATA[<b>]]>c",
        "<![CDATA[<b>]]>",
        "<![CDATA[a]]><![CDATA[b]]>",
        "a<!-- b -->c<?d e?>",
    ] {
        let document = format!("<style xmlns='http://www.w3.org/2000/svg'>{text}</style>");
        let names = NameSet::default();
        let options = ReadOptions {
            names: &names,
            honors_xml_base: false,
            is_lenient: false,
        };
        let tokens = read(&document, options).expect("well-formed");
        let content = tokens.start_tags[0].text.as_ref().expect("a text");
        let is_section = text.starts_with("<![CDATA[") && text.find("]]>") == Some(text.len() - 3);
        let kind = if is_section {
            TextKind::XmlSection
        } else {
            TextKind::Xml
        };
        assert_eq!(content.kind, kind, "{text}");
        let raw = &document[content.span.start..content.span.end];
        assert_eq!(raw, text);
        assert!(!has_entities(raw));
        let mut expected = String::new();
        let mut reader = NsReader::from_str(&document);
        loop {
            match reader.read_event().expect("well-formed") {
                Event::Text(text) => expected.push_str(text.as_ref()),
                Event::CData(text) => expected.push_str(text.as_ref()),
                Event::GeneralRef(name) => match name.resolve_char_ref().expect("a reference") {
                    Some(character) => expected.push(character),
                    None => expected.push_str(
                        quick_xml::escape::resolve_predefined_entity(name.as_ref())
                            .expect("predefined"),
                    ),
                },
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(decode_text(raw, 0).value.text, expected, "{text}");
    }
}

/// Pieces of documents.
const PIECES: &[&str] = &[
    "<a b='c'>",
    "</a>",
    "<a b=\"c\" d='e'/>",
    "<s:a xmlns:s='http://www.w3.org/2000/svg' s:b='c'>",
    "</s:a>",
    "<b xmlns='http://www.w3.org/1999/xhtml' c='&amp;&#47;'>",
    "</b>",
    "<!-- <a b='c'> -->",
    "<![CDATA[<a b='c'>]]>",
    "<?p <a b='c'?>",
    "text",
    "&lt;",
    "<a\nb = 'c' >",
    "<é ü='1'/>",
    ">",
    "]]",
    "<",
    "'",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_reader_agrees_with_quick_xml_on_random_documents(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..8),
    ) {
        agrees(&format!("<r>{}</r>", pieces.concat()));
    }
}
