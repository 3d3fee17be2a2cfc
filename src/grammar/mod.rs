//! Grammars: how a value holds references. A value in, spans of references out; nothing here knows HTML or resolves.

mod single;

pub(crate) use single::single;

/// How a value holds references.
///
/// Further grammars may be added: match with a wildcard arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// One reference, with white space around it allowed.
    ///
    /// # Source
    /// HTML, "valid URL potentially surrounded by spaces".
    Url,
}

impl Grammar {
    /// The name used in reports and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
        }
    }
}
