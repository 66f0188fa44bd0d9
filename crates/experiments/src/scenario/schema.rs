//! The JSON Schema of scenario files, from the tables of keys and the controllers there are.

use controllers::{Controller, Registry};
use serde_json::{Map, Value, json};

use super::document::{Node, Value as Toml};
use super::keys::{
    self, CONTROLLER_NAME, DELAY, DISTRIBUTION, Default, Drive, Key, Kind, Least, RANGE,
    RED_WEIGHTS, SCENARIO, SEEDS, STOP_RULE, Table, Tagged, Word,
};

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
    fn object(&mut self, table: &'static Table) -> Value {
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

    fn properties<'k>(&mut self, keys: impl Iterator<Item = &'k Key>) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for key in keys {
            properties.insert(key.name.to_owned(), self.property(key));
            if matches!(key.default, Default::Required) {
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

    fn property(&mut self, key: &Key) -> Value {
        let mut schema = self.kind(&key.kind);
        // Beside a reference, keywords are allowed since draft 2019-09.
        let description = match key.default {
            Default::Otherwise(text) => format!("{} Without it: {text}.", key.doc),
            _ => key.doc.to_owned(),
        };
        schema["description"] = json!(description);
        if let Default::Is(text) = key.default {
            schema["default"] = to_json(&Toml::parse_default(text));
        }
        schema
    }

    fn kind(&mut self, kind: &Kind) -> Value {
        match kind {
            Kind::Text => json!({ "type": "string" }),
            Kind::Name => json!({
                "type": "string",
                "minLength": 1,
                "maxLength": 64,
                "pattern": r#"^[^"\\\u0000-\u001F\u007F-\u009F]*$"#,
            }),
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Integer { min, max } => {
                json!({ "type": "integer", "minimum": min, "maximum": max })
            }
            Kind::Number { min, max } => {
                json!({ "type": "number", "minimum": min, "maximum": max })
            }
            Kind::Duration(_) => quantity(DURATION_UNITS),
            Kind::Rate => quantity(RATE_UNITS),
            Kind::RateOrUnlimited => or_word(&quantity(RATE_UNITS), "unlimited"),
            Kind::Bytes { .. } => quantity(BYTE_UNITS),
            Kind::Limit => or_word(
                &quantity(&format!("packets?|BDP|{BYTE_UNITS}")),
                "unlimited",
            ),
            Kind::Packets => quantity("packets?"),
            Kind::Window => quantity(&format!("packets?|{BYTE_UNITS}")),
            Kind::WindowOrUnlimited => {
                or_word(&quantity(&format!("packets?|{BYTE_UNITS}")), "unlimited")
            }
            Kind::Threshold => or_word(&quantity("packets?"), "auto"),
            Kind::Weight => json!({ "anyOf": [
                { "type": "number", "exclusiveMinimum": 0, "maximum": 1 },
                { "oneOf": words(RED_WEIGHTS) },
            ] }),
            Kind::Percent => quantity("%"),
            Kind::Seeds => json!({ "anyOf": [self.kind(&SEEDS), self.table(&STOP_RULE)] }),
            Kind::Quantity => json!({ "type": ["number", "string"] }),
            Kind::Choice(allowed) => json!({ "oneOf": words(allowed) }),
            Kind::Distribution(least, _) => self.distribution(*least),
            Kind::Delay => {
                let fixed = self.distribution(Least::Zero);
                json!({ "anyOf": [fixed, self.tagged(&DELAY)] })
            }
            Kind::Controller(drive) => self.controller(*drive),
            Kind::Table(table) => self.table(table),
            Kind::Tagged(tagged) => self.tagged(tagged),
            Kind::List(of) => json!({ "type": "array", "items": self.kind(of) }),
            Kind::OneOrMore(of) => {
                let one = self.kind(of);
                json!({ "anyOf": [one, { "type": "array", "items": one }] })
            }
        }
    }

    fn distribution(&mut self, least: Least) -> Value {
        let drawn = self.table(&DISTRIBUTION);
        json!({ "anyOf": [self.kind(&Kind::Duration(least)), drawn] })
    }

    fn table(&mut self, table: &'static Table) -> Value {
        self.define(table.name, |builder| {
            let mut object = builder.object(table);
            if table.name == DISTRIBUTION.name {
                object["minProperties"] = json!(1);
                object["maxProperties"] = json!(1);
            }
            object
        })
    }

    fn tagged(&mut self, tagged: &'static Tagged) -> Value {
        self.define(tagged.name, |builder| {
            let mut alternatives = Vec::new();
            for variant in tagged.variants {
                let keys = || tagged.common.iter().chain(variant.keys);
                let doc = described(variant.doc, variant.source);
                if !keys().any(|key| matches!(key.default, Default::Required)) {
                    alternatives.push(json!({ "const": variant.name, "description": doc }));
                }
                let mut object = builder.properties(keys());
                object["description"] = json!(doc);
                object["properties"][tagged.tag] = json!({ "const": variant.name });
                require(&mut object, tagged.tag);
                alternatives.push(object);
            }
            json!({ "anyOf": alternatives })
        })
    }

    fn controller(&mut self, drive: Drive) -> Value {
        let name = format!("controller-of-{}", drive.protocol());
        self.define(&name, |builder| {
            let mut alternatives = Vec::new();
            let controllers = builder.registry.iter();
            for controller in controllers.filter(|it| drive.takes(it.carrier)) {
                let doc = described(controller.summary, controller.source);
                alternatives.push(json!({ "const": controller.name, "description": doc }));
                alternatives.push(controller_table(controller, &doc));
            }
            json!({ "anyOf": alternatives })
        })
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

fn controller_table(controller: &Controller, doc: &str) -> Value {
    let mut properties = Map::new();
    properties.insert(
        CONTROLLER_NAME.to_owned(),
        json!({ "const": controller.name }),
    );
    for parameter in controller.parameters {
        let mut schema = match parameter.kind {
            controllers::Kind::Number { min, max } => bounded("number", min, max),
            controllers::Kind::Integer { min, max } => {
                json!({ "type": "integer", "minimum": min, "maximum": max })
            }
            controllers::Kind::Duration => quantity(DURATION_UNITS),
            controllers::Kind::Flag => json!({ "type": "boolean" }),
            controllers::Kind::Choice(words) => json!({ "enum": words }),
        };
        let unit = match parameter.unit {
            "" => String::new(),
            unit => format!(" In {unit}."),
        };
        schema["description"] = json!(format!("{}{unit}", parameter.doc));
        let default = match parameter.default {
            controllers::Value::Number(number) if number.is_finite() => Some(json!(number)),
            controllers::Value::Integer(number) => Some(json!(number)),
            controllers::Value::Duration(length) => Some(json!(length.to_string())),
            controllers::Value::Flag(flag) => Some(json!(flag)),
            controllers::Value::Choice(word) => Some(json!(word)),
            controllers::Value::Number(_) | controllers::Value::Derived => None,
        };
        if let Some(default) = default {
            schema["default"] = default;
        }
        properties.insert(parameter.name.to_owned(), schema);
    }
    json!({
        "type": "object",
        "description": doc,
        "properties": properties,
        "required": [CONTROLLER_NAME],
        "additionalProperties": false,
    })
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

fn or_word(schema: &Value, word: &str) -> Value {
    json!({ "anyOf": [schema, { "const": word }] })
}

fn to_json(value: &Toml) -> Value {
    match &value.node {
        Node::Text(text) | Node::Date(text) => json!(text),
        Node::Integer(integer) => json!(integer),
        Node::Number(number) => json!(number),
        Node::Flag(flag) => json!(flag),
        Node::List(items) => items.iter().map(to_json).collect(),
        Node::Table(table) => Value::Object(
            table
                .0
                .iter()
                .map(|entry| (entry.key.clone(), to_json(&entry.value)))
                .collect(),
        ),
    }
}

const DURATION_UNITS: &str = "ps|ns|us|µs|ms|s|min|h";
const RATE_UNITS: &str = "bps|kbps|Mbps|Gbps|Tbps";
const BYTE_UNITS: &str = "B|kB|MB|GB|KiB|MiB|GiB";

/// All tables that the schema and the catalogue describe, each once, with what they are part of.
pub(crate) fn every_key(mut visit: impl FnMut(&str, &'static Key)) {
    let mut seen = Vec::new();
    walk(&Kind::Table(&SCENARIO), &mut seen, &mut visit);
}

fn walk(kind: &Kind, seen: &mut Vec<&'static str>, visit: &mut impl FnMut(&str, &'static Key)) {
    let mut keys = |place: &str, keys: &'static [Key], seen: &mut Vec<&'static str>| {
        for key in keys {
            visit(place, key);
            walk(&key.kind, seen, visit);
        }
    };
    match kind {
        Kind::Table(table) if !seen.contains(&table.name) => {
            seen.push(table.name);
            keys(table.name, table.keys, seen);
            if table.others.is_some() {
                walk(&Kind::Table(&RANGE), seen, visit);
            }
        }
        Kind::Tagged(tagged) if !seen.contains(&tagged.name) => {
            seen.push(tagged.name);
            keys(tagged.name, tagged.common, seen);
            for variant in tagged.variants {
                keys(
                    &format!("{} {}", variant.name, tagged.name),
                    variant.keys,
                    seen,
                );
            }
        }
        Kind::List(of) | Kind::OneOrMore(of) => walk(of, seen, visit),
        Kind::Distribution(..) => walk(&Kind::Table(&DISTRIBUTION), seen, visit),
        Kind::Seeds => walk(&Kind::Table(&STOP_RULE), seen, visit),
        Kind::Delay => {
            walk(&Kind::Table(&DISTRIBUTION), seen, visit);
            walk(&Kind::Tagged(&keys::DELAY), seen, visit);
        }
        _ => {}
    }
}
