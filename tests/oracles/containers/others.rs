//! Comparison with other programs that read containers: Python's `email` and warcio.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use absolve::{Document, DocumentKind, Unwrap};
use absolve_archive::container::mime::{Content, Message};
use absolve_archive::{ArchiveSettings, Container, RecordForm, WarcItem, rewrite_warc};
use serde_json::Value;
use support::world;

/// Runs a Python `script`, and returns its output.
///
/// Calls [`support::missing`] and returns `None` if Python or `module` is not installed.
fn python(module: &str, script: &str, arguments: &[&Path]) -> Option<String> {
    let has_module = Command::new("python3")
        .args(["-c", &format!("import {module}")])
        .output();
    if !has_module.is_ok_and(|output| output.status.success()) {
        support::missing(&format!(
            "python3 with the modules {module} (pip install {})",
            module.replace(',', "")
        ));
        return None;
    }
    let output = Command::new("python3")
        .args(["-c", script])
        .args(arguments)
        .output()
        .expect("python3");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// Prints, for each part in order: depth, type, and the SHA-1 digest of the decoded body of parts without children.
const PARTS: &str = r"
import email, email.policy, hashlib, sys
def show(part, depth):
    inner = part.get_payload() if part.is_multipart() else []
    body = '-' if inner else hashlib.sha1(part.get_payload(decode=True)).hexdigest()
    print(depth, part.get_content_type(), body)
    for child in inner:
        show(child, depth + 1)
for path in sys.argv[1:]:
    print(path)
    show(email.message_from_bytes(open(path, 'rb').read(), policy=email.policy.compat32), 0)
";

/// Samples that absolve parses differently than Python, with the reasons.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "cpython_msg_15.txt",
        "two entities, one in the other, with the same boundary: Python gives it to the outer one, we as its author meant",
    ),
    (
        "mailparser_malformed_000.eml",
        "two boundaries with nothing between them: an empty part for us, one boundary for Python",
    ),
    (
        "mailparser_malformed_005.eml",
        "a boundary that is the last one of the entity around it, too: for Python it is that",
    ),
    (
        "mailparser_malformed_008.eml",
        "no last boundary: Python takes the line end at the end of the file away",
    ),
    (
        "mailparser_malformed_019.eml",
        "a field name with a space in it: for Python the headers end there, for us a line `Fro :` is one, as RFC 5322 4.5 has it",
    ),
    (
        "mailparser_thirdparty_012.eml",
        "a boundary in two lines: Python does not unfold it (RFC 5322 section 2.2.3)",
    ),
];

/// Returns the parts like [`PARTS`], with the decoded body in place of its digest.
fn own_parts(source: &[u8]) -> Vec<(usize, String, Option<Vec<u8>>)> {
    let message = Message::split(source).expect("a message");
    (0..message.entities.len())
        .map(|index| {
            let entity = &message.entities[index];
            let body = (entity.content == Content::Leaf)
                .then(|| entity.document(source).expect("a body").into_owned());
            let depth = message.ancestors(index).count() - 1;
            (depth, entity.content_type(source).essence, body)
        })
        .collect()
}

