//! The states of the basic URL parser up to the authority.
//!
//! <https://url.spec.whatwg.org/#concept-basic-url-parser>

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::path::{has_drive_letter, is_drive_letter, starts_with_drive_letter};
use super::{Failure, SchemeKind, WhatwgBase, host};
use crate::reference::characters::CharacterSet;
use crate::reference::without_line_breaks;
use crate::scheme;

/// Returns `input` as the states read it: without C0 controls and spaces at its ends, tabs and line breaks.
pub(super) fn prepared(input: &str) -> Cow<'_, str> {
    without_line_breaks(input.trim_matches(|character| character <= ' '))
}

/// Appends the URL that `input` is parsed to, serialized, to `target`. The query is percent-encoded in `encoding`.
///
/// # Errors
/// Returns [`Failure`] as the standard does; `target` is unchanged then.
pub(super) fn parse(
    input: &str,
    base: Option<&WhatwgBase>,
    encoding: &'static Encoding,
    target: &mut String,
) -> Result<(), Failure> {
    let start = target.len();
    let mut parser = Parser {
        base,
        encoding: encoding.output_encoding(),
        target,
        start,
        kind: SchemeKind::Other,
        path_start: start,
    };
    let result = parser.scheme_state(&prepared(input));
    if result.is_err() {
        target.truncate(start);
    }
    result
}

/// The state of the parser: a URL that is written up to the component that is parsed next.
pub(super) struct Parser<'p> {
    pub(super) base: Option<&'p WhatwgBase>,
    /// The encoding of the query; UTF-8 instead of UTF-16.
    pub(super) encoding: &'static Encoding,
    pub(super) target: &'p mut String,
    /// Length of `target` before the URL.
    pub(super) start: usize,
    pub(super) kind: SchemeKind,
    /// Offset of the path in `target`, once it is known.
    pub(super) path_start: usize,
}

