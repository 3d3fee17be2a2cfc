//! Rewriting: every link of a document is resolved against the document's base URL.
//!
//! There is no failure: a link that cannot be resolved stays as it is, and says why.

mod document;
mod edit;
mod judge;
mod outcome;
mod settings;

use std::borrow::Cow;

pub use document::{Document, Position};
pub use outcome::{Decision, Findings, Judged, Outcome, SkipReason};
use settings::Mapping;
pub use settings::{AbsoluteReferences, BaseScope, OutputForm};

use crate::base::{Base, BaseCandidates};
use crate::encoding::{self, Decoded};
use crate::html;
use crate::html::charref::{self, Value};
use crate::html::tap::{self, Attribute, StartTag};
use crate::html::tree::{Change, Tree};
use crate::link::{self, Link};
use crate::reference::{Escape, Profile};
use crate::span::Span;
use crate::splice::{Edit, splice};
use edit::TextEdit;
use judge::{AttributeOf, Bases, Found, Judge};

/// How documents are rewritten: one value for any number of documents, on any number of threads.
///
/// # Examples
/// ```
/// use absolve::{Document, Rewriter};
///
/// let rewriter = Rewriter::new();
/// let document = Document::new(b"<A HREF = g>g</A>").retrieved_from("http://a/b/c");
/// assert_eq!(&*rewriter.rewrite(&document).bytes, b"<A HREF = http://a/b/g>g</A>");
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Rewriter {
    profile: Profile,
    base_scope: Option<BaseScope>,
    escape: Escape,
    form: OutputForm,
    absolute: AbsoluteReferences,
    mappings: Vec<Mapping>,
}

/// A document, rewritten.
#[derive(Debug, Clone)]
pub struct Rewritten<'d> {
    /// The document: borrowed if nothing was changed.
    pub bytes: Cow<'d, [u8]>,
    /// What was changed, in bytes of the original document, in order and disjoint.
    pub edits: Vec<Edit>,
    /// The base URL and the links, as they were.
    pub findings: Findings,
}

impl Rewritten<'_> {
    /// The base URL of the document.
    #[must_use]
    pub fn base(&self) -> Option<&Base> {
        self.findings.base.base.as_ref()
    }

    /// The links that could not be resolved, each with its reason; whatever was decided about them.
    pub fn skipped(&self) -> impl Iterator<Item = &Judged> {
        self.findings
            .links
            .iter()
            .filter(|judged| matches!(judged.outcome, Outcome::Skipped(_)))
    }
}

/// Every link of `document`, in document order.
///
/// # Examples
/// ```
/// let links = absolve::links(b"<img src=a.png><a href='b'>b</a>");
/// assert_eq!(links[1].reference, "b");
/// assert_eq!(links[1].span, Some(absolve::Span::new(24, 25)));
/// ```
#[must_use]
pub fn links(document: &[u8]) -> Vec<Link> {
    let findings = Rewriter::new().links(&Document::new(document));
    findings
        .links
        .into_iter()
        .map(|judged| judged.link)
        .collect()
}

