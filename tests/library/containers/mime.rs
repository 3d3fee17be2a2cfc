//! MIME messages.

use absolve_archive::container::ContainerErrorKind;
use absolve_archive::container::mime::{
    Content, MAX_ENTITIES, MAX_LEVELS, Message, TransferEncoding,
};
use absolve_archive::{ArchiveSettings, Container};

/// Returns the depth, the media type and the body of each entity.
fn entities(source: &str) -> Vec<(usize, String, &str)> {
    let message = Message::split(source.as_bytes()).expect("a message");
    (0..message.entities.len())
        .map(|index| {
            let entity = &message.entities[index];
            (
                message.ancestors(index).count() - 1,
                entity.content_type(source.as_bytes()).essence,
                &source[entity.body.start..entity.body.end],
            )
        })
        .collect()
}

fn errors(source: &[u8]) -> Vec<(ContainerErrorKind, u64)> {
    let message = Message::split(source).expect("a message");
    let errors = message.errors.iter();
    errors.map(|error| (error.kind, error.offset)).collect()
}

#[test]
fn mime_reads_the_example_of_rfc_2046_section_5_1_1() {
    let source = "From: Nathaniel Borenstein <nsb@bellcore.com>\r\n\
        Date: Sun, 21 Mar 1993 23:56:48 -0800 (PST)\r\n\
        MIME-Version: 1.0\r\n\
        Content-type: multipart/mixed; boundary=\"simple boundary\"\r\n\r\n\
        This is the preamble.  It is to be ignored.\r\n\r\n\
        --simple boundary\r\n\r\n\
        This is implicitly typed plain US-ASCII text.\r\nIt does NOT end with a linebreak.\r\n\
        --simple boundary\r\n\
        Content-type: text/plain; charset=us-ascii\r\n\r\n\
        This is explicitly typed plain US-ASCII text.\r\nIt DOES end with a linebreak.\r\n\r\n\
        --simple boundary--\r\n\r\n\
        This is the epilogue.  It is also to be ignored.\r\n";
    let found = entities(source);
    assert_eq!(found.len(), 3);
    assert_eq!(found[1].1, "text/plain");
    assert!(found[1].2.ends_with("NOT end with a linebreak."));
    assert!(found[2].2.ends_with("DOES end with a linebreak.\r\n"));
    assert_eq!(errors(source.as_bytes()), []);
}

#[test]
fn mime_ends_inner_entities_at_outer_boundaries() {
    let source = "Content-Type: multipart/mixed; boundary=a\n\n--a\n\
        Content-Type: multipart/digest; boundary=b\n\n--b\n\n\
        Subject: x\nContent-Type: text/html\n\n<p>1\n--b \t\n\
        Content-Type: text/html\n\n<p>2\n--bb\n--a\n\
        Content-Type: message/rfc822\n\n\
        Content-Type: text/html\n\n<p>3\n--a--\nepilogue\n--a\nno entity\n";
    let expected = [
        (0, "multipart/mixed", None),
        (1, "multipart/digest", None),
        (2, "text/plain", None),
        (3, "text/html", Some("<p>1")),
        (2, "text/html", Some("<p>2\n--bb")),
        (1, "message/rfc822", None),
        (2, "text/html", Some("<p>3")),
    ];
    let found = entities(source);
    let shown: Vec<_> = found
        .iter()
        .zip(&expected)
        .map(|((depth, essence, body), (.., wanted))| {
            (*depth, essence.as_str(), wanted.map(|_| *body))
        })
        .collect();
    assert_eq!(shown, expected);
    assert_eq!(found.len(), expected.len());
    let inner_end = source.find("\n--a\nContent-Type: message").expect("there") as u64;
    assert_eq!(
        errors(source.as_bytes()),
        [(ContainerErrorKind::BoundaryNotClosed, inner_end)]
    );
}

/// The last digit has six bits of a byte, which the new body would not have.
#[test]
fn a_base64_body_that_is_cut_off_is_left_unchanged() {
    let source = |body: &str| {
        format!(
            "MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n{body}"
        )
    };
    for (body, kind) in [
        ("PGEgaHJlZj14Pg==", None),
        ("PGEgaHJlZj14Pg", None),
        ("PGEgaHJlZj14P", Some(ContainerErrorKind::Truncated)),
    ] {
        let source = source(body);
        let message = Message::split(source.as_bytes()).expect("a message");
        let edit = message.with_document(source.as_bytes(), 0, b"<a href=http://h/x>");
        assert_eq!(edit.err().map(|error| error.kind), kind, "{body}");
    }
}

