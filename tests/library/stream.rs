//! Agreement of streams: a document is rewritten alike as a stream and in memory.
//!
//! Covers generated documents, legacy encodings, late declarations, damaged text, and errors of the
//! input, the output and the spool. The generated documents of `agreement.rs` are streamed there, too.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Cursor, Read, Write};

use absolve::stream::{BufferedReason, StreamError};
use absolve::{BailOut, BaseScope, Document, DocumentKind, Grammar, Profile, Rewriter, SkipReason};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use support::agreement::{SETTINGS, URL, streams, streams_in_windows};
use support::pieces;

const HEAD: &str = "<!DOCTYPE html><meta charset=utf-8><title>t</title><p>";

/// Returns links and text of at least `length` bytes.
fn padding(length: usize) -> String {
    "<a href=g>some text</a>\n".repeat(length / 24 + 1)
}

/// Returns the default setting.
fn defaults() -> &'static (&'static str, Rewriter) {
    &SETTINGS[0]
}

/// Asserts agreement on generated documents, and returns the percentage that was streamed to the end.
fn share_streamed(documents: impl Strategy<Value = Vec<u8>>) -> usize {
    const CASES: usize = 2_000;
    let config = Config {
        cases: u32::try_from(CASES).expect("a small number"),
        failure_persistence: None,
        ..Config::default()
    };
    let reasons: RefCell<HashMap<Option<BufferedReason>, usize>> = RefCell::default();
    let result = TestRunner::new(config).run(
        &(documents, 0..SETTINGS.len(), pieces::encodings()),
        |(document, setting, encoding)| {
            let (document, label) = encoding.apply(document);
            let buffered = streams(&document, label, &SETTINGS[setting]);
            *reasons.borrow_mut().entry(buffered).or_insert(0) += 1;
            Ok(())
        },
    );
    if let Err(error) = result {
        panic!("{error}");
    }
    let reasons = reasons.into_inner();
    support::print_line(&format!("streamed, or buffered: {reasons:?}"));
    reasons.get(&None).copied().unwrap_or(0) * 100 / CASES
}

#[test]
fn stream_of_generated_documents_agrees() {
    for kind in [
        &pieces::FOREIGN,
        &pieces::RAW_TEXT,
        &pieces::MARKUP,
        &pieces::BODY,
        &pieces::HEAD,
    ] {
        let share = share_streamed(pieces::documents(kind, 14));
        assert!(share >= 20, "{share} of a hundred");
    }
    share_streamed(pieces::mixed_documents(40));
}

#[test]
fn stream_of_legacy_encodings_agrees() {
    let text = format!(
        "<meta charset=LABEL><title>\u{e9}</title>{}<a href='?\u{43f}=\u{e9}'>\u{65e5}\u{672c}</a>{}",
        padding(3_000),
        padding(10)
    );
    for label in [
        "windows-1252",
        "koi8-r",
        "shift_jis",
        "gb18030",
        "big5",
        "euc-kr",
    ] {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect(label);
        let text = text.replace("LABEL", label);
        let document = encoding.encode(&text).0.into_owned();
        for window in [1, 100, 2_000] {
            let buffered = streams_in_windows(&document, None, defaults(), window);
            // The query is written in the document's encoding, which requires decoding the non-ASCII reference.
            assert!(
                matches!(buffered, None | Some(BufferedReason::Characters)),
                "{label}: {buffered:?}"
            );
        }
        // Without it, no link depends on non-ASCII text.
        let ascii_links = text.replace("?\u{43f}=\u{e9}", "?x");
        let document = encoding.encode(&ascii_links).0.into_owned();
        let buffered = streams_in_windows(&document, None, defaults(), 1_000);
        assert_eq!(buffered, None, "{label}");
    }
}

/// A name, the document, the setting, and the expected reason for buffering.
type Case<'c> = (
    &'c str,
    Vec<u8>,
    &'c (&'c str, Rewriter),
    Option<BufferedReason>,
);

