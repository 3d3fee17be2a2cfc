//! Serialization of a tree as HTML.
//!
//! html5ever's serializer writes single tokens; this module iterates over the tree with a stack of its own instead of
//! recursion.

use std::io::{self, Write};

use html5ever::QualName;
use html5ever::serialize::{HtmlSerializer, SerializeOpts, Serializer};
use markup5ever_rcdom::{Handle, NodeData};

/// A step of the serialization that is left to do.
enum SerializeStep {
    /// Write a node and its descendants.
    Open(Handle),
    /// Write the end tag of an element.
    Close(QualName),
}

/// Returns the children of `document` as HTML.
pub(super) fn to_html(document: &Handle) -> String {
    let mut html = Vec::new();
    write_html(document, &mut html).expect("writing to memory does not fail");
    String::from_utf8(html).expect("strings between ASCII delimiters")
}

/// Serializes the children of `document`.
///
/// `RcDom` can serialize itself, but omits the contents of templates and the identifiers of the DOCTYPE.
///
/// # Errors
/// None in practice: writing to memory does not fail.
fn write_html(document: &Handle, html: &mut Vec<u8>) -> io::Result<()> {
    let options = SerializeOpts {
        scripting_enabled: true,
        create_missing_parent: true,
        ..SerializeOpts::default()
    };
    let mut serializer = HtmlSerializer::new(html, options);
    let mut steps: Vec<SerializeStep> = Vec::new();
    let push_children = |node: &Handle, steps: &mut Vec<SerializeStep>| {
        let children = node.children.borrow();
        steps.extend(children.iter().rev().cloned().map(SerializeStep::Open));
    };
    push_children(document, &mut steps);
    while let Some(step) = steps.pop() {
        let node = match step {
            SerializeStep::Open(node) => node,
            SerializeStep::Close(name) => {
                serializer.end_elem(name)?;
                continue;
            }
        };
        match &node.data {
            NodeData::Document => push_children(&node, &mut steps),
            NodeData::Doctype {
                name,
                public_id,
                system_id,
            } => {
                write_doctype(name, public_id, system_id, &mut serializer.writer)?;
            }
            NodeData::Text { contents } => serializer.write_text(&contents.borrow())?,
            NodeData::Comment { contents } => serializer.write_comment(contents)?,
            NodeData::ProcessingInstruction { target, contents } => {
                serializer.write_processing_instruction(target, contents)?;
            }
            NodeData::Element {
                name,
                attrs,
                template_contents,
                ..
            } => {
                let attributes = attrs.borrow();
                let pairs = attributes.iter().map(|pair| (&pair.name, &pair.value[..]));
                serializer.start_elem(name.clone(), pairs)?;
                // In reverse order: the stack returns the contents of a template first, then the children, then the
                // end.
                steps.push(SerializeStep::Close(name.clone()));
                push_children(&node, &mut steps);
                let contents = template_contents.borrow();
                steps.extend(contents.iter().cloned().map(SerializeStep::Open));
            }
        }
    }
    Ok(())
}

/// Writes a DOCTYPE with its identifiers.
fn write_doctype(
    name: &str,
    public_id: &str,
    system_id: &str,
    html: &mut impl Write,
) -> io::Result<()> {
    write!(html, "<!DOCTYPE {name}")?;
    // A parsed identifier contains one kind of quote at most, because the other kind delimited it.
    let quoted = |id: &str| {
        if id.contains('"') {
            format!("'{id}'")
        } else {
            format!("\"{id}\"")
        }
    };
    match (public_id.is_empty(), system_id.is_empty()) {
        (true, true) => {}
        (false, true) => write!(html, " PUBLIC {}", quoted(public_id))?,
        (true, false) => write!(html, " SYSTEM {}", quoted(system_id))?,
        (false, false) => write!(html, " PUBLIC {} {}", quoted(public_id), quoted(system_id))?,
    }
    html.write_all(b">")
}
