//! Rewriting documents in containers.

use std::borrow::Cow;

use absolve::{DocumentKind, Profile};
use absolve_archive::container::transfer::{Coding, encode_coding};
use absolve_archive::container::{ContainerError, ContainerErrorKind};
use absolve_archive::{
    ArchiveSettings, Container, ContainerLimit, RecordForm, WarcItem, rewrite_warc, warc_entities,
};

/// Returns the rewritten form of a message. No document may be refused.
fn rewrite_message(source: &str, retrieved_from: Option<&str>) -> String {
    let mut settings = ArchiveSettings::new();
    if let Some(url) = retrieved_from {
        settings = settings.retrieved_from(url);
    }
    let container = Container::mime(source.as_bytes(), &settings).expect("a message");
    let rewritten = container.rewrite(&support::recording());
    assert_eq!(rewritten.refused, []);
    String::from_utf8(rewritten.bytes.into_owned()).expect("text")
}

fn related(headers: &str, html_headers: &str, html: &str, image_headers: &str) -> String {
    format!(
        "MIME-Version: 1.0\r\n{headers}Content-Type: multipart/related; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/html; charset=utf-8\r\n{html_headers}\r\n{html}\r\n\
         --b\r\nContent-Type: image/png\r\n{image_headers}\r\n...\r\n--b--\r\n"
    )
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn rewrite_keeps_links_to_parts_of_the_message() {
    // Columns: headers of the message, `Content-Location` of the document and of the image, retrieval URL of the
    // message, reference in the document, expected reference. RFC 2557 section 8.2: the URLs of parts are compared
    // octet by octet, after resolving.
    let cases = [
        // Reference and `Content-Location` resolve to the same URL.
        (
            "",
            "http://h/a/b",
            "http://h/a/i.png",
            "-",
            "i.png",
            "http://h/a/i.png",
        ),
        // The escaped target would differ from the absolute `Content-Location`, which is written instead.
        (
            "",
            "http://h/a/b",
            "http://h/a/i 1.png",
            "-",
            "i%201.png",
            "http://h/a/i%201.png",
        ),
        (
            "",
            "http://h/a/b",
            "http://h/a/i\u{e4}.png",
            "-",
            "i\u{e4}.png#f",
            "http://h/a/i\u{e4}.png#f",
        ),
        // Neither is absolute: the reference is kept.
        ("", "p.html", "i.png", "-", "i.png", "i.png"),
        // The retrieval URL does not occur in the message, so a target resolved against it would not identify the
        // part.
        (
            "",
            "p.html",
            "i.png",
            "http://from/outside/",
            "i.png",
            "i.png",
        ),
        (
            "",
            "p.html",
            "i.png",
            "http://from/outside/",
            "j.png",
            "http://from/outside/j.png",
        ),
        // The headers of the message give both a base URL.
        (
            "http://h/all/",
            "p.html",
            "i.png",
            "http://from/",
            "i.png",
            "http://h/all/i.png",
        ),
        // By Content-ID, which is never changed.
        (
            "http://h/all/",
            "p.html",
            "i.png",
            "http://from/",
            "cid:i@h",
            "cid:i@h",
        ),
        (
            "http://h/all/",
            "p.html",
            "i.png",
            "http://from/",
            "CID:i@h",
            "CID:i@h",
        ),
        // Not a part of the message.
        (
            "",
            "http://h/a/b",
            "http://h/a/i.png",
            "-",
            "j.png",
            "http://h/a/j.png",
        ),
        // `thismessage:` is neither a base URL nor a target.
        ("thismessage:/", "p.html", "i.png", "-", "i.png", "i.png"),
    ];
    for (heading, document, image, from, reference, expected) in cases {
        let field = |name: &str, value: &str| match value {
            "" => String::new(),
            value => format!("{name}: {value}\r\n"),
        };
        let make = |reference: &str| {
            related(
                &field("Content-Base", heading),
                &[
                    &field("Content-Location", document),
                    "Content-Transfer-Encoding: 8bit\r\n",
                ]
                .concat(),
                &format!("<img src=\"{reference}\">"),
                &[&field("Content-Location", image), "Content-ID: <i@h>\r\n"].concat(),
            )
        };
        let from = Some(from).filter(|from| *from != "-");
        let output = rewrite_message(&make(reference), from);
        assert_eq!(
            output,
            make(expected),
            "{heading} {document} {image} {reference}"
        );
        assert_eq!(rewrite_message(&output, from), output, "again");
    }
}

#[test]
fn rewrite_encodes_only_changed_parts() {
    let source = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\
        Content-Type: text/html\nContent-Location: http://h/a\nContent-Transfer-Encoding: quoted-printable\n\n\
        =3Cp>one=\n two\n<a href=3Dx>x</a>\n=74hree\n--b\n\
        Content-Type: text/html\nContent-Location: http://h/b\nContent-Transfer-Encoding: base64\n\n\
        PGEgaHJlZj1o\ndHRwOi8vaC94Png8L2E+\n--b--\n";
    let expected = source.replace("href=3Dx>", "href=3Dhttp://h/x>");
    assert_eq!(rewrite_message(source, None), expected);
}

#[test]
fn entities_are_documents_by_media_type() {
    let kinds = |source: &str| -> Vec<(String, DocumentKind, Option<String>)> {
        let container =
            Container::http(source.as_bytes(), &ArchiveSettings::new()).expect("a dump");
        let entities = container.entities().iter();
        entities
            .map(|entity| (entity.label.clone(), entity.kind, entity.encoding.clone()))
            .collect()
    };
    let document =
        |kind, encoding: Option<&str>| vec![("1".to_owned(), kind, encoding.map(str::to_owned))];
    let cases = [
        (
            "Content-Type: TEXT/html; Charset=\"windows-1251\"\r\n",
            "x",
            document(DocumentKind::Html, Some("windows-1251")),
        ),
        (
            "Content-Type: text/css\r\n",
            "x",
            document(DocumentKind::StyleSheet, None),
        ),
        ("Content-Type: text/plain\r\n", "<html>", vec![]),
        ("", " \n<!DocType HTML>", document(DocumentKind::Html, None)),
        ("", "<p>", vec![]),
        ("Content-Type: text/html\r\n", "", vec![]),
    ];
    for (headers, body, expected) in cases {
        let source = format!("HTTP/1.1 200 OK\r\n{headers}\r\n{body}");
        assert_eq!(kinds(&source), expected, "{source}");
    }
}

#[test]
fn rewrite_reports_bombs_and_long_documents_and_keeps_them() {
    let html = [b"<a href=x>".as_slice(), &vec![b' '; 100_000]].concat();
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
    let dump = [&head[..], &encode_coding(&html, Coding::Gzip)].concat();
    let settings = ArchiveSettings::new()
        .limit(ContainerLimit::DecodedSize, 1000)
        .retrieved_from("http://h/");
    let container = Container::http(&dump, &settings).expect("a dump");
    let entity = &container.entities()[0];
    assert_eq!(entity.bytes.len(), 1000);
    assert_eq!(
        entity.error.map(|error| error.kind),
        Some(ContainerErrorKind::BodyTooLong)
    );
    let rewritten = container.rewrite(&support::recording());
    assert!(matches!(rewritten.bytes, Cow::Borrowed(_)));
    assert_eq!(
        rewritten.refused[0].error.kind,
        ContainerErrorKind::BodyTooLong
    );
    assert_eq!(rewritten.reports[0].links.len(), 1, "what is there is read");
}

fn record(kind: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:1>\r\n{fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

#[test]
fn rewrite_warc_replaces_or_converts_records_and_copies_others() {
    let http =
        "Content-Type: application/http; msgtype=response\r\nWARC-Target-URI: http://h/a/b\r\n";
    let response = |html: &str| {
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{html}",
            html.len()
        )
    };
    let resource = "Content-Type: text/css\r\nWARC-Target-URI: <http://h/c/d.css>\r\n";
    let others = record("request", http, b"GET / HTTP/1.1\r\n\r\n");
    let before = [
        record("response", http, response("<a href=x>").as_bytes()),
        others.clone(),
        record("resource", resource, b"@import 'x';"),
        record("response", "", response("<a href=x>").as_bytes()),
        record("revisit", http, response("").as_bytes()),
    ];
    let after = [
        record(
            "response",
            http,
            response("<a href=http://h/a/x>").as_bytes(),
        ),
        others,
        record("resource", resource, b"@import 'http://h/c/x';"),
        before[3].clone(),
        before[4].clone(),
    ];
    let rewriter = support::recording().profile(Profile::Rfc3986);
    let run = |archive: &[u8], form| {
        let mut output = Vec::new();
        let mut errors = Vec::new();
        rewrite_warc(
            archive,
            &mut output,
            &ArchiveSettings::new(),
            form,
            |found| match found {
                WarcItem::Document(entity) => Some(entity.rewrite(&rewriter).bytes.into_owned()),
                WarcItem::Error(error) => {
                    errors.push(error);
                    None
                }
                _ => None,
            },
        )
        .expect("written");
        assert_eq!(errors, []);
        output
    };
    let replaced = run(&before.concat(), RecordForm::Replaced);
    assert_eq!(
        replaced.escape_ascii().to_string(),
        after.concat().escape_ascii().to_string()
    );

    let converted = run(&before.concat(), RecordForm::Conversion);
    let text = String::from_utf8(converted).expect("text");
    let mut rest = text.as_str();
    for (index, original) in before.iter().enumerate() {
        let original = std::str::from_utf8(original).expect("text");
        rest = rest.strip_prefix(original).expect("the original, as it is");
        if index == 0 || index == 2 {
            let end = rest.find("\r\n\r\nWARC/").expect("another record") + 4;
            let (conversion, tail) = rest.split_at(end);
            assert!(
                conversion.contains("WARC-Type: conversion\r\n"),
                "{conversion}"
            );
            assert!(
                conversion.contains("WARC-Refers-To: <urn:uuid:1>\r\n"),
                "{conversion}"
            );
            rest = tail;
        }
    }
    assert_eq!(rest, "");

    let members = before
        .iter()
        .map(|record| encode_coding(record, Coding::Gzip));
    let compressed = members.collect::<Vec<_>>();
    let output = run(&compressed.concat(), RecordForm::Replaced);
    let untouched = [compressed[3].clone(), compressed[4].clone()].concat();
    assert!(output.ends_with(&untouched), "as they were compressed");
    let whole =
        absolve_archive::container::transfer::decode_coding(&output, Coding::Gzip, usize::MAX);
    assert_eq!(whole.bytes, after.concat());
}

/// A conversion has no status and is replayed with the status 200, so other responses are not converted.
#[test]
fn rewrite_warc_converts_successful_responses_only() {
    let http = "Content-Type: application/http\r\nWARC-Target-URI: http://h/a/\r\n";
    let page = "\r\nContent-Type: text/html\r\n\r\n<a href=x>";
    let statuses = [
        "200 OK",
        "206 Partial Content",
        "302 Found",
        "404 Not Found",
    ];
    let archive = statuses.map(|status| {
        record(
            "response",
            http,
            format!("HTTP/1.1 {status}{page}").as_bytes(),
        )
    });
    let archive = archive.concat();
    for (form, expected) in [(RecordForm::Conversion, 1), (RecordForm::Replaced, 4)] {
        let mut output = Vec::new();
        let mut documents = 0;
        let rewrite = |item: WarcItem<'_>| match item {
            WarcItem::Document(entity) => {
                documents += 1;
                Some(entity.rewrite(&support::recording()).bytes.into_owned())
            }
            other => panic!("{other:?}"),
        };
        let settings = ArchiveSettings::new();
        rewrite_warc(&archive[..], &mut output, &settings, form, rewrite).expect("written");
        let output = String::from_utf8(output).expect("text");
        assert_eq!(
            output.matches("<a href=http://h/a/x>").count(),
            expected,
            "{form:?}"
        );
        assert_eq!(documents, expected, "{form:?}");
    }
}

/// The bodies of an archive together decode to no more than its length justifies. Records after them are read.
#[test]
fn rewrite_warc_stops_decoding_bombs() {
    let http = "Content-Type: application/http\r\nWARC-Target-URI: http://h/a/\r\n";
    let html = [b"<a href=x>".as_slice(), &vec![b' '; 8_000]].concat();
    let response = |coding: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{coding}\r\n");
        record("response", http, &[head.as_bytes(), body].concat())
    };
    let codings = [
        (Coding::Gzip, "gzip"),
        (Coding::Deflate, "deflate"),
        (Coding::Brotli, "br"),
        (Coding::Zstandard, "zstd"),
    ];
    for (coding, name) in codings {
        let once = encode_coding(&html, coding);
        let twice = encode_coding(&once, coding);
        let bombs = [
            response(&format!("Content-Encoding: {name}\r\n"), &once),
            response(&format!("Content-Encoding: {name}, {name}\r\n"), &twice),
        ];
        let archive = [bombs.concat().repeat(10), response("", b"<a href=x>")].concat();
        let mut errors = Vec::new();
        let mut output = Vec::new();
        let settings = ArchiveSettings::new()
            .limit(ContainerLimit::DecodedSize, 20_000)
            .limit(ContainerLimit::DecodedRatio, 4);
        let rewrite = |item: WarcItem<'_>| match item {
            WarcItem::Document(entity) => {
                errors.extend(entity.error.map(|error| error.kind));
                Some(entity.rewrite(&support::recording()).bytes.into_owned())
            }
            _ => None,
        };
        let form = RecordForm::Conversion;
        rewrite_warc(&archive[..], &mut output, &settings, form, rewrite).expect("written");
        assert!(errors.len() > 10 && errors.len() < 20, "{name}: {errors:?}");
        let kind = ContainerErrorKind::DecodedTooMuch;
        assert!(
            errors.iter().all(|error| *error == kind),
            "{name}: {errors:?}"
        );
        assert!(
            output.ends_with(b"\r\n\r\n<a href=http://h/a/x>\r\n\r\n"),
            "{name}"
        );
        // Members of the archive count like bodies.
        let archive = encode_coding(&record("resource", "", &vec![b' '; 9_000]), Coding::Gzip);
        let settings = ArchiveSettings::new()
            .limit(ContainerLimit::DecodedSize, 200)
            .limit(ContainerLimit::DecodedRatio, 4);
        let mut found = warc_entities(&archive[..], &settings);
        let error = found.next().and_then(Result::err).map(|error| error.kind);
        assert_eq!(error, Some(kind));
    }
}