#[test]
fn mime_reads_damaged_messages_with_errors() {
    type Case<'c> = (
        &'c str,
        &'c [(usize, &'c str, &'c str)],
        ContainerErrorKind,
        u64,
    );
    let cases: [Case<'_>; 4] = [
        (
            "Content-Type: multipart/x\n\n--a\n\nb",
            &[(0, "multipart/x", "--a\n\nb")],
            ContainerErrorKind::NoBoundary,
            0,
        ),
        (
            "Content-Type: multipart/x; boundary=a\n\n--b\n\nc",
            &[(0, "multipart/x", "--b\n\nc")],
            ContainerErrorKind::BoundaryNotFound,
            0,
        ),
        (
            "Content-Type: multipart/x; boundary=a\n\n--a\n\nb\n",
            &[(0, "multipart/x", "--a\n\nb\n"), (1, "text/plain", "b\n")],
            ContainerErrorKind::BoundaryNotClosed,
            46,
        ),
        // No empty line after the headers.
        (
            "Content-Type: multipart/x; boundary=a\n--a\nContent-Type: text/html\n--a\n<p>\n",
            &[
                (0, "multipart/x", "--a\nContent-Type: text/html\n--a\n<p>\n"),
                (1, "text/html", ""),
                (1, "text/plain", "<p>\n"),
            ],
            ContainerErrorKind::BoundaryNotClosed,
            74,
        ),
    ];
    for (source, expected, kind, offset) in cases {
        let expected: Vec<_> = expected
            .iter()
            .map(|&(depth, essence, body)| (depth, essence.to_owned(), body))
            .collect();
        assert_eq!(entities(source), expected);
        assert_eq!(errors(source.as_bytes()), [(kind, offset)], "{source}");
    }
    for source in ["", "\r\n", "<html>", "no field\n\nbody"] {
        let error = Message::split(source.as_bytes()).expect_err(source);
        assert_eq!((error.kind, error.offset), (ContainerErrorKind::NotMime, 0));
    }
}

#[test]
fn mime_rejects_deep_nesting() {
    let mut multiparts = String::new();
    let mut messages = String::new();
    for level in 0..100_000 {
        let boundary = format!("boundary=b{level}\n\n--b{level}\n");
        multiparts.push_str("Content-Type: multipart/mixed; ");
        multiparts.push_str(&boundary);
        messages += "Content-Type: message/rfc822\n\n";
    }
    for source in [multiparts, messages] {
        let found = errors(source.as_bytes());
        let deep: Vec<_> = found
            .iter()
            .filter(|(kind, _)| *kind == ContainerErrorKind::TooDeep)
            .collect();
        assert_eq!(deep.len(), 1);
        assert!(deep[0].1 > 0);
        let message = Message::split(source.as_bytes()).expect("a message");
        assert_eq!(message.entities.len(), MAX_LEVELS + 1);
    }
}

#[test]
fn mime_limits_the_number_of_entities() {
    let source = [
        "Content-Type: multipart/mixed; boundary=b\n\n",
        &"--b\n".repeat(1_000_000),
    ]
    .concat();
    let message = Message::split(source.as_bytes()).expect("a message");
    assert_eq!(message.entities.len(), MAX_ENTITIES);
    let kinds: Vec<_> = message.errors.iter().map(|error| error.kind).collect();
    assert!(
        kinds.contains(&ContainerErrorKind::TooManyEntities),
        "{kinds:?}"
    );
}

/// Returns the message with `document` in place of an entity's body.
fn with_document(source: &[u8], index: usize, document: &[u8]) -> Vec<u8> {
    let message = Message::split(source).expect("a message");
    let edit = message
        .with_document(source, index, document)
        .expect("an edit");
    let mut output = source.to_vec();
    if let Some(edit) = edit {
        output.splice(edit.span.start..edit.span.end, edit.replacement);
    }
    output
}

#[test]
fn mime_replacing_a_body_keeps_its_encoding_and_other_bytes() {
    let head = "Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n";
    let tail = "\r\n--a--\r\n";
    let cases: [(&str, &str, &[u8], &str); 5] = [
        ("7bit", "<p>1", b"<p>2", "<p>2"),
        ("8BIT", "<p>1", b"<p>\xE9", "<p>\u{e9}"),
        (
            "Quoted-Printable",
            "<p =31>=\r\n1=\r\n",
            b"<p 1>2",
            "<p 1>2",
        ),
        ("quoted-printable", "=41\r\n=42", b"A\r\nB=", "=41\r\nB=3D"),
        ("base64", "PHA+MQ==", b"<p>2", "PHA+Mg=="),
    ];
    for (encoding, body, document, expected) in cases {
        let fields =
            format!("Content-Type: text/html\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n");
        let source = [head, &fields, body, tail].concat();
        let output = with_document(source.as_bytes(), 1, document);
        let text: String = output.iter().copied().map(char::from).collect();
        assert_eq!(text, [head, &fields, expected, tail].concat());
        let message = Message::split(source.as_bytes()).expect("a message");
        let old = message.entities[1]
            .document(source.as_bytes())
            .expect("read");
        assert_eq!(with_document(source.as_bytes(), 1, &old), source.as_bytes());
    }
}

