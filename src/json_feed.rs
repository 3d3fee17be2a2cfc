//! JSON Feed: a reader that yields the tokens of [`crate::markup::tokens`].
//!
//! A member that may be a link becomes an element of that name in [`Namespace::JsonFeed`], whose text is the string. So
//! the link table, base URLs, edits and sinks are shared with feeds in XML: an item is a scope with a link, and
//! `content_html` a document of its own.
//!
//! # Why not `serde_json`
//!
//! It has no spans of strings. The [reader](crate::grammar::read_json) of the JSON in HTML has them, maps the escapes
//! in them, and does not recurse.
//!
//! # Source
//! JSON Feed 1.1 and 1.0. Members whose names begin with an underscore are extensions and are not read. If members have
//! the same name, all of them are links.
//!
//! DIFFERENCE: the standard does not define a base URL. As in RSS, the link of the item is that of its content,
//! otherwise the home page of the feed. See `content_of_a_json_feed_has_the_base_of_its_item`.

use crate::grammar::{JsonValue, ReferenceToken, read_json};
use crate::markup::Namespace;
use crate::markup::name::NameKey;
use crate::markup::tokens::{ElementScope, StartTag, TextContent, TextKind, Tokens};
use crate::span::Span;
use crate::unsupported::Unsupported;

use FeedPosition as Position;

/// The beginning of the `version` of every JSON Feed.
const VERSION: &str = "https://jsonfeed.org/version/1";

/// The position of a value in a feed. Numbers are indexes of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FeedPosition {
    /// Outside the feed: the value is the feed.
    Outside,
    /// In the outermost object.
    Feed,
    /// In `items`.
    Items,
    /// In an item.
    Item(u32),
    /// In an author, a hub or an attachment, or in an array of them.
    Object(u32),
    /// In a value that is ignored.
    Elsewhere,
}

impl FeedPosition {
    /// Returns the position of the values in an object or array at this position with that name.
    fn inside(self, name: Option<&str>) -> Self {
        match (self, name) {
            (Self::Outside, _) => Self::Feed,
            (Self::Feed, Some("items")) => Self::Items,
            (Self::Feed, Some("author" | "authors" | "hubs")) => Self::Object(0),
            (Self::Item(scope), Some("author" | "authors" | "attachments"))
            // An object in one of those arrays.
            | (Self::Object(scope), None) => Self::Object(scope),
            _ => Self::Elsewhere,
        }
    }

    /// Returns the scope of a link at this position with that name, or `None` if such a string is no link.
    fn scope_of_link(self, name: &str) -> Option<u32> {
        match (self, name) {
            (Self::Feed, "home_page_url" | "feed_url" | "next_url" | "icon" | "favicon") => Some(0),
            (
                Self::Item(scope),
                "id" | "url" | "external_url" | "image" | "banner_image" | "content_html",
            )
            | (Self::Object(scope), "url" | "avatar") => Some(scope),
            _ => None,
        }
    }
}

/// Reads `text` as a feed, whatever version it declares: many have none, or only its number.
///
/// # Errors
/// [`Unsupported::NotJsonFeed`].
///
/// # Complexity
/// Linear.
pub(crate) fn read(text: &str) -> Result<Tokens<'_>, Unsupported> {
    let mut tokens = Tokens {
        // That of the feed.
        scopes: vec![ElementScope::default()],
        ..Tokens::default()
    };
    let mut is_object = false;
    let is_json = read_json(text, Position::Outside, |position, name, value| {
        match value {
            JsonValue::Object if position == Position::Items => {
                let scope = u32::try_from(tokens.scopes.len()).unwrap_or(u32::MAX);
                tokens.scopes.push(ElementScope::default());
                return Position::Item(scope);
            }
            JsonValue::Object | JsonValue::Array => {
                is_object |= position == Position::Outside && matches!(value, JsonValue::Object);
                return position.inside(name.as_ref().map(|name| &*name.reference));
            }
            JsonValue::String(value) => {
                if let Some(name) = name {
                    push_link(&mut tokens, position, name, &value);
                }
            }
            JsonValue::Other => {}
        }
        Position::Elsewhere
    });
    if is_json && is_object {
        Ok(tokens)
    } else {
        Err(Unsupported::NotJsonFeed)
    }
}

/// Returns whether a document that begins with `prefix` declares a version of JSON Feed.
pub(crate) fn is_feed(prefix: &[u8]) -> bool {
    let prefix = prefix.strip_prefix(b"\xef\xbb\xbf").unwrap_or(prefix);
    let text = match str::from_utf8(prefix) {
        Ok(text) => text,
        // The prefix may end within a character.
        Err(error) => str::from_utf8(&prefix[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut is_feed = false;
    // A prefix is no JSON, but the members up to its end are visited.
    let _ = read_json(text, Position::Outside, |position, name, value| {
        match (name, value) {
            (Some(name), JsonValue::String(value)) => {
                is_feed |= is_version(position, &name, &value);
                Position::Elsewhere
            }
            (name, JsonValue::Object | JsonValue::Array) => {
                position.inside(name.as_ref().map(|name| &*name.reference))
            }
            _ => Position::Elsewhere,
        }
    });
    is_feed
}

/// Returns whether a string is the version of a feed.
fn is_version(position: Position, name: &ReferenceToken<'_>, value: &ReferenceToken<'_>) -> bool {
    position == Position::Feed
        && name.reference == "version"
        && value.reference.starts_with(VERSION)
}

/// Adds the string `value`, the value of the member `name`, if it may be a link.
fn push_link<'t>(
    tokens: &mut Tokens<'t>,
    position: Position,
    name: ReferenceToken<'t>,
    value: &ReferenceToken<'t>,
) {
    let Some(scope) = position.scope_of_link(&name.reference) else {
        return;
    };
    let is_link_of_scope = match position {
        Position::Feed => name.reference == "home_page_url",
        Position::Item(_) => name.reference == "url",
        _ => false,
    };
    if is_link_of_scope {
        let link = value.reference.trim();
        let link = Some(link.to_owned()).filter(|link| !link.is_empty());
        tokens.scopes[scope as usize].link = link;
    }
    tokens.tags += 1;
    tokens.start_tags.push(StartTag {
        namespace: Namespace::JsonFeed,
        key: NameKey::of(name.reference.as_bytes()),
        span: Span::new(name.span.start, value.span.end),
        name: name.reference,
        attributes: Span::new(0, 0),
        text: Some(TextContent {
            span: value.span,
            kind: TextKind::Json,
        }),
        is_child_of_head: false,
        scope,
    });
}
