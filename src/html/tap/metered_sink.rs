//! The sink of html5ever's tree builder: it builds a tree, counts the [steps](super::work), and answers queries of the
//! [tap](super).
//!
//! An `RcDom` copies the content of a selected OPTION into SELECTEDCONTENT, which the standard requires of scripted
//! pages. A copy is not in the source, and copying is recursive and can be repeated, so this sink does not pass that
//! call on.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, expanded_name, local_name, ns};

use super::check::ElementNames;
use super::dom::Dom;

/// A tree under construction, and the [steps](super::work) that it took.
pub(crate) struct MeteredSink<D: TreeSink> {
    dom: D,
    /// The element created last, unless it was taken.
    last_created: RefCell<Option<CreatedElement<D::Handle>>>,
    /// Whether a HEAD was created.
    has_head: Cell<bool>,
    steps: Cell<u64>,
    /// Whether the current token has created an element.
    has_created: Cell<bool>,
    /// Number of formatting elements that the token created.
    formatting: Cell<usize>,
}

/// An element that was created.
pub(super) struct CreatedElement<H> {
    pub(super) node: H,
    /// Its names in the tree.
    pub(super) names: ElementNames,
}

/// The steps for an element that is created in addition to that of its token. It takes memory that no tag accounts for.
const ADDITIONAL_ELEMENT: usize = 160;

/// The steps for a BASE, which takes far more memory than another element, also in the report.
const BASE_ELEMENT: usize = 1 << 12;

/// The steps for an SVG STYLE, of which a token is kept, and the text in the tree.
const SVG_STYLE_ELEMENT: usize = 1 << 9;

impl<D: Dom> MeteredSink<D> {
    /// Creates a sink that builds `dom`, which must be empty.
    pub(crate) fn new(dom: D) -> Self {
        Self {
            dom,
            last_created: RefCell::default(),
            has_head: Cell::default(),
            steps: Cell::default(),
            has_created: Cell::default(),
            formatting: Cell::default(),
        }
    }

    /// Takes the element created last; `None` if none was created since the previous call.
    pub(super) fn take_last_created(&self) -> Option<CreatedElement<D::Handle>> {
        self.last_created.borrow_mut().take()
    }

    /// Begins a token, which has created no element yet.
    pub(super) fn begin_token(&self) {
        self.has_created.set(false);
        self.formatting.set(0);
    }

    /// Returns the number of formatting elements that the token created.
    pub(super) fn formatting_elements(&self) -> usize {
        self.formatting.get()
    }

    /// Returns the number of [steps](super::work) that the tree builder has taken, without those for its list of active
    /// formatting elements.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }

    pub(super) fn add_steps(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps as u64);
    }

    /// Returns whether a HEAD was created.
    pub(super) fn has_head(&self) -> bool {
        self.has_head.get()
    }

    /// Returns the local name of `node`, or `None` if it is not an element.
    pub(super) fn local_name(&self, node: &D::Handle) -> Option<LocalName> {
        self.dom.local_name(node)
    }
}

/// Implements methods of [`TreeSink`] by those of the tree.
macro_rules! delegate_to_dom {
    ($(fn $method:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        $(fn $method(&self, $($argument: $type),*) $(-> $result)? {
            self.dom.$method($($argument),*)
        })*
    };
}

impl<D: Dom> TreeSink for MeteredSink<D> {
    type Handle = D::Handle;
    type Output = D::Output;
    type ElemName<'a>
        = D::ElemName<'a>
    where
        Self: 'a;

    delegate_to_dom! {
        fn get_document() -> D::Handle;
        fn create_comment(text: StrTendril) -> D::Handle;
        fn create_pi(target: StrTendril, data: StrTendril) -> D::Handle;
        fn append(parent: &D::Handle, child: NodeOrText<D::Handle>);
        fn append_doctype_to_document(name: StrTendril, public: StrTendril, system: StrTendril);
        fn get_template_contents(target: &D::Handle) -> D::Handle;
        fn set_quirks_mode(mode: QuirksMode);
        fn is_mathml_annotation_xml_integration_point(target: &D::Handle) -> bool;
    }

    fn finish(self) -> D::Output {
        self.dom.finish()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {
        // Errors that the standard tolerates do not matter here, and collecting the messages would take memory.
    }

    fn elem_name<'a>(&'a self, target: &'a D::Handle) -> D::ElemName<'a> {
        self.add_steps(1);
        self.dom.elem_name(target)
    }

    fn same_node(&self, a: &D::Handle, b: &D::Handle) -> bool {
        self.add_steps(1);
        self.dom.same_node(a, b)
    }

    fn append_based_on_parent_node(
        &self,
        this: &D::Handle,
        previous: &D::Handle,
        child: NodeOrText<D::Handle>,
    ) {
        self.add_steps(self.dom.cost_of_finding(this));
        self.dom.append_based_on_parent_node(this, previous, child);
    }

    fn append_before_sibling(&self, sibling: &D::Handle, new_node: NodeOrText<D::Handle>) {
        self.add_steps(self.dom.cost_of_finding(sibling));
        self.dom.append_before_sibling(sibling, new_node);
    }

    fn add_attrs_if_missing(&self, target: &D::Handle, attributes: Vec<Attribute>) {
        self.add_steps(self.dom.cost_of_adding_attributes(target));
        self.dom.add_attrs_if_missing(target, attributes);
    }

    fn remove_from_parent(&self, target: &D::Handle) {
        self.add_steps(self.dom.cost_of_finding(target));
        self.dom.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &D::Handle, new_parent: &D::Handle) {
        self.add_steps(self.dom.cost_of_moving_children(node));
        self.dom.reparent_children(node, new_parent);
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> D::Handle {
        if self.has_created.replace(true) {
            self.add_steps(ADDITIONAL_ELEMENT + attributes.len());
        }
        if is_formatting(&name) {
            self.formatting.set(self.formatting.get() + 1);
        }
        if name.expanded() == expanded_name!(html "head") {
            self.has_head.set(true);
        }
        if name.expanded() == expanded_name!(html "base") {
            self.add_steps(BASE_ELEMENT);
        }
        if name.expanded() == expanded_name!(svg "style") {
            self.add_steps(SVG_STYLE_ELEMENT);
        }
        let names = ElementNames {
            element: name.clone(),
            attributes: attributes.iter().map(|one| one.name.clone()).collect(),
        };
        let node = self.dom.create_element(name, attributes, flags);
        self.last_created.replace(Some(CreatedElement {
            node: node.clone(),
            names,
        }));
        node
    }
}

/// Returns whether elements with this name are in the list of active formatting elements.
///
/// # Source
/// HTML, "the stack of open elements", "formatting".
pub(super) fn is_formatting(name: &QualName) -> bool {
    name.ns == ns!(html)
        && matches!(
            &*name.local,
            "a" | "b"
                | "big"
                | "code"
                | "em"
                | "font"
                | "i"
                | "nobr"
                | "s"
                | "small"
                | "strike"
                | "strong"
                | "tt"
                | "u"
        )
}
