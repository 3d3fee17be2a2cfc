//! Conversion of a downloaded folder, so that it can be read offline, as by `absolve mirror`.
//!
//! The library finds, converts and writes the documents. This module interprets the arguments.

mod report;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use absolve_archive::ArchivePart;
use absolve_archive::container::unsupported_format;
use absolve_site::files::{self, Durability, Overlap, SiteFile, Transfer, Walk};
use absolve_site::run::{
    Captures, FolderOutput, MirrorError, MirrorOptions, MirrorRun, OutputWriter, last_timestamp,
};
use absolve_site::{FolderOrigin, Mirror, MirrorScope, READ_ATTRIBUTES};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::facts;
use crate::options::{
    UNKNOWN_ORIGIN, check_base, choice, folder_url, invalid, named, named_or_auto, thread_count,
    walk_options,
};
use crate::python_io::{check_signals, error_of_file, error_of_io};
use crate::rewriter::Rewriter;
use crate::threads;
pub(crate) use report::MirrorReport;

/// Converts a downloaded folder. The options have the names of those of the command.
///
/// The settings of `rewriter` that a mirror needs are replaced.
#[pyfunction]
#[expect(
    clippy::fn_params_excessive_bools,
    reason = "keyword arguments of Python"
)]
pub(crate) fn mirror(
    py: Python<'_>,
    folder: PathBuf,
    archives: Vec<PathBuf>,
    at: Option<&str>,
    rewriter: &Rewriter,
    output: Option<PathBuf>,
    in_place: bool,
    backup: Option<String>,
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
    integrity: &str,
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
    let fragments = named("fragments", fragments)?;
    let mut settings = Mirror::rewriter((*rewriter.settings).clone()).fragments(fragments);
    if choice("integrity", integrity, &["remove", "keep"])? == 1 {
        settings = settings.beside(READ_ATTRIBUTES);
    }
    if base_path.is_some() {
        settings = settings.unknown_origin(UNKNOWN_ORIGIN);
    }
    if let Some(scope) = base_scope {
        settings = settings.base_scope(named("base_scope", scope)?);
    }
    let encoding = encoding.map(facts::encoding).transpose()?;
    let others = choice("others", others, &["copy", "link", "skip"])?;
    let others = [Some(Transfer::Copy), Some(Transfer::Link), None][others];
    let output = folder_output(&folder, output, in_place, backup, others)?;
    let scope = [MirrorScope::Reading, MirrorScope::All][usize::from(all)];
    let log = log.map(|log| fs::read(&log).map_err(|error| error_of_file(error, &log)));
    let walk_options = walk_options(include, exclude)?
        .ignore_files(ignore_files)
        .follow_links(follow);
    let options = MirrorOptions {
        origin: FolderOrigin {
            layout,
            url,
            default_page,
            ..FolderOrigin::default()
        },
        scope,
        log: log.transpose()?,
        // In place, links to files that are left out still lead to them.
        reaches_left_out: !matches!(output, FolderOutput::Directory(..)),
        rewriter: settings,
        encoding: encoding.as_deref(),
        is_host_unknown: base_path.is_some(),
        collects_missing: false,
        unsupported: unsupported_format,
    };
    let durability = [Durability::Cached, Durability::Synced][usize::from(sync)];
    let writer = OutputWriter::new(output, durability);
    let until = at.map(|date| {
        let hint = "use one such as '2026-01-31'";
        last_timestamp(date).ok_or_else(|| invalid("at", date, "not a date", hint))
    });
    let (until, containers) = (until.transpose()?, rewriter.containers.clone());
    let mut problems = Vec::new();
    let (walk, mirror, note) = py.detach(|| {
        if !archives.is_empty() {
            let mut parts = Vec::new();
            for path in archives {
                let found = File::open(&path);
                let found = found.and_then(|file| ArchivePart::in_wacz(file, &containers));
                let mut found = found.map_err(|error| error_of_file(error, &path))?;
                if found.is_empty() {
                    found.push(ArchivePart::WHOLE);
                }
                parts.extend(found.into_iter().map(|part| (path.clone(), part)));
            }
            let (until, unwrap) = (until.as_deref(), options.rewriter.unwrapped_urls());
            let add = |at: &Path, error| problems.push(MirrorReport::of_problem(at, &error));
            let (captures, mirror, walk) = Captures::index(parts, until, unwrap, &containers, add);
            let mirror = MirrorRun::of_captures(captures, mirror, options);
            return Ok((walk, mirror, None));
        }
        fs::read_dir(&folder).map_err(|error| error_of_file(error, &folder))?;
        let mut walk = files::walk(&folder, &walk_options);
        let prepared = MirrorRun::new(&folder, &mut walk, options, check_signals);
        let (mirror, note) = prepared.map_err(|error| rejected(error, &folder, default_page))?;
        Ok::<_, PyErr>((walk, mirror, note))
    })?;
    let mut report = MirrorReport::new(note, &walk);
    for problem in problems {
        report.add(problem);
    }
    let threads = threads::count(threads);
    convert(py, (&folder, &walk), &mirror, writer, report, threads)
}

