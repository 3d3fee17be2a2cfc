//! The simple path: values that need neither a decoded copy nor escaping, in attributes and raw text.
//!
//! # Simple references
//!
//! In general, rewriting a reference takes these steps: decode the value, find the reference, resolve it, escape the
//! target, and map the edit back to the source. For most references of most pages, the target can be assembled from
//! text that exists already:
//!
//! ```text
//! base URL    http://a/b/c            reference   ../g?x=1&amp;y=2
//! target      http://a/g?x=1&y=2
//! split       prefix http://a/        suffix      g?x=1&amp;y=2
//! ```
//!
//! A reference is *simple* if it is absolute and kept, or if its target is a prefix of the base URL followed by a
//! suffix of the reference **as written** (`&amp;` included), so that only the prefix has to be written.
//! [`SplitTarget`] represents such a target. The prefix replaces the leading dot segments; it is an insertion if there
//! are none. The suffix remains in the document byte for byte.
//!
//! # Why this is exact
//!
//! * The resolver's shortcut ([`Resolver::split_target`](crate::reference::Resolver::split_target)) accepts only
//!   references on which all profiles agree. It refuses non-ASCII characters. It also refuses control characters, and
//!   so the mask of a skeleton (U+007F).
//! * The prefix is literal in every quoting of an attribute ([`ResolutionBase::is_literal_in_markup`]), and for a
//!   reference in CSS also in its notation ([`ResolutionBase::is_literal_in_css`]).
//! * The suffix is already in the document, so it is written correctly there. It may contain ampersands, either bare
//!   or as `&amp;`, because neither makes a difference to the shortcut.
//! * The result is ASCII and is cut at ASCII delimiters, so it is valid in every encoding a skeleton is made for.
//!
//! # What is refused
//!
//! The methods here return `None` for everything else, and the caller takes the general path ([`super::value`]), which
//! yields the same result for a simple reference. They refuse in particular:
//!
//! * every link, if a setting changes targets (mappings, relative output), or if the shortcut might accept a reference
//!   that contains a template placeholder;
//! * every attribute, if the user has any selector;
//! * an attribute whose row of the link table has a condition that may hold (a role that depends on `rel` is no
//!   condition);
//! * a link that does not resolve against the document's base URL (BASE, `codebase`), or whose grammar is not a URL,
//!   `srcset` or CSS;
//! * the text of an element of XML that has references, CDATA sections or comments;
//! * an absolute reference that is to be normalized, a fragment-only reference that may be kept, an empty reference;
//! * an attribute without a value, and a relative reference with a character reference other than `&amp;`.
//!
//! Selectors and conditions do not rule out the text of an element: the visitor evaluates them before it tries this
//! path.
//!
//! `tests/library/agreement.rs` checks that rewriting with and without this path gives the same result.

use std::borrow::Cow;

use memchr::{memchr, memchr3};

use super::resolve::resolution_base::ResolutionBase;
use super::resolve::{LONGEST_REFERENCE, LinkResolver};
use super::source_text::has_only_amp_references;
use crate::find::{self, Block};
use crate::grammar::{Grammar, NonAscii, ValueContext, each_simple, single};
use crate::link::{BaseRule, LinkRule, RowLookup};
use crate::markup::attribute::Quoting;
use crate::markup::tokens::{Attribute, Syntax};
use crate::reference::{begins_with_http, begins_with_scheme};
use crate::settings::AbsoluteReferences;
use crate::span::Span;

/// The outcome of a value, or of one reference of a list, that needs no decoding.
pub(super) enum SimpleReference<'p> {
    /// The value contains no reference, or is not a link.
    NoReference,
    /// The reference at this span of the text is absolute and is kept.
    Absolute(Span),
    /// The reference at this span of the text is resolved. Reference and target are written without escapes, except
    /// `&amp;`.
    Resolved(Span, SplitTarget<'p>),
}

