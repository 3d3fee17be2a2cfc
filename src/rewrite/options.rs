//! How documents are rewritten: the settings of a [`Rewriter`].

use std::borrow::Cow;

use super::Rewriter;
use crate::grammar::{Grammar, begins_like_specifier};
use crate::html::Reader;
use crate::link::{FragmentOnly, LinkRule, LinkSelector, Preset, Role};
use crate::reference::{Escape, Placeholders, Profile, RelativeForm, Resolver};

/// Where a BASE element counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BaseScope {
    /// In HEAD, as RFC 1808 section 10 has it.
    Head,
    /// Anywhere in the document, as HTML has it.
    Document,
}

/// Which links rewriting records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LinkDetail {
    /// All of them, and all edits.
    #[default]
    All,
    /// Those that were skipped, and no edits.
    SkippedOnly,
}

/// What links become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OutputForm {
    /// The target.
    #[default]
    Absolute,
    /// The shortest reference from the document's base URL to the target, if both have the same scheme and authority.
    Relative,
    /// The same from the root: `/a/b`.
    RootRelative,
}

/// What becomes of references that are absolute already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AbsoluteReferences {
    /// They stay as they are.
    #[default]
    Keep,
    /// They are written as the profile would write them: escaped, and what else its standard does.
    Normalize,
}

/// What becomes of references that are a fragment and nothing else, such as `#top`.
///
/// Those that name a part of this very document wherever its base URL points (`use href="#id"`, `url(#id)` in CSS) stay
/// in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FragmentPolicy {
    /// They are resolved like any other (RFC 1808 section 4).
    #[default]
    Resolve,
    /// They stay.
    Keep,
    /// They stay where they name a place in the document itself: where the base URL is the retrieval URL.
    Auto,
}

/// What becomes of BASE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BaseElementPolicy {
    /// Its `href` is made absolute, like that of any other element.
    #[default]
    Absolutize,
    /// It stays as it is.
    Keep,
    /// Its `href` is taken away, and the whole element if it has no other attribute; not where the `href` could not be
    /// resolved, because then references were left that need it.
    Remove,
    /// As [`Absolutize`](Self::Absolutize); a document that has a base URL but no BASE that gives it gets one, at the
    /// beginning of HEAD.
    Insert,
}

/// Links below one URL are moved below another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Mapping {
    from: String,
    to: String,
}

impl Mapping {
    /// The URL moved, if it is `from` or below it: what follows begins a segment, a query or a fragment.
    fn apply(&self, url: &str) -> Option<String> {
        // Without its last slash on both sides, what is moved keeps the slash it has.
        let directory = self.from.strip_suffix('/');
        let rest = url.strip_prefix(directory.unwrap_or(&self.from))?;
        let is_below = match directory {
            Some(_) => rest.starts_with('/'),
            None => rest.is_empty() || rest.starts_with(['/', '?', '#']),
        };
        is_below.then(|| [self.to.strip_suffix('/').unwrap_or(&self.to), rest].concat())
    }
}

impl Rewriter {
    /// Sets which links rewriting records; default all. Where nobody looks at those that came out well, not to record
    /// them saves about half of the time.
    pub fn link_detail(self, detail: LinkDetail) -> Self {
        Self {
            link_detail: detail,
            ..self
        }
    }

    /// Sets which reader reads documents; the results do not depend on it.
    pub fn reader(self, reader: Reader) -> Self {
        Self { reader, ..self }
    }

    /// Sets how many bytes of a document [`rewrite_stream`](Self::rewrite_stream) reads at a time; the result does not
    /// depend on it. Default half a mebibyte. It takes more where a tag, the text of a SCRIPT or HEAD is longer.
    pub fn window(self, bytes: usize) -> Self {
        Self {
            window: Some(bytes),
            ..self
        }
    }

    /// The defaults: profile RFC 1808, preset HTML, escaping on, links absolute.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the standard that decides.
    pub fn profile(self, profile: Profile) -> Self {
        Self { profile, ..self }
    }

    /// Sets where a BASE element counts; default as the profile says: in HEAD for the RFCs, anywhere for
    /// [`Profile::Whatwg`].
    pub fn base_scope(self, scope: BaseScope) -> Self {
        Self {
            base_scope: Some(scope),
            ..self
        }
    }

    /// Sets what becomes of characters that cannot stand in a URL, in references that are written.
    pub fn escape(self, escape: Escape) -> Self {
        Self { escape, ..self }
    }

    /// Sets what links become.
    pub fn output(self, form: OutputForm) -> Self {
        Self { form, ..self }
    }

    /// Sets what becomes of references that are absolute already.
    pub fn absolute_references(self, absolute: AbsoluteReferences) -> Self {
        Self { absolute, ..self }
    }

    /// Sets what becomes of fragment-only references.
    pub fn fragments(self, fragments: FragmentPolicy) -> Self {
        Self { fragments, ..self }
    }

