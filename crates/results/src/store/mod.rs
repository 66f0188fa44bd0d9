//! Results kept by content: a folder with one log for each version of the simulator.
//!
//! A result is found by the [`Digest`] of all that determines it. Each is one record at the end of
//! a log, with its length and a checksum, so that a process that is killed at any moment costs at
//! most the record it was writing: when the log is opened again, a torn end is recognised and cut.
//! Results of another version stand in a log of their own and are never read.

mod digest;
mod entry;
mod log;

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

pub use digest::Digest;
pub use entry::{Entry, Measured};

use log::Log;

/// The program's version and the state of the sources that results depend on: `0.1.0-8d5fe7c01a93b264`.
/// Two programs with the same give the same results.
pub const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "-",
    env!("ACKCLOCK_SIMULATOR_SOURCES")
);

/// The version under which results are kept: [`VERSION`], and after [`keep_by_program_file`] what
/// identifies the program file too.
pub fn version() -> &'static str {
    static FULL: OnceLock<String> = OnceLock::new();
    FULL.get_or_init(|| {
        if !BY_PROGRAM_FILE.load(Ordering::Relaxed) {
            return VERSION.to_owned();
        }
        let file = std::env::current_exe().and_then(fs::read);
        // What cannot be read cannot be known again.
        let file = file.unwrap_or_else(|_| std::process::id().to_le_bytes().to_vec());
        format!("{VERSION}-{:016x}", Digest::of_bytes(&file).short())
    })
}

/// From now on results are kept for this very program file: one with controllers of its own, which
/// [`VERSION`] knows nothing of. To be called before anything is kept.
pub fn keep_by_program_file() {
    BY_PROGRAM_FILE.store(true, Ordering::Relaxed);
}

static BY_PROGRAM_FILE: AtomicBool = AtomicBool::new(false);

/// Results in a folder, of one version; others may not use the folder at the same time.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    log: Log,
    places: BTreeMap<Digest, u64>,
    others: Vec<OtherVersion>,
    /// Held as long as the store is open; the system lets go of it when the process ends.
    _lock: File,
}

/// Results of another version in the same folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherVersion {
    /// The version.
    pub version: String,
    /// How many results it has.
    pub results: u64,
}

/// Why results cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the file system says.
        source: io::Error,
    },
    /// Another process uses the folder.
    #[error("{}: another ackclock is at work here", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The log has another beginning than ours.
    #[error("{} is not a log of results", path.display())]
    NotALog {
        /// The file.
        path: PathBuf,
    },
    /// A record that was there when the log was opened cannot be read any more.
    #[error("{}: the record at byte {at} is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where it begins.
        at: u64,
    },
}

impl Store {
    /// Opens the results of `version` in `folder`, which is made if it is not there.
    pub fn open(folder: &Path, version: &str) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        let lock = lock(folder)?;
        let path = folder.join(format!("{version}.{EXTENSION}"));
        let mut places = BTreeMap::new();
        let log = Log::open(&path, version, |key, at| {
            places.insert(key, at);
        })?;
        Ok(Self {
            folder: folder.to_owned(),
            log,
            places,
            others: other_versions(folder, version)?,
            _lock: lock,
        })
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many results there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Bytes at the end of the log that were no whole record when it was opened: they are cut off.
    pub fn torn_bytes(&self) -> u64 {
        self.log.torn_bytes()
    }

    /// Other versions that have results in the folder.
    pub fn others(&self) -> &[OtherVersion] {
        &self.others
    }

    /// Whether there is a result of that content.
    pub fn contains(&self, key: Digest) -> bool {
        self.places.contains_key(&key)
    }

    /// The result of that content.
    pub fn get(&mut self, key: Digest) -> Result<Option<Entry>, StoreError> {
        match self.places.get(&key) {
            Some(at) => self.log.read(*at).map(Some),
            None => Ok(None),
        }
    }

    /// Keeps a result: it is with the operating system when this returns.
    pub fn add(&mut self, key: Digest, entry: &Entry) -> Result<(), StoreError> {
        let at = self.log.append(key, entry)?;
        self.places.insert(key, at);
        Ok(())
    }

    /// Has the disk write down what was kept.
    pub fn sync(&self) -> Result<(), StoreError> {
        self.log.sync()
    }
}

impl StoreError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}

fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join(LOCK);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(StoreError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy {
            folder: folder.to_owned(),
        }),
        Err(TryLockError::Error(source)) => Err(StoreError::Io { path, source }),
    }
}

fn other_versions(folder: &Path, version: &str) -> Result<Vec<OtherVersion>, StoreError> {
    let mut others = Vec::new();
    for entry in fs::read_dir(folder).map_err(StoreError::io(folder))? {
        let entry = entry.map_err(StoreError::io(folder))?;
        let name = entry.file_name();
        let name = Path::new(&name);
        let stem = name.file_stem().and_then(|stem| stem.to_str());
        let (true, Some(stem)) = (name.extension().is_some_and(|e| e == EXTENSION), stem) else {
            continue;
        };
        if stem != version {
            others.push(OtherVersion {
                version: stem.to_owned(),
                results: log::count(&entry.path())?,
            });
        }
    }
    others.sort_by(|one, other| one.version.cmp(&other.version));
    Ok(others)
}

