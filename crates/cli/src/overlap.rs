//! Rejection of input and output directories that contain each other.

use std::path::Path;

use absolve_site::files::Overlap;

use super::exit::Abort;
use super::terminal;

/// Rejects an output directory that is, contains or is inside the input directory.
///
/// An input that cannot be found is reported when it is read.
pub(super) fn reject_overlap(input: &Path, output: &Path) -> Result<(), Abort> {
    let Some(overlap) = Overlap::of(input, output) else {
        return Ok(());
    };
    let [input, output] = [input, output].map(terminal::path);
    Err(Abort::Usage(match overlap {
        Overlap::Same => format!(
            "output directory {output} is the input directory\n  hint: use --in-place to replace its documents"
        ),
        Overlap::OutputInInput => format!(
            "output directory {output} is inside the input directory {input}, and would be an input of the next run\n  hint: use an --output directory outside it"
        ),
        Overlap::InputInOutput => format!(
            "input directory {input} is inside the output directory {output}, and would be overwritten\n  hint: use another --output directory"
        ),
    }))
}
