//! Endpoints of a program's own, handed to a run.

use std::collections::BTreeMap;
use std::fmt;

use transport::endpoint::Endpoint;

use crate::scenario::FlowGroup;
use crate::summary::Summary;

/// Endpoints for groups of flows, by label: they take the place of those of the protocol that the
/// scenario names. Applications, access links and what is measured stay the scenario's.
#[derive(Default)]
pub struct Endpoints<'a>(BTreeMap<String, Handed<'a>>);

/// Endpoints for one group.
struct Handed<'a> {
    protocol: String,
    make: Box<dyn Fn(&Place<'_>) -> Ends + 'a>,
}

/// The flow that endpoints are made for.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Its group.
    pub group: &'a FlowGroup,
    /// Its number in the group.
    pub index: u32,
    /// For the endpoints' own randomness: another for each flow, the same in each run with the
    /// scenario's seed.
    pub seed: u64,
}

/// The two ends of a flow.
#[derive(Debug)]
pub struct Ends {
    /// The end whose application sends. It is started and supplied.
    pub sender: Box<dyn Endpoint>,
    /// The other end. All that it sends counts as acknowledgements.
    pub receiver: Box<dyn Endpoint>,
}

impl<'a> Endpoints<'a> {
    /// The flows labelled `label` get the ends that `make` makes; in the summary their protocol is
    /// `protocol`.
    pub fn hand(
        &mut self,
        label: impl Into<String>,
        protocol: impl Into<String>,
        make: impl Fn(&Place<'_>) -> Ends + 'a,
    ) {
        let handed = Handed {
            protocol: protocol.into(),
            make: Box::new(make),
        };
        self.0.insert(label.into(), handed);
    }

    /// The ends of a flow, if its group has its own.
    pub(super) fn make(&self, place: &Place<'_>) -> Option<Ends> {
        let handed = self.0.get(&place.group.label)?;
        Some((handed.make)(place))
    }

    /// Writes what the protocols are called.
    pub(super) fn name_protocols(&self, summary: &mut Summary) {
        for flow in &mut summary.flows {
            if let Some(handed) = self.0.get(&flow.label) {
                handed.protocol.clone_into(&mut flow.protocol);
            }
        }
    }
}

impl fmt::Debug for Endpoints<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self
            .0
            .iter()
            .map(|(label, handed)| (label, &handed.protocol));
        f.debug_map().entries(named).finish()
    }
}
