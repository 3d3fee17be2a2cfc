//! The states of the basic URL parser up to the authority.
//!
//! <https://url.spec.whatwg.org/#concept-basic-url-parser>

use encoding_rs::Encoding;

use super::base::{SchemeKind, WhatwgBase};
use super::host::{self, Failure};
use super::path::{UrlWriter, has_drive_letter, is_drive_letter, starts_with_drive_letter};
use crate::reference::escape::encode;
use crate::reference::stripped;
use crate::scheme;

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
        url: UrlWriter {
            target,
            start,
            kind: SchemeKind::Other,
            path_start: start,
            encoding: encoding.output_encoding(),
        },
    };
    let result = parser.scheme_state(&stripped(input));
    if result.is_err() {
        target.truncate(start);
    }
    result
}

/// The states, and what they have in common.
struct Parser<'p> {
    base: Option<&'p WhatwgBase>,
    url: UrlWriter<'p>,
}

impl Parser<'_> {
    fn scheme_state(&mut self, input: &str) -> Result<(), Failure> {
        // scheme start state, scheme state
        let Some((scheme, rest)) = scheme::split(input) else {
            return self.no_scheme_state(input);
        };
        self.url.target.push_str(scheme);
        self.url.target[self.url.start..].make_ascii_lowercase();
        self.url.kind = SchemeKind::of(&self.url.target[self.url.start..]);
        let scheme = &self.url.target[self.url.start..];
        let same_base = self.base.filter(|base| base.scheme() == scheme);
        self.url.target.push(':');
        match (self.url.kind, same_base) {
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
                self.url.path_start = self.url.target.len();
                match rest.strip_prefix('/') {
                    Some(rest) => self.url.path_state(rest),
                    None => self.url.opaque_path_state(rest),
                }
                Ok(())
            }
        }
    }

    fn no_scheme_state(&mut self, input: &str) -> Result<(), Failure> {
        let base = self.base.ok_or(Failure)?;
        self.url.kind = base.kind;
        if base.has_opaque_path() {
            let fragment = input.strip_prefix('#').ok_or(Failure)?;
            self.url
                .target
                .push_str(&base.layout.url[..base.layout.fragment_start]);
            self.url.fragment_state(fragment);
            return Ok(());
        }
        self.url
            .target
            .push_str(&base.layout.url[..base.layout.scheme_end]);
        if base.kind == SchemeKind::File {
            self.file_state(input)
        } else {
            self.relative_state(base, input)
        }
    }

    fn relative_state(&mut self, base: &WhatwgBase, input: &str) -> Result<(), Failure> {
        let Some(rest) = self.url.after_slash(input) else {
            self.url.authority(base.authority());
            self.relative_path(base, input);
            return Ok(());
        };
        // relative slash state
        if let Some(rest) = self.url.after_slash(rest) {
            return match self.url.kind {
                SchemeKind::Other => self.authority_state(rest),
                _ => self.special_authority_ignore_slashes_state(rest),
            };
        }
        self.url.authority(base.authority());
        self.url.path_state(rest);
        Ok(())
    }

    /// Parses `input`, which does not begin with a slash, against the path and query of `base`.
    ///
    /// These are the steps that the relative state and the file state share.
    fn relative_path(&mut self, base: &WhatwgBase, input: &str) {
        match input.as_bytes() {
            [] | [b'#', ..] => {
                self.url.target.push_str(base.path());
                self.url.end_path();
                self.url.target.push_str(base.query());
                self.url.query_and_fragment(input);
            }
            [b'?', ..] => {
                self.url.target.push_str(base.path());
                self.url.query_and_fragment(input);
            }
            _ => {
                // In a "file" URL, a drive letter replaces the whole path.
                if self.url.kind != SchemeKind::File || !starts_with_drive_letter(input) {
                    self.url.target.push_str(base.path());
                    self.url.shorten_path();
                }
                self.url.path_state(input);
            }
        }
    }

    fn special_authority_ignore_slashes_state(&mut self, input: &str) -> Result<(), Failure> {
        self.authority_state(input.trim_start_matches(['/', '\\']))
    }

    fn authority_state(&mut self, input: &str) -> Result<(), Failure> {
        let is_end = |byte: u8| matches!(byte, b'/' | b'?' | b'#') || self.url.kind.is_slash(byte);
        let end = input.bytes().position(is_end).unwrap_or(input.len());
        let (authority, rest) = input.split_at(end);
        self.url.target.push_str("//");
        let host_and_port = match authority.rsplit_once('@') {
            Some((_, "")) => return Err(Failure),
            Some((credentials, host_and_port)) => {
                self.credentials(credentials);
                host_and_port
            }
            None => authority,
        };
        self.host_state(host_and_port)?;
        self.url.path_start = self.url.target.len();
        self.url.path_start_state(rest);
        Ok(())
    }

    /// Appends the user name and password, percent-encoded, unless both are empty.
    fn credentials(&mut self, credentials: &str) {
        let (username, password) = credentials.split_once(':').unwrap_or((credentials, ""));
        encode(username, url_escape::USERINFO, self.url.target);
        if !password.is_empty() {
            self.url.target.push(':');
            encode(password, url_escape::USERINFO, self.url.target);
        }
        if !(username.is_empty() && password.is_empty()) {
            self.url.target.push('@');
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
        if self.url.kind == SchemeKind::Other {
            host::write_opaque(host, self.url.target)?;
        } else if host.is_empty() {
            return Err(Failure);
        } else {
            host::write(host, self.url.target)?;
        }
        // port state
        if !port.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Failure);
        }
        if port.is_empty() {
            return Ok(());
        }
        // Only a number that is too large is left as an error.
        let port: u16 = port.parse().map_err(|_| Failure)?;
        if scheme::default_port(self.url.scheme()) != Some(port) {
            self.url.target.push(':');
            self.url.target.push_str(&port.to_string());
        }
        Ok(())
    }

    fn file_state(&mut self, input: &str) -> Result<(), Failure> {
        let base = self.base.filter(|base| base.kind == SchemeKind::File);
        let Some(rest) = self.url.after_slash(input) else {
            let Some(base) = base else {
                self.url.authority("//");
                self.url.path_state(input);
                return Ok(());
            };
            self.url.authority(base.authority());
            self.relative_path(base, input);
            return Ok(());
        };
        // file slash state
        if let Some(rest) = self.url.after_slash(rest) {
            return self.file_host_state(rest);
        }
        match base {
            Some(base) => {
                self.url.authority(base.authority());
                // The first item of the base URL's path is kept if it is a drive letter.
                if !starts_with_drive_letter(rest) && has_drive_letter(base.path()) {
                    self.url.target.push_str(&base.path()[..3]);
                }
            }
            None => self.url.authority("//"),
        }
        self.url.path_state(rest);
        Ok(())
    }

    fn file_host_state(&mut self, input: &str) -> Result<(), Failure> {
        let end = input.find(['/', '\\', '?', '#']).unwrap_or(input.len());
        let (host, rest) = input.split_at(end);
        if is_drive_letter(host) {
            self.url.authority("//");
            self.url.path_state(input);
            return Ok(());
        }
        self.url.target.push_str("//");
        let host_start = self.url.target.len();
        if !host.is_empty() {
            host::write(host, self.url.target)?;
        }
        if &self.url.target[host_start..] == "localhost" {
            self.url.target.truncate(host_start);
        }
        self.url.path_start = self.url.target.len();
        self.url.path_start_state(rest);
        Ok(())
    }
}
