//! Which links are meant: `img[src]`, `link[rel=canonical][href]`, `svg:*[href]`, `style[#text]`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::TEXT;
use crate::html::Namespace;

/// An attribute of certain elements, or the text of certain elements.
///
/// It is written as an element and, in brackets, conditions and the attribute: `img[src]`; `*[data-src]` for every
/// element; `svg:use[href]` and `math:*[href]` for elements of SVG and MathML; `link[rel=canonical][href]` for elements
/// on which another attribute has a value (`=`), has it among others separated by white space (`~=`) or begins with it
/// (`^=`); `a[*]` for every attribute; `script[type=x][#text]` for the text of STYLE and SCRIPT elements. Letter case
/// does not matter.
///
/// # Examples
/// ```
/// use absolve::{Grammar, LinkSelector, Rewriter};
///
/// let selector: LinkSelector = "div[data-image]".parse()?;
/// let rewriter = Rewriter::new().link(selector, Grammar::Url).skip("link[rel~=canonical][href]".parse()?);
/// # let _ = rewriter;
/// # Ok::<(), absolve::SelectorError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkSelector {
    /// `None` for any.
    namespace: Option<Namespace>,
    /// In lower case, like every name here; `None` for any.
    element: Option<String>,
    conditions: Vec<Condition<String>>,
    attribute: String,
}

/// Another attribute of the element, and what its value must be, without regard to ASCII case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition<S> {
    pub(super) attribute: S,
    /// An attribute that may say the same instead.
    pub(super) or: Option<S>,
    pub(super) test: Test,
    pub(super) value: S,
}

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    /// It is this.
    Is,
    /// It is this, with white space around it allowed.
    IsTrimmed,
    /// It is this, or the empty text, or there is no such attribute.
    IsOrAbsent,
    /// One of its words is this.
    HasWord,
    /// One of its words begins with this.
    BeginsWith,
    /// It is this MIME type, whatever its parameters.
    IsType,
}

impl<S: AsRef<str>> Condition<S> {
    /// Whether the condition holds, where `value_of` gives the values of the element's attributes.
    pub(super) fn holds<'v>(&self, value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>) -> bool {
        if self.test == Test::IsOrAbsent && value_of(self.attribute.as_ref()).is_none() {
            return true;
        }
        let mut attributes = std::iter::once(&self.attribute).chain(&self.or);
        attributes.any(|attribute| {
            value_of(attribute.as_ref()).is_some_and(|value| self.test.holds(&value, &self.value))
        })
    }
}

impl Condition<&'static str> {
    /// The attribute that the element has if the condition holds, if there is one alone.
    pub(super) fn needed(&self) -> Option<&'static str> {
        let is_needed = self.or.is_none() && self.test != Test::IsOrAbsent;
        is_needed.then_some(self.attribute)
    }
}

impl Test {
    fn holds(self, value: &str, expected: &impl AsRef<str>) -> bool {
        let expected = expected.as_ref();
        let is_it = |word: &str| word.eq_ignore_ascii_case(expected);
        let begins = |word: &str| {
            word.get(..expected.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(expected))
        };
        match self {
            Self::Is => is_it(value),
            Self::IsTrimmed => is_it(value.trim_ascii()),
            Self::IsOrAbsent => value.is_empty() || is_it(value),
            Self::HasWord => value.split_ascii_whitespace().any(is_it),
            Self::BeginsWith => value.split_ascii_whitespace().any(begins),
            Self::IsType => is_it(value.split(';').next().unwrap_or_default().trim_ascii()),
        }
    }
}

impl LinkSelector {
    /// Whether the attribute is one of those that are meant. Names may be in any case.
    pub(super) fn selects<'v>(
        &self,
        namespace: Namespace,
        element: &str,
        attribute: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> bool {
        self.selects_attribute(attribute)
            && self.namespace.is_none_or(|own| own == namespace)
            && self
                .element
                .as_deref()
                .is_none_or(|own| own.eq_ignore_ascii_case(element))
            && self
                .conditions
                .iter()
                .all(|condition| condition.holds(value_of))
    }

    /// Whether every attribute is, on some element, one of those that are meant.
    pub(super) fn selects_every_attribute(&self) -> bool {
        self.attribute == "*"
    }

    /// The attribute that is meant, in lower case.
    pub(super) fn attribute(&self) -> &str {
        &self.attribute
    }

    /// The attributes that the conditions are about, in lower case.
    pub(super) fn condition_attributes(&self) -> impl Iterator<Item = &str> {
        self.conditions
            .iter()
            .map(|condition| &*condition.attribute)
    }

    /// Whether the conditions are about nothing beyond ASCII, and no control characters.
    pub(super) fn conditions_are_ascii(&self) -> bool {
        let is_ascii = |byte: u8| byte.is_ascii() && !byte.is_ascii_control();
        self.conditions
            .iter()
            .all(|condition| condition.value.bytes().all(is_ascii))
    }

    /// Whether the attribute is, on some element, one of those that are meant.
    pub(super) fn selects_attribute(&self, attribute: &str) -> bool {
        self.attribute.eq_ignore_ascii_case(attribute) || self.selects_every_attribute()
    }
}

/// Why a text is no [`LinkSelector`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SelectorError {
    /// What stands before the first bracket is no name of an element.
    NoElement,
    /// What stands in the last brackets is no name of an attribute.
    NoAttribute,
    /// A bracket is not closed, or something stands between or behind brackets.
    Brackets,
    /// Brackets before the last ones do not say which value an attribute must have, with `=`, `~=` or `^=`.
    Condition,
    /// The text of an element other than STYLE and SCRIPT is meant.
    Text,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoElement => "no name of an element before the brackets",
            Self::NoAttribute => "no name of an attribute in the last brackets",
            Self::Brackets => "brackets that do not pair",
            Self::Condition => {
                "condition that is not like [name=value], [name~=value] or [name^=value]"
            }
            Self::Text => "text of an element that is neither style nor script",
        })
    }
}

