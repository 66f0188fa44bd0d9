//! Text for people: aligned tables, numbers with units, wrapped lines.

use std::fmt::Write as _;

/// Columns side by side.
#[derive(Debug, Default)]
pub(crate) struct Table {
    columns: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Column {
    heading: String,
    cells: Vec<String>,
    /// Numbers stand at the right.
    right: bool,
}

/// What a column's numbers are, hence the units to choose from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Quantity {
    /// Bits per second.
    Rate,
    /// Seconds.
    Time,
    /// A part of 1, shown in per cent.
    Share,
    /// A number without a unit.
    Plain,
    /// A number with one unit.
    In(&'static str),
}

impl Table {
    /// Adds a column of words.
    pub(crate) fn words(&mut self, heading: &str, cells: impl IntoIterator<Item = String>) {
        self.push(heading.to_owned(), cells.into_iter().collect(), false);
    }

    /// Adds a column of counts.
    pub(crate) fn counts(&mut self, heading: &str, cells: impl IntoIterator<Item = u64>) {
        self.push(
            heading.to_owned(),
            cells.into_iter().map(count).collect(),
            true,
        );
    }

    /// Adds a column of measures: one unit and one number of decimals for all, chosen so that the
    /// greatest has four significant digits.
    pub(crate) fn measures(
        &mut self,
        heading: &str,
        quantity: Quantity,
        cells: impl IntoIterator<Item = Option<f64>>,
    ) {
        let cells: Vec<Option<f64>> = cells.into_iter().collect();
        let greatest = cells
            .iter()
            .flatten()
            .fold(0.0_f64, |most, cell| most.max(cell.abs()));
        let (unit, size) = quantity.unit_for(greatest);
        let decimals = decimals_for(greatest / size);
        let cells = cells
            .iter()
            .map(|cell| cell.map_or("-".to_owned(), |cell| format!("{:.decimals$}", cell / size)));
        let heading = if unit.is_empty() {
            heading.to_owned()
        } else {
            format!("{heading} ({unit})")
        };
        self.push(heading, cells.collect(), true);
    }

    /// Adds a column of words that stand at the right.
    pub(crate) fn numbers(&mut self, heading: &str, cells: impl IntoIterator<Item = String>) {
        self.push(heading.to_owned(), cells.into_iter().collect(), true);
    }

    fn push(&mut self, heading: String, cells: Vec<String>, right: bool) {
        self.columns.push(Column {
            heading,
            cells,
            right,
        });
    }

    /// Writes the table's lines at the end of `text`; the heading bold if `bold`. On a terminal that
    /// is too narrow the widest column of words is wrapped, or the columns go below each other, each
    /// time after the first one.
    pub(crate) fn write(&self, text: &mut String, bold: bool) {
        match crate::machine::terminal_width() {
            Some(width) => self.write_within(text, bold, width),
            None => self.write_whole(text, bold),
        }
    }

    fn write_within(&self, text: &mut String, bold: bool, room: usize) {
        let width = |columns: &[&Column]| {
            let widths = columns.iter().map(|column| column.width());
            widths.sum::<usize>() + 2 * columns.len().saturating_sub(1)
        };
        let all: Vec<&Column> = self.columns.iter().collect();
        let too_wide = width(&all).saturating_sub(room);
        if too_wide == 0 {
            return self.write_whole(text, bold);
        }
        let words = all.iter().enumerate().filter(|(_, column)| !column.right);
        let widest = words.max_by_key(|(_, column)| column.width());
        if let Some((index, column)) = widest
            && column.width() >= too_wide + LEAST_WRAPPED
        {
            return self
                .wrapped(index, column.width() - too_wide)
                .write_whole(text, bold);
        }
        let Some((first, mut rest)) = all.split_first() else {
            return;
        };
        while !rest.is_empty() {
            let fits = |count: &usize| {
                let columns: Vec<&Column> = [*first]
                    .into_iter()
                    .chain(rest[..*count].iter().copied())
                    .collect();
                width(&columns) <= room
            };
            let count = (1..=rest.len()).take_while(fits).last().unwrap_or(1);
            let (now, later) = rest.split_at(count);
            let columns = [*first].into_iter().chain(now.iter().copied());
            let part = Self {
                columns: columns.cloned().collect(),
            };
            part.write_whole(text, bold);
            rest = later;
            if !rest.is_empty() {
                text.push('\n');
            }
        }
    }

