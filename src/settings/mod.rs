//! [`RewriteSettings`]: the options of a [`Rewriter`], and their effect on the text that is written for a target.
//!
//! [`builder`] sets them one by one, and [`named`] by the names that users write. [`index_files`] completes links to
//! directories.

mod builder;
mod index_files;
mod named;

pub use builder::Rewriter;
pub use index_files::IndexFiles;
pub use named::{InvalidOption, check_base_url, check_encoding, named_option};

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::grammar::ReferenceToken;
use crate::html::Reader;
use crate::limits::{Limit, Limits};
use crate::link::{FragmentOnly, LinkRule, LinkSelector, Role, Selection};
use crate::names::named_values;
use crate::reference::{
    Escape, Placeholders, Profile, Reference, RelativeForm, Resolver, rest_below, split_fragment,
    stripped, with_normal_path, with_slashes,
};
use crate::replay::Unwrap;

/// The settings of a rewriter, without a document: the functions of this crate pass them on to each other.
#[derive(Debug, Clone, Default)]
pub(crate) struct RewriteSettings {
    pub(crate) profile: Profile,
    // `None`: the scope that the profile implies. It is derived on use, so the two setters can be called in any order.
    pub(crate) base_scope: Option<BaseScope>,
    pub(crate) base_origin: BaseOrigin,
    pub(crate) escape: Escape,
    pub(crate) form: OutputForm,
    pub(crate) absolute: AbsoluteReferences,
    pub(crate) fragments: FragmentPolicy,
    pub(crate) base_element: BaseElementPolicy,
    pub(crate) ill_formed: IllFormedPolicy,
    pub(crate) selection: Selection,
    pub(crate) placeholders: Placeholders,
    pub(crate) unwrap: Unwrap,
    pub(crate) mappings: Vec<Mapping>,
    urls: Arc<HashMap<String, String>>,
    /// The name of the attribute that keeps a URL.
    pub(crate) original: Option<String>,
    pub(crate) insertions: Vec<(InsertionPlace, String)>,
    pub(crate) removals: Vec<LinkSelector>,
    index_files: Option<Arc<IndexFiles>>,
    unknown_origin: Option<String>,
    pub(crate) reader: Reader,
    pub(crate) link_detail: LinkDetail,
    pub(crate) limits: Limits,
    // The chunk length of streams in bytes; `None`: the default. Tests set it to exercise chunk boundaries.
    pub(crate) chunk_len: Option<usize>,
}

/// The part of a document in which a BASE element has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BaseScope {
    /// HEAD only, as RFC 1808 section 10 requires.
    Head,
    /// The whole document, as in HTML.
    Document,
}

named_values! { BaseScope, "BASE scope":
    Head => "head",
    Document => "document",
}

/// The origins that a BASE element may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BaseOrigin {
    /// Any, as RFC 1808 and HTML permit.
    #[default]
    Any,
    /// That of the retrieval URL, if it is known. A BASE of another origin is ignored, and so is every BASE after it.
    Same,
}

named_values! { BaseOrigin, "origin of BASE":
    Any => "any",
    Same => "same",
}

/// The level of detail of a [`Report`](crate::Report): which links it records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LinkDetail {
    /// All links, and all edits. Rewriting takes about twice as long.
    All,
    /// The links that were skipped, and no edits. Other links are only counted.
    #[default]
    SkippedOnly,
    /// The links that were skipped, and all edits: for callers who apply the edits to a copy in another form, such as
    /// the buffer of an editor. An edit may replace more of a reference than with [`All`](Self::All), to the same
    /// effect.
    Edits,
}

/// The form in which targets are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum OutputForm {
    /// Absolute: the target itself.
    #[default]
    Absolute,
    /// The shortest reference from the document's base URL to the target that does not begin with a slash, such as
    /// `../a/b`, so that a site also works below another path.
    ///
    /// A target with another scheme or authority is written as it is. If only its dot segments or backslashes require a
    /// slash at the beginning, the reference leads to the equivalent URL without them (RFC 3986 section 6.2.2.3).
    Relative,
    /// The reference that begins with the path from the root, such as `/a/b`.
    ///
    /// A target with another scheme or authority is written as it is.
    RootRelative,
}

