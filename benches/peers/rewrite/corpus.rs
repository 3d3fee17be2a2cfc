//! The documents that are measured. They are in memory before the first measurement.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// A set of documents.
pub(crate) struct Corpus {
    pub(crate) name: String,
    pub(crate) documents: Vec<Document>,
}

/// A document, and the retrieval URL that is assumed for it.
pub(crate) struct Document {
    pub(crate) bytes: Vec<u8>,
    pub(crate) url: String,
}

impl Corpus {
    /// Reads the HTML documents in `folder` and its subfolders, sorted by path.
    pub(crate) fn read(name: &str, folder: &Path) -> io::Result<Self> {
        let mut paths = Vec::new();
        let mut pending = vec![folder.to_owned()];
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                for entry in fs::read_dir(&path)? {
                    pending.push(entry?.path());
                }
            } else if is_html(&path) {
                paths.push(path);
            }
        }
        paths.sort();
        let document = |path: &PathBuf| {
            let relative = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
            Ok(Document {
                bytes: fs::read(path)?,
                url: format!(
                    "https://www.example.org/docs/{}",
                    relative.replace(' ', "%20")
                ),
            })
        };
        Ok(Self {
            name: name.to_owned(),
            documents: paths.iter().map(document).collect::<io::Result<_>>()?,
        })
    }

    /// Reads those corpora of the project that exist in `root`.
    pub(crate) fn read_all(root: &Path) -> io::Result<Vec<Self>> {
        let mut corpora = Vec::new();
        for (name, folder) in [("pages", "pages"), ("sites", "site"), ("large", "large")] {
            let folder = root.join(folder);
            if folder.is_dir() {
                corpora.push(Self::read(name, &folder)?);
            }
        }
        Ok(corpora)
    }

    /// Returns the default folder of the project's corpora.
    pub(crate) fn root() -> PathBuf {
        env::var_os("ABSOLVE_CORPORA").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora"),
            PathBuf::from,
        )
    }

    /// Returns the size of all documents.
    pub(crate) fn bytes(&self) -> usize {
        self.documents.iter().map(|one| one.bytes.len()).sum()
    }
}

fn is_html(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        ["html", "htm", "xhtml"]
            .iter()
            .any(|html| extension.eq_ignore_ascii_case(html))
    })
}
