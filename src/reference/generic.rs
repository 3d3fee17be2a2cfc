//! The parts of resolution that RFC 1808 and RFC 3986 share: checking and preparing a base URL, and recombining the
//! components of a target.
//!
//! The two standards differ in how they split a reference, in which components it inherits and in how dot segments are
//! removed; [`rfc1808`] and [`rfc3986`] contain these differences.

use std::ops::Range;

use encoding_rs::Encoding;
use memchr::memchr;

use super::escape::{CharacterSet, Escape, EscapeWriter, without_line_breaks};
use super::shortcut::ShortcutBase;
use super::{Profile, Reference, ResolveError, rfc1808, rfc3986};

/// One step of a standard's algorithm, as taken for one reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResolutionStep {
    /// Location in the standard, such as `RFC 1808 section 4, step 5a`.
    pub place: &'static str,
    /// Description of the condition that was met and its effect.
    pub what: &'static str,
}

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
        Some(authority) if !authority.chars().all(is_authority_char) => {
            Err(ResolveError::BaseMalformed)
        }
        _ => Ok(()),
    }
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

/// Returns whether a network location may contain `character`.
///
/// Besides the characters of RFC 1808 section 2.2, this accepts two kinds that browsers accept: letters that are not
/// ASCII (internationalized host names) and brackets (IPv6 addresses).
fn is_authority_char(character: char) -> bool {
    let is_excluded = matches!(
        character,
        '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}'
    );
    !character.is_ascii() || (character.is_ascii_graphic() && !is_excluded)
}

/// A base URL with its inherited components escaped and its offsets computed once.
///
/// All offsets are bytes of `escaped`.
#[derive(Debug, Clone)]
pub(super) struct ParsedBase {
    /// The base URL as the caller passed it.
    written: String,
    /// The base URL as targets inherit it.
    escaped: String,
    profile: Profile,
    /// `escaped` up to and including its authority, followed by a slash, if the base URL has an authority and an empty
    /// path.
    directory: Option<String>,
    /// Offset after the colon of the scheme.
    scheme_end: usize,
    path_start: usize,
    /// Offset after the last slash of the path, or `path_start` if the path has no slash.
    directory_end: usize,
    /// Offset of the query with its `?`, or else `fragment_start`.
    query_start: usize,
    /// Offset of the fragment with its `#`, or else the length of `escaped`.
    fragment_start: usize,
    /// Whether the [shortcut](super::shortcut) may be used.
    is_eligible: bool,
}

impl ParsedBase {
    /// Prepares `written`, which must have passed [`check_base`].
    pub(super) fn new(
        written: &str,
        profile: Profile,
        escape: Escape,
        encoding: &'static Encoding,
    ) -> Self {
        let base = Reference::split(written, profile);
        if let Some(base) = Self::without_escaping(written, &base, profile, escape) {
            return base;
        }
        let mut escaped = String::with_capacity(written.len());
        let mut writer = EscapeWriter::new(&mut escaped, escape, encoding);
        writer.scheme_and_authority(base.scheme, base.authority.map(Component::Own));
        let path_start = writer.len();
        writer.path(Component::Own(base.path));
        let path_end = writer.len();
        writer.params_query_and_fragment(
            base.params.map(Component::Own),
            base.query.map(Component::Own),
            base.fragment.map(Component::Own),
        );
        let path = path_start..path_end;
        let scheme_end = base.scheme.map_or(0, |scheme| scheme.len() + 1);
        Self::with_layout(written, escaped, profile, escape, scheme_end, path)
    }

    /// Prepares `written` without an [`EscapeWriter`]; `None` if one of its bytes may have to be escaped.
    fn without_escaping(
        written: &str,
        split: &Reference<'_>,
        profile: Profile,
        escape: Escape,
    ) -> Option<Self> {
        // Characters that are not escaped in the components where they can occur.
        const NEVER_ESCAPED: CharacterSet = CharacterSet::with(b"-._~:/?#[]@!$&()*+,;=%");
        if escape != Escape::Url || !NEVER_ESCAPED.contains_all_of(written) {
            return None;
        }
        // One byte for the ":" of the scheme, two for the "//" of the authority.
        let scheme_end = split.scheme.map_or(0, |scheme| scheme.len() + 1);
        let authority = split.authority.map_or(0, |authority| authority.len() + 2);
        let path_start = scheme_end + authority;
        let path = path_start..path_start + split.path.len();
        let escaped = written.to_owned();
        Some(Self::with_layout(
            written, escaped, profile, escape, scheme_end, path,
        ))
    }

