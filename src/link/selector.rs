//! Selectors for links: `img[src]`, `link[rel=canonical][href]`, `svg:*[href]`, `style[#text]`.
//!
//! The syntax is a small part of that of CSS selectors. The last brackets name the attribute that contains the link;
//! all other brackets are conditions. [`Condition`] and [`Test`] also serve the rows of the link table.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::TEXT;
use crate::find::starts_with_ignore_case;
use crate::markup::Namespace;
use crate::markup::name_set::{AttributeRole, NameSet};
use crate::markup::tokens::COMMENT;

/// A selector for links: an attribute of certain elements, or their text.
///
/// A selector is written as an element, followed by conditions and the attribute in brackets. ASCII case is ignored.
///
/// | selector | selects |
/// |---|---|
/// | `img[src]` | the attribute `src` of HTML `img` elements |
/// | `*[data-src]` | the attribute `data-src` of every element |
/// | `svg:use[href]`, `math:*[href]` | attributes of SVG and MathML elements |
/// | `a[*]` | every attribute of `a`, but not its text |
/// | `script[#text]` | the text of `script`; only `script` and `style` have text with links |
/// | `link[rel=canonical][href]` | `href` if the value of `rel` is `canonical` |
/// | `link[rel~=canonical][href]` | `href` if a white-space separated word of `rel` is `canonical` |
/// | `link[rel^=can][href]` | `href` if a white-space separated word of `rel` begins with `can` |
///
/// The value of a condition may be in single or double quotes.
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
    /// The namespace of the element; `None` for any.
    namespace: Option<Namespace>,
    /// The name of the element, in lower case like every name here; `None` for any.
    element: Option<String>,
    conditions: Vec<Condition<String>>,
    /// The name of the attribute, [`TEXT`], or `*` for any attribute.
    attribute: String,
}

/// The elements that can be removed: their end is certain, and they close no other element of BODY.
pub(crate) const REMOVABLE: [&str; 9] = [
    COMMENT, "script", "style", "noscript", "iframe", "meta", "link", "img", "embed",
];

/// A condition on another attribute of the element. ASCII case is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition<S> {
    pub(super) attribute: S,
    /// An alternative attribute: the condition holds if it holds for either.
    pub(super) or: Option<S>,
    pub(super) test: Test,
    /// The expected value.
    pub(super) value: S,
}

/// A comparison of the value of an attribute with an expected value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    /// The value is the expected one.
    Is,
    /// The value without surrounding white space is the expected one.
    IsTrimmed,
    /// The value is the expected one or empty, or the attribute is absent.
    IsOrAbsent,
    /// A white-space separated word of the value is the expected one.
    HasWord,
    /// A white-space separated word of the value begins with the expected one.
    BeginsWith,
    /// The value without MIME type parameters is the expected one.
    IsType,
    /// The value is not the expected one, or the attribute is absent.
    IsNot,
}

impl<S: AsRef<str>> Condition<S> {
    /// Returns whether the condition holds for an element whose attributes have the values that `value_of` returns.
    pub(super) fn holds<'v>(&self, value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>) -> bool {
        if matches!(self.test, Test::IsOrAbsent | Test::IsNot)
            && value_of(self.attribute.as_ref()).is_none()
        {
            return true;
        }
        let mut attributes = std::iter::once(&self.attribute).chain(&self.or);
        attributes.any(|attribute| {
            value_of(attribute.as_ref()).is_some_and(|value| self.test.holds(&value, &self.value))
        })
    }
}

impl Condition<&'static str> {
    /// Returns the attribute without which the condition cannot hold, if there is a single one.
    pub(super) fn needed(&self) -> Option<&'static str> {
        let is_needed = self.or.is_none() && !matches!(self.test, Test::IsOrAbsent | Test::IsNot);
        is_needed.then_some(self.attribute)
    }
}

impl Test {
    fn holds(self, value: &str, expected: &impl AsRef<str>) -> bool {
        let expected = expected.as_ref();
        let equals = |word: &str| word.eq_ignore_ascii_case(expected);
        let begins = |word: &str| starts_with_ignore_case(word.as_bytes(), expected.as_bytes());
        match self {
            Self::Is => equals(value),
            Self::IsTrimmed => equals(value.trim_ascii()),
            Self::IsOrAbsent => value.is_empty() || equals(value),
            Self::IsNot => !equals(value.trim_ascii()),
            Self::HasWord => value.split_ascii_whitespace().any(equals),
            Self::BeginsWith => value.split_ascii_whitespace().any(begins),
            // `split` yields at least one item.
            Self::IsType => equals(value.split(';').next().unwrap_or_default().trim_ascii()),
        }
    }
}

impl LinkSelector {
    /// Returns whether this selects the given attribute of the given element. Names may be in any case.
    pub(super) fn selects<'v>(
        &self,
        namespace: Namespace,
        element: &str,
        attribute: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> bool {
        self.selects_attribute(attribute)
            && self.namespace.is_none_or(|expected| expected == namespace)
            && self
                .element
                .as_deref()
                .is_none_or(|expected| expected.eq_ignore_ascii_case(element))
            // Last, because they may decode values.
            && self
                .conditions
                .iter()
                .all(|condition| condition.holds(value_of))
    }

    /// Parses a selector of elements, in which every bracket may be a condition, or of comments.
    ///
    /// # Errors
    /// Those of [`FromStr`].
    pub(crate) fn of_element(text: &str) -> Result<Self, SelectorError> {
        let text = text.trim_ascii().to_ascii_lowercase();
        let (name, rest) = text.split_at(text.find('[').unwrap_or(text.len()));
        let is_attribute = rest
            .rsplit('[')
            .next()
            .is_some_and(|last| !last.contains('='));
        let attribute = if is_attribute && !rest.is_empty() {
            ""
        } else {
            "[*]"
        };
        // No element has the name of a comment.
        let parsed_name = if name == COMMENT { "*" } else { name };
        let selector: Self = [parsed_name, rest, attribute].concat().parse()?;
        Ok(Self {
            element: Some(name.to_owned()),
            ..selector
        })
    }

