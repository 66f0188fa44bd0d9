//! The JSON Schema of scenario files, from the tables of keys and the controllers there are.

use controllers::Controller;
use serde_json::{Map, Value, json};
use units::choice::{Kind, Parameter, Table, Value as Plain, Word};

use super::keys::{CONTROLLER_NAME, DISTRIBUTION, Drive, RANGE, SCENARIO, SEEDS, STOP_RULE};
use crate::Registry;

/// The JSON Schema (draft 2020-12) of a scenario file, for editors.
pub fn schema(registry: &Registry) -> Value {
    let mut builder = Builder {
        registry,
        definitions: Map::new(),
    };
    let mut root = builder.object(&SCENARIO);
    let object = root.as_object_mut().expect("tables are objects");
    object.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    object.insert("title".to_owned(), json!("ackclock scenario"));
    object.insert("$defs".to_owned(), Value::Object(builder.definitions));
    root
}

struct Builder<'a> {
    registry: &'a Registry,
    definitions: Map<String, Value>,
}

impl Builder<'_> {
    fn object(&mut self, table: &Table) -> Value {
        let mut object = self.properties(table.keys.iter());
        object["description"] = json!(table.doc);
        if let Some(others) = table.others {
            // Dotted keys without quotes are tables of tables.
            object["additionalProperties"] = json!({
                "description": others,
                "anyOf": [
                    { "type": "array", "minItems": 1 },
                    self.table(&RANGE),
                    { "type": "object" },
                ],
            });
        }
        object
    }

    fn properties<'k>(&mut self, keys: impl Iterator<Item = &'k Parameter>) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for key in keys {
            properties.insert(key.name.to_owned(), self.property(key));
            if key.default == Plain::Required {
                required.push(key.name);
            }
        }
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }

    fn property(&mut self, key: &Parameter) -> Value {
        let mut schema = self.kind(&key.kind);
        // Beside a reference, keywords are allowed since draft 2019-09.
        let unit = match key.unit {
            "" => String::new(),
            unit => format!(" In {unit}."),
        };
        let without = match key.default {
            Plain::Otherwise(text) => format!(" Without it: {text}."),
            _ => String::new(),
        };
        schema["description"] = json!(format!("{}{unit}{without}", key.doc));
        let default = match key.default {
            Plain::Required | Plain::Derived | Plain::Otherwise(_) => None,
            Plain::Number(number) => number.is_finite().then(|| json!(number)),
            Plain::Integer(number) => Some(json!(number)),
            Plain::Flag(flag) => Some(json!(flag)),
            Plain::Empty => Some(json!({})),
            quantity => Some(json!(quantity.to_string().trim_matches('"'))),
        };
        if let Some(default) = default {
            schema["default"] = default;
        }
        schema
    }

    fn kind(&mut self, kind: &Kind) -> Value {
        match kind {
            Kind::Text => json!({ "type": "string" }),
            Kind::Name | Kind::Group => json!({
                "type": "string",
                "minLength": 1,
                "maxLength": 64,
                "pattern": r#"^[^"\\\u0000-\u001F\u007F-\u009F]*$"#,
            }),
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Integer { min, max } => {
                json!({ "type": "integer", "minimum": min, "maximum": max })
            }
            Kind::Number { min, max } => bounded("number", *min, *max),
            Kind::Share => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1 }),
            Kind::Duration | Kind::DurationOverZero => quantity(DURATION_UNITS),
            Kind::Rate => quantity(RATE_UNITS),
            Kind::Bytes { .. } => quantity(BYTE_UNITS),
            Kind::Limit => quantity(&format!("packets?|BDP|{BYTE_UNITS}")),
            Kind::Packets | Kind::Average => quantity("packets?"),
            Kind::Window => quantity(&format!("packets?|{BYTE_UNITS}")),
            Kind::Percent => quantity("%"),
            Kind::Seeds => json!({ "anyOf": [self.kind(&SEEDS), self.table(&STOP_RULE)] }),
            Kind::Quantity => json!({ "type": ["number", "string"] }),
            Kind::Choice(allowed) => json!({ "enum": allowed }),
            Kind::Words(allowed) => json!({ "oneOf": words(allowed) }),
            Kind::Or(kind, [word]) => {
                json!({ "anyOf": [self.kind(kind), { "const": word.name }] })
            }
            Kind::Or(kind, allowed) => {
                json!({ "anyOf": [self.kind(kind), { "oneOf": words(allowed) }] })
            }
            Kind::Distribution {
                over_zero: true, ..
            } => self.distribution(&Kind::DurationOverZero),
            Kind::Distribution { .. } => self.distribution(&Kind::Duration),
            Kind::Delay => {
                let fixed = self.distribution(&Kind::Duration);
                json!({ "anyOf": [fixed, self.one_of("delay")] })
            }
            Kind::Controller(protocol) => self.controller(protocol),
            Kind::Table(table) => self.table(table),
            Kind::OneOf(family) => self.one_of(family),
            Kind::List(of) => json!({ "type": "array", "items": self.kind(of) }),
            Kind::OneOrMore(of) => {
                let one = self.kind(of);
                json!({ "anyOf": [one, { "type": "array", "items": one }] })
            }
        }
    }

    fn distribution(&mut self, fixed: &Kind) -> Value {
        let drawn = self.table(&DISTRIBUTION);
        json!({ "anyOf": [self.kind(fixed), drawn] })
    }

    fn table(&mut self, table: &Table) -> Value {
        self.define(table.name, |builder| {
            let mut object = builder.object(table);
            if table.name == DISTRIBUTION.name {
                object["minProperties"] = json!(1);
                object["maxProperties"] = json!(1);
            }
            object
        })
    }

    fn one_of(&mut self, name: &str) -> Value {
        let family = self.registry.family(name);
        self.define(name, |builder| {
            let mut alternatives = Vec::new();
            for choice in family.choices.iter() {
                let keys = || family.common.iter().chain(choice.keys);
                let doc = described(choice.doc, choice.source);
                if !keys().any(|key| key.default == Plain::Required) {
                    alternatives.push(json!({ "const": choice.name, "description": doc }));
                }
                let mut object = builder.properties(keys());
                object["description"] = json!(doc);
                object["properties"][family.tag] = json!({ "const": choice.name });
                require(&mut object, family.tag);
                alternatives.push(object);
            }
            json!({ "anyOf": alternatives })
        })
    }

    fn controller(&mut self, protocol: &str) -> Value {
        let drive = Drive::named(protocol).expect("keys name transports that there are");
        let name = format!("controller-of-{protocol}");
        self.define(&name, |builder| {
            let mut alternatives = Vec::new();
            let controllers = builder.registry.iter();
            for controller in controllers.filter(|it| drive.takes(it.carrier)) {
                let doc = described(controller.summary, controller.source);
                alternatives.push(json!({ "const": controller.name, "description": doc }));
                alternatives.push(builder.controller_table(controller, &doc));
            }
            json!({ "anyOf": alternatives })
        })
    }

    fn controller_table(&mut self, controller: &Controller, doc: &str) -> Value {
        let mut object = self.properties(controller.parameters.iter());
        object["description"] = json!(doc);
        object["properties"][CONTROLLER_NAME] = json!({ "const": controller.name });
        require(&mut object, CONTROLLER_NAME);
        object
    }

    /// A reference to a definition, which is made when it is needed first.
    fn define(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Value) -> Value {
        let name = name.replace(' ', "-");
        if !self.definitions.contains_key(&name) {
            self.definitions.insert(name.clone(), Value::Null);
            let made = make(self);
            self.definitions.insert(name.clone(), made);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }
}