#[test]
fn mime_replacing_rejects_a_body_that_breaks_the_message() {
    let source = b"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: text/html\n\n<p>\n--a--\n";
    let message = Message::split(source).expect("a message");
    let body = message.entities[1].body.start as u64;
    for (document, kind) in [
        (&b"<p>\n--ab\n"[..], ContainerErrorKind::BoundaryInBody),
        (b"<p>\xE9", ContainerErrorKind::NotSevenBit),
    ] {
        let error = message
            .with_document(source, 1, document)
            .expect_err("refused");
        assert_eq!((error.kind, error.offset), (kind, body));
    }
    // The headers end before a line that is not a field. With `http:` in it, the line would be one.
    let open = b"Content-Type: text/css\nurl(x)\n";
    let message = Message::split(open).expect("a message");
    let error = message
        .with_document(open, 0, b"url(http://h/x)\n")
        .expect_err("refused");
    assert_eq!(
        (error.kind, error.offset),
        (ContainerErrorKind::NoEmptyLine, 23)
    );
    assert!(message.with_document(open, 0, b"url(x/y)\n").is_ok());
    let unknown = b"Content-Type: text/html\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644";
    let message = Message::split(unknown).expect("a message");
    assert_eq!(
        message.entities[0].transfer_encoding(unknown),
        TransferEncoding::Unknown
    );
    let error = message.entities[0].document(unknown).expect_err("not read");
    assert_eq!(error.kind, ContainerErrorKind::UnknownCoding);
}

#[test]
fn mime_parses_base_fields_by_rfc_2557_section_4_4() {
    let source = b"Content-Type: text/html\r\nContent-ID: <a@b>\r\n\
        Content-Location: http://example.org/a/very/long/\r\n\t path.html\r\n\
        Content-Base: =?utf-8?Q?http:=2F/h/?=\r\n =?UTF-8?B?YS8=?=\r\nX: =?x\r\nY: \"a b\"\r\n\r\n";
    let message = Message::split(source).expect("a message");
    let entity = &message.entities[0];
    assert_eq!(entity.content, Content::Leaf);
    let url = |name| entity.url_field(source, name);
    assert_eq!(entity.content_id(source).as_deref(), Some("a@b"));
    assert_eq!(
        url("content-location").as_deref(),
        Some("http://example.org/a/very/long/path.html")
    );
    assert_eq!(url("Content-Base").as_deref(), Some("http://h/a/"));
    assert_eq!(url("X").as_deref(), Some("=?x"));
    assert_eq!(url("Y").as_deref(), Some("ab"));
    assert_eq!(url("Z"), None);
}

/// A megabyte of parts of 70 bytes took up to 5 seconds, and 280 MB of output.
#[test]
fn documents_inherit_base_urls_within_a_limit() {
    let part = |number| {
        format!(
            "--x\r\nContent-Type: text/html\r\nContent-Location: {number}\r\n\r\n<a href=a>\r\n"
        )
    };
    let message = |length: usize, parts: usize| {
        let url = "a".repeat(length);
        let parts: String = (0..parts).map(part).collect();
        format!(
            "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\nContent-Base: http://h/{url}/\r\n\r\n\
             {parts}--x--\r\n"
        )
    };
    let too_many = |source: &str| {
        let container = Container::mime(source.as_bytes(), &ArchiveSettings::new());
        let container = container.expect("a message");
        let errors = container.errors().iter();
        let count = errors.filter(|error| error.kind == ContainerErrorKind::TooManyEntities);
        let last = container.entities().last().map(|last| last.label.clone());
        (container.entities().len(), last, count.count())
    };
    let all = too_many(&message(6_000, 1_000));
    assert_eq!(all, (1_000, Some("1000".to_owned()), 0));
    let (entities, _, errors) = too_many(&message(6_000, 5_000));
    assert!(1_400 < entities && entities < 1_500, "{entities}");
    assert_eq!(errors, 1);
    // The limit is that of a mailbox, and what fits is still read.
    let delimiter = "From a@b.example Thu Jan  1 00:00:00 1970\r\n";
    let long = [delimiter, &message(6_000, 1_000), "\r\n"]
        .concat()
        .repeat(5);
    let (entities, last, errors) = too_many(&[&long, delimiter, &message(10, 1)].concat());
    assert!(1_400 < entities && entities < 1_500, "{entities}");
    assert_eq!((last.as_deref(), errors), (Some("6!1"), 1));
}