    /// The table with the words of one column on several lines.
    fn wrapped(&self, index: usize, width: usize) -> Self {
        let mut columns: Vec<Column> = self.columns.clone();
        for column in &mut columns {
            column.cells.clear();
        }
        let rows = self.columns.iter().map(|column| column.cells.len()).max();
        for row in 0..rows.unwrap_or(0) {
            let cell = |column: &Column| column.cells.get(row).cloned().unwrap_or_default();
            let lines = folded(&cell(&self.columns[index]), width);
            for (number, line) in lines.into_iter().enumerate() {
                for (at, column) in columns.iter_mut().enumerate() {
                    column.cells.push(if at == index {
                        line.clone()
                    } else if number == 0 {
                        cell(&self.columns[at])
                    } else {
                        String::new()
                    });
                }
            }
        }
        Self { columns }
    }

    fn write_whole(&self, text: &mut String, bold: bool) {
        let rows = self
            .columns
            .iter()
            .map(|column| column.cells.len())
            .max()
            .unwrap_or(0);
        let headings = self
            .columns
            .iter()
            .map(|column| column.heading.as_str())
            .collect();
        let heading = self.line(headings);
        if bold {
            let _ = writeln!(text, "\x1b[1m{heading}\x1b[0m");
        } else {
            let _ = writeln!(text, "{heading}");
        }
        for row in 0..rows {
            let cell = |column: &Column| column.cells.get(row).cloned().unwrap_or_default();
            let cells: Vec<String> = self.columns.iter().map(cell).collect();
            let _ = writeln!(
                text,
                "{}",
                self.line(cells.iter().map(String::as_str).collect())
            );
        }
    }

    fn line(&self, cells: Vec<&str>) -> String {
        let mut line = String::new();
        for (number, (column, cell)) in self.columns.iter().zip(cells).enumerate() {
            let gap = if number == 0 { "" } else { "  " };
            let width = column.width();
            let _ = if column.right {
                write!(line, "{gap}{cell:>width$}")
            } else {
                write!(line, "{gap}{cell:<width$}")
            };
        }
        line.truncate(line.trim_end().len());
        line
    }
}

impl Column {
    fn width(&self) -> usize {
        let cells = self
            .cells
            .iter()
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0);
        cells.max(self.heading.chars().count())
    }
}

impl Quantity {
    /// The unit in which `greatest` is easy to read, and its size.
    fn unit_for(self, greatest: f64) -> (&'static str, f64) {
        let units: &[(&str, f64)] = match self {
            Self::Rate => &[
                ("bps", 1.0),
                ("kbps", 1e3),
                ("Mbps", 1e6),
                ("Gbps", 1e9),
                ("Tbps", 1e12),
            ],
            Self::Time => &[("us", 1e-6), ("ms", 1e-3), ("s", 1.0)],
            Self::Share => return ("%", 0.01),
            Self::Plain => return ("", 1.0),
            Self::In(unit) => return (unit, 1.0),
        };
        if greatest == 0.0 {
            let base = units.iter().find(|(_, size)| *size == 1.0);
            return *base.expect("each list has its base unit");
        }
        *units
            .iter()
            .rev()
            .find(|(_, size)| greatest >= *size)
            .unwrap_or(&units[0])
    }
}

/// One measure with its unit: `480.1 kbps`.
pub(crate) fn measure(value: f64, quantity: Quantity) -> String {
    let (unit, size) = quantity.unit_for(value.abs());
    let decimals = decimals_for(value.abs() / size);
    let space = if unit.is_empty() { "" } else { " " };
    format!("{:.decimals$}{space}{unit}", value / size)
}

/// A count with its thousands apart: `1,234,567`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes: `12.3 MB`.
pub(crate) fn bytes(number: u64) -> String {
    let sizes = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let number = number as f64;
    match sizes.iter().find(|(_, size)| number >= *size) {
        Some((unit, size)) => format!(
            "{:.*} {unit}",
            decimals_for(number / size).min(1),
            number / size
        ),
        None => format!("{number} B"),
    }
}