/// Converts the documents of `folder`, and copies its other files. Adds the results to `report`.
///
/// # Errors
/// A backup that is a document, an output directory that cannot be used, or the exception of a signal handler.
fn convert(
    py: Python<'_>,
    (folder, walk): (&Path, &Walk),
    mirror: &MirrorRun<'_>,
    mut writer: OutputWriter,
    mut report: MirrorReport,
    threads: usize,
) -> PyResult<MirrorReport> {
    let documents: Vec<_> = walk.documents.iter().map(|file| &*file.path).collect();
    if let Some(backup) = writer.output.backup_in(&documents) {
        return Err(PyValueError::new_err(format!(
            "backup: {} is also a document; use another suffix",
            backup.display()
        )));
    }
    let model = Some(folder).filter(|folder| folder.is_dir());
    let problems = py.detach(|| writer.prepare(&walk.directories, &walk.leftovers, model));
    for (path, error) in problems {
        if matches!(&writer.output, FolderOutput::Directory(output, _) if *output == path) {
            return Err(error_of_file(error, &path));
        }
        report.add(MirrorReport::of_problem(&path, &error));
    }
    let others = match &writer.output {
        FolderOutput::Directory(_, Some(_)) => &*walk.files,
        _ => &[],
    };
    let documents = walk.documents.iter().map(|file| (file, true));
    let jobs = documents.chain(others.iter().map(|file| (file, false)));
    let convert = |(file, is_document): (&SiteFile, _)| {
        let path = &*file.path;
        if is_document {
            mirror.convert(file, &writer, |event| {
                MirrorReport::of_document(path, event)
            })
        } else {
            MirrorReport::of_copy(path, writer.copy(file))
        }
    };
    threads::for_each_file(py, jobs, threads, convert, |file| report.add(file))?;
    Ok(report)
}

/// Returns the exception for a folder that cannot be converted.
fn rejected(error: MirrorError, folder: &Path, default_page: Option<&str>) -> PyErr {
    let folder = folder.display();
    let message = match error {
        MirrorError::NoRoot(error) => {
            format!("url: {folder}: {error}; use the URL that the folder was downloaded from")
        }
        MirrorError::DefaultPage => {
            let hint = "leave it out, because HTTrack downloaded this folder";
            let name = default_page.unwrap_or_default();
            return invalid("default_page", name, "an option of wget", hint);
        }
        MirrorError::Log => format!(
            "log: names no file of {folder}; use the log of wget, run with LC_ALL=C.UTF-8, or hts-cache/new.txt of HTTrack"
        ),
        MirrorError::Interrupted(error) => return error_of_io(error),
    };
    PyValueError::new_err(message)
}

/// Returns the place of the documents that the arguments select.
///
/// # Errors
/// `ValueError`: it would lose data. `OSError`: it is no directory.
fn folder_output(
    folder: &Path,
    output: Option<PathBuf>,
    in_place: bool,
    backup: Option<String>,
    others: Option<Transfer>,
) -> PyResult<FolderOutput> {
    let Some(output) = output else {
        return Ok(if in_place {
            FolderOutput::InPlace(backup)
        } else {
            FolderOutput::Nowhere
        });
    };
    let name = output.display();
    let problem = Overlap::of(folder, &output).map(|overlap| match overlap {
        Overlap::Same => "is the folder itself; use in_place",
        Overlap::OutputInInput => "is inside the folder; use a directory outside it",
        Overlap::InputInOutput => {
            "contains the folder, which would be overwritten; use another directory"
        }
    });
    if let Some(problem) = problem {
        return Err(PyValueError::new_err(format!("output: {name} {problem}")));
    }
    if output.exists() && !output.is_dir() {
        return Err(error_of_file(io::ErrorKind::NotADirectory.into(), &output));
    }
    Ok(FolderOutput::Directory(output, others))
}