fn sha1_hex(bytes: &[u8]) -> String {
    use sha1::Digest;
    let digest: [u8; 20] = sha1::Sha1::digest(bytes).into();
    digest
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

#[test]
fn python_email_reads_rewritten_messages() {
    let Some(corpora) = support::corpora("containers") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let mut sources = Vec::new();
    for path in support::files(&corpora, &["eml", "txt", "mht", "mhtml"]) {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let source = fs::read(&path).expect("a sample");
        let settings = ArchiveSettings::new().retrieved_from("http://retrieval.example/a/b");
        let container = Container::mime(&source, &settings).expect("a message");
        let rewritten = container.rewrite(&support::recording());
        assert_eq!(rewritten.refused, [], "{name}");
        sources.push((name.clone(), source.clone()));
        sources.push((format!("rewritten-{name}"), rewritten.bytes.into_owned()));
    }
    let paths: Vec<_> = sources
        .iter()
        .map(|(name, _)| folder.path().join(name))
        .collect();
    for (path, (_, source)) in paths.iter().zip(&sources) {
        fs::write(path, source).expect("written");
    }
    let arguments: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    let Some(printed) = python("email", PARTS, &arguments) else {
        return;
    };
    let mut lines = printed.lines();
    let mut different = Vec::new();
    let mut parts = 0;
    let mut next = lines.next();
    for (path, (name, source)) in paths.iter().zip(&sources) {
        assert_eq!(next, path.to_str(), "the order of the files");
        let mut theirs = Vec::new();
        loop {
            next = lines.next();
            match next {
                Some(line) if !line.starts_with('/') => theirs.push(line.to_owned()),
                _ => break,
            }
        }
        let ours: Vec<String> = own_parts(source)
            .into_iter()
            .map(|(depth, essence, body)| {
                let body = body.map_or_else(|| "-".to_owned(), |body| sha1_hex(&body));
                format!("{depth} {essence} {body}")
            })
            .collect();
        parts += ours.len();
        let is_known = DIFFERENT.iter().any(|(known, _)| name.ends_with(known));
        if is_known == (ours == theirs) {
            different.push(format!("{name}\n ours   {ours:?}\n theirs {theirs:?}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    support::print_line(&format!(
        "containers: python's email reads {parts} parts as we do"
    ));
}

/// Prints, for each message: its separator line, and its header fields except for the length of the body.
const MESSAGES: &str = r"
import mailbox, sys
for path in sys.argv[1:]:
    for message in mailbox.mbox(path, create=False):
        fields = [field for field in message.items() if field[0] != 'Content-Length']
        print(repr((message.get_from(), fields)))
    print()
";

#[test]
fn python_mailbox_reads_rewritten_mailboxes() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = include_bytes!("../../../fixtures/containers/mailbox.mbox");
    let container = Container::mime(source, &ArchiveSettings::new()).expect("a mailbox");
    let rewritten = container.rewrite(&support::recording());
    assert_ne!(&*rewritten.bytes, source);
    let paths = ["before", "after"].map(|name| folder.path().join(name));
    fs::write(&paths[0], source).expect("written");
    fs::write(&paths[1], rewritten.bytes).expect("written");
    let arguments: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    let Some(printed) = python("mailbox", MESSAGES, &arguments) else {
        return;
    };
    let (before, after) = printed.split_once("\n\n").expect("two mailboxes");
    assert_eq!(before, after.trim_end());
    // Two more than absolve finds: every line that begins with `From ` is a separator for Python.
    assert_eq!(before.lines().count(), 8);
}

/// Prints, for each record: type, URL, whether its digests are correct, and the length of its decoded content.
const RECORDS: &str = r"
import sys
from warcio.archiveiterator import ArchiveIterator
for path in sys.argv[1:]:
    for record in ArchiveIterator(open(path, 'rb'), check_digests=True):
        content = record.content_stream().read()
        print(record.rec_type, record.rec_headers.get_header('WARC-Target-URI'), record.digest_checker.passed, len(content))
";

#[test]
fn warcio_reads_rewritten_archives_with_valid_digests() {
    let Some(corpora) = support::corpora("containers/warc") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (mut paths, mut expected) = (Vec::new(), Vec::new());
    for name in [
        "warcio_example-resource.warc.gz",
        "pywb_iana.warc.gz",
        "warcio_example-iana.org-chunked.warc",
        "pywb_example2.warc.gz",
        "pywb_example-wget-1-14.warc.gz",
        "warcio_example-wget-bad-target-uri.warc.gz",
    ] {
        let source = fs::read(corpora.join(name)).expect("a sample");
        for form in [RecordForm::Replaced, RecordForm::Conversion] {
            let mut output = Vec::new();
            rewrite_warc(
                &source[..],
                &mut output,
                &ArchiveSettings::new(),
                form,
                |found| {
                    let WarcItem::Document(entity) = found else {
                        return None;
                    };
                    // Every document is changed, whether or not it contains links.
                    let new = [
                        &entity.rewrite(&support::recording()).bytes,
                        &b"<!-- new -->"[..],
                    ]
                    .concat();
                    let kind = if form == RecordForm::Conversion {
                        "conversion"
                    } else {
                        ""
                    };
                    expected.push(format!("{kind} {} {}", entity.url.clone()?, new.len()));
                    Some(new)
                },
            )
            .expect("written");
            let path = folder.path().join(format!("{form:?}-{name}"));
            fs::write(&path, output).expect("written");
            paths.push(path);
        }
    }
    let arguments: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    let Some(printed) = python("warcio", RECORDS, &arguments) else {
        return;
    };
    let rows: Vec<Vec<&str>> = printed
        .lines()
        .map(|line| line.split(' ').collect())
        .collect();
    let wrong: Vec<_> = rows.iter().filter(|row| row[2] == "False").collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    for wanted in &expected {
        let wanted: Vec<&str> = wanted.split(' ').collect();
        let is_there = rows.iter().any(|row| {
            (wanted[0].is_empty() || row[0] == wanted[0])
                && row[1] == wanted[1]
                && row[3] == wanted[2]
        });
        assert!(is_there, "{wanted:?}");
    }
    support::print_line(&format!(
        "containers: warcio reads {} records, {} of them with new documents",
        rows.len(),
        expected.len()
    ));
}

/// Returns the archive of that name in `fixtures/containers`, with rewritten documents in the given form.
fn rewritten_fixture(name: &str, form: RecordForm) -> Vec<u8> {
    let folder = support::root().join("fixtures/containers");
    rewritten(&fs::read(folder.join(name)).expect("the fixture"), form)
}

/// Returns an archive with its documents rewritten.
fn rewritten(source: &[u8], form: RecordForm) -> Vec<u8> {
    let (mut output, settings) = (Vec::new(), ArchiveSettings::new());
    let rewrite = |item: WarcItem<'_>| match item {
        WarcItem::Document(entity) => {
            Some(entity.rewrite(&support::recording()).bytes.into_owned())
        }
        _ => None,
    };
    rewrite_warc(source, &mut output, &settings, form, rewrite).expect("written");
    output
}

/// Decompresses an archive frame by frame with the dictionary at its beginning, and prints the records as [`RECORDS`]
/// does, with the decoded text from the first link on.
///
/// `zstandard` and `brotli` decode bodies; warcio does not know `zstd`.
const COMPRESSED_RECORDS: &str = r"
import io, struct, sys
import brotli, zstandard
from warcio.archiveiterator import ArchiveIterator

def records(data):
    dictionary, frames, position = None, [], 0
    while position < len(data):
        magic, length = struct.unpack_from('<II', data, position)
        if magic & 0xFFFFFFF0 == 0x184D2A50:
            content = data[position + 8:position + 8 + length]
            if magic == 0x184D2A5D:
                if content[:4] == b'\x28\xb5\x2f\xfd':
                    content = zstandard.ZstdDecompressor().decompress(content)
                dictionary = zstandard.ZstdCompressionDict(content)
            else:
                print('skippable', content)
            position += 8 + length
        else:
            decoder = zstandard.ZstdDecompressor(dict_data=dictionary).decompressobj()
            frames.append(decoder.decompress(data[position:]))
            assert decoder.eof
            position = len(data) - len(decoder.unused_data)
    return frames

def decoded(body, codings):
    for coding in reversed(codings):
        if coding == 'br':
            body = brotli.decompress(body)
        elif coding == 'zstd':
            body = zstandard.ZstdDecompressor().decompressobj().decompress(body)
        elif coding == 'gzip':
            import gzip
            body = gzip.decompress(body)
    return body

for path in sys.argv[1:]:
    data = open(path, 'rb').read()
    plain = [data] if data.startswith(b'WARC/') else records(data)
    for record in ArchiveIterator(io.BytesIO(b''.join(plain)), check_digests=True):
        body = record.raw_stream.read()
        http = record.http_headers
        codings = (http.get_header('Content-Encoding') or '').split(', ') if http else []
        text = decoded(body, codings) if http or record.rec_type == 'conversion' else b''
        passed = record.digest_checker.passed
        print(record.rec_type, passed, '+'.join(codings) or '-', text[text.find(b'<a'):].decode())
";

#[test]
fn python_reads_rewritten_bodies_and_frames() {
    let folder = tempfile::tempdir().expect("a folder");
    let references = |url: &str, number: usize| {
        let next = number + 1;
        format!("<a href=\"{url}{next}.html\">next</a><img src=\"{url}i/logo.png\">")
    };
    let codings = ["-", "br", "zstd", "gzip", "zstd+br"];
    for name in ["codings.warc", "dictionary.warc.zst"] {
        let is_compressed = name == "dictionary.warc.zst";
        for form in [RecordForm::Replaced, RecordForm::Conversion] {
            let path = folder.path().join(name);
            fs::write(&path, rewritten_fixture(name, form)).expect("written");
            let Some(printed) = python("zstandard, brotli, warcio", COMPRESSED_RECORDS, &[&path])
            else {
                return;
            };
            let mut expected = Vec::new();
            if is_compressed {
                expected.push("skippable b'between records'".to_owned());
                expected.push("skippable b''".to_owned());
            }
            expected.push("warcinfo True - ".to_owned());
            for (index, coding) in codings.iter().enumerate() {
                let url = "http://www.example.org/d/";
                if form == RecordForm::Replaced {
                    let text = references(url, index + 1);
                    expected.push(format!("response True {coding} {text}"));
                } else {
                    let [old, new] = ["", url].map(|url| references(url, index + 1));
                    expected.push(format!("response True {coding} {old}"));
                    expected.push(format!("conversion True - {new}"));
                }
            }
            let printed: Vec<&str> = printed.lines().collect();
            assert_eq!(printed, expected, "{name} {form:?}");
        }
    }
}

/// Adds an archive to a collection of pywb, replays each URL and prints its status and its links, or with a modifier the
/// page as JSON.
const REPLAY: &str = r#"
import json, os, re, subprocess, sys, tempfile
path = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
from pywb.manager.manager import main
main(['init', 'c'])
main(['add', 'c', path])
from pywb.apps.frontendapp import FrontEndApp
from webtest import TestApp
app = TestApp(FrontEndApp(config_file=None))
for capture in sys.argv[2:]:
    when, url, *modifier = capture.split(' ')
    response = app.get(f'/c/{when}000000{modifier[0] if modifier else "id_"}/{url}', expect_errors=True)
    if modifier:
        print(json.dumps(response.text))
    else:
        print(response.status_int, *re.findall(r'href="([^"]*)"', response.text))
"#;

#[test]
fn pywb_replays_revisits_of_rewritten_responses() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("revisits.warc");
    fs::write(
        &path,
        rewritten_fixture("revisits.warc", RecordForm::Replaced),
    )
    .expect("written");
    let captures = [
        "20200101 http://a.example/d/page",
        "20200102 http://a.example/d/page",
        "20200103 http://b.example/e/page",
    ];
    let Some(replayed) = replay(&path, &captures) else {
        return;
    };
    assert_eq!(replayed, ["200 http://a.example/d/y"; 3]);
}

