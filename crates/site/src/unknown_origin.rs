//! URLs of which only the path is known: the host is unknown, or there are several.

/// The origin of URLs of which only the path is known: a host that cannot exist (RFC 2606 section 2).
pub const UNKNOWN_ORIGIN: &str = "https://absolve.invalid";

/// Returns the URL with the [unknown origin](UNKNOWN_ORIGIN) and `path`; `None` if that does not begin with one slash.
#[must_use]
pub fn url_of_path(path: &str) -> Option<String> {
    let rest = path.strip_prefix('/')?;
    // Browsers treat a backslash as a slash, and two of them begin a host.
    (!rest.starts_with(['/', '\\'])).then(|| format!("{UNKNOWN_ORIGIN}{path}"))
}

/// Returns the URL of the directory with this path, which ends in a slash; `None` if it is not a path.
#[must_use]
pub fn url_of_directory(path: &str) -> Option<String> {
    let url = url_of_path(path).filter(|_| !path.contains(['?', '#', '\\']))?;
    let slash = if url.ends_with('/') { "" } else { "/" };
    Some(url + slash)
}
