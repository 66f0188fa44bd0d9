//! The log: a heading, then one record after the other.
//!
//! A record is the length of its payload (4 bytes), the digest (16), the payload, and a checksum
//! (8) over all of these. Records are only ever added at the end.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_128;

use super::StoreError;
use super::digest::Digest;
use super::entry::Entry;

#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
    /// Where the next record goes.
    end: u64,
    torn_bytes: u64,
}

impl Log {
    /// Opens the log, or makes it, and cuts off a torn end. Calls `found` for each record with
    /// where it begins; of two under one key the later counts.
    pub(super) fn open(
        path: &Path,
        version: &str,
        mut found: impl FnMut(Digest, u64),
    ) -> Result<Self, StoreError> {
        let file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(StoreError::io(path))?;
        let mut log = Self {
            path: path.to_owned(),
            file,
            end: 0,
            torn_bytes: 0,
        };
        let heading = format!("{HEADING} {version}\n");
        let length = log.file.metadata().map_err(log.io())?.len();
        if length < heading.len() as u64 {
            log.write_heading(&heading, length)?;
        } else {
            log.end = log.scan(heading.as_bytes(), length, &mut found)?;
            log.torn_bytes = length - log.end;
            if log.torn_bytes > 0 {
                log.file.set_len(log.end).map_err(log.io())?;
            }
        }
        Ok(log)
    }

    /// Begins a log whose heading is not there, or only a part of it.
    fn write_heading(&mut self, heading: &str, length: u64) -> Result<(), StoreError> {
        let mut there = vec![0; length as usize];
        self.file.read_exact(&mut there).map_err(self.io())?;
        if !heading.as_bytes().starts_with(&there) {
            return Err(self.not_a_log());
        }
        self.file.seek(SeekFrom::Start(0)).map_err(self.io())?;
        self.file.write_all(heading.as_bytes()).map_err(self.io())?;
        self.end = heading.len() as u64;
        Ok(())
    }

    /// Where the last whole record ends.
    fn scan(
        &self,
        heading: &[u8],
        length: u64,
        found: &mut impl FnMut(Digest, u64),
    ) -> Result<u64, StoreError> {
        let mut reader = BufReader::with_capacity(BUFFER_BYTES, &self.file);
        let mut first = vec![0; heading.len()];
        reader.read_exact(&mut first).map_err(self.io())?;
        if first != heading {
            return Err(self.not_a_log());
        }
        let mut end = heading.len() as u64;
        let mut record = Vec::new();
        loop {
            let left = length - end;
            match next_record(&mut reader, left, &mut record) {
                Ok(Some(key)) => {
                    found(key, end);
                    end += record.len() as u64;
                }
                Ok(None) => return Ok(end),
                Err(error) => return Err(self.io()(error)),
            }
        }
    }

    /// Adds a record and says where it begins. Either all of it is in the file or nothing.
    pub(super) fn append(&mut self, key: Digest, entry: &Entry) -> Result<u64, StoreError> {
        let mut record = vec![0; HEAD_BYTES];
        entry.write(&mut record);
        let payload = record.len() - HEAD_BYTES;
        let length = u32::try_from(payload).expect("a run keeps less than 4 GiB");
        record[..4].copy_from_slice(&length.to_le_bytes());
        record[4..HEAD_BYTES].copy_from_slice(&key.0);
        let checksum = checksum(&record);
        record.extend(checksum);
        let at = self.end;
        let write = |file: &mut File| {
            file.seek(SeekFrom::Start(at))?;
            file.write_all(&record)
        };
        if let Err(error) = write(&mut self.file) {
            // A full disk, say. The torn record goes; if it cannot, opening cuts it.
            let _ = self.file.set_len(at);
            return Err(self.io()(error));
        }
        self.end += record.len() as u64;
        Ok(at)
    }

    /// The record that begins at `at`.
    pub(super) fn read(&mut self, at: u64) -> Result<Entry, StoreError> {
        let left = self.end - at;
        self.file.seek(SeekFrom::Start(at)).map_err(self.io())?;
        let mut record = Vec::new();
        let found = next_record(&mut self.file, left, &mut record).map_err(self.io())?;
        found
            .and_then(|_| Entry::read(&record[HEAD_BYTES..record.len() - CHECKSUM_BYTES]))
            .ok_or_else(|| StoreError::Damaged {
                path: self.path.clone(),
                at,
            })
    }

    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.file.sync_data().map_err(self.io())
    }

    pub(super) fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    fn not_a_log(&self) -> StoreError {
        StoreError::NotALog {
            path: self.path.clone(),
        }
    }

    fn io(&self) -> impl FnOnce(io::Error) -> StoreError + use<> {
        let path = self.path.clone();
        move |source| StoreError::Io { path, source }
    }
}

/// How many whole records a log has, of whatever version.
pub(super) fn count(path: &Path) -> Result<u64, StoreError> {
    let count = || -> io::Result<u64> {
        let file = File::open(path)?;
        let mut left = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(BUFFER_BYTES, file);
        let mut heading = Vec::new();
        left -= reader.read_until(b'\n', &mut heading)? as u64;
        let (mut count, mut record) = (0, Vec::new());
        while next_record(&mut reader, left, &mut record)?.is_some() {
            left -= record.len() as u64;
            count += 1;
        }
        Ok(count)
    };
    count().map_err(StoreError::io(path))
}

/// Reads the record at the reader's place into `record`, of which `left` bytes are there at most;
/// none where there is no whole record.
fn next_record(
    reader: &mut impl io::Read,
    left: u64,
    record: &mut Vec<u8>,
) -> io::Result<Option<Digest>> {
    if left < (HEAD_BYTES + CHECKSUM_BYTES) as u64 {
        return Ok(None);
    }
    record.resize(HEAD_BYTES, 0);
    reader.read_exact(record)?;
    let length = u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
    let whole = HEAD_BYTES as u64 + u64::from(length) + CHECKSUM_BYTES as u64;
    if whole > left {
        return Ok(None);
    }
    record.resize(whole as usize, 0);
    reader.read_exact(&mut record[HEAD_BYTES..])?;
    let (covered, written) = record.split_at(whole as usize - CHECKSUM_BYTES);
    if checksum(covered) != written {
        return Ok(None);
    }
    let mut key = [0; 16];
    key.copy_from_slice(&record[4..HEAD_BYTES]);
    Ok(Some(Digest(key)))
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    (XxHash3_128::oneshot(bytes) as u64).to_le_bytes()
}

const HEADING: &str = "ackclock results 1";
const HEAD_BYTES: usize = 4 + 16;
const CHECKSUM_BYTES: usize = 8;
const BUFFER_BYTES: usize = 1 << 18;
