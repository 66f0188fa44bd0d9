//! A scenario file as a tree of values that know where they stand, and settings applied to it.

mod files;
mod settings;
mod text;

use toml::de::{DeTable, DeValue};
use units::choice::Value as Plain;

use crate::Registry;

use super::error::{Position, ScenarioError, nearest};
use super::{AxisKey, Scenario, Sweep, read};
pub use settings::split_key;
use settings::{NoWay, put};
pub(super) use settings::{
    default_back_name, default_hop_name, default_link_name, element_name, group_label,
};
use text::bare_or_quoted;
pub(super) use text::join;
pub(super) use units::choice::quoted;

/// A scenario file, read as TOML but not yet checked.
#[derive(Clone, Debug)]
pub struct Document {
    file: String,
    text: String,
    /// Each setting as messages name it: `--set key=value`.
    settings: Vec<String>,
    pub(super) root: Table,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Table(pub(super) Vec<Entry>);

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) origin: Origin,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) node: Node,
    pub(super) origin: Origin,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Text(String),
    Integer(i64),
    Number(f64),
    Flag(bool),
    /// A date or time, as text: nothing in a scenario takes one.
    Date(String),
    List(Vec<Value>),
    Table(Table),
}

/// Where a value is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The file, from this byte on.
    File(usize),
    /// A setting, by number.
    Setting(usize),
    /// Nowhere in particular: the whole file, or a default.
    Whole,
}

impl Document {
    /// Reads TOML. `file` is for messages, and its stem the scenario's name if it has no other.
    pub fn parse(text: &str, file: &str) -> Result<Self, ScenarioError> {
        let mut document = Self {
            file: file.to_owned(),
            text: text.to_owned(),
            settings: Vec::new(),
            root: Table::default(),
        };
        if text.len() > LONGEST_TEXT_BYTES {
            return Err(document.error(
                Origin::Whole,
                "",
                format!("the file is longer than {LONGEST_TEXT_BYTES} bytes"),
            ));
        }
        let parsed = DeTable::parse(text).map_err(|error| {
            let origin = error
                .span()
                .map_or(Origin::Whole, |span| Origin::File(span.start));
            let message = error.message().trim().replace('\n', "; ");
            document.error(origin, "", format!("this is not TOML: {message}"))
        })?;
        document.root = document.table(parsed.get_ref(), Origin::File(0), "")?;
        Ok(document)
    }

