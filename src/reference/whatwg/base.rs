//! A base URL, and what the states ask about it.

use crate::reference::layout::BaseLayout;
use crate::scheme;

/// A base URL, normalized.
#[derive(Debug, Clone)]
pub(in crate::reference) struct WhatwgBase {
    pub(in crate::reference) layout: BaseLayout,
    pub(super) kind: SchemeKind,
}

/// The kinds of schemes that the states distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemeKind {
    /// `file`, which is special, too.
    File,
    /// A special scheme with a host.
    Special,
    /// A scheme that is not special.
    Other,
}

impl SchemeKind {
    /// Returns the kind of `scheme`, which must be in lower case.
    pub(super) fn of(scheme: &str) -> Self {
        if scheme == "file" {
            Self::File
        } else if scheme::is_special(scheme) {
            Self::Special
        } else {
            Self::Other
        }
    }

    /// Returns whether `byte` is a slash to URLs of this kind: a backslash is one in special URLs.
    pub(super) fn is_slash(self, byte: u8) -> bool {
        byte == b'/' || (byte == b'\\' && self != Self::Other)
    }
}

impl WhatwgBase {
    /// Returns the scheme, without its colon.
    pub(super) fn scheme(&self) -> &str {
        &self.layout.url[..self.layout.scheme_end - 1]
    }

    /// Returns the host with everything serialized around it: `//user:password@host:port`. Empty if the host is null.
    pub(super) fn authority(&self) -> &str {
        &self.layout.url[self.layout.scheme_end..self.layout.path_start]
    }

    /// Returns the serialized path.
    pub(super) fn path(&self) -> &str {
        let path = &self.layout.url[self.layout.path_start..self.layout.query_start];
        // The serializer puts "/." before a path that would otherwise be read as a host. Any other "." is removed by
        // the parser, so this one is not part of the path.
        path.strip_prefix("/.")
            .filter(|path| path.starts_with('/'))
            .unwrap_or(path)
    }

    /// Returns the query with its `?`, or else the empty string.
    pub(super) fn query(&self) -> &str {
        &self.layout.url[self.layout.query_start..self.layout.fragment_start]
    }

    /// Returns whether the path is opaque: neither a slash nor a host follows the scheme.
    pub(super) fn has_opaque_path(&self) -> bool {
        !self.layout.url[self.layout.scheme_end..].starts_with('/')
    }
}
