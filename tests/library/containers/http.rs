//! HTTP messages as clients print them.

use absolve_archive::container::ContainerErrorKind;
use absolve_archive::container::http::{split_dump, split_response};
use absolve_archive::container::transfer::{Coding, decode_chunked, encode_chunked, encode_coding};

const LIMIT: usize = 1 << 20;

/// Returns the status, the redirect target and the body of each response.
fn responses(dump: &str) -> Vec<(u16, Option<String>, &str)> {
    let bytes = dump.as_bytes();
    let read = split_dump(bytes).expect("a dump");
    assert_eq!(read.error, None, "{dump}");
    let responses = read.responses.iter();
    responses
        .map(|response| {
            let body = &dump[response.body.start..response.body.end];
            (response.status, response.location(bytes), body)
        })
        .collect()
}

#[test]
fn http_reads_chains_of_responses_printed_by_curl() {
    // curl -iL with a proxy prints no body but the last one, whatever Content-Length declares.
    let dump = "HTTP/1.1 200 Connection established\r\n\r\n\
        HTTP/1.1 301 Moved Permanently\r\nLocation: https://www.example.org/a/\r\nContent-Length: 219\r\n\r\n\
        HTTP/2 302 \r\nlocation: ../b?c\r\ncontent-length: 0\r\n\r\n\
        HTTP/1.1 100 Continue\r\n\r\n\
        HTTP/2 200 \r\ncontent-type: text/html\r\n\r\n<a href=x>HTTP/1.1 200 OK\r\n\r\n";
    let expected = [
        (200, None, ""),
        (301, Some("https://www.example.org/a/".to_owned()), ""),
        (302, Some("../b?c".to_owned()), ""),
        (100, None, ""),
        (200, None, "<a href=x>HTTP/1.1 200 OK\r\n\r\n"),
    ];
    assert_eq!(responses(dump), expected);
}

#[test]
fn http_ends_bodies_by_their_framing_fields() {
    let dump = "HTTP/1.0 302 Found\nLocation: /x\nContent-Length: 3\n\nabcHTTP/1.1 200 OK\r\n\
        Transfer-Encoding: chunked\r\n\r\n1\r\nd\r\n0\r\n\r\nHTTP/1.1 404\r\n\r\nef";
    let expected = [
        (302, Some("/x".to_owned()), "abc"),
        (200, None, "1\r\nd\r\n0\r\n\r\n"),
        (404, None, "ef"),
    ];
    assert_eq!(responses(dump), expected);
    // RFC 9110 section 10.2.2: `Location` in a response that is not a redirect.
    let created = "HTTP/1.1 201 Created\r\nLocation: /x\r\n\r\n";
    assert_eq!(responses(created), [(201, None, "")]);
}

#[test]
fn http_accepts_decoded_bodies_of_another_length() {
    let dump = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n<p>decoded";
    assert_eq!(responses(dump)[0].2, "<p>decoded");
    let dump = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<p>decoded";
    assert_eq!(responses(dump)[0].2, "<p>decoded");
    // A short body is often longer in its compressed form.
    let dump = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 400\r\n\r\n<p>decoded";
    assert_eq!(responses(dump)[0].2, "<p>decoded");
}

#[test]
fn http_skips_empty_lines_between_responses() {
    // HTTPie prints them; RFC 9112 section 2.2 requires that they be ignored.
    let dump = "HTTP/1.1 302 Found\nLocation: /x\nContent-Length: 3\n\nabc\n\n\r\nHTTP/1.1 200 OK\n\n<p>\n";
    let expected = [(302, Some("/x".to_owned()), "abc"), (200, None, "<p>\n")];
    assert_eq!(responses(dump), expected);
}

