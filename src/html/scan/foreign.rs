//! SVG and MathML ("foreign content") without a tree.
//!
//! In foreign content the same tags mean something else: the STYLE of SVG contains markup, CDATA sections exist, some
//! names have capitals, and `/>` closes an element. So the scanner has to know at each tag whether it is in foreign
//! content, and in which element. In general only the tree can tell, because foreign elements may contain HTML at
//! *integration points* (`foreignObject`, `desc`, `title`, `mi`, `annotation-xml` and a few others), and that HTML
//! may contain foreign elements again.
//!
//! The usual case is simpler: an icon or a formula without HTML in it. Within that, every start tag opens an element
//! and every end tag closes the innermost element of its name, so a stack of names is all that is needed. Foreign
//! content ends with its outermost element, or at a tag that is not allowed there (`<p>`, `<div>`, `</br>` and
//! others), where the parser closes all foreign elements and returns to HTML.
//!
//! [`ForeignElements`] is that stack. It bails out at the three places where it is not enough:
//!
//! - a start tag directly within an integration point, which may be HTML;
//! - a tag that leaves foreign content while an integration point is open: the parser closes elements up to there only;
//! - an end tag that matches nothing on the stack, but may match an HTML element around it.
//!
//! Names are often compared and mostly differ, so the standard's lists are [`NameList`]s. A long series of stray end
//! tags in deep nesting takes linear time: names of deeply nested elements are also counted, and searches for other
//! names are limited by [`MAX_SEARCHED`].

use super::bail_out::BailOut;
use crate::markup::name::NameList;
use crate::markup::tokens::Namespace;
use crate::span::Span;

/// The open elements of SVG and MathML at the current position; empty in HTML content.
///
/// # Source
/// HTML, "the rules for parsing tokens in foreign content". They need no tree as long as there is no HTML at an
/// integration point.
#[derive(Debug, Default)]
pub(super) struct ForeignElements {
    /// The stack, outermost element first.
    open: Vec<OpenElement>,
    /// The names of the open elements as written, concatenated: one allocation instead of one for each element.
    names: String,
    /// For each of [`NEVER_AROUND`], the number of open elements of that name whose index is [`DEEP`] or higher.
    deep: [usize; NEVER_AROUND_COUNT],
    /// The number of elements that were searched for the names of end tags that match none of them.
    searched: usize,
}

/// The maximum of [`ForeignElements::searched`].
const MAX_SEARCHED: usize = 1 << 16;

/// The depth from which elements are also counted by name, so that a stray end tag need not search that part of the
/// stack.
const DEEP: usize = 32;

#[derive(Debug, Clone, Copy)]
struct OpenElement {
    namespace: Namespace,
    /// The span of its name in [`ForeignElements::names`].
    name: Span,
}

impl ForeignElements {
    /// Returns the number of open elements.
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the namespace of the innermost open element; that of HTML if none is open.
    pub(super) fn namespace(&self) -> Namespace {
        self.open
            .last()
            .map_or(Namespace::Html, |open| open.namespace)
    }

    /// Opens an element.
    pub(super) fn push(&mut self, namespace: Namespace, name: &str) {
        if self.open.len() >= DEEP
            && let Some(index) = NEVER_AROUND.position(name)
        {
            self.deep[index] += 1;
        }
        let start = self.names.len();
        self.names.push_str(name);
        self.open.push(OpenElement {
            namespace,
            name: Span::new(start, self.names.len()),
        });
    }

    /// Closes all but the outermost `depth` elements.
    pub(super) fn truncate(&mut self, depth: usize) {
        // Undoes the counts of `push`: only of elements that are closed and were deep enough to be counted.
        for open in self.open.get(depth.max(DEEP)..).unwrap_or_default() {
            if let Some(index) = NEVER_AROUND.position(self.name(open)) {
                self.deep[index] -= 1;
            }
        }
        if let Some(first) = self.open.get(depth) {
            self.names.truncate(first.name.start);
        }
        self.open.truncate(depth);
    }

    fn name(&self, open: &OpenElement) -> &str {
        &self.names[open.name.start..open.name.end]
    }

    /// Returns whether an element is, or may be, an integration point (where HTML is allowed).
    ///
    /// `annotation-xml` is one with certain values of its `encoding`, which is not checked.
    fn is_integration_point(&self, open: &OpenElement) -> bool {
        let name = self.name(open);
        is_integration_point(open.namespace, name)
            || (open.namespace == Namespace::MathMl && name.eq_ignore_ascii_case("annotation-xml"))
    }

    /// Closes all elements at a start tag that is not allowed in foreign content, and returns whether it did.
    ///
    /// If it did, the tag is one of HTML. If not, it creates a foreign element, which the caller must
    /// [`push`](Self::push). Must not be called if no element is open. `has_attribute` returns whether the tag has an
    /// attribute of that name.
    pub(super) fn exit_if_html(
        &mut self,
        name: &str,
        has_attribute: impl Fn(&str) -> bool,
    ) -> Result<bool, BailOut> {
        if self
            .open
            .last()
            .is_some_and(|open| self.is_integration_point(open))
        {
            // Not every start tag is HTML there, but which ones are depends on the kind of integration point.
            return Err(BailOut::HtmlInForeignContent);
        }
        let is_font = name.eq_ignore_ascii_case("font")
            && ["color", "face", "size"].into_iter().any(has_attribute);
        if !is_font && !EXIT_NAMES.contains(name) {
            return Ok(false);
        }
        self.exit()?;
        Ok(true)
    }

