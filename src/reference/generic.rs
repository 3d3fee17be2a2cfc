//! What RFC 1808 and RFC 3986 share: which URLs can be a base, the base made ready, and putting a target together.
//!
//! The two differ in how they split, in which components a reference inherits, and in what becomes of dot segments;
//! that is in a file for each. Here is everything that is the same.

use std::ops::Range;

use encoding_rs::Encoding;
use memchr::memchr;

use super::escape::{Characters, Escape, EscapeWriter, without_line_breaks};
use super::shortcut::Shortcut;
use super::{Profile, Reference, ResolveError, rfc1808, rfc3986};

/// A step of a standard's algorithm that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResolutionStep {
    /// Its place in the standard, such as `RFC 1808 section 4, step 5a`.
    pub place: &'static str,
    /// What was done.
    pub what: &'static str,
}

/// Schemes that are never the base of a relative reference.
///
/// The first three are those of RFC 1808 section 2.3. The others came later and have no hierarchy either, whatever
/// characters follow the colon; a scheme that is not listed counts as hierarchical when a slash follows it.
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

/// Whether `base` can be the base of relative references: RFC 1808 section 2.3; RFC 3986 section 5.1 asks for a scheme
/// only.
pub(super) fn check_base(base: &Reference<'_>, profile: Profile) -> Result<(), ResolveError> {
    if base.scheme.is_none() {
        return Err(ResolveError::BaseNotAbsolute);
    }
    if profile == Profile::Rfc1808 && !is_hierarchical(base) {
        return Err(ResolveError::BaseNotHierarchical);
    }
    match base.authority {
        Some("") if base.path.is_empty() => Err(ResolveError::BaseMalformed),
        Some(authority) if !authority.chars().all(may_stand_in_authority) => {
            Err(ResolveError::BaseMalformed)
        }
        _ => Ok(()),
    }
}

/// Whether a URL has a hierarchy that relative references could use.
pub(super) fn is_hierarchical(url: &Reference<'_>) -> bool {
    let is = |scheme: &str| {
        NEVER_RELATIVE
            .iter()
            .any(|name| name.eq_ignore_ascii_case(scheme))
    };
    !url.scheme.is_some_and(is) && (url.authority.is_some() || url.path.starts_with('/'))
}

/// What RFC 1808 section 2.2 allows in a network location, and what it does not foresee but browsers take: letters
/// beyond ASCII (internationalised host names) and brackets (IPv6 addresses).
fn may_stand_in_authority(character: char) -> bool {
    let is_excluded = matches!(
        character,
        '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}'
    );
    !character.is_ascii() || (character.is_ascii_graphic() && !is_excluded)
}

/// A base URL, with all of it escaped that targets inherit.
#[derive(Debug, Clone)]
pub(super) struct ParsedBase {
    /// As it was given.
    written: String,
    /// As it is inherited.
    escaped: String,
    profile: Profile,
    /// What targets may be put behind where the base has no path: a slash stands in for it.
    directory: Option<String>,
    /// In `escaped`: where the scheme ends with its colon, where the path begins, where its last slash ends, where query
    /// and fragment begin, and whether targets may be put behind the slash.
    scheme_end: usize,
    path_start: usize,
    directory_end: usize,
    query_start: usize,
    fragment_start: usize,
    is_plain: bool,
}