impl Rewriter {
    /// Makes every link of `document` absolute and changes no other byte, in whatever encoding it is.
    ///
    /// # Source
    /// RFC 1808 sections 3, 4 and 10. What is a link in a document is for the HTML standard's parser to say, scripting
    /// off.
    ///
    /// # Complexity
    /// Linear in the size of the document and of the targets, but for what html5ever takes for certain deep trees.
    #[must_use]
    pub fn rewrite<'d>(&self, document: &Document<'d>) -> Rewritten<'d> {
        self.rewrite_with(document, |_| Decision::Resolve)
    }

    /// The base URL and the links of `document`; otherwise as [`rewrite`](Self::rewrite).
    #[must_use]
    pub fn links(&self, document: &Document<'_>) -> Findings {
        self.rewrite_with(document, |_| Decision::Keep).findings
    }

    /// As [`rewrite`](Self::rewrite), with `decide` asked about every link, in document order, before it is written.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Decision, Document, Rewriter};
    ///
    /// let document = Document::new(b"<a href=a>a</a><a href=b>b</a>").retrieved_from("http://h/");
    /// let rewritten = Rewriter::new().rewrite_with(&document, |judged| match &*judged.link.reference {
    ///     "a" => Decision::Replace("x&y".to_owned()),
    ///     _ => Decision::Resolve,
    /// });
    /// assert_eq!(&*rewritten.bytes, b"<a href=x&amp;y>a</a><a href=http://h/b>b</a>");
    /// ```
    pub fn rewrite_with<'d>(
        &self,
        document: &Document<'d>,
        mut decide: impl FnMut(&Judged) -> Decision,
    ) -> Rewritten<'d> {
        let decoded = match html::encoding::decode(document.bytes, document.encoding) {
            Ok(decoded) => decoded,
            Err(unread) => {
                let base = document.candidates.explain(self.profile);
                let findings = Findings {
                    base,
                    unread: Some(unread),
                    ..Findings::default()
                };
                return Rewritten {
                    bytes: Cow::Borrowed(document.bytes),
                    edits: Vec::new(),
                    findings,
                };
            }
        };
        let reading = tap::read(&decoded.text);
        let bases = Bases::establish(&reading.base_elements, &document.candidates, self);
        let judge = Judge::new(self, &bases, decoded.encoding);
        let mut links = Vec::new();
        let mut edits = Vec::new();
        for tag in &reading.start_tags {
            for attribute in &tag.attributes {
                let Some(found) = judge_attribute(&judge, &decoded, tag, attribute) else {
                    continue;
                };
                let FoundInText {
                    mut judged,
                    value,
                    span,
                } = found;
                let decision = decide(&judged);
                let text = match (decision, &judged.outcome) {
                    (Decision::Resolve, Outcome::Resolved(target)) => Some(target.clone()),
                    (Decision::Replace(text), _) => Some(text),
                    (Decision::Remove, _) => {
                        edits.extend(edit::remove(&decoded.text, attribute));
                        None
                    }
                    (Decision::Resolve | Decision::Keep, _) => None,
                };
                if let Some(text) = text.filter(|text| *text != judged.link.reference) {
                    let may_cut = |offset| decoded.may_cut(offset);
                    let edit = edit::replace(attribute, &value, span, &text, may_cut);
                    match edit.filter(|edit| decoded.map.source_span(edit.span).is_some()) {
                        Some(edit) => edits.push(edit.in_encoding(decoded.encoding)),
                        None => judged.outcome = Outcome::Skipped(SkipReason::Undecodable),
                    }
                }
                links.push(judged);
            }
        }
        let findings = Findings {
            base: bases.document,
            links,
            unread: None,
            unwritten: None,
            tags: reading.tags,
            unread_tags: reading.mismatches,
        };
        // A repeated attribute stands behind others that may have been edited.
        edits.sort_by_key(|edit| edit.span.start);
        finish(document, &decoded, &edits, findings)
    }

    /// Makes every link of `tree` absolute, in place.
    ///
    /// `candidates` are the base URLs known from outside the document; BASE in HEAD is found in the tree. For people
    /// who hold a tree; [`rewrite`](Self::rewrite) does not damage the document as serialising a tree does.
    ///
    /// # Source
    /// RFC 1808 sections 3, 4 and 10.
    ///
    /// # Complexity
    /// Linear in the size of the tree and of the values written.
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
        let bases = Bases::establish(&tree.base_elements(), candidates, self);
        let judge = Judge::new(self, &bases, tree.encoding());
        let mut links = Vec::new();
        for element in tree.elements() {
            let Some(namespace) = element.namespace() else {
                continue;
            };
            element.for_each_attribute(|name, value| {
                let value_of = |other: &str| element.attribute(other);
                let of = AttributeOf {
                    namespace,
                    element: element.name(),
                    attribute: name,
                    value_of,
                };
                let Some(found) = judge.attribute(&of, value) else {
                    return Change::Keep;
                };
                let (before, after) = (&value[..found.span.start], &value[found.span.end..]);
                let set = |text: &str| Change::Set([before, text, after].concat());
                let change = match (decide(&found.judged), &found.judged.outcome) {
                    (Decision::Resolve, Outcome::Resolved(target)) => set(target),
                    (Decision::Replace(text), _) => set(&text),
                    (Decision::Remove, _) => Change::Remove,
                    (Decision::Resolve | Decision::Keep, _) => Change::Keep,
                };
                links.push(found.judged);
                change
            });
        }
        Findings {
            base: bases.document,
            links,
            ..Findings::default()
        }
    }
}

