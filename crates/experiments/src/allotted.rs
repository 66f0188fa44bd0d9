//! Goodput and fairness slot by slot, and how often an application gets what it wants.
//!
//! Follows Zhang and Tsaoussidis, The Interrelation of TCP Responsiveness and Smoothness, §4.2:
//! *allotted system goodput* and *allotted fairness* are system goodput and the goodput fairness
//! index within one second; *x % application success* is the part of all attempts to read a slot's
//! data that found more than x % of it.
//!
//! The paper does not say whose goodputs make the fairness of a slot in which flows come or go.
//! Here: those of the flows that are active in the whole slot.

use units::Duration;

use crate::metrics;
use crate::scenario::Record;

/// Length of a slot.
pub const SLOT: Duration = Duration::from_secs(1);

/// Whether the samples of `record` make whole slots.
pub fn has_slots(record: Record) -> bool {
    record
        .every
        .is_some_and(|every| !every.is_zero() && SLOT.as_picos().is_multiple_of(every.as_picos()))
}

/// What a flow was allotted.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowSlots {
    /// When it began, in seconds.
    pub start_s: f64,
    /// When it stopped or was complete, in seconds; infinite if it did neither.
    pub end_s: f64,
    /// Its goodput in each slot, from the beginning of the run.
    pub goodput_bps: Vec<f64>,
}

/// A slot of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slot {
    /// When it ends, in seconds.
    pub end_s: f64,
    /// Allotted system goodput: what all flows got together.
    pub system_goodput_bps: f64,
    /// Allotted fairness: Jain's index over the flows that are active in the whole slot; none
    /// where they got nothing.
    pub fairness: Option<f64>,
}

/// The slots that all of `flows` have.
pub fn slots(flows: &[FlowSlots]) -> Vec<Slot> {
    let count = flows.iter().map(|flow| flow.goodput_bps.len()).min();
    let slot_s = SLOT.as_secs_f64();
    let slot = |index: usize| {
        let (begin_s, end_s) = (index as f64 * slot_s, (index + 1) as f64 * slot_s);
        let active = flows
            .iter()
            .filter(|flow| flow.start_s <= begin_s && flow.end_s >= end_s);
        let shares: Vec<f64> = active.map(|flow| flow.goodput_bps[index]).collect();
        Slot {
            end_s,
            system_goodput_bps: flows.iter().map(|flow| flow.goodput_bps[index]).sum(),
            fairness: metrics::jain(&shares),
        }
    };
    (0..count.unwrap_or(0)).map(slot).collect()
}

/// x % application success: of all slots, how many per cent brought more than `percent` per cent
/// of `target`, in the unit of `allotted`; none without slots.
pub fn application_success(allotted: &[f64], target: f64, percent: f64) -> Option<f64> {
    let enough = |got: &&f64| **got > percent / 100.0 * target;
    let successes = allotted.iter().filter(enough).count();
    (!allotted.is_empty()).then(|| 100.0 * successes as f64 / allotted.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(start_s: f64, end_s: f64, goodput_bps: &[f64]) -> FlowSlots {
        FlowSlots {
            start_s,
            end_s,
            goodput_bps: goodput_bps.to_vec(),
        }
    }

    /// Slot 1: 3 + 1 + 2 = 6; of the first two, (3 + 1)² / (2 × (9 + 1)) = 0.8: the third begins at
    /// 0.5 s. Slot 2: 2 + 1 + 1 = 4; of all, 16 / (3 × 6) = 0.8889. Slot 3: 0 + 2 + 2 = 4; the first
    /// ends at 2.5 s, the others are equal.
    #[test]
    fn slots_add_up_all_flows_and_compare_those_there_all_the_time() {
        let flows = [
            flow(0.0, 2.5, &[3.0, 2.0, 0.0]),
            flow(0.0, f64::INFINITY, &[1.0, 1.0, 2.0]),
            flow(0.5, f64::INFINITY, &[2.0, 1.0, 2.0]),
        ];
        let slots = slots(&flows);
        let goodputs: Vec<_> = slots.iter().map(|slot| slot.system_goodput_bps).collect();
        assert_eq!(goodputs, [6.0, 4.0, 4.0]);
        let fairness: Vec<_> = slots.iter().filter_map(|slot| slot.fairness).collect();
        assert_eq!(fairness, [0.8, 16.0 / 18.0, 1.0]);
        assert_eq!(slots[2].end_s, 3.0);
    }

    #[test]
    fn samples_make_slots_where_a_second_is_a_whole_multiple() {
        for (millis, whole) in [(1_000, true), (100, true), (300, false), (2_000, false)] {
            let every = Some(Duration::from_millis(millis));
            let events = false;
            assert_eq!(has_slots(Record { every, events }), whole, "{millis} ms");
        }
    }

    #[test]
    fn nobody_there_all_the_time_leaves_no_fairness() {
        assert_eq!(slots(&[flow(0.5, 9.0, &[1.0])])[0].fairness, None);
        assert!(slots(&[]).is_empty());
    }

    /// Of 0.7, 0.71, 1 and 0 of the target, two are more than 70 %, three more than 50 %.
    #[test]
    fn success_needs_more_than_x_per_cent() {
        let allotted = [700.0, 710.0, 1_000.0, 0.0];
        assert_eq!(application_success(&allotted, 1_000.0, 70.0), Some(50.0));
        assert_eq!(application_success(&allotted, 1_000.0, 50.0), Some(75.0));
        assert_eq!(application_success(&[], 1.0, 70.0), None);
    }
}
