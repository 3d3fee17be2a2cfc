//! A file `.htaccess` of Apache.

use super::alias::Alias;
use super::condition::RewriteCondition;
use super::reaction::{Action, Reaction, Request};
use super::rewrite_rule::{RewriteRule, RuleOutcome};
use super::words::{Backslash, lines, words};

/// The directives of a file that are about other URLs than those of files.
#[derive(Debug, Clone, Default)]
pub(super) struct Htaccess {
    /// The path of the directory, decoded, with a slash at the end.
    pub(super) directory: Vec<u8>,
    redirects: Vec<OptionalAlias>,
    /// The directives of `mod_rewrite`, which replace those of directories above.
    pub(super) rewriting: Option<Rewriting>,
    /// Whether a file or program is sent for every path without a file; `None` if directories above determine it.
    pub(super) has_fallback: Option<bool>,
}

/// A redirect, and whether it is in a section that may have no effect.
#[derive(Debug, Clone)]
struct OptionalAlias {
    alias: Alias,
    is_optional: bool,
}

/// The directives of `mod_rewrite`.
#[derive(Debug, Clone, Default)]
pub(super) struct Rewriting {
    /// Whether the rules are in effect; `None` if directories above determine it.
    pub(super) is_enabled: Option<bool>,
    /// Whether the rules of directories above apply as well, in this directory and those below.
    pub(super) is_inheriting: bool,
    /// The path before relative substitutions, if it is not that of the directory.
    base: Option<Vec<u8>>,
    pub(super) rules: Vec<RewriteRule>,
    /// The conditions of the next rule.
    conditions: Vec<RewriteCondition>,
}

/// The effect of the lines in a section, such as `<IfModule>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Applies,
    MayApply,
}

impl Htaccess {
    /// Parses the file of a directory.
    pub(super) fn parse(directory: Vec<u8>, file: &str) -> Self {
        let mut htaccess = Self {
            directory,
            ..Self::default()
        };
        let mut sections = Vec::new();
        for line in lines(file) {
            let line = line.trim();
            if line.starts_with("</") {
                sections.pop();
            } else if line.starts_with('<') {
                let parent = sections.last().copied().unwrap_or(Section::Applies);
                sections.push(Section::parse(line).max(parent));
            } else if !line.starts_with('#') {
                htaccess.add(line, sections.last() == Some(&Section::MayApply));
            }
        }
        htaccess
    }

    /// Adds a line with a directive.
    fn add(&mut self, line: &str, is_optional: bool) {
        let name = line.split_ascii_whitespace().next().unwrap_or_default();
        let rest = &line[name.len()..];
        let name = name.to_ascii_lowercase();
        if let Some(name) = name.strip_prefix("rewrite") {
            let arguments = words(rest, Backslash::Kept);
            let rewriting = self.rewriting.get_or_insert_default();
            rewriting.add(name, &arguments, is_optional);
            return;
        }
        let arguments = words(rest, Backslash::Removed);
        if name == "fallbackresource" {
            let has_fallback = arguments.first().map(|resource| resource != "disabled");
            if has_fallback == Some(true) || !is_optional {
                self.has_fallback = has_fallback;
            }
        } else if let Some(alias) = Alias::parse(&name, &arguments) {
            self.redirects.push(OptionalAlias { alias, is_optional });
        }
    }

    /// Returns the reactions of the redirects to a path, up to the first that is certain.
    pub(super) fn redirects(&self, path: &[u8]) -> Vec<Reaction> {
        let mut reactions = Vec::new();
        for OptionalAlias { alias, is_optional } in &self.redirects {
            let Some(action) = alias.action(path) else {
                continue;
            };
            let is_certain = !is_optional && action != Action::Serve;
            reactions.push(Reaction { action, is_certain });
            if is_certain {
                break;
            }
        }
        reactions
    }

    /// Returns the reactions of rules of `mod_rewrite` to a request in the directory of the file, up to the first that
    /// is certain. `rules` are those of the file and those that it inherits.
    pub(super) fn rewrites<'r>(
        &self,
        rules: impl Iterator<Item = &'r RewriteRule>,
        request: &Request<'_>,
    ) -> Vec<Reaction> {
        let mut reactions = Vec::new();
        let Some(rest) = request.path.strip_prefix(&*self.directory) else {
            return reactions;
        };
        let rewriting = self.rewriting.as_ref();
        let base = rewriting.and_then(|rewriting| rewriting.base.as_ref());
        let base = base.unwrap_or(&self.directory);
        for rule in rules {
            match rule.apply(request, rest, base) {
                RuleOutcome::Continue => {}
                RuleOutcome::Stop => break,
                RuleOutcome::React(reaction) => {
                    let is_certain = reaction.is_certain;
                    reactions.push(reaction);
                    if is_certain {
                        break;
                    }
                }
            }
        }
        reactions
    }
}

impl Rewriting {
    /// Adds a directive, whose name follows `Rewrite`.
    fn add(&mut self, name: &str, arguments: &[String], is_optional: bool) {
        let has_argument = |text: &str| {
            let mut arguments = arguments.iter();
            arguments.any(|argument| argument.to_ascii_lowercase().starts_with(text))
        };
        match name {
            "engine" if !is_optional => self.is_enabled = Some(!has_argument("off")),
            "options" => self.is_inheriting |= has_argument("inherit"),
            "base" => {
                let base = arguments.first().map(|base| base.trim_end_matches('/'));
                self.base = base.map(|base| [base, "/"].concat().into_bytes());
            }
            "cond" => self.conditions.extend(RewriteCondition::parse(arguments)),
            "rule" => {
                let conditions = std::mem::take(&mut self.conditions);
                let is_optional =
                    is_optional || self.rules.last().is_some_and(RewriteRule::is_chained);
                let rule = RewriteRule::parse(arguments, conditions, is_optional);
                self.rules.extend(rule);
            }
            _ => {}
        }
    }
}

impl Section {
    /// Returns the effect of the section that a line begins.
    ///
    /// Modules are assumed to be present, as the redirects would have no effect otherwise. A section for servers
    /// without a module may still apply.
    fn parse(line: &str) -> Self {
        let line = line.to_ascii_lowercase();
        match line.strip_prefix("<ifmodule") {
            Some(module) if !module.trim_start().starts_with('!') => Self::Applies,
            _ => Self::MayApply,
        }
    }
}
