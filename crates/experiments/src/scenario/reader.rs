//! Typed reading of a table by its list of keys: bounds, defaults, and errors that say what is
//! allowed.

mod quantities;

use std::borrow::Cow;
use std::cell::RefCell;

use units::choice::{Choice, Given, Kind, Parameter, Parameters, Setting, Table as Keys, Value};
use units::choice::{Refusal, Rule, Wrong};

use super::LONGEST;
use super::chosen::{Chosen, Described};
use super::document::{Document, Node, Origin, Table, Value as Toml, element_name, join};
use super::error::{ScenarioError, nearest};
use super::keys::{Family, SCENARIO};
use crate::Registry;

/// What reading needs beside the table at hand.
pub(super) struct Context<'a> {
    pub(super) document: &'a Document,
    pub(super) registry: &'a Registry,
    /// Labels of groups that something names: label, key and place. Checked when all groups are
    /// known.
    pub(super) named_groups: RefCell<Vec<(String, String, Origin)>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(document: &'a Document, registry: &'a Registry) -> Self {
        Self {
            document,
            registry,
            named_groups: RefCell::default(),
        }
    }
}

/// A table being read. Every key asked for must be declared, and [`finish`](Self::finish) holds
/// that every declared key was asked for.
pub(super) struct Reader<'a> {
    context: &'a Context<'a>,
    table: Cow<'a, Table>,
    origin: Origin,
    path: String,
    keys: Vec<&'static Parameter>,
    asked: RefCell<Vec<&'static str>>,
}

/// A value being read.
pub(super) struct Field<'a> {
    context: &'a Context<'a>,
    value: Cow<'a, Toml>,
    kind: Kind,
    pub(super) path: String,
}

pub(super) type Read<T> = Result<T, ScenarioError>;

impl<'a> Reader<'a> {
    /// The whole file.
    pub(super) fn root(context: &'a Context<'a>) -> Read<Self> {
        let table = Cow::Borrowed(&context.document.root);
        Self::new(context, table, Origin::File(0), "", &SCENARIO)
    }

    fn new(
        context: &'a Context<'a>,
        table: Cow<'a, Table>,
        origin: Origin,
        path: &str,
        declared: &Keys,
    ) -> Read<Self> {
        let reader = Self {
            context,
            table,
            origin,
            path: path.to_owned(),
            keys: declared.keys.iter().collect(),
            asked: RefCell::default(),
        };
        if declared.others.is_none() {
            reader.refuse_unknown_keys(None, |_| None)?;
        }
        Ok(reader)
    }

