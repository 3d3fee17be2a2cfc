//! How documents are rewritten: the settings of a [`Rewriter`].

use std::borrow::Cow;

use super::Rewriter;
use crate::link::{FragmentOnly, Role, Row};
use crate::reference::{Escape, Profile, RelativeForm, Resolver};

/// Where a BASE element counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BaseScope {
    /// In HEAD, as RFC 1808 section 10 has it.
    Head,
    /// Anywhere in the document, as HTML has it.
    Document,
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
    /// The defaults: profile RFC 1808, escaping on, links absolute.
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

    /// Moves links whose target is `from` or below it to the same place below `to`. Of several mappings the first that
    /// fits is taken; a path `from` that does not end in a slash is matched up to the end of a segment.
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

    /// The URL, moved if a mapping says so.
    pub(super) fn mapped<'t>(&self, url: Cow<'t, str>) -> Cow<'t, str> {
        let moved = self.mappings.iter().find_map(|mapping| mapping.apply(&url));
        moved.map_or(url, Cow::Owned)
    }

    /// What is written for a target: mapped, and in the form that was asked for, relative to `base` as it will stand.
    pub(super) fn written_form<'t>(
        &self,
        row: &Row,
        target: Cow<'t, str>,
        base: Option<&Resolver>,
    ) -> Cow<'t, str> {
        let target = self.mapped(target);
        let form = match self.form {
            // What others are relative to is not relative itself.
            _ if row.role == Role::Base => return target,
            OutputForm::Absolute => return target,
            OutputForm::Relative => RelativeForm::Path,
            OutputForm::RootRelative => RelativeForm::Root,
        };
        match base.map(|base| base.relative(&target, form).into_owned()) {
            // A fragment alone would name a part of this very document here, whatever the base URL.
            Some(relative)
                if row.fragment_only == FragmentOnly::Local && relative.starts_with('#') =>
            {
                target
            }
            Some(relative) => Cow::Owned(relative),
            None => target,
        }
    }
}
