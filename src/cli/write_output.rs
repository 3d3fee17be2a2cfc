//! Writes results to the destinations that the plan assigns: see [`Destination`].

use std::fs::Metadata;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use absolve::files::{self, replace_in_place, write_buffered, write_file};

use super::args::OthersArg;
use super::job_result::JobResult;
use super::output::Destination;
use super::{diff, terminal};

/// Writes `document`, the result for an input with the content `original`, to `output`.
///
/// With [`OthersArg::Link`], the output for an unchanged document of a directory becomes a hard link to it.
///
/// # Errors
/// The output cannot be written; an existing file is left unchanged.
pub(super) fn document(
    output: &Destination,
    document: &[u8],
    original: &[u8],
    input: &StreamedInput<'_>,
    job_result: &mut JobResult,
) -> io::Result<()> {
    let is_changed = document != original;
    match (output, input.source) {
        (Destination::Stdout, _) => job_result.data.extend_from_slice(document),
        (Destination::CheckOnly(_) | Destination::Diff { .. } | Destination::InPlace { .. }, _)
            if !is_changed => {}
        (Destination::CheckOnly(path), _) => {
            writeln!(job_result.data, "{}", terminal::escape_control(path))?;
        }
        (Destination::Diff { path, style }, _) => {
            diff::write(path, original, document, *style, &mut job_result.data)?;
        }
        (Destination::Mirrored(path), Some(source))
            if !is_changed && input.others == OthersArg::Link =>
        {
            files::hard_link_or_copy(source, path)?;
        }
        (Destination::File(_) | Destination::Mirrored(_) | Destination::InPlace { .. }, _) => {
            streamed(output, input, |to| {
                to.write_all(document)?;
                Ok(is_changed)
            })?;
        }
    }
    Ok(())
}

/// Facts about an input whose output is written while the input is read.
pub(super) struct StreamedInput<'s> {
    /// Metadata of the input file, from before it was read.
    pub(super) metadata: Option<&'s Metadata>,
    /// Path of the input, if it is a file.
    pub(super) source: Option<&'s Path>,
    pub(super) others: OthersArg,
}

/// Writes to `output` the bytes that `write` produces; `write` returns whether they differ from the input.
///
/// # Errors
/// `write` fails, or the output cannot be written. An existing file is left unchanged.
pub(super) fn streamed(
    output: &Destination,
    input: &StreamedInput<'_>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<bool>,
) -> io::Result<()> {
    match output {
        Destination::Stdout => {
            let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout());
            write(&mut stdout)?;
            stdout.flush()
        }
        Destination::CheckOnly(_) | Destination::Diff { .. } => write(&mut io::sink()).map(drop),
        Destination::File(path) => write_file(path, write).map(drop),
        Destination::Mirrored(path) => {
            let links = input.others == OthersArg::Link;
            let link_to = input.source.filter(|_| links);
            files::write_counterpart(path, input.metadata, link_to, write).map(drop)
        }
        Destination::InPlace { path, backup } => {
            replace_in_place(path, backup.as_deref(), input.metadata, |to| {
                write_buffered(to, write)
            })
        }
    }
}