/// A damaged member costs its own record only, and every byte of it is copied.
#[test]
fn rewrite_warc_continues_after_a_damaged_member() {
    let target = "WARC-Target-URI: http://h/a/\r\nContent-Type: text/html\r\n";
    let page = |number: usize| format!("<p>{number}</p><a href=x>{}", "y ".repeat(number * 500));
    for coding in [Coding::Gzip, Coding::Zstandard] {
        let members: Vec<Vec<u8>> = (0..6)
            .map(|number| {
                encode_coding(&record("resource", target, page(number).as_bytes()), coding)
            })
            .collect();
        // Damage: a changed byte, a missing end, a missing beginning, other bytes, and a signature alone.
        let changed = |member: &[u8]| {
            let mut member = member.to_vec();
            let middle = member.len() / 2;
            member[middle] ^= 0x55;
            member
        };
        let damages: [(&str, Vec<u8>); 5] = [
            ("changed", changed(&members[2])),
            ("end", members[2][..members[2].len() - 20].to_vec()),
            ("beginning", members[2][20..].to_vec()),
            ("other", b"not a member".to_vec()),
            ("signature", members[2][..4].to_vec()),
        ];
        for (name, damaged) in damages {
            let mut pieces = members.clone();
            pieces[2].clone_from(&damaged);
            let archive = pieces.concat();
            for form in [RecordForm::Replaced, RecordForm::Conversion] {
                let (mut output, mut found, mut errors) = (Vec::new(), Vec::new(), Vec::new());
                let rewrite = |item: WarcItem<'_>| match item {
                    WarcItem::Document(entity) if entity.error.is_none() => {
                        let text = String::from_utf8_lossy(&entity.bytes).into_owned();
                        found.push(text.chars().nth(3).unwrap_or_default());
                        Some(entity.rewrite(&support::recording()).bytes.into_owned())
                    }
                    WarcItem::Document(entity) => {
                        errors.extend(entity.error);
                        None
                    }
                    WarcItem::Error(error) => {
                        errors.push(error);
                        None
                    }
                    _ => None,
                };
                let settings = ArchiveSettings::new();
                rewrite_warc(&archive[..], &mut output, &settings, form, rewrite).expect("written");
                let context = format!("{coding:?} {name} {form:?}");
                assert_eq!(found, ['0', '1', '3', '4', '5'], "{context}: {errors:?}");
                assert_eq!(errors.len(), 1, "{context}: {errors:?}");
                let start = members[0].len() + members[1].len();
                let lost = (errors[0].offset, errors[0].skipped);
                assert_eq!(lost, (start as u64, damaged.len() as u64), "{context}");
                let kept = output
                    .windows(damaged.len())
                    .any(|bytes| *bytes == *damaged);
                assert!(kept, "{context}");
                // What was written is read to the same end, without further damage.
                let mut again = warc_entities(&output[..], &settings);
                let read = again.by_ref().flatten().count();
                let count = if form == RecordForm::Replaced { 5 } else { 10 };
                assert!(read >= count, "{context}: {read}");
                assert_eq!(again.damage(), None, "{context}");
            }
        }
        // At the end there is nothing to continue with.
        let archive = [&members[0][..], b"not a member"].concat();
        let mut entities = warc_entities(&archive[..], &ArchiveSettings::new());
        assert!(entities.next().is_some_and(|entity| entity.is_ok()));
        assert!(entities.next().is_some_and(|entity| entity.is_err()));
        assert!(entities.next().is_none());
        let damage = entities.damage().map(|error| error.kind);
        assert_eq!(damage, Some(ContainerErrorKind::NotWarc));
    }
}

