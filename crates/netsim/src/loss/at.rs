//! Forced losses: the first packet from each of given times on.

use units::Time;

use super::{Flows, LossModel, Offered};

/// Loses the first packet at or after each time. Where several times pass before the next packet,
/// it is the first after each of them and the only one lost.
#[derive(Clone, Debug)]
pub struct At {
    /// In increasing order.
    times: Vec<Time>,
    scope: Scope,
    flows: Flows,
    /// For each flow, or for all together at index 0: how many of the times have had their loss.
    passed: Vec<usize>,
}

/// Whose first packet is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The first packet of any of the flows.
    AnyFlow,
    /// The first packet of each of the flows.
    EachFlow,
}

impl At {
    /// Loses the first packet of `flows` from each of `times` on. Their order does not matter.
    pub fn new(mut times: Vec<Time>, scope: Scope, flows: Flows) -> Self {
        times.sort_unstable();
        Self {
            times,
            scope,
            flows,
            passed: vec![0],
        }
    }
}

impl LossModel for At {
    fn loses(&mut self, packet: &Offered) -> bool {
        if !self.flows.contain(packet.flow) {
            return false;
        }
        let index = match self.scope {
            Scope::AnyFlow => 0,
            Scope::EachFlow => packet.flow as usize,
        };
        if index >= self.passed.len() {
            self.passed.resize(index + 1, 0);
        }
        let passed = &mut self.passed[index];
        let due = self.times[*passed..]
            .iter()
            .take_while(|time| **time <= packet.now)
            .count();
        *passed += due;
        due > 0
    }
}

#[cfg(test)]
mod tests {
    use units::Duration;

    use super::*;
    use crate::loss::tests::{losses, packet};

    fn ms(millis: u64) -> Time {
        Time::ZERO + Duration::from_millis(millis)
    }

    #[test]
    fn the_first_packet_from_each_time_on_is_lost() {
        // Packet n comes at n ms. 3 ms: packet 3 itself; 5.5 ms: packet 6.
        let half = ms(5) + Duration::from_micros(500);
        let mut model = At::new(vec![half, ms(3)], Scope::AnyFlow, Flows::All);
        assert_eq!(losses(&mut model, 10), [3, 6]);
    }

    #[test]
    fn times_without_a_packet_between_them_cost_one_packet() {
        let near = ms(5) + Duration::from_micros(1);
        let nearer = ms(5) + Duration::from_micros(2);
        let mut model = At::new(vec![near, nearer, ms(8)], Scope::AnyFlow, Flows::All);
        assert_eq!(losses(&mut model, 10), [6, 8]);
    }

    #[test]
    fn each_flow_loses_its_own_first_packet() {
        // Flows 0, 1, 2 take turns, packet n at n ms: from 4 ms on, flow 1 (packet 4), flow 2 (5)
        // and flow 0 (6); from 8 ms on, flow 2 (8), flow 0 (9) and flow 1 (10).
        let mut model = At::new(vec![ms(4), ms(8)], Scope::EachFlow, Flows::All);
        let lost: Vec<u64> = (0..20)
            .filter(|number| model.loses(&packet(*number, (*number % 3) as u32)))
            .collect();
        assert_eq!(lost, [4, 5, 6, 8, 9, 10]);
    }

    #[test]
    fn other_flows_are_left_alone() {
        // As above, but of flow 2 alone: packets 5 and 8.
        for scope in [Scope::AnyFlow, Scope::EachFlow] {
            let mut model = At::new(vec![ms(4), ms(8)], scope, Flows::Only(2..3));
            let lost: Vec<u64> = (0..20)
                .filter(|number| model.loses(&packet(*number, (*number % 3) as u32)))
                .collect();
            assert_eq!(lost, [5, 8]);
        }
    }
}
