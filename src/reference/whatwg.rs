//! The URL Standard, through the `url` crate.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use url::{ParseError, Position, Url};

use super::escape::encode_query;
use super::generic::Step;
use super::shortcut::Shortcut;
use super::{ResolveError, rfc3986};

/// The one step that can be told: the parser does not say which states it went through.
pub(super) const STEP: Step = Step {
    place: "URL Standard, basic URL parser",
    what: "the reference is parsed with the base URL",
};

/// A parsed base URL.
#[derive(Debug, Clone)]
pub(super) struct Base {
    url: Url,
    /// The URL without its last segment, where the `url` crate would not drop that by itself.
    directory: Option<Url>,
    path_start: usize,
    directory_end: usize,
    query_start: usize,
    fragment_start: usize,
    is_plain: bool,
}

impl Base {
    pub(super) fn new(base: &str) -> Result<Self, ResolveError> {
        let url = Url::parse(base).map_err(|error| match error {
            ParseError::RelativeUrlWithoutBase => ResolveError::BaseNotAbsolute,
            _ => ResolveError::BaseMalformed,
        })?;
        let path_start = url[..Position::BeforePath].len();
        let directory_end = path_start + url.path().rfind('/').map_or(0, |slash| slash + 1);
        // Special schemes but "file", whose drive letters are special once more.
        let is_plain = matches!(url.scheme(), "http" | "https" | "ws" | "wss" | "ftp")
            && !url.path().starts_with("//");
        let directory = has_drive_letter_last(&url)
            .then(|| Url::parse(&url.as_str()[..directory_end]).ok())
            .flatten();
        Ok(Self {
            query_start: url[..Position::AfterPath].len(),
            fragment_start: url[..Position::AfterQuery].len(),
            url,
            directory,
            path_start,
            directory_end,
            is_plain,
        })
    }

    pub(super) fn as_str(&self) -> &str {
        self.url.as_str()
    }

    pub(super) fn shortcut(&self) -> Shortcut<'_> {
        let Self {
            path_start,
            directory_end,
            query_start,
            fragment_start,
            is_plain,
            ..
        } = *self;
        Shortcut {
            base: self.url.as_str(),
            scheme_end: None,
            path_start,
            directory: &self.url.as_str()[..directory_end],
            query_start,
            fragment_start,
            is_open: is_plain,
        }
    }

    pub(super) fn resolve(
        &self,
        reference: &str,
        encoding: &'static Encoding,
        target: &mut String,
    ) -> Result<(), ResolveError> {
        let encode: &dyn Fn(&str) -> Cow<'_, [u8]> =
            &|query| Cow::Owned(encode_query(query, encoding));
        let mut options = Url::options().base_url(Some(self.base_for(reference)));
        if encoding.output_encoding() != UTF_8 {
            options = options.encoding_override(Some(encode));
        }
        let reference = self.without_extra_slashes(reference);
        let url = options
            .parse(&reference)
            .map_err(|_| ResolveError::ReferenceMalformed)?;
        target.push_str(url.as_str());
        Ok(())
    }
}

/// Whether the last of several segments looks like a drive letter (`file:///a/p:`).
///
/// The URL Standard keeps a drive letter that is the only segment; the `url` crate, as of 2.5.8, keeps it at the end of
/// any path, and then fails an assertion over it in debug builds.
fn has_drive_letter_last(url: &Url) -> bool {
    let path = url.path();
    let last = path.rsplit('/').next().unwrap_or_default();
    let looks_like_it =
        matches!(last.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    url.scheme() == "file" && looks_like_it && path.len() > last.len() + 1
}

impl Base {
    /// The URL to parse `reference` with: a reference with a path drops the last segment in any case.
    fn base_for(&self, reference: &str) -> &Url {
        let first = reference.chars().find(|character| *character > ' ');
        match &self.directory {
            Some(directory) if !matches!(first, None | Some('?' | '#')) => directory,
            _ => &self.url,
        }
    }

    /// `reference` with two slashes where it begins with more, if its scheme will be a special one.
    ///
    /// The URL Standard passes over the others ("special authority ignore slashes state"); the `url` crate, as of
    /// 2.5.8, does not where they follow no scheme, and finds an empty host.
    fn without_extra_slashes<'r>(&self, reference: &'r str) -> Cow<'r, str> {
        if !matches!(self.url.scheme(), "http" | "https" | "ws" | "wss" | "ftp") {
            return Cow::Borrowed(reference);
        }
        let text = reference.trim_start_matches(|character: char| character <= ' ');
        if !text.starts_with(['/', '\\']) {
            return Cow::Borrowed(reference);
        }
        let text = super::without_line_breaks(text);
        let rest = text.trim_start_matches(['/', '\\']);
        if text.len() - rest.len() < 3 {
            return Cow::Borrowed(reference);
        }
        Cow::Owned(format!("//{rest}"))
    }
}

/// `reference`, which is absolute, as the parser writes it.
pub(super) fn normalize(
    reference: &str,
    encoding: &'static Encoding,
) -> Result<String, ResolveError> {
    let encode: &dyn Fn(&str) -> Cow<'_, [u8]> = &|query| Cow::Owned(encode_query(query, encoding));
    let mut options = Url::options();
    if encoding.output_encoding() != UTF_8 {
        options = options.encoding_override(Some(encode));
    }
    let url = options.parse(reference);
    Ok(url.map_err(|_| ResolveError::ReferenceMalformed)?.into())
}

/// Whether `reference` needs no base URL of any kind: it has a scheme, and if that is a special one, slashes follow.
///
/// # Source
/// URL Standard, "scheme state": without slashes, a special scheme that is the base's makes a relative reference.
pub(super) fn is_absolute(reference: &str) -> bool {
    let is_stripped = |character: char| character <= ' ';
    let text = super::without_line_breaks(reference);
    let text = text.trim_matches(is_stripped);
    let Some(scheme) = rfc3986::split(text).scheme else {
        return false;
    };
    let rest = &text.as_bytes()[scheme.len() + 1..];
    !is_special(scheme) || matches!(rest, [b'/' | b'\\', b'/' | b'\\', ..])
}

/// Whether a base URL of that scheme can complete references that have it, too.
///
/// # Source
/// URL Standard, "special scheme".
pub(super) fn is_special(scheme: &str) -> bool {
    ["http", "https", "ws", "wss", "ftp", "file"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(scheme))
}
