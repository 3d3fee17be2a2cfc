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
        fn append_based_on_parent_node(this: &Handle, previous: &Handle, child: NodeOrText<Handle>);
        fn append_doctype_to_document(name: StrTendril, public: StrTendril, system: StrTendril);
        fn get_template_contents(target: &Handle) -> Handle;
        fn same_node(a: &Handle, b: &Handle) -> bool;
        fn set_quirks_mode(mode: QuirksMode);
        fn append_before_sibling(sibling: &Handle, new_node: NodeOrText<Handle>);
        fn add_attrs_if_missing(target: &Handle, attributes: Vec<Attribute>);
        fn remove_from_parent(target: &Handle);
        fn reparent_children(node: &Handle, new_parent: &Handle);
        fn is_mathml_annotation_xml_integration_point(target: &Handle) -> bool;
    }

    fn finish(self) -> Handle {
        self.dom.document
    }

    fn parse_error(&self, _message: Cow<'static, str>) {
        // Errors that the standard tolerates do not matter here, and collecting the messages would take memory.
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
}
