//! Invariants of containers, tested on generated and damaged ones.

use std::time::Duration;

use proptest::prelude::*;

use support::{container_invariants, process};

/// Generates pieces of all container formats in any order.
fn containers() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "Content-Type: text/html\n",
        "Content-Type: text/css; charset=utf-8\r\n",
        "Content-Type: multipart/related; boundary=b\r\n",
        "Content-Type: multipart/mixed; boundary=\"bb\"\n",
        "Content-Type: message/rfc822\n",
        "Content-Transfer-Encoding: quoted-printable\n",
        "Content-Transfer-Encoding: base64\n",
        "Content-Location: http://h/a/i 1.png\n",
        "Content-Location: a/b\r\n",
        "Content-Base: http://h/\n",
        "Base: <URL:http://h\n /x>\n",
        "Content-Length: 20\r\n",
        "Content-Length: 7\n",
        "Transfer-Encoding: chunked\r\n",
        "Content-Encoding: gzip\n",
        "Location: ../x\r\n",
        "\r\n",
        "\n",
        "\n\n",
        "--b\n",
        "\r\n--b\r\n",
        "--b--\n",
        "--bb \n",
        "--bb--",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/2 302 \n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "From a Fri Jul  8 12:08:34 2011\nContent-Type: text/html\nContent-Location: http://h/\n\n",
        "From a\nContent-Type: text/html\nContent-Length: 20\nContent-Location: /x/\n\n",
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 90\r\n",
        "WARC/1.1\r\nWARC-Type: resource\nWARC-Target-URI: <http://h/>\n",
        "WARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
        "<a href=x>",
        "<img src=3D\"i 1.png\">",
        "<base href='http://b/'>",
        "PGEgaHJlZj14Pg==",
        "5\r\n<p><a\r\n0\r\n\r\n",
        "=\n",
        "=3D",
        "url(x)",
        "\u{e9}",
        " ",
    ]);
    let start = proptest::sample::select(vec![
        "",
        "Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\n",
        "Content-Type: text/html\nContent-Location: http://h/\nContent-Transfer-Encoding: quoted-printable\n\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
        "HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\nHTTP/2 200\r\nContent-Type: text/css\r\n",
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 90\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
        "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/html\r\nContent-Length: 20\r\n\r\n",
    ]);
    (start, proptest::collection::vec(piece, 0..40))
        .prop_map(|(start, pieces)| [start, &pieces.concat()].concat())
}

fn samples() -> Vec<&'static [u8]> {
    vec![
        include_bytes!("../../../fixtures/containers/bases.eml"),
        include_bytes!("../../../fixtures/containers/mailbox.mbox"),
        include_bytes!("../../../fixtures/containers/malformed.eml"),
        include_bytes!("../../../fixtures/containers/none.eml"),
        include_bytes!("../../../fixtures/containers/redirects.http"),
        include_bytes!("../../../fixtures/containers/revisits.warc"),
        include_bytes!("../../../fixtures/containers/codings.warc"),
        include_bytes!("../../../fixtures/containers/dictionary.warc.zst"),
    ]
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: support::cases(20_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn invariants_hold_on_generated_containers(source in containers()) {
        let source: String = source;
        container_invariants::all(source.as_bytes());
    }

    #[test]
    fn invariants_hold_on_damaged_samples(
        sample in proptest::sample::select(samples()),
        damage in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>(), 0_u8..3), 1..6),
    ) {
        let mut source = sample.to_vec();
        for (index, byte, kind) in damage {
            let pos = index.index(source.len().max(1));
            match kind {
                0 if pos < source.len() => source[pos] = byte,
                1 => source.insert(pos.min(source.len()), byte),
                _ => source.truncate(pos),
            }
        }
        container_invariants::all(&source);
    }
}

/// Damage within the frame of a record, after which another seems to begin before the damage.
#[test]
fn invariants_hold_on_damage_after_a_seeming_record() {
    let mut source = include_bytes!("../../../fixtures/containers/dictionary.warc.zst").to_vec();
    source[977] = 5;
    container_invariants::all(&source);
}

#[test]
fn reading_hostile_containers_takes_linear_time() {
    let boundaries = (0..90)
        .map(|level| format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n"))
        .collect::<Vec<_>>()
        .concat();
    let long = "x/".repeat(4000);
    let levels = (0..45)
        .map(|level| {
            format!(
                "Content-Base: {long}\nContent-Location: {long}\nContent-Type: multipart/related; boundary=b{level}\n\n--b{level}\n"
            )
        })
        .collect::<Vec<_>>()
        .concat();
    let html = "Content-Type: text/html\nContent-Location: x\n\n<a href=x>\n";
    let redirect =
        "HTTP/1.1 302 Found\nContent-Type: text/html\nContent-Length: 1\nLocation: x/\n\nx";
    let parameters = "; a=b".repeat(200_000);
    let cases = [
        ("fields", "a:b\n".repeat(500_000)),
        (
            "fields of a response",
            ["HTTP/1.1 200 OK\n", &"a:b\n".repeat(500_000)].concat(),
        ),
        (
            "one folded field",
            ["a: b", &"\n c".repeat(500_000)].concat(),
        ),
        (
            "parameters",
            format!("Content-Type: text/html{parameters}\n\n<a href=x>"),
        ),
        (
            "boundary lines",
            [&*boundaries, &"--x\n".repeat(300_000)].concat(),
        ),
        (
            "parts",
            format!(
                "Content-Type: multipart/related; boundary=b\n\n{}",
                format!("--b\n{html}").repeat(25_000)
            ),
        ),
        (
            "long locations around parts",
            [&*levels, &format!("{html}--b44\n").repeat(500)].concat(),
        ),
        ("redirects", redirect.repeat(20_000)),
        (
            "messages that state a wrong length",
            [
                &*"From a 0:0\nContent-Length: 999999\nContent-Type: text/html\n\n".repeat(20_000),
                "\n".repeat(500_000).as_str(),
                "From ",
                "x".repeat(500_000).as_str(),
            ]
            .concat(),
        ),
        ("separator lines", "From a 0:0\nb:c\n".repeat(100_000)),
        (
            "records",
            "WARC/1.0\nContent-Length: 0\n\n\n".repeat(50_000),
        ),
        (
            "encoded words",
            format!(
                "A: x\nContent-Location: {}\n\n",
                "=?utf-8?Q?a".repeat(100_000)
            ),
        ),
    ];
    for (name, source) in cases {
        let started = process::processor_time();
        container_invariants::all(source.as_bytes());
        let (Some(started), Some(ended)) = (started, process::processor_time()) else {
            support::missing("processor time is read from /proc, which is not here");
            return;
        };
        let time = ended.saturating_sub(started);
        support::print_line(&format!(
            "containers: {name}, {} KiB: {time:.1?}",
            source.len() >> 10,
        ));
        // Quadratic time would be hours.
        assert!(time < Duration::from_secs(120), "{name}: {time:.1?}");
    }
}
