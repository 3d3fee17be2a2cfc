//! Options of a rewriter: names and values of Python to settings of the library.

use std::borrow::Cow;
use std::fmt::Display;
use std::iter;
use std::str::FromStr;

use absolve::{
    AbsoluteReferences, BaseUrlError, IllFormedPolicy, Limit, LinkDetail, LinkSelector, Preset,
    Profile, ResolveError, Rewriter,
};
use absolve_archive::ArchiveSettings;
use absolve_site::files::{InvalidGlob, WalkOptions};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString, PyTuple};

/// The name among presets that disables all of them.
const NO_PRESET: &str = "none";

/// The name, in place of a value of a closed set, for detecting it.
pub(crate) const AUTO: &str = "auto";

/// Returns the error for a value of an option, with what to use instead.
pub(crate) fn invalid(option: &str, value: &str, problem: impl Display, hint: &str) -> PyErr {
    PyValueError::new_err(format!("{option}: {problem}: {value:?}; {hint}"))
}

/// Returns the error for a value that is none of `names`.
pub(crate) fn unknown<'n>(
    option: &str,
    value: &str,
    problem: impl Display,
    names: impl IntoIterator<Item = &'n str>,
) -> PyErr {
    let names: Vec<_> = names.into_iter().collect();
    let hint = format!("use one of {}", names.join(", "));
    invalid(option, value, problem, &hint)
}

/// Returns the value of a closed set that `name` denotes.
///
/// # Errors
/// `ValueError`: it denotes none; the message has the names of `all`.
pub(crate) fn named<T: Copy + FromStr<Err: Display>>(
    option: &str,
    name: &str,
    all: &[T],
    name_of: fn(T) -> &'static str,
) -> PyResult<T> {
    name.parse()
        .map_err(|error| unknown(option, name, error, all.iter().map(|&value| name_of(value))))
}

/// Returns the value that `name` denotes as [`named`] does, or `None` for `other`.
///
/// # Errors
/// Those of [`named`].
pub(crate) fn named_or<T: Copy + FromStr<Err: Display>>(
    other: &'static str,
    option: &str,
    name: &str,
    all: &[T],
    name_of: fn(T) -> &'static str,
) -> PyResult<Option<T>> {
    if name == other {
        return Ok(None);
    }
    let names = || iter::once(other).chain(all.iter().map(|&value| name_of(value)));
    let value = name.parse();
    value
        .map(Some)
        .map_err(|error| unknown(option, name, error, names()))
}

/// Returns the value of an option.
///
/// # Errors
/// `TypeError`: it has another type. `ValueError`: it is a number that is negative or too large. Both name the option.
pub(crate) fn extract<'py, T: FromPyObjectOwned<'py>>(
    option: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<T> {
    value
        .extract()
        .map_err(|error: T::Error| of_option(option, value, error.into()))
}

/// Returns `error`, which the value of an option has caused, with the name of the option.
fn of_option(option: &str, value: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let problem = error.value(value.py());
    if problem.is_instance_of::<PyTypeError>() {
        PyTypeError::new_err(format!("{option}: {problem}"))
    } else if problem.is_instance_of::<PyOverflowError>() {
        PyValueError::new_err(format!("{option}: negative or too large: {value}"))
    } else {
        error
    }
}

/// Returns the strings of a value that is a string, an iterable of strings, or `None`.
///
/// # Errors
/// `TypeError`: it is something else.
pub(crate) fn strings(option: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    list(option, items(option, value.cloned())?.as_ref())
}

/// Returns the number of threads that Python passes.
///
/// # Errors
/// Those of [`extract`].
pub(crate) fn thread_count(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    extract("threads", value)
}

/// Returns the items of an option as an immutable value: those of an iterable, the pairs of a mapping, or a `str`.
///
/// # Errors
/// `TypeError`: it is something else.
pub(crate) fn items<'py>(
    option: &str,
    value: Option<Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(value) = value else {
        return Ok(None);
    };
    let items = match (value.cast::<PyString>(), value.cast::<PyMapping>()) {
        (Ok(text), _) => PyTuple::new(value.py(), [text])?,
        (_, Ok(mapping)) => mapping.items()?.to_tuple(),
        _ => {
            let iterator = value.try_iter();
            let iterator = iterator.map_err(|error| of_option(option, &value, error))?;
            PyTuple::new(value.py(), iterator.collect::<PyResult<Vec<_>>>()?)?
        }
    };
    Ok(Some(items.into_any()))
}

