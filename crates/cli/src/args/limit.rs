//! Values of `--limit`.

use absolve::Limit;
use absolve::options::UnknownName;
use absolve_archive::ContainerLimit;

use super::fetch::bytes;
use crate::print::terminal;

/// The value of one limit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LimitArg {
    Document(Limit, usize),
    Container(ContainerLimit, usize),
}

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
        let document = name.parse().map(|limit| Self::Document(limit, value));
        let container = name.parse().map(|limit| Self::Container(limit, value));
        document.or(container).map_err(|_: UnknownName| {
            let documents = Limit::ALL.iter().map(|limit| limit.name());
            let names = documents.chain(ContainerLimit::ALL.iter().map(|limit| limit.name()));
            format!(
                "unknown limit {}; use {}",
                terminal::escape_control(name),
                names.collect::<Vec<_>>().join(", ")
            )
        })
    }
}