/// The file that says who uses the folder. It stays; the lock on it does not.
const LOCK: &str = "lock";
const EXTENSION: &str = "results";

#[cfg(test)]
mod tests {
    use super::*;

    fn result(goodput_bps: f64) -> Entry {
        Entry::Done(Measured {
            values: vec![("goodput_bps".to_owned(), goodput_bps)],
            curves: vec![(
                "window_packets".to_owned(),
                vec![(0.0, 1.0), (0.5, f64::INFINITY)],
            )],
        })
    }

    fn key(number: u32) -> Digest {
        Digest::of(&[&number.to_string()])
    }

    #[test]
    fn what_was_kept_is_there_when_the_store_is_opened_again() {
        let home = tempfile::tempdir().unwrap();
        let mut store = Store::open(home.path(), "1").unwrap();
        store.add(key(1), &result(0.1)).unwrap();
        store
            .add(key(2), &Entry::Failed("no link".to_owned()))
            .unwrap();
        assert_eq!(store.get(key(1)).unwrap(), Some(result(0.1)));
        drop(store);
        let mut store = Store::open(home.path(), "1").unwrap();
        assert_eq!((store.len(), store.torn_bytes()), (2, 0));
        assert_eq!(store.get(key(1)).unwrap(), Some(result(0.1)));
        assert_eq!(
            store.get(key(2)).unwrap(),
            Some(Entry::Failed("no link".to_owned()))
        );
        assert_eq!(store.get(key(3)).unwrap(), None);
    }

    #[test]
    fn results_of_another_version_are_seen_but_not_used() {
        let home = tempfile::tempdir().unwrap();
        Store::open(home.path(), "1")
            .unwrap()
            .add(key(1), &result(0.1))
            .unwrap();
        let store = Store::open(home.path(), "2").unwrap();
        assert!(store.is_empty() && !store.contains(key(1)));
        let other = OtherVersion {
            version: "1".to_owned(),
            results: 1,
        };
        assert_eq!(store.others(), [other]);
        drop(store);
        assert!(Store::open(home.path(), "1").unwrap().contains(key(1)));
    }

    #[test]
    fn a_folder_in_use_is_refused_and_free_again_afterwards() {
        let home = tempfile::tempdir().unwrap();
        let first = Store::open(home.path(), "1").unwrap();
        let second = Store::open(home.path(), "1");
        assert!(matches!(second, Err(StoreError::Busy { .. })), "{second:?}");
        drop(first);
        assert!(Store::open(home.path(), "1").is_ok());
    }

    /// Whatever part of the last record is missing, the others are there, and the store goes on.
    #[test]
    fn a_torn_end_is_cut_at_any_byte() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("1.results");
        let mut store = Store::open(home.path(), "1").unwrap();
        let empty = fs::metadata(&path).unwrap().len();
        store.add(key(1), &result(0.1)).unwrap();
        let one = fs::metadata(&path).unwrap().len();
        store.add(key(2), &result(0.2)).unwrap();
        drop(store);
        let whole = fs::read(&path).unwrap();
        for length in empty..whole.len() as u64 {
            fs::write(&path, &whole[..length as usize]).unwrap();
            let mut store = Store::open(home.path(), "1").unwrap();
            let (kept, end) = if length < one { (0, empty) } else { (1, one) };
            assert_eq!(store.len(), kept, "{length} bytes");
            assert_eq!(store.torn_bytes(), length - end, "{length} bytes");
            store.add(key(3), &result(0.3)).unwrap();
            drop(store);
            let mut store = Store::open(home.path(), "1").unwrap();
            assert_eq!((store.len(), store.torn_bytes()), (kept + 1, 0));
            assert_eq!(store.get(key(3)).unwrap(), Some(result(0.3)));
        }
        // The same for a file that ends in its own heading.
        for length in 0..empty {
            fs::write(&path, &whole[..length as usize]).unwrap();
            assert!(Store::open(home.path(), "1").unwrap().is_empty());
        }
    }

    #[test]
    fn a_flipped_bit_in_the_last_record_is_noticed() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("1.results");
        let mut store = Store::open(home.path(), "1").unwrap();
        store.add(key(1), &result(0.1)).unwrap();
        let one = fs::metadata(&path).unwrap().len();
        store.add(key(2), &result(0.2)).unwrap();
        drop(store);
        let whole = fs::read(&path).unwrap();
        for at in one as usize..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 0x10;
            fs::write(&path, &flipped).unwrap();
            let store = Store::open(home.path(), "1").unwrap();
            assert_eq!(store.len(), 1, "byte {at}");
            assert!(store.contains(key(1)) && !store.contains(key(2)));
        }
    }

    #[test]
    fn another_file_under_the_name_of_the_log_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("1.results");
        fs::write(&path, "Measurements of 1998\n".repeat(9)).unwrap();
        let error = Store::open(home.path(), "1").unwrap_err();
        assert!(error.to_string().ends_with("is not a log of results"));
        assert_eq!(fs::read(&path).unwrap().len(), 9 * 21);
    }
}
