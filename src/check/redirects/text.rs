//! Texts that refer to groups of expressions and to parts of the request.

use percent_encoding::{AsciiSet, CONTROLS, percent_encode};

use super::pattern::Groups;
use super::reaction::Request;

/// The characters that are percent-encoded in a path, also so that it keeps its end.
pub(in crate::check) const PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The characters that no URL contains.
const UNSAFE: &AsciiSet = &CONTROLS.add(b' ');

/// Length in bytes of the longest target. Servers reject longer URLs (Apache, `LimitRequestLine`), and without a limit
/// each of several redirects could multiply the length.
pub(super) const MAX_LENGTH: usize = 8 << 10;

/// The values that a text of `mod_rewrite` can refer to.
#[derive(Clone, Copy)]
pub(super) struct Values<'v> {
    pub(super) request: &'v Request<'v>,
    /// The groups of the rule; `None` if its expression is not understood.
    pub(super) rule: Option<&'v Groups>,
    /// The groups of the last condition that matched; `None` if they are not known.
    pub(super) condition: Option<&'v Groups>,
}

/// Percent-encodes a decoded path.
pub(super) fn encode_path(path: &[u8]) -> String {
    percent_encode(path, PATH).to_string()
}

/// Percent-encodes the bytes of a reference that no URL contains.
pub(super) fn encode_unsafe(reference: &[u8]) -> String {
    percent_encode(reference, UNSAFE).to_string()
}

/// Returns a text of `mod_alias` with the groups to which it refers, percent-encoded; `None` if it is longer than
/// [`MAX_LENGTH`].
///
/// # Source
/// Apache, `ap_pregsub`: `$0` to `$9`, and a backslash before a character that means itself.
pub(super) fn substitute(text: &str, groups: &Groups) -> Option<String> {
    let mut result = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        match (character, next) {
            ('\\', Some(next)) => {
                result.push(next);
                characters.next();
            }
            ('$', Some(next)) if next.is_ascii_digit() => {
                result.push_str(&encode_path(groups.get(digit(next))));
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

impl Values<'_> {
    /// Returns a text of `mod_rewrite` with the values to which it refers, or `None` if one of them is not known or the
    /// result is longer than [`MAX_LENGTH`].
    ///
    /// # Source
    /// Apache, `mod_rewrite`, "Test string": `$N`, `%N`, `%{NAME}`, and a backslash before a character that means
    /// itself.
    pub(super) fn expand(&self, text: &str) -> Option<Vec<u8>> {
        let mut result = Vec::new();
        let mut rest = text;
        while let Some(character) = rest.chars().next() {
            rest = &rest[character.len_utf8()..];
            let next = rest.chars().next();
            match (character, next) {
                ('\\', Some(next)) => {
                    rest = &rest[next.len_utf8()..];
                    result.extend(next.to_string().bytes());
                }
                ('$' | '%', Some(next)) if next.is_ascii_digit() => {
                    rest = &rest[1..];
                    let groups = if character == '$' {
                        self.rule
                    } else {
                        self.condition
                    };
                    result.extend_from_slice(groups?.get(digit(next)));
                }
                ('%', Some('{')) => {
                    let (name, after) = rest[1..].split_once('}')?;
                    rest = after;
                    result.extend_from_slice(self.variable(name)?);
                }
                // A map, which a program or a file may hold.
                ('$', Some('{')) => return None,
                _ => result.extend(character.to_string().bytes()),
            }
            if result.len() > MAX_LENGTH {
                return None;
            }
        }
        Some(result)
    }

    /// Returns a variable of the server. Names of files are paths of URLs here, as below a document root without name.
    fn variable(&self, name: &str) -> Option<&[u8]> {
        Some(match name {
            "REQUEST_URI" => self.request.path,
            "REQUEST_FILENAME" | "SCRIPT_FILENAME" => self.file_name(),
            "DOCUMENT_ROOT" | "CONTEXT_DOCUMENT_ROOT" => b"",
            "HTTP_HOST" | "SERVER_NAME" => self.request.authority.as_bytes(),
            "REQUEST_METHOD" => b"GET",
            _ => return None,
        })
    }

    /// Returns the part of the path that names a file: up to the first segment that is no directory. The server takes
    /// the rest as `PATH_INFO`.
    fn file_name(&self) -> &[u8] {
        let path = self.request.path;
        let is_end = |&at: &usize| path[at] == b'/' && path[at - 1] != b'/';
        let is_directory = |at: usize| (self.request.is_directory)(&path[..at]);
        let mut ends = (1..path.len()).filter(is_end);
        let end = ends.find(|&end| is_directory(end) == Some(false));
        &path[..end.unwrap_or(path.len())]
    }
}

/// Returns whether a text of `mod_rewrite` refers to a value.
pub(super) fn is_variable(text: &str) -> bool {
    let is_reference = |pair: &[u8]| {
        matches!(pair[0], b'$' | b'%') && (pair[1] == b'{' || pair[1].is_ascii_digit())
    };
    text.as_bytes().windows(2).any(is_reference)
}

/// Returns the value of an ASCII digit.
fn digit(digit: char) -> usize {
    digit.to_digit(10).map_or(0, |digit| digit as usize)
}
