//! The texts of the element of a link that become columns of a table: its content, and its attributes `rel` and `alt`.
//!
//! A tokenizer reads on from the start tag. No tree is built, so text is in the order of the source, also where a
//! parser would move it.

mod html;
mod words;
mod xml;

use absolve::Span;
use encoding_rs::Encoding;

/// The length in bytes after which a text is cut. Each row has a copy, and a `srcset` or `ping` has many rows.
const MAX_LEN: usize = 4096;

/// Elements whose text is not shown.
const HIDDEN: &[&str] = &[
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

/// A document in which elements are read.
pub(crate) struct ElementSource<'d> {
    pub(crate) bytes: &'d [u8],
    pub(crate) encoding: &'static Encoding,
    pub(crate) is_xml: bool,
}

impl ElementSource<'_> {
    /// Reads the element of a link that has this `name` and `depth`. Its text ends at the offset `end` at the latest.
    ///
    /// Linear in the length of the start tag, and for A elements in the number of bytes up to `end`.
    pub(crate) fn read(
        &self,
        name: &str,
        depth: usize,
        start_tag: Span,
        end: usize,
    ) -> ElementText {
        let (is_foreign, local) = match name.split_once(':') {
            Some((_, local)) => (true, local),
            None => (false, name),
        };
        let is_anchor = local == "a";
        let end = if is_anchor {
            end.max(start_tag.end)
        } else {
            start_tag.end
        };
        // The state of a decoder before the tag is not known. It matters in ISO-2022-JP only, to `\` and `~`.
        let (source, _) = self
            .encoding
            .decode_without_bom_handling(&self.bytes[start_tag.start..end]);
        if self.is_xml && depth == 0 {
            return xml::read(&source, is_anchor);
        }
        // The markup in a CDATA section of a feed is HTML.
        let section = source.split("]]>").next().filter(|_| self.is_xml);
        html::read(section.unwrap_or(&source), is_anchor, is_foreign)
    }
}

/// Returns a text, cut if it is too long.
fn cut(text: &str) -> String {
    let is_end = |&end: &usize| text.is_char_boundary(end);
    let end = (0..=text.len().min(MAX_LEN)).rev().find(is_end);
    text[..end.unwrap_or_default()].to_owned()
}
