//! Options of a rewriter, as lists of strings.

use absolve::options::InvalidOption;
use absolve::{Profile, Rewriter};

/// A rewriter and its profile.
pub(crate) struct Settings {
    pub(crate) rewriter: Rewriter,
    pub(crate) profile: Profile,
}

impl Settings {
    /// Creates the rewriter for a list of options.
    ///
    /// Each option is three strings: its name, its value, and a second value, which is empty unless the option is a
    /// pair.
    ///
    /// # Errors
    /// A value is invalid. The message names the option, its value and what to use instead.
    pub(crate) fn new(options: &[String]) -> Result<Self, String> {
        // Results are lists of their own (`links`); a rewrite reports the skipped links.
        let mut rewriter = Rewriter::new();
        let mut profile = Profile::default();
        // The profile comes first, because it determines which URLs are valid in other options.
        for is_profile in [true, false] {
            for option in options.chunks_exact(3) {
                if (option[0] == "profile") != is_profile {
                    continue;
                }
                if is_profile {
                    profile = self::profile(&option[1])?;
                }
                rewriter = rewriter
                    .with_option(&option[0], &option[1], &option[2])
                    .map_err(message)?;
            }
        }
        Ok(Self { rewriter, profile })
    }
}

/// Returns the profile with this name.
///
/// # Errors
/// There is none.
pub(crate) fn profile(name: &str) -> Result<Profile, String> {
    absolve::options::named_option("profile", name).map_err(message)
}

/// Returns an error as JavaScript gets it.
pub(crate) fn message(error: InvalidOption) -> String {
    error.to_string()
}