    /// The value of a key, or its default; an error where neither is there.
    pub(super) fn get(&self, name: &'static str) -> Read<Field<'_>> {
        match self.find(name)? {
            Some(field) => Ok(field),
            None => panic!("{}.{name} has no default: ask with `find`", self.path),
        }
    }

    /// The value of a key or its default; none where it has neither and need not have.
    pub(super) fn find(&self, name: &'static str) -> Read<Option<Field<'_>>> {
        let key = self
            .keys
            .iter()
            .find(|key| key.name == name)
            .unwrap_or_else(|| panic!("key {name} of {} is not declared", self.path));
        self.asked.borrow_mut().push(key.name);
        let field = |value| Field {
            context: self.context,
            value,
            kind: key.kind,
            path: join(&self.path, name),
        };
        match (self.table.get(name), key.default) {
            (Some(entry), _) => Ok(Some(field(Cow::Borrowed(&entry.value)))),
            (None, Value::Otherwise(_) | Value::Derived) => Ok(None),
            (None, Value::Required) => Err(self.error(format!(
                "{} needs the key \"{name}\": {}",
                self.shown_path(),
                self.context.registry.describe(&key.kind)
            ))),
            (None, value) => Ok(Some(field(Cow::Owned(Toml::of(value))))),
        }
    }

    /// All keys that were not asked for yet, each with its value, its default or nothing, in the
    /// order in which they are declared.
    pub(super) fn parameters(&self, rule: Rule) -> Read<Parameters> {
        let asked = self.asked.borrow().clone();
        let left = self.keys.iter().filter(|key| !asked.contains(&key.name));
        let mut parameters = Parameters::default();
        for key in left {
            let setting = match self.find(key.name)? {
                Some(field) => field.setting()?,
                None => Setting::DERIVED,
            };
            parameters.set(key.name, setting);
        }
        rule(&parameters).map_err(|wrong| self.wrong(&wrong))?;
        Ok(parameters)
    }

    /// The error that keys say something together that they must not.
    pub(super) fn wrong(&self, wrong: &Wrong) -> ScenarioError {
        let Some(name) = wrong.parameter else {
            return self.error(format!("{}: {}", self.shown_path(), wrong.says));
        };
        let mut path = join(&self.path, name);
        let Some(entry) = self.table.get(name) else {
            return self.error(format!("{path} {}", wrong.says));
        };
        let mut value = &entry.value;
        if let (Some(index), Node::List(items)) = (wrong.element, &value.node)
            && let Some(item) = items.get(index)
        {
            value = item;
            path = join(&path, &index.to_string());
        }
        let message = format!("{path} = {} {}", value.shown(), wrong.says);
        self.context.document.error(value.origin, &path, message)
    }

    /// Keys that are not declared, with their values, each with its key's place.
    pub(super) fn others(&self) -> impl Iterator<Item = (&str, Origin, &Toml)> {
        let declared = |name: &str| self.keys.iter().any(|key| key.name == name);
        self.table
            .0
            .iter()
            .filter(move |entry| !declared(&entry.key))
            .map(|entry| (entry.key.as_str(), entry.origin, &entry.value))
    }

    pub(super) fn context(&self) -> &'a Context<'a> {
        self.context
    }

    /// An error about the table as a whole.
    pub(super) fn error(&self, message: String) -> ScenarioError {
        self.context
            .document
            .error(self.origin, &self.path, message)
    }

    /// Ends the reading: every declared key has been asked for.
    pub(super) fn finish(self) {
        let asked = self.asked.borrow();
        for key in &self.keys {
            debug_assert!(
                asked.contains(&key.name),
                "{} of {} is never read",
                key.name,
                self.path
            );
        }
    }

    fn shown_path(&self) -> String {
        if self.path.is_empty() {
            "the scenario".to_owned()
        } else {
            self.path.clone()
        }
    }

    fn refuse_unknown_keys(
        &self,
        tag: Option<&'static str>,
        elsewhere: impl Fn(&str) -> Option<String>,
    ) -> Read<()> {
        let allowed: Vec<_> = tag
            .into_iter()
            .chain(self.keys.iter().map(|key| key.name))
            .collect();
        let Some(entry) = self
            .table
            .0
            .iter()
            .find(|entry| !allowed.contains(&entry.key.as_str()))
        else {
            return Ok(());
        };
        let path = join(&self.path, &entry.key);
        let mut error = self.context.document.error(
            entry.origin,
            &path,
            format!(
                "unknown key \"{}\" in {}; allowed: {}",
                entry.key,
                self.shown_path(),
                allowed.join(", ")
            ),
        );
        error.hint = elsewhere(&entry.key).or_else(|| {
            nearest(&entry.key, allowed.iter().copied())
                .map(|name| format!("did you mean \"{name}\"?"))
        });
        Err(error)
    }
}

impl<'a> Field<'a> {
    /// A value that stands under a key which is not declared.
    pub(super) fn of(context: &'a Context<'a>, value: &'a Toml, path: &str) -> Self {
        Self {
            context,
            value: Cow::Borrowed(value),
            kind: Kind::Text,
            path: path.to_owned(),
        }
    }

    /// What stands in the file.
    pub(super) fn node(&self) -> &Node {
        &self.value.node
    }

    /// An error about this value.
    pub(super) fn error(&self, message: String) -> ScenarioError {
        let document = self.context.document;
        document.error(self.value.origin, &self.path, message)
    }

    pub(super) fn origin(&self) -> Origin {
        self.value.origin
    }

    pub(super) fn context(&self) -> &'a Context<'a> {
        self.context
    }

    /// The value as it stands in the file, short.
    pub(super) fn shown(&self) -> String {
        self.value.shown()
    }

    /// The value is not of the declared kind.
    pub(super) fn refuse(&self) -> ScenarioError {
        let mut error = self.error(format!(
            "{} = {} is not allowed; it takes {}",
            self.path,
            self.value.shown(),
            self.context.registry.describe(&self.kind)
        ));
        error.hint = self
            .value
            .text()
            .and_then(|text| nearest(text, self.kind.words()))
            .map(|name| format!("did you mean \"{name}\"?"));
        error
    }

    fn mismatch(&self) -> ! {
        panic!(
            "{} is declared as {:?} and read as something else",
            self.path, self.kind
        )
    }

    /// The value, by its kind.
    pub(super) fn setting(&self) -> Read<Setting> {
        Ok(match self.kind {
            Kind::List(_) | Kind::OneOrMore(_) => {
                let items = self.items()?;
                Setting::List(items.iter().map(Field::setting).collect::<Read<_>>()?)
            }
            Kind::Table(declared) => {
                let table = self.table()?;
                Setting::Table(table.parameters(declared.rule)?)
            }
            Kind::Distribution { .. } => Setting::Distribution(self.distribution(None)?),
            Kind::Group => {
                let label = self.name()?;
                let named = (label.clone(), self.path.clone(), self.origin());
                self.context.named_groups.borrow_mut().push(named);
                Setting::Text(label)
            }
            _ => self.accept()?,
        })
    }

    /// A value that is neither a list nor a table.
    pub(super) fn accept(&self) -> Read<Setting> {
        let given = match &self.value.node {
            Node::Text(text) => Given::Text(text.clone()),
            Node::Integer(integer) => Given::Integer(*integer),
            Node::Number(number) => Given::Number(*number),
            Node::Flag(flag) => Given::Flag(*flag),
            Node::Date(_) | Node::List(_) | Node::Table(_) => return Err(self.refuse()),
        };
        let setting = self.kind.accept(&given).map_err(|refusal| match refusal {
            Refusal::Kind => self.refuse(),
            Refusal::Quantity(reason) => self.error(format!("{}: {reason}", self.path)),
        })?;
        match setting {
            Setting::Value(Value::Duration(length)) if length > LONGEST => {
                Err(self.error(format!(
                    "{} = \"{length}\" is longer than 30 days, the longest allowed",
                    self.path
                )))
            }
            other => Ok(other),
        }
    }

    /// The elements of a list, of any kind; one value where one or more are allowed.
    pub(super) fn items(&self) -> Read<Vec<Field<'_>>> {
        let (of, single) = match self.kind {
            Kind::List(of) => (of, false),
            Kind::OneOrMore(of) => (of, true),
            _ => self.mismatch(),
        };
        let Node::List(values) = &self.value.node else {
            return if single {
                Ok(vec![self.of_kind(*of)])
            } else {
                Err(self.refuse())
            };
        };
        let list = self.path.rsplit('.').next().unwrap_or_default();
        Ok((0..)
            .zip(values)
            .map(|(index, value)| Field {
                context: self.context,
                value: Cow::Borrowed(value),
                kind: *of,
                path: join(&self.path, &element_name(list, index, value)),
            })
            .collect())
    }

    /// A table with the keys declared.
    pub(super) fn table(&self) -> Read<Reader<'_>> {
        let Kind::Table(declared) = self.kind else {
            self.mismatch()
        };
        self.table_as(declared)
    }