/// Every reason for buffering, whenever it arises; the output agrees in all cases.
#[test]
fn stream_buffers_when_the_whole_document_is_needed() {
    let long = padding(4_000);
    let base_later = Rewriter::new().base_scope(BaseScope::Document);
    let late_base = format!("{HEAD}{long}<base href=http://late/>{long}");
    let anywhere = ("BASE anywhere", base_later.clone());
    let cases: [Case<'_>; 14] = [
        (
            "short",
            b"<a href=g>".to_vec(),
            defaults(),
            Some(BufferedReason::Short),
        ),
        ("plain", format!("{HEAD}{long}").into(), defaults(), None),
        (
            "no encoding",
            format!("<p>{long}").into(),
            defaults(),
            Some(BufferedReason::Encoding),
        ),
        (
            "late declaration",
            format!("<p>{long}<meta charset=koi8-r><a href='?\u{e9}'>{long}").into(),
            defaults(),
            Some(BufferedReason::Encoding),
        ),
        (
            "late declaration that does not count",
            format!("{HEAD}{long}<meta charset=koi8-r><a href='?\u{e9}'>{long}").into(),
            defaults(),
            None,
        ),
        (
            "BASE in BODY",
            late_base.clone().into(),
            defaults(),
            Some(BufferedReason::Tree(BailOut::BaseAfterHead)),
        ),
        (
            "BASE that may count",
            late_base.clone().into(),
            &anywhere,
            Some(BufferedReason::Base),
        ),
        (
            "BASE in HEAD that counts",
            format!("<meta charset=utf-8><base href=/b/>{long}<p>{long}").into(),
            &anywhere,
            None,
        ),
        (
            "BASE after TEMPLATE in HEAD",
            format!("<meta charset=utf-8><template>{long}</template><base href=/b/><p>{long}")
                .into(),
            defaults(),
            Some(BufferedReason::Base),
        ),
        (
            "no end of HEAD",
            format!("<meta charset=utf-8><style>{long}").into(),
            defaults(),
            Some(BufferedReason::Base),
        ),
        (
            "long HEAD",
            format!("<meta charset=utf-8><style>{long}</style><base href=/b/><p><a href=g>").into(),
            defaults(),
            None,
        ),
        (
            "damaged in the middle",
            [
                format!("{HEAD}{long}").as_bytes(),
                b"\xe9\xff",
                long.as_bytes(),
            ]
            .concat(),
            defaults(),
            Some(BufferedReason::Characters),
        ),
        (
            "half a character at the end",
            [format!("{HEAD}{long}").as_bytes(), b"\xe2\x82"].concat(),
            defaults(),
            Some(BufferedReason::Characters),
        ),
        (
            "misnested SVG at the end",
            format!("{HEAD}<div>{long}<svg><g></div>{long}").into(),
            defaults(),
            Some(BufferedReason::Tree(BailOut::MisnestedForeignContent)),
        ),
    ];
    for (name, document, setting, expected) in cases {
        for window in [1, 64, 1_500] {
            let buffered = streams_in_windows(&document, None, setting, window);
            assert_eq!(buffered, expected, "{name}, in windows of {window}");
        }
    }
    // The profile alone has the same effect as `BaseScope::Document`.
    let whatwg = ("URL Standard", Rewriter::new().profile(Profile::Whatwg));
    let buffered = streams_in_windows(late_base.as_bytes(), None, &whatwg, 64);
    assert_eq!(buffered, Some(BufferedReason::Base));
}

/// A rewritten link may declare another encoding. The document is left unchanged then.
#[test]
fn stream_checks_output_for_an_encoding_declaration() {
    let input = format!(
        "<meta http-equiv=content-type content=g><meta charset=utf-8><title>\u{e9}</title><p>{}",
        padding(4_000)
    );
    let link = "meta[content]".parse().expect("a selector");
    let rewriter = Rewriter::new()
        .profile(Profile::Rfc3986)
        .link(link, Grammar::Url);
    for (url, expected) in [
        ("http://h/charset=koi8-r;/x", Some(BufferedReason::Encoding)),
        ("http://h/charset=utf-8;/x", None),
    ] {
        for window in [1, 64, 1_500] {
            let document = Document::new(b"").retrieved_from(url);
            let spool = || Ok(Cursor::new(Vec::new()));
            let mut output = Vec::new();
            let streamed = rewriter.clone().chunk_len(window).rewrite_stream(
                &document,
                input.as_bytes(),
                spool,
                &mut output,
            );
            let streamed = streamed.expect("rewritten");
            assert_eq!(streamed.buffered, expected, "{url}, in windows of {window}");
            assert_eq!(streamed.is_changed, expected.is_none());
            let unwritten = expected.map(|_| SkipReason::EncodingDeclaration);
            assert_eq!(streamed.report.unwritten, unwritten);
            if expected.is_some() {
                assert_eq!(output, input.as_bytes());
            }
        }
    }
}

