//! What links are for.

/// What a link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A base URL of other references: BASE, `codebase`.
    Base,
    /// A place to go to: `a`, `area`.
    Navigation,
    /// Something the document is made of: images, scripts, style sheets, frames.
    Resource,
    /// Something to send data to: `form`, `ping`.
    Action,
    /// Something about the document: `cite`, `longdesc`.
    Metadata,
    /// A name rather than a place: `itemid`, references inside an SVG image.
    Identifier,
}

impl Role {
    /// The name used in reports.
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

    /// What the `href` of a `link` element is for, by its `rel`: of several link types the one that fetches something
    /// decides.
    ///
    /// # Source
    /// HTML, "link types", and the registry it names for those that are not HTML's own.
    pub(super) fn of_rel(rel: &str) -> Self {
        let types = || rel.split_ascii_whitespace();
        let has_one_of = |names: &[&str]| {
            types().any(|one| names.iter().any(|name| one.eq_ignore_ascii_case(name)))
        };
        if types().next().is_none() || has_one_of(FETCHED) {
            Self::Resource
        } else if has_one_of(FOLLOWED) {
            Self::Navigation
        } else if has_one_of(DESCRIBED) {
            Self::Metadata
        } else {
            Self::Resource
        }
    }
}

/// Link types whose target is part of the page, or is fetched for it.
const FETCHED: &[&str] = &[
    "stylesheet",
    "icon",
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "apple-touch-startup-image",
    "mask-icon",
    "fluid-icon",
    "image_src",
    "preload",
    "modulepreload",
    "prefetch",
    "prerender",
    "manifest",
    "import",
    "compression-dictionary",
];

/// Link types whose target is a page for people.
const FOLLOWED: &[&str] = &[
    "alternate",
    "appendix",
    "archives",
    "author",
    "bookmark",
    "chapter",
    "contents",
    "copyright",
    "first",
    "glossary",
    "help",
    "home",
    "index",
    "last",
    "license",
    "next",
    "prev",
    "previous",
    "privacy-policy",
    "search",
    "section",
    "start",
    "subsection",
    "tag",
    "terms-of-service",
    "toc",
    "top",
    "up",
];

/// Link types that say something about the page to programs.
const DESCRIBED: &[&str] = &[
    "amphtml",
    "canonical",
    "edituri",
    "me",
    "micropub",
    "openid.delegate",
    "openid.server",
    "openid2.local_id",
    "openid2.provider",
    "payment",
    "pingback",
    "profile",
    "service",
    "shortlink",
    "shorturl",
    "token_endpoint",
    "authorization_endpoint",
    "webmention",
    "wlwmanifest",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_link_types_the_one_that_fetches_decides() {
        for (rel, role) in [
            ("", Role::Resource),
            ("stylesheet", Role::Resource),
            ("Alternate StyleSheet", Role::Resource),
            ("alternate", Role::Navigation),
            ("\nnext\t", Role::Navigation),
            ("canonical", Role::Metadata),
            ("canonical alternate", Role::Navigation),
            ("shortcut icon", Role::Resource),
            ("preconnect", Role::Resource),
            ("of-my-own", Role::Resource),
        ] {
            assert_eq!(Role::of_rel(rel), role, "{rel:?}");
        }
    }
}
