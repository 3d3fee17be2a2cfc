//! Placeholders of templates: text that is not a reference yet.

/// The marks that open a placeholder in the template languages in use: Jinja, Liquid, Handlebars and their kin (`{{`,
/// `{%`), ERB, EJS and ASP (`<%`), and shell-like interpolation (`${`).
const OPENERS: [&str; 4] = ["{{", "{%", "<%", "${"];

/// What opens a template's placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placeholders {
    openers: Vec<String>,
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
        Self {
            openers: openers.filter(|opener| !opener.is_empty()).collect(),
        }
    }

    /// Whether `text` holds a placeholder, so that nobody can say yet what it refers to.
    ///
    /// # Complexity
    /// Linear in the length of `text`.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        self.openers.iter().any(|opener| text.contains(&**opener))
    }
}