/// Links next to invalid bytes, and between the lead byte and the trail byte of a character.
#[test]
fn stream_of_damaged_text_agrees() {
    for (label, damaged) in [
        ("utf-8", &b"<a href=\xe2\x82\"../g>"[..]),
        ("utf-8", b"<img srcset='\xe2 g 1x,\x82 h 2x'>"),
        ("utf-8", b"<a href=\"\xe2\x82&#x2f;g\">"),
        ("utf-8", b"<style>\xf0url(\x9f../g\x92)\xa9</style>"),
        ("gbk", b"<a href=\x81\"../g>\x81<a href=\x81>"),
        (
            "gb18030",
            b"<a href='\x810../g'><style>\x81\x30\x81url(0)</style>",
        ),
        ("shift_jis", b"<style>\x81url(\x81)\x81</style>\x81"),
        ("big5", b"<a href=\x81><base href=\x81>"),
    ] {
        for tail in ["", "<a href=g>"] {
            let start = format!("<title>t</title><p>{}", padding(4_000));
            let document = [start.as_bytes(), damaged, tail.as_bytes()].concat();
            for window in [1, 64, 1_500] {
                streams_in_windows(&document, Some(label), defaults(), window);
            }
        }
    }
}

/// A spool with room for a limited number of bytes.
struct Full {
    room: usize,
    spooled: Cursor<Vec<u8>>,
}

impl Read for Full {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.spooled.read(buffer)
    }
}

impl Write for Full {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.room = self
            .room
            .checked_sub(buffer.len())
            .ok_or(io::ErrorKind::StorageFull)?;
        self.spooled.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for Full {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.spooled.seek(to)
    }
}

#[test]
fn stream_spool_error_matters_only_if_the_spool_is_needed() {
    let long = padding(4_000);
    let document = Document::new(b"").retrieved_from(URL);
    let rewriter = Rewriter::new().chunk_len(64);
    let full = || {
        Ok(Full {
            room: 1_000,
            spooled: Cursor::default(),
        })
    };
    let input = format!("{HEAD}{long}");
    let mut output = Vec::new();
    let streamed = rewriter.rewrite_stream(&document, input.as_bytes(), full, &mut output);
    assert_eq!(streamed.expect("not needed").buffered, None);
    let whole = Document::new(input.as_bytes()).retrieved_from(URL);
    assert_eq!(output, *rewriter.rewrite(&whole).bytes);

    let input = format!("{input}<base href=x>");
    let streamed = rewriter.rewrite_stream(&document, input.as_bytes(), full, &mut Vec::new());
    assert!(
        matches!(streamed, Err(StreamError::Spool(error)) if error.kind() == io::ErrorKind::StorageFull)
    );

    let failing = || Err::<Full, _>(io::ErrorKind::PermissionDenied.into());
    let mut output = Vec::new();
    let streamed = rewriter.rewrite_stream(&document, input.as_bytes(), failing, &mut output);
    assert_eq!(
        streamed.expect("buffered").buffered,
        Some(BufferedReason::Spool)
    );
    let whole = Document::new(input.as_bytes()).retrieved_from(URL);
    assert_eq!(output, *rewriter.rewrite(&whole).bytes);
}

/// The spool is the caller's: one that returns less than a BOM was a panic.
#[test]
fn stream_spool_that_loses_its_bytes_is_an_error() {
    let document = Document::of_kind(DocumentKind::Xml, b"").retrieved_from(URL);
    let rewriter = Rewriter::new().chunk_len(64);
    for bom in ["", "\u{feff}"] {
        let input = format!("{bom}<r>{}</r>", "<a/>".repeat(1_000));
        let lossy = || Ok(io::empty());
        let mut output = Vec::new();
        let streamed = rewriter.rewrite_stream(&document, input.as_bytes(), lossy, &mut output);
        assert!(
            matches!(streamed, Err(StreamError::Spool(_))),
            "{streamed:?}"
        );
        assert!(output.is_empty());
    }
}

/// A reader that returns an error after its bytes.
struct Broken<'b>(&'b [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        self.0.read(buffer)
    }
}

#[test]
fn stream_output_before_an_error_is_correct() {
    let input = format!("{HEAD}{}", padding(4_000));
    let document = Document::new(b"").retrieved_from(URL);
    let rewriter = Rewriter::new().chunk_len(64);
    let spool = || Ok(Cursor::new(Vec::new()));
    let mut output = Vec::new();
    let broken = Broken(input.as_bytes());
    let error = rewriter.rewrite_stream(&document, broken, spool, &mut output);
    assert!(matches!(error, Err(StreamError::Read(_))), "{error:?}");
    let whole = Document::new(input.as_bytes()).retrieved_from(URL);
    let expected = rewriter.rewrite(&whole).bytes;
    assert!(output.len() > 4_000, "{} bytes", output.len());
    assert!(expected.starts_with(&output));

    let mut small = [0; 2_000];
    let error = rewriter.rewrite_stream(&document, input.as_bytes(), spool, &mut small[..]);
    assert!(matches!(error, Err(StreamError::Write(_))), "{error:?}");
    assert!(expected.starts_with(&small));
}
