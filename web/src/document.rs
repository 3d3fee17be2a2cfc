//! A document with the facts about it that JavaScript passes.

use absolve::options::{check_base_url, check_encoding, named_option};
use absolve::{BaseCandidates, BaseSource, Document, DocumentKind, Profile};

use crate::input::RawInput;
use crate::options::message;

/// A document of a call, and the facts about it.
pub(crate) struct Content<'a> {
    input: &'a RawInput,
    kind: DocumentKind,
    encoding: Option<&'a str>,
    candidates: BaseCandidates<'a>,
}

impl<'a> Content<'a> {
    /// Validates the facts about a document.
    ///
    /// Each fact is two strings, its name and its value. `enclosingBase` may be repeated, innermost first.
    ///
    /// # Errors
    /// A value is invalid. The message names the fact, its value and what to use instead.
    pub(crate) fn new(
        input: &'a RawInput,
        facts: &'a [String],
        profile: Profile,
    ) -> Result<Self, String> {
        let mut content = Self {
            input,
            kind: DocumentKind::Html,
            encoding: None,
            candidates: BaseCandidates::new(),
        };
        for fact in facts.chunks_exact(2) {
            let [name, value] = fact else { continue };
            let source = match &**name {
                "url" => BaseSource::Retrieval,
                "enclosingBase" => BaseSource::EncapsulatingEntity,
                "defaultBase" => BaseSource::Default,
                "encoding" => {
                    check_encoding(name, value).map_err(message)?;
                    content.encoding = Some(value);
                    continue;
                }
                "kind" => {
                    content.kind = named_option(name, value).map_err(message)?;
                    continue;
                }
                _ => return Err(format!("unknown option: {name:?}")),
            };
            check_base_url(name, value, profile).map_err(message)?;
            content.candidates = content.candidates.with(source, value);
        }
        Ok(content)
    }

    /// Returns the document. A string has an encoding already, whatever the caller declares.
    pub(crate) fn document(&self) -> Document<'a> {
        let document =
            Document::of_kind(self.kind, self.input.bytes()).candidates(self.candidates.clone());
        match (self.encoding, self.input.is_text()) {
            (_, true) => document.encoding("utf-8"),
            (Some(label), false) => document.encoding(label),
            (None, false) => document,
        }
    }
}
