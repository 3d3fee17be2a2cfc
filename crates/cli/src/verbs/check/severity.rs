//! The severity of findings.

/// The severity of a finding, which decides whether it affects the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FindingSeverity {
    /// The exit status is 1.
    Error,
    /// The exit status remains: the rule is among those of `--warn`.
    Warning,
}

impl FindingSeverity {
    /// Returns the name, which JSON, SARIF and GitHub have in common.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}