/// Returns the status and the links of captures, each a date and a URL, that pywb replays from an archive.
fn replay(archive: &Path, captures: &[&str]) -> Option<Vec<String>> {
    let captures = captures.iter().map(Path::new);
    let arguments: Vec<&Path> = std::iter::once(archive).chain(captures).collect();
    let printed = python("pywb", REPLAY, &arguments)?;
    let lines = printed
        .lines()
        .filter(|line| line.starts_with(char::is_numeric));
    Some(lines.map(str::to_owned).collect())
}

/// Links of pages that pywb replays have the targets that they had in the captured pages.
#[test]
fn pages_that_pywb_replays_are_unwrapped() {
    let site = [
        (
            "http://h.example/d/index.html mp_",
            "text/html",
            r##"<!doctype html><html><head><base href="/d/"><link rel=stylesheet href="../s.css"><title>x</title>
<style>a { background: url("/i.png") }</style></head><body><a href="b.html">b</a> <a href="/c?x=1&amp;y=2#f">c</a>
<a href="../c.html">d</a> <a href="//g.example/x">e</a> <a href="https://g.example/y">f</a> <a href="#top">g</a>
<a href="mailto:a@b.example">h</a> <img src="i.png" srcset="i.png 1x, /i2.png 2x"> <form action="/f"></form>
<iframe src="frame.html"></iframe><meta http-equiv=refresh content="5; url=/d/b.html"></body></html>"##,
        ),
        (
            "http://h.example/s.css cs_",
            "text/css",
            r#"@import "m.css"; a { background: url(/i.png) } b { background: url(d/j.png) }"#,
        ),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("crawl.warc");
    let records = site.iter().enumerate().map(|(number, (url, media_type, body))| {
        let url = url.split(' ').next().unwrap_or_default();
        let length = body.len();
        let block = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
             WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    });
    fs::write(&path, records.collect::<String>()).expect("written");
    let captures = site.map(|(url, ..)| format!("20200101 {url}"));
    let captures = captures.iter().map(Path::new);
    let arguments: Vec<&Path> = std::iter::once(&*path).chain(captures).collect();
    let Some(printed) = python("pywb", REPLAY, &arguments) else {
        return;
    };
    let pages = printed.lines().filter(|line| line.starts_with('"'));
    let pages: Vec<String> = pages
        .map(|line| serde_json::from_str(line).expect("a page"))
        .collect();
    assert_eq!(pages.len(), site.len(), "{printed}");
    let rewriter = support::recording().unwrap_urls(Unwrap::Wayback);
    for (page, (url, media_type, original)) in pages.iter().zip(site) {
        // The scripts that pywb inserts remain, and are not those of the page.
        let (before, banner) = page.split_once("<!-- WB Insert -->").unwrap_or(("", page));
        let rest = banner
            .split_once("<!-- End WB Insert -->")
            .map_or(banner, |(_, rest)| rest);
        let (url, modifier) = url.split_once(' ').expect("a modifier");
        let replayed = format!("http://localhost:80/c/20200101000000{modifier}/{url}");
        let kind = DocumentKind::of(media_type).expect("a kind");
        let targets = |page: &str, url: &str| {
            let document = Document::of_kind(kind, page.as_bytes()).retrieved_from(url);
            let rewritten = rewriter.rewrite(&document);
            let again = Document::of_kind(kind, &rewritten.bytes).retrieved_from(url);
            assert_eq!(rewriter.rewrite(&again).bytes, rewritten.bytes, "{url}");
            let links = rewritten.report.links.iter();
            let targets = links.map(|link_report| link_report.target().map(str::to_owned));
            targets.collect::<Vec<_>>()
        };
        let found = targets(&[before, rest].concat(), &replayed);
        assert_eq!(found, targets(original, url), "{page}");
    }
}

/// Redirects and error pages have the status that they had when they were captured.
#[test]
fn pywb_replays_every_status_of_a_rewritten_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = [
        ("200 OK", "http://a.example/d/page"),
        (
            "302 Found\r\nLocation: http://a.example/d/page",
            "http://a.example/d/old",
        ),
        ("301 Moved\r\nLocation: /d/page", "http://a.example/d/older"),
        ("404 Not Found", "http://a.example/d/missing"),
        ("500 Internal Server Error", "http://a.example/d/broken"),
    ];
    let archive = pages.iter().enumerate().map(|(number, (status, url))| {
        let block = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: 17\r\n\r\n<a href=\"y\">z</a>"
        );
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
             WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    });
    let archive = archive.collect::<String>();
    for form in [RecordForm::Conversion, RecordForm::Replaced] {
        let path = folder.path().join(format!("{form:?}.warc"));
        fs::write(&path, rewritten(archive.as_bytes(), form)).expect("written");
        let captures = pages.map(|(_, url)| format!("20200101 {url}"));
        let captures = captures.each_ref().map(String::as_str);
        let Some(replayed) = replay(&path, &captures) else {
            return;
        };
        let link = match form {
            RecordForm::Conversion => "y",
            RecordForm::Replaced => "http://a.example/d/y",
        };
        let expected = [
            "200 http://a.example/d/y".to_owned(),
            format!("302 {link}"),
            format!("301 {link}"),
            format!("404 {link}"),
            format!("500 {link}"),
        ];
        assert_eq!(replayed, expected, "{form:?}");
    }
}

