//! The parts of resolution that RFC 1808 and RFC 3986 share: checking and preparing a base URL, and recombining the
//! components of a target.
//!
//! The two standards differ in how they split a reference, in which components it inherits and in how dot segments are
//! removed; [`rfc1808`] and [`rfc3986`] contain these differences.

use std::net::Ipv6Addr;

use encoding_rs::Encoding;

use super::characters::CharacterSet;
use super::escape::{Escape, EscapeWriter, stripped, without_backslashes};
use super::layout::BaseLayout;
use super::target::{Component, ResolutionStep, Target, TargetPath};
use super::{Authority, Profile, Reference, ResolveError, rfc1808, rfc3986};

/// Schemes whose URLs are never the base of a relative reference.
///
/// RFC 1808 section 2.3 names the first three. The others are newer and not hierarchical either, whatever follows the
/// colon. A scheme that is not listed counts as hierarchical if a slash follows it.
const NEVER_RELATIVE: [&str; 14] = [
    "mailto",
    "news",
    "telnet",
    "about",
    "blob",
    "cid",
    "data",
    "javascript",
    "mid",
    "sms",
    "tel",
    "urn",
    "vbscript",
    "view-source",
];

/// Checks that relative references can be resolved against `base`.
///
/// # Source
/// RFC 1808 section 2.3 requires a hierarchical scheme; RFC 3986 section 5.1 only requires a scheme.
pub(super) fn check_base(base: &Reference<'_>, profile: Profile) -> Result<(), ResolveError> {
    if base.scheme.is_none() {
        return Err(ResolveError::BaseNotAbsolute);
    }
    if profile == Profile::Rfc1808 && !is_hierarchical(base) {
        return Err(ResolveError::BaseNotHierarchical);
    }
    match base.authority {
        Some("") if base.path.is_empty() => Err(ResolveError::BaseMalformed),
        Some(authority) if !is_authority(authority) => Err(ResolveError::BaseMalformed),
        _ => Ok(()),
    }
}

