//! Rewriting: every link of a document is resolved against the document's base URL.
//!
//! There is no failure: a link that cannot be resolved stays as it is, and says why.

use std::fmt;

use encoding_rs::Encoding;

use crate::base::{Base, BaseCandidates, BaseSource, Candidate, CandidateFate, Explanation};
use crate::grammar::single;
use crate::html::tree::{Element, Tree};
use crate::html::{BaseElement, Place};
use crate::link::{self, BaseRule, Empty, FragmentOnly, Link, Row};
use crate::reference::{
    Escape, Profile, Reference, Resolver, has_placeholder, is_absolute, without_line_breaks,
};

/// How documents are rewritten: one value for any number of documents, on any number of threads.
///
/// # Examples
/// ```
/// use absolve::{BaseCandidates, BaseSource, Rewriter, Tree};
///
/// let tree = Tree::parse("<title>x</title><a href=g>g</a>");
/// let candidates = BaseCandidates::new().with(BaseSource::Retrieval, "http://a/b/c");
/// Rewriter::new().rewrite_tree(&tree, &candidates);
/// assert!(tree.serialize().contains(r#"<a href="http://a/b/g">"#));
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Rewriter {
    profile: Profile,
    escape: Escape,
}

/// A link and what rewriting makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The link.
    pub link: Link,
    /// What becomes of it.
    pub outcome: Outcome,
}

/// What becomes of a link.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The reference was resolved: its target.
    Resolved(String),
    /// The reference is absolute already, and stays.
    Absolute,
    /// The reference is relative, and stays all the same.
    Skipped(SkipReason),
}

impl Outcome {
    /// The name used in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Resolved(_) => "resolved",
            Self::Absolute => "absolute",
            Self::Skipped(_) => "skipped",
        }
    }
}

/// Why a relative reference stays as it is. Not an error: leaving it is the right thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// The document has no base URL (RFC 1808 section 3.4).
    NoBase,
    /// The value is empty, and an empty value of this attribute is no reference to the base URL.
    Empty,
    /// The reference names a part of this very document, wherever that is: `use href="#id"`.
    Local,
    /// The value holds a template's placeholder.
    Placeholder,
}

impl SkipReason {
    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoBase => "no-base",
            Self::Empty => "empty",
            Self::Local => "local",
            Self::Placeholder => "placeholder",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoBase => "no base URL known",
            Self::Empty => "empty value that refers to nothing",
            Self::Local => "part of this very document",
            Self::Placeholder => "placeholder of a template",
        })
    }
}

/// What to do with a link: the answer of the function given to [`Rewriter::rewrite_tree_with`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Writes the target, if the link has one.
    Resolve,
    /// Leaves the reference as it is.
    Keep,
    /// Writes this text instead of the reference.
    Replace(String),
}

/// What was found in a document: its base URL, and all its links in document order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// The base URL, and what became of every candidate, BASE elements that do not count among them.
    pub base: Explanation,
    /// Every link.
    pub links: Vec<Judged>,
}

impl Rewriter {
    /// The defaults: profile RFC 1808, escaping on.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the standard that decides.
    pub fn profile(self, profile: Profile) -> Self {
        Self { profile, ..self }
    }

    /// Sets what becomes of characters that cannot stand in a URL, in references that are written.
    pub fn escape(self, escape: Escape) -> Self {
        Self { escape, ..self }
    }

    /// Makes every link of `tree` absolute, in place.
    ///
    /// `candidates` are the base URLs known from outside the document; BASE in HEAD is found in the tree.
    ///
    /// # Source
    /// RFC 1808 sections 3, 4 and 10.
    ///
    /// # Complexity
    /// Linear in the size of the tree and of the values written.
    #[expect(
        clippy::must_use_candidate,
        reason = "the tree is what most callers want"
    )]
    pub fn rewrite_tree(&self, tree: &Tree, candidates: &BaseCandidates<'_>) -> Findings {
        self.rewrite_tree_with(tree, candidates, |_| Decision::Resolve)
    }

    /// The base URL and the links of `tree`, which stays as it is; otherwise as [`rewrite_tree`](Self::rewrite_tree).
    #[must_use]
    pub fn links_of_tree(&self, tree: &Tree, candidates: &BaseCandidates<'_>) -> Findings {
        self.rewrite_tree_with(tree, candidates, |_| Decision::Keep)
    }

    /// As [`rewrite_tree`](Self::rewrite_tree), with `decide` asked about every link before it is written.
    pub fn rewrite_tree_with(
        &self,
        tree: &Tree,
        candidates: &BaseCandidates<'_>,
        mut decide: impl FnMut(&Judged) -> Decision,
    ) -> Findings {
        let bases = Bases::establish(&tree.base_elements(), candidates, self.profile);
        let judge = Judge::new(self, &bases, tree.encoding());
        let mut links = Vec::new();
        for element in tree.elements() {
            judge.element(&element, |judged| {
                let decision = decide(&judged);
                let replacement = match (decision, &judged.outcome) {
                    (Decision::Resolve, Outcome::Resolved(target)) => Some(target.clone()),
                    (Decision::Replace(text), _) => Some(text),
                    (Decision::Resolve | Decision::Keep, _) => None,
                };
                links.push(judged);
                replacement
            });
        }
        Findings {
            base: bases.document,
            links,
        }
    }
}

