//! A link as a record of JSON Lines or CSV.

use std::io;

use absolve::{ElementText, LinkRow, Position, Rewriter, SkipReason};
use clap::ValueEnum;
use serde::Serialize;

use crate::inputs::located_document::LocatedDocument;
use crate::print::format::JsonRow;

/// The records of the links of a document, one after another.
pub(crate) struct LinkEntries<'l> {
    path: &'l str,
    located: &'l LocatedDocument<'l>,
    /// `None` before the first link that has a place in the document.
    position_of: Option<Box<dyn FnMut(usize) -> Option<Position> + 'l>>,
    /// The number of links so far.
    count: usize,
    /// The number of bytes that base URLs may still have.
    left: usize,
}

impl<'l> LinkEntries<'l> {
    /// Prepares the records for a document at `path`.
    ///
    /// Every link repeats its base URL, which a document of a few bytes could give to thousands of links. So base URLs
    /// have at most the length that targets may have ([`Rewriter::max_growth`]); those of the links after that are
    /// omitted.
    pub(crate) fn new(
        path: &'l str,
        located: &'l LocatedDocument<'_>,
        rewriter: &Rewriter,
    ) -> Self {
        Self {
            path,
            located,
            position_of: None,
            count: 0,
            left: rewriter.max_growth(located.document),
        }
    }

    /// Returns the record of the next link, with the reason why it is skipped, if it is.
    pub(crate) fn entry<'e>(
        &'e mut self,
        mut link: LinkRow<'e>,
        skip_reason: Option<SkipReason>,
    ) -> LinkEntry<'e> {
        let place = self.count;
        self.count += 1;
        let length = link.base.map_or(0, str::len);
        link.base = link.base.filter(|_| length <= self.left);
        self.left = self.left.saturating_sub(length);
        let document = self.located.document;
        let position = link.start.and_then(|start| {
            let position_of = &mut self.position_of;
            position_of.get_or_insert_with(|| Box::new(document.positions()))(start)
        });
        LinkEntry {
            located: self.located,
            place,
            path: self.path,
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            link,
            skip_reason,
            entity: self.located.label(),
            text: None,
            rel: None,
            alt: None,
            date: None,
        }
    }
}

/// A column about the element of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ElementColumn {
    /// Text of an A element
    Text,
    /// Attribute `rel`
    Rel,
    /// Attribute `alt`
    Alt,
    /// Date of the capture in a WARC archive
    Date,
}

/// A link in the machine-readable formats. The names and order of the fields are part of the contract.
#[expect(
    clippy::option_option,
    reason = "a column that was not asked for is omitted, and one without a text is null"
)]
pub(crate) struct LinkEntry<'l> {
    /// The document.
    pub(crate) located: &'l LocatedDocument<'l>,
    /// The number of links before this one in the document.
    pub(crate) place: usize,
    pub(crate) path: &'l str,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    pub(crate) link: LinkRow<'l>,
    pub(crate) skip_reason: Option<SkipReason>,
    /// Omitted for a document outside of containers.
    entity: Option<&'l str>,
    /// The columns about the element; those that were not asked for are omitted.
    text: Option<Option<&'l str>>,
    rel: Option<Option<&'l str>>,
    alt: Option<Option<&'l str>>,
    date: Option<Option<&'l str>>,
}

impl<'l> LinkEntry<'l> {
    /// Names of the fields: the header line of CSV, without those of columns about the element.
    pub(crate) const HEADER: &'static str = "path,line,column,start,end,element,attribute,grammar,role,reference,\
        target,base,base_source,status,reason,entity";

    /// Returns the record with these columns about the element, which has `texts`.
    pub(crate) fn with(
        mut self,
        columns: &[ElementColumn],
        texts: Option<&'l ElementText>,
    ) -> Self {
        let record = self
            .located
            .entity
            .and_then(|entity| entity.record.as_ref());
        for column in columns {
            let (field, text) = match column {
                ElementColumn::Text => (&mut self.text, texts.map(|texts| &texts.text)),
                ElementColumn::Rel => (&mut self.rel, texts.map(|texts| &texts.rel)),
                ElementColumn::Alt => (&mut self.alt, texts.map(|texts| &texts.alt)),
                ElementColumn::Date => (&mut self.date, record.map(|record| &record.date)),
            };
            *field = Some(text.and_then(Option::as_deref));
        }
        self
    }

    /// Returns the record as a row of CSV: `entity` is a column of every row, also if it is `None`.
    pub(crate) fn csv(&self) -> impl Serialize {
        let position = (self.line, self.column);
        let texts = [self.text, self.rel, self.alt, self.date]
            .into_iter()
            .flatten();
        let texts: Vec<_> = texts.collect();
        (self.path, position, self.link, self.entity, texts)
    }

