//! The texts of the element of a link that become columns of a table: its content, and its attributes `rel` and `alt`.
//!
//! A tokenizer reads on from the start tag. No tree is built, so text is in the order of the source, also where a
//! parser would move it.

mod html;
mod texts;
mod words;
mod xml;

use absolve::Span;
use encoding_rs::Encoding;

pub(crate) use texts::ElementText;

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
