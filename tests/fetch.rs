//! Documents that are URLs, from a server on the loopback.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// A server that is there until the test ends.
struct Server {
    port: u16,
    /// The first lines and the fields of what was asked, in order.
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// A server that gives each path what `answer` says, all bytes from the status line on.
    fn new(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (answer, log) = (Arc::new(answer), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, log) = (Arc::clone(&answer), Arc::clone(&log));
                thread::spawn(move || serve(stream, &*answer, &log));
            }
        });
        Self { port, asked }
    }

    /// A server of these paths, each with status, fields and body.
    fn of(pages: &'static [(&'static str, &'static str, &'static str)]) -> Self {
        Self::new(move |path, stream| {
            let page = pages.iter().find(|(own, _, _)| *own == path);
            let (_, head, body) = page.unwrap_or(&("", "404 Not Found", "no such page"));
            write_answer(stream, head, body.as_bytes());
        })
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no test fails in there").clone()
    }
}

fn serve(mut stream: TcpStream, answer: &dyn Fn(&str, &mut TcpStream), log: &Mutex<Vec<String>>) {
    let mut head = String::new();
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    while !head.ends_with("\r\n\r\n") {
        if !matches!(reader.read_line(&mut head), Ok(1..)) {
            return;
        }
    }
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    log.lock().expect("no test fails in there").push(head);
    answer(&path, &mut stream);
}

fn write_answer(stream: &mut TcpStream, head: &str, body: &[u8]) {
    // Whoever has seen enough closes early.
    let _ = write!(
        stream,
        "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(body);
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_absolve"));
    // Whoever runs the tests may be behind a proxy, which does not reach this loopback.
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    command.args(arguments).output().expect("the command runs")
}

/// What is printed, where nothing is said.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What is said, where the command ends with 2.
fn said(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

const HTML: &str = "200 OK\r\nContent-Type: text/html";

#[test]
fn links_resolve_against_the_url_of_the_last_redirect() {
    for status in [
        "301 Moved",
        "302 Found",
        "303 See Other",
        "307 Temporary",
        "308 Permanent",
    ] {
        let redirect = format!("{status}\r\nLocation: ../b/c/page?q");
        let server = Server::new(move |path, stream| match path {
            "/a/start" => write_answer(stream, &redirect, b""),
            "/b/c/page?q" => write_answer(stream, HTML, b"<a href=../g>g</a>"),
            _ => write_answer(stream, "404 Not Found", b""),
        });
        let page = printed(&["rewrite", &server.url("/a/start")]);
        assert_eq!(
            page,
            format!("<a href={}>g</a>", server.url("/b/g")),
            "{status}"
        );
    }
}

#[test]
fn a_chain_of_redirects_is_followed_and_the_base_url_says_so() {
    // The last redirect leads to another authority.
    let other = Server::of(&[("/5", HTML, "<title>x</title>")]);
    let location = format!("308 Permanent\r\nLocation: //127.0.0.1:{}/5", other.port);
    let first = Server::new(move |path, stream| match path {
        "/3/?four" => write_answer(stream, &location, b""),
        "/1" => write_answer(stream, "301 Moved\r\nLocation: /2", b"<a href=no>"),
        "/2" => write_answer(stream, "302 Found\r\nLocation: 3/", b""),
        "/3/" => write_answer(stream, "307 Temporary\r\nLocation: ?four", b""),
        _ => write_answer(stream, "404 Not Found", b""),
    });
    let answer = printed(&["base", "--format", "json", &first.url("/1")]);
    let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["path"], first.url("/1"));
    assert_eq!(answer["base"], other.url("/5"));
    assert_eq!(answer["source"], "retrieval");
}

#[test]
fn a_fragment_is_inherited_unless_the_location_has_its_own() {
    let server = Server::of(&[
        ("/own", "302 Found\r\nLocation: /page#b", ""),
        ("/none", "302 Found\r\nLocation: /page", ""),
        ("/page", HTML, "<title>x</title>"),
    ]);
    for (path, expected) in [
        ("/none#a", "/page#a"),
        ("/own#a", "/page#b"),
        ("/page#c", "/page#c"),
    ] {
        let answer = printed(&["base", "--format", "json", &server.url(path)]);
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(
            answer["candidates"][0]["value"],
            server.url(expected),
            "{path}"
        );
    }
    // It is not for the server.
    assert!(
        server.asked().iter().all(|head| !head.contains('#')),
        "{:?}",
        server.asked()
    );
}

#[test]
fn redirects_in_a_circle_and_too_many_of_them_end() {
    let server = Server::new(|path, stream| match path {
        "/a" => write_answer(stream, "302 Found\r\nLocation: /b", b""),
        "/b" => write_answer(stream, "302 Found\r\nLocation: /a#x", b""),
        "/nowhere" => write_answer(stream, "302 Found", b""),
        "/file" => write_answer(stream, "302 Found\r\nLocation: file:///etc/passwd", b""),
        "/credentials" => write_answer(stream, "302 Found\r\nLocation: //me:pw@127.0.0.1/", b""),
        path => {
            let number: u32 = path[1..].parse().unwrap_or_default();
            if number == 5 {
                write_answer(stream, HTML, b"<a href=x>");
            } else {
                write_answer(
                    stream,
                    &format!("302 Found\r\nLocation: /{}", number + 1),
                    b"",
                );
            }
        }
    });
    let said_of =
        |path: &str, options: &[&str]| said(&[&["links", &server.url(path)], options].concat());
    assert!(said_of("/a", &[]).contains("in a circle"));
    assert!(
        said_of("/0", &["--max-redirects", "4"]).contains("more than 4 times; --max-redirects")
    );
    assert!(printed(&["links", "--max-redirects", "5", &server.url("/0")]).contains("/x"));
    assert!(said_of("/100", &[]).contains("more than 20 times"));
    assert!(said_of("/nowhere", &[]).contains("302 Found, and does not say where"));
    assert!(said_of("/file", &[]).contains("only http and https are fetched"));
    assert!(said_of("/credentials", &[]).contains("credentials are not sent"));
}

#[test]
fn what_the_server_says_is_said_and_the_others_go_on() {
    let server = Server::of(&[
        (
            "/gone",
            "410 Gone\r\nContent-Type: text/html",
            "<a href=gone>",
        ),
        ("/broken", "500 Trouble", ""),
        ("/moved", "302 Found\r\nLocation: /missing", ""),
        ("/good", HTML, "<a href=x>"),
    ]);
    let urls = ["/gone", "/broken", "/moved", "/good"].map(|path| server.url(path));
    let arguments: Vec<&str> = ["links"]
        .into_iter()
        .chain(urls.iter().map(|url| &**url))
        .collect();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains(&format!(
            "{}: cannot be fetched: the server says 410 Gone",
            urls[0]
        )),
        "{said}"
    );
    assert!(said.contains("the server says 500"), "{said}");
    assert!(
        said.contains(&format!("404 Not Found about {}", server.url("/missing"))),
        "{said}"
    );
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        printed,
        format!("{}:1:9: a[href] x -> {}\n", urls[3], server.url("/x"))
    );
}

