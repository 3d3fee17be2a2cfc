//! [`LinkResolver`]: chooses the base URL of a reference and determines its outcome.
//!
//! # Base URLs
//!
//! A row of the link table has a [`BaseRule`]. Most links resolve against the base URL of the document. A BASE element
//! itself resolves against the fallback base URL, the one the document would have without BASE. Some legacy elements
//! resolve against their `codebase` attribute. The content of a feed has the link of its item as base URL, for the
//! links in it ([`documents`]). Each of these is a [`ResolutionBase`].
//!
//! # Outcome
//!
//! [`LinkResolver::outcome`] applies the policies in a fixed order. The first that matches determines the result:
//!
//! 1. empty references without a meaning;
//! 2. `data:` URLs;
//! 3. exclusions, a BASE that is to be kept, and image candidates that browsers ignore;
//! 4. references that are too long, and template placeholders: in the reference and then in `codebase` or earlier in
//!    the list;
//! 5. fragment-only references that are to be kept;
//! 6. resolution (which needs a base URL) or normalization, then mapping and output form;
//! 7. markup that an unclosed quote swallowed, if the reference would change.
//!
//! The simple path (`rewrite::simple`) handles references to which none of the policies 1 to 5 can apply. Mappings,
//! relative output and placeholders that it might accept are ruled out once for the document
//! ([`LinkResolver::allows_simple`]), the other policies for each reference.
//!
//! An absolute reference that is excluded or contains a placeholder is [`Outcome::Absolute`], not skipped, because it
//! did not have to be resolved.
//!
//! # Files
//!
//! This file is entered once for each link that is not simple. The others make a resolver: [`document_bases`]
//! establishes the base URLs of a document, each of which is prepared as a [`ResolutionBase`], for the resolver that
//! [`documents`] creates; [`scopes`] derives those of the parts of an XML document that have base URLs of their own.

pub(crate) mod document_bases;
mod documents;
pub(crate) mod resolution_base;
pub(crate) mod scopes;

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use super::value_owner::ValueOwner;
use crate::base::{Base, BaseSource};
use crate::encoding::Confidence;
use crate::find::starts_with_ignore_case;
use crate::grammar::{Grammar, Notation, ReferenceToken, single};
use crate::link::{BaseRule, Empty, FragmentOnly, LinkRule, SelectedRule};
use crate::record::{Outcome, SkipReason};
use crate::reference::{
    Reference, ResolveError, has_same_authority, is_absolute, is_url, normalize, split_fragment,
    stripped,
};
use crate::scheme::split_rfc1808;
use crate::settings::{AbsoluteReferences, BaseElementPolicy, FragmentPolicy, RewriteSettings};
use resolution_base::{BaseInOutput, ContentBase, ResolutionBase};

/// Length in bytes of the longest reference that is resolved. Servers accept a sixteenth of it, and escaping makes some
/// references nine times as long.
pub(crate) const LONGEST_REFERENCE: usize = 128 << 10;

/// Determines the outcome of each reference of one document. A clone shares the base URLs.
#[derive(Clone)]
pub(crate) struct LinkResolver<'s> {
    pub(crate) settings: &'s RewriteSettings,
    /// The base URL of the document. References resolve against it unless their [`BaseRule`] determines another one.
    pub(crate) document_base: Option<Arc<ResolutionBase>>,
    /// The base URL that the document would have without BASE.
    pub(crate) fallback_base: Option<Arc<ResolutionBase>>,
    /// The base URL around the part of a document that has an `xml:base`; `fallback_base` for a whole document.
    outer_base: Option<Arc<ResolutionBase>>,
    /// The base URL of content of a feed, if it is not `document_base`.
    content: Rc<ContentBase>,
    /// Whether there is a base URL that is longer than the settings allow. `document_base` is `None` then.
    pub(crate) is_base_too_long: bool,
    pub(crate) encoding: &'static Encoding,
    /// The confidence in `encoding`. It is tentative only for a document of ASCII characters, which are no evidence for
    /// an encoding; see [`undecided_query`](Self::undecided_query).
    pub(crate) confidence: Confidence,
    /// Whether every target that [`split_target`](crate::reference::Resolver::split_target) returns is the text to
    /// write.
    ///
    /// `true` if targets are written without mappings and in absolute form, and the shortcut accepts no reference that
    /// contains a placeholder.
    pub(crate) allows_simple: bool,
    /// The retrieval URL of the document, as the profile writes it, without fragment; `None` if it is unknown, or
    /// unless the policy is [`FragmentPolicy::Auto`].
    document_url: Option<Rc<str>>,
}

