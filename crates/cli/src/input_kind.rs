//! The kind of an input: a document, or a container of documents.
//!
//! `--input-format` takes precedence, then the media type of a fetched document, then the file name. Only if none of
//! them determines the kind is the beginning of the input sniffed. The input is then HTML, unless
//! [`InputKind::sniff`] recognizes a container or XML.

use std::ffi::OsStr;

use absolve::DocumentKind;
use absolve_archive::container::Format;
use absolve_archive::container::headers::{HeaderBlock, MalformedLine};
use absolve_archive::container::mime::begins_mbox;

use super::args::InputFormat;

/// Number of bytes of an input that are sniffed.
pub(super) const SNIFF_LEN: usize = DocumentKind::SNIFF_LEN;

/// Formats that a file name determines.
///
/// HTTP dumps are not among them, because other programs write HTTP requests to files with the extension `.http`.
const NAMED_FORMATS: [InputFormat; 7] = [
    InputFormat::Html,
    InputFormat::Css,
    InputFormat::Xml,
    InputFormat::Mhtml,
    InputFormat::Eml,
    InputFormat::Mbox,
    InputFormat::Warc,
];

/// Kind of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputKind {
    Document(DocumentKind),
    Container(Format),
}

impl InputKind {
    pub(super) const HTML: Self = Self::Document(DocumentKind::Html);
    pub(super) const STYLE_SHEET: Self = Self::Document(DocumentKind::StyleSheet);
    pub(super) const XML: Self = Self::Document(DocumentKind::Xml);
    pub(super) const JSON_FEED: Self = Self::Document(DocumentKind::JsonFeed);

    /// Returns the kind that `--input-format` determines, or `None` for `auto`.
    pub(super) fn from_format(format: InputFormat) -> Option<Self> {
        Some(match format {
            InputFormat::Auto => return None,
            InputFormat::Html => Self::HTML,
            InputFormat::Css => Self::STYLE_SHEET,
            InputFormat::Xml => Self::XML,
            InputFormat::JsonFeed => Self::JSON_FEED,
            InputFormat::Http => Self::Container(Format::Http),
            InputFormat::Mhtml | InputFormat::Eml | InputFormat::Mbox => {
                Self::Container(Format::Mime)
            }
            InputFormat::Warc => Self::Container(Format::Warc),
        })
    }

    /// Returns the kind that a file name determines, or `None` for other names.
    pub(super) fn from_name(name: &OsStr) -> Option<Self> {
        if kind_by_content(name, InputFormat::Xml).is_some() {
            return Some(Self::XML);
        }
        let mut formats = NAMED_FORMATS.into_iter();
        let format = formats.find(|&format| is_document_name(name, format))?;
        Self::from_format(format)
    }

    /// Determines the kind of an input by its first [`SNIFF_LEN`] bytes.
    ///
    /// Many texts begin like a message, with a word and a colon. Only those with a MIME-Version field (RFC 2045
    /// section 4) and mailboxes are MIME messages here.
    pub(super) fn sniff(bytes: &[u8]) -> Self {
        let bytes = &bytes[..bytes.len().min(SNIFF_LEN)];
        match Format::detect(bytes) {
            Some(Format::Mime) if !has_mime_version(bytes) && !begins_mbox(bytes) => Self::HTML,
            Some(format) => Self::Container(format),
            None => Self::Document(DocumentKind::sniff(bytes)),
        }
    }

    /// Determines the kind of an input by all its bytes: see [`DocumentKind::sniff_whole`].
    pub(super) fn sniff_whole(bytes: &[u8]) -> Self {
        match Self::sniff(bytes) {
            Self::XML => Self::Document(DocumentKind::sniff_whole(bytes)),
            kind => kind,
        }
    }
}

/// Returns whether the header of a message has the field MIME-Version.
fn has_mime_version(message: &[u8]) -> bool {
    let headers = HeaderBlock::split(message, 0, MalformedLine::EndHeaders);
    headers.find("MIME-Version").is_some()
}

/// Returns whether a file in a directory is read as a document or container, according to its name and
/// `--input-format`.
pub(super) fn is_document_name(name: &OsStr, format: InputFormat) -> bool {
    has_extension(name, &extensions(format))
}

