//! Typed reading of a table by its list of keys: bounds, defaults, and errors that say what is
//! allowed.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Display;
use std::str::FromStr;

use units::{Bytes, Duration, Packets, Rate};

use super::document::{Document, Node, Origin, Table, Value, join};
use super::error::{ScenarioError, nearest};
use super::keys::{self, Default, Draw, Key, Kind, Least, Variant};
use super::{Distribution, LONGEST, Limit, MOST_WAITING_PACKETS, RedWeight};

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

    /// What a text with a unit says. A number without a unit is refused.
    fn quantity<T: FromStr<Err: Display>>(&self) -> Read<T> {
        self.text()?
            .parse()
            .map_err(|reason| self.error(format!("{}: {reason}", self.path)))
    }

    fn mismatch(&self) -> ! {
        panic!(
            "{} is declared as {:?} and read as something else",
            self.path, self.kind
        )
    }

    pub(super) fn any_text(&self) -> Read<String> {
        self.text().map(str::to_owned)
    }

    pub(super) fn name(&self) -> Read<String> {
        let text = self.text()?;
        let length = text.chars().count();
        let allowed = |c: char| !c.is_control() && c != '"' && c != '\\';
        if length == 0 || length > LONGEST_NAME_CHARS || !text.chars().all(allowed) {
            return Err(self.refuse());
        }
        Ok(text.to_owned())
    }

    pub(super) fn flag(&self) -> Read<bool> {
        match self.value.node {
            Node::Flag(flag) => Ok(flag),
            _ => Err(self.refuse()),
        }
    }

    pub(super) fn integer(&self) -> Read<u64> {
        let Kind::Integer { min, max } = self.kind else {
            self.mismatch()
        };
        match self.value.node {
            Node::Integer(integer) => u64::try_from(integer)
                .ok()
                .filter(|integer| (min..=max).contains(integer))
                .ok_or_else(|| self.refuse()),
            _ => Err(self.refuse()),
        }
    }

    pub(super) fn number(&self) -> Read<f64> {
        let Kind::Number { min, max } = self.kind else {
            self.mismatch()
        };
        self.plain_number()
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| self.refuse())
    }

    fn plain_number(&self) -> Option<f64> {
        match self.value.node {
            Node::Integer(integer) => Some(integer as f64),
            Node::Number(number) if number.is_finite() => Some(number),
            _ => None,
        }
    }

    pub(super) fn duration(&self) -> Read<Duration> {
        let Kind::Duration(least) = self.kind else {
            self.mismatch()
        };
        let length: Duration = self.quantity()?;
        if least == Least::OverZero && length.is_zero() {
            return Err(self.refuse());
        }
        if length > LONGEST {
            return Err(self.error(format!(
                "{} = \"{length}\" is longer than 30 days, the longest allowed",
                self.path
            )));
        }
        Ok(length)
    }

    pub(super) fn rate(&self) -> Read<Rate> {
        let rate: Rate = self.quantity()?;
        if rate == Rate::ZERO {
            Err(self.refuse())
        } else {
            Ok(rate)
        }
    }

    /// A rate; none where it is unlimited.
    pub(super) fn rate_or_unlimited(&self) -> Read<Option<Rate>> {
        let Kind::RateOrUnlimited = self.kind else {
            self.mismatch()
        };
        if self.value.text() == Some(UNLIMITED) {
            Ok(None)
        } else {
            self.rate().map(Some)
        }
    }

    pub(super) fn bytes(&self) -> Read<Bytes> {
        let Kind::Bytes { min, max } = self.kind else {
            self.mismatch()
        };
        let bytes: Bytes = self.quantity()?;
        if (min..=max).contains(&bytes.0) {
            Ok(bytes)
        } else {
            Err(self.refuse())
        }
    }

    pub(super) fn limit(&self) -> Read<Limit> {
        let Kind::Limit = self.kind else {
            self.mismatch()
        };
        let text = self.text()?.trim();
        let limit = if text == UNLIMITED {
            Some(Limit::Unlimited)
        } else if let Some(number) = text.strip_suffix("BDP") {
            decimal(number)
                .filter(|n| *n > 0.0 && *n <= MOST_BDP)
                .map(Limit::Bdp)
        } else if let Ok(packets) = text.parse::<Packets>() {
            (1..=MOST_WAITING_PACKETS)
                .contains(&packets.0)
                .then_some(Limit::Packets(packets.0))
        } else if let Ok(bytes) = text.parse::<Bytes>() {
            (1..=MOST_WAITING_BYTES)
                .contains(&bytes.0)
                .then_some(Limit::Bytes(bytes))
        } else {
            None
        };
        limit.ok_or_else(|| self.refuse())
    }

    /// A window in packets that carry `payload` each, rounded down.
    pub(super) fn window(&self, payload: Bytes) -> Read<Packets> {
        let text = self.text()?.trim();
        let packets = if let Ok(packets) = text.parse::<Packets>() {
            packets
        } else {
            let bytes = text.parse::<Bytes>().map_err(|_| self.refuse())?;
            Packets(bytes.0 / payload.0.max(1))
        };
        if (1..=MOST_WAITING_PACKETS).contains(&packets.0) {
            Ok(packets)
        } else {
            Err(self.refuse())
        }
    }

    /// The same; none where it is unlimited.
    pub(super) fn window_or_unlimited(&self, payload: Bytes) -> Read<Option<Packets>> {
        let Kind::WindowOrUnlimited = self.kind else {
            self.mismatch()
        };
        if self.value.text() == Some(UNLIMITED) {
            Ok(None)
        } else {
            self.window(payload).map(Some)
        }
    }

    /// A number of packets with or without a fraction; none where it is automatic.
    pub(super) fn threshold(&self) -> Read<Option<f64>> {
        let Kind::Threshold = self.kind else {
            self.mismatch()
        };
        let text = self.text()?.trim();
        if text == AUTO {
            return Ok(None);
        }
        text.strip_suffix("packets")
            .or_else(|| text.strip_suffix("packet"))
            .and_then(decimal)
            .filter(|packets| *packets > 0.0 && *packets <= MOST_WAITING_PACKETS as f64)
            .map(Some)
            .ok_or_else(|| self.refuse())
    }

    pub(super) fn weight(&self) -> Read<RedWeight> {
        let Kind::Weight = self.kind else {
            self.mismatch()
        };
        match self.value.text() {
            Some("auto") => Ok(RedWeight::Auto),
            Some("auto-1s") => Ok(RedWeight::AutoSecond),
            Some("auto-100ms") => Ok(RedWeight::AutoTenthSecond),
            Some(_) => Err(self.refuse()),
            None => self
                .plain_number()
                .filter(|weight| *weight > 0.0 && *weight <= 1.0)
                .map(RedWeight::Value)
                .ok_or_else(|| self.refuse()),
        }
    }

    /// One of the words declared.
    pub(super) fn choice(&self) -> Read<&'static str> {
        let Kind::Choice(words) = self.kind else {
            self.mismatch()
        };
        let text = self.text()?;
        words
            .iter()
            .find(|word| word.name == text)
            .map(|word| word.name)
            .ok_or_else(|| {
                let mut error = self.refuse();
                error.hint = nearest(text, words.iter().map(|word| word.name))
                    .map(|name| format!("did you mean \"{name}\"?"));
                error
            })
    }

    /// A length of time, fixed or drawn. `flows`: how many values a list must have.
    pub(super) fn distribution(&self, flows: Option<u32>) -> Read<Distribution<Duration>> {
        let Kind::Distribution(least, draw) = self.kind else {
            self.mismatch()
        };
        let Node::Table(_) = &self.value.node else {
            return self
                .of_kind(Kind::Duration(least))
                .duration()
                .map(Distribution::Constant);
        };
        let reader = self.table_as(&keys::DISTRIBUTION)?;
        let found = (
            reader.find("uniform")?,
            reader.find("exponential")?,
            reader.find("pareto")?,
            reader.find("list")?,
        );
        let distribution = match found {
            (Some(uniform), None, None, None) => {
                let bounds = uniform.durations(least)?;
                let [low, high] = bounds[..] else {
                    return Err(uniform.error(format!(
                        "{} = {} is not allowed; it takes two lengths of time: least, greatest",
                        uniform.path,
                        uniform.shown()
                    )));
                };
                if low > high {
                    return Err(uniform.error(format!(
                        "{}: the first value, {low}, is greater than the second, {high}",
                        uniform.path
                    )));
                }
                Distribution::Uniform { low, high }
            }
            (None, Some(exponential), None, None) => Distribution::Exponential {
                mean: exponential.duration()?,
            },
            (None, None, Some(pareto), None) => {
                let table = pareto.table()?;
                let mean = table.get("mean")?.duration()?;
                let shape = table.get("shape")?.number()?;
                table.finish();
                Distribution::Pareto { mean, shape }
            }
            (None, None, None, Some(list)) => {
                if draw == Draw::Other {
                    return Err(list.error(format!(
                        "{}: a list with a value for each flow is not allowed here",
                        list.path
                    )));
                }
                let values = list.durations(least)?;
                let flows = flows.expect("lists are drawn for each flow") as usize;
                if values.len() != flows {
                    return Err(list.error(format!(
                        "{} has {} values, and the group {flows} flows",
                        list.path,
                        values.len()
                    )));
                }
                Distribution::List(values)
            }
            _ => {
                return Err(reader.error(format!(
                    "{} needs exactly one of the keys uniform, exponential, pareto, list",
                    self.path
                )));
            }
        };
        reader.finish();
        Ok(distribution)
    }

    /// Lengths of time, each at least `least`.
    fn durations(&self, least: Least) -> Read<Vec<Duration>> {
        self.items()?
            .iter()
            .map(|item| item.of_kind(Kind::Duration(least)).duration())
            .collect()
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

    fn table_as(&self, declared: &'static keys::Table) -> Read<Reader<'_>> {
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

/// A decimal number without exponent.
fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse()
        .ok()
        .filter(|number: &f64| plain && number.is_finite())
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

const LONGEST_NAME_CHARS: usize = 64;
/// Largest queue in bandwidth-delay products.
const MOST_BDP: f64 = 1e6;
/// Largest queue in bytes: 1 TB.
const MOST_WAITING_BYTES: u64 = 1_000_000_000_000;