impl LinkResolver<'_> {
    /// Returns the base URL of the references of a value, or `None` if none is known.
    ///
    /// # Errors
    /// No relative reference of the value can be resolved: the base URL is too long, or the `codebase` of the element
    /// contains a template placeholder.
    pub(crate) fn base_for(
        &self,
        rule: LinkRule,
        owner: &ValueOwner<'_, '_, '_>,
    ) -> Result<Option<Cow<'_, ResolutionBase>>, SkipReason> {
        let document_base = || match &self.document_base {
            None if self.is_base_too_long => Err(SkipReason::BaseTooLong),
            document_base => Ok(document_base.as_deref().map(Cow::Borrowed)),
        };
        match rule.base_rule {
            // `Content` concerns the links of a document that is the value.
            BaseRule::Document | BaseRule::Content | BaseRule::Identifier => document_base(),
            BaseRule::Outer => Ok(self.outer_base.as_deref().map(Cow::Borrowed)),
            BaseRule::Fallback => Ok(self.fallback_base.as_deref().map(Cow::Borrowed)),
            BaseRule::Codebase => match (owner.value_of)("codebase") {
                Some(value) if self.settings.placeholders.are_contained_in(&value) => {
                    Err(SkipReason::Placeholder)
                }
                None => document_base(),
                // An invalid `codebase` is ignored.
                Some(value) => match self.codebase(&value, owner)? {
                    None => document_base(),
                    codebase => Ok(codebase.map(Cow::Owned)),
                },
            },
        }
    }

    /// Resolves the value of the `codebase` attribute of `owner`, which is the base URL of its element; returns `None`
    /// if it is invalid.
    ///
    /// # Errors
    /// [`SkipReason::BaseTooLong`]: the base URL of the document or of the element is.
    fn codebase(
        &self,
        value: &str,
        owner: &ValueOwner<'_, '_, '_>,
    ) -> Result<Option<ResolutionBase>, SkipReason> {
        // `codebase` is a link itself, so the mappings apply to it unless it is excluded.
        let (namespace, element, value_of) = (owner.namespace, owner.element, owner.value_of);
        let settings = self.settings;
        let is_written = settings.is_rewritable(namespace, element, "codebase", value_of);
        let span = single(value);
        let value = settings.unwrap.original(&value[span.start..span.end]);
        let url = if is_absolute(value, self.settings.profile) {
            value.to_owned()
        } else if self.is_base_too_long {
            return Err(SkipReason::BaseTooLong);
        } else {
            let document_base = self.document_base.as_ref();
            let resolved = document_base.map(|base| base.resolver.resolve(value));
            let Some(Ok(url)) = resolved else {
                return Ok(None);
            };
            url.into_owned()
        };
        if settings.is_base_too_long(&url) {
            return Err(SkipReason::BaseTooLong);
        }
        let base = Base {
            url,
            source: BaseSource::Embedded,
        };
        Ok(self.resolution_base(base, None, BaseInOutput::if_written(is_written)))
    }

    /// Determines the outcome of the reference of `token`, which resolves against `resolution_base`.
    pub(crate) fn outcome(
        &self,
        selected: SelectedRule,
        token: &ReferenceToken<'_>,
        resolution_base: Result<Option<&ResolutionBase>, SkipReason>,
    ) -> Outcome {
        let SelectedRule {
            rule, is_excluded, ..
        } = selected;
        if rule.grammar == Grammar::Text {
            return Outcome::Skipped(SkipReason::Excluded);
        }
        let reference = self.settings.unwrap.original(&token.reference);
        let profile = self.settings.profile;
        if reference.is_empty() && rule.empty == Empty::Nothing {
            return Outcome::Skipped(SkipReason::Empty);
        }
        if is_data(reference) {
            // A `data:` URL is never normalized, mapped or searched for placeholders: it may be megabytes long.
            return Outcome::Absolute;
        }
        let is_absolute = match resolution_base {
            Ok(None) => is_url(reference, profile),
            _ => is_absolute(reference, profile),
        };
        let not_resolved = |reason| {
            if is_absolute {
                Outcome::Absolute
            } else {
                Outcome::Skipped(reason)
            }
        };
        if is_excluded || self.keeps_base_element(rule) {
            return not_resolved(SkipReason::Excluded);
        }
        if token.notation == Notation::InvalidCandidate {
            return Outcome::Skipped(SkipReason::InvalidCandidate);
        }
        if rule.base_rule == BaseRule::Identifier {
            return not_resolved(SkipReason::Identifier);
        }
        if reference.len() > LONGEST_REFERENCE {
            return not_resolved(SkipReason::Malformed);
        }
        if self.settings.placeholders.are_contained_in(reference) {
            return not_resolved(SkipReason::Placeholder);
        }
        // The URL parser drops line breaks, so "\n#a" is fragment-only too. A closure: few cases need the answer.
        let is_fragment_only =
            || Reference::split(&stripped(reference), profile).is_fragment_only();
        let resolution_base = match resolution_base {
            Ok(resolution_base) => resolution_base,
            Err(reason) => return not_resolved(reason),
        };
        match rule.fragment_only {
            FragmentOnly::Local if is_fragment_only() => {
                return Outcome::Skipped(SkipReason::Local);
            }
            FragmentOnly::Base if self.keeps_fragments(resolution_base) && is_fragment_only() => {
                return Outcome::Skipped(SkipReason::Fragment);
            }
            FragmentOnly::Local | FragmentOnly::Base => {}
        }
        let undecided = self.undecided_query(rule, reference);
        let decided = &reference[..reference.len() - undecided.len()];
        let target = match (is_absolute, resolution_base) {
            (true, _) if self.settings.absolute == AbsoluteReferences::Normalize => {
                self.normalized(rule, decided)
            }
            (true, _) => Ok(Cow::Borrowed(decided)),
            (false, Some(resolution_base)) => resolution_base.resolver_for(rule).resolve(decided),
            (false, None) => return Outcome::Skipped(SkipReason::NoBase),
        };
        let target = match target {
            Ok(target) => target,
            Err(error) => return Outcome::Skipped(error.into()),
        };
        let is_never_requested = is_dangling_markup(reference, &target);
        let output_base =
            resolution_base.and_then(|resolution_base| resolution_base.output_resolver.as_ref());
        let target = self.settings.written_form(rule, target, output_base, token);
        let target = match resolution_base {
            Some(ResolutionBase { base, .. }) => self
                .settings
                .without_unknown_scheme(reference, target, &base.url),
            None => target,
        };
        let target = if undecided.is_empty() {
            target
        } else {
            target + undecided
        };
        // An absolute reference counts as resolved only if a mapping, normalization or the output form changed it.
        if is_absolute && target == token.reference {
            Outcome::Absolute
        } else if is_never_requested {
            Outcome::Skipped(SkipReason::DanglingMarkup)
        } else {
            Outcome::Resolved(target.into_owned())
        }
    }

    /// Returns the normal form of an absolute reference, or itself if browsers would find another scheme or host in
    /// that: it may be an error in one and not in the other.
    fn normalized<'r>(
        &self,
        rule: LinkRule,
        reference: &'r str,
    ) -> Result<Cow<'r, str>, ResolveError> {
        let (profile, escape) = (self.settings.profile, self.settings.escape);
        // A base URL that is not known could complete it.
        if !is_absolute(reference, profile) {
            return Ok(Cow::Borrowed(reference));
        }
        let encoding = if rule.has_utf_8_query {
            UTF_8
        } else {
            self.encoding
        };
        let normal = normalize(reference, profile, escape, encoding)?;
        Ok(if has_same_authority(reference, &normal) {
            Cow::Owned(normal)
        } else {
            Cow::Borrowed(reference)
        })
    }

    /// Returns the end of `reference` after its `?` that is written as the author did, since its percent-encoding
    /// depends on an encoding that only the reader's browser decides; empty if there is none.
    ///
    /// # Source
    /// URL Standard, "query state": the query is percent-encoded in the document's encoding. HTML, "determining the
    /// character encoding", step 9: without a declaration, the encoding depends on the locale.
    fn undecided_query<'r>(&self, rule: LinkRule, reference: &'r str) -> &'r str {
        if self.confidence != Confidence::Tentative || rule.has_utf_8_query || reference.is_ascii()
        {
            return "";
        }
        match split_fragment(reference).0.split_once('?') {
            Some((before, query)) if !query.is_ascii() => {
                reference.get(before.len() + 1..).unwrap_or_default()
            }
            _ => "",
        }
    }

    /// Returns the `href` of the BASE that is to be inserted, or `None` if none is.
    pub(crate) fn inserted_base(&self) -> Option<String> {
        let document_base = self.document_base.as_ref()?;
        let is_requested = self.settings.base_element == BaseElementPolicy::Insert;
        // A base URL that comes from BASE is in the document already.
        if !is_requested || document_base.base.source == BaseSource::Embedded {
            return None;
        }
        let url = document_base.output_resolver.as_ref()?.base();
        Some(split_fragment(url).0.to_owned())
    }

    /// Returns whether a fragment-only reference of that rule may be kept.
    ///
    /// The test is conservative and cheap: [`outcome`](Self::outcome) decides.
    pub(crate) fn may_keep_fragment(&self, rule: LinkRule) -> bool {
        rule.fragment_only == FragmentOnly::Local
            || self.settings.fragments != FragmentPolicy::Resolve
    }

    /// Returns whether the link is the `href` of BASE and is left unchanged by the settings.
    fn keeps_base_element(&self, rule: LinkRule) -> bool {
        rule.is_base_element() && self.settings.base_element == BaseElementPolicy::Keep
    }

    /// Returns whether fragment-only references that resolve against `resolution_base` are kept.
    fn keeps_fragments(&self, resolution_base: Option<&ResolutionBase>) -> bool {
        match self.settings.fragments {
            FragmentPolicy::Resolve => false,
            FragmentPolicy::Keep => true,
            FragmentPolicy::Auto => resolution_base.is_some_and(|resolution_base| {
                self.document_url.as_deref()
                    == Some(split_fragment(resolution_base.resolver.base()).0)
            }),
        }
    }
}

/// Returns whether `reference` is a `data:` URL, which needs no base URL and may be very long.
fn is_data(reference: &str) -> bool {
    starts_with_ignore_case(reference.as_bytes(), b"data:")
}

/// Returns whether `reference` has a `<` and a tab or line break, and `target` is an `http` or `https` URL or has no
/// scheme: the reference contains the markup after an injected quote that is not closed.
///
/// # Source
/// Browsers block requests for such an `http` or `https` URL, which would send the markup elsewhere. Both are gone
/// from a URL that is written anew: the tab or line break is removed, and the `<` is percent-encoded. The Web Platform
/// Tests, `fetch/security/dangling-markup`, have the cases; the Fetch Standard has no text for it.
pub(crate) fn is_dangling_markup(reference: &str, target: &str) -> bool {
    reference.contains('<')
        && reference.contains(['\t', '\n', '\r'])
        && split_rfc1808(target).is_none_or(|(scheme, _)| {
            ["http", "https"]
                .iter()
                .any(|name| scheme.eq_ignore_ascii_case(name))
        })
}