/// Returns the kind that the content of a file in a directory must have for it to be read, if that decides.
pub(super) fn kind_by_content(name: &OsStr, format: InputFormat) -> Option<InputKind> {
    let kinds = [
        (DocumentKind::Xml, InputFormat::Xml),
        (DocumentKind::JsonFeed, InputFormat::JsonFeed),
    ];
    let mut kinds = kinds.into_iter();
    let has_general = |kind: DocumentKind| {
        let extension = kind.general_extension();
        extension.is_some_and(|extension| has_extension(name, &[extension]))
    };
    let (kind, wanted) = kinds.find(|&(kind, _)| has_general(kind))?;
    (format == InputFormat::Auto || format == wanted).then_some(InputKind::Document(kind))
}

/// Returns the extensions of the files of a directory that are read with this `--input-format`, without the dot.
pub(super) fn extensions(format: InputFormat) -> Vec<&'static str> {
    match format {
        InputFormat::Auto => NAMED_FORMATS.into_iter().flat_map(extensions).collect(),
        InputFormat::Html => DocumentKind::Html.extensions().to_vec(),
        InputFormat::Css => DocumentKind::StyleSheet.extensions().to_vec(),
        InputFormat::Xml => DocumentKind::Xml.extensions().to_vec(),
        InputFormat::JsonFeed => DocumentKind::JsonFeed.extensions().to_vec(),
        InputFormat::Http => vec!["http"],
        InputFormat::Mhtml => vec!["mht", "mhtml"],
        InputFormat::Eml => vec!["eml"],
        InputFormat::Mbox => vec!["mbox"],
        InputFormat::Warc => vec!["warc", "warc.gz", "warc.zst"],
    }
}

/// Returns whether `name` ends with a dot and one of `extensions`, in any letter case.
///
/// The file name must have a character before that dot: `.html` is a hidden file without an extension.
fn has_extension(name: &OsStr, extensions: &[&str]) -> bool {
    let name = name.as_encoded_bytes();
    extensions.iter().any(|extension| {
        let Some(dot) = name.len().checked_sub(extension.len() + 1) else {
            return false;
        };
        dot > 0
            && !matches!(name[dot - 1], b'/' | b'\\')
            && name[dot] == b'.'
            && name[dot + 1..].eq_ignore_ascii_case(extension.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_name_compares_extensions() {
        let mime = Some(InputKind::Container(Format::Mime));
        let warc = Some(InputKind::Container(Format::Warc));
        for (name, expected) in [
            ("a.html", Some(InputKind::HTML)),
            ("a/b.XHT", Some(InputKind::XML)),
            ("a.svg", Some(InputKind::XML)),
            ("a.rss", Some(InputKind::XML)),
            ("a.xml", Some(InputKind::XML)),
            ("a.css", Some(InputKind::STYLE_SHEET)),
            ("a.mht", mime),
            ("a.MHTML", mime),
            ("a.eml", mime),
            ("a.mbox", mime),
            ("a.warc", warc),
            ("x/a.b.WARC.gz", warc),
            ("a.warc.zst", warc),
            ("a.gz", None),
            ("a.http", None),
            ("warc", None),
            (".warc", None),
            ("a/.html", None),
            ("html", None),
            ("", None),
        ] {
            assert_eq!(InputKind::from_name(OsStr::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn sniff_does_not_mistake_html_for_a_container() {
        for text in [
            "<!DOCTYPE html><title>From: me</title>",
            "From: me\nTo: you\n\n<p>a letter</p>",
            "From me\nTo: you\n\n<p>a letter</p>",
            "From me at 12:30\n\nTo: you\n\n<p>a letter</p>",
            "Content-Type: text/html\n\n<p>what a script prints</p>",
            "HTTP is a protocol\n<p>",
            "WARC is a format\n<p>",
            "",
        ] {
            assert_eq!(InputKind::sniff(text.as_bytes()), InputKind::HTML, "{text}");
        }
        for (text, format) in [
            ("HTTP/1.1 200 OK\r\n\r\n<p>", Format::Http),
            ("Subject: x\nMIME-Version: 1.0\n\n<p>", Format::Mime),
            (
                "From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b\n\ntext",
                Format::Mime,
            ),
            ("WARC/1.1\r\n", Format::Warc),
        ] {
            let kind = InputKind::Container(format);
            assert_eq!(InputKind::sniff(text.as_bytes()), kind, "{text}");
        }
    }
}
