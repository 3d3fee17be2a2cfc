//! A container that is written document by document.

use std::io::{self, Write};

use super::Container;
use crate::container::{ContainerError, ContainerErrorKind};
use crate::splice::SpliceWriter;

/// Writes a container with other documents in it, and holds no more than one of them.
///
/// ```
/// use absolve::archive::{ArchiveSettings, Container};
///
/// let message = b"Content-Type: text/html\r\n\r\n<a href=d>d</a>";
/// let container = Container::mime(message, &ArchiveSettings::new())?;
/// let mut output = Vec::new();
/// let mut writer = container.writer(&mut output);
/// writer.put(0, b"<p>new</p>")?;
/// writer.finish()?;
/// assert!(output.ends_with(b"\r\n\r\n<p>new</p>"));
/// # Ok::<(), absolve::container::ContainerError>(())
/// ```
#[derive(Debug)]
pub struct ContainerWriter<'w, 'c, W> {
    container: &'w Container<'c>,
    splicer: SpliceWriter<'c, W>,
    /// The first document that was not put and not passed over.
    next: usize,
}

impl<'c> Container<'c> {
    /// Writes the container to `to` with other documents: as [`with_documents`](Self::with_documents), one after the other.
    pub fn writer<W: Write>(&self, to: W) -> ContainerWriter<'_, 'c, W> {
        ContainerWriter {
            container: self,
            splicer: SpliceWriter::new(self.source, to),
            next: 0,
        }
    }
}

impl<W: Write> ContainerWriter<'_, '_, W> {
    /// Puts `document` in the place of that with this index of [`Container::entities`]. Whether anything is replaced: not
    /// if it is the same document, and not if that one, or one behind it, was put already.
    ///
    /// # Errors
    /// The document cannot be put there, and the one that is there stays;
    /// [`Unwritable`](ContainerErrorKind::Unwritable), and nothing more can be written.
    pub fn put(&mut self, entity: usize, document: &[u8]) -> Result<bool, ContainerError> {
        if entity < self.next {
            return Ok(false);
        }
        self.next = entity.saturating_add(1);
        let edits = self.container.edits(entity, document)?;
        let mut is_replaced = false;
        for edit in edits {
            let replaced = self.splicer.replace(edit.span, &edit.replacement);
            is_replaced |= replaced.map_err(|error| unwritable(&error))?;
        }
        Ok(is_replaced)
    }

    /// Writes the rest of the container.
    ///
    /// # Errors
    /// [`Unwritable`](ContainerErrorKind::Unwritable).
    pub fn finish(self) -> Result<(), ContainerError> {
        self.splicer.finish().map_err(|error| unwritable(&error))
    }
}

fn unwritable(error: &io::Error) -> ContainerError {
    ContainerErrorKind::Unwritable(error.kind()).at(0)
}