#[test]
fn http_removes_digests_in_trailers_with_the_old_body() {
    let dump = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: 1\r\nRepr-Digest: sha-256=:x:\r\n y\r\nY: 2\r\n\r\n";
    let response = split_response(dump, 0).expect("a response");
    let payload = response.payload(dump, LIMIT);
    let edits = response
        .with_document(dump, &payload, b"bc")
        .expect("edits");
    let expected = b"2\r\nbc\r\n0\r\nX: 1\r\nY: 2\r\n\r\n";
    assert_eq!(
        edits.last().map(|edit| &*edit.replacement),
        Some(&expected[..])
    );
}

#[test]
fn http_distinguishes_a_missing_body_from_a_truncated_one() {
    let kind = |dump: &[u8]| {
        split_dump(dump)
            .expect("a dump")
            .error
            .map(|error| error.kind)
    };
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n";
    assert_eq!(kind(head), Some(ContainerErrorKind::Truncated));
    assert_eq!(
        kind(&[head, &b"\r\n"[..]].concat()),
        Some(ContainerErrorKind::NoBody)
    );
    assert_eq!(
        kind(&[head, &b"\r\na"[..]].concat()),
        Some(ContainerErrorKind::Truncated)
    );
    let compressed = b"Content-Encoding: gzip\r\n\r\n\x1F\x8B";
    assert_eq!(
        kind(&[head, &compressed[..]].concat()),
        Some(ContainerErrorKind::Truncated)
    );
}

#[test]
fn http_joins_repeated_fields() {
    let page = b"<a href=x>".repeat(20);
    let body = encode_coding(&encode_coding(&page, Coding::Deflate), Coding::Gzip);
    let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Encoding: gzip\r\n\r\n";
    let dump = [&head[..], &body].concat();
    let payload = split_response(&dump, 0)
        .expect("a response")
        .payload(&dump, LIMIT);
    assert_eq!((&*payload.bytes, payload.error), (&*page, None));
    assert_eq!(payload.framing.codings(), [Coding::Deflate, Coding::Gzip]);
}

/// Clients ignore what follows compressed data (curl: "Ignoring trailing data"), and so does the reader. It is not lost.
#[test]
fn http_keeps_bytes_after_compressed_data() {
    for (name, coding) in [("gzip", Coding::Gzip), ("deflate", Coding::Deflate)] {
        for trailing in [&b"\0\0\0\0"[..], b"garbage", b"\r\n"] {
            let body = [&encode_coding(b"<a href=x>", coding)[..], trailing].concat();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Encoding: {name}\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let dump = [head.as_bytes(), &body].concat();
            let response = split_response(&dump, 0).expect("a response");
            let payload = response.payload(&dump, LIMIT);
            assert_eq!((&*payload.bytes, payload.error), (&b"<a href=x>"[..], None));
            let written = with_document(&dump, b"<a href=http://h/x>");
            let response = split_response(&written, 0).expect("a response");
            assert_eq!(
                &*response.payload(&written, LIMIT).bytes,
                b"<a href=http://h/x>"
            );
            assert!(written.ends_with(trailing), "{name} {trailing:?}");
        }
    }
    // A member that is damaged is no trailing data.
    let mut damaged = [
        encode_coding(b"<p>", Coding::Gzip),
        encode_coding(b"<p>", Coding::Gzip),
    ]
    .concat();
    let last = damaged.len() - 6;
    damaged[last] ^= 0xFF;
    let dump = [
        &b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"[..],
        &damaged,
    ]
    .concat();
    let payload = split_response(&dump, 0)
        .expect("a response")
        .payload(&dump, LIMIT);
    assert_eq!(
        payload.error.map(|error| error.kind),
        Some(ContainerErrorKind::BadCompression)
    );
}

#[test]
fn http_reads_truncated_responses_with_errors() {
    let dump = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n<p>";
    let read = split_dump(dump).expect("a dump");
    let error = read.error.expect("a remark");
    assert_eq!(
        (error.kind, error.offset),
        (ContainerErrorKind::Truncated, 42)
    );
    assert_eq!(read.responses[0].body.len(), 3);
    let read = split_dump(b"HTTP/1.1 200 OK\r\nContent-").expect("a dump");
    assert_eq!(read.error.map(|error| error.offset), Some(25));
    for source in [
        "",
        "<html>",
        "HTTP/1.1",
        "HTTP/1.1 20",
        "HTTP/x 200 OK",
        "GET / HTTP/1.1\r\n",
    ] {
        let error = split_dump(source.as_bytes()).expect_err(source);
        assert_eq!(
            (error.kind, error.offset),
            (ContainerErrorKind::NotHttp, 0),
            "{source}"
        );
    }
}

