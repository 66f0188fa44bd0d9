//! From a finished run to its summary.

use units::{Duration, Time};

use super::build::{Built, NamedLink};
use super::flow::Flow;
use super::hosts::{Delays, FlowHosts};
use super::{Outcome, Recording, RunError};
use crate::allotted::{self, FlowSlots, SLOT};
use crate::metrics::{self, Moments};
use crate::scenario::Scenario;
use crate::summary::{
    AllottedSummary, Completion, FlowSummary, GroupSummary, LinkSummary, Summary,
};

pub(super) fn summarize<const EVENTS: bool>(
    scenario: &Scenario,
    built: Built<EVENTS>,
) -> Result<Outcome, RunError> {
    let Built {
        network,
        mut hosts,
        links,
    } = built;
    let mut in_flight = vec![0_u64; hosts.flows.len()];
    let mut acks_in_flight = 0;
    network.for_each_in_flight(|packet| {
        if packet.data {
            in_flight[packet.flow as usize] += 1;
        } else {
            acks_in_flight += 1;
        }
    });
    for (flow, in_flight) in hosts.flows.iter().zip(&in_flight) {
        let counts = flow.counts;
        let accounted = counts.arrived + counts.dropped + counts.lost + in_flight;
        conserved("data packets of a flow", counts.sent, accounted)?;
    }
    let acks = hosts.acks;
    conserved(
        "acknowledgements",
        acks.sent,
        acks.arrived + acks.gone + acks_in_flight,
    )?;

    let measured_s = (scenario.duration - scenario.warmup).as_secs_f64();
    let events = network.events();
    let links = link_summaries(&network, &links, measured_s);
    drop(network); // a million flows have ten million packets on their way
    let flows: Vec<FlowSummary> = hosts
        .flows
        .iter()
        .zip(&in_flight)
        .map(|(flow, in_flight)| flow_summary(scenario, flow, *in_flight, measured_s))
        .collect();
    let groups = group_summaries(scenario, &flows, &hosts);
    let mut delays = Delays::default();
    for of_group in &hosts.delays {
        delays.rtt.merge(&of_group.rtt);
        delays.queueing.merge(&of_group.queueing);
    }
    let goodputs: Vec<f64> = flows.iter().map(|flow| flow.goodput_bps).collect();
    let theta = match &groups[..] {
        [first, second] => metrics::theta(first.throughput_bps, second.throughput_bps),
        _ => None,
    };
    let total = |count: fn(&FlowSummary) -> u64| flows.iter().map(count).sum();
    let summary = Summary {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        scenario: scenario.name.clone(),
        seed: scenario.seed,
        duration_s: scenario.duration.as_secs_f64(),
        warmup_s: scenario.warmup.as_secs_f64(),
        events,
        packets_sent: total(|flow| flow.packets_sent),
        duplicated: 0,
        packets_delivered: total(|flow| flow.packets_delivered),
        drops: total(|flow| flow.drops),
        lost: total(|flow| flow.lost),
        in_flight: total(|flow| flow.in_flight),
        goodput_bps: goodputs.iter().sum(),
        jain: metrics::jain(&goodputs),
        theta,
        allotted: allotted_summary(scenario, &flows, &hosts.recording),
        rtt_ms: delays.rtt.percentiles_ms(),
        queueing_delay_ms: delays.queueing.percentiles_ms(),
        groups,
        links,
        flows,
    };
    Ok(Outcome {
        summary,
        recording: finish_recording(&mut hosts),
    })
}

/// Links work ahead of the clock, so their events are put in order of time at the end.
fn finish_recording<const EVENTS: bool>(hosts: &mut FlowHosts<EVENTS>) -> Recording {
    let mut recording = std::mem::take(&mut hosts.recording);
    recording.events.sort_by_key(|event| event.time_ps);
    recording
}