named_values! { OutputForm, "form of targets":
    Absolute => "absolute",
    Relative => "relative",
    RootRelative => "root-relative",
}

/// The treatment of references that are already absolute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AbsoluteReferences {
    /// Leaves them unchanged.
    #[default]
    Keep,
    /// Escapes and normalizes them as the [`Profile`] does with targets, except `data:` URLs.
    Normalize,
}

/// The treatment of fragment-only references, such as `#top`.
///
/// References to a part of the same document, whatever its base URL, are always left unchanged: `use href="#id"` in SVG
/// and `url(#id)` in CSS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum FragmentPolicy {
    /// Resolves them like other references (RFC 1808 section 4).
    #[default]
    Resolve,
    /// Leaves them unchanged.
    Keep,
    /// Leaves them unchanged if the base URL equals the retrieval URL, fragments aside.
    ///
    /// They refer to the document itself then.
    Auto,
}

named_values! { FragmentPolicy, "treatment of fragments":
    Resolve => "resolve",
    Keep => "keep",
    Auto => "auto",
}

/// The treatment of the BASE element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BaseElementPolicy {
    /// Makes its `href` absolute, like that of any other element.
    #[default]
    Absolutize,
    /// Leaves it unchanged.
    Keep,
    /// Removes its `href`, and the element if it has no other attribute.
    ///
    /// If removing the element would bring a later DOCTYPE into effect, only the `href` is removed. A BASE whose `href`
    /// is not empty and cannot be resolved, or that is too long, is left unchanged, because unresolved references still
    /// depend on it.
    Remove,
    /// Like [`Absolutize`](Self::Absolutize); also inserts a BASE if the base URL comes from outside the document.
    ///
    /// If HEAD has a BASE without `href`, and neither a NOSCRIPT nor a BASE with `href` precedes it, that BASE is given
    /// the `href`. Otherwise a new BASE is placed at the beginning of HEAD.
    Insert,
}

named_values! { BaseElementPolicy, "treatment of BASE":
    Absolutize => "absolutize",
    Keep => "keep",
    Remove => "remove",
    Insert => "insert",
}

/// A place in an HTML document where markup can be inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum InsertionPlace {
    /// After the start tag of HEAD, or before the token that implies it.
    HeadStart,
    /// Before the end tag of HEAD, or before the token that implies it.
    HeadEnd,
    /// Before the last end tag of BODY; without one, before the last of HTML, or at the end of the document.
    ///
    /// A parser puts the markup into the element that is open there.
    BodyEnd,
}

named_values! { InsertionPlace, "place":
    HeadStart => "head",
    HeadEnd => "head-end",
    BodyEnd => "body-end",
}

/// Treatment of an XML document that is not well-formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum IllFormedPolicy {
    /// It is left unchanged ([`Unsupported::IllFormed`](crate::Unsupported::IllFormed)). The default, and what XML
    /// requires: such a document has no agreed structure.
    #[default]
    Leave,
    /// It is read in spite of its errors, as feed readers do: a stray `<` or `&` is text, an end tag closes the nearest
    /// element of that name or nothing, unknown entities are skipped. Markup that is never closed is left unchanged.
    Recover,
}

/// A prefix of target URLs and its replacement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Mapping {
    from: String,
    to: String,
}

