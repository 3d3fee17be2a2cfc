//! A web server on the loopback, for one test.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// What is answered to a request.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    Page(&'static str),
    Sheet(&'static str),
    Image,
    /// To that path.
    Redirect(&'static str),
}

/// Serves `answers`, by path and query as they are asked for, until the test process ends.
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
    // The rest of the request says nothing that matters here.
    let mut header = String::new();
    while reader.read_line(&mut header).is_ok_and(|read| read > 2) {
        header.clear();
    }
    let asked = request.split(' ').nth(1).unwrap_or_default();
    let (status, header, body) = match answers.get(asked) {
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
    // A client that hangs up has what it wanted.
    let _ = reader.get_mut().write_all(answer.as_bytes());
}