impl std::error::Error for SelectorError {}

impl FromStr for LinkSelector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let lower = text.trim_ascii().to_ascii_lowercase();
        let (name, brackets) = match lower.find('[') {
            Some(at) => lower.split_at(at),
            None => (&*lower, ""),
        };
        let (namespace, name) = match name.split_once(':') {
            Some(("svg", name)) => (Some(Namespace::Svg), name),
            Some(("math", name)) => (Some(Namespace::MathMl), name),
            _ if name == "*" => (None, name),
            _ => (Some(Namespace::Html), name),
        };
        if name != "*" && !is_name(name) {
            return Err(SelectorError::NoElement);
        }
        let mut parts = Vec::new();
        let mut rest = brackets;
        while !rest.is_empty() {
            let inner = rest.strip_prefix('[').ok_or(SelectorError::Brackets)?;
            let (part, behind) = inner.split_once(']').ok_or(SelectorError::Brackets)?;
            parts.push(part.trim_ascii());
            rest = behind;
        }
        let attribute = parts
            .pop()
            .filter(|part| matches!(*part, TEXT | "*") || is_name(part))
            .ok_or(SelectorError::NoAttribute)?;
        let has_text = match namespace {
            Some(Namespace::MathMl) => false,
            _ if name == "*" => true,
            Some(namespace) => namespace.has_text_that_is_read(name),
            None => false,
        };
        if attribute == TEXT && !has_text {
            return Err(SelectorError::Text);
        }
        Ok(Self {
            namespace,
            element: (name != "*").then(|| name.to_owned()),
            conditions: parts.into_iter().map(condition).collect::<Result<_, _>>()?,
            attribute: attribute.to_owned(),
        })
    }
}

/// Whether it can be the name of an element or an attribute, of the table or somebody's own.
fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_:.@".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

fn condition(part: &str) -> Result<Condition<String>, SelectorError> {
    let (name, value) = part.split_once('=').ok_or(SelectorError::Condition)?;
    let (attribute, test) = match name.strip_suffix(['~', '^']) {
        Some(attribute) if name.ends_with('~') => (attribute, Test::HasWord),
        Some(attribute) => (attribute, Test::BeginsWith),
        None => (name, Test::Is),
    };
    let attribute = attribute.trim_ascii();
    if !is_name(attribute) {
        return Err(SelectorError::Condition);
    }
    let value = value.trim_ascii();
    let unquoted = ['"', '\''].iter().find_map(|&quote| {
        value
            .strip_prefix(quote)
            .and_then(|value| value.strip_suffix(quote))
    });
    Ok(Condition {
        attribute: attribute.to_owned(),
        or: None,
        test,
        value: unquoted.unwrap_or(value).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_select() {
        let value_of = |name: &str| match name {
            "rel" => Some("Canonical next".into()),
            "property" => Some("og:image".into()),
            _ => None,
        };
        for (selector, namespace, element, attribute, expected) in [
            ("a[href]", Namespace::Html, "a", "href", true),
            (" A[ HREF ] ", Namespace::Html, "a", "href", true),
            ("a[href]", Namespace::Svg, "a", "href", false),
            ("svg:a[href]", Namespace::Svg, "a", "href", true),
            (
                "svg:*[href]",
                Namespace::Svg,
                "linearGradient",
                "href",
                true,
            ),
            (
                "svg:lineargradient[href]",
                Namespace::Svg,
                "linearGradient",
                "href",
                true,
            ),
            ("*[href]", Namespace::MathMl, "mi", "href", true),
            ("a[*]", Namespace::Html, "a", "ping", true),
            ("v:fill[src]", Namespace::Html, "v:fill", "src", true),
            (
                "link[rel=canonical][href]",
                Namespace::Html,
                "link",
                "href",
                false,
            ),
            (
                "link[rel~=canonical][href]",
                Namespace::Html,
                "link",
                "href",
                true,
            ),
            (
                "link[rel~='next'][rel^=\"can\"][href]",
                Namespace::Html,
                "link",
                "href",
                true,
            ),
            (
                "meta[property=og:image][content]",
                Namespace::Html,
                "meta",
                "content",
                true,
            ),
            (
                "meta[name=x][content]",
                Namespace::Html,
                "meta",
                "content",
                false,
            ),
        ] {
            let parsed: LinkSelector = selector.parse().expect(selector);
            let selects = parsed.selects(namespace, element, attribute, &value_of);
            assert_eq!(selects, expected, "{selector}");
        }
    }

    #[test]
    fn what_is_no_selector_says_why() {
        for (text, error) in [
            ("", SelectorError::NoElement),
            ("[href]", SelectorError::NoElement),
            ("svg:[href]", SelectorError::NoElement),
            ("svg : a[href]", SelectorError::NoElement),
            ("a b[href]", SelectorError::NoElement),
            ("a", SelectorError::NoAttribute),
            ("a[]", SelectorError::NoAttribute),
            ("a[rel=x]", SelectorError::NoAttribute),
            ("a[hr ef]", SelectorError::NoAttribute),
            ("a[href", SelectorError::Brackets),
            ("a[rel=x]b[href]", SelectorError::Brackets),
            ("a[x][href]", SelectorError::Condition),
            ("a[=x][href]", SelectorError::Condition),
            ("a[rel*=x][href]", SelectorError::Condition),
            ("title[#text]", SelectorError::Text),
            ("math:*[#text]", SelectorError::Text),
        ] {
            assert_eq!(text.parse::<LinkSelector>(), Err(error), "{text}");
        }
    }
}
