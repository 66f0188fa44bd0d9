//! Typed reading of a table by its list of keys: bounds, defaults, and errors that say what is
//! allowed.

mod quantities;

use std::borrow::Cow;
use std::cell::RefCell;

use super::document::{Document, Node, Origin, Table, Value, join};
use super::error::{ScenarioError, nearest};
use super::keys::{self, Default, Key, Kind, Variant};

/// A table being read. Every key asked for must be declared, and [`finish`](Self::finish) holds
/// that every declared key was asked for.
pub(super) struct Reader<'a> {
    document: &'a Document,
    table: Cow<'a, Table>,
    origin: Origin,
    path: String,
    keys: Vec<&'static Key>,
    asked: RefCell<Vec<&'static str>>,
}

/// A value being read.
pub(super) struct Field<'a> {
    document: &'a Document,
    value: Cow<'a, Value>,
    kind: Kind,
    pub(super) path: String,
}

type Read<T> = Result<T, ScenarioError>;

impl<'a> Reader<'a> {
    /// The whole file.
    pub(super) fn root(document: &'a Document) -> Read<Self> {
        let table = Cow::Borrowed(&document.root);
        Self::new(document, table, Origin::File(0), "", &keys::SCENARIO)
    }

    fn new(
        document: &'a Document,
        table: Cow<'a, Table>,
        origin: Origin,
        path: &str,
        declared: &'static keys::Table,
    ) -> Read<Self> {
        let reader = Self {
            document,
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
            document: self.document,
            value,
            kind: key.kind,
            path: join(&self.path, name),
        };
        match (self.table.get(name), key.default) {
            (Some(entry), _) => Ok(Some(field(Cow::Borrowed(&entry.value)))),
            (None, Default::Is(text)) => Ok(Some(field(Cow::Owned(Value::parse_default(text))))),
            (None, Default::Otherwise(_)) => Ok(None),
            (None, Default::Required) => Err(self.error(format!(
                "{} needs the key \"{name}\": {}",
                self.shown_path(),
                key.kind
            ))),
        }
    }

    /// Keys that are not declared, with their values, each with its key's place.
    pub(super) fn others(&self) -> impl Iterator<Item = (&str, Origin, &Value)> {
        let declared = |name: &str| self.keys.iter().any(|key| key.name == name);
        self.table
            .0
            .iter()
            .filter(move |entry| !declared(&entry.key))
            .map(|entry| (entry.key.as_str(), entry.origin, &entry.value))
    }

    /// An error about the table as a whole.
    pub(super) fn error(&self, message: String) -> ScenarioError {
        self.document.error(self.origin, &self.path, message)
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
        let mut error = self.document.error(
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
    pub(super) fn of(document: &'a Document, value: &'a Value, path: &str) -> Self {
        Self {
            document,
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
        self.document.error(self.value.origin, &self.path, message)
    }

    pub(super) fn origin(&self) -> Origin {
        self.value.origin
    }

    /// The value as it stands in the file, short.
    pub(super) fn shown(&self) -> String {
        self.value.shown()
    }

    /// The value is not of the declared kind.
    pub(super) fn refuse(&self) -> ScenarioError {
        self.error(format!(
            "{} = {} is not allowed; it takes {}",
            self.path,
            self.value.shown(),
            self.kind
        ))
    }

    fn text(&self) -> Read<&str> {
        self.value.text().ok_or_else(|| self.refuse())
    }

    fn mismatch(&self) -> ! {
        panic!(
            "{} is declared as {:?} and read as something else",
            self.path, self.kind
        )
    }

    /// The elements of a list; one value where one or more are allowed.
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
                document: self.document,
                value: Cow::Borrowed(value),
                kind: *of,
                path: join(
                    &self.path,
                    &super::document::element_name(list, index, value),
                ),
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

    pub(super) fn table_as(&self, declared: &'static keys::Table) -> Read<Reader<'_>> {
        let Node::Table(table) = &self.value.node else {
            return Err(self.refuse());
        };
        Reader::new(
            self.document,
            Cow::Borrowed(table),
            self.value.origin,
            &self.path,
            declared,
        )
    }

    /// A table whose tag says what it is: which, and its other keys.
    pub(super) fn tagged(&self) -> Read<(&'static Variant, Reader<'_>)> {
        let Kind::Tagged(tagged) = self.kind else {
            self.mismatch()
        };
        let (tag, table) = match &self.value.node {
            Node::Text(_) => (&*self.value, Cow::Owned(Table::default())),
            Node::Table(table) => {
                let entry = table.get(tagged.tag).ok_or_else(|| {
                    self.error(format!(
                        "{} needs the key \"{}\": {}",
                        self.path,
                        tagged.tag,
                        one_of(tagged.variants.iter().map(|variant| variant.name))
                    ))
                })?;
                (&entry.value, Cow::Borrowed(table))
            }
            _ => return Err(self.refuse()),
        };
        let variant = tag
            .text()
            .and_then(|name| tagged.variants.iter().find(|variant| variant.name == name))
            .ok_or_else(|| {
                let names = || tagged.variants.iter().map(|variant| variant.name);
                let path = join(&self.path, tagged.tag);
                let mut error = self.document.error(
                    tag.origin,
                    &path,
                    format!(
                        "{path} = {} is not allowed; it takes {}",
                        tag.shown(),
                        one_of(names())
                    ),
                );
                error.hint = nearest(tag.text().unwrap_or_default(), names())
                    .map(|name| format!("did you mean \"{name}\"?"));
                error
            })?;
        let reader = Reader {
            document: self.document,
            table,
            origin: self.value.origin,
            path: self.path.clone(),
            keys: tagged.common.iter().chain(variant.keys).collect(),
            asked: RefCell::default(),
        };
        reader.refuse_unknown_keys(Some(tagged.tag), |key| {
            let has = |variant: &&Variant| variant.keys.iter().any(|other| other.name == key);
            let other = tagged.variants.iter().find(has)?;
            Some(format!(
                "\"{key}\" goes with {} = \"{}\"",
                tagged.tag, other.name
            ))
        })?;
        Ok((variant, reader))
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
            document: self.document,
            value: Cow::Borrowed(&*self.value),
            kind,
            path: self.path.clone(),
        }
    }

    pub(super) fn document(&self) -> &'a Document {
        self.document
    }
}

/// `"a", "b" or "c"` for messages.
pub(super) fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
    format!("one of {}", quoted.join(", "))
}

/// No limit, in files.
pub(super) const UNLIMITED: &str = "unlimited";
/// Chosen by the queue itself, in files.
pub(super) const AUTO: &str = "auto";
