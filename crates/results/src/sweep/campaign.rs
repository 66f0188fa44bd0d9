//! A sweep under way: what is kept, what is to do, and in the end the data set.
//!
//! Who does the runs is another's business: threads of this process (`runner`), or other machines,
//! which take batches and send back parcels of results ([`run_batch`]).

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use experiments::Registry;

use super::board::{Board, Job, Run};
use super::data_set::{self, Subject};
use super::description::State;
use super::error::SweepError;
use super::folder::{Folder, RESULTS, SCENARIO};
use super::options::{Earlier, Progress, Swept};
use super::parcel::{self, Record};
use super::plan::{self, Ended, Plan};
use crate::store::{self, Entry, Store, StoreError};
use experiments::scenario::{Document, Scenario, to_toml};

/// A sweep under way. While it lives, no other may use its folder.
#[derive(Debug)]
pub struct Campaign {
    plan: Plan,
    scenario: Scenario,
    version: String,
    folder: Folder,
    store: Store,
    board: Board,
    earlier: Earlier,
    /// Runs that were given out as batches.
    out: BTreeMap<(usize, usize), Job>,
    run: u64,
    failed: u64,
}

/// How a campaign begins.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    /// Threads that look up what is there.
    pub(super) threads: usize,
    pub(super) registry: &'a Registry,
    pub(super) interrupted: &'a AtomicBool,
}

/// A run by the numbers of its combination and of its seed, both from 0.
pub type RunNumber = (usize, usize);

impl Campaign {
    /// Begins or takes up the sweep of `document` in `folder`, which is made if it is not there.
    /// `parcels` are results that were left when the sweep was last stopped.
    pub fn open(
        document: &Document,
        folder: &Path,
        registry: &Registry,
        parcels: &[Vec<u8>],
    ) -> Result<Self, SweepError> {
        let setting = Setting {
            threads: cores(),
            registry,
            interrupted: &AtomicBool::new(false),
        };
        Self::begin_with(store::VERSION, document, folder, &setting, parcels)
    }

    pub(super) fn begin(
        version: &str,
        document: &Document,
        folder: &Path,
        setting: &Setting<'_>,
    ) -> Result<Self, SweepError> {
        Self::begin_with(version, document, folder, setting, &[])
    }

    pub(super) fn begin_with(
        version: &str,
        document: &Document,
        folder: &Path,
        setting: &Setting<'_>,
        parcels: &[Vec<u8>],
    ) -> Result<Self, SweepError> {
        let registry = setting.registry;
        let scenario = document.check(registry)?;
        let sweep = scenario.sweep.clone().ok_or_else(|| SweepError::NoSweep {
            name: scenario.name.clone(),
        })?;
        Folder::of(folder, &scenario, registry)?;
        let mut store = Store::open(&folder.join(RESULTS), version)?;
        // Nobody else is here now: look again at what is there.
        let folder = Folder::of(folder, &scenario, registry)?;
        folder.write(SCENARIO, &to_toml(&scenario))?;
        let set_aside = folder.set_aside(version)?;
        for parcel in parcels {
            for record in parcel::read(parcel, version)? {
                if let Ended::With(key, entry) = record.ended
                    && !store.contains(key)
                {
                    store.add(key, &entry)?;
                }
            }
        }
        let plan = Plan {
            document: document.clone(),
            sweep,
            registry: registry.clone(),
        };
        let mut board = Board::new(&plan.sweep.seeds);
        for (work, runs) in look_up(&plan, &store, setting.threads, setting.interrupted)? {
            board.add_point(work, runs);
        }
        for combination in 0..board.points().len() {
            extend(&mut board, combination, &plan, None, &mut store)?;
        }
        let earlier = Earlier {
            finished: board.ended(),
            points: board.runs(),
            others: store.others().to_vec(),
            set_aside,
            torn_bytes: store.torn_bytes(),
        };
        Ok(Self {
            plan,
            scenario,
            version: version.to_owned(),
            folder,
            store,
            board,
            earlier,
            out: BTreeMap::new(),
            run: 0,
            failed: 0,
        })
    }

