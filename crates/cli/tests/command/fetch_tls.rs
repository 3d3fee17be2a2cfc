//! Fetching over TLS, from a server on the loopback interface with the test certificate of `fixtures/tls`.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use support::world;
use support::world::Answer;

/// Starts a server that sends `answer` to every request, and returns its port.
fn serve(answer: String) -> u16 {
    serve_and_close(answer, true)
}

/// Starts such a server, which announces the end of a connection with `close_notify` or does not.
fn serve_and_close(answer: String, is_announced: bool) -> u16 {
    let folder = support::root().join("fixtures/tls");
    let certificate = CertificateDer::from_pem_file(folder.join("server.pem"));
    let key = PrivateKeyDer::from_pem_file(folder.join("server.key"));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions that ring has")
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate.expect("a certificate")],
            key.expect("a key"),
        )
        .expect("a certificate and its key");
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = ServerConnection::new(Arc::clone(&config)).expect("a connection");
            let mut stream = BufReader::new(StreamOwned::new(connection, stream));
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") && matches!(stream.read_line(&mut head), Ok(1..)) {}
            let stream = stream.get_mut();
            // A client that does not trust the certificate has closed the connection: ignore the error.
            let _ = stream.write_all(answer.as_bytes());
            if is_announced {
                stream.conn.send_close_notify();
            }
            let _ = stream.flush();
        }
    });
    port
}

/// Runs the command. The file `trusted` of `fixtures/tls` is its only trusted authority.
fn run(trusted: &str, url: &str) -> Answer {
    let folder = support::root().join("fixtures/tls");
    let mut command = world::command(&["links", url]);
    command
        .env("SSL_CERT_FILE", folder.join(trusted))
        .env_remove("SSL_CERT_DIR");
    world::feed(&mut command, "").expect("the command runs")
}

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\nConnection: close\r\n\r\n<a href=x>";

#[test]
fn fetch_reads_from_a_trusted_server() {
    let port = serve(PAGE.to_owned());
    let url = format!("https://localhost:{port}/page");
    let output = run("authority.pem", &url);
    assert_eq!(output.messages(0), "");
    assert_eq!(
        output.stdout,
        format!("{url}:1:9: a[href] x -> https://localhost:{port}/x\n")
    );
}

#[test]
fn fetch_rejects_an_untrusted_server_or_wrong_name() {
    let port = serve(PAGE.to_owned());
    for (trusted, host, expected) in [
        (
            "server.pem",
            "localhost",
            "server certificate from an unknown issuer",
        ),
        (
            "authority.pem",
            "127.0.0.1",
            "not valid for name \"127.0.0.1\"",
        ),
        (
            "README.md",
            "localhost",
            "install the system's CA certificates",
        ),
    ] {
        let output = run(trusted, &format!("https://{host}:{port}/"));
        assert!(
            output.messages(2).contains(expected),
            "{trusted}: {output:?}"
        );
    }
}

#[test]
fn fetch_warns_about_a_redirect_to_http() {
    let plain = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = plain.local_addr().expect("an address");
    thread::spawn(move || {
        for mut stream in plain.incoming().flatten() {
            // Reads the request first: closing a socket with unread data resets the connection.
            let _ = stream.read(&mut [0; 16_384]);
            let _ = stream.write_all(PAGE.as_bytes());
        }
    });
    let port = serve(format!(
        "HTTP/1.1 302 Found\r\nLocation: http://{address}/page\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    ));
    let output = run("authority.pem", &format!("https://localhost:{port}/"));
    let expected = format!(
        "https://localhost:{port}/: insecure redirect from https to http: http://{address}/page\n"
    );
    assert!(output.messages(0).contains(&expected), "{output:?}");
    let listed = output.stdout;
    assert!(
        listed.ends_with(&format!("a[href] x -> http://{address}/x\n")),
        "{listed}"
    );
}

#[test]
fn fetch_needs_a_length_or_close_notify() {
    let page = PAGE.replace("Content-Length: 10\r\n", "");
    for (page, is_announced, code) in [
        (PAGE, true, 0),
        (PAGE, false, 0),
        (&*page, true, 0),
        (&*page, false, 2),
    ] {
        let port = serve_and_close(page.to_owned(), is_announced);
        let answer = run("authority.pem", &format!("https://localhost:{port}/"));
        let answer = answer.exits_with(code);
        assert_eq!(
            answer.stderr.contains("closed without close_notify"),
            code == 2,
            "{answer:?}"
        );
    }
}
