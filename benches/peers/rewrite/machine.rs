//! Where and with what the figures were made.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, thread};

/// The versions of everything this was built with.
const LOCK: &str = include_str!("../Cargo.lock");

pub(crate) struct Machine {
    pub(crate) processor: String,
    pub(crate) system: String,
    pub(crate) compiler: String,
    pub(crate) date: String,
    pub(crate) versions: Vec<Version>,
}

pub(crate) struct Version {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

impl Machine {
    /// This machine; today, if no other date is given.
    pub(crate) fn new(date: Option<&str>) -> Self {
        let names = ["absolve", "html5ever", "lol_html", "memchr", "url"];
        let version = |name| Version {
            name,
            version: locked(name).unwrap_or("?"),
        };
        Self {
            processor: processor(),
            system: format!("{} {}", env::consts::OS, env::consts::ARCH),
            compiler: compiler(),
            date: date.map_or_else(today, str::to_owned),
            versions: names.into_iter().map(version).collect(),
        }
    }

    /// The same in one line.
    pub(crate) fn line(&self) -> String {
        let versions: Vec<String> = self
            .versions
            .iter()
            .map(|one| format!("{} {}", one.name, one.version))
            .collect();
        format!(
            "{}, {}; {}; {}; {}",
            self.processor,
            self.system,
            self.compiler,
            versions.join(", "),
            self.date
        )
    }
}

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

/// The date so many days after the first of January 1970.
fn date(days: u64) -> String {
    // Years begin in March here: the day that leap years have more is then the last of a year.
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
