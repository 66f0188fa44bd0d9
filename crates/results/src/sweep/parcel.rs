//! Results on their way: what a batch gave, with a checksum, so that a torn one is recognised.

use twox_hash::XxHash3_128;

use super::campaign::RunNumber;
use super::error::SweepError;
use super::plan::Ended;
use crate::store::{Digest, Entry};

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    /// Which run.
    pub(super) number: RunNumber,
    /// What it came to.
    pub(super) ended: Ended,
}

/// Packs records; those that were stopped are left out.
pub(super) fn write(records: impl Iterator<Item = Record>, version: &str) -> Vec<u8> {
    let mut bytes = heading(version);
    for record in records {
        let (combination, seed) = record.number;
        let body = match record.ended {
            Ended::With(key, entry) => {
                let mut body = vec![KEPT];
                body.extend(key.bytes());
                entry.write(&mut body);
                body
            }
            Ended::Refused(reason) => {
                let mut body = vec![REFUSED];
                body.extend(reason.as_bytes());
                body
            }
            Ended::Stopped => continue,
        };
        for number in [combination, seed, body.len()] {
            bytes.extend((number as u64).to_le_bytes());
        }
        bytes.extend(body);
    }
    let sum = XxHash3_128::oneshot(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The records of a parcel of that version.
pub(super) fn read(bytes: &[u8], version: &str) -> Result<Vec<Record>, SweepError> {
    let torn = || SweepError::Parcel("it is torn or damaged");
    let (body, sum) = bytes.split_last_chunk().ok_or_else(torn)?;
    if XxHash3_128::oneshot(body).to_le_bytes() != *sum {
        return Err(torn());
    }
    let mut rest = body
        .strip_prefix(&heading(version)[..])
        .ok_or(SweepError::Parcel("it is of another version of ackclock"))?;
    let mut records = Vec::new();
    while !rest.is_empty() {
        records.push(take(&mut rest).ok_or_else(torn)?);
    }
    Ok(records)
}

fn take(rest: &mut &[u8]) -> Option<Record> {
    let mut number = || -> Option<usize> {
        let (first, others) = rest.split_first_chunk()?;
        *rest = others;
        usize::try_from(u64::from_le_bytes(*first)).ok()
    };
    let (combination, seed, length) = (number()?, number()?, number()?);
    let (body, others) = rest.split_at_checked(length)?;
    *rest = others;
    let ended = match body.split_first()? {
        (&KEPT, body) => {
            let (key, entry) = body.split_first_chunk()?;
            Ended::With(Digest::from_bytes(*key), Entry::read(entry)?)
        }
        (&REFUSED, reason) => Ended::Refused(String::from_utf8(reason.to_vec()).ok()?),
        _ => return None,
    };
    Some(Record {
        number: (combination, seed),
        ended,
    })
}

fn heading(version: &str) -> Vec<u8> {
    format!("ackclock parcel 1 {version}\n").into_bytes()
}

const KEPT: u8 = 0;
const REFUSED: u8 = 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Measured;

    fn records() -> Vec<Record> {
        let measured = Measured {
            values: vec![("goodput_bps".to_owned(), 0.1)],
            curves: Vec::new(),
        };
        vec![
            Record {
                number: (7, 1),
                ended: Ended::With(Digest::of(&["a"]), Entry::Done(measured)),
            },
            Record {
                number: (8, 0),
                ended: Ended::Refused("no room".to_owned()),
            },
        ]
    }

    #[test]
    fn what_was_packed_comes_out_but_for_what_was_stopped() {
        let stopped = Record {
            number: (9, 0),
            ended: Ended::Stopped,
        };
        let parcel = write(records().into_iter().chain([stopped]), "1");
        assert_eq!(read(&parcel, "1").unwrap(), records());
    }

    #[test]
    fn a_parcel_that_is_torn_or_of_another_version_is_refused() {
        let parcel = write(records().into_iter(), "1");
        assert!(
            read(&parcel, "2")
                .unwrap_err()
                .to_string()
                .contains("version")
        );
        for length in 0..parcel.len() {
            assert!(read(&parcel[..length], "1").is_err(), "{length} bytes");
        }
        for at in 0..parcel.len() {
            let mut flipped = parcel.clone();
            flipped[at] ^= 0x10;
            assert!(read(&flipped, "1").is_err(), "byte {at}");
        }
    }
}
