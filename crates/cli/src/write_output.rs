//! Writes results to the destinations that the plan assigns: see [`Destination`].

use std::fs::Metadata;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use absolve_site::files::{
    self, Durability, LostAttribute, PinnedPath, replace_in_place, write_buffered, write_file,
};

use super::args::OthersArg;
use super::input::Input;
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
    match output {
        Destination::Stdout => job_result.data.extend_from_slice(document),
        Destination::CheckOnly(_) | Destination::Diff { .. } | Destination::InPlace { .. }
            if !is_changed => {}
        Destination::CheckOnly(_) => list_changed(output, job_result),
        Destination::Diff { path, style } => {
            diff::write(path, original, document, *style, &mut job_result.data)?;
        }
        Destination::Mirrored(path) if let Some(model) = input.metadata => {
            let path = input.pinned_output(path)?;
            match input.link_source()?.filter(|_| !is_changed) {
                Some(source) => files::hard_link_or_copy(&source, &path, input.durability)?,
                None => {
                    files::write_document(&path, document, is_changed, model, input.durability)?;
                }
            }
        }
        Destination::File(_) | Destination::Mirrored(_) | Destination::InPlace { .. } => {
            streamed(output, input, job_result, |to, _| {
                to.write_all(document)?;
                Ok(is_changed)
            })?;
        }
    }
    Ok(())
}

/// Lists a document that would change, with `--check`.
pub(super) fn list_changed(output: &Destination, job_result: &mut JobResult) {
    if let Destination::CheckOnly(line) = output {
        job_result.data.extend(line);
    }
}

/// Facts about an input whose output is written while the input is read.
pub(super) struct StreamedInput<'s> {
    /// Metadata of the input file, from before it was read.
    pub(super) metadata: Option<&'s Metadata>,
    pub(super) input: &'s Input,
    pub(super) others: OthersArg,
    pub(super) durability: Durability,
}

impl StreamedInput<'_> {
    /// Returns the file to which the output becomes a hard link if the input does not change.
    fn link_source(&self) -> io::Result<Option<PinnedPath>> {
        match self.others {
            OthersArg::Link => self.input.pinned_path(),
            OthersArg::Copy | OthersArg::Skip => Ok(None),
        }
    }

    /// Returns the place of the output in an output directory, in which no symbolic link is followed.
    fn pinned_output(&self, path: &Path) -> io::Result<PinnedPath> {
        let site_path = self.input.site_path();
        PinnedPath::new(path, site_path.map_or(1, |path| path.components().count()))
    }
}

/// Writes to `output` the bytes that `write` produces; `write` returns whether they differ from the input. Reports
/// attributes of a replaced file that are lost.
///
/// # Errors
/// `write` fails, or the output cannot be written. An existing file is left unchanged.
pub(super) fn streamed(
    output: &Destination,
    input: &StreamedInput<'_>,
    job_result: &mut JobResult,
    write: impl FnOnce(&mut dyn Write, &mut JobResult) -> io::Result<bool>,
) -> io::Result<()> {
    let durability = input.durability;
    let write_to = |to: &mut dyn Write| write(to, job_result);
    match output {
        Destination::Stdout => {
            let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout());
            write_to(&mut stdout)?;
            stdout.flush()
        }
        Destination::CheckOnly(_) | Destination::Diff { .. } => write_to(&mut io::sink()).map(drop),
        Destination::File(path) => write_file(path, durability, write_to).map(drop),
        Destination::Mirrored(path) => {
            let (path, source) = (input.pinned_output(path)?, input.link_source()?);
            let link_to = source.as_deref();
            files::write_counterpart(&path, input.metadata, link_to, durability, write_to).map(drop)
        }
        Destination::InPlace { path, backup } => {
            let (backup, depth) = (backup.as_deref(), input.input.depth());
            let write = |to: &_| write_buffered(to, write_to);
            let lost = replace_in_place(path, depth, backup, input.metadata, durability, write)?;
            report_lost(path, &lost, job_result);
            Ok(())
        }
    }
}

/// Reports the attributes of the file at `path` that its replacement does not have.
fn report_lost(path: &Path, lost: &[LostAttribute], job_result: &mut JobResult) {
    if !lost.is_empty() {
        let lost: Vec<String> = lost.iter().map(ToString::to_string).collect();
        job_result.warn(format!(
            "{}: its {} could not be kept when it was replaced; set it again if you may, for example as root",
            terminal::path(path),
            terminal::escape_control(&lost.join(", "))
        ));
    }
}