/// Returns the [`items`] of an option.
///
/// # Errors
/// Those of [`extract`].
fn list<'py, T: FromPyObjectOwned<'py>>(
    option: &str,
    items: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<T>> {
    items.map_or_else(|| Ok(Vec::new()), |items| extract(option, items))
}

/// Checks that `url` can be the base URL of a document without other candidates.
///
/// # Errors
/// `ValueError`: it cannot.
pub(crate) fn check_base(option: &str, url: &str, profile: Profile) -> PyResult<()> {
    absolve::check_base_url(url, profile).map_err(|error| {
        let hint = match error {
            BaseUrlError::WindowsPath => "use a file URL such as 'file:///C:/dir/page.html'",
            _ => "use an absolute URL such as 'https://example.org/dir/page.html'",
        };
        invalid(option, url, error, hint)
    })
}

/// The origin of URLs of which only the path is known: a host that cannot exist (RFC 2606 section 2).
pub(crate) const UNKNOWN_ORIGIN: &str = "https://absolve.invalid";

/// Returns the URL of a folder: `url`, or that with the path `base_path` and the [unknown origin](UNKNOWN_ORIGIN).
///
/// # Errors
/// `ValueError`: `base_path` is invalid, or both are given.
pub(crate) fn folder_url<'u>(
    url: Option<&'u str>,
    base_path: Option<&str>,
) -> PyResult<Option<Cow<'u, str>>> {
    let Some(path) = base_path else {
        return Ok(url.map(Cow::Borrowed));
    };
    if url.is_some() {
        let hint = "use one of url and base_path";
        return Err(invalid("base_path", path, "there is a URL, too", hint));
    }
    if !path.starts_with('/') || path.starts_with("//") || path.contains(['?', '#', '\\']) {
        let hint = "use a path that begins with a slash, such as '/docs/'";
        return Err(invalid("base_path", path, "not a path", hint));
    }
    let slash = if path.ends_with('/') { "" } else { "/" };
    Ok(Some(Cow::Owned(format!("{UNKNOWN_ORIGIN}{path}{slash}"))))
}

/// The limits of containers, which are in the option `limit`, too.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContainerLimits {
    decoded_size: Option<usize>,
    decoded_ratio: Option<usize>,
    record_size: Option<usize>,
}

impl ContainerLimits {
    const DECODED_SIZE: &str = "decoded-size";
    const DECODED_RATIO: &str = "decoded-ratio";
    const RECORD_SIZE: &str = "record-size";

    /// Returns the limit with this name; `None` if it is not one of containers.
    fn get_mut(&mut self, name: &str) -> Option<&mut Option<usize>> {
        match name {
            Self::DECODED_SIZE => Some(&mut self.decoded_size),
            Self::DECODED_RATIO => Some(&mut self.decoded_ratio),
            Self::RECORD_SIZE => Some(&mut self.record_size),
            _ => None,
        }
    }

    /// Returns settings for containers with these limits.
    pub(crate) fn apply(self, settings: ArchiveSettings) -> ArchiveSettings {
        let settings = self
            .decoded_size
            .into_iter()
            .fold(settings, ArchiveSettings::document_limit);
        let settings = self
            .decoded_ratio
            .into_iter()
            .fold(settings, ArchiveSettings::decoded_ratio);
        self.record_size
            .into_iter()
            .fold(settings, ArchiveSettings::record_limit)
    }
}

/// Returns the limit of documents with this name.
///
/// # Errors
/// `ValueError`: there is none; the message has the names of all limits.
fn document_limit(name: &str) -> PyResult<Limit> {
    name.parse().map_err(|error| {
        let names = Limit::ALL.iter().map(|limit| limit.name());
        let of_containers = [
            ContainerLimits::DECODED_SIZE,
            ContainerLimits::DECODED_RATIO,
            ContainerLimits::RECORD_SIZE,
        ];
        unknown("limit", name, error, names.chain(of_containers))
    })
}

/// The [`items`] of options that are lists or mappings.
pub(crate) struct Collections<'py> {
    pub(crate) limit: Option<Bound<'py, PyAny>>,
    pub(crate) map: Option<Bound<'py, PyAny>>,
    pub(crate) preset: Option<Bound<'py, PyAny>>,
    pub(crate) link: Option<Bound<'py, PyAny>>,
    pub(crate) skip: Option<Bound<'py, PyAny>>,
    pub(crate) placeholders: Option<Bound<'py, PyAny>>,
}

