//! The sink of html5ever's tree builder: an `RcDom` without one feature, and with two queries for the
//! [tap](super).
//!
//! `RcDom` copies the content of a selected OPTION into SELECTEDCONTENT, which the standard requires of scripted pages.
//! A copy is not in the source, and copying is recursive and can be repeated, so this sink does not implement it.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, QualName, expanded_name, local_name, ns};
use markup5ever_rcdom::{Handle, RcDom};

use super::guard::unguard;

/// A tree under construction.
#[derive(Default)]
pub(crate) struct RcDomSink {
    dom: RcDom,
    /// The element created last, unless it was taken.
    last_created: RefCell<Option<Handle>>,
    /// Whether a HEAD was created.
    has_head: Cell<bool>,
}

impl RcDomSink {
    /// Takes the element created last; `None` if none was created since the previous call.
    pub(super) fn take_last_created(&self) -> Option<Handle> {
        self.last_created.borrow_mut().take()
    }

    /// Returns whether a HEAD was created.
    pub(super) fn has_head(&self) -> bool {
        self.has_head.get()
    }
}

impl TreeSink for RcDomSink {
    type Handle = Handle;
    type Output = Handle;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Handle {
        self.dom.document
    }

    fn parse_error(&self, _message: Cow<'static, str>) {
        // Errors that the standard tolerates do not matter here, and collecting the messages would take memory.
    }

    fn get_document(&self) -> Handle {
        self.dom.get_document()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.dom.elem_name(target)
    }

    fn create_element(
        &self,
        name: QualName,
        mut attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Handle {
        // The counterpart of `guard::guarded`, which every tag has passed.
        unguard(&mut attributes);
        if name.expanded() == expanded_name!(html "head") {
            self.has_head.set(true);
        }
        let element = self.dom.create_element(name, attributes, flags);
        self.last_created.replace(Some(element.clone()));
        element
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.dom.create_comment(text)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.dom.create_pi(target, data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.dom.append(parent, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        self.dom
            .append_based_on_parent_node(element, previous, child);
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    ) {
        self.dom
            .append_doctype_to_document(name, public_id, system_id);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        self.dom.get_template_contents(target)
    }

    fn same_node(&self, a: &Handle, b: &Handle) -> bool {
        self.dom.same_node(a, b)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.dom.set_quirks_mode(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        self.dom.append_before_sibling(sibling, new_node);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        self.dom.add_attrs_if_missing(target, attributes);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.dom.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.dom.reparent_children(node, new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        self.dom.is_mathml_annotation_xml_integration_point(target)
    }
}
