//! Resolving single references, without a document.

use std::borrow::Cow;

use absolve::Resolver;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::options::{check_base, named};

create_exception! { absolve, ResolveError, PyValueError, "A reference that has no target." }

/// Resolves a reference against a base URL and returns its target.
///
/// Like `urllib.parse.urljoin`, by a standard of your choice. An empty base URL leaves the reference as it is (RFC 1808
/// section 4, step 1).
#[pyfunction]
#[pyo3(signature = (base, reference, *, profile = "rfc1808"))]
pub(crate) fn resolve(base: &str, reference: &str, profile: &str) -> PyResult<String> {
    let profile = named("profile", profile)?;
    let target = absolve::resolve(base, reference, profile).map_err(|error| {
        ResolveError::new_err(format!("{error}: {reference:?} with base URL {base:?}"))
    });
    target.map(Cow::into_owned)
}

/// Returns the shortest reference without a slash at its beginning that leads from a base URL to a target: the inverse
/// of `resolve`.
///
/// With `form="root"`, the reference that begins with the path from the root. A target of another scheme or host is
/// returned as it is.
#[pyfunction]
#[pyo3(signature = (base, target, *, profile = "rfc1808", form = "path"))]
pub(crate) fn relative(base: &str, target: &str, profile: &str, form: &str) -> PyResult<String> {
    let profile = named("profile", profile)?;
    let form = named("form", form)?;
    check_base("base", base, profile)?;
    let resolver =
        Resolver::new(base, profile).map_err(|error| ResolveError::new_err(error.to_string()))?;
    Ok(resolver.relative(target, form).into_owned())
}