fn conserved(what: &'static str, sent: u64, accounted: u64) -> Result<(), RunError> {
    if sent == accounted {
        return Ok(());
    }
    Err(RunError::NotConserved {
        what,
        sent,
        accounted,
    })
}

fn flow_summary(scenario: &Scenario, flow: &Flow, in_flight: u64, measured_s: f64) -> FlowSummary {
    let group = &scenario.flows[flow.group as usize];
    let rate = |bytes: u64| bytes as f64 * 8.0 / measured_s;
    let (counts, before) = (flow.counts, flow.before);
    let controller = group.protocol.controller();
    let sent = flow.sender.get().statistics().sent;
    FlowSummary {
        label: group.label.clone(),
        index: flow.index.into(),
        protocol: group.protocol_name().to_owned(),
        controller: controller.map(|choice| choice.name.to_owned()),
        start_s: flow.start.as_secs_f64(),
        completed_s: flow.completed.map(Time::as_secs_f64),
        goodput_bps: rate(counts.delivered - before.delivered),
        throughput_bps: rate(counts.bytes_sent - before.bytes_sent),
        bytes_delivered: counts.delivered,
        packets_sent: counts.sent,
        packets_delivered: counts.arrived,
        drops: counts.dropped,
        lost: counts.lost,
        in_flight,
        marks: counts.marked,
        source_quenches: counts.source_quenches,
        retransmits: sent.retransmits,
        // The network duplicates none: each was sent again.
        spurious_retransmits: flow.receiver.get().statistics().duplicates,
        timeouts: sent.timeouts,
        fast_retransmits: sent.fast_retransmits,
        rtt_mean_s: flow.rtt.mean(),
        rtt_sd_s: flow.rtt.standard_deviation(),
        rtt_min_s: (sent.rtt_samples > 0).then(|| sent.min_rtt.as_secs_f64()),
        loss_event_rate: flow.loss_event_rate(),
        playback_success_percent: flow.playback.as_ref().and_then(|playback| {
            (playback.attempts > 0)
                .then(|| 100.0 * playback.successes() as f64 / playback.attempts as f64)
        }),
    }
}

/// From the samples of the flows, where they make whole slots.
fn allotted_summary(
    scenario: &Scenario,
    flows: &[FlowSummary],
    recording: &Recording,
) -> Option<AllottedSummary> {
    let record = scenario
        .record
        .filter(|record| allotted::has_slots(*record))?;
    let every = record.every?;
    let samples_of_slot = (SLOT.as_picos() / every.as_picos()) as usize;
    let slots_of = |number: usize, flow: &FlowSummary| {
        let own = recording.flows.iter().skip(number).step_by(flows.len());
        let goodputs: Vec<f64> = own.map(|sample| sample.goodput_bps).collect();
        let slots = goodputs.chunks_exact(samples_of_slot);
        let group = scenario
            .flows
            .iter()
            .find(|group| group.label == flow.label);
        let stop_s = group
            .and_then(|group| group.stop)
            .map(Duration::as_secs_f64);
        let ends = [stop_s, flow.completed_s].into_iter().flatten();
        FlowSlots {
            start_s: flow.start_s,
            end_s: ends.fold(f64::INFINITY, f64::min),
            goodput_bps: slots
                .map(|slot| slot.iter().sum::<f64>() / samples_of_slot as f64)
                .collect(),
        }
    };
    let flows: Vec<FlowSlots> = (0..)
        .zip(flows)
        .map(|(n, flow)| slots_of(n, flow))
        .collect();
    let slots = allotted::slots(&flows);
    let warmup_s = scenario.warmup.as_secs_f64();
    let measured = slots
        .iter()
        .filter(|slot| slot.end_s - SLOT.as_secs_f64() >= warmup_s);
    let (mut goodput, mut fairness) = (Moments::default(), Moments::default());
    let mut least: (Option<f64>, Option<f64>) = (None, None);
    for slot in measured {
        let least_of = |old: Option<f64>, new: f64| Some(old.map_or(new, |old| old.min(new)));
        goodput.add(slot.system_goodput_bps);
        least.0 = least_of(least.0, slot.system_goodput_bps);
        if let Some(index) = slot.fairness {
            fairness.add(index);
            least.1 = least_of(least.1, index);
        }
    }
    Some(AllottedSummary {
        slot_s: SLOT.as_secs_f64(),
        system_goodput_bps: slots.iter().map(|slot| slot.system_goodput_bps).collect(),
        fairness: slots.iter().map(|slot| slot.fairness).collect(),
        system_goodput_sd_bps: goodput.standard_deviation(),
        system_goodput_min_bps: least.0,
        fairness_mean: fairness.mean(),
        fairness_min: least.1,
    })
}