    /// Sets what becomes of BASE.
    pub fn base_element(self, base_element: BaseElementPolicy) -> Self {
        Self {
            base_element,
            ..self
        }
    }

    /// Switches a group of links on. [`Preset::Html`] is on already.
    pub fn preset(mut self, preset: Preset) -> Self {
        self.selection.add_preset(preset);
        self
    }

    /// Switches every group of links off, [`Preset::Html`] included. BASE still counts.
    pub fn no_presets(mut self) -> Self {
        self.selection.clear_presets();
        self
    }

    /// Makes links of what `selector` selects, whatever the table says of it; of several, the last one that fits
    /// decides.
    ///
    /// What the table says of them but for the grammar holds. Others are resources, and resolve against the base URL of
    /// the document; of these, an empty reference means nothing and stays, and one that is a fragment and nothing else
    /// stays in CSS and is resolved elsewhere. BASE is one URL whatever is said here.
    pub fn link(mut self, selector: LinkSelector, grammar: Grammar) -> Self {
        self.selection.add(selector, grammar);
        self
    }

    /// Leaves the links that `selector` selects as they are: they are found, and skipped with the reason
    /// [`Excluded`](super::SkipReason::Excluded).
    pub fn skip(mut self, selector: LinkSelector) -> Self {
        self.selection.skip(selector);
        self
    }

    /// Sets what opens a placeholder of a template: references that hold one stay. Default `{{`, `{%`, `<%` and `${`.
    pub fn placeholders<S: Into<String>>(self, openers: impl IntoIterator<Item = S>) -> Self {
        Self {
            placeholders: Placeholders::new(openers),
            ..self
        }
    }

    /// Moves links whose target is `from` or below it to the same place below `to`, both absolute URLs. Of several
    /// mappings the first that fits is taken; a path `from` that does not end in a slash is matched up to the end of a
    /// segment.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, Rewriter};
    ///
    /// let rewriter = Rewriter::new().map("http://old.example/a", "https://new.example");
    /// let document = Document::new(b"<a href=g></a><a href=/b></a>").retrieved_from("http://old.example/a/");
    /// let rewritten = rewriter.rewrite(&document);
    /// assert_eq!(&*rewritten.bytes, b"<a href=https://new.example/g></a><a href=http://old.example/b></a>");
    /// ```
    pub fn map(mut self, from: &str, to: &str) -> Self {
        self.mappings.push(Mapping {
            from: from.to_owned(),
            to: to.to_owned(),
        });
        self
    }

    pub(super) fn effective_base_scope(&self) -> BaseScope {
        self.base_scope.unwrap_or(match self.profile {
            Profile::Rfc1808 | Profile::Rfc3986 => BaseScope::Head,
            Profile::Whatwg => BaseScope::Document,
        })
    }

    /// Whether [`written_form`](Self::written_form) changes nothing.
    pub(super) fn writes_targets_as_they_are(&self) -> bool {
        self.form == OutputForm::Absolute && self.mappings.is_empty()
    }

    /// The URL, moved if a mapping says so.
    pub(super) fn mapped<'t>(&self, url: Cow<'t, str>) -> Cow<'t, str> {
        let moved = self.mappings.iter().find_map(|mapping| mapping.apply(&url));
        moved.map_or(url, Cow::Owned)
    }

    /// What is written for a target: mapped, and in the form that was asked for, relative to `base` as it will stand.
    pub(super) fn written_form<'t>(
        &self,
        rule: LinkRule,
        target: Cow<'t, str>,
        base: Option<&Resolver>,
    ) -> Cow<'t, str> {
        let target = self.mapped(target);
        let form = match self.form {
            // What others are relative to is not relative itself.
            _ if rule.role == Role::Base => return target,
            OutputForm::Absolute => return target,
            OutputForm::Relative => RelativeForm::Path,
            OutputForm::RootRelative => RelativeForm::Root,
        };
        let Some(base) = base else { return target };
        let relative = base.relative(&target, form);
        let is_kept = if rule.fragment_only == FragmentOnly::Local {
            // A fragment alone would name a part of this very document here, whatever the base URL.
            !relative.starts_with('#')
        } else if rule.grammar == Grammar::ImportMap {
            return Cow::Owned(as_specifier(&relative, &target, base));
        } else {
            true
        };
        if is_kept {
            Cow::Owned(relative.into_owned())
        } else {
            target
        }
    }
}

/// `relative`, which leads to `target`, so that it is not a bare specifier in an import map; or `target`.
///
/// # Source
/// HTML, "resolve a URL-like module specifier".
fn as_specifier(relative: &str, target: &str, base: &Resolver) -> String {
    if begins_like_specifier(relative) {
        return relative.to_owned();
    }
    let dotted = format!("./{relative}");
    match base.resolve(&dotted) {
        Ok(same) if same == target => dotted,
        _ => target.to_owned(),
    }
}