/// Bytes that introduce a reference in CSS. In an attribute, one of them precedes every reference.
#[inline]
fn may_begin_css_reference(block: Block) -> Block {
    // `url(` and all other functions need the parenthesis, unless a CSS escape or a character reference hides it.
    let escapes = block.equal(b'\\').or(block.equal(b'&'));
    escapes.or(block.equal(b'('))
}

/// A target in two parts: a prefix of the base URL, and a suffix of the reference as written.
pub(super) struct SplitTarget<'p> {
    pub(super) prefix: &'p str,
    /// Span of the suffix in the text. May contain `&amp;`, which is written there for `&`.
    pub(super) suffix: Span,
}

impl SplitTarget<'_> {
    /// Returns the part of the reference at `span` that the prefix replaces; empty if it is an insertion.
    pub(super) fn replaced(&self, span: Span) -> Span {
        Span::new(span.start, self.suffix.start)
    }

    /// Returns the length of the target in bytes, if no `&amp;` is in it.
    pub(super) fn len(&self) -> usize {
        self.prefix.len() + self.suffix.end - self.suffix.start
    }
}

/// Returns whether `value`, an attribute with CSS, certainly contains no reference.
///
/// Kept out of line: most attributes contain no CSS.
#[inline(never)]
fn has_no_css_reference(value: &[u8]) -> bool {
    !find::contains_any(value, may_begin_css_reference)
}

