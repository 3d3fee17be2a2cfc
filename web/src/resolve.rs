//! Resolving single references, without a document.

use absolve::Resolver;
use absolve::options::{check_base_url, named_option};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::options::{message, profile};
use crate::rows::json;

/// Resolves a reference against a base URL and returns its target.
///
/// # Errors
/// The profile is unknown, or the reference has no target.
#[wasm_bindgen]
pub fn resolve(base: &str, reference: &str, profile_name: &str) -> Result<String, String> {
    match absolve::resolve(base, reference, profile(profile_name)?) {
        Ok(target) => Ok(target.into_owned()),
        Err(error) => Err(format!("{error}: {reference:?} with base URL {base:?}")),
    }
}

/// Resolves a reference, and returns the target with the steps that led to it, as JSON.
///
/// # Errors
/// The profile is unknown, or the reference has no target.
#[wasm_bindgen]
pub fn explain(base: &str, reference: &str, profile_name: &str) -> Result<String, String> {
    match absolve::resolution::explain(base, reference, profile(profile_name)?) {
        Ok(trace) => Ok(json(&trace)),
        Err(error) => Err(format!("{error}: {reference:?} with base URL {base:?}")),
    }
}

/// Returns a reference of the given form that leads from a base URL to a target.
///
/// # Errors
/// The profile or the form is unknown, or the base URL cannot be used.
#[wasm_bindgen]
pub fn relative(
    base: &str,
    target: &str,
    profile_name: &str,
    form: &str,
) -> Result<String, String> {
    let profile = profile(profile_name)?;
    let relative_form = named_option("form", form).map_err(message)?;
    check_base_url("base", base, profile).map_err(message)?;
    let resolver = Resolver::new(base, profile).map_err(|error| error.to_string())?;
    Ok(resolver.relative(target, relative_form).into_owned())
}
