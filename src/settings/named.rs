//! Options by their names, as the command, the Python package and the npm package receive them from users.
//!
//! Whoever receives a name and a text passes both here, so that names of values, URLs and selectors have the same
//! checks and the same messages everywhere.

use std::fmt::{self, Display};
use std::mem;
use std::str::FromStr;
use std::sync::Arc;

use encoding_rs::Encoding;

use super::{AbsoluteReferences, IllFormedPolicy, InsertionPlace, RewriteSettings};
use crate::base::{is_windows_path, unusable_base};
use crate::html::{ends_outside_markup, tag};
use crate::link::{LinkSelector, REMOVABLE, TEXT};
use crate::names::UnknownName;
use crate::reference::{Profile, ResolveError};

/// The error for the value of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidOption {
    /// The name of the option, as the caller wrote it.
    pub option: String,
    /// The value, or the part of it that is invalid.
    pub value: String,
    /// The problem.
    pub problem: String,
    /// The remedy, which begins with a verb.
    pub hint: String,
}

impl InvalidOption {
    /// Creates the error for `value`.
    pub fn new(option: &str, value: &str, problem: impl Display, hint: &str) -> Self {
        Self {
            option: option.to_owned(),
            value: value.to_owned(),
            problem: problem.to_string(),
            hint: hint.to_owned(),
        }
    }
}

impl Display for InvalidOption {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            option,
            value,
            problem,
            hint,
        } = self;
        write!(formatter, "{option}: {problem}: {value:?}; {hint}")
    }
}

impl std::error::Error for InvalidOption {}

/// Returns the value of a closed set that `name` denotes, such as a [`Profile`].
///
/// # Errors
/// It denotes none; the hint lists all names.
pub fn named_option<T: FromStr<Err = UnknownName>>(
    option: &str,
    name: &str,
) -> Result<T, InvalidOption> {
    name.parse().map_err(|error: UnknownName| {
        let hint = format!("use one of {}", error.names().join(", "));
        InvalidOption::new(option, name, error, &hint)
    })
}

/// Checks that `url` would be the base URL of a document without other candidates.
///
/// An unusable candidate is ignored later, so programs call this for URLs that people give.
///
/// # Errors
/// It would not, or it is a path of Windows, whose drive letter would be read as a scheme.
///
/// # Examples
/// ```
/// use absolve::options::check_base_url;
/// use absolve::Profile;
///
/// assert_eq!(check_base_url("url", "file:///C:/dir/page.html", Profile::Rfc1808), Ok(()));
/// let error = check_base_url("url", "C:/dir/page.html", Profile::Rfc1808).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "url: a path, not a URL: \"C:/dir/page.html\"; use a file URL such as file:///C:/dir/page.html"
/// );
/// assert!(check_base_url("url", "mailto:a@b.example", Profile::Rfc1808).is_err());
/// ```
pub fn check_base_url(option: &str, url: &str, profile: Profile) -> Result<(), InvalidOption> {
    if is_windows_path(url.trim_ascii()) {
        let hint = "use a file URL such as file:///C:/dir/page.html";
        return Err(InvalidOption::new(option, url, "a path, not a URL", hint));
    }
    unusable_base(url, profile).map_or(Ok(()), |error| {
        let hint = if begins_with_host(url) {
            format!("did you mean https://{url}?")
        } else {
            "use an absolute URL such as https://example.org/dir/page.html".to_owned()
        };
        Err(InvalidOption::new(option, url, error, &hint))
    })
}