#[test]
fn a_slow_answer_and_a_slow_document_end_in_time() {
    let server = Server::new(|path, stream| {
        if path == "/never" {
            thread::sleep(Duration::from_secs(20));
        }
        let _ = write!(stream, "HTTP/1.1 {HTML}\r\nContent-Length: 1000\r\n\r\n");
        for _ in 0..200 {
            thread::sleep(Duration::from_millis(100));
            if stream.write_all(b"x").is_err() {
                return;
            }
        }
    });
    for path in ["/never", "/drop-by-drop"] {
        let started = std::time::Instant::now();
        let said = said(&["links", "--timeout", "0.5", &server.url(path)]);
        assert!(
            said.contains("longer than 0.5 seconds; --timeout"),
            "{said}"
        );
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "{:?}",
            started.elapsed()
        );
    }
}

#[test]
fn an_endless_document_ends_at_the_size_limit() {
    let server = Server::new(|path, stream| match path {
        "/endless" => {
            let _ = write!(stream, "HTTP/1.1 {HTML}\r\nConnection: close\r\n\r\n");
            while stream.write_all(&[b'x'; 4096]).is_ok() {}
        }
        _ => write_answer(stream, HTML, &[b'x'; 2000]),
    });
    let said_of = |size, path: &str| said(&["links", "--max-size", size, &server.url(path)]);
    assert!(said_of("1M", "/endless").contains("larger than 1000000 bytes; --max-size"));
    assert!(said_of("1999", "/page").contains("larger than 1999 bytes"));
    assert_eq!(
        printed(&["links", "--max-size", "2k", &server.url("/page")]),
        ""
    );
    for (option, value) in [
        ("--max-size", "x"),
        ("--max-size", "M"),
        ("--timeout", "0"),
        ("--timeout", "nan"),
        ("--timeout", "1e300"),
    ] {
        assert!(said(&["links", option, value, &server.url("/page")]).contains(option));
    }
}

