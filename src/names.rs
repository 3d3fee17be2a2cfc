//! Values of closed sets by their names on the command line, such as presets and rules.

use std::fmt;

/// The error for a name that no value of its kind has.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UnknownName {
    /// Noun for the values, such as `preset`.
    kind: &'static str,
    names: Vec<&'static str>,
}

impl UnknownName {
    /// Returns the value of `all` for which `name_of` returns `name`; `kind` is the noun for the values.
    ///
    /// # Errors
    /// There is no such value.
    pub fn find<T: Copy>(
        kind: &'static str,
        name: &str,
        all: &[T],
        name_of: fn(T) -> &'static str,
    ) -> Result<T, Self> {
        let mut values = all.iter().copied();
        values
            .find(|&value| name_of(value) == name)
            .ok_or_else(|| Self {
                kind,
                names: all.iter().copied().map(name_of).collect(),
            })
    }

    /// Returns the names of all values.
    #[must_use]
    pub fn names(&self) -> &[&'static str] {
        &self.names
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

        $crate::named_values! { @names $type, $kind, Self::ALL; $($value => $name,)* }
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
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::UnknownName::find($kind, name, $all, Self::name)
            }
        }
    };
}

pub(crate) use named_values;
