//! The purpose of a link.

use crate::markup::name::NameList;

/// The purpose of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// A base URL of other references: BASE, `codebase`.
    Base,
    /// A document to navigate to: `a`, `area`.
    Navigation,
    /// A resource that is part of the document: images, scripts, style sheets, frames.
    Resource,
    /// A URL that data is sent to: `form`, `ping`.
    Action,
    /// Information about the document: `cite`, `longdesc`.
    Metadata,
    /// A name that need not be retrieved: `itemid`, references within an SVG image.
    Identifier,
}

impl Role {
    /// Returns the name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Navigation => "navigation",
            Self::Resource => "resource",
            Self::Action => "action",
            Self::Metadata => "metadata",
            Self::Identifier => "identifier",
        }
    }

    /// Returns the role of the `href` of a `link` element with the link types `rel`.
    ///
    /// A link type whose target is fetched takes precedence, then one whose target is a page for readers, then
    /// `alternate`, whose role is `alternate`, then one that describes the page. If `rel` has none of these, the role
    /// is [`Role::Resource`].
    ///
    /// # Source
    /// HTML, "link types", and the registry it refers to for the other link types.
    pub(super) fn of_rel(rel: &str, alternate: Self) -> Self {
        let types = || rel.split_ascii_whitespace();
        if types().any(|name| FETCHED.contains(name)) {
            Self::Resource
        } else if types().any(|name| FOLLOWED.contains(name)) {
            Self::Navigation
        } else if types().any(|name| name.eq_ignore_ascii_case("alternate")) {
            alternate
        } else if types().any(|name| DESCRIBED.contains(name)) {
            Self::Metadata
        } else {
            Self::Resource
        }
    }
}

/// Link types whose target is part of the page or is fetched for it.
static FETCHED: NameList<15> = NameList::of(
    "stylesheet icon apple-touch-icon apple-touch-icon-precomposed apple-touch-startup-image mask-icon \
     fluid-icon image_src preload modulepreload prefetch prerender manifest import compression-dictionary",
);

/// Link types whose target is a page for readers.
static FOLLOWED: NameList<27> = NameList::of(
    "appendix archives author bookmark chapter contents copyright first glossary help home \
     index last license next prev previous privacy-policy search section start subsection tag \
     terms-of-service toc top up",
);

/// Link types that describe the page to programs.
static DESCRIBED: NameList<19> = NameList::of(
    "amphtml canonical edituri me micropub openid.delegate openid.server openid2.local_id \
     openid2.provider payment pingback profile service shortlink shorturl token_endpoint \
     authorization_endpoint webmention wlwmanifest",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_rel_prefers_the_link_type_that_fetches() {
        for (rel, role) in [
            ("", Role::Resource),
            ("stylesheet", Role::Resource),
            ("Alternate StyleSheet", Role::Resource),
            ("alternate", Role::Action),
            ("ALTERNATE help", Role::Navigation),
            ("\nnext\t", Role::Navigation),
            ("canonical", Role::Metadata),
            ("canonical alternate", Role::Action),
            ("shortcut icon", Role::Resource),
            ("preconnect", Role::Resource),
            ("of-my-own", Role::Resource),
        ] {
            assert_eq!(Role::of_rel(rel, Role::Action), role, "{rel:?}");
        }
    }
}
