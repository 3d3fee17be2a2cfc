//! Requests and the reactions of servers to them.

/// A request for a path at which there is no file.
#[derive(Clone, Copy)]
pub(in crate::check) struct Request<'r> {
    /// The host, with the port if it is not the default.
    pub(in crate::check) authority: &'r str,
    /// The path of the URL, decoded.
    pub(in crate::check) path: &'r [u8],
    /// Returns whether there is a file at a path of the host, or `None` if the path is not one of the site.
    pub(in crate::check) is_file: &'r dyn Fn(&[u8]) -> Option<bool>,
    /// Returns the same for a directory with files.
    pub(in crate::check) is_directory: &'r dyn Fn(&[u8]) -> Option<bool>,
}

impl Request<'_> {
    /// Returns whether the host is known. A host below `invalid` cannot exist (RFC 2606 section 2), and is used for a
    /// site whose host is not known.
    pub(in crate::check) fn has_known_host(&self) -> bool {
        !self.authority.ends_with(".invalid")
    }
}

/// The reaction that a rule declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::check) enum Action {
    /// The server redirects to a URL or a path, or sends the document that is there.
    Forward(String),
    /// It sends content that is not known here.
    Serve,
    /// It sends an error.
    Fail,
}

/// A reaction of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::check) struct Reaction {
    pub(in crate::check) action: Action,
    /// Whether the rule applies, whatever else the server knows about the request.
    pub(in crate::check) is_certain: bool,
}
