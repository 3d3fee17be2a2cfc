//! The progress bar: shown on a terminal only. [`super::printer`] draws it, and removes it while a result is printed.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::args::RunArgs;

/// Template of the bar: what is done first, exact totals, then rate and time left.
///
/// The carriage return leaves the cursor in the line of the bar. Otherwise, it would be after the last column, from
/// where the `^C` of the terminal begins a new line: the next time, that line would be cleared, and not the bar. The
/// empty message fills the line; the crate would do so after the carriage return.
const TEMPLATE: &str = "{prefix}{pos}/{len} files{pace}{wide_msg}\r";

/// Returns a progress bar for `files` files.
///
/// It is hidden for a single file, with `--quiet` or `--no-progress`, and if standard error is not a terminal.
pub(crate) fn bar(args: &RunArgs, files: usize) -> ProgressBar {
    let is_wanted = !args.no_progress && !args.quiet && files > 1 && io::stderr().is_terminal();
    if !is_wanted {
        return ProgressBar::hidden();
    }
    let bar =
        ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr_with_hz(10));
    // The template is a constant, which a test parses: it cannot fail.
    if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
        bar.set_style(style.with_key("pace", pace));
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Writes rate and time left, once they are known.
fn pace(state: &ProgressState, to: &mut dyn Write) {
    if state.elapsed() > Duration::from_secs(1) && state.pos() > 0 {
        let (rate, left) = (state.per_sec(), HumanDuration(state.eta()));
        // An error here means that the bar cannot be drawn, which must not affect the run.
        let _ = write!(to, ", {rate:.0}/s, {left:#} left");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_is_valid() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }
}
