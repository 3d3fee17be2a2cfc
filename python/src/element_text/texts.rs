//! [`ElementText`]: the texts of an element, and limits of them.

/// The length in bytes after which a text is cut. Each row has a copy, and a `srcset` or `ping` has many rows.
pub(super) const MAX_LEN: usize = 4096;

/// Elements whose text is not shown.
pub(super) const HIDDEN: &[&str] = &[
    "iframe", "noembed", "noframes", "noscript", "script", "style", "template",
];

/// The texts of an element. Each has 4,096 bytes at most.
#[derive(Default)]
pub(crate) struct ElementText {
    /// The text of an A element; `None` for other elements.
    pub(crate) text: Option<String>,
    pub(crate) rel: Option<String>,
    pub(crate) alt: Option<String>,
}

impl ElementText {
    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> usize {
        let texts = [&self.text, &self.rel, &self.alt].into_iter();
        texts.flatten().map(String::len).sum()
    }
}

/// Returns a text, cut if it is too long.
pub(super) fn cut(text: &str) -> String {
    let is_end = |&end: &usize| text.is_char_boundary(end);
    let end = (0..=text.len().min(MAX_LEN)).rev().find(is_end);
    text[..end.unwrap_or_default()].to_owned()
}
