//! Placeholders of templates: text that is not a reference yet.

/// The marks that open a placeholder in the template languages in use: Jinja, Liquid, Handlebars and their kin (`{{`,
/// `{%`), ERB, EJS and ASP (`<%`), and shell-like interpolation (`${`).
const OPENERS: [&str; 4] = ["{{", "{%", "<%", "${"];

/// Whether `text` holds a template's placeholder, so that nobody can say yet what it refers to.
///
/// # Complexity
/// Linear in the length of `text`.
pub(crate) fn has_placeholder(text: &str) -> bool {
    OPENERS.iter().any(|opener| text.contains(opener))
}
