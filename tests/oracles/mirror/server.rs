//! A web server on the loopback interface.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

/// The answer to a request.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    Page(&'static str),
    Sheet(&'static str),
    Image,
    /// Its media type and its content.
    File(&'static str, Vec<u8>),
    /// A redirect to this path.
    Redirect(&'static str),
}

/// Serves `answers`, keyed by path and query, until the test process ends. Returns the address of the server.
pub(crate) fn serve(answers: &[(&'static str, Answer)]) -> SocketAddr {
    let answers: HashMap<&str, Answer> = answers.iter().cloned().collect();
    serve_with(move |requested| answers.get(requested).cloned())
}

/// Serves the files of `folder`, whose names need no escapes, until the test process ends.
pub(crate) fn serve_folder(folder: PathBuf) -> SocketAddr {
    serve_with(move |requested| {
        let media_type = match requested.rsplit_once('.')?.1 {
            "html" => "text/html",
            "css" => "text/css",
            "svg" => "image/svg+xml",
            _ => "application/octet-stream",
        };
        let content = fs::read(folder.join(requested.trim_start_matches('/')));
        Some(Answer::File(media_type, content.ok()?))
    })
}

fn serve_with(answers: impl Fn(&str) -> Option<Answer> + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let answers = Arc::new(answers);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answers = Arc::clone(&answers);
            thread::spawn(move || answer(stream, &*answers));
        }
    });
    address
}

fn answer(stream: TcpStream, answers: &impl Fn(&str) -> Option<Answer>) {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    if reader.read_line(&mut request).is_err() {
        return;
    }
    // The header fields are read, but not needed.
    let mut header = String::new();
    while reader.read_line(&mut header).is_ok_and(|read| read > 2) {
        header.clear();
    }
    let requested = request.split(' ').nth(1).unwrap_or_default();
    let html = "Content-Type: text/html; charset=utf-8".to_owned();
    let (status, header, body) = match answers(requested) {
        Some(Answer::Page(page)) => ("200 OK", html, page.into()),
        Some(Answer::Sheet(css)) => ("200 OK", "Content-Type: text/css".to_owned(), css.into()),
        Some(Answer::Image) => ("200 OK", "Content-Type: image/png".to_owned(), "png".into()),
        Some(Answer::File(media_type, body)) => {
            ("200 OK", format!("Content-Type: {media_type}"), body)
        }
        Some(Answer::Redirect(to)) => ("301 Moved", format!("Location: {to}"), Vec::new()),
        None => ("404 Not Found", html, "gone".into()),
    };
    let length = body.len();
    let header = format!(
        "HTTP/1.1 {status}\r\n{header}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    // The client may close the connection early: ignore the error.
    let _ = reader
        .get_mut()
        .write_all(&[header.as_bytes(), &body].concat());
}
