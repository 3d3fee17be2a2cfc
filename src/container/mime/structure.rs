//! Where the entities of a message begin and end.

use super::{Content, MOST_ENTITIES, MOST_LEVELS, Message, MimeEntity};
use crate::container::error::ContainerErrorKind;
use crate::container::headers::{HeaderBlock, MalformedLine, content_of, line_at};
use crate::span::Span;

/// An entity whose end was not seen yet.
struct OpenEntity {
    index: usize,
    /// Which of the boundaries separates what it encloses.
    boundary: Option<Vec<u8>>,
    /// Whether a boundary of it was seen.
    has_parts: bool,
    /// Entities in it without a type are messages: `multipart/digest` (RFC 2046 section 5.1.5).
    is_digest: bool,
}

/// A boundary line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Delimiter {
    /// An entity begins behind it.
    Between,
    /// It is the last one.
    Last,
}

struct Splitter<'s> {
    source: &'s [u8],
    message: Message,
    /// From the outermost inwards.
    open: Vec<OpenEntity>,
}

pub(super) fn split(source: &[u8]) -> Message {
    let mut splitter = Splitter {
        source,
        message: Message {
            entities: Vec::new(),
            remarks: Vec::new(),
        },
        open: Vec::new(),
    };
    let mut position = splitter.begin(0);
    while position < source.len() {
        let line = line_at(source, position);
        position = line.end;
        if let Some((level, delimiter)) = splitter.delimiter(line) {
            splitter.close_above(level, splitter.before_line_end(line.start));
            position = splitter.meet(level, delimiter, line.end);
        }
    }
    splitter.finish();
    splitter.message
}

impl Splitter<'_> {
    fn remark(&mut self, kind: ContainerErrorKind, offset: usize) {
        self.message.remarks.push(kind.at(offset));
    }

    /// Reads the headers that begin at `start`, and those of the message they enclose, if they do. Gives where to read
    /// on.
    fn begin(&mut self, start: usize) -> usize {
        let mut start = start;
        loop {
            let end = self.headers_end(start);
            let within = &self.source[..end];
            let block = HeaderBlock::split(within, start, MalformedLine::EndHeaders);
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

    /// Where the headers that begin at `start` end at the latest: at the first boundary line in them.
    fn headers_end(&self, start: usize) -> usize {
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
        let mut boundary = None;
        let content = if is_multipart {
            boundary = media_type.boundary();
            if boundary.is_some() {
                Content::Multipart
            } else {
                self.remark(ContainerErrorKind::NoBoundary, entity.headers.start);
                Content::Leaf
            }
        } else if is_message && entity.transfer_encoding(self.source).is_identity() {
            Content::Message
        } else {
            Content::Leaf
        };
        let is_too_much = if content == Content::Leaf {
            None
        } else if self.open.len() >= MOST_LEVELS {
            Some(ContainerErrorKind::TooDeep)
        } else if self.message.entities.len() >= MOST_ENTITIES {
            Some(ContainerErrorKind::TooManyEntities)
        } else {
            None
        };
        if let Some(kind) = is_too_much {
            self.remark(kind, entity.headers.start);
        }
        let (content, boundary) = match is_too_much {
            Some(_) => (Content::Leaf, None),
            None => (content, boundary),
        };
        self.open.push(OpenEntity {
            index,
            boundary,
            has_parts: false,
            is_digest: media_type.essence == "multipart/digest",
        });
        content
    }

    /// Whether a line is a boundary of an open entity, the innermost first; and its place among the open ones.
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

    /// `start` without the line end before it, which belongs to the boundary there.
    fn before_line_end(&self, start: usize) -> usize {
        let text = &self.source[..start];
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.strip_suffix(b"\r").unwrap_or(text).len()
    }

    /// Ends all open entities inside of that at `level`.
    fn close_above(&mut self, level: usize, end: usize) {
        while self.open.len() > level + 1 {
            let Some(open) = self.open.pop() else { return };
            self.close(&open, end);
        }
    }

    fn close(&mut self, open: &OpenEntity, end: usize) {
        let entity = &mut self.message.entities[open.index];
        entity.body.end = end.max(entity.body.start);
        if open.boundary.is_none() {
            return;
        }
        if open.has_parts {
            self.remark(ContainerErrorKind::BoundaryNotClosed, end);
        } else {
            entity.content = Content::Leaf;
            let start = entity.headers.start;
            self.remark(ContainerErrorKind::BoundaryNotFound, start);
        }
    }

    /// What a boundary line means for the entity it belongs to. Gives where to read on.
    fn meet(&mut self, level: usize, delimiter: Delimiter, behind: usize) -> usize {
        let Some(open) = self.open.get_mut(level) else {
            return behind;
        };
        open.has_parts = true;
        match delimiter {
            Delimiter::Last => {
                // What follows is an epilogue, up to a boundary of the entity around it.
                open.boundary = None;
                behind
            }
            Delimiter::Between if self.message.entities.len() >= MOST_ENTITIES => {
                // No boundary counts any more, so the rest is the epilogue of the outermost.
                self.open.truncate(1);
                for open in &mut self.open {
                    open.boundary = None;
                }
                self.remark(ContainerErrorKind::TooManyEntities, behind);
                self.source.len()
            }
            Delimiter::Between => self.begin(behind),
        }
    }

    fn finish(&mut self) {
        while let Some(open) = self.open.pop() {
            self.close(&open, self.source.len());
        }
        self.message.remarks.sort_by_key(|remark| remark.offset);
    }
}