/// Prints, for each record: type, URL, and whether its block and payload digests are correct.
const FAST_RECORDS: &str = r"
import sys
from fastwarc.warc import ArchiveIterator
for path in sys.argv[1:]:
    for record in ArchiveIterator(open(path, 'rb'), parse_http=False):
        print(record.headers.get('WARC-Type'), record.headers.get('WARC-Target-URI'), record.verify_block_digest())
";

#[test]
fn fastwarc_reads_rewritten_archives_with_valid_digests() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("revisits.warc");
    fs::write(
        &path,
        rewritten_fixture("revisits.warc", RecordForm::Replaced),
    )
    .expect("written");
    let Some(printed) = python("fastwarc", FAST_RECORDS, &[&path]) else {
        return;
    };
    let rows: Vec<&str> = printed.lines().collect();
    let expected = [
        "response http://a.example/d/page True",
        "revisit http://a.example/d/page True",
        "revisit http://b.example/e/page True",
    ];
    assert_eq!(rows, expected);
}

/// Prints the index of each archive, a line for each capture.
const PYWB_INDEX: &str = r"
import sys
from pywb.indexer.cdxindexer import main
for path in sys.argv[1:]:
    main(['-j', path])
";

/// Captures of which pywb writes something else than absolve, with the reasons: file and offset.
const CAPTURES: &[(&str, &str, &str)] = &[
    (
        "pywb_example-extra.warc",
        "3207",
        "a status line `HTTPX/1.1`: pywb reads the status of any line, we that of HTTP",
    ),
    (
        "warcio_example-wrong-chunks.warc.gz",
        "0",
        "a record in three gzip members: the length of pywb is that of the first member, which does not suffice",
    ),
];

