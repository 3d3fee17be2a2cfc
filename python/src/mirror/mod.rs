//! Conversion of a downloaded folder, so that it can be read offline, as by `absolve mirror`.
//!
//! The library decides about links, documents and names, and has the steps of finding and writing files. This module
//! interprets the arguments.

mod report;
mod run;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, is_separator};

use absolve_site::files::{Durability, Overlap, Transfer};
use absolve_site::{FolderOrigin, Layout, MirrorFolder, MirrorScope};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

use crate::facts::Facts;
use crate::options::{
    UNKNOWN_ORIGIN, check_base, folder_url, invalid, named, named_or_auto, thread_count,
    walk_options,
};
use crate::python_io::error_of_file;
use crate::rewriter::Rewriter;
use crate::threads;
pub(crate) use report::MirrorReport;
use run::{Destination, MirrorRun, classified, observed, walk};

/// Converts a downloaded folder. The options have the names of those of the command.
///
/// The settings of `rewriter` that a mirror needs are replaced.
#[pyfunction]
#[pyo3(signature = (
    folder, rewriter, *, output = None, in_place = false, backup = None, check = false, others = "copy", include = None,
    exclude = None, ignore_files = false, follow = false, sync = false, url = None, base_path = None, layout = "auto",
    default_page = None, log = None, all = false, fragments = "keep", base_scope = None, encoding = None, threads = 0,
))]
#[expect(
    clippy::too_many_arguments,
    clippy::fn_params_excessive_bools,
    reason = "keyword arguments of Python"
)]
pub(crate) fn mirror(
    py: Python<'_>,
    folder: PathBuf,
    rewriter: &Rewriter,
    output: Option<PathBuf>,
    in_place: bool,
    backup: Option<String>,
    check: bool,
    others: &str,
    include: Option<&Bound<'_, PyAny>>,
    exclude: Option<&Bound<'_, PyAny>>,
    ignore_files: bool,
    follow: bool,
    sync: bool,
    url: Option<&str>,
    base_path: Option<&str>,
    layout: &str,
    default_page: Option<&str>,
    log: Option<PathBuf>,
    all: bool,
    fragments: &str,
    base_scope: Option<&str>,
    encoding: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = thread_count)] threads: usize,
) -> PyResult<MirrorReport> {
    if let Some(url) = url {
        check_base("url", url, rewriter.profile)?;
    }
    let layout = named_or_auto("layout", layout)?;
    let url = folder_url(url, base_path)?;
    let url = url.as_deref();
    if let Some(path) = base_path.filter(|_| layout != Some(Layout::Site)) {
        let hint = "use layout 'site', or url for files of known hosts";
        return Err(invalid("base_path", path, "only for a static site", hint));
    }
    if let Some(name) = default_page
        && (matches!(name, "" | "." | "..") || name.contains('/'))
    {
        let hint = "use the name of a file, such as 'default.htm'";
        return Err(invalid("default_page", name, "not a name", hint));
    }
    let fragments = named("fragments", fragments)?;
    let mut settings = MirrorFolder::rewriter((*rewriter.settings).clone()).fragments(fragments);
    if base_path.is_some() {
        settings = settings.unknown_origin(UNKNOWN_ORIGIN);
    }
    if let Some(scope) = base_scope {
        settings = settings.base_scope(named("base_scope", scope)?);
    }
    let encoding = [("encoding", encoding)].into_py_dict(py)?;
    let facts = Facts::new(None, Some(&encoding), rewriter.profile)?;
    let destination = destination(&folder, output, in_place, backup, check, transfer(others)?)?;
    let scope = if all {
        MirrorScope::All
    } else {
        MirrorScope::Reading
    };
    if sync && check {
        return Err(PyValueError::new_err("sync: nothing is written with check"));
    }
    if follow && in_place {
        return Err(PyValueError::new_err(
            "follow: cannot be used with in_place; use output",
        ));
    }
    let log = log.map(|log| read_log(&log)).transpose()?;
    let options = walk_options(include, exclude)?
        .ignore_files(ignore_files)
        .follow_links(follow);
    let mut walk = py.detach(|| walk(&folder, &options))?;
    let (documents, others) = py.detach(|| classified(&mut walk));
    let mirror = py.detach(|| {
        let folder_name = fs::canonicalize(&folder).ok();
        let folder_name = folder_name.as_deref().and_then(Path::file_name);
        // A symbolic link to a file counts as a file. One to a directory does not: the walk does not follow it.
        let files = others
            .iter()
            .filter(|file| !file.is_link || file.path.is_file());
        let paths = documents.iter().chain(files).map(|file| &*file.site_path);
        // In place, links to files that are left out still lead to them.
        let left_out = match &destination {
            Destination::Directory(..) => &[],
            Destination::InPlace(_) | Destination::Nowhere => &*walk.left_out,
        };
        let paths = paths.chain(left_out.iter().map(PathBuf::as_path));
        let origin = FolderOrigin {
            folder_name,
            layout,
            url,
            default_page,
        };
        let mut mirror = MirrorFolder::new(paths, &origin).map_err(|error| {
            let hint = "use the URL that the folder was downloaded from";
            PyValueError::new_err(format!("url: {}: {error}; {hint}", folder.display()))
        })?;
        if let Some(name) = default_page.filter(|_| mirror.layout() == Layout::HtTrack) {
            let hint = "leave it out, because HTTrack downloaded this folder";
            return Err(invalid("default_page", name, "an option of wget", hint));
        }
        if log.is_some_and(|log| mirror.observe_list(&log) == 0) {
            let hint =
                "use the log of wget, run with LC_ALL=C.UTF-8, or hts-cache/new.txt of HTTrack";
            let folder = folder.display();
            return Err(PyValueError::new_err(format!(
                "log: names no file of {folder}; {hint}"
            )));
        }
        observed(mirror.scope(scope), &folder, &documents)
    })?;
    let run = MirrorRun {
        folder,
        mirror,
        settings,
        is_host_unknown: base_path.is_some(),
        facts,
        destination,
        durability: if sync {
            Durability::Synced
        } else {
            Durability::Cached
        },
        unwritable: HashSet::new(),
    };
    run.convert(py, &walk, documents, others, threads::count(threads))
}