/// A length of time on the wall: `0.42 s`, `12.3 s`, `4 min 20 s`.
pub(crate) fn wall_time(length: std::time::Duration) -> String {
    let seconds = length.as_secs_f64();
    match length.as_secs() {
        0..10 => format!("{seconds:.2} s"),
        10..60 => format!("{seconds:.1} s"),
        whole @ 60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        whole => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

/// Decimals that give a number four significant digits; no more than six.
fn decimals_for(number: f64) -> usize {
    let mut decimals = 3;
    let mut power = 10.0;
    while decimals > 0 && number >= power {
        power *= 10.0;
        decimals -= 1;
    }
    if number > 0.0 {
        power = 1.0;
        while decimals < 6 && number < power {
            power /= 10.0;
            decimals += 1;
        }
    }
    decimals
}

/// Words on lines of at most so many characters, if no word is longer.
fn folded(words: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split(' ') {
        let line = lines.last_mut().expect("there is one");
        if line.is_empty() {
            word.clone_into(line);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Writes words on lines of at most [`WIDTH`] characters, each line after `indent`; lines of the
/// words' own stay apart.
pub(crate) fn wrap(text: &mut String, words: &str, indent: &str) {
    for own_line in words.lines() {
        let mut line = indent.to_owned();
        for word in own_line.split_whitespace() {
            let full = line.chars().count() + 1 + word.chars().count() > WIDTH;
            if full && line.trim() != "" {
                let _ = writeln!(text, "{line}");
                indent.clone_into(&mut line);
            }
            if line.len() > indent.len() {
                line.push(' ');
            }
            line.push_str(word);
        }
        let _ = writeln!(text, "{line}");
    }
}

const WIDTH: usize = 92;
/// No column of words becomes narrower.
const LEAST_WRAPPED: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_their_thousands_apart() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
    }

    #[test]
    fn measures_have_four_significant_digits_and_a_readable_unit() {
        for (value, quantity, shown) in [
            (480_123.0, Quantity::Rate, "480.1 kbps"),
            (1e6, Quantity::Rate, "1.000 Mbps"),
            (0.0, Quantity::Rate, "0.000 bps"),
            (0.0402, Quantity::Time, "40.20 ms"),
            (12.0, Quantity::Time, "12.00 s"),
            (0.998_76, Quantity::Share, "99.88 %"),
            (0.05, Quantity::Plain, "0.05000"),
            (12_345.6, Quantity::Plain, "12346"),
        ] {
            assert_eq!(measure(value, quantity), shown);
        }
    }

    #[test]
    fn a_column_has_one_unit_and_its_numbers_stand_below_each_other() {
        let mut table = Table::default();
        table.words("flow", ["a".to_owned(), "bcdef".to_owned()]);
        table.measures("goodput", Quantity::Rate, [Some(12_345_678.0), None]);
        table.counts("sent", [7, 1_000]);
        let mut text = String::new();
        table.write(&mut text, false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "flow   goodput (Mbps)   sent",
                "a               12.35      7",
                "bcdef               -  1,000",
            ]
        );
    }

    #[test]
    fn a_table_fits_the_terminal() {
        let mut table = Table::default();
        table.words("name", ["a".to_owned(), "b".to_owned()]);
        table.words(
            "what",
            ["word ".repeat(20).trim().to_owned(), "short".to_owned()],
        );
        let mut text = String::new();
        table.write_within(&mut text, false, 50);
        // 50 less 4 for the names and 2 between are 44: nine words of 4 with 8 spaces.
        assert!(text.lines().all(|line| line.len() <= 50), "{text}");
        assert_eq!(text.matches("word").count(), 20);
        assert!(text.lines().last().unwrap().starts_with("b     short"));
        let mut numbers = Table::default();
        numbers.words("flow", ["x".to_owned()]);
        for name in ["one", "two", "three"] {
            numbers.counts(name, [1_000_000]);
        }
        let mut text = String::new();
        numbers.write_within(&mut text, false, 26);
        // 4 + 2 + 9 + 2 + 9 = 26: two columns beside the first, then the third.
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert_eq!(lines[4], "x     1,000,000");
    }

    #[test]
    fn sizes_and_times_on_the_wall() {
        assert_eq!(
            [5, 1_500, 62_300_000].map(bytes),
            ["5 B", "1.5 kB", "62.3 MB"]
        );
        let shown = [0.42, 12.34, 260.0, 7_260.0]
            .map(std::time::Duration::from_secs_f64)
            .map(wall_time);
        assert_eq!(shown, ["0.42 s", "12.3 s", "4 min 20 s", "2 h 1 min"]);
    }

    #[test]
    fn long_texts_are_wrapped_between_words() {
        let mut text = String::new();
        wrap(&mut text, &"word ".repeat(40), "  ");
        let lines: Vec<&str> = text.lines().collect();
        // 2 + 18 words of 4 with 17 spaces = 91; one more would make 96.
        assert_eq!(lines[0].len(), 91);
        assert_eq!(lines.len(), 3);
        assert_eq!(text.matches("word").count(), 40);
    }
}
