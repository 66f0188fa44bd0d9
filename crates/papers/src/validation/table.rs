//! Tables of the reference data: comma-separated, a header line first, no quotes.

/// A table.
pub(crate) struct Table<'a> {
    header: Vec<&'a str>,
    rows: Vec<Vec<&'a str>>,
}

/// A row of a table.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a> {
    header: &'a [&'a str],
    cells: &'a [&'a str],
}

impl<'a> Table<'a> {
    pub(crate) fn read(text: &'a str) -> Self {
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        Self {
            header: lines.next().unwrap_or_default(),
            rows: lines.collect(),
        }
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = Cells<'_>> {
        self.rows.iter().map(|cells| Cells {
            header: &self.header,
            cells,
        })
    }
}

impl<'a> Cells<'a> {
    /// The text in a column.
    ///
    /// # Panics
    /// When there is no such column: the tables are part of the program.
    pub(crate) fn text(&self, column: &str) -> &'a str {
        let at = self.header.iter().position(|name| *name == column);
        self.cells[at.unwrap_or_else(|| panic!("no column {column}"))]
    }

    /// The number in a column.
    ///
    /// # Panics
    /// When it is none: the tables are part of the program.
    pub(crate) fn number(&self, column: &str) -> f64 {
        let text = self.text(column);
        text.parse()
            .unwrap_or_else(|_| panic!("{column} = {text} is no number"))
    }
}
