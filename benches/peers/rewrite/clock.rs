//! How long something takes.

use std::time::Duration;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// The time this thread had on a processor: what else runs on the machine does not count.
    Processor,
    /// The time that passed.
    Wall,
}

impl Clock {
    /// The processor's where it can be told, otherwise that on the wall.
    pub(crate) fn best() -> Self {
        if cfg!(unix) {
            Self::Processor
        } else {
            Self::Wall
        }
    }

    /// The name used in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Processor => "processor",
            Self::Wall => "wall",
        }
    }

    /// How long `work` takes, and what it gives.
    pub(crate) fn time<T>(self, work: impl FnOnce() -> T) -> (Duration, T) {
        let start = self.now();
        let result = work();
        (self.now().saturating_sub(start), result)
    }

    /// The time since some moment that stays the same.
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
