//! `RewriteCond`: the conditions of a rule.

use super::pattern::{Found, Groups, Pattern};
use super::text::Values;

/// Parts of the request that name the host.
const HOST_VARIABLES: [&str; 2] = ["%{HTTP_HOST}", "%{SERVER_NAME}"];

/// The variables with which the name of a file in the site begins.
const FILE_VARIABLES: [&str; 4] = [
    "%{REQUEST_FILENAME}",
    "%{SCRIPT_FILENAME}",
    "%{DOCUMENT_ROOT}",
    "%{CONTEXT_DOCUMENT_ROOT}",
];

/// A condition. Many are about what is not known here, such as the program of the reader or the time.
#[derive(Debug, Clone)]
pub(super) struct RewriteCondition {
    /// The text that is tested.
    text: String,
    test: ConditionTest,
    is_negated: bool,
    /// Whether the next condition is an alternative.
    is_alternative: bool,
}

/// The test of a condition.
#[derive(Debug, Clone)]
enum ConditionTest {
    Pattern(Pattern),
    Equals(String),
    IsFile,
    IsDirectory,
    /// A test that is not understood.
    Other,
}

/// The judgement of all conditions of a rule.
pub(super) struct Judgement {
    /// Whether all apply; `None` if that is not known.
    pub(super) holds: Option<bool>,
    /// The groups of the last expression that matched; `None` if they are not known.
    pub(super) groups: Option<Groups>,
}

impl RewriteCondition {
    /// Parses the arguments of the directive: TEXT, TEST and flags.
    ///
    /// # Source
    /// Apache, `mod_rewrite`, "`RewriteCond` Directive".
    pub(super) fn parse(arguments: &[String]) -> Option<Self> {
        let text = arguments.first()?.clone();
        let tested_for = arguments.get(1)?;
        let flags = arguments.get(2).map(|flags| flags.to_ascii_lowercase());
        let flags = flags.unwrap_or_default();
        let has_flag = |names: [&str; 2]| {
            let mut flags = flags.trim_matches(['[', ']']).split(',');
            flags.any(|flag| names.contains(&flag.trim()))
        };
        let ignores_case = has_flag(["nc", "nocase"]);
        let positive = tested_for.strip_prefix('!');
        let names_file = FILE_VARIABLES.iter().any(|name| text.contains(name));
        let is_comparison = |operator: &str| {
            let is_option = operator.len() > 1 && operator.starts_with('-');
            is_option || operator.starts_with(['<', '>'])
        };
        Some(Self {
            is_negated: positive.is_some(),
            is_alternative: has_flag(["or", "ornext"]),
            test: match positive.unwrap_or(tested_for) {
                _ if text.eq_ignore_ascii_case("expr") => ConditionTest::Other,
                "-f" => ConditionTest::IsFile,
                "-d" => ConditionTest::IsDirectory,
                other if is_comparison(other) => ConditionTest::Other,
                equal if equal.starts_with('=') && !ignores_case && !names_file => {
                    ConditionTest::Equals(equal[1..].trim_matches('"').to_owned())
                }
                equal if equal.starts_with('=') => ConditionTest::Other,
                // The directory of the site on the server is not known.
                expression if names_file && !is_about_end(expression) => ConditionTest::Other,
                expression => ConditionTest::Pattern(Pattern::new(expression, ignores_case)),
            },
            text,
        })
    }

    /// Returns whether the condition is about the host.
    pub(super) fn names_host(&self) -> bool {
        HOST_VARIABLES.iter().any(|name| self.text.contains(name))
    }

    /// Judges all `conditions` of a rule.
    pub(super) fn judge(conditions: &[Self], values: Values<'_>) -> Judgement {
        let mut judgement = Judgement {
            holds: Some(true),
            groups: Some(Groups::default()),
        };
        // Whether one of the alternatives so far applies.
        let mut any = Some(false);
        for condition in conditions {
            if any != Some(true) {
                let holds = condition.holds(values, &mut judgement.groups);
                // An alternative before it may have matched instead.
                if any.is_none() {
                    judgement.groups = None;
                }
                any = match (any, holds) {
                    (_, Some(true)) => Some(true),
                    (None, _) | (_, None) => None,
                    _ => Some(false),
                };
            }
            if !condition.is_alternative {
                judgement.holds = match (judgement.holds, any) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (None, _) | (_, None) => None,
                    _ => Some(true),
                };
                any = Some(false);
            }
        }
        judgement
    }

    /// Returns whether the condition applies, or `None` if that is not known. A match sets `groups`, to which later
    /// conditions refer.
    fn holds(&self, values: Values<'_>, groups: &mut Option<Groups>) -> Option<bool> {
        let values = Values {
            condition: groups.as_ref(),
            ..values
        };
        let text = values.expand(&self.text);
        let is_in_site = FILE_VARIABLES
            .iter()
            .any(|name| self.text.starts_with(name));
        let path = text.as_deref().filter(|_| is_in_site);
        let holds = match &self.test {
            _ if self.names_host() && !values.request.has_known_host() => None,
            ConditionTest::Other => None,
            ConditionTest::Equals(expected) => text.map(|text| text == expected.as_bytes()),
            ConditionTest::IsFile => path.and_then(values.request.is_file),
            ConditionTest::IsDirectory => path.and_then(values.request.is_directory),
            ConditionTest::Pattern(pattern) => {
                let found = text.map_or(Found::Maybe, |text| pattern.find(&text));
                match found {
                    Found::No => Some(false),
                    Found::Yes(found) => {
                        if !self.is_negated {
                            *groups = Some(found);
                        }
                        Some(true)
                    }
                    Found::Maybe => {
                        *groups = None;
                        None
                    }
                }
            }
        };
        holds.map(|holds| holds != self.is_negated)
    }
}

/// Returns whether an expression searches the end of a text only, such as `\\.(html|css)$`.
fn is_about_end(expression: &str) -> bool {
    let mut depth = 0_usize;
    let mut is_anchored = false;
    let mut bytes = expression.bytes();
    while let Some(byte) = bytes.next() {
        is_anchored = byte == b'$';
        match byte {
            b'\\' => drop(bytes.next()),
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'/' | b'^' | b'*' | b'+' | b'{' => return false,
            b'|' if depth == 0 => return false,
            _ => {}
        }
    }
    is_anchored
}
