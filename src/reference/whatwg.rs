//! The URL Standard, through the `url` crate.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use url::{ParseError, Position, Url};

use super::escape::encode_query;
use super::generic::ResolutionStep;
use super::shortcut::Shortcut;
use super::{ResolveError, rfc3986};

/// The one step that can be told: the parser does not say which states it went through.
pub(super) const STEP: ResolutionStep = ResolutionStep {
    place: "URL Standard, basic URL parser",
    what: "the reference is parsed with the base URL",
};

/// A parsed base URL.
#[derive(Debug, Clone)]
pub(super) struct WhatwgBase {
    url: Url,
    /// The URL without its last segment, where the `url` crate would not drop that by itself.
    directory: Option<Url>,
    /// The URL as [`guarded`], if it has to be.
    guarded: Option<Url>,
    path_start: usize,
    directory_end: usize,
    query_start: usize,
    fragment_start: usize,
    is_plain: bool,
}

impl WhatwgBase {
    pub(super) fn new(base: &str) -> Result<Self, ResolveError> {
        let parse = |text: &str| {
            Url::parse(text).map_err(|error| match error {
                ParseError::RelativeUrlWithoutBase => ResolveError::BaseNotAbsolute,
                _ => ResolveError::BaseMalformed,
            })
        };
        let mut url = parse(base)?;
        if let Some(guarded) = guarded(base) {
            url = parse(&without_guards(parse(&guarded)?.as_str()))?;
        }
        let guarded = guarded(url.as_str()).and_then(|text| Url::parse(&text).ok());
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
            guarded,
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
        let guarded_base = self.guarded.as_ref().filter(|_| !reference.contains(GUARD));
        let base = guarded_base.unwrap_or(self.base_for(reference));
        let mut options = Url::options().base_url(Some(base));
        if encoding.output_encoding() != UTF_8 {
            options = options.encoding_override(Some(encode));
        }
        let reference = self.without_extra_slashes(reference);
        let guarded = if has_no_drives(self.url.scheme()) {
            guarded(&reference)
        } else {
            None
        };
        let url = options
            .parse(guarded.as_deref().unwrap_or(&reference))
            .map_err(|_| ResolveError::ReferenceMalformed)?;
        if guarded_base.is_some() || guarded.is_some() {
            target.push_str(&without_guards(url.as_str()));
        } else {
            target.push_str(url.as_str());
        }
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

/// Stands behind a segment that looks like a drive letter. It is in nobody's URL.
const GUARD: &str = "~no-drive~";

/// Whether segments that look like drive letters (`/C:/`) are none in a scheme: the URL Standard knows them in `file` only.
/// Of schemes that are not special nothing is said.
fn has_no_drives(scheme: &str) -> bool {
    is_special(scheme) && !scheme.eq_ignore_ascii_case("file")
}

/// `text`, a URL or a reference of a scheme without drives, with a guard behind each segment of its path that looks like a
/// drive letter; `None` if there is none.
///
/// The `url` crate, as of 2.5.8, does not let `..` remove such a segment in any scheme.
fn guarded(text: &str) -> Option<String> {
    let is_separator = |character: char| matches!(character, '/' | '\\');
    let path_end = text.find(['?', '#']).unwrap_or(text.len());
    let (path, behind) = text.split_at(path_end);
    let scheme = rfc3986::scheme_length(path);
    let has_drives = scheme.is_some_and(|length| !has_no_drives(&path[..length]));
    if has_drives || text.contains(GUARD) {
        return None;
    }
    // The network location is no segment. What follows a scheme at once is one, unless the base has that scheme.
    let start = scheme.map_or(0, |length| length + 1);
    let rest = path[start..].trim_start_matches(is_separator);
    let slashes = path.len() - start - rest.len();
    let has_authority = slashes > 1 || scheme.is_some();
    let path_start = match rest.find(is_separator) {
        Some(length) if has_authority => path.len() - rest.len() + length,
        None if has_authority => path.len(),
        _ => start,
    };
    let (before, path) = path.split_at(path_start);
    let looks_like_it = |segment: &str| matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    path.split(is_separator).any(looks_like_it).then_some(())?;
    let mut guarded = before.to_owned();
    for segment in path.split_inclusive(is_separator) {
        let name = segment.trim_end_matches(is_separator);
        guarded.push_str(name);
        if looks_like_it(name) {
            guarded.push_str(GUARD);
        }
        guarded.push_str(&segment[name.len()..]);
    }
    guarded.push_str(behind);
    Some(guarded)
}

fn without_guards(url: &str) -> String {
    url.replace(GUARD, "")
}

impl WhatwgBase {
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
    let guarded = guarded(reference);
    let url = options
        .parse(guarded.as_deref().unwrap_or(reference))
        .map_err(|_| ResolveError::ReferenceMalformed)?;
    Ok(match guarded {
        Some(_) => without_guards(url.as_str()),
        None => url.into(),
    })
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