/// A link of a document's text.
struct FoundInText<'t> {
    judged: Judged,
    value: Value<'t>,
    /// Where in the value the reference is.
    span: Span,
}

/// The link that `attribute` holds, if it is one.
fn judge_attribute<'t>(
    judge: &Judge<'_>,
    decoded: &'t Decoded<'_>,
    tag: &StartTag,
    attribute: &Attribute,
) -> Option<FoundInText<'t>> {
    let name = attribute.name();
    if !link::may_be_link(&name) {
        return None;
    }
    let value = |attribute: &Attribute| {
        let Span { start, end } = attribute.value;
        charref::decode(&decoded.text[start..end], start)
    };
    let value_of = |other: &str| {
        let attribute = tag
            .attributes
            .iter()
            .find(|attribute| attribute.name() == other)?;
        Some(value(attribute).text.into_owned())
    };
    let of = AttributeOf {
        namespace: tag.namespace,
        element: tag.name(),
        attribute: &name,
        value_of,
    };
    let value = value(attribute);
    let Found { mut judged, span } = judge.attribute(&of, &value.text)?;
    judged.link.span = value
        .map
        .source_span(span)
        .and_then(|span| decoded.map.source_span(span));
    Some(FoundInText {
        judged,
        value,
        span,
    })
}

/// Applies the edits of a document's text to its bytes; to none, if the result would not read as it should.
fn finish<'d>(
    document: &Document<'d>,
    decoded: &Decoded<'_>,
    text_edits: &[TextEdit],
    mut findings: Findings,
) -> Rewritten<'d> {
    let to_bytes = |edit: &TextEdit| {
        let span = decoded.map.source_span(edit.span)?;
        Some(Edit {
            span,
            replacement: encoding::encode(&edit.replacement, decoded.encoding),
        })
    };
    let edits: Vec<Edit> = text_edits.iter().filter_map(to_bytes).collect();
    let bytes = splice(document.bytes, &edits);
    let reason = if edits.is_empty() {
        None
    } else {
        let text = || edited_text(decoded, text_edits);
        if !reads_back(&bytes, decoded, text) {
            Some(SkipReason::Undecodable)
        } else if !html::encoding::reads_as(&bytes, document.encoding, decoded.encoding, text) {
            Some(SkipReason::EncodingDeclaration)
        } else {
            None
        }
    };
    let Some(reason) = reason else {
        return Rewritten {
            bytes,
            edits,
            findings,
        };
    };
    findings.unwritten = Some(reason);
    for judged in &mut findings.links {
        if matches!(judged.outcome, Outcome::Resolved(_)) {
            judged.outcome = Outcome::Skipped(reason);
        }
    }
    Rewritten {
        bytes: Cow::Borrowed(document.bytes),
        edits: Vec::new(),
        findings,
    }
}

/// The text of the document with its edits applied.
fn edited_text(decoded: &Decoded<'_>, text_edits: &[TextEdit]) -> String {
    let to_text = |edit: &TextEdit| Edit {
        span: edit.span,
        replacement: edit.replacement.clone().into_bytes(),
    };
    let text_edits: Vec<Edit> = text_edits.iter().map(to_text).collect();
    String::from_utf8_lossy(&splice(decoded.text.as_bytes(), &text_edits)).into_owned()
}

/// Whether the bytes written are, in the document's encoding, the text that was meant.
///
/// They are by construction where each character is written by itself. An encoding that switches between sets
/// (ISO-2022-JP) or a document whose bytes are not quite in the encoding it names may hold surprises; then the
/// document stays as it is.
fn reads_back(bytes: &[u8], decoded: &Decoded<'_>, text: impl Fn() -> String) -> bool {
    if let Cow::Borrowed(_) = decoded.text {
        return true;
    }
    decoded
        .encoding
        .decode_without_bom_handling(&bytes[decoded.mark.len()..])
        .0
        == text()
}
