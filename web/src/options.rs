//! Options of a rewriter: names and values of JavaScript to settings of the library.

use std::fmt::Display;
use std::str::FromStr;

use absolve::{
    AbsoluteReferences, BaseElementPolicy, BaseScope, BaseUrlError, Escape, FragmentPolicy,
    Grammar, Limit, LinkDetail, LinkSelector, OutputForm, Preset, Profile, ResolveError, Rewriter,
};

/// The name among presets that disables all of them.
const NO_PRESET: &str = "none";

/// A rewriter and its profile.
pub(crate) struct Settings {
    pub(crate) rewriter: Rewriter,
    pub(crate) profile: Profile,
}

/// Returns the message for a value of an option: the problem, and what to use instead.
pub(crate) fn invalid(option: &str, value: &str, problem: impl Display, hint: &str) -> String {
    format!("{option}: {problem}: {value:?}; {hint}")
}

/// Returns the value of a closed set that `name` denotes.
///
/// # Errors
/// It denotes none; the message has the names of `all`.
pub(crate) fn named<T: Copy + FromStr<Err: Display>>(
    option: &str,
    name: &str,
    all: &[T],
    name_of: fn(T) -> &'static str,
) -> Result<T, String> {
    name.parse().map_err(|error| {
        let names: Vec<&str> = all.iter().map(|&value| name_of(value)).collect();
        let hint = format!("use one of {}", names.join(", "));
        invalid(option, name, error, &hint)
    })
}

/// Returns the profile with this name.
///
/// # Errors
/// There is none.
pub(crate) fn profile(name: &str) -> Result<Profile, String> {
    named("profile", name, Profile::ALL, Profile::name)
}

/// Checks that `url` can be the base URL of a document without other candidates.
///
/// # Errors
/// It cannot.
pub(crate) fn check_base(option: &str, url: &str, profile: Profile) -> Result<(), String> {
    absolve::check_base_url(url, profile).map_err(|error| {
        let hint = match error {
            BaseUrlError::WindowsPath => "use a file URL such as 'file:///C:/dir/page.html'",
            _ => "use an absolute URL such as 'https://example.org/dir/page.html'",
        };
        invalid(option, url, error, hint)
    })
}

impl Settings {
    /// Creates the rewriter for a list of options.
    ///
    /// Each option is three strings: its name, its value, and a second value, which is empty unless the option is a pair.
    ///
    /// # Errors
    /// A value is invalid. The message names the option, its value and what to use instead.
    pub(crate) fn new(options: &[String]) -> Result<Self, String> {
        let mut settings = Self {
            // Results are lists of their own (`links`); a rewrite reports the skipped links.
            rewriter: Rewriter::new().link_detail(LinkDetail::SkippedOnly),
            profile: Profile::default(),
        };
        let options = || {
            options.chunks_exact(3).filter_map(|option| match option {
                [name, value, second] => Some((&**name, &**value, &**second)),
                _ => None,
            })
        };
        // The profile determines which URLs are valid in other options.
        for (_, value, _) in options().filter(|(name, ..)| *name == "profile") {
            settings.profile = profile(value)?;
        }
        settings.rewriter = settings.rewriter.profile(settings.profile);
        let mut placeholders = None;
        for (name, value, second) in options() {
            match name {
                "profile" => {}
                "placeholders" => placeholders.get_or_insert_with(Vec::new).push(value),
                _ => settings.rewriter = settings.with(name, value, second)?,
            }
        }
        if let Some(placeholders) = placeholders {
            settings.rewriter = settings.rewriter.placeholders(placeholders);
        }
        Ok(settings)
    }

    /// Returns the rewriter with one more option.
    fn with(&self, name: &str, value: &str, second: &str) -> Result<Rewriter, String> {
        let rewriter = self.rewriter.clone();
        Ok(match name {
            "baseScope" => {
                rewriter.base_scope(named(name, value, BaseScope::ALL, BaseScope::name)?)
            }
            "limit" => {
                let limit = named(name, value, Limit::ALL, Limit::name)?;
                let number = second.parse();
                let hint = "use a whole number such as 8192";
                rewriter.limit(
                    limit,
                    number.map_err(|error| invalid(name, second, error, hint))?,
                )
            }
            "to" => rewriter.output(named(name, value, OutputForm::ALL, OutputForm::name)?),
            "fragments" => {
                let all = FragmentPolicy::ALL;
                rewriter.fragments(named(name, value, all, FragmentPolicy::name)?)
            }
            "baseElement" => {
                let all = BaseElementPolicy::ALL;
                rewriter.base_element(named(name, value, all, BaseElementPolicy::name)?)
            }
            "normalize" => rewriter.absolute_references(AbsoluteReferences::Normalize),
            "escape" => rewriter.escape(named(name, value, Escape::ALL, Escape::name)?),
            "preset" if value == NO_PRESET => rewriter.no_presets(),
            "preset" => rewriter.preset(named(name, value, Preset::ALL, Preset::name)?),
            "link" => {
                let grammar = named(name, second, Grammar::ALL, Grammar::name)?;
                rewriter.link(selector(name, value)?, grammar)
            }
            "skip" => rewriter.skip(selector(name, value)?),
            "map" => {
                for url in [value, second] {
                    // A URL without hierarchy is one, too, although no reference is relative to it.
                    if let Err(BaseUrlError::Unusable(error)) =
                        absolve::check_base_url(url, self.profile)
                        && error != ResolveError::BaseNotHierarchical
                    {
                        let hint = "use absolute URLs such as 'https://example.org/'";
                        return Err(invalid(name, url, error, hint));
                    }
                }
                rewriter.map(value, second)
            }
            _ => return Err(format!("unknown option: {name:?}")),
        })
    }
}

/// Parses a selector of links.
fn selector(option: &str, text: &str) -> Result<LinkSelector, String> {
    let hint = "use a selector such as 'img[src]', '*[data-src]' or 'link[rel=canonical][href]'";
    text.parse()
        .map_err(|error| invalid(option, text, error, hint))
}