    /// Sets one key, as `--set key=value` does: a dotted key, groups of flows by their label,
    /// links and hops by their name (or each by its number, from 0). `value` is TOML if it can be
    /// read as such, else a text. Missing tables on the way are added.
    ///
    /// Whether key and value make sense is checked with the rest of the document.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ScenarioError> {
        self.set_as(format!("--set {key}={value}"), key, value)
    }

    /// The same for an option of its own, such as `--seed`, by which errors then name it.
    pub fn set_by(&mut self, option: &str, key: &str, value: &str) -> Result<(), ScenarioError> {
        self.set_as(format!("{option} {value}"), key, value)
    }

    fn set_as(&mut self, name: String, key: &str, value: &str) -> Result<(), ScenarioError> {
        let number = self.settings.len();
        self.settings.push(name);
        let origin = Origin::Setting(number);
        let path = split_key(key).ok_or_else(|| {
            self.error(
                origin,
                key,
                format!("\"{key}\" is not a key such as flows.tcp.count"),
            )
        })?;
        let value = self.parse_value(value, origin, key)?;
        self.set_value(&path, value, origin)
    }

    /// Checks the document and fills in the defaults.
    pub fn check(&self, registry: &Registry) -> Result<Scenario, ScenarioError> {
        read::scenario(self, registry)
    }

    /// The scenario at one point of a sweep: `choice[i]` is the index of the value that axis `i`
    /// takes.
    pub fn at_point(
        &self,
        sweep: &Sweep,
        choice: &[usize],
        registry: &Registry,
    ) -> Result<Scenario, ScenarioError> {
        let mut document = self.without_sweep();
        for (axis, index) in sweep.axes.iter().zip(choice) {
            for AxisKey { key, values } in &axis.keys {
                let value = &values[*index];
                let name = format!("{}, [sweep] {key} = {value}", self.file);
                document.set_as(name, key, value)?;
            }
        }
        document.check(registry)
    }

    /// The document that points of its sweep are made from: groups keep their labels, whatever an
    /// axis changes about them.
    pub(super) fn without_sweep(&self) -> Self {
        let mut document = self.clone();
        document.root.0.retain(|entry| entry.key != "sweep");
        for entry in document
            .root
            .0
            .iter_mut()
            .filter(|entry| entry.key == "flows")
        {
            let Node::List(groups) = &mut entry.value.node else {
                continue;
            };
            for group in groups {
                let Node::Table(table) = &mut group.node else {
                    continue;
                };
                if let (None, Some(label)) = (table.get("label"), group_label(table)) {
                    let value = Value {
                        node: Node::Text(label),
                        origin: group.origin,
                    };
                    table.0.push(Entry {
                        key: "label".to_owned(),
                        origin: group.origin,
                        value,
                    });
                }
            }
        }
        document
    }

    /// The file's name as given, for messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// An error about what stands at `origin`.
    pub(super) fn error(&self, origin: Origin, key: &str, message: String) -> ScenarioError {
        let (file, position) = match origin {
            Origin::File(byte) => (self.file.clone(), Some(Position::of(&self.text, byte))),
            Origin::Setting(number) => (self.settings[number].clone(), None),
            Origin::Whole => (self.file.clone(), None),
        };
        ScenarioError {
            file,
            position,
            key: key.to_owned(),
            message,
            hint: None,
        }
    }

    /// Puts `value` where `path` leads.
    pub(super) fn set_value(
        &mut self,
        path: &[String],
        value: Value,
        origin: Origin,
    ) -> Result<(), ScenarioError> {
        put(
            &mut self.root,
            path,
            Entry {
                key: String::new(),
                origin,
                value,
            },
        )
        .map_err(|no_way| {
            let mut error = self.error(origin, &path.join("."), no_way.to_string());
            if let NoWay::NoSuchElement { name, names } = &no_way {
                error.hint = nearest(name, names.iter().map(String::as_str))
                    .map(|name| format!("did you mean \"{name}\"?"));
            }
            error
        })
    }

    fn parse_value(&self, text: &str, origin: Origin, key: &str) -> Result<Value, ScenarioError> {
        let as_text = || Value {
            node: Node::Text(text.to_owned()),
            origin,
        };
        if text.len() > LONGEST_TEXT_BYTES {
            return Err(self.error(origin, key, "the value is too long".to_owned()));
        }
        match DeValue::parse(text.trim()) {
            Ok(value) => Ok(self
                .value(value.get_ref(), origin, key)?
                .with_origin(origin)),
            Err(_) => Ok(as_text()),
        }
    }

    fn table(
        &self,
        table: &DeTable<'_>,
        origin: Origin,
        path: &str,
    ) -> Result<Table, ScenarioError> {
        let mut entries = Vec::with_capacity(table.len());
        for (key, value) in table {
            let name = key.get_ref().to_string();
            let place = |byte| {
                if origin == Origin::Whole {
                    origin
                } else {
                    Origin::File(byte)
                }
            };
            let path = join(path, &name);
            let value_origin = place(value.span().start);
            let value = self.value(value.get_ref(), value_origin, &path)?;
            entries.push(Entry {
                key: name,
                origin: place(key.span().start),
                value,
            });
        }
        // In the order of the file: the parser sorts by name.
        entries.sort_by_key(|entry| match entry.origin {
            Origin::File(byte) => byte,
            _ => 0,
        });
        Ok(Table(entries))
    }

    fn value(
        &self,
        value: &DeValue<'_>,
        origin: Origin,
        path: &str,
    ) -> Result<Value, ScenarioError> {
        let out_of_range = |text: &str| {
            self.error(
                origin,
                path,
                format!("{path} = {text} is out of range for a number"),
            )
        };
        let node = match value {
            DeValue::String(text) => Node::Text(text.to_string()),
            DeValue::Integer(integer) => Node::Integer(
                i64::from_str_radix(integer.as_str(), integer.radix())
                    .map_err(|_| out_of_range(&integer.to_string()))?,
            ),
            DeValue::Float(float) => Node::Number(
                float
                    .as_str()
                    .parse()
                    .map_err(|_| out_of_range(float.as_str()))?,
            ),
            DeValue::Boolean(flag) => Node::Flag(*flag),
            DeValue::Datetime(date) => Node::Date(date.to_string()),
            DeValue::Array(items) => {
                let mut list = Vec::with_capacity(items.len());
                for item in items {
                    let at = match origin {
                        Origin::File(_) => Origin::File(item.span().start),
                        other => other,
                    };
                    list.push(self.value(item.get_ref(), at, path)?);
                }
                Node::List(list)
            }
            DeValue::Table(table) => Node::Table(self.table(table, origin, path)?),
        };
        Ok(Value { node, origin })
    }
}