/// Returns whether `authority` is one: brackets enclose an IP literal that is the whole host, and a port is a number.
///
/// # Source
/// RFC 3986 section 3.2.
fn is_authority(authority: &str) -> bool {
    // The name of a host without port: most authorities.
    if authority
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
    {
        return true;
    }
    let parts = Authority::split(authority);
    let literal = parts.host.strip_prefix('[');
    let is_host = match literal {
        Some(literal) => literal.strip_suffix(']').is_some_and(is_ip_literal),
        None => !parts.host.contains(['[', ']']),
    };
    let port = parts.port.strip_prefix(':').unwrap_or_default();
    CharacterSet::AUTHORITY.contains_all(authority.as_bytes())
        && is_host
        && !parts.user.contains(['[', ']'])
        && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether `literal` is an address of IPv6, with or without a zone (RFC 6874), or of a later version.
fn is_ip_literal(literal: &str) -> bool {
    let address = literal
        .split_once('%')
        .map_or(literal, |(address, _zone)| address);
    let is_later = |rest: &str| {
        rest.split_once('.').is_some_and(|(version, address)| {
            u64::from_str_radix(version, 16).is_ok() && !address.is_empty()
        })
    };
    address.parse::<Ipv6Addr>().is_ok() || literal.strip_prefix(['v', 'V']).is_some_and(is_later)
}

/// Returns whether `url` has a hierarchy that relative references can use.
pub(super) fn is_hierarchical(url: &Reference<'_>) -> bool {
    let is_never_relative = |scheme: &str| {
        NEVER_RELATIVE
            .iter()
            .any(|name| name.eq_ignore_ascii_case(scheme))
    };
    !url.scheme.is_some_and(is_never_relative)
        && (url.authority.is_some() || url.path.starts_with('/'))
}

/// Escapes `written`, whose components are `split` and have passed [`check_base`], and computes its offsets.
pub(super) fn base_layout(
    written: &str,
    split: &Reference<'_>,
    profile: Profile,
    escape: Escape,
    encoding: &'static Encoding,
) -> BaseLayout {
    // With `Escape::None` every reference takes the profile's own steps.
    let is_eligible = escape == Escape::Url;
    let sets = CharacterSet::common_to(written.as_bytes());
    if sets.include(CharacterSet::UNCHANGED) {
        return BaseLayout::new(written, split, profile, sets, is_eligible);
    }
    let url = escaped(split, escape, encoding);
    let sets = CharacterSet::common_to(url.as_bytes());
    let split = Reference::split(&url, profile);
    BaseLayout::new(&url, &split, profile, sets, is_eligible)
}

/// Returns the URL with these components, each escaped.
fn escaped(url: &Reference<'_>, escape: Escape, encoding: &'static Encoding) -> String {
    let mut text = String::new();
    let mut writer = EscapeWriter::new(&mut text, escape, encoding);
    writer.scheme_and_authority(url.scheme, url.authority.map(Component::Own));
    writer.path(Component::Own(url.path));
    writer.params_query_and_fragment(
        url.params.map(Component::Own),
        url.query.map(Component::Own),
        url.fragment.map(Component::Own),
    );
    text
}

/// Appends the target of `reference` to `target` and reports each step to `trace`.
pub(super) fn resolve(
    base: &BaseLayout,
    reference: &str,
    profile: Profile,
    (escape, encoding): (Escape, &'static Encoding),
    target: &mut String,
    trace: &mut impl FnMut(ResolutionStep),
) {
    let text = match escape {
        Escape::Url => stripped(reference),
        Escape::None => reference.into(),
    };
    let base = Reference::split(&base.url, profile);
    let text = without_backslashes(text, base.scheme);
    let split = Reference::split(&text, profile);
    let mut writer = EscapeWriter::new(target, escape, encoding);
    match profile {
        Profile::Rfc1808 if split.is_absolute() => {
            // Step 2b. An absolute reference is copied as written, including its line breaks.
            trace(rfc1808::ABSOLUTE);
            writer.delimiter(reference);
        }
        Profile::Rfc1808 => recombine(&rfc1808::target(&base, &split, trace), profile, &mut writer),
        Profile::Rfc3986 | Profile::Whatwg => {
            recombine(&rfc3986::target(&base, &split, trace), profile, &mut writer);
        }
    }
}

/// Returns `reference`, which must be absolute, escaped and, in RFC 3986, without dot segments.
///
/// If nothing is escaped, one with characters that browsers remove is unchanged, as in [`resolve`].
pub(super) fn normalize(
    reference: &str,
    profile: Profile,
    (escape, encoding): (Escape, &'static Encoding),
) -> String {
    let text = stripped(reference);
    if escape == Escape::None && text != reference {
        return reference.to_owned();
    }
    let text = without_backslashes(text, None);
    let split = Reference::split(&text, profile);
    let path = match profile {
        Profile::Rfc1808 => TargetPath::Whole(Component::Own(split.path)),
        Profile::Rfc3986 | Profile::Whatwg => TargetPath::Reduced(split.path),
    };
    let target = Target {
        scheme: split.scheme,
        authority: split.authority.map(Component::Own),
        path,
        params: split.params.map(Component::Own),
        query: split.query.map(Component::Own),
        fragment: split.fragment.map(Component::Own),
    };
    let mut written = String::with_capacity(reference.len());
    recombine(
        &target,
        profile,
        &mut EscapeWriter::new(&mut written, escape, encoding),
    );
    written
}

/// Writes the components of a target, with the delimiter of each component that is present.
///
/// # Source
/// RFC 1808 section 4, step 7; RFC 3986 section 5.3.
fn recombine(target: &Target<'_>, profile: Profile, writer: &mut EscapeWriter<'_>) {
    writer.scheme_and_authority(target.scheme, target.authority);
    let path_start = writer.len();
    match (target.path, profile) {
        (TargetPath::Whole(path), _) => writer.path(path),
        (TargetPath::Merged { directory, path }, Profile::Rfc1808) => {
            rfc1808::write_merged(directory, path, path_start, writer);
        }
        (TargetPath::Merged { directory, path }, _) => {
            rfc3986::write_reduced(
                &[Component::Inherited(directory), Component::Own(path)],
                path_start,
                writer,
            );
        }
        (TargetPath::Reduced(path), _) => {
            rfc3986::write_reduced(&[Component::Own(path)], path_start, writer);
        }
    }
    // DIFFERENCE: "fred:/a/b" and "..//g" yield the path "//g", which after "fred:" would be read as the authority "g".
    // A dot segment before it keeps it a path, as in the URL Standard. RFC 3986 section 3.3 only forbids such a path,
    // without a remedy. Test: `resolve_never_turns_a_path_into_a_network_location`.
    if target.authority.is_none() && writer.written()[path_start..].starts_with("//") {
        writer.insert_delimiter(path_start, "/.");
    }
    writer.params_query_and_fragment(target.params, target.query, target.fragment);
}
