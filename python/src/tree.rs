//! Trees of other programs, such as lxml: their nodes to the library, and the changes back.

use absolve::tree::{NodeChange, NodeList};
use absolve::{Decision, TextOffsets};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyDict;

use crate::facts::Facts;
use crate::links::Links;
use crate::rewriter::Rewriter;

/// An element or a comment: depth, tag, attributes, text, and whether the text is whole.
///
/// The tag is `None` for a comment, and is `{namespace}name` or `name`, as are the names of attributes.
type Node = (
    usize,
    Option<PyBackedStr>,
    Vec<(PyBackedStr, PyBackedStr)>,
    Option<PyBackedStr>,
    bool,
);

/// A change: its kind, the index of the node, the index of the attribute, and the new text.
type Change = (&'static str, usize, Option<usize>, Option<String>);

/// The changes to a tree, its links, and the place of each: the indexes of its node and attribute.
type RewrittenTree = (Vec<Change>, Links, Vec<(usize, Option<usize>)>);

/// Returns the changes to the nodes of a tree, which are listed in document order, and the links of the tree.
///
/// No link is changed if `writes` is false.
#[pyfunction]
#[pyo3(signature = (rewriter, nodes, writes, url = None, **facts))]
pub(crate) fn rewrite_nodes(
    rewriter: &Rewriter,
    nodes: &Bound<'_, PyAny>,
    writes: bool,
    url: Option<&Bound<'_, PyAny>>,
    facts: Option<&Bound<'_, PyDict>>,
) -> PyResult<RewrittenTree> {
    let facts = Facts::new(url, facts, rewriter.profile)?;
    let mut list = NodeList::new().encoding(facts.encoding.as_deref().unwrap_or("utf-8"));
    for node in nodes.try_iter()? {
        push(&mut list, &node?.extract()?);
    }
    let decision = if writes {
        Decision::Resolve
    } else {
        Decision::Keep
    };
    let settings = &rewriter.settings;
    let rewritten =
        absolve::tree::rewrite_nodes(settings, list, &facts.candidates(), |_| decision.clone());
    let places = rewritten.places.iter();
    Ok((
        rewritten.changes.into_iter().map(to_python).collect(),
        Links::new(rewritten.report, &TextOffsets::default()),
        places.map(|place| (place.node, place.attribute)).collect(),
    ))
}

/// Appends a node to the list.
fn push(list: &mut NodeList, node: &Node) {
    let (depth, tag, attributes, text, is_whole) = node;
    let Some(tag) = tag else {
        list.push_comment(*depth, text.as_deref().unwrap_or_default());
        return;
    };
    let attributes = attributes.iter();
    let names: Vec<_> = attributes
        .clone()
        .map(|(name, _)| qualified(name))
        .collect();
    let pairs = names
        .iter()
        .zip(attributes)
        .map(|(name, (_, value))| (&**name, &**value));
    let (namespace, name) = split(tag);
    list.push_element(*depth, namespace, name, pairs);
    if let Some(text) = text {
        list.push_text(text, *is_whole);
    }
}

/// Splits a name into its namespace, if it has one, and its local part.
fn split(name: &str) -> (Option<&str>, &str) {
    match name.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((namespace, local)) => (Some(namespace), local),
        None => (None, name),
    }
}

/// Returns the name of an attribute with the prefix that HTML gives its namespace.
fn qualified(name: &str) -> String {
    match split(name) {
        (Some("http://www.w3.org/1999/xlink"), local) => format!("xlink:{local}"),
        (Some("http://www.w3.org/XML/1998/namespace"), local) => format!("xml:{local}"),
        _ => name.to_owned(),
    }
}

/// Returns a change as Python expects it.
fn to_python(change: NodeChange) -> Change {
    match change {
        NodeChange::Attribute {
            node,
            attribute,
            value,
        } => ("attribute", node, Some(attribute), value),
        NodeChange::Text { node, text } => ("text", node, None, Some(text)),
        NodeChange::Remove { node } => ("remove", node, None, None),
        NodeChange::BaseHref { node, href } => ("base-href", node, None, Some(href)),
        NodeChange::InsertBase { head, href } => ("insert-base", head, None, Some(href)),
    }
}
