//! What is typed.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use super::clock::Clock;
use super::corpus::Corpus;

const USAGE: &str = "\
usage: cargo bench --bench rewrite -- [OPTIONS]
  --corpora DIR     the project's corpora (default: $ABSOLVE_CORPORA, or ../shared/corpora beside the project)
  --documents DIR   any folder of HTML documents instead
  --rounds N        how often everything is measured; the median counts (default: 7)
  --only NAME       only contestants with that in their names; repeatable
  --clock CLOCK     processor: the thread's time on one (default); wall: the time that passed
  --markdown FILE, --json FILE, --svg FILE
                    the figures as a table (also on standard output), for machines, as a picture
  --date DATE       the date in the title (default: today)
  --scaling         instead: the same pages 1, 10 and 100 times, and documents made to be slow
  --size N          with --scaling: documents N per cent as large (default: 100)";

/// Which documents are measured.
pub(crate) enum Documents {
    /// The corpora of the project in that folder.
    Corpora(PathBuf),
    /// All those in that folder.
    Folder(PathBuf),
}

pub(crate) struct Arguments {
    pub(crate) documents: Documents,
    pub(crate) rounds: usize,
    only: Vec<String>,
    pub(crate) clock: Clock,
    pub(crate) markdown: Option<PathBuf>,
    pub(crate) json: Option<PathBuf>,
    pub(crate) svg: Option<PathBuf>,
    pub(crate) date: Option<String>,
    pub(crate) scaling: bool,
    pub(crate) percent: usize,
}

impl Arguments {
    /// The arguments of the process.
    pub(crate) fn read() -> Result<Self, String> {
        let mut arguments = Self {
            documents: Documents::Corpora(Corpus::root()),
            rounds: 7,
            only: Vec::new(),
            clock: Clock::best(),
            markdown: None,
            json: None,
            svg: None,
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
                    .ok_or(format!("{name}: nothing behind it\n{USAGE}"))
            };
            match &*name {
                // Cargo says so to every benchmark.
                "--bench" => {}
                "--corpora" => arguments.documents = Documents::Corpora(path()?),
                "--documents" => arguments.documents = Documents::Folder(path()?),
                "--markdown" => arguments.markdown = Some(path()?),
                "--json" => arguments.json = Some(path()?),
                "--svg" => arguments.svg = Some(path()?),
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
                            return Err(format!("--clock {other:?}: there are processor and wall"));
                        }
                    }
                }
                _ => return Err(format!("{name}: no such option\n{USAGE}")),
            }
        }
        Ok(arguments)
    }

    /// Whether contestants are named at all.
    pub(crate) fn chooses(&self) -> bool {
        !self.only.is_empty()
    }

    /// Whether a contestant of that name is to take part.
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
        _ => Err(format!("{option}: no number above 0 behind it\n{USAGE}")),
    }
}
