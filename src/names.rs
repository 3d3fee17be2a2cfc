//! Values of closed sets by their names on the command line, such as presets and rules.

use std::fmt;

/// The error for a name that no value of its kind has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnknownName {
    /// Noun for the values, such as `preset`.
    kind: &'static str,
    names: &'static [&'static str],
}

impl UnknownName {
    /// Returns the index of `name` in `names`; `kind` is the noun for the values.
    ///
    /// # Errors
    /// It is not among them.
    pub fn find(
        kind: &'static str,
        names: &'static [&'static str],
        name: &str,
    ) -> Result<usize, Self> {
        let index = names.iter().position(|known| *known == name);
        index.ok_or(Self { kind, names })
    }

    /// Returns the names of all values.
    #[must_use]
    pub fn names(self) -> &'static [&'static str] {
        self.names
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "unknown {}", self.kind)
    }
}

impl std::error::Error for UnknownName {}

/// Implements `ALL`, `name` and [`FromStr`](std::str::FromStr) for an enum, for a table of its values and their names.
#[doc(hidden)]
#[macro_export]
macro_rules! named_values {
    ($type:ident, $kind:literal: $($value:ident => $name:literal,)*) => {
        impl $type {
            #[doc = concat!("Every ", $kind, ".")]
            pub const ALL: &'static [Self] = &[$(Self::$value),*];
        }

        $crate::names::named_values! { @names $type, $kind, Self::ALL; $($value => $name,)* }
    };
    // Without `ALL`: the type has its own list of all values, which is `$all`.
    (@names $type:ident, $kind:literal, $all:expr; $($value:ident => $name:literal,)*) => {
        impl $type {
            /// Returns the name used in reports and on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)*
                }
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::names::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let index = $crate::names::UnknownName::find($kind, &[$($name),*], name)?;
                Ok($all[index])
            }
        }
    };
}

pub use named_values;