fn bounded(kind: &str, min: f64, max: f64) -> Value {
    let mut schema = json!({ "type": kind });
    for (keyword, bound) in [("minimum", min), ("maximum", max)] {
        if bound.is_finite() {
            schema[keyword] = json!(bound);
        }
    }
    schema
}

fn require(object: &mut Value, key: &str) {
    if let Some(required) = object["required"].as_array_mut() {
        required.insert(0, json!(key));
    }
}

fn words(words: &[Word]) -> Vec<Value> {
    words
        .iter()
        .map(|word| json!({ "const": word.name, "description": described(word.doc, word.source) }))
        .collect()
}

fn described(doc: &str, source: &str) -> String {
    if source.is_empty() {
        doc.to_owned()
    } else {
        format!("{doc} Source: {source}.")
    }
}

fn quantity(units: &str) -> Value {
    json!({ "type": "string", "pattern": number_with(units) })
}

fn number_with(units: &str) -> String {
    format!(r"^\s*\+?[0-9_]*\.?[0-9_]*\s*({units})\s*$")
}

const DURATION_UNITS: &str = "ps|ns|us|µs|ms|s|min|h";
const RATE_UNITS: &str = "[kMGT]?(bps|b/s|bit/s)";
const BYTE_UNITS: &str = "B|kB|MB|GB|KiB|MiB|GiB";

/// All tables that the schema and the catalogue describe, each once, with what they are part of.
pub(crate) fn every_key(registry: &Registry, mut visit: impl FnMut(&str, &Parameter)) {
    let mut walk = Walk {
        registry,
        seen: Vec::new(),
        visit: &mut visit,
    };
    walk.table(&SCENARIO);
}

struct Walk<'a> {
    registry: &'a Registry,
    seen: Vec<&'static str>,
    visit: &'a mut dyn FnMut(&str, &Parameter),
}

impl Walk<'_> {
    fn kind(&mut self, kind: &Kind) {
        match kind {
            Kind::Table(table) => self.table(table),
            Kind::OneOf(family) => self.family(family),
            Kind::List(of) | Kind::OneOrMore(of) => self.kind(of),
            Kind::Distribution { .. } => self.table(&DISTRIBUTION),
            Kind::Seeds => self.table(&STOP_RULE),
            Kind::Delay => {
                self.table(&DISTRIBUTION);
                self.family("delay");
            }
            _ => {}
        }
    }

    fn table(&mut self, table: &Table) {
        if self.is_new(table.name) {
            self.keys(table.name, table.keys);
            if table.others.is_some() {
                self.table(&RANGE);
            }
        }
    }

    fn family(&mut self, name: &str) {
        let family = self.registry.family(name);
        if self.is_new(family.name) {
            self.keys(family.name, family.common);
            for choice in family.choices.iter() {
                self.keys(&format!("{} {}", choice.name, family.name), choice.keys);
            }
        }
    }

    fn keys(&mut self, place: &str, keys: &[Parameter]) {
        for key in keys {
            (self.visit)(place, key);
            self.kind(&key.kind);
        }
    }

    fn is_new(&mut self, name: &'static str) -> bool {
        let new = !self.seen.contains(&name);
        self.seen.push(name);
        new
    }
}
