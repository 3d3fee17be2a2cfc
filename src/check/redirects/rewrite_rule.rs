//! `RewriteRule`: a rule of `mod_rewrite` in a directory.

use super::condition::RewriteCondition;
use super::pattern::{Found, Groups, Pattern};
use super::reaction::{Action, Reaction, Request};
use super::text::{Values, encode_path, encode_unsafe, is_variable};

/// A rule with its conditions.
#[derive(Debug, Clone)]
pub(super) struct RewriteRule {
    pattern: Pattern,
    is_negated: bool,
    conditions: Vec<RewriteCondition>,
    /// The text that replaces the path; `None` to keep it.
    substitution: Option<Substitution>,
    effect: Effect,
    /// Whether a match ends the list of rules.
    is_last: bool,
    /// Whether it is not known if the rule is in effect.
    is_optional: bool,
}

/// The text that replaces the path.
#[derive(Debug, Clone)]
struct Substitution {
    text: String,
    /// Whether the text is percent-encoded already.
    is_encoded: bool,
}

/// The parts of an absolute URL.
#[derive(Clone, Copy)]
struct HostAndPath<'u> {
    /// The host, with the port if there is one.
    host: &'u [u8],
    path: &'u [u8],
}

/// The effect of a rule that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Another path is looked up, or the text is a URL to which the server redirects.
    Rewrite,
    Redirect,
    Fail,
    /// The next rule is applied as well, and skipped if this one does not match. The result is not known.
    Chain,
    /// The result depends on other rules or servers, and is not known.
    Other,
}

/// The effect of a rule on a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RuleOutcome {
    /// The next rule is tried.
    Continue,
    /// No other rule is tried.
    Stop,
    React(Reaction),
}

impl RewriteRule {
    /// Parses the arguments of the directive: PATTERN, SUBSTITUTION and flags.
    ///
    /// # Source
    /// Apache, `mod_rewrite`, "`RewriteRule` Flags".
    pub(super) fn parse(
        arguments: &[String],
        conditions: Vec<RewriteCondition>,
        is_optional: bool,
    ) -> Option<Self> {
        let pattern = arguments.first()?;
        let substitution = arguments.get(1)?;
        let expression = pattern.strip_prefix('!');
        let mut rule = Self {
            pattern: Pattern::new("", false),
            is_negated: expression.is_some(),
            conditions,
            substitution: None,
            effect: Effect::Rewrite,
            is_last: false,
            is_optional,
        };
        let (mut ignores_case, mut is_encoded) = (false, false);
        let (mut is_chained, mut is_other) = (false, false);
        let flags = arguments.get(2).map_or("", |flags| &**flags);
        for flag in flags.trim_matches(['[', ']']).split(',') {
            let flag = flag.trim().to_ascii_lowercase();
            let (name, value) = flag.split_once('=').unwrap_or((&flag, ""));
            match name {
                "nc" | "nocase" => ignores_case = true,
                "ne" | "noescape" => is_encoded = true,
                "l" | "last" | "end" => rule.is_last = true,
                "f" | "forbidden" | "g" | "gone" => rule.effect = Effect::Fail,
                "r" | "redirect" if value.starts_with(['1', '2', '4', '5']) => {
                    rule.effect = Effect::Fail;
                }
                "r" | "redirect" => rule.effect = Effect::Redirect,
                "c" | "chain" => is_chained = true,
                "p" | "proxy" | "n" | "next" | "s" | "skip" | "h" | "handler" => is_other = true,
                _ => {}
            }
        }
        if is_chained {
            rule.effect = Effect::Chain;
        } else if is_other {
            rule.effect = Effect::Other;
        }
        rule.pattern = Pattern::new(expression.unwrap_or(pattern), ignores_case);
        rule.substitution = (substitution != "-").then(|| Substitution {
            text: substitution.clone(),
            is_encoded,
        });
        Some(rule)
    }

    /// Returns whether the next rule is skipped unless this one matches.
    pub(super) fn is_chained(&self) -> bool {
        self.effect == Effect::Chain
    }

