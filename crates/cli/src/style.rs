//! Colours of text on standard output.

use std::io::{self, IsTerminal};

use super::args::ColorArg;

/// Style of text on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// The text as it is, for files and other programs.
    Plain,
    /// With colours, for a terminal.
    Coloured,
}

impl Style {
    /// Returns the style that `--color` determines.
    pub(super) fn of(color: ColorArg) -> Self {
        // https://no-color.org: colours are off if the variable is set and not empty.
        let is_off = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        // A terminal that cannot show colours.
        let is_off = is_off || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        match color {
            ColorArg::Auto if is_off || !io::stdout().is_terminal() => Self::Plain,
            ColorArg::Auto | ColorArg::Always => Self::Coloured,
            ColorArg::Never => Self::Plain,
        }
    }

    /// Returns `text` in a colour, which is one of the constants of this module.
    pub(super) fn paint(self, colour: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("{colour}{text}{RESET}"),
        }
    }
}

pub(super) const BOLD: &str = "\x1b[1m";
pub(super) const RED: &str = "\x1b[31m";
pub(super) const RED_BOLD: &str = "\x1b[1;31m";
pub(super) const GREEN: &str = "\x1b[32m";
pub(super) const CYAN: &str = "\x1b[36m";
pub(super) const YELLOW: &str = "\x1b[1;33m";
pub(super) const BLUE: &str = "\x1b[1;34m";
const RESET: &str = "\x1b[0m";
