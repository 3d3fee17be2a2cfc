//! The URL Standard, through the `url` crate.
//!
//! The URL Standard defines a state machine that parses, resolves and normalizes at once. The `url` crate implements
//! it; this module prepares its input and repairs the few results in which the crate deviates from the standard.
//!
//! # The shortcut
//!
//! Most references never reach the crate. For an `http`, `https`, `ws`, `wss` or `ftp` base URL, [`super::shortcut`]
//! recognizes references whose target is a prefix of the normalized base URL, followed by the reference unchanged.
//! Tests and fuzzing compare it with [`WhatwgBase::resolve`]. It handles no host, because the standard normalizes
//! hosts, and no `file` URL, because drive letters have rules of their own.
//!
//! # Workarounds
//!
//! The crate, as of 2.5.8, deviates from the standard in three cases:
//!
//! 1. **Drive letters in any scheme.** In the standard, `..` does not remove a drive letter (`C:`) that is the only
//!    segment of the path of a `file` URL. The crate keeps such segments in every scheme, so that `http://h/a/C:/../b`
//!    keeps `C:`. [`guarded`] appends [`GUARD`] to each such segment before parsing, so that it no longer looks like a
//!    drive letter, and [`without_guards`] removes it from the result. A guard consists of ASCII letters, `~` and `-`,
//!    which the parser copies unchanged. A text that already contains it is parsed without guards.
//! 2. **A drive letter at the end of a `file` path.** The crate keeps it as part of the directory and fails a debug
//!    assertion. [`WhatwgBase`] therefore also keeps the URL without its last segment, and resolves references with a
//!    path against that one.
//! 3. **Three or more slashes.** For special schemes, the standard ignores the slashes after the second. The crate does
//!    so only after a scheme, and otherwise finds an empty host. [`WhatwgBase::without_extra_slashes`] removes them.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use url::{ParseError, Url};

use super::escape::encode_query;
use super::generic::ResolutionStep;
use super::layout::BaseLayout;
use super::{Profile, ResolveError};
use crate::scheme;

/// The only step in a trace: the parser does not report its states.
pub(super) const STEP: ResolutionStep = ResolutionStep {
    place: "URL Standard, basic URL parser",
    what: "the reference is parsed with the base URL",
};

/// A parsed base URL.
#[derive(Debug, Clone)]
pub(super) struct WhatwgBase {
    url: Url,
    /// The URL without its last segment, if the `url` crate would not drop that segment; see the
    /// [module documentation](self).
    directory: Option<Url>,
    /// The URL with guards, if it has segments that need one; see [`guarded`].
    guarded: Option<Url>,
    layout: BaseLayout,
}

impl WhatwgBase {
    /// Parses `base`, which must be absolute.
    pub(super) fn new(base: &str) -> Result<Self, ResolveError> {
        let parse = |text: &str| {
            Url::parse(text).map_err(|error| match error {
                ParseError::RelativeUrlWithoutBase => ResolveError::BaseNotAbsolute,
                _ => ResolveError::BaseMalformed,
            })
        };
        let mut url = parse(base)?;
        // Parsing the result once more is safe: it has no dot segments left, so no `..` meets a drive letter.
        if let Some(guarded) = guarded(base) {
            url = parse(&without_guards(parse(&guarded)?.as_str()))?;
        }
        let guarded = guarded(url.as_str()).and_then(|text| Url::parse(&text).ok());
        let layout = BaseLayout::new(
            url.as_str().to_owned(),
            Profile::Whatwg,
            scheme::needs_host(url.scheme()),
        );
        let directory = has_drive_letter_last(&url)
            .then(|| Url::parse(&layout.directory).ok())
            .flatten();
        Ok(Self {
            url,
            directory,
            guarded,
            layout,
        })
    }

    /// Returns the normalized base URL.
    pub(super) fn layout(&self) -> &BaseLayout {
        &self.layout
    }

