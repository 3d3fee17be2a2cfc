//! What is typed about documents that are fetched.

use std::time::Duration;

use clap::Args;

/// Options of the verbs that read documents, for those that are fetched.
#[derive(Debug, Args)]
pub(in crate::cli) struct FetchArgs {
    /// How long fetching a document may take, redirects included
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, help_heading = "Fetching", hide_short_help = true)]
    pub(in crate::cli) timeout: Duration,

    /// How large a fetched document may be, unpacked; k, M and G are powers of 1000
    #[arg(long, value_name = "BYTES", default_value = "100M", value_parser = bytes, help_heading = "Fetching", hide_short_help = true)]
    pub(in crate::cli) max_size: u64,

    /// How many redirects are followed to a document
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
        // Clocks cannot count as far as numbers can.
        Some(Ok(duration)) if !duration.is_zero() && duration <= LONGEST => Ok(duration),
        _ => Err("no number of seconds between 0 and a year, such as 30 or 2.5".to_owned()),
    }
}

fn bytes(text: &str) -> Result<u64, String> {
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
        .ok_or_else(|| "no number of bytes, such as 500000, 500k or 100M".to_owned())
}
