//! Elements of XML. The reader is that of quick-xml.

use std::borrow::Cow;

use quick_xml::escape::resolve_html5_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::texts::{ElementText, HIDDEN, cut};
use super::words::Words;

/// Reads the element whose start tag `source` begins with: for A elements its text, too.
///
/// Entities are those of XHTML. Others, which only a document type declares, are left out.
pub(super) fn read(source: &str, is_anchor: bool) -> ElementText {
    let mut reader = Reader::from_str(source);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    let mut read = ElementText::default();
    let (is_empty, tag) = match reader.read_event() {
        Ok(Event::Start(tag)) => (false, tag),
        Ok(Event::Empty(tag)) => (true, tag),
        _ => return read,
    };
    read.rel = attribute(&tag, "rel");
    read.alt = attribute(&tag, "alt");
    if is_anchor {
        let mut words = Words::default();
        if !is_empty {
            read_content(&mut reader, &mut words);
        }
        read.text = Some(words.into_text());
    }
    read
}

/// Reads up to the end tag of the element, or an error.
fn read_content(reader: &mut Reader<&[u8]>, words: &mut Words) {
    // The number of open elements, and the one among them whose text is not shown.
    let mut open = 0_usize;
    let mut hidden = None;
    while let Ok(event) = reader.read_event() {
        match &event {
            Event::Start(tag) => {
                open += 1;
                if hidden.is_none() {
                    let name = tag.local_name();
                    words.tag(name.as_ref());
                    hidden = HIDDEN.contains(&name.as_ref()).then_some(open);
                }
            }
            Event::Empty(tag) if hidden.is_none() => words.tag(tag.local_name().as_ref()),
            Event::End(_) if open == 0 => return,
            Event::End(tag) => {
                if hidden.is_none() {
                    words.tag(tag.local_name().as_ref());
                }
                hidden = hidden.filter(|&hidden| hidden != open);
                open -= 1;
            }
            Event::Eof => return,
            event => {
                if hidden.is_none() && words.push(&text(event)) {
                    return;
                }
            }
        }
    }
}

/// Returns the text of an event; empty for comments and processing instructions.
fn text<'e>(event: &Event<'e>) -> Cow<'e, str> {
    match event {
        Event::Text(text) => text.xml10_content(),
        Event::CData(text) => text.xml10_content(),
        Event::GeneralRef(reference) => match reference.resolve_char_ref() {
            Ok(Some(character)) => character.to_string().into(),
            _ => resolve_html5_entity(&reference.xml10_content())
                .unwrap_or_default()
                .into(),
        },
        _ => Cow::Borrowed(""),
    }
}

/// Returns the normalized value of an attribute.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes();
    let mut attributes = attributes.with_checks(false).flatten();
    let attribute = attributes.find(|attribute| attribute.key.as_ref() == name)?;
    let version = XmlVersion::Implicit1_0;
    let normalized = attribute.normalized_value_with(version, 1, resolve_html5_entity);
    Some(cut(&normalized.unwrap_or(attribute.value)))
}
