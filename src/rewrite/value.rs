//! From a value to its links and to the edits that rewrite them, all within the value.

use std::borrow::Cow;
use std::sync::Arc;

use super::edit::TextEdit;
use super::options::BaseElementPolicy;
use super::report::{Decision, LinkReport, Outcome, SkipReason};
use super::resolve::{LinkResolver, ResolutionBase};
use crate::grammar::{Grammar, Notation, ReferenceToken, ValueContext, references, single};
use crate::html::Namespace;
use crate::html::tap;
use crate::link::{Link, LinkRule, Role, RowCache, Selected, TEXT};
use crate::span::Span;

/// How many documents may stand in attributes of one another. Each costs a reading of its own; what is escaped as often
/// as this is nobody's page.
const DEEPEST: usize = 16;

/// What stands for the element of a link in a style sheet that is a document of its own.
const STYLE_SHEET: &str = "css";

/// Goes through the links of a document: judges each, asks what to do with it, and says what is to be edited.
pub(super) struct LinkVisitor<'w> {
    pub(super) resolver: &'w LinkResolver<'w>,
    pub(super) decide: Decider<'w>,
    pub(super) rows: RowCache<'w>,
    /// How many documents this one stands in.
    pub(super) depth: usize,
    /// How many tags were read, and how many of them not.
    pub(super) tags: usize,
    pub(super) mismatched_tags: usize,
    /// Whether an attribute of a `meta` element is edited, which may declare another encoding then.
    pub(super) edits_meta: bool,
    /// Where attributes stand that repeat the name of one that holds links.
    pub(super) repeats: Vec<Span>,
}

/// What is decided about each link.
pub(super) enum Decider<'w> {
    /// It is resolved.
    Resolve,
    /// It stays as it is.
    Keep,
    /// What this says.
    Ask(&'w mut dyn FnMut(&LinkReport<'_>) -> Decision),
}

impl Decider<'_> {
    fn about(&mut self, link_report: &LinkReport<'_>) -> Decision {
        match self {
            Self::Resolve => Decision::Resolve,
            Self::Keep => Decision::Keep,
            Self::Ask(decide) => decide(link_report),
        }
    }

    /// The same, for another walk while this one waits.
    pub(super) fn reborrow(&mut self) -> Decider<'_> {
        match self {
            Self::Resolve => Decider::Resolve,
            Self::Keep => Decider::Keep,
            Self::Ask(decide) => Decider::Ask(&mut **decide),
        }
    }
}

/// Which value it is.
pub(super) struct ValueOwner<'h, 'v, 'w> {
    pub(super) namespace: Namespace,
    pub(super) element: &'h Cow<'v, str>,
    pub(super) part: ValueKind<'h, 'v>,
    /// The values of the element's attributes, by name.
    pub(super) value_of: &'h dyn Fn(&str) -> Option<Cow<'w, str>>,
}

/// What of an element a value is.
#[derive(Clone, Copy)]
pub(super) enum ValueKind<'h, 'v> {
    /// The attribute of that name.
    Attribute(&'h Cow<'v, str>),
    /// The text of the element.
    Text,
    /// There is no element: the value is a style sheet, a document of its own.
    StyleSheet,
}

/// Where in the document a text stands that is read.
#[derive(Clone, Copy)]
pub(super) struct SpanMapper<'s> {
    /// Where in the bytes of the document a span of the text is, which gives `None` if it cannot be cut out of them; a
    /// tree has no bytes.
    pub(super) locate: Option<&'s dyn Fn(Span) -> Option<Span>>,
    /// Whether nothing but ASCII can be written there, for want of a way to write what the document's encoding lacks.
    pub(super) ascii_only: bool,
}

/// Where a text stands that cannot be cut out of the document, because its parts are apart.
pub(super) const DETACHED: SpanMapper<'static> = SpanMapper {
    locate: Some(&|_| None),
    ascii_only: false,
};

impl SpanMapper<'_> {
    /// Where in the bytes of the document a span of the text is, if that can be told.
    pub(super) fn span(&self, span: Span) -> Option<Span> {
        self.locate.and_then(|locate| locate(span))
    }
}

