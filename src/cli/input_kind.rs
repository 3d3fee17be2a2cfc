//! What an input is written in: a document, or a container of documents.
//!
//! What the arguments say goes first, then the name, and what a server says of its type. Only where these say nothing is
//! there a look at how the input begins, and then it is HTML unless it begins as nothing but a container does.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use absolve::container::Format;
use absolve::container::headers::{HeaderBlock, MalformedLine};

use super::args::InputFormat;
use super::input::Input;
use super::stdin;

/// How many bytes of an input are looked at.
pub(super) const LOOKED_AT: usize = 1 << 14;

/// Ends of the names of documents and containers in directories, in any case.
const HTML: [&str; 5] = ["html", "htm", "xhtml", "xht", "shtml"];
const CSS: [&str; 1] = ["css"];
const HTTP: [&str; 1] = ["http"];
const MHTML: [&str; 2] = ["mht", "mhtml"];
const EML: [&str; 1] = ["eml"];
const WARC: [&str; 2] = ["warc", "warc.gz"];

/// What an input is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputKind {
    Html,
    StyleSheet,
    Container(Format),
}

impl InputKind {
    /// What the arguments say.
    pub(super) fn asked(format: InputFormat) -> Option<Self> {
        Some(match format {
            InputFormat::Auto => return None,
            InputFormat::Html => Self::Html,
            InputFormat::Css => Self::StyleSheet,
            InputFormat::Http => Self::Container(Format::Http),
            InputFormat::Mhtml | InputFormat::Eml => Self::Container(Format::Mime),
            InputFormat::Warc => Self::Container(Format::Warc),
        })
    }

    /// What a name says. `.http` says nothing: other programs write requests to such files.
    pub(super) fn of_name(name: &OsStr) -> Option<Self> {
        [
            (&HTML[..], Self::Html),
            (&CSS, Self::StyleSheet),
            (&MHTML, Self::Container(Format::Mime)),
            (&EML, Self::Container(Format::Mime)),
            (&WARC, Self::Container(Format::Warc)),
        ]
        .into_iter()
        .find_map(|(ends, form)| ends_in(name, ends).then_some(form))
    }

    /// What an input is that begins like this and has no name that says more.
    ///
    /// Many texts begin as a message could, with a word and a colon: what makes it one is that it says its MIME version
    /// (RFC 2045 section 4).
    pub(super) fn of_beginning(bytes: &[u8]) -> Self {
        match Format::detect(bytes) {
            Some(Format::Mime) => {
                let fields = HeaderBlock::split(bytes, 0, MalformedLine::EndHeaders);
                match fields.find("MIME-Version") {
                    Some(_) => Self::Container(Format::Mime),
                    None => Self::Html,
                }
            }
            Some(format) => Self::Container(format),
            None => Self::Html,
        }
    }

    /// Whether an input is an archive, which is read piece by piece and not as a whole.
    pub(super) fn is_archive(format: InputFormat, input: &Input) -> bool {
        let archive = Self::Container(Format::Warc);
        if let Some(asked) = Self::asked(format) {
            return asked == archive && !matches!(input, Input::Url(_));
        }
        match input {
            Input::Stdin => Self::of_beginning(stdin::beginning()) == archive,
            Input::Url(_) => false,
            Input::File { path, .. } => match Self::of_name(path.as_os_str()) {
                Some(form) => form == archive,
                None => begins_like_archive(path),
            },
        }
    }
}

/// Whether a file begins as an archive does. What is looked at in a pipe is gone, so nobody looks.
fn begins_like_archive(path: &Path) -> bool {
    let mut bytes = Vec::new();
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        && File::open(path)
            .and_then(|file| file.take(LOOKED_AT as u64).read_to_end(&mut bytes))
            .is_ok()
        && InputKind::of_beginning(&bytes) == InputKind::Container(Format::Warc)
}

/// Whether a file in a directory is read, by its name.
pub(super) fn is_read(name: &OsStr, format: InputFormat) -> bool {
    ends_in(name, &names(format))
}

/// How the names of files in a directory end that are read.
pub(super) fn names(format: InputFormat) -> Vec<&'static str> {
    match format {
        InputFormat::Auto => [&HTML[..], &CSS, &MHTML, &EML, &WARC].concat(),
        InputFormat::Html => HTML.to_vec(),
        InputFormat::Css => CSS.to_vec(),
        InputFormat::Http => HTTP.to_vec(),
        InputFormat::Mhtml => MHTML.to_vec(),
        InputFormat::Eml => EML.to_vec(),
        InputFormat::Warc => WARC.to_vec(),
    }
}

/// Whether a name has something before a dot, and behind it one of these ends.
fn ends_in(name: &OsStr, ends: &[&str]) -> bool {
    let name = name.as_encoded_bytes();
    ends.iter().any(|end| {
        let Some(dot) = name.len().checked_sub(end.len() + 1) else {
            return false;
        };
        dot > 0
            && !matches!(name[dot - 1], b'/' | b'\\')
            && name[dot] == b'.'
            && name[dot + 1..].eq_ignore_ascii_case(end.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_an_input_is() {
        let mime = Some(InputKind::Container(Format::Mime));
        let warc = Some(InputKind::Container(Format::Warc));
        for (name, expected) in [
            ("a.html", Some(InputKind::Html)),
            ("a/b.XHT", Some(InputKind::Html)),
            ("a.css", Some(InputKind::StyleSheet)),
            ("a.mht", mime),
            ("a.MHTML", mime),
            ("a.eml", mime),
            ("a.warc", warc),
            ("x/a.b.WARC.gz", warc),
            ("a.gz", None),
            ("a.http", None),
            ("warc", None),
            (".warc", None),
            ("a/.html", None),
            ("html", None),
            ("", None),
        ] {
            assert_eq!(InputKind::of_name(OsStr::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn html_is_never_taken_for_a_container() {
        for text in [
            "<!DOCTYPE html><title>From: me</title>",
            "From: me\nTo: you\n\n<p>a letter</p>",
            "Content-Type: text/html\n\n<p>what a script prints</p>",
            "HTTP is a protocol\n<p>",
            "WARC is a format\n<p>",
            "",
        ] {
            assert_eq!(
                InputKind::of_beginning(text.as_bytes()),
                InputKind::Html,
                "{text}"
            );
        }
        for (text, format) in [
            ("HTTP/1.1 200 OK\r\n\r\n<p>", Format::Http),
            ("Subject: x\nMIME-Version: 1.0\n\n<p>", Format::Mime),
            ("WARC/1.1\r\n", Format::Warc),
        ] {
            let form = InputKind::Container(format);
            assert_eq!(InputKind::of_beginning(text.as_bytes()), form, "{text}");
        }
    }
}
