//! Elements of SVG and MathML that are open, as far as they can be known without a tree.

use super::BailOut;
use crate::html::Namespace;
use crate::html::name_set::{NamePrefilter, beginning, key_at};
use crate::span::Span;

/// The open elements of SVG and MathML around the place that is read; none in HTML content.
///
/// # Source
/// HTML, "the rules for parsing tokens in foreign content". They need no tree as long as no HTML stands at one of the
/// places in there where it may; then the reader bails out.
#[derive(Debug, Default)]
pub(super) struct ForeignElements {
    open: Vec<OpenElement>,
    /// Their names as written, one behind the other.
    names: String,
    /// How many of the open elements that are [`DEEP`] or deeper have each of the names in [`IS_NEVER_OPEN`].
    deep: [usize; IS_NEVER_OPEN.len()],
}

/// How deep elements are of which it is counted what they are called, so that end tags that end nothing need not look
/// at each.
const DEEP: usize = 32;

#[derive(Debug, Clone, Copy)]
struct OpenElement {
    namespace: Namespace,
    /// Where in `names` its name stands.
    name: Span,
}

impl ForeignElements {
    /// How many are open.
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The namespace of the element that is open.
    pub(super) fn namespace(&self) -> Namespace {
        self.open
            .last()
            .map_or(Namespace::Html, |open| open.namespace)
    }

