//! Facts about one document from outside: arguments of the methods that take a document.

use std::io::{self, Read};

use absolve::options::check_encoding;
use absolve::{BaseCandidates, BaseSource, Document, DocumentKind, Profile};
use absolve_archive::DocumentRewriter;
use absolve_archive::container::content_type::ContentType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::options::{check_base, extract, named_or_auto, strings, value_error};

/// Facts about a document that come from the caller.
pub(crate) struct Facts {
    /// `None`: that which the content has.
    kind: Option<DocumentKind>,
    pub(crate) encoding: Option<String>,
    /// The base URLs by source; those of one source in order of precedence.
    pub(crate) base_urls: Vec<(BaseSource, String)>,
}

impl Facts {
    /// Validates the arguments of a method.
    ///
    /// `keywords` may contain `encoding`, `kind`, `enclosing_base` and `default_base`.
    ///
    /// # Errors
    /// `ValueError`: a value is invalid. `TypeError`: it has a wrong type, or the keyword is unknown.
    pub(crate) fn new(
        url: Option<&Bound<'_, PyAny>>,
        keywords: Option<&Bound<'_, PyDict>>,
        profile: Profile,
    ) -> PyResult<Self> {
        let mut facts = Self {
            kind: Some(DocumentKind::Html),
            encoding: None,
            base_urls: Vec::new(),
        };
        let mut add = |option: &str, source, urls: Vec<String>| {
            for url in urls {
                check_base(option, &url, profile)?;
                facts.base_urls.push((source, url));
            }
            PyResult::Ok(())
        };
        if let Some(url) = url {
            add("url", BaseSource::Retrieval, vec![extract("url", url)?])?;
        }
        for (name, value) in keywords.into_iter().flatten() {
            let name: String = name.extract()?;
            if value.is_none() {
                continue;
            }
            match name.as_str() {
                "encoding" => facts.encoding = Some(encoding(&value)?),
                "kind" => facts.kind = named_or_auto("kind", &extract::<String>("kind", &value)?)?,
                "enclosing_base" => {
                    let source = BaseSource::EncapsulatingEntity;
                    add(&name, source, strings(&name, Some(&value))?)?;
                }
                "default_base" => {
                    add(&name, BaseSource::Default, vec![extract(&name, &value)?])?;
                }
                _ => {
                    let problem = format!("unexpected keyword argument {name:?}");
                    return Err(PyTypeError::new_err(problem));
                }
            }
        }
        Ok(facts)
    }

    /// Returns the facts about a document that was retrieved with this `Content-Type`; `None` if absolve does not read
    /// such documents.
    ///
    /// A `url` that cannot be a base URL has no effect, as in an archive.
    pub(crate) fn of_retrieved(
        url: Option<&str>,
        content_type: &str,
        content: &[u8],
    ) -> Option<Self> {
        let media_type = ContentType::parse(content_type.as_bytes());
        let urls = url.map(|url| (BaseSource::Retrieval, url.to_owned()));
        Some(Self {
            kind: Some(DocumentKind::of_content(&media_type.essence, content)?),
            encoding: media_type.charset(),
            base_urls: urls.into_iter().collect(),
        })
    }

    /// Returns the retrieval URL.
    pub(crate) fn url(&self) -> Option<&str> {
        let mut urls = self.base_urls.iter();
        let url = urls.find(|(source, _)| *source == BaseSource::Retrieval);
        url.map(|(_, url)| &**url)
    }

    /// Returns the kind of the document with these bytes.
    fn kind(&self, bytes: &[u8]) -> DocumentKind {
        let kind = self.kind;
        kind.unwrap_or_else(|| DocumentKind::sniff_whole(bytes))
    }

    /// Returns the bytes of `input` that [`kind`](Self::kind) needs, which are taken from it: all of a document that
    /// may be XHTML, and none if the kind is known.
    pub(crate) fn take_sniffed(&self, mut input: impl Read) -> io::Result<Vec<u8>> {
        let mut sniffed = Vec::new();
        if self.kind.is_none() {
            let mut prefix = input.by_ref().take(DocumentKind::SNIFF_LEN as u64);
            prefix.read_to_end(&mut sniffed)?;
            if DocumentKind::needs_whole(&sniffed) {
                input.read_to_end(&mut sniffed)?;
            }
        }
        Ok(sniffed)
    }

    /// Returns the way in which the documents of a container are rewritten with these facts.
    pub(crate) fn document_rewriter<'r>(
        &'r self,
        rewriter: &'r absolve::Rewriter,
    ) -> DocumentRewriter<'r> {
        DocumentRewriter {
            rewriter,
            candidates: self.candidates(),
            encoding: self.encoding.as_deref(),
        }
    }

    /// Returns the base URLs from outside the document.
    pub(crate) fn candidates(&self) -> BaseCandidates<'_> {
        let urls = self.base_urls.iter();
        BaseCandidates::new().with_all(urls.map(|(source, url)| (*source, &**url)))
    }

    /// Returns a document of another kind than these facts have, whose URL may be added.
    pub(crate) fn document_of_kind<'d>(
        &'d self,
        kind: DocumentKind,
        bytes: &'d [u8],
    ) -> Document<'d> {
        let document = Document::of_kind(kind, bytes).candidates(self.candidates());
        let label = self.encoding.as_deref();
        label.into_iter().fold(document, Document::encoding)
    }

    /// Returns the document with these facts. A `str` has an encoding already, whatever it declares.
    pub(crate) fn document<'d>(&'d self, bytes: &'d [u8], is_text: bool) -> Document<'d> {
        let document = self.document_of_kind(self.kind(bytes), bytes);
        let label = is_text.then_some("utf-8");
        label.into_iter().fold(document, Document::encoding)
    }
}

/// Codecs of Python whose names, with hyphens, are no labels of the Encoding Standard, and labels of the encodings that
/// they are there.
const CODECS: &str = "big5hkscs=big5-hkscs cp874=windows-874 cp932=windows-31j cp949=windows-949 cp950=big5 \
    iso2022-jp=iso-2022-jp iso8859-16=iso-8859-16 mac-cyrillic=x-mac-cyrillic mac-roman=macintosh utf-16-be=utf-16be \
    utf-16-le=utf-16le utf-8-sig=utf-8";

/// Returns the label of the encoding that `name` denotes: it is a label of the Encoding Standard, or the name of a
/// codec.
///
/// # Errors
/// `ValueError`: it is neither, or the standard does not have the encoding. `TypeError`: it is no `str`.
pub(crate) fn encoding(name: &Bound<'_, PyAny>) -> PyResult<String> {
    let label: String = extract("encoding", name)?;
    let Err(mut error) = check_encoding("encoding", &label) else {
        return Ok(label);
    };
    // An exception means that Python has no such codec.
    let codec = name.py().import("codecs")?.call_method1("lookup", (name,));
    let codec = codec.and_then(|codec| codec.getattr("name")?.extract::<String>());
    let codec = codec.unwrap_or_default().replace('_', "-");
    let mut table = CODECS.split(' ').filter_map(|pair| pair.split_once('='));
    let found = table.find(|(name, _)| *name == codec);
    let found = found.map_or(&*codec, |(_, label)| label);
    if check_encoding("encoding", found).is_ok() {
        return Ok(found.to_owned());
    }
    error.hint.push_str(", or its name in Python");
    Err(value_error(error))
}
