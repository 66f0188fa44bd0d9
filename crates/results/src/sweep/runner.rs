//! Runs what is missing of a sweep on several threads.

use std::io;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::board::{Board, Job, Run};
use super::data_set::{self, Subject};
use super::description::State;
use super::error::SweepError;
use super::folder::{Folder, RESULTS, SCENARIO};
use super::options::{Earlier, Options, Progress, Swept};
use super::plan::{self, Plan};
use crate::store::{self, Entry, Measured, Store, StoreError};
use experiments::metrics;
use experiments::scenario::{Document, Scenario, to_toml};
use experiments::simulation::{RunError, run_with_progress};

/// Runs what is missing of the sweep of `document` and writes the data set to `folder`, which is
/// made if it is not there.
pub fn sweep(
    document: &Document,
    folder: &Path,
    options: &Options<'_>,
) -> Result<Swept, SweepError> {
    sweep_as(store::VERSION, document, folder, options)
}

pub(super) fn sweep_as(
    version: &str,
    document: &Document,
    folder: &Path,
    options: &Options<'_>,
) -> Result<Swept, SweepError> {
    let scenario = document.check(options.registry)?;
    let sweep = scenario.sweep.as_ref().ok_or_else(|| SweepError::NoSweep {
        name: scenario.name.clone(),
    })?;
    Folder::of(folder, &scenario, options.registry)?;
    let mut store = Store::open(&folder.join(RESULTS), version)?;
    // Nobody else is here now: look again at what is there.
    let folder = Folder::of(folder, &scenario, options.registry)?;
    folder.write(SCENARIO, &to_toml(&scenario))?;
    let set_aside = folder.set_aside(version)?;

    let plan = Plan {
        document,
        sweep,
        registry: options.registry,
    };
    let threads = options
        .threads
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get));
    let mut board = Board::new(&sweep.seeds);
    for (work, runs) in look_up(&plan, &store, threads, options.interrupted)? {
        board.add_point(work, runs);
    }
    for combination in 0..board.points().len() {
        extend(&mut board, combination, &plan, None, &mut store)?;
    }
    let skipped = board.ended();
    (options.started)(&Earlier {
        finished: skipped,
        points: board.runs(),
        others: store.others().to_vec(),
        set_aside,
        torn_bytes: store.torn_bytes(),
    });
    let shared = Shared {
        state: Mutex::new(Running {
            board,
            store,
            run: 0,
            failed: 0,
            failure: None,
        }),
        changed: Condvar::new(),
        stop: AtomicBool::new(false),
        skipped,
        plan,
        options,
    };
    run_all(&shared, threads)?;
    let Running {
        board,
        mut store,
        run,
        failure,
        ..
    } = shared
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    store.sync()?;
    if let Some(error) = failure {
        return Err(error);
    }
    let interrupted = !board.is_over();
    let subject = Subject {
        scenario: &scenario,
        sweep,
        results: version,
        state: if interrupted {
            State::Partial
        } else {
            State::Complete
        },
    };
    let (description, overview) = data_set::write(&folder, &subject, &board, &mut store)?;
    Ok(Swept {
        description,
        overview,
        run,
        skipped,
        interrupted,
    })
}

/// What a sweep knows of a combination before it begins: the work of a run, and its runs.
type Known = (f64, Vec<Run>);

/// Looks up all combinations in the store, on all threads.
fn look_up(
    plan: &Plan<'_>,
    store: &Store,
    threads: usize,
    interrupted: &AtomicBool,
) -> Result<Vec<Known>, SweepError> {
    let combinations = plan.sweep.combinations();
    let seeds = plan.sweep.seeds.at_least() as usize;
    let each = combinations.div_ceil(threads.max(1) as u64).max(1);
    let part = |number: u64| -> Option<Vec<Known>> {
        let (first, end) = (number * each, ((number + 1) * each).min(combinations));
        let look_up = |combination| {
            let stopped = interrupted.load(Ordering::Relaxed);
            (!stopped).then(|| known(plan, store, combination, seeds))
        };
        (first..end).map(look_up).collect()
    };
    let parts = thread::scope(|scope| {
        let workers: Vec<_> = (0..combinations.div_ceil(each))
            .map(|number| thread::Builder::new().spawn_scoped(scope, move || part(number)))
            .collect::<io::Result<_>>()?;
        let parts = workers.into_iter().map(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| panic::resume_unwind(panic))
        });
        Ok(parts.collect::<Option<Vec<_>>>())
    });
    let parts = parts.map_err(SweepError::Threads)?;
    let parts = parts.ok_or(SweepError::Interrupted)?;
    Ok(parts.into_iter().flatten().collect())
}

