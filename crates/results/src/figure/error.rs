//! Why a figure was not drawn.

use std::io;
use std::path::PathBuf;

use parquet::errors::ParquetError;

/// Why a figure was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// A folder holds neither a run nor a sweep with tables.
    #[error("{}: holds no tables of a run or a sweep", folder.display())]
    NoTables {
        /// The folder.
        folder: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the file system says.
        source: io::Error,
    },
    /// A table cannot be read.
    #[error("{}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What the Parquet library says.
        source: ParquetError,
    },
    /// No table has such a column, or more than one column is meant.
    #[error("{option} {given}: {reason}")]
    Column {
        /// The option: `--y`.
        option: &'static str,
        /// What was given.
        given: String,
        /// What is wrong with it.
        reason: String,
        /// What there is.
        columns: Vec<String>,
    },
    /// There is nothing to draw.
    #[error("there is nothing to draw: no row has a number in {column}")]
    Nothing {
        /// The column.
        column: String,
    },
    /// The file's ending is none that is known.
    #[error("{}: a figure is .svg, .csv or .tex", out.display())]
    Form {
        /// The file.
        out: PathBuf,
    },
    /// The file of figures is not valid.
    #[error("{reason}")]
    Specification {
        /// What is wrong, and where.
        reason: String,
    },
    /// The drawing failed.
    #[error("the drawing failed: {reason}")]
    Drawing {
        /// What the drawing library says.
        reason: String,
    },
}