impl Parser<'_> {
    /// Returns the scheme written.
    pub(super) fn scheme(&self) -> &str {
        scheme::split(&self.target[self.start..]).map_or("", |(scheme, _)| scheme)
    }

    fn scheme_state(&mut self, input: &str) -> Result<(), Failure> {
        // scheme start state, scheme state
        let Some((scheme, rest)) = scheme::split(input) else {
            return self.no_scheme_state(input);
        };
        self.target.push_str(scheme);
        self.target[self.start..].make_ascii_lowercase();
        self.kind = SchemeKind::of(&self.target[self.start..]);
        let is_scheme_of_base = |base: &&WhatwgBase| base.scheme() == &self.target[self.start..];
        let same_base = self.base.filter(is_scheme_of_base);
        self.target.push(':');
        match (self.kind, same_base) {
            (SchemeKind::File, _) => self.file_state(rest),
            // special relative or authority state
            (SchemeKind::Special, Some(base)) if !rest.starts_with("//") => {
                self.relative_state(base, rest)
            }
            // special authority slashes state
            (SchemeKind::Special, _) => self.special_authority_ignore_slashes_state(rest),
            // path or authority state
            (SchemeKind::Other, _) => {
                if let Some(rest) = rest.strip_prefix("//") {
                    return self.authority_state(rest);
                }
                self.path_start = self.target.len();
                match rest.strip_prefix('/') {
                    Some(rest) => self.path_state(rest),
                    None => self.opaque_path_state(rest),
                }
                Ok(())
            }
        }
    }

    fn no_scheme_state(&mut self, input: &str) -> Result<(), Failure> {
        let base = self.base.ok_or(Failure)?;
        self.kind = base.kind;
        if base.has_opaque_path() {
            let fragment = input.strip_prefix('#').ok_or(Failure)?;
            self.target
                .push_str(&base.layout.url[..base.layout.fragment_start]);
            self.fragment_state(fragment);
            return Ok(());
        }
        self.target
            .push_str(&base.layout.url[..base.layout.scheme_end]);
        if base.kind == SchemeKind::File {
            self.file_state(input)
        } else {
            self.relative_state(base, input)
        }
    }

    fn relative_state(&mut self, base: &WhatwgBase, input: &str) -> Result<(), Failure> {
        let Some(rest) = self.after_slash(input) else {
            self.inherit_authority(base);
            self.relative_path(base, input);
            return Ok(());
        };
        // relative slash state
        if let Some(rest) = self.after_slash(rest) {
            return match self.kind {
                SchemeKind::Other => self.authority_state(rest),
                _ => self.special_authority_ignore_slashes_state(rest),
            };
        }
        self.inherit_authority(base);
        self.path_state(rest);
        Ok(())
    }

    /// Parses `input`, which does not begin with a slash, against the path and query of `base`.
    ///
    /// These are the steps that the relative state and the file state share.
    fn relative_path(&mut self, base: &WhatwgBase, input: &str) {
        match input.as_bytes() {
            [] | [b'#', ..] => {
                self.target.push_str(base.path());
                self.end_path();
                self.target.push_str(base.query());
                self.query_and_fragment(input);
            }
            [b'?', ..] => {
                self.target.push_str(base.path());
                self.query_and_fragment(input);
            }
            _ => {
                // In a "file" URL, a drive letter replaces the whole path.
                if self.kind != SchemeKind::File || !starts_with_drive_letter(input) {
                    self.target.push_str(base.path());
                    self.shorten_path();
                }
                self.path_state(input);
            }
        }
    }

    fn special_authority_ignore_slashes_state(&mut self, input: &str) -> Result<(), Failure> {
        self.authority_state(input.trim_start_matches(['/', '\\']))
    }

    fn authority_state(&mut self, input: &str) -> Result<(), Failure> {
        let is_end = |byte: u8| matches!(byte, b'/' | b'?' | b'#') || self.kind.is_slash(byte);
        let end = input.bytes().position(is_end).unwrap_or(input.len());
        let (authority, rest) = input.split_at(end);
        self.target.push_str("//");
        let host_and_port = match authority.rsplit_once('@') {
            Some((_, "")) => return Err(Failure),
            Some((credentials, host_and_port)) => {
                self.credentials(credentials);
                host_and_port
            }
            None => authority,
        };
        self.host_state(host_and_port)?;
        self.path_start = self.target.len();
        self.path_start_state(rest);
        Ok(())
    }

    /// Appends the user name and password, percent-encoded, unless both are empty.
    fn credentials(&mut self, credentials: &str) {
        let (username, password) = credentials.split_once(':').unwrap_or((credentials, ""));
        CharacterSet::USERINFO.encode(username, self.target);
        if !password.is_empty() {
            self.target.push(':');
            CharacterSet::USERINFO.encode(password, self.target);
        }
        if !(username.is_empty() && password.is_empty()) {
            self.target.push('@');
        }
    }

    fn host_state(&mut self, input: &str) -> Result<(), Failure> {
        let mut is_inside_brackets = false;
        let colon = input.bytes().position(|byte| {
            is_inside_brackets = match byte {
                b'[' => true,
                b']' => false,
                _ => is_inside_brackets,
            };
            byte == b':' && !is_inside_brackets
        });
        let (host, port) = match colon {
            Some(0) => return Err(Failure),
            Some(colon) => (&input[..colon], &input[colon + 1..]),
            None => (input, ""),
        };
        if self.kind == SchemeKind::Other {
            host::write_opaque(host, self.target)?;
        } else if host.is_empty() {
            return Err(Failure);
        } else {
            host::write(host, self.target)?;
        }
        // port state
        if !port.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Failure);
        }
        if port.is_empty() {
            return Ok(());
        }
        // At most five digits, so that the number cannot overflow.
        let port = match port.trim_start_matches('0') {
            "" => 0,
            digits if digits.len() > 5 => return Err(Failure),
            digits => digits.parse::<u16>().map_err(|_| Failure)?,
        };
        if scheme::default_port(self.scheme()) != Some(port) {
            self.target.push(':');
            self.target.push_str(&port.to_string());
        }
        Ok(())
    }

    fn file_state(&mut self, input: &str) -> Result<(), Failure> {
        let base = self.base.filter(|base| base.kind == SchemeKind::File);
        let Some(rest) = self.after_slash(input) else {
            let Some(base) = base else {
                self.empty_host();
                self.path_state(input);
                return Ok(());
            };
            self.inherit_authority(base);
            self.relative_path(base, input);
            return Ok(());
        };
        // file slash state
        if let Some(rest) = self.after_slash(rest) {
            return self.file_host_state(rest);
        }
        match base {
            Some(base) => {
                self.inherit_authority(base);
                // The first item of the base URL's path is kept if it is a drive letter.
                if !starts_with_drive_letter(rest) && has_drive_letter(base.path()) {
                    self.target.push_str(&base.path()[..3]);
                }
            }
            None => self.empty_host(),
        }
        self.path_state(rest);
        Ok(())
    }

    fn file_host_state(&mut self, input: &str) -> Result<(), Failure> {
        let end = input.find(['/', '\\', '?', '#']).unwrap_or(input.len());
        let (host, rest) = input.split_at(end);
        if is_drive_letter(host) {
            self.empty_host();
            self.path_state(input);
            return Ok(());
        }
        self.target.push_str("//");
        let host_start = self.target.len();
        if !host.is_empty() {
            host::write(host, self.target)?;
        }
        if &self.target[host_start..] == "localhost" {
            self.target.truncate(host_start);
        }
        self.path_start = self.target.len();
        self.path_start_state(rest);
        Ok(())
    }

    /// Sets the host to the empty string.
    fn empty_host(&mut self) {
        self.target.push_str("//");
        self.path_start = self.target.len();
    }

    /// Appends everything between the scheme and the path of `base`.
    fn inherit_authority(&mut self, base: &WhatwgBase) {
        self.target.push_str(base.authority());
        self.path_start = self.target.len();
    }

    /// Returns `input` after the slash that begins it, or `None` if none does.
    pub(super) fn after_slash<'i>(&self, input: &'i str) -> Option<&'i str> {
        let first = *input.as_bytes().first()?;
        self.kind.is_slash(first).then(|| &input[1..])
    }
}