    /// Appends the target of `reference` to `target`, with its query percent-encoded in `encoding`.
    ///
    /// # Errors
    /// Returns [`ResolveError::ReferenceMalformed`] if the parser rejects `reference`; `target` is unchanged then.
    pub(super) fn resolve(
        &self,
        reference: &str,
        encoding: &'static Encoding,
        target: &mut String,
    ) -> Result<(), ResolveError> {
        let encode: &dyn Fn(&str) -> Cow<'_, [u8]> =
            &|query| Cow::Owned(encode_query(query, encoding));
        // If the reference itself contains the text of a guard, that must not be removed, so nothing is guarded.
        let guarded_base = self.guarded.as_ref().filter(|_| !reference.contains(GUARD));
        let base = guarded_base.unwrap_or(self.base_for(reference));
        let mut options = Url::options().base_url(Some(base));
        // UTF-8 is the default; UTF-16 also encodes queries as UTF-8.
        if encoding.output_encoding() != UTF_8 {
            options = options.encoding_override(Some(encode));
        }
        let reference = self.without_extra_slashes(reference);
        let guarded = if scheme::needs_host(self.url.scheme()) {
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

/// Returns whether `segment` has the form of a drive letter: `C:` or `C|`.
fn is_drive_letter(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Returns whether a `file` URL has several segments, the last of which looks like a drive letter (`file:///a/p:`).
///
/// The URL Standard keeps a drive letter only if it is the only segment. The `url` crate, as of 2.5.8, keeps it at the
/// end of any path, and then fails an assertion in debug builds.
fn has_drive_letter_last(url: &Url) -> bool {
    let path = url.path();
    let last = path.rsplit('/').next().unwrap_or_default();
    // One more byte for the slash before the segment: any further byte belongs to another segment.
    url.scheme() == "file" && is_drive_letter(last) && path.len() > last.len() + 1
}

/// Text appended to a segment that looks like a drive letter; no real URL is expected to contain it.
const GUARD: &str = "~no-drive~";

/// Returns `text` with a [`GUARD`] after each path segment that looks like a drive letter.
///
/// `text` is a URL, or a reference that is resolved in a scheme without drive letters. Returns `None` if no segment
/// looks like a drive letter, if `text` has a scheme with drive letters, or if it already contains the guard.
///
/// This is needed because the `url` crate, as of 2.5.8, does not let `..` remove such a segment in any scheme.
fn guarded(text: &str) -> Option<String> {
    let is_separator = |character: char| matches!(character, '/' | '\\');
    let path_end = text.find(['?', '#']).unwrap_or(text.len());
    let (path, query_and_fragment) = text.split_at(path_end);
    let scheme = scheme::split(path).map(|(scheme, _)| scheme);
    let has_drives = scheme.is_some_and(|scheme| !scheme::needs_host(scheme));
    if has_drives || text.contains(GUARD) {
        return None;
    }
    // The authority is not a segment. It follows two or more slashes, or a special scheme and any number of slashes,
    // including none. (After the scheme of the base URL, `http:g` is a relative path, whose first segment is not
    // guarded.)
    let start = scheme.map_or(0, |scheme| scheme.len() + 1);
    let rest = path[start..].trim_start_matches(is_separator);
    let slashes = path.len() - start - rest.len();
    let has_authority = slashes > 1 || scheme.is_some();
    let path_start = match rest.find(is_separator) {
        Some(length) if has_authority => path.len() - rest.len() + length,
        None if has_authority => path.len(),
        _ => start,
    };
    let (prefix, path) = path.split_at(path_start);
    path.split(is_separator)
        .any(is_drive_letter)
        .then_some(())?;
    let mut guarded = prefix.to_owned();
    for segment in path.split_inclusive(is_separator) {
        let name = segment.trim_end_matches(is_separator);
        guarded.push_str(name);
        if is_drive_letter(name) {
            guarded.push_str(GUARD);
        }
        guarded.push_str(&segment[name.len()..]);
    }
    guarded.push_str(query_and_fragment);
    Some(guarded)
}

/// Returns `url` without the guards that [`guarded`] inserted.
fn without_guards(url: &str) -> String {
    url.replace(GUARD, "")
}

impl WhatwgBase {
    /// Returns the base URL to parse `reference` with.
    ///
    /// A reference with a path replaces the last segment anyway, so the URL without that segment is equivalent.
    fn base_for(&self, reference: &str) -> &Url {
        // The parser strips leading spaces and control characters.
        let first = reference.chars().find(|character| *character > ' ');
        match &self.directory {
            Some(directory) if !matches!(first, None | Some('?' | '#')) => directory,
            _ => &self.url,
        }
    }

    /// Returns `reference` with two slashes if it begins with more and resolves to a special scheme other than `file`.
    ///
    /// The URL Standard ignores further slashes ("special authority ignore slashes state"). The `url` crate, as of
    /// 2.5.8, does so only after a scheme, and finds an empty host otherwise.
    fn without_extra_slashes<'r>(&self, reference: &'r str) -> Cow<'r, str> {
        if !scheme::needs_host(self.url.scheme()) {
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

/// Returns `reference`, which must be absolute, as the parser serializes it.
///
/// # Errors
/// Returns [`ResolveError::ReferenceMalformed`] if the parser rejects `reference`.
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

/// Returns whether `reference` needs no base URL: it has a scheme, and two slashes follow if the scheme is special.
///
/// # Source
/// URL Standard, "scheme state": a special scheme equal to the base URL's, without slashes after it, makes a relative
/// reference.
pub(super) fn is_absolute(reference: &str) -> bool {
    // The standard's "C0 control or space".
    let is_stripped = |character: char| character <= ' ';
    let text = super::without_line_breaks(reference);
    let text = text.trim_matches(is_stripped);
    scheme::split(text).is_some_and(|(scheme, rest)| {
        !scheme::is_special(scheme) || matches!(rest.as_bytes(), [b'/' | b'\\', b'/' | b'\\', ..])
    })
}
