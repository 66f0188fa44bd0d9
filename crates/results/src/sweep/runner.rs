//! Runs what is missing of a sweep on several threads.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::board::Job;
use super::campaign::{Campaign, Setting, cores};
use super::error::SweepError;
use super::options::{Options, Swept};
use super::plan::Plan;
use crate::store;
use experiments::scenario::Document;

/// Runs what is missing of the sweep of `document` and writes the data set to `folder`, which is
/// made if it is not there.
pub fn sweep(
    document: &Document,
    folder: &Path,
    options: &Options<'_>,
) -> Result<Swept, SweepError> {
    sweep_as(store::version(), document, folder, options)
}

pub(super) fn sweep_as(
    version: &str,
    document: &Document,
    folder: &Path,
    options: &Options<'_>,
) -> Result<Swept, SweepError> {
    let threads = options.threads.unwrap_or_else(cores);
    let campaign = Campaign::begin(
        version,
        document,
        folder,
        &Setting {
            threads,
            registry: options.registry,
            interrupted: options.interrupted,
        },
    )?;
    (options.started)(campaign.earlier());
    let shared = Shared {
        plan: campaign.plan().clone(),
        state: Mutex::new(Running {
            campaign,
            failure: None,
        }),
        changed: Condvar::new(),
        stop: AtomicBool::new(false),
        options,
    };
    run_all(&shared, threads)?;
    let Running { campaign, failure } = shared
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    match failure {
        Some(error) => {
            campaign.sync()?;
            Err(error)
        }
        None => campaign.finish(),
    }
}

/// What all threads work on.
struct Shared<'a> {
    state: Mutex<Running>,
    /// There is something to do, or nothing any more.
    changed: Condvar,
    /// Something failed: the others end too.
    stop: AtomicBool,
    plan: Plan,
    options: &'a Options<'a>,
}

struct Running {
    campaign: Campaign,
    failure: Option<SweepError>,
}

impl Shared<'_> {
    /// A panic of another thread ends the program once all are done: the state may be used on.
    fn lock(&self) -> MutexGuard<'_, Running> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.options.interrupted.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// The next run; waits where another seed may yet be needed.
    fn next(&self) -> Option<Job> {
        let mut running = self.lock();
        loop {
            if self.stopped() || running.campaign.is_over() {
                return None;
            }
            if let Some(job) = running.campaign.take() {
                return Some(job);
            }
            running = self
                .changed
                .wait(running)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self) {
        let _end_others = EndOthers(self);
        while let Some(job) = self.next() {
            let (ended, scenario) =
                self.plan
                    .run((job.combination, job.seed), self.options.admit, || {
                        self.stopped()
                    });
            let mut running = self.lock();
            match running.campaign.note(job, ended, scenario.as_ref()) {
                Ok(Some(progress)) => (self.options.progress)(progress),
                Ok(None) => {}
                Err(error) => {
                    running.failure.get_or_insert(error);
                    self.stop.store(true, Ordering::Relaxed);
                }
            }
            drop(running);
            self.changed.notify_all();
        }
    }
}

/// Where a thread panics, the others must not wait for it.
struct EndOthers<'s, 'a>(&'s Shared<'a>);

impl Drop for EndOthers<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop.store(true, Ordering::Relaxed);
        }
        self.0.changed.notify_all();
    }
}

fn run_all(shared: &Shared<'_>, threads: usize) -> Result<(), SweepError> {
    let spawned = thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let worker = thread::Builder::new().spawn_scoped(scope, || shared.work());
            if let Err(error) = worker {
                shared.stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    });
    spawned.map_err(SweepError::Threads)
}
