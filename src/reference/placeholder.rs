//! Placeholders of template languages: text that is not a reference yet.
//!
//! A document with markup of a template language is not HTML yet, and a value with such markup in it is not a reference
//! yet: the text that will be there is unknown. Resolving the value as it is would percent-encode the markup and so
//! destroy it. So a reference that contains an *opener*, the text that begins such markup, is left as it is.
//!
//! # Default openers
//!
//! An opener is a default if no URL contains it, in the grammar of any profile, so that links of finished documents are
//! not affected: each contains `{`, `<` or `[`. A `[` is part of a URL only at the beginning of an IPv6 address, which
//! continues with a digit or a colon. Browsers accept more, so a few links that they would follow contain an opener: a
//! fragment such as `#{"zoom":1}`, or the query of a database in braces. Leaving such a link unchanged, and reporting
//! it, is a smaller loss than destroying a template.
//!
//! Single braces are no opener, because identifiers in braces and JSON are common in the queries of real links. Neither
//! are `$x`, `@x`, `#x#` and `~/x`: they consist of characters of URLs.

use memchr::{memchr, memchr2, memchr3};

use super::characters::CharacterSet;

/// Default openers, with examples of the languages that have them. `docs/links.md` lists more.
const OPENERS: [&str; 17] = [
    "{{",    // Jinja, Django, Twig, Liquid, Go, Handlebars, Vue, Angular
    "{%",    // Jinja, Django, Twig, Liquid
    "{#",    // comments of Jinja, Django and Twig
    "{$",    // Smarty, Latte
    "{!!",   // Blade
    "${",    // JSP, Thymeleaf, FreeMarker, Mako, Velocity
    "$!{",   // Velocity
    "#{",    // JSF, Thymeleaf
    "@{",    // Thymeleaf, Play 1, Razor
    "<%",    // ASP, JSP, ERB, EJS, Mako
    "<?",    // PHP
    "<!--#", // server-side includes
    "<#",    // FreeMarker
    "<@",    // FreeMarker
    "[[",    // Thymeleaf, MODX
    "[%",    // Template Toolkit
    "[=",    // FreeMarker
];

/// The strings that open a template's placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placeholders {
    openers: Vec<String>,
    /// A byte of each opener, sorted and without duplicates: the first one that no profile copies into a URL, or else
    /// the first one.
    rare_bytes: Vec<u8>,
}

impl Default for Placeholders {
    fn default() -> Self {
        Self::new(OPENERS)
    }
}

impl Placeholders {
    /// Returns the set with one more opener. The first one replaces the default ones.
    pub(crate) fn with(mut self, opener: &str) -> Self {
        if self == Self::default() {
            self.openers.clear();
        }
        self.openers.push(opener.to_owned());
        Self::new(self.openers)
    }

    /// Creates the set of placeholders that begin with one of `openers`. Empty openers are ignored.
    pub(crate) fn new(openers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let openers = openers.into_iter().map(Into::into);
        let openers: Vec<String> = openers.filter(|opener| !opener.is_empty()).collect();
        let mut rare_bytes: Vec<u8> = openers
            .iter()
            .filter_map(|opener| {
                let mut bytes = opener.bytes();
                let first = bytes.clone().next();
                bytes
                    .find(|&byte| !CharacterSet::UNCHANGED.contains(byte))
                    .or(first)
            })
            .collect();
        rare_bytes.sort_unstable();
        rare_bytes.dedup();
        Self {
            openers,
            rare_bytes,
        }
    }

    /// Returns whether the [shortcut](super::Resolver::split_target) rejects every reference that contains a
    /// placeholder.
    ///
    /// If so, the caller need not search references for placeholders before it uses the shortcut.
    pub(crate) fn never_match_shortcut(&self) -> bool {
        self.openers
            .iter()
            .all(|opener| super::shortcut::always_rejects(opener))
    }

