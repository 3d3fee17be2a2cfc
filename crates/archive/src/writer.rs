//! Writing a container document by document.

use std::io::Write;
use std::sync::Arc;

use absolve::{Edit, Span, splice};

use super::Container;
use super::entity::LocatedMessage;
use crate::container::{ContainerError, write_all};

/// A writer of a container with new documents. It holds one of them in memory, or those of one message if the message
/// states its length.
///
/// ```
/// use absolve_archive::{ArchiveSettings, Container};
///
/// let message = b"Content-Type: text/html\r\n\r\n<a href=d>d</a>";
/// let container = Container::mime(message, &ArchiveSettings::new())?;
/// let mut output = Vec::new();
/// let mut writer = container.writer(&mut output);
/// writer.put(0, b"<p>new</p>")?;
/// writer.finish()?;
/// assert!(output.ends_with(b"\r\n\r\n<p>new</p>"));
/// # Ok::<(), absolve_archive::container::ContainerError>(())
/// ```
#[derive(Debug)]
pub struct ContainerWriter<'w, 'c, W> {
    container: &'w Container<'c>,
    output: W,
    /// Offset in the container up to which it is written.
    done: usize,
    /// The index of the first document that can still be replaced.
    next: usize,
    /// The edits that are not written yet.
    pending: Vec<Edit>,
    /// The message of `pending`, if it states its length.
    pending_message: Option<&'w Arc<LocatedMessage>>,
}

impl<'c> Container<'c> {
    /// Creates a writer that writes the container to `to`, with the documents that are put into it.
    ///
    /// Each is stored in the codings of the old document. All other bytes are unchanged, except for header fields of
    /// HTTP that would become wrong.
    pub fn writer<W: Write>(&self, to: W) -> ContainerWriter<'_, 'c, W> {
        ContainerWriter {
            container: self,
            output: to,
            done: 0,
            next: 0,
            pending: Vec::new(),
            pending_message: None,
        }
    }
}

impl<W: Write> ContainerWriter<'_, '_, W> {
    /// Replaces the document at index `entity` of [`Container::entities`]; returns whether anything changed.
    ///
    /// Returns `Ok(false)` if `document` equals the old one, if there is no such document, or if this or a later
    /// document was put already. Documents must therefore be put in order.
    ///
    /// # Errors
    /// - The error that prevents the replacement; the old document is unchanged.
    /// - [`Unwritable`](crate::container::ContainerErrorKind::Unwritable): nothing more can be written.
    pub fn put(&mut self, entity: usize, document: &[u8]) -> Result<bool, ContainerError> {
        if entity < self.next {
            return Ok(false);
        }
        self.next = entity.saturating_add(1);
        let Some(entity) = self.container.entities().get(entity) else {
            return Ok(false);
        };
        let edits = entity.edits(self.container.source, document)?;
        if edits.is_empty() {
            return Ok(false);
        }
        let message = entity.measured_message();
        let is_same = |pending: &Arc<_>| message.is_some_and(|same| Arc::ptr_eq(same, pending));
        if !self.pending_message.is_some_and(is_same) {
            self.flush()?;
        }
        self.pending.extend(edits);
        self.pending_message = message;
        Ok(true)
    }

    /// Writes the pending edits and everything before them.
    fn flush(&mut self) -> Result<(), ContainerError> {
        let mut edits = std::mem::take(&mut self.pending);
        if edits.is_empty() {
            return Ok(());
        }
        let source = self.container.source;
        let message = self.pending_message.take();
        let length_edit = message.and_then(|message| message.length_edit(source, &edits));
        edits.splice(..0, length_edit);
        let (Some(first), Some(last)) = (edits.first(), edits.last()) else {
            return Ok(());
        };
        let (start, end) = (first.span.start, last.span.end);
        let (Some(kept), Some(old)) = (source.get(self.done..start), source.get(start..end)) else {
            return Ok(());
        };
        let edits = edits.iter().map(|edit| {
            let span = Span::new(edit.span.start - start, edit.span.end - start);
            (span, edit.replacement.as_slice())
        });
        let new = splice(old, edits);
        self.done = end;
        self.write(kept).and_then(|()| self.write(&new))
    }

    /// Writes the rest of the container.
    ///
    /// # Errors
    /// [`Unwritable`](crate::container::ContainerErrorKind::Unwritable).
    pub fn finish(mut self) -> Result<(), ContainerError> {
        self.flush()?;
        self.write(&self.container.source[self.done..])
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ContainerError> {
        write_all(&mut self.output, bytes, 0)
    }
}
