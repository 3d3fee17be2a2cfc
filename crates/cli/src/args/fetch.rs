//! Arguments about fetched documents.

use std::time::Duration;

use clap::Args;
use ureq::http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, HeaderName, HeaderValue, TE,
    TRANSFER_ENCODING, USER_AGENT,
};

/// Options for fetched documents.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct FetchArgs {
    /// Set the time limit for fetching a document
    ///
    /// In seconds, redirects included.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, help_heading = "Fetching", hide_short_help = true)]
    pub(crate) timeout: Duration,

    /// Set the size limit of a fetched document
    ///
    /// In bytes, after decompression; k, M and G are powers of 1000.
    #[arg(long, value_name = "BYTES", default_value = "100M", value_parser = bytes, help_heading = "Fetching", hide_short_help = true)]
    pub(crate) max_size: u64,

    /// Set the limit of redirects to follow
    ///
    /// A document after more redirects is not fetched.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        help_heading = "Fetching",
        hide_short_help = true
    )]
    pub(crate) max_redirects: usize,

    /// Send a header field, such as `Accept-Language: fr`
    ///
    /// It is sent to the host of the URL only, and not after a redirect to another scheme, host or port, because it
    /// may be secret. It replaces a field that absolve sends by itself. The option can be repeated.
    #[arg(long, value_name = "NAME: VALUE", value_parser = header, help_heading = "Fetching", hide_short_help = true)]
    pub(crate) header: Vec<RequestHeader>,

    /// Identify as TEXT to servers [default: absolve and its version]
    #[arg(long, value_name = "TEXT", value_parser = HeaderValue::from_str, help_heading = "Fetching", hide_short_help = true)]
    pub(crate) user_agent: Option<HeaderValue>,
}

/// The name and value of a header field of a request.
pub(crate) type RequestHeader = (HeaderName, HeaderValue);

/// Header fields that belong to the connection or to the coding of the body, which the HTTP client decides on.
const OF_CLIENT: [HeaderName; 6] = [
    ACCEPT_ENCODING,
    CONNECTION,
    CONTENT_LENGTH,
    HOST,
    TE,
    TRANSFER_ENCODING,
];

fn header(text: &str) -> Result<RequestHeader, String> {
    let (name, value) = text
        .split_once(':')
        .ok_or("expected a name and a value, such as Accept-Language: fr")?;
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| error.to_string())?;
    let value = HeaderValue::from_str(value.trim_ascii()).map_err(|error| error.to_string())?;
    if OF_CLIENT.contains(&name) {
        return Err(format!(
            "{name} cannot be set: it belongs to the connection"
        ));
    }
    if name == USER_AGENT {
        return Err("use --user-agent for this field".to_owned());
    }
    Ok((name, value))
}

const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

fn seconds(text: &str) -> Result<Duration, String> {
    let duration = text.parse().ok().map(Duration::try_from_secs_f64);
    match duration {
        // A clock's range is smaller than that of a number.
        Some(Ok(duration)) if !duration.is_zero() && duration <= LONGEST => Ok(duration),
        _ => Err("expected a number of seconds up to one year, such as 30 or 2.5".to_owned()),
    }
}

pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1_000),
        Some(b'M') => (&text[..text.len() - 1], 1_000_000),
        Some(b'G') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    digits
        .parse()
        .ok()
        .and_then(|number: u64| number.checked_mul(unit))
        .ok_or_else(|| "expected a number of bytes, such as 500000, 500k or 100M".to_owned())
}
