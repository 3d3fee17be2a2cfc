//! Measures of processes, which Linux publishes in `/proc`.

use std::fs;
use std::time::Duration;

/// Returns the peak memory of a running process in MiB, or `None` if the system does not tell.
pub fn peak_memory(process: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: usize = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes / 1024)
}

/// Returns for how long this thread has had a processor, or `None` if the system does not tell.
///
/// Unlike the time of a clock, it does not depend on what else the machine does.
pub fn processor_time() -> Option<Duration> {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = statistics.split_ascii_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
