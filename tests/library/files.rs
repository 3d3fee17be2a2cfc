//! Files that are complete or not there, and the files of a directory.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use absolve_site::files::{self, Durability, Overlap, SiteFile, Transfer, WalkError, WalkOptions};

/// Creates a directory with files, each with its name as content.
fn directory(names: &[&str]) -> io::Result<tempfile::TempDir> {
    let directory = tempfile::tempdir()?;
    for name in names {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory"))?;
        fs::write(path, name)?;
    }
    Ok(directory)
}

fn names_in(directory: &Path) -> Vec<PathBuf> {
    let walk = files::walk(directory, &WalkOptions::new());
    walk.files.into_iter().map(|file| file.site_path).collect()
}

#[test]
fn walk_is_sorted_and_leaves_out_version_control_and_leftovers() -> io::Result<()> {
    let directory = directory(&["b", "a/c", ".git/config", ".absolve-1-x", "a/.hidden"])?;
    let walk = files::walk(directory.path(), &WalkOptions::new());
    let paths = ["a/.hidden", "a/c", "b"].map(PathBuf::from);
    assert_eq!(names_in(directory.path()), paths);
    assert_eq!(walk.directories, [PathBuf::from("a")]);
    assert_eq!(walk.leftovers, [directory.path().join(".absolve-1-x")]);
    assert!(walk.errors.is_empty());
    let missing = directory.path().join("missing");
    let errors = files::walk(&missing, &WalkOptions::new()).errors;
    assert!(matches!(&*errors, [WalkError::Unreadable { path, .. }] if *path == missing));
    Ok(())
}

#[test]
fn overlap_compares_canonical_paths() -> io::Result<()> {
    let directory = directory(&["in/a", "other/b"])?;
    let path = |name: &str| directory.path().join(name);
    for (output, expected) in [
        ("in", Some(Overlap::Same)),
        ("other/../in", Some(Overlap::Same)),
        ("in/new", Some(Overlap::OutputInInput)),
        (".", Some(Overlap::InputInOutput)),
        ("other", None),
        ("new", None),
        ("inn", None),
    ] {
        assert_eq!(
            Overlap::of(&path("in"), &path(output)),
            expected,
            "{output}"
        );
    }
    assert_eq!(Overlap::of(&path("missing"), &path("missing")), None);
    Ok(())
}

#[test]
fn a_file_is_replaced_when_it_is_complete() -> io::Result<()> {
    let directory = directory(&["a"])?;
    let path = directory.path().join("a");
    let failed = files::write_file(&path, Durability::Cached, |to| {
        to.write_all(b"half")?;
        Err::<(), _>(io::Error::other("no more"))
    });
    assert!(failed.is_err());
    assert_eq!(fs::read(&path)?, b"a");
    assert_eq!(names_in(directory.path()).len(), 1);
    files::write_file(&path, Durability::Synced, |to| to.write_all(b"new"))?;
    assert_eq!(fs::read(&path)?, b"new");
    Ok(())
}

#[test]
fn an_unchanged_counterpart_keeps_its_modification_time() -> io::Result<()> {
    let directory = directory(&["a"])?;
    let [source, target] = ["a", "b"].map(|name| directory.path().join(name));
    let time = SystemTime::now() - Duration::from_secs(1000);
    fs::File::options()
        .write(true)
        .open(&source)?
        .set_modified(time)?;
    let model = fs::metadata(&source)?;
    for is_changed in [true, false] {
        let write = |to: &mut (dyn Write + Send)| to.write_all(b"a").map(|()| is_changed);
        let written =
            files::write_counterpart(&target, Some(&model), None, Durability::Cached, write)?;
        assert_eq!(written, is_changed);
        let is_same = fs::metadata(&target)?.modified()? == model.modified()?;
        assert_eq!(is_same, !is_changed);
    }
    SiteFile::new(source.clone(), "a".into(), 1).transfer(
        &target,
        Transfer::Copy,
        Durability::Synced,
    )?;
    assert_eq!(fs::metadata(&target)?.modified()?, model.modified()?);
    Ok(())
}
