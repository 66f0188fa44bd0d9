//! Long work that lets go of the interpreter and can be stopped with Ctrl-C.

use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// Does `work` on another thread, the interpreter being free meanwhile. When a signal handler
/// raises (Ctrl-C), the flag that `work` is given becomes true; its exception is raised when `work`
/// has returned.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let interrupted = AtomicBool::new(false);
    let (value, raised) = py.detach(|| {
        thread::scope(|scope| {
            let (done, is_done) = mpsc::channel::<()>();
            let flag = &interrupted;
            let worker = scope.spawn(move || {
                let value = work(flag);
                drop(done);
                value
            });
            let mut raised = None;
            // Nothing is ever sent: the channel closes when the work is done, panics included.
            while is_done.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none() {
                    raised = Python::attach(|py| py.check_signals().err());
                    interrupted.store(raised.is_some(), Ordering::Relaxed);
                }
            }
            let value = worker
                .join()
                .unwrap_or_else(|panic| panic::resume_unwind(panic));
            (value, raised)
        })
    });
    raised.map_or(Ok(value), Err)
}

/// How often signals are looked for.
pub(crate) const EVERY: Duration = Duration::from_millis(50);