impl Table {
    pub(super) fn get(&self, key: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.key == key)
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(|entry| entry.value.text())
    }
}

impl Value {
    /// A default, which is nowhere in the file.
    pub(super) fn of(default: Plain) -> Self {
        let node = match default {
            Plain::Number(number) => Node::Number(number),
            Plain::Integer(integer) => Node::Integer(integer.cast_signed()),
            Plain::Flag(flag) => Node::Flag(flag),
            Plain::Empty => Node::Table(Table::default()),
            quantity => Node::Text(quantity.to_string().trim_matches('"').to_owned()),
        };
        let origin = Origin::Whole;
        Self { node, origin }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.node {
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The same, with everything in it from `origin`.
    fn with_origin(mut self, origin: Origin) -> Self {
        self.origin = origin;
        match &mut self.node {
            Node::List(items) => {
                for item in items {
                    *item = std::mem::replace(
                        item,
                        Self {
                            node: Node::Flag(false),
                            origin,
                        },
                    )
                    .with_origin(origin);
                }
            }
            Node::Table(table) => {
                for entry in &mut table.0 {
                    entry.origin = origin;
                    entry.value = std::mem::replace(
                        &mut entry.value,
                        Self {
                            node: Node::Flag(false),
                            origin,
                        },
                    )
                    .with_origin(origin);
                }
            }
            _ => {}
        }
        self
    }

    /// As TOML text on one line.
    pub(super) fn to_text(&self) -> String {
        match &self.node {
            Node::Text(text) => quoted(text),
            Node::Integer(integer) => integer.to_string(),
            Node::Number(number) => format!("{number:?}").replace("NaN", "nan"),
            Node::Flag(flag) => flag.to_string(),
            Node::Date(date) => date.clone(),
            Node::List(items) => {
                let items: Vec<_> = items.iter().map(Self::to_text).collect();
                format!("[{}]", items.join(", "))
            }
            Node::Table(table) => {
                let entries: Vec<_> = table
                    .0
                    .iter()
                    .map(|entry| {
                        format!("{} = {}", bare_or_quoted(&entry.key), entry.value.to_text())
                    })
                    .collect();
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }

    /// The value for messages: short.
    pub(super) fn shown(&self) -> String {
        let text = self.to_text();
        if text.chars().count() <= LONGEST_SHOWN_CHARS {
            return text;
        }
        let short: String = text.chars().take(LONGEST_SHOWN_CHARS).collect();
        format!("{short}…")
    }
}

/// Longest file that is read: 4 MiB.
const LONGEST_TEXT_BYTES: usize = 4 << 20;
/// Longest value in a message.
const LONGEST_SHOWN_CHARS: usize = 60;
