//! [`IntegrationPoints`]: markup that html5ever and browsers read differently.
//!
//! In SVG and MathML, some elements contain HTML: integration points, such as `desc`. The HTML standard ignores an end
//! tag of an element around such a point, because these elements are *special*, and scopes end there. html5ever 0.40
//! has neither them in its set of special elements nor `annotation-xml` in its scopes: it closes the point, and leaves
//! SVG where a browser stays in it. From there on, the two disagree about what is text, markup, or a CDATA section, and
//! an edit of what looks like a link could end a CDATA section of the browser, and run what follows it as a script.
//!
//! So a document is not read in which an end tag or an implied one crosses the border of such an element. The end tags
//! of real pages do not, so the test may be cautious: it knows the elements in SVG and MathML only. It knows those that
//! have tags, so a document is not read either if an active formatting element is created again in such a point.
//!
//! Three more differences of html5ever 0.40 decide where SVG and MathML end, and make a document with them ambiguous:
//!
//! * the loop for `</p>`, `</br>` and tags that end SVG and MathML does not end at an `annotation-xml` with HTML;
//! * `isindex` is still special;
//! * `thead` is missing in the test for `</table>` and for start tags of other sections in a table body, which matters
//!   in a TEMPLATE without table.
//!
//! # Source
//! HTML, "the stack of open elements" (special elements, scopes), "tree construction dispatcher", and "the rules for
//! parsing tokens in foreign content".

use std::collections::HashSet;

use html5ever::{LocalName, QualName, local_name, ns};

/// An open element in SVG or MathML, or the outermost one of these.
#[derive(Debug)]
struct OpenTag {
    /// The name of its tag, in lower case.
    name: LocalName,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Html,
    /// An element of SVG or MathML whose content is SVG or MathML.
    Foreign,
    /// `annotation-xml` without HTML.
    Annotation,
    /// An integration point.
    Point,
    /// `annotation-xml` with HTML, which is no border in html5ever's scopes.
    HtmlAnnotation,
}

impl Kind {
    /// Returns whether an end tag in HTML must not cross such an element.
    fn is_border(self) -> bool {
        matches!(self, Self::Annotation | Self::Point | Self::HtmlAnnotation)
    }
}

/// The elements that are open in SVG and MathML, as far as the tags tell.
#[derive(Debug, Default)]
pub(super) struct IntegrationPoints {
    open: Vec<OpenTag>,
    /// The names of the HTML elements outside, which may be open. `tbody`, `tr` and `colgroup` may be implied.
    outside: HashSet<LocalName>,
    /// Whether there is an `isindex`.
    has_isindex: bool,
    /// For each open TEMPLATE, whether its first part of a table is a section without a TABLE; `None` before that.
    templates: Vec<Option<bool>>,
    /// Whether there was a `thead` in a TEMPLATE and in no TABLE.
    has_bare_head: bool,
    is_ambiguous: bool,
    /// The [steps](super::work) for `open`, and for searches in it, that were not counted yet.
    pub(super) steps: usize,
}

/// The steps for an open element of SVG or MathML, which is kept here, too.
const OPEN_ELEMENT: usize = 96;

/// The number of open elements that are compared with names and kinds in the time of one step.
const ELEMENTS_PER_STEP: usize = 8;

/// The facts about a tag that the tree builder consumes with it.
pub(super) struct TagFacts {
    /// The name in lower case.
    pub(super) name: LocalName,
    pub(super) is_self_closing: bool,
    /// Whether the attribute `encoding` makes an `annotation-xml` an integration point.
    pub(super) has_html_encoding: bool,
}

