//! Validation of the URLs in arguments.

use absolve::{BaseUrlError, Profile, ResolveError, check_base_url};

use super::exit::Abort;

/// Returns whether `url` is a URL if there is none to complete it. No reference needs to be relative to it.
pub(super) fn is_url(url: &str, profile: Profile) -> bool {
    match check_base_url(url, profile) {
        Err(BaseUrlError::Unusable(error)) => error == ResolveError::BaseNotHierarchical,
        // A drive letter is a scheme where no base URL is needed.
        _ => true,
    }
}

/// Rejects a value of `option` that would not be the base URL of a document without other candidates.
pub(super) fn validate_base(option: &str, url: &str, profile: Profile) -> Result<(), Abort> {
    check_base_url(url, profile).map_err(|error| {
        let hint = match error {
            BaseUrlError::WindowsPath => {
                "use a file URL such as file:///C:/dir/page.html".to_owned()
            }
            _ if begins_with_host(url) => format!("did you mean https://{url}?"),
            _ => "use an absolute URL such as https://example.org/dir/page.html".to_owned(),
        };
        Abort::invalid_value(option, url, error.to_string(), &hint)
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
