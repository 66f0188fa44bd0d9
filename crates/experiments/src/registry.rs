//! What scenario files can choose from: what comes with the project, and what a program adds.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use netsim::queues::Discipline;
use netsim::{delay, loss, queues};
use units::choice::{Choice, Kind, Parameter};

use crate::scenario::Described;
use crate::scenario::keys::{APPLICATION, FLOW, Family, TOPOLOGY};

/// The controllers, queues, loss and delay models that a program knows.
///
/// [`controllers::Registry`] is part of it and reached through it: `registry.register(CONTROLLER)`
/// adds a controller, as [`register_queue`](Self::register_queue) and its like add models.
#[derive(Clone, Debug)]
pub struct Registry {
    controllers: controllers::Registry,
    queues: Vec<Discipline>,
    losses: Vec<loss::Model>,
    delays: Vec<delay::Process>,
}

impl Registry {
    /// What comes with the project.
    pub fn standard() -> Self {
        Self {
            controllers: controllers::Registry::standard(),
            queues: queues::STANDARD.to_vec(),
            losses: loss::STANDARD.to_vec(),
            delays: delay::STANDARD.to_vec(),
        }
    }

    /// Adds a queue discipline, in place of one of the same name.
    pub fn register_queue(&mut self, queue: Discipline) {
        put(&mut self.queues, queue);
    }

    /// Adds a loss model, in place of one of the same name.
    pub fn register_loss(&mut self, model: loss::Model) {
        put(&mut self.losses, model);
    }

    /// Adds a delay model, in place of one of the same name.
    pub fn register_delay(&mut self, process: delay::Process) {
        put(&mut self.delays, process);
    }

    pub(crate) fn queues(&self) -> &[Discipline] {
        &self.queues
    }

    pub(crate) fn losses(&self) -> &[loss::Model] {
        &self.losses
    }

    pub(crate) fn delays(&self) -> &[delay::Process] {
        &self.delays
    }

    /// All that can stand where a key's kind is [`Kind::OneOf`] of this name.
    ///
    /// # Panics
    /// When nothing has that name.
    pub(crate) fn family(&self, name: &str) -> Family {
        fn of<T>(
            name: &'static str,
            common: &'static [Parameter],
            models: &[T],
            about: fn(&T) -> Choice,
        ) -> Family {
            Family {
                name,
                tag: "kind",
                choices: Cow::Owned(models.iter().map(about).collect()),
                common,
            }
        }
        match name {
            "queue" => of("queue", queues::COMMON, &self.queues, |it| it.about),
            "loss" => of("loss", loss::COMMON, &self.losses, |it| it.about),
            "delay" => of("delay", &[], &self.delays, |it| it.about),
            _ => [TOPOLOGY, FLOW, APPLICATION]
                .into_iter()
                .find(|family| family.name == name)
                .unwrap_or_else(|| panic!("nothing is registered as {name}")),
        }
    }

    /// Type and bounds of a value in words.
    pub(crate) fn describe(&self, kind: &Kind) -> String {
        match kind {
            Kind::OneOf(family) => {
                let family = self.family(family);
                let names = family.choices.iter().map(|choice| choice.name);
                let names: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
                format!("a table with {} = {}", family.tag, names.join(" or "))
            }
            Kind::List(of) => format!("a list, each of it {}", self.describe(of)),
            Kind::OneOrMore(of) => format!("{}, or a list of such", self.describe(of)),
            other => other.to_string(),
        }
    }
}

fn put<T: Described>(all: &mut Vec<T>, new: T) {
    match all
        .iter_mut()
        .find(|old| old.about().name == new.about().name)
    {
        Some(old) => *old = new,
        None => all.push(new),
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::standard()
    }
}

impl Deref for Registry {
    type Target = controllers::Registry;

    fn deref(&self) -> &Self::Target {
        &self.controllers
    }
}

impl DerefMut for Registry {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.controllers
    }
}
