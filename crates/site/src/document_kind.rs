//! Which files of a published site are documents.

use std::path::Path;

use absolve::DocumentKind;

/// Returns the language of a file of a published site; `None` if it is not a document. Calls `prefix`, which returns
/// the first [`DocumentKind::SNIFF_LEN`] bytes of the file, if its extension is one that other files have, too.
pub fn document_kind(path: &Path, prefix: impl FnOnce() -> Vec<u8>) -> Option<DocumentKind> {
    let extension = path.extension()?.to_str()?;
    DocumentKind::of_extension(extension).or_else(|| {
        let is_general = |kind: &&DocumentKind| {
            let general = kind.general_extension();
            general.is_some_and(|general| general.eq_ignore_ascii_case(extension))
        };
        let kind = DocumentKind::ALL.iter().find(is_general)?;
        (DocumentKind::sniff(&prefix()) == *kind).then_some(*kind)
    })
}