    pub(super) fn table_as(&self, declared: &Keys) -> Read<Reader<'_>> {
        let Node::Table(table) = &self.value.node else {
            return Err(self.refuse());
        };
        Reader::new(
            self.context,
            Cow::Borrowed(table),
            self.value.origin,
            &self.path,
            declared,
        )
    }

    /// One of several things: which, and its other keys.
    pub(super) fn one_of(&self) -> Read<(Choice, Reader<'_>)> {
        let Kind::OneOf(name) = self.kind else {
            self.mismatch()
        };
        let family = self.context.registry.family(name);
        let names = || family.choices.iter().map(|choice| choice.name);
        let (tag, table) = match &self.value.node {
            Node::Text(_) => (&*self.value, Cow::Owned(Table::default())),
            Node::Table(table) => {
                let entry = table.get(family.tag).ok_or_else(|| {
                    self.error(format!(
                        "{} needs the key \"{}\": {}",
                        self.path,
                        family.tag,
                        one_of(names())
                    ))
                })?;
                (&entry.value, Cow::Borrowed(table))
            }
            _ => return Err(self.refuse()),
        };
        let found = tag
            .text()
            .and_then(|name| family.choices.iter().find(|choice| choice.name == name));
        let choice = *found.ok_or_else(|| {
            let path = join(&self.path, family.tag);
            let message = format!(
                "{path} = {} is not allowed; it takes {}",
                tag.shown(),
                one_of(names())
            );
            let mut error = self.context.document.error(tag.origin, &path, message);
            error.hint = nearest(tag.text().unwrap_or_default(), names())
                .map(|name| format!("did you mean \"{name}\"?"));
            error
        })?;
        let reader = Reader {
            context: self.context,
            table,
            origin: self.value.origin,
            path: self.path.clone(),
            keys: family.common.iter().chain(choice.keys).collect(),
            asked: RefCell::default(),
        };
        reader.refuse_unknown_keys(Some(family.tag), |key| other_home(&family, key))?;
        Ok((choice, reader))
    }

    /// One of these things, with its parameters.
    pub(super) fn chosen<T: Described + Copy>(&self, among: &[T]) -> Read<Chosen<T>> {
        let (choice, reader) = self.one_of()?;
        let found = among.iter().find(|it| it.about().name == choice.name);
        Ok(Chosen {
            what: *found.expect("the family is made of these"),
            parameters: reader.parameters(choice.rule)?,
        })
    }

    /// The table, without its keys being checked; none where it is no table.
    pub(super) fn raw_table(&self) -> Option<&Table> {
        match &self.value.node {
            Node::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The same value with another declaration.
    pub(super) fn of_kind(&self, kind: Kind) -> Field<'_> {
        Field {
            context: self.context,
            value: Cow::Borrowed(&*self.value),
            kind,
            path: self.path.clone(),
        }
    }

    pub(super) fn document(&self) -> &'a Document {
        self.context.document
    }
}

/// `"a", "b" or "c"` for messages.
pub(super) fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
    format!("one of {}", quoted.join(", "))
}

/// With which other choice a key goes.
fn other_home(family: &Family, key: &str) -> Option<String> {
    let has = |choice: &&Choice| choice.keys.iter().any(|other| other.name == key);
    let other = family.choices.iter().find(has)?;
    let (tag, name) = (family.tag, other.name);
    Some(format!("\"{key}\" goes with {tag} = \"{name}\""))
}
