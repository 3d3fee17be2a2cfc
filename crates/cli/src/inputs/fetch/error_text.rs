//! Messages for network errors, with a remedy where there is one.

use std::io;

use rustls::CertificateError;

const UNKNOWN_HOST: &str = "unknown host; check the spelling and the network connection";

const CERTIFICATES_HINT: &str =
    "install the system's CA certificates, or set SSL_CERT_FILE to a file that contains them";

/// Returns the message for an error of the HTTP client.
pub(super) fn describe(error: &ureq::Error) -> String {
    match error {
        ureq::Error::HostNotFound => UNKNOWN_HOST.to_owned(),
        ureq::Error::Io(error) => describe_io(error),
        ureq::Error::ConnectionFailed => "cannot connect; check the network connection".to_owned(),
        ureq::Error::InvalidProxyUrl | ureq::Error::ConnectProxyFailed(_) => {
            format!(
                "{error}; check the environment variables http_proxy, https_proxy and all_proxy"
            )
        }
        ureq::Error::Rustls(error) => describe_tls(error),
        error => format!("invalid response: {error}"),
    }
}

/// Returns the message for an I/O error of a connection, or for the TLS error that caused it.
pub(super) fn describe_io(error: &io::Error) -> String {
    if let Some(cause) = error.get_ref().and_then(|cause| cause.downcast_ref()) {
        return describe_tls(cause);
    }
    // std has no stable error kind for a failed name lookup.
    if error.to_string().starts_with("failed to lookup address") {
        return UNKNOWN_HOST.to_owned();
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            "connection refused; check the host and port of the URL".to_owned()
        }
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => {
            "connection reset".to_owned()
        }
        io::ErrorKind::UnexpectedEof => {
            "connection closed before the end of the document".to_owned()
        }
        _ => format!("connection error: {error}"),
    }
}

/// Returns the message for a TLS error.
fn describe_tls(error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidMessage(_) => {
            "TLS error: the server does not use TLS on this port; check whether the URL should begin with http://".to_owned()
        }
        rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            format!("TLS error: server certificate from an unknown issuer; {CERTIFICATES_HINT}")
        }
        // Its text is that of a type of another crate.
        rustls::Error::InvalidCertificate(CertificateError::Other(_)) => {
            "TLS error: invalid server certificate; ask the operator of the server to correct it".to_owned()
        }
        // The error of the platform verifier if the system has no CA certificates.
        rustls::Error::General(message) => format!("TLS error: {message}; {CERTIFICATES_HINT}"),
        error => format!("TLS error: {error}"),
    }
}
