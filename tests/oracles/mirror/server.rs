//! A web server on the loopback interface.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// The answer to a request.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    Page(&'static str),
    Sheet(&'static str),
    Image,
    /// A redirect to this path.
    Redirect(&'static str),
}

/// Serves `answers`, keyed by path and query, until the test process ends. Returns the address of the server.
pub(crate) fn serve(answers: &[(&'static str, Answer)]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let answers: Arc<HashMap<&str, Answer>> = Arc::new(answers.iter().cloned().collect());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answers = Arc::clone(&answers);
            thread::spawn(move || answer(stream, &answers));
        }
    });
    address
}

fn answer(stream: TcpStream, answers: &HashMap<&str, Answer>) {
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
    let (status, header, body) = match answers.get(requested) {
        Some(Answer::Page(html)) => (
            "200 OK",
            "Content-Type: text/html; charset=utf-8".to_owned(),
            *html,
        ),
        Some(Answer::Sheet(css)) => ("200 OK", "Content-Type: text/css".to_owned(), *css),
        Some(Answer::Image) => ("200 OK", "Content-Type: image/png".to_owned(), "png"),
        Some(Answer::Redirect(to)) => ("301 Moved", format!("Location: {to}"), ""),
        None => (
            "404 Not Found",
            "Content-Type: text/html".to_owned(),
            "gone",
        ),
    };
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\n{header}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    // The client may close the connection early: ignore the error.
    let _ = reader.get_mut().write_all(answer.as_bytes());
}
