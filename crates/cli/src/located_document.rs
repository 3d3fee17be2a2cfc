//! A document with its place: the input, and the entity if that is a container.

use absolve::Document;
use absolve_archive::Entity;

use super::containers;
use super::input::{Input, LoadedInput};

/// A document, and the input that it comes from.
pub(super) struct LocatedDocument<'r> {
    pub(super) input: &'r Input,
    /// The entity of the container that the document comes from, if it comes from one.
    pub(super) entity: Option<&'r Entity<'r>>,
    pub(super) document: &'r Document<'r>,
    /// Length of the document in bytes.
    pub(super) len: usize,
}

impl<'r> LocatedDocument<'r> {
    /// Returns the document of `loaded`, the content of `input`.
    pub(super) fn new(input: &'r Input, document: &'r Document<'r>, loaded: &LoadedInput) -> Self {
        Self {
            input,
            entity: None,
            document,
            len: loaded.bytes.len(),
        }
    }

    /// Returns the document of `entity` in the container `input`.
    pub(super) fn in_container(
        input: &'r Input,
        entity: &'r Entity<'r>,
        document: &'r Document<'r>,
    ) -> Self {
        Self {
            input,
            entity: Some(entity),
            document,
            len: entity.bytes.len(),
        }
    }

    /// Returns the label of the document within its container.
    pub(super) fn label(&self) -> Option<&str> {
        self.entity.map(|entity| &*entity.label)
    }

    /// Returns the name for messages.
    pub(super) fn name(&self) -> String {
        match self.entity {
            Some(entity) => containers::name(self.input, entity),
            None => self.input.name(),
        }
    }
}