/// What becomes of a value.
pub(super) enum ValueEdit {
    /// It stays.
    Keep,
    /// This edit, in bytes of the value.
    EditOnce(TextEdit),
    /// These edits, in bytes of the value, in order and disjoint.
    Edit(Vec<TextEdit>),
    /// Its attribute goes.
    Remove,
    /// Its attribute goes, and with it the element, if it has no other.
    RemoveElement,
}

impl ValueEdit {
    /// Adds an edit, unless all of the value goes.
    fn add(&mut self, edit: TextEdit) {
        match self {
            Self::Keep => *self = Self::EditOnce(edit),
            Self::EditOnce(first) => {
                let edits = vec![std::mem::take(first), edit];
                *self = Self::Edit(edits);
            }
            Self::Edit(edits) => edits.push(edit),
            Self::Remove | Self::RemoveElement => {}
        }
    }

    /// The edits, if it is edited.
    pub(super) fn edits(&self) -> Option<&[TextEdit]> {
        match self {
            Self::EditOnce(edit) => Some(std::slice::from_ref(edit)),
            Self::Edit(edits) => Some(edits),
            Self::Keep | Self::Remove | Self::RemoveElement => None,
        }
    }
}

/// What a reference is judged by, for all references of one value.
struct Context<'c, 'v, 'w> {
    holder: &'c ValueOwner<'c, 'v, 'w>,
    selected: Selected,
    resolution_base: Result<Option<&'c ResolutionBase>, SkipReason>,
    of: ValueContext,
    site: SpanMapper<'c>,
}

/// What is to be done about a link.
enum LinkAction {
    Keep,
    /// Its target is written in the place of the reference.
    Resolve,
    /// This is written in the place of the reference.
    Write(String),
    /// What holds it goes.
    Remove(ValueEdit),
}

impl<'w> LinkVisitor<'w> {
    pub(super) fn new(resolver: &'w LinkResolver<'w>, decide: Decider<'w>) -> Self {
        Self {
            resolver,
            decide,
            rows: RowCache::new(&resolver.settings.selection),
            depth: 0,
            tags: 0,
            mismatched_tags: 0,
            edits_meta: false,
            repeats: Vec::new(),
        }
    }
}

