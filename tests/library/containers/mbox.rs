//! Mailboxes in the mbox format.

use absolve::Rewriter;
use absolve_archive::container::ContainerErrorKind;
use absolve_archive::container::mime::split_mbox;
use absolve_archive::{ArchiveSettings, Container};

const SAMPLE: &str = include_str!("../../../fixtures/containers/mailbox.mbox");

fn open(source: &str) -> Container<'_> {
    Container::mime(source.as_bytes(), &ArchiveSettings::new()).expect("a mailbox")
}

fn rewrite(source: &str) -> String {
    let rewritten = open(source).rewrite(&Rewriter::new());
    assert_eq!(rewritten.refused, []);
    String::from_utf8(rewritten.bytes.into_owned()).expect("text")
}

/// Returns each message with its separator line.
fn messages(source: &str) -> Vec<&str> {
    let messages = split_mbox(source.as_bytes()).expect("a mailbox");
    let spans = messages.iter().map(|message| message.span);
    spans.map(|span| &source[span.start..span.end]).collect()
}

#[test]
fn rewrite_changes_documents_and_lengths_only() {
    // The line of quoted-printable is encoded anew, in lines of the same maximum length.
    let expected = SAMPLE
        .replace("1: <a href=x>", "1: <a href=http://one.example/a/x>")
        .replace(
            "quoted: <a href=y>",
            "quoted: <a href=http://one.example/a/y>",
        )
        .replace(
            "<a href=3D\"longer/x\">x</a> =\n=46rom here on",
            "<a href=3D\"http://two.examp=\nle/b/longer/x\">x</a> From here on",
        )
        .replace("5: <a href=x>", "5: <a href=http://five.example/x>")
        .replace("body\n<a href=y>", "body\n<a href=http://five.example/y>")
        .replace("Content-Length: 113", "Content-Length: 153");
    assert_eq!(rewrite(SAMPLE), expected);
    assert_eq!(rewrite(&expected), expected);
    assert_eq!(
        rewrite(
            &SAMPLE
                .replace('\n', "\r\n")
                .replace("Length: 113", "Length: 118")
        ),
        expected
            .replace('\n', "\r\n")
            .replace("Length: 153", "Length: 158"),
    );
}

#[test]
fn split_mbox_finds_separators() {
    let first = "From a@b Fri Jul  8 12:08:34 2011\nA: 1\n\nx\n";
    for (rest, expected) in [
        // RFC 4155: an empty line ends a message, and is not part of it.
        (
            "\nFrom a@b Fri Jul  8 12:08:34 2011\nA: 2\n\n",
            vec!["From a@b Fri Jul  8 12:08:34 2011\nA: 2\n\n"],
        ),
        ("\nFrom \nA: 2\n\ny\n\n", vec!["From \nA: 2\n\ny\n"]),
        // mbox(5) of qmail: readers must not rely on the empty line.
        ("From - 12:08:34\nA: 2\n", vec!["From - 12:08:34\nA: 2\n"]),
        (
            "\nFrom a 1:1\r\nA: 2\r\n\r\n\r\nFrom b\r\nB: 3",
            vec!["From a 1:1\r\nA: 2\r\n\r\n", "From b\r\nB: 3"],
        ),
    ] {
        let source = [first, rest].concat();
        let expected = [vec![first], expected].concat();
        assert_eq!(messages(&source), expected, "{source}");
    }
    for rest in [
        "\n>From a@b Fri Jul  8 12:08:34 2011\nA: 2\n",
        "\nFrom a@b Fri Jul  8 12:08:34 2011\nno field\n",
        "From a@b\nA: 2\n",
        "\nfrom a@b Fri Jul  8 12:08:34 2011\nA: 2\n",
    ] {
        let source = [first, rest].concat();
        assert_eq!(messages(&source), [&*source], "{source}");
    }
    assert_eq!(split_mbox(b"A: 1\n\nFrom a 1:1\nA: 2\n"), None);
    assert_eq!(split_mbox(b""), None);
}

