//! Placeholders of templates: text that is not a reference yet.

use memchr::{memchr, memchr2, memchr3};

/// The marks that open a placeholder in the template languages in use: Jinja, Liquid, Handlebars and their kin (`{{`,
/// `{%`), ERB, EJS and ASP (`<%`), and shell-like interpolation (`${`).
const OPENERS: [&str; 4] = ["{{", "{%", "<%", "${"];

/// What opens a template's placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placeholders {
    openers: Vec<String>,
    /// The bytes that the openers begin with, each once.
    first_bytes: Vec<u8>,
}

impl Default for Placeholders {
    fn default() -> Self {
        Self::new(OPENERS)
    }
}

impl Placeholders {
    /// Placeholders that begin with one of `openers`; an empty text opens none.
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

    /// Whether none can be in a reference that the [shortcut](super::Resolver::shortcut) resolves.
    pub(crate) fn are_out_of_the_ordinary(&self) -> bool {
        self.openers
            .iter()
            .all(|opener| super::shortcut::is_never_in(opener))
    }

    /// Whether `text` holds a placeholder, so that nobody can say yet what it refers to.
    ///
    /// # Complexity
    /// Linear in the length of `text`.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        let text_bytes = text.as_bytes();
        let may_open = match *self.first_bytes {
            [] => false,
            [one] => memchr(one, text_bytes).is_some(),
            [one, two] => memchr2(one, two, text_bytes).is_some(),
            [one, two, three] => memchr3(one, two, three, text_bytes).is_some(),
            _ => true,
        };
        may_open && self.openers.iter().any(|opener| text.contains(&**opener))
    }
}