impl Collections<'_> {
    /// Returns `rewriter` with these options, whose profile is `profile`, and the limits of containers.
    ///
    /// # Errors
    /// `ValueError` names the option, its value and what to use instead; `TypeError` is for values of a wrong type.
    pub(crate) fn apply(
        &self,
        mut rewriter: Rewriter,
        profile: Profile,
    ) -> PyResult<(Rewriter, ContainerLimits)> {
        let mut limits = ContainerLimits::default();
        for (name, value) in list::<(String, Bound<'_, PyAny>)>("limit", self.limit.as_ref())? {
            let value = extract(&format!("limit: {name}"), &value)?;
            match limits.get_mut(&name) {
                Some(limit) => *limit = Some(value),
                None => rewriter = rewriter.limit(document_limit(&name)?, value),
            }
        }
        for (from, to) in list::<(String, String)>("map", self.map.as_ref())? {
            for url in [&from, &to] {
                // A URL without hierarchy is one, too, although no reference is relative to it.
                if let Err(BaseUrlError::Unusable(error)) = absolve::check_base_url(url, profile)
                    && error != ResolveError::BaseNotHierarchical
                {
                    let hint = "use absolute URLs such as 'https://example.org/'";
                    return Err(invalid("map", url, error, hint));
                }
            }
            rewriter = rewriter.map(&from, &to);
        }
        for names in list::<String>("preset", self.preset.as_ref())? {
            for name in names.split(',').map(str::trim) {
                let preset = named_or(NO_PRESET, "preset", name, Preset::ALL, Preset::name)?;
                rewriter = match preset {
                    None => rewriter.no_presets(),
                    Some(preset) => rewriter.preset(preset),
                };
            }
        }
        for (selected, grammar) in list::<(String, String)>("link", self.link.as_ref())? {
            let all = absolve::Grammar::ALL;
            let grammar = named("link", &grammar, all, absolve::Grammar::name)?;
            rewriter = rewriter.link(selector("link", &selected)?, grammar);
        }
        for selected in list::<String>("skip", self.skip.as_ref())? {
            rewriter = rewriter.skip(selector("skip", &selected)?);
        }
        if self.placeholders.is_some() {
            rewriter =
                rewriter.placeholders(list::<String>("placeholders", self.placeholders.as_ref())?);
        }
        // Results are lists of their own (`Rewriter.links`); a rewrite reports the skipped ones.
        Ok((rewriter.link_detail(LinkDetail::SkippedOnly), limits))
    }
}

/// Returns the options of the walk of a directory, with these globs.
///
/// # Errors
/// `ValueError`: a glob is invalid.
pub(crate) fn walk_options(
    include: Option<&Bound<'_, PyAny>>,
    exclude: Option<&Bound<'_, PyAny>>,
) -> PyResult<WalkOptions> {
    let invalid_glob = |option: &'static str| {
        move |error: InvalidGlob| {
            let hint = "use a glob in the syntax of .gitignore";
            invalid(option, &error.glob, error.problem, hint)
        }
    };
    let options = WalkOptions::new()
        .include(strings("include", include)?)
        .map_err(invalid_glob("include"))?;
    options
        .exclude(strings("exclude", exclude)?)
        .map_err(invalid_glob("exclude"))
}

/// Parses a selector of links.
fn selector(option: &str, text: &str) -> PyResult<LinkSelector> {
    let hint = "use a selector such as 'img[src]', '*[data-src]' or 'link[rel=canonical][href]'";
    text.parse()
        .map_err(|error| invalid(option, text, error, hint))
}

/// Returns the treatment of absolute references that the option `normalize` selects.
pub(crate) fn absolute_references(normalize: bool) -> AbsoluteReferences {
    if normalize {
        AbsoluteReferences::Normalize
    } else {
        AbsoluteReferences::Keep
    }
}

/// Returns the treatment of ill-formed XML that the option `lenient` selects.
pub(crate) fn ill_formed_xml(lenient: bool) -> IllFormedPolicy {
    if lenient {
        IllFormedPolicy::Recover
    } else {
        IllFormedPolicy::Leave
    }
}