impl ParsedBase {
    /// `written` has passed [`check_base`].
    pub(super) fn new(
        written: &str,
        profile: Profile,
        escape: Escape,
        encoding: &'static Encoding,
    ) -> Self {
        let base = Reference::split(written, profile);
        if let Some(base) = Self::of_plain(written, &base, profile, escape) {
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
        let is_plain = escape == Escape::Url;
        Self::prepared(written, escaped, profile, scheme_end, path, is_plain)
    }

    /// The same, if nothing has to be escaped wherever it stands.
    fn of_plain(
        written: &str,
        split: &Reference<'_>,
        profile: Profile,
        escape: Escape,
    ) -> Option<Self> {
        const PLAIN: Characters = Characters::with(b"-._~:/?#[]@!$&()*+,;=%");
        if escape != Escape::Url || !PLAIN.are_all_of(written) {
            return None;
        }
        let scheme = split.scheme.map_or(0, |scheme| scheme.len() + 1);
        let authority = split.authority.map_or(0, |authority| authority.len() + 2);
        let path_start = scheme + authority;
        let path = path_start..path_start + split.path.len();
        let escaped = written.to_owned();
        Some(Self::prepared(
            written, escaped, profile, scheme, path, true,
        ))
    }

    /// `written`, which is `escaped` where targets inherit it, with its path there; `is_escaped` says that what targets
    /// have besides is escaped, too.
    fn prepared(
        written: &str,
        escaped: String,
        profile: Profile,
        scheme_end: usize,
        path: Range<usize>,
        is_escaped: bool,
    ) -> Self {
        let path_start = path.start;
        let path = &escaped[path];
        let directory_end = path_start + path.rfind('/').map_or(0, |slash| slash + 1);
        // Without a path, a target has a slash behind the authority, if there is one.
        let authority = &escaped[scheme_end..path_start];
        let has_no_path = path.is_empty() && !authority.is_empty();
        let directory = has_no_path.then(|| [&escaped[..path_start], "/"].concat());
        // A dot segment in the base has to be looked at each time; so has a path that is missing its slash.
        let has_plain_path =
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
            is_plain: is_escaped && (has_plain_path || has_no_path),
            escaped,
        }
    }

    pub(super) fn written(&self) -> &str {
        &self.written
    }

    pub(super) fn shortcut(&self) -> Shortcut<'_> {
        let Self {
            scheme_end,
            path_start,
            directory_end,
            query_start,
            fragment_start,
            is_plain,
            ..
        } = *self;
        let directory = self.directory.as_deref();
        Shortcut {
            base: &self.escaped,
            scheme_end: Some(scheme_end),
            path_start,
            directory: directory.unwrap_or_else(|| &self.escaped[..directory_end]),
            query_start,
            fragment_start,
            is_open: is_plain,
        }
    }

    fn split(&self) -> Reference<'_> {
        Reference::split(&self.escaped, self.profile)
    }
}

/// A component of a target.
#[derive(Debug, Clone, Copy)]
pub(super) enum Component<'p> {
    /// Inherited from the base, which is escaped.
    Inherited(&'p str),
    /// The reference's own.
    Own(&'p str),
}

/// The path of a target.
#[derive(Debug, Clone, Copy)]
pub(super) enum TargetPath<'p> {
    /// Taken over as it is.
    Whole(Component<'p>),
    /// The reference's own, with dot segments removed (RFC 3986).
    Reduced(&'p str),
    /// The base's directory and the reference's path, with dot segments removed.
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

/// The base itself as a target.
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

/// Appends the target of `reference` to `target`, and hands each step taken to `trace`.
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
            // Step 2b. What is absolute is taken as it is, line breaks and all.
            trace(rfc1808::ABSOLUTE);
            writer.delimiter(reference);
        }
        Profile::Rfc1808 => recombine(&rfc1808::target(&base, &split, trace), profile, &mut writer),
        Profile::Rfc3986 | Profile::Whatwg => {
            recombine(&rfc3986::target(&base, &split, trace), profile, &mut writer);
        }
    }
}

/// An absolute reference, escaped, and in RFC 3986 without dot segments.
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

/// Puts a target together, delimiters wherever a component is present (RFC 1808 section 4, step 7; RFC 3986 section
/// 5.3).
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
    // DIFFERENCE: "fred:/a/b" and "..//g" give the path "//g", which after "fred:" would be read as the authority "g".
    // A dot segment keeps it a path, as the URL Standard does. RFC 3986 section 3.3 only says that such a path must not
    // be. Test: `a_path_is_never_read_as_a_network_location`.
    if target.authority.is_none() && writer.written()[path_start..].starts_with("//") {
        writer.insert_delimiter(path_start, "/.");
    }
    writer.params_query_and_fragment(target.params, target.query, target.fragment);
}

/// The path up to and including its last slash; `/` where there is none.
pub(super) fn directory(path: &str) -> &str {
    path.rfind('/').map_or("/", |slash| &path[..=slash])
}

/// What is before the first `delimiter`, a character of ASCII, and what is behind it.
pub(super) fn split_at_first(text: &str, delimiter: u8) -> (&str, Option<&str>) {
    match memchr(delimiter, text.as_bytes()) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}
