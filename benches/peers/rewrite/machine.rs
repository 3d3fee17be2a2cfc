//! The machine, the compiler and the versions of the contestants.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, thread};

/// The lock file has the versions of all crates in this build.
const LOCK: &str = include_str!("../Cargo.lock");

/// The conditions of a measurement.
pub(crate) struct Machine {
    /// Processor, number of cores, operating system and architecture.
    pub(crate) name: String,
    pub(crate) compiler: String,
    pub(crate) date: String,
    pub(crate) versions: Vec<Version>,
}

/// A crate of this build and its version.
pub(crate) struct Version {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

impl Machine {
    /// Describes this machine. The date is today, unless the caller provides another one.
    pub(crate) fn new(date: Option<&str>) -> Self {
        let names = ["absolve", "html5ever", "lol_html", "memchr", "url"];
        let version = |name| Version {
            name,
            version: locked(name).unwrap_or("?"),
        };
        Self {
            name: format!("{}, {} {}", processor(), env::consts::OS, env::consts::ARCH),
            compiler: compiler(),
            date: date.map_or_else(today, str::to_owned),
            versions: names.into_iter().map(version).collect(),
        }
    }

    /// Returns the version of a crate. That of `std` is the version of the compiler.
    pub(crate) fn version(&self, package: &str) -> &str {
        if package == "std" {
            return self.compiler.trim_start_matches("rustc ");
        }
        locked(package).unwrap_or("?")
    }

    /// Formats everything as one line.
    pub(crate) fn line(&self) -> String {
        let versions: Vec<String> = self
            .versions
            .iter()
            .map(|one| format!("{} {}", one.name, one.version))
            .collect();
        format!(
            "{}; {}; {}; {}",
            self.name,
            self.compiler,
            versions.join(", "),
            self.date
        )
    }
}

/// Returns the locked version of a crate.
fn locked(name: &str) -> Option<&'static str> {
    let (_, package) = LOCK.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    package.split('"').next()
}

fn processor() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information
        .lines()
        .find(|line| line.starts_with("model name"))
        .and_then(|line| line.split_once(':'))
        .map_or("unknown processor", |(_, model)| model.trim());
    format!("{model}, {cores} cores")
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let version = version.unwrap_or_default();
    let words: Vec<&str> = version.split_whitespace().take(2).collect();
    words.join(" ")
}

fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.map_or(0, |since| since.as_secs() / 86_400))
}

/// Formats the date that is this number of days after 1 January 1970, in the Gregorian calendar.
fn date(days: u64) -> String {
    // Counts years from 1 March of the year 0, so that the leap day is the last day of its year. The calendar repeats
    // after 400 years, which are CYCLE days.
    const CYCLE: u64 = 146_097;
    let days = days + 719_468;
    let day_of_cycle = days % CYCLE;
    let year_of_cycle = (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524
        - day_of_cycle / 146_096)
        / 365;
    let day_of_year =
        day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = days / CYCLE * 400 + year_of_cycle + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}
