//! The files that a walk leaves out, and the symbolic links that it follows.

use std::fmt;
use std::path::Path;

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::manifest::MANIFEST_NAME;

/// Names of directories that are not part of a site, because they belong to version control.
const VCS_DIRECTORIES: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

/// Name of the ignore files that concern absolve alone.
const IGNORE_FILE: &str = ".absolveignore";

/// Options of [`walk`](super::walk()). By default, every file is found, and no symbolic link is followed.
///
/// Globs are those of `.gitignore`, relative to the directory: `*` and `?` match within a path segment, `**` matches
/// any number of segments, and `[a-z]` one character. A glob without a slash, except at its end, applies at any depth;
/// one with a final slash applies to directories only. A later glob takes precedence, and one that begins with `!`
/// reverses earlier ones.
///
/// # Source
/// gitignore(5), "Pattern format".
///
/// # Examples
/// ```
/// use absolve_site::files::{WalkOptions, walk};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let directory = tempfile::tempdir()?;
/// for name in ["a.html", "a.css", "b.html"] {
///     std::fs::write(directory.path().join(name), "")?;
/// }
/// let options = WalkOptions::new().include(["*.html"])?.exclude(["b.*"])?;
/// let files = walk(directory.path(), &options).files;
/// assert_eq!(files.len(), 1);
/// assert_eq!(files[0].site_path, std::path::Path::new("a.html"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct WalkOptions {
    /// Matches the files that are found; empty if all are.
    include: Gitignore,
    /// Matches the files and directories that are left out.
    exclude: Gitignore,
    has_ignore_files: bool,
    follows_links: bool,
}

/// An error for a glob that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidGlob {
    /// The glob.
    pub glob: String,
    /// The problem: a noun phrase.
    pub problem: String,
}

impl fmt::Display for InvalidGlob {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "invalid glob: {}", self.problem)
    }
}

impl std::error::Error for InvalidGlob {}

impl Default for WalkOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl WalkOptions {
    /// Creates options by which every file is found.
    #[must_use]
    pub fn new() -> Self {
        Self {
            include: Gitignore::empty(),
            exclude: Gitignore::empty(),
            has_ignore_files: false,
            follows_links: false,
        }
    }

    /// Leaves out the files that match none of `globs`, nor are in a directory that does. Without globs, none is left
    /// out.
    ///
    /// # Errors
    /// One of the globs cannot be parsed.
    pub fn include<S: AsRef<str>>(
        self,
        globs: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidGlob> {
        let include = matcher(globs)?;
        Ok(Self { include, ..self })
    }

    /// Leaves out the files that match one of `globs`, and the directories, with everything in them. Takes precedence
    /// over [`include`](Self::include).
    ///
    /// # Errors
    /// One of the globs cannot be parsed.
    pub fn exclude<S: AsRef<str>>(
        self,
        globs: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidGlob> {
        let exclude = matcher(globs)?;
        Ok(Self { exclude, ..self })
    }

    /// Sets whether files and directories are left out that `.gitignore` and `.absolveignore` list: those in the
    /// directory and in the directories below it. `.absolveignore` takes precedence. Without a regular file of
    /// moderate length in the place of one, its directory is left out.
    #[must_use]
    pub fn ignore_files(self, has_ignore_files: bool) -> Self {
        Self {
            has_ignore_files,
            ..self
        }
    }

    /// Sets whether symbolic links are followed. Their targets are found under the path of the link. A directory is
    /// read a hundred times at most: with two links in each of thirty directories, there would be a billion paths.
    #[must_use]
    pub fn follow_links(self, follows_links: bool) -> Self {
        Self {
            follows_links,
            ..self
        }
    }

    /// Returns the options that leave out no file, and follow symbolic links if these do.
    pub(super) fn without_selection(&self) -> Self {
        Self::new().follow_links(self.follows_links)
    }

    /// Returns whether files may be left out.
    pub(super) fn is_selective(&self) -> bool {
        self.has_include() || !self.exclude.is_empty() || self.has_ignore_files
    }

    /// Returns whether symbolic links are followed.
    pub(super) fn follows_links(&self) -> bool {
        self.follows_links
    }

    /// Returns the names of the files in each directory that list what is left out.
    pub(super) fn ignore_files_in_use(&self) -> &'static [&'static str] {
        if self.has_ignore_files {
            &[".gitignore", IGNORE_FILE]
        } else {
            &[]
        }
    }

    /// Returns whether only files are found that match a glob.
    pub(super) fn has_include(&self) -> bool {
        !self.include.is_empty()
    }

    /// Returns a walk of `root` with these options, which does not ask yet what it [`selects`](Self::selects).
    pub(super) fn builder(&self, root: &Path) -> WalkBuilder {
        let mut builder = WalkBuilder::new(root);
        builder
            .standard_filters(false)
            .follow_links(self.follows_links)
            .sort_by_file_name(Ord::cmp);
        if self.has_ignore_files {
            builder
                .git_ignore(true)
                .require_git(false)
                .add_custom_ignore_filename(IGNORE_FILE);
        }
        builder
    }

    /// Returns whether the file or directory at `path`, which is relative to the root, is part of the walk.
    ///
    /// A file with the name of a version control directory is not: a Git worktree has one.
    pub(super) fn selects(&self, path: &Path, is_directory: bool) -> bool {
        let mut others = VCS_DIRECTORIES.iter().chain([&MANIFEST_NAME]);
        let name = path.file_name();
        if name.is_none_or(|name| others.any(|other| name == *other)) {
            return false;
        }
        let is_included = || {
            let matched = self.include.matched_path_or_any_parents(path, false);
            matched.is_ignore()
        };
        !self.exclude.matched(path, is_directory).is_ignore()
            && (is_directory || !self.has_include() || is_included())
    }
}

/// Returns the matcher for these globs.
fn matcher<S: AsRef<str>>(globs: impl IntoIterator<Item = S>) -> Result<Gitignore, InvalidGlob> {
    let mut builder = GitignoreBuilder::new("");
    builder.allow_unclosed_class(false);
    for glob in globs {
        let glob = glob.as_ref();
        let error = |problem: String| InvalidGlob {
            glob: glob.to_owned(),
            problem,
        };
        if glob.trim_matches(['/', '!']).is_empty() {
            return Err(error("empty".to_owned()));
        }
        // A leading # begins a comment in an ignore file only.
        let escape = if glob.starts_with('#') { "\\" } else { "" };
        // Shells complete names to this form, which is a name in no ignore file.
        let glob_line = match glob.strip_prefix("./") {
            Some(rest) => format!("/{rest}"),
            None => format!("{escape}{glob}"),
        };
        builder
            .add_line(None, &glob_line)
            .map_err(|problem| match problem {
                ignore::Error::Glob { err, .. } => error(err),
                problem => error(problem.to_string()),
            })?;
    }
    builder.build().map_err(|problem| InvalidGlob {
        glob: String::new(),
        problem: problem.to_string(),
    })
}
