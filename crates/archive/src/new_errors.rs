//! Errors of an archive, each reported once.

use crate::container::{ContainerError, ContainerErrorKind};

/// A filter for the errors of an archive, without repetitions.
///
/// Consecutive equal errors are reported once. An archive that is compressed as a whole has an error at every record;
/// only the first of these errors is reported.
///
/// # Examples
/// ```
/// use absolve_archive::NewErrors;
/// use absolve_archive::container::ContainerErrorKind;
///
/// let error = ContainerErrorKind::RecordTooLong.at(7);
/// let mut errors = NewErrors::default();
/// assert_eq!(errors.of_archive(error), Some(error));
/// assert_eq!(errors.of_archive(error), None);
/// ```
#[derive(Debug, Default)]
pub struct NewErrors {
    last: Option<ContainerError>,
    is_whole_reported: bool,
}

impl NewErrors {
    /// Returns the error of a document if it is to be reported.
    #[must_use]
    pub fn of_document(&mut self, error: Option<ContainerError>) -> Option<ContainerError> {
        let error = error?;
        let is_about_whole = error.kind == ContainerErrorKind::NotCompressedByRecord;
        let is_repeated = is_about_whole && std::mem::replace(&mut self.is_whole_reported, true);
        (!is_repeated).then_some(error)
    }

    /// Returns an error that is not that of a document if it is to be reported.
    #[must_use]
    pub fn of_archive(&mut self, error: ContainerError) -> Option<ContainerError> {
        let is_repeated = self.last.replace(error) == Some(error);
        self.of_document((!is_repeated).then_some(error))
    }
}