/// Returns the dump with `document` in place of its only body.
fn with_document(dump: &[u8], document: &[u8]) -> Vec<u8> {
    let response = split_response(dump, 0).expect("a response");
    let payload = response.payload(dump, LIMIT);
    assert_eq!(payload.error, None);
    let edits = response
        .with_document(dump, &payload, document)
        .expect("edits");
    let mut output = dump.to_vec();
    for edit in edits.iter().rev() {
        output.splice(
            edit.span.start..edit.span.end,
            edit.replacement.iter().copied(),
        );
    }
    output
}

#[test]
fn http_replacing_a_body_keeps_codings_and_updates_fields() {
    let head = "HTTP/1.1 200 OK\r\nServer: x\r\n";
    let dump = [head, "content-length: 3\r\nETag: y\r\n\r\n<p>"].concat();
    let expected = [head, "content-length: 12\r\nETag: y\r\n\r\n<p>and more</"].concat();
    assert_eq!(
        with_document(dump.as_bytes(), b"<p>and more</"),
        expected.replace("12", "13").as_bytes()
    );

    // Already decoded by the client: the fields that declare otherwise are removed, and so is a digest of the old
    // body.
    let wrong = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nContent-MD5: x\r\nContent-Length: 99\r\n\r\n<p>";
    let expected = [head, "Content-Length: 4\r\n\r\n<p>x"].concat();
    assert_eq!(
        with_document([head, wrong].concat().as_bytes(), b"<p>x"),
        expected.as_bytes()
    );

    // A compressed and chunked body remains so.
    let fields = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n";
    let body = encode_chunked(&encode_coding(b"<p>", Coding::Gzip), b"X: y\r\n");
    let dump = [head.as_bytes(), fields.as_bytes(), &body].concat();
    let output = with_document(&dump, b"<p>new");
    let start = head.len() + fields.len();
    assert_eq!(output[..start], dump[..start]);
    let chunked = decode_chunked(&output[start..], LIMIT);
    assert_eq!(chunked.error, None);
    let response = split_response(&output, 0).expect("a response");
    assert_eq!(&*response.payload(&output, LIMIT).bytes, b"<p>new");
    assert!(output.ends_with(b"0\r\nX: y\r\n\r\n"));
    assert_eq!(with_document(&dump, b"<p>"), dump, "nothing changed");
}

#[test]
fn http_replacing_rejects_an_incomplete_body() {
    let gzip = encode_coding(&[b'a'; 100], Coding::Gzip);
    let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    let cases = [
        (
            gzip[..gzip.len() - 1].to_vec(),
            100,
            ContainerErrorKind::Truncated,
        ),
        (gzip.clone(), 10, ContainerErrorKind::BodyTooLong),
    ];
    for (body, limit, kind) in cases {
        let dump = [&head[..], &body].concat();
        let response = split_response(&dump, 0).expect("a response");
        let payload = response.payload(&dump, limit);
        assert!(!payload.bytes.is_empty());
        let error = response
            .with_document(&dump, &payload, b"x")
            .expect_err("damaged");
        assert_eq!((error.kind, error.offset), (kind, head.len() as u64));
    }
    let unknown = b"HTTP/1.1 200 OK\r\nContent-Encoding: compress\r\n\r\n\x1F\x9D\x90abc";
    let response = split_response(unknown, 0).expect("a response");
    let error = response.payload(unknown, LIMIT).error.expect("not read");
    assert_eq!(error.kind, ContainerErrorKind::UnknownCoding);
}