impl Mapping {
    /// Returns `url` with `from` replaced by `to`, or `None` if it is neither `from` nor below it.
    ///
    /// A URL is below `from` if the rest of it begins a path segment, a query or a fragment.
    fn apply(&self, url: &str, profile: Profile) -> Option<String> {
        let rest = rest_below(&self.from, url, profile)?;
        // The rest has the slash that ends `from`, so that of `to` must not be a second one.
        let to = with_slashes(&self.to, profile);
        let to = to.strip_suffix('/').unwrap_or(&to);
        let parts = Reference::split(to, profile);
        // Without a path, no relative reference would lead there.
        let is_host = parts.authority.is_some() && parts.path.is_empty() && parts.query.is_none();
        let slash = if is_host && !rest.starts_with('/') {
            "/"
        } else {
            ""
        };
        Some([to, slash, &*rest].concat())
    }
}

impl RewriteSettings {
    /// Adds a mapping of URLs.
    fn map(&mut self, from: &str, to: &str) {
        let (from, to) = (from.to_owned(), to.to_owned());
        self.mappings.push(Mapping { from, to });
    }

    /// Returns whether BASE or other markup is inserted, or elements are removed.
    pub(crate) fn edits_markup(&self) -> bool {
        self.base_element == BaseElementPolicy::Insert
            || !self.insertions.is_empty()
            || !self.removals.is_empty()
    }

    /// Returns whether XML documents that are not well-formed are read.
    pub(crate) fn is_lenient(&self) -> bool {
        self.ill_formed == IllFormedPolicy::Recover
    }

    /// Returns whether `url` has the origin that is not known.
    pub(crate) fn has_unknown_origin(&self, url: &str) -> bool {
        let rest = self
            .unknown_origin
            .as_ref()
            .and_then(|origin| url.strip_prefix(&**origin));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
    }