/// A long record is copied in a stream, so what is lost of it need not fit into memory.
#[test]
fn rewrite_warc_continues_after_a_damaged_long_record() {
    let target = "WARC-Target-URI: http://h/a/\r\nContent-Type: text/html\r\n";
    let page = encode_coding(&record("resource", target, b"<a href=x>"), Coding::Gzip);
    // Bytes that do not compress, among them beginnings of members that are none.
    let mut seed = 1_u32;
    let mut noise = Vec::new();
    while noise.len() < 6 << 20 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        noise.extend_from_slice(&seed.to_be_bytes());
    }
    let mut long = encode_coding(&record("resource", target, &noise), Coding::Gzip);
    let length = long.len();
    for position in (2000..length - 4).step_by(1 << 10) {
        long[position..position + 4].copy_from_slice(b"\x1F\x8B\x08\0");
    }
    let archive = [&page[..], &long, &page, &page].concat();
    let settings = ArchiveSettings::new().limit(ContainerLimit::RecordSize, 1000);
    let mut entities = warc_entities(&archive[..], &settings);
    let (found, errors): (Vec<_>, Vec<_>) = entities.by_ref().partition(Result::is_ok);
    assert_eq!((found.len(), entities.damage()), (3, None));
    let errors: Vec<ContainerError> = errors.into_iter().filter_map(Result::err).collect();
    let lost: Vec<(u64, u64)> = errors
        .iter()
        .map(|error| (error.offset, error.skipped))
        .collect();
    let start = page.len() as u64;
    assert_eq!(lost, [(start, 0), (start, length as u64)], "{errors:?}");
    for form in [RecordForm::Replaced, RecordForm::Conversion] {
        let mut output = Vec::new();
        let mut errors = Vec::new();
        let rewrite = |item: WarcItem<'_>| {
            if let WarcItem::Error(error) = item {
                errors.push(error.to_string());
            }
            None
        };
        rewrite_warc(&archive[..], &mut output, &settings, form, rewrite).expect("written");
        assert_eq!(output, archive, "{form:?}");
        let lost = format!("invalid compressed data at byte {start}, {length} bytes skipped");
        assert!(errors.contains(&lost), "{errors:?}");
    }
}