/// Returns whether `url` looks like one without its scheme: it begins with the name of a host.
fn begins_with_host(url: &str) -> bool {
    let host = url.split('/').next().unwrap_or_default();
    let is_label = |label: &str| {
        let mut bytes = label.bytes();
        !label.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    host.contains('.') && host.split('.').all(is_label)
}

/// Checks that `label` denotes an encoding.
///
/// # Errors
/// It is not a label of the Encoding Standard.
pub fn check_encoding(option: &str, label: &str) -> Result<(), InvalidOption> {
    if Encoding::for_label(label.as_bytes()).is_some() {
        return Ok(());
    }
    let hint = "use a label of the Encoding Standard, such as utf-8 or windows-1252";
    Err(InvalidOption::new(option, label, "unknown encoding", hint))
}

/// Parses a selector of links.
fn selector(option: &str, text: &str) -> Result<LinkSelector, InvalidOption> {
    let hint =
        "use a selector such as img[src], *[data-src], svg:use[href] or link[rel=canonical][href]";
    text.parse()
        .map_err(|error| InvalidOption::new(option, text, error, hint))
}

/// Parses the value of an option that is on or off.
fn flag(option: &str, value: &str) -> Result<bool, InvalidOption> {
    let hint = "use true or false";
    value
        .parse()
        .map_err(|error| InvalidOption::new(option, value, error, hint))
}

impl RewriteSettings {
    /// Adds markup to insert.
    ///
    /// # Errors
    /// It is not complete: what follows it might be read otherwise.
    pub(super) fn insert(
        &mut self,
        option: &str,
        place: InsertionPlace,
        markup: &str,
    ) -> Result<(), InvalidOption> {
        if !markup.trim_ascii_end().ends_with('>') || !ends_outside_markup(markup) {
            let hint = "use markup that ends with a complete tag or comment";
            return Err(InvalidOption::new(
                option,
                markup,
                "incomplete markup",
                hint,
            ));
        }
        self.insertions.push((place, markup.to_owned()));
        self.insertions.sort_by_key(|(place, _)| *place);
        Ok(())
    }

    /// Adds a document that is moved.
    pub(super) fn map_url(&mut self, from: &str, to: &str) {
        Arc::make_mut(&mut self.urls).insert(from.to_owned(), to.to_owned());
    }

    /// Sets the name of the attribute that keeps a URL.
    ///
    /// # Errors
    /// It may have a meaning, or it is no name.
    pub(super) fn keep_original(&mut self, option: &str, name: &str) -> Result<(), InvalidOption> {
        if !name.starts_with("data-") || !tag::is_plain_name(name) {
            let hint = "use a name such as data-original";
            return Err(InvalidOption::new(
                option,
                name,
                "not a name for data",
                hint,
            ));
        }
        self.original = Some(name.to_owned());
        Ok(())
    }

    /// Adds elements or comments to remove.
    ///
    /// # Errors
    /// The selector is invalid, or its elements cannot be removed.
    pub(super) fn remove(&mut self, option: &str, text: &str) -> Result<(), InvalidOption> {
        let hint = "use a selector such as script[src], #comment or #comment[text~=toolbar]; only script, style, \
            noscript, iframe, meta, link, img and embed can be removed";
        let invalid = |error: &dyn Display| InvalidOption::new(option, text, error, hint);
        let selector = LinkSelector::of_element(text).map_err(|error| invalid(&error))?;
        if !selector
            .element()
            .is_some_and(|name| REMOVABLE.contains(&name))
        {
            return Err(invalid(&"element whose end is not certain"));
        }
        self.removals.push(selector);
        Ok(())
    }

    /// Sets the option with this name; see [`Rewriter::with_option`](super::Rewriter::with_option).
    ///
    /// # Errors
    /// The value is invalid, or there is no such option.
    pub(super) fn set_option(
        &mut self,
        option: &str,
        value: &str,
        second: &str,
    ) -> Result<(), InvalidOption> {
        let key = option.replace(['-', '_'], "").to_ascii_lowercase();
        match &*key {
            "profile" => self.profile = named_option(option, value)?,
            "basescope" => self.base_scope = Some(named_option(option, value)?),
            "baseorigin" => self.base_origin = named_option(option, value)?,
            "limit" => {
                let hint = "use a whole number such as 8192";
                let number = second
                    .parse()
                    .map_err(|error| InvalidOption::new(option, second, error, hint))?;
                self.limits = self.limits.with(named_option(option, value)?, number);
            }
            "unwrap" => self.unwrap = named_option(option, value)?,
            "to" => self.form = named_option(option, value)?,
            "fragments" => self.fragments = named_option(option, value)?,
            "baseelement" => self.base_element = named_option(option, value)?,
            "map" | "mapurl" => {
                for url in [value, second] {
                    let error = unusable_base(url, self.profile);
                    // A URL without hierarchy is one, too, although no reference is relative to it.
                    let error = error.filter(|error| *error != ResolveError::BaseNotHierarchical);
                    if let Some(error) = error {
                        let hint = "use absolute URLs such as https://example.org/";
                        return Err(InvalidOption::new(option, url, error, hint));
                    }
                }
                if key == "map" {
                    self.map(value, second);
                } else {
                    self.map_url(value, second);
                }
            }
            "keeporiginal" => self.keep_original(option, value)?,
            "normalize" => {
                self.absolute = if flag(option, value)? {
                    AbsoluteReferences::Normalize
                } else {
                    AbsoluteReferences::Keep
                }
            }
            "escape" => self.escape = named_option(option, value)?,
            "lenient" => {
                self.ill_formed = if flag(option, value)? {
                    IllFormedPolicy::Recover
                } else {
                    IllFormedPolicy::Leave
                }
            }
            "preset" => {
                for name in value.split(',').map(str::trim) {
                    if name == "none" {
                        self.selection.clear_presets();
                        continue;
                    }
                    let preset = named_option(option, name).map_err(|mut error| {
                        error.hint.push_str(", none");
                        error
                    });
                    self.selection.add_preset(preset?);
                }
            }
            "link" => {
                let grammar = named_option(option, second)?;
                self.selection.add(selector(option, value)?, grammar);
            }
            "skip" => self.selection.skip(selector(option, value)?),
            "insert" => self.insert(option, named_option(option, value)?, second)?,
            "remove" => self.remove(option, value)?,
            "removeattribute" => {
                let selector = selector(option, value)?;
                if selector.attribute() == TEXT {
                    let hint = "use a selector such as *[integrity]";
                    return Err(InvalidOption::new(
                        option,
                        value,
                        "text is no attribute",
                        hint,
                    ));
                }
                self.selection.remove(selector);
            }
            "placeholders" => self.placeholders = mem::take(&mut self.placeholders).with(value),
            _ => {
                let hint = "use an option of absolve rewrite";
                return Err(InvalidOption::new(option, value, "unknown option", hint));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rewriter;
    use super::*;
    use crate::document::Document;

    const HTML: &[u8] = b"<base href='http://h/d/'><p data-a=x><a href=y></a><a href='HTTP://H/\xC3\xA9'></a><i id={{x>\
        <a href=#f></a><a href='[[x'></a><a href='(x'></a>";

    fn rewritten(options: &[(&str, &str, &str)]) -> String {
        let set = |rewriter: Rewriter, &(option, value, second): &(&str, &str, &str)| {
            rewriter.with_option(option, value, second)
        };
        let rewriter = options.iter().try_fold(Rewriter::new(), set);
        let rewriter = rewriter.unwrap_or_else(|error| panic!("{error}"));
        let document = Document::new(HTML).encoding("utf-8");
        String::from_utf8_lossy(&rewriter.rewrite(&document).bytes).into_owned()
    }

    /// Each option is that of a setter: the same document results.
    #[test]
    fn options_have_the_effect_of_their_setters() {
        for (options, part) in [
            (&[("to", "relative", "")][..], "<a href=y>"),
            (&[("to", "root-relative", "")], "<a href=/d/y>"),
            (
                &[("map", "http://h/", "http://n/")],
                "<a href=http://n/d/y>",
            ),
            (&[("fragments", "keep", "")], "<a href=#f>"),
            (&[("normalize", "true", "")], "<a href='HTTP://H/%C3%A9'>"),
            (&[("link", "p[data-a]", "url")], "<p data-a=http://h/d/x>"),
            (&[("skip", "a[href]", "")], "<a href=y>"),
            (&[("preset", "none", "")], "<a href=y>"),
            (&[("limit", "base-length", "3")], "<a href=y>"),
            (
                &[("base_element", "remove", "")],
                "<p data-a=x><a href=http://h/d/y>",
            ),
            (
                &[("baseElement", "remove", "")],
                "<p data-a=x><a href=http://h/d/y>",
            ),
            (
                &[("--base-element", "remove", "")],
                "<p data-a=x><a href=http://h/d/y>",
            ),
            (&[], "<a href='[[x'></a><a href='http://h/d/(x'>"),
            (
                &[("placeholders", "", "")],
                "<a href='http://h/d/[[x'></a><a href='http://h/d/(x'>",
            ),
            (
                &[("placeholders", "[[", ""), ("placeholders", "(", "")],
                "<a href='[[x'></a><a href='(x'>",
            ),
        ] {
            let html = rewritten(options);
            assert!(html.contains(part), "{options:?}: {html}");
        }
    }

    #[test]
    fn messages_name_the_option_and_the_remedy() {
        let rewriter = Rewriter::new();
        for ((option, value, second), message) in [
            (
                ("baseScope", "x", ""),
                "baseScope: unknown BASE scope: \"x\"; use one of head, document",
            ),
            (
                ("preset", "lazy, x", ""),
                "preset: unknown preset: \"x\"; use one of html, social, lazy, rdfa, json-ld, \
                comments, animation, legacy, none",
            ),
            (
                ("map", "http://h/", "a/"),
                "map: base URL without a scheme: \"a/\"; use absolute URLs such as \
                https://example.org/",
            ),
            (
                ("limit", "links", "x"),
                "limit: invalid digit found in string: \"x\"; use a whole number such as 8192",
            ),
            (
                ("x", "y", ""),
                "x: unknown option: \"y\"; use an option of absolve rewrite",
            ),
        ] {
            let error = rewriter.clone().with_option(option, value, second);
            assert_eq!(
                error.err().map(|error| error.to_string()).as_deref(),
                Some(message)
            );
        }
        let error = check_base_url("url", "h.example/d", Profile::Rfc1808);
        let message =
            "url: base URL without a scheme: \"h.example/d\"; did you mean https://h.example/d?";
        assert_eq!(
            error.err().map(|error| error.to_string()).as_deref(),
            Some(message)
        );
    }
}
