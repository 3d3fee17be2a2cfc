//! [`Profile`]: the standards to choose from.

use crate::names::named_values;

/// The standard by which references are split and resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// RFC 1808, sections 2.4 and 4. All examples of its section 5 hold.
    #[default]
    Rfc1808,
    /// RFC 3986, section 5.2, strict: a reference with a scheme is absolute, whatever the scheme of the base URL.
    Rfc3986,
    /// The URL Standard, which browsers implement.
    Whatwg,
}

named_values! { Profile, "profile":
    Rfc1808 => "rfc1808",
    Rfc3986 => "rfc3986",
    Whatwg => "whatwg",
}
