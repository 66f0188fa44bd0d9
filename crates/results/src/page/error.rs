//! Why a page cannot be written.

use thiserror::Error;

/// What is wrong with the data of a page; always names the block.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageError {
    /// A chart or heat map has no point that can be drawn.
    #[error("chart \"{chart}\" has no data")]
    EmptyChart {
        /// The chart's id.
        chart: String,
    },
    /// A coordinate is infinite, or an x coordinate or an interval's end is not a number.
    #[error("chart \"{chart}\": series \"{series}\" has the value {value} at point {index}")]
    NotFinite {
        /// The chart's id.
        chart: String,
        /// The series' name.
        series: String,
        /// Index of the point, from 0.
        index: usize,
        /// The value as text.
        value: String,
    },
    /// The intervals are not as many as the points, or a band has none.
    #[error("chart \"{chart}\": series \"{series}\" has {points} points but {intervals} intervals")]
    Intervals {
        /// The chart's id.
        chart: String,
        /// The series' name.
        series: String,
        /// Number of points.
        points: usize,
        /// Number of intervals.
        intervals: usize,
    },
    /// Two series of a chart have the same name.
    #[error("chart \"{chart}\" has two series named \"{series}\"")]
    DuplicateSeries {
        /// The chart's id.
        chart: String,
        /// The name.
        series: String,
    },
    /// A point lies beside the categories of its axis.
    #[error(
        "chart \"{chart}\": series \"{series}\" has x = {value}, no index of one of {categories} categories"
    )]
    Category {
        /// The chart's id.
        chart: String,
        /// The series' name.
        series: String,
        /// The x coordinate as text.
        value: String,
        /// Number of categories.
        categories: usize,
    },
    /// An axis cannot serve here: bars without categories, or categories on the y axis.
    #[error("chart \"{chart}\": {reason}")]
    Axis {
        /// The chart's id.
        chart: String,
        /// What does not fit.
        reason: &'static str,
    },
    /// A heat map's rows do not have one value for each category.
    #[error("heat map \"{chart}\" needs {rows} rows of {columns} values")]
    Shape {
        /// The heat map's id.
        chart: String,
        /// Number of y categories.
        rows: usize,
        /// Number of x categories.
        columns: usize,
    },
    /// A table's row does not have one cell for each column.
    #[error("table \"{table}\": row {row} has {cells} cells for {columns} columns")]
    Row {
        /// The table's caption.
        table: String,
        /// Index of the row, from 0.
        row: usize,
        /// Number of its cells.
        cells: usize,
        /// Number of columns.
        columns: usize,
    },
    /// An id or anchor is empty, has white space, or is used twice.
    #[error("id \"{id}\" is empty, has white space, or is used twice in the page")]
    Id {
        /// The id.
        id: String,
    },
    /// A link leads neither into the page, nor to a file beside it, nor to a site.
    #[error("link \"{href}\" is neither relative nor https:, http: or mailto:")]
    Link {
        /// The target.
        href: String,
    },
    /// A chart sits inside [`Details`](super::Block::Details).
    #[error("chart \"{chart}\" is inside details, where it has no width")]
    Hidden {
        /// The chart's id.
        chart: String,
    },
}
