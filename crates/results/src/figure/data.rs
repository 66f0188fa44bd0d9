//! Tables of runs and sweeps, read as rows of named values.

use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::FigureError;
use crate::sweep::RUNS;

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(f64),
    Text(String),
    None,
}

impl Value {
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) if number.is_finite() => Some(*number),
            _ => None,
        }
    }

    /// As people read it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Number(number) => crate::page::significant(*number, 6),
            Self::Text(text) => text.clone(),
            Self::None => "-".to_owned(),
        }
    }
}

/// A table of a folder: the columns' names, and the values of those that are asked for.
pub(super) struct Source {
    path: PathBuf,
    /// The folder's name.
    pub(super) folder: String,
    pub(super) columns: Vec<String>,
}

/// The tables of a folder, those with most to show over time first.
pub(super) fn tables(folder: &Path) -> Result<Vec<Source>, FigureError> {
    let mut found = Vec::new();
    let runs = [RUNS];
    let of_run = TABLES;
    for name in runs.iter().chain(&of_run) {
        let path = folder.join(name);
        if !path.is_file() {
            continue;
        }
        let reader = open(&path)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let columns = schema.columns().iter();
        let name = folder.file_name().map_or_else(
            || folder.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        );
        found.push(Source {
            columns: columns.map(|column| column.name().to_owned()).collect(),
            folder: name,
            path,
        });
    }
    if found.is_empty() {
        return Err(FigureError::NoTables {
            folder: folder.to_owned(),
        });
    }
    Ok(found)
}

impl Source {
    /// Calls `each` with the values of these columns, row by row; those it does not have are none.
    pub(super) fn rows(
        &self,
        columns: &[&str],
        mut each: impl FnMut(&[Value]),
    ) -> Result<(), FigureError> {
        let table = |source| FigureError::Table {
            path: self.path.clone(),
            source,
        };
        let reader = open(&self.path)?;
        let mut values = vec![Value::None; columns.len()];
        for row in reader.get_row_iter(None).map_err(table)? {
            values.fill(Value::None);
            for (name, field) in row.map_err(table)?.get_column_iter() {
                for (value, _) in values
                    .iter_mut()
                    .zip(columns)
                    .filter(|(_, one)| *one == name)
                {
                    *value = value_of(field);
                }
            }
            for (value, _) in values
                .iter_mut()
                .zip(columns)
                .filter(|(_, one)| **one == FOLDER)
            {
                *value = Value::Text(self.folder.clone());
            }
            each(&values);
        }
        Ok(())
    }
}

fn open(path: &Path) -> Result<SerializedFileReader<File>, FigureError> {
    let file = File::open(path).map_err(|source| FigureError::Io {
        path: path.to_owned(),
        source,
    })?;
    SerializedFileReader::new(file).map_err(|source| FigureError::Table {
        path: path.to_owned(),
        source,
    })
}

fn value_of(field: &Field) -> Value {
    match field {
        Field::Long(number) => Value::Number(*number as f64),
        Field::Int(number) => Value::Number((*number).into()),
        Field::Double(number) => Value::Number(*number),
        Field::Float(number) => Value::Number((*number).into()),
        Field::Str(text) => Value::Text(text.clone()),
        Field::Bool(flag) => Value::Number((*flag).into()),
        _ => Value::None,
    }
}

/// The column with the folder's name, which each table has beside its own.
pub(super) const FOLDER: &str = "folder";
/// Of a run folder, in the order in which a column is looked for.
const TABLES: [&str; 4] = [
    "series.parquet",
    "link_series.parquet",
    "flows.parquet",
    "links.parquet",
];