    pub(super) fn push(&mut self, namespace: Namespace, name: &str) {
        if self.open.len() >= DEEP
            && let Some(index) = never_open(name)
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

    /// No more than the outermost `depth` elements are open any more.
    pub(super) fn truncate(&mut self, depth: usize) {
        for open in self.open.get(depth.max(DEEP)..).unwrap_or_default() {
            if let Some(index) = never_open(self.name(open)) {
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

    /// Whether an element is an integration point, or may be one.
    fn may_hold_html(&self, open: &OpenElement) -> bool {
        const IN_SVG: NameTable<3> = NameTable::of(["foreignobject", "desc", "title"]);
        const IN_MATH_ML: NameTable<6> =
            NameTable::of(["mi", "mo", "mn", "ms", "mtext", "annotation-xml"]);
        let name = self.name(open);
        match open.namespace {
            Namespace::Svg => IN_SVG.position(name).is_some(),
            Namespace::MathMl => IN_MATH_ML.position(name).is_some(),
            Namespace::Html => false,
        }
    }

    /// Makes way for a start tag: whether it is one of foreign content, or ended all of that; `has_attribute` tells
    /// which attributes it has.
    pub(super) fn admit(
        &mut self,
        name: &str,
        has_attribute: impl Fn(&str) -> bool,
    ) -> Result<bool, BailOut> {
        if self
            .open
            .last()
            .is_some_and(|open| self.may_hold_html(open))
        {
            return Err(BailOut::HtmlInForeignContent);
        }
        let is_font = name.eq_ignore_ascii_case("font")
            && ["color", "face", "size"].into_iter().any(has_attribute);
        if !is_font && !breaks_out(name) {
            return Ok(true);
        }
        self.end()?;
        Ok(false)
    }

    /// An end tag, which ends the innermost element of that name and all those in it, or nothing.
    /// `was_opened` tells whether there was a start tag of HTML with that name.
    pub(super) fn end_tag(
        &mut self,
        name: &str,
        was_opened: impl FnOnce() -> bool,
    ) -> Result<(), BailOut> {
        if name.eq_ignore_ascii_case("p") || name.eq_ignore_ascii_case("br") {
            return self.end();
        }
        let is_it = |open: &OpenElement| self.name(open).eq_ignore_ascii_case(name);
        let last = self.open.last().filter(|open| is_it(open));
        let own = last.map_or_else(|| never_open(name), |_| None);
        let looked_at = match own {
            Some(index) if self.deep[index] == 0 => self.open.len().min(DEEP),
            _ => self.open.len(),
        };
        match self.open[..looked_at].iter().rposition(is_it) {
            Some(index) => self.truncate(index),
            // It ends an element of HTML around them, or nothing.
            None if own.is_some() => {}
            None if is_implied(name) || was_opened() => {
                return Err(BailOut::MisnestedForeignContent);
            }
            None => {}
        }
        Ok(())
    }

    /// All of it ends, unless there is a place for HTML in it, up to which it would.
    fn end(&mut self) -> Result<(), BailOut> {
        if self.open.iter().any(|open| self.may_hold_html(open)) {
            return Err(BailOut::HtmlInForeignContent);
        }
        self.truncate(0);
        Ok(())
    }
}

/// Whether an end tag of that name may end an element of HTML without a start tag that is written like that: one that is
/// implied, a heading of another level, or a part of a table that is the content of a TEMPLATE.
fn is_implied(name: &str) -> bool {
    let names = [
        "html", "head", "body", "table", "tbody", "tr", "colgroup", "h1", "h2", "h3", "h4", "h5",
        "h6",
    ];
    // U+0000 in a name is U+FFFD; and a control character may stand for a byte that is one in the document.
    name.contains(['\0', '\u{7f}', '\u{fffd}'])
        || names.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Elements of HTML that have no content, or none but text: within an element of SVG or MathML none is open around it.
const IS_NEVER_OPEN: [&str; 25] = [
    "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "area", "base",
    "basefont", "bgsound", "col", "embed", "frame", "hr", "img", "input", "keygen", "link", "meta",
    "param", "source", "track", "wbr",
];

/// Which of [`IS_NEVER_OPEN`] a name is.
fn never_open(name: &str) -> Option<usize> {
    static NAMES: NameTable<{ IS_NEVER_OPEN.len() }> = NameTable::of(IS_NEVER_OPEN);
    NAMES.position(name)
}

/// Whether a start tag ends all foreign content.
fn breaks_out(name: &str) -> bool {
    static NAMES: NameTable<{ BREAKS_OUT.len() }> = NameTable::of(BREAKS_OUT);
    NAMES.position(name).is_some()
}

/// A few names, among which another is found, or not, without comparing it with each.
struct NameTable<const COUNT: usize> {
    /// The shorter ones before the longer ones.
    each: [&'static str; COUNT],
    keys: [u64; COUNT],
    letters: NamePrefilter,
    /// How many there are of each length or less.
    ends: [usize; LONGEST + 1],
}

/// How long a name may be that is one of [`NameTable`].
const LONGEST: usize = "annotation-xml".len();

impl<const COUNT: usize> NameTable<COUNT> {
    const fn of(names: [&'static str; COUNT]) -> Self {
        let mut each = [""; COUNT];
        let mut keys = [0; COUNT];
        let mut ends = [0; LONGEST + 1];
        let mut count = 0;
        let mut length = 0;
        while length <= LONGEST {
            let mut index = 0;
            while index < COUNT {
                if names[index].len() == length {
                    each[count] = names[index];
                    keys[count] = beginning(names[index].as_bytes());
                    count += 1;
                }
                index += 1;
            }
            ends[length] = count;
            length += 1;
        }
        assert!(count == COUNT, "a name is too long");
        Self {
            letters: NamePrefilter::of(&names),
            each,
            keys,
            ends,
        }
    }

    /// Which of them a name is, in any case.
    fn position(&self, name: &str) -> Option<usize> {
        if !self.letters.may_contain(name) {
            return None;
        }
        let key = key_at(name.as_bytes(), 0, name.len());
        let (start, end) = (self.ends.get(name.len() - 1)?, self.ends.get(name.len())?);
        let mut indexes = *start..*end;
        indexes
            .find(|&index| self.keys[index] == key && self.each[index].eq_ignore_ascii_case(name))
    }
}

/// Start tags that end all foreign content.
const BREAKS_OUT: [&str; 44] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];

/// The name of an element of SVG as its standard spells it, if it has capitals.
///
/// # Source
/// HTML, "the rules for parsing tokens in foreign content", "any other start tag"; the first three are those of
/// SVG 1.1 that later tables kept.
pub(super) fn svg_element(name: &str) -> Option<&'static str> {
    const NAMES: &[&str] = &[
        "altGlyph",
        "altGlyphDef",
        "altGlyphItem",
        "animateColor",
        "animateMotion",
        "animateTransform",
        "clipPath",
        "feBlend",
        "feColorMatrix",
        "feComponentTransfer",
        "feComposite",
        "feConvolveMatrix",
        "feDiffuseLighting",
        "feDisplacementMap",
        "feDistantLight",
        "feDropShadow",
        "feFlood",
        "feFuncA",
        "feFuncB",
        "feFuncG",
        "feFuncR",
        "feGaussianBlur",
        "feImage",
        "feMerge",
        "feMergeNode",
        "feMorphology",
        "feOffset",
        "fePointLight",
        "feSpecularLighting",
        "feSpotLight",
        "feTile",
        "feTurbulence",
        "foreignObject",
        "glyphRef",
        "linearGradient",
        "radialGradient",
        "textPath",
    ];
    spelled(NAMES, name)
}

/// The name of an attribute of SVG or MathML as its standard spells it, if it has capitals.
///
/// # Source
/// HTML, "adjust SVG attributes" and "adjust MathML attributes".
pub(super) fn attribute(namespace: Namespace, name: &str) -> Option<&'static str> {
    const SVG: &[&str] = &[
        "attributeName",
        "attributeType",
        "baseFrequency",
        "baseProfile",
        "calcMode",
        "clipPathUnits",
        "diffuseConstant",
        "edgeMode",
        "filterUnits",
        "glyphRef",
        "gradientTransform",
        "gradientUnits",
        "kernelMatrix",
        "kernelUnitLength",
        "keyPoints",
        "keySplines",
        "keyTimes",
        "lengthAdjust",
        "limitingConeAngle",
        "markerHeight",
        "markerUnits",
        "markerWidth",
        "maskContentUnits",
        "maskUnits",
        "numOctaves",
        "pathLength",
        "patternContentUnits",
        "patternTransform",
        "patternUnits",
        "pointsAtX",
        "pointsAtY",
        "pointsAtZ",
        "preserveAlpha",
        "preserveAspectRatio",
        "primitiveUnits",
        "refX",
        "refY",
        "repeatCount",
        "repeatDur",
        "requiredExtensions",
        "requiredFeatures",
        "specularConstant",
        "specularExponent",
        "spreadMethod",
        "startOffset",
        "stdDeviation",
        "stitchTiles",
        "surfaceScale",
        "systemLanguage",
        "tableValues",
        "targetX",
        "targetY",
        "textLength",
        "viewBox",
        "viewTarget",
        "xChannelSelector",
        "yChannelSelector",
        "zoomAndPan",
    ];
    match namespace {
        Namespace::Html => None,
        Namespace::Svg => spelled(SVG, name),
        Namespace::MathMl => spelled(&["definitionURL"], name),
    }
}

fn spelled(names: &[&'static str], name: &str) -> Option<&'static str> {
    let found = names.iter().find(|other| other.eq_ignore_ascii_case(name));
    found.copied()
}
