//! What is kept of a run, and how it is written: little-endian, numbers bit by bit.

/// What is kept of one run.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// What it gave.
    Done(Measured),
    /// Why it gave nothing.
    Failed(String),
}

/// Numbers and series of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Numbers by name.
    pub values: Vec<(String, f64)>,
    /// Series by name: pairs such as time and value.
    pub curves: Vec<(String, Vec<(f64, f64)>)>,
}

impl Entry {
    /// Appends the entry to `bytes`.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Done(measured) => {
                bytes.push(DONE);
                put_count(bytes, measured.values.len());
                for (name, value) in &measured.values {
                    put_text(bytes, name);
                    put_number(bytes, *value);
                }
                put_count(bytes, measured.curves.len());
                for (name, points) in &measured.curves {
                    put_text(bytes, name);
                    put_count(bytes, points.len());
                    for (x, y) in points {
                        put_number(bytes, *x);
                        put_number(bytes, *y);
                    }
                }
            }
            Self::Failed(reason) => {
                bytes.push(FAILED);
                put_text(bytes, reason);
            }
        }
    }

    /// The entry that `bytes` hold; none if they hold something else.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let entry = match take::<1>(&mut rest)?[0] {
            DONE => {
                let mut measured = Measured::default();
                for _ in 0..take_count(&mut rest)? {
                    let name = take_text(&mut rest)?;
                    measured.values.push((name, take_number(&mut rest)?));
                }
                for _ in 0..take_count(&mut rest)? {
                    let name = take_text(&mut rest)?;
                    let mut points = Vec::new();
                    for _ in 0..take_count(&mut rest)? {
                        points.push((take_number(&mut rest)?, take_number(&mut rest)?));
                    }
                    measured.curves.push((name, points));
                }
                Self::Done(measured)
            }
            FAILED => Self::Failed(take_text(&mut rest)?),
            _ => return None,
        };
        rest.is_empty().then_some(entry)
    }
}

fn put_count(bytes: &mut Vec<u8>, count: usize) {
    let count = u32::try_from(count).expect("a run keeps fewer than 2³² numbers");
    bytes.extend(count.to_le_bytes());
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_count(bytes, text.len());
    bytes.extend(text.as_bytes());
}

fn put_number(bytes: &mut Vec<u8>, number: f64) {
    bytes.extend(number.to_bits().to_le_bytes());
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, others) = rest.split_first_chunk()?;
    *rest = others;
    Some(*first)
}

fn take_count(rest: &mut &[u8]) -> Option<usize> {
    take(rest).map(|bytes| u32::from_le_bytes(bytes) as usize)
}

fn take_text(rest: &mut &[u8]) -> Option<String> {
    let length = take_count(rest)?;
    let (text, others) = rest.split_at_checked(length)?;
    *rest = others;
    String::from_utf8(text.to_vec()).ok()
}

fn take_number(rest: &mut &[u8]) -> Option<f64> {
    take(rest).map(|bytes| f64::from_bits(u64::from_le_bytes(bytes)))
}

const DONE: u8 = 1;
const FAILED: u8 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let measured = Measured {
            values: vec![("a".to_owned(), 0.1 + 0.2), ("ü".to_owned(), -0.0)],
            curves: vec![
                ("none".to_owned(), Vec::new()),
                ("c".to_owned(), vec![(1.0, f64::NEG_INFINITY)]),
            ],
        };
        for entry in [Entry::Done(measured), Entry::Failed("why".to_owned())] {
            let mut bytes = Vec::new();
            entry.write(&mut bytes);
            assert_eq!(Entry::read(&bytes).as_ref(), Some(&entry));
            // Neither a part of it nor more than it.
            for length in 0..bytes.len() {
                assert_eq!(Entry::read(&bytes[..length]), None);
            }
            bytes.push(0);
            assert_eq!(Entry::read(&bytes), None);
        }
    }
}