impl LinkVisitor<'_> {
    /// The links that `value` holds, added to `links`, and what becomes of it.
    pub(super) fn value<'v>(
        &mut self,
        holder: &ValueOwner<'_, 'v, '_>,
        selected: Selected,
        value: &'v str,
        site: SpanMapper<'_>,
        links: &mut Vec<LinkReport<'v>>,
    ) -> ValueEdit {
        if selected.rule.grammar == Grammar::Html {
            return self.document_inside(holder, selected, value, site, links);
        }
        let selected = selected.for_value(value);
        let resolver = self.resolver;
        let resolution_base = resolver.base_for(selected.rule, holder);
        let resolution_base = resolution_base
            .as_ref()
            .map(Option::as_deref)
            .map_err(|&reason| reason);
        let context = Context {
            holder,
            selected,
            resolution_base,
            of: match holder.part {
                ValueKind::Attribute(_) => ValueContext::Attribute,
                ValueKind::Text | ValueKind::StyleSheet => ValueContext::Text,
            },
            site,
        };
        let mut change = ValueEdit::Keep;
        if selected.rule.grammar == Grammar::Url {
            // Most values are one reference, for which no list has to be made.
            let written = ReferenceToken::plain(value, single(value), Notation::Plain);
            self.reference(&context, &written, links, &mut change);
        } else {
            for written in references(selected.rule.grammar, value, context.of) {
                self.reference(&context, &written, links, &mut change);
            }
        }
        change
    }

    /// A reference of a value, added to `links`, and what becomes of the value, added to `change`.
    fn reference<'v>(
        &mut self,
        context: &Context<'_, 'v, '_>,
        written: &ReferenceToken<'v>,
        links: &mut Vec<LinkReport<'v>>,
        change: &mut ValueEdit,
    ) {
        let Context {
            holder,
            selected,
            resolution_base,
            site,
            ..
        } = *context;
        let span = site.span(written.span);
        let is_lost = site.locate.is_some() && span.is_none();
        let outcome = match self
            .resolver
            .outcome(selected, &written.reference, resolution_base)
        {
            Outcome::Resolved(target) if !written.can_represent(&target) => {
                Outcome::Skipped(SkipReason::Unwritable)
            }
            Outcome::Resolved(_) if is_lost => Outcome::Skipped(SkipReason::Undecodable),
            outcome => outcome,
        };
        let mut link_report = LinkReport {
            outcome,
            base: resolution_base
                .ok()
                .flatten()
                .map(|own| Arc::clone(&own.base)),
            link: holder.link(selected, written, span),
            depth: self.depth,
        };
        let text = match (self.verdict(selected, &link_report), &link_report.outcome) {
            (LinkAction::Resolve, Outcome::Resolved(target)) => Some(Cow::Borrowed(&**target)),
            (LinkAction::Resolve | LinkAction::Keep, _) => None,
            (LinkAction::Write(text), _) => Some(Cow::Owned(text)),
            (LinkAction::Remove(removal), _) if context.of == ValueContext::Attribute => {
                *change = removal;
                None
            }
            (LinkAction::Remove(_), _) => {
                link_report.outcome = Outcome::Skipped(SkipReason::Unwritable);
                None
            }
        };
        if let Some(text) = text.filter(|text| *text != link_report.link.reference) {
            match edit(written, &text, site.ascii_only) {
                Ok(_) if is_lost => link_report.outcome = Outcome::Skipped(SkipReason::Undecodable),
                Ok(edit) => change.add(edit),
                Err(reason) => link_report.outcome = Outcome::Skipped(reason),
            }
        }
        links.push(link_report);
    }

    /// What is to be done about a link, by the one who decides and by the settings.
    fn verdict(&mut self, selected: Selected, link_report: &LinkReport<'_>) -> LinkAction {
        let removes_base = selected.rule.is_base_element()
            && self.resolver.settings.base_element == BaseElementPolicy::Remove
            && is_dispensable(&link_report.outcome);
        match (self.decide.about(link_report), &link_report.outcome) {
            (Decision::Resolve, _) if removes_base => LinkAction::Remove(ValueEdit::RemoveElement),
            (Decision::Resolve, Outcome::Resolved(_)) => LinkAction::Resolve,
            (Decision::Replace(text), _) => LinkAction::Write(text),
            (Decision::Remove, _) => LinkAction::Remove(ValueEdit::Remove),
            (Decision::Resolve | Decision::Keep, _) => LinkAction::Keep,
        }
    }

    /// The links of a style sheet that is a document of its own, added to `links`, and the edits of it, in order and
    /// disjoint.
    pub(super) fn style_sheet<'t>(
        &mut self,
        text: &'t str,
        site: SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
    ) -> Vec<TextEdit> {
        let holder = ValueOwner {
            namespace: Namespace::Html,
            element: &Cow::Borrowed(STYLE_SHEET),
            part: ValueKind::StyleSheet,
            value_of: &|_| None,
        };
        let selected = Selected::of(LinkRule::new(Grammar::Css, Role::Resource));
        let change = self.value(&holder, selected, text, site, links);
        change.edits().map(<[TextEdit]>::to_vec).unwrap_or_default()
    }

    /// The links of a document that is the value of an attribute.
    fn document_inside<'v>(
        &mut self,
        holder: &ValueOwner<'_, 'v, '_>,
        selected: Selected,
        value: &'v str,
        site: SpanMapper<'_>,
        links: &mut Vec<LinkReport<'v>>,
    ) -> ValueEdit {
        let reason = if selected.is_excluded {
            Some(SkipReason::Excluded)
        } else if self.depth == DEEPEST || value.len() > tap::LONGEST_TEXT {
            Some(SkipReason::TooDeep)
        } else {
            None
        };
        if let Some(reason) = reason {
            let whole = Span::new(0, value.len());
            let written = ReferenceToken::plain(value, whole, Notation::Plain);
            links.push(LinkReport {
                outcome: Outcome::Skipped(reason),
                base: None,
                depth: self.depth,
                link: holder.link(selected, &written, site.span(whole)),
            });
            return ValueEdit::Keep;
        }
        let tokens = self.resolver.settings.read(value).tokens;
        let resolver = self.resolver.inside(&tokens.base_elements);
        let mut inside = LinkVisitor {
            resolver: &resolver,
            decide: self.decide.reborrow(),
            rows: RowCache::new(&resolver.settings.selection),
            depth: self.depth + 1,
            tags: self.tags,
            mismatched_tags: self.mismatched_tags,
            edits_meta: false,
            repeats: std::mem::take(&mut self.repeats),
        };
        let edits = inside.markup(value, &tokens, site, links);
        (self.tags, self.mismatched_tags) = (inside.tags, inside.mismatched_tags);
        self.repeats = inside.repeats;
        if edits.is_empty() {
            ValueEdit::Keep
        } else {
            ValueEdit::Edit(edits)
        }
    }
}

