//! Options of a rewriter: names and values of Python to settings of the library.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use absolve::Profile;
use absolve::options::{InvalidOption, UnknownName};
use absolve_archive::{ArchiveSettings, ContainerLimit};
pub(crate) use absolve_site::UNKNOWN_ORIGIN;
use absolve_site::files::{InvalidGlob, WalkOptions};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping, PyString, PyTuple};

/// The name, in place of a value of a closed set, for detecting it.
pub(crate) const AUTO: &str = "auto";

/// Returns the error for a value of an option.
pub(crate) fn value_error(error: InvalidOption) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the error for a value of an option, with what to use instead.
pub(crate) fn invalid(option: &str, value: &str, problem: impl Display, hint: &str) -> PyErr {
    value_error(InvalidOption::new(option, value, problem, hint))
}

/// Returns the value of a closed set that `name` denotes.
///
/// # Errors
/// `ValueError`: it denotes none; the message has the names of all.
pub(crate) fn named<T: FromStr<Err = UnknownName>>(option: &str, name: &str) -> PyResult<T> {
    absolve::options::named_option(option, name).map_err(value_error)
}

/// Returns the value that `name` denotes as [`named`] does, or `None` for [`AUTO`].
///
/// # Errors
/// Those of [`named`].
pub(crate) fn named_or_auto<T: FromStr<Err = UnknownName>>(
    option: &str,
    name: &str,
) -> PyResult<Option<T>> {
    if name == AUTO {
        return Ok(None);
    }
    let value = name.parse().map_err(|error: UnknownName| {
        let hint = format!("use one of {AUTO}, {}", error.names().join(", "));
        invalid(option, name, error, &hint)
    });
    value.map(Some)
}

/// Returns the index of `name` among the `names` of the values of an option.
///
/// # Errors
/// `ValueError`: it is none of them.
pub(crate) fn choice(option: &str, name: &str, names: &'static [&'static str]) -> PyResult<usize> {
    let index = UnknownName::find("value", names, name);
    index.map_err(|error| {
        let hint = format!("use one of {}", names.join(", "));
        invalid(option, name, error, &hint)
    })
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
    let strings = value.map(|value| extract(option, items(option, value)?.as_any()));
    strings.unwrap_or_else(|| Ok(Vec::new()))
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
fn items<'py>(option: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    match (value.cast::<PyString>(), value.cast::<PyMapping>()) {
        (Ok(text), _) => PyTuple::new(value.py(), [text]),
        (_, Ok(mapping)) => Ok(mapping.items()?.to_tuple()),
        _ => {
            let iterator = value.try_iter();
            let iterator = iterator.map_err(|error| of_option(option, value, error))?;
            PyTuple::new(value.py(), iterator.collect::<PyResult<Vec<_>>>()?)
        }
    }
}

/// Checks that `url` can be the base URL of a document without other candidates.
///
/// # Errors
/// `ValueError`: it cannot.
pub(crate) fn check_base(option: &str, url: &str, profile: Profile) -> PyResult<()> {
    absolve::options::check_base_url(option, url, profile).map_err(value_error)
}

/// Returns the URL of a folder: `url`, or that with the path `base_path` and an unknown origin.
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
    let url = absolve_site::url_of_directory(path).ok_or_else(|| {
        let hint = "use a path that begins with a slash, such as '/docs/'";
        invalid("base_path", path, "not a path", hint)
    });
    Ok(Some(Cow::Owned(url?)))
}

/// The options of a rewriter, in the order in which they are set: with the default, or `[]` if they have [`items`].
const OPTIONS: &str = "profile=rfc1808 base_scope base_origin=any unwrap=none to=absolute fragments=resolve \
    base_element=absolutize escape=url normalize lenient limit[] map[] map_url[] preset[] link[] skip[] \
    placeholders[] remove[] remove_attribute[] insert[] keep_original";

/// Returns all options of a rewriter, of which some are `given`: pairs of a name and a value, its [`items`], or `None`.
///
/// # Errors
/// `TypeError`: there is no such option, or a value has no items.
pub(crate) fn complete<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let given = given.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
    let mut options = Vec::new();
    for option in OPTIONS.split_ascii_whitespace() {
        let mut parts = option.split('=');
        let name = parts.next().unwrap_or_default().trim_end_matches("[]");
        let value = given.call_method1("pop", (name, parts.next()))?;
        let value = match value.cast::<PyBool>() {
            Ok(flag) => flag.is_true().then_some(true).into_bound_py_any(py)?,
            Err(_) if option.ends_with("[]") && !value.is_none() => items(name, &value)?.into_any(),
            Err(_) => value,
        };
        options.push((name, value));
    }
    if let Some((name, _)) = given.iter().next() {
        let problem = format!("Rewriter: unexpected keyword argument '{name}'");
        return Err(PyTypeError::new_err(problem));
    }
    PyTuple::new(py, options)
}

/// Returns the rewriter with `options`, pairs of a name and a value or its [`items`], its profile, and the settings for
/// containers.
///
/// # Errors
/// `ValueError` names the option, its value and what to use instead; `TypeError` is for values of a wrong type.
pub(crate) fn rewriter(
    options: &Bound<'_, PyTuple>,
) -> PyResult<(absolve::Rewriter, Profile, ArchiveSettings)> {
    // Results are lists of their own (`Rewriter.links`); a rewrite reports the skipped ones.
    let mut rewriter = absolve::Rewriter::new();
    let mut containers = ArchiveSettings::new();
    let mut profile = Profile::default();
    for option in options {
        let (name, value): (String, Bound<'_, PyAny>) = option.extract()?;
        if value.is_none() {
            continue;
        }
        let pairs: Vec<(String, String)> = match &*name {
            "limit" => {
                let mut limits = Vec::new();
                for (limit, number) in extract::<Vec<(String, Bound<'_, PyAny>)>>(&name, &value)? {
                    let number: usize = extract(&format!("{name}: {limit}"), &number)?;
                    match limit.parse() {
                        Ok(limit) => containers = containers.limit(limit, number),
                        Err(_) => limits.push((limit, number.to_string())),
                    }
                }
                limits
            }
            "map" | "map_url" | "link" | "insert" => extract(&name, &value)?,
            "placeholders" if value.len()? == 0 => vec![Default::default()],
            "preset" | "skip" | "placeholders" | "remove" | "remove_attribute" => {
                let items = strings(&name, Some(&value))?.into_iter();
                items.map(|item| (item, String::new())).collect()
            }
            "normalize" | "lenient" => vec![(value.is_truthy()?.to_string(), String::new())],
            _ => vec![(extract(&name, &value)?, String::new())],
        };
        if name == "profile" {
            profile = named(&name, &pairs[0].0)?;
        }
        for (value, second) in pairs {
            let result = rewriter.with_option(&name, &value, &second);
            rewriter = result.map_err(|mut error| {
                if name == "limit" {
                    let of_containers = ContainerLimit::ALL.iter();
                    error
                        .hint
                        .extend(of_containers.flat_map(|limit| [", ", limit.name()]));
                }
                value_error(error)
            })?;
        }
    }
    Ok((rewriter, profile, containers))
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
    WalkOptions::new()
        .include(strings("include", include)?)
        .map_err(invalid_glob("include"))?
        .exclude(strings("exclude", exclude)?)
        .map_err(invalid_glob("exclude"))
}
