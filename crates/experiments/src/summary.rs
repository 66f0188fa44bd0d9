//! What a run amounts to, as `ackclock run --json` prints it.
//!
//! Counts are over the whole run; rates, means and indices over the time after `warmup`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::metrics::Percentiles;

/// The results of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Version of the program.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Seed of the random streams.
    pub seed: u64,
    /// Simulated time.
    pub duration_s: f64,
    /// Time at the start that is left out of rates, means and indices.
    pub warmup_s: f64,
    /// Events that the simulator worked off.
    pub events: u64,
    /// Data packets sent by all flows.
    pub packets_sent: u64,
    /// Data packets that a link made a second copy of.
    pub duplicated: u64,
    /// Data packets that reached their receivers.
    pub packets_delivered: u64,
    /// Data packets that queues refused.
    pub drops: u64,
    /// Data packets that loss models took.
    pub lost: u64,
    /// Data packets on their way when the run ended.
    pub in_flight: u64,
    /// System goodput: the sum of the goodputs of all flows.
    pub goodput_bps: f64,
    /// Goodput fairness index: Jain's index over the goodputs of all flows.
    pub jain: Option<f64>,
    /// Where there are two groups: the first one's part of their throughput.
    pub theta: Option<f64>,
    /// Goodput and fairness second by second; needs `[record] every` of which a second is a whole
    /// multiple.
    pub allotted: Option<AllottedSummary>,
    /// The round trips that all flows measured after the warm-up.
    pub rtt_ms: Option<Percentiles>,
    /// What these round trips were above the least one that their flow had seen by then: the time
    /// in queues, as senders see it. Where the path itself changes, that is in it too.
    pub queueing_delay_ms: Option<Percentiles>,
    /// Groups of flows.
    pub groups: Vec<GroupSummary>,
    /// Single flows.
    pub flows: Vec<FlowSummary>,
    /// Links of the topology, and those access links that were given a queue limit or a loss
    /// model.
    pub links: Vec<LinkSummary>,
}

/// Goodput and fairness within slots of a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AllottedSummary {
    /// Length of a slot.
    pub slot_s: f64,
    /// Allotted system goodput of each slot, from the beginning of the run.
    pub system_goodput_bps: Vec<f64>,
    /// Allotted fairness of each slot, from the beginning of the run: Jain's index over the flows
    /// that are active in the whole slot.
    pub fairness: Vec<Option<f64>>,
    /// Standard deviation of the allotted system goodput after the warm-up.
    pub system_goodput_sd_bps: Option<f64>,
    /// Least allotted system goodput after the warm-up.
    pub system_goodput_min_bps: Option<f64>,
    /// Mean allotted fairness after the warm-up.
    pub fairness_mean: Option<f64>,
    /// Least allotted fairness after the warm-up.
    pub fairness_min: Option<f64>,
}

/// A group of flows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupSummary {
    /// Its label.
    pub label: String,
    /// Number of flows.
    pub flows: u64,
    /// Sum of the goodputs; of all flows of a protocol: its aggregated protocol goodput.
    pub goodput_bps: f64,
    /// Sum of the throughputs.
    pub throughput_bps: f64,
    /// Jain's index over the goodputs of the group.
    pub jain: Option<f64>,
    /// The round trips that its flows measured after the warm-up.
    pub rtt_ms: Option<Percentiles>,
    /// What these round trips were above the least one that their flow had seen by then.
    pub queueing_delay_ms: Option<Percentiles>,
    /// For finite transfers: from start to completion, of those that are complete.
    pub completion_s: Option<Completion>,
    /// For applications that play back, the x % application success: how many per cent of all
    /// reads of all flows found more than 10, 20, … 90 % of the buffer newly arrived.
    pub application_success_percent: Option<Vec<f64>>,
}

/// How long transfers took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Completion {
    /// The mean.
    pub mean: f64,
    /// Median and the worse cases.
    #[serde(flatten)]
    pub percentiles: Percentiles,
}

/// One flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlowSummary {
    /// Label of its group.
    pub label: String,
    /// Number within the group, from 0.
    pub index: u64,
    /// Protocol.
    pub protocol: String,
    /// Controller, if the protocol has one.
    pub controller: Option<String>,
    /// When it started.
    pub start_s: f64,
    /// When a finite transfer was acknowledged in full.
    pub completed_s: Option<f64>,
    /// New payload at the receiver, in order.
    pub goodput_bps: f64,
    /// All data sent onto the path, headers and retransmissions included.
    pub throughput_bps: f64,
    /// Payload delivered in order over the whole run.
    pub bytes_delivered: u64,
    /// Data packets sent, retransmissions included.
    pub packets_sent: u64,
    /// Data packets that reached the receiver, duplicates included.
    pub packets_delivered: u64,
    /// Data packets that queues refused.
    pub drops: u64,
    /// Data packets that loss models took.
    pub lost: u64,
    /// Data packets on their way when the run ended.
    pub in_flight: u64,
    /// Data packets that reached the receiver with a CE mark.
    pub marks: u64,
    /// Source quenches that reached the sender.
    pub source_quenches: u64,
    /// Data packets sent again.
    pub retransmits: u64,
    /// Of what was sent again, what proved needless: data packets that reached the receiver and
    /// brought nothing new, because the packet had arrived already in another copy.
    pub spurious_retransmits: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Fast retransmits.
    pub fast_retransmits: u64,
    /// Mean of the round trips measured.
    pub rtt_mean_s: Option<f64>,
    /// Their standard deviation.
    pub rtt_sd_s: Option<f64>,
    /// Smallest round trip measured, over the whole run.
    pub rtt_min_s: Option<f64>,
    /// Loss event rate p at the end of the run, where the protocol has one.
    pub loss_event_rate: Option<f64>,
    /// For an application that plays back: how many per cent of its reads found more than 70 % of
    /// its buffer newly arrived, until the transfer is complete or stopped.
    pub playback_success_percent: Option<f64>,
}

/// One link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LinkSummary {
    /// Its name.
    pub name: String,
    /// Part of the time in which the link was sending, 0 to 1.
    pub utilization: f64,
    /// Packets of all kinds that reached it.
    pub packets_in: u64,
    /// Packets that left at the far end, or will.
    pub packets_out: u64,
    /// Packets that the queue refused.
    pub drops: u64,
    /// Packets that the queue marked.
    pub marks: u64,
    /// Packets that a loss model took.
    pub lost: u64,
    /// Source quenches that it sent.
    pub source_quenches: u64,
    /// Packets refused over packets that reached it, whole run.
    pub drop_rate: f64,
    /// Mean number of waiting packets, without the one being sent.
    pub queue_mean_packets: f64,
    /// Most packets that ever waited, whole run.
    pub queue_max_packets: u64,
}