/// Bytes that begin like members cost time each, so after too many of them the rest is copied without being read.
#[test]
fn rewrite_warc_ends_after_too_many_false_members() {
    let fields = "WARC-Target-URI: http://h/a/\r\nContent-Type: text/html\r\n";
    let page = encode_coding(&record("resource", fields, b"<a href=x>"), Coding::Gzip);
    for (count, expected) in [(1000, 2), (1_000_000, 1)] {
        let archive = [&page[..], &b"\x1F\x8B\x08\0".repeat(count), &page].concat();
        let settings = ArchiveSettings::new();
        let mut entities = warc_entities(&archive[..], &settings);
        assert_eq!(entities.by_ref().flatten().count(), expected, "{count}");
        assert_eq!(entities.damage().is_some(), expected == 1, "{count}");
        let mut output = Vec::new();
        let form = RecordForm::Replaced;
        rewrite_warc(&archive[..], &mut output, &settings, form, |_| None).expect("written");
        assert_eq!(output, archive, "{count}");
    }
}

/// Chromium saves a STYLE element as a part that is named by a URL without hierarchy.
#[test]
fn parts_with_content_ids_have_the_base_of_the_referring_document() {
    let part = |headers: &str, body: &str| format!("--b\r\n{headers}\r\n\r\n{body}\r\n");
    let sheet = |id: &str, body: &str| {
        let headers = format!("Content-Type: text/css\r\nContent-Location: cid:{id}@mhtml.blink");
        part(&headers, body)
    };
    let page = |location: &str, body: &str| {
        part(
            &format!("Content-Type: text/html\r\nContent-Location: {location}"),
            body,
        )
    };
    let link = |id: &str| format!("<link rel=stylesheet href=\"cid:{id}@mhtml.blink\">");
    let message = [
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n".to_owned(),
        page("http://h/a/b", &link("css-1")),
        page(
            "http://h/c/d",
            &["<base href=/e/>", &*link("css-2"), &link("css-1")].concat(),
        ),
        sheet("css-1", "a{b:url(c.png)}"),
        sheet(
            "css-2",
            "@import url(cid:css-3@mhtml.blink);a{b:url(c.png)}",
        ),
        sheet("css-3", "a{b:url(c.png)}"),
        sheet("css-4", "a{b:url(c.png)}"),
        "--b--\r\n".to_owned(),
    ];
    let message = message.concat();
    let settings = ArchiveSettings::new();
    let container = Container::mime(message.as_bytes(), &settings).expect("a message");
    let rewritten = container.rewrite(&support::recording()).bytes.into_owned();
    let rewritten = String::from_utf8(rewritten).expect("text");
    let urls: Vec<&str> = rewritten
        .split("b:url(")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    let expected = [
        "http://h/a/c.png",
        "http://h/e/c.png",
        "http://h/e/c.png",
        "c.png",
    ];
    assert_eq!(urls, expected);
    let chain = container.entities()[3].chain();
    let last = chain.last().expect("a step");
    assert_eq!((last.kind.name(), &*last.entity), ("referrer", "2"));
    assert_eq!(last.url.as_deref(), Some("http://h/e/"));
}

#[test]
fn rewrite_warc_reports_invalid_responses_and_long_records() {
    let http = "Content-Type: application/http\r\nWARC-Target-URI: http://h/\r\n";
    let archive = [
        record(
            "response",
            http,
            b"HTTPX/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>",
        ),
        record("response", http, &[b' '; 5000]),
    ]
    .concat();
    let mut errors = Vec::new();
    let mut output = Vec::new();
    let settings = ArchiveSettings::new().limit(ContainerLimit::RecordSize, 1000);
    rewrite_warc(
        &archive[..],
        &mut output,
        &settings,
        RecordForm::Replaced,
        |found| {
            if let WarcItem::Error(error) = found {
                errors.push(error.kind);
            }
            None
        },
    )
    .expect("copied");
    assert_eq!(
        errors,
        [
            ContainerErrorKind::NotHttp,
            ContainerErrorKind::RecordTooLong
        ]
    );
    assert_eq!(output, archive);
}
