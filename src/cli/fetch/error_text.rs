//! What went wrong on the network, for people.

use std::io;

use rustls::CertificateError;

const NO_HOST: &str =
    "no host of that name is known; look at how it is spelt, and whether the network is there";

const CERTIFICATES: &str =
    "install the system's certificates, or name a file with them in the variable SSL_CERT_FILE";

/// What went wrong, and what to do.
pub(super) fn of(error: &ureq::Error) -> String {
    match error {
        ureq::Error::HostNotFound => NO_HOST.to_owned(),
        ureq::Error::Io(error) => of_connection(error),
        ureq::Error::ConnectionFailed => {
            "no connection; look whether the network is there".to_owned()
        }
        ureq::Error::InvalidProxyUrl | ureq::Error::ConnectProxyFailed(_) => {
            format!("{error}; look at the variables http_proxy, https_proxy and all_proxy")
        }
        ureq::Error::Rustls(error) => of_tls(error),
        error => format!("no answer that can be understood: {error}"),
    }
}

/// What went wrong with a connection.
pub(super) fn of_connection(error: &io::Error) -> String {
    let cause = error
        .get_ref()
        .and_then(|cause| cause.downcast_ref::<rustls::Error>());
    if let Some(cause) = cause {
        return of_tls(cause);
    }
    // std tells it by no kind.
    if error.to_string().starts_with("failed to lookup address") {
        return NO_HOST.to_owned();
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            "the connection was refused; look at the host and the port in its URL".to_owned()
        }
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => {
            "the connection was broken off".to_owned()
        }
        io::ErrorKind::UnexpectedEof => "the connection ended before the document did".to_owned(),
        _ => format!("no connection: {error}"),
    }
}

fn of_tls(error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidMessage(_) => {
            "no secure connection: the server does not speak TLS there; is its URL one with http://?".to_owned()
        }
        rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            format!("no secure connection: this system does not trust who signed the server's certificate; {CERTIFICATES}")
        }
        // It is what the verifier says where there are none.
        rustls::Error::General(what) => format!("no secure connection: {what}; {CERTIFICATES}"),
        error => format!("no secure connection: {error}"),
    }
}
