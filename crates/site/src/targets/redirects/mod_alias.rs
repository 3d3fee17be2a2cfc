//! The directives of `mod_alias`: `Redirect`, `RedirectMatch` and their variants.

use percent_encoding::percent_encode;

use super::action::{Action, MAX_LENGTH, PATH};
use super::pattern::{Found, Pattern};

/// A redirect.
#[derive(Debug, Clone)]
pub(super) struct Alias {
    from: From,
    /// The reference to which it leads; `None` if the server sends an error.
    to: Option<String>,
    /// Whether it is in a section that may have no effect.
    is_optional: bool,
}

/// The paths that are redirected.
#[derive(Debug, Clone)]
enum From {
    /// Those that begin with these segments.
    Prefix(Vec<u8>),
    Pattern(Pattern),
}

impl Alias {
    /// Parses a directive with its arguments: `Redirect [STATUS] FROM [TO]`, and `RedirectMatch` with an expression.
    ///
    /// # Source
    /// Apache, `mod_alias`: TO is omitted if and only if the status is not that of a redirect.
    pub(super) fn parse(directive: &str, arguments: &[String], is_optional: bool) -> Option<Self> {
        if !matches!(
            directive,
            "redirect" | "redirectmatch" | "redirectpermanent" | "redirecttemp"
        ) {
            return None;
        }
        let status = arguments.first()?.to_ascii_lowercase();
        let is_number = status.starts_with(|first: char| first.is_ascii_digit());
        let is_redirect = match &*status {
            "permanent" | "temp" | "seeother" => true,
            "gone" => false,
            _ => !is_number || status.starts_with('3'),
        };
        let is_status = is_number || ["permanent", "temp", "seeother", "gone"].contains(&&*status);
        let mut arguments = arguments.iter().skip(usize::from(is_status));
        let from = arguments.next()?;
        let to = arguments.next();
        // The server rejects such a file.
        if to.is_some() != is_redirect {
            return None;
        }
        let from = if directive == "redirectmatch" {
            From::Pattern(Pattern::new(from, false))
        } else if from.starts_with('/') {
            From::Prefix(from.clone().into_bytes())
        } else {
            return None;
        };
        Some(Self {
            from,
            to: to.cloned(),
            is_optional,
        })
    }

    /// Returns the reaction to a decoded path, or `None` if it is not redirected.
    pub(super) fn action(&self, path: &[u8]) -> Option<Action> {
        let forward = |fill: &dyn Fn(&str) -> Option<String>| match &self.to {
            _ if self.is_optional => Action::Serve,
            Some(to) => fill(to).map_or(Action::Serve, Action::Forward),
            None => Action::Fail,
        };
        match &self.from {
            From::Prefix(prefix) => {
                let rest = path.strip_prefix(&**prefix)?;
                let is_whole = rest.is_empty() || rest[0] == b'/' || prefix.ends_with(b"/");
                is_whole.then(|| {
                    let fill = |to: &str| Some([to, &encode_path(rest)].concat());
                    forward(&|to| fill(to).filter(|target| target.len() <= MAX_LENGTH))
                })
            }
            From::Pattern(pattern) => match pattern.find(path) {
                Found::No => None,
                Found::Yes(groups) => Some(forward(&|to| substitute(to, &groups))),
                Found::Maybe if self.to.is_none() => None,
                Found::Maybe => Some(Action::Serve),
            },
        }
    }
}

/// Percent-encodes a decoded path.
fn encode_path(path: &[u8]) -> String {
    percent_encode(path, PATH).to_string()
}

/// Returns a text with the groups to which it refers, percent-encoded; `None` if it is longer than [`MAX_LENGTH`].
///
/// # Source
/// Apache, `ap_pregsub`: `$0` to `$9`, and a backslash before a character that means itself.
fn substitute(text: &str, groups: &[Vec<u8>]) -> Option<String> {
    let mut result = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        let digit = next.and_then(|next| next.to_digit(10));
        match (character, next, digit) {
            ('\\', Some(next), _) => {
                result.push(next);
                characters.next();
            }
            ('$', _, Some(digit)) => {
                let group = groups.get(digit as usize);
                result.push_str(&encode_path(group.map_or(b"", |group| group)));
                characters.next();
            }
            _ => result.push(character),
        }
        if result.len() > MAX_LENGTH {
            return None;
        }
    }
    Some(result)
}
