//! The kind of an input: a document, or a container of documents.
//!
//! `--input-format` takes precedence, then the media type of a fetched document, then the file name. Only if none of
//! them determines the kind is the beginning of the input sniffed. The input is then HTML, unless
//! [`InputKind::sniff`] recognizes a container or XML.

use std::ffi::OsStr;
use std::iter;

use absolve::DocumentKind;
use absolve_archive::container::headers::{HeaderBlock, MalformedLine};
use absolve_archive::container::mime::begins_mbox;
use absolve_archive::container::{FileType, Format, has_extension};
use absolve_site::document_kind;
use absolve_site::files::SiteFile;

/// Number of bytes of an input that are sniffed.
pub(crate) const SNIFF_LEN: usize = DocumentKind::SNIFF_LEN;

/// Kind of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputKind {
    Document(DocumentKind),
    Container(Format),
}

impl InputKind {
    pub(crate) const HTML: Self = Self::Document(DocumentKind::Html);
    pub(crate) const XML: Self = Self::Document(DocumentKind::Xml);

    /// Returns the kind that a file name determines, or `None` for other names.
    pub(crate) fn from_name(name: &OsStr) -> Option<Self> {
        let general = DocumentKind::Xml.general_extension();
        if has_extension(name, general.as_slice()) {
            return Some(Self::XML);
        }
        let format = named_formats().find(|format| has_extension(name, format.extensions))?;
        format.kind
    }

    /// Determines the kind of an input by its first [`SNIFF_LEN`] bytes.
    ///
    /// Many texts begin like a message, with a word and a colon. Only those with a MIME-Version field (RFC 2045
    /// section 4) and mailboxes are MIME messages here.
    pub(crate) fn sniff(bytes: &[u8]) -> Self {
        let bytes = &bytes[..bytes.len().min(SNIFF_LEN)];
        match Format::detect(bytes) {
            Some(Format::Mime) if !has_mime_version(bytes) && !begins_mbox(bytes) => Self::HTML,
            Some(format) => Self::Container(format),
            None => Self::Document(DocumentKind::sniff(bytes)),
        }
    }

    /// Determines the kind of an input by all its bytes: see [`DocumentKind::sniff_whole`].
    pub(crate) fn sniff_whole(bytes: &[u8]) -> Self {
        match Self::sniff(bytes) {
            Self::XML => Self::Document(DocumentKind::sniff_whole(bytes)),
            kind => kind,
        }
    }
}

/// The value of `--input-format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InputFormat {
    pub(crate) name: &'static str,
    /// The kind of all inputs; `None` if file name, media type or content decide.
    pub(crate) kind: Option<InputKind>,
    /// The extensions of such files, without the dot.
    extensions: &'static [&'static str],
}

impl InputFormat {
    pub(crate) const AUTO: Self = Self {
        name: "auto",
        kind: None,
        extensions: &[],
    };

    /// Returns all formats.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let documents = DocumentKind::ALL.iter().map(|&kind| Self {
            name: kind.name(),
            kind: Some(InputKind::Document(kind)),
            extensions: kind.extensions(),
        });
        let containers = FileType::ALL.iter().map(|files| Self {
            name: files.name,
            kind: Some(InputKind::Container(files.format)),
            extensions: files.extensions,
        });
        iter::once(Self::AUTO).chain(documents).chain(containers)
    }
}

/// Returns whether the header of a message has the field MIME-Version.
fn has_mime_version(message: &[u8]) -> bool {
    let headers = HeaderBlock::split(message, 0, MalformedLine::EndHeaders);
    headers.find("MIME-Version").is_some()
}

/// Returns whether a file in a directory is read as a document or container with this `--input-format`: by its name, or
/// by its content if other files have the same extension.
pub(crate) fn is_document(file: &SiteFile, format: InputFormat) -> bool {
    let kind = || document_kind(file).map(InputKind::Document);
    has_extension(file.path.as_os_str(), &extensions(format))
        || kind().is_some_and(|kind| format.kind.is_none_or(|wanted| wanted == kind))
}

/// Returns the extensions of the files of a directory that are read with this `--input-format`, without the dot.
pub(crate) fn extensions(format: InputFormat) -> Vec<&'static str> {
    match format.kind {
        None => named_formats()
            .flat_map(|format| format.extensions)
            .copied()
            .collect(),
        Some(_) => format.extensions.to_vec(),
    }
}

/// Returns the formats that a file name determines.
///
/// HTTP dumps are not among them, because other programs write HTTP requests to files with the extension `.http`.
fn named_formats() -> impl Iterator<Item = InputFormat> {
    let is_named = |kind| kind != InputKind::Container(Format::Http);
    InputFormat::all().filter(move |format| format.kind.is_some_and(is_named))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::CommandLine;

    /// The help is text; the formats and their extensions are in tables.
    #[test]
    fn help_names_every_format_and_extension() {
        let mut command = CommandLine::command();
        let links = command.find_subcommand_mut("links").expect("a verb");
        let help = links.render_long_help().to_string();
        let words = |text: &str| -> Vec<String> {
            let words = text.split(|byte: char| !byte.is_alphanumeric() && !".-".contains(byte));
            let words = words.map(|word| word.trim_end_matches('.').to_owned());
            words.collect()
        };
        let help = words(&help);
        let general = DocumentKind::ALL.iter();
        let general = general.filter_map(|kind| kind.general_extension());
        let names = InputFormat::all().map(|format| format.name).chain(general);
        for name in names.chain(extensions(InputFormat::AUTO)) {
            assert!(help.iter().any(|word| word == name), "{name}");
        }
    }

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
            ("a.css", Some(InputKind::Document(DocumentKind::StyleSheet))),
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
