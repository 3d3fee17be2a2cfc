//! Recorded figures of the benchmarks: `figures.jsonl` holds one JSON object per line, for one contestant and corpus.
//!
//! The `rewrite` benchmark and `run` append lines to that file, and `plot` draws them.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Speed of one contestant over one corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Name of the contestant.
    pub contestant: String,
    /// Version of the contestant.
    pub version: String,
    /// Name of the corpus.
    pub corpus: String,
    /// Number of documents in the corpus.
    pub documents: usize,
    /// Size of all documents in the corpus.
    pub bytes: usize,
    /// 10^6 bytes of input per second: the median of the rounds.
    pub megabytes_per_second: f64,
    /// Speed of the slowest round, in the same unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slowest: Option<f64>,
    /// Speed of the fastest round, in the same unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fastest: Option<f64>,
    /// Number of links rewritten or listed, or of `<` found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<usize>,
    /// Number of documents that the contestant could not process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_documents: Option<usize>,
    /// Number of rounds, without the warm-up round.
    pub rounds: usize,
    /// `processor` for processor time, `wall` for elapsed time.
    pub clock: String,
    /// Compiler or interpreter, with its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Processor, number of cores, operating system and architecture.
    pub machine: String,
    /// Date of the measurement, as `YYYY-MM-DD`.
    pub date: String,
}

/// Reads the figures in the file: of several lines for the same contestant and corpus, the last.
///
/// # Errors
///
/// If the file cannot be read, or a line is not a figure.
pub fn read(path: &Path) -> Result<Vec<Figure>, String> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut figures: Vec<Figure> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let figure: Figure = serde_json::from_str(line).map_err(|error| {
            format!("{}:{}: invalid figure: {error}", path.display(), number + 1)
        })?;
        figures.retain(|one| one.contestant != figure.contestant || one.corpus != figure.corpus);
        figures.push(figure);
    }
    Ok(figures)
}

/// Appends the figures to the file, which is created if it does not exist.
///
/// # Errors
///
/// If the file cannot be written.
pub fn append(path: &Path, figures: &[Figure]) -> Result<(), String> {
    let mut lines = String::new();
    for figure in figures {
        lines.push_str(&serde_json::to_string(figure).map_err(|error| error.to_string())?);
        lines.push('\n');
    }
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .and_then(|mut file| file.write_all(lines.as_bytes()))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
