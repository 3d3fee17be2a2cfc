//! A document with its place: the input, and the entity if that is a container.

use absolve::Document;
use absolve_archive::Entity;

use crate::inputs::containers;
use crate::inputs::input::Input;

/// A document, and the input that it comes from.
pub(crate) struct LocatedDocument<'r> {
    pub(crate) input: &'r Input,
    /// The entity of the container that the document comes from, if it comes from one.
    pub(crate) entity: Option<&'r Entity<'r>>,
    pub(crate) document: &'r Document<'r>,
    /// Length of the document in bytes.
    pub(crate) len: usize,
}

impl<'r> LocatedDocument<'r> {
    /// Returns the document of `input`.
    pub(crate) fn new(input: &'r Input, document: &'r Document<'r>) -> Self {
        Self {
            input,
            entity: None,
            document,
            len: document.bytes().len(),
        }
    }

    /// Returns the document of `entity` in the container `input`.
    pub(crate) fn in_container(
        input: &'r Input,
        entity: &'r Entity<'r>,
        document: &'r Document<'r>,
    ) -> Self {
        let entity = Some(entity);
        Self {
            entity,
            ..Self::new(input, document)
        }
    }

    /// Returns the label of the document within its container.
    pub(crate) fn label(&self) -> Option<&str> {
        self.entity.map(|entity| &*entity.label)
    }

    /// Returns the name for messages.
    pub(crate) fn name(&self) -> String {
        match self.entity {
            Some(entity) => containers::name(self.input, entity),
            None => self.input.name(),
        }
    }
}
