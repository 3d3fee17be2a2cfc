//! relateurl resolves a reference, normalizes the URL, and writes it in one of several forms. Resolved by this crate,
//! each form must give the target of the original reference.

use absolve::resolution::Reference;
use absolve::{Profile, resolve};
use serde_json::Value;
use url::{Url, form_urlencoded};

use super::{Compared, text};

pub(super) fn compare(row: &Value) -> Compared {
    let target = |reference: &str| match resolve(text(row, "base"), reference, Profile::Rfc3986) {
        Ok(target) => normalized(&target),
        Err(error) => error.to_string(),
    };
    Compared::new(
        target(text(row, "input_html").trim()),
        target(text(row, "expected")),
    )
}

/// Normalizes a URL as relateurl does.
///
/// Removes the default port, the name of an index page, empty path segments, the slash of the root and an empty
/// query; writes the query as form data, and every escape in the same way.
fn normalized(url: &str) -> String {
    let Ok(mut url) = Url::parse(url) else {
        let Reference {
            authority, path, ..
        } = Reference::split(url, Profile::Rfc3986);
        let is_root = authority.is_some() && path == "/";
        return url[..url.len() - usize::from(is_root)].to_owned();
    };
    if !url.cannot_be_a_base() {
        let path = url.path().trim_end_matches("/index.html").to_owned();
        let slash = if path == url.path() { "" } else { "/" };
        let mut path = path + slash;
        while path.contains("//") {
            path = path.replace("//", "/");
        }
        url.set_path(if path == "/" { "" } else { &path });
    }
    let query = url.query().unwrap_or_default();
    let parameters = form_urlencoded::parse(query.as_bytes());
    let parameters = parameters.filter(|(name, value)| !name.is_empty() || !value.is_empty());
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    url.set_query((!query.is_empty()).then_some(&query));
    url.into()
}