    /// Handles an end tag, which closes the innermost element of that name and all elements in it, or nothing.
    ///
    /// `may_be_open` returns whether there may have been a start tag of an HTML element with that name. It is
    /// expensive, and called only if the answer matters.
    pub(super) fn end_tag(
        &mut self,
        name: &str,
        may_be_open: impl FnOnce() -> bool,
    ) -> Result<(), BailOut> {
        if name.eq_ignore_ascii_case("p") || name.eq_ignore_ascii_case("br") {
            return self.exit();
        }
        let has_name = |open: &OpenElement| self.name(open).eq_ignore_ascii_case(name);
        // The usual case, in which the search below ends at once and the table is not needed.
        let is_innermost = self.open.last().is_some_and(has_name);
        let counted = if is_innermost {
            None
        } else {
            NEVER_AROUND.position(name)
        };
        // Without the shortcut, a document of deeply nested elements and then `</img>` many times would take quadratic
        // time. Other names that match nothing are limited below.
        let searched = match counted {
            Some(index) if self.deep[index] == 0 => self.open.len().min(DEEP),
            _ => self.open.len(),
        };
        match self.open[..searched].iter().rposition(has_name) {
            Some(index) => self.truncate(index),
            // No HTML element around the foreign ones has that name: the end tag is ignored.
            None if counted.is_some() => {}
            // It may close an HTML element around the foreign ones, and all of them with it.
            None if is_implied(name) || may_be_open() => {
                return Err(BailOut::MisnestedForeignContent);
            }
            None => {
                self.searched += searched;
                if self.searched > MAX_SEARCHED {
                    return Err(BailOut::MisnestedForeignContent);
                }
            }
        }
        Ok(())
    }

    /// Closes all elements, at a tag that is not allowed in foreign content.
    ///
    /// Bails out if one of them may be an integration point: the parser closes elements up to there only.
    fn exit(&mut self) -> Result<(), BailOut> {
        if self.open.iter().any(|open| self.is_integration_point(open)) {
            return Err(BailOut::HtmlInForeignContent);
        }
        self.truncate(0);
        Ok(())
    }
}

/// Returns whether an end tag of that name may close an HTML element without a start tag of that name in the document.
///
/// The start tag may be implied, or it may be that of a heading of another level, or the end tag may belong to a table
/// in the contents of a TEMPLATE.
fn is_implied(name: &str) -> bool {
    static IMPLIED: NameList<13> =
        NameList::of("html head body table tbody tr colgroup h1 h2 h3 h4 h5 h6");
    // Differently written names may be equal here: the parser replaces U+0000 by U+FFFD, and U+007F may be
    // `encoding::MASK`, which replaces the bytes of any non-ASCII character.
    name.contains(['\0', '\u{7f}', '\u{fffd}']) || IMPLIED.contains(name)
}

/// Returns whether an element of that name, in any case, is an integration point whatever its attributes.
///
/// # Source
/// HTML, "HTML integration point" and "MathML text integration point".
pub(in crate::html) fn is_integration_point(namespace: Namespace, name: &str) -> bool {
    static IN_SVG: NameList<3> = NameList::of("foreignobject desc title");
    static IN_MATH_ML: NameList<5> = NameList::of("mi mo mn ms mtext");
    match namespace {
        Namespace::Svg => IN_SVG.contains(name),
        Namespace::MathMl => IN_MATH_ML.contains(name),
        _ => false,
    }
}

/// The number of names in [`NEVER_AROUND`].
const NEVER_AROUND_COUNT: usize = 25;

/// HTML elements that contain only text, or nothing: none of them can be open around an SVG or MathML element.
static NEVER_AROUND: NameList<NEVER_AROUND_COUNT> = NameList::of(
    "\
    script style title textarea xmp iframe noembed noframes area base basefont bgsound col embed \
    frame hr img input keygen link meta param source track wbr",
);

/// Names of start tags that close all foreign elements. FONT, which does so with certain attributes only, is not here.
///
/// # Source
/// HTML, "the rules for parsing tokens in foreign content".
static EXIT_NAMES: NameList<44> = NameList::of(
    "\
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img \
    li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);

/// Names of SVG elements that have capitals in the standard.
///
/// # Source
/// HTML, "the rules for parsing tokens in foreign content", "any other start tag". The first three are from
/// SVG 1.1, and later versions of the table kept them.
pub(in crate::html) static SVG_ELEMENTS: NameList<37> = NameList::of(
    "\
    altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath \
    feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting \
    feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR \
    feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight \
    feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient \
    radialGradient textPath",
);

/// Returns the name of an SVG or MathML attribute as its standard spells it, if it has capitals.
///
/// # Source
/// HTML, "adjust SVG attributes" and "adjust MathML attributes".
pub(in crate::html) fn attribute_spelling(
    namespace: Namespace,
    name: &str,
) -> Option<&'static str> {
    static SVG: NameList<58> = NameList::of(
        "\
        attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits \
        diffuseConstant edgeMode filterUnits glyphRef gradientTransform gradientUnits \
        kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust \
        limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits \
        numOctaves pathLength patternContentUnits patternTransform patternUnits pointsAtX \
        pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY \
        repeatCount repeatDur requiredExtensions requiredFeatures specularConstant \
        specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale \
        systemLanguage tableValues targetX targetY textLength viewBox viewTarget \
        xChannelSelector yChannelSelector zoomAndPan",
    );
    static MATH_ML: NameList<1> = NameList::of("definitionURL");
    match namespace {
        Namespace::Svg => SVG.spelling(name),
        Namespace::MathMl => MATH_ML.spelling(name),
        _ => None,
    }
}
