//! The boundaries of entities in a message.

use absolve::Span;

use super::message::{Content, MAX_ENTITIES, MAX_LEVELS, Message, MimeEntity};
use crate::container::error::{ContainerError, ContainerErrorKind};
use crate::container::headers::{HeaderBlock, MalformedLine, content_of, line_at};

/// An entity whose end was not found yet.
struct OpenEntity {
    /// The index of the entity in [`Message::entities`].
    index: usize,
    /// The boundary between the entities in it; `None` if it is not a multipart entity, its closing boundary was
    /// found, or a limit was exceeded.
    boundary: Option<Vec<u8>>,
    /// Whether its boundary was found at least once.
    has_parts: bool,
    /// Whether entities in it without a `Content-Type` are messages: `multipart/digest` (RFC 2046 section 5.1.5).
    is_digest: bool,
}

/// A boundary line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Delimiter {
    /// An entity begins after it.
    Between,
    /// The closing boundary, which ends in `--`.
    Last,
}

/// The state of a pass over the lines of a message.
struct Splitter<'s> {
    source: &'s [u8],
    message: Message,
    /// The open entities from the outermost to the innermost.
    open: Vec<OpenEntity>,
}

impl Message {
    /// Splits a message into its entities.
    ///
    /// # Source
    /// RFC 2046 sections 5.1 (multipart) and 5.2.1 (message). A line is a boundary only if nothing but white space
    /// follows the boundary string, or the `--` after it in the closing boundary. If nested entities have the same
    /// boundary, a boundary line belongs to the innermost.
    ///
    /// # Errors
    /// [`ContainerErrorKind::NotMime`] if the message does not begin with a header field.
    ///
    /// # Complexity
    /// Linear in the length of `source`, times the number of open multipart entities, which [`MAX_LEVELS`] limits.
    pub fn split(source: &[u8]) -> Result<Self, ContainerError> {
        Self::split_at(source, 0)
    }

    /// Splits the message that begins at `start` in `source` and ends with it. Spans and offsets are those of `source`.
    ///
    /// # Errors
    /// Those of [`split`](Self::split).
    pub fn split_at(source: &[u8], start: usize) -> Result<Self, ContainerError> {
        let start = start.min(source.len());
        let top = HeaderBlock::split(source, start, MalformedLine::EndHeaders);
        if top.fields().next().is_none() {
            return Err(ContainerErrorKind::NotMime.at(start));
        }
        let mut splitter = Splitter {
            source,
            message: Self {
                entities: Vec::new(),
                errors: Vec::new(),
            },
            open: Vec::new(),
        };
        let mut position = splitter.read_headers(start);
        while position < source.len() {
            let line = line_at(source, position);
            position = line.end;
            if let Some((level, delimiter)) = splitter.delimiter(line) {
                splitter.close_inside(level, splitter.without_line_end(line.start));
                position = splitter.handle_boundary(level, delimiter, line.end);
            }
        }
        Ok(splitter.finish())
    }
}

