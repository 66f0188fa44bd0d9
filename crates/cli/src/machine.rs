//! What the machine offers and what the program has used of it. No result depends on it.

use std::fs;
use std::time::{Duration, Instant};

/// Memory that a program can still have, where the system says so.
///
/// Linux only: `MemAvailable` of `/proc/meminfo`, or less if the program's control group has less
/// left (cgroup v2).
pub(crate) fn available_memory_bytes() -> Option<u64> {
    let machine = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    let number = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let limit = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current");
    let group = limit
        .zip(used)
        .map(|(limit, used)| limit.saturating_sub(used));
    Some(group.map_or(machine, |left| left.min(machine)))
}

/// Most memory that this process ever had, where the system says so.
pub(crate) fn peak_memory_bytes() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Columns of the terminal that stdout goes to; none where it goes elsewhere.
pub(crate) fn terminal_width() -> Option<usize> {
    #[cfg(unix)]
    {
        let stdout = std::io::stdout();
        let size = std::io::IsTerminal::is_terminal(&stdout)
            .then(|| rustix::termios::tcgetwinsize(&stdout).ok())??;
        (size.ws_col > 0).then_some(size.ws_col.into())
    }
    #[cfg(not(unix))]
    None
}

/// A line such as `MemAvailable:   24132296 kB`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    number.checked_mul(1024)
}

/// Time on the wall and processor time of the calling thread, from a moment on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    started: Instant,
    processor: Duration,
}

impl Stopwatch {
    /// Starts now.
    #[expect(clippy::disallowed_methods, reason = "progress and speed, not results")]
    pub(crate) fn start() -> Self {
        let started = Instant::now();
        Self {
            started,
            processor: processor_time(started),
        }
    }

    /// Time on the wall since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Processor time of this thread since the start.
    pub(crate) fn processor_elapsed(&self) -> Duration {
        processor_time(self.started).saturating_sub(self.processor)
    }
}

/// Processor time that this thread has used.
#[cfg(unix)]
fn processor_time(_started: Instant) -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Time on the wall, where there is no processor time to be had.
#[cfg(not(unix))]
fn processor_time(started: Instant) -> Duration {
    started.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_process_tables_are_read_in_bytes() {
        let text = "MemTotal:       24684096 kB\nMemAvailable:   24132296 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable:"), Some(24_132_296 * 1024));
        assert_eq!(kilobytes(text, "VmHWM:"), None);
    }

    #[test]
    fn work_uses_processor_time() {
        let watch = Stopwatch::start();
        let mut sum = 0_u64;
        while watch.processor_elapsed() < Duration::from_millis(2) {
            sum = std::hint::black_box(sum.wrapping_add(1));
            assert!(
                watch.elapsed() < Duration::from_mins(1),
                "the processor time stands still"
            );
        }
    }
}