/// `<a href=x>` as gzip(1) packs it.
const PACKED: [u8; 30] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xb3, 0x49, 0x54, 0xc8, 0x28, 0x4a,
    0x4d, 0xb3, 0xad, 0xb0, 0x03, 0x00, 0x4d, 0x9b, 0x33, 0x98, 0x0a, 0x00, 0x00, 0x00,
];

#[test]
fn a_packed_document_is_unpacked() {
    let server = Server::new(|path, stream| match path {
        "/gzip" => write_answer(
            stream,
            &format!("{HTML}\r\nContent-Encoding: gzip"),
            &PACKED,
        ),
        "/cut" => write_answer(
            stream,
            &format!("{HTML}\r\nContent-Encoding: gzip"),
            &PACKED[..20],
        ),
        _ => write_answer(
            stream,
            &format!("{HTML}\r\nContent-Encoding: br"),
            b"\x0b\x02\x80x\x03",
        ),
    });
    assert!(
        printed(&["links", &server.url("/gzip")])
            .contains(&format!("a[href] x -> {}", server.url("/x")))
    );
    assert!(
        server.asked()[0]
            .to_lowercase()
            .contains("accept-encoding: gzip")
    );
    assert!(said(&["links", &server.url("/cut")]).contains("cannot be fetched"));
    assert!(said(&["links", &server.url("/br")]).contains("packed as \"br\""));
}

#[test]
fn a_document_that_is_cut_short_is_none() {
    let server = Server::new(|_, stream| {
        let _ = write!(
            stream,
            "HTTP/1.1 {HTML}\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n<a href=x>"
        );
    });
    assert!(said(&["links", &server.url("/")]).contains("cannot be fetched"));
}

#[test]
fn the_charset_of_the_type_goes_before_that_of_the_document() {
    let server = Server::new(|path, stream| {
        let body = b"<meta charset=koi8-r><a href='?q=\xe9'>x</a>";
        let head = match path {
            "/quoted" => "200 OK\r\nContent-Type: text/html; x=y; Charset=\"windows-1251\"",
            "/unknown" => "200 OK\r\nContent-Type: text/html; charset=none-such",
            _ => HTML,
        };
        write_answer(stream, head, body);
    });
    // What windows-1251 and KOI8-R have at 0xE9.
    for (path, options, letter) in [
        ("/quoted", &[][..], "\u{439}"),
        ("/none", &[], "\u{418}"),
        ("/unknown", &[], "\u{418}"),
        ("/quoted", &["--encoding", "koi8-r"], "\u{418}"),
    ] {
        let listed =
            printed(&[&["links", "--format", "jsonl", &server.url(path)], options].concat());
        let row: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
        assert_eq!(
            row["reference"],
            format!("?q={letter}"),
            "{path} {options:?}"
        );
    }
}

#[test]
fn the_type_says_what_is_read() {
    let server = Server::of(&[
        ("/sheet", "200 OK\r\nContent-Type: text/css", "a{b:url(x)}"),
        (
            "/xhtml.css",
            "200 OK\r\nContent-Type: Application/XHTML+xml;a=b",
            "<a href='x'>",
        ),
        (
            "/image",
            "200 OK\r\nContent-Type: image/png",
            "<a href='x'>",
        ),
        ("/none", "200 OK", "<a href='x'>"),
        ("/none.css", "200 OK", "a{b:url(x)}"),
        ("/empty", "200 OK\r\nContent-Type: ;=;", "<a href='x'>"),
    ]);
    let target = server.url("/x");
    for (path, expected) in [
        ("/sheet", format!("a{{b:url({target})}}")),
        ("/xhtml.css", format!("<a href='{target}'>")),
        ("/none", format!("<a href='{target}'>")),
        ("/none.css", format!("a{{b:url({target})}}")),
        ("/empty", format!("<a href='{target}'>")),
    ] {
        assert_eq!(printed(&["rewrite", &server.url(path)]), expected, "{path}");
    }
    let said = said(&["rewrite", &server.url("/image")]);
    assert!(
        said.contains("it is image/png, neither HTML nor CSS; say --input-format"),
        "{said}"
    );
    let page = printed(&["rewrite", "--input-format", "html", &server.url("/image")]);
    assert_eq!(page, format!("<a href='{target}'>"));
    let sheet = printed(&["rewrite", "--input-format", "html", &server.url("/sheet")]);
    assert_eq!(sheet, "a{b:url(x)}");
}