    /// Computes the offsets of `escaped`, in which the path is at `path`.
    fn with_layout(
        written: &str,
        escaped: String,
        profile: Profile,
        escape: Escape,
        scheme_end: usize,
        path: Range<usize>,
    ) -> Self {
        let path_start = path.start;
        let path = &escaped[path];
        let directory_end = path_start + path.rfind('/').map_or(0, |slash| slash + 1);
        // With an authority and no path, both standards put a slash between the authority and a relative path.
        let authority = &escaped[scheme_end..path_start];
        let has_no_path = path.is_empty() && !authority.is_empty();
        let directory = has_no_path.then(|| [&escaped[..path_start], "/"].concat());
        // The shortcut copies the directory and cannot remove dot segments from it. Testing for "/." is stricter than
        // needed, because names that begin with a dot match, too. A path that begins with "//" is excluded as a
        // precaution.
        let has_simple_path =
            path.starts_with('/') && !path.starts_with("//") && !path.contains("/.");
        let fragment_start = memchr(b'#', escaped.as_bytes()).unwrap_or(escaped.len());
        let query_start =
            memchr(b'?', &escaped.as_bytes()[..fragment_start]).unwrap_or(fragment_start);
        Self {
            written: written.to_owned(),
            directory,
            profile,
            scheme_end,
            path_start,
            directory_end,
            query_start,
            fragment_start,
            // With `Escape::None` every reference takes the profile's own steps.
            is_eligible: escape == Escape::Url && (has_simple_path || has_no_path),
            escaped,
        }
    }

    /// Returns the base URL as the caller passed it.
    pub(super) fn written(&self) -> &str {
        &self.written
    }

    /// Returns the view of the base URL that the shortcut uses.
    pub(super) fn shortcut(&self) -> ShortcutBase<'_> {
        let Self {
            scheme_end,
            path_start,
            directory_end,
            query_start,
            fragment_start,
            is_eligible,
            ..
        } = *self;
        let directory = self.directory.as_deref();
        ShortcutBase {
            base: &self.escaped,
            scheme_end: Some(scheme_end),
            path_start,
            directory: directory.unwrap_or_else(|| &self.escaped[..directory_end]),
            query_start,
            fragment_start,
            is_eligible,
        }
    }

    fn split(&self) -> Reference<'_> {
        Reference::split(&self.escaped, self.profile)
    }
}

/// A component of a target, by origin, which decides whether it still has to be escaped.
#[derive(Debug, Clone, Copy)]
pub(super) enum Component<'p> {
    /// From the base URL, and escaped already.
    Inherited(&'p str),
    /// From the reference, and not escaped yet.
    Own(&'p str),
}

/// The path of a target before dot segments are removed.
#[derive(Debug, Clone, Copy)]
pub(super) enum TargetPath<'p> {
    /// A path that is copied without removing dot segments.
    Whole(Component<'p>),
    /// The path of the reference, from which dot segments are to be removed (RFC 3986).
    Reduced(&'p str),
    /// The directory of the base URL followed by the path of the reference, from which dot segments are to be removed.
    Merged { directory: &'p str, path: &'p str },
}

/// The components of a target, each from the base or from the reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'p> {
    pub(super) scheme: Option<&'p str>,
    pub(super) authority: Option<Component<'p>>,
    pub(super) path: TargetPath<'p>,
    pub(super) params: Option<Component<'p>>,
    pub(super) query: Option<Component<'p>>,
    pub(super) fragment: Option<Component<'p>>,
}

/// Returns a target that inherits every component of `base`.
pub(super) fn whole_base<'p>(base: &Reference<'p>) -> Target<'p> {
    Target {
        scheme: base.scheme,
        authority: base.authority.map(Component::Inherited),
        path: TargetPath::Whole(Component::Inherited(base.path)),
        params: base.params.map(Component::Inherited),
        query: base.query.map(Component::Inherited),
        fragment: base.fragment.map(Component::Inherited),
    }
}

/// Appends the target of `reference` to `target` and reports each step to `trace`.
pub(super) fn resolve(
    base: &ParsedBase,
    reference: &str,
    profile: Profile,
    (escape, encoding): (Escape, &'static Encoding),
    target: &mut String,
    trace: &mut impl FnMut(ResolutionStep),
) {
    let text = match escape {
        Escape::Url => without_line_breaks(reference),
        Escape::None => reference.into(),
    };
    let split = Reference::split(&text, profile);
    let base = base.split();
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
pub(super) fn normalize(
    reference: &str,
    profile: Profile,
    (escape, encoding): (Escape, &'static Encoding),
) -> String {
    let text = without_line_breaks(reference);
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

/// Returns `path` up to and including its last slash, or `/` if it has none.
pub(super) fn directory(path: &str) -> &str {
    path.rfind('/').map_or("/", |slash| &path[..=slash])
}

/// Splits `text` at the first `delimiter`, which must be ASCII. That delimiter is dropped; without one, the second part
/// is `None`.
pub(super) fn split_at_first(text: &str, delimiter: u8) -> (&str, Option<&str>) {
    match memchr(delimiter, text.as_bytes()) {
        Some(offset) => (&text[..offset], Some(&text[offset + 1..])),
        None => (text, None),
    }
}