    /// Returns whether `text` contains a placeholder, so that it is not known yet what it refers to.
    ///
    /// # Complexity
    /// Linear in the length of `text`.
    pub(crate) fn are_contained_in(&self, text: &str) -> bool {
        self.first_in(text).is_some()
    }

    /// Returns the offset of the first placeholder in `text`, or `None` if there is none.
    ///
    /// # Complexity
    /// Linear in the length of `text`.
    pub(crate) fn first_in(&self, text: &str) -> Option<usize> {
        let text_bytes = text.as_bytes();
        // Prefilter: most texts contain none of the bytes. Those of the default openers are `<`, `[` and `{`.
        let may_open = match *self.rare_bytes {
            [] => false,
            [a] => memchr(a, text_bytes).is_some(),
            [a, b] => memchr2(a, b, text_bytes).is_some(),
            [a, b, c] => memchr3(a, b, c, text_bytes).is_some(),
            _ => true,
        };
        if !may_open {
            return None;
        }
        let first_of = |opener: &String| {
            let mut offsets = text.match_indices(&**opener).map(|(offset, _)| offset);
            offsets.find(|offset| {
                let end = offset + opener.len();
                !ends_in_escape(text_bytes, end) && !is_empty_expression(text_bytes, end)
            })
        };
        self.openers.iter().filter_map(first_of).min()
    }
}

/// Returns whether the opener that ends at `end` only looks like one, because its `%` begins a percent-encoded ASCII
/// character.
///
/// Browsers do not encode braces in a query, but they do encode quotes: `?q={%22a%22:1}` is a link to follow. Such a
/// `%` precedes a decimal digit, which begins no name of a template tag; `ca` in `<%call>` are hexadecimal digits, too.
fn ends_in_escape(bytes: &[u8], end: usize) -> bool {
    let digits = bytes.get(end).zip(bytes.get(end + 1));
    bytes[..end].ends_with(b"%")
        && digits
            .is_some_and(|(first, second)| first.is_ascii_digit() && second.is_ascii_hexdigit())
}

/// Returns whether the opener that ends at `end` begins `#{}`, which is an expression in no language: a fragment of an
/// application is.
fn is_empty_expression(bytes: &[u8], end: usize) -> bool {
    bytes[..end].ends_with(b"#{") && bytes.get(end) == Some(&b'}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_openers_never_match_the_shortcut_and_have_three_rare_bytes() {
        let default = Placeholders::default();
        assert!(default.never_match_shortcut());
        assert_eq!(default.rare_bytes, b"<[{");
    }

    #[test]
    fn first_in_finds_every_default_opener() {
        let default = Placeholders::default();
        for opener in OPENERS {
            let found = default.first_in(&format!("a/b?c=d#{opener} x"));
            // "#{" begins one byte earlier after "#".
            assert!(matches!(found, Some(7 | 8)), "{opener}: {found:?}");
        }
    }

    #[test]
    fn are_contained_in_rejects_ordinary_links() {
        let default = Placeholders::default();
        for link in [
            "",
            "a/b?c=d#e",
            "http://[::1]:8080/",
            "http://[2001:db8::7]/",
            "?a[]=1&b[c]=2",
            "?id={3F2504E0-4F89-11D3-9A0C-0305E82C3301}",
            "?q={%22a%22:{%22b%22:1}}",
            "?a[%22b%22]=1",
            "$x/@y/~/z#w#",
            "a<b>",
            "clpqr.html#{}/1",
        ] {
            assert!(!default.are_contained_in(link), "{link}");
        }
        for link in [
            "{%22{% x %}",
            "{%url%}",
            "{%cache%}",
            "{%2",
            "<%=x%>",
            "#{x}",
            "#{}#{x}",
        ] {
            assert!(default.are_contained_in(link), "{link}");
        }
    }

    #[test]
    fn openers_of_characters_of_urls_are_found() {
        let custom = Placeholders::new(["@", "~/", "#", "$", ""]);
        assert!(custom.are_contained_in("~/a"));
        assert!(!custom.are_contained_in("a/b"));
        assert!(!custom.never_match_shortcut());
    }
}