impl LinkResolver<'_> {
    /// Resolves the value of `attribute`, whose row of the link table is `lookup`.
    ///
    /// Returns `None` if the value must take the general path. Spans of the result are in bytes of `text`.
    #[inline]
    pub(super) fn simple(
        &self,
        text: &str,
        attribute: &Attribute<'_>,
        lookup: RowLookup,
        syntax: Syntax,
    ) -> Option<SimpleReference<'_>> {
        if let RowLookup::NotALink = lookup {
            return Some(SimpleReference::NoReference);
        }
        // `None` if the row depends on other attributes, or if the user has selectors. Only a selector can exclude a
        // link, so a link that has a rule here is not excluded.
        let rule = lookup.rule()?;
        let span = attribute.value;
        if rule.grammar == Grammar::Css {
            // Most attributes with CSS contain no reference. For the others, the caller may try `each_simple`.
            return has_no_css_reference(&text.as_bytes()[span.start..span.end])
                .then_some(SimpleReference::NoReference);
        }
        // Without a value there are no quotes and no `=` to write a target after.
        if rule.grammar != Grammar::Url
            || rule.base_rule != BaseRule::Document
            || !self.allows_simple
            || attribute.quoting == Quoting::Absent
        {
            return None;
        }
        let value = &text[span.start..span.end];
        self.simple_reference(rule, text, single(value).shifted(span.start), syntax)
    }

    /// Resolves the reference at `span` of `text`, which must be literal there except for character references.
    ///
    /// Returns `None` if it must take the general path.
    #[inline]
    fn simple_reference(
        &self,
        rule: LinkRule,
        text: &str,
        span: Span,
        syntax: Syntax,
    ) -> Option<SimpleReference<'_>> {
        let reference = &text.as_bytes()[span.start..span.end];
        if reference.first() == Some(&b'#') && self.may_keep_fragment(rule) {
            return None;
        }
        let keeps_absolute = self.settings.absolute == AbsoluteReferences::Keep;
        // The cheap test comes first: most absolute references begin with `http`, and so never reach the shortcut.
        if keeps_absolute && begins_with_http(reference) {
            return Some(SimpleReference::Absolute(span));
        }
        let resolution_base = self.document_base.as_ref();
        if let Some(target) = resolution_base
            .and_then(|resolution_base| resolution_base.simple_target(rule, text, span, syntax))
        {
            return Some(SimpleReference::Resolved(span, target));
        }
        // A scheme is literal ASCII, so decoding cannot change it, and nothing after it affects the outcome. The rest
        // of the reference may therefore contain anything.
        (keeps_absolute && begins_with_scheme(&text[span.start..span.end]))
            .then_some(SimpleReference::Absolute(span))
    }

    /// Calls `visit` for each reference of the value at `span` of `text`: a `srcset`, CSS, or a URL that is the text of
    /// an element.
    ///
    /// The value must be a quoted attribute or the raw or literal text of an element. In raw text, CR and CR LF need
    /// not be normalized: no simple reference contains a line break.
    ///
    /// Stops at the first reference that must take the general path, or for which `visit` returns `false`, and returns
    /// `false`. Earlier references have been visited by then.
    pub(super) fn each_simple<'p>(
        &'p self,
        text: &'p str,
        span: Span,
        rule: LinkRule,
        (context, syntax): (ValueContext, Syntax),
        mut visit: impl FnMut(SimpleReference<'p>) -> bool,
    ) -> bool {
        if rule.base_rule != BaseRule::Document || !self.allows_simple {
            return false;
        }
        let value = &text[span.start..span.end];
        match (rule.grammar, context) {
            (Grammar::Srcset | Grammar::Css, _) => {}
            (Grammar::Url, ValueContext::Text) => {
                let reference = single(value).shifted(span.start);
                let simple = self.simple_reference(rule, text, reference, syntax);
                return simple.is_some_and(visit);
            }
            _ => return false,
        }
        // No simple reference contains a placeholder, but a descriptor may, and what follows it is uncertain then.
        if rule.grammar.has_separators() && self.settings.placeholders.are_contained_in(value) {
            return false;
        }
        // The grammar splits the value as written. `&amp;` cannot change how a `srcset` is split, but it can change
        // CSS: there its semicolon would be a delimiter. A line break in an attribute of XML is a space, which ends no
        // string of CSS.
        let is_literal = match (context, rule.grammar) {
            (ValueContext::Text, _) => true,
            (ValueContext::Attribute, Grammar::Css) => match syntax {
                Syntax::Html => memchr(b'&', value.as_bytes()).is_none(),
                Syntax::Xml => memchr3(b'&', b'\r', b'\n', value.as_bytes()).is_none(),
            },
            (ValueContext::Attribute, _) => has_only_amp_references(syntax, value),
        };
        if !is_literal {
            return false;
        }
        let document_base = self.document_base.as_ref();
        let never_escaped =
            document_base.is_some_and(|resolution_base| resolution_base.is_literal_in_css);
        each_simple(rule.grammar, value, |inner, notation| {
            let Some(reference) =
                self.simple_reference(rule, text, inner.shifted(span.start), syntax)
            else {
                return false;
            };
            // A base URL with parentheses or `&` may still be literal in this notation, as in a quoted string. `escape`
            // borrows if nothing has to be escaped.
            if let SimpleReference::Resolved(_, target) = &reference
                && !never_escaped
                && matches!(
                    notation.escape(target.prefix, NonAscii::Escaped),
                    Cow::Owned(_)
                )
            {
                return false;
            }
            visit(reference)
        })
    }
}

impl ResolutionBase {
    /// Resolves the reference at `span` of `text` if the target needs no escaping in any attribute.
    #[inline]
    fn simple_target(
        &self,
        rule: LinkRule,
        text: &str,
        span: Span,
        syntax: Syntax,
    ) -> Option<SplitTarget<'_>> {
        if !self.is_literal_in_markup || span.len() > LONGEST_REFERENCE {
            return None;
        }
        // `&amp;` may be passed to the shortcut undecoded: `&` is an ordinary character to it, and so is `;` anywhere
        // but at the beginning. Only the suffix can contain it, because the prefix comes from the base URL.
        let (prefix, suffix) = self
            .resolver_for(rule)
            .split_target(text, span, |raw| has_only_amp_references(syntax, raw))?;
        Some(SplitTarget { prefix, suffix })
    }
}