    /// Returns the names of the attributes by which `selectors` select elements.
    pub(crate) fn names(selectors: &[Self]) -> NameSet {
        let is_unconditional = |one: &Self| {
            one.selects_every_attribute()
                && one.conditions.is_empty()
                && one.element() != Some(COMMENT)
        };
        if selectors.iter().any(is_unconditional) {
            return NameSet::all();
        }
        let attributes = selectors.iter().map(Self::attribute);
        let conditions = selectors.iter().flat_map(Self::condition_attributes);
        let names = attributes.chain(conditions).chain([COMMENT]);
        NameSet::new(names.map(|name| (name, AttributeRole::Link)))
    }

    /// Returns whether this selects the given element.
    pub(crate) fn selects_element<'v>(
        &self,
        namespace: Namespace,
        element: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> bool {
        let has_attribute =
            || self.selects_every_attribute() || value_of(&self.attribute).is_some();
        self.selects(namespace, element, &self.attribute, value_of) && has_attribute()
    }

    /// Returns the name of the element in lower case, or `None` for any.
    pub(crate) fn element(&self) -> Option<&str> {
        self.element.as_deref()
    }

    /// Returns whether this selects every attribute of some element.
    pub(super) fn selects_every_attribute(&self) -> bool {
        self.attribute == "*"
    }

    /// Returns the selected attribute in lower case, [`TEXT`], or `*`.
    pub(crate) fn attribute(&self) -> &str {
        &self.attribute
    }

    /// Returns the attributes of the conditions, in lower case.
    pub(super) fn condition_attributes(&self) -> impl Iterator<Item = &str> {
        self.conditions
            .iter()
            .map(|condition| &*condition.attribute)
    }

    /// Returns whether the expected values of all conditions are ASCII without control characters.
    ///
    /// A skeleton of a document can then be compared with them: the mask, U+007F, is a control character.
    pub(super) fn conditions_are_ascii(&self) -> bool {
        let is_ascii = |byte: u8| byte.is_ascii() && !byte.is_ascii_control();
        self.conditions
            .iter()
            .all(|condition| condition.value.bytes().all(is_ascii))
    }

    /// Returns whether this selects the given attribute, or [`TEXT`], on some element.
    pub(super) fn selects_attribute(&self, attribute: &str) -> bool {
        self.attribute.eq_ignore_ascii_case(attribute)
            || (self.selects_every_attribute() && attribute != TEXT)
    }
}

/// The reason why a text is not a valid [`LinkSelector`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SelectorError {
    /// There is no valid element name before the first bracket.
    NoElement,
    /// There is no valid attribute name in the last brackets, or there are no brackets.
    NoAttribute,
    /// A bracket is not closed, or there is text between or after brackets.
    Brackets,
    /// Brackets before the last ones do not contain a condition with `=`, `~=` or `^=`.
    Condition,
    /// `#text` is selected for an element other than STYLE and SCRIPT.
    Text,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoElement => "no valid element name before the brackets",
            Self::NoAttribute => "no valid attribute name in the last brackets",
            Self::Brackets => "unbalanced brackets",
            Self::Condition => "condition other than [name=value], [name~=value] or [name^=value]",
            Self::Text => "text of an element other than style and script",
        })
    }
}

impl std::error::Error for SelectorError {}

impl FromStr for LinkSelector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        // Everything is compared without regard to case, values included.
        let lower = text.trim_ascii().to_ascii_lowercase();
        let (name, brackets) = match lower.find('[') {
            Some(bracket) => lower.split_at(bracket),
            None => (&*lower, ""),
        };
        let (namespace, name) = match name.split_once(':') {
            Some((prefix, local)) if let Some(namespace) = Namespace::of_prefix(prefix) => {
                (Some(namespace), local)
            }
            _ if name == "*" => (None, name),
            // Another prefix is part of the name of an HTML element, such as `v:fill`.
            _ => (Some(Namespace::Html), name),
        };
        if name != "*" && !is_name(name) {
            return Err(SelectorError::NoElement);
        }
        let mut parts = Vec::new();
        let mut rest = brackets;
        while !rest.is_empty() {
            let inner = rest.strip_prefix('[').ok_or(SelectorError::Brackets)?;
            let (part, tail) = inner.split_once(']').ok_or(SelectorError::Brackets)?;
            parts.push(part.trim_ascii());
            rest = tail;
        }
        let attribute = parts
            .pop()
            .filter(|part| matches!(*part, TEXT | "*") || is_name(part))
            .ok_or(SelectorError::NoAttribute)?;
        let has_text = match namespace {
            Some(Namespace::MathMl) => false,
            _ if name == "*" => true,
            Some(namespace) => namespace.text_may_contain_links(name),
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

/// Returns whether `text` can be the name of an element or attribute: of HTML, of a custom element, or of a framework.
fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_:.@".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// Parses a condition, without its brackets.
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
    fn selects_compares_namespace_names_and_conditions() {
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
            ("script[*]", Namespace::Html, "script", "src", true),
            ("script[*]", Namespace::Html, "script", TEXT, false),
            ("*[*]", Namespace::Html, "style", TEXT, false),
            ("script[#text]", Namespace::Html, "script", TEXT, true),
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
    fn parse_reports_the_reason_for_an_invalid_selector() {
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
