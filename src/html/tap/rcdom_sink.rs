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
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::guard::unguard;
use crate::html::tree::replacements::parent_of;

/// A tree under construction.
#[derive(Default)]
pub(crate) struct RcDomSink {
    dom: RcDom,
    /// The element created last, unless it was taken.
    last_created: RefCell<Option<Handle>>,
    /// Whether a HEAD was created.
    has_head: Cell<bool>,
    /// The number of [steps](super::work) taken.
    steps: Cell<u64>,
    /// Whether the current token has created an element.
    has_created: Cell<bool>,
}

/// The steps for an element that is created in addition to that of its token. It takes memory that no tag accounts for.
const ADDITIONAL_ELEMENT: usize = 64;

impl RcDomSink {
    /// Takes the element created last; `None` if none was created since the previous call.
    pub(super) fn take_last_created(&self) -> Option<Handle> {
        self.last_created.borrow_mut().take()
    }

    /// Begins with the next token.
    pub(super) fn begin_token(&self) {
        self.has_created.set(false);
    }

    /// Returns the number of [steps](super::work) that the tree builder has taken, without those for its list of active
    /// formatting elements.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }

    fn add_steps(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps as u64);
    }

    /// Adds the steps to find `node` among the children of its parent.
    fn add_steps_to_find(&self, node: &Handle) {
        if let Some(parent) = parent_of(node) {
            self.add_steps(parent.children.borrow().len());
        }
    }

    /// Returns whether a HEAD was created.
    pub(super) fn has_head(&self) -> bool {
        self.has_head.get()
    }
}

/// Implements methods of [`TreeSink`] by those of the [`RcDom`].
macro_rules! delegate_to_dom {
    ($(fn $method:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        $(fn $method(&self, $($argument: $type),*) $(-> $result)? {
            self.dom.$method($($argument),*)
        })*
    };
}

impl TreeSink for RcDomSink {
    type Handle = Handle;
    type Output = Handle;
    type ElemName<'a> = ExpandedName<'a>;

    delegate_to_dom! {
        fn get_document() -> Handle;
        fn create_comment(text: StrTendril) -> Handle;
        fn create_pi(target: StrTendril, data: StrTendril) -> Handle;
        fn append(parent: &Handle, child: NodeOrText<Handle>);
        fn append_doctype_to_document(name: StrTendril, public: StrTendril, system: StrTendril);
        fn get_template_contents(target: &Handle) -> Handle;
        fn set_quirks_mode(mode: QuirksMode);
        fn is_mathml_annotation_xml_integration_point(target: &Handle) -> bool;
    }

    fn finish(self) -> Handle {
        self.dom.document
    }

    fn parse_error(&self, _message: Cow<'static, str>) {
        // Errors that the standard tolerates do not matter here, and collecting the messages would take memory.
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.add_steps(1);
        self.dom.elem_name(target)
    }

    fn same_node(&self, a: &Handle, b: &Handle) -> bool {
        self.add_steps(1);
        self.dom.same_node(a, b)
    }

    fn append_based_on_parent_node(
        &self,
        this: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        self.add_steps_to_find(this);
        self.dom.append_based_on_parent_node(this, previous, child);
    }

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        self.add_steps_to_find(sibling);
        self.dom.append_before_sibling(sibling, new_node);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        if let NodeData::Element { attrs, .. } = &target.data {
            // html5ever builds a set of the names.
            self.add_steps(8 * attrs.borrow().len());
        }
        self.dom.add_attrs_if_missing(target, attributes);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.add_steps_to_find(target);
        self.dom.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.add_steps(node.children.borrow().len());
        self.dom.reparent_children(node, new_parent);
    }

    fn create_element(
        &self,
        name: QualName,
        mut attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Handle {
        // The counterpart of `guard::guarded`, which every tag has passed.
        unguard(&mut attributes);
        if self.has_created.replace(true) {
            self.add_steps(ADDITIONAL_ELEMENT + attributes.len());
        }
        if name.expanded() == expanded_name!(html "head") {
            self.has_head.set(true);
        }
        let element = self.dom.create_element(name, attributes, flags);
        self.last_created.replace(Some(element.clone()));
        element
    }
}
