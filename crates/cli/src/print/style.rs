//! Colours of text on standard output.

use std::io::{self, IsTerminal};

use crate::args::ColorArg;

/// Style of text on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// The text as it is, for files and other programs.
    Plain,
    /// With colours, for a terminal.
    Coloured,
}

impl Style {
    /// Returns the style that `--color` determines.
    pub(crate) fn of(color: ColorArg) -> Self {
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
    pub(crate) fn paint(self, colour: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("{colour}{text}{RESET}"),
        }
    }
}

pub(crate) const BOLD: &str = "\x1b[1m";
pub(crate) const RED: &str = "\x1b[31m";
pub(crate) const RED_BOLD: &str = "\x1b[1;31m";
pub(crate) const GREEN: &str = "\x1b[32m";
pub(crate) const CYAN: &str = "\x1b[36m";
pub(crate) const YELLOW: &str = "\x1b[1;33m";
pub(crate) const BLUE: &str = "\x1b[1;34m";
const RESET: &str = "\x1b[0m";