impl<'v> ValueOwner<'_, 'v, '_> {
    fn link(
        &self,
        selected: Selected,
        written: &ReferenceToken<'v>,
        span: Option<Span>,
    ) -> Link<'v> {
        let attribute = match self.part {
            ValueKind::Attribute(name) => name.clone(),
            ValueKind::Text => Cow::Borrowed(TEXT),
            ValueKind::StyleSheet => Cow::Borrowed(written.construct.unwrap_or(TEXT)),
        };
        Link {
            element: element_name(self.namespace, self.element),
            attribute,
            grammar: selected.rule.grammar,
            role: selected.rule.role,
            reference: written.reference.clone(),
            span,
        }
    }
}

/// The name of an element in reports.
pub(super) fn element_name<'v>(namespace: Namespace, name: &Cow<'v, str>) -> Cow<'v, str> {
    match namespace.prefix() {
        "" => name.clone(),
        prefix => Cow::Owned([prefix, name].concat()),
    }
}

/// Whether nothing is lost with a BASE whose `href` had that outcome: what it says went into other links.
fn is_dispensable(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Resolved(_) | Outcome::Absolute => true,
        Outcome::Skipped(reason) => *reason == SkipReason::Empty,
    }
}

/// Takes back what was said of `links`: nothing is written where they stand.
pub(super) fn mark_skipped(links: &mut [LinkReport<'_>], reason: SkipReason) {
    for link_report in links {
        if matches!(link_report.outcome, Outcome::Resolved(_)) {
            link_report.outcome = Outcome::Skipped(reason);
        }
    }
}

/// The edit of `value` that puts `text` in the place of the reference `written`.
///
/// The end of the reference stays where `text` ends in the same way, so that what the author wrote stays as it was
/// written: usually only the head of a reference is new.
pub(super) fn edit(
    written: &ReferenceToken<'_>,
    text: &str,
    ascii_only: bool,
) -> Result<TextEdit, SkipReason> {
    if !written.can_represent(text) {
        return Err(SkipReason::Unwritable);
    }
    let source = |offset| written.map.source(offset);
    let kept = kept_end(&written.reference, text, |offset| source(offset).is_some());
    let cut = if kept == 0 {
        written.span.end
    } else {
        source(written.reference.len() - kept).unwrap_or(written.span.end)
    };
    let head = &text[..text.len() - kept];
    Ok(TextEdit {
        span: Span::new(written.span.start, cut),
        replacement: written.notation.escape(head, ascii_only).into_owned(),
        until: written.span.end,
    })
}

/// How many bytes at the end of `written` are the end of `text` too and can stay; the cut is before an ASCII character,
/// so that it is a cut between characters in every encoding.
fn kept_end(written: &str, text: &str, may_cut: impl Fn(usize) -> bool) -> usize {
    // Most references are the end of their target whole, but for dot segments.
    let mut tail = written.trim_start_matches("../");
    tail = tail.strip_prefix("./").unwrap_or(tail);
    let known = if text.ends_with(tail) { tail.len() } else { 0 };
    let (one, other) = (
        &written.as_bytes()[..written.len() - known],
        &text.as_bytes()[..text.len() - known],
    );
    let pairs = one.iter().rev().zip(other.iter().rev());
    let same = known + pairs.take_while(|(one, other)| one == other).count();
    let first = written.len() - same;
    let candidates = written.as_bytes()[first..].iter().enumerate();
    let cut = candidates
        .filter(|(_, byte)| byte.is_ascii())
        .map(|(offset, _)| first + offset)
        .find(|&at| may_cut(at));
    cut.map_or(0, |cut| written.len() - cut)
}
