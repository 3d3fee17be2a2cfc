//! Values of `--limit`.

use absolve::Limit;

use super::fetch::bytes;
use crate::terminal;

/// The value of one limit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LimitArg {
    /// A limit of [`absolve::Rewriter`].
    Document(Limit, usize),
    /// The maximum length of a document in a container, in bytes.
    DecodedSize(usize),
    /// The number of bytes that each byte of a container may decode to.
    DecodedRatio(usize),
    /// The maximum length of a record of an archive, in bytes.
    RecordSize(usize),
}

const DECODED_SIZE: &str = "decoded-size";
const DECODED_RATIO: &str = "decoded-ratio";
const RECORD_SIZE: &str = "record-size";

impl LimitArg {
    /// Parses `NAME=NUMBER`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (name, number) = text
            .split_once('=')
            .ok_or("expected NAME=NUMBER, such as links=100000")?;
        let value = bytes(number).map_err(|_| {
            let name = terminal::escape_control(name);
            format!("expected a number after {name}=, such as 500000, 500k or 100M")
        })?;
        let value = usize::try_from(value).unwrap_or(usize::MAX);
        match name {
            DECODED_SIZE => Ok(Self::DecodedSize(value)),
            DECODED_RATIO => Ok(Self::DecodedRatio(value)),
            RECORD_SIZE => Ok(Self::RecordSize(value)),
            _ => match name.parse() {
                Ok(limit) => Ok(Self::Document(limit, value)),
                Err(_) => Err(format!(
                    "unknown limit {}; use {}",
                    terminal::escape_control(name),
                    Self::names().collect::<Vec<_>>().join(", ")
                )),
            },
        }
    }

    fn names() -> impl Iterator<Item = &'static str> {
        let names = Limit::ALL.iter().map(|limit| limit.name());
        names.chain([DECODED_SIZE, DECODED_RATIO, RECORD_SIZE])
    }
}