    /// Returns the record with its target and base URL as `shown` returns them.
    pub(crate) fn showing(mut self, shown: impl Fn(&'l str) -> &'l str) -> Self {
        self.link.target = self.link.target.map(&shown);
        self.link.base = self.link.base.map(&shown);
        self
    }
}

impl JsonRow for LinkEntry<'_> {
    /// Written by hand: an archive has millions of rows with a dozen short texts, and `serde_json` looks at each byte
    /// of them and of the keys.
    fn write_object(&self, to: &mut Vec<u8>) -> io::Result<()> {
        let link = &self.link;
        write_text(b"{\"path\":", Some(self.path), to)?;
        write_number(b",\"line\":", self.line, to)?;
        write_number(b",\"column\":", self.column, to)?;
        write_number(b",\"start\":", link.start, to)?;
        write_number(b",\"end\":", link.end, to)?;
        write_text(b",\"element\":", Some(link.element), to)?;
        write_text(b",\"attribute\":", Some(link.attribute), to)?;
        write_text(b",\"grammar\":", Some(link.grammar), to)?;
        write_text(b",\"role\":", Some(link.role), to)?;
        write_text(b",\"reference\":", Some(link.reference), to)?;
        write_text(b",\"target\":", link.target, to)?;
        write_text(b",\"base\":", link.base, to)?;
        write_text(b",\"base_source\":", link.base_source, to)?;
        write_text(b",\"status\":", Some(link.status), to)?;
        write_text(b",\"reason\":", link.reason, to)?;
        if self.entity.is_some() {
            write_text(b",\"entity\":", self.entity, to)?;
        }
        if let Some(text) = self.text {
            write_text(b",\"text\":", text, to)?;
        }
        if let Some(rel) = self.rel {
            write_text(b",\"rel\":", rel, to)?;
        }
        if let Some(alt) = self.alt {
            write_text(b",\"alt\":", alt, to)?;
        }
        if let Some(date) = self.date {
            write_text(b",\"date\":", date, to)?;
        }
        to.push(b'}');
        Ok(())
    }
}

/// Appends a key, whose length the compiler knows, and a text. Most texts have no character that is escaped.
fn write_text<const N: usize>(
    key: &[u8; N],
    text: Option<&str>,
    to: &mut Vec<u8>,
) -> io::Result<()> {
    to.extend_from_slice(key);
    match text {
        Some(text) if !has_escaped(text) => {
            to.push(b'"');
            to.extend_from_slice(text.as_bytes());
            to.push(b'"');
            Ok(())
        }
        _ => Ok(serde_json::to_writer(to, &text)?),
    }
}

/// Returns whether JSON escapes a character of `text`.
///
/// Looks at eight bytes at once, also in a program that is optimized for size, in which no loop uses vectors.
fn has_escaped(text: &str) -> bool {
    const ONES: u64 = u64::MAX / 0xFF;
    // Sets the highest bit of a byte below `limit`, and above the first one perhaps those of others.
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
    let escaped = |bytes: &[u8; 8]| {
        let word = u64::from_le_bytes(*bytes);
        let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
        below(word, 0x20) | is(b'"') | is(b'\\')
    };
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk() else {
        return bytes
            .iter()
            .any(|byte| matches!(byte, ..b' ' | b'"' | b'\\'));
    };
    let (words, _) = bytes.as_chunks();
    let found = words
        .iter()
        .fold(escaped(last), |all, word| all | escaped(word));
    found & (ONES << 7) != 0
}

fn write_number<const N: usize>(
    key: &[u8; N],
    number: Option<usize>,
    to: &mut Vec<u8>,
) -> io::Result<()> {
    to.extend_from_slice(key);
    Ok(serde_json::to_writer(to, &number)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_as_serde_json_writes_them() {
        let long = ["a".repeat(100), "\n".to_owned()].concat();
        let escaped = (0..=u8::MAX).map(char::from).map(String::from);
        let places = (0..20).flat_map(|at| {
            let around = |escaped: &str| [&"~".repeat(at), escaped, "\u{7F}é !"].concat();
            ["\"", "\\", "\u{1F}"].map(around)
        });
        let others = [long, String::new(), "é😀\u{2028}".to_owned()];
        for text in escaped.chain(places).chain(others) {
            let mut written = Vec::new();
            write_text(b"", Some(&text), &mut written).expect("memory can be written");
            assert_eq!(
                String::from_utf8_lossy(&written),
                serde_json::json!(text).to_string()
            );
        }
    }
}