/// Returns the captures of an index by file and offset: key, timestamp and JSON.
fn captures(index: &str) -> BTreeMap<(String, String), (String, Value)> {
    let capture = |line: &str| {
        let (key, json) = line.split_at(line.find(" {").expect("a line of CDXJ"));
        let mut fields: Value = serde_json::from_str(json).expect("JSON");
        let mut take = |name: &str| {
            let field = fields[name].take();
            field.as_str().expect("text").to_owned()
        };
        let place = (take("filename"), take("offset"));
        (place, (key.to_owned(), fields))
    };
    index.lines().map(capture).collect()
}

/// Both indexes have the same captures, keys and fields, with these differences:
///
/// - absolve has the name of the algorithm in the digest, and the status of revisits, as later programs of the same
///   authors do;
/// - for pywb, a media type that is not known is `unk`;
/// - without compression, pywb leaves the line breaks after a record out of its length.
#[test]
fn pywb_indexes_the_same_captures() {
    let Some(corpora) = support::corpora("containers/warc") else {
        return;
    };
    let files = fs::read_dir(corpora).expect("samples");
    let mut paths: Vec<_> = files.map(|file| file.expect("a sample").path()).collect();
    paths.sort();
    let arguments: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    let Some(printed) = python("pywb", PYWB_INDEX, &arguments) else {
        return;
    };
    let theirs = captures(&printed);
    let paths = paths.iter().map(|path| path.to_str().expect("a name"));
    let arguments: Vec<&str> = ["index", "--format", "cdxj"]
        .into_iter()
        .chain(paths)
        .collect();
    // Some archives are damaged.
    let ours = captures(&world::run(&arguments, "").exits_with(2).stdout);
    let mut differences = Vec::new();
    for (place, (key, fields)) in &theirs {
        let (own_key, own_fields) = ours.get(place).unwrap_or_else(|| panic!("{place:?}"));
        let mut own_fields = own_fields.clone();
        let digest = own_fields["digest"].as_str().expect("a digest");
        own_fields["digest"] = digest.split(':').next_back().into();
        if fields["mime"] == "warc/revisit" {
            own_fields["status"].take();
        }
        let length = |fields: &Value| fields["length"].as_str()?.parse::<usize>().ok();
        let added = length(&own_fields)
            .zip(length(fields))
            .map(|(own, their)| own.wrapping_sub(their));
        let is_compressed = place.0.contains(".gz");
        if added.is_some_and(|added| added <= 6 && (added == 0 || !is_compressed)) {
            own_fields["length"] = fields["length"].clone();
        }
        let fields_of = |fields: &Value| {
            let names = ["url", "mime", "status", "digest", "length"];
            names.map(|name| fields[name].as_str().unwrap_or_default().replace("unk", ""))
        };
        if (own_key, fields_of(&own_fields)) != (key, fields_of(fields)) {
            differences.push((place.clone(), own_fields, fields));
        }
    }
    let is_known = |place: &(String, String)| {
        let mut known = CAPTURES.iter();
        known.any(|(file, offset, _)| (*file, *offset) == (&*place.0, &*place.1))
    };
    let (known, other): (Vec<_>, Vec<_>) =
        differences.iter().partition(|(place, ..)| is_known(place));
    assert!(other.is_empty(), "{other:#?}");
    assert_eq!(
        known.len(),
        CAPTURES.len(),
        "fewer differences than are listed"
    );
    let places = |index: &BTreeMap<_, _>| index.keys().cloned().collect::<Vec<_>>();
    assert_eq!(places(&ours), places(&theirs));
}
