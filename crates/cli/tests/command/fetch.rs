//! Fetching of documents given as URLs, from a server on the loopback interface.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use support::world::run;
use tempfile::TempDir;

/// A server that runs until the test process ends.
struct Server {
    port: u16,
    /// The request line and the header fields of each request, in order.
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server. `answer` writes the whole response to a path, including the status line.
    fn new(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (answer, log) = (Arc::new(answer), Arc::clone(&requests));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, log) = (Arc::clone(&answer), Arc::clone(&log));
                thread::spawn(move || serve(stream, &*answer, &log));
            }
        });
        Self { port, requests }
    }

    /// Starts a server with these paths, each with status, fields and body.
    fn of(pages: &'static [(&'static str, &'static str, &'static str)]) -> Self {
        Self::new(move |path, stream| {
            let page = pages.iter().find(|(page_path, _, _)| *page_path == path);
            let (_, head, body) = page.unwrap_or(&("", "404 Not Found", "no such page"));
            write_answer(stream, head, body.as_bytes());
        })
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn requests(&self) -> Vec<String> {
        self.requests
            .lock()
            .expect("no test fails in there")
            .clone()
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
    // The client may close the connection early: ignore the error.
    let _ = write!(
        stream,
        "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(body);
}

/// Returns standard output of a successful command without messages.
fn printed(arguments: &[&str]) -> String {
    let answer = run(arguments, "");
    assert_eq!(answer.messages(0), "");
    answer.stdout
}

/// Returns standard error of a command that exits with 2.
fn stderr(arguments: &[&str]) -> String {
    run(arguments, "").messages(2)
}

const HTML: &str = "200 OK\r\nContent-Type: text/html";

#[test]
fn fetch_resolves_links_against_the_url_of_the_last_redirect() {
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
fn fetch_follows_redirects_and_base_lists_them() {
    // The last redirect is to another authority.
    let other_server = Server::of(&[("/5", HTML, "<title>x</title>")]);
    let location = format!(
        "308 Permanent\r\nLocation: //127.0.0.1:{}/5",
        other_server.port
    );
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
    assert_eq!(answer["base"], other_server.url("/5"));
    assert_eq!(answer["source"], "retrieval");
}

#[test]
fn fetch_inherits_the_fragment_across_redirects() {
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
    // The fragment is not sent to the server.
    assert!(
        server.requests().iter().all(|head| !head.contains('#')),
        "{:?}",
        server.requests()
    );
}

#[test]
fn fetch_stops_at_redirect_loops_and_long_chains() {
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
    let stderr_with_limit =
        |path: &str, options: &[&str]| stderr(&[&["links", &server.url(path)], options].concat());
    assert!(stderr_with_limit("/a", &[]).contains("redirect loop at "));
    assert!(
        stderr_with_limit("/0", &["--max-redirects", "4"])
            .contains("more than 4 redirects; raise the limit with --max-redirects")
    );
    assert!(printed(&["links", "--max-redirects", "5", &server.url("/0")]).contains("/x"));
    assert!(stderr_with_limit("/100", &[]).contains("more than 20 redirects"));
    assert!(stderr_with_limit("/nowhere", &[]).contains("302 Found without a Location"));
    assert!(stderr_with_limit("/file", &[]).contains("only http and https URLs can be fetched"));
    assert!(
        stderr_with_limit("/credentials", &[]).contains("credentials in URLs are not supported")
    );
}

#[test]
fn fetch_reports_http_errors_and_continues() {
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
    let output = run(&arguments, "");
    let messages = output.messages(2);
    assert!(
        messages.contains(&format!(
            "cannot fetch {}: server returned 410 Gone",
            urls[0]
        )),
        "{messages}"
    );
    assert!(messages.contains("server returned 500"), "{messages}");
    assert!(
        messages.contains(&format!(
            "404 Not Found after a redirect to {}",
            server.url("/missing")
        )),
        "{messages}"
    );
    assert_eq!(
        output.stdout,
        format!("{}:1:9: a[href] x -> {}\n", urls[3], server.url("/x"))
    );
}

#[test]
fn fetch_times_out_on_slow_headers_and_slow_bodies() {
    let server = Server::new(|path, stream| {
        if path == "/never" {
            // Returns when the client closes the connection.
            let _ = stream.read(&mut [0]);
            return;
        }
        let _ = write!(stream, "HTTP/1.1 {HTML}\r\nContent-Length: 1000000\r\n\r\n");
        // Often enough that no pause is as long as the limit.
        while stream.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(100));
        }
    });
    // Neither answer ends, so the command ends because of its limit.
    for path in ["/never", "/drop-by-drop"] {
        let messages = stderr(&["links", "--timeout", "0.5", &server.url(path)]);
        assert!(
            messages.contains("timed out after 0.5 seconds; raise the limit with --timeout"),
            "{messages}"
        );
    }
}

#[test]
fn fetch_stops_at_the_size_limit() {
    let server = Server::new(|path, stream| match path {
        "/endless" => {
            let _ = write!(stream, "HTTP/1.1 {HTML}\r\nConnection: close\r\n\r\n");
            while stream.write_all(&[b'x'; 4096]).is_ok() {}
        }
        _ => write_answer(stream, HTML, &[b'x'; 2000]),
    });
    let stderr_with_limit =
        |size, path: &str| stderr(&["links", "--max-size", size, &server.url(path)]);
    assert!(
        stderr_with_limit("1M", "/endless")
            .contains("larger than 1000000 bytes; raise the limit with --max-size")
    );
    assert!(stderr_with_limit("1999", "/page").contains("larger than 1999 bytes"));
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
        assert!(stderr(&["links", option, value, &server.url("/page")]).contains(option));
    }
}

