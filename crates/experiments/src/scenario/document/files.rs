//! Files that a scenario names, put in their place: a trace of delays.
//!
//! Nothing here opens a file: the caller gives the text. What is left is a document that stands for
//! itself, so that a run's copy of its scenario can be repeated without the other files.

use super::{Document, Entry, Node, Table, Value};
use crate::scenario::error::ScenarioError;

impl Document {
    /// Puts the points of each trace that is named by a `file` in place of the name. `read` is
    /// given the path as it stands in the scenario, and gives the text or says what is wrong.
    ///
    /// A trace is a CSV file: a header line with the columns `time_s` and `delay_s`, then a line for
    /// each change.
    pub fn read_files(
        &mut self,
        mut read: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<(), ScenarioError> {
        let mut root = std::mem::take(&mut self.root);
        let done = self.read_files_of(&mut root, "", &mut read);
        self.root = root;
        done
    }

    fn read_files_of(
        &self,
        table: &mut Table,
        path: &str,
        read: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Result<(), ScenarioError> {
        let is_trace = table.text("kind") == Some("trace");
        for Entry { key, value, .. } in &mut table.0 {
            let path = super::join(path, key);
            match &mut value.node {
                Node::Text(file) if is_trace && key == "file" => {
                    let points = read(file).and_then(|text| points(&text, value.origin));
                    let points = points.map_err(|what| {
                        self.error(value.origin, &path, format!("{path} = \"{file}\": {what}"))
                    })?;
                    value.node = Node::List(points);
                    "points".clone_into(key);
                }
                Node::Table(table) => self.read_files_of(table, &path, read)?,
                Node::List(items) => {
                    for (number, item) in items.iter_mut().enumerate() {
                        if let Node::Table(table) = &mut item.node {
                            self.read_files_of(table, &format!("{path}[{number}]"), read)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The lines of a trace as pairs of a time and a delay.
fn points(text: &str, origin: super::Origin) -> Result<Vec<Value>, String> {
    let mut lines = text.lines().zip(1_usize..);
    let header = lines.next().map_or("", |(header, _)| header);
    let column = |name: &str| {
        header
            .split(',')
            .position(|column| column.trim() == name)
            .ok_or_else(|| format!("line 1, the header, has no column {name}"))
    };
    let columns = [
        (column("time_s")?, "time_s"),
        (column("delay_s")?, "delay_s"),
    ];
    let value = |node| Value { node, origin };
    let mut points = Vec::new();
    let mut before = None;
    for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let quantity = |(at, name): (usize, &str)| {
            let cell = cells.get(at).copied().unwrap_or_default();
            match cell.parse::<f64>() {
                Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
                _ => Err(format!(
                    "line {number}: {name} = \"{cell}\" is not a number of seconds, 0 or more"
                )),
            }
        };
        let (time, delay) = (quantity(columns[0])?, quantity(columns[1])?);
        if before.map_or(time != 0.0, |before| time <= before) {
            let what = "the times of a trace begin with 0 s and ascend";
            return Err(format!("line {number}: time_s = {time}: {what}"));
        }
        before = Some(time);
        let pair = [time, delay].map(|seconds| value(Node::Text(format!("{seconds} s"))));
        points.push(value(Node::List(pair.into())));
    }
    if points.is_empty() {
        return Err("there is no line after the header".to_owned());
    }
    Ok(points)
}
