//! Inserting a BASE element into a document, and a condition for removing one.

use super::budget::LinkBudget;
use super::edit::{TextEdit, apply_edits};
use crate::find::find_ignore_case;
use crate::html::charref;
use crate::limits::Placement;
use crate::markup::Namespace;
use crate::markup::attribute::Quoting;
use crate::markup::tokens::{StartTag, Tokens};
use crate::settings::RewriteSettings;
use crate::span::Span;

/// Returns the edit that adds a BASE with this URL to a document.
///
/// A BASE child of HEAD that has no `href` is given one. Otherwise a new BASE is inserted at the beginning of HEAD.
/// Returns `None` if the document has no HEAD, or if a parser would not find the new element.
pub(super) fn insert_base(
    settings: &RewriteSettings,
    text: &str,
    tokens: &Tokens<'_>,
    url: &str,
) -> Option<TextEdit> {
    let href = format!("href=\"{}\"", charref::escape(url, Quoting::Double));
    // The first BASE with an `href` takes effect, so the search for one without ends there. It also ends at a NOSCRIPT:
    // with scripting disabled, its content may be a BASE, or may end HEAD.
    let is_html = |tag: &&StartTag<'_>| tag.namespace == Namespace::Html;
    let tags = tokens.start_tags.iter().filter(is_html);
    let bare = tags
        .take_while(|tag| tag.name != "noscript")
        .filter(|tag| tag.name == "base")
        .take_while(|tag| tokens.attribute(tag, "href").is_none())
        .find(|tag| tag.is_child_of_head);
    let (offset, replacement) = match bare {
        Some(tag) => (tag.span.start + "<base".len(), format!(" {href}")),
        None => (tokens.head_start?, format!("<base {href}>")),
    };
    let edit = TextEdit::new(Span::new(offset, offset), replacement);
    // At the very end of the text, something may be unclosed that would consume the element: a comment or a DOCTYPE.
    // This case is rare, so the edit is tried and parsed.
    let is_found = || {
        let edited = apply_edits(text, std::slice::from_ref(&edit));
        // Nothing but comments precedes it, so html5ever has little to do.
        let mut budget = LinkBudget::new(&settings.limits, edited.len(), Placement::Outermost);
        let parsed = settings.parse(settings.reader, &edited, usize::MAX, &mut budget);
        parsed.is_ok_and(|parsed| {
            let mut bases = parsed.tokens.base_elements.iter();
            bases.any(|base| base.href == url)
        })
    };
    (offset < text.len() || is_found()).then_some(edit)
}

/// Returns whether removing `tag` would enable a DOCTYPE that is ignored because `tag` precedes it.
///
/// Browsers would then lay out the document in another mode. May return `true` although there is no such DOCTYPE: any
/// later `<!doctype` counts, even in a script or after a DOCTYPE that is in effect.
pub(super) fn would_enable_doctype(text: &str, tokens: &Tokens<'_>, tag: &StartTag<'_>) -> bool {
    const DOCTYPE: &[u8] = b"<!doctype";
    // HEAD begins with `tag`: any earlier element but HTML would have begun it.
    tokens.head_start == Some(tag.span.start)
        && find_ignore_case(&text.as_bytes()[tag.span.end..], DOCTYPE).is_some()
}
