//! A congestion controller of one's own.

pub mod my_controller;

use ackclock::experiments::Registry;

/// What scenario files can choose from: all that comes with ackclock, and what is here.
pub fn registry() -> Registry {
    let mut registry = Registry::standard();
    registry.register(my_controller::CONTROLLER);
    registry
}