impl IntegrationPoints {
    /// Returns whether browsers may read the document differently.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.is_ambiguous
    }

    /// Counts the steps of a search in all open elements.
    fn add_search(&mut self) {
        self.steps += self.open.len() / ELEMENTS_PER_STEP;
    }

    /// Records a start tag, and the element it created.
    pub(super) fn start_tag(&mut self, tag: TagFacts, created: &QualName) {
        let is_foreign = created.ns != ns!(html);
        if !is_foreign {
            self.html_start_tag(tag);
            return;
        }
        if tag.is_self_closing {
            return;
        }
        let is_svg = created.ns == ns!(svg);
        let kind = match &*created.local {
            "foreignObject" | "desc" | "title" if is_svg => Kind::Point,
            "mi" | "mo" | "mn" | "ms" | "mtext" if !is_svg => Kind::Point,
            "annotation-xml" if !is_svg && tag.has_html_encoding => Kind::HtmlAnnotation,
            "annotation-xml" if !is_svg => Kind::Annotation,
            _ => Kind::Foreign,
        };
        let name = tag.name;
        self.open.push(OpenTag { name, kind });
        self.steps += OPEN_ELEMENT;
    }

    /// Records the start tag of an HTML element.
    fn html_start_tag(&mut self, tag: TagFacts) {
        match &*tag.name {
            "isindex" => self.has_isindex = true,
            "template" => self.templates.push(None),
            name @ ("table" | "caption" | "colgroup" | "tbody" | "tfoot" | "thead") => {
                if let Some(template) = self.templates.last_mut() {
                    let is_bare = *template.get_or_insert(name != "table");
                    self.has_bare_head |= is_bare && name == "thead";
                }
            }
            _ => {}
        }
        self.leave_foreign_content();
        self.add_search();
        let Some(border) = self.open.iter().rposition(|open| open.kind.is_border()) else {
            self.open.clear();
            if !has_no_tags(&tag.name) {
                self.outside.insert(tag.name);
            }
            return;
        };
        let content = &self.open[border + 1..];
        // It ends another element of these names, unless a special element is between them.
        let is_item = matches!(&*tag.name, "li" | "dd" | "dt");
        let has_list = || {
            content.iter().any(|open| {
                matches!(
                    &*open.name,
                    "ul" | "ol" | "menu" | "dl" | "li" | "dd" | "dt"
                )
            })
        };
        self.is_ambiguous |= self.has_isindex
            || self.has_bare_head
            || self.open[border].kind == Kind::HtmlAnnotation
            || (is_item && !has_list());
        if !has_no_tags(&tag.name) {
            let kind = Kind::Html;
            let name = tag.name;
            self.open.push(OpenTag { name, kind });
        }
    }

    /// Records a start tag with this name that created no element, such as that of BODY: one of HTML.
    pub(super) fn ignored_start_tag(&mut self, name: &LocalName) {
        self.leave_foreign_content();
        self.add_search();
        self.is_ambiguous |= self.has_annotation() || self.has_bare_head && !self.open.is_empty();
        // Browsers may have opened it in the place of the `thead`.
        if self.has_bare_head {
            self.outside.insert(name.clone());
        }
    }

    /// Records that a token created formatting elements besides its own: those that the end of another element closed
    /// are open again.
    pub(super) fn reconstructed_formatting(&mut self) {
        self.add_search();
        self.is_ambiguous |= self.open.iter().any(|open| open.kind.is_border());
    }

    /// Returns whether an `annotation-xml` with HTML is open.
    fn has_annotation(&self) -> bool {
        let mut open = self.open.iter();
        open.any(|open| open.kind == Kind::HtmlAnnotation)
    }

    /// Records that the innermost open element is one of SVG or MathML: those of HTML in it are closed, some without an
    /// end tag.
    pub(super) fn enter_foreign_content(&mut self) {
        while self.open.last().is_some_and(|open| open.kind == Kind::Html) {
            self.open.pop();
        }
    }

    /// Records that a token of HTML ended the SVG or MathML around it, up to an integration point.
    fn leave_foreign_content(&mut self) {
        let is_foreign = |open: &mut OpenTag| matches!(open.kind, Kind::Foreign | Kind::Annotation);
        while self.open.pop_if(is_foreign).is_some() {}
    }

    /// Records an end tag with this name.
    ///
    /// # Complexity
    /// Linear in the number of elements that are open in SVG and MathML.
    pub(super) fn end_tag(&mut self, name: &LocalName) {
        match &**name {
            "p" | "br" => self.leave_foreign_content(),
            "template" => drop(self.templates.pop()),
            _ => {}
        }
        self.add_search();
        let is_same = |open: &OpenTag| open.name == *name;
        let last_html = self.open.iter().rposition(|open| open.kind == Kind::Html);
        let border = self.open.iter().rposition(|open| open.kind.is_border());
        // In foreign content, the end tag matches any element up to the nearest one of HTML; in HTML, any up to the
        // border.
        let start = match (last_html, border) {
            (Some(html), Some(border)) if border < html => border + 1,
            (Some(html), _) => html + 1,
            (None, _) => 0,
        };
        match self.open[start..].iter().rposition(is_same) {
            Some(index) => {
                let closed = self.open[start + index].kind;
                self.is_ambiguous |= self.has_isindex && closed == Kind::Html;
                self.open.truncate(start + index);
            }
            // Nothing matches: two of these are start tags as well, and the others close nothing.
            None if matches!(
                &**name,
                "p" | "br" | "svg" | "math" | "head" | "body" | "html"
            ) =>
            {
                let is_start_tag = matches!(&**name, "p" | "br");
                self.is_ambiguous |= is_start_tag && self.has_annotation();
            }
            None => {
                let is_implied = matches!(&**name, "tbody" | "tr" | "colgroup");
                let may_be_open = is_implied || self.is_open_below(border.unwrap_or(0), name);
                let is_special = may_be_open && (self.has_isindex || self.has_bare_head);
                let is_outer = self.has_bare_head && *name == local_name!("table");
                self.is_ambiguous |= border.is_some() && may_be_open
                    || !self.open.is_empty() && (is_special || is_outer);
            }
        }
    }
}

impl IntegrationPoints {
    /// Returns whether an element that an end tag with this name closes may be open below the border at that index.
    fn is_open_below(&self, border: usize, name: &LocalName) -> bool {
        let closes = |open: &LocalName| open == name || (is_heading(open) && is_heading(name));
        let mut inside = self.open[..border].iter();
        inside.any(|open| closes(&open.name)) || self.outside.iter().any(closes)
    }
}

/// Returns whether the end tag of each of these elements closes all of them.
fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Returns whether no tag is in elements with this name: they have no end tag, or raw text.
fn has_no_tags(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "iframe"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "noembed"
            | "noframes"
            | "noscript"
            | "param"
            | "script"
            | "source"
            | "style"
            | "textarea"
            | "title"
            | "track"
            | "wbr"
            | "xmp"
    )
}