impl Splitter<'_> {
    fn error(&mut self, kind: ContainerErrorKind, offset: usize) {
        self.message.errors.push(kind.at(offset));
    }

    /// Reads the headers that begin at `start`, and if the entity contains a message, the headers of that message,
    /// and so on. Returns the offset at which the innermost body begins.
    fn read_headers(&mut self, start: usize) -> usize {
        let mut start = start;
        loop {
            let end = self.find_headers_limit(start);
            let within = &self.source[..end];
            let block = HeaderBlock::split(within, start, MalformedLine::EndHeaders);
            // Nothing is wrong but a missing empty line if there are no fields, or a boundary follows them.
            if let Some(line) = block.malformed_line()
                && block.fields().next().is_some()
                && !self.source[line..].starts_with(b"--")
            {
                self.error(ContainerErrorKind::MalformedHeader, line);
            }
            let index = self.message.entities.len();
            let body = Span::new(block.body_start(), self.source.len());
            self.message.entities.push(MimeEntity {
                parent: self.open.last().map(|open| open.index),
                content: Content::Leaf,
                headers: block.span(),
                body,
            });
            let content = self.open_entity(index, &block);
            self.message.entities[index].content = content;
            if content != Content::Message {
                return body.start;
            }
            start = body.start;
        }
    }

    /// Returns the latest possible end of the headers that begin at `start`: the end of the first empty line, or the
    /// beginning of the first boundary line.
    fn find_headers_limit(&self, start: usize) -> usize {
        let mut position = start;
        loop {
            let line = line_at(self.source, position);
            if content_of(self.source, line).is_empty() {
                return line.end;
            }
            if self.delimiter(line).is_some() {
                return line.start;
            }
            position = line.end;
        }
    }

    /// Classifies the entity at `index`, whose headers are `block`, and pushes it onto the open ones.
    fn open_entity(&mut self, index: usize, block: &HeaderBlock<'_>) -> Content {
        let entity = self.message.entities[index];
        let media_type = entity.content_type(self.source);
        let in_digest = self.open.last().is_some_and(|open| open.is_digest);
        let is_message = if block.find("Content-Type").is_some() {
            matches!(
                media_type.essence.as_str(),
                "message/rfc822" | "message/global"
            )
        } else {
            in_digest
        };
        let is_multipart = media_type.essence.starts_with("multipart/");
        // A message in an encoding such as base64 is a leaf: its text is not in `source`, so spans could not point
        // into it.
        let mut content = if is_multipart {
            Content::Multipart
        } else if is_message && entity.transfer_encoding(self.source).is_identity() {
            Content::Message
        } else {
            Content::Leaf
        };
        let boundary = media_type.boundary();
        let problem = if content == Content::Leaf {
            None
        } else if is_multipart && boundary.is_none() {
            Some(ContainerErrorKind::NoBoundary)
        } else if self.open.len() >= MAX_LEVELS {
            Some(ContainerErrorKind::TooDeep)
        } else if self.message.entities.len() >= MAX_ENTITIES {
            Some(ContainerErrorKind::TooManyEntities)
        } else {
            None
        };
        if let Some(kind) = problem {
            self.error(kind, entity.headers.start);
            content = Content::Leaf;
        }
        self.open.push(OpenEntity {
            index,
            boundary: boundary.filter(|_| content == Content::Multipart),
            has_parts: false,
            is_digest: media_type.essence == "multipart/digest",
        });
        content
    }

    /// Returns the index in `open` of the entity whose boundary `line` is, and the kind of the boundary line; `None`
    /// if `line` is not a boundary line. The innermost entity takes precedence.
    fn delimiter(&self, line: Span) -> Option<(usize, Delimiter)> {
        let content = content_of(self.source, line);
        let text = self.source[content.start..content.end].strip_prefix(b"--")?;
        let levels = self.open.iter().enumerate().rev();
        levels.into_iter().find_map(|(level, open)| {
            let rest = text.strip_prefix(open.boundary.as_deref()?)?;
            match rest.trim_ascii() {
                b"" => Some((level, Delimiter::Between)),
                b"--" if rest.starts_with(b"--") => Some((level, Delimiter::Last)),
                _ => None,
            }
        })
    }

    /// Returns the offset of the line end before `start`; that line end is part of the boundary that begins at
    /// `start`.
    fn without_line_end(&self, start: usize) -> usize {
        let text = &self.source[..start];
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.strip_suffix(b"\r").unwrap_or(text).len()
    }

    /// Closes all open entities inside of the one at `level`.
    fn close_inside(&mut self, level: usize, end: usize) {
        while self.open.len() > level + 1 {
            let Some(open) = self.open.pop() else { return };
            self.close(&open, end);
        }
    }

    /// Ends the body of an entity, and reports a boundary that is missing.
    fn close(&mut self, open: &OpenEntity, end: usize) {
        let entity = &mut self.message.entities[open.index];
        entity.body.end = end.max(entity.body.start);
        if open.boundary.is_none() {
            return;
        }
        if open.has_parts {
            self.error(ContainerErrorKind::BoundaryNotClosed, end);
        } else {
            entity.content = Content::Leaf;
            let start = entity.headers.start;
            self.error(ContainerErrorKind::BoundaryNotFound, start);
        }
    }

    /// Handles a boundary line of the open entity at `level`; `after` is the offset after the line. Returns the
    /// offset at which to continue.
    fn handle_boundary(&mut self, level: usize, delimiter: Delimiter, after: usize) -> usize {
        let Some(open) = self.open.get_mut(level) else {
            return after;
        };
        open.has_parts = true;
        match delimiter {
            Delimiter::Last => {
                // The text up to the next boundary of an enclosing entity is an epilogue. Without a boundary, `close`
                // reports nothing.
                open.boundary = None;
                after
            }
            Delimiter::Between if self.message.entities.len() >= MAX_ENTITIES => {
                // No boundary is recognized any more, so the rest is the epilogue of the outermost entity.
                self.open.truncate(1);
                for open in &mut self.open {
                    open.boundary = None;
                }
                self.error(ContainerErrorKind::TooManyEntities, after);
                self.source.len()
            }
            Delimiter::Between => self.read_headers(after),
        }
    }

    /// Closes all open entities at the end of the message.
    fn finish(mut self) -> Message {
        while let Some(open) = self.open.pop() {
            self.close(&open, self.source.len());
        }
        self.message.errors.sort_by_key(|error| error.offset);
        self.message
    }
}