    /// Returns `target` without its scheme, if that is unknown because `reference` begins with `//` and resolves
    /// against `base`, which has the unknown origin.
    pub(crate) fn without_unknown_scheme<'t>(
        &self,
        reference: &str,
        target: Cow<'t, str>,
        base: &str,
    ) -> Cow<'t, str> {
        let is_unknown = self.form != OutputForm::Absolute && self.has_unknown_origin(base);
        if !is_unknown || !with_slashes(&stripped(reference), self.profile).starts_with("//") {
            return target;
        }
        let scheme = base.find("//").map_or("", |slashes| &base[..slashes]);
        match target.strip_prefix(scheme) {
            Some(rest) if rest.starts_with("//") => Cow::Owned(rest.to_owned()),
            _ => target,
        }
    }

    /// Returns the BASE scope that was set, or that of the profile.
    pub(crate) fn effective_base_scope(&self) -> BaseScope {
        self.base_scope.unwrap_or(match self.profile {
            Profile::Rfc1808 | Profile::Rfc3986 => BaseScope::Head,
            Profile::Whatwg => BaseScope::Document,
        })
    }

    /// Returns whether the base URL `url` is longer than allowed.
    pub(crate) fn is_base_too_long(&self, url: &str) -> bool {
        url.len() > self.limits.get(Limit::BaseLength)
    }

    /// Returns whether [`written_form`](Self::written_form) is the identity for every target.
    pub(crate) fn writes_targets_verbatim(&self) -> bool {
        let has_own_targets = self.mappings.is_empty() && self.urls.is_empty();
        let has_own_targets = has_own_targets && self.index_files.is_none();
        let has_own_targets = has_own_targets && self.unwrap == Unwrap::None;
        self.form == OutputForm::Absolute && has_own_targets && self.unknown_origin.is_none()
    }

    /// Returns the URL to which the map of single URLs moves `url`, if it has it.
    pub(crate) fn moved_url(&self, url: &str) -> Option<String> {
        if self.urls.is_empty() {
            return None;
        }
        let (whole, fragment) = split_fragment(url);
        Some([self.urls.get(whole)?, fragment].concat())
    }

    /// Applies the map of single URLs to `url`, or the first mapping that matches, if any.
    pub(crate) fn mapped<'t>(&self, url: Cow<'t, str>) -> Cow<'t, str> {
        let mut mappings = self.mappings.iter();
        let moved = self
            .moved_url(&url)
            .or_else(|| mappings.find_map(|mapping| mapping.apply(&url, self.profile)));
        moved.map_or(url, Cow::Owned)
    }

    /// Returns the mapped `target`, which names the file that a server sends for a directory, if the link leads there.
    fn moved<'t>(&self, rule: LinkRule, target: Cow<'t, str>) -> Cow<'t, str> {
        // The URL of a page has to remain the same for programs, and that of a directory for references
        // that resolve against it.
        let index_files = self.index_files.as_ref();
        let Some(index_files) =
            index_files.filter(|_| !matches!(rule.role, Role::Base | Role::Metadata))
        else {
            return self.mapped(target);
        };
        if let Some(explicit) = index_files.explicit(&target, self.profile) {
            return self.mapped(Cow::Owned(explicit));
        }
        let target = self.mapped(target);
        // A mapping may move other URLs into the site, at its new place.
        let site = self.mapped(index_files.site().into());
        let explicit = index_files.explicit_below(&site, &target, self.profile);
        explicit.map_or(target, Cow::Owned)
    }

    /// Returns the text to write for `target`: mapped, then in the configured [`OutputForm`].
    ///
    /// `base` must be the base URL that the rewritten document will have, after mapping. Of the relative references,
    /// the result is the shortest that `token` can represent; if there is none, it is absolute.
    pub(crate) fn written_form<'t>(
        &self,
        rule: LinkRule,
        target: Cow<'t, str>,
        base: Option<&Resolver>,
        token: &ReferenceToken<'_>,
    ) -> Cow<'t, str> {
        let target = self.moved(rule, target);
        let form = match self.form {
            // RFC 1808 section 10 requires an absolute BASE, and a relative one would depend on the fallback base URL.
            _ if rule.is_base_element() => return target,
            OutputForm::Absolute => return target,
            OutputForm::Relative => RelativeForm::Path,
            OutputForm::RootRelative => RelativeForm::Root,
        };
        // An absolute reference needs no base URL, so there may be none that its target could be relative to.
        let Some(base) = base else { return target };
        let relative = |target: &str| {
            let relative = base.relative_where(target, form, |reference| {
                // A local fragment is a part of this document, whatever its base URL, so it is not the target.
                let is_local =
                    rule.fragment_only == FragmentOnly::Local && reference.starts_with('#');
                !is_local && token.can_represent(reference) && !is_read_otherwise(reference)
            });
            relative.map(Cow::into_owned)
        };
        let has_form =
            |reference: &String| form == RelativeForm::Root || !reference.starts_with('/');
        let exact = relative(&target);
        // References that resolve against a `codebase` may have other targets without its dot segments.
        if rule.role == Role::Base || exact.as_ref().is_some_and(has_form) {
            return exact.map_or(target, Cow::Owned);
        }
        // DIFFERENCE: a profile may keep dot segments, to which no reference of this form leads. Browsers and servers
        // remove them (`output_forms_are_read_back_in_their_place`).
        let equivalent = with_normal_path(&target, self.profile);
        let equivalent = equivalent.and_then(|equivalent| relative(&equivalent));
        let written = equivalent.filter(has_form).or(exact);
        written.map_or(target, Cow::Owned)
    }
}

/// Returns whether browsers find a scheme or a host in a relative reference: they remove line breaks and tabs, and read
/// a backslash as a slash. Only references that are not escaped contain them.
///
/// # Source
/// URL Standard, "basic URL parser".
fn is_read_otherwise(reference: &str) -> bool {
    let is_removed = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r');
    let mut bytes = reference
        .bytes()
        .filter(|byte| !is_removed(byte))
        .skip_while(|byte| *byte <= b' ');
    let is_slash = |byte| matches!(byte, Some(b'/' | b'\\'));
    let first = bytes.next();
    if is_slash(first) {
        return is_slash(bytes.next());
    }
    first.is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.find(|byte| !byte.is_ascii_alphanumeric() && !b"+-.".contains(byte)) == Some(b':')
}
