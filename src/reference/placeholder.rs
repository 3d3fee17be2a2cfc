//! Placeholders of template languages: text that is not a reference yet.

use memchr::{memchr, memchr2, memchr3};

/// Default openers: Jinja, Liquid, Handlebars and similar languages (`{{`, `{%`), ERB, EJS and ASP (`<%`), and
/// shell-like interpolation (`${`).
const OPENERS: [&str; 4] = ["{{", "{%", "<%", "${"];

/// The strings that open a template's placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placeholders {
    openers: Vec<String>,
    /// The first bytes of the openers, sorted and without duplicates.
    first_bytes: Vec<u8>,
}

impl Default for Placeholders {
    fn default() -> Self {
        Self::new(OPENERS)
    }
}

impl Placeholders {
    /// Creates the set of placeholders that begin with one of `openers`. Empty openers are ignored.
    pub(crate) fn new(openers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let openers = openers.into_iter().map(Into::into);
        let openers: Vec<String> = openers.filter(|opener| !opener.is_empty()).collect();
        let mut first_bytes: Vec<u8> = openers
            .iter()
            .filter_map(|opener| opener.bytes().next())
            .collect();
        first_bytes.sort_unstable();
        first_bytes.dedup();
        Self {
            openers,
            first_bytes,
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
        let text_bytes = text.as_bytes();
        // Prefilter: most texts contain no first byte of any opener. The default openers begin with three different
        // bytes.
        let may_open = match *self.first_bytes {
            [] => false,
            [a] => memchr(a, text_bytes).is_some(),
            [a, b] => memchr2(a, b, text_bytes).is_some(),
            [a, b, c] => memchr3(a, b, c, text_bytes).is_some(),
            _ => true,
        };
        may_open && self.openers.iter().any(|opener| text.contains(&**opener))
    }
}
