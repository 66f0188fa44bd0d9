//! The columns of `runs.parquet` that are drawn, gathered over the seeds.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

use super::SweepReportError;
use crate::sweep::{Description, State};
use experiments::metrics::Moments;

/// What the runs gave.
#[derive(Debug)]
pub(super) struct Rows {
    /// By combination of axis values: the metrics asked for, in their order.
    pub(super) points: BTreeMap<u64, Vec<Moments>>,
    /// Rows there are, failed ones included.
    pub(super) runs: u64,
    /// Rows of runs that failed.
    pub(super) failed: u64,
    /// Whether the sweep is complete.
    pub(super) complete: bool,
}

/// Reads the columns named.
pub(super) fn read(
    path: &Path,
    description: &Description,
    columns: &[String],
) -> Result<Rows, SweepReportError> {
    let file = File::open(path).map_err(|source| SweepReportError::Io {
        path: path.to_owned(),
        source,
    })?;
    let table = |source| SweepReportError::Table {
        path: path.to_owned(),
        source,
    };
    let reader = SerializedFileReader::new(file).map_err(table)?;
    let mut rows = Rows {
        points: BTreeMap::new(),
        runs: 0,
        failed: 0,
        complete: description.state == State::Complete,
    };
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(table)?;
        rows.add(group.as_ref(), columns).map_err(table)?;
    }
    Ok(rows)
}

impl Rows {
    fn add(&mut self, group: &dyn RowGroupReader, columns: &[String]) -> Result<(), ParquetError> {
        let points = numbers(group, "point")?;
        let failed = present(group, "error")?;
        let metrics = columns
            .iter()
            .map(|column| numbers(group, column))
            .collect::<Result<Vec<_>, _>>()?;
        for (row, point) in points.into_iter().enumerate() {
            self.runs += 1;
            self.failed += u64::from(failed[row]);
            let Some(point) = point else {
                return Err(ParquetError::General("a row without a point".to_owned()));
            };
            let moments = self
                .points
                .entry(point as u64)
                .or_insert_with(|| vec![Moments::default(); columns.len()]);
            for (moments, metric) in moments.iter_mut().zip(&metrics) {
                if let Some(value) = metric[row].filter(|value| value.is_finite()) {
                    moments.add(value);
                }
            }
        }
        Ok(())
    }
}

/// A column of numbers; `None` where a row has none.
fn numbers(group: &dyn RowGroupReader, column: &str) -> Result<Vec<Option<f64>>, ParquetError> {
    let rows = group.metadata().num_rows() as usize;
    match open(group, column)? {
        ColumnReader::Int64ColumnReader(reader) => values(reader, rows, |value| value as f64),
        ColumnReader::DoubleColumnReader(reader) => values(reader, rows, |value| value),
        _ => Err(ParquetError::General(format!(
            "column {column} does not hold numbers"
        ))),
    }
}

/// For each row whether a column of texts has one there.
fn present(group: &dyn RowGroupReader, column: &str) -> Result<Vec<bool>, ParquetError> {
    let rows = group.metadata().num_rows() as usize;
    match open(group, column)? {
        ColumnReader::ByteArrayColumnReader(reader) => Ok(values(reader, rows, |_| ())?
            .iter()
            .map(Option::is_some)
            .collect()),
        _ => Err(ParquetError::General(format!(
            "column {column} does not hold texts"
        ))),
    }
}

fn open(group: &dyn RowGroupReader, column: &str) -> Result<ColumnReader, ParquetError> {
    let fields = group.metadata().columns();
    let place = fields
        .iter()
        .position(|field| field.column_path().parts() == [column]);
    let place =
        place.ok_or_else(|| ParquetError::General(format!("there is no column {column}")))?;
    group.get_column_reader(place)
}

fn values<T: DataType, V>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    convert: impl Fn(T::T) -> V,
) -> Result<Vec<Option<V>>, ParquetError> {
    let (mut levels, mut found) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    while reader
        .read_records(rows, Some(&mut levels), None, &mut found)?
        .0
        > 0
    {}
    let mut found = found.into_iter().map(convert);
    // A column that is never null has no levels.
    if levels.is_empty() {
        return Ok(found.map(Some).collect());
    }
    let value = |level| if level > 0 { found.next() } else { None };
    Ok(levels.into_iter().map(value).collect())
}