    /// Applies the rule to a request. `rest` is the path after the directory of the rule, and `base` the path to which
    /// relative substitutions are appended.
    pub(super) fn apply(&self, request: &Request<'_>, rest: &[u8], base: &[u8]) -> RuleOutcome {
        let (matches, groups) = match self.pattern.find(rest) {
            Found::Maybe => (None, None),
            Found::Yes(groups) => (Some(!self.is_negated), Some(groups)),
            Found::No => (Some(self.is_negated), Some(Groups::default())),
        };
        if matches == Some(false) {
            return RuleOutcome::Continue;
        }
        let values = Values {
            request,
            rule: groups.as_ref(),
            condition: None,
        };
        let judgement = RewriteCondition::judge(&self.conditions, values);
        if judgement.holds == Some(false) {
            return RuleOutcome::Continue;
        }
        let is_certain = matches.is_some() && judgement.holds.is_some() && !self.is_optional;
        let values = Values {
            condition: judgement.groups.as_ref(),
            ..values
        };
        let action = match (self.effect, &self.substitution) {
            (Effect::Chain | Effect::Other, _) => Action::Serve,
            (Effect::Fail, _) => Action::Fail,
            (_, None) if self.is_last && is_certain => return RuleOutcome::Stop,
            (_, None) => return RuleOutcome::Continue,
            (_, Some(substitution)) => match self.target(substitution, values, base) {
                Some(action) => action,
                None => return RuleOutcome::Continue,
            },
        };
        RuleOutcome::React(Reaction { action, is_certain })
    }

    /// Returns the action of the substitution, or `None` if it leads to another name of the same site.
    fn target(
        &self,
        substitution: &Substitution,
        values: Values<'_>,
        base: &[u8],
    ) -> Option<Action> {
        let Some(target) = values.expand(&substitution.text) else {
            return Some(Action::Serve);
        };
        let end = target.iter().position(|&byte| byte == b'?');
        let target = &target[..end.unwrap_or(target.len())];
        let url = HostAndPath::of_url(target);
        if url.is_some_and(|url| self.is_same_site(url, values.request)) {
            return None;
        }
        let base = if url.is_some() || target.starts_with(b"/") {
            b""
        } else {
            base
        };
        let target = [base, target].concat();
        if self.effect == Effect::Redirect || url.is_some() {
            let encode = if substitution.is_encoded {
                encode_unsafe
            } else {
                encode_path
            };
            return Some(Action::Forward(encode(&target)));
        }
        let is_page = target.ends_with(b".html") || target.ends_with(b".htm");
        // A program, or one page for many paths, whose script shows what they name.
        Some(if is_page && is_variable(&substitution.text) {
            Action::Forward(encode_path(&target))
        } else {
            Action::Serve
        })
    }

    /// Returns whether a URL is that of the request under another name of the site: with or without `www`, or any name
    /// if the rule is about the host and the host of the site is not known.
    fn is_same_site(&self, url: HostAndPath<'_>, request: &Request<'_>) -> bool {
        let host = url.host.to_ascii_lowercase();
        let authority = request.authority.as_bytes();
        let is_www = host.strip_prefix(b"www.") == Some(authority)
            || authority.strip_prefix(b"www.") == Some(&host);
        let is_about_host = || self.conditions.iter().any(RewriteCondition::names_host);
        url.path == request.path && (is_www || (!request.has_known_host() && is_about_host()))
    }
}

impl<'u> HostAndPath<'u> {
    /// Splits an absolute URL. Returns `None` if the text has no scheme and host.
    fn of_url(text: &'u [u8]) -> Option<Self> {
        let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let scheme_len = text.iter().take_while(|byte| is_scheme(byte)).count();
        let after = text[scheme_len..].strip_prefix(b"://")?;
        let slash = after.iter().position(|&byte| byte == b'/');
        let (host, path) = after.split_at(slash.unwrap_or(after.len()));
        (scheme_len > 0).then_some(Self { host, path })
    }
}
