//! Measures how long something takes.

use std::time::Duration;

/// A way to measure time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// The processor time of this thread. It excludes the time in which other programs run.
    Processor,
    /// Elapsed time.
    Wall,
}

impl Clock {
    /// Returns `Processor` on Unix, where it can be measured, and `Wall` elsewhere.
    pub(crate) fn best() -> Self {
        if cfg!(unix) {
            Self::Processor
        } else {
            Self::Wall
        }
    }

    /// Returns the name used in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Processor => "processor",
            Self::Wall => "wall",
        }
    }

    /// Returns the time that `work` takes, and its result.
    pub(crate) fn time<T>(self, work: impl FnOnce() -> T) -> (Duration, T) {
        let start = self.now();
        let result = work();
        (self.now().saturating_sub(start), result)
    }

    /// Returns the time since an arbitrary, fixed moment.
    fn now(self) -> Duration {
        match self {
            #[cfg(unix)]
            Self::Processor => {
                let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
                Duration::new(
                    u64::try_from(now.tv_sec).unwrap_or_default(),
                    u32::try_from(now.tv_nsec).unwrap_or_default(),
                )
            }
            _ => since_start(),
        }
    }
}

fn since_start() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
