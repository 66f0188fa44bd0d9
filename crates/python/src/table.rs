//! Tables, and how other libraries read them: Arrow's C stream in a capsule, without a copy.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field, Schema};
use parquet::column::reader::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use pyo3::exceptions::{PyKeyError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use results::files::Values;

/// Columns of equal length, with the unit in their names.
///
/// `table["goodput_bps"]` is a list. polars, pandas, pyarrow and `DuckDB` take a table as it is,
/// without a copy: `polars.DataFrame(table)`, `pandas.DataFrame.from_arrow(table)`, `pyarrow.table(table)`.
#[pyclass(frozen, module = "ackclock")]
pub(crate) struct Table {
    batch: RecordBatch,
}

impl Table {
    /// A table of a run.
    pub(crate) fn of(table: &results::files::Table<'_>) -> Self {
        let rows = 0..table.rows;
        let columns = table.columns.iter().map(|column| {
            let array: ArrayRef = match column.values() {
                Values::Real(value) => Arc::new(
                    rows.clone()
                        .map(value)
                        .collect::<arrow_array::Float64Array>(),
                ),
                Values::Count(value) => {
                    let count =
                        |row| value(row).map(|count| i64::try_from(count).unwrap_or(i64::MAX));
                    Arc::new(rows.clone().map(count).collect::<arrow_array::Int64Array>())
                }
                Values::Text(value) => {
                    let mut texts = StringBuilder::new();
                    for row in rows.clone() {
                        texts.append_option(value(row).as_ref().map(text));
                    }
                    Arc::new(texts.finish())
                }
            };
            (column.name().to_owned(), array, column.is_optional())
        });
        let batch = RecordBatch::try_from_iter_with_nullable(columns);
        Self {
            batch: batch.expect("columns are of equal length, and none without gaps has one"),
        }
    }
}

#[pymethods]
impl Table {
    /// Names of the columns, in order.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let schema = self.batch.schema();
        let names = schema.fields().iter().map(|field| field.name().clone());
        names.collect()
    }

    /// How many rows there are.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let column = self
            .batch
            .column_by_name(name)
            .ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        match column.data_type() {
            DataType::Float64 => PyList::new(py, column.as_primitive::<Float64Type>().iter()),
            DataType::Int64 => PyList::new(py, column.as_primitive::<Int64Type>().iter()),
            _ => PyList::new(py, column.as_string::<i32>().iter()),
        }
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let display = slf.py().import("ackclock._display")?;
        display.call_method1("table_text", (slf,))?.extract()
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let display = slf.py().import("ackclock._display")?;
        display.call_method1("table_html", (slf,))?.extract()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref())
            .map_err(|error| PyOSError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows to answer with our own types: readers cast.
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// A table from a Parquet file that ackclock wrote.
#[pyfunction]
pub(crate) fn read_parquet(py: Python<'_>, path: PathBuf) -> PyResult<Table> {
    let read = || -> Result<Table, ParquetError> {
        let reader = SerializedFileReader::new(File::open(&path)?)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let mut columns: Vec<Gathered> = schema
            .columns()
            .iter()
            .map(|column| Gathered::new(column.physical_type()))
            .collect();
        for number in 0..reader.num_row_groups() {
            let group = reader.get_row_group(number)?;
            for (index, column) in columns.iter_mut().enumerate() {
                column.read(&*group, index)?;
            }
        }
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for (column, described) in columns.into_iter().zip(schema.columns()) {
            let array = column.finish();
            let optional = described.max_def_level() > 0;
            fields.push(Field::new(
                described.name(),
                array.data_type().clone(),
                optional,
            ));
            arrays.push(array);
        }
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays);
        let batch = batch.map_err(|error| ParquetError::General(error.to_string()))?;
        Ok(Table { batch })
    };
    py.detach(read)
        .map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))
}

/// A column as it is read, one row group after the other.
enum Gathered {
    Real(Float64Builder),
    Count(Int64Builder),
    Text(StringBuilder),
}

impl Gathered {
    fn new(of: parquet::basic::Type) -> Self {
        match of {
            parquet::basic::Type::DOUBLE => Self::Real(Float64Builder::new()),
            parquet::basic::Type::INT64 => Self::Count(Int64Builder::new()),
            _ => Self::Text(StringBuilder::new()),
        }
    }

    fn read(&mut self, group: &dyn RowGroupReader, index: usize) -> Result<(), ParquetError> {
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or_default();
        let optional = group
            .metadata()
            .column(index)
            .column_descr()
            .max_def_level()
            > 0;
        let mut present: Vec<i16> = Vec::new();
        macro_rules! gather {
            ($reader:ident, $values:ident, $add:expr) => {{
                let mut $values = Vec::new();
                $reader.read_records(rows, optional.then_some(&mut present), None, &mut $values)?;
                let mut values = $values.into_iter();
                for row in 0..rows {
                    let there = !optional || present[row] > 0;
                    ($add)(there.then(|| values.next()).flatten());
                }
            }};
        }
        match (self, group.get_column_reader(index)?) {
            (Self::Real(column), ColumnReader::DoubleColumnReader(mut reader)) => {
                gather!(reader, values, |value| column.append_option(value));
            }
            (Self::Count(column), ColumnReader::Int64ColumnReader(mut reader)) => {
                gather!(reader, values, |value| column.append_option(value));
            }
            (Self::Text(column), ColumnReader::ByteArrayColumnReader(mut reader)) => {
                gather!(reader, values, |value: Option<
                    parquet::data_type::ByteArray,
                >| column
                    .append_option(value.as_ref().map(text)));
            }
            _ => {
                let message = "a column of another type than ackclock writes";
                return Err(ParquetError::General(message.to_owned()));
            }
        }
        Ok(())
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Real(mut column) => Arc::new(column.finish()),
            Self::Count(mut column) => Arc::new(column.finish()),
            Self::Text(mut column) => Arc::new(column.finish()),
        }
    }
}

fn text(bytes: &parquet::data_type::ByteArray) -> &str {
    bytes.as_utf8().unwrap_or("?")
}
