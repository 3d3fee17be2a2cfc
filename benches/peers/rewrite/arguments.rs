//! The command line.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use super::clock::Clock;
use super::corpus::Corpus;

const USAGE: &str = "\
usage: cargo bench --bench rewrite -- [OPTIONS]
  --corpora DIR     Read the project's corpora from DIR (default: $ABSOLVE_CORPORA, or ../shared/corpora
                    next to the checkout)
  --documents DIR   Measure the HTML documents in DIR instead of the corpora
  --rounds N        Measure N rounds and report medians (default: 7)
  --only TEXT       Measure only contestants whose name contains TEXT (repeatable)
  --clock CLOCK     Measure `processor` time of the thread (default) or elapsed time, `wall`
  --markdown FILE   Write the tables to FILE, too
  --figures FILE    Append the figures to FILE, one JSON object per line
  --date DATE       Report DATE as the date of the measurement (default: today)
  --scaling         Measure instead how time grows with size, and documents designed to be slow
  --size N          Scale the slow documents of --scaling to N percent (default: 100)";

/// The documents to measure.
pub(crate) enum Documents {
    /// The corpora of the project, in this folder.
    Corpora(PathBuf),
    /// All HTML documents in this folder.
    Folder(PathBuf),
}

pub(crate) struct Arguments {
    pub(crate) documents: Documents,
    pub(crate) rounds: usize,
    /// Contestants whose name contains one of these are measured, or all contestants if this is empty.
    only: Vec<String>,
    pub(crate) clock: Clock,
    pub(crate) markdown: Option<PathBuf>,
    pub(crate) figures: Option<PathBuf>,
    pub(crate) date: Option<String>,
    pub(crate) scaling: bool,
    /// Size of the slow documents of `--scaling`, in percent.
    pub(crate) percent: usize,
}

impl Arguments {
    /// Parses the arguments of the process.
    pub(crate) fn parse() -> Result<Self, String> {
        let mut arguments = Self {
            documents: Documents::Corpora(Corpus::root()),
            rounds: 7,
            only: Vec::new(),
            clock: Clock::best(),
            markdown: None,
            figures: None,
            date: None,
            scaling: false,
            percent: 100,
        };
        let mut words = env::args_os().skip(1);
        while let Some(word) = words.next() {
            let name = word.to_string_lossy().into_owned();
            let mut path = || {
                words
                    .next()
                    .map(PathBuf::from)
                    .ok_or(format!("{name}: missing value\n{USAGE}"))
            };
            match &*name {
                // Cargo passes this to every benchmark.
                "--bench" => {}
                "--corpora" => arguments.documents = Documents::Corpora(path()?),
                "--documents" => arguments.documents = Documents::Folder(path()?),
                "--markdown" => arguments.markdown = Some(path()?),
                "--figures" => arguments.figures = Some(path()?),
                "--scaling" => arguments.scaling = true,
                "--rounds" => arguments.rounds = number(&name, path()?)?,
                "--size" => arguments.percent = number(&name, path()?)?,
                "--only" => arguments.only.push(text(path()?)),
                "--date" => arguments.date = Some(text(path()?)),
                "--clock" => {
                    arguments.clock = match &*text(path()?) {
                        "wall" => Clock::Wall,
                        "processor" => Clock::best(),
                        other => {
                            return Err(format!(
                                "--clock: unknown clock {other:?}; use processor or wall"
                            ));
                        }
                    }
                }
                _ => return Err(format!("unknown option {name}\n{USAGE}")),
            }
        }
        Ok(arguments)
    }

    /// Returns whether `--only` was used.
    pub(crate) fn has_selection(&self) -> bool {
        !self.only.is_empty()
    }

    /// Returns whether a contestant of that name is to be measured.
    pub(crate) fn is_wanted(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| name.contains(part.as_str()))
    }
}

fn text(word: PathBuf) -> String {
    OsString::from(word).to_string_lossy().into_owned()
}

fn number(option: &str, word: PathBuf) -> Result<usize, String> {
    match text(word).parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!(
            "{option}: expected a number greater than 0\n{USAGE}"
        )),
    }
}