    /// What was there when it began.
    pub fn earlier(&self) -> &Earlier {
        &self.earlier
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whether there is nothing to do and nothing will come.
    pub fn is_over(&self) -> bool {
        self.board.is_over()
    }

    pub(super) fn take(&mut self) -> Option<Job> {
        self.board.take()
    }

    /// Gives out runs of together about so much work, in data packets: at least one if there is one
    /// to do now.
    pub fn batch(&mut self, work: f64) -> Vec<RunNumber> {
        let (mut batch, mut taken) = (Vec::new(), 0.0);
        while (taken < work || batch.is_empty())
            && let Some(job) = self.board.take()
        {
            taken += job.work;
            let number = (job.combination, job.seed);
            self.out.insert(number, job);
            batch.push(number);
        }
        batch
    }

    /// Work of the runs of a batch, in data packets.
    pub fn work(&self, batch: &[RunNumber]) -> f64 {
        let jobs = batch.iter().filter_map(|number| self.out.get(number));
        jobs.map(|job| job.work).sum()
    }

    /// Takes back runs that were given out and not done.
    pub fn give_back(&mut self, batch: &[RunNumber]) {
        for number in batch {
            if let Some(job) = self.out.remove(number) {
                self.board.give_up(job);
            }
        }
    }

    /// Takes in what [`run_batch`] gave. What is there already is passed over.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<(), SweepError> {
        for Record { number, ended } in parcel::read(bytes, &self.version)? {
            if let Some(job) = self.out.remove(&number) {
                self.note(job, ended, None)?;
            }
        }
        Ok(())
    }

    /// Keeps what a run came to. How far the sweep is, unless the run was stopped.
    pub(super) fn note(
        &mut self,
        job: Job,
        ended: Ended,
        scenario: Option<&Scenario>,
    ) -> Result<Option<Progress>, SweepError> {
        let outcome = match ended {
            Ended::Stopped => {
                self.board.give_up(job);
                return Ok(None);
            }
            Ended::Refused(reason) => {
                self.failed += 1;
                Run::Refused(reason.into())
            }
            Ended::With(key, entry) => {
                self.failed += u64::from(matches!(entry, Entry::Failed(_)));
                if let Err(error) = self.store.add(key, &entry) {
                    self.board.give_up(job);
                    return Err(error.into());
                }
                Run::Kept(key)
            }
        };
        self.run += 1;
        self.board.put(job, outcome);
        let Self {
            board, plan, store, ..
        } = self;
        extend(board, job.combination, plan, scenario, store)?;
        Ok(Some(self.progress()))
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            run: self.run,
            skipped: self.earlier.finished,
            failed: self.failed,
            points: self.board.runs(),
            work_done: self.board.work_done,
            work_total: self.board.work_total,
        }
    }

    /// Has the disk write down what was kept.
    pub fn sync(&self) -> Result<(), SweepError> {
        Ok(self.store.sync()?)
    }

    /// Writes the data set: complete, or of what is there.
    pub fn finish(mut self) -> Result<Swept, SweepError> {
        self.sync()?;
        let interrupted = !self.board.is_over();
        let subject = Subject {
            scenario: &self.scenario,
            sweep: &self.plan.sweep,
            results: &self.version,
            state: if interrupted {
                State::Partial
            } else {
                State::Complete
            },
        };
        let (description, overview) =
            data_set::write(&self.folder, &subject, &self.board, &mut self.store)?;
        Ok(Swept {
            description,
            overview,
            run: self.run,
            skipped: self.earlier.finished,
            interrupted,
        })
    }
}

/// Runs a batch, wherever this is called, and packs what it gave for [`Campaign::receive`]. What
/// was stopped is not in it.
pub fn run_batch(
    document: &Document,
    registry: &Registry,
    batch: &[RunNumber],
    interrupted: &AtomicBool,
) -> Result<Vec<u8>, SweepError> {
    let scenario = document.check(registry)?;
    let plan = Plan {
        document: document.clone(),
        sweep: scenario.sweep.ok_or(SweepError::NoSweep {
            name: scenario.name,
        })?,
        registry: registry.clone(),
    };
    let stopped = || interrupted.load(Ordering::Relaxed);
    let records = batch.iter().map(|number| Record {
        number: *number,
        ended: plan.run(*number, |_| Ok(()), stopped).0,
    });
    Ok(parcel::write(records, store::VERSION))
}

/// Whether a parcel is of this version, and as it was written.
pub fn is_whole_parcel(bytes: &[u8]) -> bool {
    parcel::read(bytes, store::VERSION).is_ok()
}

/// As many threads as the machine has cores.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// What a sweep knows of a combination before it begins: the work of a run, and its runs.
type Known = (f64, Vec<Run>);

/// Looks up all combinations in the store, on all threads.
fn look_up(
    plan: &Plan,
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
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        Ok(parts.collect::<Option<Vec<_>>>())
    });
    let parts = parts.map_err(SweepError::Threads)?;
    let parts = parts.ok_or(SweepError::Interrupted)?;
    Ok(parts.into_iter().flatten().collect())
}

fn known(plan: &Plan, store: &Store, combination: u64, seeds: usize) -> Known {
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
    board: &mut Board,
    combination: usize,
    plan: &Plan,
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
