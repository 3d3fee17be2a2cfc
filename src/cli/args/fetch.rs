//! Arguments about fetched documents.

use std::time::Duration;

use clap::Args;

/// Options for fetched documents.
#[derive(Debug, Default, Clone, Args)]
pub(in crate::cli) struct FetchArgs {
    /// Set the time limit for fetching a document
    ///
    /// In seconds, redirects included.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, help_heading = "Fetching", hide_short_help = true)]
    pub(in crate::cli) timeout: Duration,

    /// Set the size limit of a fetched document
    ///
    /// In bytes, after decompression; k, M and G are powers of 1000.
    #[arg(long, value_name = "BYTES", default_value = "100M", value_parser = bytes, help_heading = "Fetching", hide_short_help = true)]
    pub(in crate::cli) max_size: u64,

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
    pub(in crate::cli) max_redirects: usize,
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
