//! Ctrl-C: the first asks the command to stop in good order, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C (and the signals to end) only sets a flag, the first time.
pub(crate) fn listen() {
    // Refused only if there is a handler already, which does the same.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(1);
        }
    });
}

/// Whether the user asked to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// The same as a flag, for whoever looks at it often.
pub(crate) fn flag() -> &'static AtomicBool {
    &ASKED
}
