//! The URL Standard: parsing, which resolves and normalizes at once.
//!
//! The code follows the standard's states:
//!
//! * [`parse`] has the states of the basic URL parser up to the authority;
//! * [`path`] has those from the path on, which need no base URL;
//! * [`host`] has the host parser;
//! * [`base`](mod@base) has what the states read from a base URL.
//!
//! # Differences in form
//!
//! The standard fills a URL record and serializes it afterwards. Here each component is appended to the target as soon
//! as it is parsed, because the order of the components is that of the serialization. The path is a list of strings in
//! the standard; here it is the serialized path, in which each item begins with a slash, so removing the last item
//! means truncating at the last slash. Only `/.`, which the serializer puts before a path that would otherwise be read
//! as a host, is inserted afterwards.
//!
//! The standard's parser moves a pointer over code points, and each state decides what to do with one of them. Here a
//! state is a function that receives the rest of the input; it finds the end of its component with one search.
//!
//! Validation errors that do not return failure are not reported. There is no state override: it serves setters of URL
//! objects.
//!
//! # The shortcut
//!
//! Most references never reach the parser. For an `http`, `https`, `ws`, `wss` or `ftp` base URL, [`super::shortcut`]
//! recognizes references whose target is a prefix of the normalized base URL, followed by the reference unchanged. Of
//! hosts, it handles those in lower case that cannot be an IPv4 address. It handles no `file` URL, because drive
//! letters have rules of their own.
//!
//! # Source
//! <https://url.spec.whatwg.org/#concept-basic-url-parser>

mod base;
mod host;
mod parse;
mod path;

use encoding_rs::{Encoding, UTF_8};

use base::SchemeKind;
pub(super) use base::WhatwgBase;
use host::Failure;

use super::characters::CharacterSet;
use super::layout::BaseLayout;
use super::{Profile, Reference, ResolutionStep, ResolveError, stripped};
use crate::scheme;

/// The only step in a trace: the parser does not report its states.
pub(super) const STEP: ResolutionStep = ResolutionStep {
    place: "URL Standard, basic URL parser",
    what: "the reference is parsed with the base URL",
};

/// Parses `base`, which must be absolute.
///
/// # Errors
/// Returns [`ResolveError::BaseNotAbsolute`] if `base` has no scheme, and [`ResolveError::BaseMalformed`] if the parser
/// returns failure for another reason.
pub(super) fn base(base: &str) -> Result<WhatwgBase, ResolveError> {
    let mut url = String::with_capacity(base.len());
    if parse::parse(base, None, UTF_8, &mut url).is_err() {
        return Err(match scheme::split(&stripped(base)) {
            Some(_) => ResolveError::BaseMalformed,
            None => ResolveError::BaseNotAbsolute,
        });
    }
    let scheme = scheme::split(&url).map_or("", |(scheme, _)| scheme);
    let kind = SchemeKind::of(scheme);
    let split = Reference::split(&url, Profile::Whatwg);
    let sets = CharacterSet::common_to(url.as_bytes());
    let is_eligible = kind == SchemeKind::Special;
    let layout = BaseLayout::new(&url, &split, Profile::Whatwg, sets, is_eligible);
    Ok(WhatwgBase { layout, kind })
}

/// Appends the target of `reference` to `target`, with its query percent-encoded in `encoding`.
///
/// # Errors
/// If the parser returns failure: [`ResolveError::BaseNotHierarchical`] if the reference is relative and the base URL
/// has an opaque path ("no scheme state"), otherwise [`ResolveError::ReferenceMalformed`]. `target` is unchanged then.
pub(super) fn resolve(
    base: &WhatwgBase,
    reference: &str,
    encoding: &'static Encoding,
    target: &mut String,
) -> Result<(), ResolveError> {
    parse::parse(reference, Some(base), encoding, target).map_err(|Failure| {
        if base.has_opaque_path() && scheme::split(&stripped(reference)).is_none() {
            ResolveError::BaseNotHierarchical
        } else {
            ResolveError::ReferenceMalformed
        }
    })
}

/// Returns `reference`, which must be absolute, as the standard serializes it.
///
/// # Errors
/// Returns [`ResolveError::ReferenceMalformed`] if the parser returns failure.
pub(super) fn normalize(
    reference: &str,
    encoding: &'static Encoding,
) -> Result<String, ResolveError> {
    let mut url = String::with_capacity(reference.len());
    parse::parse(reference, None, encoding, &mut url)
        .map_err(|Failure| ResolveError::ReferenceMalformed)?;
    Ok(url)
}

/// Returns whether `reference` needs no base URL: it has a scheme, and two slashes follow if the scheme is special.
///
/// # Source
/// URL Standard, "scheme state": a special scheme equal to the base URL's, without slashes after it, makes a relative
/// reference.
pub(super) fn is_absolute(reference: &str) -> bool {
    scheme::split(&stripped(reference)).is_some_and(|(scheme, rest)| {
        !scheme::is_special(scheme) || matches!(rest.as_bytes(), [b'/' | b'\\', b'/' | b'\\', ..])
    })
}