fn group_summaries<const EVENTS: bool>(
    scenario: &Scenario,
    flows: &[FlowSummary],
    hosts: &FlowHosts<EVENTS>,
) -> Vec<GroupSummary> {
    let mut rest = flows;
    let mut all_players = &hosts.flows[..];
    scenario
        .flows
        .iter()
        .zip(&hosts.delays)
        .map(|(group, delays)| {
            let (members, others) = rest.split_at(group.count as usize);
            rest = others;
            let (players, others) = all_players.split_at(group.count as usize);
            all_players = others;
            let goodputs: Vec<f64> = members.iter().map(|flow| flow.goodput_bps).collect();
            GroupSummary {
                label: group.label.clone(),
                flows: group.count.into(),
                goodput_bps: goodputs.iter().sum(),
                throughput_bps: members.iter().map(|flow| flow.throughput_bps).sum(),
                jain: metrics::jain(&goodputs),
                rtt_ms: delays.rtt.percentiles_ms(),
                queueing_delay_ms: delays.queueing.percentiles_ms(),
                completion_s: completion(members),
                application_success_percent: application_success(players),
            }
        })
        .collect()
}

/// How long those of these flows took that are complete.
fn completion(flows: &[FlowSummary]) -> Option<Completion> {
    let complete = flows.iter();
    let complete = complete.filter_map(|flow| Some(flow.completed_s? - flow.start_s));
    let mut lengths: Vec<f64> = complete.collect();
    let percentiles = metrics::percentiles(&mut lengths)?;
    Some(Completion {
        mean: lengths.iter().sum::<f64>() / lengths.len() as f64,
        percentiles,
    })
}

/// Over all reads of all of these flows.
fn application_success(flows: &[Flow]) -> Option<Vec<f64>> {
    let mut attempts = 0;
    let mut found = [0_u64; 9];
    for playback in flows.iter().filter_map(|flow| flow.playback.as_ref()) {
        attempts += playback.attempts;
        for (all, own) in found.iter_mut().zip(playback.found) {
            *all += own;
        }
    }
    let percent = |count: &u64| 100.0 * *count as f64 / attempts as f64;
    (attempts > 0).then(|| found.iter().map(percent).collect())
}

fn link_summaries(
    network: &netsim::Network<super::payload::Payload>,
    links: &[NamedLink],
    measured_s: f64,
) -> Vec<LinkSummary> {
    links
        .iter()
        .map(|named| {
            let statistics = network.link(named.id).statistics();
            let refused = statistics.drops as f64;
            LinkSummary {
                name: named.name.clone(),
                utilization: statistics.busy.as_secs_f64() / measured_s,
                packets_in: statistics.packets_in,
                packets_out: statistics.packets_out,
                drops: statistics.drops,
                marks: statistics.marks,
                lost: statistics.lost,
                source_quenches: statistics.source_quenches,
                drop_rate: if statistics.packets_in > 0 {
                    refused / statistics.packets_in as f64
                } else {
                    0.0
                },
                queue_mean_packets: statistics.waited_picos as f64 / 1e12 / measured_s,
                queue_max_packets: statistics.queue_max,
            }
        })
        .collect()
}