/// `<a href=x>`, compressed by gzip(1).
const COMPRESSED: [u8; 30] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xb3, 0x49, 0x54, 0xc8, 0x28, 0x4a,
    0x4d, 0xb3, 0xad, 0xb0, 0x03, 0x00, 0x4d, 0x9b, 0x33, 0x98, 0x0a, 0x00, 0x00, 0x00,
];

#[test]
fn fetch_decompresses_documents() {
    let server = Server::new(|path, stream| match path {
        "/gzip" => write_answer(
            stream,
            &format!("{HTML}\r\nContent-Encoding: gzip"),
            &COMPRESSED,
        ),
        "/cut" => write_answer(
            stream,
            &format!("{HTML}\r\nContent-Encoding: gzip"),
            &COMPRESSED[..20],
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
        server.requests()[0]
            .to_lowercase()
            .contains("accept-encoding: gzip")
    );
    assert!(stderr(&["links", &server.url("/cut")]).contains("cannot fetch "));
    assert!(stderr(&["links", &server.url("/br")]).contains("unsupported Content-Encoding \"br\""));
}

#[test]
fn fetch_rejects_truncated_documents() {
    let server = Server::new(|_, stream| {
        let _ = write!(
            stream,
            "HTTP/1.1 {HTML}\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n<a href=x>"
        );
    });
    assert!(stderr(&["links", &server.url("/")]).contains("cannot fetch "));
}

#[test]
fn fetch_charset_of_content_type_takes_precedence() {
    let server = Server::new(|path, stream| {
        let body = b"<meta charset=koi8-r><a href='?q=\xe9'>x</a>";
        let head = match path {
            "/quoted" => "200 OK\r\nContent-Type: text/html; x=y; Charset=\"windows-1251\"",
            "/unknown" => "200 OK\r\nContent-Type: text/html; charset=none-such",
            _ => HTML,
        };
        write_answer(stream, head, body);
    });
    // 0xE9 is U+0439 in windows-1251 and U+0418 in KOI8-R.
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
fn fetch_and_dump_read_the_same_charset() {
    for head in [
        // An empty parameter is not set (MIME Sniffing section 4.4), so the one after it counts.
        "Content-Type: text/html;charset=;charset=windows-1251",
        // Fetch, "extract a MIME type": the last media type counts, with the charset of an equal one before it.
        "Content-Type: text/html;charset=windows-1251, text/html",
        "Content-Type: text/html;charset=windows-1251\r\nContent-Type: text/html;x=y",
        "Content-Type: text/plain;charset=koi8-r, text/html;charset=windows-1251",
        "Content-Type: text/html;charset=windows-1251\r\nContent-Type: no-media-type",
    ] {
        let head = ["200 OK\r\n", head].concat();
        let body = b"<html><a href='?q=\xe9'>x</a>";
        let directory = tempfile::tempdir().expect("a directory");
        let dump = directory.path().join("dump.http");
        let bytes = [b"HTTP/1.1 ", head.as_bytes(), b"\r\n\r\n", body].concat();
        fs::write(&dump, bytes).expect("a writable directory");
        let server = Server::new(move |_, stream| write_answer(stream, &head, body));
        for input in [server.url("/"), dump.to_string_lossy().into_owned()] {
            let listed = printed(&["links", "--format", "jsonl", &input]);
            let row: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
            assert_eq!(row["reference"], "?q=\u{439}", "{input}");
        }
    }
}

#[test]
fn fetch_reads_documents_by_content_type() {
    let server = Server::of(&[
        ("/sheet", "200 OK\r\nContent-Type: text/css", "a{b:url(x)}"),
        (
            "/xhtml.css",
            "200 OK\r\nContent-Type: Application/XHTML+xml;a=b",
            "<a xmlns='http://www.w3.org/1999/xhtml' href='x'/>",
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
        (
            "/xhtml.css",
            format!("<a xmlns='http://www.w3.org/1999/xhtml' href='{target}'/>"),
        ),
        ("/none", format!("<a href='{target}'>")),
        ("/none.css", format!("a{{b:url({target})}}")),
        ("/empty", format!("<a href='{target}'>")),
    ] {
        assert_eq!(printed(&["rewrite", &server.url(path)]), expected, "{path}");
    }
    let messages = stderr(&["rewrite", &server.url("/image")]);
    assert!(
        messages.contains("unsupported content type image/png; use --input-format"),
        "{messages}"
    );
    let page = printed(&["rewrite", "--input-format", "html", &server.url("/image")]);
    assert_eq!(page, format!("<a href='{target}'>"));
    let sheet = printed(&["rewrite", "--input-format", "html", &server.url("/sheet")]);
    assert_eq!(sheet, "a{b:url(x)}");
}

#[test]
fn fetch_rejects_partial_content() {
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
        let messages = stderr(&["rewrite", &server.url(path)]);
        assert!(
            messages.contains(&format!("server returned {status}")),
            "{messages}"
        );
    }
}

#[test]
fn fetch_accepts_urls_in_lists() {
    let server = Server::of(&[("/d/page", HTML, "<a href=x>")]);
    let directory = TempDir::new().expect("a temporary directory");
    let list = directory.path().join("list");
    fs::write(&list, format!("{}\r\n", server.url("/d/page"))).expect("a list");
    let list = list.to_str().expect("UTF-8");
    let page = printed(&["rewrite", "--files-from", list]);
    assert_eq!(page, format!("<a href={}>", server.url("/d/x")));
    let url = server.url("/d/page");
    let messages = stderr(&["rewrite", "--files-from", list, &url]);
    assert!(messages.contains("duplicate input "), "{messages}");
}

#[test]
fn fetch_url_option_takes_precedence() {
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
fn fetch_names_files_after_their_urls() {
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
        stderr(&["rewrite", "-o", &out, &urls[0], &server.url("/")])
            .contains("would both be written to")
    );
    assert!(
        stderr(&["rewrite", "-i", &urls[0]]).contains("--in-place cannot be used with the URL ")
    );
    // Unlike file names, URLs that differ in a trailing slash are two documents.
    printed(&["links", &server.url("/a"), &server.url("/a/")]);
    assert!(stderr(&["links", &urls[0], &urls[0]]).contains("duplicate input "));
}

#[test]
fn fetch_reports_connection_errors() {
    let refused = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = refused.local_addr().expect("an address").port();
    drop(refused);
    assert!(
        stderr(&["links", &format!("http://127.0.0.1:{port}/")]).contains("connection refused")
    );
    assert!(stderr(&["links", "http://no-such-host.invalid/"]).contains("unknown host"));
    assert!(
        stderr(&["links", "http://me:pw@127.0.0.1/"])
            .contains("credentials in URLs are not supported")
    );
    for url in ["http://", "HTTP://a b/", "http://h:99999/"] {
        assert!(stderr(&["links", url]).contains("invalid URL: "), "{url}");
    }
    // An HTTP server answers a TLS handshake with "400 Bad Request".
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // Reads the request first: closing a socket with unread data resets the connection.
            let _ = stream.read(&mut [0; 16_384]);
            write_answer(&mut stream, "400 Bad Request", b"");
        }
    });
    let messages = stderr(&["links", &format!("https://127.0.0.1:{port}/")]);
    assert!(
        messages.contains("does not use TLS on this port"),
        "{messages}"
    );
}

#[test]
fn fetch_is_not_used_for_existing_files() {
    let directory = TempDir::new().expect("a temporary directory");
    fs::create_dir_all(directory.path().join("http:/h")).expect("a directory");
    let file = directory.path().join("http:/h/page");
    fs::write(&file, "<a href=x>").expect("a file");
    let listed = printed(&["links", file.to_str().expect("UTF-8")]);
    assert!(listed.contains("a[href] x"), "{listed}");
}

#[test]
fn legacy_headers_are_base_urls_of_fetched_documents() {
    let server = Server::of(&[
        (
            "/both",
            "200 OK\r\nContent-Type: text/html\r\nContent-Location: http://cl.example/x\r\nContent-Base: http://cb.example/",
            "<a href=g>",
        ),
        (
            "/relative",
            "200 OK\r\nContent-Type: text/html\r\nContent-Location: sub/x",
            "<a href=g>",
        ),
        ("/none", "200 OK\r\nContent-Type: text/html", "<a href=g>"),
    ]);
    for (path, expected) in [
        ("/both", "http://cb.example/".to_owned()),
        ("/relative", server.url("/sub/x")),
        ("/none", server.url("/none")),
    ] {
        let url = server.url(path);
        let printed = run(&["base", &url, "--legacy-headers"], "").printed();
        let first = printed.lines().next().unwrap_or_default();
        assert_eq!(first, format!("{url}: {expected}"), "{printed}");
        let printed = run(&["base", &url], "").printed();
        assert!(printed.starts_with(&format!("{url}: {url}\n")), "{printed}");
        // The dump of the same response.
        let fetched = run(&["rewrite", &url, "--legacy-headers"], "").printed();
        let tree = run(&["rewrite", &url, "--legacy-headers", "--emit", "tree"], "").printed();
        assert!(tree.contains(fetched.trim_start_matches("<a href=").trim_end_matches('>')));
    }
}

#[test]
fn header_fields_are_sent_to_the_origin_only() {
    let other = Server::of(&[("/x", "200 OK\r\nContent-Type: text/html", "<a href=g>")]);
    let port = other.port;
    let server = Server::new(move |path, stream| {
        let head = match path {
            "/here" => "302 Found\r\nLocation: /there".to_owned(),
            "/there" => format!("302 Found\r\nLocation: http://127.0.0.1:{port}/x"),
            _ => "404 Not Found".to_owned(),
        };
        write_answer(stream, &head, b"");
    });
    let arguments = [
        "links",
        &server.url("/here"),
        "--user-agent",
        "Test/1",
        "--header",
    ];
    let fields = ["Authorization: secret", "--header", "accept:text/css"];
    printed(&[&arguments[..], &fields].concat());
    let requests: Vec<String> = server
        .requests()
        .iter()
        .map(|head| head.to_lowercase())
        .collect();
    assert_eq!(requests.len(), 2);
    for request in requests {
        for field in [
            "authorization: secret",
            "accept: text/css",
            "user-agent: test/1",
        ] {
            assert!(
                request.contains(&format!("\r\n{field}\r\n")),
                "{field}: {request}"
            );
        }
        assert_eq!(request.matches("\r\naccept:").count(), 1, "{request}");
        assert_eq!(request.matches("\r\nuser-agent:").count(), 1, "{request}");
    }
    let [request] = &other.requests()[..] else {
        panic!("one request");
    };
    assert!(
        !request.to_lowercase().contains("authorization"),
        "{request}"
    );
    assert!(request.contains("Test/1"), "{request}");
    for (field, problem) in [
        ("Host: x", "belongs to the connection"),
        ("nonsense", "expected a name and a value"),
        ("a b: c", "invalid HTTP header name"),
        ("a: b\r\nc: d", "failed to parse header value"),
        ("User-Agent: x", "use --user-agent"),
    ] {
        let messages = run(&["links", "http://127.0.0.1:9/", "--header", field], "").messages(2);
        assert!(messages.contains(problem), "{messages}");
    }
}
