//! Tables in Parquet files, written column by column in row groups of bounded size.
//!
//! The same values give the same bytes: nothing of the machine or the clock is in the file.

use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::FilesError;
use experiments::summary::Summary;

/// A table: its values are asked for by row number, a bounded number at a time.
pub struct Table<'a> {
    /// Its name, which is the file's without `.parquet`.
    pub name: &'static str,
    /// How many rows it has.
    pub rows: usize,
    /// Its columns, in order.
    pub columns: Vec<Column<'a>>,
}

/// A column: a name, with the unit in it, and a value for each row.
pub struct Column<'a> {
    name: Cow<'static, str>,
    optional: bool,
    values: Values<'a>,
}

type ByRow<'a, T> = Box<dyn Fn(usize) -> Option<T> + 'a>;

/// The values of a column by row number; none where there is a gap.
pub enum Values<'a> {
    /// Real numbers.
    Real(ByRow<'a, f64>),
    /// Counts or numbers of things, under 2⁶³.
    Count(ByRow<'a, u64>),
    /// Texts.
    Text(ByRow<'a, ByteArray>),
}

impl<'a> Column<'a> {
    /// A column of real numbers.
    pub fn real(name: impl Into<Cow<'static, str>>, value: impl Fn(usize) -> f64 + 'a) -> Self {
        let values = Values::Real(Box::new(move |row| Some(value(row))));
        Self {
            name: name.into(),
            optional: false,
            values,
        }
    }

    /// A column of real numbers with gaps.
    pub fn optional_real(
        name: impl Into<Cow<'static, str>>,
        value: impl Fn(usize) -> Option<f64> + 'a,
    ) -> Self {
        Self {
            name: name.into(),
            optional: true,
            values: Values::Real(Box::new(value)),
        }
    }

    /// A column of counts or numbers of things, under 2⁶³.
    pub fn count(name: impl Into<Cow<'static, str>>, value: impl Fn(usize) -> u64 + 'a) -> Self {
        let values = Values::Count(Box::new(move |row| Some(value(row))));
        Self {
            name: name.into(),
            optional: false,
            values,
        }
    }

    /// A column of counts or numbers of things with gaps.
    pub fn optional_count(
        name: impl Into<Cow<'static, str>>,
        value: impl Fn(usize) -> Option<u64> + 'a,
    ) -> Self {
        Self {
            name: name.into(),
            optional: true,
            values: Values::Count(Box::new(value)),
        }
    }

    /// A column of texts. Values that recur are best clones of one [`ByteArray`].
    pub fn text(
        name: impl Into<Cow<'static, str>>,
        value: impl Fn(usize) -> ByteArray + 'a,
    ) -> Self {
        let values = Values::Text(Box::new(move |row| Some(value(row))));
        Self {
            name: name.into(),
            optional: false,
            values,
        }
    }

    /// A column of texts with gaps.
    pub fn optional_text(
        name: impl Into<Cow<'static, str>>,
        value: impl Fn(usize) -> Option<ByteArray> + 'a,
    ) -> Self {
        Self {
            name: name.into(),
            optional: true,
            values: Values::Text(Box::new(value)),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values.
    pub fn values(&self) -> &Values<'a> {
        &self.values
    }

    /// Whether there may be gaps.
    pub fn is_optional(&self) -> bool {
        self.optional
    }

    /// The type of its values as the reference calls it: `float64`, `int64` or `text`, with
    /// ` or null` where a row may have none.
    pub fn type_name(&self) -> &'static str {
        match (&self.values, self.optional) {
            (Values::Real(_), false) => "float64",
            (Values::Real(_), true) => "float64 or null",
            (Values::Count(_), false) => "int64",
            (Values::Count(_), true) => "int64 or null",
            (Values::Text(_), false) => "text",
            (Values::Text(_), true) => "text or null",
        }
    }

    fn schema(&self) -> Result<TypePtr, ParquetError> {
        let (physical, logical) = match self.values {
            Values::Real(_) => (PhysicalType::DOUBLE, None),
            Values::Count(_) => (PhysicalType::INT64, None),
            Values::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if self.optional {
            Repetition::OPTIONAL
        } else {
            Repetition::REQUIRED
        };
        Type::primitive_type_builder(&self.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    }

    fn write(
        &self,
        writer: &mut SerializedColumnWriter<'_>,
        rows: Range<usize>,
    ) -> Result<(), ParquetError> {
        match &self.values {
            Values::Real(value) => self.write_as::<DoubleType>(writer, rows, value),
            Values::Count(value) => self.write_as::<Int64Type>(writer, rows, |row| {
                value(row).map(|count| i64::try_from(count).unwrap_or(i64::MAX))
            }),
            Values::Text(value) => self.write_as::<ByteArrayType>(writer, rows, value),
        }
    }

    fn write_as<T: DataType>(
        &self,
        writer: &mut SerializedColumnWriter<'_>,
        rows: Range<usize>,
        value: impl Fn(usize) -> Option<T::T>,
    ) -> Result<(), ParquetError> {
        let mut values = Vec::with_capacity(rows.len());
        let mut present = Vec::with_capacity(if self.optional { rows.len() } else { 0 });
        for row in rows {
            let value = value(row);
            if self.optional {
                present.push(i16::from(value.is_some()));
            }
            values.extend(value);
        }
        let present = self.optional.then_some(&present[..]);
        writer
            .typed::<T>()
            .write_batch(&values, present, None)
            .map(|_| ())
    }
}

impl Table<'_> {
    /// The name of its file.
    pub fn file_name(&self) -> String {
        format!("{}.parquet", self.name)
    }

    /// Writes the table to a file; needs memory for one column of one row group.
    pub fn write(&self, path: &Path, origin: &Origin) -> Result<(), FilesError> {
        self.write_in_groups(path, origin, ROWS_PER_GROUP, |_| Ok(()))
    }

    /// The same in row groups of at most so many rows; `prepare` is called before the values of
    /// each group are asked for.
    pub(crate) fn write_in_groups(
        &self,
        path: &Path,
        origin: &Origin,
        rows_per_group: usize,
        mut prepare: impl FnMut(Range<usize>) -> Result<(), FilesError>,
    ) -> Result<(), FilesError> {
        let file = File::create(path).map_err(FilesError::io(path))?;
        let failed = |source| FilesError::Table {
            path: path.to_owned(),
            source,
        };
        let mut writer = self.writer(file, origin).map_err(failed)?;
        for first in (0..self.rows).step_by(rows_per_group) {
            let rows = first..self.rows.min(first + rows_per_group);
            prepare(rows.clone())?;
            self.write_group(&mut writer, rows).map_err(failed)?;
        }
        // Writes the footer and what is buffered.
        writer.into_inner().map(drop).map_err(failed)
    }

    fn writer(
        &self,
        file: File,
        origin: &Origin,
    ) -> Result<SerializedFileWriter<File>, ParquetError> {
        let fields = self
            .columns
            .iter()
            .map(Column::schema)
            .collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder(self.name)
            .with_fields(fields)
            .build()?;
        let properties = Arc::new(origin.properties());
        SerializedFileWriter::new(file, Arc::new(schema), properties)
    }

    fn write_group(
        &self,
        writer: &mut SerializedFileWriter<File>,
        rows: Range<usize>,
    ) -> Result<(), ParquetError> {
        let mut group = writer.next_row_group()?;
        for column in &self.columns {
            let mut chunk = group
                .next_column()?
                .expect("one for each field of the schema");
            column.write(&mut chunk, rows.clone())?;
            chunk.close()?;
        }
        group.close().map(drop)
    }
}

/// Where a table is from; it goes into the file's key-value metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Version of the program.
    pub version: String,
    /// Keys and values of the file.
    pub entries: Vec<(String, String)>,
}

impl Origin {
    /// The origin of the tables of a run: `ackclock.version`, `ackclock.scenario` and
    /// `ackclock.seed`.
    pub fn of(summary: &Summary) -> Self {
        let entries = vec![
            ("ackclock.version".to_owned(), summary.version.clone()),
            ("ackclock.scenario".to_owned(), summary.scenario.clone()),
            ("ackclock.seed".to_owned(), summary.seed.to_string()),
        ];
        Self {
            version: summary.version.clone(),
            entries,
        }
    }

    fn properties(&self) -> WriterProperties {
        let entries = self.entries.iter();
        let entries = entries.map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
        WriterProperties::builder()
            .set_created_by(format!("ackclock version {}", self.version))
            .set_key_value_metadata(Some(entries.collect()))
            .set_compression(Compression::SNAPPY)
            .set_dictionary_page_size_limit(DICTIONARY_BYTES)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .build()
    }
}

/// Bounds the memory that writing needs, and what a reader must load to skip rows.
pub(crate) const ROWS_PER_GROUP: usize = 1 << 16;
/// A column with more different values than fit in here is better off without a dictionary.
const DICTIONARY_BYTES: usize = 128 << 10;
