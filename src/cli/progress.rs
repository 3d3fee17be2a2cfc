//! The progress bar: on a terminal only, and never where data is on the same one.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::args::RunArgs;

/// How much of the run is done, exactly, then how fast and how long it takes yet.
const TEMPLATE: &str = "{pos}/{len} files, {rate} a second, {eta} left";

/// A bar for that many files, which is hidden where nobody would want it.
pub(super) fn bar(args: &RunArgs, files: usize, has_data: bool) -> ProgressBar {
    let is_wanted = !args.no_progress && !args.quiet && files > 1 && io::stderr().is_terminal();
    if !is_wanted || (has_data && io::stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    let bar =
        ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr_with_hz(10));
    // The template is ours, and a test reads it.
    if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
        bar.set_style(style.with_key("rate", rate));
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn rate(state: &ProgressState, to: &mut dyn Write) {
    // A bar that cannot be drawn is not drawn.
    let _ = write!(to, "{:.0}", state.per_sec());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_one() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }
}