/// The base URLs that the rows of the link table ask for.
struct Bases {
    /// With BASE.
    document: Explanation,
    /// Without BASE.
    fallback: Option<Base>,
}

impl Bases {
    /// # Source
    /// RFC 1808 section 10: the BASE that counts is the one in HEAD; of several, the first that has an `href`, as in
    /// HTML.
    fn establish(
        elements: &[BaseElement],
        candidates: &BaseCandidates<'_>,
        profile: Profile,
    ) -> Self {
        let counting = elements
            .iter()
            .position(|element| element.place == Place::Head);
        let mut document = match counting {
            Some(index) => candidates
                .clone()
                .with(BaseSource::Embedded, &elements[index].href)
                .explain(profile),
            None => candidates.explain(profile),
        };
        // The BASE elements that do not count are listed behind the one that does.
        let place = usize::from(counting.is_some());
        let others = elements
            .iter()
            .enumerate()
            .filter(|&(index, _)| Some(index) != counting);
        document.candidates.splice(
            place..place,
            others.map(|(_, element)| Candidate {
                source: BaseSource::Embedded,
                value: element.href.clone(),
                fate: match element.place {
                    Place::Head => CandidateFate::NotFirst,
                    Place::Template => CandidateFate::InTemplate,
                    Place::Outside => CandidateFate::OutsideHead,
                },
            }),
        );
        Self {
            document,
            fallback: candidates.establish(profile),
        }
    }
}

/// Decides what becomes of each link of one document.
struct Judge<'b> {
    settings: &'b Rewriter,
    document: Option<Resolver<'b>>,
    fallback: Option<Resolver<'b>>,
    encoding: &'static Encoding,
}

impl<'b> Judge<'b> {
    fn new(settings: &'b Rewriter, bases: &'b Bases, encoding: &'static Encoding) -> Self {
        let mut judge = Self {
            settings,
            document: None,
            fallback: None,
            encoding,
        };
        judge.document = judge.resolver(bases.document.base.as_ref().map(|base| &*base.url));
        judge.fallback = judge.resolver(bases.fallback.as_ref().map(|base| &*base.url));
        judge
    }

    fn resolver<'u>(&self, url: Option<&'u str>) -> Option<Resolver<'u>> {
        let resolver = Resolver::new(url?, self.settings.profile).ok()?;
        Some(
            resolver
                .escape(self.settings.escape)
                .query_encoding(self.encoding),
        )
    }

    /// Hands every link of `element` to `visit`; what that returns is written instead of the reference.
    fn element(&self, element: &Element, mut visit: impl FnMut(Judged) -> Option<String>) {
        let Some(namespace) = element.namespace() else {
            return;
        };
        let name = element.name();
        // The element's own base URL is that of its `codebase` as it was written, so it comes before any rewriting.
        let codebase = element.attribute("codebase").and_then(|value| {
            let resolver = self.document.as_ref()?;
            let span = single(&value);
            Some(resolver.resolve(&value[span.start..span.end]).into_owned())
        });
        let codebase = self.resolver(codebase.as_deref());
        element.for_each_attribute(|attribute, value| {
            let row = link::lookup(namespace, name, attribute, |other| element.attribute(other))?;
            let resolver = match row.base_rule {
                BaseRule::Document => self.document.as_ref(),
                BaseRule::Fallback => self.fallback.as_ref(),
                BaseRule::Codebase => codebase.as_ref().or(self.document.as_ref()),
            };
            let span = single(value);
            let reference = &value[span.start..span.end];
            let link = Link {
                element: format!("{}{name}", namespace.prefix()),
                attribute: attribute.to_owned(),
                grammar: row.grammar,
                role: row.role,
                reference: reference.to_owned(),
            };
            let outcome = self.outcome(row, reference, resolver);
            let replacement = visit(Judged { link, outcome })?;
            Some([&value[..span.start], &replacement, &value[span.end..]].concat())
        });
    }

    fn outcome(&self, row: &Row, reference: &str, resolver: Option<&Resolver<'_>>) -> Outcome {
        let profile = self.settings.profile;
        if reference.is_empty() && row.empty == Empty::Nothing {
            return Outcome::Skipped(SkipReason::Empty);
        }
        if is_absolute(reference, profile) {
            return Outcome::Absolute;
        }
        if has_placeholder(reference) {
            return Outcome::Skipped(SkipReason::Placeholder);
        }
        let is_local = row.fragment_only == FragmentOnly::Local;
        if is_local && Reference::split(&without_line_breaks(reference), profile).is_fragment_only()
        {
            return Outcome::Skipped(SkipReason::Local);
        }
        match resolver {
            None => Outcome::Skipped(SkipReason::NoBase),
            Some(resolver) => Outcome::Resolved(resolver.resolve(reference).into_owned()),
        }
    }
}