#[test]
fn a_part_of_a_document_is_no_document() {
    let server = Server::of(&[
        (
            "/part",
            "206 Partial Content\r\nContent-Type: text/html\r\nContent-Range: bytes 0-5/100",
            "<a hre",
        ),
        ("/nothing", "204 No Content", ""),
    ]);
    for (path, status) in [
        ("/part", "206 Partial Content"),
        ("/nothing", "204 No Content"),
    ] {
        let said = said(&["rewrite", &server.url(path)]);
        assert!(
            said.contains(&format!("the server says {status}")),
            "{said}"
        );
    }
}

#[test]
fn a_list_may_name_urls() {
    let server = Server::of(&[("/d/page", HTML, "<a href=x>")]);
    let directory = TempDir::new().expect("a temporary directory");
    let list = directory.path().join("list");
    fs::write(&list, format!("{}\r\n", server.url("/d/page"))).expect("a list");
    let list = list.to_str().expect("UTF-8");
    let page = printed(&["rewrite", "--files-from", list]);
    assert_eq!(page, format!("<a href={}>", server.url("/d/x")));
    let url = server.url("/d/page");
    let said = said(&["rewrite", "--files-from", list, &url]);
    assert!(said.contains("is named twice"), "{said}");
}

#[test]
fn a_url_that_is_given_goes_before_the_one_that_was_fetched() {
    let server = Server::of(&[("/page", HTML, "<a href=x>")]);
    let page = printed(&[
        "rewrite",
        "--url",
        "https://example.org/d/",
        &server.url("/page"),
    ]);
    assert_eq!(page, "<a href=https://example.org/d/x>");
    let tree = printed(&["rewrite", "--emit", "tree", &server.url("/page")]);
    assert!(
        tree.contains(&format!("<a href=\"{}\">", server.url("/x"))),
        "{tree}"
    );
}

#[test]
fn files_are_named_after_their_urls() {
    let server = Server::new(|_, stream| write_answer(stream, HTML, b"<a href=x>"));
    let directory = TempDir::new().expect("a temporary directory");
    let out = format!("{}/", directory.path().display());
    let urls = ["/a/", "/a/page", "/a/b/../list?n=1/2#f"].map(|path| server.url(path));
    printed(&["rewrite", "-o", &out, &urls[0], &urls[1], &urls[2]]);
    let mut names: Vec<_> = fs::read_dir(directory.path())
        .expect("a directory")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    assert_eq!(names, ["index.html", "list?n=1%2F2", "page"]);
    let page = fs::read_to_string(directory.path().join("page")).expect("a page");
    assert_eq!(page, format!("<a href={}>", server.url("/a/x")));
    assert!(
        said(&["rewrite", "-o", &out, &urls[0], &server.url("/")])
            .contains("would both be written to")
    );
    assert!(said(&["rewrite", "-i", &urls[0]]).contains("is no file to be replaced; name one"));
    // Names of files have one slash where URLs have two: these are two documents.
    printed(&["links", &server.url("/a"), &server.url("/a/")]);
    assert!(said(&["links", &urls[0], &urls[0]]).contains("named twice"));
}

#[test]
fn what_cannot_be_reached_is_said_in_plain_words() {
    let refused = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = refused.local_addr().expect("an address").port();
    drop(refused);
    assert!(
        said(&["links", &format!("http://127.0.0.1:{port}/")])
            .contains("the connection was refused")
    );
    assert!(
        said(&["links", "http://no-such-host.invalid/"]).contains("no host of that name is known")
    );
    assert!(said(&["links", "http://me:pw@127.0.0.1/"]).contains("credentials are not sent"));
    for url in ["http://", "HTTP://a b/", "http://h:99999/"] {
        assert!(said(&["links", url]).contains("this is no URL: "), "{url}");
    }
    // A server that speaks HTTP, where TLS is expected, answers that the request is bad.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // What was sent and not read makes the system break the connection off.
            let _ = stream.read(&mut [0; 16_384]);
            write_answer(&mut stream, "400 Bad Request", b"");
        }
    });
    let said = said(&["links", &format!("https://127.0.0.1:{port}/")]);
    assert!(said.contains("does not speak TLS there"), "{said}");
}

#[test]
fn nobody_fetches_what_is_a_file() {
    let directory = TempDir::new().expect("a temporary directory");
    fs::create_dir_all(directory.path().join("http:/h")).expect("a directory");
    let file = directory.path().join("http:/h/page");
    fs::write(&file, "<a href=x>").expect("a file");
    let listed = printed(&["links", file.to_str().expect("UTF-8")]);
    assert!(listed.contains("a[href] x"), "{listed}");
}