fn known(plan: &Plan<'_>, store: &Store, combination: u64, seeds: usize) -> Known {
    match plan.scenario(combination) {
        Ok(scenario) => {
            let runs = (0..seeds).map(|seed| kept_or_missing(store, &scenario, seed));
            (plan::work(&scenario), runs.collect())
        }
        Err(error) => {
            let refused = Run::Refused(error.to_string().into());
            (0.0, vec![refused; seeds])
        }
    }
}

fn kept_or_missing(store: &Store, scenario: &Scenario, seed: usize) -> Run {
    let key = plan::digest(&plan::with_seed(scenario.clone(), seed));
    if store.contains(key) {
        Run::Kept(key)
    } else {
        Run::Missing
    }
}

/// Gives a combination more seeds as long as it needs them and they are finished. `scenario` is
/// the combination's with its first seed, if it is at hand.
fn extend(
    board: &mut Board<'_>,
    combination: usize,
    plan: &Plan<'_>,
    scenario: Option<&Scenario>,
    store: &mut Store,
) -> Result<(), StoreError> {
    let next = |store: &Store, seed: usize| match scenario {
        Some(scenario) => kept_or_missing(store, scenario, seed),
        None => match plan.scenario(combination as u64) {
            Ok(scenario) => kept_or_missing(store, &scenario, seed),
            Err(error) => Run::Refused(error.to_string().into()),
        },
    };
    board.extend(combination, store, next)
}

/// What all threads work on.
struct Shared<'a> {
    state: Mutex<Running<'a>>,
    /// There is something to do, or nothing any more.
    changed: Condvar,
    /// Something failed: the others end too.
    stop: AtomicBool,
    skipped: u64,
    plan: Plan<'a>,
    options: &'a Options<'a>,
}

struct Running<'a> {
    board: Board<'a>,
    store: Store,
    run: u64,
    failed: u64,
    failure: Option<SweepError>,
}

impl<'a> Shared<'a> {
    /// A panic of another thread ends the program once all are done: the state may be used on.
    fn lock(&self) -> MutexGuard<'_, Running<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.options.interrupted.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// The next run; waits where another seed may yet be needed.
    fn next(&self) -> Option<Job> {
        let mut running = self.lock();
        loop {
            if self.stopped() || running.board.is_over() {
                return None;
            }
            if let Some(job) = running.board.take() {
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
            let (ended, scenario) = self.run(job);
            let mut running = self.lock();
            if let Err(error) = self.note(&mut running, job, ended, scenario.as_ref()) {
                running.failure.get_or_insert(error);
                self.stop.store(true, Ordering::Relaxed);
            }
            drop(running);
            self.changed.notify_all();
        }
    }

    /// Keeps what a run came to.
    fn note(
        &self,
        running: &mut Running<'a>,
        job: Job,
        ended: Ended,
        scenario: Option<&Scenario>,
    ) -> Result<(), SweepError> {
        let Running {
            board,
            store,
            run,
            failed,
            ..
        } = running;
        let outcome = match ended {
            Ended::Stopped => {
                board.give_up(job);
                return Ok(());
            }
            Ended::Refused(reason) => {
                *failed += 1;
                Run::Refused(reason.into())
            }
            Ended::With(key, entry) => {
                *failed += u64::from(matches!(entry, Entry::Failed(_)));
                if let Err(error) = store.add(key, &entry) {
                    board.give_up(job);
                    return Err(error.into());
                }
                Run::Kept(key)
            }
        };
        *run += 1;
        board.put(job, outcome);
        extend(board, job.combination, &self.plan, scenario, store)?;
        (self.options.progress)(Progress {
            run: *run,
            skipped: self.skipped,
            failed: *failed,
            points: board.runs(),
            work_done: board.work_done,
            work_total: board.work_total,
        });
        Ok(())
    }

    /// Runs a scenario; with it comes the combination's scenario with its first seed.
    fn run(&self, job: Job) -> (Ended, Option<Scenario>) {
        let first = match self.plan.scenario(job.combination as u64) {
            Ok(first) => first,
            Err(error) => return (Ended::Refused(error.to_string()), None),
        };
        let scenario = plan::with_seed(first.clone(), job.seed);
        if let Err(reason) = (self.options.admit)(&scenario) {
            return (Ended::Refused(reason), Some(first));
        }
        let go_on = |_| {
            if self.stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let run = || run_with_progress(&scenario, self.options.registry, go_on);
        let entry = match panic::catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(outcome)) => Entry::Done(Measured {
                values: metrics::values(&outcome.summary),
                curves: Vec::new(),
            }),
            Ok(Err(RunError::Interrupted { .. })) => return (Ended::Stopped, Some(first)),
            Ok(Err(error)) => Entry::Failed(error.to_string()),
            Err(panic) => Entry::Failed(format!("the simulator broke down: {}", said(&*panic))),
        };
        (Ended::With(plan::digest(&scenario), entry), Some(first))
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

/// What a run came to.
enum Ended {
    With(store::Digest, Entry),
    Refused(String),
    Stopped,
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

/// The message of a panic.
fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic")
}
