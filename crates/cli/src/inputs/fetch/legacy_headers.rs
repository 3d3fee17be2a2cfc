//! Base URLs in the header fields of a fetched document, for `--legacy-headers`.

use absolve::{BaseSource, Profile};
use absolve_archive::{ArchiveSettings, Container};
use ureq::http::HeaderMap;

/// Returns the base URLs that the header fields `Base`, `Content-Base` and `Content-Location` declare for a document
/// retrieved from `url`, in order of precedence.
///
/// An HTTP dump with these fields has the same base URLs, so one is made and read.
pub(super) fn base_urls(headers: &HeaderMap, url: &str) -> Vec<String> {
    let mut dump = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n".to_vec();
    for name in ["Base", "Content-Base", "Content-Location"] {
        for value in headers.get_all(name) {
            // A value has no line breaks.
            dump.extend([name.as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
        }
    }
    dump.extend(b"\r\n<html>");
    let settings = ArchiveSettings::new()
        .legacy_headers(true)
        .retrieved_from(url);
    let Ok(container) = Container::http(&dump, &settings) else {
        return Vec::new();
    };
    let Some(entity) = container.entities().first() else {
        return Vec::new();
    };
    // The profile decides on the status of a candidate, not on its value.
    let report = entity.candidates().explain(Profile::Rfc1808);
    let candidates = report.candidates.into_iter();
    candidates
        .filter(|candidate| candidate.source == BaseSource::EncapsulatingEntity)
        .map(|candidate| candidate.value)
        .collect()
}