/// Reads the log of wget, or the list of HTTrack.
///
/// # Errors
/// `OSError`: it cannot be read.
fn read_log(log: &Path) -> PyResult<Vec<u8>> {
    fs::read(log).map_err(|error| error_of_file(error, log))
}

/// Returns the way in which other files get to the output directory; `None` if they are left out.
fn transfer(others: &str) -> PyResult<Option<Transfer>> {
    match others {
        "copy" => Ok(Some(Transfer::Copy)),
        "link" => Ok(Some(Transfer::Link)),
        "skip" => Ok(None),
        _ => {
            let hint = "use one of copy, link, skip";
            Err(invalid("others", others, "unknown value", hint))
        }
    }
}

/// Returns the destination that the arguments select.
///
/// # Errors
/// `ValueError`: there is none, or more than one, or it would lose data. `OSError`: the folder is none.
fn destination(
    folder: &Path,
    output: Option<PathBuf>,
    in_place: bool,
    backup: Option<String>,
    check: bool,
    others: Option<Transfer>,
) -> PyResult<Destination> {
    let value_error = |problem: String| Err(PyValueError::new_err(problem));
    if usize::from(output.is_some()) + usize::from(in_place) + usize::from(check) != 1 {
        return value_error("output: use one of output, in_place and check".to_owned());
    }
    if let Some(suffix) = &backup {
        if !in_place {
            return value_error("backup: there are backups only with in_place".to_owned());
        }
        if suffix.is_empty() || suffix.contains(is_separator) {
            let problem = "empty, or with a path separator";
            return Err(invalid(
                "backup",
                suffix,
                problem,
                "use a suffix such as '.orig'",
            ));
        }
    }
    let metadata = fs::metadata(folder).map_err(|error| error_of_file(error, folder))?;
    if !metadata.is_dir() {
        return Err(error_of_file(io::ErrorKind::NotADirectory.into(), folder));
    }
    let Some(output) = output else {
        return Ok(if in_place {
            Destination::InPlace(backup)
        } else {
            Destination::Nowhere
        });
    };
    let name = output.display();
    match Overlap::of(folder, &output) {
        Some(Overlap::Same) => {
            return value_error(format!("output: {name} is the folder itself; use in_place"));
        }
        Some(Overlap::OutputInInput) => {
            return value_error(format!(
                "output: {name} is inside the folder; use a directory outside it"
            ));
        }
        Some(Overlap::InputInOutput) => {
            return value_error(format!(
                "output: {name} contains the folder, which would be overwritten; use another directory"
            ));
        }
        None => {}
    }
    if output.exists() && !output.is_dir() {
        return Err(error_of_file(io::ErrorKind::NotADirectory.into(), &output));
    }
    Ok(Destination::Directory(output, others))
}
