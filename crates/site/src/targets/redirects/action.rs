//! Reactions of servers to a request for a path at which there is no file.

use percent_encoding::{AsciiSet, CONTROLS};

/// The characters that are percent-encoded in a path, also so that it keeps its end.
pub(in crate::targets) const PATH: &AsciiSet = &CONTROLS
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

/// Length in bytes of the longest target. Servers reject longer URLs (Apache, `LimitRequestLine`), and without a limit
/// each of several redirects could multiply the length.
pub(super) const MAX_LENGTH: usize = 8 << 10;

/// The reaction that a rule declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::targets) enum Action {
    /// The server redirects to a URL or a path.
    Forward(String),
    /// It may send content that is not known here.
    Serve,
    /// It sends an error.
    Fail,
}