#[test]
fn content_length_counts_if_a_message_ends_there() {
    let body = "x\n\nFrom b 1:1\nB: 2\n\ny\n";
    let mailbox = |length: usize, end: &str| {
        format!("From a 1:1\nContent-Length: {length}\n\n{body}{end}From c 1:1\nC: 3\n\nz\n")
    };
    for (length, end, expected) in [
        (body.len(), "\n", 2),
        (body.len(), "", 2),
        // The last line end is not counted.
        (body.len() - 1, "\n", 2),
        (body.len() - 2, "\n", 3),
        (body.len() + 1, "\n", 2),
        (body.len() + 2, "\n", 3),
        (999_999, "\n", 3),
    ] {
        let source = mailbox(length, end);
        assert_eq!(messages(&source).len(), expected, "{length} {end:?}");
    }
}

#[test]
fn a_wrong_content_length_stays_wrong() {
    // The last message has no empty line at its end: the file was cut off there. The stated length is that of the new body of the
    // first message and all that follows.
    let last = "\nFrom c 1:1\nSubject: cut o";
    let source = |length: usize, body: &str| {
        format!(
            "From a 1:1\nContent-Base: http://h/d/\nContent-Type: text/html\nContent-Length: {length}\n\n{body}{last}"
        )
    };
    let (old, new) = ("<p><a href=x>x</a>\n", "<p><a href=http://h/d/x>x</a>\n");
    let grown = new.len() - old.len();
    let length = new.len() + last.len();
    let before = source(length, old);
    assert_eq!(open(&before).entities().len(), 1);
    assert_eq!(rewrite(&before), source(length + grown, new));
    assert_eq!(messages(&source(length + grown, new)).len(), 2);

    // A length that ends before the changed text. With the growth of the body, it would end before `From`. That line is
    // no separator, because no empty line precedes it and it has no time.
    let inner = "<p>\n123456789\nFrom d\nSubject: x\n<a href=";
    let source = |body: &str| {
        format!(
            "From a 1:1\nContent-Base: http://h/d/\nContent-Type: text/html\nContent-Length: 2\n\n{body}"
        )
    };
    let before = source(&format!("{inner}x>"));
    assert_eq!(inner.find("From"), Some(3 + "http://h/d/".len()));
    assert_eq!(rewrite(&before), source(&format!("{inner}http://h/d/x>")));
}

#[test]
fn a_message_with_a_separator_line_is_a_mailbox_of_one() {
    let message = "From a@b Fri Jul  8 12:08:34 2011\nContent-Type: text/html\nContent-Location: http://h/\n\n<a href=x>\n";
    assert_eq!(rewrite(message), message.replace("=x", "=http://h/x"));
    assert_eq!(open(message).entities()[0].label, "1!1");
    let chain = open(message).entities()[0].chain();
    assert_eq!(chain[0].entity, "1!1");
    let error =
        Container::mime(b"From a\n\n<a href=x>", &ArchiveSettings::new()).expect_err("none");
    assert_eq!(error.kind, ContainerErrorKind::NotMime);
}

#[test]
fn a_document_that_would_begin_a_message_is_refused() {
    let source = "From a 1:1\nContent-Type: text/html\n\n<p>\nx\n\nFrom b 1:1\nB: 2\n\ny\n";
    let container = open(source);
    for document in ["<p>\nFrom x\n", "From x\n"] {
        let mut output = Vec::new();
        let mut writer = container.writer(&mut output);
        let put = writer.put(0, document.as_bytes());
        let kind = put.map_err(|error| error.kind);
        assert_eq!(kind, Err(ContainerErrorKind::SeparatorInBody));
        writer.finish().expect("written");
        assert_eq!(output, source.as_bytes());
    }
    // A reference that remains, in a line that could begin a message if another line followed.
    let kept =
        "From a 1:1\nContent-Type: text/html\nContent-Location: http://h/\n\n\nFrom <a\nhref=x>\n";
    let rewritten = open(kept).rewrite(&Rewriter::new());
    assert_eq!(rewritten.refused.len(), 1);
    assert_eq!(rewritten.bytes, kept.as_bytes());
}
