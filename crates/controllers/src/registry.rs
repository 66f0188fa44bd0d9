//! Controllers by name.

use std::collections::BTreeMap;
use std::fmt;

use units::Ecn;

use crate::parameters::Given;
use crate::{
    CongestionController, Parameter, ParameterError, Parameters, Setup, binomial, cubic, gaimd,
    highspeed, htcp, hybla, illinois, reno, rtt_based, scalable, smooth, tfrc, tfwc, vegas,
    westwood,
};

/// An algorithm that can be chosen by name.
#[derive(Clone, Copy)]
pub struct Controller {
    /// Its name in scenario files.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The one specification it follows.
    pub source: &'static str,
    /// What kind of transport can drive it.
    pub carrier: Carrier,
    /// What the transport does for it, and what not.
    pub properties: Properties,
    /// Its parameters and their published defaults.
    pub parameters: &'static [Parameter],
    /// Makes one for a connection: a function, or a closure that knows more than the two.
    pub build: &'static Build,
}

/// Makes a controller for a connection.
pub type Build = dyn Fn(&Parameters, &Setup) -> Box<dyn CongestionController> + Send + Sync;

impl fmt::Debug for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller")
            .field("name", &self.name)
            .field("carrier", &self.carrier)
            .field("parameters", &self.parameters)
            .finish_non_exhaustive()
    }
}

/// What a controller needs of the transport that drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A window, whatever happens to lost packets: TCP, QUIC, datagrams.
    Window,
    /// A window over datagrams that are never sent again, so that each lost packet is told of by
    /// itself: TFWC.
    Datagrams,
    /// Packets at its rate, and a receiver that reports the loss event rate: TFRC.
    Rate,
}

/// What a transport does for a controller, and what it leaves to it. These never change, so that a
/// transport can leave out at the start what nobody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties")]
pub struct Properties {
    /// What data packets carry where ECN is agreed on: ECT(0), ECT(1) (RFC 9331), or nothing.
    pub codepoint: Ecn,
    /// Marks reach it as [`Ack::ecn_ce`](crate::Ack::ecn_ce) only: the transport makes no
    /// [`EcnEcho`](crate::Signal::EcnEcho) of them and does not hold growth for them.
    pub handles_ce: bool,
    /// What leaves during a recovery is its business too: the transport does not inflate the
    /// window by duplicate ACKs.
    pub own_recovery: bool,
    /// It gives a rate.
    pub paced: bool,
    /// It reads [`Ack::delivered`](crate::Ack::delivered) or
    /// [`Congestion::sent`](crate::Congestion::sent). The transport measures for it alone.
    pub rate_samples: bool,
    /// It reads [`on_arrivals`](crate::CongestionController::on_arrivals).
    pub arrivals: bool,
}

impl Properties {
    /// A window law on RFC 3168's ECN.
    pub const WINDOW: Self = Self {
        codepoint: Ecn::Ect0,
        handles_ce: false,
        own_recovery: false,
        paced: false,
        rate_samples: false,
        arrivals: false,
    };
    /// A law that gives a rate.
    pub const RATE: Self = Self {
        paced: true,
        ..Self::WINDOW
    };
}

impl Default for Properties {
    fn default() -> Self {
        Self::WINDOW
    }
}

/// The controllers that a program knows. A user's own are added with [`register`](Self::register).
#[derive(Clone, Debug)]
pub struct Registry(BTreeMap<&'static str, Controller>);

impl Registry {
    /// The controllers of this crate.
    pub fn standard() -> Self {
        let mut registry = Self(BTreeMap::new());
        for controller in [
            reno::CONTROLLER,
            binomial::CONTROLLER,
            cubic::CONTROLLER,
            gaimd::CONTROLLER,
            highspeed::CONTROLLER,
            htcp::CONTROLLER,
            hybla::CONTROLLER,
            illinois::CONTROLLER,
            rtt_based::CONTROLLER,
            scalable::CONTROLLER,
            smooth::CONTROLLER,
            tfrc::CONTROLLER,
            tfwc::CONTROLLER,
            vegas::CONTROLLER,
            westwood::CONTROLLER,
        ] {
            registry.register(controller);
        }
        registry
    }

    /// Adds a controller; one of the same name is replaced and returned.
    pub fn register(&mut self, controller: Controller) -> Option<Controller> {
        self.0.insert(controller.name, controller)
    }

    /// All controllers, in order of name.
    pub fn iter(&self) -> impl Iterator<Item = &Controller> {
        self.0.values()
    }

    /// The controller of that name.
    pub fn get(&self, name: &str) -> Result<&Controller, ParameterError> {
        self.0
            .get(name)
            .ok_or_else(|| ParameterError::UnknownController {
                name: name.to_owned(),
            })
    }
}

impl Controller {
    /// Checks what a file gives and fills in the defaults.
    pub fn resolve(&self, given: &BTreeMap<String, Given>) -> Result<Parameters, ParameterError> {
        Parameters::resolve(self.parameters, given)
            .map_err(|error| ParameterError::of(self.name, error))
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::standard()
    }
}
