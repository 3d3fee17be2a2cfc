//! A file `.htaccess` of Apache.

use super::action::Action;
use super::apache_words::{Backslash, lines, words};
use super::mod_alias::Alias;
use super::pattern::Pattern;

/// Expressions that match every path and have it as their first group.
const WHOLE_PATH: [&str; 4] = ["^(.*)$", "(.*)", "^(.*)", "(.*)$"];

/// The directives of a file that are about other URLs than those of files.
///
/// `ErrorDocument` is not one of them: with a page of its own, an error is still an error.
#[derive(Debug, Clone, Default)]
pub(super) struct Htaccess {
    /// The path of the directory, decoded, with a slash at the end.
    pub(super) directory: Vec<u8>,
    redirects: Vec<Alias>,
    /// Whether the rules of `mod_rewrite` are in effect; `None` if directories above determine it.
    pub(super) is_rewriting: Option<bool>,
    rewrites: Vec<RewriteRule>,
    /// Whether a file or program is sent for every path without a file; `None` if directories above determine it.
    pub(super) has_fallback: Option<bool>,
    /// The arguments of `DirectoryIndex`.
    pub(super) index_names: Vec<String>,
}

/// The paths that a rule of `mod_rewrite` may apply to. Its conditions and flags are not evaluated.
#[derive(Debug, Clone)]
struct RewriteRule {
    pattern: Pattern,
    is_negated: bool,
}

impl Htaccess {
    /// Parses the file of a directory.
    pub(super) fn parse(directory: Vec<u8>, file: &str) -> Self {
        let mut htaccess = Self {
            directory,
            ..Self::default()
        };
        // Whether the lines of each section that has begun may have no effect.
        let mut sections = Vec::new();
        for line in lines(file) {
            let line = line.trim();
            if line.starts_with("</") {
                sections.pop();
            } else if line.starts_with('<') {
                sections.push(sections.last() == Some(&true) || is_optional_section(line));
            } else if !line.starts_with('#') {
                htaccess.add(line, sections.last() == Some(&true));
            }
        }
        htaccess
    }

    /// Adds a line with a directive.
    fn add(&mut self, line: &str, is_optional: bool) {
        let name = line.split_ascii_whitespace().next().unwrap_or_default();
        let rest = &line[name.len()..];
        let name = name.to_ascii_lowercase();
        let arguments = || words(rest, Backslash::Removed);
        match &*name {
            "rewriterule" => {
                let arguments = words(rest, Backslash::Kept);
                let rule = RewriteRule::parse(&arguments, &self.directory);
                self.rewrites.extend(rule);
            }
            "rewriteengine" if !is_optional => {
                self.is_rewriting = Some(!rest.trim().eq_ignore_ascii_case("off"));
            }
            "directoryindex" => self.index_names.extend(arguments()),
            "fallbackresource" => {
                let has_fallback = arguments().first().map(|resource| resource != "disabled");
                if has_fallback == Some(true) || !is_optional {
                    self.has_fallback = has_fallback;
                }
            }
            _ => {
                let redirect = Alias::parse(&name, &arguments(), is_optional);
                self.redirects.extend(redirect);
            }
        }
    }

    /// Returns the number of rules with which a path is compared.
    pub(super) fn rules(&self) -> usize {
        self.redirects.len() + self.rewrites.len() + self.index_names.len()
    }

    /// Returns the reaction of the first redirect that may apply to a path below the directory.
    pub(super) fn redirect(&self, path: &[u8]) -> Option<Action> {
        let mut redirects = self.redirects.iter();
        redirects.find_map(|redirect| redirect.action(path))
    }

    /// Returns whether a rule of `mod_rewrite` may apply to a path below the directory.
    pub(super) fn may_rewrite(&self, path: &[u8]) -> bool {
        let rest = path.strip_prefix(&*self.directory).unwrap_or(path);
        self.rewrites.iter().any(|rule| rule.may_apply(rest))
    }
}

impl RewriteRule {
    /// Parses the arguments of the directive: PATTERN, SUBSTITUTION and flags. Returns `None` if the rule does not send
    /// anything for a path without a file: it changes the scheme or the host, or it has another purpose.
    ///
    /// # Source
    /// Apache, `mod_rewrite`, "`RewriteRule` Directive".
    fn parse(arguments: &[String], directory: &[u8]) -> Option<Self> {
        let [pattern, substitution, flags @ ..] = arguments else {
            return None;
        };
        let flags = flags.concat().to_ascii_lowercase();
        // With `-`, only a handler sends something.
        if substitution == "-" && !flags.contains("h=") && !flags.contains("handler=") {
            return None;
        }
        let host_and_path = substitution.split_once("://").map(|(_, rest)| rest);
        let is_same_path = host_and_path.is_some_and(|rest| {
            let whole = [directory, b"$1"].concat();
            let is_whole = WHOLE_PATH.contains(&&**pattern);
            let path = |host_end: usize| &rest[host_end..];
            rest.ends_with("%{REQUEST_URI}")
                || is_whole && rest.find('/').map(path).map(str::as_bytes) == Some(&*whole)
        });
        if is_same_path {
            return None;
        }
        let positive = pattern.strip_prefix('!');
        let ignores_case = flags.contains("nc") || flags.contains("nocase");
        Some(Self {
            pattern: Pattern::new(positive.unwrap_or(pattern), ignores_case),
            is_negated: positive.is_some(),
        })
    }

    /// Returns whether the rule may apply to the part of a path below the directory.
    fn may_apply(&self, rest: &[u8]) -> bool {
        self.pattern
            .matches(rest)
            .is_none_or(|matches| matches != self.is_negated)
    }
}

/// Returns whether the section that a line begins, such as `<IfModule>`, may have no effect.
///
/// Modules are assumed to be present, as the redirects would have no effect otherwise. A section for servers without a
/// module may still apply.
fn is_optional_section(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let module = line.strip_prefix("<ifmodule");
    module.is_none_or(|module| module.trim_start().starts_with('!'))
}
