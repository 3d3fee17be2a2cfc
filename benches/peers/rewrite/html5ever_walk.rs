//! A peer: html5ever's parser, a walk over its tree with the `url` crate, and its serialiser.
//!
//! This is the straightforward way to write such a tool in Rust.

use std::hint::black_box;

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, local_name, ns, parse_document, serialize};
use markup5ever_rcdom::{Handle, NodeData, RcDom, SerializableHandle};
use url::Url;

use super::attributes;
use super::contestant::Work;
use super::corpus::Document;

/// Rewrites the document. It is decoded as UTF-8 whatever its encoding, which spares the peer detection and conversion.
pub(crate) fn rewrite(document: &Document) -> Work {
    let Ok(mut base) = Url::parse(&document.url) else {
        return Work::FAILED;
    };
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            // With scripting enabled, the content of NOSCRIPT would be text, without links.
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let dom = parse_document(RcDom::default(), options)
        .from_utf8()
        .one(&*document.bytes);
    let mut links = 0;
    let mut pending: Vec<Handle> = vec![dom.document.clone()];
    while let Some(node) = pending.pop() {
        if let NodeData::Element {
            name,
            attrs,
            template_contents,
            ..
        } = &node.data
        {
            for attribute in attrs.borrow_mut().iter_mut() {
                if name.local == local_name!("base") && attribute.name.local == local_name!("href")
                {
                    if let Ok(embedded) = base.join(&attribute.value) {
                        base = embedded;
                    }
                } else if name.ns == ns!(html)
                    && attributes::is_link(&name.local, &attribute.name.local)
                    && let Some(target) = attributes::target(&base, &attribute.value)
                {
                    attribute.value = target.into();
                    links += 1;
                }
            }
            pending.extend(template_contents.borrow().clone());
        }
        pending.extend(node.children.borrow().iter().rev().cloned());
    }
    let mut html = Vec::with_capacity(document.bytes.len());
    // Writing to a Vec does not fail.
    let _ = serialize(
        &mut html,
        &SerializableHandle::from(dom.document.clone()),
        serialize::SerializeOpts::default(),
    );
    Work {
        links,
        written: black_box(html).len(),
        failed: 0,
    }
}
